//! From signals to findings: what looks broken, since which step, and whether it is to be brought back or mended.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;

use crate::asked;
use crate::paths;
use crate::phrase::{Ask, Moment, Phrase};
use crate::signals::{Actor, GoodPoint, Kind, Signals, Source, Why};
use crate::signs::{self, Hit, Sign};
use crate::zone::{Basis, Zone, zone};

/// What would help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Remedy {
    /// Bring it back from just before.
    Restore,
    /// Keep it and mend it: good work lies in the same place.
    Mend,
    /// Look at it.
    Look,
}

/// One thing that was found.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// What.
    #[serde(flatten)]
    pub sign: Sign,
    /// Where.
    pub paths: Vec<String>,
    /// Who still needs it.
    pub used_by: Vec<String>,
    /// The checkpoint before the step that did it.
    pub checkpoint: Option<String>,
    /// When that step began.
    pub time_ms: Option<i64>,
    /// Who did it.
    pub actor: Option<Actor>,
    /// What the person had asked for.
    pub prompt: Option<String>,
    /// What would help.
    pub remedy: Remedy,
    /// What knows it.
    pub source: Source,
}

/// How nothing can be broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Healthy {
    /// Nothing changed.
    Unchanged,
    /// Only text that no program runs.
    DocsOnly,
    /// The checks passed after the last change.
    ChecksPass,
}

/// What is known now.
#[derive(Debug, Clone, Serialize)]
pub struct Diagnosis {
    /// What looks broken, in the order in which it happened.
    pub findings: Vec<Finding>,
    /// The intent zone.
    pub zone: Zone,
    /// Why nothing can be broken, if so.
    pub healthy: Option<Healthy>,
    /// Files that are different from the beginning of the window.
    pub changed: Vec<String>,
    /// The newest good moment before the trouble; none: there is no safe checkpoint.
    pub safe: Option<GoodPoint>,
    /// What the person said.
    pub phrase: Phrase,
    /// Their words named something that was found.
    pub narrowed: bool,
    #[serde(skip)]
    pub(crate) hits: Vec<Hit>,
    /// Where everything would go back to, if the person named a moment.
    #[serde(skip)]
    pub(crate) moment_seq: Option<i64>,
}

/// Looks at everything and says what is broken.
pub fn diagnose(signals: &Signals, phrase: &Phrase) -> Diagnosis {
    let changed: Vec<String> = net_changes(signals);
    let zone = zone(&signals.zone, &changed, signals.feedback.may_label());
    let (window, narrowed, moment_seq) = narrow(signals, phrase);
    let mut hits = search(signals, phrase, &window, narrowed);
    if hits.is_empty() && phrase.ask != Ask::Explain {
        hits = softer(signals, &window, &zone);
    }
    settle_later_work(signals, &mut hits);
    let healthy = if hits.is_empty() { healthy(signals) } else { None };
    let first = hits.iter().map(|hit| signals.steps[signals.changes[hit.change].step].seq).min();
    let safe = safest(&signals.good, first);
    Diagnosis {
        findings: findings(signals, &hits),
        zone,
        healthy,
        changed,
        safe,
        phrase: phrase.clone(),
        narrowed,
        hits,
        moment_seq,
    }
}

/// The newest moment before the trouble that a check vouched for; else one that a person saved; else the beginning of the turn
/// or of the session.
fn safest(good: &[GoodPoint], first: Option<i64>) -> Option<GoodPoint> {
    let before =
        |point: &&GoodPoint| point.checkpoint.is_some() && first.is_none_or(|first| point.seq <= first);
    let tiers: [&[Why]; 4] =
        [&[Why::CheckPassed], &[Why::SavedByHand, Why::Committed], &[Why::TurnStart], &[Why::SessionStart]];
    tiers.iter().find_map(|tier| good.iter().filter(before).find(|point| tier.contains(&point.why))).cloned()
}

/// Paths whose first state in the window is not the present one.
fn net_changes(signals: &Signals) -> Vec<String> {
    let mut first: BTreeMap<&str, bool> = BTreeMap::new();
    for change in &signals.changes {
        first.entry(&change.path).or_insert(change.still.same);
    }
    first.into_iter().filter(|(_, same)| !same).map(|(path, _)| path.to_owned()).collect()
}

/// The changes that the person's words leave, whether words narrowed anything, and the moment they named.
fn narrow(signals: &Signals, phrase: &Phrase) -> (Vec<usize>, bool, Option<i64>) {
    let all: Vec<usize> = (0..signals.changes.len()).collect();
    if let Some(Moment::Ago(ms)) = phrase.moment {
        let border = signals.now_ms.saturating_sub(ms);
        // The state of that moment is the one before the first step after it.
        let seq = signals.steps.iter().find(|step| step.time_ms >= border).map(|step| step.seq);
        let window =
            all.into_iter().filter(|&at| signals.steps[signals.changes[at].step].time_ms >= border).collect();
        return (window, true, seq);
    }
    if !phrase.about.is_empty() {
        let turn_fits = |at: &usize| {
            let change = &signals.changes[*at];
            signals.steps[change.step].prompt.as_deref().is_some_and(|prompt| phrase.is_about(prompt))
        };
        let path_fits = |at: &usize| phrase.is_about(&signals.changes[*at].path);
        let turns: Vec<usize> = all.iter().copied().filter(turn_fits).collect();
        if !turns.is_empty() && phrase.ask != Ask::Broke {
            return (turns, true, None);
        }
        let files: Vec<usize> = all.iter().copied().filter(path_fits).collect();
        if !files.is_empty() {
            return (files, true, None);
        }
    }
    (all, false, None)
}

/// Clear signs of damage: first since something vouched for the state, then further back; first what agents did.
fn search(signals: &Signals, phrase: &Phrase, window: &[usize], narrowed: bool) -> Vec<Hit> {
    if phrase.ask == Ask::Undo || (phrase.ask == Ask::GoBack && narrowed && phrase.moment.is_none()) {
        return wanted(signals, window, narrowed);
    }
    let vouched =
        |point: &&GoodPoint| matches!(point.why, Why::CheckPassed | Why::SavedByHand | Why::Committed);
    let border = signals.good.iter().find(vouched).map_or(i64::MIN, |point| point.seq);
    let step_of = |at: usize| &signals.steps[signals.changes[at].step];
    let by_agent = |at: usize| !matches!(step_of(at).actor, Actor::Person | Actor::Restore);
    let recent = |at: usize| step_of(at).seq >= border;
    for everybody in [false, true] {
        for all in [false, true] {
            let among: Vec<usize> = window
                .iter()
                .copied()
                .filter(|&at| (everybody || by_agent(at)) && (all || recent(at)))
                .filter(|&at| step_of(at).actor != Actor::Restore)
                .collect();
            let found = signs::hits(signals, &among);
            if !found.is_empty() {
                return found;
            }
        }
    }
    Vec::new()
}

/// The person asked to take something back: what they named, or the last turn that changed anything.
fn wanted(signals: &Signals, window: &[usize], narrowed: bool) -> Vec<Hit> {
    let differs = |at: &usize| !signals.changes[*at].still.same;
    let turn = |at: usize| {
        let step = &signals.steps[signals.changes[at].step];
        (step.session.clone(), step.turn.clone())
    };
    let by_agent = |at: &usize| {
        !matches!(signals.steps[signals.changes[*at].step].actor, Actor::Person | Actor::Restore)
    };
    let agents: Vec<usize> = window.iter().copied().filter(differs).filter(by_agent).collect();
    let agents = if agents.is_empty() { window.iter().copied().filter(differs).collect() } else { agents };
    let last = agents.last().map(|&at| turn(at));
    agents
        .into_iter()
        .filter(|&at| narrowed || Some(turn(at)) == last)
        .map(|at| Hit { change: at, sign: Sign::Wanted, remedy: Remedy::Restore, elsewhere: Vec::new() })
        .collect()
}

/// Weaker signs: circles, drift candidates, a check that fails.
fn softer(signals: &Signals, window: &[usize], zone: &Zone) -> Vec<Hit> {
    let hit = |at: usize, sign: Sign, remedy: Remedy| Hit { change: at, sign, remedy, elsewhere: Vec::new() };
    let circling: Vec<Hit> = window
        .iter()
        .copied()
        .filter(|&at| !signals.changes[at].still.same && signals.circling.contains(&signals.changes[at].path))
        .filter(|&at| same_turn_as_last(signals, at))
        .map(|at| hit(at, Sign::Circling, Remedy::Restore))
        .collect();
    if !circling.is_empty() {
        return circling;
    }
    let drift: Vec<Hit> = window
        .iter()
        .copied()
        .filter(|&at| !signals.changes[at].still.same && drifts(signals, zone, at))
        .map(|at| hit(at, Sign::Drift, Remedy::Restore))
        .collect();
    if !drift.is_empty() {
        return drift;
    }
    let Some(check) = signals.checks.last().filter(|check| !check.passed) else { return Vec::new() };
    let passed =
        signals.checks.iter().rev().find(|check| check.passed).map_or(i64::MIN, |check| check.time_ms);
    window
        .iter()
        .copied()
        .filter(|&at| {
            let change = &signals.changes[at];
            signals.steps[change.step].time_ms >= passed
                && !change.still.same
                && !paths::is_docs(&change.path)
        })
        .map(|at| hit(at, Sign::CheckFails { command: check.command.clone() }, Remedy::Mend))
        .collect()
}

fn same_turn_as_last(signals: &Signals, at: usize) -> bool {
    let of = |at: usize| {
        let step = &signals.steps[signals.changes[at].step];
        (&step.session, &step.turn)
    };
    signals.changes.len().checked_sub(1).is_some_and(|last| of(at) == of(last))
}

/// Outside the zone, made by an agent, and nothing explains it. Where only the last edits make the zone, an edit is
/// deliberate by itself, and only what commands did besides can be drift.
fn drifts(signals: &Signals, zone: &Zone, at: usize) -> bool {
    let change = &signals.changes[at];
    let step = &signals.steps[change.step];
    let by_agent = match step.actor {
        Actor::Edit => zone.basis == Basis::Memory,
        Actor::Command => true,
        _ => false,
    };
    by_agent
        && zone.is_outside(&change.path)
        && !asked::names(step.prompt.as_deref(), &change.path)
        && !paths::is_docs(&change.path)
        && !follows(zone, change.path.as_str())
        && (change.kind != Kind::Added || step.actor != Actor::Edit)
}

/// A lock file follows its manifest; a test follows what it tests.
fn follows(zone: &Zone, path: &str) -> bool {
    if paths::is_lock(path) {
        return zone
            .inside
            .iter()
            .any(|file| paths::is_manifest(&file.path) && paths::folder(&file.path) == paths::folder(path));
    }
    if !paths::is_test(path) {
        return false;
    }
    let words = paths::words(paths::name(path));
    zone.inside
        .iter()
        .any(|file| words.iter().any(|word| paths::same_word(word, &paths::stem(&file.path).to_lowercase())))
}

/// Good work on top of the damage: bringing the file back would lose it, so it is mended.
fn settle_later_work(signals: &Signals, hits: &mut [Hit]) {
    let hit_changes: BTreeSet<usize> = hits.iter().map(|hit| hit.change).collect();
    // The newest piece of such work for each path.
    let mut work: HashMap<&str, usize> = HashMap::new();
    for (at, change) in signals.changes.iter().enumerate() {
        let deliberate = matches!(signals.steps[change.step].actor, Actor::Edit | Actor::Person);
        if deliberate && change.made.only_now() > 0 && !hit_changes.contains(&at) {
            work.insert(&change.path, at);
        }
    }
    for hit in hits.iter_mut().filter(|hit| hit.remedy == Remedy::Restore && hit.sign != Sign::Wanted) {
        if work.get(signals.changes[hit.change].path.as_str()).is_some_and(|&at| at > hit.change) {
            hit.remedy = Remedy::Mend;
        }
    }
}

fn healthy(signals: &Signals) -> Option<Healthy> {
    let vouched =
        |point: &&GoodPoint| matches!(point.why, Why::CheckPassed | Why::SavedByHand | Why::Committed);
    let point = signals.good.iter().find(vouched);
    let border = point.map_or(i64::MIN, |point| point.seq);
    let since: Vec<&str> = signals
        .changes
        .iter()
        .filter(|change| signals.steps[change.step].seq >= border && !change.still.same)
        .map(|change| change.path.as_str())
        .collect();
    let last_check = signals.checks.last();
    if !signals.has_history || last_check.is_some_and(|check| !check.passed) {
        return None;
    }
    if since.is_empty() {
        return Some(if point.is_some_and(|point| point.why == Why::CheckPassed) {
            Healthy::ChecksPass
        } else {
            Healthy::Unchanged
        });
    }
    since.iter().all(|path| paths::is_docs(path)).then_some(Healthy::DocsOnly)
}

/// Hits of one step with one sign are one finding.
fn findings(signals: &Signals, hits: &[Hit]) -> Vec<Finding> {
    let mut grouped: BTreeMap<(usize, &Sign, Remedy), Finding> = BTreeMap::new();
    for hit in hits {
        let change = &signals.changes[hit.change];
        let step = &signals.steps[change.step];
        let finding = grouped.entry((change.step, &hit.sign, hit.remedy)).or_insert_with(|| Finding {
            sign: hit.sign.clone(),
            paths: Vec::new(),
            used_by: Vec::new(),
            checkpoint: Some(step.checkpoint.clone()),
            time_ms: Some(step.time_ms),
            actor: Some(step.actor),
            prompt: step.prompt.clone(),
            remedy: hit.remedy,
            source: hit.sign.source(),
        });
        finding.paths.push(change.path.clone());
        for need in signals.needs.iter().filter(|need| need.path == change.path) {
            finding.used_by.extend(need.by.iter().cloned());
        }
    }
    let mut findings: Vec<Finding> = grouped.into_values().collect();
    for finding in &mut findings {
        finding.paths.sort_unstable();
        finding.paths.dedup();
        finding.used_by.sort_unstable();
        finding.used_by.dedup();
    }
    findings
}
