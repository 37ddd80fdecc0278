//! What the real clients do with a hook's question when nobody sits there: the facts behind `hooks::attended`, and what vib makes
//! of them. (C1)

use testkit::model::Step;
use vib_e2e::{Client, ClientRun, Leave};

/// A question in the client's own form.
fn question(client: Client) -> &'static str {
    match client {
        Client::Gemini => r#"{"decision":"ask","reason":"asked by the test"}"#,
        Client::Copilot => r#"{"permissionDecision":"ask","permissionDecisionReason":"asked by the test"}"#,
        _ => {
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"asked by the test"}}"#
        }
    }
}

/// Whether a command runs although a hook asked about it.
fn runs(client: Client, leave: Leave, command: &str) -> bool {
    let run = ClientRun::new(client, &[("notes.txt", "one\n"), (".claude/notes.txt", "one\n")])
        .with_answering_recorder("touch marker", question(client))
        .with_leave(leave);
    run.prompt("Do it.", [Step::bash(command), Step::say("Done.")]);
    run.sandbox.exists("marker.txt")
}

const SENSITIVE: &str = "touch marker.txt .claude/notes.txt";

#[test]
fn claude_code_in_bypass_runs_what_a_hook_asked_about_beside_a_sensitive_path_c1() {
    assert!(
        runs(Client::ClaudeCode, Leave::Everything, SENSITIVE),
        "the reason why vib denies there is gone"
    );
    assert!(!runs(Client::ClaudeCode, Leave::Words(&["--permission-mode", "acceptEdits"]), SENSITIVE));
}

#[test]
fn codex_runs_what_a_hook_asked_about_and_copilot_refuses_c1() {
    assert!(runs(Client::Codex, Leave::Everything, SENSITIVE));
    assert!(!runs(Client::Copilot, Leave::Everything, SENSITIVE));
}

/// What vib would ask about does not run in bypass mode, and the model learns that a person has to decide.
#[test]
fn claude_code_in_bypass_does_not_get_past_vib_c1() {
    let run = ClientRun::new(Client::ClaudeCode, &[("notes.txt", "one\n"), (".claude/notes.txt", "one\n")])
        .with_vib();
    let outside = run.folder_beside_the_project("letters.txt", "Dear all,\n");
    let command = format!("rm ../{outside}/letters.txt .claude/notes.txt");
    let turn = run.prompt("Make room.", [Step::bash(&command), Step::say("I was not allowed to.")]).done();
    assert!(
        run.sandbox.base().join(&outside).join("letters.txt").exists(),
        "what was asked about was deleted"
    );
    assert!(run.sandbox.exists(".claude/notes.txt"));
    assert!(
        turn.told("a person has to decide"),
        "{}",
        turn.agent_requests().last().expect("a request").text()
    );
}

/// On a terminal the same is a question on the screen.
#[test]
fn claude_code_on_a_terminal_asks_the_person_c1() {
    let run = ClientRun::new(Client::ClaudeCode, &[("notes.txt", "one\n")])
        .with_vib()
        .with_leave(Leave::Words(&["--permission-mode", "default"]));
    let outside = run.folder_beside_the_project("letters.txt", "Dear all,\n");
    let command = format!("rm ../{outside}/letters.txt");
    let seen = run.watch("Make room.", [Step::bash(&command), Step::say("Done.")], "Do you want to proceed?");
    assert!(seen.contains("Doyouwanttoproceed?"), "no question on the screen: {seen}");
    // Claude Code would ask in this mode by itself.
    assert!(seen.contains("nocheckpointcovers"), "it is not vib's question: {seen}");
    assert!(run.sandbox.base().join(&outside).join("letters.txt").exists());
}
