//! Lines that were taken away at one place and put in at another: whole blocks of them, with enough in them that it is no accident.

use std::collections::HashMap;

use super::carry::NEW;
use super::text::{BLANK, Text};

/// So many letters and digits a moved block has in the same file; git's rule.
pub(super) const SAME_FILE: usize = 20;
/// And from another file.
pub(super) const OTHER_FILE: usize = 40;

/// A text of which some lines are gone.
pub(super) struct Pool<'t> {
    pub(super) text: &'t Text,
    pub(super) writers: &'t [u32],
    /// False: this line is gone, or was used for another.
    pub(super) stayed: Vec<bool>,
}

/// Gives new lines that stand as a block among the gone lines of a pool the writers of those.
pub(super) fn match_blocks(new: &Text, writers: &mut [u32], pools: &mut [Pool<'_>], least: usize) {
    if !writers.contains(&NEW) {
        return;
    }
    let mut places: HashMap<u64, Vec<(usize, usize)>> = HashMap::new();
    for (number, pool) in pools.iter().enumerate() {
        for (line, name) in pool.text.bare().iter().enumerate() {
            if !pool.stayed[line] && *name != BLANK {
                places.entry(*name).or_default().push((number, line));
            }
        }
    }
    if places.is_empty() {
        return;
    }
    let names = new.bare();
    let mut line = 0;
    while line < names.len() {
        let found = (writers[line] == NEW)
            .then(|| places.get(&names[line]))
            .flatten()
            .and_then(|starts| longest(names, writers, line, starts, pools));
        let Some((pool, start, length)) = found else {
            line += 1;
            continue;
        };
        let weight: usize = (line..line + length).map(|line| new.weight(line)).sum();
        if weight >= least {
            let pool = &mut pools[pool];
            for step in 0..length {
                writers[line + step] = pool.writers.get(start + step).copied().unwrap_or(NEW);
                pool.stayed[start + step] = true;
            }
        }
        line += length;
    }
}

/// The longest block that begins at `line` and stands in a pool from one of these places on.
fn longest(
    names: &[u64],
    writers: &[u32],
    line: usize,
    starts: &[(usize, usize)],
    pools: &[Pool<'_>],
) -> Option<(usize, usize, usize)> {
    let mut best: Option<(usize, usize, usize)> = None;
    // A line that is everywhere begins many blocks; the first ones are as good as any.
    for (pool, start) in starts.iter().take(64) {
        let (gone, there) = (&pools[*pool].stayed, pools[*pool].text.bare());
        let mut length = 0;
        while names.get(line + length).is_some_and(|name| there.get(start + length) == Some(name))
            && writers[line + length] == NEW
            && !gone[start + length]
        {
            length += 1;
        }
        // Blank lines at the end are no part of it.
        while length > 0 && names[line + length - 1] == BLANK {
            length -= 1;
        }
        if length > best.map_or(0, |(_, _, length)| length) {
            best = Some((*pool, *start, length));
        }
    }
    best
}
