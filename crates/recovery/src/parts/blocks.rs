//! Blocks of lines: what went as a whole while other places of the text were changed.
//!
//! A text is read as a tree by its indentation, so that a block has a head and an end. A comparison of plain lines would take the bracket
//! of one block for that of another, and put things back into the wrong place.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use crate::text::definitions;

/// For the whole text: what is not compared by then counts as rewritten.
const PATIENCE: Duration = Duration::from_millis(250);
/// Longer runs that came in the place of one another are not compared line with line.
const MOST_PAIRS: usize = 40_000;
/// Fewer lines are no block.
const FEWEST: usize = 2;
/// Deeper texts are not taken apart further.
const DEEPEST: usize = 24;

/// How many lines are back, and the text with them. A block that was only moved, or that was rewritten in its place, did not go.
pub(super) fn bring(before: &str, now: &str) -> Option<(u64, String)> {
    let ends = |text: &str| text.contains("\r\n");
    if ends(before) != ends(now) {
        return None;
    }
    let (was, is): (Rc<[&str]>, Rc<[&str]>) =
        (before.split_inclusive('\n').collect(), now.split_inclusive('\n').collect());
    let mut merge = Merge {
        past: counted(&was),
        present: counted(&is),
        was,
        is,
        out: Vec::new(),
        count: 0,
        until: Instant::now() + PATIENCE,
    };
    let (old, new) = (nodes(&merge.was, 0..merge.was.len(), 0), nodes(&merge.is, 0..merge.is.len(), 0));
    merge.siblings(&old, &new)?;
    (merge.count > 0).then(|| (merge.count, merge.out.concat()))
}

/// A line, what is indented under it, what closes it, and the blank lines after it.
#[derive(Debug)]
struct Node {
    lines: Range<usize>,
    /// What is indented under it, where that is one piece.
    inner: Range<usize>,
    children: Vec<Node>,
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// It only closes what stands above.
fn closes(line: &str) -> bool {
    let line = line.trim();
    line.starts_with(['}', ')', ']'])
        || line.starts_with("</")
        || matches!(line.trim_end_matches(';'), "end" | "fi" | "done" | "esac" | "endif" | "else:" | "else")
}

/// The name of the tag that a line opens.
fn tag_of(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('<')?;
    let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '-').unwrap_or(rest.len());
    (end > 0).then(|| &rest[..end])
}

fn nodes(lines: &[&str], range: Range<usize>, depth: usize) -> Vec<Node> {
    let mut found = Vec::new();
    let mut at = range.start;
    while at < range.end {
        let start = at;
        if is_blank(lines[at]) {
            // Only at the very beginning: other blank lines belong to what stands above them.
            at += 1;
            found.push(Node { lines: start..at, inner: at..at, children: Vec::new() });
            continue;
        }
        let own = indent(lines[at]);
        let deeper = |line: usize| is_blank(lines[line]) || indent(lines[line]) > own;
        at += 1;
        let first = at;
        while at < range.end && deeper(at) {
            at += 1;
        }
        let mut end = at;
        while end > first && is_blank(lines[end - 1]) {
            end -= 1;
        }
        let mut pieces = 1;
        let tag = tag_of(lines[start]);
        // A tag is closed by its own end, and by no other.
        let ends = |line: &str, closed: bool| match tag {
            Some(tag) => {
                !closed && line.trim_start().strip_prefix("</").is_some_and(|rest| rest.starts_with(tag))
            }
            None => closes(line),
        };
        let mut closed = false;
        while at < range.end && end > first && indent(lines[at]) == own && ends(lines[at], closed) {
            closed = true;
            at += 1;
            let body = at;
            while at < range.end && deeper(at) {
                at += 1;
            }
            pieces += usize::from((body..at).any(|line| !is_blank(lines[line])));
        }
        let inner = if pieces == 1 && depth < DEEPEST { first..end } else { first..first };
        let children = nodes(lines, inner.clone(), depth + 1);
        found.push(Node { lines: start..at, inner, children });
    }
    found
}

struct Merge<'t> {
    was: Rc<[&'t str]>,
    is: Rc<[&'t str]>,
    past: HashMap<&'t str, usize>,
    present: HashMap<&'t str, usize>,
    out: Vec<&'t str>,
    count: u64,
    until: Instant,
}

impl<'t> Merge<'t> {
    fn siblings(&mut self, old: &[Node], new: &[Node]) -> Option<()> {
        let (was, is) = (Rc::clone(&self.was), Rc::clone(&self.is));
        let old_keys: Vec<&str> = old.iter().map(|node| was[node.lines.start].trim()).collect();
        let new_keys: Vec<&str> = new.iter().map(|node| is[node.lines.start].trim()).collect();
        let ops = capture_diff_slices_deadline(Algorithm::Patience, &old_keys, &new_keys, Some(self.until));
        for op in ops {
            match op {
                DiffOp::Equal { old_index, new_index, len } => {
                    for at in 0..len {
                        self.same(old.get(old_index + at)?, new.get(new_index + at)?)?;
                    }
                }
                DiffOp::Insert { new_index, new_len, .. } => {
                    self.keep(new.get(new_index..new_index + new_len)?);
                }
                DiffOp::Delete { old_index, old_len, new_index } => {
                    let is_last = new_index >= new.len();
                    self.put(old.get(old_index..old_index + old_len)?, &[], is_last);
                }
                DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                    let (gone, instead) =
                        (old.get(old_index..old_index + old_len)?, new.get(new_index..new_index + new_len)?);
                    let is_last = new_index + new_len >= new.len();
                    let (mut from, mut to) = (0, 0);
                    for (at, other) in self.changed(gone, instead) {
                        self.replaced(gone.get(from..at)?, instead.get(to..other)?, false);
                        self.same(gone.get(at)?, instead.get(other)?)?;
                        (from, to) = (at + 1, other + 1);
                    }
                    self.replaced(gone.get(from..)?, instead.get(to..)?, is_last);
                }
            }
        }
        Some(())
    }

    /// One run in the place of another.
    fn replaced(&mut self, gone: &[Node], instead: &[Node], is_last: bool) {
        // Plain lines stand before blocks; else what was there first stays first.
        let lines_came = instead.iter().all(|node| node.children.is_empty());
        let block_went = gone.iter().any(|node| !node.children.is_empty());
        if lines_came && block_went {
            self.keep(instead);
            self.put(gone, instead, is_last);
        } else {
            self.put(gone, instead, is_last && instead.is_empty());
            self.keep(instead);
        }
    }

    /// Lines of the one run that stand, with other words, in the other: where each is in both, in order.
    fn changed(&self, gone: &[Node], instead: &[Node]) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        if gone.len().saturating_mul(instead.len()) > MOST_PAIRS {
            return pairs;
        }
        let mut from = 0;
        for (other, new) in instead.iter().enumerate() {
            let found = (from..gone.len()).find(|&at| self.is_changed(&gone[at], new));
            if let Some(at) = found {
                pairs.push((at, other));
                from = at + 1;
            }
        }
        pairs
    }

    /// Their heads speak of the same.
    fn is_changed(&self, old: &Node, new: &Node) -> bool {
        let (old, new) = (self.was[old.lines.start], self.is[new.lines.start]);
        let (old_names, new_names) = (definitions(old), definitions(new));
        if !old_names.is_empty() && !new_names.is_empty() {
            return !old_names.is_disjoint(&new_names);
        }
        let words = |line: &str| -> Vec<String> {
            let words = line.split(|letter: char| !letter.is_alphanumeric());
            words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
        };
        let (old, new) = (words(old), words(new));
        let common = new.iter().filter(|word| old.contains(word)).count();
        common > 0 && common * 2 >= old.len().min(new.len()) && common * 4 >= old.len().max(new.len())
    }

    /// The same head: what is under it is compared, and what closes it stays.
    fn same(&mut self, old: &Node, new: &Node) -> Option<()> {
        if old.children.is_empty() || new.children.is_empty() {
            self.take(new.lines.clone());
            return Some(());
        }
        self.take(new.lines.start..new.inner.start);
        self.siblings(&old.children, &new.children)?;
        self.take(new.inner.end..new.lines.end);
        Some(())
    }

    fn keep(&mut self, nodes: &[Node]) {
        for node in nodes {
            self.take(node.lines.clone());
        }
    }

    fn take(&mut self, lines: Range<usize>) {
        self.out.extend_from_slice(self.is.get(lines).unwrap_or_default());
    }

    /// Puts back what went, with the blank lines that were around it.
    fn put(&mut self, gone: &[Node], instead: &[Node], is_last: bool) {
        let (Some(first), Some(last)) = (gone.first(), gone.last()) else { return };
        let lines = first.lines.start..last.lines.end;
        if !self.went(&lines) || self.is_rewritten(gone, instead) {
            return;
        }
        let blank_before = |lines: &[&str]| lines.iter().rev().take_while(|line| is_blank(line)).count();
        let wanted = blank_before(&self.was[..lines.start]);
        let gap = blank_before(&self.out);
        if self.out.last().is_some_and(|line| !line.ends_with('\n')) {
            self.out.push("\n");
        }
        self.out.extend(std::iter::repeat_n("\n", wanted.saturating_sub(gap)));
        let block: Vec<&'t str> = self.was[lines].to_vec();
        let own = blank_before(&block);
        let text = block.len() - own;
        // The marks of a conflict went for good.
        let back: Vec<&'t str> =
            block[..text].iter().copied().filter(|line| !is_conflict_mark(line)).collect();
        self.count += back.iter().filter(|line| !is_blank(line)).count() as u64;
        self.out.extend(back);
        let after = if is_last { 0 } else { own.max(gap) };
        self.out.extend(std::iter::repeat_n("\n", after));
    }

    /// Most of it stands nowhere any more.
    fn went(&self, lines: &Range<usize>) -> bool {
        let says = |line: &&str| line.chars().filter(|letter| letter.is_alphanumeric()).count() > 1;
        let block = self.was[lines.clone()].iter().map(|line| line.trim());
        let lines: Vec<&str> = block.filter(says).filter(|line| !is_conflict_mark(line)).collect();
        let gone = lines.iter().filter(|line| self.present.get(*line) < self.past.get(*line)).count();
        lines.len() >= FEWEST && gone * 3 >= lines.len() * 2
    }

    /// What came in its place is the same in other words: it was changed, and did not go.
    fn is_rewritten(&self, gone: &[Node], instead: &[Node]) -> bool {
        if instead.is_empty() {
            return false;
        }
        let text = |lines: &[&str], nodes: &[Node]| -> String {
            nodes.iter().flat_map(|node| lines[node.lines.clone()].iter().copied()).collect()
        };
        let (old, new) = (text(&self.was, gone), text(&self.is, instead));
        let (old_names, new_names) = (definitions(&old), definitions(&new));
        if !old_names.is_empty() && !new_names.is_empty() && old_names.is_disjoint(&new_names) {
            // Another thing was defined here; it is the same one if its lines are.
            fn lines(text: &str) -> impl Iterator<Item = &str> {
                text.lines().skip(1).map(str::trim).filter(|line| line.chars().any(char::is_alphanumeric))
            }
            let old: Vec<&str> = lines(&old).collect();
            let new: HashSet<&str> = lines(&new).collect();
            let common = old.iter().filter(|line| new.contains(*line)).count();
            return common * 10 >= old.len().max(1) * 6;
        }
        let words = |text: &str| -> Vec<String> {
            let mut words = crate::paths::words(text);
            words.retain(|word| word.chars().count() > 2);
            words.sort_unstable();
            words.dedup();
            words
        };
        let (count_old, count_new) = (old.lines().count(), new.lines().count());
        let (old, new) = (words(&old), words(&new));
        let common = new.iter().filter(|word| old.binary_search(word).is_ok()).count();
        common * 2 > new.len() || count_new * 2 > count_old
    }
}

fn is_conflict_mark(line: &str) -> bool {
    let line = line.trim_end();
    line == "=======" || line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ")
}

fn counted<'t>(lines: &[&'t str]) -> HashMap<&'t str, usize> {
    let mut counts = HashMap::new();
    for line in lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty()) {
        *counts.entry(line).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::bring;

    #[test]
    fn a_block_comes_back_and_the_other_changes_stay_r7() {
        let before = "a {\n  x: 1;\n}\n\n@media (max-width: 6px) {\n  b {\n    y: 2;\n  }\n}\n\nfooter {\n  z: 3;\n}\n";
        let now = "a {\n  x: 1;\n  sticky: yes;\n}\n\nfooter {\n  z: 3;\n}\n";
        let (_, text) = bring(before, now).unwrap();
        assert_eq!(text, before.replace("  x: 1;\n", "  x: 1;\n  sticky: yes;\n"));
    }

    #[test]
    fn a_block_inside_another_comes_back_r7() {
        let before = "services:\n  web:\n    build: .\n  redis:\n    image: redis\n    command: serve\n  db:\n    image: pg\n\nvolumes:\n  cache: {}\n";
        let now = "services:\n  web:\n    build: .\n    check: yes\n  db:\n    image: pg\n\nvolumes:\n  cache: {}\n";
        let (_, text) = bring(before, now).unwrap();
        assert_eq!(text, before.replace("    build: .\n", "    build: .\n    check: yes\n"));
    }

    #[test]
    fn another_definition_in_its_place_is_another_one_r7() {
        let before = "type User {\n  id: ID!\n}\n\ntype Order {\n  id: ID!\n  total: Int\n}\n";
        let now = "type User {\n  id: ID!\n}\n\ntype Review {\n  id: ID!\n  stars: Int\n}\n";
        let (_, text) = bring(before, now).unwrap();
        assert_eq!(text, format!("{before}\ntype Review {{\n  id: ID!\n  stars: Int\n}}\n"));
    }

    #[test]
    fn a_section_of_prose_comes_back_r7() {
        let before = "# One\n\nfirst words\n\n# Two\n\nsecond words\nand more\n\n# Three\n\nthird words\n";
        let now = "# One\n\nfirst words, better\n\n# Three\n\nthird words\n\n# Four\n\nnew\n";
        let (_, text) = bring(before, now).unwrap();
        assert_eq!(
            text,
            "# One\n\nfirst words, better\n\n# Two\n\nsecond words\nand more\n\n# Three\n\nthird words\n\n# Four\n\nnew\n"
        );
    }

    #[test]
    fn what_was_moved_or_rewritten_did_not_go() {
        assert!(bring("one alpha\ntwo beta\nthree\n", "three\none alpha\ntwo beta\n").is_none());
        assert!(
            bring("def f(x):\n    return x + 1\n", "def f(x, y):\n    return x + y\n").is_none(),
            "rewritten in its place"
        );
        assert!(
            bring("def f(x):\n    a(x)\n    return b(x)\n", "def g(x):\n    a(x)\n    return b(x)\n")
                .is_none(),
            "it has another name"
        );
        assert!(bring("a b\nc d\n", "c d\n").is_none(), "one line is no block");
    }

    /// It took a minute once.
    #[test]
    fn a_long_text_that_was_rewritten_is_let_be() {
        let lines =
            |word: &str| (0..40_000).fold(String::new(), |text, at| text + &format!("{word} {at} {word}\n"));
        assert!(bring(&lines("old"), &lines("new")).is_none_or(|(count, _)| count > 0));
    }
}
