//! What only a person may do, asked for by the real clients through their shells, with no hook of vib's to stop them: the program itself
//! sees who runs it. (S5)

use testkit::model::{Request, Step};
use vib_e2e::{Client, ClientRun, vib};

fn refuses(client: Client, title: &str) {
    let run = ClientRun::new(client, &[("notes.txt", "one\n")]);
    let before = run.sandbox.checkpoint("before");
    run.sandbox.write("notes.txt", "two\n");
    let vib = vib();
    let vib = vib.display();
    let shown = |turn: &vib_e2e::Turn| turn.agent_requests().last().map(Request::text).unwrap_or_default();

    // Its shell as it is.
    let plain = Step::bash(&format!(
        "{vib} undo {before} --yes; {vib} mcp grant {} recovery_apply; true",
        client.name()
    ));
    let turn = run.prompt("Go back.", [plain, Step::say("Done.")]).done();
    assert!(turn.told("only a person may say yes to going back"), "{}", shown(&turn));
    assert!(turn.told("only a person may give and take back grants"), "{}", shown(&turn));
    assert!(turn.told(&format!("run by {title} (process ")), "{}", shown(&turn));

    // A terminal that it opens.
    let typed = Step::bash(&format!("script -qec '{vib} undo {before}' /dev/null </dev/null; true"));
    let turn = run.prompt("Try again.", [typed, Step::say("Done.")]).done();
    assert!(turn.told(&format!("this is run by {title} (process ")), "{}", shown(&turn));

    // In the background, with nobody above it: what the client leaves in the environment is left.
    let lost = format!(
        "setsid -f sh -c 'sleep 1; {vib} undo {before} --yes; echo over' >lost.txt 2>&1; sleep 4; cat lost.txt; true"
    );
    let turn = run.prompt("And now?", [Step::bash(&lost), Step::say("Done.")]).done();
    assert!(turn.told(&format!("run by {title}, or in a terminal that it opened")), "{}", shown(&turn));

    assert_eq!(run.sandbox.read("notes.txt"), "two\n");
    assert_eq!(run.sandbox.data(&["mcp", "grants"])["grants"], serde_json::json!([]));
    // The person does it.
    run.sandbox.vib(&["undo", &before, "--yes"]).ok();
    assert_eq!(run.sandbox.read("notes.txt"), "one\n");
}

#[test]
fn claude_code_cannot_say_yes_for_the_person_s5() {
    refuses(Client::ClaudeCode, "Claude Code");
}

#[test]
fn codex_cannot_say_yes_for_the_person_s5() {
    refuses(Client::Codex, "Codex");
}

#[test]
fn gemini_cannot_say_yes_for_the_person_s5() {
    refuses(Client::Gemini, "Gemini CLI");
}

#[test]
fn opencode_cannot_say_yes_for_the_person_s5() {
    refuses(Client::OpenCode, "OpenCode");
}

#[test]
fn copilot_cannot_say_yes_for_the_person_s5() {
    refuses(Client::Copilot, "Copilot CLI");
}

/// A process that calls the hooks is remembered, so that what is below it is known whatever its program is called.
#[test]
fn claude_code_is_remembered_as_a_caller_of_the_hooks_s5() {
    let run = ClientRun::new(Client::ClaudeCode, &[("notes.txt", "one\n")]).with_vib();
    let look = Step::bash(&format!("ls {}", run.sandbox.state().join("clients").display()));
    let turn = run.prompt("Look.", [look, Step::say("Done.")]).done();
    let seen = turn.agent_requests().last().map(Request::text).unwrap_or_default();
    let pid = |word: &str| {
        word.split_once('-').is_some_and(|(pid, start)| {
            [pid, start].iter().all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
        })
    };
    assert!(seen.split(|letter: char| !letter.is_ascii_digit() && letter != '-').any(pid), "{seen}");
}
