//! What is different between two moments, file by file.

use std::path::{Path, PathBuf};

use store::{Difference, Entry, EntryKind, Progress, Store, View};

use crate::baseline::baseline;
use crate::git_form::{self, Side};
use crate::{Engine, Notice, Result, rename};
use words::diff::{self as lines, Compared};

pub use crate::git_form::Section;

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FileStatus {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// Its content is different.
    Modified,
    /// It has another name (and perhaps other content).
    Renamed,
    /// Only its permission bits are different.
    ModeChanged,
    /// It is another kind of thing now: file, link, folder.
    TypeChanged,
}

/// One file that is different.
#[derive(Debug, Clone, serde::Serialize)]
pub struct FileDiff {
    /// The path; for a rename the new one.
    pub path: String,
    /// The old path of a rename.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_path: Option<String>,
    /// What happened.
    pub status: FileStatus,
    /// `file`, `symlink` or `dir`.
    pub kind: EntryKind,
    /// Permission bits before, if they changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_mode: Option<u32>,
    /// Permission bits after, if they changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_mode: Option<u32>,
    /// Length before.
    pub old_size: u64,
    /// Length after.
    pub new_size: u64,
    /// Lines that are new; none if the content was not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added: Option<u64>,
    /// Lines that are gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub removed: Option<u64>,
    /// Not text.
    pub binary: bool,
    /// Content is not shown, because the file usually holds secrets.
    pub sensitive: bool,
    /// Why there is no text, where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The hunks in unified form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// The same as git writes it, if the text was asked for without a limit; see [`FileDiff::patch`].
    #[serde(skip)]
    pub git: Vec<Section>,
}

impl FileDiff {
    /// Its content is different, and no patch has it.
    pub fn is_left_out(&self) -> bool {
        let changed = self.status != FileStatus::ModeChanged && self.kind != EntryKind::Dir;
        changed && !self.git.iter().any(|section| section.head.contains("diff --git "))
    }

    /// The difference in git's format, to the byte.
    pub fn patch(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for section in &self.git {
            if let Some(instead) = &section.instead {
                out.extend_from_slice(instead);
                continue;
            }
            out.extend_from_slice(section.head.as_bytes());
            let hunks = self.diff.as_deref().unwrap_or_default().as_bytes();
            out.extend_from_slice(section.hunks.as_deref().unwrap_or(hunks));
        }
        out
    }
}

/// All differences between two moments.
#[derive(Debug, Clone, Default, serde::Serialize)]
pub struct DiffReport {
    /// The earlier moment: an id, or `before`.
    pub from: String,
    /// The later moment: an id, or `now`.
    pub to: String,
    /// File by file, in order of path.
    pub files: Vec<FileDiff>,
    /// Lines that are new, all together.
    pub added: u64,
    /// Lines that are gone, all together.
    pub removed: u64,
    /// Files whose lines were not counted, so that the two numbers above are too small.
    pub not_counted: u64,
    /// What the person should know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<Notice>,
}

/// What to compare.
#[derive(Debug, Clone, Default)]
pub struct DiffOptions {
    /// The earlier moment; the state before the last request that changed something, or the last save, if none is given.
    pub from: Option<String>,
    /// The later moment; now, if none is given.
    pub to: Option<String>,
    /// Only these.
    pub paths: Vec<PathBuf>,
    /// Only counts, no text.
    pub stat_only: bool,
    /// No more text than this, in bytes; see [`Detail::TextUpTo`].
    pub most_text: Option<u64>,
}

/// Compares two checkpoints, or a checkpoint with now. A step or a request alone is compared with how it began; beside another moment it stands
/// for the state that it left.
pub fn diff(engine: &Engine, options: &DiffOptions, progress: &dyn Progress) -> Result<DiffReport> {
    let detail = match (options.stat_only, options.most_text) {
        (true, _) => Detail::Counts,
        (false, Some(most)) => Detail::TextUpTo(most),
        (false, None) => Detail::Text,
    };
    if let (Some(name), None) = (&options.from, &options.to)
        && let Some(done) = crate::show::named(engine, name, detail, &options.paths, progress)?
    {
        return Ok(DiffReport { notices: done.notices, ..done.changes });
    }
    let opened = engine.store(progress)?;
    let store = &opened.store;
    let only = engine.known_paths(store, &options.paths)?;
    let moment = |name: &str| match crate::show::left_by(store, name)? {
        Some(checkpoint) => Ok(checkpoint),
        None => Ok::<_, crate::Error>(store.resolve(name)?),
    };
    let from = match &options.from {
        Some(id) => Some(moment(id)?),
        None if engine.project().is_loose() => None,
        None => baseline(store)?.map(|baseline| baseline.checkpoint),
    };
    let to = options.to.as_deref().map(moment).transpose()?;
    // Looking at the disk is needed only when "now" plays a part.
    let needs_now =
        to.is_none() || [&from, &to].into_iter().flatten().any(|checkpoint| !checkpoint.whole_tree);
    let now: View = match (needs_now, engine.project().is_loose()) {
        (true, true) => store.working_paths(&only)?.view,
        (true, false) => store.working_tree(progress)?.view,
        (false, _) => store.recorded_state()?,
    };
    let before = match &from {
        // Loose files have nothing to do with each other: each is compared with what it was before its own last step.
        _ if options.from.is_none() && engine.project().is_loose() => {
            crate::outside::before_last_steps(store, &now, &only)?
        }
        Some(checkpoint) => store.view(checkpoint, &now)?,
        None => store.recorded_state()?,
    };
    let after = match &to {
        Some(checkpoint) => store.view(checkpoint, &now)?,
        None => now,
    };
    let changes = store.compare(&before, &after, &only)?;
    let name = |checkpoint: &Option<store::Checkpoint>, otherwise: &str| {
        checkpoint.as_ref().map_or_else(|| otherwise.to_owned(), |checkpoint| checkpoint.id.to_string())
    };
    let (from, to) = (name(&from, "last saved"), name(&to, "now"));
    let mut report = describe(engine, store, &changes, &from, &to, detail)?;
    report.notices = opened.notices;
    Ok(report)
}

/// How closely files are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// Line by line, with the text.
    Text,
    /// The same for whoever has little memory: files longer than this are not read, and once so many bytes of text are in the
    /// report, the lines of the other files are only counted. A file's text is there as a whole or not at all.
    TextUpTo(u64),
    /// Lines are counted, in as many files as anybody looks at; beyond that only sizes are given.
    Counts,
}

/// Files whose lines are counted when only counts are wanted. More than this is a list nobody reads, and reading every
/// file twice would take longer than restoring them.
const COUNTED_FILES: usize = 30;
const NOT_COUNTED: &str = "lines not counted";
/// The note of a file that is too long.
pub const TOO_LONG: &str = "too long to compare line by line";
/// Why a patch leaves out a file that is no text.
const TOO_LONG_FOR_PATCH: &str = "too long for a patch";
/// So much content that is not compared by lines is put into one patch, both sides together.
const MOST_PACKED: u64 = 64 << 20;
/// The note of a file whose text was left out because there is too much of it.
pub const LEFT_OUT: &str = "text left out: there is too much of it";

/// Turns differences into a report.
pub(crate) fn describe(
    engine: &Engine,
    store: &Store<'_>,
    changes: &[Difference],
    from: &str,
    to: &str,
    detail: Detail,
) -> Result<DiffReport> {
    let renames = rename::find(engine.project().root(), store, changes);
    let targets: std::collections::HashSet<usize> = renames.values().copied().collect();
    let mut report = DiffReport { from: from.to_owned(), to: to.to_owned(), ..DiffReport::default() };
    let (asked_for_text, longest) = match detail {
        Detail::TextUpTo(most) => (true, most.min(lines::LIMIT as u64)),
        _ => (false, lines::LIMIT as u64),
    };
    let mut text = 0;
    let mut packed = MOST_PACKED;
    for (at, change) in changes.iter().enumerate() {
        if targets.contains(&at) {
            continue;
        }
        let moved_to = renames.get(&at).map(|target| &changes[*target]);
        // A folder that came with files in it says nothing that the files do not say.
        let is_dir = |entry: &Option<Entry>| entry.is_some_and(|entry| entry.kind == EntryKind::Dir);
        let only_folder =
            [&change.before, &change.after].into_iter().all(|entry| entry.is_none() || is_dir(entry));
        let has_files = |other: &Difference| other.path != change.path && other.path.is_in(&change.path);
        let appeared_or_went = change.before.is_none() || change.after.is_none();
        if only_folder
            && appeared_or_went
            && changes[at + 1..].iter().take_while(|o| near(o, change)).any(has_files)
        {
            continue;
        }
        let detail = match detail {
            Detail::Text => Some(detail),
            Detail::TextUpTo(most) if text < most => Some(detail),
            // Only counted, but all of the first ones.
            _ => (report.files.len() < COUNTED_FILES).then_some(Detail::Counts),
        };
        let limits = (longest, &mut packed);
        let mut file = describe_file(engine.project().root(), store, change, moved_to, detail, limits);
        text += file.diff.as_ref().map_or(0, |diff| diff.len() as u64);
        let counted_only = detail == Some(Detail::Counts) && file.added.is_some();
        if asked_for_text && counted_only && file.note.is_none() {
            file.note = Some(LEFT_OUT.to_owned());
        }
        report.not_counted += u64::from(file.note.as_deref() == Some(NOT_COUNTED));
        report.added += file.added.unwrap_or(0);
        report.removed += file.removed.unwrap_or(0);
        report.files.push(file);
    }
    for file in &mut report.files {
        file.path = engine.name_from_top(std::mem::take(&mut file.path));
        file.old_path = file.old_path.take().map(|path| engine.name_from_top(path));
    }
    report.files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(report)
}

/// Paths are in order, so what lies in a folder follows it closely (`a`, `a-b`, `a/c`).
fn near(other: &Difference, folder: &Difference) -> bool {
    other.path.as_bytes().starts_with(folder.path.as_bytes())
}

fn describe_file(
    root: &Path,
    store: &Store<'_>,
    change: &Difference,
    moved_to: Option<&Difference>,
    detail: Option<Detail>,
    (longest, packed): (u64, &mut u64),
) -> FileDiff {
    let before = change.before;
    let after = moved_to.map_or(change.after, |target| target.after);
    let path = moved_to.map_or(&change.path, |target| &target.path);
    let status = match (&before, &after) {
        (None, _) => FileStatus::Added,
        (_, None) => FileStatus::Removed,
        _ if moved_to.is_some() => FileStatus::Renamed,
        (Some(a), Some(b)) if a.kind != b.kind => FileStatus::TypeChanged,
        (Some(a), Some(b)) if a.hash == b.hash => FileStatus::ModeChanged,
        _ => FileStatus::Modified,
    };
    let modes = match (&before, &after) {
        (Some(a), Some(b)) if a.kind == b.kind && a.mode != b.mode => (Some(a.mode), Some(b.mode)),
        _ => (None, None),
    };
    let sensitive = [&before, &after].into_iter().flatten().any(|entry| entry.sensitive);
    let mut file = FileDiff {
        path: path.to_string(),
        old_path: moved_to.map(|_| change.path.to_string()),
        status,
        kind: after.or(before).map_or(EntryKind::File, |entry| entry.kind),
        old_mode: modes.0,
        new_mode: modes.1,
        old_size: before.map_or(0, |entry| entry.size),
        new_size: after.map_or(0, |entry| entry.size),
        added: None,
        removed: None,
        binary: false,
        sensitive,
        note: None,
        diff: None,
        git: Vec::new(),
    };
    let (mut old, mut new) =
        compare(root, store, (&change.path, before), (path, after), detail, longest, &mut file);
    if detail == Some(Detail::Text) {
        let size = file.old_size + file.new_size;
        let is_long = file.note.as_deref() == Some(TOO_LONG);
        if (is_long || file.binary) && size > *packed {
            (old, new) = (None, None);
        } else if is_long || file.binary {
            // Not compared by lines, but a patch can hold it whole. (M2)
            *packed -= size;
            if old.is_none() || new.is_none() {
                old = content_of(root, store, &change.path, before).ok();
                new = content_of(root, store, path, after).ok();
            }
        }
        let note = file.note.as_deref().or(file.binary.then_some(TOO_LONG_FOR_PATCH));
        let note = note.filter(|_| file.note.is_some() || old.is_none() || new.is_none());
        let old = Side { path: &change.path, entry: before, content: old.as_deref() };
        let new = Side { path, entry: after, content: new.as_deref() };
        file.git = git_form::sections(&old, &new, file.diff.as_deref(), note);
        // The report has text for people and programs; a patch has the file's own bytes.
        if let ([section], (Some(old), Some(new))) = (&mut file.git[..], (old.content, new.content))
            && section.hunks.is_none()
            && file.diff.as_ref().is_some_and(|diff| diff.contains(char::REPLACEMENT_CHARACTER))
        {
            section.hunks = Some(lines::unified(old, new, CONTEXT));
        }
    }
    file
}

/// Unchanged lines around each change.
const CONTEXT: usize = 3;

/// Compares the contents, if they are different and may be looked at, and gives them back.
fn compare(
    root: &Path,
    store: &Store<'_>,
    (old_path, before): (&project::RelPath, Option<Entry>),
    (path, after): (&project::RelPath, Option<Entry>),
    detail: Option<Detail>,
    longest: u64,
    file: &mut FileDiff,
) -> (Option<Vec<u8>>, Option<Vec<u8>>) {
    let same_content = before.zip(after).is_some_and(|(a, b)| a.hash == b.hash && a.kind == b.kind);
    let only_folder = [before, after].into_iter().flatten().all(|entry| entry.kind == EntryKind::Dir);
    if only_folder || same_content {
        return (None, None);
    }
    let Some(detail) = detail else {
        file.note = Some(NOT_COUNTED.to_owned());
        return (None, None);
    };
    if file.sensitive {
        file.note = Some("content not shown: this file usually holds secrets".to_owned());
        return (None, None);
    }
    if file.old_size.max(file.new_size) > longest {
        // What is not compared is not read either, but for its beginning, if it is there.
        let head = store::peek(root, path, words::HEAD as u64);
        file.binary = head.is_some_and(|head| words::is_binary(&head));
        file.note = (!file.binary).then(|| TOO_LONG.to_owned());
        return (None, None);
    }
    let old = content_of(root, store, old_path, before);
    let new = content_of(root, store, path, after);
    match (&old, &new) {
        (Ok(old), Ok(new)) => match lines::compare(old, new, (detail != Detail::Counts).then_some(CONTEXT)) {
            Compared::Text { added, removed, hunks } => {
                file.added = Some(added);
                file.removed = Some(removed);
                file.diff = hunks;
            }
            Compared::Binary => file.binary = true,
            Compared::TooLarge => file.note = Some(TOO_LONG.to_owned()),
        },
        (Err(note), _) | (_, Err(note)) => file.note = Some(note.clone()),
    }
    (old.ok(), new.ok())
}

/// Content from the store, or, for what is not saved yet, from the disk.
pub(crate) fn content_of(
    root: &Path,
    store: &Store<'_>,
    path: &project::RelPath,
    entry: Option<Entry>,
) -> std::result::Result<Vec<u8>, String> {
    const LONGEST: u64 = 64 << 20;
    let Some(entry) = entry.filter(|entry| entry.kind != EntryKind::Dir) else {
        return Ok(Vec::new());
    };
    if entry.size > LONGEST {
        return Err(TOO_LONG.to_owned());
    }
    match store.content(&entry.hash) {
        Ok(content) => Ok(content),
        Err(error) => store::read_unsaved(root, path, &entry.hash).ok_or_else(|| error.to_string()),
    }
}
