//! The intent zone: which of the changed files belong to what the person wanted, and what says so. (RC3)
//!
//! In this order: what a person said (marked files, the goal); the last edit targets of the session, widened by the map's
//! category, shared labels of the user interface, and what changed together in git's history; else nothing is known, and that
//! is said. What lies outside is a drift candidate, with the reason.

use serde::Serialize;

use crate::paths::{same_word, words};
use crate::signals::ZoneInput;

/// What put a file into the zone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "signal", rename_all = "snake_case")]
pub enum Signal {
    /// The person marked it.
    Marked,
    /// The person changed it by hand.
    ByHand,
    /// The goal names it.
    Goal {
        /// With this word.
        word: String,
    },
    /// The request for which it was changed speaks of it.
    Request {
        /// With this word.
        word: String,
    },
    /// The agent's edit tool was last at work here.
    EditTarget,
    /// An agent changed it with its edit tool, in an earlier session.
    Edited,
    /// It is of the same category as such a file.
    Category {
        /// Which.
        category: String,
        /// As this file.
        like: String,
    },
    /// It shares a label of the user interface.
    Label {
        /// With this file.
        like: String,
    },
    /// It changed together with such a file in the past.
    CoChange {
        /// With this file.
        like: String,
    },
}

/// What the zone stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// What a person said.
    Memory,
    /// What the request speaks of.
    Request,
    /// Where the agent edited last.
    EditTargets,
    /// Nothing: only the differences themselves.
    RawDiff,
}

/// A file in the zone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ZoneFile {
    /// Which.
    pub path: String,
    /// Why.
    #[serde(flatten)]
    pub signal: Signal,
}

/// Why a file is a drift candidate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Outside {
    /// Which.
    pub path: String,
    /// What the zone was made from, and does not name this file.
    pub basis: Basis,
}

/// The zone. Both lists are in order of path.
#[derive(Debug, Clone, Serialize)]
pub struct Zone {
    /// What it stands on.
    pub basis: Basis,
    /// The goal was given, but too long ago to count.
    pub stale_intent: bool,
    /// Inside.
    pub inside: Vec<ZoneFile>,
    /// Outside: drift candidates.
    pub outside: Vec<Outside>,
    /// Candidates are not named, because too many were mistaken.
    pub labelling_off: bool,
}

impl Zone {
    /// What says that this file belongs to the work.
    pub fn signal_of(&self, path: &str) -> Option<&Signal> {
        let at = self.inside.binary_search_by(|file| file.path.as_str().cmp(path)).ok()?;
        self.inside.get(at).map(|file| &file.signal)
    }

    /// It is a drift candidate.
    pub fn is_outside(&self, path: &str) -> bool {
        self.outside.binary_search_by(|file| file.path.as_str().cmp(path)).is_ok()
    }
}

/// Sorts the changed files.
pub fn zone(input: &ZoneInput, changed: &[String], may_label: bool) -> Zone {
    let stale_intent = input.intent.as_ref().is_some_and(|intent| intent.stale);
    let mut inside: Vec<ZoneFile> = Vec::new();
    for path in changed.iter().filter(|path| input.relevant.contains(path)) {
        inside.push(ZoneFile { path: path.clone(), signal: Signal::Marked });
    }
    if let Some(intent) = input.intent.as_ref().filter(|intent| !intent.stale) {
        for path in changed {
            if let Some(word) = named_by(&intent.text, path).filter(|_| !has(&inside, path)) {
                inside.push(ZoneFile { path: path.clone(), signal: Signal::Goal { word } });
            }
        }
    }
    let said = !inside.is_empty() || !input.relevant.is_empty();
    let basis = if said {
        Basis::Memory
    } else if input.names_files && changed.iter().any(|path| input.asked.contains_key(path)) {
        Basis::Request
    } else if !input.edit_targets.is_empty() {
        for path in input.edit_targets.iter().filter(|path| changed.contains(path)) {
            inside.push(ZoneFile { path: path.clone(), signal: Signal::EditTarget });
        }
        Basis::EditTargets
    } else {
        Basis::RawDiff
    };
    // What the request of a change speaks of belongs to the work, whatever else is known.
    for path in changed {
        if let Some(word) = input.asked.get(path).filter(|_| !has(&inside, path)) {
            inside.push(ZoneFile { path: path.clone(), signal: Signal::Request { word: word.clone() } });
        }
    }
    if basis != Basis::RawDiff {
        let seeds: Vec<String> = match basis {
            Basis::Memory | Basis::Request => seeds_of(&inside, &input.relevant),
            _ => input.edit_targets.clone(),
        };
        widen(input, changed, &seeds, basis != Basis::Request, &mut inside);
    }
    // An edit names its file: it is deliberate, whoever made it and when.
    for path in changed.iter().filter(|path| basis == Basis::EditTargets && input.edited.contains(path)) {
        if !has(&inside, path) {
            inside.push(ZoneFile { path: path.clone(), signal: Signal::Edited });
        }
    }
    for path in changed.iter().filter(|path| input.by_hand.contains(path)) {
        if !has(&inside, path) {
            inside.push(ZoneFile { path: path.clone(), signal: Signal::ByHand });
        }
    }
    inside.sort_by(|a, b| a.path.cmp(&b.path));
    let labels = may_label && basis != Basis::RawDiff;
    let is_inside = |path: &str| inside.binary_search_by(|file| file.path.as_str().cmp(path)).is_ok();
    let mut outside: Vec<Outside> = changed
        .iter()
        .filter(|path| labels && !is_inside(path) && !input.confirmed.contains(path))
        // A request that names nothing says nothing about its files.
        .filter(|path| basis != Basis::Request || input.unasked.contains(path))
        .map(|path| Outside { path: path.clone(), basis })
        .collect();
    outside.sort_by(|a, b| a.path.cmp(&b.path));
    Zone { basis, stale_intent, inside, outside, labelling_off: !may_label }
}

fn seeds_of(inside: &[ZoneFile], relevant: &[String]) -> Vec<String> {
    let mut seeds: Vec<String> = relevant.to_vec();
    seeds.extend(inside.iter().map(|file| file.path.clone()));
    seeds.sort_unstable();
    seeds.dedup();
    seeds
}

fn widen(
    input: &ZoneInput,
    changed: &[String],
    seeds: &[String],
    by_category: bool,
    inside: &mut Vec<ZoneFile>,
) {
    for path in changed {
        if has(inside, path) {
            continue;
        }
        let category = input.categories.get(path).filter(|_| by_category);
        let like = seeds.iter().find(|seed| category.is_some() && input.categories.get(*seed) == category);
        let label = || {
            let group = input.labels.iter().find(|group| group.contains(path))?;
            seeds.iter().find(|seed| group.contains(seed))
        };
        let together = || {
            let pair = |a: &String, b: &String| input.co_change.iter().any(|(x, y)| x == a && y == b);
            seeds.iter().find(|seed| pair(seed, path) || pair(path, seed))
        };
        let signal = if let (Some(category), Some(like)) = (category, like) {
            Signal::Category { category: category.clone(), like: like.clone() }
        } else if let Some(like) = label() {
            Signal::Label { like: like.clone() }
        } else if let Some(like) = together() {
            Signal::CoChange { like: like.clone() }
        } else {
            continue;
        };
        inside.push(ZoneFile { path: path.clone(), signal });
    }
}

fn has(inside: &[ZoneFile], path: &str) -> bool {
    inside.iter().any(|file| file.path == path)
}

/// The word of the goal that is also a word of the path.
fn named_by(goal: &str, path: &str) -> Option<String> {
    const EMPTY: &[&str] = &[
        "the", "and", "for", "with", "from", "src", "app", "lib", "test", "tests", "file", "files", "make",
        "add", "new", "use", "index", "main", "mod",
    ];
    let goal = words(goal);
    words(path)
        .into_iter()
        .filter(|word| word.chars().count() > 2 && !EMPTY.contains(&word.as_str()))
        .find(|word| goal.iter().any(|other| same_word(word, other)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::Intent;

    fn strings(paths: &[&str]) -> Vec<String> {
        paths.iter().map(|&path| path.to_owned()).collect()
    }

    #[test]
    fn the_signals_count_in_their_order_and_each_file_shows_its_own_rc3() {
        let changed = strings(&["src/FileHistoryTable.tsx", "src/DateGraph.tsx", "src/services/auth.ts"]);
        let mut input =
            ZoneInput { edit_targets: strings(&["src/services/auth.ts"]), ..ZoneInput::default() };
        // Without a person's word the last edits are the zone.
        let last = zone(&input, &changed, true);
        assert_eq!(last.basis, Basis::EditTargets);
        assert_eq!(last.signal_of("src/services/auth.ts"), Some(&Signal::EditTarget));
        // A person's word comes first, and then an edit alone is not enough.
        input.relevant = strings(&["src/DateGraph.tsx"]);
        input.intent = Some(Intent { text: "improve the file history".to_owned(), stale: false });
        let said = zone(&input, &changed, true);
        assert_eq!(said.basis, Basis::Memory);
        assert_eq!(said.signal_of("src/DateGraph.tsx"), Some(&Signal::Marked));
        assert!(matches!(said.signal_of("src/FileHistoryTable.tsx"), Some(Signal::Goal { .. })));
        assert!(said.is_outside("src/services/auth.ts"));
        // The category widens it.
        input.categories.insert("src/DateGraph.tsx".to_owned(), "ui".to_owned());
        input.categories.insert("src/services/auth.ts".to_owned(), "ui".to_owned());
        assert!(!zone(&input, &changed, true).is_outside("src/services/auth.ts"));
    }

    #[test]
    fn a_stale_goal_does_not_count_a_marked_file_is_never_drift_and_nothing_is_labelled_when_that_is_off() {
        let changed = strings(&["src/a.js", "src/b.js"]);
        let input = ZoneInput {
            intent: Some(Intent { text: "the a thing".to_owned(), stale: true }),
            confirmed: strings(&["src/b.js"]),
            edit_targets: strings(&["src/c.js"]),
            ..ZoneInput::default()
        };
        let found = zone(&input, &changed, true);
        assert!(found.stale_intent && found.basis == Basis::EditTargets);
        assert!(found.is_outside("src/a.js") && !found.is_outside("src/b.js"));
        let off = zone(&input, &changed, false);
        assert!(off.labelling_off && off.outside.is_empty());
        assert_eq!(zone(&ZoneInput::default(), &changed, true).basis, Basis::RawDiff);
        let own = ZoneInput { by_hand: strings(&["src/a.js"]), ..input };
        assert_eq!(zone(&own, &changed, true).signal_of("src/a.js"), Some(&Signal::ByHand));
    }
}
