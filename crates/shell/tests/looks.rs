//! What is held to be looking is not saved before it runs, so nothing that writes may be taken for it: `data/looks.txt`.

use shell::{Decision, JudgeContext, NoFiles, Policy, judge};

#[test]
fn what_writes_is_never_taken_for_a_look_and_a_look_seldom_for_a_write() {
    let mut wrong = Vec::new();
    for line in include_str!("data/looks.txt").lines().filter(|line| !line.starts_with('#')) {
        let Some((label, command)) = line.split_once(": ") else { continue };
        let context = JudgeContext::new("/home/u/project", "/home/u", &NoFiles);
        let verdict = judge(command, &context, &Policy::default());
        if (label == "writes") != verdict.writes_project {
            wrong.push(format!("{line} {:?}", verdict.reasons));
        }
        if label == "looks" && verdict.decision >= Decision::Ask {
            wrong.push(format!("asked: {line}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
