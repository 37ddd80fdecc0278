//! What was said around a memory: the ones before and after it in its session, and the session as a whole.

use std::collections::HashMap;

use super::ages::Ages;
use super::build::Known;
use super::error::Result;
use super::format::word_meaning;
use super::query::Weights;
use super::rank::{Candidate, Ranker, Wanted};

/// The sessions of so many of the best are looked at.
const SEEDS: usize = 96;
const MOST_SESSIONS: usize = 48;
/// Where there are very many memories, the best of them say which sessions matter.
const MANY: usize = 20_000;
const SEEDS_OF_MANY: usize = 24;
const MOST_SESSIONS_OF_MANY: usize = 8;
/// And common words say little about them.
const MOST_PLACES_OF_MANY: u32 = 4000;
/// A session may be endless: so many of its memories count.
const MOST_MEMBERS: usize = 4096;

/// A session that some of the best documents belong to.
#[derive(Debug)]
pub(super) struct Session {
    hash: u64,
    /// When the best of it was noted, since 1970.
    seconds: i64,
    pub score: f32,
    /// Its documents in order, and how long each is.
    members: Vec<(u32, u8)>,
    /// The text score of each member.
    texts: Vec<f32>,
}

impl Session {
    /// One of its documents.
    pub fn first(&self) -> Option<u32> {
        self.members.first().map(|(document, _)| *document)
    }
}

/// Adds what the neighbours and the session of each document say, and documents that only they speak for.
pub(super) fn add(
    ranker: &Ranker<'_>,
    words: &[Wanted<'_>],
    ages: &Ages<'_>,
    pool: &mut Vec<Candidate>,
) -> Result<Vec<Session>> {
    let Weights { neighbour, second_neighbour, session: whole, .. } = *ranker.weights;
    let mut sessions = find(ranker, ages, pool)?;
    if sessions.is_empty() {
        return Ok(sessions);
    }
    score(ranker, words, &mut sessions);
    for session in &mut sessions {
        session.score *= ages.when.factor(session.seconds, session.seconds);
    }
    let mut places: HashMap<u32, usize, Known> =
        pool.iter().enumerate().map(|(at, candidate)| (candidate.document, at)).collect();
    for session in &sessions {
        let own = |at: Option<usize>| at.and_then(|at| session.texts.get(at)).copied().unwrap_or_default();
        for (at, (member, _)) in session.members.iter().enumerate() {
            let first = own(at.checked_sub(1)) + own(Some(at + 1));
            let second = own(at.checked_sub(2)) + own(Some(at + 2));
            let near = neighbour * first + second_neighbour * second;
            if near == 0.0 && !places.contains_key(member) {
                continue;
            }
            let place = *places.entry(*member).or_insert_with(|| {
                let text = own(Some(at));
                pool.push(Candidate {
                    document: *member,
                    base: text,
                    text,
                    lift: 1.0,
                    ..Candidate::default()
                });
                pool.len() - 1
            });
            let part = whole * session.score;
            pool[place].near += near;
            pool[place].session += part;
            pool[place].base += near + part;
        }
    }
    Ok(sessions)
}

/// The sessions of the best.
fn find(ranker: &Ranker<'_>, ages: &Ages<'_>, pool: &mut [Candidate]) -> Result<Vec<Session>> {
    let many = ranker.count() > MANY;
    let (seeds, most) = if many { (SEEDS_OF_MANY, MOST_SESSIONS_OF_MANY) } else { (SEEDS, MOST_SESSIONS) };
    let mut sessions: Vec<Session> = Vec::new();
    for candidate in pool.iter_mut().take(seeds) {
        let (segment, local) = ranker.segment(candidate.document);
        let row = segment.row(local)?;
        candidate.row = Some(row);
        let hash = row.session;
        if ages.is_later(row.seconds) {
            continue;
        }
        if hash != 0 && sessions.len() < most && sessions.iter().all(|session| session.hash != hash) {
            let mut members = Vec::new();
            ranker.each(hash, |at, number| members.push((at, number)))?;
            if members.len() > MOST_MEMBERS {
                let here = members.partition_point(|(at, _)| *at < candidate.document);
                let from = here.saturating_sub(MOST_MEMBERS / 2).min(members.len() - MOST_MEMBERS);
                members = members.split_off(from);
                members.truncate(MOST_MEMBERS);
            }
            let texts = vec![0.0; members.len()];
            sessions.push(Session { hash, seconds: row.seconds.into(), score: 0.0, members, texts });
        }
    }
    Ok(sessions)
}

/// How well each member fits, and each session read as one long text: there a word that comes again says more than in a short
/// one, and length matters more.
fn score(ranker: &Ranker<'_>, words: &[Wanted<'_>], sessions: &mut [Session]) {
    let Weights { session_k1, session_b, peak: of_the_best, .. } = *ranker.weights;
    let length = |session: &Session| session.members.iter().map(|(_, number)| word_meaning(*number).1).sum();
    let lengths: Vec<f32> = sessions.iter().map(length).collect();
    let average = (lengths.iter().sum::<f32>() / lengths.len() as f32).max(1.0);
    let mut places: Vec<(u32, usize, usize)> = Vec::new();
    for (number, session) in sessions.iter().enumerate() {
        places.extend(session.members.iter().enumerate().map(|(at, (document, _))| (*document, number, at)));
    }
    places.sort_unstable();
    let most_places = if ranker.count() > MANY { MOST_PLACES_OF_MANY } else { u32::MAX };
    for word in words.iter().filter(|word| word.documents <= most_places) {
        let mut times = vec![0.0_f32; sessions.len()];
        for (segment, list) in &word.lists {
            let base = ranker.base(*segment);
            let mut next = places.partition_point(|(document, ..)| *document < base);
            let mut cursor = list.cursor();
            while let Some((document, _, _)) = places.get(next) {
                cursor.skip_to(document - base);
                let Some((found, number)) = cursor.next_before(u32::MAX) else { break };
                next += places[next..].partition_point(|(document, ..)| *document < base + found);
                if let Some((_, session, at)) = places.get(next).filter(|(at, ..)| *at == base + found) {
                    sessions[*session].texts[*at] += word.weight * ranker.worth[usize::from(number)];
                    times[*session] += word_meaning(number).0;
                }
            }
        }
        let having = times.iter().filter(|times| **times > 0.0).count() as f32;
        let all = sessions.len() as f32;
        let rarity = (1.0 + (all - having + 0.5) / (having + 0.5)).ln();
        for ((session, times), length) in sessions.iter_mut().zip(times).zip(&lengths) {
            let held_back = session_k1 * (1.0 - session_b + session_b * length / average);
            let use_of_it = times * (session_k1 + 1.0) / (times + held_back);
            session.score += (word.weight * rarity).sqrt() * use_of_it;
        }
    }
    for session in sessions {
        let peak = session.texts.iter().copied().fold(0.0, f32::max);
        session.score = (1.0 - of_the_best) * session.score + of_the_best * peak;
    }
}
