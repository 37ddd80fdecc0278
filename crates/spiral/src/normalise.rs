//! The same error twice is rarely the same text twice. The same call is.

/// So much of a long output is looked at, from its end: what went wrong comes last.
const LONGEST: usize = 64 << 10;

/// A number for how a command failed that is no check (for those see [`what_failed`](super::what_failed)). The same when only times,
/// durations of a whole run, addresses, temporary names or the order of the lines differ. Everything else is an outcome of its own.
pub fn normalise_error(text: &str) -> u64 {
    let text = &text[text.ceil_char_boundary(text.len().saturating_sub(LONGEST))..];
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut hashes: Vec<u64> = lines.map(line_hash).collect();
    hashes.sort_unstable();
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
            || SAY_FAILURE.iter().any(|start| line.trim_start().starts_with(start))
            || counts_label(&words, "fail").is_some_and(|number| number > 0)
            || counts_label(&words, "failed").is_some_and(|number| number > 0)
    })
}

/// How lines begin that only a check that failed prints.
const SAY_FAILURE: [&str; 9] = [
    "AssertionError",
    "Uncaught AssertionError",
    "npm ERR! code",
    "npm error code",
    "BUILD FAILED",
    "[INFO] BUILD FAILURE",
    "[ERROR] ",
    "error TS",
    "ERROR: test",
];

/// `# fail 0`, `Failed: 2,`: a label and its number.
fn counts_label(words: &[&str], label: &str) -> Option<u64> {
    words.windows(2).find_map(|pair| {
        let word = pair[0].trim_matches(|c: char| !c.is_alphanumeric());
        let number = pair[1].trim_end_matches(|c: char| !c.is_ascii_digit());
        // In `3 fail` and `Tests: 2 failed, 3 passed` the number before belongs to the word.
        word.eq_ignore_ascii_case(label).then(|| number.parse().ok()).flatten().filter(|_| {
            pair[0].ends_with(':') || words.first().is_some_and(|first| matches!(*first, "#" | "ℹ"))
        })
    })
}

/// Whether the output of a check says that all is well: it counts what passed, or there is nothing at all to say. For clients
/// that do not tell how a command ended.
pub fn speaks_of_success(output: &str) -> bool {
    const WORDS: [&str; 14] = [
        "test result: ok",
        "all checks passed",
        "all tests passed",
        "no issues found",
        "no problems found",
        "no errors",
        "0 errors",
        "build success",
        "compiled successfully",
        "successfully ran target",
        "congratulations :)",
        "all matched files use",
        "no offenses detected",
        "would be left unchanged",
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
                number.parse::<u64>().is_ok_and(|number| number > 0)
                    && matches!(word, "passed" | "passing" | "pass" | "successful")
            });
            // `4 examples, 0 failures`, `3 tests, 0 failures`, `# fail 0`, `Failed: 0, Passed: 4`
            let none_failed = words.windows(2).any(|pair| {
                pair[0] == "0"
                    && matches!(
                        pair[1].trim_matches(|c: char| !c.is_alphanumeric()),
                        "failures" | "fail" | "failed"
                    )
            }) || counts_label(&words, "fail") == Some(0)
                || counts_label(&words, "failed") == Some(0);
            // What cargo ends with, and PHPUnit.
            let finished = line.trim_start().starts_with("finished `") || line.contains("target(s) in ");
            let counted = counted || none_failed || finished || line.starts_with("ok (");
            // `ok  	example.com/shop	0.012s`, and what Python's own runner ends with.
            counted || matches!(words.first(), Some(&"ok")) && words.len() != 2
        })
}

fn line_hash(line: &str) -> u64 {
    // How long the whole run took is noise; how long something takes that should be quicker is not.
    let words: Vec<&str> = line.split_whitespace().collect();
    let timed = words.iter().any(|word| is_counted(word))
        || ["Ran", "Finished", "Done", "Time", "Duration", "real", "user", "sys", "ok", "FAIL", "PASS"]
            .iter()
            .any(|start| words.first().is_some_and(|first| first.trim_end_matches(':') == *start));
    let mut plain = String::with_capacity(line.len());
    for (at, word) in words.iter().enumerate() {
        let unit = words.get(at + 1).is_some_and(|next| is_unit(next.trim_end_matches(['.', ',', ')', ';'])));
        if is_time(word) || (timed && (is_duration(word) || (unit && starts_with_digit(word)))) {
            plain.push('#');
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
    const COUNTED: [&str; 7] = ["failed", "failing", "failures", "failure", "passed", "passing", "tests"];
    COUNTED.iter().any(|counted| word.eq_ignore_ascii_case(counted))
}

pub(super) fn starts_with_digit(word: &str) -> bool {
    word.trim_start_matches('(').starts_with(|c: char| c.is_ascii_digit())
}

pub(super) fn is_unit(word: &str) -> bool {
    matches!(
        word,
        "s" | "ms" | "us" | "µs" | "ns" | "sec" | "secs" | "second" | "seconds" | "minutes" | "min"
    )
}

/// `1.25s`, `(340ms)`, `2m3.4s`
pub(super) fn is_duration(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    rest.len() < word.len() && (is_unit(rest) || (rest.starts_with('m') && rest.ends_with('s')))
}

/// `12:30:01`, `2026-01-02T03:04:05Z`, `2026-01-02`
pub(super) fn is_time(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let clock = |text: &str| {
        let parts: Vec<&str> = text.split(':').collect();
        parts.len() == 3
            && parts.iter().all(|part| part.starts_with(|c: char| c.is_ascii_digit()) && part.len() < 12)
    };
    let date = |text: &str| {
        let parts: Vec<&str> = text.split('-').collect();
        parts.len() == 3
            && parts[0].len() == 4
            && parts.iter().all(|part| part.bytes().all(|b| b.is_ascii_digit()))
    };
    match word.split_once('T') {
        Some((day, time)) => date(day) && time.contains(':'),
        None => clock(word) || date(word),
    }
}

/// A word without what differs from run to run.
fn plain_word(word: &str, to: &mut String) {
    if is_temporary(word) {
        to.push('~');
        return;
    }
    for part in word.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_') {
        let name = part.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_');
        if is_address(name) {
            to.push('#');
        } else {
            to.push_str(name);
        }
        to.push_str(&part[name.len()..]);
    }
}

/// `0x7ffd…`, or a hash of eight digits and more.
pub(super) fn is_address(name: &str) -> bool {
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

pub(super) fn is_temporary(word: &str) -> bool {
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
            ("TypeError: x is None at 0x7f3a12bc", "TypeError: x is None at 0x55d0"),
            ("=== 2 failed, 3 passed in 1.25s ===", "=== 2 failed, 3 passed in 11.07s ==="),
            ("Ran 4 tests in 0.012s", "Ran 4 tests in 1.5s"),
            (
                "FAILED tests/a.py::test_one\nFAILED tests/a.py::test_two",
                "FAILED tests/a.py::test_two\nFAILED tests/a.py::test_one",
            ),
            ("error: cannot open /tmp/tmpab12/x", "error: cannot open /tmp/tmpzz9/y"),
            ("12:30:01 ERROR no route", "23:59:59 ERROR no route"),
            ("2026-01-02T03:04:05Z fatal: gone", "2025-12-31T23:00:00Z fatal: gone"),
            ("error[E0425]: in commit 3f2a9c1b", "error[E0425]: in commit 99aa00ff"),
        ] {
            assert_eq!(normalise_error(one), normalise_error(other), "{one} | {other}");
        }
    }

    #[test]
    fn another_outcome() {
        let errors = |count: usize| {
            (0..count).map(|at| format!("src/a.ts({at},3): error TS7006: no type\n")).collect::<String>()
        };
        for (one, other) in [
            ("error: no `x` here".to_owned(), "error: no `y` here".to_owned()),
            (
                "src/a.rs:10:5: error: no `x` here".to_owned(),
                "src/a.rs:212:17: error: no `x` here".to_owned(),
            ),
            ("=== 10 failed, 3 passed in 1s ===".to_owned(), "=== 2 failed, 11 passed in 1s ===".to_owned()),
            ("AssertionError: 4 != 3".to_owned(), "AssertionError: 5 != 3".to_owned()),
            ("took 900 ms, limit 200".to_owned(), "took 630 ms, limit 200".to_owned()),
            ("total coverage 40 %".to_owned(), "total coverage 55 %".to_owned()),
            (errors(30), errors(28)),
            ("no type\n".repeat(30), "no type\n".repeat(29)),
            ("make: *** [all] Error 2".to_owned(), "DEBUG x=1\nmake: *** [all] Error 2".to_owned()),
        ] {
            assert_ne!(normalise_error(&one), normalise_error(&other), "{one} | {other}");
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
