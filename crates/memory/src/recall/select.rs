//! From the ranking to the answer: no repetitions, within the budget, with reasons.

use std::collections::{BTreeMap, HashSet};

use words::{estimate_tokens, query_tokens, tokens};

use super::document::{Document, folder, name};
use super::error::Result;
use super::excerpt::excerpt;
use super::query::{Hit, Parts, Query, Reason};
use super::rank::{Candidate, Ranker};
use super::sketch::Sketch;

/// After so many that do not fit or only repeat, the rest is not worth the time.
const PATIENCE: usize = 50;
/// When enough wait for what other classes leave of the budget, so many more are looked at for one of those.
const LOOK_FURTHER: usize = 8;
/// A part of the score smaller than this is no reason.
const WORTH_SAYING: f32 = 0.15;

/// Takes the best that fit. A class has its share of the budget; what no other class needs of it goes to those that wait.
pub(super) fn select(
    ranker: &Ranker<'_>,
    query: &Query,
    candidates: Vec<Candidate>,
    taken_back: &HashSet<String>,
) -> Result<Vec<Hit>> {
    let asked = if query.why { typed(&query.text) } else { Vec::new() };
    let words = query_tokens(&query.text).into_iter().map(|token| token.text).collect();
    let mut taken = Taken::new(query, asked, words);
    let mut used_by: BTreeMap<String, usize> = BTreeMap::new();
    let mut waiting = Vec::new();
    let mut misses = 0;
    for (candidate, document, sketch) in read(ranker, query, candidates) {
        let document = document?;
        let waits = waiting.len() + taken.hits.len() >= query.k.saturating_add(LOOK_FURTHER);
        if taken.is_full() || misses > PATIENCE || (waits && query.budget.total.is_some()) {
            break;
        }
        let is_gone = taken_back.contains(&document.id);
        if is_gone || !is_for(&document, query) || taken.ids.contains(&document.id) {
            continue;
        }
        let shown = taken.shown(document);
        let cost = shown.cost;
        let in_class = used_by.entry(shown.document.class.clone()).or_default();
        if query.budget.per_class.is_some_and(|limit| *in_class + cost > limit) {
            misses += 1;
            waiting.push((candidate, shown, sketch));
        } else if taken.take(candidate, shown, sketch) {
            *in_class += cost;
        } else {
            misses += 1;
        }
    }
    if query.budget.total.is_some() && !waiting.is_empty() {
        for (candidate, shown, sketch) in waiting {
            taken.take(candidate, shown, sketch);
        }
        taken.hits.sort_by(|one, other| other.score.total_cmp(&one.score));
    }
    Ok(taken.hits)
}

/// A memory as it is shown: whole, or the part of it that fits the question.
struct Shown {
    document: Document,
    cost: usize,
    shortened: bool,
}

/// What is in the answer so far.
struct Taken<'q> {
    query: &'q Query,
    /// The words of the question as they were typed, if they are to be named.
    asked: Vec<String>,
    /// And as they are looked up.
    words: HashSet<String>,
    hits: Vec<Hit>,
    sketches: Vec<Sketch>,
    ids: HashSet<String>,
    used: usize,
}

impl<'q> Taken<'q> {
    fn new(query: &'q Query, asked: Vec<String>, words: HashSet<String>) -> Self {
        Self { query, asked, words, hits: Vec::new(), sketches: Vec::new(), ids: HashSet::new(), used: 0 }
    }

    fn is_full(&self) -> bool {
        self.hits.len() >= self.query.k
    }

    fn shown(&self, mut document: Document) -> Shown {
        let part = self.query.budget.per_hit.and_then(|limit| excerpt(&document.text, &self.words, limit));
        let shortened = part.is_some();
        if let Some(part) = part {
            document.text = part;
        }
        Shown { cost: estimate_tokens(&document.text), shortened, document }
    }

    /// Takes one, if there is room for it and it is no repetition.
    fn take(&mut self, candidate: Candidate, shown: Shown, sketch: Sketch) -> bool {
        let Shown { document, cost, shortened } = shown;
        let is_known = self.query.diverse && self.sketches.iter().any(|other| sketch.is_like(other));
        let is_too_much = self.query.budget.total.is_some_and(|total| self.used + cost > total);
        if self.is_full() || is_known || is_too_much {
            return false;
        }
        self.used += cost;
        self.ids.insert(document.id.clone());
        self.sketches.push(sketch);
        let is_asked = self.query.why;
        let why = if is_asked { reasons(&candidate, &document, &self.asked, self.query) } else { Vec::new() };
        let Candidate { text, paths, near, session, age_days, importance, score, .. } = candidate;
        let parts = Parts { text, paths, near, session, age_days, importance };
        self.hits.push(Hit { id: document.id.clone(), score, parts, why, tokens: cost, shortened, document });
        true
    }
}

/// The words of a question as they were typed, each once.
fn typed(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word = word.trim_matches(|char: char| !char.is_alphanumeric());
        if !word.is_empty() && words.iter().all(|known| known != word) {
            words.push(word.to_owned());
        }
    }
    words
}

type Read = (Candidate, Result<Document>, Sketch);

/// The documents of the candidates, one by one; with what was learned about single ones, in the order that makes.
fn read<'a>(
    ranker: &'a Ranker<'_>,
    query: &Query,
    candidates: Vec<Candidate>,
) -> Box<dyn Iterator<Item = Read> + 'a> {
    let document = |candidate: Candidate| {
        let (segment, local) = ranker.segment(candidate.document);
        match segment.document(local) {
            Ok((document, sketch)) => (candidate, Ok(document), sketch),
            Err(error) => (candidate, Err(error), Sketch::default()),
        }
    };
    if query.learned.is_empty() {
        return Box::new(candidates.into_iter().map(document));
    }
    let close = query.k.saturating_mul(3);
    let mut first: Vec<Read> = candidates.iter().take(close).copied().map(document).collect();
    for (candidate, document, _) in &mut first {
        let learned = document.as_ref().ok().and_then(|document| query.learned.get(&document.id));
        if let Some(lift) = learned {
            candidate.score *= lift;
            candidate.lift *= lift;
        }
    }
    first.sort_by(|(one, ..), (other, ..)| other.score.total_cmp(&one.score));
    Box::new(first.into_iter().chain(candidates.into_iter().skip(close).map(document)))
}

/// Whether the one who asks may see it, and whether it still counts.
fn is_for(document: &Document, query: &Query) -> bool {
    let over = query.now_ms.zip(document.until_ms).is_some_and(|(now, until)| until < now);
    let open = document.readers.is_empty();
    !over && query.reader.as_ref().is_none_or(|reader| open || document.readers.contains(reader))
}

fn reasons(candidate: &Candidate, document: &Document, asked: &[String], query: &Query) -> Vec<Reason> {
    let whole =
        (candidate.text + candidate.paths + candidate.near + candidate.session).max(f32::MIN_POSITIVE);
    let mut weighed: Vec<(f32, Reason)> = Vec::new();
    if candidate.text > 0.0 {
        let words: HashSet<String> = tokens(&document.text).into_iter().map(|token| token.text).collect();
        let says = |typed: &&String| query_tokens(typed).iter().any(|token| words.contains(&token.text));
        weighed.push((candidate.text, Reason::Words(asked.iter().filter(says).cloned().collect())));
    }
    if candidate.paths > 0.0 {
        let same_file = query.paths.iter().find(|path| document.paths.contains(path));
        let folders: HashSet<&str> = document.paths.iter().map(|path| folder(path)).collect();
        let same_folder = query.paths.iter().map(|path| folder(path)).find(|path| folders.contains(path));
        let reason = same_file.map(|path| Reason::SameFile(path.clone()));
        let reason = reason.or_else(|| same_folder.map(|path| Reason::SameFolder(path.to_owned())));
        let names: HashSet<&str> = document.paths.iter().map(|path| name(path)).collect();
        let same_name = || query.paths.iter().map(|path| name(path)).find(|path| names.contains(path));
        let reason = reason.or_else(|| same_name().map(|name| Reason::SameName(name.to_owned())));
        weighed.extend(reason.map(|reason| (candidate.paths, reason)));
    }
    for (part, reason) in [(candidate.near, Reason::Neighbour), (candidate.session, Reason::Session)] {
        if part / whole >= WORTH_SAYING {
            weighed.push((part, reason));
        }
    }
    weighed.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let mut why: Vec<Reason> = weighed.into_iter().map(|(_, reason)| reason).collect();
    why.extend(candidate.age_days.filter(|days| *days < 14.0).map(|days| Reason::Recent(days as u32)));
    if candidate.is_from_then {
        why.push(Reason::FromThen);
    }
    if candidate.importance > 0.7 {
        why.push(Reason::Important);
    }
    if (candidate.lift - 1.0).abs() > WORTH_SAYING {
        why.push(Reason::Policy(candidate.lift));
    }
    why
}
