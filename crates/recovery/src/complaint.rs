//! A complaint in a person's own words: "my retry settings are gone". What names no request, file or function is looked for among what
//! went: in the paths, in the names, in the lines themselves.

use std::collections::BTreeSet;

use crate::diagnose::Remedy;
use crate::nouns;
use crate::parts::PartKind;
use crate::paths::{same_word, words};
use crate::phrase::{Ask, Named, Phrase};
use crate::select::Selection;
use crate::signals::{Actor, Change, Signals};
use crate::signs::{self, Hit, Sign};

/// The words say that something is gone, ask for nothing, and what they call it is not known by that name.
pub(crate) fn is_unknown(phrase: &Phrase, selection: &Selection) -> bool {
    let by_path = phrase.objects.iter().any(|name| name.is_path);
    let not_found = match phrase.ask {
        Ask::Restore => phrase.complaint && !selection.not_found.is_empty(),
        Ask::Broke => !selection.narrowed,
        _ => false,
    };
    phrase.lost && !phrase.objects.is_empty() && !by_path && not_found && phrase.not_understood.is_empty()
}

/// Something that changed is called that.
pub(crate) fn is_called(signals: &Signals, name: &Named) -> bool {
    let in_words = |path: &str| {
        let parts = words(path);
        name.words.iter().any(|word| word.len() > 2 && parts.iter().any(|part| same_word(part, word)))
    };
    let is = |path: &str| name.names_path(path) || nouns::named_in(&name.text, path) > 0 || in_words(path);
    signals.changes.iter().any(|change| is(&change.path))
}

/// What it may be about: damage that the words speak of; else what went and has these words in it.
pub(crate) fn look(signals: &Signals, phrase: &Phrase, window: &[usize]) -> Vec<Hit> {
    let said = Said::of(phrase);
    let theirs: Vec<usize> = window
        .iter()
        .copied()
        .filter(|&at| signals.steps[signals.changes[at].step].actor != Actor::Restore)
        .collect();
    let damage = signs::hits(signals, &theirs, true);
    let best = damage.iter().map(|hit| said.score(&signals.changes[hit.change])).max().unwrap_or(0);
    let lost = lost_with_words(signals, &said, &theirs);
    let best_lost = lost.first().map_or(0, |(score, _)| *score);
    if best > 0 && best >= best_lost {
        let is_meant = |hit: &&Hit| said.score(&signals.changes[hit.change]) == best;
        // One accident is one accident: what the same step did alike belongs to it.
        let key = |hit: &Hit| (signals.changes[hit.change].step, hit.sign.clone());
        let meant: BTreeSet<(usize, Sign)> = damage.iter().filter(is_meant).map(key).collect();
        return damage.into_iter().filter(|hit| meant.contains(&key(hit))).collect();
    }
    lost.into_iter().map(|(_, hit)| hit).collect()
}

/// Changes that took away what the words speak of, the best fitting ones.
fn lost_with_words(signals: &Signals, said: &Said, window: &[usize]) -> Vec<(usize, Hit)> {
    let mut found: Vec<(usize, Hit)> = Vec::new();
    for &at in window {
        let change = &signals.changes[at];
        let went = change.made.gone || change.made.removed.is_some_and(|removed| removed > 0);
        if !signals.stands(at) || !went {
            continue;
        }
        let score = said.score(change);
        let stands = score > 0 && (change.still.gone || said.score_of_loss(change) > 0);
        if !stands {
            continue;
        }
        let hit = match (change.made.parts_lost, change.still.parts_lost) {
            (Some((kind, made)), Some((_, still))) => {
                Hit::new(at, Sign::PartLost { kind, count: made.min(still) }, Remedy::Mend)
            }
            // A complaint asks for nothing to be taken back: what is missed comes back beside what is new.
            _ if !change.still.gone => {
                let count = change.made.lines_lost();
                Hit::new(at, Sign::PartLost { kind: PartKind::Lines, count }, Remedy::Mend)
            }
            _ => Hit::new(at, Sign::Wanted, Remedy::Restore),
        };
        found.push((score, hit));
    }
    let best = found.iter().map(|(score, _)| *score).max().unwrap_or(0);
    found.retain(|(score, _)| *score == best);
    // Of one file, the newest change that took it away.
    let mut paths: BTreeSet<&str> = BTreeSet::new();
    let mut newest: Vec<(usize, Hit)> = Vec::new();
    for (score, hit) in found.into_iter().rev() {
        if paths.insert(&signals.changes[hit.change].path) {
            newest.push((score, hit));
        }
    }
    newest.reverse();
    newest
}

/// The words of a complaint.
struct Said {
    text: String,
    words: Vec<String>,
}

impl Said {
    fn of(phrase: &Phrase) -> Self {
        let text = phrase.objects.iter().map(|name| name.text.to_lowercase()).collect::<Vec<_>>().join(" ");
        let mut all: Vec<String> = Vec::new();
        for word in phrase.objects.iter().flat_map(|name| &name.words) {
            if word.is_ascii() {
                all.push(word.to_lowercase());
            } else {
                all.extend(word.split(['の', '的', '의']).map(str::to_lowercase));
            }
        }
        all.retain(|word| if word.is_ascii() { word.len() > 2 } else { word.chars().count() > 1 });
        all.sort_unstable();
        all.dedup();
        Self { text, words: all }
    }

    /// How much of it a change speaks of; its path and names say more than a line.
    fn score(&self, change: &Change) -> usize {
        let parts = words(&change.path);
        let of_path = self.words.iter().filter(|word| parts.iter().any(|part| same_word(part, word))).count();
        let called = nouns::named_in(&self.text, &change.path);
        2 * of_path.max(called) + self.score_of_loss(change)
    }

    fn score_of_loss(&self, change: &Change) -> usize {
        let facts = &change.made;
        let names: Vec<String> = facts.names_lost.iter().flat_map(|name| words(name)).collect();
        let in_lines = |word: &String| {
            if !word.is_ascii() {
                return facts.lost_text.contains(word.as_str());
            }
            let stem = word.strip_suffix('s').unwrap_or(word);
            facts.lost_text.match_indices(stem).any(|(at, _)| {
                let rest = &facts.lost_text[at + stem.len()..];
                let end = rest.strip_prefix('s').unwrap_or(rest);
                let begins = !facts.lost_text[..at].chars().next_back().is_some_and(char::is_alphanumeric);
                begins && !end.chars().next().is_some_and(char::is_alphanumeric)
            })
        };
        let of_names =
            self.words.iter().filter(|word| names.iter().any(|name| same_word(name, word))).count();
        2 * of_names + self.words.iter().filter(|word| in_lines(word)).count()
    }
}
