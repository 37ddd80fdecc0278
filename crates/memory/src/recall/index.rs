//! The index as a reader sees it: the segments of a folder, and a tail that is not folded in yet.

use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::Path;

use fs_err as fs;
use serde::{Deserialize, Serialize};

use super::document::Document;
use super::error::{Error, Result};
use super::feed::Places;
use super::format::{Kind, VERSION, term};
use super::query::{Hit, Query, SessionHit, Weights};
use super::rank::Ranker;
use super::segment::Segment;
use super::select::select;

/// The list of segments.
pub(super) const MANIFEST: &str = "index.json";
/// A segment that is gone was merged away after the list was read; then the list is read again.
const TRIES: usize = 5;

/// What belongs to the index.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub version: u32,
    /// How far each log is folded in.
    pub places: Places,
    /// The number of the next segment.
    pub next: u64,
    /// The files, in the order of their documents.
    pub segments: Vec<String>,
    /// Documents that a person took back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taken_back: Vec<String>,
}

impl Manifest {
    /// The list of this folder; nothing yet is an empty one.
    pub fn read(folder: &Path) -> Result<Self> {
        let path = folder.join(MANIFEST);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok(Self { version: VERSION, ..Self::default() });
            }
            Err(error) => return Err(error.into()),
        };
        let damaged = |detail| Error::Damaged { file: path.clone(), detail };
        let manifest: Self = serde_json::from_slice(&bytes)
            .map_err(|_| damaged("it is not the list of files it should be"))?;
        if manifest.version > VERSION {
            return Err(Error::Newer { file: path, found: manifest.version, known: VERSION });
        }
        if manifest.version < VERSION {
            return Err(damaged("it was made by an older vib"));
        }
        if manifest.segments.iter().any(|name| name.contains(['/', '\\']) || name.starts_with('.')) {
            return Err(damaged("it names a file outside its folder"));
        }
        Ok(manifest)
    }

    pub fn open(&self, folder: &Path) -> Result<Vec<Segment>> {
        self.segments.iter().map(|name| Segment::open(&folder.join(name))).collect()
    }
}

/// An index that can be asked.
#[derive(Debug)]
pub struct Index {
    pub(super) segments: Vec<Segment>,
    places: Places,
    pub(super) weights: Weights,
    /// Documents that a person took back.
    pub(super) taken_back: HashSet<String>,
}

impl Index {
    /// Opens the index of a folder; an empty or missing folder is an empty index.
    pub fn open(folder: &Path) -> Result<Self> {
        let mut tries = 0;
        loop {
            let manifest = Manifest::read(folder)?;
            tries += 1;
            match manifest.open(folder) {
                Ok(segments) => {
                    let Manifest { places, taken_back, .. } = manifest;
                    let taken_back = taken_back.into_iter().collect();
                    return Ok(Self { segments, places, weights: Weights::default(), taken_back });
                }
                Err(Error::Io(error)) if error.kind() == ErrorKind::NotFound => {
                    if tries == TRIES {
                        let detail = "a file that it names is gone";
                        return Err(Error::Damaged { file: folder.join(MANIFEST), detail });
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// An index in memory, of these documents.
    pub fn of(documents: &[Document]) -> Result<Self> {
        let segments = vec![Segment::of(documents)?];
        Ok(Self { segments, places: Places::new(), weights: Weights::default(), taken_back: HashSet::new() })
    }

    /// With other weights.
    #[must_use]
    pub fn with_weights(mut self, weights: Weights) -> Self {
        self.weights = weights;
        self
    }

    /// Sets other weights.
    pub fn set_weights(&mut self, weights: Weights) {
        self.weights = weights;
    }

    /// How far the logs are folded in. What comes after belongs into [`Index::add_tail`].
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// Asks both at once from now on.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.segments.extend(other.segments);
        self.taken_back.extend(other.taken_back);
        self
    }

    /// These are not to be found any more.
    pub fn take_back(&mut self, ids: Vec<String>) {
        self.taken_back.extend(ids);
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.segments.iter().map(|segment| segment.documents() as usize).sum()
    }

    /// Whether there is nothing to find.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Makes documents findable that are not folded in yet. Indexing them takes about 10 µs each: fold them when they are
    /// more than some hundreds.
    pub fn add_tail(&mut self, documents: &[Document]) -> Result<()> {
        if !documents.is_empty() {
            self.segments.push(Segment::of(documents)?);
        }
        Ok(())
    }

    /// Reads every byte and compares all checksums.
    pub fn verify(&self) -> Result<()> {
        self.segments.iter().try_for_each(Segment::verify)
    }

    /// The memories that fit best, best first.
    pub fn search(&self, query: &Query) -> Result<Vec<Hit>> {
        let ranker = Ranker::new(&self.segments, &self.weights);
        let (candidates, _) = ranker.rank(query, closely(query))?;
        select(&ranker, query, candidates, &self.taken_back)
    }

    /// The documents with these ids, as far as they are there.
    pub fn by_id(&self, ids: &[&str]) -> Result<Vec<Document>> {
        let mut found = Vec::new();
        for segment in &self.segments {
            for id in ids {
                let Some(entry) = segment.entry(term(Kind::Id, id))? else { continue };
                let mut numbers = Vec::new();
                segment.postings(&entry, |number, _| numbers.push(number))?;
                for number in numbers {
                    found.push(segment.document(number)?.0);
                }
            }
        }
        Ok(found)
    }

    /// The sessions that fit best, best first.
    pub fn sessions(&self, query: &Query) -> Result<Vec<SessionHit>> {
        let ranker = Ranker::new(&self.segments, &self.weights);
        let (_, mut sessions) = ranker.rank(query, closely(query))?;
        sessions.sort_by(|one, other| other.score.total_cmp(&one.score));
        let mut hits = Vec::new();
        for session in sessions.iter().take(query.k) {
            let Some(first) = session.first() else { continue };
            let (segment, local) = ranker.segment(first);
            if let Some(name) = segment.document(local)?.0.session {
                hits.push(SessionHit { session: name, score: session.score });
            }
        }
        Ok(hits)
    }
}

/// So many of the best are looked at closely.
pub(super) fn closely(query: &Query) -> usize {
    query.k.saturating_mul(2).saturating_add(44)
}
