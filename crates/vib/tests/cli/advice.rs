//! Advice is vib's own, never the agent's line (T7)

use serde_json::json;
use testkit::Sandbox;

use super::shop;

#[test]
fn an_agents_destructive_line_is_nowhere_given_back_t7() {
    let shop = shop();
    let send = |event: &str, mut fields: serde_json::Value| {
        fields["session_id"] = json!("s");
        fields["cwd"] = json!(shop.root());
        fields["hook_event_name"] = json!(event);
        Sandbox::run_with_input(&mut shop.command(&["hook", "claude-code"]), &fields.to_string()).stdout
    };
    let line = "git checkout . && npm test";
    send("SessionStart", json!({"source": "startup"}));
    send("UserPromptSubmit", json!({"prompt": "mend the cart"}));
    let input = json!({"file_path": shop.root().join("src/cart.js"), "content": "x"});
    send("PreToolUse", json!({"tool_name": "Write", "tool_input": input.clone(), "tool_use_id": "a"}));
    shop.write("src/cart.js", "x");
    send(
        "PostToolUse",
        json!({"tool_name": "Write", "tool_input": input, "tool_response": {"type": "update"}}),
    );
    let answer = json!({"stdout": "ok", "stderr": "", "interrupted": false});
    send(
        "PostToolUse",
        json!({"tool_name": "Bash", "tool_input": {"command": line}, "tool_response": answer}),
    );
    send("Stop", json!({"stop_hook_active": false}));
    let memory = shop.data(&["memory", "show"]);
    assert_eq!(memory["memory"]["verification"][0]["command"], "npm test", "{memory}");
    shop.write("src/cart.js", "y");
    let mut said = send("SessionStart", json!({"source": "startup"}));
    for command in [
        &["memory", "show"][..],
        &["memory", "review"],
        &["recover", "--explain"],
        &["transfer", "--handoff", "--json"],
        &["guard"],
        &["status"],
    ] {
        let output = shop.vib(command);
        said.push_str(&output.stdout);
        said.push_str(&output.stderr);
    }
    for handoff in ["SESSION_HANDOFF.md", "HANDOFF.md"] {
        said.push_str(&std::fs::read_to_string(shop.root().join(handoff)).unwrap_or_default());
    }
    assert!(said.contains("npm test"), "{said}");
    assert!(!said.contains("git checkout"), "{said}");
}
