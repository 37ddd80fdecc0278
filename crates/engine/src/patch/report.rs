//! What a patch did or would do, for people, programs and models.

use std::path::Path;
use std::time::Duration;

use patch::{Decision, FileAction, FilePatch, Format, Outcome};
use project::RelPath;
use store::{ContentHash, Entry, EntryKind};

use crate::git_form::{self, Side};
use crate::may::Objection;

/// What happens to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// Its content or mode changes.
    #[default]
    Modify,
    /// It is new.
    Create,
    /// It goes away.
    Delete,
    /// It gets another name.
    Rename,
    /// It is copied.
    Copy,
}

/// Why a file as a whole cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct FileRefusal {
    /// Stable code.
    pub code: &'static str,
    /// What is the matter.
    pub message: String,
    /// What to do next.
    pub next: String,
}

impl FileRefusal {
    pub(super) fn new(code: &'static str, message: impl Into<String>, next: impl Into<String>) -> Self {
        Self { code, message: message.into(), next: next.into() }
    }

    pub(super) fn binary_patch() -> Self {
        Self::new(
            "patch_binary",
            "the patch changes binary content, which a text diff cannot carry",
            "write the file as a whole with another tool, then save it with `vib checkpoint`",
        )
    }

    pub(super) fn binary_file(path: &str) -> Self {
        Self::new(
            "patch_binary",
            format!("`{path}` is not a text file"),
            "replace the file as a whole with another tool",
        )
    }

    pub(super) fn link_in_patch() -> Self {
        Self::new(
            "patch_symlink",
            "the patch makes or changes a symbolic link",
            "make the link by hand: vib writes only regular files from a patch",
        )
    }

    pub(super) fn ignored(path: &str) -> Self {
        Self::new(
            "path_ignored",
            format!("`{path}` is left out by an ignore file, so no checkpoint would show the change"),
            "if it shall be changed all the same, add `--allow-ignored`; it is then saved by name first",
        )
    }

    pub(super) fn vendor(path: &str, folder: &str) -> Self {
        Self::new(
            "path_vendor",
            format!("`{path}` is in `{folder}`, a folder for other people's code that tools overwrite"),
            "change your own code instead, or add `--allow-ignored` if you are sure",
        )
    }

    pub(super) fn deletes_more(path: &str) -> Self {
        Self::new(
            "hunk_other_version",
            format!("the patch deletes `{path}`, but the file holds more than the patch shows"),
            "show the whole file in the patch, or delete it by hand",
        )
    }

    pub(super) fn keep_region(path: &str) -> Self {
        Self::new(
            "keep_region",
            format!("`{path}` has a keep region, so it cannot be deleted"),
            "a person can allow it with `--no-keep-regions --reason TEXT`",
        )
    }

    pub(super) fn guarded(objection: &Objection, root: &Path) -> Self {
        let Guarded { code, path, message } = Guarded::new(objection, root);
        let next = match code {
            "protected" => {
                "tell the person what you would change and why; they can apply it in a terminal with `vib patch`, or lift the \
                 protection with `vib protect --remove`"
            }
            _ => {
                "tell the person what you would change and why; they can apply it in a terminal with `vib patch`"
            }
        };
        Self::new(code, format!("`{path}` {message}"), next)
    }

    pub(super) fn repeated(path: &str) -> Self {
        Self::new(
            "patch_repeats_file",
            format!("two parts of the patch write `{path}`"),
            "join them into one part for each file",
        )
    }
}

/// A place that is guarded: a person says yes to it by name. (S13)
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Guarded {
    /// Stable code.
    pub code: &'static str,
    /// The place.
    pub path: String,
    /// What is special about it, in words that follow its name.
    pub message: String,
}

impl Guarded {
    pub(super) fn new(objection: &Objection, root: &Path) -> Self {
        let place = Path::new(&objection.place);
        let path = place.strip_prefix(root).unwrap_or(place).display().to_string();
        Self { code: objection.code, path, message: objection.in_short().to_owned() }
    }
}

/// One file of a patch.
#[derive(Debug, Clone, Default, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// The path, in the project.
    pub path: String,
    /// The path before, if it gets another name or is copied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_path: Option<String>,
    /// What happens.
    #[serde(rename = "type")]
    pub kind: ChangeKind,
    /// How the edit was written.
    pub format: Format,
    /// The change as it is applied, in unified form.
    pub diff: String,
    /// Hunks that are applied; 0 if the patch is refused.
    pub applied_hunks: usize,
    /// Hunks that are not: refused, or written twice in the patch.
    pub skipped_hunks: usize,
    /// Lines that are new.
    pub added: u64,
    /// Lines that are gone.
    pub removed: u64,
    /// Length before.
    pub bytes_before: u64,
    /// Length after.
    pub bytes_after: u64,
    /// The mode after, if it changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_mode: Option<u32>,
    /// Content is not shown, because the file usually holds secrets.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sensitive: bool,
    /// What of it is guarded: it needs a person's yes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub guarded: Vec<Guarded>,
    /// Why the file cannot be changed at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<FileRefusal>,
    /// Hunk by hunk: level, place, offset, confidence, or why not.
    pub hunks: Vec<Decision>,
}

impl Change {
    pub(super) fn new(path: String, file: &FilePatch<'_>) -> Self {
        let kind = match file.action {
            FileAction::Modify => ChangeKind::Modify,
            FileAction::Create => ChangeKind::Create,
            FileAction::Delete => ChangeKind::Delete,
            FileAction::Rename => ChangeKind::Rename,
            FileAction::Copy => ChangeKind::Copy,
        };
        Self { path, kind, format: file.format, ..Self::default() }
    }

    /// Nothing stands in the way.
    pub fn is_fine(&self) -> bool {
        self.refusal.is_none() && self.hunks.iter().all(|decision| decision.refusal().is_none())
    }

    /// Writes the change in git's format, so that `git apply` and every tool that reads patches take it. (H9)
    pub(super) fn set_diff(&mut self, old: Content<'_>, new: Content<'_>, hunks: Option<&str>) {
        // A file by name, outside of a project, may be anywhere; a patch names it from where it lies.
        let named = |path: &str| RelPath::new(path.trim_start_matches('/').as_bytes());
        let paths = (named(self.old_path.as_ref().unwrap_or(&self.path)), named(&self.path));
        let (Ok(from), Ok(to)) = paths else { return };
        let hidden = self.sensitive.then_some("content not shown: this file usually holds secrets");
        let shown = |side: Content<'_>| side.text.filter(|_| !self.sensitive).map(<[u8]>::to_vec);
        let (before, after) = (shown(old), shown(new));
        let old = Side { path: &from, entry: old.entry(), content: before.as_deref() };
        let new = Side { path: &to, entry: new.entry(), content: after.as_deref() };
        let hunks = hunks.filter(|_| !self.sensitive);
        self.diff.clear();
        for section in git_form::sections(&old, &new, hunks, hidden) {
            let head = match self.kind {
                ChangeKind::Copy => section
                    .head
                    .replace("\nrename from ", "\ncopy from ")
                    .replace("\nrename to ", "\ncopy to "),
                _ => section.head,
            };
            self.diff.push_str(&head);
            match section.hunks {
                Some(hunks) => self.diff.push_str(&String::from_utf8_lossy(&hunks)),
                None => self.diff.push_str(hunks.unwrap_or_default()),
            }
        }
    }
}

/// One side of a file.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Content<'c> {
    /// What is in it; none: there is no such file.
    pub(super) text: Option<&'c [u8]>,
    /// Its permission bits, where they are known.
    pub(super) mode: Option<u32>,
}

impl Content<'_> {
    fn entry(self) -> Option<Entry> {
        self.text.map(|text| Entry {
            kind: EntryKind::File,
            mode: self.mode.unwrap_or(0o644),
            size: text.len() as u64,
            hash: ContentHash::of(text),
            sensitive: false,
        })
    }
}

/// A file whose syntax was looked at.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Checked {
    /// The path.
    pub path: String,
    /// What it was read as: `json`, `toml`.
    pub language: &'static str,
    /// What is wrong with the result, if it was right before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// What it took.
#[derive(Debug, Clone, Default, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// Calls of the tool.
    pub tool_calls: u32,
    /// Milliseconds from reading the patch to the answer.
    pub elapsed_ms: u64,
    /// Bytes written, or that would be.
    pub bytes_written: u64,
}

/// The answer to a patch.
#[derive(Debug, Clone, Default, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PatchReport {
    /// Everything can be applied (a preview) or was (see `applied`).
    pub ok: bool,
    /// The files were written.
    pub applied: bool,
    /// The safety checkpoint made before: `vib undo` with this id takes the patch back.
    pub snapshot_id: Option<String>,
    /// File by file.
    pub changes: Vec<Change>,
    /// All changes in unified form.
    pub diff: String,
    /// Things to know that are no reason to refuse.
    pub warnings: Vec<String>,
    /// If something guarded is in it: stands for exactly this, and comes back with a person's yes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirm: Option<String>,
    /// Files whose syntax was checked; no other file was.
    pub checked: Vec<Checked>,
    /// What it took.
    pub evidence: Evidence,
}

impl PatchReport {
    /// Sums up.
    pub(super) fn finish(&mut self, elapsed: Duration) {
        self.ok = self.changes.iter().all(Change::is_fine);
        for change in &mut self.changes {
            let placed = change
                .hunks
                .iter()
                .filter(|decision| matches!(decision.outcome, Outcome::Placed { .. }))
                .count();
            change.applied_hunks = if self.ok { placed } else { 0 };
            change.skipped_hunks = change.hunks.len() - change.applied_hunks;
        }
        self.diff = self.changes.iter().map(|change| change.diff.as_str()).collect();
        self.evidence.tool_calls = 1;
        self.evidence.elapsed_ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        self.evidence.bytes_written =
            if self.ok { self.changes.iter().map(|change| change.bytes_after).sum() } else { 0 };
    }

    /// The first reason why the patch is refused: code, message, next step.
    pub fn first_refusal(&self) -> Option<(&'static str, String, String)> {
        self.changes.iter().find_map(|change| {
            if let Some(refusal) = &change.refusal {
                return Some((refusal.code, refusal.message.clone(), refusal.next.clone()));
            }
            change.hunks.iter().find_map(|decision| {
                let refusal = decision.refusal()?;
                let message = format!("`{}`, hunk {}: {}", change.path, decision.hunk, refusal.message);
                Some((refusal.reason.code(), message, refusal.next.clone()))
            })
        })
    }
}

/// The permission bits after: the patch says only whether the file can be run.
pub(super) fn new_mode(present: Option<u32>, wanted: Option<u32>) -> u32 {
    let present = present.unwrap_or(0o644);
    match wanted.map(|mode| mode & 0o111 != 0) {
        Some(true) => present | ((present & 0o444) >> 2),
        Some(false) => present & !0o111,
        None => present,
    }
}
