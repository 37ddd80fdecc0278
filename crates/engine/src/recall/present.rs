//! A memory as it is given out: clean, with its source, and marked if it may no longer hold.

use ::memory::log::{Outcome, Provenance};
use ::memory::recall::Hit;
use project::RelPath;
use redact::{Counts, Gate};
use serde::{Deserialize, Serialize};
use store::ContentHash;

use super::clean::{Passed, cleaned};
use super::source_word;
use crate::Engine;

/// So many of the files that a memory speaks of are looked at.
const MOST_PATHS: usize = 16;
/// And so many are named.
const PATHS_SHOWN: usize = 8;
/// Larger files are not read to see whether they changed.
const LARGEST_FILE: u64 = 4 << 20;

/// A memory that fits.
#[derive(Debug, Serialize)]
pub struct Found {
    /// The event it comes from.
    pub id: String,
    /// What it says.
    pub text: String,
    /// What sort of memory it is.
    pub kind: String,
    /// Whose it is: `session`, `project` or `global`.
    pub scope: String,
    /// Where it comes from.
    pub source: Source,
    /// The files it speaks of, the first few.
    pub paths: Vec<String>,
    /// How many more there are.
    pub more_paths: usize,
    /// When it was noted, in milliseconds since 1970.
    pub time_ms: i64,
    /// The session it was part of.
    pub session: Option<String>,
    /// The id it had where it was imported from.
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// Why it may no longer hold; none: nothing speaks against it.
    pub unverified: Option<String>,
    /// How well it fits; only to be compared within one answer.
    pub score: f32,
    /// About how many tokens it has.
    pub tokens: usize,
    /// It is longer: this is the part that fits the question.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub shortened: bool,
    /// Why it is here, the strongest reasons first; only if that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<String>,
}

/// Where a memory comes from.
#[derive(Debug, Serialize)]
pub struct Source {
    /// `explicit` (a person said so), `observed` or `imported`.
    pub how: &'static str,
    /// The tool that wrote it.
    pub by: Option<String>,
    /// How what it tells of ended.
    pub outcome: Option<Outcome>,
}

/// What the index keeps beside the text.
#[derive(Deserialize)]
struct Note {
    source: Provenance,
    by: Option<String>,
    outcome: Option<Outcome>,
    #[serde(default, rename = "ref")]
    origin: Option<String>,
    passed: Option<Passed>,
    #[serde(default)]
    marks: Vec<(String, String)>,
}

/// A memory on its way out: its fields as they are, and which of them have passed the gate in force already.
struct Leaving<'h> {
    hit: &'h Hit,
    note: Option<Note>,
    unverified: Option<String>,
    why: Vec<String>,
    /// What was taken out of text, names and paths when they passed.
    passed: Option<Counts>,
}

impl<'h> Leaving<'h> {
    fn new(engine: &Engine, hit: &'h Hit, name: &str) -> Self {
        let document = &hit.document;
        let note: Option<Note> = serde_json::from_str(&document.note).ok();
        let marks = note.as_ref().map(|note| note.marks.as_slice()).unwrap_or_default();
        // Files of other projects are not here to be looked at.
        let unverified =
            if document.scope == "global" { None } else { doubt(engine, &document.paths, marks) };
        // A part of a clean text is a new text: it passes the gate itself.
        let passed = note.as_ref().and_then(|note| note.passed.as_ref()).filter(|_| !hit.shortened);
        let passed = passed.and_then(|passed| passed.counts(name));
        let why = hit.why.iter().map(ToString::to_string).collect();
        Self { hit, note, unverified, why, passed }
    }

    fn by(&self) -> Option<&str> {
        self.note.as_ref()?.by.as_deref()
    }

    fn origin(&self) -> Option<&str> {
        self.note.as_ref()?.origin.as_deref()
    }

    fn paths(&self) -> &'h [String] {
        let paths = &self.hit.document.paths;
        &paths[..paths.len().min(PATHS_SHOWN)]
    }

    /// What the memory says. A field that is not there is an empty one.
    fn own(&self) -> Vec<&str> {
        let document = &self.hit.document;
        let mut fields: Vec<&str> = vec![&document.text, &document.class];
        let optional = [self.by(), document.session.as_deref(), self.origin()];
        fields.extend(optional.map(Option::unwrap_or_default));
        fields.extend(self.paths().iter().map(String::as_str));
        fields
    }

    /// What is said about it here: it is new, and repeats words of the question and names of files.
    fn said(&self) -> Vec<&str> {
        let mut said: Vec<&str> = vec![self.unverified.as_deref().unwrap_or_default()];
        said.extend(self.why.iter().map(String::as_str));
        said
    }

    /// The memory as it is given out, of fields in the order of `own` and `said`.
    fn found(&self, mut clean: impl Iterator<Item = String>) -> Found {
        let (hit, document) = (self.hit, &self.hit.document);
        let mut next = || clean.next().unwrap_or_default();
        Found {
            id: hit.id.clone(),
            text: next(),
            kind: next(),
            scope: document.scope.clone(),
            source: Source {
                by: Some(next()).filter(|_| self.by().is_some()),
                how: source_word(self.note.as_ref().map_or(Provenance::Unknown, |note| note.source)),
                outcome: self.note.as_ref().and_then(|note| note.outcome),
            },
            session: Some(next()).filter(|_| document.session.is_some()),
            origin: Some(next()).filter(|_| self.origin().is_some()),
            paths: self.paths().iter().map(|_| next()).collect(),
            more_paths: document.paths.len() - self.paths().len(),
            unverified: Some(next()).filter(|_| self.unverified.is_some()),
            why: self.why.iter().map(|_| next()).collect(),
            time_ms: document.time_ms,
            score: hit.score,
            tokens: hit.tokens,
            shortened: hit.shortened,
        }
    }
}

/// How memories are given out: through the gate, all in one go, but for what has passed the same one on its way into the index.
pub(super) fn present(
    engine: &Engine,
    hits: &[&Hit],
    gate: &mut Gate,
    name: &str,
    counts: &mut Counts,
) -> Vec<Found> {
    let leaving: Vec<Leaving<'_>> = hits.iter().map(|hit| Leaving::new(engine, hit, name)).collect();
    let mut dirty: Vec<&str> = Vec::new();
    for one in &leaving {
        match one.passed {
            Some(before) => counts.add(before),
            None => dirty.extend(one.own()),
        }
        dirty.extend(one.said());
    }
    let mut clean = if dirty.iter().all(|field| field.is_empty()) {
        dirty.iter().map(|field| (*field).to_owned()).collect()
    } else {
        cleaned(&dirty, gate, counts)
    }
    .into_iter();
    let mut found = Vec::new();
    for one in &leaving {
        let mut fields: Vec<String> = if one.passed.is_some() {
            one.own().into_iter().map(str::to_owned).collect()
        } else {
            clean.by_ref().take(one.own().len()).collect()
        };
        fields.extend(clean.by_ref().take(one.said().len()));
        found.push(one.found(fields.into_iter()));
    }
    found
}

/// Why a memory may no longer hold: a file it speaks of is gone, or is not what it was.
fn doubt(engine: &Engine, paths: &[String], marks: &[(String, String)]) -> Option<String> {
    for path in paths.iter().take(MOST_PATHS) {
        let Ok(known) = RelPath::new(path.as_bytes()) else { continue };
        let file = known.to_path(engine.project().root());
        let Ok(facts) = std::fs::symlink_metadata(&file) else {
            return Some(format!("`{path}` is no longer there"));
        };
        let Some((_, hash)) = marks.iter().find(|(marked, _)| marked == path) else { continue };
        if !facts.is_file() || facts.len() > LARGEST_FILE {
            continue;
        }
        let same = std::fs::read(&file).is_ok_and(|content| ContentHash::of(&content).to_hex() == *hash);
        if !same {
            return Some(format!("`{path}` has changed since"));
        }
    }
    None
}
