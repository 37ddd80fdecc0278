//! What the agents cost: `vib report` says to the token what the model itself counted, sub-agents, failed calls and resumed sessions included. What a client does not write
//! down (OpenCode's title) is in no sum.

use serde_json::{Value, json};
use testkit::model::{Step, Tokens};
use vib_e2e::{Client, ClientRun};

const FILES: &[(&str, &str)] = &[("README.md", "# A shop\n"), ("src/prices.txt", "green 4\nblack 3\n")];

/// The call by which a client lets another agent work.
fn helper(client: Client) -> Step {
    match client {
        Client::ClaudeCode => Step::own(
            "Agent",
            &json!({"description": "look", "prompt": "Look at the README.", "subagent_type": "general-purpose", "run_in_background": false}),
        ),
        Client::Codex => Step::own("spawn_agent", &json!({"message": "Look at the README."})),
        Client::Gemini => Step::own(
            "invoke_agent",
            &json!({"agent_name": "generalist", "prompt": "look", "objective": "look"}),
        ),
        Client::OpenCode => Step::own(
            "task",
            &json!({"description": "look", "prompt": "Look at the README.", "subagent_type": "general"}),
        ),
        Client::Copilot => Step::own(
            "task",
            &json!({"agent_type": "general-purpose", "prompt": "Look at the README.", "description": "look", "name": "look"}),
        ),
    }
}

fn run(client: Client) -> ClientRun {
    ClientRun::new(client, FILES).with_vib()
}

/// The report's sum is the model's own.
#[track_caller]
fn agrees(run: &ClientRun, about: &str) -> Value {
    let mut truth = Tokens::default();
    let calls = run.counted();
    calls.iter().for_each(|call| truth.add(*call));
    let data = run.sandbox.data(&["report"]);
    let cost = &data["totals"]["cost"];
    let number = |name: &str| cost["tokens"][name].as_u64().unwrap_or(0);
    let told = Tokens {
        prompt: number("input") + number("cache_read") + number("cache_write"),
        cached: number("cache_read"),
        output: number("output"),
    };
    let about = format!("{} {about}: {}", run.client.name(), data["sessions"]);
    assert_eq!(told, truth, "{about}");
    assert_eq!(cost["calls"], calls.len(), "{about}");
    data
}

fn costs_what_the_model_counted(client: Client) {
    let write = |name: &str| Step::write(name, "new\n");
    // Plain, then resumed: the second prompt goes on in the same session.
    let plain = run(client);
    plain.prompt("Make a file.", [write("a.txt"), Step::say("Made.")]).done();
    agrees(&plain, "plain");
    plain.prompt("And another.", [write("b.txt"), Step::bash("ls"), Step::say("Made.")]).done();
    let data = agrees(&plain, "resumed");
    let requests: u64 = data["requests"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|row| row["cost"]["calls"].as_u64())
        .sum();
    assert_eq!(requests, plain.counted().len() as u64, "each call belongs to one request: {data}");
    // A call that fails costs nothing and is asked again.
    let failed = run(client);
    if client == Client::Codex {
        // Elsewhere a test wants to see the first error; here the client asks again, as it does for people.
        let settings = failed.sandbox.base().join("home/.codex/config.toml");
        let text = std::fs::read_to_string(&settings).expect("its settings");
        std::fs::write(settings, text.replace("request_max_retries = 0", "request_max_retries = 2"))
            .expect("written");
    }
    failed.prompt("Make a file.", [Step::fail(), write("a.txt"), Step::say("Made.")]).done();
    agrees(&failed, "failed call");
    // A sub-agent.
    let helped = run(client);
    helped.prompt(
        "Let somebody look.",
        [write("a.txt"), helper(client), Step::say("I looked."), Step::say("Done."), Step::say("Done.")],
    );
    agrees(&helped, "sub-agent");
}

#[test]
fn claude_code_costs_what_the_model_counted() {
    costs_what_the_model_counted(Client::ClaudeCode);
}

#[test]
fn codex_costs_what_the_model_counted() {
    costs_what_the_model_counted(Client::Codex);
}

#[test]
fn gemini_costs_what_the_model_counted() {
    costs_what_the_model_counted(Client::Gemini);
}

#[test]
fn opencode_costs_what_the_model_counted() {
    costs_what_the_model_counted(Client::OpenCode);
}

#[test]
fn copilot_costs_what_the_model_counted() {
    costs_what_the_model_counted(Client::Copilot);
}
