//! `vib memory import|export|review` (MM6, MM14)

use insta::assert_snapshot;
use serde_json::json;
use testkit::Sandbox;

#[cfg(unix)]
use super::mcp::on_a_terminal;
use super::shop;
use super::verify::log;

#[test]
fn an_export_can_be_imported_elsewhere_and_twice_is_once() {
    let (one, other) = (shop(), shop());
    one.vib(&["memory", "intent", "make the login safe"]).ok();
    one.vib(&["memory", "decide", "no new dependencies"]).ok();
    let text = one.vib(&["memory", "export"]).ok().stdout;
    assert_eq!(text.lines().count(), 2);
    other.write("events.txt", &text);
    assert_snapshot!(other.vib(&["memory", "import", "--jsonl", "events.txt"]).text(&other), @"Imported 2 of 2 facts; 0 were known before.");
    assert_snapshot!(other.vib(&["memory", "import", "--jsonl", "events.txt"]).text(&other), @"Imported 0 of 2 facts; 2 were known before.");
    assert_eq!(other.data(&["memory"])["memory"]["decisions"][0]["text"], "no new dependencies");
    other.vib(&["memory", "export", "--raw", "raw.jsonl"]).ok();
    assert_eq!(other.read("raw.jsonl").lines().count(), 2);
    assert_eq!(other.error(&["memory", "export", "--raw", "raw.jsonl"])["code"], "usage");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(other.root().join("raw.jsonl")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[test]
fn what_is_imported_is_found_again_by_the_id_it_had() {
    let shop = shop();
    let line =
        |id: &str, text: &str| json!({"id": id, "text": text, "session": "s1", "time_ms": 5}).to_string();
    let secret = "ghp_7Kq2vX9mTz4LpB8wRn3YcJ6sHd1GfA5uEoZe";
    let lines = [
        line("D1:3", "oolong is sold out"),
        line("D1:4", "Yes"),
        line("D1:5", "Yes"),
        line(secret, "black tea"),
    ];
    shop.write("in.jsonl", lines.join("\n"));
    assert_eq!(shop.data(&["memory", "import", "--jsonl", "in.jsonl"])["added"], 4, "two may say the same");
    let found = shop.data(&["memory", "recall", "oolong"]);
    assert_eq!((&found["found"][0]["ref"], &found["found"][0]["session"]), (&json!("D1:3"), &json!("s1")));
    let other = shop.data(&["memory", "recall", "black tea"])["found"][0]["ref"].clone();
    assert!(other.is_string() && !other.to_string().contains(secret), "{other}");
}

#[test]
fn a_broken_file_is_named_with_its_line_and_nothing_is_taken_from_it() {
    let shop = shop();
    let good = r#"{"text": "the cart is slow", "paths": ["src/cart.js"], "time_ms": 5}"#;
    for (bad, line, word) in [
        (format!("{good}\n{{\"text\": \"cut o"), 2, "cut off"),
        (format!("{good}\n\n[1, 2]\n"), 3, "no JSON object"),
        (format!("{{\"kind\": \"x\"}}\n{good}\n"), 1, "neither an event nor a `text`"),
        (format!("{good}\n{{\"text\": \"{}\"}}\n", "x".repeat(1 << 20)), 2, "longer than a megabyte"),
    ] {
        shop.write("in.jsonl", &bad);
        let error = shop.error(&["memory", "import", "--jsonl", "in.jsonl"]);
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(&format!("in.jsonl:{line}`")) && message.contains(word), "{message}");
    }
    assert!(log(&shop).is_empty());
    assert_eq!(shop.error(&["memory", "import", "--jsonl", "missing"])["code"], "bad_import");
    shop.write("in.jsonl", format!("{good}\n"));
    assert_eq!(shop.data(&["memory", "import", "--jsonl", "in.jsonl"])["added"], 1);
    assert!(log(&shop).is_empty(), "no hook has to read it");
    let event: serde_json::Value =
        serde_json::from_str(&shop.vib(&["memory", "export"]).ok().stdout).unwrap();
    assert_eq!(
        (&event["provenance"], &event["kind"], &event["body"]["paths"][0]),
        (&json!("imported"), &json!("note"), &json!("src/cart.js"))
    );
}

#[test]
fn both_generations_of_a_work_memory_are_taken_over_mm14() {
    let shop = shop();
    let first = json!({
        "decisions": ["use sqlite", {"decision": "one log", "reason": "two writers lost facts"}],
        "relevant_files": ["src/cart.js", {"path": "../outside"}],
        "verification": [{"command": "pytest", "result": "passed", "timestamp": "2025-12-01T10:00:00Z"}],
        "recent_events": [{"type": "watch"}],
    });
    shop.write("old.json", first.to_string());
    assert_snapshot!(shop.vib(&["memory", "import", "--work-memory", "old.json"]).text(&shop), @r"
    Imported 4 of 4 facts; 0 were known before.
    note: not understood, left out: relevant_files[1]
    ");
    let second = json!({
        "schema_version": 2,
        "active_intent": {"text": "ship the beta", "last_updated": "2026-01-01T11:59:00Z", "updated_by": "cursor", "source": "explicit"},
        "next_action": {"value": "write the notes", "last_updated": 1_767_268_700, "updated_by": "cli"},
        "relevant_files": [{"path": "src/login.js", "note": "the bug", "source": "explicit", "last_updated": 1_767_268_700_000_i64}],
    });
    shop.write("new.json", second.to_string());
    assert_eq!(shop.data(&["memory", "import", "--work-memory", "new.json"])["added"], 3);
    assert_eq!(shop.data(&["memory", "import", "--work-memory", "new.json"])["added"], 0);
    assert_eq!(shop.data(&["memory", "import", "--work-memory", "old.json"])["added"], 0);
    let memory = &shop.data(&["memory"])["memory"];
    assert_eq!(
        (&memory["active_intent"]["text"], &memory["active_intent"]["updated_by"]),
        (&json!("ship the beta"), &json!("cursor"))
    );
    assert_eq!(memory["next_action"]["text"], "write the notes");
    assert_eq!(memory["decisions"][1]["text"], "one log (because two writers lost facts)");
    assert_eq!(memory["verification"][0]["result"], "passed");
    for (text, word) in
        [("[]", "no JSON object"), ("{\"a\": 1}", "none of decisions"), ("{\"decisions\": [", "EOF")]
    {
        shop.write("bad.json", text);
        let message = shop.error(&["memory", "import", "--work-memory", "bad.json"])["message"].to_string();
        assert!(message.contains(word), "{message}");
    }
}

#[test]
fn notes_are_context_and_never_decisions_mm14() {
    let shop = shop();
    shop.write("CLAUDE.md", "# Rules\nUse tabs.\n# Decisions\nWe decided to rewrite everything.\n");
    let key = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    shop.write("AGENTS.md", format!("token {key}\n"));
    let report = shop.data(&["memory", "import", "--notes"]);
    assert_eq!((&report["added"], &report["redacted"]), (&json!(3), &json!(true)));
    assert_eq!(shop.data(&["memory", "import", "--notes", "CLAUDE.md"])["added"], 0);
    let memory = &shop.data(&["memory"])["memory"];
    assert!(memory["decisions"].as_array().unwrap().is_empty());
    assert_eq!(memory["recent_events"].as_array().unwrap().len(), 3);
    assert!(
        log(&shop).iter().all(|event| event["provenance"] == "imported")
            && !format!("{:?}", log(&shop)).contains(&key)
    );
}

#[test]
fn review_proposes_records_and_takes_back_mm6() {
    let shop = shop();
    shop.vib(&["memory", "verify", "npm test", "--result", "failed", "--file", "src/cart.js"]).ok();
    let decided = shop.data(&["memory", "decide", "use tabs"]);
    let review = shop.data(&["memory", "review"]);
    assert_eq!(review["proposed_next"]["text"], "make `npm test` pass");
    assert!(review["memory"]["next_action"].is_null(), "a proposal is not recorded");
    let id = decided["id"].as_str().unwrap();
    let review = shop.data(&[
        "memory",
        "review",
        "--intent",
        "safe login",
        "--next",
        "fix the test",
        "--confirm-relevant",
        "src/cart.js",
        "--drop",
        id,
    ]);
    assert_eq!(review["recorded"].as_array().unwrap().len(), 4);
    assert_eq!(
        (&review["memory"]["active_intent"]["text"], &review["memory"]["decisions"]),
        (&json!("safe login"), &json!([]))
    );
    shop.set_clock(1_767_268_800_000 + 30 * 3_600_000);
    assert_eq!(shop.data(&["memory", "review"])["memory"]["active_intent"]["stale"], true);
    let review = shop.data(&["memory", "review", "--keep-intent"]);
    assert_eq!(review["memory"]["active_intent"]["stale"], false);
    assert_eq!(
        review["memory"]["relevant_files"][0]["from_previous_intent"], false,
        "the same goal again is no new goal"
    );
    shop.vib(&["memory", "review", "--drop-relevant", "src/cart.js", "--drop-next", "--drop-intent"]).ok();
    let memory = &shop.data(&["memory"])["memory"];
    assert!(
        memory["active_intent"].is_null()
            && memory["next_action"].is_null()
            && memory["relevant_files"] == json!([])
    );
}

#[test]
fn who_takes_the_memory_out_stands_in_the_audit_log_and_who_looks_does_not() {
    let shop = shop();
    let secret = redact::template::expand("ghp_<an:36>", 1);
    shop.vib(&["memory", "decide", "no new dependencies"]).ok();
    let rows = |shop: &Sandbox| -> Vec<(String, bool)> {
        let data = shop.data(&["audit", "show"]);
        let rows = data["rows"].as_array().unwrap().iter();
        rows.map(|row| (row["event"].as_str().unwrap().to_owned(), row["redaction"].is_object())).collect()
    };
    assert_eq!(rows(&shop), [("memory_write".to_owned(), true)]);
    shop.vib(&["memory"]).ok();
    shop.data(&["memory", "show"]);
    shop.vib(&["memory", "export", "--raw", "../all.jsonl"]).ok();
    let all = rows(&shop);
    assert_eq!(all.len(), 2, "{all:?}");
    assert_eq!(all[1], ("memory_raw_export".to_owned(), false), "{all:?}");
    let slo = shop.vib(&["audit", "slo", "--json"]).json();
    let leak =
        slo["data"]["slos"].as_array().unwrap().iter().find(|one| one["slo_id"] == "unredacted_mcp_leak");
    assert_eq!(leak.unwrap()["result"], "needs_review", "nothing left through the gate yet: {slo}");
    // What a foreign hand put into the log is not shown.
    let log = shop.store().join("memory/project.jsonl");
    let text =
        std::fs::read_to_string(&log).unwrap().replace("no new dependencies", &format!("token {secret}"));
    std::fs::write(&log, text).unwrap();
    for words in [&["memory"][..], &["memory", "show", "--json"]] {
        let shown = shop.vib(words).ok().stdout;
        assert!(!shown.contains(&secret) && shown.contains("token"), "{shown}");
    }
}

/// A person goes through the review at a terminal: what they type counts, Enter leaves things as they are.
#[cfg(unix)]
#[test]
fn a_review_at_a_terminal_asks_one_thing_after_the_other_mm6() {
    let shop = shop();
    shop.vib(&["memory", "intent", "make the login safe"]).ok();
    shop.vib(&["memory", "relevant", "src/login.js", "--note", "the check is here"]).ok();
    shop.set_clock(1_767_268_800_000 + 25 * 3_600_000);
    let (seen, ok) = on_a_terminal(&shop, &["memory", "review"], "n\nsell oolong too\nwrite a test\n");
    assert!(ok, "{seen}");
    for words in [
        "stale: is this still so?",
        "Is this still the goal? “make the login safe”",
        "What is the goal now?",
        "What is the next step?",
        "Recorded: 2 changes.",
    ] {
        assert!(seen.contains(words), "`{words}` is not in: {seen}");
    }
    let memory = shop.data(&["memory"])["memory"].clone();
    assert_eq!(memory["active_intent"]["text"], "sell oolong too");
    assert_eq!(
        (&memory["active_intent"]["source"], &memory["next_action"]["text"]),
        (&json!("explicit"), &json!("write a test"))
    );
    // Now the file belongs to the goal before: the person is asked, and says yes.
    let (seen, ok) = on_a_terminal(&shop, &["memory", "review"], "y\n");
    assert!(ok && seen.contains("Does `src/login.js` matter for the goal of now too?"), "{seen}");
    let files = shop.data(&["memory"])["memory"]["relevant_files"].clone();
    assert_eq!(
        (&files[0]["from_previous_intent"], &files[0]["note"]),
        (&json!(false), &json!("the check is here"))
    );
    // Nothing is left to ask about.
    let (seen, ok) = on_a_terminal(&shop, &["memory", "review"], "");
    assert!(ok && seen.contains("Nothing was changed."), "{seen}");
    // Enter everywhere, after a day: everything stays as it is.
    shop.set_clock(1_767_268_800_000 + 60 * 3_600_000);
    let before = shop.data(&["memory"])["memory"]["active_intent"].clone();
    let (seen, ok) = on_a_terminal(&shop, &["memory", "review"], "\n\n\n\n");
    assert!(
        ok && seen.contains("Is this still the goal?") && seen.contains("Nothing was changed."),
        "{seen}"
    );
    assert_eq!(shop.data(&["memory"])["memory"]["active_intent"]["last_updated"], before["last_updated"]);
}
