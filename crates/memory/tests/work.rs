//! Work memory as a fold over the log. (MM2, MM3, MM5)

use proptest::prelude::*;
use vib_memory::log::{Event, Provenance, Scope};
use vib_memory::work::{
    CheckResult, FileMark, Now, WorkMemory, decision, fold, intent, next_action, relevant, verification,
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
    fold(events, &Now { time_ms, hash_of: &hash_of, commits_since: &|_| 0, conflict_window_ms: 60_000 })
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
    let never = |_: &str| None;
    let many = Now { time_ms: 1, hash_of: &never, commits_since: &|_| 5, conflict_window_ms: 0 };
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

proptest! {
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
