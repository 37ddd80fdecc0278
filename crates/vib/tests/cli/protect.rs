//! `vib protect` (GD5)

use insta::assert_snapshot;
use serde_json::json;
use testkit::Sandbox;

use super::shop;

/// What the hook of Claude Code answers before an edit.
fn edit(sandbox: &Sandbox, path: &str) -> String {
    let payload = json!({
        "session_id": "s-1", "cwd": sandbox.root(), "hook_event_name": "PreToolUse", "tool_name": "Write",
        "tool_input": {"file_path": sandbox.root().join(path), "content": "new"}, "tool_use_id": "c-1",
    });
    Sandbox::run_with_input(&mut sandbox.command(&["hook", "claude-code"]), &payload.to_string()).ok().stdout
}

#[test]
fn protected_files_are_out_of_reach_of_agents() {
    let shop = shop();
    assert_snapshot!(shop.vib(&["protect"]).text(&shop), @r###"
    No file is protected. `vib protect FILE` protects one.
    "###);
    assert!(!edit(&shop, "src/login.js").contains("deny"));
    assert_snapshot!(shop.vib(&["protect", "src/login.js", "README.md"]).text(&shop), @r###"
    protected: src/login.js
    protected: README.md
    Agents may not edit it with their tools, and `vib guard` names every change.
    "###);
    assert_snapshot!(shop.vib(&["protect", "--list"]).text(&shop), @r###"
    README.md
    src/login.js
    "###);
    let answer = edit(&shop, "src/login.js");
    assert!(answer.contains("deny") && answer.contains("is protected"), "{answer}");
    assert!(edit(&shop, "src/../src/login.js").contains("deny"));
    assert!(!edit(&shop, "src/cart.js").contains("deny"));
    assert_snapshot!(shop.vib(&["protect", "--remove", "src/login.js"]).text(&shop), @r###"
    no longer protected: src/login.js
    "###);
    assert!(!edit(&shop, "src/login.js").contains("deny"));
}

#[test]
fn a_folder_protects_what_is_in_it_and_a_link_does_not_help() {
    let shop = shop();
    shop.vib(&["protect", "src"]).ok();
    assert!(edit(&shop, "src/new/deep.js").contains("deny"));
    std::os::unix::fs::symlink(shop.root().join("src/cart.js"), shop.root().join("innocent.js")).unwrap();
    assert!(edit(&shop, "innocent.js").contains("deny"));
}

#[test]
fn an_agent_may_not_lift_the_protection() {
    let shop = shop();
    shop.vib(&["protect", "README.md"]).ok();
    let judged = shop.vib(&["judge", "--json", "vib protect --remove README.md"]).json();
    assert_eq!(judged["data"]["decision"], "deny", "{judged}");
    let judged = shop.vib(&["judge", "--json", "vib protect src/cart.js"]).json();
    assert_ne!(judged["data"]["decision"], "deny", "{judged}");
}

#[test]
fn mistakes_are_answered() {
    let shop = shop();
    assert_eq!(shop.error(&["protect", "no/such.js"])["code"], "no_such_file");
    assert_eq!(shop.error(&["protect", "--remove", "README.md"])["code"], "not_protected");
    assert_eq!(shop.error(&["protect", "."])["code"], "usage");
    shop.vib(&["protect", "README.md"]).ok();
    shop.remove("README.md");
    assert_eq!(shop.data(&["protect", "--list"])["missing"][0], "README.md");
}

#[test]
fn a_damaged_list_lets_nothing_through_unasked() {
    let shop = shop();
    shop.vib(&["protect", "README.md"]).ok();
    std::fs::write(shop.store().join("protected.json"), "{").unwrap();
    let answer = edit(&shop, "src/cart.js");
    assert!(answer.contains("ask"), "{answer}");
    assert_eq!(shop.error(&["protect", "--list"])["code"], "protected_unreadable");
}
