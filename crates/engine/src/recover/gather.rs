//! Gathering the signals: checkpoints first, git second, then what memory, breaker and people said.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use memory::lessons::FILE_NAME;
use memory::work::{CheckResult, WorkMemory};
use project::RelPath;
use recovery::{
    Actor, Change, Check, GoodPoint, GuardNote, Intent, Kind, Look, Phrase, Signals, Step, Why, ZoneInput,
};
use store::{
    Checkpoint, CheckpointKind, Entry, EntryKind, HistoryFilter, Passage, StepNumber, Store, WorkingTree,
};

use super::content::{Contents, Reading};
use super::owners::{Owners, edit_targets, unowned};
use super::{feedback, git, needs, typing, undone};
use crate::{Engine, Result, agent, protect};

/// So far back is looked at first, unless the session is longer.
const DAY_MS: i64 = 24 * 3_600_000;
/// Changes of which everything is compared: in all, and for one step. Of the others the lines are counted.
const MOST_COMPARED: usize = 400;
const MOST_OF_A_STEP: usize = 120;
const MOST_COUNTED: usize = 12_000;

/// How far to look.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scope<'p> {
    /// As far back as anything is kept.
    pub(super) all: bool,
    /// Only these files and folders; empty: everything.
    pub(super) only: &'p [RelPath],
    /// What the person said.
    pub(super) phrase: &'p Phrase,
}

/// The signals, and for each of their changes what it was made from.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub(super) signals: Signals,
    pub(super) passages: Vec<Passage>,
}

/// Everything there is to know.
pub(super) fn signals(
    engine: &Engine,
    store: &Store<'_>,
    working: &WorkingTree,
    memory: &WorkMemory,
    scope: Scope<'_>,
) -> Result<Gathered> {
    let now_ms = engine.context().now_ms();
    let history = store.history(&HistoryFilter { with_safety: true, limit: 0, before: None })?;
    let mut signals = Signals {
        now_ms,
        midnight_ms: crate::when::since(engine.context(), "today").unwrap_or(now_ms),
        git: git::look(engine.project().root()),
        checks: checks(memory),
        feedback: feedback::read(engine)?,
        circling: agent::spiral_status(engine)
            .resting
            .into_iter()
            .filter_map(|resting| resting.path)
            .collect(),
        zone: zone_input(engine, memory)?,
        ..Signals::default()
    };
    let mut steps: Vec<&Checkpoint> = Vec::new();
    let mut owned: Vec<Owned> = Vec::new();
    let mut places: HashMap<(i64, Option<StepNumber>), usize> = HashMap::new();
    if let Some(from) = horizon(&history, now_ms, scope.all) {
        signals.has_history = true;
        signals.looked_from_ms = Some(from.created_ms);
        signals.looked_at_all = history.last().is_some_and(|oldest| oldest.seq == from.seq);
        signals.files = store.count_files(from)?;
        steps = history.iter().rev().filter(|checkpoint| checkpoint.seq >= from.seq).collect();
        let within = |passage: &Passage| {
            scope.only.is_empty() || scope.only.iter().any(|folder| passage.path.is_in(folder))
        };
        let passages: Vec<Passage> = store
            .passages_since(from, working)?
            .into_iter()
            .filter(|passage| !is_left_out(passage) && within(passage))
            .collect();
        let owners = Owners::since(store, from.seq)?;
        owned = assign(passages, &owners, &steps);
        places = tell_steps(&steps, &owned, &owners, &mut signals);
        owned.retain(|one| {
            places.contains_key(&one.key()) && places.contains_key(&(one.passage.last_seen, None))
        });
    }
    git::add(engine, store, working, &scope, &mut signals, &mut owned, &mut places)?;
    if !signals.has_history && owned.is_empty() {
        return Ok(Gathered { signals, passages: Vec::new() });
    }
    changes(engine, store, working, &owned, &places, scope.phrase, &mut signals)?;
    signals.zone.edit_targets = edit_targets(store, &steps)?;
    signals.good = good_points(&steps, &signals);
    if needs::is_any_lost(&signals.changes) {
        let files = present_files(store, &history, working)?;
        signals.needs = needs::find(engine.project().root(), &files, &signals.changes);
    }
    categories(&mut signals);
    signals.zone.by_hand = by_hand(&signals);
    signals.guard = protected(engine, &signals.changes)?;
    signals.imports = needs::links(engine.project().root(), &signals.changes);
    if signals.git.present && !signals.changes.is_empty() {
        let pairs = map::co_change(engine.project().root());
        signals.zone.co_change =
            pairs.into_iter().map(|pair| (pair.a.to_string(), pair.b.to_string())).collect();
    }
    let passages = owned.into_iter().map(|one| one.passage).collect();
    Ok(Gathered { signals, passages })
}

/// The oldest checkpoint to look at.
fn horizon(history: &[Checkpoint], now_ms: i64, all: bool) -> Option<&Checkpoint> {
    let newest = history.first()?;
    if all {
        return history.last();
    }
    let session = history.iter().find_map(|checkpoint| checkpoint.origin.session.as_deref());
    let border = now_ms.saturating_sub(DAY_MS);
    let mut from = newest;
    for (at, checkpoint) in history.iter().enumerate() {
        let in_session = session.is_some() && checkpoint.origin.session.as_deref() == session;
        if checkpoint.created_ms >= border || in_session {
            from = checkpoint;
            // One more: what the first one found changed has to have a beginning.
            if let Some(older) = history.get(at + 1) {
                from = older;
            }
        }
    }
    Some(from)
}

/// Folders say nothing that their files do not say; lessons stay when what they are about goes.
fn is_left_out(passage: &Passage) -> bool {
    let folder = |entry: &Option<Entry>| entry.is_none_or(|entry| entry.kind == EntryKind::Dir);
    (folder(&passage.before) && folder(&passage.after))
        || (passage.path.as_bytes() == FILE_NAME.as_bytes() && passage.before.is_some())
}

/// A change and the step that made it.
pub(super) struct Owned {
    pub(super) passage: Passage,
    pub(super) owner: Option<StepNumber>,
    /// The look whose state the step began with, as far as this path goes.
    pub(super) look: i64,
}

impl Owned {
    /// What is one step of the window: who did it, and the look before it.
    pub(super) fn key(&self) -> (i64, Option<StepNumber>) {
        (self.look, self.owner)
    }
}

/// The changes in the order in which they happened.
fn assign(passages: Vec<Passage>, owners: &Owners, looks: &[&Checkpoint]) -> Vec<Owned> {
    let assigned = |passage: Passage| {
        let owner = owners.of(&passage);
        // One step is one step, whenever each of its files was last looked at: the state it began with holds them all.
        let began = owner.and_then(|owner| owners.began_with(owner, looks));
        let fits = |look: &i64| (passage.last_seen..passage.first_seen.unwrap_or(i64::MAX)).contains(look);
        let look = began.filter(fits).unwrap_or(passage.last_seen);
        Owned { passage, owner, look }
    };
    let mut owned: Vec<Owned> = passages.into_iter().map(assigned).collect();
    owned.sort_by(|a, b| {
        // What nobody has seen yet came last.
        let order = |one: &Owned| (one.passage.first_seen.unwrap_or(i64::MAX), one.owner);
        order(a).cmp(&order(b)).then_with(|| a.passage.path.cmp(&b.passage.path))
    });
    owned
}

/// Every look of the window and every step that changed something, the oldest first; and where each of the latter stands.
fn tell_steps(
    looks: &[&Checkpoint],
    owned: &[Owned],
    owners: &Owners,
    signals: &mut Signals,
) -> HashMap<(i64, Option<StepNumber>), usize> {
    let by_seq: HashMap<i64, &Checkpoint> = looks.iter().map(|look| (look.seq, *look)).collect();
    let mut all: BTreeMap<(i64, Option<StepNumber>), Step> =
        looks.iter().map(|look| ((look.seq, None), unowned(look))).collect();
    for one in owned {
        if let Some(look) = by_seq.get(&one.look) {
            all.entry(one.key()).or_insert_with(|| owners.tell(one.owner, look));
        }
    }
    let mut places = HashMap::new();
    for (key, step) in all {
        places.insert(key, signals.steps.len());
        signals.steps.push(step);
    }
    places
}

fn changes(
    engine: &Engine,
    store: &Store<'_>,
    working: &WorkingTree,
    owned: &[Owned],
    places: &HashMap<(i64, Option<StepNumber>), usize>,
    phrase: &Phrase,
    signals: &mut Signals,
) -> Result<()> {
    let looks: HashMap<i64, Look> = signals
        .steps
        .iter()
        .map(|step| (step.seq, Look { seq: step.seq, checkpoint: step.checkpoint.clone() }))
        .collect();
    let (chosen, counted) = choose(owned, phrase);
    let moved = moves(owned);
    let mut earlier: HashMap<&RelPath, Vec<Option<Entry>>> = HashMap::new();
    let mut contents = Contents::new(engine, store);
    let mut labels: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (at, one) in owned.iter().enumerate() {
        let passage = &one.passage;
        let Some(&step) = places.get(&one.key()) else { continue };
        let read = match () {
            () if chosen.contains(&at) => Reading::All,
            () if counted.contains(&at) => Reading::Lines,
            () => Reading::Nothing,
        };
        let now = store.entry_in(&working.view, passage.path.as_bytes())?;
        let made = contents.compare(&passage.path, passage.before, passage.after, read);
        let same_now = same(&now, &passage.before);
        let mut still = if same(&now, &passage.after) {
            made.clone()
        } else {
            contents.compare(
                &passage.path,
                passage.before,
                now,
                if same_now { Reading::Nothing } else { read },
            )
        };
        still.same = same_now;
        let before = earlier.entry(&passage.path).or_default();
        let went_back = passage.after.is_some() && before.iter().any(|old| same(old, &passage.after));
        before.push(passage.before);
        for label in contents.labels(now) {
            labels.entry(label.clone()).or_default().insert(passage.path.to_string());
        }
        let kind = match (&passage.before, &passage.after) {
            (None, _) => Kind::Added,
            (_, None) => Kind::Removed,
            (Some(a), Some(b)) if a.kind != b.kind => Kind::Type,
            _ => Kind::Modified,
        };
        signals.not_compared += u64::from(read != Reading::All);
        signals.changes.push(Change {
            step,
            path: passage.path.to_string(),
            kind,
            moved: moved.get(&at).map(ToString::to_string),
            made,
            still,
            went_back,
            last_look: looks.get(&passage.last_seen).cloned().unwrap_or_default(),
            typing_lost: None,
            copy_of: None,
            stands_whole: same(&now, &passage.after),
            undone_by: None,
        });
    }
    undone::find(owned, signals);
    find_copies(owned, signals);
    find_lost_typing(store, working, owned, &chosen, &mut contents, signals)?;
    let shared = labels.into_values().filter(|files| files.len() > 1);
    signals.zone.labels = shared.map(|files| files.into_iter().collect()).collect();
    Ok(())
}

pub(super) fn same(a: &Option<Entry>, b: &Option<Entry>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.same_on_disk(b),
        (None, None) => true,
        _ => false,
    }
}

/// Which changes are read as a whole, and of which only lines are counted: what was named first, then the newest, of every step some.
fn choose(owned: &[Owned], phrase: &Phrase) -> (HashSet<usize>, HashSet<usize>) {
    let named = |one: &Owned| {
        let path = one.passage.path.to_string();
        phrase.objects.iter().chain(&phrase.keep).any(|name| name.names_path(&path))
    };
    let mut chosen: HashSet<usize> = HashSet::new();
    if !phrase.objects.is_empty() {
        let all = owned.iter().enumerate().rev().filter(|(_, one)| named(one)).map(|(at, _)| at);
        chosen.extend(all.take(MOST_COMPARED));
    }
    let mut of_step: HashMap<(i64, Option<StepNumber>), usize> = HashMap::new();
    let mut counted = HashSet::new();
    for (at, one) in owned.iter().enumerate().rev() {
        let count = of_step.entry(one.key()).or_default();
        if *count < MOST_OF_A_STEP && chosen.len() < MOST_COMPARED {
            *count += 1;
            chosen.insert(at);
        } else if !chosen.contains(&at) && counted.len() < MOST_COUNTED {
            counted.insert(at);
        }
    }
    (chosen, counted)
}

/// Files that came to hold exactly what another file of the same request holds.
fn find_copies(owned: &[Owned], signals: &mut Signals) {
    let text = |entry: Option<Entry>| entry.filter(|entry| entry.kind == EntryKind::File && entry.size > 0);
    let mut holders: HashMap<store::ContentHash, Vec<usize>> = HashMap::new();
    for (at, one) in owned.iter().enumerate().take(signals.changes.len()) {
        if let Some(after) = text(one.passage.after) {
            holders.entry(after.hash).or_default().push(at);
        }
    }
    for holders in holders.into_values().filter(|holders| holders.len() > 1) {
        for &at in &holders {
            let path = signals.changes[at].path.clone();
            let other = holders
                .iter()
                .copied()
                .find(|&other| signals.changes[other].path != path && signals.is_of_one_request(at, other));
            signals.changes[at].copy_of = other.map(|other| signals.changes[other].path.clone());
        }
    }
}

/// An agent's text that did not know what a person had typed meanwhile. (R8)
fn find_lost_typing(
    store: &Store<'_>,
    working: &WorkingTree,
    owned: &[Owned],
    chosen: &HashSet<usize>,
    contents: &mut Contents<'_>,
    signals: &mut Signals,
) -> Result<()> {
    let mut typed: HashMap<&RelPath, usize> = HashMap::new();
    for at in 0..owned.len().min(signals.changes.len()) {
        let passage = &owned[at].passage;
        let step = &signals.steps[signals.changes[at].step];
        if !chosen.contains(&at) {
            continue;
        }
        match step.actor {
            // In the middle of a turn nobody can say whose hand it was; it was none of the agent's tools.
            Actor::Person | Actor::Unknown if passage.after.is_some() && owned[at].look >= 0 => {
                typed.insert(&passage.path, at);
            }
            Actor::Edit | Actor::Command if !recovery::knows_what_was_there(step.tool.as_deref()) => {
                let Some(&by_hand) = typed.get(&passage.path) else { continue };
                let now = store.entry_in(&working.view, passage.path.as_bytes())?;
                let hand = &owned[by_hand].passage;
                let mut text = |entry: Option<Entry>| contents.text(&passage.path, entry);
                let before = if hand.before.is_none() { Some(Default::default()) } else { text(hand.before) };
                let texts = (before, text(hand.after), text(passage.before), text(passage.after), text(now));
                if let (Some(before), Some(after), Some(began), Some(wrote), Some(now)) = texts
                    && typing::is_lost(&before, &after, &began, &wrote)
                    && typing::is_lost(&before, &after, &began, &now)
                {
                    signals.changes[at].typing_lost = Some(by_hand);
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Files that one step only gave another name: the same content went here and came there.
fn moves(owned: &[Owned]) -> HashMap<usize, RelPath> {
    type Place = ((i64, Option<StepNumber>), store::ContentHash);
    let file = |entry: Option<Entry>| entry.filter(|entry| entry.kind == EntryKind::File && entry.size > 0);
    let mut gone: HashMap<Place, Vec<usize>> = HashMap::new();
    for (at, one) in owned.iter().enumerate() {
        if let (Some(before), None) = (file(one.passage.before), one.passage.after) {
            gone.entry((one.key(), before.hash)).or_default().push(at);
        }
    }
    let mut found = HashMap::new();
    for (at, one) in owned.iter().enumerate() {
        let (None, Some(after)) = (one.passage.before, file(one.passage.after)) else { continue };
        if let Some(old) = gone.get_mut(&(one.key(), after.hash)).and_then(Vec::pop) {
            found.insert(at, owned[old].passage.path.clone());
            found.insert(old, one.passage.path.clone());
        }
    }
    found
}

/// Files that nobody but the person changed, or that vib brought back for them.
fn by_hand(signals: &Signals) -> Vec<String> {
    let mut all: BTreeMap<&str, bool> = BTreeMap::new();
    for change in &signals.changes {
        let own = matches!(signals.steps[change.step].actor, Actor::Person | Actor::Restore);
        all.entry(&change.path).and_modify(|still| *still &= own).or_insert(own);
    }
    all.into_iter().filter(|(_, own)| *own).map(|(path, _)| path.to_owned()).collect()
}

/// Files that the person protected and that changed all the same.
fn protected(engine: &Engine, changes: &[Change]) -> Result<Vec<GuardNote>> {
    let protected = protect::list(engine)?;
    let is_protected = |path: &str| {
        RelPath::new(path.as_bytes()).is_ok_and(|path| protected.iter().any(|folder| path.is_in(folder)))
    };
    let mut paths: Vec<&str> = changes.iter().map(|change| change.path.as_str()).collect();
    paths.sort_unstable();
    paths.dedup();
    let note = |path: &str| GuardNote {
        path: path.to_owned(),
        code: "protected".to_owned(),
        message: String::new(),
    };
    Ok(if protected.is_empty() {
        Vec::new()
    } else {
        paths.into_iter().filter(|path| is_protected(path)).map(note).collect()
    })
}

/// The map's categories of the files in question. "Other" says nothing, so it joins nothing.
fn categories(signals: &mut Signals) {
    let zone = &mut signals.zone;
    let changed = signals.changes.iter().map(|change| &change.path);
    for path in changed.chain(&zone.edit_targets).chain(&zone.relevant) {
        let category = map::category(path.as_bytes());
        if !matches!(category, map::Category::Other) {
            zone.categories.insert(path.clone(), category.as_str().to_owned());
        }
    }
}

fn checks(memory: &WorkMemory) -> Vec<Check> {
    let judged = |result: CheckResult| matches!(result, CheckResult::Passed | CheckResult::Failed);
    let mut checks: Vec<Check> = memory
        .verification
        .iter()
        .filter(|check| judged(check.result))
        .map(|check| Check {
            command: check.command.clone(),
            passed: check.result == CheckResult::Passed,
            time_ms: check.time,
        })
        .collect();
    checks.sort_by_key(|check| check.time_ms);
    checks
}

fn zone_input(engine: &Engine, memory: &WorkMemory) -> Result<ZoneInput> {
    let explicit = |source: memory::log::Provenance| source == memory::log::Provenance::Explicit;
    let marked = memory.relevant_files.iter().filter(|file| explicit(file.source));
    let mut confirmed: Vec<String> = marked.clone().map(|file| file.path.clone()).collect();
    confirmed.extend(feedback::judged_to_belong(engine)?);
    Ok(ZoneInput {
        intent: memory
            .active_intent
            .as_ref()
            .map(|intent| Intent { text: intent.text.clone(), stale: intent.stale }),
        relevant: marked.filter(|file| !file.from_previous_intent).map(|file| file.path.clone()).collect(),
        confirmed,
        ..ZoneInput::default()
    })
}

/// Moments that somebody or something vouched for, newest first.
fn good_points(looks: &[&Checkpoint], signals: &Signals) -> Vec<GoodPoint> {
    let mut good = Vec::new();
    for check in signals.checks.iter().filter(|check| check.passed) {
        // The state that was checked is the one before the next step.
        let next = signals.steps.iter().find(|step| step.time_ms >= check.time_ms);
        if looks.first().is_some_and(|first| first.created_ms <= check.time_ms) {
            good.push(GoodPoint {
                seq: next.map_or(i64::MAX, |step| step.seq),
                checkpoint: next.map(|step| step.checkpoint.clone()),
                time_ms: check.time_ms,
                why: Why::CheckPassed,
            });
        }
    }
    let mut sessions: HashSet<&str> = HashSet::new();
    for checkpoint in looks {
        let begins = checkpoint.origin.session.as_deref().is_some_and(|session| sessions.insert(session));
        let why = match checkpoint.kind {
            _ if checkpoint.pinned => Why::SavedByHand,
            CheckpointKind::Manual => Why::SavedByHand,
            CheckpointKind::Commit => Why::Committed,
            CheckpointKind::Turn if checkpoint.origin.trigger.as_deref() == Some("prompt") => Why::TurnStart,
            CheckpointKind::Turn if begins => Why::SessionStart,
            _ => continue,
        };
        good.push(GoodPoint {
            seq: checkpoint.seq,
            checkpoint: Some(checkpoint.id.to_string()),
            time_ms: checkpoint.created_ms,
            why,
        });
    }
    good.sort_by(|a, b| b.seq.cmp(&a.seq).then(a.why.cmp(&b.why)));
    good
}

/// The files that are there now, with their sizes; as far as the last look at the whole tree knows.
fn present_files(
    store: &Store<'_>,
    history: &[Checkpoint],
    working: &WorkingTree,
) -> Result<Vec<(String, u64)>> {
    let Some(tree) = history.iter().find(|checkpoint| checkpoint.whole_tree) else { return Ok(Vec::new()) };
    let mut files = Vec::new();
    store.each_entry(tree, |path, entry| {
        if entry.kind == EntryKind::File && !entry.sensitive {
            files.push((path.to_string(), entry.size));
        }
        Ok(())
    })?;
    for change in store.compare(&store.view(tree, &working.view)?, &working.view, &[])? {
        if let (None, Some(after)) = (change.before, change.after)
            && after.kind == EntryKind::File
        {
            files.push((change.path.to_string(), after.size));
        }
    }
    Ok(files)
}
