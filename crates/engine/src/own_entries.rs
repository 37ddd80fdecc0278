//! vib's hooks, MCP entry and chat commands in a project's files are not the person's work: going back leaves them as they are.
//!
//! The first checkpoint of a project may be older than vib's entries in the clients' settings. Going back to it must not take vib out
//! of the clients, and going back to a time before `vib init --remove` must not put it in again. So every plan passes through
//! [`keep`], which puts into such a file what it held then with our part as it is now.

use clients::keep::{self, ProjectFile};
use project::RelPath;
use store::{ContentHash, Difference, Entry, EntryKind, Plan, Store};

use crate::diff::content_of;
use crate::{Engine, Notice};

/// What a plan has besides its changes.
#[derive(Debug, Default)]
pub(crate) struct Own {
    /// Content that was computed and that no checkpoint holds.
    pub(crate) contents: Vec<Vec<u8>>,
    /// What the person should know.
    pub(crate) notices: Vec<Notice>,
}

enum Verdict {
    /// Nothing of ours is touched.
    AsPlanned,
    /// The file stays as it is.
    Stays,
    /// It gets this content.
    Becomes(String),
    /// It goes.
    Goes,
    /// It cannot be read as what it should be.
    Unreadable,
}

/// Changes a plan so that everything of ours stays as it is now.
pub(crate) fn keep(engine: &Engine, store: &Store<'_>, plan: &mut Plan) -> Own {
    let mut own = Own::default();
    let (mut kept, mut unread, mut there) = (Vec::new(), Vec::new(), Vec::new());
    let mut changes = Vec::with_capacity(plan.changes.len());
    for mut change in std::mem::take(&mut plan.changes) {
        let Some(file) = keep::of_path(&change.path.to_string()) else {
            changes.push(change);
            continue;
        };
        let verdict = judge(engine, store, &file, &change);
        match verdict {
            Verdict::AsPlanned => {
                changes.push(change);
                continue;
            }
            Verdict::Unreadable => unread.push(change.path.to_string()),
            _ => kept.push(change.path.to_string()),
        }
        match verdict {
            Verdict::Becomes(text) => {
                there.push(change.path.clone());
                let hash = store.hold(text.clone().into_bytes());
                let like = change.after.or(change.before);
                change.after =
                    like.map(|like| Entry { kind: EntryKind::File, size: text.len() as u64, hash, ..like });
                own.contents.push(text.into_bytes());
                changes.push(change);
            }
            Verdict::Goes if change.before.is_some() => {
                change.after = None;
                changes.push(change);
            }
            _ if change.before.is_some() => there.push(change.path),
            _ => {}
        }
    }
    // A folder in which something stays, stays; one that would come back for our files only does not come back.
    let is_empty = |folder: &RelPath, changes: &[Difference]| {
        !changes
            .iter()
            .any(|other| other.path != *folder && other.path.is_in(folder) && other.after.is_some())
    };
    let stays =
        |change: &Difference| there.iter().any(|path| *path != change.path && path.is_in(&change.path));
    let all = changes.clone();
    changes.retain(|change| {
        let comes = change.before.is_none() && is_dir(change.after);
        let only_ours = comes && !kept.is_empty() && keep::is_folder_of_such(&change.path.to_string());
        !((is_dir(change.before) && !is_dir(change.after) && stays(change))
            || (only_ours && is_empty(&change.path, &all)))
    });
    plan.changes = changes;
    if !kept.is_empty() {
        own.notices.push(Notice::OwnEntriesKept { paths: kept });
    }
    if !unread.is_empty() {
        own.notices.push(Notice::SettingsUnreadable { paths: unread });
    }
    own
}

/// True if two moments of a path differ in nothing but what is ours: no step that anybody made.
pub(crate) fn differ_only_in_ours(engine: &Engine, store: &Store<'_>, change: &Difference) -> bool {
    let path = change.path.to_string();
    let folder = |entry: Option<Entry>| entry.is_none_or(|entry| entry.kind == EntryKind::Dir);
    if folder(change.before) && folder(change.after) {
        return change.before.is_none() != change.after.is_none() && keep::is_folder_of_such(&path);
    }
    let Some(file) = keep::of_path(&path) else { return false };
    let (Ok(before), Ok(after)) =
        (text(engine, store, &change.path, change.before), text(engine, store, &change.path, change.after))
    else {
        return false;
    };
    before != after && file.same_but_for_ours(before.as_deref(), after.as_deref()).unwrap_or(false)
}

fn judge(engine: &Engine, store: &Store<'_>, file: &ProjectFile, change: &Difference) -> Verdict {
    let is_file = |entry: Option<Entry>| entry.is_none_or(|entry| entry.kind == EntryKind::File);
    if !is_file(change.before) || !is_file(change.after) {
        // A link to settings elsewhere, or a folder of that name: what is there counts as a whole.
        let there = std::fs::read_to_string(change.path.to_path(engine.project().root()));
        let ours = there.is_ok_and(|text| file.has_ours(&text).unwrap_or(false));
        return if ours { Verdict::Stays } else { Verdict::AsPlanned };
    }
    let (Ok(present), Ok(target)) =
        (text(engine, store, &change.path, change.before), text(engine, store, &change.path, change.after))
    else {
        return Verdict::Unreadable;
    };
    let (present, target) = (present.as_deref(), target.as_deref());
    let has_ours = |text: Option<&str>| text.map_or(Ok(false), |text| file.has_ours(text));
    match (has_ours(present), has_ours(target)) {
        // Nothing of ours is in either: not our business, whatever it looks like.
        (Ok(false) | Err(_), Ok(false) | Err(_)) => return Verdict::AsPlanned,
        // Something took our entries away, but nobody took vib out: they come back with the file.
        (Ok(false), Ok(true)) if is_installed(engine, &change.path) => return Verdict::AsPlanned,
        _ => {}
    }
    match file.carry(present, target) {
        Ok(new) if new.as_deref() == target => Verdict::AsPlanned,
        Ok(new) if new.as_deref() == present => Verdict::Stays,
        Ok(Some(new)) => Verdict::Becomes(new),
        Ok(None) => Verdict::Goes,
        Err(_) => Verdict::Unreadable,
    }
}

/// The text of a file at a moment; an error if it is no text.
fn text(
    engine: &Engine,
    store: &Store<'_>,
    path: &RelPath,
    entry: Option<Entry>,
) -> Result<Option<String>, ()> {
    let Some(entry) = entry else { return Ok(None) };
    let content = content_of(engine.project().root(), store, path, Some(entry)).map_err(drop)?;
    String::from_utf8(content).map(Some).map_err(drop)
}

/// The installer's record says that vib is in this file: it was put in and never taken out by `vib init --remove`.
fn is_installed(engine: &Engine, path: &RelPath) -> bool {
    let file = path.to_path(engine.project().root());
    let key = ContentHash::of(&project::platform::path_to_bytes(&file)).to_hex();
    let Ok(state) = engine.context().state() else { return false };
    state.join("install").join(&key[..24]).join("record.json").is_file()
}

fn is_dir(entry: Option<Entry>) -> bool {
    entry.is_some_and(|entry| entry.kind == EntryKind::Dir)
}
