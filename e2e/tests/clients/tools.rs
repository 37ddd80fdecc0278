//! The tools that the installed clients offer to their models: vib knows what each of them does. (S2)

use std::collections::BTreeSet;

use testkit::model::Step;
use vib_e2e::{Client, ClientRun};

/// Every tool of the client's requests, also those that Claude Code only names until its model looks for them.
fn offered(client: Client) -> BTreeSet<String> {
    let run = ClientRun::new(client, &[("notes.txt", "one\n")]);
    let turn = run.prompt("Read the notes.", [Step::read("notes.txt"), Step::say("Read.")]).done();
    let mut tools: BTreeSet<String> =
        turn.agent_requests().flat_map(|request| request.tools.clone()).collect();
    for text in turn.agent_requests().map(testkit::model::Request::text) {
        tools.extend(deferred(&text));
    }
    tools
}

/// The names between the marks of a list of deferred tools, one in a line.
fn deferred(text: &str) -> Vec<String> {
    let is_name = |line: &&str| {
        !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let Some((_, rest)) = text.split_once("deferred tools are now available via ToolSearch") else {
        return Vec::new();
    };
    rest.lines().skip(1).map(str::trim).take_while(is_name).map(str::to_owned).collect()
}

fn vib_knows_every_tool_of(client: Client) {
    let tools = offered(client);
    assert!(tools.len() > 5, "{tools:?}");
    assert!(
        client != Client::ClaudeCode || tools.contains("Monitor"),
        "its list of deferred tools is not found: {tools:?}"
    );
    let name: hooks::Client = client.name().parse().expect("a client of vib's");
    let unknown: Vec<&String> = tools.iter().filter(|tool| !hooks::adapters::knows(name, tool)).collect();
    assert!(
        unknown.is_empty(),
        "say in `adapters/tools.rs` what these tools of {} do: {unknown:?}",
        client.name()
    );
}

#[test]
fn claude_code_offers_no_tool_that_vib_does_not_know_s2() {
    vib_knows_every_tool_of(Client::ClaudeCode);
}

#[test]
fn codex_offers_no_tool_that_vib_does_not_know_s2() {
    vib_knows_every_tool_of(Client::Codex);
}

#[test]
fn gemini_offers_no_tool_that_vib_does_not_know_s2() {
    vib_knows_every_tool_of(Client::Gemini);
}

#[test]
fn opencode_offers_no_tool_that_vib_does_not_know_s2() {
    vib_knows_every_tool_of(Client::OpenCode);
}

#[test]
fn copilot_offers_no_tool_that_vib_does_not_know_s2() {
    vib_knows_every_tool_of(Client::Copilot);
}
