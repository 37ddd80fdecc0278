//! Labelled commands: a small sample of other guards' own tests, and lists of our own. See `data/README.md`.

#![expect(clippy::expect_used, reason = "a test fails where it stands")]

use shell::{Covered, Decision, JudgeContext, NoFiles, Policy, judge};

fn commands(lines: &'static str) -> impl Iterator<Item = serde_json::Value> {
    lines.lines().map(|line| serde_json::from_str(line).expect("a record"))
}

fn decide(record: &serde_json::Value, covered: Covered) -> (Decision, String) {
    let mut context = JudgeContext::new("/home/bench/project", "/home/bench", &NoFiles);
    context.covered = covered;
    let verdict = judge(record["command"].as_str().expect("a command"), &context, &Policy::default());
    (verdict.decision, format!("{}: {:?}", record["command"], verdict.reasons))
}

#[test]
fn given_other_guards_tests_then_losses_are_caught_and_safe_commands_pass() {
    for record in commands(include_str!("data/commands-sample.jsonl")) {
        let (decision, shown) = decide(&record, Covered::Ask);
        match record["label"].as_str() {
            Some("destructive") => assert!(decision >= Decision::Ask, "missed: {shown}"),
            Some("safe") => assert!(decision < Decision::Ask, "needless: {shown}"),
            _ => {}
        }
    }
}

#[test]
fn given_harm_in_plain_sight_or_in_disguise_then_somebody_is_asked() {
    let missed: Vec<String> = commands(include_str!("data/own-destructive.jsonl"))
        .map(|record| decide(&record, Covered::Ask))
        .filter(|(decision, _)| *decision < Decision::Ask)
        .map(|(_, shown)| shown)
        .collect();
    assert!(missed.is_empty(), "missed:\n{}", missed.join("\n"));
}

#[test]
fn given_a_day_of_ordinary_work_then_nobody_is_asked() {
    let (mut all, mut plain) = (0, 0);
    for record in commands(include_str!("data/own-safe.jsonl")) {
        let (decision, shown) = decide(&record, Covered::Allow);
        assert!(decision < Decision::Ask, "needless: {shown}");
        all += 1;
        plain += usize::from(decide(&record, Covered::Ask).0 >= Decision::Ask);
    }
    assert!(plain * 100 <= all, "without checkpoints {plain} of {all} would be asked about");
}
