//! From the ranking to the answer: no repetitions, within the budget, with reasons.

use std::collections::{BTreeMap, HashSet};

use super::document::{Document, folder};
use super::error::Result;
use super::query::{Hit, Query, Reason};
use super::rank::{Candidate, Ranker};
use super::tokens::{Token, estimate_tokens, query_tokens, tokens};

/// Texts that share this much of their words say the same.
const SAME: f32 = 0.8;
/// After so many that do not fit or only repeat, the rest is not worth the time.
const PATIENCE: usize = 50;
/// A part of the score smaller than this is no reason.
const WORTH_SAYING: f32 = 0.15;

/// Takes the best that fit.
pub(super) fn select(ranker: &Ranker<'_>, query: &Query, candidates: &[Candidate]) -> Result<Vec<Hit>> {
    let asked: Vec<Token> = query_tokens(&query.text);
    let mut hits: Vec<Hit> = Vec::new();
    let mut word_sets: Vec<HashSet<String>> = Vec::new();
    let mut ids = HashSet::new();
    let mut used = 0;
    let mut used_by: BTreeMap<String, usize> = BTreeMap::new();
    for candidate in candidates.iter().take(query.k.saturating_add(PATIENCE)) {
        if hits.len() >= query.k {
            break;
        }
        let document = ranker.document(candidate.document)?;
        let words: HashSet<String> = tokens(&document.text).into_iter().map(|token| token.text).collect();
        if ids.contains(&document.id) || (query.diverse && word_sets.iter().any(|other| same(&words, other)))
        {
            continue;
        }
        let cost = estimate_tokens(&document.text);
        let in_class = used_by.get(&document.class).copied().unwrap_or_default();
        let class_limit = query.budget.per_class.get(&document.class);
        if query.budget.total.is_some_and(|total| used + cost > total)
            || class_limit.is_some_and(|limit| in_class + cost > *limit)
        {
            continue;
        }
        used += cost;
        used_by.insert(document.class.clone(), in_class + cost);
        ids.insert(document.id.clone());
        let why = reasons(candidate, &document, &words, &asked, query);
        word_sets.push(words);
        hits.push(Hit { id: document.id.clone(), score: candidate.score, why, tokens: cost, document });
    }
    Ok(hits)
}

fn same(one: &HashSet<String>, other: &HashSet<String>) -> bool {
    let (small, large) = (one.len().min(other.len()), one.len().max(other.len()));
    if small == 0 || (small as f32) < SAME * large as f32 {
        return false;
    }
    let shared = one.intersection(other).count() as f32;
    shared / (one.len() + other.len()) as f32 >= SAME / (1.0 + SAME)
}

fn reasons(
    candidate: &Candidate,
    document: &Document,
    words: &HashSet<String>,
    asked: &[Token],
    query: &Query,
) -> Vec<Reason> {
    let whole =
        (candidate.text + candidate.paths + candidate.near + candidate.session).max(f32::MIN_POSITIVE);
    let mut weighed: Vec<(f32, Reason)> = Vec::new();
    if candidate.text > 0.0 {
        let mut found: Vec<String> = Vec::new();
        for token in asked {
            if words.contains(&token.text) && !found.contains(&token.text) {
                found.push(token.text.clone());
            }
        }
        weighed.push((candidate.text, Reason::Words(found)));
    }
    if candidate.paths > 0.0 {
        let same_file = query.paths.iter().find(|path| document.paths.contains(path));
        let folders: HashSet<&str> = document.paths.iter().map(|path| folder(path)).collect();
        let same_folder = query.paths.iter().map(|path| folder(path)).find(|path| folders.contains(path));
        let reason = same_file.map(|path| Reason::SameFile(path.clone()));
        let reason = reason.or_else(|| same_folder.map(|path| Reason::SameFolder(path.to_owned())));
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
    if candidate.importance > 0.7 {
        why.push(Reason::Important);
    }
    why
}
