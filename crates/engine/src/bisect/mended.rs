//! What a step brought may be gone again before the end: taken back, mended, written anew. Then it is not what breaks the end.

use std::collections::{BTreeMap, HashSet};

use store::{Entry, EntryKind, Store};

use super::points::Point;
use super::search::Mended;
use crate::Result;

/// Longer files are not looked into.
const LONGEST: u64 = 1 << 20;
/// Nor more files of one step.
const MOST_FILES: usize = 64;

type Lines = HashSet<Vec<u8>>;

/// A file that the steps of a state changed.
struct Touched {
    before: Option<Entry>,
    after: Option<Entry>,
    /// Lines that came, and lines that went; none: it is no text.
    lines: Option<(Lines, Lines)>,
}

/// The last state after this one and before the end in which something of what it brought is gone.
pub(super) fn mended(store: &Store<'_>, points: &[Point], state: usize) -> Result<Option<Mended>> {
    let last = points.len() - 1;
    if state == 0 || state + 1 >= last {
        return Ok(None);
    }
    let changes = store.changes_since(points[state - 1].seq)?;
    let (own, later): (Vec<_>, Vec<_>) = changes
        .into_iter()
        .filter(|change| change.seq <= points[last].seq)
        .partition(|change| change.seq <= points[state].seq);
    let mut touched: BTreeMap<Vec<u8>, Touched> = BTreeMap::new();
    for change in own {
        if touched.len() < MOST_FILES || touched.contains_key(change.path.as_bytes()) {
            let first = Touched { before: change.before, after: change.after, lines: None };
            touched.entry(change.path.as_bytes().to_vec()).or_insert(first).after = change.after;
        }
    }
    touched.retain(|_, file| !is_same(file.before, file.after));
    for file in touched.values_mut() {
        let both = lines(store, file.before).zip(lines(store, file.after));
        file.lines = both.map(|(before, after)| {
            (after.difference(&before).cloned().collect(), before.difference(&after).cloned().collect())
        });
    }
    // How much of it is gone after each look.
    let mut gone: HashSet<Vec<u8>> = HashSet::new();
    let mut of_state = vec![0; last + 1];
    let mut later = later.into_iter().peekable();
    for (at, point) in points.iter().enumerate().skip(state + 1) {
        while let Some(change) = later.next_if(|change| change.seq <= point.seq) {
            let Some(file) = touched.get(change.path.as_bytes()) else { continue };
            let path = change.path.as_bytes().to_vec();
            if is_gone(store, file, change.after) {
                gone.insert(path)
            } else {
                gone.remove(&path)
            };
        }
        of_state[at] = gone.len();
    }
    let Some(most) = of_state.iter().copied().max().filter(|most| *most > 0) else { return Ok(None) };
    let Some(at) = (state + 1..last).rev().find(|at| of_state[*at] == most) else { return Ok(None) };
    if of_state[at + 1] < most {
        return Ok(Some(Mended { at, back: true }));
    }
    // It is gone at the end, too: then whatever breaks that came after it went.
    let since = (state + 1..=at).rev().take_while(|at| of_state[*at] == most).last().unwrap_or(at);
    Ok(Some(Mended { at: since, back: false }))
}

/// More of what came is not there, or of what went is there again, than not.
fn is_gone(store: &Store<'_>, file: &Touched, now: Option<Entry>) -> bool {
    if is_same(now, file.after) {
        return false;
    }
    if is_same(now, file.before) || now.is_none() {
        return true;
    }
    let (Some((came, went)), Some(now)) = (&file.lines, lines(store, now)) else { return false };
    let left = came.iter().filter(|line| now.contains(*line)).count()
        + went.iter().filter(|line| !now.contains(*line)).count();
    left * 2 < came.len() + went.len()
}

/// The lines of a file that say something. None: it is no text, or not kept any more.
fn lines(store: &Store<'_>, entry: Option<Entry>) -> Option<HashSet<Vec<u8>>> {
    let Some(entry) = entry else { return Some(HashSet::new()) };
    if entry.kind != EntryKind::File || entry.size > LONGEST {
        return None;
    }
    let content = store.content(&entry.hash).ok().filter(|content| !content.contains(&0))?;
    let lines = content.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    Some(lines.filter(|line| !line.is_empty()).map(<[u8]>::to_vec).collect())
}

fn is_same(one: Option<Entry>, other: Option<Entry>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.same_on_disk(&other),
        (None, None) => true,
        _ => false,
    }
}
