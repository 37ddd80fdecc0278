//! Labelled cases of whole classes: typed declarations, labels in nine languages, whole values, disguises, and what only looks alike.
//! Written before the code; `classes-closed.txt` was not looked at until it was done. (X2, S19)

use crate::cases;

/// Of each label: how many cases came out right, of how many, and what went wrong.
fn score(file: &str, labels: &[&str]) -> (usize, usize, Vec<String>) {
    let (mut right, mut all, mut wrong) = (0, 0, Vec::new());
    for case in cases::cases(file, 3).iter().filter(|case| labels.contains(&case.label.as_str())) {
        let outcome = cases::tried(case);
        all += 1;
        right += usize::from(outcome.is_right());
        if !outcome.is_right() {
            wrong.push(format!("{outcome:?} {} {}: {}", case.label, case.class, case.text));
        }
    }
    (right, all, wrong)
}

const OPEN: &str = include_str!("data/classes-open.txt");
const CLOSED: &str = include_str!("data/classes-closed.txt");
/// Written later, and first tried when everything else was done: the floors are what it showed then, and a little less.
const FRESH: &str = include_str!("data/classes-fresh.txt");

#[test]
fn the_open_half_is_found_and_taken_x2_s19() {
    let (right, all, wrong) = score(OPEN, &["secret", "gate"]);
    assert!(right * 100 >= all * 97, "{right} of {all}\n{}", wrong.join("\n"));
    let (right, all, wrong) = score(OPEN, &["harmless", "plain"]);
    assert!(right * 100 >= all * 97, "{right} of {all}\n{}", wrong.join("\n"));
}

#[test]
fn the_closed_half_too_x2_s19() {
    let (right, all, wrong) = score(CLOSED, &["secret", "gate"]);
    assert!(right * 100 >= all * 90, "{right} of {all}\n{}", wrong.join("\n"));
    let (right, all, wrong) = score(CLOSED, &["harmless", "plain"]);
    assert!(right * 100 >= all * 95, "{right} of {all}\n{}", wrong.join("\n"));
}

#[test]
fn the_fresh_cases_too_x2_s19() {
    let (right, all, wrong) = score(FRESH, &["secret", "gate"]);
    assert!(right * 100 >= all * 95, "{right} of {all}\n{}", wrong.join("\n"));
    let (right, all, wrong) = score(FRESH, &["harmless", "plain"]);
    assert!(right * 100 >= all * 92, "{right} of {all}\n{}", wrong.join("\n"));
}
