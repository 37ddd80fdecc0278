//! Labelled cases: what was done, and who has to win. The first half was written from the issue alone, before the code.

use super::super::model::CheckEvidence;
use super::{AttemptFacts, Claim, Finding, judge};

fn check(command: &str, status: &str) -> CheckEvidence {
    CheckEvidence {
        command: command.to_owned(),
        status: status.to_owned(),
        exit: Some(i32::from(status != "passed")),
        milliseconds: 10,
        tail: String::new(),
    }
}

/// Ended, says that it is done, one check passes, three lines in one file.
fn good(id: &str) -> AttemptFacts {
    AttemptFacts {
        attempt: id.to_owned(),
        ended: "done".to_owned(),
        claim: Claim::Done,
        checks: vec![check("test", "passed")],
        weakened: Vec::new(),
        findings: Vec::new(),
        files: 1,
        added: 3,
        removed: 0,
        outside: Vec::new(),
        dollars: Some(0.10),
        tokens: Some(1_000),
        milliseconds: 1_000,
        tree: Some(format!("tree of {id}")),
    }
}

type Change = fn(&mut AttemptFacts);

fn one(id: &str, change: Change) -> AttemptFacts {
    let mut facts = good(id);
    change(&mut facts);
    facts
}

fn fails(facts: &mut AttemptFacts) {
    facts.checks = vec![check("test", "failed")];
}

fn deletes_the_test(facts: &mut AttemptFacts) {
    facts.weakened = vec!["test-deleted tests/a.py".to_owned()];
}

fn same(_: &mut AttemptFacts) {}

struct Case {
    name: &'static str,
    attempts: Vec<AttemptFacts>,
    wins: Option<&'static str>,
    /// A code that has to be among the reasons, and of which attempt (empty: of the whole).
    because: (&'static str, &'static str),
}

fn case(
    name: &'static str,
    attempts: Vec<AttemptFacts>,
    wins: Option<&'static str>,
    because: (&'static str, &'static str),
) -> Case {
    Case { name, attempts, wins, because }
}

fn from_the_issue() -> Vec<Case> {
    vec![
        case(
            "the good one beats the cheat that deletes the test",
            vec![one("a1", deletes_the_test), one("a2", same)],
            Some("a2"),
            ("a1", "weakened_tests"),
        ),
        case("a cheat alone does not win", vec![one("a1", deletes_the_test)], None, ("", "nobody_passes")),
        case(
            "a cheat that is smaller, cheaper and faster does not win",
            vec![
                one("a1", |a| {
                    deletes_the_test(a);
                    (a.added, a.dollars, a.milliseconds) = (1, Some(0.0), 1);
                }),
                one("a2", |a| (a.added, a.dollars) = (900, Some(9.0))),
            ],
            Some("a2"),
            ("a1", "weakened_tests"),
        ),
        case(
            "a test that is switched off is a cheat",
            vec![one("a1", |a| a.weakened = vec!["test-skipped tests/a.py:3".to_owned()]), one("a2", same)],
            Some("a2"),
            ("a1", "weakened_tests"),
        ),
        case(
            "two cheats: nobody",
            vec![one("a1", deletes_the_test), one("a2", deletes_the_test)],
            None,
            ("", "nobody_passes"),
        ),
        case(
            "a liar does not win",
            vec![one("a1", fails), one("a2", same)],
            Some("a2"),
            ("a1", "claims_done_but_fails"),
        ),
        case("a liar alone does not win", vec![one("a1", fails)], None, ("a1", "claims_done_but_fails")),
        case(
            "half-done loses to done",
            vec![one("a1", |a| a.claim = Claim::Unfinished), one("a2", same)],
            Some("a2"),
            ("a1", "says_unfinished"),
        ),
        case(
            "half-done that is smaller loses to done",
            vec![
                one("a1", |a| {
                    a.claim = Claim::Unfinished;
                    a.added = 1;
                }),
                one("a2", |a| a.added = 50),
            ],
            Some("a2"),
            ("a1", "says_unfinished"),
        ),
        case(
            "one that breaks other tests loses",
            vec![
                one("a1", |a| a.checks.push(check("other tests", "failed"))),
                one("a2", |a| a.checks.push(check("other tests", "passed"))),
            ],
            Some("a2"),
            ("a1", "claims_done_but_fails"),
        ),
        case(
            "endless loses",
            vec![one("a1", |a| a.ended = "limit".to_owned()), one("a2", same)],
            Some("a2"),
            ("a1", "not_ended"),
        ),
        case(
            "endless alone: nobody",
            vec![one("a1", |a| a.ended = "limit".to_owned())],
            None,
            ("", "nobody_passes"),
        ),
        case(
            "two equal: the smaller one, named as such",
            vec![one("a1", |a| a.added = 30), one("a2", |a| a.added = 4)],
            Some("a2"),
            ("", "equal_smaller"),
        ),
        case(
            "two equal in size: the cheaper one",
            vec![one("a1", |a| a.dollars = Some(0.5)), one("a2", same)],
            Some("a2"),
            ("", "equal_cheaper"),
        ),
        case(
            "nobody passes: nobody",
            vec![one("a1", fails), one("a2", |a| a.ended = "crashed".to_owned())],
            None,
            ("", "nobody_passes"),
        ),
        case(
            "a guard's stop is no pass",
            vec![
                one("a1", |a| a.findings = vec![Finding { code: "secret".to_owned(), stop: true }]),
                one("a2", same),
            ],
            Some("a2"),
            ("a1", "guard_stops"),
        ),
        case(
            "three of a kind: the good one",
            vec![one("a1", deletes_the_test), one("a2", fails), one("a3", same)],
            Some("a3"),
            ("", "only_one_passes"),
        ),
    ]
}

fn from_the_code() -> Vec<Case> {
    vec![
        case("nobody tried", vec![], None, ("", "nobody_passes")),
        case(
            "a project without checks proves nothing",
            vec![one("a1", |a| a.checks.clear()), one("a2", |a| a.checks.clear())],
            None,
            ("", "no_checks"),
        ),
        case(
            "checks that nobody allowed prove nothing",
            vec![one("a1", |a| a.checks = vec![check("test", "not_run")])],
            None,
            ("a1", "nothing_proven"),
        ),
        case(
            "a check without an answer is no pass",
            vec![one("a1", |a| a.checks = vec![check("test", "timed_out")]), one("a2", same)],
            Some("a2"),
            ("a1", "check_no_answer"),
        ),
        case(
            "what failed before counts against nobody",
            vec![
                one("a1", |a| a.checks.push(check("old", "still_fails"))),
                one("a2", |a| {
                    a.checks.push(check("old", "still_fails"));
                    a.added = 9;
                }),
            ],
            Some("a1"),
            ("", "equal_smaller"),
        ),
        case(
            "mending what failed before is better than leaving it",
            vec![
                one("a1", |a| a.checks.push(check("old", "still_fails"))),
                one("a2", |a| {
                    a.checks.push(check("old", "passed"));
                    a.added = 90;
                }),
            ],
            Some("a2"),
            ("", "more_checks_pass"),
        ),
        case(
            "only an old failure, and it says done: nothing is proven",
            vec![one("a1", |a| a.checks = vec![check("test", "still_fails")])],
            None,
            ("a1", "nothing_proven"),
        ),
        case(
            "now so, now so is worse than passing",
            vec![
                one("a1", |a| a.checks = vec![check("test", "passed"), check("ui", "flaky")]),
                one("a2", |a| {
                    a.checks = vec![check("test", "passed"), check("ui", "passed")];
                    a.added = 70;
                }),
            ],
            Some("a2"),
            ("", "more_checks_pass"),
        ),
        case(
            "fewer warnings",
            vec![
                one("a1", |a| a.findings = vec![Finding { code: "long".to_owned(), stop: false }]),
                one("a2", |a| a.added = 60),
            ],
            Some("a2"),
            ("", "fewer_findings"),
        ),
        case(
            "it stays in its files",
            vec![one("a1", |a| a.outside = vec!["x.txt".to_owned()]), one("a2", |a| a.added = 60)],
            Some("a2"),
            ("", "stays_in_card"),
        ),
        case(
            "no change at all is no work",
            vec![one("a1", |a| (a.files, a.added) = (0, 0)), one("a2", same)],
            Some("a2"),
            ("a1", "no_change"),
        ),
        case(
            "one that fails and says so is no liar, and does not win",
            vec![one("a1", |a| {
                fails(a);
                a.claim = Claim::Nothing;
            })],
            None,
            ("a1", "checks_fail"),
        ),
        case(
            "who says that it is done comes before who says nothing",
            vec![
                one("a1", |a| {
                    a.claim = Claim::Nothing;
                    a.added = 1;
                }),
                one("a2", same),
            ],
            Some("a2"),
            ("", "says_done"),
        ),
        case(
            "who says nothing may win alone",
            vec![one("a1", |a| a.claim = Claim::Nothing)],
            Some("a1"),
            ("", "only_one_passes"),
        ),
        case(
            "equal to the last: the faster one",
            vec![one("a1", |a| a.milliseconds = 9_000), one("a2", same)],
            Some("a2"),
            ("", "equal_faster"),
        ),
        case(
            "the same files: the first one",
            vec![one("a1", |a| a.tree = Some("t".to_owned())), one("a2", |a| a.tree = Some("t".to_owned()))],
            Some("a1"),
            ("", "equal_result"),
        ),
        case(
            "a cost that nobody knows is not free",
            vec![one("a1", |a| a.dollars = None), one("a2", |a| a.dollars = Some(3.0))],
            Some("a2"),
            ("", "equal_cheaper"),
        ),
        case(
            "a budget that ran out is no end",
            vec![one("a1", |a| a.ended = "budget".to_owned()), one("a2", fails)],
            None,
            ("a1", "not_ended"),
        ),
        case(
            "a word of a newer vib is no pass",
            vec![one("a1", |a| a.checks = vec![check("test", "sublime")])],
            None,
            ("a1", "check_no_answer"),
        ),
    ]
}

#[test]
fn every_case_is_judged_as_it_is_labelled() {
    let cases: Vec<Case> = from_the_issue().into_iter().chain(from_the_code()).collect();
    assert!(cases.len() >= 25);
    for case in &cases {
        let out = judge(&case.attempts);
        assert_eq!(out.recommended.as_deref(), case.wins, "{}: {out:?}", case.name);
        assert_eq!(out.rows.len(), case.attempts.len(), "{}", case.name);
        let (whose, code) = case.because;
        let reasons = match whose {
            "" => &out.reasons,
            id => &out.rows.iter().find(|row| row.attempt == id).expect("a row").reasons,
        };
        assert!(reasons.iter().any(|reason| reason.code() == code), "{}: no `{code}` in {out:?}", case.name);
    }
}

/// Who wins does not depend on the order in which they are named, unless they are equal to the last.
#[test]
fn the_order_does_not_matter() {
    for case in from_the_issue().into_iter().chain(from_the_code()) {
        if case.because.1 == "equal_result" {
            continue;
        }
        let mut turned = case.attempts.clone();
        turned.reverse();
        assert_eq!(judge(&turned).recommended.as_deref(), case.wins, "{} turned round", case.name);
    }
}

fn any_facts() -> impl proptest::strategy::Strategy<Value = AttemptFacts> {
    use proptest::prelude::*;
    let words = prop::sample::select(vec![
        "passed",
        "failed",
        "still_fails",
        "flaky",
        "timed_out",
        "not_run",
        "other",
    ]);
    let ended = prop::sample::select(vec!["done", "done", "done", "limit", "crashed"]);
    let claim = prop::sample::select(vec![Claim::Done, Claim::Nothing, Claim::Unfinished]);
    let odd = (0_usize..4, 0_usize..4, 0_usize..4, any::<bool>());
    let cost = (0_u64..6, prop::option::of(0_u32..4), 0_u64..4, 0_usize..3);
    (prop::collection::vec(words, 0..4), ended, claim, odd, cost).prop_map(
        |(checks, ended, claim, (weak, found, outside, stop), (added, dollars, milliseconds, files))| {
            AttemptFacts {
                checks: checks.into_iter().map(|status| check(status, status)).collect(),
                ended: ended.to_owned(),
                claim,
                weakened: vec!["test".to_owned(); weak / 3],
                findings: vec![Finding { code: "rule".to_owned(), stop: stop && found == 2 }; found / 2],
                outside: vec!["file".to_owned(); outside / 2],
                added,
                dollars: dollars.map(f64::from),
                milliseconds,
                files,
                tree: None,
                ..good("a")
            }
        },
    )
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 2_000, ..Default::default() })]

    /// Whoever wins is whole: ended, proven, no test weaker, nothing broken. And who is named first does not matter.
    #[test]
    fn nobody_wins_who_may_not(facts in proptest::collection::vec(any_facts(), 0..5), turn in 0_usize..5) {
        let mut facts = facts;
        for (at, one) in facts.iter_mut().enumerate() {
            one.attempt = format!("a{at}");
        }
        let out = judge(&facts);
        if let Some(best) = &out.recommended {
            let best = facts.iter().find(|one| one.attempt == *best).expect("one of them");
            let has = |status: &str| best.checks.iter().any(|check| check.status == status);
            proptest::prop_assert!(best.ended == "done" && best.weakened.is_empty() && best.files > 0);
            proptest::prop_assert!(best.claim != Claim::Unfinished && !best.findings.iter().any(|one| one.stop));
            proptest::prop_assert!(has("passed") && !has("failed") && !has("timed_out") && !has("other"));
        } else {
            proptest::prop_assert!(out.rows.iter().all(|row| !row.passes));
        }
        let mut turned = facts.clone();
        let by = turn.min(turned.len());
        turned.rotate_left(by);
        let other = judge(&turned);
        let of = |name: &Option<String>| facts.iter().find(|one| Some(&one.attempt) == name.as_ref()).cloned();
        let plain = |facts: Option<AttemptFacts>| facts.map(|mut facts| {
            facts.attempt.clear();
            (facts.added, facts.dollars.map(f64::to_bits), facts.milliseconds, facts.outside.len(), facts.findings.len(), facts.claim)
        });
        proptest::prop_assert_eq!(plain(of(&out.recommended)), plain(of(&other.recommended)));
    }
}
