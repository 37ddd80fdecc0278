//! Whose line is this? For each line of a file the step that wrote it, with its request and agent, or a person's own hand, or what was
//! there before vib: then git says which commit.
//!
//! The store works out the steps ([`store::lines`]); here they get their words.

pub(crate) mod brought;
pub(crate) mod file;
pub(crate) mod git;
mod history;
pub(crate) mod source;
mod typed;

use std::path::PathBuf;

use serde::Serialize;
use store::lines::{LineWalk, NoLines, Writer};
use store::{Progress, Store};

pub use source::{Fact, Source};
pub use typed::WhyQuery;

use crate::{Engine, Error, Notice, Result};
use brought::Brought;
use file::There;
use source::Sources;

/// One line.
#[derive(Debug, Clone, Serialize)]
pub struct WhyLine {
    /// Counted from one.
    pub number: usize,
    /// Which of the sources.
    pub source: usize,
    /// Who changed its blanks later, where they may mean something: which of the sources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blanks: Option<usize>,
    /// The line, without its end.
    pub text: String,
}

/// The lines of a file and where they come from.
#[derive(Debug, Clone, Serialize)]
pub struct WhyReport {
    /// The file.
    pub path: String,
    /// Who wrote lines that are listed, each once, in the order in which they first stand there.
    pub sources: Vec<Source>,
    /// The lines that were asked for.
    pub lines: Vec<WhyLine>,
    /// How many the file has.
    pub total: usize,
    /// Why there are none: `binary`, `too_long`, `link`, `gone`, `empty`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_lines: Option<&'static str>,
    /// Who changed the file last, where there are no lines to ask about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<Source>,
    /// The names it had before, and the files that it is a copy of, the newest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub earlier_names: Vec<String>,
    /// Time of the report.
    pub now_ms: i64,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

/// Says whose the lines of a file are.
pub fn why(engine: &Engine, query: &WhyQuery, progress: &dyn Progress) -> Result<WhyReport> {
    let opened = engine.store(progress)?;
    let store = &opened.store;
    let typed: PathBuf = query.file.clone();
    let known = engine.known_paths(store, std::slice::from_ref(&typed))?;
    let [path] = known.as_slice() else {
        return Err(Error::Usage("the project as a whole is no file; name one in it".to_owned()));
    };
    let there = file::look(engine.project().root(), path);
    if matches!(there, There::Folder) {
        return Err(Error::Usage(format!("`{path}` is a folder; name a file in it")));
    }
    // The same rule as for a diff: what usually holds secrets is brought back, never shown.
    if store.is_sensitive(path)? {
        let name = engine.name_of(path);
        return Err(Error::Usage(format!(
            "the lines of `{name}` are not shown: this file usually holds secrets. `vib history {name}` lists the steps that changed it"
        )));
    }
    let (content, unreadable) = match there {
        There::File(content) => (Some(content), None),
        There::Gone => (None, Some("gone")),
        There::TooLong => (None, Some("too_long")),
        There::Other => (None, Some("link")),
        There::Folder => (None, Some("binary")),
    };
    let told = LineWalk::new(store).file(path, content.clone())?;
    let mut sources = Sources::new(engine, store);
    let mut report = WhyReport {
        path: engine.name_of(path),
        sources: Vec::new(),
        lines: Vec::new(),
        total: 0,
        no_lines: None,
        last: None,
        earlier_names: told.earlier_names.iter().map(|name| engine.name_of(name)).collect(),
        now_ms: engine.context().now_ms(),
        notices: opened.notices.clone(),
    };
    report.no_lines = match (told.no_lines, &content) {
        _ if unreadable.is_some() => unreadable,
        (Some(NoLines::Binary), _) => Some("binary"),
        (Some(NoLines::TooLong), _) => Some("too_long"),
        (None, Some(content)) if content.is_empty() => Some("empty"),
        (None, Some(_)) => None,
        (None, None) => Some("binary"),
    };
    if report.no_lines.is_some() {
        // It is not there, and the last look still saw it: whoever took it away is not in the history yet.
        let went_since = unreadable == Some("gone") && (!told.lines.is_empty() || told.no_lines.is_some());
        let last = if went_since { Some(&Writer::Unsaved) } else { told.last.as_ref() };
        report.last = last.map(|writer| sources.of(writer)).transpose()?;
        return Ok(report);
    }
    let content = content.unwrap_or_default();
    let left_out = store.is_left_out(path)?;
    let lines: Vec<&[u8]> = content.split_inclusive(|byte| *byte == b'\n').collect();
    report.total = lines.len();
    let range = query.range(lines.len())?;
    let brought = brought(engine, store)?;
    let mut in_git = git::Committed::new(engine.project().root(), path, &told.earlier_names, &lines);
    let mut source_of = |at: usize| -> Result<(Source, Option<Source>)> {
        let writer = match told.lines.get(at).map(|writer| &told.writers[*writer]) {
            // What is never saved is not waiting to be.
            Some(Writer::Unsaved) | None if left_out => &Writer::Unseen,
            Some(writer) => writer,
            None => &Writer::Unseen,
        };
        let source = match sources.of(writer)? {
            // A command that says less than it brought: git may know the rest.
            Source::OneOf { steps, or_by_hand: true } if brought.is_there() => {
                let alone = sources.of(&Writer::Steps(steps.clone()))?;
                match in_git.settle(&brought, alone, at) {
                    known @ (Source::Git { .. } | Source::FromGit { .. }) => known,
                    _ => Source::OneOf { steps, or_by_hand: true },
                }
            }
            source => in_git.settle(&brought, source, at),
        };
        let blanks = match writer {
            Writer::Reblanked { by, .. } => Some(sources.of(&Writer::Steps(by.clone()))?),
            _ => None,
        };
        Ok((source, blanks))
    };
    for at in range {
        let (mut source, blanks) = source_of(at)?;
        let mut all: Vec<Source> = Vec::new();
        for line in equal_neighbours(&lines, at) {
            let other = if line == at { source.clone() } else { source_of(line)?.0 };
            if !all.contains(&other) {
                all.push(other);
            }
        }
        if all.len() > 1 {
            source = Source::Either { of: all };
        }
        let text = String::from_utf8_lossy(lines[at]);
        let text = text.trim_end_matches('\n').trim_end_matches('\r').to_owned();
        let source = report.number_of(source);
        let blanks = blanks.map(|blanks| report.number_of(blanks));
        report.lines.push(WhyLine { number: at + 1, source, blanks, text });
    }
    Ok(report)
}

/// So many equal lines in a row are looked at.
const MOST_EQUAL: usize = 16;

/// The lines around this one that are the same, itself included: nobody can say which of them was put in first. (M10)
fn equal_neighbours(lines: &[&[u8]], at: usize) -> std::ops::RangeInclusive<usize> {
    let same = |line: usize| {
        let (one, other) = (lines[line].trim_ascii_end(), lines[at].trim_ascii_end());
        one == other && !one.is_empty()
    };
    let (mut first, mut last) = (at, at);
    while first > 0 && at - first < MOST_EQUAL && same(first - 1) {
        first -= 1;
    }
    while last + 1 < lines.len() && last - at < MOST_EQUAL && same(last + 1) {
        last += 1;
    }
    first..=last
}

impl WhyReport {
    /// The number of a source, which is put into the list if it is new.
    fn number_of(&mut self, source: Source) -> usize {
        if let Some(number) = self.sources.iter().position(|known| *known == source) {
            return number;
        }
        self.sources.push(source);
        self.sources.len() - 1
    }
}

/// What git did here, as far as it may have brought lines.
pub(crate) fn brought(engine: &Engine, store: &Store<'_>) -> Result<Brought> {
    let last = store.nearest_kept(i64::MAX, false)?.map(|seq| store.checkpoint(seq)).transpose()?.flatten();
    let now = engine.context().now_ms();
    Ok(Brought::read(engine.project().root(), last.map_or(now, |last| last.created_ms), now))
}
