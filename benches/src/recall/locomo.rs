//! Long conversations with questions, and the turns that answer them.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result};
use fs_err as fs;
use memory::recall::{Document, Index, Query, Weights};
use serde_json::Value;

use super::Figure;

struct Conversation {
    turns: Vec<Document>,
    questions: Vec<Question>,
}

struct Question {
    text: String,
    /// The ids of the turns that answer it.
    evidence: Vec<String>,
}

/// The sums over the questions of one conversation.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    turn_5: f64,
    turn_10: f64,
    session_5: f64,
    session_10: f64,
    questions: f64,
}

impl std::ops::AddAssign for Sums {
    fn add_assign(&mut self, other: Self) {
        self.turn_5 += other.turn_5;
        self.turn_10 += other.turn_10;
        self.session_5 += other.session_5;
        self.session_10 += other.session_10;
        self.questions += other.questions;
    }
}

pub fn measure(file: &Path) -> Result<Vec<Figure>> {
    let conversations = read(file)?;
    let mut indexes =
        conversations.iter().map(|one| Ok(Index::of(&one.turns)?)).collect::<Result<Vec<_>>>()?;
    let mut ask = |weights: Weights| -> Result<Vec<Sums>> {
        let pairs = indexes.iter_mut().zip(&conversations);
        pairs
            .map(|(index, one)| {
                index.set_weights(weights);
                score(index, &one.questions)
            })
            .collect()
    };
    let words_only =
        Weights { neighbour: 0.0, second_neighbour: 0.0, session: 0.0, then: 0.0, ..Weights::default() };
    let plain = total(&ask(words_only)?, None);
    let default = total(&ask(Weights::default())?, None);
    let timeless = total(&ask(Weights { then: 0.0, ..Weights::default() })?, None);
    let mut tried = Vec::new();
    for weights in grid() {
        tried.push((weights, ask(weights)?));
    }
    // Each conversation is measured with the weights that do best on the other nine.
    let mut held_out = Sums::default();
    let mut chosen: BTreeMap<String, usize> = BTreeMap::new();
    for out in 0..conversations.len() {
        let quality = |sums: &[Sums]| {
            let sums = total(sums, Some(out));
            sums.turn_10 + sums.turn_5 + sums.session_10
        };
        let best = tried.iter().max_by(|(_, one), (_, other)| quality(one).total_cmp(&quality(other)));
        if let Some((weights, sums)) = best {
            held_out += sums[out];
            let Weights { neighbour, second_neighbour, session, session_k1, session_b, peak, then, .. } =
                weights;
            let name = format!(
                "neighbour {neighbour}/{second_neighbour} session {session} (k1 {session_k1} b {session_b} peak {peak}) then {then}"
            );
            *chosen.entry(name).or_default() += 1;
        }
    }
    for (weights, times) in chosen {
        eprintln!("  chosen {times} times: {weights}");
    }
    let held_out = average(held_out);
    let mut all: Vec<f64> = tried.iter().map(|(_, sums)| total(sums, None).session_10).collect();
    all.sort_by(f64::total_cmp);
    Ok(vec![
        Figure::new("LoCoMo questions", plain.questions),
        Figure::new("LoCoMo turn R@10, words only", plain.turn_10),
        Figure::new("LoCoMo turn R@5, words only", plain.turn_5),
        Figure::new("LoCoMo turn R@10, the built-in weights", default.turn_10),
        Figure::new("LoCoMo turn R@5, the built-in weights", default.turn_5),
        Figure::new("LoCoMo session R@5, the built-in weights", default.session_5),
        Figure::new("LoCoMo session R@10, the built-in weights", default.session_10),
        Figure::new("LoCoMo turn R@10, named times not looked at", timeless.turn_10),
        Figure::new("LoCoMo session R@10, named times not looked at", timeless.session_10),
        Figure::new("LoCoMo session R@10, the worst setting tried", all.first().copied().unwrap_or_default()),
        Figure::new(
            "LoCoMo session R@10, the middle one",
            all.get(all.len() / 2).copied().unwrap_or_default(),
        ),
        Figure::at_least("LoCoMo turn R@10, one conversation left out", held_out.turn_10, 0.70),
        Figure::at_least("LoCoMo turn R@5, one conversation left out", held_out.turn_5, 0.61),
        Figure::new("LoCoMo session R@5, one conversation left out", held_out.session_5),
        Figure::at_least("LoCoMo session R@10, one conversation left out", held_out.session_10, 0.93),
    ])
}

/// Settings from everywhere in the space of those that make sense: neighbours, sessions, their constants, named times.
fn grid() -> Vec<Weights> {
    let mut all = Vec::new();
    for (neighbour, second_neighbour) in [(0.3, 0.1), (0.4, 0.2), (0.5, 0.2), (0.6, 0.3)] {
        for session in [0.3, 0.5, 0.8, 1.2] {
            for (session_k1, session_b) in [(1.2, 0.5), (1.2, 0.75), (2.0, 0.75), (3.0, 0.75), (2.0, 0.9)] {
                for peak in [0.2, 0.35, 0.5, 0.65] {
                    for then in [0.5, 1.0, 2.0, 4.0] {
                        let words = Weights { neighbour, second_neighbour, ..Weights::default() };
                        all.push(Weights { session, session_k1, session_b, peak, then, ..words });
                    }
                }
            }
        }
    }
    // The step has no factor in common with the lengths of the lists, so every value of each is met.
    all.into_iter().step_by(17).collect()
}

fn score(index: &Index, questions: &[Question]) -> Result<Sums> {
    let mut sums = Sums::default();
    for question in questions {
        let query = Query::new(question.text.as_str());
        let turns: Vec<String> = index.search(&query)?.into_iter().map(|hit| hit.id).collect();
        let sessions: Vec<String> = index.sessions(&query)?.into_iter().map(|hit| hit.session).collect();
        let mut wanted: Vec<String> = question.evidence.iter().map(|id| session_of(id).to_owned()).collect();
        wanted.sort();
        wanted.dedup();
        sums += Sums {
            turn_5: found(&question.evidence, &turns, 5),
            turn_10: found(&question.evidence, &turns, 10),
            session_5: found(&wanted, &sessions, 5),
            session_10: found(&wanted, &sessions, 10),
            questions: 1.0,
        };
    }
    Ok(sums)
}

/// Which share of what is wanted is among the first.
fn found(wanted: &[String], hits: &[String], first: usize) -> f64 {
    let hits = &hits[..first.min(hits.len())];
    wanted.iter().filter(|id| hits.contains(id)).count() as f64 / wanted.len().max(1) as f64
}

/// The mean over all questions, without those of one conversation.
fn total(sums: &[Sums], without: Option<usize>) -> Sums {
    let mut all = Sums::default();
    for (_, one) in sums.iter().enumerate().filter(|(at, _)| Some(*at) != without) {
        all += *one;
    }
    average(all)
}

fn average(sums: Sums) -> Sums {
    let count = sums.questions.max(1.0);
    Sums {
        turn_5: sums.turn_5 / count,
        turn_10: sums.turn_10 / count,
        session_5: sums.session_5 / count,
        session_10: sums.session_10 / count,
        questions: sums.questions,
    }
}

fn session_of(id: &str) -> &str {
    id.split_once(':').map_or(id, |(session, _)| session)
}

fn read(file: &Path) -> Result<Vec<Conversation>> {
    let data: Vec<Value> = serde_json::from_slice(&fs::read(file)?).context("this is not locomo10.json")?;
    data.iter().map(conversation).collect()
}

fn conversation(data: &Value) -> Result<Conversation> {
    let talk = data["conversation"].as_object().context("a conversation is missing")?;
    let mut turns = Vec::new();
    for number in 1.. {
        let Some(session) = talk.get(&format!("session_{number}")) else {
            if talk.contains_key(&format!("session_{number}_date_time")) {
                continue;
            }
            break;
        };
        let time = talk.get(&format!("session_{number}_date_time")).and_then(Value::as_str);
        let time_ms = time.and_then(milliseconds).context("a session has no time")?;
        for turn in session.as_array().into_iter().flatten() {
            let field = |name: &str| turn[name].as_str().unwrap_or_default();
            let mut text = format!("{}: {}", field("speaker"), field("text"));
            if !field("blip_caption").is_empty() {
                text.push_str(&format!(" (shares {})", field("blip_caption")));
            }
            let id = field("dia_id").to_owned();
            let session = Some(session_of(&id).to_owned());
            turns.push(Document { id, text, session, time_ms, importance: 0.5, ..Document::default() });
        }
    }
    let mut questions = Vec::new();
    for item in data["qa"].as_array().into_iter().flatten() {
        let named = item["evidence"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let named = named.flat_map(|text| text.split([';', ',', ' '])).map(str::to_owned);
        let mut evidence: Vec<String> = named.filter(|id| turns.iter().any(|turn| turn.id == *id)).collect();
        evidence.sort();
        evidence.dedup();
        if let (Some(text), false) = (item["question"].as_str(), evidence.is_empty()) {
            questions.push(Question { text: text.to_owned(), evidence });
        }
    }
    Ok(Conversation { turns, questions })
}

/// `1:56 pm on 8 May, 2023`, as noon of that day.
fn milliseconds(text: &str) -> Option<i64> {
    let (_, date) = text.split_once(" on ")?;
    let date = jiff::civil::Date::strptime("%d %B, %Y", date).ok()?;
    let noon = date.at(12, 0, 0, 0).to_zoned(jiff::tz::TimeZone::UTC).ok()?;
    Some(noon.timestamp().as_millisecond())
}
