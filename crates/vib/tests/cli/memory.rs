//! `vib memory` (MM2, MM3)

use insta::assert_snapshot;
use serde_json::json;
use testkit::Sandbox;

use super::shop;

#[test]
fn shows_what_was_said_and_marks_what_no_longer_holds() {
    let shop = shop();
    assert_snapshot!(shop.vib(&["memory"]).text(&shop), @r###"
    Nothing is remembered yet. `vib memory intent TEXT` says what you are working on.
    "###);
    shop.vib(&["memory", "intent", "make", "the", "login", "safe"]).ok();
    shop.vib(&["memory", "decide", "no new dependencies"]).ok();
    shop.vib(&["memory", "relevant", "src/login.js", "--note", "the check is here"]).ok();
    shop.vib(&["memory", "verify", "npm test", "--file", "src/login.js"]).ok();
    shop.vib(&["memory", "next", "write a test for the empty password"]).ok();
    assert_snapshot!(shop.vib(&["memory", "show"]).text(&shop), @r###"
    Goal
      make the login safe  (5 minutes ago, cli)
    Next
      write a test for the empty password  (1 minute ago, cli)
    Decided
      no new dependencies  (4 minutes ago, cli)
    Checked
      `npm test` passed  (2 minutes ago, cli)
    Files that matter
      src/login.js: the check is here
    "###);
    shop.write("src/login.js", "changed\n");
    let data = shop.data(&["memory", "show"]);
    assert_eq!(data["memory"]["verification"][0]["stale"], "`src/login.js` has changed since");
}

#[test]
fn secrets_are_not_remembered() {
    let shop = shop();
    let key = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let output = shop.vib(&["memory", "decide", &format!("use the token {key}")]).ok();
    assert!(output.stdout.contains("were taken out first"), "{}", output.stdout);
    let log = std::fs::read_to_string(shop.store().join("memory/project.jsonl")).unwrap();
    assert!(!log.contains(&key) && log.contains("[redacted:"), "{log}");
}

#[test]
fn nothing_and_paths_outside_are_refused() {
    let shop = shop();
    assert_eq!(shop.error(&["memory", "intent", "  "])["code"], "usage");
    assert_eq!(shop.vib(&["memory", "relevant", "../elsewhere"]).code, 1);
    assert_eq!(shop.data(&["memory", "show"])["events"], 0);
}

#[test]
fn a_torn_line_is_set_aside_and_a_foreign_one_is_named() {
    let shop = shop();
    shop.vib(&["memory", "intent", "one"]).ok();
    let log = shop.store().join("memory/project.jsonl");
    let text = std::fs::read_to_string(&log).unwrap();
    std::fs::write(&log, format!("nonsense\n{text}{{\"id\":\"cut o")).unwrap();
    let output = shop.vib(&["memory", "next", "two"]).ok();
    assert!(output.stdout.contains("was cut off by a crash"), "{}", output.stdout);
    let data = shop.data(&["memory", "show"]);
    assert_eq!((data["events"].as_u64(), &data["bad_lines"]), (Some(2), &json!([1])));
}

#[test]
fn the_next_agent_is_told_at_the_beginning_of_its_session_mm2() {
    let shop = shop();
    shop.vib(&["memory", "intent", "make the login safe"]).ok();
    shop.vib(&["memory", "decide", "no new dependencies"]).ok();
    let payload = json!({"session_id": "s", "cwd": shop.root(), "hook_event_name": "SessionStart", "source": "startup"});
    let output = Sandbox::run_with_input(&mut shop.command(&["hook", "gemini"]), &payload.to_string()).ok();
    let context = output.json()["hookSpecificOutput"]["additionalContext"].as_str().unwrap().to_owned();
    assert!(context.contains("Goal, as the person gave it: \"make the login safe\""), "{context}");
    assert!(context.contains("Decided by the person: \"no new dependencies\""), "{context}");
}
