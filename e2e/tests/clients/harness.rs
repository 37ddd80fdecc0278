//! The harness itself, without vib: each client does what the script says, and calls its hooks.

use testkit::model::{Request, Step};
use vib_e2e::{Client, ClientRun};

fn drives(client: Client) {
    let run = ClientRun::new(client, &[("notes.txt", "one\ntwo\nthree\n")]).with_recorder();
    let turn = run
        .prompt(
            "Please change the notes.",
            [
                Step::read("notes.txt"),
                Step::edit("notes.txt", "two", "zwei"),
                Step::write("new.txt", "new\n"),
                Step::bash("sed -i s/three/drei/ notes.txt"),
                Step::say("The notes are changed."),
            ],
        )
        .done();
    assert_eq!(run.sandbox.read("notes.txt"), "one\nzwei\ndrei\n");
    assert_eq!(run.sandbox.read("new.txt"), "new\n");
    assert!(turn.told("Please change the notes."), "the prompt reached the model");
    assert_eq!(turn.strays(), [""; 0], "the client stays on the machine");
    assert!(turn.output.stdout.contains("The notes are changed."), "{}", turn.output.stdout);

    // Without vib nobody stops this: where a story has it denied, it was vib.
    let outside = run.folder_beside_the_project("letters.txt", "Dear all,\n");
    let delete = Step::bash(&format!("rm -r ../{outside}"));
    let turn = run.prompt("And now?", [delete, Step::say("Nothing more.")]).done();
    assert!(turn.told("Please change the notes."), "the session is continued");
    assert!(turn.told("And now?"));
    assert!(
        !run.sandbox.base().join(&outside).exists(),
        "the client runs what its model asks for: {}",
        turn.agent_requests().last().map(Request::text).unwrap_or_default()
    );

    let recorded = run.recorded();
    let called = format!("hook {}", client.name());
    assert!(recorded.iter().all(|call| call.starts_with(&called)), "{recorded:#?}");
    for words in ["Please change the notes.", "zwei", "new.txt", "sed -i s/three/drei/", "And now?"] {
        assert!(
            recorded.iter().any(|call| call.contains(words)),
            "no hook was told `{words}`: {recorded:#?}"
        );
    }
}

#[test]
fn claude_code_follows_a_script_and_calls_its_hooks() {
    drives(Client::ClaudeCode);
}

#[test]
fn codex_follows_a_script_and_calls_its_hooks() {
    drives(Client::Codex);
}

#[test]
fn gemini_follows_a_script_and_calls_its_hooks() {
    drives(Client::Gemini);
}

#[test]
fn opencode_follows_a_script_and_calls_its_hooks() {
    drives(Client::OpenCode);
}

#[test]
fn copilot_follows_a_script_and_calls_its_hooks() {
    drives(Client::Copilot);
}
