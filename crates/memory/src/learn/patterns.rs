//! Patterns from repeated episodes: what works here, and what does not. They fade, and are looked at again. (MM9)

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::episodes::Episode;
use crate::log::Outcome;

const DAY_MS: f64 = 86_400_000.0;
/// A pattern counts half as much after so many days.
const HALVES_DAYS: f64 = 45.0;
/// What was not seen for so long has to be seen again before it is told.
const REVALIDATE_DAYS: f64 = 60.0;
/// So many episodes make a pattern.
const LEAST_EPISODES: usize = 3;
/// Of so many tasks.
const LEAST_TASKS: usize = 2;
/// Below this it is forgotten.
const FORGOTTEN: f64 = 0.1;

/// What a pattern says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    /// It works here.
    Works,
    /// It does not work here, or was taken back.
    Fails,
}

/// A pattern, with its evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pattern {
    /// What it says.
    pub sort: Sort,
    /// The tool.
    pub tool: String,
    /// What the tool was given, shortened.
    pub what: String,
    /// The files that mended it, the most frequent first.
    pub fix: Vec<String>,
    /// Episodes that speak for it.
    pub seen: usize,
    /// Episodes that speak against it.
    pub against: usize,
    /// In how many tasks.
    pub tasks: usize,
    /// How strong it is now, from 0 to 1: it fades with time, and what speaks against it weakens it.
    pub strength: f64,
    /// When it was last seen, in milliseconds since 1970.
    pub last_ms: i64,
    /// It was not seen for long: it has to be seen again before anybody relies on it.
    pub to_revalidate: bool,
}

/// The patterns in some episodes, the strongest first.
pub fn find(episodes: &[Episode], now_ms: i64) -> Vec<Pattern> {
    let mut groups: BTreeMap<(&str, u64), Vec<&Episode>> = BTreeMap::new();
    for episode in episodes {
        groups.entry((&episode.tool, episode.input)).or_default().push(episode);
    }
    let mut patterns: Vec<Pattern> =
        groups.into_values().filter_map(|group| weigh(&group, now_ms)).filter(Pattern::is_one).collect();
    patterns.sort_by(|one, other| other.strength.total_cmp(&one.strength).then(one.what.cmp(&other.what)));
    patterns
}

/// What the episodes of one tool with one input come to, however few they are.
pub fn of(episodes: &[Episode], tool: &str, input: u64, now_ms: i64) -> Option<Pattern> {
    let same = |episode: &&Episode| episode.tool == tool && episode.input == input;
    weigh(&episodes.iter().filter(same).collect::<Vec<_>>(), now_ms)
}

impl Pattern {
    /// Seen often enough, and not forgotten.
    fn is_one(&self) -> bool {
        self.seen >= LEAST_EPISODES && self.tasks >= LEAST_TASKS && self.strength >= FORGOTTEN
    }
}

fn weigh(group: &[&Episode], now_ms: i64) -> Option<Pattern> {
    let days = |episode: &Episode| (now_ms - episode.time_ms).max(0) as f64 / DAY_MS;
    let weight =
        |episode: &Episode| f64::from(episode.confidence) * 0.5_f64.powf(days(episode) / HALVES_DAYS);
    let worked = |episode: &&&Episode| episode.outcome == Outcome::Success;
    let failed = |episode: &&&Episode| matches!(episode.outcome, Outcome::Failure | Outcome::RolledBack);
    let (well, badly): (f64, f64) = (
        group.iter().filter(worked).map(|episode| weight(episode)).sum(),
        group.iter().filter(failed).map(|episode| weight(episode)).sum(),
    );
    let sort = if well >= badly { Sort::Works } else { Sort::Fails };
    let (good, bad) = (group.iter().filter(worked).count(), group.iter().filter(failed).count());
    let (seen, against) = if sort == Sort::Works { (good, bad) } else { (bad, good) };
    let tasks: BTreeSet<&str> = group.iter().map(|episode| episode.task.as_str()).collect();
    let (for_it, against_it) = if sort == Sort::Works { (well, badly) } else { (badly, well) };
    let strength = for_it / (for_it + 2.0 * against_it + 1.0);
    let last = group.iter().copied().max_by_key(|episode| episode.time_ms)?;
    let mut fixes: BTreeMap<&str, usize> = BTreeMap::new();
    for path in group.iter().flat_map(|episode| &episode.fix) {
        *fixes.entry(path).or_default() += 1;
    }
    let mut fix: Vec<(&str, usize)> = fixes.into_iter().collect();
    fix.sort_by(|(a, x), (b, y)| y.cmp(x).then(a.cmp(b)));
    Some(Pattern {
        sort,
        tool: last.tool.clone(),
        what: last.what.clone(),
        fix: fix.into_iter().take(5).map(|(path, _)| path.to_owned()).collect(),
        seen,
        against,
        tasks: tasks.len(),
        strength,
        last_ms: last.time_ms,
        to_revalidate: days(last) > REVALIDATE_DAYS,
    })
}

#[cfg(test)]
mod tests {
    use super::super::episodes::{fold, tests::ran};
    use super::*;
    use crate::log::Event;

    #[test]
    fn what_fails_again_and_again_is_an_anti_pattern_until_it_works_or_is_forgotten() {
        let mut events: Vec<Event> = (0..4)
            .map(|at| ran(at, if at % 2 == 0 { "s" } else { "t" }, "npm test", Outcome::Failure))
            .collect();
        let hour = 3_600_000;
        let found = find(&fold(&events), 10 * hour);
        assert_eq!(
            (found.len(), found[0].sort, found[0].seen, found[0].to_revalidate),
            (1, Sort::Fails, 4, false)
        );
        let later = find(&fold(&events), 70 * 24 * hour);
        assert!(later[0].strength < found[0].strength && later[0].to_revalidate);
        assert_eq!(find(&fold(&events), 1000 * 24 * hour), []);
        events.extend((10..18).map(|at| ran(at, "u", "npm test", Outcome::Success)));
        assert_eq!(find(&fold(&events), 20 * hour)[0].sort, Sort::Works);
        assert_eq!(find(&fold(&events[..2]), 10 * hour), []);
    }
}
