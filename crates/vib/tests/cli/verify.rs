//! `vib verify`, and what hooks see of checks and edits (MM2, MM3)

use insta::assert_snapshot;
use serde_json::{Value, json};
use testkit::Sandbox;

use super::shop;

/// Sends one payload of Claude Code to the hook.
pub(crate) fn hook(shop: &Sandbox, session: &str, event: &str, more: &Value) -> Value {
    let mut payload = json!({"session_id": session, "cwd": shop.root(), "hook_event_name": event});
    for (name, value) in more.as_object().unwrap() {
        payload[name] = value.clone();
    }
    let output =
        Sandbox::run_with_input(&mut shop.command(&["hook", "claude-code"]), &payload.to_string()).ok();
    serde_json::from_str(&output.stdout).unwrap_or(Value::Null)
}

/// An edit as the hook sees it, before and after.
pub(crate) fn edit(shop: &Sandbox, session: &str, path: &str, text: &str) -> Value {
    let input = json!({"file_path": shop.root().join(path), "content": text});
    hook(shop, session, "PreToolUse", &json!({"tool_name": "Write", "tool_input": input}));
    shop.write(path, text);
    let result = json!({"type": "update", "filePath": shop.root().join(path)});
    hook(
        shop,
        session,
        "PostToolUse",
        &json!({"tool_name": "Write", "tool_input": input, "tool_response": result}),
    )
}

pub(crate) fn shell(shop: &Sandbox, session: &str, command: &str, fails: bool) {
    let input = json!({"command": command});
    let (event, result) = if fails {
        ("PostToolUseFailure", json!({"tool_name": "Bash", "tool_input": input, "error": "Exit code 1"}))
    } else {
        let response = json!({"stdout": "fine", "stderr": "", "interrupted": false});
        ("PostToolUse", json!({"tool_name": "Bash", "tool_input": input, "tool_response": response}))
    };
    hook(shop, session, event, &result);
}

pub(crate) fn log(shop: &Sandbox) -> Vec<Value> {
    let text = std::fs::read_to_string(shop.store().join("memory/project.jsonl")).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn runs_the_check_and_remembers_it_with_its_files() {
    let shop = shop();
    let output = shop.vib(&["verify", "--scope", "src/cart.js", "--", "sh", "-c", "echo tested"]).ok();
    assert_snapshot!(output.text(&shop), @r###"
    tested
    Remembered: `sh -c 'echo tested'` passed; it counts until one of 1 file changes.
    "###);
    let check = &shop.data(&["memory", "show"])["memory"]["verification"][0];
    assert_eq!(
        (&check["result"], &check["source"], &check["stale"]),
        (&json!("passed"), &json!("explicit"), &Value::Null)
    );
    assert!(check["duration_ms"].is_u64() && check["scope"][0]["path"] == "src/cart.js", "{check}");
    shop.write("src/login.js", "not in the scope\n");
    assert_eq!(shop.data(&["memory", "show"])["memory"]["verification"][0]["stale"], Value::Null);
    shop.write("src/cart.js", "changed\n");
    let data = shop.data(&["memory", "show"]);
    assert_eq!(data["memory"]["verification"][0]["stale"], "`src/cart.js` has changed since");
    shop.write("src/cart.js", "let total = 0;\nlet count = 0;\n");
    assert_eq!(
        shop.data(&["memory", "show"])["memory"]["verification"][0]["stale"],
        Value::Null,
        "content, not time"
    );
}

#[test]
fn ends_with_the_code_of_the_command_and_keeps_json_clean() {
    let shop = shop();
    assert_eq!(shop.vib(&["verify", "--", "sh", "-c", "exit 7"]).code, 7);
    let output = shop.vib(&["verify", "--json", "--", "sh", "-c", "echo noise; exit 3"]);
    assert_eq!(output.code, 3);
    let answer = output.json();
    assert_eq!((&answer["data"]["result"], &answer["data"]["exit"]), (&json!("failed"), &json!(3)));
    assert!(output.stderr.contains("noise"));
    let missing = shop.vib(&["verify", "--", "no-such-program-here"]);
    assert_eq!(missing.code, 127);
    assert!(missing.stdout.contains("could not be started"), "{}", missing.stdout);
    assert_eq!(shop.data(&["memory", "show"])["memory"]["verification"][2]["result"], "skipped");
    assert_eq!(shop.vib(&["verify", "--scope", "src"]).code, 2, "a scope is that of a command");
}

#[test]
fn what_was_edited_since_the_last_pass_is_its_scope() {
    let shop = shop();
    shop.vib(&["checkpoint"]).ok();
    edit(&shop, "s1", "src/cart.js", "let total = 1;\n");
    let data = shop.vib(&["verify", "--json", "--", "true"]).ok().json()["data"].clone();
    assert_eq!(data["scope"], json!(["src/cart.js"]));
    let key = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let data =
        shop.vib(&["verify", "--json", "--", "sh", "-c", &format!("true {key}")]).ok().json()["data"].clone();
    assert!(data["redacted"] == true && !data.to_string().contains(&key), "{data}");
}

#[test]
fn edits_are_noted_once_a_turn_and_looks_never() {
    let shop = shop();
    hook(&shop, "s1", "UserPromptSubmit", &json!({"prompt": "make the cart better"}));
    for text in ["one\n", "two\n", "three\n"] {
        edit(&shop, "s1", "src/cart.js", text);
    }
    let read = json!({"tool_name": "Read", "tool_input": {"file_path": shop.root().join("src/login.js")}, "tool_response": {}});
    hook(&shop, "s1", "PostToolUse", &read);
    assert_eq!(log(&shop).len(), 1, "{:?}", log(&shop));
    let event = &log(&shop)[0];
    let picked = json!([
        event["kind"],
        event["provenance"],
        event["agent"],
        event["task"],
        event["tool"],
        event["body"]["paths"],
        event["body"]["turn"]
    ]);
    assert_eq!(picked, json!(["edit", "observed", "claude-code", "s1", "Write", ["src/cart.js"], "1"]));
    assert!(event["body"]["files"][0]["hash"].is_string());
    hook(&shop, "s1", "UserPromptSubmit", &json!({"prompt": "and now the login"}));
    edit(&shop, "s1", "src/cart.js", "four\n");
    edit(&shop, "s1", "src/login.js", "five\n");
    assert_eq!(log(&shop).iter().filter(|event| event["kind"] == "edit").count(), 3);
}

#[test]
fn checks_commits_and_rollbacks_are_seen() {
    let shop = shop();
    shop.vib(&["checkpoint"]).ok();
    edit(&shop, "s1", "src/cart.js", "better\n");
    shell(&shop, "s1", "npm test", false);
    shell(&shop, "s1", "npm test | tail -5", false);
    shell(&shop, "s1", "cargo build", true);
    shell(&shop, "s1", "ls -la", false);
    let checks: Vec<Value> = log(&shop).into_iter().filter(|event| event["kind"] == "verification").collect();
    let results: Vec<&Value> = checks.iter().map(|event| &event["body"]["result"]).collect();
    assert_eq!(results, ["passed", "unknown", "failed"]);
    assert!(
        checks
            .iter()
            .all(|event| event["provenance"] == "observed" && event["body"]["paths"][0] == "src/cart.js")
    );

    // Git's own list of commits, as git writes it; the test's clock is in 2026.
    let line = format!(
        "{} {} Ana <a@b.org> 1767268800 +0000\tcommit: cart is better\n",
        "0".repeat(40),
        "1".repeat(40)
    );
    shop.write(".git/logs/HEAD", &line);
    shell(&shop, "s1", "git commit -m 'cart is better'", false);
    shell(&shop, "s1", "git commit -m 'nothing to commit'", false);
    let commits: Vec<Value> = log(&shop).into_iter().filter(|event| event["kind"] == "commit").collect();
    assert_eq!(commits.len(), 1, "{commits:?}");
    assert_eq!(
        (&commits[0]["body"]["text"], &commits[0]["body"]["paths"]),
        (&json!("cart is better"), &json!(["src/cart.js"]))
    );

    shop.vib(&["undo", "--yes"]).ok();
    let last = log(&shop).pop().unwrap();
    assert_eq!(
        (&last["kind"], &last["outcome"], &last["body"]["paths"]),
        (&json!("rollback"), &json!("rolled_back"), &json!(["src/cart.js"]))
    );
}

#[test]
fn minimal_mode_keeps_goal_next_step_and_checks_only() {
    let shop = shop();
    shop.vib(&["config", "set", "memory.minimal", "true"]).ok();
    edit(&shop, "s1", "src/cart.js", "better\n");
    shell(&shop, "s1", "npm test", false);
    shop.vib(&["memory", "intent", "a goal"]).ok();
    shop.vib(&["memory", "next", "a step"]).ok();
    assert_eq!(shop.error(&["memory", "decide", "no"])["code"], "memory_minimal");
    let kinds: Vec<String> =
        log(&shop).iter().map(|event| event["kind"].as_str().unwrap().to_owned()).collect();
    assert_eq!(kinds, ["verification", "intent", "next_action"]);
}

#[test]
fn commits_make_a_goal_stale_without_a_git_process() {
    let shop = shop();
    shop.vib(&["memory", "intent", "a goal"]).ok();
    let row =
        |at: u64| format!("{} {} Ana <a@b.org> {at} +0000\tcommit: x\n", "0".repeat(40), "1".repeat(40));
    shop.write(".git/logs/HEAD", (1..=4).map(|n| row(1_767_268_900 + n)).collect::<String>());
    assert_eq!(shop.data(&["memory"])["memory"]["active_intent"]["stale"], false);
    shop.write(".git/logs/HEAD", (1..=5).map(|n| row(1_767_268_900 + n)).collect::<String>());
    assert_eq!(shop.data(&["memory"])["memory"]["active_intent"]["stale"], true);
}
