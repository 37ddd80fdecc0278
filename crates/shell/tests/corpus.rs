//! A small sample of labelled commands from other guards' own tests: see `data/README.md`.

use shell::{Covered, Decision, JudgeContext, NoFiles, Policy, judge};

#[test]
fn given_other_guards_tests_then_losses_are_caught_and_safe_commands_pass() {
    let mut context = JudgeContext::new("/home/bench/project", "/home/bench", &NoFiles);
    context.covered = Covered::Ask;
    for line in include_str!("data/commands-sample.jsonl").lines() {
        let record: serde_json::Value = serde_json::from_str(line).expect("a record");
        let command = record["command"].as_str().expect("a command");
        let verdict = judge(command, &context, &Policy::default());
        match record["label"].as_str() {
            Some("destructive") => assert!(verdict.decision >= Decision::Ask, "missed: {command}"),
            Some("safe") => {
                assert!(verdict.decision < Decision::Ask, "needless: {command}: {:?}", verdict.reasons);
            }
            _ => {}
        }
    }
}
