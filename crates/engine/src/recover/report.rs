//! Looking, and saying what was found. A look writes nothing; a row in the audit log and the list of labels for feedback are
//! written when somebody acts on it, or when it leaves to another program.

use std::path::PathBuf;

use recovery::{Diagnosis, Git, Intent, Phrase, Signals, Way, ZoneInput};
use serde::Serialize;
use store::{Progress, Store, WorkingTree};

use super::gates::{Gate, is_broken};
use super::{gather, plan};
use crate::audit::{self, Outcome, PathsCount, Row};
use crate::changes::Now;
use crate::verdict::{Verdict, verdict_in};
use crate::{Engine, Notice, Result, memory};

/// What a person asks.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// Their words; empty means "it broke".
    pub words: String,
    /// Only these files.
    pub files: Vec<PathBuf>,
    /// To this checkpoint.
    pub checkpoint: Option<String>,
    /// The client or surface that asks: `cli`, `mcp:cursor`, `web`.
    pub tool: String,
}

/// What was found, and what can be done.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Names this look; feedback about its labels refers to it.
    pub incident: String,
    /// How risky what stands now is, and why: what every command says. What going back would cost is said of each way.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// What was found.
    pub diagnosis: Diagnosis,
    /// What can be done, the gentlest that helps first.
    pub ways: Vec<Way>,
    /// The goal, as a person gave it.
    pub intent: Option<Intent>,
    /// Git, as far as its own files tell.
    pub git: Git,
    /// There is a checkpoint to go back to.
    pub has_history: bool,
    /// Changes that were too many to be compared.
    pub not_compared: u64,
    /// Right drift labels in a hundred; none while too little is known.
    pub zone_accuracy: Option<u8>,
    /// Checks that are worth running: those that were recorded before.
    pub checks: Vec<String>,
    /// Secrets or private details were replaced in the texts of this report.
    pub redacted: bool,
    /// Time of the report.
    pub now_ms: i64,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

/// Everything that one look found; kept while a preview is made from it.
pub(super) struct Looked {
    pub(super) signals: Signals,
    pub(super) report: Report,
    pub(super) working: WorkingTree,
    note: Note,
}

/// What is written about a look, if it comes to that.
struct Note {
    row: Row,
    /// The texts of the report, as they are shown.
    shown: String,
}

/// Says what happened and what can be done. Writes nothing: looking is no act.
pub fn diagnose(engine: &Engine, query: &Query, progress: &dyn Progress) -> Result<Report> {
    let opened = engine.store(progress)?;
    let mut looked = look(engine, &opened.store, query, progress)?;
    looked.report.notices = opened.notices;
    Ok(looked.report)
}

/// The same for another program: what leaves to it stands in the audit log.
pub fn tell(engine: &Engine, query: &Query, progress: &dyn Progress) -> Result<Report> {
    let opened = engine.store(progress)?;
    let mut looked = look(engine, &opened.store, query, progress)?;
    looked.record(engine);
    looked.report.notices.splice(0..0, opened.notices);
    Ok(looked.report)
}

pub(super) fn look(
    engine: &Engine,
    store: &Store<'_>,
    query: &Query,
    progress: &dyn Progress,
) -> Result<Looked> {
    engine.known_paths(store, &query.files)?;
    let phrase = Phrase::parse(&query.words);
    let memory = memory::show(engine)?.memory;
    let (working, present) = store.working_tree_and_files(progress)?;
    let verdict = verdict_in(engine, &Now { store, working: &working }, present, progress)?;
    let mut signals = gather::signals(engine, store, &working, &memory, &phrase)?;
    only_files(engine, query, &mut signals)?;
    // What the person said, kept apart: the row about this look is written from it.
    let truth = signals.zone.clone();
    if is_broken(Gate::Drift) {
        signals.zone.confirmed.clear();
        signals.zone.relevant.clear();
    }
    if is_broken(Gate::Stale)
        && let Some(intent) = &mut signals.zone.intent
    {
        intent.stale = false;
    }
    let diagnosis = recovery::diagnose(&signals, &phrase);
    let ways = recovery::recommend(&signals, &diagnosis);
    let mut checks: Vec<String> = signals.checks.iter().map(|check| check.command.clone()).collect();
    checks.sort_unstable();
    checks.dedup();
    let mut report = Report {
        incident: format!("{:012x}", engine.context().random_u64() >> 16),
        verdict,
        diagnosis,
        ways,
        intent: signals.zone.intent.clone(),
        git: signals.git.clone(),
        has_history: signals.has_history,
        not_compared: signals.not_compared,
        zone_accuracy: signals.feedback.accuracy(),
        checks,
        redacted: false,
        now_ms: signals.now_ms,
        notices: Vec::new(),
    };
    let note = note(engine, query, &truth, &mut report);
    Ok(Looked { signals, report, working, note })
}

/// With files named, only what happened to them is looked at.
fn only_files(engine: &Engine, query: &Query, signals: &mut Signals) -> Result<()> {
    let only = engine.paths(&query.files)?;
    if only.is_empty() {
        return Ok(());
    }
    signals.changes.retain(|change| {
        project::RelPath::new(change.path.as_bytes())
            .is_ok_and(|path| only.iter().any(|folder| path.is_in(folder)))
    });
    Ok(())
}

/// Passes what people said through the gate, and prepares the row that says so.
fn note(engine: &Engine, query: &Query, truth: &ZoneInput, report: &mut Report) -> Note {
    let mut gate = engine.gate();
    let mut counts = redact::Counts::default();
    let mut shown = String::new();
    let mut clean = |text: &mut String| {
        if !is_broken(Gate::Redaction) {
            let cleaned = gate.clean(text);
            counts.add(cleaned.counts());
            *text = cleaned.into_string();
        }
        shown.push_str(text);
        shown.push('\n');
    };
    for finding in &mut report.diagnosis.findings {
        finding.prompt.as_mut().map(&mut clean);
    }
    if let Some(intent) = &mut report.intent {
        clean(&mut intent.text);
    }
    report.checks.iter_mut().for_each(&mut clean);
    report.redacted = !counts.is_untouched();
    let zone = &report.diagnosis.zone;
    let mut row = Row::new(audit::Event::RecoveryPreview, tool(query), Outcome::Success).redacted(counts);
    row.paths_count = PathsCount {
        in_zone: zone.inside.len() as u64,
        drift: zone.outside.len() as u64,
        total: report.diagnosis.changed.len() as u64,
    };
    row.recovery_level = report.ways.first().map(|way| way.level);
    // Both from what the person said, not from what the zone made of it.
    let is_stale = truth.intent.as_ref().is_some_and(|intent| intent.stale);
    row.intent = Some(match &report.intent {
        None => audit::Intent::Absent,
        Some(_) if !is_stale => audit::Intent::Fresh,
        Some(shown) if shown.stale && zone.stale_intent => audit::Intent::StaleLabelled,
        Some(_) => audit::Intent::StaleShownAsFresh,
    });
    let confirmed = |path: &str| truth.confirmed.iter().any(|file| file == path);
    row.drift_on_confirmed = Some(zone.outside.iter().filter(|file| confirmed(&file.path)).count() as u64);
    Note { row, shown }
}

impl Looked {
    /// Somebody acts on this look, or it leaves to another program: writes the row, and the labels that can be judged.
    pub(super) fn record(&mut self, engine: &Engine) {
        let Note { row, shown } = &self.note;
        let recorded = if is_broken(Gate::Redaction) {
            audit::record_output_for_review(engine, row, shown)
        } else {
            audit::record_output(engine, row, shown)
        };
        if let Err(error) = recorded {
            self.report.notices.push(Notice::NotRecorded { message: error.to_string() });
        }
        plan::keep_incident(engine, &incident(&self.report));
    }
}

/// What this look labelled.
pub(super) fn incident(report: &Report) -> plan::Incident {
    let drift = report.diagnosis.zone.outside.iter().map(|file| file.path.clone()).collect();
    plan::Incident { id: report.incident.clone(), drift, time_ms: report.now_ms }
}

pub(super) fn tool(query: &Query) -> String {
    if query.tool.is_empty() { "cli".to_owned() } else { query.tool.clone() }
}
