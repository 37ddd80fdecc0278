//! `vib memory answer` and `vib memory ask`: a question that was answered once need not be answered again. (MM12)

use ::memory::log::{Provenance, Scope};
use ::memory::qa::{THRESHOLD, sameness};
use redact::Counts;
use serde::Serialize;
use serde_json::{Value, json};

use super::places::project_log;
use super::remember::Remembered;
use super::{note_write, write};
use crate::{Engine, Error, Result, audit};

/// The kind of event.
const ANSWER: &str = "answer";

/// What is known about a question.
#[derive(Debug, Clone, Serialize)]
pub struct AskReport {
    /// There is an answer that a person gave to the same question.
    pub known: bool,
    /// The answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<KnownAnswer>,
    /// How sure one has to be.
    pub threshold: f64,
    /// How sure the nearest question is, even where that is not enough.
    pub nearest: f64,
    /// Time of the report.
    pub now_ms: i64,
}

/// An answer and where it comes from.
#[derive(Debug, Clone, Serialize)]
pub struct KnownAnswer {
    /// What was answered.
    pub text: String,
    /// The question it was given to.
    pub question: String,
    /// How sure it is that the question is the same, from 0 to 1.
    pub confidence: f64,
    /// Where it comes from: only what a person said counts.
    pub source: Provenance,
    /// Through which tool.
    pub updated_by: String,
    /// When.
    pub last_updated: i64,
    /// Until when it counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires: Option<i64>,
}

/// Writes down the answer to a question. A later answer to the same question takes its place.
pub fn answer(
    engine: &Engine,
    by: &str,
    question: &str,
    text: &str,
    ttl_ms: Option<i64>,
) -> Result<Remembered> {
    let mut gate = engine.gate();
    let mut counts = Counts::default();
    let mut clean = |text: &str| {
        let clean = gate.clean(text.trim());
        counts.add(clean.counts());
        clean.into_string()
    };
    let (question, text) = (clean(question), clean(text));
    if question.is_empty() || text.is_empty() {
        return Err(Error::Usage(
            "a question and its answer are needed, and one of them is empty".to_owned(),
        ));
    }
    if sameness(&question, &question) < THRESHOLD {
        return Err(Error::Usage(format!("`{question}` has no word by which it could be found again")));
    }
    let log = project_log(engine);
    log.writable()?;
    let body = json!({"question": question, "text": text});
    let mut event = write::event(engine, ANSWER, Provenance::Explicit, body);
    event.agent = Some(by.to_owned());
    event.ttl_ms = ttl_ms;
    let repaired = write::append_said(engine, &log, std::slice::from_ref(&event))?;
    note_write(engine, by, counts, 0, audit::Outcome::Success);
    Ok(Remembered {
        id: event.id,
        kind: ANSWER.to_owned(),
        scope: Scope::Project,
        redacted: !counts.is_untouched(),
        repaired: repaired.map(|repaired| repaired.kept_in.display().to_string()),
    })
}

/// Looks for the answer to a question. Says so when there is none.
pub fn ask(engine: &Engine, question: &str) -> Result<AskReport> {
    if question.trim().is_empty() {
        return Err(Error::Usage("there is no question".to_owned()));
    }
    let now_ms = engine.context().now_ms();
    let contents = project_log(engine).read()?;
    let mut best: Option<(f64, &::memory::log::Event)> = None;
    let explicit =
        |event: &&::memory::log::Event| event.kind == ANSWER && event.provenance == Provenance::Explicit;
    for event in contents.events.iter().filter(explicit).filter(|event| !event.is_over(now_ms)) {
        let sure = sameness(question, word(event, "question"));
        // The later one of two that fit alike.
        if best.is_none_or(|(before, _)| sure >= before) {
            best = Some((sure, event));
        }
    }
    let nearest = best.map_or(0.0, |(sure, _)| round(sure));
    let found = best.filter(|(sure, _)| *sure >= THRESHOLD);
    let answer = found.map(|(sure, event)| KnownAnswer {
        text: word(event, "text").to_owned(),
        question: word(event, "question").to_owned(),
        confidence: round(sure),
        source: event.provenance,
        updated_by: event.agent.clone().unwrap_or_else(|| "unknown".to_owned()),
        last_updated: event.time_ms,
        expires: event.ttl_ms.map(|ttl| event.time_ms.saturating_add(ttl)),
    });
    Ok(AskReport { known: answer.is_some(), answer, threshold: THRESHOLD, nearest, now_ms })
}

/// What a person answered to the same question, unless it is one that only they answer: about a permission, a deletion, a key. Two different
/// answers to one question are none.
pub fn offer(engine: &Engine, question: &str, options: &[String]) -> Result<Option<KnownAnswer>> {
    let Some(answer) = known(engine, question, options)? else { return Ok(None) };
    let is_one_of_them = options.is_empty() || options.iter().any(|option| same_words(option, &answer.text));
    Ok(Some(answer).filter(|_| is_one_of_them))
}

/// The same for whoever reads words: also an answer that was none of the options, because the person said it in their own.
pub fn known(engine: &Engine, question: &str, options: &[String]) -> Result<Option<KnownAnswer>> {
    if question.trim().is_empty() || !::gates::may_be_answered(question, options) {
        return Ok(None);
    }
    Ok(ask(engine, question)?.answer)
}

/// One line about a known answer: what it is, and from when.
pub fn offer_in_words(known: &KnownAnswer) -> String {
    let day = jiff::Timestamp::from_millisecond(known.last_updated)
        .map_or_else(|_| "before".to_owned(), |time| time.strftime("%Y-%m-%d").to_string());
    format!("The person answered \"{}\" on {day}: \"{}\".", known.question, known.text)
}

/// The person chose this in the client's own dialog: their word, which counts for `qa.ttl_days`. What only they answer is not kept.
pub fn answered_in_chat(
    engine: &Engine,
    who: &crate::agent::Who,
    question: &str,
    options: &[String],
    text: &str,
) -> Result<()> {
    if !::gates::may_be_answered(question, options) || sameness(question, question) < THRESHOLD {
        return Ok(());
    }
    let days = i64::try_from(engine.project().config().number("qa.ttl_days")).unwrap_or(90);
    answer(engine, &who.client, question, text, Some(days.saturating_mul(86_400_000))).map(|_| ())
}

fn same_words(one: &str, other: &str) -> bool {
    one.trim().eq_ignore_ascii_case(other.trim())
}

fn round(share: f64) -> f64 {
    (share * 100.0).round() / 100.0
}

fn word<'e>(event: &'e ::memory::log::Event, name: &str) -> &'e str {
    event.body.get(name).and_then(Value::as_str).unwrap_or_default()
}
