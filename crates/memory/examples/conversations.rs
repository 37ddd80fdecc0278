//! Are the turns found that answer a question about a long conversation? Two unlike sets: LoCoMo (invented, CC BY-NC) and REALTALK (people who
//! really chatted); both are read, never copied. Weights are chosen on one set and shown on the other, beside BM25 and BM25 with neighbours.
//!
//! `cargo run --release -p vib-memory --example conversations -- LOCOMO_FOLDER REALTALK_FOLDER`: folders with one JSON file per conversation.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement for people at a terminal")]

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use serde_json::Value;
use vib_memory::recall::{Document, Index, Query, Weights};

struct Talk {
    turns: Vec<Document>,
    questions: Vec<(String, Vec<String>)>,
    index: Index,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut sets: Vec<(&str, Vec<Talk>)> = ["LoCoMo", "REALTALK"]
        .into_iter()
        .map(|name| (name, read(Path::new(&arguments.next().unwrap()))))
        .collect();
    for (name, talks) in &sets {
        let questions: usize = talks.iter().map(|talk| talk.questions.len()).sum();
        println!("{name}: {} conversations, {questions} questions", talks.len());
    }
    for (name, talks) in &mut sets {
        show(name, "BM25", bm25(talks, 0.0));
        let with = [0.2, 0.3, 0.4, 0.5, 0.7].map(|lambda| bm25(talks, lambda));
        show(name, "BM25 with neighbours, the best of five weights on this very set", with[best(&with)]);
        // The same over vib's words (stems, no common ones), so that not only the words make the difference.
        let stemmed = [0.0, 0.2, 0.3, 0.5]
            .map(|neighbour| vib(talks, Weights { neighbour, k1: 1.2, b: 0.75, ..words_only() }));
        show(
            name,
            "BM25 with neighbours over vib's words, the best of four on this very set",
            stemmed[best(&stemmed)],
        );
        show(name, "vib, words only", vib(talks, words_only()));
        show(name, "vib, built-in weights", vib(talks, Weights::default()));
    }
    // What each setting comes to on each set: chosen on one, shown on the other.
    let weights = grid();
    let mut tried: Vec<Vec<(f64, f64)>> = Vec::new();
    for (_, talks) in &mut sets {
        tried.push(weights.iter().map(|weights| vib(talks, *weights)).collect());
    }
    for (at, (name, _)) in sets.iter().enumerate() {
        let chosen = best(&tried[1 - at]);
        show(name, "vib, weights chosen on the other set", tried[at][chosen]);
        show(name, "vib, weights chosen on this very set", tried[at][best(&tried[at])]);
        let Weights { neighbour, second_neighbour, session, k1, b, .. } = weights[chosen];
        println!(
            "  (chosen on the other: neighbour {neighbour}/{second_neighbour} session {session} k1 {k1} b {b})"
        );
    }
}

fn best(results: &[(f64, f64)]) -> usize {
    (0..results.len()).max_by(|a, b| sum(results[*a]).total_cmp(&sum(results[*b]))).unwrap()
}

fn sum((five, ten): (f64, f64)) -> f64 {
    five + ten
}

fn show(set: &str, what: &str, (five, ten): (f64, f64)) {
    println!("{set}: R@5 {five:.3} R@10 {ten:.3}  {what}");
}

fn words_only() -> Weights {
    Weights { neighbour: 0.0, second_neighbour: 0.0, session: 0.0, then: 0.0, ..Weights::default() }
}

fn grid() -> Vec<Weights> {
    let mut all = vec![Weights::default()];
    for (neighbour, second_neighbour) in [(0.2, 0.1), (0.3, 0.1), (0.4, 0.2)] {
        for session in [0.1, 0.3, 0.8] {
            for (k1, b) in [(1.2, 0.75), (0.9, 0.4)] {
                all.push(Weights { neighbour, second_neighbour, session, k1, b, ..Weights::default() });
            }
        }
    }
    all
}

/// The mean share of the wanted turns among the first five and ten.
fn vib(talks: &mut [Talk], weights: Weights) -> (f64, f64) {
    let (mut five, mut ten, mut count) = (0.0, 0.0, 0.0);
    for talk in talks {
        talk.index.set_weights(weights);
        for (text, wanted) in &talk.questions {
            let found: Vec<String> = talk
                .index
                .search(&Query::new(text.as_str()))
                .unwrap()
                .into_iter()
                .map(|hit| hit.id)
                .collect();
            five += share(wanted, &found, 5);
            ten += share(wanted, &found, 10);
            count += 1.0;
        }
    }
    (five / count, ten / count)
}

fn share(wanted: &[String], found: &[String], first: usize) -> f64 {
    let found = &found[..first.min(found.len())];
    wanted.iter().filter(|id| found.contains(id)).count() as f64 / wanted.len() as f64
}

/// As everybody writes it: words in small letters, k1 1.2, b 0.75; `lambda` of the score of the turns before and after.
fn bm25(talks: &[Talk], lambda: f64) -> (f64, f64) {
    let (mut five, mut ten, mut count) = (0.0, 0.0, 0.0);
    for talk in talks {
        let words: Vec<Vec<String>> = talk.turns.iter().map(|turn| plain(&turn.text)).collect();
        let mean = words.iter().map(Vec::len).sum::<usize>() as f64 / words.len() as f64;
        let mut places: HashMap<&str, BTreeMap<usize, f64>> = HashMap::new();
        for (at, turn) in words.iter().enumerate() {
            for word in turn {
                *places.entry(word).or_default().entry(at).or_default() += 1.0;
            }
        }
        for (text, wanted) in &talk.questions {
            let mut scores = vec![0.0; words.len()];
            for word in plain(text) {
                let Some(turns) = places.get(word.as_str()) else { continue };
                let (n, df) = (words.len() as f64, turns.len() as f64);
                let idf = (1.0 + (n - df + 0.5) / (df + 0.5)).ln();
                for (at, tf) in turns {
                    let length = words[*at].len() as f64;
                    scores[*at] += idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * length / mean));
                }
            }
            let near = |at: usize| -> f64 {
                let same = |other: usize| talk.turns[other].session == talk.turns[at].session;
                let before =
                    at.checked_sub(1).filter(|other| same(*other)).map_or(0.0, |other| scores[other]);
                let after = Some(at + 1).filter(|other| *other < scores.len() && same(*other));
                before + after.map_or(0.0, |other| scores[other])
            };
            let mut order: Vec<(f64, usize)> =
                (0..scores.len()).map(|at| (scores[at] + lambda * near(at), at)).collect();
            order.sort_by(|(a, x), (b, y)| b.total_cmp(a).then(x.cmp(y)));
            let found: Vec<String> =
                order.iter().take(10).map(|(_, at)| talk.turns[*at].id.clone()).collect();
            five += share(wanted, &found, 5);
            ten += share(wanted, &found, 10);
            count += 1.0;
        }
    }
    (five / count, ten / count)
}

fn plain(text: &str) -> Vec<String> {
    text.to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

fn read(folder: &Path) -> Vec<Talk> {
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| talk(&serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap())).collect()
}

fn talk(data: &Value) -> Talk {
    let sessions = data.get("conversation").unwrap_or(data);
    let mut turns = Vec::new();
    for number in 1..200 {
        let Some(session) = sessions.get(format!("session_{number}")).and_then(Value::as_array) else {
            continue;
        };
        let of_session = sessions.get(format!("session_{number}_date_time")).and_then(Value::as_str);
        for turn in session {
            let field = |name: &str| turn[name].as_str().unwrap_or_default();
            let text = if field("text").is_empty() { field("clean_text") } else { field("text") };
            let caption = if field("blip_caption").is_empty() {
                String::new()
            } else {
                format!(" (shares {})", field("blip_caption"))
            };
            let time = of_session.and_then(spoken_time).or_else(|| written_time(field("date_time")));
            turns.push(Document {
                id: field("dia_id").to_owned(),
                text: format!("{}: {text}{caption}", field("speaker")),
                session: Some(number.to_string()),
                time_ms: time.unwrap_or(0),
                importance: 0.5,
                ..Document::default()
            });
        }
    }
    let mut questions = Vec::new();
    for item in data["qa"].as_array().into_iter().flatten() {
        let named = item["evidence"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let named = named.flat_map(|text| text.split([';', ',', ' '])).map(str::to_owned);
        let mut wanted: Vec<String> = named.filter(|id| turns.iter().any(|turn| turn.id == *id)).collect();
        wanted.sort();
        wanted.dedup();
        if let (Some(text), false) = (item["question"].as_str(), wanted.is_empty()) {
            questions.push((text.to_owned(), wanted));
        }
    }
    let index = Index::of(&turns).unwrap();
    Talk { turns, questions, index }
}

/// `1:56 pm on 8 May, 2023`
fn spoken_time(text: &str) -> Option<i64> {
    let (_, date) = text.split_once(" on ")?;
    noon(jiff::civil::Date::strptime("%d %B, %Y", date).ok()?)
}

/// `29.12.2023, 00:51:12`
fn written_time(text: &str) -> Option<i64> {
    let (date, _) = text.split_once(',')?;
    noon(jiff::civil::Date::strptime("%d.%m.%Y", date).ok()?)
}

fn noon(date: jiff::civil::Date) -> Option<i64> {
    Some(date.at(12, 0, 0, 0).to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_millisecond())
}
