//! One command is one act: what the step of an accident changed besides is said, and where nothing that was asked for explains it, it is
//! part of the accident. What an *earlier* request speaks of explains nothing.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::asked::{self, Wish};
use crate::diagnose::{Remedy, last_vouched};
use crate::nouns;
use crate::paths;
use crate::signals::{Actor, Kind, Signals};
use crate::signs::{self, Hit, Sign};

/// A file that the command of an accident changed, too.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Beside {
    /// Which.
    pub path: String,
    #[serde(skip)]
    pub(crate) change: usize,
}

/// What the commands of these accidents changed besides, in order of path.
pub(crate) fn beside(signals: &Signals, hits: &[Hit]) -> Vec<Beside> {
    let known: BTreeSet<&str> = hits.iter().flat_map(|hit| touched(signals, hit)).collect();
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    for step in accidents(signals, hits) {
        for at in standing_in(signals, step) {
            let path = signals.changes[at].path.as_str();
            if !known.contains(path) {
                found.entry(path).or_insert(at);
            }
        }
    }
    found.into_iter().map(|(path, change)| Beside { path: path.to_owned(), change }).collect()
}

/// Takes in what belongs to the same accident: nothing that this command changed was asked for, and most of it is lost.
pub(crate) fn take_in(signals: &Signals, hits: &mut Vec<Hit>) {
    let besides = beside(signals, hits);
    for step in accidents(signals, hits) {
        let lost = hits.iter().filter(|hit| signals.changes[hit.change].step == step).count();
        let more: Vec<usize> = besides
            .iter()
            .map(|one| one.change)
            .filter(|&at| signals.changes[at].step == step && is_unexplained(signals, at))
            .collect();
        if more.len() <= lost && !speaks_of_some(signals, step) {
            hits.extend(more.into_iter().map(|at| Hit::new(at, Sign::SameCommand, Remedy::Restore)));
        }
    }
    hits.sort_by_key(|hit| hit.change);
}

/// Still broken after a going back: what is left of the commands of which it took a part back, unless something vouched for it since.
pub(crate) fn left_over(signals: &Signals, window: &[usize]) -> Vec<Hit> {
    let border = last_vouched(signals).map_or(i64::MIN, |point| point.seq);
    let taken_back: BTreeSet<usize> = signals
        .changes
        .iter()
        .filter(|change| change.undone_by.is_some() && !change.made.new)
        .map(|change| change.step)
        .collect();
    let is_left = |at: &usize| {
        let change = &signals.changes[*at];
        let step = &signals.steps[change.step];
        taken_back.contains(&change.step)
            && step.actor == Actor::Command
            && step.seq >= border
            && signals.stands(*at)
            && is_unexplained(signals, *at)
    };
    let left = window.iter().copied().filter(is_left);
    left.map(|at| Hit::new(at, Sign::SameCommand, Remedy::Restore)).collect()
}

/// One command is one act, also where the person names only a part of what it did: what else it damaged belongs to it, and what it
/// gave other names goes back with the rest.
pub(crate) fn as_one_act(signals: &Signals, hits: &mut Vec<Hit>, says_lost: bool) {
    let steps: BTreeSet<usize> = hits.iter().map(|hit| signals.changes[hit.change].step).collect();
    for step in steps.into_iter().filter(|&step| signals.steps[step].actor == Actor::Command) {
        let own: Vec<usize> = standing_in(signals, step).collect();
        let known: BTreeSet<&str> = hits.iter().flat_map(|hit| touched(signals, hit)).collect();
        let is_new = |at: usize| !known.contains(signals.changes[at].path.as_str());
        let moved = |at: &usize| signals.changes[*at].moved.is_some();
        let is_move = hits.iter().any(|hit| signals.changes[hit.change].step == step && moved(&hit.change));
        let mut more: Vec<Hit> = signs::hits(signals, &own, false);
        more.retain(|hit| is_new(hit.change));
        // "Clean up" asks for many things, and not for that: whoever misses something threw nothing away on purpose.
        if says_lost && signals.steps[step].command.as_deref().is_some_and(asked::throws_away) {
            let thrown =
                own.iter().copied().filter(|&at| is_new(at) && signals.changes[at].kind != Kind::Added);
            let thrown = thrown.filter(|at| !more.iter().any(|hit| hit.change == *at)).collect::<Vec<_>>();
            more.extend(thrown.into_iter().map(|at| Hit::new(at, Sign::WentBack, Remedy::Restore)));
        }
        if is_move {
            let others = own.into_iter().filter(|at| moved(at) && is_new(*at));
            let others = others.filter(|at| !more.iter().any(|hit| hit.change == *at)).collect::<Vec<_>>();
            more.extend(others.into_iter().map(|at| Hit::new(at, Sign::Renamed, Remedy::Restore)));
        }
        hits.extend(more);
    }
    hits.sort_by_key(|hit| hit.change);
}

/// Changes of a step that can still be seen.
pub(crate) fn standing_in(signals: &Signals, step: usize) -> impl Iterator<Item = usize> {
    (0..signals.changes.len()).filter(move |&at| signals.changes[at].step == step && signals.stands(at))
}

/// The commands that lost or spoilt something.
pub(crate) fn accidents(signals: &Signals, hits: &[Hit]) -> BTreeSet<usize> {
    let clear = |hit: &&Hit| {
        matches!(
            hit.sign,
            Sign::Deleted
                | Sign::Emptied
                | Sign::MostlyLost
                | Sign::Overwritten
                | Sign::Encoding
                | Sign::Placeholder
                | Sign::Broken
                | Sign::KindChanged
                | Sign::SameCommand
                | Sign::WentBack
                | Sign::Renamed
        )
    };
    let steps = hits.iter().filter(clear).map(|hit| signals.changes[hit.change].step);
    steps.filter(|&step| signals.steps[step].actor == Actor::Command).collect()
}

fn touched<'s>(signals: &'s Signals, hit: &'s Hit) -> impl Iterator<Item = &'s str> {
    std::iter::once(signals.changes[hit.change].path.as_str()).chain(hit.elsewhere.iter().map(String::as_str))
}

/// A content that was changed for a request that speaks neither of it nor of anything that would change it. What tools write by
/// themselves and what people read says nothing.
fn is_unexplained(signals: &Signals, at: usize) -> bool {
    const EXPLAINS: [Wish; 6] =
        [Wish::Rename, Wish::Replace, Wish::Rewrite, Wish::Format, Wish::GoBack, Wish::Dependencies];
    let change = &signals.changes[at];
    let request = signals.request_of(at);
    // "Clean up" is heard as both deleting and going back; only the first says something here.
    let explains = |wish: Wish| match wish {
        Wish::GoBack => asked::wishes(request, wish) && !asked::wishes(request, Wish::Delete),
        _ => asked::wishes(request, wish),
    };
    change.kind == Kind::Modified
        && !paths::is_lock(&change.path)
        && !paths::is_docs(&change.path)
        && asked::spoken_of(request, change).is_none()
        && request.is_none_or(|request| nouns::named_in(request, &change.path) == 0)
        && asked::asked_build(request, change).is_none()
        && !EXPLAINS.into_iter().any(explains)
}

/// The request speaks of something that this step changed: then a part of it was meant.
fn speaks_of_some(signals: &Signals, step: usize) -> bool {
    let request = signals.steps[step].prompt.as_deref();
    let mut changes = signals.changes.iter().filter(|change| change.step == step);
    changes.any(|change| asked::spoken_of(request, change).is_some())
}
