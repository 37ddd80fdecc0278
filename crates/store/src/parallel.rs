//! Work on many files at once.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::walk::scan::thread_count;

/// What one thread takes at a time: neighbours share a folder, and few enough that no thread waits long for the last.
const BATCH: usize = 16;

/// Does `each` for every item, on threads that each have a `tool` of their own. The results are in the order of the items;
/// `None` where a thread died. More threads than cores: they wait for the disk most of the time.
pub(crate) fn map<T: Sync, R: Send, S>(
    items: &[T],
    tool: impl Fn() -> S + Sync,
    each: impl Fn(&mut S, &T) -> R + Sync,
) -> Vec<Option<R>> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut tool = tool();
        let mut done = Vec::new();
        loop {
            let start = next.fetch_add(BATCH, Ordering::Relaxed);
            let Some(rest) = items.get(start..).filter(|rest| !rest.is_empty()) else {
                return done;
            };
            done.extend(
                rest.iter().take(BATCH).enumerate().map(|(at, item)| (start + at, each(&mut tool, item))),
            );
        }
    };
    let threads = (thread_count() * 2).min(items.len().div_ceil(BATCH));
    let mut results: Vec<Option<R>> = Vec::new();
    results.resize_with(items.len(), || None);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for (at, result) in threads.into_iter().filter_map(|thread| thread.join().ok()).flatten() {
            results[at] = Some(result);
        }
    });
    results
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_done_once_and_in_its_place() {
        for length in [0, 1, BATCH - 1, BATCH, 1000] {
            let items: Vec<usize> = (0..length).collect();
            let doubled = map(&items, || (), |(), item| item * 2);
            assert_eq!(doubled, (0..length).map(|item| Some(item * 2)).collect::<Vec<_>>());
        }
    }
}
