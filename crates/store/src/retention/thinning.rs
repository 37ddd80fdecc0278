//! Thinning by age: the older a state, the fewer of its neighbours are kept.

use std::collections::HashSet;

use project::Config;
use rusqlite::Connection;

use super::worth;
use crate::Result;

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;

/// After `retention.days`: one state an hour for so long, then one a day for so long, then one a week.
const HOURLY_MS: i64 = 7 * DAY_MS;
const DAILY_MS: i64 = 90 * DAY_MS;

/// What was told of a step is kept for so long after its content may go.
pub(super) const TOLD_MS: i64 = HOURLY_MS + DAILY_MS;

/// How long everything is kept; none: for ever.
pub(super) fn kept_whole_ms(config: &Config) -> Option<i64> {
    let days = i64::try_from(config.number("retention.days")).unwrap_or(i64::MAX);
    (days > 0).then(|| days.saturating_mul(DAY_MS))
}

/// A state that may be thinned.
#[derive(Debug, Clone, Copy)]
struct Old {
    seq: i64,
    whole_tree: bool,
    created_ms: i64,
}

/// The states that thinning lets go now, the oldest first.
pub(super) fn due(connection: &Connection, config: &Config, now: i64) -> Result<Vec<i64>> {
    let Some(whole) = kept_whole_ms(config) else { return Ok(Vec::new()) };
    let mut statement = connection.prepare_cached(
        "SELECT c.seq, c.whole_tree, c.created_ms FROM checkpoint c
         WHERE c.expired_ms IS NULL AND c.pinned = 0 AND (c.kind <> 2 OR c.by_agent) AND c.created_ms < ?1
           AND c.seq < (SELECT max(seq) FROM checkpoint WHERE whole_tree AND expired_ms IS NULL)
           AND NOT EXISTS (SELECT 1 FROM operation o WHERE o.safety = c.seq AND o.state = 'running')
         ORDER BY c.seq DESC",
    )?;
    let rows = statement.query_map([now.saturating_sub(whole)], |row| {
        Ok(Old { seq: row.get(0)?, whole_tree: row.get(1)?, created_ms: row.get(2)? })
    })?;
    let old = rows.collect::<rusqlite::Result<Vec<Old>>>()?;
    let mut due = too_many(&old, whole, now);
    if due.is_empty() {
        return Ok(due);
    }
    let last = worth::holders_of_last_copies(connection)?;
    due.retain(|seq| !last.contains(seq));
    Ok(due)
}

/// Of each hour, day or week the newest look at the whole tree stays, or the newest look if there is none. `old`: the newest first.
fn too_many(old: &[Old], whole: i64, now: i64) -> Vec<i64> {
    let mut taken: HashSet<(i64, i64)> = HashSet::new();
    let mut kept: HashSet<i64> = HashSet::new();
    for whole_tree in [true, false] {
        for one in old.iter().filter(|one| one.whole_tree == whole_tree) {
            if taken.insert(span(one.created_ms, whole, now)) {
                kept.insert(one.seq);
            }
        }
    }
    let mut due: Vec<i64> = old.iter().map(|one| one.seq).filter(|seq| !kept.contains(seq)).collect();
    due.sort_unstable();
    due
}

/// The hour, day or week that a state stands for: its length and its number.
fn span(created_ms: i64, whole: i64, now: i64) -> (i64, i64) {
    let beyond = now - whole - created_ms;
    let length = if beyond <= HOURLY_MS {
        HOUR_MS
    } else if beyond <= TOLD_MS {
        DAY_MS
    } else {
        7 * DAY_MS
    };
    (length, created_ms.div_euclid(length))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: i64 = 30 * DAY_MS;
    const NOW: i64 = 20_000 * DAY_MS;

    fn states(every_ms: i64, from_days: i64, to_days: i64) -> Vec<Old> {
        let mut out = Vec::new();
        let mut at = NOW - from_days * DAY_MS;
        while at < NOW - to_days * DAY_MS {
            out.push(Old { seq: at, whole_tree: true, created_ms: at });
            at += every_ms;
        }
        out.reverse();
        out
    }

    fn kept(old: &[Old]) -> usize {
        old.len() - too_many(old, WHOLE, NOW).len()
    }

    #[test]
    fn one_an_hour_then_one_a_day_then_one_a_week() {
        assert_eq!(kept(&states(60_000, 33, 32)), 24);
        assert_eq!(kept(&states(10 * 60_000, 100, 90)), 10);
        assert!((52..=54).contains(&kept(&states(HOUR_MS, 800, 435))));
    }

    #[test]
    fn thinning_again_later_takes_from_what_is_left_and_never_everything() {
        let mut left = states(HOUR_MS / 4, 60, 40);
        for day in 0..200 {
            let due = too_many(&left, WHOLE, NOW + day * DAY_MS);
            left.retain(|one| !due.contains(&one.seq));
            assert!(!left.is_empty());
        }
        assert!((3..=4).contains(&left.len()), "{}", left.len());
    }

    #[test]
    fn a_look_at_the_whole_tree_is_worth_more_than_one_at_a_file() {
        let at = NOW - 33 * DAY_MS;
        let old = [
            Old { seq: 2, whole_tree: false, created_ms: at + 1 },
            Old { seq: 1, whole_tree: true, created_ms: at },
        ];
        assert_eq!(too_many(&old, WHOLE, NOW), [2]);
    }
}
