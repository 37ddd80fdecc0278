//! What the agent hears of a person who went back between two prompts: its next request to the model says so. (H8)

use testkit::model::{Request, Step};
use vib_e2e::{Client, ClientRun, Turn};

const FILES: &[(&str, &str)] = &[
    ("README.md", "# A shop\n"),
    ("src/prices.txt", "green 4\nblack 3\n"),
    ("src/stock.txt", "green 10\nblack 20\n"),
    ("docs/next.md", "Then here.\n"),
];

/// The first request body after the prompt holds the notice, with the files it speaks of.
fn hears(turn: &Turn, by: &str, file: &str) {
    let first = turn.agent_requests().next().expect("the agent asked its model");
    for words in ["The person went back", by, file, "Read a file again before you edit it"] {
        assert!(
            first.mentions(words),
            "the next request says nothing of `{words}`: {}",
            Request::text(first)
        );
    }
}

fn is_told(client: Client) {
    let run = ClientRun::new(client, FILES).with_vib();
    run.prompt(
        "Make black tea dearer.",
        [
            Step::read("src/prices.txt"),
            Step::edit("src/prices.txt", "black 3", "black 5"),
            Step::say("It is dearer."),
        ],
    )
    .done();
    assert_eq!(run.sandbox.read("src/prices.txt"), "green 4\nblack 5\n");
    run.sandbox.vib(&["undo", "--yes"]).ok();
    assert_eq!(run.sandbox.read("src/prices.txt"), "green 4\nblack 3\n");
    let turn = run.prompt("What do we sell?", [Step::say("Tea.")]).done();
    hears(&turn, "`vib undo`", "src/prices.txt");

    run.prompt("Tidy up a little.", [Step::bash("rm src/stock.txt"), Step::say("Tidy.")]).done();
    assert!(!run.sandbox.exists("src/stock.txt"));
    let preview = run.sandbox.data(&["recover", "--preview"]);
    let plan = preview["plan"].as_str().expect("a plan");
    run.sandbox.vib(&["recover", "--yes", "--plan", plan]).ok();
    assert_eq!(run.sandbox.read("src/stock.txt"), "green 10\nblack 20\n");
    let turn = run.prompt("How much green tea is there?", [Step::say("Ten.")]).done();
    hears(&turn, "`vib recover`", "src/stock.txt");

    // Once: what was said is not said again with the next prompt.
    let turn = run.prompt("Thank you.", [Step::say("Welcome.")]).done();
    let last = turn.agent_requests().next().expect("the agent asked its model");
    let told = last.text().matches("The person went back").count();
    assert!(told <= 2, "{told} notices: {}", last.text());
}

#[test]
fn claude_code_is_told_that_a_person_went_back_h8() {
    is_told(Client::ClaudeCode);
}

#[test]
fn codex_is_told_that_a_person_went_back_h8() {
    is_told(Client::Codex);
}

#[test]
fn gemini_is_told_that_a_person_went_back_h8() {
    is_told(Client::Gemini);
}

#[test]
fn opencode_is_told_that_a_person_went_back_h8() {
    is_told(Client::OpenCode);
}

#[test]
fn copilot_is_told_that_a_person_went_back_h8() {
    is_told(Client::Copilot);
}
