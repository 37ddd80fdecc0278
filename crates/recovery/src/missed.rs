//! What somebody misses: a thing by its name, or the work of a request. Never is what is left of it taken away.

use std::collections::BTreeMap;

use crate::asked::{self, Wish};
use crate::diagnose::Remedy;
use crate::lost_since::{self, Missed};
use crate::parts::PartKind;
use crate::paths::{same_word, words};
use crate::phrase::Phrase;
use crate::signals::{Change, Kind, Signals};
use crate::signs::{self, Hit, Sign};

/// "Bring the discount back", "the discount is gone": it was lost since, or the request itself took it away.
pub(crate) fn wanted_back(
    signals: &Signals,
    phrase: &Phrase,
    window: &[usize],
    by_request: bool,
) -> Vec<Hit> {
    if phrase.complaint {
        let found = half_renamed(signals, phrase);
        if !found.is_empty() {
            return found;
        }
    }
    let missed = if phrase.complaint { Missed::Said } else { Missed::Wanted };
    let named = of_names(signals, phrase, window);
    if !by_request {
        return if named.is_empty() { brought_back(signals, phrase, window) } else { named };
    }
    let found = lost_since::hits(signals, window, phrase, missed);
    if !found.is_empty() {
        return found;
    }
    if !named.is_empty() {
        return named;
    }
    let took: Vec<usize> = window.iter().copied().filter(|&at| took_away(signals, phrase, at)).collect();
    let found = brought_back(signals, phrase, &took);
    if !found.is_empty() || !phrase.complaint {
        return found;
    }
    let found = signs::hits(signals, &later(signals, window), true);
    if !found.is_empty() {
        return found;
    }
    let found = dropped_sides(signals, window);
    if !found.is_empty() {
        return found;
    }
    // The words fit a request by chance: then it is looked for everywhere.
    let all: Vec<usize> =
        (0..signals.changes.len()).filter(|&at| !signals.is_going_back(&signals.changes[at])).collect();
    signs::hits(signals, &all, true)
}

/// What is missed only has another name, as was asked for, and somebody still says the old one.
fn half_renamed(signals: &Signals, phrase: &Phrase) -> Vec<Hit> {
    let all: Vec<usize> = (0..signals.changes.len()).collect();
    let mut found = signs::hits(signals, &all, false);
    found.retain(|hit| match &hit.sign {
        Sign::HalfRenamed { old, .. } => hit.remedy == Remedy::Mend && is_said(phrase, old),
        _ => false,
    });
    found
}

/// The words have this very name in them.
fn is_said(phrase: &Phrase, name: &str) -> bool {
    let parts = words(name);
    phrase.objects.iter().any(|object| {
        object.words.iter().any(|word| word.eq_ignore_ascii_case(name))
            || (!parts.is_empty() && parts.iter().all(|part| object.words.contains(part)))
    })
}

/// A conflict of the request was settled by leaving one side out.
fn dropped_sides(signals: &Signals, window: &[usize]) -> Vec<Hit> {
    let dropped = |at: &usize| {
        let change = &signals.changes[*at];
        change.made.was_marked && !change.still.gone && change.undone_by.is_none()
    };
    let hit = |at: usize| {
        let count = signals.changes[at].made.lines_lost();
        Hit::new(at, Sign::PartLost { kind: PartKind::Lines, count }, Remedy::Mend)
    };
    window.iter().copied().filter(dropped).map(hit).collect()
}

/// "The discount does not work any more": what was lost of it since, and what happened to its files after it.
pub(crate) fn said_broken(signals: &Signals, phrase: &Phrase, window: &[usize], narrowed: bool) -> Vec<Hit> {
    if !narrowed || phrase.objects.is_empty() {
        return lost_since::unsaid(signals, window);
    }
    let missed = if phrase.lost { Missed::Said } else { Missed::Unsaid };
    let found = lost_since::hits(signals, window, phrase, missed);
    if found.is_empty() { signs::hits(signals, &later(signals, window), phrase.lost) } else { found }
}

/// What others than vib did to the same files since.
fn later(signals: &Signals, window: &[usize]) -> Vec<usize> {
    let after = |at: usize| {
        let path = &signals.changes[at].path;
        window.iter().any(|&own| own < at && signals.changes[own].path == *path)
    };
    (0..signals.changes.len())
        .filter(|&at| after(at) && !signals.is_going_back(&signals.changes[at]))
        .collect()
}

/// A function or the like that goes by the very name.
fn of_names(signals: &Signals, phrase: &Phrase, window: &[usize]) -> Vec<Hit> {
    let is_said = |name: &String| {
        let parts = words(name);
        phrase.objects.iter().filter(|object| !object.is_path).any(|object| {
            object.words.iter().any(|word| word.eq_ignore_ascii_case(name)) || object.words == parts
        })
    };
    let mut found: BTreeMap<&str, Hit> = BTreeMap::new();
    for &at in window {
        let change = &signals.changes[at];
        let lost = |name: &&String| change.still.names_lost.contains(name) && is_said(name);
        let names: Vec<String> = change.made.names_lost.iter().filter(lost).cloned().collect();
        let is_there = |name: &String| signals.is_name_moved(at, name);
        if names.is_empty() || change.made.gone || !signals.stands(at) || names.iter().all(is_there) {
            continue;
        }
        let count = change.made.lines_lost();
        let mut hit = Hit::new(at, Sign::PartLost { kind: PartKind::Lines, count }, Remedy::Mend);
        hit.names = names;
        found.insert(&change.path, hit);
    }
    found.into_values().collect()
}

/// This request took away what the words speak of.
fn took_away(signals: &Signals, phrase: &Phrase, at: usize) -> bool {
    let change = &signals.changes[at];
    let removed = change.made.removed.is_some_and(|removed| removed > 0);
    change.made.gone
        || (removed && asked::wishes(signals.request_of(at), Wish::Delete))
        || (removed
            && speaks_of(&change.made.lost_text, phrase)
            && !speaks_of(&change.made.came_text, phrase))
        || change.made.names_lost.iter().any(|name| says(phrase, name))
}

fn says(phrase: &Phrase, name: &str) -> bool {
    let parts = words(name);
    let mut said = phrase.objects.iter().flat_map(|object| &object.words);
    said.any(|word| parts.iter().any(|part| same_word(part, word)))
}

fn speaks_of(text: &str, phrase: &Phrase) -> bool {
    let mut said = phrase.objects.iter().flat_map(|object| &object.words);
    said.any(|word| word.chars().count() > 1 && text.contains(&word.to_lowercase()))
}

fn is_lost(change: &Change) -> bool {
    let (made, still) = (&change.made, &change.still);
    (made.gone && still.gone) || (made.emptied && still.emptied) || (made.mostly_lost && still.mostly_lost)
}

/// Files that the person wants back: from before they were spoilt; else as they last were; else from before the last change.
fn brought_back(signals: &Signals, phrase: &Phrase, window: &[usize]) -> Vec<Hit> {
    let mut by_path: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for &at in window {
        let change = &signals.changes[at];
        // What is new was never there: to bring something back does not mean to take it away.
        let was_there = change.kind != Kind::Added;
        if was_there && signals.stands(at) {
            by_path.entry(&change.path).or_default().push(at);
        }
    }
    let damage = signs::hits(signals, window, phrase.lost);
    let mut found = Vec::new();
    for (path, changes) in by_path {
        // Whether anybody asked for it does not matter any more: now it is wanted back.
        let of_path: Vec<&Hit> =
            damage.iter().filter(|hit| signals.changes[hit.change].path == path).collect();
        if !of_path.is_empty() {
            found.extend(of_path.into_iter().cloned());
            continue;
        }
        let lost = changes.iter().rev().copied().find(|&at| is_lost(&signals.changes[at]));
        let last = lost.or_else(|| {
            // Who only says that something is gone asks for no earlier state of what is there, unless lines went and none came instead.
            if phrase.complaint {
                let went = |at: &usize| {
                    let (came, went) = signals.changes[*at].made.solid;
                    went > came || (went > 0 && signals.steps[signals.changes[*at].step].seq < 0)
                };
                return changes.iter().rev().copied().find(went);
            }
            let (&last, rest) = changes.split_last()?;
            let request =
                |at: usize| (signals.request_of(at), signals.steps[signals.changes[at].step].turn.clone());
            let first = rest.iter().rev().copied().take_while(|&at| request(at) == request(last)).last();
            Some(first.unwrap_or(last))
        });
        found.extend(last.map(|at| {
            let change = &signals.changes[at];
            let lost_beside = phrase.complaint && !change.made.gone && signals.steps[change.step].seq >= 0;
            if lost_beside && !is_lost(change) {
                // Nobody asked for an earlier state: what is missed comes back, what is new stays.
                let count = change.made.lines_lost();
                return Hit::new(at, Sign::PartLost { kind: PartKind::Lines, count }, Remedy::Mend);
            }
            Hit::new(at, Sign::Wanted, Remedy::Restore)
        }));
    }
    // What nobody can be brought back with is not offered as a way to mend.
    found.sort_by_key(|hit| hit.change);
    found
}
