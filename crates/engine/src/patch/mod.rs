//! Applying the edits of a model to a project, in the trusted shape: [`preview`] computes the whole result in memory and shows
//! it, a person says yes, [`apply`] saves the present state and writes all files or none.
//!
//! What is written goes through the store's own gate: the new content is put into the store, a safety checkpoint proves
//! that the old content is there too, and the journal that protects every restore lets the next command finish what a
//! kill cut off.

mod apply;
mod check;
mod file;
mod locate;
mod report;
mod request;

pub use ::patch::{Decision, Level, Outcome, Refusal};
pub use apply::{apply, apply_recorded};
pub use file::{Applied, to_content};
use report::Content;
pub use report::{Change, ChangeKind, Checked, Evidence, FileRefusal, Guarded, PatchReport};
pub use request::PatchRequest;

use std::time::Instant;

use patch::{FileAction, Patch};
use project::RelPath;
use store::{Progress, Store, Write};

use crate::events::{self, Event};
use crate::may::{Act, Actor, Answer, Ground, Wish, may};
use crate::{Engine, Error, Notice, Result};
use words::diff::{self as lines, Compared};

/// How to treat a patch.
#[derive(Debug, Clone, Default)]
pub struct PatchOptions {
    /// How far a hunk may be from where its header says.
    pub max_offset: Option<u64>,
    /// The confidence below which a hunk is refused.
    pub min_confidence: Option<f64>,
    /// Lines in keep regions may be changed, for this reason, which is recorded.
    pub open_keep_regions: Option<String>,
    /// Ignored files and vendor folders may be changed.
    pub allow_ignored: bool,
    /// Take the patch back instead of applying it.
    pub reverse: bool,
}

impl PatchOptions {
    fn for_hunks(&self) -> patch::Options {
        patch::Options {
            max_offset: self.max_offset,
            min_confidence: self.min_confidence.unwrap_or(patch::MIN_CONFIDENCE),
            keep_regions: self.open_keep_regions.is_none(),
        }
    }

    fn validate(&self) -> Result<()> {
        let range = self.min_confidence.is_none_or(|value| (0.0..=1.0).contains(&value));
        if !range {
            return Err(Error::Usage("`--min-confidence` must be between 0 and 1".to_owned()));
        }
        if self.open_keep_regions.as_ref().is_some_and(|reason| reason.trim().is_empty()) {
            return Err(Error::Usage("keep regions are opened only with a reason".to_owned()));
        }
        Ok(())
    }
}

/// What a patch would do. Made by looking; nothing is written.
#[derive(Debug)]
pub struct Preview {
    /// What a person or a program is shown.
    pub report: PatchReport,
    /// What the person should know.
    pub notices: Vec<Notice>,
    writes: Vec<Write>,
    options: PatchOptions,
    actor: Actor,
    started: Instant,
}

impl Preview {
    /// What of it is guarded and needs a person's yes by name. (S13)
    pub fn guarded(&self) -> impl Iterator<Item = &Guarded> {
        self.report.changes.iter().flat_map(|change| &change.guarded)
    }

    /// Stands for exactly these writes: a yes to it is a yes to nothing else.
    pub fn digest(&self) -> String {
        let mut text = Vec::new();
        for write in &self.writes {
            text.extend_from_slice(write.path.as_bytes());
            let after = write.after.as_ref().map(|(after, mode)| (store::ContentHash::of(after), mode));
            text.extend_from_slice(format!("\0{:?}\0{after:?}\n", write.before).as_bytes());
        }
        store::ContentHash::of(&text).to_hex()
    }

    /// Every hunk has its place and every file may be written.
    pub fn is_applicable(&self) -> bool {
        self.report.ok
    }
}

/// Reads a patch and works out the whole result. What `actor` may not write is refused; what a person has to say yes to is named.
pub fn preview(
    engine: &Engine,
    actor: Actor,
    text: &[u8],
    options: &PatchOptions,
    progress: &dyn Progress,
) -> Result<Preview> {
    let started = Instant::now();
    options.validate()?;
    if options.open_keep_regions.is_some() && engine.project().config().word("patch.keep_regions") == "strict"
    {
        return Err(Error::PatchRefused {
            code: "keep_regions_strict",
            message: "keep regions are strict here, so no reason opens them".to_owned(),
            next: "leave the lines between VIBE-KEEP START and END as they are, or set `patch.keep_regions` to `reason`"
                .to_owned(),
        });
    }
    let parsed = read(text, options)?;
    let opened = engine.store(progress)?;
    let mut session = Session {
        engine,
        actor,
        store: &opened.store,
        options,
        report: PatchReport::default(),
        writes: Vec::new(),
    };
    for file in &parsed.files {
        session.file(file)?;
    }
    session.refuse_repeated();
    let Session { mut report, writes, .. } = session;
    report.finish(started.elapsed());
    let (notices, options) = (opened.notices, options.clone());
    let mut preview = Preview { report, notices, writes, options, actor, started };
    if preview.guarded().next().is_some() {
        preview.report.confirm = Some(preview.digest());
    }
    if !preview.is_applicable() {
        let event = Event::patch("PATCH_DIFF_REFUSED", &preview.report, &preview.options, None);
        preview.report.warnings.extend(events::note(engine, &event));
    }
    Ok(preview)
}

/// Notes that a preview was shown and not applied.
pub fn note_preview(engine: &Engine, preview: &mut Preview) {
    let event = Event::patch("PATCH_DIFF_PREVIEW", &preview.report, &preview.options, None);
    preview.report.warnings.extend(events::note(engine, &event));
}

fn read<'t>(text: &'t [u8], options: &PatchOptions) -> Result<Patch<'t>> {
    let parsed = patch::parse(text).map_err(Error::PatchUnreadable)?;
    Ok(if options.reverse { patch::reverse(&parsed) } else { parsed })
}

struct Session<'s> {
    engine: &'s Engine,
    actor: Actor,
    store: &'s Store<'s>,
    options: &'s PatchOptions,
    report: PatchReport,
    writes: Vec<Write>,
}

impl Session<'_> {
    /// Works out one file: where it is, whether it may be written, what comes out.
    fn file(&mut self, file: &patch::FilePatch<'_>) -> Result<()> {
        let named = file.target_path().map(|path| String::from_utf8_lossy(path).into_owned());
        let mut change = Change::new(named.unwrap_or_default(), file);
        match self.work_out(file, &mut change) {
            Ok(writes) => self.writes.extend(writes),
            Err(Stop::Refused(refusal)) => change.refusal = Some(refusal),
            Err(Stop::Hunks) => {}
            Err(Stop::Failed(error)) => return Err(error),
        }
        self.report.changes.push(change);
        Ok(())
    }

    fn work_out(
        &mut self,
        file: &patch::FilePatch<'_>,
        change: &mut Change,
    ) -> std::result::Result<Vec<Write>, Stop> {
        if file.binary {
            return Err(FileRefusal::binary_patch().into());
        }
        if file.new_mode.is_some_and(|mode| mode & 0o170_000 == 0o120_000) {
            return Err(FileRefusal::link_in_patch().into());
        }
        let located = locate::locate(self.engine, file, &self.options.for_hunks())?;
        change.path = located.target.to_string();
        change.old_path = (located.source != located.target).then(|| located.source.to_string());
        self.report.warnings.extend(located.warnings.iter().cloned());
        let moves = located.source != located.target;
        for path in [Some(&located.source), moves.then_some(&located.target)].into_iter().flatten() {
            self.refuse_left_out(path)?;
        }
        let result =
            patch::apply(file, located.content.as_deref().unwrap_or_default(), &self.options.for_hunks());
        for warning in &result.warnings {
            self.report.warnings.push(format!("{}: {warning}", change.path));
        }
        change.hunks = result.decisions;
        for path in [&located.source, &located.target] {
            change.sensitive |= self.store.is_sensitive(path).map_err(|error| Stop::Failed(error.into()))?;
        }
        if change.sensitive {
            change.hunks.iter_mut().for_each(patch::Decision::without_content);
        }
        let Some(content) = result.content else { return Err(Stop::Hunks) };
        let before = located.content.as_deref();
        let deletes = file.action == FileAction::Delete;
        if deletes && !content.is_empty() && !file.hunks.is_empty() {
            return Err(FileRefusal::deletes_more(&change.path).into());
        }
        if deletes && self.options.open_keep_regions.is_none() && before.is_some_and(patch::has_keep_regions)
        {
            return Err(FileRefusal::keep_region(&change.path).into());
        }
        let after = (!deletes).then_some(content);
        let mode = report::new_mode(located.mode, file.new_mode);
        self.describe(change, before, after.as_deref(), located.mode, mode);
        self.guard(change, &located, after.as_deref(), file.action)?;
        Ok(writes(&located, after, mode, file.action))
    }

    /// What is protected, kept or never just a file: refused, or named so that a person can say yes to it. (S13, G2)
    fn guard(
        &self,
        change: &mut Change,
        located: &locate::Located,
        after: Option<&[u8]>,
        action: FileAction,
    ) -> std::result::Result<(), Stop> {
        let root = self.engine.project().root();
        let (source, target) = (located.source.to_path(root), located.target.to_path(root));
        let before = located.content.as_deref();
        let wishes = match (source == target, action) {
            (true, _) => vec![Wish { path: &target, act: Act::Become { before, after } }],
            (false, FileAction::Copy) => {
                vec![Wish { path: &target, act: Act::Become { before: None, after } }]
            }
            (false, _) => vec![
                Wish { path: &source, act: Act::Become { before, after: None } },
                Wish { path: &target, act: Act::Become { before: None, after } },
            ],
        };
        // A script says with its reason that it means the lines; an agent cannot give itself one.
        let opened = self.options.open_keep_regions.is_some() && self.actor == Actor::Program;
        for objection in may(Ground::Project(self.engine), self.actor, &wishes).objections {
            if opened && objection.code == "keep_region" {
                continue;
            }
            if objection.answer == Answer::Deny {
                return Err(FileRefusal::guarded(&objection, root).into());
            }
            change.guarded.push(Guarded::new(&objection, root));
        }
        Ok(())
    }

    /// Files that are in no checkpoint, and folders that hold other people's code, are not for patches.
    fn refuse_left_out(&self, path: &RelPath) -> std::result::Result<(), Stop> {
        const VENDOR: [&[u8]; 6] =
            [b"node_modules", b"bower_components", b"vendor", b"site-packages", b".venv", b"__pycache__"];
        if self.options.allow_ignored {
            return Ok(());
        }
        let (folder, _) = path.split();
        let vendor = folder.split(|&byte| byte == b'/').find(|part| VENDOR.contains(part));
        if let Some(folder) = vendor {
            let folder = String::from_utf8_lossy(folder).into_owned();
            return Err(FileRefusal::vendor(&path.to_string(), &folder).into());
        }
        if self.store.is_left_out(path).map_err(|error| Stop::Failed(error.into()))? {
            return Err(FileRefusal::ignored(&path.to_string()).into());
        }
        Ok(())
    }

    fn describe(
        &mut self,
        change: &mut Change,
        before: Option<&[u8]>,
        after: Option<&[u8]>,
        old_mode: Option<u32>,
        mode: u32,
    ) {
        change.bytes_before = before.map_or(0, <[u8]>::len) as u64;
        change.bytes_after = after.map_or(0, <[u8]>::len) as u64;
        change.new_mode = (after.is_some() && old_mode.is_some_and(|old| old != mode)).then_some(mode);
        match lines::compare(before.unwrap_or_default(), after.unwrap_or_default(), Some(3)) {
            Compared::Text { added, removed, hunks } => {
                (change.added, change.removed) = (added, removed);
                change.set_diff(
                    Content { text: before, mode: old_mode },
                    Content { text: after, mode: Some(mode) },
                    hunks.as_deref(),
                );
            }
            Compared::Binary | Compared::TooLarge => {
                self.report
                    .warnings
                    .push(format!("{}: too long to show the change line by line", change.path));
            }
        }
        if let (Some(checked), Some(_)) = (check::check(&change.path, before, after), after) {
            if let Some(problem) = &checked.problem {
                self.report.warnings.push(format!("{}: {problem}", change.path));
            }
            self.report.checked.push(checked);
        }
    }

    /// One file, one result: a path that two parts of the patch write has none.
    fn refuse_repeated(&mut self) {
        let mut seen = std::collections::HashSet::new();
        let repeated: Vec<String> = self
            .writes
            .iter()
            .filter(|write| !seen.insert(write.path.clone()))
            .map(|write| write.path.to_string())
            .collect();
        for change in &mut self.report.changes {
            if change.refusal.is_none() && repeated.contains(&change.path) {
                change.refusal = Some(FileRefusal::repeated(&change.path));
            }
        }
    }
}

/// Why the work on a file ended early.
enum Stop {
    Refused(FileRefusal),
    /// Some hunk has no place; the decisions say why.
    Hunks,
    Failed(Error),
}

impl From<FileRefusal> for Stop {
    fn from(refusal: FileRefusal) -> Self {
        Self::Refused(refusal)
    }
}

fn writes(located: &locate::Located, after: Option<Vec<u8>>, mode: u32, action: FileAction) -> Vec<Write> {
    let before = located
        .content
        .as_ref()
        .map(|content| (store::ContentHash::of(content), located.mode.unwrap_or(mode)));
    if located.source == located.target {
        let unchanged = after.as_ref().is_some_and(|after| Some(after) == located.content.as_ref())
            && located.mode == Some(mode);
        if unchanged {
            return Vec::new();
        }
        return vec![Write { path: located.target.clone(), before, after: after.map(|after| (after, mode)) }];
    }
    let new = Write { path: located.target.clone(), before: None, after: after.map(|after| (after, mode)) };
    if action == FileAction::Copy {
        return vec![new];
    }
    vec![Write { path: located.source.clone(), before, after: None }, new]
}
