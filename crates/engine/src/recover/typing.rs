//! What a person typed, and an agent wrote over with a text that did not know it. (R8)

use std::collections::BTreeMap;

/// True if what was typed (from `before` to `typed`) was there when the agent began, and is gone with what it wrote: every new
/// line, and every line that the person had taken out is back.
pub(super) fn is_lost(before: &[u8], typed: &[u8], agent_began: &[u8], agent_wrote: &[u8]) -> bool {
    let came = only_in(typed, before);
    let went = only_in(before, typed);
    let (began, wrote) = (Lines::of(agent_began), Lines::of(agent_wrote));
    if came.is_empty() && went.is_empty() {
        return false;
    }
    let was_there = came.iter().all(|line| began.has(line)) && went.iter().all(|line| !began.has(line));
    let is_gone = came.iter().all(|line| !wrote.has(line)) && went.iter().all(|line| wrote.has(line));
    was_there && is_gone
}

struct Lines<'t>(BTreeMap<&'t [u8], usize>);

impl<'t> Lines<'t> {
    fn of(text: &'t [u8]) -> Self {
        let mut lines: BTreeMap<&[u8], usize> = BTreeMap::new();
        for line in text.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
            *lines.entry(line).or_default() += 1;
        }
        Self(lines)
    }

    fn has(&self, line: &[u8]) -> bool {
        self.0.contains_key(line)
    }
}

/// Lines of one text of which the other has none.
fn only_in<'t>(text: &'t [u8], other: &[u8]) -> Vec<&'t [u8]> {
    let (text, other) = (Lines::of(text), Lines::of(other));
    text.0.into_keys().filter(|line| !other.has(line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stale_write_is_told_from_a_deliberate_one_r8() {
        let before = b"a\nb\n";
        let typed = b"a\nmine\nb\n";
        assert!(is_lost(before, typed, typed, b"a\nb2\n"));
        assert!(!is_lost(before, typed, typed, b"a\nmine\nb2\n"), "it kept what was typed");
        assert!(!is_lost(before, typed, b"a\nb\n", b"a\nb2\n"), "it was gone before");
        // A line that was changed by hand, and stands there as before.
        assert!(is_lost(b"x = 1\ny\n", b"x = 2\ny\n", b"x = 2\ny\n", b"x = 1\nz\n"));
        assert!(!is_lost(b"x = 1\ny\n", b"x = 2\ny\n", b"x = 2\ny\n", b"x = 3\ny\n"), "changed on, not back");
    }
}
