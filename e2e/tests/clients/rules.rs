//! A rule that a person says in one client stands in the requests of all others, until the person drops it. (M7)

use testkit::model::{Request, Step};
use vib_e2e::{Client, ClientRun, Turn};

const FILES: &[(&str, &str)] = &[("package.json", "{\"name\": \"shop\"}\n"), ("src/prices.txt", "green 4\n")];
const RULE: &str = "From now on always use pnpm to install packages.";

fn first_request(turn: &Turn) -> String {
    Request::text(turn.agent_requests().next().expect("the agent asked its model"))
}

/// Said in Claude Code, kept elsewhere, dropped by the person.
fn hears_the_rule(client: Client) {
    let run = ClientRun::new(Client::ClaudeCode, FILES).with_vib();
    let steps = [
        Step::read("src/prices.txt"),
        Step::edit("src/prices.txt", "green 4", "green 5"),
        Step::say("Done."),
    ];
    run.prompt(&format!("Make green tea dearer. {RULE}"), steps).done();
    let run = run.with_client(client).with_vib();
    // A package is wanted: the rule applies.
    let request = first_request(&run.prompt("Install the zod package.", [Step::say("With pnpm.")]).done());
    assert!(request.contains("always use pnpm to install packages"), "{request}");
    assert!(request.contains("Said by the person before"), "{request}");

    let known = run.sandbox.data(&["memory"]);
    let id = known["known"][0]["id"].as_str().expect("it is shown").to_owned();
    assert_eq!(known["known"][0]["standing"], "proposed");
    run.sandbox.vib(&["memory", "drop", &id]).ok();
    run.begin_a_new_session();
    let request = first_request(&run.prompt("Install the ky package.", [Step::say("Fine.")]).done());
    assert!(!request.contains("always use pnpm"), "{request}");
}

#[test]
fn codex_keeps_a_rule_that_was_said_in_claude_code_m7() {
    hears_the_rule(Client::Codex);
}

#[test]
fn gemini_keeps_a_rule_that_was_said_in_claude_code_m7() {
    hears_the_rule(Client::Gemini);
}

#[test]
fn opencode_keeps_a_rule_that_was_said_in_claude_code_m7() {
    hears_the_rule(Client::OpenCode);
}

#[test]
fn copilot_keeps_a_rule_that_was_said_in_claude_code_m7() {
    hears_the_rule(Client::Copilot);
}
