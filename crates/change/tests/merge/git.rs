//! Git as the reference. `git merge-file` takes changes that touch for a conflict, and we tell them apart where base does: so we may be clean where
//! git is not, never the other way round, and where both are clean they are the same.

use std::process::Command;

use change::merge::merge;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::cases::{like_code, look_alike, told_apart};

/// What git makes of it; none if it sees a conflict.
fn git(folder: &std::path::Path, [base, ours, theirs]: &[Vec<u8>; 3]) -> Option<Vec<u8>> {
    for (name, content) in [("base", base), ("ours", ours), ("theirs", theirs)] {
        std::fs::write(folder.join(name), content).expect("written");
    }
    let output = Command::new("git")
        .args(["merge-file", "-p", "--quiet", "ours", "base", "theirs"])
        .current_dir(folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("HOME", folder)
        .output()
        .expect("git is there");
    match output.status.code() {
        Some(0) => Some(output.stdout),
        // The number of conflicts; 255 is a failure of git itself.
        Some(1..=127) => None,
        other => panic!("git ended with {other:?}: {}", String::from_utf8_lossy(&output.stderr)),
    }
}

/// The same cases every time: what is compared here is two programs, not one with itself.
fn cases(number: usize, strategy: impl Strategy<Value = [Vec<u8>; 3]>) -> Vec<[Vec<u8>; 3]> {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    (0..number).map(|_| strategy.new_tree(&mut runner).expect("a case").current()).collect()
}

/// How often: clean and the same, clean and different, clean only here, clean only in git, conflict in both.
fn compare(number: usize, strategy: impl Strategy<Value = [Vec<u8>; 3]>) -> [usize; 5] {
    let folder = tempfile::tempdir().expect("a folder");
    let mut counts = [0; 5];
    for case in cases(number, strategy) {
        let here = merge(&case[0], &case[1], &case[2]).clean();
        let there = git(folder.path(), &case);
        let outcome = match (&here, &there) {
            (Some(here), Some(there)) if here == there => 0,
            (Some(_), Some(_)) => 1,
            (Some(_), None) => 2,
            (None, Some(_)) => 3,
            (None, None) => 4,
        };
        counts[outcome] += 1;
    }
    counts
}

#[test]
fn where_lines_can_be_told_apart_both_agree_always() {
    let [same, different, only_here, only_git, conflicts] = compare(400, told_apart());
    assert_eq!((different, only_git), (0, 0));
    assert!(only_here > 0, "changes that touch are told apart (M4)");
    assert!(same > 50 && conflicts > 50, "{same} {conflicts}");
}

#[test]
fn in_source_text_with_its_many_equal_lines_too() {
    let [same, different, only_here, only_git, conflicts] = compare(400, like_code());
    assert_eq!((different, only_git), (0, 0));
    assert!(only_here > 0, "changes that touch are told apart (M4)");
    assert!(same > 50 && conflicts > 50, "{same} {conflicts}");
}

/// Where nearly all lines are equal there are several shortest ways to compare, and each program has its own taste. Whenever both
/// are clean they have the same result; in a case in a hundred only we see a conflict.
#[test]
fn where_nearly_all_lines_are_equal_results_are_the_same_or_there_is_none() {
    let [same, different, _, only_git, conflicts] = compare(400, look_alike());
    assert_eq!(different, 0);
    assert!(only_git <= 8, "{only_git}");
    assert!(same > 50 && conflicts > 50, "{same} {conflicts}");
}
