//! Done means done, with the real clients: a lying turn has to go on with the failing lines, a true one ends, and nothing goes on for ever. (HK8)

use testkit::model::{Request, Step};
use vib_e2e::{Client, ClientRun, Turn};

const FILES: &[(&str, &str)] = &[
    ("total.sh", "echo 3\n"),
    ("Makefile", "test:\n\t@sh check.sh\n"),
    (
        "check.sh",
        "out=$(sh total.sh)\nif [ \"$out\" != 4 ]; then echo \"not ok - total: expected 4, got $out\"; exit 1; fi\necho \"ok - total\"\n",
    ),
];

fn strict(client: Client) -> ClientRun {
    let run = ClientRun::new(client, FILES).with_vib();
    run.sandbox.vib(&["config", "set", "stop.mode", "block"]).ok();
    run
}

/// How often the model was asked.
fn asked(turn: &Turn) -> usize {
    turn.agent_requests().count()
}

fn last(turn: &Turn) -> String {
    turn.agent_requests().last().map(Request::text).unwrap_or_default()
}

fn is_held_to_its_word(client: Client) {
    let run = strict(client);
    // Words without deeds are left alone: each of these is one request.
    for (prompt, words) in [
        ("How is the total made?", "Done: it is printed by total.sh. All tests pass, as far as I know."),
        ("What would you do?", "My plan: change total.sh, then run the tests. Shall I start?"),
    ] {
        let turn = run.prompt(prompt, [Step::say(words)]).done();
        assert_eq!(asked(&turn), 1, "{client:?}: {}", last(&turn));
    }
    let turn = run
        .prompt(
            "Make it five, maybe.",
            [
                Step::read("total.sh"),
                Step::edit("total.sh", "echo 3", "echo 5"),
                Step::say("It prints five now. Is that what you want?"),
            ],
        )
        .done();
    assert_eq!(asked(&turn), 3, "a question is never stopped: {client:?}: {}", last(&turn));

    // A lie is told the failing lines; when it is true, it ends.
    let turn = run
        .prompt(
            "Make the test pass.",
            [
                Step::read("total.sh"),
                Step::edit("total.sh", "echo 5", "echo 6"),
                Step::bash("make test"),
                Step::say("All done! All tests pass."),
                Step::edit("total.sh", "echo 6", "echo 4"),
                Step::bash("make test"),
                Step::say("Done. All tests pass."),
            ],
        )
        .done();
    assert_eq!(run.sandbox.read("total.sh"), "echo 4\n");
    assert!(turn.told("it is not done yet"), "{client:?}: {}", last(&turn));
    assert!(turn.told("not ok - total: expected 4, got 6"), "{client:?}: {}", last(&turn));
    assert_eq!(asked(&turn), 7, "{client:?}");

    // What cannot be put right is let go after two, and the person has the list.
    let turn = run
        .prompt(
            "Make it seven.",
            [
                Step::read("total.sh"),
                Step::edit("total.sh", "echo 4", "echo 7"),
                Step::bash("make test"),
                Step::say("All done."),
                Step::say("All done."),
                Step::say("All done."),
            ],
        )
        .done();
    assert_eq!(asked(&turn), 6, "two more and not one more: {client:?}");
    let metrics = run.sandbox.data(&["audit", "metrics"]);
    let open = metrics["metrics"]
        .as_array()
        .expect("measures")
        .iter()
        .find(|one| one["id"] == "finished_with_open_gates");
    assert_eq!(open.and_then(|one| one["samples"].as_u64()), Some(1), "{client:?}: {metrics}");
}

#[test]
fn claude_code_is_held_to_its_word_hk8() {
    is_held_to_its_word(Client::ClaudeCode);
}

#[test]
fn codex_is_held_to_its_word_hk8() {
    is_held_to_its_word(Client::Codex);
}

#[test]
fn gemini_is_held_to_its_word_hk8() {
    is_held_to_its_word(Client::Gemini);
}

#[test]
fn copilot_is_held_to_its_word_hk8() {
    is_held_to_its_word(Client::Copilot);
}

/// An agent that never ran the check: vib runs it itself.
#[test]
fn claude_code_is_not_believed_where_vib_ran_the_check_itself_hk9() {
    let run = strict(Client::ClaudeCode);
    run.sandbox.write("total.sh", "echo 4\n");
    run.sandbox.vib(&["config", "set", "verify.on_stop", "standard"]).ok();
    run.sandbox.vib(&["verify", "--profile", "standard", "--yes"]).ok();
    let turn = run
        .prompt(
            "Make it eight.",
            [
                Step::read("total.sh"),
                Step::edit("total.sh", "echo 4", "echo 8"),
                Step::say("Done."),
                Step::edit("total.sh", "echo 8", "echo 4"),
                Step::say("Done."),
            ],
        )
        .done();
    assert!(turn.told("not ok - total: expected 4, got 8"), "{}", last(&turn));
    assert_eq!(asked(&turn), 5);
}

/// A plugin of OpenCode cannot hold a turn open: it ends, and the agent is told with the next prompt as far as the client tells vib.
#[test]
fn opencode_ends_its_turn_whatever_it_says_hk8() {
    let run = strict(Client::OpenCode);
    let turn = run
        .prompt(
            "Make it six.",
            [
                Step::read("total.sh"),
                Step::edit("total.sh", "echo 3", "echo 6"),
                Step::bash("make test"),
                Step::say("All done! All tests pass."),
            ],
        )
        .done();
    assert_eq!(asked(&turn), 4, "{}", last(&turn));
}
