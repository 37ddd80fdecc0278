//! What happened in each changed file, in words of the program and not of lines.

use map::{Category, Language, Map, Outline, Symbol, SymbolChange, SymbolKind, Unread};
use project::RelPath;
use words::diff::{self, Compared};

use crate::{ChangedFile, FileReason, Risk, Study};

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FileChange {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// Its content is different.
    Changed,
    /// It has another name.
    Renamed,
}

/// What happened to something with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SymbolEvent {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It has another name.
    Renamed,
    /// It is in another place.
    Moved,
    /// It does something else, or the same in another way.
    Changed,
}

/// One thing with a name, and what happened to it.
#[derive(Debug, Clone, serde::Serialize)]
pub struct SymbolStory {
    /// What happened.
    pub event: SymbolEvent,
    /// What it is.
    pub kind: SymbolKind,
    /// Its name now, or its last one.
    pub name: String,
    /// Its name before, if it had another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_name: Option<String>,
    /// The file it went to or came from, if it moved between files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_file: Option<String>,
    /// The line where it is, or was.
    pub line: u32,
}

/// One file, and what happened in it.
#[derive(Debug, Clone, serde::Serialize)]
pub struct FileStory {
    /// The path; for a rename the new one.
    pub path: String,
    /// The old path of a rename.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_path: Option<String>,
    /// What happened.
    pub change: FileChange,
    /// What it is for.
    pub category: Category,
    /// What it is written in.
    pub language: Option<Language>,
    /// New lines.
    pub added: u64,
    /// Lines that are gone.
    pub removed: u64,
    /// What happened to the things in it.
    pub symbols: Vec<SymbolStory>,
    /// Only spaces and line breaks are different.
    pub only_spacing: bool,
    /// Reading it as code took too long, so nothing is said about what is in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unread: Option<Unread>,
    /// How risky the change is.
    pub risk: Risk,
    /// Why, the weightiest first.
    pub reasons: Vec<FileReason>,
}

/// Looks into changed files: each with both outlines and its story, in the order given. Risk is weighed later, by [`crate::judge`].
pub fn tell(files: &[ChangedFile]) -> Vec<(Study, FileStory)> {
    let mut told: Vec<(Study, FileStory)> = Study::all(files)
        .into_iter()
        .zip(files)
        .map(|(study, file)| {
            let story = tell_one(file, &study);
            (study, story)
        })
        .collect();
    join_moves(&mut told);
    told
}

/// Why a text was not read, where that is because reading it was too slow.
fn slow(outline: &Outline) -> Option<Unread> {
    outline.unread.filter(|why| matches!(why, Unread::TookTooLong | Unread::NoTimeLeft))
}

fn tell_one(file: &ChangedFile, study: &Study) -> FileStory {
    let change = match (&file.before, &file.after) {
        (None, _) => FileChange::Added,
        (_, None) => FileChange::Removed,
        _ if file.old_path.is_some() => FileChange::Renamed,
        _ => FileChange::Changed,
    };
    let (old, new) = (file.before.as_deref().unwrap_or_default(), file.after.as_deref().unwrap_or_default());
    let (added, removed) = match diff::compare(old, new, None) {
        Compared::Text { added, removed, .. } => (added, removed),
        Compared::Binary | Compared::TooLarge => (0, 0),
    };
    let words = |text: &[u8]| -> Vec<Vec<u8>> {
        text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).map(<[u8]>::to_vec).collect()
    };
    let matters = matches!(study.language, Some(Language::Python | Language::Yaml));
    let only_spacing =
        change == FileChange::Changed && !matters && file.unread.is_none() && words(old) == words(new);
    // A file that came or went as a whole is told as such; its parts are its own business, but for what others may miss.
    let symbols = match change {
        FileChange::Added => Vec::new(),
        _ => study.changes.iter().map(symbol_story).collect(),
    };
    FileStory {
        path: file.path.to_string(),
        old_path: file.old_path.as_ref().map(ToString::to_string),
        change,
        category: map::category(file.path.as_bytes()),
        language: study.language,
        added,
        removed,
        symbols,
        only_spacing,
        unread: slow(&study.after).or(slow(&study.before)),
        risk: Risk::Low,
        reasons: Vec::new(),
    }
}

fn symbol_story(change: &SymbolChange) -> SymbolStory {
    let story = |event, symbol: &Symbol, old: Option<&Symbol>| SymbolStory {
        event,
        kind: symbol.kind,
        name: symbol.name.clone(),
        old_name: old.map(|old| old.name.clone()),
        other_file: None,
        line: symbol.first_line,
    };
    match change {
        SymbolChange::Added { symbol } => story(SymbolEvent::Added, symbol, None),
        SymbolChange::Removed { symbol } => story(SymbolEvent::Removed, symbol, None),
        SymbolChange::Renamed { from, to } => story(SymbolEvent::Renamed, to, Some(from)),
        SymbolChange::Moved { from, to } => story(SymbolEvent::Moved, to, Some(from)),
        SymbolChange::Changed { to, .. } => story(SymbolEvent::Changed, to, None),
    }
}

/// What is gone from one file and new in another, with the same text, has moved.
fn join_moves(studies: &mut [(Study, FileStory)]) {
    let mut arrived: Vec<(String, SymbolKind, u64, usize)> = Vec::new();
    for (at, (study, _)) in studies.iter().enumerate() {
        for change in &study.changes {
            if let SymbolChange::Added { symbol } = change {
                arrived.push((symbol.own_name().to_owned(), symbol.kind, symbol.shape, at));
            }
        }
    }
    let mut moves: Vec<(usize, usize, String, SymbolKind)> = Vec::new();
    for (at, (study, _)) in studies.iter().enumerate() {
        for change in &study.changes {
            let SymbolChange::Removed { symbol } = change else { continue };
            let fits = |(name, kind, shape, to): &&(String, SymbolKind, u64, usize)| {
                *to != at && *kind == symbol.kind && *shape == symbol.shape && name == symbol.own_name()
            };
            if let Some((.., to)) = arrived.iter().find(fits) {
                moves.push((at, *to, symbol.name.clone(), symbol.kind));
            }
        }
    }
    for (from, to, name, kind) in moves {
        let target = studies[to].1.path.clone();
        let source = studies[from].1.path.clone();
        let own = name.rsplit('.').next().unwrap_or(&name).to_owned();
        if let Some(story) = studies[from]
            .1
            .symbols
            .iter_mut()
            .find(|story| story.event == SymbolEvent::Removed && story.name == name && story.kind == kind)
        {
            (story.event, story.other_file) = (SymbolEvent::Moved, Some(target));
        }
        // Said once, where it was; where it is now it is only new.
        studies[to].1.symbols.retain(|story| {
            let same = story.event == SymbolEvent::Added
                && story.kind == kind
                && story.name.rsplit('.').next() == Some(&own);
            !same || source.is_empty()
        });
    }
}

/// The files that use what is in a file, as far as the map knows.
pub(crate) fn users_of<'m>(map: &'m Map, path: &RelPath) -> Vec<&'m RelPath> {
    let mut users = map.dependants(path);
    users.extend(map.beside(path));
    users.sort();
    users.dedup();
    users
}
