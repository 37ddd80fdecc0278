//! Nobody there means no (C1): the same command, in the payloads of every client and mode. What the clients do with an *ask* is
//! measured in `e2e/tests/clients/modes.rs`; the table is `hooks::attended`.

use serde_json::{Value, json};
use testkit::{Output, Sandbox};

use super::shop;

/// A command that a person should look at: no checkpoint covers it.
const COMMAND: &str = "git push --force origin main";

fn call(sandbox: &Sandbox, words: &[&str], payload: &Value, environment: &[(&str, &str)]) -> Output {
    let mut command = sandbox.command(words);
    command.envs(environment.iter().copied());
    Sandbox::run_with_input(&mut command, &payload.to_string()).ok()
}

fn claude(sandbox: &Sandbox, event: &str, mode: &str) -> Value {
    json!({
        "session_id": "s", "transcript_path": "/home/dev/t.jsonl", "cwd": sandbox.root(), "prompt_id": "p",
        "permission_mode": mode, "hook_event_name": event, "tool_name": "Bash", "tool_input": {"command": COMMAND},
        "tool_use_id": "toolu_1",
    })
}

/// Decision and reason.
fn decided(answer: &Value) -> (String, String) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    (text(&answer["permissionDecision"]), text(&answer["permissionDecisionReason"]))
}

const HEADLESS: &[(&str, &str)] =
    &[("CLAUDE_CODE_SESSION_ATTENDED", "0"), ("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")];
const TERMINAL: &[(&str, &str)] = &[("CLAUDE_CODE_SESSION_ATTENDED", "1"), ("CLAUDE_CODE_ENTRYPOINT", "cli")];

#[test]
fn claude_code_is_refused_where_it_would_not_ask_c1() {
    let shop = shop();
    for words in [&["hook", "claude-code"][..], &["judge", "--format", "claude-code"]] {
        let said = |mode: &str, environment| {
            let output = call(&shop, words, &claude(&shop, "PreToolUse", mode), environment);
            decided(&output.json()["hookSpecificOutput"])
        };
        for mode in ["default", "acceptEdits", "plan", "auto"] {
            assert_eq!(said(mode, TERMINAL).0, "ask", "{mode}");
            assert_eq!(said(mode, HEADLESS).0, "deny", "{mode}, headless");
        }
        for mode in ["bypassPermissions", "dontAsk"] {
            for environment in [TERMINAL, HEADLESS, &[]] {
                let (word, reason) = said(mode, environment);
                assert_eq!(word, "deny", "{mode}");
                assert!(reason.ends_with("a person has to decide."), "{reason}");
                assert!(reason.contains("run it themselves") && reason.contains("policy"), "{reason}");
            }
        }
    }
    // A question of the client's own reaches a person in a terminal; without one it is answered.
    let permission = |environment| {
        call(&shop, &["hook", "claude-code"], &claude(&shop, "PermissionRequest", "default"), environment)
    };
    assert_eq!(permission(TERMINAL).stdout, "");
    assert_eq!(permission(HEADLESS).json()["hookSpecificOutput"]["decision"]["behavior"], "deny");
}

#[test]
fn an_edit_of_what_steers_the_agent_is_refused_in_bypass_too_c1() {
    let shop = shop();
    let mut payload = claude(&shop, "PreToolUse", "bypassPermissions");
    payload["tool_name"] = json!("Write");
    payload["tool_input"] =
        json!({"file_path": shop.root().join(".claude/settings.json"), "content": "{}\n"});
    let (word, reason) =
        decided(&call(&shop, &["hook", "claude-code"], &payload, &[]).json()["hookSpecificOutput"]);
    assert_eq!(word, "deny");
    assert!(reason.ends_with("a person has to decide."), "{reason}");
}

#[test]
fn codex_gemini_and_opencode_are_refused_in_every_mode_c1() {
    let shop = shop();
    for mode in ["default", "bypassPermissions"] {
        let answer = call(&shop, &["hook", "codex"], &claude(&shop, "PreToolUse", mode), &[]).json();
        let (word, reason) = decided(&answer["hookSpecificOutput"]);
        assert_eq!(word, "deny", "{mode}");
        assert!(reason.ends_with("a person has to decide."), "{reason}");
    }
    // Codex calls this when it is about to ask the person itself.
    let asking = call(&shop, &["hook", "codex"], &claude(&shop, "PermissionRequest", "default"), &[]);
    assert_eq!(asking.stdout, "");

    let gemini = json!({
        "session_id": "s", "cwd": shop.root(), "hook_event_name": "BeforeTool", "timestamp": "2026-11-15T19:43:22.006Z",
        "tool_name": "run_shell_command", "tool_input": {"command": COMMAND},
    });
    let answer = call(&shop, &["hook", "gemini"], &gemini, &[]).json();
    assert_eq!(answer["decision"], "deny");
    assert!(answer["reason"].as_str().unwrap().ends_with("a person has to decide."), "{answer}");

    let opencode = json!({
        "hook_event_name": "tool.execute.before", "session_id": "s", "cwd": shop.root(), "tool_name": "bash",
        "tool_input": {"command": COMMAND},
    });
    let answer = call(&shop, &["hook", "opencode"], &opencode, &[]).json();
    assert!(answer["deny"].as_str().unwrap().ends_with("a person has to decide."), "{answer}");
}

#[test]
fn copilot_asks_and_its_own_refusal_says_what_a_person_can_do_c1() {
    let shop = shop();
    let payload = json!({"sessionId": "s", "timestamp": 1, "cwd": shop.root(), "toolName": "bash", "toolArgs": {"command": COMMAND}});
    let answer =
        call(&shop, &["hook", "copilot", "preToolUse"], &payload, &[("COPILOT_ALLOW_ALL", "true")]).json();
    let (word, reason) = decided(&answer);
    assert_eq!(word, "ask");
    assert!(reason.ends_with("a person has to decide."), "{reason}");
    // Run by Copilot, Claude Code's hooks do not take Claude's variables for Copilot's.
    let answer = call(
        &shop,
        &["hook", "claude-code"],
        &json!({"hook_event_name": "PreToolUse", "session_id": "s", "cwd": shop.root(), "tool_name": "Bash", "tool_input": {"command": COMMAND}}),
        &[("COPILOT_CLI", "1"), ("CLAUDE_CODE_SESSION_ATTENDED", "0")],
    );
    assert_eq!(decided(&answer.json()["hookSpecificOutput"]).0, "ask");
}
