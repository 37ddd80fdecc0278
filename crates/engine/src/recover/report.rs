//! Looking, and saying what was found. A look writes nothing; a row in the audit log and the list of labels for feedback are
//! written when somebody acts on it, or when it leaves to another program.

use std::path::PathBuf;

use recovery::{Ask, Diagnosis, Git, Intent, Phrase, Sign, Signals, Way, ZoneInput};
use serde::Serialize;
use store::{Passage, Progress, Store, WorkingTree};

use super::gates::{Gate, is_broken};
use super::gather::{Gathered, Scope};
use super::mender::{Mended, Workshop};
use super::pick::Pick;
use super::{gather, known, plan};
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
    /// Words that name something and say no more are to be taken back.
    pub undo: bool,
    /// Only these files and places of what a way would do; empty: all of it.
    pub picks: Vec<Pick>,
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
    /// How far back was looked, milliseconds since 1970; none: there is no checkpoint.
    pub looked_from_ms: Option<i64>,
    /// That is as far as anything is kept.
    pub looked_at_all: bool,
    /// Files whose secret is already committed: taking it out does not help, the key has to be revoked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub committed_secrets: Vec<String>,
    /// And the commit is on a remote, too.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub secrets_pushed: bool,
    /// Right drift labels in a hundred; none while too little is known.
    pub zone_accuracy: Option<u8>,
    /// Checks that are worth running: those that were recorded before.
    pub checks: Vec<String>,
    /// A check that fails, and that is known: `vib bisect` with it finds the step after which it fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failing_check: Option<String>,
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
    pub(super) passages: Vec<Passage>,
    /// Files as ways would mend them, by the numbers of their repairs.
    pub(super) mended: Vec<Mended>,
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
    let _told = tracing::info_span!(target: "vib::recover", "diagnose").entered();
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
    let requests = known::requests(store)?;
    // A name alone is to be taken back; a complaint alone names nothing, and is looked into.
    let phrase = Phrase::parse_known(&query.words, &known::of(&requests), query.undo);
    let only = engine.paths(&query.files)?;
    let memory = memory::show(engine)?.memory;
    let (working, present) = store.working_tree_and_files(progress)?;
    let verdict = verdict_in(engine, &Now { store, working: &working }, present, progress)?;
    // Words and files that were named may be about anything that is kept. Else the newest is looked at first, and if nothing is wrong
    // there, everything. (R2)
    let named = !phrase.is_plain() || phrase.count > 1 || !only.is_empty() || phrase.ask == Ask::Unasked;
    let mut scope = Scope { all: named, only: &only, phrase: &phrase };
    let mut gathered = gather::signals(engine, store, &working, &memory, scope)?;
    known::tell(&requests, &mut gathered.signals);
    let (mut truth, mut diagnosis) = judged(&mut gathered.signals, &phrase);
    let found_nothing = diagnosis.findings.is_empty() && diagnosis.phrase.ask == Ask::Broke;
    if !scope.all && found_nothing && (!gathered.signals.looked_at_all || gathered.signals.git.present) {
        scope.all = true;
        let wider = gather::signals(engine, store, &working, &memory, scope)?;
        let mut wider_signals = wider;
        known::tell(&requests, &mut wider_signals.signals);
        let (wider_truth, wider_diagnosis) = judged(&mut wider_signals.signals, &phrase);
        if !wider_diagnosis.findings.is_empty() {
            (gathered, truth, diagnosis) = (wider_signals, wider_truth, wider_diagnosis);
        } else {
            gathered.signals.looked_from_ms = wider_signals.signals.looked_from_ms;
            gathered.signals.looked_at_all = wider_signals.signals.looked_at_all;
        }
    }
    let Gathered { signals, passages } = gathered;
    let mut workshop = Workshop::new(engine, store, &working, &passages);
    let ways = recovery::recommend(&signals, &diagnosis, &mut workshop);
    let mended = workshop.into_made();
    let secret = diagnosis.findings.iter().filter(|finding| finding.sign == Sign::Secret);
    let secret: Vec<String> = secret.flat_map(|finding| finding.paths.iter().cloned()).collect();
    let (committed_secrets, secrets_pushed) = if secret.is_empty() || !signals.git.present {
        (Vec::new(), false)
    } else {
        super::git::committed_secrets(engine.project().root(), &secret)
    };
    let mut checks: Vec<String> = signals.checks.iter().map(|check| check.command.clone()).collect();
    checks.sort_unstable();
    checks.dedup();
    let failing_check = failing_check(engine, query, &signals);
    let mut report = Report {
        incident: format!("{:012x}", engine.context().random_u64() >> 16),
        verdict,
        diagnosis,
        ways,
        intent: signals.zone.intent.clone(),
        git: signals.git.clone(),
        has_history: signals.has_history,
        not_compared: signals.not_compared,
        looked_from_ms: signals.looked_from_ms,
        looked_at_all: signals.looked_at_all,
        committed_secrets,
        secrets_pushed,
        zone_accuracy: signals.feedback.accuracy(),
        checks,
        failing_check,
        redacted: false,
        now_ms: signals.now_ms,
        notices: Vec::new(),
    };
    let note = note(engine, query, &truth, &mut report);
    Ok(Looked { signals, passages, mended, report, working, note })
}

/// The check to look for the broken step with: one that was seen to fail and not to pass since; or, if the person says that a check
/// fails, the newest that is known here.
fn failing_check(engine: &Engine, query: &Query, signals: &Signals) -> Option<String> {
    if signals.steps.is_empty() {
        return None;
    }
    let newest_first = || signals.checks.iter().rev();
    let is_newest = |one: &&recovery::Check| {
        newest_first()
            .find(|other| other.command == one.command)
            .is_some_and(|newest| std::ptr::eq(newest, *one))
    };
    let observed = newest_first().filter(is_newest).find(|check| !check.passed);
    let said = || Phrase::says_check_fails(&query.words);
    let known = || {
        let recorded = newest_first().next().map(|check| check.command.clone());
        recorded.or_else(|| Some(risk::checks::detect(engine.project().root()).first()?.line()))
    };
    let command = observed.map(|check| check.command.clone()).or_else(|| said().then(known).flatten())?;
    crate::check_command::check_of_person(&command).map(as_program)
}

/// As a program and its words: what only a shell understands is given to one.
fn as_program(check: String) -> String {
    let first = check.split_whitespace().next().unwrap_or_default();
    // What stands in single quotes is a word already, whatever is in it.
    let outside: String = check.split('\'').step_by(2).collect();
    let needs_shell =
        first == "cd" || first.contains('=') || outside.contains(['&', '|', ';', '$', '*', '>', '<', '`']);
    if needs_shell { format!("sh -c '{}'", check.replace('\'', r"'\''")) } else { check }
}

/// What the person said, kept apart (the row about this look is written from it), and what is wrong.
fn judged(signals: &mut Signals, phrase: &Phrase) -> (ZoneInput, Diagnosis) {
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
    let diagnosis = recovery::diagnose(signals, phrase);
    (truth, diagnosis)
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
    for request in &mut report.diagnosis.understood.requests {
        clean(request);
    }
    for way in &mut report.ways {
        way.prompt.as_mut().map(&mut clean);
        way.request.as_mut().map(&mut clean);
        way.goes
            .iter_mut()
            .chain(&mut way.stays_beside)
            .filter_map(|goes| goes.request.as_mut())
            .for_each(&mut clean);
        way.mends.iter_mut().filter_map(|mend| mend.missing.as_mut()).for_each(&mut clean);
        way.restores
            .iter_mut()
            .filter_map(|restore| restore.repair.as_mut())
            .for_each(|repair| clean(&mut repair.text));
    }
    for state in &mut report.git.states {
        clean(&mut state.subject);
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
