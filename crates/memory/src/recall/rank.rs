//! Which documents fit best: words, then paths, then what was said around them, then age.
//!
//! All numbers are of the whole index, never of one segment, so how the documents are spread over segments makes no
//! difference to the order.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use super::document::{Document, folder};
use super::error::Result;
use super::format::{Kind, term};
use super::query::{Query, Weights};
use super::segment::Segment;
use super::tokens::query_tokens;

/// A pasted page has hundreds of words: the rarest of them say enough.
const MOST_WORDS: usize = 32;
const MOST_PATHS: usize = 16;
/// Only the best so far can still win by age and surroundings.
const POOL: usize = 1024;
/// The sessions of so many of the best are looked at.
const SESSION_SEEDS: usize = 96;
const MOST_SESSIONS: usize = 48;
const DAY_MS: f64 = 86_400_000.0;

/// A document and what its score is made of.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Candidate {
    /// Counted through all segments.
    pub document: u32,
    pub score: f32,
    pub text: f32,
    pub paths: f32,
    pub near: f32,
    pub session: f32,
    pub age_days: Option<f32>,
    pub importance: f32,
}

/// A session that some of the best documents belong to.
#[derive(Debug)]
pub(super) struct Session {
    pub name: String,
    pub score: f32,
    members: Vec<u32>,
}

/// A term of the question.
struct Wanted {
    hash: u64,
    weight: f32,
}

/// One question to some segments.
pub(super) struct Ranker<'a> {
    segments: &'a [Segment],
    weights: &'a Weights,
    /// The number of each segment's first document, and the number of all at the end.
    bases: Vec<u32>,
    lengths: Vec<Vec<u16>>,
    average: f32,
    times: OnceCell<Vec<Vec<u32>>>,
}

impl<'a> Ranker<'a> {
    pub fn new(segments: &'a [Segment], weights: &'a Weights) -> Result<Self> {
        let mut bases = vec![0];
        let mut total = 0;
        for segment in segments {
            total += segment.documents();
            bases.push(total);
        }
        let words: u64 = segments.iter().map(Segment::length).sum();
        let lengths = segments.iter().map(Segment::lengths).collect::<Result<_>>()?;
        let average = (words as f32 / total.max(1) as f32).max(1.0);
        Ok(Self { segments, weights, bases, lengths, average, times: OnceCell::new() })
    }

    fn count(&self) -> usize {
        self.bases.last().copied().unwrap_or_default() as usize
    }

    /// When each document of each segment happened, read once.
    fn times(&self) -> Result<&[Vec<u32>]> {
        if let Some(times) = self.times.get() {
            return Ok(times);
        }
        let times = self.segments.iter().map(Segment::times).collect::<Result<_>>()?;
        Ok(self.times.get_or_init(|| times))
    }

    /// A document by its number through all segments.
    pub fn document(&self, number: u32) -> Result<Document> {
        let at = self.bases.partition_point(|base| *base <= number) - 1;
        let local = number - self.bases[at];
        self.segments[at].document(local, self.lengths[at][local as usize])
    }

    fn session(&self, number: u32) -> Result<Option<String>> {
        let at = self.bases.partition_point(|base| *base <= number) - 1;
        let local = number - self.bases[at];
        self.segments[at].session(local, self.lengths[at][local as usize])
    }

    /// How rare a term is, and how many documents have it.
    fn rarity(&self, hash: u64) -> Result<(f32, u32)> {
        let mut found = 0;
        for segment in self.segments {
            found += segment.entry(hash)?.map_or(0, |entry| entry.documents);
        }
        let (all, found_in) = (self.count() as f32, found as f32);
        Ok(((1.0 + (all - found_in + 0.5) / (found_in + 0.5)).ln(), found))
    }

    fn each(&self, hash: u64, mut each: impl FnMut(u32, u32, u16)) -> Result<()> {
        for ((segment, base), lengths) in self.segments.iter().zip(&self.bases).zip(&self.lengths) {
            if let Some(entry) = segment.entry(hash)? {
                segment.postings(&entry, |at, number| each(base + at, number, lengths[at as usize]))?;
            }
        }
        Ok(())
    }

    /// The words of the question that some document has, the rarest first.
    fn wanted(&self, text: &str) -> Result<Vec<Wanted>> {
        let mut times: HashMap<u64, u32> = HashMap::new();
        for token in query_tokens(text) {
            *times.entry(term(Kind::Word, &token.text)).or_default() += 1;
        }
        let mut wanted = Vec::new();
        for (hash, times) in times {
            let (rarity, found) = self.rarity(hash)?;
            if found > 0 {
                wanted.push(Wanted { hash, weight: rarity * (times as f32).sqrt() });
            }
        }
        wanted.sort_unstable_by(|a, b| b.weight.total_cmp(&a.weight).then(a.hash.cmp(&b.hash)));
        wanted.truncate(MOST_WORDS);
        Ok(wanted)
    }

    /// The best documents, best first, and the sessions they belong to.
    pub fn rank(&self, query: &Query) -> Result<(Vec<Candidate>, Vec<Session>)> {
        let wanted = self.wanted(&query.text)?;
        let mut text = vec![0.0_f32; self.count()];
        for word in &wanted {
            self.each(word.hash, |at, times, length| {
                text[at as usize] +=
                    word.weight * self.saturate(times as f32, f32::from(length) / self.average);
            })?;
        }
        let paths = self.paths(&query.paths)?;
        let path = |at: u32| paths.get(at as usize).copied().unwrap_or_default();
        // Going through all of them is faster than noting and sorting those that have a word.
        let scores = (0_u32..).zip(&text).map(|(at, text)| (text + path(at), at));
        let mut found: Vec<(f32, u32)> = scores.filter(|(score, _)| *score > 0.0).collect();
        self.keep(query, &mut found)?;
        let order = |a: &(f32, u32), b: &(f32, u32)| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1));
        if found.len() > POOL {
            found.select_nth_unstable_by(POOL, order);
            found.truncate(POOL);
        }
        found.sort_unstable_by(order);
        let mut pool: Vec<Candidate> = found
            .into_iter()
            .map(|(score, at)| {
                let (text, paths) = (text[at as usize], path(at));
                Candidate { document: at, score, text, paths, ..Candidate::default() }
            })
            .collect();
        let sessions = self.surroundings(&wanted, &text, &mut pool)?;
        if sessions.iter().any(|session| session.members.len() > 1) {
            // Members that have no word of the question themselves must pass the same filter.
            let mut all: Vec<(f32, u32)> = pool.iter().map(|one| (one.score, one.document)).collect();
            all.sort_unstable_by_key(|(_, at)| *at);
            self.keep(query, &mut all)?;
            pool.retain(|one| all.binary_search_by_key(&one.document, |(_, at)| *at).is_ok());
        }
        self.age_and_importance(query, &mut pool)?;
        best(&mut pool, POOL);
        Ok((pool, sessions))
    }

    /// The part of BM25 that depends on how often a word is used, and in how long a text.
    fn saturate(&self, times: f32, relative_length: f32) -> f32 {
        let Weights { k1, b, .. } = *self.weights;
        times * (k1 + 1.0) / (times + k1 * (1.0 - b + b * relative_length))
    }

    /// The path score of each document; empty without paths. One that touches everything says little about each.
    fn paths(&self, paths: &[String]) -> Result<Vec<f32>> {
        if paths.is_empty() || (self.weights.file == 0.0 && self.weights.folder == 0.0) {
            return Ok(Vec::new());
        }
        let mut terms: Vec<(u64, f32)> = Vec::new();
        let mut seen = HashSet::new();
        let share = 1.0 / (paths.len().min(MOST_PATHS) as f32).sqrt();
        for path in paths.iter().take(MOST_PATHS) {
            let file = (term(Kind::File, path), self.weights.file * share);
            let near = (term(Kind::Folder, folder(path)), self.weights.folder * share);
            terms.extend([file, near].into_iter().filter(|(hash, _)| seen.insert(*hash)));
        }
        let mut scores = vec![0.0_f32; self.count()];
        for (hash, weight) in terms {
            let (rarity, _) = self.rarity(hash)?;
            self.each(hash, |at, many, _| {
                scores[at as usize] += weight * rarity / (many.max(1) as f32).sqrt();
            })?;
        }
        Ok(scores)
    }

    /// Leaves out other scopes and what has not happened yet. The documents come in rising order.
    fn keep(&self, query: &Query, documents: &mut Vec<(f32, u32)>) -> Result<()> {
        let now = query.now_ms.map(|now| u32::try_from(now.max(0) / 1000).unwrap_or(u32::MAX));
        if query.scope.is_none() && now.is_none() {
            return Ok(());
        }
        let mut kept = Vec::with_capacity(documents.len());
        let mut rest = documents.as_slice();
        for (at, segment) in self.segments.iter().enumerate() {
            let (base, end) = (self.bases[at], self.bases[at + 1]);
            let (here, after) = rest.split_at(rest.partition_point(|(_, document)| *document < end));
            rest = after;
            if here.is_empty() {
                continue;
            }
            let scope = query.scope.as_deref().map(|scope| segment.scopes(scope)).transpose()?;
            let times = now.map(|_| self.times().map(|times| &times[at])).transpose()?;
            kept.extend(here.iter().copied().filter(|(_, document)| {
                let local = (document - base) as usize;
                let in_scope = scope.as_ref().is_none_or(|(scopes, number)| Some(scopes[local]) == *number);
                in_scope && times.as_ref().is_none_or(|times| Some(times[local]) <= now)
            }));
        }
        *documents = kept;
        Ok(())
    }

    /// Adds what the neighbours and the session of each document say, and documents that only they speak for.
    fn surroundings(
        &self,
        wanted: &[Wanted],
        text: &[f32],
        pool: &mut Vec<Candidate>,
    ) -> Result<Vec<Session>> {
        let mut sessions: Vec<Session> = Vec::new();
        for candidate in pool.iter().take(SESSION_SEEDS) {
            let Some(name) = self.session(candidate.document)? else { continue };
            if sessions.len() < MOST_SESSIONS && sessions.iter().all(|session| session.name != name) {
                let mut members = Vec::new();
                self.each(term(Kind::Session, &name), |at, _, _| members.push(at))?;
                sessions.push(Session { name, score: 0.0, members });
            }
        }
        if sessions.is_empty() {
            return Ok(sessions);
        }
        self.score_sessions(wanted, text, &mut sessions)?;
        let mut places: HashMap<u32, usize> =
            pool.iter().enumerate().map(|(at, candidate)| (candidate.document, at)).collect();
        for session in &sessions {
            let own = |at: Option<usize>| {
                at.and_then(|at| session.members.get(at)).map_or(0.0, |member| text[*member as usize])
            };
            for (at, member) in session.members.iter().enumerate() {
                let first = own(at.checked_sub(1)) + own(Some(at + 1));
                let second = own(at.checked_sub(2)) + own(Some(at + 2));
                let near = self.weights.neighbour * first + self.weights.second_neighbour * second;
                let part = self.weights.session * session.score;
                if near == 0.0 && !places.contains_key(member) {
                    continue;
                }
                let place = *places.entry(*member).or_insert_with(|| {
                    pool.push(Candidate { document: *member, ..Candidate::default() });
                    pool.len() - 1
                });
                pool[place].near += near;
                pool[place].session += part;
                pool[place].score += near + part;
            }
        }
        Ok(sessions)
    }

    /// How well each session fits, read as one long text.
    fn score_sessions(&self, wanted: &[Wanted], text: &[f32], sessions: &mut [Session]) -> Result<()> {
        let mut of: Vec<u16> = vec![u16::MAX; self.count()];
        let mut lengths = vec![0.0_f32; sessions.len()];
        for (number, session) in sessions.iter().enumerate() {
            for member in &session.members {
                of[*member as usize] = number as u16;
                let at = self.bases.partition_point(|base| base <= member) - 1;
                lengths[number] += f32::from(self.lengths[at][(member - self.bases[at]) as usize]);
            }
        }
        let average = (lengths.iter().sum::<f32>() / lengths.len() as f32).max(1.0);
        for word in wanted {
            let mut times = vec![0_u32; sessions.len()];
            self.each(word.hash, |at, many, _| {
                if let Some(times) = times.get_mut(usize::from(of[at as usize])) {
                    *times += many;
                }
            })?;
            let having = times.iter().filter(|times| **times > 0).count() as f32;
            let all = sessions.len() as f32;
            let rarity = (1.0 + (all - having + 0.5) / (having + 0.5)).ln();
            for ((session, times), length) in sessions.iter_mut().zip(times).zip(&lengths) {
                session.score +=
                    (word.weight * rarity).sqrt() * self.saturate(times as f32, length / average);
            }
        }
        for session in sessions {
            let peak = session.members.iter().map(|member| text[*member as usize]).fold(0.0, f32::max);
            session.score = 0.5 * session.score + 0.5 * peak;
        }
        Ok(())
    }

    fn age_and_importance(&self, query: &Query, pool: &mut [Candidate]) -> Result<()> {
        let times = query.now_ms.map(|_| self.times()).transpose()?;
        let importance = self.segments.iter().map(Segment::importance).collect::<Result<Vec<_>>>()?;
        for candidate in pool {
            let at = self.bases.partition_point(|base| *base <= candidate.document) - 1;
            let local = (candidate.document - self.bases[at]) as usize;
            if let (Some(now), Some(times)) = (query.now_ms, times) {
                let age = (now as f64 - f64::from(times[at][local]) * 1000.0).max(0.0) / DAY_MS;
                candidate.age_days = Some(age as f32);
                candidate.score *= (1.0 + age as f32).powf(-self.weights.recency);
            }
            candidate.importance = f32::from(importance[at][local]) / 255.0;
            candidate.score *= 1.0 + self.weights.importance * (candidate.importance - 0.5);
        }
        Ok(())
    }
}

/// Sorts, best first, the newest first among equals, and keeps so many.
fn best(pool: &mut Vec<Candidate>, most: usize) {
    let order = |a: &Candidate, b: &Candidate| b.score.total_cmp(&a.score).then(b.document.cmp(&a.document));
    if pool.len() > most {
        pool.select_nth_unstable_by(most, order);
        pool.truncate(most);
    }
    pool.sort_unstable_by(order);
}
