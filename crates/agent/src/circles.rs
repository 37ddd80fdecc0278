//! The same action with the same result, again and again, with nothing written in between: nothing new will come of it.
//!
//! The tracker of crate `spiral` reads the calls of other clients' tools, with edits that go back and forth; here every call is known by its
//! digest and every result too, so that counting is enough.

use std::collections::HashMap;

/// So often the same may come of the same.
pub const MOST: usize = 3;

/// Counts what was done since something was last written.
#[derive(Debug, Default)]
pub struct Circles {
    seen: HashMap<(String, String), usize>,
}

impl Circles {
    /// An action with its result, both as digests. True: it runs in circles.
    pub fn note(&mut self, action: &str, result: &str, wrote: bool) -> bool {
        if wrote {
            self.seen.clear();
            return false;
        }
        let times = self.seen.entry((action.to_owned(), result.to_owned())).or_default();
        *times += 1;
        *times >= MOST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_third_time_without_a_write_is_a_circle() {
        let mut circles = Circles::default();
        assert!(!circles.note("read a", "x", false) && !circles.note("read a", "x", false));
        assert!(!circles.note("read a", "y", false), "another result is news");
        assert!(circles.note("read a", "x", false));
        assert!(!circles.note("edit", "ok", true) && !circles.note("read a", "x", false));
    }
}
