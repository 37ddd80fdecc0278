//! Recall by meaning, where the person names a model: words that mean the same find each other. (MM7)
//!
//! The model is a table of word vectors ("static embeddings", as model2vec makes them): a folder with `tokenizer.json` and
//! `model.safetensors`. It needs nothing to run it but reading rows and adding them up. It is read from the disk when a question is asked,
//! never downloaded, and nothing of it goes into the index: with another model, or none, the index is the same.
//!
//! Words come first, because they are better at it: the model adds what words alone cannot find (memories with words that are like those
//! of the question), and lifts what means the same a little.

mod model;
mod pieces;
mod tensors;

use std::collections::{HashMap, HashSet};

pub use model::{Model, ModelError};
use words::query_tokens;

use super::error::Result;
use super::index::{Index, closely};
use super::query::{Hit, Query, Reason};
use super::rank::{Candidate, Ranker};
use super::select::select;

/// Words of the question whose likes are looked for.
const MOST_WORDS: usize = 12;
/// Words that are taken as like one of them.
const LIKES: usize = 4;
/// Vectors that are at least this near mean about the same.
const NEAR: f32 = 0.5;
/// What is found by such words only counts this much.
const BY_LIKES: f32 = 0.5;
/// How much sameness of meaning lifts, as a part of the best score.
const LIFT: f32 = 0.25;
/// From this on it is a reason to be told.
const WORTH_SAYING: f32 = 0.5;

impl Index {
    /// The memories that fit best by words and by meaning. If the model cannot be used, those by words, and why.
    pub fn search_by_meaning(
        &self,
        query: &Query,
        model: &mut Model,
    ) -> Result<(Vec<Hit>, Option<ModelError>)> {
        let ranker = Ranker::new(&self.segments, &self.weights);
        let (mut candidates, _) = ranker.rank(query, closely(query))?;
        let likes = match model.likes(&words(&query.text), LIKES, NEAR) {
            Ok(likes) => likes,
            Err(error) => return Ok((select(&ranker, query, candidates, &self.taken_back)?, Some(error))),
        };
        if !likes.is_empty() {
            let more = Query { text: likes.join(" "), paths: Vec::new(), ..query.clone() };
            let known: HashSet<u32> = candidates.iter().map(|one| one.document).collect();
            let (found, _) = ranker.rank(&more, closely(query))?;
            let new = found.into_iter().filter(|one| !known.contains(&one.document));
            candidates.extend(new.map(|one| Candidate { score: one.score * BY_LIKES, ..one }));
        }
        let meant = match lift(&ranker, query, model, &mut candidates)? {
            Ok(meant) => meant,
            Err(error) => return Ok((self.search(query)?, Some(error))),
        };
        candidates
            .sort_by(|one, other| other.score.total_cmp(&one.score).then(other.document.cmp(&one.document)));
        let mut hits = select(&ranker, query, candidates, &self.taken_back)?;
        for hit in hits.iter_mut().filter(|_| query.why) {
            // Words that are only like those of the question are not in it.
            hit.why.retain(|reason| !matches!(reason, Reason::Words(words) if words.is_empty()));
            if meant.get(&hit.id).is_some_and(|near| *near >= WORTH_SAYING) {
                hit.why.insert(0, Reason::Meaning);
            }
        }
        Ok((hits, None))
    }
}

/// Adds to each score what its meaning is worth. How near each is to the question, by id.
fn lift(
    ranker: &Ranker<'_>,
    query: &Query,
    model: &mut Model,
    candidates: &mut [Candidate],
) -> Result<std::result::Result<HashMap<String, f32>, ModelError>> {
    let best = candidates.iter().map(|one| one.score).fold(0.0, f32::max);
    let asked = match model.embed(&query.text) {
        Ok(Some(asked)) => asked,
        Ok(None) => return Ok(Ok(HashMap::new())),
        Err(error) => return Ok(Err(error)),
    };
    let mut meant = HashMap::new();
    for candidate in candidates {
        let (segment, local) = ranker.segment(candidate.document);
        let document = segment.document(local)?.0;
        let near = match model.embed(&document.text) {
            Ok(vector) => vector.map_or(0.0, |vector| dot(&asked, &vector)).clamp(0.0, 1.0),
            Err(error) => return Ok(Err(error)),
        };
        candidate.score += LIFT * best * near;
        meant.insert(document.id, near);
    }
    Ok(Ok(meant))
}

/// The words of a question that say something.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split(|sign: char| !sign.is_alphanumeric()) {
        let word = word.to_lowercase();
        if word.chars().count() >= 3 && !words.contains(&word) && !query_tokens(&word).is_empty() {
            words.push(word);
        }
    }
    words.truncate(MOST_WORDS);
    words
}

fn dot(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}
