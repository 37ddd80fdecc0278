//! Looking at two texts: what was lost, what was spoilt.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use similar::{Algorithm, ChangeTag, TextDiff};
pub(crate) use words::is_binary;

/// Longer texts are not compared line by line.
const LIMIT: usize = 1 << 20;
const PATIENCE: Duration = Duration::from_millis(120);

/// Lines that are new and lines that are gone; and how many of each have something in them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LineCounts {
    pub(crate) added: u64,
    pub(crate) removed: u64,
    pub(crate) solid_added: u64,
    pub(crate) solid_removed: u64,
}

pub(crate) fn line_counts(before: &[u8], after: &[u8]) -> Option<LineCounts> {
    if is_binary(before) || is_binary(after) || before.len() > LIMIT || after.len() > LIMIT {
        return None;
    }
    let diff = TextDiff::configure().algorithm(Algorithm::Myers).timeout(PATIENCE).diff_lines(before, after);
    let mut counts = LineCounts::default();
    for change in diff.iter_all_changes() {
        let solid = u64::from(!change.value().trim_ascii().is_empty());
        match change.tag() {
            ChangeTag::Insert => {
                counts.added += 1;
                counts.solid_added += solid;
            }
            ChangeTag::Delete => {
                counts.removed += 1;
                counts.solid_removed += solid;
            }
            ChangeTag::Equal => {}
        }
    }
    Some(counts)
}

pub(crate) fn count_lines(text: &[u8]) -> u64 {
    text.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).count() as u64
}

/// Nothing but white space is different.
pub(crate) fn only_white_space(before: &[u8], after: &[u8]) -> bool {
    let dense = |text: &[u8]| -> Vec<u8> {
        text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect()
    };
    before != after && dense(before) == dense(after) && !dense(before).is_empty()
}

/// Nothing but the ends of the lines is different.
pub(crate) fn only_line_ends(before: &[u8], after: &[u8]) -> bool {
    let plain = |text: &[u8]| -> Vec<u8> { text.iter().copied().filter(|byte| *byte != b'\r').collect() };
    before != after && plain(before) == plain(after)
}

/// Every line ended in one way and every line ends in the other now.
pub(crate) fn other_ends(before: &[u8], after: &[u8]) -> bool {
    const FEWEST: usize = 3;
    let count = |text: &[u8]| {
        let all = text.iter().filter(|byte| **byte == b'\n').count();
        (all, text.windows(2).filter(|pair| pair == b"\r\n").count())
    };
    let ((was, was_two), (is, is_two)) = (count(before), count(after));
    let text = !is_binary(before) && !is_binary(after);
    text && was >= FEWEST && is >= FEWEST && (was_two == was && is_two == 0 || was_two == 0 && is_two == is)
}

/// The lines that only the first text has, lower case; no more than anybody would look through.
pub(crate) fn lost_text(before: &[u8], after: &[u8]) -> String {
    const MOST_BYTES: usize = 16 << 10;
    if is_binary(before) || before.len() > LIMIT || after.len() > LIMIT {
        return String::new();
    }
    let is: BTreeSet<&[u8]> = after.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).collect();
    let mut out = String::new();
    for line in before.split(|byte| *byte == b'\n').filter(|line| !is.contains(line.trim_ascii())) {
        out.push_str(&String::from_utf8_lossy(line).to_lowercase());
        out.push('\n');
        if out.len() > MOST_BYTES {
            break;
        }
    }
    out
}

/// Text that was readable and is not any more: other bytes, letters lost, or UTF-8 read as something else.
pub(crate) fn encoding_spoilt(before: &[u8], after: &[u8]) -> bool {
    let Ok(was) = std::str::from_utf8(before) else { return false };
    if is_binary(before) || before.is_empty() {
        return false;
    }
    let Ok(is) = std::str::from_utf8(after) else { return true };
    if is_binary(after) {
        return true;
    }
    let lost = |text: &str| text.matches('\u{fffd}').count();
    lost(is) > lost(was) || mistaken(is) > mistaken(was)
}

/// Lines that make sense only when read as UTF-8 once more.
fn mistaken(text: &str) -> usize {
    let again = |line: &str| {
        let bytes: Option<Vec<u8>> =
            line.chars().map(|letter| u8::try_from(u32::from(letter)).ok()).collect();
        bytes.is_some_and(|bytes| std::str::from_utf8(&bytes).is_ok_and(|text| !text.is_ascii()))
    };
    text.lines().filter(|line| !line.is_ascii() && again(line)).count()
}

/// Both ends of a conflict, at the beginning of lines.
pub(crate) fn conflict_marks(text: &[u8]) -> usize {
    let has = |mark: &[u8]| {
        text.split(|byte| *byte == b'\n')
            .filter(|line| line.starts_with(mark) && line.get(7).is_none_or(u8::is_ascii_whitespace))
            .count()
    };
    has(b"<<<<<<<").min(has(b">>>>>>>"))
}

/// What can be brought back from a text: itself; where it holds the marks of a conflict, each side of it.
pub fn sources(text: &[u8]) -> Vec<Vec<u8>> {
    if conflict_marks(text) == 0 {
        return vec![text.to_vec()];
    }
    vec![side_of_conflicts(text, 2), side_of_conflicts(text, 1)]
}

/// A text without the remarks that only held the place of what is there again. `before` had some of its own, perhaps.
pub fn without_placeholders(before: &[u8], text: &[u8]) -> Vec<u8> {
    let own: BTreeSet<&[u8]> = before.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).collect();
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    let mut lines = text.split_inclusive(|byte| *byte == b'\n').peekable();
    while let Some(line) = lines.next() {
        let holds = std::str::from_utf8(line).is_ok_and(is_placeholder) && !own.contains(line.trim_ascii());
        if !holds {
            out.extend_from_slice(line);
            continue;
        }
        let blank = |line: &&[u8]| line.trim_ascii().is_empty();
        // One blank line is enough where two met.
        if (out.is_empty() || out.ends_with(b"\n\n")) && lines.peek().is_some_and(blank) {
            lines.next();
        }
    }
    out
}

/// It holds the marks of an unfinished merge.
pub fn has_conflict_marks(text: &[u8]) -> bool {
    conflict_marks(text) > 0
}

/// Without the marks of a conflict it is what it was, whichever side one takes.
pub(crate) fn is_only_marked(before: &[u8], after: &[u8]) -> bool {
    side_of_conflicts(after, 1) == before && side_of_conflicts(after, 2) == before
}

/// The words of lines that only one of two texts has, lower case, camel case taken apart; no more than anybody would look at.
pub(crate) fn changed_words(before: &[u8], after: &[u8]) -> BTreeSet<String> {
    const MOST_BYTES: usize = 64 << 10;
    const MOST_WORDS: usize = 600;
    if is_binary(before) || is_binary(after) || before.len() + after.len() > MOST_BYTES {
        return BTreeSet::new();
    }
    let lines = |text| -> BTreeSet<&[u8]> { <[u8]>::split(text, |byte| *byte == b'\n').collect() };
    let (was, is) = (lines(before), lines(after));
    let mut words = BTreeSet::new();
    for line in was.symmetric_difference(&is) {
        let line = String::from_utf8_lossy(line);
        words.extend(crate::paths::words(&line).into_iter().filter(|word| word.chars().count() > 2));
        words.extend(tokens(&line).into_iter().filter(|word| word.len() > 2).map(str::to_lowercase));
        if words.len() > MOST_WORDS {
            break;
        }
    }
    words
}

/// One side of every conflict in a text: 1 the one above the line between, 2 the one below it.
pub(crate) fn side_of_conflicts(text: &[u8], wanted: u8) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut inside = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        match line.get(..7) {
            Some(b"<<<<<<<") => inside = 1,
            // What both had in common, where git tells it.
            Some(b"|||||||") if inside > 0 => inside = 3,
            Some(b"=======") if inside > 0 => inside = 2,
            Some(b">>>>>>>") => inside = 0,
            _ if inside == 0 || inside == wanted => out.extend_from_slice(line),
            _ => {}
        }
    }
    out
}

/// A remark in the place of code that should have been written out.
pub(crate) fn placeholders(text: &str) -> usize {
    text.lines().filter(|line| is_placeholder(line)).count()
}

/// This line only says that something stands here.
pub(crate) fn is_placeholder(line: &str) -> bool {
    /// Said in a remark, these need no dots.
    const PLAIN: &[&str] = &[
        "以下は変更なし",
        "以下変更なし",
        "以下略",
        "以下省略",
        "既存のコード",
        "残りのコード",
        "変更なし",
        "이하 동일",
        "이하 생략",
        "기존 코드와 동일",
        "변경 없음",
        "기존 코드",
        "以下不变",
        "以下省略",
        "其余代码",
        "其余不变",
        "代码不变",
        "原有代码",
        "rest unchanged",
        "rest of the file",
        "rest of file",
        "unchanged below",
        "no changes below",
        "same as before",
        "existing code here",
        "keep existing",
        "code omitted",
    ];
    const WORDS: &[&str] = &[
        "existing code",
        "existing methods",
        "existing functions",
        "existing imports",
        "rest of",
        "remaining code",
        "code unchanged",
        "remains unchanged",
        "unchanged code",
        "previous code",
        "same as before",
        "other methods",
        "other functions",
        "기존 코드",
        "나머지",
        "现有代码",
        "其余",
        "保持不变",
    ];
    let line = line.trim().to_lowercase();
    let says = |words: &[&str]| words.iter().any(|words| line.contains(words));
    let is_remark =
        ["//", "#", "/*", "*", "--", "<!--", ";", "%", "{/*"].iter().any(|mark| line.starts_with(mark));
    // A remark that is only a remark: longer ones explain something.
    let is_short = line.chars().count() <= 60;
    (line.contains("...") || line.contains('…')) && says(WORDS) || is_remark && is_short && says(PLAIN)
}

/// Statements that only say "not done".
pub(crate) fn stubs(text: &str) -> usize {
    const STUBS: &[&str] =
        &["notimplementederror", "todo!(", "unimplemented!(", "not implemented", "notimplementedexception"];
    text.lines()
        .filter(|line| {
            let line = line.to_lowercase();
            STUBS.iter().any(|stub| line.contains(stub))
        })
        .count()
}

/// How much a test checks: assertions that may fail, less those that are skipped.
pub(crate) fn strength(text: &str) -> i64 {
    const CHECKS: &[&str] = &[
        "assert",
        "expect(",
        "expect.",
        ".should",
        "verify(",
        "require.",
        "t.error",
        "t.fatal",
        "xctassert",
        "must(",
    ];
    const SKIPS: &[&str] = &[
        ".skip(",
        ".todo(",
        "xit(",
        "xdescribe(",
        "xtest(",
        "#[ignore",
        "mark.skip",
        "unittest.skip",
        "t.skip(",
        "@disabled",
        "@ignore",
        "pytest.skip(",
    ];
    const EMPTY: &[&str] =
        &["assert true", "assert(true)", "assert!(true)", "expect(true)", "assert.ok(true)", "assert 1"];
    let mut points = 0;
    for line in text.lines() {
        let line = line.trim().to_lowercase();
        if line.starts_with("import ") || line.starts_with("from ") || line.starts_with("use ") {
            continue;
        }
        let compact = line.replace(' ', "");
        let checks = CHECKS.iter().any(|word| line.contains(word));
        let trivial =
            EMPTY.iter().any(|word| line.contains(word) || compact.contains(&word.replace(' ', "")));
        points += i64::from(checks && !trivial);
        points -= i64::from(SKIPS.iter().any(|word| line.contains(word)));
    }
    points
}

/// One piece of text that took the place of another all over a file: where nearly all changed words changed alike.
pub(crate) fn replaced(before: &str, after: &str) -> Option<(String, String)> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    if old.len() != new.len() {
        return None;
    }
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut all = 0;
    for (was, is) in old.iter().zip(&new).filter(|(was, is)| was != is) {
        let (was, is) = (tokens(was), tokens(is));
        if was.len() != is.len() {
            all += 1;
            continue;
        }
        for (was, is) in was.iter().zip(&is).filter(|(was, is)| was != is) {
            all += 1;
            *counts.entry(difference(was, is)).or_default() += 1;
        }
    }
    let (pair, most) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    (most * 10 >= all * 6).then_some(pair)
}

fn tokens(line: &str) -> Vec<&str> {
    line.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .filter(|word| !word.is_empty())
        .collect()
}

/// What is different between two words: the middle that is left when both ends are taken off.
fn difference(was: &str, is: &str) -> (String, String) {
    let (a, b): (Vec<char>, Vec<char>) = (was.chars().collect(), is.chars().collect());
    let front = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let room = a.len().min(b.len()) - front;
    let back = a.iter().rev().zip(b.iter().rev()).take(room).take_while(|(a, b)| a == b).count();
    (a[front..a.len() - back].iter().collect(), b[front..b.len() - back].iter().collect())
}

/// Names that a text defines, line by line, for languages without a grammar at hand.
pub(crate) fn definitions(text: &str) -> BTreeSet<String> {
    const FRONT: &[&str] = &[
        "export",
        "default",
        "public",
        "private",
        "protected",
        "internal",
        "static",
        "async",
        "pub",
        "pub(crate)",
        "pub(super)",
        "abstract",
        "final",
        "open",
        "override",
        "unsafe",
        "extern",
        "inline",
        "declare",
    ];
    const KINDS: &[&str] = &[
        "fn",
        "def",
        "function",
        "function*",
        "func",
        "fun",
        "class",
        "struct",
        "enum",
        "trait",
        "interface",
        "type",
        "module",
        "record",
        "object",
        "sub",
        "proc",
        "macro_rules!",
    ];
    let mut found = BTreeSet::new();
    for line in text.lines() {
        let mut words = line.split_whitespace().peekable();
        while words.peek().is_some_and(|word| FRONT.contains(word)) {
            words.next();
        }
        let (Some(kind), Some(next)) = (words.next(), words.next()) else { continue };
        let value = matches!(kind, "const" | "let" | "var" | "val")
            && (line.contains("=>") || line.contains("function"))
            && !line.starts_with([' ', '\t']);
        let constant = kind == "const" && (line.starts_with("export ") || line.starts_with("pub "));
        if KINDS.contains(&kind) || value || constant {
            let name: String =
                next.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
            if name.chars().next().is_some_and(|first| !first.is_numeric()) && name != "_" {
                found.insert(name);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_replacement_all_over_is_seen() {
        assert_eq!(replaced("the user used it\n", "the accr accd it\n"), Some(("use".into(), "acc".into())));
        assert_eq!(
            replaced("a number\nanother\n", "a numberr\nanotherr\n"),
            Some((String::new(), "r".into()))
        );
        assert_eq!(replaced("one two\n", "three four\n"), None);
    }

    #[test]
    fn spoilt_letters_are_seen_and_good_ones_are_not() {
        assert!(encoding_spoilt("café\n".as_bytes(), "cafÃ©\n".as_bytes()));
        assert!(encoding_spoilt(b"plain\n", b"\xff\xfep\0l\0"));
        assert!(encoding_spoilt("한국어\n".as_bytes(), "???\u{fffd}\n".as_bytes()));
        assert!(!encoding_spoilt(b"cafe\n", "café, naïve, 한국어\n".as_bytes()));
    }

    #[test]
    fn a_weaker_test_has_fewer_points() {
        let strong = "test('a', () => {\n  assert.equal(f(), 1);\n});\n";
        assert_eq!(strength(strong), 1);
        assert_eq!(strength(&strong.replace("test(", "test.skip(")), 0);
        assert_eq!(strength("  assert.ok(true);\n"), 0);
    }

    #[test]
    fn definitions_of_several_languages_are_found() {
        let text = "pub fn a() {\ndef b(x):\nexport async function c() {\nclass D:\nconst e = () => 1;\n  const local = f => f;\nexport const K = 1;\n";
        let found: Vec<String> = definitions(text).into_iter().collect();
        assert_eq!(found, ["D", "K", "a", "b", "c", "e"]);
    }
}
