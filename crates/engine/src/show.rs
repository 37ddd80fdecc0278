//! One checkpoint, step or request in detail, or one file as it was then.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use project::RelPath;
use store::{
    Checkpoint, Difference, Entry, EntryKind, Problem, Progress, Request, RequestNumber, Step, StepFilter,
    StepNumber, Store,
};

use crate::diff::{self, Detail, DiffReport};
use crate::{Engine, Error, Notice, Result};

/// A file that a checkpoint looked at by name.
#[derive(Debug, serde::Serialize)]
pub struct NamedFile {
    /// The path.
    pub path: String,
    /// It was there.
    pub existed: bool,
    /// Its length.
    pub size: u64,
    /// The sha256 of its content; none for a folder or a file that was not there.
    pub sha256: Option<String>,
    /// Permission bits.
    pub mode: u32,
}

/// One checkpoint in detail.
#[derive(Debug, serde::Serialize)]
pub struct ShowReport {
    /// The project.
    pub project: String,
    /// The checkpoint.
    pub checkpoint: Checkpoint,
    /// Files saved by name.
    pub named: Vec<NamedFile>,
    /// What was different from what was known before.
    pub changes: DiffReport,
    /// What could not be saved.
    pub problems: Vec<Problem>,
    /// Time of the report.
    pub now_ms: i64,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

/// Shows a checkpoint by id.
pub fn show(engine: &Engine, id: &str, detail: Detail, progress: &dyn Progress) -> Result<ShowReport> {
    let opened = engine.store(progress)?;
    let store = &opened.store;
    let checkpoint = store.resolve(id)?;
    let named = store
        .named_in(&checkpoint)?
        .into_iter()
        .map(|(path, entry)| NamedFile {
            path: engine.name_of(&path),
            existed: entry.is_some(),
            size: entry.map_or(0, |entry| entry.size),
            sha256: entry
                .filter(|entry| entry.kind != store::EntryKind::Dir)
                .map(|entry| entry.hash.to_hex()),
            mode: entry.map_or(0, |entry| entry.mode),
        })
        .collect();
    let recorded = store.recorded_in(&checkpoint)?;
    let changes = diff::describe(engine, store, &recorded, "before", checkpoint.id.as_str(), detail)?;
    let problems = store.problems_of(&checkpoint)?;
    Ok(ShowReport {
        project: engine.project().id().to_string(),
        checkpoint,
        named,
        changes,
        problems,
        now_ms: engine.context().now_ms(),
        notices: opened.notices,
    })
}

/// A file as it was at some moment.
#[derive(Debug, serde::Serialize)]
pub struct OldFile {
    /// The path.
    pub path: String,
    /// The moment: a checkpoint's id.
    pub moment: String,
    /// A file, or a link, whose content is where it leads.
    pub kind: EntryKind,
    /// Permission bits.
    pub mode: u32,
    /// Length in bytes.
    pub size: u64,
    /// The sha256 of the content.
    pub sha256: String,
    /// Not text.
    pub binary: bool,
    /// The content, if it is UTF-8.
    pub text: Option<String>,
    /// The content, to the byte.
    #[serde(skip)]
    pub content: Vec<u8>,
}

/// A file as it was in a checkpoint, by the checkpoint's id and the file's name as it was typed.
pub fn old_file(engine: &Engine, id: &str, typed: &Path, progress: &dyn Progress) -> Result<OldFile> {
    let opened = engine.store(progress)?;
    let store = &opened.store;
    let checkpoint = store.resolve(id)?;
    let paths = engine.known_paths(store, &[typed.to_path_buf()])?;
    let Some(path) = paths.first() else {
        return Err(Error::Usage("the project as a whole is no file; name one in it".to_owned()));
    };
    let entry = if engine.project().is_loose() {
        store.recorded_entry(checkpoint.seq, path)?
    } else {
        entry_at(store, &checkpoint, path, progress)?
    };
    content_at(engine, store, checkpoint.id.as_str(), path, entry)
}

/// A file as a request left it.
pub fn file_after_request(
    engine: &Engine,
    number: RequestNumber,
    typed: &Path,
    progress: &dyn Progress,
) -> Result<OldFile> {
    let opened = engine.store(progress)?;
    if opened.store.request(number)?.is_none() {
        return Err(Error::NotInHistory(format!("request `{number}`")));
    }
    let paths = engine.known_paths(&opened.store, &[typed.to_path_buf()])?;
    let of =
        |path| StepFilter { request: Some(number), path, changing: true, limit: 1, ..StepFilter::default() };
    let mut steps = opened.store.steps(&of(paths.first()))?;
    if steps.is_empty() {
        steps = opened.store.steps(&of(None))?;
    }
    match steps.first().map(|step| step.number) {
        Some(step) => {
            drop(opened);
            file_after_step(engine, step, typed, progress)
        }
        None => Err(Error::NotInHistory(format!("change of request `{number}`"))),
    }
}

/// What was done, in detail: one step, or a request with all its steps.
#[derive(Debug, serde::Serialize)]
pub struct DoneReport {
    /// The request it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<Request>,
    /// The steps, the oldest first.
    pub steps: Vec<Step>,
    /// What they changed. A file that somebody else changed in between is there once for each part: what the others did is in none of them,
    /// and the parts one after the other are a patch.
    pub changes: DiffReport,
    /// The files that are there in parts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub in_parts: Vec<String>,
    /// Files of which nobody can tell whether these steps changed them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub doubtful: Vec<Doubtful>,
    /// Time of the report.
    pub now_ms: i64,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

/// A file that one of several steps changed.
#[derive(Debug, serde::Serialize)]
pub struct Doubtful {
    /// The file.
    pub path: String,
    /// One of these made the change, and nobody knows which.
    pub steps: Vec<StepNumber>,
}

/// Shows a step.
pub fn step(
    engine: &Engine,
    number: StepNumber,
    detail: Detail,
    progress: &dyn Progress,
) -> Result<DoneReport> {
    let opened = engine.store(progress)?;
    let step = opened.store.step(number)?.ok_or_else(|| Error::NotInHistory(format!("step `{number}`")))?;
    let request = step.request.map(|number| opened.store.request(number)).transpose()?.flatten();
    done(engine, opened, request, vec![step], &number.to_string(), detail)
}

/// Shows a request with all its steps.
pub fn request(
    engine: &Engine,
    number: RequestNumber,
    detail: Detail,
    progress: &dyn Progress,
) -> Result<DoneReport> {
    let opened = engine.store(progress)?;
    let request =
        opened.store.request(number)?.ok_or_else(|| Error::NotInHistory(format!("request `{number}`")))?;
    let filter = StepFilter { request: Some(number), ..StepFilter::default() };
    let mut steps = opened.store.steps(&filter)?;
    steps.reverse();
    done(engine, opened, Some(request), steps, &number.to_string(), detail)
}

/// The step or the request of this name, with what it changed of these paths; none if it is the name of neither.
pub(crate) fn named(
    engine: &Engine,
    name: &str,
    detail: Detail,
    typed: &[PathBuf],
    progress: &dyn Progress,
) -> Result<Option<DoneReport>> {
    let (step, request) = (StepNumber::parse(name), RequestNumber::parse(name));
    if step.is_none() && request.is_none() {
        return Ok(None);
    }
    let opened = engine.store(progress)?;
    let only = engine.known_paths(&opened.store, typed)?;
    let (request, steps) = match (step, request) {
        (Some(number), _) => {
            let step = opened.store.step(number)?;
            (None, vec![step.ok_or_else(|| Error::NotInHistory(format!("step `{number}`")))?])
        }
        (None, Some(number)) => {
            let request = opened.store.request(number)?;
            let request = request.ok_or_else(|| Error::NotInHistory(format!("request `{number}`")))?;
            let filter = StepFilter { request: Some(number), ..StepFilter::default() };
            let mut steps = opened.store.steps(&filter)?;
            steps.reverse();
            (Some(request), steps)
        }
        (None, None) => return Ok(None),
    };
    done_in(engine, opened, request, steps, name, detail, &only).map(Some)
}

/// The checkpoint of the state that the step or request of this name left; none if it is the name of neither.
pub(crate) fn left_by(store: &Store<'_>, name: &str) -> Result<Option<Checkpoint>> {
    let step = match (StepNumber::parse(name), RequestNumber::parse(name)) {
        (Some(number), _) => store.step(number)?,
        (None, Some(number)) => {
            let newest = StepFilter { request: Some(number), limit: 1, ..StepFilter::default() };
            store.steps(&newest)?.into_iter().next()
        }
        (None, None) => return Ok(None),
    };
    let step = step.ok_or_else(|| Error::NotInHistory(format!("`{name}`")))?;
    let seq = step.after.unwrap_or(step.before);
    let kept = store.checkpoint(seq)?.filter(|checkpoint| !checkpoint.expired);
    kept.map(Some).ok_or_else(|| Error::NotInHistory(format!("the state that `{name}` left")))
}

fn done(
    engine: &Engine,
    opened: crate::Opened<'_>,
    request: Option<Request>,
    steps: Vec<Step>,
    name: &str,
    detail: Detail,
) -> Result<DoneReport> {
    done_in(engine, opened, request, steps, name, detail, &[])
}

fn done_in(
    engine: &Engine,
    opened: crate::Opened<'_>,
    request: Option<Request>,
    steps: Vec<Step>,
    name: &str,
    detail: Detail,
    only: &[RelPath],
) -> Result<DoneReport> {
    let mut changes: BTreeMap<RelPath, Vec<Difference>> = BTreeMap::new();
    let mut doubtful: Vec<Doubtful> = Vec::new();
    let own: Vec<StepNumber> = steps.iter().map(|step| step.number).collect();
    for step in steps.iter().filter(|step| step.files > 0) {
        for change in opened.store.changes_of(step.number)? {
            if !only.is_empty() && !only.iter().any(|folder| change.path.is_in(folder)) {
                continue;
            }
            let path = engine.name_of(&change.path);
            // What only these steps share is theirs.
            if change.shared.iter().any(|step| !own.contains(step))
                && !doubtful.iter().any(|one| one.path == path && one.steps == change.shared)
            {
                doubtful.push(Doubtful { path, steps: change.shared.clone() });
            }
            let (before, after) = (change.before, change.after);
            let parts = changes.entry(change.path.clone()).or_default();
            match parts.last_mut() {
                Some(last) if last.after == before => last.after = after,
                _ => parts.push(Difference { path: change.path, before, after }),
            }
        }
    }
    for parts in changes.values_mut() {
        parts.retain(|part| part.before != part.after);
    }
    let in_parts = changes.iter().filter(|(_, parts)| parts.len() > 1);
    let in_parts = in_parts.map(|(path, _)| engine.name_of(path)).collect();
    let changes: Vec<Difference> = changes.into_values().flatten().collect();
    let before = format!("before {name}");
    let changes = diff::describe(engine, &opened.store, &changes, &before, name, detail)?;
    let now_ms = engine.context().now_ms();
    Ok(DoneReport { request, steps, changes, in_parts, doubtful, now_ms, notices: opened.notices })
}

/// One file as a step left it.
pub fn file_after_step(
    engine: &Engine,
    number: StepNumber,
    typed: &Path,
    progress: &dyn Progress,
) -> Result<OldFile> {
    let opened = engine.store(progress)?;
    let store = &opened.store;
    let step = store.step(number)?.ok_or_else(|| Error::NotInHistory(format!("step `{number}`")))?;
    let known = engine.known_paths(store, &[typed.to_path_buf()])?;
    let [path] = &known[..] else {
        return Err(Error::Usage("the project as a whole is no file; name one in it".to_owned()));
    };
    let own = store.changes_of(number)?.into_iter().rfind(|change| change.path == *path);
    let entry = match own {
        Some(change) => change.after,
        // Not its own: as the look after it, or else before it, had it.
        None => store.recorded_entry(step.after.unwrap_or(step.before), path)?,
    };
    content_at(engine, store, &number.to_string(), path, entry)
}

/// What a path was in a checkpoint. The disk is looked at only if nothing that was saved tells.
fn entry_at(
    store: &Store<'_>,
    checkpoint: &Checkpoint,
    path: &RelPath,
    progress: &dyn Progress,
) -> Result<Option<Entry>> {
    if !checkpoint.whole_tree {
        if let Some((_, entry)) = store.named_in(checkpoint)?.into_iter().find(|(named, _)| named == path) {
            return Ok(entry);
        }
        let view = store.view(checkpoint, &store.working_tree(progress)?.view)?;
        return Ok(store.entry_in(&view, path.as_bytes())?);
    }
    let view = store.view(checkpoint, &store.recorded_state()?)?;
    Ok(store.entry_in(&view, path.as_bytes())?)
}

/// The content of a path at any moment of which the entry is known: a checkpoint, or before or after a step. `moment` is what a person would
/// type for it.
pub fn content_at(
    engine: &Engine,
    store: &Store<'_>,
    moment: &str,
    path: &RelPath,
    entry: Option<Entry>,
) -> Result<OldFile> {
    let (name, moment) = (engine.name_of(path), moment.to_owned());
    let Some(entry) = entry else { return Err(Error::NotThereThen { path: name, moment }) };
    if entry.kind == EntryKind::Dir {
        return Err(Error::FolderThen { path: name, moment });
    }
    // The same rule as for a diff: what usually holds secrets is brought back, never shown.
    if entry.sensitive {
        return Err(Error::NotShown { path: name, moment });
    }
    let content = match store.content(&entry.hash) {
        Ok(content) => content,
        Err(error) => {
            store::read_unsaved(engine.project().root(), path, &entry.hash).ok_or(Error::Store(error))?
        }
    };
    Ok(OldFile {
        path: name,
        moment,
        kind: entry.kind,
        mode: entry.mode,
        size: content.len() as u64,
        sha256: entry.hash.to_hex(),
        binary: words::is_binary(&content),
        text: std::str::from_utf8(&content).ok().map(str::to_owned),
        content,
    })
}
