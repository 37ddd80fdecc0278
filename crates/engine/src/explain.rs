//! What changed, in words of the program and not of lines: which function came, went, got another name; how risky that is and
//! why; what to look at. (GD2)
//!
//! Everything here is typed; the words are chosen by whoever shows it, in the person's language.

mod advice;
mod near;
mod risk;

use std::path::PathBuf;

use ::map::{Category, Language, Map, Outline, Symbol, SymbolChange, SymbolKind, Unread, outline_of_path};
use project::RelPath;
use store::Progress;

pub use crate::changes::Base;
pub use advice::Advice;
pub use risk::{Reason, Risk};

use crate::changes::{self, Against, ChangedFile, Changes};
use crate::lines::{self, Compared};
use crate::verdict::{self, Verdict};
use crate::{Engine, Error, Notice, Result, protect};

/// What a person asked for.
#[derive(Debug, Clone, Default)]
pub struct ExplainOptions {
    /// Only this file or folder.
    pub path: Option<PathBuf>,
    /// The earlier checkpoint; the newest safe one if none is given.
    pub from: Option<String>,
    /// The later one; now if none is given.
    pub to: Option<String>,
    /// Compare with git's last commit instead.
    pub git: bool,
}

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
    pub reasons: Vec<Reason>,
}

/// The whole story.
#[derive(Debug, serde::Serialize)]
pub struct ExplainReport {
    /// What it is compared with.
    pub base: Base,
    /// The later moment: an id, or `now`.
    pub to: String,
    /// File by file, the riskiest first.
    pub files: Vec<FileStory>,
    /// New lines, all together.
    pub added: u64,
    /// Lines that are gone, all together.
    pub removed: u64,
    /// Files that changed beyond those told.
    pub left_out: usize,
    /// How risky it is, and why. Where nothing else is asked, this is what every command says.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// What to look at, the weightiest first.
    pub advice: Vec<Advice>,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

/// Tells what changed.
pub fn explain(engine: &Engine, options: &ExplainOptions, progress: &dyn Progress) -> Result<ExplainReport> {
    let against = match (options.git, &options.from, &options.to) {
        (true, None, None) => Against::Git,
        (true, ..) => {
            return Err(Error::Usage(
                "`--git` compares with the last commit; leave `--from` and `--to` away".to_owned(),
            ));
        }
        (false, None, None) => Against::Safe,
        (false, from, to) => Against::Checkpoints { from: from.clone(), to: to.clone() },
    };
    let typed: Vec<PathBuf> = options.path.iter().cloned().collect();
    let only = engine.known_names(&typed)?;
    // Where nothing else is asked, exactly what the verdict looks at is told.
    let usual = against == Against::Safe && only.is_empty();
    let most = if usual { verdict::MOST_STUDIED } else { changes::MOST_FILES };
    let changes = changes::collect(engine, &against, &only, most, progress)?;
    let reach = if usual { Reach::Near } else { Reach::Everything };
    let mut told = Told::of(engine, &changes, reach, progress)?;
    let verdict = match usual {
        true => verdict::of_now(engine, &changes, &told)?,
        false => verdict::of_changes(engine, &changes, &told)?,
    };
    told.stories.sort_by(|a, b| b.risk.cmp(&a.risk).then_with(|| a.path.cmp(&b.path)));
    let advice = advice::advice(engine, told.map.as_ref(), &told.stories);
    Ok(ExplainReport {
        base: changes.base,
        to: changes.to,
        added: told.stories.iter().map(|story| story.added).sum(),
        removed: told.stories.iter().map(|story| story.removed).sum(),
        files: told.stories,
        left_out: changes.left_out,
        verdict,
        advice,
        notices: changes.notices,
    })
}

/// Among which files the users of what is gone are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// All.
    Everything,
    /// Those nearest to what changed, if there are very many.
    Near,
    /// The same, and only where something is gone or different that others could use.
    NearIfNeeded,
}

/// Changed files, looked into.
pub(crate) struct Told {
    /// Both outlines of each, in the order of the changes.
    pub(crate) studies: Vec<Study>,
    /// What happened in each, with risk and reasons.
    pub(crate) stories: Vec<FileStory>,
    pub(crate) map: Option<Map>,
    /// Files in which nobody looked for users of what is gone.
    pub(crate) not_searched: usize,
}

impl Told {
    /// Looks into all files of these changes.
    pub(crate) fn of(
        engine: &Engine,
        changes: &Changes,
        reach: Reach,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let gone: Vec<RelPath> = changes
            .files
            .iter()
            .filter_map(|file| {
                file.old_path.clone().or_else(|| file.after.is_none().then(|| file.path.clone()))
            })
            .collect();
        let protected = protect::list(engine)?;
        let mut studies: Vec<(Study, FileStory)> = Study::all(&changes.files)
            .into_iter()
            .zip(&changes.files)
            .map(|(study, file)| {
                let story = tell(file, &study);
                (study, story)
            })
            .collect();
        join_moves(&mut studies);
        let touched =
            |study: &Study| study.changes.iter().any(|change| !matches!(change, SymbolChange::Added { .. }));
        let needed = !gone.is_empty() || studies.iter().any(|(study, _)| touched(study));
        let mut not_searched = 0;
        // Who needs whom is known of the present only.
        let map = (changes.to == "now" && (needed || reach != Reach::NearIfNeeded)).then(|| {
            let near = match reach {
                Reach::Everything => None,
                _ => near::nearest(&changes.present, &changes.files),
            };
            match near {
                None => crate::map::build(engine, &changes.present, &gone, progress),
                Some(near) => {
                    not_searched = near.left_out;
                    crate::map::build_near(engine, &near.files, &gone, progress)
                }
            }
        });
        let mut told = Self { studies: Vec::new(), stories: Vec::new(), map, not_searched };
        for ((study, mut story), file) in studies.into_iter().zip(&changes.files) {
            risk::judge(engine, told.map.as_ref(), &protected, file, &study, &mut story);
            told.studies.push(study);
            told.stories.push(story);
        }
        Ok(told)
    }
}

/// Both outlines of a file.
pub(crate) struct Study {
    pub(crate) language: Option<Language>,
    pub(crate) before: Outline,
    pub(crate) after: Outline,
    pub(crate) changes: Vec<SymbolChange>,
}

impl Study {
    /// Parses both sides of many files, on all cores.
    pub(crate) fn all(files: &[ChangedFile]) -> Vec<Self> {
        let threads = std::thread::available_parallelism().map_or(2, usize::from).clamp(1, 16);
        let piece = files.len().div_ceil(threads).max(8);
        let mut all = Vec::with_capacity(files.len());
        std::thread::scope(|scope| {
            let work: Vec<_> = files
                .chunks(piece)
                .map(|files| (files, scope.spawn(|| files.iter().map(Self::of).collect::<Vec<_>>())))
                .collect();
            for (files, thread) in work {
                // What a thread that died would have said is found out here.
                all.extend(thread.join().unwrap_or_else(|_| files.iter().map(Self::of).collect()));
            }
        });
        all
    }

    /// Parses both sides of a file; secrets are not looked into.
    pub(crate) fn of(file: &ChangedFile) -> Self {
        let read = |path: &RelPath, content: &Option<Vec<u8>>| match content {
            Some(content) if !file.sensitive && file.unread.is_none() => {
                outline_of_path(path.as_bytes(), content)
            }
            _ => (Language::of_path(path.as_bytes()), Outline::default()),
        };
        let (old_language, before) = read(file.old_path.as_ref().unwrap_or(&file.path), &file.before);
        let (language, after) = read(&file.path, &file.after);
        let changes = ::map::compare(&before, &after);
        Self { language: language.or(old_language), before, after, changes }
    }
}

/// Why a text was not read, where that is because reading it was too slow.
fn slow(outline: &Outline) -> Option<Unread> {
    outline.unread.filter(|why| matches!(why, Unread::TookTooLong | Unread::NoTimeLeft))
}

fn tell(file: &ChangedFile, study: &Study) -> FileStory {
    let change = match (&file.before, &file.after) {
        (None, _) => FileChange::Added,
        (_, None) => FileChange::Removed,
        _ if file.old_path.is_some() => FileChange::Renamed,
        _ => FileChange::Changed,
    };
    let (old, new) = (file.before.as_deref().unwrap_or_default(), file.after.as_deref().unwrap_or_default());
    let (added, removed) = match lines::compare(old, new, None) {
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
        category: ::map::category(file.path.as_bytes()),
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
