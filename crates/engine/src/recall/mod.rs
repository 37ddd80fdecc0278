//! Which memories fit what is being done now. (MM7)
//!
//! The index is folded from the logs and lies beside them; see [`memory::recall::feed`]. Everything that is given out passes
//! the gate, says where it comes from, and is marked where the files it speaks of are no longer what they were.
//!
//! Start reading at [`recall`].

mod clean;
mod meaning;
mod places;
mod present;
mod prompt;

use ::memory::log::{Provenance, Scope};
use ::memory::recall::{Budget, Fed, Hit, Index, Query};
use project::RelPath;
use redact::Counts;
use store::{Progress, Silent};

use crate::audit::{self, Event, Intent, Outcome, Parameters, Row};
use crate::{Engine, Notice, Result, learning};

pub(crate) use meaning::examine as examine_model;
pub use places::{rebuild, upkeep};
pub use present::{Found, Source};
pub use prompt::with_prompt;
pub(crate) use prompt::{speaking_of, would_tell};

/// What may be said in all, where nobody sets a limit, in tokens.
pub const USUAL_BUDGET: usize = 1_200;
/// A class may always have so much.
const LEAST_PER_CLASS: usize = 400;
/// A single memory may always have so much; of a longer one the part that fits is shown.
const LEAST_PER_MEMORY: usize = 80;

/// A question.
#[derive(Debug, Clone)]
pub struct Question {
    /// In words.
    pub text: String,
    /// Only this scope; none: all.
    pub scope: Option<Scope>,
    /// The files being worked on.
    pub paths: Vec<RelPath>,
    /// At most so many answers.
    pub k: usize,
    /// At most so many tokens.
    pub budget: usize,
    /// So many tokens of a single memory; else its share of the budget.
    pub longest: Option<usize>,
    /// Say why each answer is there.
    pub why: bool,
    /// The client that asks, which sees what is for it; none: the person, who sees everything.
    pub reader: Option<String>,
}

impl Question {
    /// A question of the person, with the usual limits.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            scope: None,
            paths: Vec::new(),
            k: 10,
            budget: USUAL_BUDGET,
            longest: None,
            why: false,
            reader: None,
        }
    }
}

/// The answer.
#[derive(Debug, serde::Serialize)]
pub struct RecallReport {
    /// What fits, best first.
    pub found: Vec<Found>,
    /// How many tokens that is, about.
    pub tokens: usize,
    /// How many memories there are.
    pub memories: usize,
    /// How many of them are not in the index yet and were read from the log.
    pub tail: usize,
    /// Bytes of the logs that were not looked at, because another process is just folding them in.
    pub not_looked_at: u64,
    /// The index was missing or damaged and was made anew.
    pub rebuilt: bool,
    /// The number of the policy by which it was weighed; 0: the built-in weights.
    pub policy: u64,
    /// A model of the person's helped to find what means the same.
    pub by_meaning: bool,
    /// Time of the report.
    pub now_ms: i64,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

/// Answers a question from memory, and notes in the audit log that memory was read.
pub fn recall(engine: &Engine, question: &Question, progress: &dyn Progress) -> Result<RecallReport> {
    let policy = learning::in_force(engine);
    let mut model = meaning::Chosen::of(engine);
    let (fed, hits) = match search_with(engine, question, &policy, &mut model, progress) {
        Err(crate::Error::Recall(error)) if error.is_rebuildable() => {
            places::rebuild(engine, progress)?;
            search_with(engine, question, &policy, &mut model, progress)?
        }
        done => done?,
    };
    let (found, row) = through_the_gate(engine, question, &hits.iter().collect::<Vec<_>>());
    let mut report = RecallReport {
        tokens: found.iter().map(|found| found.tokens).sum(),
        found,
        memories: fed.index.len(),
        tail: fed.tail,
        not_looked_at: fed.left,
        rebuilt: fed.rebuilt,
        policy: policy.number,
        now_ms: engine.context().now_ms(),
        by_meaning: model.is_in_use(),
        notices: model.notice().into_iter().collect(),
    };
    if let Err(error) = audit::record_output(engine, &row, &said(&report.found)) {
        report.notices.push(Notice::NotRecorded { message: error.to_string() });
    }
    Ok(report)
}

/// Memories as they are given out, and the row that says so.
fn through_the_gate(engine: &Engine, question: &Question, hits: &[&Hit]) -> (Vec<Found>, Row) {
    let (mut gate, name) = (engine.gate(), clean::gate_name(engine));
    let mut counts = Counts::default();
    let found: Vec<Found> =
        hits.iter().map(|hit| present::present(engine, hit, &mut gate, &name, &mut counts)).collect();
    let tool = question.reader.as_deref().unwrap_or("cli");
    let mut row = Row::new(Event::MemorySummaryRead, tool, Outcome::Success).redacted(counts);
    row.parameters = Some(Parameters::Typed);
    // The goal is not shown here as one; an old one is a memory with its date.
    row.intent = Some(Intent::Absent);
    row.paths_count.total = found.iter().map(|found| (found.paths.len() + found.more_paths) as u64).sum();
    (found, row)
}

fn said(found: &[Found]) -> String {
    found.iter().map(|found| found.text.as_str()).collect::<Vec<_>>().join("\n")
}

/// The same, for a hook: that it could not be noted must not stop the agent.
fn give_out(engine: &Engine, question: &Question, hits: &[&Hit]) -> Vec<Found> {
    let (found, row) = through_the_gate(engine, question, hits);
    let _ = audit::record_output(engine, &row, &said(&found));
    found
}

/// By words alone, as hooks do.
fn search(engine: &Engine, question: &Question, policy: &learning::Policy) -> Result<(Fed, Vec<Hit>)> {
    search_with(engine, question, policy, &mut meaning::Chosen::default(), &Silent)
}

fn search_with(
    engine: &Engine,
    question: &Question,
    policy: &learning::Policy,
    model: &mut meaning::Chosen,
    progress: &dyn Progress,
) -> Result<(Fed, Vec<Hit>)> {
    let mut fed = places::open(engine, question.scope, progress)?;
    fed.index.set_weights(policy.weights);
    let per_class = (question.budget / 2).max(LEAST_PER_CLASS).min(question.budget);
    let share = question.budget / question.k.max(1);
    let per_hit = question.longest.or(Some(share.max(LEAST_PER_MEMORY).min(question.budget)));
    let query = Query {
        text: question.text.clone(),
        paths: question.paths.iter().map(ToString::to_string).collect(),
        now_ms: Some(engine.context().now_ms()),
        k: question.k,
        budget: Budget { total: Some(question.budget), per_class: Some(per_class), per_hit },
        diverse: true,
        why: question.why,
        reader: question.reader.clone(),
        lifts: policy.lifts.clone(),
        learned: policy.learned.clone(),
    };
    let hits = model.search(&fed.index, &query)?;
    Ok((fed, hits))
}

/// Indexes that hold together what was asked for.
fn join(one: Fed, other: Fed) -> Fed {
    let index: Index = one.index.and(other.index);
    Fed {
        index,
        tail: one.tail + other.tail,
        left: one.left + other.left,
        rebuilt: one.rebuilt || other.rebuilt,
    }
}

/// How a fact came to be known, in a word.
fn source_word(source: Provenance) -> &'static str {
    match source {
        Provenance::Explicit => "explicit",
        Provenance::Observed | Provenance::Unknown => "observed",
        Provenance::Imported => "imported",
    }
}
