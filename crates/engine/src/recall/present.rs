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

/// How a memory is given out: through the gate, unless it has passed the same one on its way into the index.
pub(super) fn present(engine: &Engine, hit: &Hit, gate: &mut Gate, name: &str, counts: &mut Counts) -> Found {
    let document = &hit.document;
    let note: Option<Note> = serde_json::from_str(&document.note).ok();
    let marks = note.as_ref().map(|note| note.marks.as_slice()).unwrap_or_default();
    // Files of other projects are not here to be looked at.
    let unverified = if document.scope == "global" { None } else { doubt(engine, &document.paths, marks) };
    let by = note.as_ref().and_then(|note| note.by.clone());
    let origin = note.as_ref().and_then(|note| note.origin.clone());
    let why: Vec<String> = hit.why.iter().map(ToString::to_string).collect();
    let shown = &document.paths[..document.paths.len().min(PATHS_SHOWN)];
    let optional =
        [by.as_deref(), document.session.as_deref(), origin.as_deref()].map(Option::unwrap_or_default);
    let mut fields: Vec<&str> = vec![&document.text, &document.class];
    fields.extend(optional);
    fields.extend(shown.iter().map(String::as_str));
    // Our own words about a file, whose name passes with the other names.
    fields.push(unverified.as_deref().unwrap_or_default());
    let passed = note.as_ref().and_then(|note| note.passed.as_ref()?.counts(name));
    let mut clean = match passed {
        Some(before) => {
            counts.add(before);
            let mut clean: Vec<String> = fields.iter().map(|field| (*field).to_owned()).collect();
            // A part of a clean text is a new text: it passes the gate itself.
            if hit.shortened {
                clean.splice(..1, cleaned(&fields[..1], gate, counts));
            }
            clean
        }
        None => cleaned(&fields, gate, counts),
    };
    // Reasons are new, and repeat words of the question.
    if !why.is_empty() {
        let said: Vec<&str> = why.iter().map(String::as_str).collect();
        clean.extend(cleaned(&said, gate, counts));
    }
    let mut clean = clean.into_iter();
    let mut next = || clean.next().unwrap_or_default();
    Found {
        id: hit.id.clone(),
        text: next(),
        kind: next(),
        scope: document.scope.clone(),
        source: Source {
            by: Some(next()).filter(|_| by.is_some()),
            how: source_word(note.as_ref().map_or(Provenance::Unknown, |note| note.source)),
            outcome: note.as_ref().and_then(|note| note.outcome),
        },
        session: Some(next()).filter(|_| document.session.is_some()),
        origin: Some(next()).filter(|_| origin.is_some()),
        paths: shown.iter().map(|_| next()).collect(),
        more_paths: document.paths.len() - shown.len(),
        unverified: Some(next()).filter(|_| unverified.is_some()),
        why: why.iter().map(|_| next()).collect(),
        time_ms: document.time_ms,
        score: hit.score,
        tokens: hit.tokens,
        shortened: hit.shortened,
    }
}

/// Why a memory may no longer hold: a file it speaks of is gone, or is not what it was.
fn doubt(engine: &Engine, paths: &[String], marks: &[(String, String)]) -> Option<String> {
    // A name of which the gate took something is no longer the file's.
    for path in paths.iter().take(MOST_PATHS).filter(|path| !redact::holds_mark(path)) {
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
