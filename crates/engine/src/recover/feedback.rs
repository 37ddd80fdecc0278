//! What people said about drift labels, kept as events of the memory log. (RC4)

use recovery::{Feedback, Judgement};
use serde::Serialize;
use serde_json::{Value, json};

use super::events::{event, log};
use super::plan::{self, Incident};
use super::report::{self, Query};
use crate::audit::{self, DriftFeedback, Outcome, Row};
use crate::{Engine, Error, Result};

const KIND: &str = "drift_feedback";

/// What was said longer ago no longer counts for whether files are labelled: labels that were switched off come back. (R13)
const COUNTS_MS: i64 = 14 * 24 * 3_600_000;

/// Labels of the same files within this time belong to the same incident.
const ONE_INCIDENT_MS: i64 = 24 * 3_600_000;

/// What was recorded.
#[derive(Debug, Clone, Serialize)]
pub struct FeedbackReport {
    /// The file.
    pub path: String,
    /// The label was right.
    pub right: bool,
    /// Right labels in a hundred of the last incidents; none while too little is known.
    pub accuracy: Option<u8>,
    /// Files outside the zone are called drift candidates.
    pub labelling: bool,
}

/// Records whether it was right to call a file a drift candidate. Only a label that a look at `query` shows now, or that the
/// last incident had, can be judged.
pub fn judge(engine: &Engine, query: &Query, path: &str, right: bool) -> Result<FeedbackReport> {
    let incident = incident_of(engine, query, path)?.ok_or_else(|| Error::NotLabelled(path.to_owned()))?;
    let body = json!({"incident": incident.id, "path": path, "right": right});
    let mut event = event(engine, KIND, body);
    event.agent = Some("cli".to_owned());
    log(engine)?.append(&[event])?;
    let mut row = Row::new(audit::Event::DriftFeedback, "cli", Outcome::Success);
    row.drift_feedback = Some(DriftFeedback { correct: u64::from(right), incorrect: u64::from(!right) });
    audit::record(engine, &row)?;
    let feedback = read(engine)?;
    Ok(FeedbackReport {
        path: path.to_owned(),
        right,
        accuracy: feedback.accuracy(),
        labelling: feedback.may_label(),
    })
}

/// The incident in which `path` was labelled. A look alone keeps none, so it is looked again, and what is new is kept: the other
/// labels of the same incident are judged under the same name.
fn incident_of(engine: &Engine, query: &Query, path: &str) -> Result<Option<Incident>> {
    let labels = |incident: &Incident| incident.drift.iter().any(|labelled| labelled == path);
    let now = report::incident(&report::diagnose(engine, query, &store::Silent)?);
    let last = plan::last_incident(engine);
    let same = |last: &Incident| {
        now.time_ms.saturating_sub(last.time_ms) < ONE_INCIDENT_MS
            && now.drift.iter().all(|file| last.drift.contains(file))
    };
    if let Some(last) = last.filter(|last| labels(last) && (same(last) || !labels(&now))) {
        return Ok(Some(last));
    }
    if !labels(&now) {
        return Ok(None);
    }
    plan::keep_incident(engine, &now);
    Ok(Some(now))
}

/// All judgements; of two about the same label the later one counts.
pub(super) fn read(engine: &Engine) -> Result<Feedback> {
    let mut judged: Vec<(String, String, bool)> = Vec::new();
    let oldest = engine.context().now_ms().saturating_sub(COUNTS_MS);
    let recent = |event: &&memory::log::Event| event.kind == KIND && event.time_ms >= oldest;
    for event in log(engine)?.read()?.events.iter().filter(recent) {
        if let Some((incident, path, right)) = parts(&event.body) {
            judged.retain(|(i, p, _)| (i, p) != (&incident, &path));
            judged.push((incident, path, right));
        }
    }
    Ok(Feedback {
        judgements: judged.into_iter().map(|(incident, _, right)| Judgement { incident, right }).collect(),
    })
}

/// Files of which a person said that the label was mistaken: they belong to the work.
pub(super) fn judged_to_belong(engine: &Engine) -> Result<Vec<String>> {
    let mut files: Vec<String> = Vec::new();
    for event in log(engine)?.read()?.events.iter().filter(|event| event.kind == KIND) {
        if let Some((_, path, right)) = parts(&event.body) {
            files.retain(|file| *file != path);
            if !right {
                files.push(path);
            }
        }
    }
    Ok(files)
}

fn parts(body: &Value) -> Option<(String, String, bool)> {
    let text = |name: &str| body.get(name)?.as_str().map(str::to_owned);
    Some((text("incident")?, text("path")?, body.get("right")?.as_bool()?))
}
