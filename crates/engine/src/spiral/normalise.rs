//! The same error twice is rarely the same text twice. The same call is.

/// So many lines that speak of an error are looked at.
const LINES: usize = 24;
/// So much of a long output is looked at, from its end: what went wrong comes last.
const LONGEST: usize = 64 << 10;
/// Longer lines say nothing new at their end.
const LONGEST_LINE: usize = 300;

/// A number for an error that stays the same when only numbers, addresses, times, durations, line numbers, temporary names
/// or the order of the lines change.
pub fn normalise_error(text: &str) -> u64 {
    let text = &text[text.ceil_char_boundary(text.len().saturating_sub(LONGEST))..];
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut hashes: Vec<u64> =
        lines().filter(|line| speaks_of_error(line)).take(LINES).map(line_hash).collect();
    if hashes.is_empty() {
        hashes.extend(lines().next_back().map(line_hash));
    }
    hashes.sort_unstable();
    hashes.dedup();
    let bytes: Vec<u8> = hashes.iter().flat_map(|hash| hash.to_le_bytes()).collect();
    hash(&bytes)
}

/// A number for a call: who, which tool, which arguments, literally. `t1.py` and `t2.py` are two calls, and so are two ranges of
/// one file.
pub fn signature(who: &str, tool: &str, arguments: &str) -> u64 {
    let mut all = Vec::with_capacity(who.len() + tool.len() + arguments.len() + 2);
    for part in [who, tool, arguments] {
        all.extend_from_slice(part.as_bytes());
        all.push(0);
    }
    hash(&all)
}

fn speaks_of_error(line: &str) -> bool {
    const WORDS: [&str; 14] = [
        "error",
        "fail",
        "exception",
        "panic",
        "assert",
        "not found",
        "no such",
        "cannot",
        "can't",
        "undefined",
        "unexpected",
        "expected",
        "denied",
        "fatal",
    ];
    let line: String = line.chars().take(LONGEST_LINE).flat_map(char::to_lowercase).collect();
    WORDS.iter().any(|word| line.contains(word))
}

/// Whether the output of a check says that something failed: `3 failed`, `FAILED tests/a.py`, `error: …`. For checks whose exit
/// code is that of another program.
pub fn speaks_of_failure(output: &str) -> bool {
    output.lines().any(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let counted = words.windows(2).any(|pair| {
            let number = pair[0].trim_matches(|c: char| !c.is_ascii_digit());
            let bad = ["failed", "failing", "failures", "failure", "errors", "error"];
            let word = pair[1].trim_matches(|c: char| !c.is_alphanumeric());
            number.parse::<u64>().is_ok_and(|number| number > 0)
                && bad.iter().any(|bad| word.eq_ignore_ascii_case(bad))
        });
        let first = words.first().copied().unwrap_or_default();
        counted
            || matches!(first, "FAILED" | "FAIL" | "FAIL:" | "--- FAIL:" | "Traceback")
            || line.trim_start().starts_with("error:")
            || line.trim_start().starts_with("error[")
    })
}

/// Whether the output of a check says that all is well: it counts what passed, or there is nothing at all to say. For clients
/// that do not tell how a command ended.
pub fn speaks_of_success(output: &str) -> bool {
    const WORDS: [&str; 7] = [
        "test result: ok",
        "all checks passed",
        "no issues found",
        "no problems found",
        "0 errors",
        "build success",
        "compiled successfully",
    ];
    let text = output.to_lowercase();
    if speaks_of_failure(output) || text.lines().any(|line| line.starts_with("not ok")) {
        return false;
    }
    text.trim().is_empty()
        || WORDS.iter().any(|words| text.contains(words))
        || text.lines().any(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let counted = words.windows(2).any(|pair| {
                let number = pair[0].trim_matches(|c: char| !c.is_ascii_digit());
                let word = pair[1].trim_matches(|c: char| !c.is_alphanumeric());
                number.parse::<u64>().is_ok_and(|number| number > 0) && matches!(word, "passed" | "passing")
            });
            // `ok  	example.com/shop	0.012s`, and what Python's own runner ends with.
            counted || matches!(words.first(), Some(&"ok")) && words.len() != 2
        })
}

fn line_hash(line: &str) -> u64 {
    let mut plain = String::with_capacity(line.len().min(LONGEST_LINE));
    let mut words = line.split_whitespace().take(60).peekable();
    while let Some(word) = words.next() {
        if plain.len() > LONGEST_LINE {
            break;
        }
        // `3 failed`: how many is the point.
        if words.peek().is_some_and(|next| is_counted(next)) && word.bytes().all(|b| b.is_ascii_digit()) {
            plain.push_str(word);
        } else {
            plain_word(word, &mut plain);
        }
        plain.push(' ');
    }
    hash(plain.as_bytes())
}

/// What checks count at their end.
fn is_counted(word: &str) -> bool {
    let word = word.trim_end_matches(|c: char| !c.is_alphanumeric());
    const COUNTED: [&str; 10] = [
        "failed", "failing", "failures", "failure", "passed", "passing", "errors", "error", "problems",
        "warnings",
    ];
    COUNTED.iter().any(|counted| word.eq_ignore_ascii_case(counted))
}

/// A word without what differs from run to run.
fn plain_word(word: &str, to: &mut String) {
    if is_temporary(word) {
        to.push('~');
        return;
    }
    for part in word.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_') {
        let name = part.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_');
        let end = &part[name.len()..];
        if is_address(name) {
            to.push('#');
        } else {
            let mut digits = false;
            for character in name.chars() {
                let digit = character.is_ascii_digit();
                if digit && !digits {
                    to.push('#');
                } else if !digit {
                    to.push(character);
                }
                digits = digit;
            }
        }
        // `1.25`, `12:30:01`: one number.
        if !(to.ends_with('#') && matches!(end, "." | ":" | ",")) {
            to.push_str(end);
        }
    }
}

/// `0x7ffd…`, or a hash of eight digits and more.
fn is_address(name: &str) -> bool {
    let hex = name.strip_prefix("0x").or_else(|| name.strip_prefix("0X"));
    match hex {
        Some(hex) => !hex.is_empty() && hex.bytes().all(|b| b.is_ascii_hexdigit()),
        None => {
            name.len() >= 8
                && name.bytes().all(|b| b.is_ascii_hexdigit())
                && name.bytes().any(|b| b.is_ascii_digit())
        }
    }
}

fn is_temporary(word: &str) -> bool {
    ["/tmp/", "/var/folders/", "/private/tmp/", "\\Temp\\", "/dev/shm/"]
        .iter()
        .any(|place| word.contains(place))
}

/// A number for a text or a content: the same in every version and on every machine (FNV-1a, mixed once more at the end).
pub fn hash(bytes: &[u8]) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for &byte in bytes {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash ^= hash >> 32;
    hash = hash.wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^ (hash >> 32)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{hash, normalise_error, signature, speaks_of_failure, speaks_of_success};

    #[test]
    fn the_same_error() {
        for (one, other) in [
            ("src/a.rs:10:5: error: no `x` here", "src/a.rs:212:17: error: no `x` here"),
            ("TypeError: x is None at 0x7f3a12bc", "TypeError: x is None at 0x55d0"),
            ("=== 2 failed, 3 passed in 1.25s ===", "=== 2 failed, 3 passed in 11.07s ==="),
            (
                "FAILED tests/a.py::test_one\nFAILED tests/a.py::test_two",
                "FAILED tests/a.py::test_two\nFAILED tests/a.py::test_one",
            ),
            ("error: cannot open /tmp/tmpab12/x", "error: cannot open /tmp/tmpzz9/y"),
            ("12:30:01 ERROR no route", "23:59:59 ERROR no route"),
            ("2026-01-02T03:04:05Z fatal: gone", "2025-12-31T23:00:00Z fatal: gone"),
            ("compiling 1\nerror: no", "compiling 2\nnote: more\nerror: no\n"),
            ("error[E0425]: in commit 3f2a9c1b", "error[E0425]: in commit 99aa00ff"),
            (
                "thread 'main' (4211) panicked at src/m.rs:3:1",
                "thread 'main' (77) panicked at src/m.rs:90:12",
            ),
        ] {
            assert_eq!(normalise_error(one), normalise_error(other), "{one} | {other}");
        }
    }

    #[test]
    fn another_error() {
        for (one, other) in [
            ("error: no `x` here", "error: no `y` here"),
            ("TypeError: x is None", "ValueError: x is None"),
            ("FAILED tests/a.py::test_one", "FAILED tests/a.py::test_two"),
            ("=== 10 failed, 3 passed in 1s ===", "=== 2 failed, 11 passed in 1s ==="),
            ("done", "undone"),
            ("", "error"),
        ] {
            assert_ne!(normalise_error(one), normalise_error(other), "{one} | {other}");
        }
    }

    #[test]
    fn calls_are_compared_literally_c2() {
        let call = |arguments| signature("", "read", arguments);
        assert_eq!(call("src/a.rs 1 100"), call("src/a.rs 1 100"));
        assert_ne!(call("src/a.rs 1 100"), call("src/a.rs 101 200"));
        assert_ne!(call("t1.py"), call("t2.py"));
        assert_ne!(call("src/a.rs"), signature("", "edit", "src/a.rs"));
        assert_ne!(call("src/a.rs"), signature("sub-agent", "read", "src/a.rs"));
    }

    #[test]
    fn a_check_behind_a_pipe_may_say_that_it_failed() {
        for text in [
            "=== 2 failed, 3 passed in 1s ===",
            "FAILED tests/a.py::one",
            "error[E0425]: no x",
            "Tests: 1 failed, 4 total",
        ] {
            assert!(speaks_of_failure(text), "{text}");
        }
        for text in ["=== 3 passed in 1s ===", "0 failed, 4 passed", "no errors", "0 errors, 0 warnings", ""]
        {
            assert!(!speaks_of_failure(text), "{text}");
        }
    }

    #[test]
    fn a_check_may_say_that_it_passed() {
        for text in [
            "=== 3 passed in 1s ===",
            "Tests: 14 passed, 14 total",
            "test result: ok. 4 passed; 0 failed",
            "ok  \texample.com/shop\t0.012s",
            "Ran 3 tests in 0.1s\n\nOK",
            "",
            "0 errors, 0 warnings",
        ] {
            assert!(speaks_of_success(text), "{text}");
        }
        for text in [
            "1 failed, 3 passed",
            "0 passed",
            "SyntaxError: unexpected token",
            "make: *** [all] Error 2",
            "command not found: jest",
            "ok 1 - adds\nnot ok 2 - takes away",
        ] {
            assert!(!speaks_of_success(text), "{text}");
        }
    }

    #[test]
    fn numbers_are_kept_between_versions() {
        assert_eq!(hash(b""), 0xfdbd_f6ac_4fc5_2e7f);
        assert_eq!(hash(b"vib"), 0x896b_49f7_66cd_05da);
    }

    proptest! {
        #[test]
        fn any_text_has_a_number(text in "\\PC{0,200}(\n\\PC{0,60}){0,9}") {
            prop_assert_eq!(normalise_error(&text), normalise_error(&format!("\n  {text}\n\n")));
        }
    }
}
