//! What of the output of a check names what failed.

/// Lines that are kept at most.
const MOST_LINES: usize = 12;
/// Longest line that is kept, in characters.
const LONGEST: usize = 200;

/// Marks with which a line begins that names a failure, in the words of the usual runners.
const BEGINS: &[&str] = &[
    "FAILED ",
    "FAIL ",
    "FAIL:",
    "FAIL\t",
    "--- FAIL",
    "not ok ",
    "ERROR ",
    "ERROR:",
    "error:",
    "error[",
    "Error:",
    "✕",
    "✗",
    "✘",
    "×",
    "●",
    "AssertionError",
    "AssertionError",
    "thread '",
    "panicked at",
    "E   ",
    "FAILURE",
    "Failures:",
    "TypeError",
    "ReferenceError",
    "SyntaxError",
    "[FAIL]",
    "Failed ",
];
/// Marks inside such a line.
const HOLDS: &[&str] = &[
    "... FAILED",
    "... FAIL",
    " FAILED",
    " failed:",
    ": error:",
    ": error ",
    "AssertionError",
    "Assertion failed",
    "expected",
    "panicked at",
    " error TS",
    ": FAIL",
    "SyntaxError",
    "TypeError",
];
/// What speaks of failures and names none.
const SUMMARIES: &[&str] = &["0 failed", "0 errors", "no errors", "0 failures", "ERRORS: 0", "Failures: 0"];

/// The lines that name what failed, in order, without repeats; the last lines if none does.
pub fn failing_lines(output: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in output.lines() {
        let bare = without_colours(line);
        let bare = bare.trim();
        let names =
            BEGINS.iter().any(|mark| bare.starts_with(mark)) || HOLDS.iter().any(|mark| bare.contains(mark));
        if bare.is_empty() || !names || SUMMARIES.iter().any(|mark| bare.contains(mark)) {
            continue;
        }
        let kept: String = bare.chars().take(LONGEST).collect();
        if !found.contains(&kept) {
            found.push(kept);
        }
        if found.len() == MOST_LINES {
            break;
        }
    }
    if found.is_empty() {
        let last: Vec<&str> = output.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let from = last.len().saturating_sub(3);
        found.extend(
            last[from..].iter().map(|line| without_colours(line).chars().take(LONGEST).collect::<String>()),
        );
    }
    found
}

/// A line of a failure without what differs from run to run: times, addresses, numbers of lines. Two runs that fail alike have the same names.
pub fn failure_name(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut in_number = false;
    for letter in without_colours(line).chars() {
        let is_digit = letter.is_ascii_digit();
        if is_digit && !in_number {
            out.push('#');
        }
        in_number = is_digit || (in_number && matches!(letter, '.' | ':'));
        if !is_digit && !in_number {
            out.push(letter);
        }
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Without the codes for colours.
fn without_colours(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        if letter == '\u{1b}' {
            // `ESC [ … m`
            for code in letters.by_ref() {
                if code.is_ascii_alphabetic() {
                    break;
                }
            }
        } else if !letter.is_control() || letter == '\t' {
            out.push(letter);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_that_name_a_failure_are_found() {
        for (output, line) in [
            ("running 2 tests\ntest a ... ok\ntest cart::total ... FAILED\n", "test cart::total ... FAILED"),
            ("ok 1 - x\nnot ok 2 - cart total\n# fail 1", "not ok 2 - cart total"),
            (
                "FAILED tests/test_a.py::test_b - assert 1 == 2\n1 failed, 3 passed",
                "FAILED tests/test_a.py::test_b - assert 1 == 2",
            ),
            ("--- FAIL: TestTotal (0.00s)\n", "--- FAIL: TestTotal (0.00s)"),
            ("\u{1b}[31m  ✕ adds the tax (3 ms)\u{1b}[39m", "✕ adds the tax (3 ms)"),
        ] {
            assert!(
                failing_lines(output).contains(&line.to_owned()),
                "{output:?}: {:?}",
                failing_lines(output)
            );
        }
        assert_eq!(failing_lines("a\nb\n\nc\nd\n"), ["b", "c", "d"]);
        assert_eq!(
            failing_lines("test result: ok. 3 passed; 0 failed"),
            ["test result: ok. 3 passed; 0 failed"]
        );
        assert_eq!(failing_lines(""), [""; 0]);
    }

    #[test]
    fn two_runs_that_fail_alike_have_the_same_name() {
        assert_eq!(failure_name("✕ adds the tax (3 ms)"), failure_name("✕ adds the tax (17 ms)"));
        assert_eq!(failure_name("a.js:12:3 error"), failure_name("a.js:98:11 error"));
        assert_ne!(failure_name("not ok - cart"), failure_name("not ok - tax"));
    }
}
