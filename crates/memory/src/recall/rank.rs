//! Which documents fit best: words, then paths, then what was said around them, then time.
//!
//! All numbers are of the whole index, never of one segment, so how the documents are spread over segments makes no
//! difference to the order. A question touches little: the lists of its words, once through in windows that stay in the
//! processor's cache; rows only of the documents that are among the best by then.

use std::collections::HashMap;

use words::query_tokens;

use super::ages::Ages;
use super::build::Known;
use super::document::{Near, path_terms};
use super::error::Result;
use super::format::{Entry, Kind, Row, SPAN, term, word_meaning};
use super::query::{Query, Weights};
use super::segment::{Cursor, List, Segment, Spans};
use super::surroundings;
pub(super) use super::surroundings::Session;

/// A pasted page has hundreds of words: the rarest of them say enough.
const MOST_WORDS: usize = 32;
const MOST_PATHS: usize = 16;
/// Words that are everywhere say little: after so many places have been looked at, no more common words are.
const MOST_PLACES: u64 = 24_000;
/// But so many words are looked at in any case.
const LEAST_WORDS: usize = 3;
/// Only the best so far can still win by surroundings.
const POOL: usize = 256;
/// So many documents are scored at a time.
const WINDOW: u32 = 2048;
const SPANS: usize = (WINDOW / SPAN) as usize;
/// A memory that touches many files counts a little less for each.
const OF_MANY: f32 = 0.05;

/// A document and what its score is made of.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Candidate {
    /// Counted through all segments.
    pub document: u32,
    pub score: f32,
    /// The score before age and importance.
    pub base: f32,
    pub text: f32,
    pub paths: f32,
    pub near: f32,
    pub session: f32,
    pub age_days: Option<f32>,
    pub importance: f32,
    /// Whether it is from a time that the question names.
    pub is_from_then: bool,
    /// What the policy does to its class.
    pub lift: f32,
    pub row: Option<Row>,
}

/// A term of the question, with its list in each segment that has it.
pub(super) struct Wanted<'a> {
    pub weight: f32,
    /// How many documents have it.
    pub documents: u32,
    pub lists: Vec<(usize, List<'a>)>,
}

/// Where a term is listed: segments, with their entries.
type Entries = Vec<(usize, Entry)>;

/// One question to some segments.
pub(super) struct Ranker<'a> {
    segments: &'a [Segment],
    pub weights: &'a Weights,
    /// The number of each segment's first document, and the number of all at the end.
    bases: Vec<u32>,
    /// What a use of a word is worth, by its number in a list.
    pub worth: [f32; 256],
}

impl<'a> Ranker<'a> {
    pub fn new(segments: &'a [Segment], weights: &'a Weights) -> Self {
        let mut bases = vec![0];
        let mut total = 0;
        for segment in segments {
            total += segment.documents();
            bases.push(total);
        }
        let words: u64 = segments.iter().map(Segment::length).sum();
        let average = (words as f32 / total.max(1) as f32).max(1.0);
        let mut ranker = Self { segments, weights, bases, worth: [0.0; 256] };
        for number in 0..=255_u8 {
            let (times, length) = word_meaning(number);
            ranker.worth[usize::from(number)] = ranker.saturate(times, length / average);
        }
        ranker
    }

    pub fn count(&self) -> usize {
        self.bases.last().copied().unwrap_or_default() as usize
    }

    /// The segment of a document, and its number there.
    fn place(&self, number: u32) -> (usize, u32) {
        let at = self.bases.partition_point(|base| *base <= number) - 1;
        (at, number - self.bases[at])
    }

    /// The segment that a document is in.
    pub fn segment(&self, number: u32) -> (&'a Segment, u32) {
        let (at, local) = self.place(number);
        (&self.segments[at], local)
    }

    /// The number of a segment's first document.
    pub fn base(&self, segment: usize) -> u32 {
        self.bases[segment]
    }

    /// The number of each segment's first document, and the earliest and the latest second of each of its spans.
    pub fn spans(&self) -> Result<Vec<(u32, Spans<'a>)>> {
        self.segments.iter().zip(&self.bases).map(|(segment, base)| Ok((*base, segment.spans()?))).collect()
    }

    /// The part of BM25 that depends on how often a word is used, and in how long a text.
    pub fn saturate(&self, times: f32, relative_length: f32) -> f32 {
        let Weights { k1, b, .. } = *self.weights;
        times * (k1 + 1.0) / (times + k1 * (1.0 - b + b * relative_length))
    }

    /// Where a term is listed, how rare it is, and how many documents have it.
    fn find(&self, hash: u64) -> Result<(Entries, f32, u32)> {
        let mut entries = Vec::new();
        let mut found = 0;
        for (at, segment) in self.segments.iter().enumerate() {
            if let Some(entry) = segment.entry(hash)? {
                found += entry.documents;
                entries.push((at, entry));
            }
        }
        let (all, found_in) = (self.count() as f32, found as f32);
        Ok((entries, (1.0 + (all - found_in + 0.5) / (found_in + 0.5)).ln(), found))
    }

    fn lists(&self, entries: &[(usize, Entry)]) -> Result<Vec<(usize, List<'a>)>> {
        entries.iter().map(|(at, entry)| Ok((*at, self.segments[*at].list(entry)?))).collect()
    }

    /// All documents of a term.
    pub fn each(&self, hash: u64, mut each: impl FnMut(u32, u8)) -> Result<()> {
        for (segment, base) in self.segments.iter().zip(&self.bases) {
            if let Some(entry) = segment.entry(hash)? {
                segment.postings(&entry, |at, number| each(base + at, number))?;
            }
        }
        Ok(())
    }

    /// The words of the question that some document has, the rarest first.
    fn wanted(&self, text: &str) -> Result<Vec<Wanted<'a>>> {
        let words = query_tokens(text);
        let mut hashes: Vec<u64> = words.iter().map(|token| term(Kind::Word, &token.text)).collect();
        hashes.sort_unstable();
        let mut found = Vec::new();
        for same in hashes.chunk_by(|one, other| one == other) {
            let (entries, rarity, documents) = self.find(same[0])?;
            if documents > 0 {
                found.push((rarity * (same.len() as f32).sqrt(), documents, same[0], entries));
            }
        }
        found.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.2.cmp(&b.2)));
        found.truncate(MOST_WORDS);
        let mut wanted = Vec::new();
        let mut places = 0;
        for (weight, documents, _, entries) in found {
            places += u64::from(documents);
            if places > MOST_PLACES && wanted.len() >= LEAST_WORDS {
                break;
            }
            wanted.push(Wanted { weight, documents, lists: self.lists(&entries)? });
        }
        Ok(wanted)
    }

    /// The files being worked on, as terms. What lies in every second memory says little.
    fn wanted_paths(&self, paths: &[String]) -> Result<Vec<Wanted<'a>>> {
        let Weights { file, name, folder, .. } = *self.weights;
        if file == 0.0 && name == 0.0 && folder == 0.0 {
            return Ok(Vec::new());
        }
        let share = 1.0 / (paths.len().min(MOST_PATHS) as f32).sqrt();
        let mut terms: HashMap<u64, f32, Known> = HashMap::default();
        for path in paths.iter().take(MOST_PATHS) {
            for (hash, near) in path_terms(path) {
                let weight = match near {
                    Near::File => file,
                    Near::Name => name,
                    Near::Folder => folder,
                };
                let one = terms.entry(hash).or_default();
                *one = one.max(weight * share);
            }
        }
        let mut found = Vec::new();
        for (hash, weight) in terms.into_iter().filter(|(_, weight)| *weight > 0.0) {
            let (entries, rarity, documents) = self.find(hash)?;
            if documents > 0 {
                found.push((weight * rarity, documents, hash, entries));
            }
        }
        found.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.2.cmp(&b.2)));
        let mut wanted = Vec::new();
        let mut places = 0;
        for (weight, documents, _, entries) in found {
            places += u64::from(documents);
            if places > MOST_PLACES && wanted.len() >= LEAST_WORDS {
                break;
            }
            wanted.push(Wanted { weight, documents, lists: self.lists(&entries)? });
        }
        Ok(wanted)
    }

    /// The best documents, best first, and the sessions they belong to. So many of the best are looked at closely.
    pub fn rank(&self, query: &Query, closely: usize) -> Result<(Vec<Candidate>, Vec<Session>)> {
        let words = self.wanted(&query.text)?;
        let paths = self.wanted_paths(&query.paths)?;
        let ages = Ages::of(self, query)?;
        let mut pool = self.scan(&words, &paths, &ages)?;
        let sessions = surroundings::add(self, &words, &ages, &mut pool)?;
        for candidate in &mut pool {
            candidate.score = candidate.base * ages.about(candidate.document);
        }
        best(&mut pool, closely);
        self.look_closely(query, &ages, &mut pool)?;
        best(&mut pool, closely);
        Ok((pool, sessions))
    }

    /// Scores everything that has a word or a path, window by window, and keeps the best.
    fn scan(&self, words: &[Wanted<'_>], paths: &[Wanted<'_>], ages: &Ages<'_>) -> Result<Vec<Candidate>> {
        let mut per_path = [0.0; 256];
        if !paths.is_empty() {
            for (number, share) in per_path.iter_mut().enumerate() {
                *share = (number.max(1) as f32).powf(-OF_MANY);
            }
        }
        let mut best = Best::new(POOL);
        let mut text = vec![0.0_f32; WINDOW as usize];
        let mut path = vec![0.0_f32; if paths.is_empty() { 0 } else { WINDOW as usize }];
        let mut touched: Vec<u32> = Vec::with_capacity(WINDOW as usize);
        for at in 0..self.segments.len() {
            let (base, end) = (self.bases[at], self.bases[at + 1]);
            let mut words = cursors(words, at);
            let mut paths = cursors(paths, at);
            let mut from = 0;
            while base + from < end {
                let to = from + WINDOW.min(end - base - from);
                add(&mut words, from, to, &self.worth, &mut text, &mut touched);
                add(&mut paths, from, to, &per_path, &mut path, &mut touched);
                if touched.is_empty() {
                    from = to;
                    continue;
                }
                // The documents of a span are of about the same age.
                let ages = std::array::from_fn(|span| ages.in_segment(at, from + span as u32 * SPAN));
                let scores = touched.drain(..).map(|local| {
                    let here = (local - from) as usize;
                    let words = text.get_mut(here).map(std::mem::take).unwrap_or_default();
                    let paths = path.get_mut(here).map(std::mem::take).unwrap_or_default();
                    (local, words, paths)
                });
                best.offer(base, scores, &ages);
                from = to;
            }
            if words.iter().chain(&paths).any(|(_, cursor)| !cursor.is_whole()) {
                return Err(self.segments[at].nonsense());
            }
        }
        Ok(best.finish())
    }

    /// Age, importance and filters, exactly.
    fn look_closely(&self, query: &Query, ages: &Ages<'_>, pool: &mut Vec<Candidate>) -> Result<()> {
        let mut names: Vec<Option<Vec<String>>> = vec![None; self.segments.len()];
        let now = query.now_ms.map(|now| now.max(0) / 1000);
        let mut kept = Vec::with_capacity(pool.len());
        for mut candidate in pool.drain(..) {
            let (at, local) = self.place(candidate.document);
            let row = match candidate.row {
                Some(row) => row,
                None => self.segments[at].row(local)?,
            };
            if ages.is_later(row.seconds) {
                continue;
            }
            candidate.score = candidate.base;
            if !query.lifts.is_empty() {
                let names = match &mut names[at] {
                    Some(names) => names,
                    none => none.insert(self.segments[at].names()?),
                };
                let class = names.get(usize::from(row.class));
                candidate.lift = class.and_then(|class| query.lifts.get(class)).copied().unwrap_or(1.0);
                candidate.score *= candidate.lift;
            }
            if let Some(now) = now {
                let age = Ages::days(now, row.seconds);
                candidate.age_days = Some(age);
                candidate.score *= ages.fading(age);
            }
            let seconds = i64::from(row.seconds);
            candidate.score *= ages.when.factor(seconds, seconds);
            candidate.is_from_then = ages.when.holds(seconds);
            candidate.importance = f32::from(row.importance) / 255.0;
            candidate.score *= 1.0 + self.weights.importance * (candidate.importance - 0.5);
            candidate.row = Some(row);
            kept.push(candidate);
        }
        *pool = kept;
        Ok(())
    }
}

fn cursors<'l>(wanted: &'l [Wanted<'_>], segment: usize) -> Vec<(f32, Cursor<'l>)> {
    let lists = wanted.iter().flat_map(|one| one.lists.iter().map(move |(at, list)| (at, one.weight, list)));
    lists.filter(|(at, ..)| **at == segment).map(|(_, weight, list)| (weight, list.cursor())).collect()
}

/// Adds the scores of a window, and notes which documents have any: most words are in few places, so nobody has to look
/// through the whole window. One with a word and a path is noted twice. Kept apart from its caller, which needs so many registers
/// itself that this loop would go through memory.
#[inline(never)]
fn add(
    cursors: &mut [(f32, Cursor<'_>)],
    from: u32,
    to: u32,
    worth: &[f32; 256],
    scores: &mut [f32],
    touched: &mut Vec<u32>,
) {
    for (weight, cursor) in cursors {
        let weight = *weight;
        cursor.each_before(to, |document, number| {
            if let Some(score) = scores.get_mut((document - from) as usize) {
                if *score == 0.0 {
                    touched.push(document);
                }
                *score += weight * worth[usize::from(number)];
            }
        });
    }
}

/// The best of many, without sorting all of them.
struct Best {
    found: Vec<Found>,
    most: usize,
    least: f32,
}

#[derive(Clone, Copy)]
struct Found {
    aged: f32,
    document: u32,
    text: f32,
    paths: f32,
}

impl Found {
    /// The best first, the newest first among equals.
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        other.aged.total_cmp(&self.aged).then(other.document.cmp(&self.document))
    }
}

impl Best {
    fn new(most: usize) -> Self {
        Self { found: Vec::with_capacity(2 * most), most, least: 0.0 }
    }

    /// Takes the scores of some documents of a window, and what time does to each of its spans.
    #[inline(never)]
    fn offer(&mut self, base: u32, scores: impl Iterator<Item = (u32, f32, f32)>, ages: &[f32; SPANS]) {
        for (local, text, paths) in scores {
            // Windows begin where spans do.
            let aged = (text + paths) * ages[(local % WINDOW / SPAN) as usize];
            if aged > self.least {
                self.found.push(Found { aged, document: base + local, text, paths });
                if self.found.len() == 2 * self.most {
                    self.cut();
                }
            }
        }
    }

    fn cut(&mut self) {
        if self.found.len() > self.most {
            self.found.select_nth_unstable_by(self.most, Found::order);
            self.found.truncate(self.most);
            self.least = self.found.iter().map(|one| one.aged).fold(f32::INFINITY, f32::min);
        }
    }

    fn finish(mut self) -> Vec<Candidate> {
        self.cut();
        self.found.sort_unstable_by(Found::order);
        let candidate = |found: Found| {
            let Found { document, text, paths, .. } = found;
            Candidate { document, base: text + paths, text, paths, lift: 1.0, ..Candidate::default() }
        };
        self.found.into_iter().map(candidate).collect()
    }
}

/// Sorts, best first, the newest first among equals, and keeps so many.
pub(super) fn best(pool: &mut Vec<Candidate>, most: usize) {
    let order = |a: &Candidate, b: &Candidate| b.score.total_cmp(&a.score).then(b.document.cmp(&a.document));
    if pool.len() > most {
        pool.select_nth_unstable_by(most, order);
        pool.truncate(most);
    }
    pool.sort_unstable_by(order);
}
