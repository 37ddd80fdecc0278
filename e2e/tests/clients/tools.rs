//! The tools that the installed clients offer to their models: vib knows what each of them does. (S2)

use std::collections::BTreeSet;

use testkit::model::Step;
use vib_e2e::{Client, ClientRun};

/// Every tool of the client's requests.
fn offered(client: Client) -> BTreeSet<String> {
    let run = ClientRun::new(client, &[("notes.txt", "one\n")]);
    let turn = run.prompt("Read the notes.", [Step::read("notes.txt"), Step::say("Read.")]).done();
    turn.agent_requests().flat_map(|request| request.tools.clone()).collect()
}

#[test]
fn list() {
    for client in [Client::ClaudeCode, Client::Codex, Client::Gemini, Client::OpenCode, Client::Copilot] {
        println!("{}: {:?}", client.name(), offered(client));
    }
}
