//! What an earlier request had put in, and a later step took away. (B: "the discount is gone" speaks of the work of that request.)

use std::collections::{BTreeMap, HashSet};

use crate::asked::{self, Wish};
use crate::diagnose::Remedy;
use crate::moved::telling;
use crate::parts::PartKind;
use crate::phrase::{Named, Phrase};
use crate::signals::{Actor, Signals};
use crate::signs::{Hit, Sign};

/// How sure it has to be that nobody wanted it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Missed {
    /// A person asks for it: whoever took it away, and for what.
    Wanted,
    /// A person misses it: only what was taken away on purpose is left out.
    Said,
    /// Nobody said anything about it.
    Unsaid,
}

/// Where the work of these changes was lost since, the newest loss of each file.
pub(crate) fn hits(signals: &Signals, work: &[usize], phrase: &Phrase, missed: Missed) -> Vec<Hit> {
    let mut of_path: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for &at in work {
        of_path.entry(&signals.changes[at].path).or_default().push(at);
    }
    let mut found = Vec::new();
    for (path, own) in of_path {
        let Some(&first) = own.first() else { continue };
        let mut takers =
            (first + 1..signals.changes.len()).rev().filter(|&at| signals.changes[at].path == path);
        found.extend(takers.find_map(|taker| taken(signals, &own, taker, phrase, missed)));
    }
    found.sort_by_key(|hit: &Hit| hit.change);
    found
}

/// Work of any earlier request that a later one took away without a word about it.
pub(crate) fn unsaid(signals: &Signals, window: &[usize]) -> Vec<Hit> {
    let by_agent = |at: &usize| {
        matches!(signals.steps[signals.changes[*at].step].actor, Actor::Edit | Actor::Command)
            && !signals.changes[*at].made.came_text.is_empty()
    };
    let mut found: BTreeMap<usize, Hit> = BTreeMap::new();
    for at in (0..signals.changes.len()).filter(by_agent) {
        for hit in hits(signals, &[at], &Phrase::default(), Missed::Unsaid) {
            if window.contains(&hit.change) {
                found.entry(hit.change).and_modify(|known| known.work.push(at)).or_insert(hit);
            }
        }
    }
    found.into_values().collect()
}

/// What this change took away of the work of the others, if it did.
fn taken(signals: &Signals, own: &[usize], taker: usize, phrase: &Phrase, missed: Missed) -> Option<Hit> {
    let change = &signals.changes[taker];
    let step = &signals.steps[change.step];
    let is_earlier = |at: &usize| *at < taker && !signals.is_of_one_request(*at, taker);
    let work: Vec<usize> = own.iter().copied().filter(is_earlier).collect();
    let by_person = matches!(step.actor, Actor::Person | Actor::Restore);
    if work.is_empty()
        || change.still.same
        || (missed != Missed::Wanted && (by_person || change.undone_by.is_some()))
    {
        return None;
    }
    let came: HashSet<&str> =
        work.iter().flat_map(|&at| telling(&signals.changes[at].made.came_text)).collect();
    let still: HashSet<&str> = telling(&change.still.lost_text).collect();
    let lost: HashSet<&str> =
        telling(&change.made.lost_text).filter(|line| came.contains(line) && still.contains(line)).collect();
    let names: Vec<String> = change
        .made
        .names_lost
        .iter()
        .filter(|name| change.still.names_lost.contains(name))
        .filter(|name| work.iter().any(|&at| signals.changes[at].made.names_new.contains(name)))
        .cloned()
        .collect();
    let is_much = !lost.is_empty() && (lost.len() * 2 >= came.len() || !names.is_empty());
    if !is_much || signals.is_moved(taker) || is_deliberate(signals, taker, &names, phrase, missed) {
        return None;
    }
    let mut hit = if change.made.gone && change.still.gone {
        Hit::new(taker, Sign::Deleted, Remedy::Restore)
    } else {
        let count = lost.len() as u64;
        Hit::new(taker, Sign::PartLost { kind: PartKind::Lines, count }, Remedy::Mend)
    };
    hit.work = work;
    hit.names = names;
    Some(hit)
}

/// It was taken away on purpose: its request speaks of that, or the edit named the very text.
fn is_deliberate(signals: &Signals, taker: usize, names: &[String], phrase: &Phrase, missed: Missed) -> bool {
    let change = &signals.changes[taker];
    let step = &signals.steps[change.step];
    let request = step.prompt.as_deref();
    let takes_away = [Wish::Delete, Wish::Rewrite, Wish::Replace, Wish::Rename, Wish::GoBack];
    let wishes = takes_away.into_iter().any(|wish| asked::wishes(request, wish));
    match missed {
        Missed::Wanted => false,
        Missed::Said => {
            let speaks = |name: &Named| request.is_some_and(|request| name.score(request) > 0);
            wishes
                && (phrase.objects.iter().any(speaks) || names.iter().any(|name| asked::names(request, name)))
        }
        Missed::Unsaid => {
            let whole = match step.actor {
                Actor::Edit => !asked::knows_what_was_there(step.tool.as_deref()),
                Actor::Command => true,
                _ => false,
            };
            // A block that went as a whole, and not a line that was written in other words.
            let went = change.made.parts_lost.is_some() && change.still.parts_lost.is_some();
            let speaks = asked::named_by(request, &change.path).is_some()
                || asked::speaks_of_text(request, &change.made.lost_text);
            !whole || (wishes && speaks) || !went || asked::wishes(request, Wish::Format)
        }
    }
}
