//! Which files that are gone live on under another name?
//!
//! The same content is a rename for certain. Failing that, the most similar pair of texts of about the same length, if
//! more than half of their lines are the same, is called one.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::rc::Rc;

use project::RelPath;
use store::{ContentHash, Difference, EntryKind, Store};

use crate::diff::content_of;

/// Similar pairs are looked for only among so many files.
const MOST_PAIRS: usize = 4_000;
const LONGEST: u64 = 512 << 10;
const ENOUGH: f64 = 0.5;

/// Index of the removed file → index of the added one.
pub(crate) fn find(root: &Path, store: &Store<'_>, changes: &[Difference]) -> HashMap<usize, usize> {
    let file = |entry: Option<store::Entry>| entry.filter(|e| e.kind == EntryKind::File && e.size > 0);
    let mut gone: Vec<usize> = Vec::new();
    let mut new: Vec<usize> = Vec::new();
    // A file that is there in parts went and came, or came and went: it has one name.
    let in_parts = |at: usize| {
        let is_next_to = |other: Option<usize>| other.and_then(|at| changes.get(at)).map(|other| &other.path);
        [is_next_to(at.checked_sub(1)), is_next_to(Some(at + 1))].contains(&Some(&changes[at].path))
    };
    for (at, change) in changes.iter().enumerate().filter(|(at, _)| !in_parts(*at)) {
        match (file(change.before), file(change.after)) {
            (Some(_), None) if change.after.is_none() => gone.push(at),
            (None, Some(_)) if change.before.is_none() => new.push(at),
            _ => {}
        }
    }
    let mut pairs = HashMap::new();
    let mut by_hash: HashMap<ContentHash, Vec<usize>> = HashMap::new();
    for &at in new.iter().rev() {
        if let Some(after) = changes[at].after {
            by_hash.entry(after.hash).or_default().push(at);
        }
    }
    gone.retain(|&at| {
        let before = changes[at].before.map(|entry| entry.hash);
        let same_name_first = |candidates: &mut Vec<usize>| {
            let name = changes[at].path.name();
            let best = candidates.iter().rposition(|&new| changes[new].path.name() == name);
            best.map(|best| candidates.remove(best)).or_else(|| candidates.pop())
        };
        match before.and_then(|hash| by_hash.get_mut(&hash)).and_then(same_name_first) {
            Some(target) => {
                pairs.insert(at, target);
                false
            }
            None => true,
        }
    });
    let taken: HashSet<usize> = pairs.values().copied().collect();
    new.retain(|at| !taken.contains(at));
    if !gone.is_empty() && gone.len() * new.len() <= MOST_PAIRS {
        pair_similar(root, store, changes, &gone, &new, &mut pairs);
    }
    pairs
}

fn pair_similar(
    root: &Path,
    store: &Store<'_>,
    changes: &[Difference],
    gone: &[usize],
    new: &[usize],
    pairs: &mut HashMap<usize, usize>,
) {
    let mut cache: HashMap<ContentHash, Option<Rc<HashMap<u64, u32>>>> = HashMap::new();
    let mut lines_of = |path: &RelPath, entry: Option<store::Entry>| -> Option<Rc<HashMap<u64, u32>>> {
        let entry = entry.filter(|entry| entry.size <= LONGEST && !entry.sensitive)?;
        let read = || content_of(root, store, path, Some(entry)).ok().map(|text| Rc::new(lines(&text)));
        cache.entry(entry.hash).or_insert_with(read).clone()
    };
    let mut scored: Vec<(f64, usize, usize)> = Vec::new();
    for &old_at in gone {
        let old = changes[old_at].before;
        for &new_at in new {
            let fresh = changes[new_at].after;
            let (Some(a), Some(b)) = (old, fresh) else {
                continue;
            };
            let (short, long) = (a.size.min(b.size), a.size.max(b.size));
            if short * 2 < long {
                continue;
            }
            let texts = (lines_of(&changes[old_at].path, old), lines_of(&changes[new_at].path, fresh));
            if let (Some(a), Some(b)) = texts {
                let score = similarity(&a, &b);
                if score > ENOUGH {
                    scored.push((score, old_at, new_at));
                }
            }
        }
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut taken: HashSet<usize> = HashSet::new();
    for (_, old_at, new_at) in scored {
        if !pairs.contains_key(&old_at) && taken.insert(new_at) {
            pairs.insert(old_at, new_at);
        }
    }
}

fn lines(text: &[u8]) -> HashMap<u64, u32> {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut counts = HashMap::new();
    for line in text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty()) {
        let mut hasher = DefaultHasher::new();
        line.hash(&mut hasher);
        *counts.entry(hasher.finish()).or_insert(0) += 1;
    }
    counts
}

fn similarity(a: &HashMap<u64, u32>, b: &HashMap<u64, u32>) -> f64 {
    let total: u32 = a.values().sum::<u32>() + b.values().sum::<u32>();
    let shared: u32 = a.iter().map(|(line, count)| b.get(line).map_or(0, |other| *count.min(other))).sum();
    if total == 0 { 0.0 } else { f64::from(shared * 2) / f64::from(total) }
}
