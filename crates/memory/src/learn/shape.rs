//! The shape of an error: what is left of an output when places, numbers and times are taken out. The key by which a failure is known
//! again in another session. (M2)
//!
//! Only hashes leave this file: an output is anybody's words, and none of them are kept or told.

use std::collections::BTreeSet;

use xxhash_rust::xxh3::xxh3_64;

/// So much of an output is looked at, from its end.
const LOOKED_AT: usize = 32 << 10;
/// Lines that make a shape.
const MOST_LINES: usize = 6;
/// Words that a line needs to tell one error from another.
const LEAST_WORDS: usize = 3;
/// Lines that every failure of a tool has, whatever went wrong.
const SAYS_NOTHING: &[&str] = &[
    "npm err! code elifecycle",
    "npm err! errno",
    "exit code",
    "exit status",
    "command failed",
    "error command failed",
    "lifecycle script",
    "tests failed",
    "test failed",
    "make: ***",
    "build failed",
    "a complete log of this run",
    "process completed",
    "for more information",
    "aborting due to",
    "could not compile",
    "test suites:",
    "tests:",
    "snapshots:",
    "time:",
    "ran all test suites",
    "short test summary",
    "failures:",
    "warning:",
    "npm warn",
];
/// Words of a line that only counts: "Found 3 errors in 4.0s", "2 failed, 1 passed".
const COUNTS: &str = "found error errors warning warnings problem problems failure failures failed passed skipped in and of with total test \
    tests file files a the";
/// What a line says that tells of an error.
const TELLS: &[&str] = &[
    "error",
    "exception",
    "cannot",
    "can't",
    "could not",
    "not found",
    "no such",
    "fatal",
    "panicked",
    "undefined",
    "unexpected",
    "failed",
    "failure",
    "refused",
    "denied",
    "missing",
    "invalid",
    "unknown",
    "unresolved",
    "mismatch",
    "expected",
    "traceback",
    "assert",
    "timed out",
    "timeout",
    "conflict",
    "unable",
];

/// The shape of what went wrong; empty if the output says nothing that could be known again.
pub fn shape(output: &str) -> Vec<u64> {
    let from = output.len().saturating_sub(LOOKED_AT);
    let output = &output[output.ceil_char_boundary(from)..];
    let mut found: Vec<u64> = Vec::new();
    for line in output.lines() {
        let lower = line.trim().to_lowercase();
        if !TELLS.iter().any(|word| lower.contains(word))
            || SAYS_NOTHING.iter().any(|words| lower.contains(words))
        {
            continue;
        }
        let plain = plain(&lower);
        let only_counts = plain.split(' ').all(|word| COUNTS.split_whitespace().any(|one| one == word));
        if only_counts || plain.split(' ').filter(|word| word.len() > 1).count() < LEAST_WORDS {
            continue;
        }
        let hash = xxh3_64(plain.as_bytes());
        if !found.contains(&hash) {
            found.push(hash);
        }
        if found.len() == MOST_LINES {
            break;
        }
    }
    found
}

/// How alike two shapes are, from 0 to 1: the smaller one counts, because a second error may come on top.
pub fn alike(one: &[u64], other: &[u64]) -> f64 {
    let (one, other): (BTreeSet<u64>, BTreeSet<u64>) =
        (one.iter().copied().collect(), other.iter().copied().collect());
    let least = one.len().min(other.len());
    if least == 0 { 0.0 } else { one.intersection(&other).count() as f64 / least as f64 }
}

/// Without numbers, addresses and folders.
fn plain(lower: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in lower.split_whitespace() {
        let word = word.trim_matches(|c: char| ",;()[]{}".contains(c));
        // `src/a.ts:12:3` is a place; `'./b'` is what it is about, and stays by its last part.
        let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
        let name: String = name.chars().filter(|c| !c.is_ascii_digit()).collect();
        let name = name.trim_matches(|c: char| c == ':' || c == '.' || c == '-' || c == '#').to_owned();
        let is_place = word.contains(['/', '\\']) && word.contains(':');
        let is_time =
            word.ends_with("ms") || (word.ends_with('s') && word.starts_with(|c: char| c.is_ascii_digit()));
        if !name.is_empty() && !is_place && !is_time {
            words.push(name);
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_error_elsewhere_has_the_same_shape_and_another_has_another_m2() {
        let one = shape(
            "src/a.ts:12:3 - error TS2307: Cannot find module './price' or its types.\n\nFound 1 error in 1.2s",
        );
        let again = shape(
            "> tsc\nsrc/other/b.ts:99:1 - error TS2307: Cannot find module './price' or its types.\nFound 3 errors in 4.0s",
        );
        let other = shape("src/a.ts:12:3 - error TS2307: Cannot find module './stock' or its types.\n");
        assert!(alike(&one, &again) > 0.5, "{one:?} {again:?}");
        assert!(alike(&one, &other) < 0.5, "{one:?} {other:?}");
        assert!(shape("all good\n").is_empty() && shape("").is_empty());
        assert_eq!(alike(&shape("npm ERR! code ELIFECYCLE\nexit code 1"), &one), 0.0);
    }
}
