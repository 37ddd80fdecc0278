//! Labelled pairs of what checks printed: is it the same failure? Each line is `same` or `other`, a name, and two outputs. The rules
//! were shaped on the first file; the second was written with it and looked at afterwards.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use spiral::what_failed;

fn misjudged(pairs: &str) -> Vec<String> {
    let plain = |text: &str| text.replace("\\t", "\t").replace("\\n", "\n");
    let mut wrong = Vec::new();
    for line in pairs.lines() {
        let mut columns = line.split('\t');
        let (is_same, name) = (columns.next().unwrap() == "same", columns.next().unwrap());
        let (one, other) = (plain(columns.next().unwrap()), plain(columns.next().unwrap()));
        if (what_failed(&one) == what_failed(&other)) != is_same {
            wrong.push(format!("{name}: should be {}\n{one}\n--\n{other}", line.split('\t').next().unwrap()));
        }
    }
    wrong
}

#[test]
fn a_failure_is_known_again_whatever_its_runner_measures_b3() {
    let wrong = misjudged(include_str!("data/same-failure-seen.tsv"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n=====\n"));
}

#[test]
fn and_in_outputs_that_no_rule_was_made_for_b3() {
    let wrong = misjudged(include_str!("data/same-failure-unseen.tsv"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n=====\n"));
}
