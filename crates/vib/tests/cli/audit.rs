//! `vib audit`

use insta::assert_snapshot;
use testkit::Sandbox;

use super::shop;

/// A project in which something was undone.
fn undone() -> Sandbox {
    let shop = shop();
    shop.checkpoint("good");
    shop.write("README.md", "broken\n");
    shop.vib(&["undo", "--yes"]).ok();
    shop
}

fn log(shop: &Sandbox) -> std::path::PathBuf {
    shop.store().join("memory_audit.jsonl")
}

#[test]
fn an_undo_is_recorded_with_its_safety_checkpoint_and_nothing_else() {
    let shop = undone();
    let data = shop.data(&["history", "--checkpoints", "--all"]);
    let mut all =
        data["groups"].as_array().unwrap().iter().flat_map(|group| group["checkpoints"].as_array().unwrap());
    let safety = all.find(|one| one["kind"] == "safety").unwrap()["id"].as_str().unwrap().to_owned();
    let text = shop.vib(&["audit", "show"]).text(&shop).replace(&safety, "[safety]");
    assert_snapshot!(text, @r###"
         1  2026-01-01T12:01:07Z  recovery_apply success  cli  confirmed via flag, safety checkpoint [safety], 1 path
    1 row in the log.
    "###);
    let line = std::fs::read_to_string(log(&shop)).unwrap();
    assert!(!line.contains("README") && !line.contains(shop.base().to_str().unwrap()), "{line}");
    let rows = shop.data(&["audit", "show"]);
    assert_eq!(rows["rows"][0]["confirmed_via"], "flag");
    assert_eq!(rows["rows"][0]["sandwich_checkpoint_id"], safety);
}

#[test]
fn an_empty_log_proves_nothing() {
    let shop = shop();
    assert_snapshot!(shop.vib(&["audit", "show"]).text(&shop), @r###"
    The audit log is empty: nothing was recovered, exported or read yet.
    "###);
    assert_snapshot!(shop.vib(&["audit", "slo"]).text(&shop), @r###"
    0 rows from 2025-12-02T12:01:00Z to 2026-01-01T12:01:00Z
      needs review  sandwich_enforcement       never happened, 0 samples
      needs review  memory_as_instruction      never happened, 0 samples
      needs review  unredacted_mcp_leak        never happened, 0 samples
      needs review  drift_on_confirmed_intent  never happened, 0 samples
      needs review  stale_intent_as_current    never happened, 0 samples
    Not proven: some rules have no evidence, or not enough, in this window.
    next: use what they are about, or choose a longer window with `--days`
    --- exit 1
    "###);
    assert_snapshot!(shop.vib(&["audit", "metrics"]).text(&shop), @r###"
    From 2025-12-02T12:02:00Z to 2026-01-01T12:02:00Z
      no verdict  recovery_quality          recoveries that needed no full rollback (levels 0 to 2): nothing to measure yet (target: 50 % or more)
      no verdict  handoff_speed             median time from a hand-off to the next AI's first change: nothing to measure yet (target: under 5 minutes)
      no verdict  trigger_usefulness        suggestions accepted or dismissed, of the last 7 days: nothing to measure yet (target: 70 % or more, from 15 suggestions on)
      no verdict  zone_accuracy             drift candidates that a person confirmed: nothing to measure yet (target: 80 % or more; below, labelling switches itself off)
      no verdict  mcp_adoption              other tools that read memory or asked for a recovery preview: nothing to measure yet (target: 2 or more)
      no verdict  finished_with_open_gates  turns that an agent called done while something was open: nothing to measure yet (target: none)
      no verdict  blocks_that_led_to_a_fix  turns that were not let end, after which it was put right: nothing to measure yet (target: 50 % or more)
      no verdict  blocks_overridden         turns that were not let end, and the person said that it is fine as it is: nothing to measure yet (target: under 20 %; above, the gates are too strict)
    These figures never leave this machine.
    "###);
}

#[test]
fn a_damaged_log_rejects_the_window_and_says_where() {
    let shop = undone();
    shop.vib(&["redo", "--yes"]).ok();
    shop.vib(&["undo", "--yes"]).ok();
    let text = std::fs::read_to_string(log(&shop)).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    std::fs::write(log(&shop), format!("{}\n{}\n", lines[0], lines[2])).unwrap();
    assert_snapshot!(shop.vib(&["audit", "slo"]).text(&shop), @r###"
    2 rows from 2025-12-02T12:04:00Z to 2026-01-01T12:04:00Z
      rejected      sandwich_enforcement       never happened, 2 samples
      rejected      memory_as_instruction      never happened, 2 samples
      rejected      unredacted_mcp_leak        never happened, 0 samples
      rejected      drift_on_confirmed_intent  never happened, 0 samples
      rejected      stale_intent_as_current    never happened, 0 samples
    warning: the log is not whole:
      row 2 is missing before line 2
    Rejected: rows are missing or damaged, so this window proves nothing.
    next: find out what changed the log; a window that begins after the damage can be proven again
    --- exit 1
    "###);
    let show = shop.vib(&["audit", "show", "--json"]);
    assert_eq!(show.code, 1);
    assert_eq!(show.json()["data"]["damage"][0]["damage"], "gap");
}

#[test]
fn a_restore_without_its_checkpoint_fails_the_window() {
    let shop = undone();
    let text = std::fs::read_to_string(log(&shop)).unwrap();
    let at = text.find("\"sandwich_checkpoint_id\":\"").unwrap();
    let end = at + 26 + text[at + 26..].find('"').unwrap() + 1;
    std::fs::write(log(&shop), format!("{}\"sandwich_checkpoint_id\":null{}", &text[..at], &text[end..]))
        .unwrap();
    assert_snapshot!(shop.vib(&["audit", "slo"]).text(&shop), @r###"
    1 row from 2025-12-02T12:02:00Z to 2026-01-01T12:02:00Z
      FAIL          sandwich_enforcement       happened once, 1 sample
                    files were restored without a safety checkpoint
      pass          memory_as_instruction      never happened, 1 sample
      needs review  unredacted_mcp_leak        never happened, 0 samples
      needs review  drift_on_confirmed_intent  never happened, 0 samples
      needs review  stale_intent_as_current    never happened, 0 samples
    A rule was broken in this window.
    next: stop and find out why before anything is released; `vib audit show -n 0` lists the rows
    --- exit 1
    "###);
    let slo = shop.vib(&["audit", "slo", "--json"]).json();
    assert_eq!(slo["data"]["slos"][0]["result"], "fail");
    assert_eq!(slo["data"]["slos"][0]["occurrences"], 1);
}

#[test]
fn a_log_that_cannot_be_written_is_said_and_the_undo_is_done() {
    let shop = shop();
    shop.checkpoint("good");
    shop.write("README.md", "broken\n");
    std::fs::create_dir(log(&shop)).unwrap();
    let output = shop.vib(&["undo", "--yes"]).ok();
    assert!(output.stdout.contains("the audit log could not be written"), "{}", output.stdout);
    assert_eq!(shop.read("README.md"), "# Shop\n");
}
