//! Which words are different between two versions of a line?

use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

/// Longer lines (generated code, data) are not looked into.
const LONGEST: usize = 2_000;

/// The parts of `old` that went and of `new` that came, as bytes. None if the lines have too little in common: then all of both is
/// different, and marks would only be noise.
pub fn marks(old: &str, new: &str) -> Option<[Vec<Range<usize>>; 2]> {
    if old.len().max(new.len()) > LONGEST {
        return None;
    }
    let (before, after) = (words(old), words(new));
    let ops = capture_diff_slices(
        Algorithm::Myers,
        &before.iter().map(|word| &old[word.clone()]).collect::<Vec<_>>(),
        &after.iter().map(|word| &new[word.clone()]).collect::<Vec<_>>(),
    );
    let (mut gone, mut came, mut shared) = (Vec::new(), Vec::new(), 0);
    for op in ops {
        if op.tag() == DiffTag::Equal {
            let same = &before[op.old_range()];
            shared += same.iter().map(|word| old[word.clone()].trim().len()).sum::<usize>();
            continue;
        }
        join(&mut gone, &before[op.old_range()]);
        join(&mut came, &after[op.new_range()]);
    }
    let longer =
        old.split_whitespace().map(str::len).sum::<usize>().max(new.split_whitespace().map(str::len).sum());
    (shared * 10 >= longer * 4).then_some([gone, came])
}

fn join(parts: &mut Vec<Range<usize>>, words: &[Range<usize>]) {
    if let (Some(first), Some(last)) = (words.first(), words.last()) {
        parts.push(first.start..last.end);
    }
}

/// Runs of letters, digits and `_`; runs of blanks; anything else for itself.
fn words(line: &str) -> Vec<Range<usize>> {
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 0,
        c if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut last = 2;
    for (at, character) in line.char_indices() {
        let (kind, end) = (kind(character), at + character.len_utf8());
        match words.last_mut() {
            Some(word) if kind == last && kind != 2 => word.end = end,
            _ => words.push(at..end),
        }
        last = kind;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(old: &str, new: &str) -> Option<(Vec<String>, Vec<String>)> {
        let [gone, came] = marks(old, new)?;
        let texts =
            |line: &str, parts: Vec<Range<usize>>| parts.into_iter().map(|p| line[p].to_owned()).collect();
        Some((texts(old, gone), texts(new, came)))
    }

    #[test]
    fn h9_the_words_that_changed() {
        let (gone, came) = marked("let total = price * 2;", "let sum = price * 3;").unwrap();
        assert_eq!((gone, came), (vec!["total".into(), "2".into()], vec!["sum".into(), "3".into()]));
        let (gone, came) = marked("call(a)", "call(a, b)").unwrap();
        assert_eq!((gone, came), (vec![], vec![", b".to_owned()]));
        let (gone, came) = marked("합계 = 가격 + 세금", "합계 = 가격 + 배송비").unwrap();
        assert_eq!((gone, came), (vec!["세금".into()], vec!["배송비".into()]));
    }

    #[test]
    fn lines_with_nothing_in_common_have_no_marks() {
        assert_eq!(marks("return cart.total();", "# heading"), None);
        assert_eq!(marks(&"a ".repeat(2_000), "a"), None);
        assert_eq!(marked("", ""), Some((vec![], vec![])));
    }
}
