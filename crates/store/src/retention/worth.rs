//! What is worth keeping longest: the last copy of what somebody deleted. And what goes first when the store is too large.

use std::collections::{HashMap, HashSet};

use rusqlite::Connection;

use super::{Class, over_limit};
use crate::hash::ContentHash;
use crate::{EntryKind, Result, versions};

/// How many go in one go, as a part of those that may.
const PART: usize = 8;

/// What may go next when the store is too large: some of the first group that has any. Each group is complete before the next begins.
pub(super) fn next_to_go(connection: &Connection) -> Result<Vec<i64>> {
    let last = holders_of_last_copies(connection)?;
    for holds_last_copy in [false, true] {
        for class in [Class::Agents, Class::Safety, Class::Commits] {
            // The newest of each stays.
            let mut group = over_limit(connection, class, 1)?;
            group.retain(|seq| last.contains(seq) == holds_last_copy);
            if group.is_empty() {
                continue;
            }
            group.sort_unstable();
            // The last copies go one by one: no more of them than must.
            let some = if holds_last_copy { 1 } else { group.len().div_ceil(PART) };
            group.truncate(some);
            return Ok(group);
        }
    }
    Ok(Vec::new())
}

/// The last content of a path that is not there any more, which nothing that is there has.
#[derive(Debug, Clone, Copy)]
struct LastCopy {
    path: i64,
    first: i64,
    last: i64,
}

/// The checkpoints that must stay for the last copies to stay: of each the newest that sees it.
pub(super) fn holders_of_last_copies(connection: &Connection) -> Result<HashSet<i64>> {
    let mut holder = connection.prepare_cached(
        "SELECT max(seq) FROM checkpoint WHERE seq >= ?1 AND seq < ?2 AND expired_ms IS NULL",
    )?;
    let mut spans: HashSet<(i64, i64)> = HashSet::new();
    let mut holders = HashSet::new();
    for copy in last_copies(connection)?.values() {
        if spans.insert((copy.first, copy.last))
            && let Some(seq) =
                holder.query_row((copy.first, copy.last), |row| row.get::<_, Option<i64>>(0))?
        {
            holders.insert(seq);
        }
    }
    Ok(holders)
}

fn last_copies(connection: &Connection) -> Result<HashMap<ContentHash, LastCopy>> {
    let mut found: HashMap<ContentHash, LastCopy> = HashMap::new();
    let mut newest: Option<(LastCopy, ContentHash)> = None;
    versions::each(connection, |path, first, last, entry| {
        if let Some((copy, hash)) = newest.take()
            && copy.path != path
        {
            found.insert(hash, copy);
        }
        let saved = entry.kind == EntryKind::File && entry.size > 0;
        newest = last.filter(|_| saved).map(|last| (LastCopy { path, first, last }, entry.hash));
        Ok(())
    })?;
    found.extend(newest.map(|(copy, hash)| (hash, copy)));
    if found.is_empty() {
        return Ok(found);
    }
    versions::each(connection, |_, _, last, entry| {
        if last.is_none() {
            found.remove(&entry.hash);
        }
        Ok(())
    })?;
    Ok(found)
}
