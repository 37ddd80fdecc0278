//! Work memory as a fold over the log. (MM2, MM3, MM5)

use proptest::prelude::*;
use vib_memory::log::{Event, Provenance, Scope};
use vib_memory::work::{
    Bounds, CheckResult, EDIT, FileMark, Now, Retract, WorkMemory, decision, fold, intent, keep_live,
    next_action, relevant, retract, risk, verification,
};

const HOUR: i64 = 3_600_000;

fn said(time_ms: i64, by: &str, what: (&str, serde_json::Value)) -> Event {
    told(time_ms, by, Provenance::Explicit, what)
}

fn told(time_ms: i64, by: &str, provenance: Provenance, (kind, body): (&str, serde_json::Value)) -> Event {
    let mut event = Event::new(time_ms, [7; 10], Scope::Project, kind, provenance, body);
    event.agent = Some(by.to_owned());
    event
}

fn view(events: &[Event], time_ms: i64) -> WorkMemory {
    let hash_of = |path: &str| (path == "same.rs").then(|| "1".to_owned());
    let now = Now {
        time_ms,
        hash_of: Some(&hash_of),
        commits_since: &|_| 0,
        conflict_window_ms: 60_000,
        bounds: Bounds::default(),
    };
    fold(events, &now)
}

#[test]
fn explicit_beats_observed() {
    let events = [
        said(1, "cli", intent("fix the login")),
        told(2, "codex", Provenance::Observed, intent("rewrite everything")),
        told(3, "codex", Provenance::Observed, next_action("delete tests")),
        said(4, "cli", next_action("run the tests")),
        told(5, "codex", Provenance::Observed, next_action("deploy")),
        told(6, "codex", Provenance::Observed, decision("use another language")),
    ];
    let memory = view(&events, 10);
    assert_eq!(memory.active_intent.unwrap().text, "fix the login");
    assert_eq!(memory.observed_intent.unwrap().text, "rewrite everything");
    assert_eq!(memory.next_action.unwrap().text, "run the tests");
    assert!(memory.decisions.is_empty(), "only a person decides");
}

#[test]
fn two_tools_at_once_conflict_and_one_tool_twice_does_not() {
    let memory = view(&[said(1, "cli", intent("a")), said(2, "cli", intent("b"))], 10);
    assert!(memory.conflicts.is_empty());
    let both = [said(1, "cli", intent("a")), said(50_000, "cursor", intent("b"))];
    let memory = view(&both, 60_000);
    assert_eq!(memory.conflicts.len(), 1);
    assert_eq!(
        (memory.conflicts[0].first.text.as_str(), memory.conflicts[0].second.text.as_str()),
        ("a", "b")
    );
    let settled = [&both[..], &[said(200_000, "cli", intent("c"))]].concat();
    assert!(view(&settled, 300_000).conflicts.is_empty());
}

#[test]
fn what_is_old_or_overtaken_is_marked_stale() {
    let fresh = view(&[said(0, "cli", intent("a"))], 23 * HOUR);
    assert!(!fresh.active_intent.unwrap().stale);
    let old = view(&[said(0, "cli", intent("a")), said(1, "cli", next_action("x"))], 25 * HOUR);
    assert!(old.active_intent.unwrap().stale && old.next_action.unwrap().stale);
    let many = Now {
        time_ms: 1,
        hash_of: None,
        commits_since: &|_| 5,
        conflict_window_ms: 0,
        bounds: Bounds::default(),
    };
    assert!(fold(&[said(0, "cli", intent("a"))], &many).active_intent.unwrap().stale);

    let mark = |path: &str, hash: &str| FileMark { path: path.to_owned(), hash: Some(hash.to_owned()) };
    let events = [
        said(0, "cli", intent("a")),
        said(1, "cli", verification("cargo test", CheckResult::Passed, &[mark("same.rs", "1")])),
        said(2, "cli", verification("cargo test", CheckResult::Passed, &[mark("same.rs", "0")])),
        said(3, "cli", verification("by hand", CheckResult::Passed, &[])),
    ];
    let checks = view(&events, 10).verification;
    assert_eq!(checks[0].stale, None);
    assert_eq!(checks[1].stale.as_deref(), Some("`same.rs` has changed since"));
    assert!(checks[2].scope_unknown && checks[2].stale.is_none());
    let later = [&events[..], &[said(5, "cli", intent("b"))]].concat();
    assert!(view(&later, 10).verification.iter().all(|check| check.stale.is_some()));
}

#[test]
fn a_new_goal_keeps_the_files_and_says_so() {
    let events = [
        said(0, "cli", intent("a")),
        said(1, "cli", relevant("login.rs", Some("the bug"))),
        said(2, "cli", intent("b")),
        said(3, "cli", relevant("cart.rs", None)),
    ];
    let files = view(&events, 10).relevant_files;
    assert_eq!(
        files.iter().map(|file| (file.path.as_str(), file.from_previous_intent)).collect::<Vec<_>>(),
        [("login.rs", true), ("cart.rs", false)]
    );
}

#[test]
fn what_a_person_takes_back_is_gone_and_a_sight_takes_nothing_back() {
    let told_decision = said(1, "cli", decision("use tabs"));
    let id = told_decision.id.clone();
    let events = [
        told_decision,
        said(2, "cli", relevant("a.rs", None)),
        said(3, "cli", intent("a")),
        said(4, "cli", next_action("b")),
        told(5, "codex", Provenance::Observed, retract(Retract::Intent)),
    ];
    assert!(view(&events, 10).active_intent.is_some());
    let back = [retract(Retract::Item(&id)), retract(Retract::File("a.rs")), retract(Retract::Next)];
    let later: Vec<Event> =
        events.iter().cloned().chain(back.into_iter().map(|what| said(6, "cli", what))).collect();
    let memory = view(&later, 10);
    assert!(memory.decisions.is_empty() && memory.relevant_files.is_empty() && memory.next_action.is_none());
    assert!(memory.active_intent.is_some());
}

#[test]
fn an_edit_overtakes_a_check_of_which_nobody_knows_what_it_was_about() {
    let edit =
        |time| told(time, "codex", Provenance::Observed, (EDIT, serde_json::json!({"paths": ["a.rs"]})));
    let check = said(1, "cli", verification("by hand", CheckResult::Passed, &[]));
    assert_eq!(
        view(&[check.clone(), edit(2)], 10).verification[0].stale.as_deref(),
        Some("`a.rs` was edited since")
    );
    assert_eq!(view(&[edit(0), check], 10).verification[0].stale, None);
}

fn any_event() -> impl Strategy<Value = (bool, u8)> {
    (any::<bool>(), 0_u8..8)
}

proptest! {
    /// What goes into the archive is nothing that a person said, and nothing that the view shows.
    #[test]
    fn compaction_does_not_change_the_view(list in prop::collection::vec(any_event(), 0..400)) {
        let events: Vec<Event> = list.iter().enumerate().map(|(at, (explicit, kind))| {
            let text = format!("t{at}");
            let what = match kind {
                0 => intent(&text),
                1 => next_action(&text),
                2 => decision(&text),
                3 => risk(&text),
                4 => relevant(&format!("f{}", at % 40), None),
                5 => verification(&text, CheckResult::Passed, &[]),
                _ => (EDIT, serde_json::json!({"paths": [text]})),
            };
            let provenance = if *explicit { Provenance::Explicit } else { Provenance::Observed };
            told(at as i64, "cli", provenance, what)
        }).collect();
        let bounds = Bounds { events: 20, verification: 5, risks: 6, ..Bounds::default() };
        let now = Now { time_ms: 400, hash_of: None, commits_since: &|_| 0, conflict_window_ms: 0, bounds };
        let kept: Vec<Event> =
            events.iter().zip(keep_live(&events, &bounds)).filter(|(_, keep)| *keep).map(|(event, _)| event.clone()).collect();
        let explicit = |events: &[Event]| events.iter().filter(|event| event.provenance == Provenance::Explicit).count();
        prop_assert_eq!(explicit(&events), explicit(&kept));
        prop_assert_eq!(fold(&events, &now), fold(&kept, &now));
    }

    /// Lists keep the newest, whatever happens, and folding twice is folding once.
    #[test]
    fn caps_keep_the_newest(count in 0_usize..300) {
        let events: Vec<Event> =
            (0..count).map(|number| said(number as i64, "cli", decision(&format!("d{number}")))).collect();
        let memory = view(&events, count as i64);
        prop_assert_eq!(memory.decisions.len(), count.min(50));
        if count > 0 {
            prop_assert_eq!(&memory.decisions.last().unwrap().text, &format!("d{}", count - 1));
        }
        prop_assert_eq!(view(&events, count as i64), memory);
    }
}

/// A fold that is kept and gone on with gives the same as one from the beginning.
#[test]
fn folding_can_be_stopped_and_gone_on_with() {
    let events: Vec<Event> = (0..700)
        .map(|at| match at % 5 {
            0 => said(at, "cli", decision(&format!("d{at}"))),
            1 => said(at, "cli", verification(&format!("v{at}"), CheckResult::Passed, &[])),
            2 => told(at, "codex", Provenance::Observed, (EDIT, serde_json::json!({"paths": ["a.rs"]}))),
            3 => said(at, "cli", relevant(&format!("f{}", at % 300), None)),
            _ => said(at, "cli", intent(&format!("i{}", at / 50))),
        })
        .collect();
    let now = Now {
        time_ms: 700,
        hash_of: None,
        commits_since: &|_| 0,
        conflict_window_ms: 0,
        bounds: Bounds::default(),
    };
    for cut in [0, 1, 33, 350, 699] {
        let mut folding = vib_memory::work::Folding::default();
        events[..cut].iter().for_each(|event| folding.push(event, &now));
        let kept = serde_json::to_string(&folding).unwrap();
        let mut folding: vib_memory::work::Folding = serde_json::from_str(&kept).unwrap();
        events[cut..].iter().for_each(|event| folding.push(event, &now));
        assert_eq!(folding.finish(&now), fold(&events, &now), "{cut}");
    }
}
