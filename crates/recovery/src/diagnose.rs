//! From signals to findings: what looks broken, since which step, and whether it is to be brought back or mended.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;

use crate::asked;
use crate::complaint;
use crate::missed;
use crate::paths;
use crate::phrase::{Ask, Phrase};
use crate::same_step::{self, Beside};
use crate::select::{Understood, select};
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
    /// What their words came to.
    pub understood: Understood,
    /// What the command of an accident changed besides.
    pub beside: Vec<Beside>,
    /// Something was not understood, and nothing is recommended before it is.
    pub asks_back: bool,
    #[serde(skip)]
    pub(crate) hits: Vec<Hit>,
    /// The first change that would go back, if the person named a moment.
    #[serde(skip)]
    pub(crate) moment: Option<usize>,
}

/// Looks at everything and says what is broken.
pub fn diagnose(signals: &Signals, phrase: &Phrase) -> Diagnosis {
    let changed: Vec<String> = net_changes(signals);
    let mut input = signals.zone.clone();
    (input.asked, input.unasked, input.names_files) = of_requests(signals, phrase.ask != Ask::Unasked);
    input.edited = edited(signals);
    let zone = zone(&input, &changed, signals.feedback.may_label());
    let mut phrase = phrase.clone();
    let mut selection = select(signals, &phrase);
    // "My retry settings are gone" asks for nothing by name: it is looked for among what went.
    let by_words = complaint::is_unknown(&phrase, &selection);
    if by_words {
        phrase.ask = Ask::Broke;
        selection = select(signals, &Phrase { objects: Vec::new(), ..phrase.clone() });
    }
    // "Bring the discount back", and nothing of it is lost: then something else is wrong, and all damage is looked for.
    if selection.nothing_lost && selection.changes.is_empty() && selection.not_found.is_empty() {
        let understood = std::mem::take(&mut selection.understood);
        phrase.ask = Ask::Broke;
        selection = select(signals, &Phrase { objects: Vec::new(), keep: Vec::new(), ..phrase.clone() });
        selection.understood.files = understood.files;
    }
    phrase.not_understood.extend(std::mem::take(&mut selection.not_found));
    // What was not understood is asked back; nothing is put in its place. (R5) A complaint asks for nothing: it is never refused.
    let unclear =
        !phrase.not_understood.is_empty() || phrase.only_keeps || selection.understood.oldest_ms.is_some();
    let asks_back = phrase.is_wish() && !phrase.complaint && unclear;
    let window = std::mem::take(&mut selection.changes);
    let mut hits = if by_words { complaint::look(signals, &phrase, &window) } else { Vec::new() };
    if by_words && hits.is_empty() {
        let unknown = phrase.objects.iter().filter(|name| !complaint::is_called(signals, name));
        let unknown: Vec<String> = unknown.map(|name| name.text.clone()).collect();
        phrase.not_understood.extend(unknown);
    } else if by_words {
        selection.tell(signals, &hits);
    }
    if hits.is_empty() && !asks_back {
        hits = if phrase.ask == Ask::Restore && !phrase.objects.is_empty() {
            missed::wanted_back(signals, &phrase, &window, !selection.understood.requests.is_empty())
        } else {
            search(signals, &phrase, &window, selection.moment.is_some())
        };
    }
    if hits.is_empty() && !asks_back && phrase.ask == Ask::Broke {
        hits =
            missed::said_broken(signals, &phrase, &window, selection.narrowed && selection.moment.is_none());
    }
    // "Since the README fix nothing starts": what is named is when, and not where.
    if hits.is_empty() && phrase.ask == Ask::Broke && phrase.since && selection.narrowed {
        let all: Vec<usize> = (0..signals.changes.len()).collect();
        hits = search(signals, &phrase, &all, false);
        if !hits.is_empty() {
            selection.tell(signals, &hits);
        }
    }
    if hits.is_empty() && !asks_back {
        match phrase.ask {
            Ask::Broke => {
                hits = same_step::left_over(signals, &window);
                if hits.is_empty() {
                    // The person names the very file: then their word and the zone say the same.
                    let named = selection.narrowed && !phrase.objects.is_empty();
                    hits = softer(signals, &window, &zone, named);
                }
            }
            Ask::Unasked => hits = drifting(signals, &window, &zone, true),
            _ => {}
        }
    }
    // What was found is not the work of the request that the words seemed to name: then it is not said to be.
    let of_work = hits.iter().any(|hit| !hit.work.is_empty() || !hit.names.is_empty());
    if phrase.ask == Ask::Restore && phrase.complaint && !hits.is_empty() && !of_work {
        selection.understood.requests.clear();
        selection.tell(signals, &hits);
    }
    let plain = phrase.ask == Ask::Broke && !by_words && !selection.narrowed;
    if plain {
        same_step::take_in(signals, &mut hits);
    } else if phrase.ask == Ask::Broke || (phrase.ask == Ask::Restore && phrase.complaint) {
        same_step::as_one_act(signals, &mut hits, phrase.lost);
    }
    settle_later_work(signals, &mut hits);
    let healthy = if hits.is_empty() && !phrase.is_wish() { healthy(signals) } else { None };
    let first = hits.iter().map(|hit| signals.steps[signals.changes[hit.change].step].seq).min();
    let safe = safest(signals, first);
    Diagnosis {
        findings: findings(signals, &hits),
        zone,
        healthy,
        changed,
        safe,
        narrowed: selection.narrowed,
        understood: selection.understood,
        asks_back,
        beside: match phrase.ask {
            Ask::Broke | Ask::Explain | Ask::Restore => same_step::beside(signals, &hits),
            Ask::Undo | Ask::GoBack | Ask::Unasked => Vec::new(),
        },
        hits,
        moment: selection.moment.filter(|_| phrase.ask == Ask::GoBack && phrase.objects.is_empty()),
        phrase,
    }
}

/// Files that the request of their change speaks of, with the word; and files of requests that speak of others and not of these. (R3)
fn of_requests(signals: &Signals, spare_linked: bool) -> (BTreeMap<String, String>, Vec<String>, bool) {
    let mut asked: BTreeMap<String, String> = BTreeMap::new();
    let mut by_request: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, change) in signals.changes.iter().enumerate() {
        let by_agent = matches!(signals.steps[change.step].actor, Actor::Edit | Actor::Command);
        if let Some(request) = signals.request_of(at).filter(|_| by_agent && signals.stands(at)) {
            by_request.entry(request).or_default().push(at);
        }
    }
    // What a command did last to a file is excused by its own request only, not by the words of an earlier one.
    let mut last_command: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, change) in signals.changes.iter().enumerate().filter(|(at, _)| signals.stands(*at)) {
        match signals.steps[change.step].actor {
            Actor::Command => last_command.insert(&change.path, at),
            _ => last_command.remove(change.path.as_str()),
        };
    }
    let is_later = |at: usize| {
        let last = last_command.get(signals.changes[at].path.as_str());
        last.is_some_and(|&last| last > at && signals.request_of(last) != signals.request_of(at))
    };
    let mut unasked = Vec::new();
    let mut any_clear = false;
    for (request, changes) in by_request {
        let mut clear = false;
        let mut silent = Vec::new();
        for at in changes {
            let change = &signals.changes[at];
            clear |= asked::named_by(Some(request), &change.path).is_some();
            let word = asked::spoken_of(Some(request), change);
            match word.or_else(|| asked::asked_build(Some(request), change)) {
                Some(_) if is_later(at) => {}
                Some(word) => {
                    asked.entry(change.path.clone()).or_insert(word);
                }
                None => silent.push(change.path.as_str()),
            }
        }
        // Only a request that clearly names files says something about the others.
        any_clear |= clear;
        if clear {
            let linked = |path: &str| {
                if !spare_linked {
                    return false;
                }
                let other = |a: &String, b: &String| a == path && asked.contains_key(b);
                signals.imports.iter().any(|(a, b)| other(a, b) || other(b, a))
            };
            let silent = silent.into_iter().filter(|path| !asked.contains_key(*path) && !linked(path));
            unasked.extend(silent.map(str::to_owned));
        }
    }
    unasked.retain(|path| !asked.contains_key(path));
    unasked.sort_unstable();
    unasked.dedup();
    (asked, unasked, any_clear)
}

/// The newest moment before the trouble that a check vouched for; else one that a person saved; else the beginning of the turn
/// or of the session.
fn safest(signals: &Signals, first: Option<i64>) -> Option<GoodPoint> {
    let good = &signals.good;
    let before = |point: &&GoodPoint| {
        let early = first.is_none_or(|first| point.seq <= first);
        point.checkpoint.is_some() && early && !signals.was_disowned(point.time_ms)
    };
    let tiers: [&[Why]; 4] =
        [&[Why::CheckPassed], &[Why::SavedByHand, Why::Committed], &[Why::TurnStart], &[Why::SessionStart]];
    tiers.iter().find_map(|tier| good.iter().filter(before).find(|point| tier.contains(&point.why))).cloned()
}

/// The newest moment that a check or a person vouched for, and that nobody disowned by going back behind it.
pub(crate) fn last_vouched(signals: &Signals) -> Option<&GoodPoint> {
    let vouches =
        |point: &&GoodPoint| matches!(point.why, Why::CheckPassed | Why::SavedByHand | Why::Committed);
    signals.good.iter().filter(vouches).find(|point| !signals.was_disowned(point.time_ms))
}

/// Paths whose first state in the window is not the present one.
fn net_changes(signals: &Signals) -> Vec<String> {
    let mut first: BTreeMap<&str, bool> = BTreeMap::new();
    for change in &signals.changes {
        first.entry(&change.path).or_insert(change.still.same);
    }
    first.into_iter().filter(|(_, same)| !same).map(|(path, _)| path.to_owned()).collect()
}

/// Clear signs of damage: first since something vouched for the state, then further back; first what agents did.
fn search(signals: &Signals, phrase: &Phrase, window: &[usize], is_moment: bool) -> Vec<Hit> {
    match phrase.ask {
        Ask::Undo => return wanted(signals, window),
        Ask::GoBack if !phrase.objects.is_empty() || !phrase.keep.is_empty() || !is_moment => {
            return if phrase.is_plain() { last_request(signals, window) } else { wanted(signals, window) };
        }
        Ask::GoBack if phrase.mild => {}
        // Everything goes back: what else looks damaged since then is part of it.
        Ask::GoBack | Ask::Unasked => return Vec::new(),
        _ => {}
    }
    let border = last_vouched(signals).map_or(i64::MIN, |point| point.seq);
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
            let found = signs::hits(signals, &among, phrase.lost);
            if !found.is_empty() {
                return found;
            }
        }
    }
    Vec::new()
}

/// Files that agents changed with their edit tool, in any session.
fn edited(signals: &Signals) -> Vec<String> {
    let by_edit = |change: &&crate::Change| signals.steps[change.step].actor == Actor::Edit;
    let paths: BTreeSet<&str> =
        signals.changes.iter().filter(by_edit).map(|change| change.path.as_str()).collect();
    paths.into_iter().map(str::to_owned).collect()
}

/// The person asked to take exactly these back.
fn wanted(signals: &Signals, window: &[usize]) -> Vec<Hit> {
    // What the same request did and took back itself, a merge and what became of its conflicts, changed nothing.
    let came_to_nothing = |at: usize| {
        let path = &signals.changes[at].path;
        let mut earlier = (0..at).filter(|&other| signals.changes[other].path == *path);
        earlier.any(|other| signals.changes[other].still.same && signals.is_of_one_request(other, at))
    };
    window
        .iter()
        .copied()
        .filter(|&at| signals.stands(at) && !came_to_nothing(at))
        .map(|at| Hit::new(at, Sign::Wanted, Remedy::Restore))
        .collect()
}

/// "How it was before": before the last request that changed something.
fn last_request(signals: &Signals, window: &[usize]) -> Vec<Hit> {
    let of = |at: usize| {
        let step = &signals.steps[signals.changes[at].step];
        (step.session.clone(), step.turn.clone())
    };
    let all = wanted(signals, window);
    let last = all.last().map(|hit| of(hit.change));
    all.into_iter().filter(|hit| Some(of(hit.change)) == last).collect()
}

/// Weaker signs: circles, drift candidates, a check that fails.
fn softer(signals: &Signals, window: &[usize], zone: &Zone, named: bool) -> Vec<Hit> {
    let hit = Hit::new;
    let circling: Vec<Hit> = window
        .iter()
        .copied()
        .filter(|&at| signals.stands(at) && signals.circling.contains(&signals.changes[at].path))
        .filter(|&at| same_turn_as_last(signals, at))
        .map(|at| hit(at, Sign::Circling, Remedy::Restore))
        .collect();
    if !circling.is_empty() {
        return circling;
    }
    let drift = drifting(signals, window, zone, named);
    if !drift.is_empty() {
        return drift;
    }
    let Some(check) = signals.checks.last().filter(|check| !check.passed) else { return Vec::new() };
    let mut passes = signals.checks.iter().rev().filter(|check| check.passed);
    let passed = passes.find(|check| !signals.was_disowned(check.time_ms));
    let passed = passed.map_or(i64::MIN, |check| check.time_ms);
    window
        .iter()
        .copied()
        .filter(|&at| {
            let change = &signals.changes[at];
            signals.steps[change.step].time_ms >= passed
                && signals.stands(at)
                && !paths::is_docs(&change.path)
        })
        .map(|at| hit(at, Sign::CheckFails { command: check.command.clone() }, Remedy::Mend))
        .collect()
}

/// Changes outside the zone.
fn drifting(signals: &Signals, window: &[usize], zone: &Zone, said: bool) -> Vec<Hit> {
    window
        .iter()
        .copied()
        .filter(|&at| signals.stands(at) && drifts(signals, zone, at, said))
        .map(|at| Hit::new(at, Sign::Drift, Remedy::Restore))
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
fn drifts(signals: &Signals, zone: &Zone, at: usize, said: bool) -> bool {
    let change = &signals.changes[at];
    let step = &signals.steps[change.step];
    let by_agent = match step.actor {
        // An edit is deliberate: only the person's own word makes it a candidate for going back.
        Actor::Edit => zone.basis == Basis::Memory || (said && zone.basis == Basis::Request),
        Actor::Command => true,
        _ => false,
    };
    by_agent
        && zone.is_outside(&change.path)
        && asked::spoken_of(step.prompt.as_deref(), change).is_none()
        && asked::asked_build(step.prompt.as_deref(), change).is_none()
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
        let deliberate = deliberate && change.undone_by.is_none();
        if deliberate && change.made.only_now() > 0 && !hit_changes.contains(&at) {
            work.insert(&change.path, at);
        }
    }
    for hit in hits.iter_mut().filter(|hit| hit.remedy == Remedy::Restore && hit.sign != Sign::Wanted) {
        if work.get(signals.changes[hit.change].path.as_str()).is_some_and(|&at| at > hit.change) {
            hit.remedy = Remedy::Mend;
            hit.under_work = true;
        }
    }
}

fn healthy(signals: &Signals) -> Option<Healthy> {
    let point = last_vouched(signals);
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
            // What was lost before the first look was lost nobody knows when and by whom.
            time_ms: Some(step.time_ms).filter(|_| step.seq >= 0),
            actor: Some(step.actor).filter(|_| step.seq >= 0),
            // What no step of an agent did, no request led to.
            prompt: step.prompt.clone().filter(|_| !matches!(step.actor, Actor::Person | Actor::Restore)),
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
