//! What a person or an agent asked vib for, as a sight: what guard answered, checkpoints that somebody named or pinned, tags.
//!
//! Recall finds them ("when was this last safe?"); agents are not told of them by themselves. A sight that cannot be written waits in the
//! outbox like every other; the answer that was asked for does not depend on it.

use ::memory::log::{Outcome, Provenance};
use ::memory::work::{CHECKPOINT, GUARD, TAG};
use risk::GuardAnswer;
use serde_json::{Value, json};
use store::Checkpoint;

use super::{observe, write};
use crate::Engine;
use crate::guard::GuardReport;

/// Most files that one sight names.
const MOST_PATHS: usize = 20;

/// What guard said. Nothing changed: nothing is noted.
pub fn guard_answered(engine: &Engine, via: &str, report: &GuardReport) {
    if report.files == 0 && report.violations.is_empty() {
        return;
    }
    let mut paths: Vec<String> =
        report.violations.iter().filter_map(|violation| violation.path.clone()).collect();
    paths.sort();
    paths.dedup();
    paths.truncate(MOST_PATHS);
    let (answer, outcome) = match report.verdict {
        GuardAnswer::Pass => ("pass", Outcome::Success),
        GuardAnswer::Prepare => ("prepare", Outcome::Unknown),
        GuardAnswer::Stop => ("stop", Outcome::Failure),
    };
    let rules: Vec<&str> =
        report.violations.iter().take(MOST_PATHS).map(|violation| violation.rule).collect();
    let text =
        format!("guard answered {answer}: {} files, {} objections", report.files, report.violations.len());
    let body = json!({"text": text, "answer": answer, "files": report.files, "rules": rules, "paths": paths});
    note(engine, via, GUARD, body, Some(outcome));
}

/// Somebody saved a checkpoint and said what it is, or keeps one for ever.
pub fn checkpoint_named(engine: &Engine, via: &str, checkpoint: &Checkpoint) {
    let Some(message) = checkpoint.message.as_deref().map(str::trim).filter(|message| !message.is_empty())
    else {
        if checkpoint.pinned {
            pinned(engine, via, checkpoint, "");
        }
        return;
    };
    let message = engine.gate().clean(message).into_string();
    if checkpoint.pinned {
        pinned(engine, via, checkpoint, &message);
        return;
    }
    let body = json!({"text": format!("checkpoint: {message}"), "checkpoint": checkpoint.id});
    note(engine, via, CHECKPOINT, body, None);
}

fn pinned(engine: &Engine, via: &str, checkpoint: &Checkpoint, message: &str) {
    let text = format!("checkpoint {} pinned {message}", checkpoint.id);
    note(
        engine,
        via,
        CHECKPOINT,
        json!({"text": text.trim(), "checkpoint": checkpoint.id, "pinned": true}),
        None,
    );
}

/// A tag of git that an agent's command made.
pub(super) fn tag(name: &str) -> (&'static str, Value) {
    (TAG, json!({"text": format!("tagged {name}"), "tag": name}))
}

fn note(engine: &Engine, via: &str, kind: &str, body: Value, outcome: Option<Outcome>) {
    if observe::is_minimal(engine) {
        return;
    }
    let mut event = write::event(engine, kind, Provenance::Observed, body);
    event.agent = Some(via.to_owned());
    event.tool = Some(format!("vib {kind}"));
    event.outcome = outcome;
    let _ = write::append_seen(engine, &[event]);
}
