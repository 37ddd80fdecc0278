//! The real clients in an editor that speaks ACP, with `vib acp` between them: saved and judged, whether their own hooks run there or not. (S21)

use serde_json::Value;
use testkit::model::Step;
use vib_e2e::{Client, ClientRun};

const FILES: &[(&str, &str)] = &[("notes.txt", "one\ntwo\nthree\n")];

fn work() -> [Step; 5] {
    [
        Step::read("notes.txt"),
        Step::edit("notes.txt", "two", "zwei"),
        Step::write("new.txt", "new\n"),
        Step::bash("sed -i s/three/drei/ notes.txt"),
        Step::say("The notes are changed."),
    ]
}

fn is_saved_and_judged(client: Client) {
    let run = ClientRun::new(client, FILES);
    let mut editor = run.in_editor(true);
    run.script(work());
    let heard = editor.prompt("Please change the notes.");
    assert_eq!(run.sandbox.read("notes.txt"), "one\nzwei\ndrei\n", "{heard:?}");
    assert_eq!(run.sandbox.read("new.txt"), "new\n");
    assert!(heard.text.contains("The notes are changed."), "{heard:?}");
    // Every edit has its step, under the client's own name.
    let data = run.sandbox.data(&["history", "--all"]);
    let entries = data["entries"].as_array().expect("entries");
    let steps: Vec<&Value> = entries.iter().filter_map(|entry| entry["steps"].as_array()).flatten().collect();
    let changed = |path: &str, words: &str| {
        steps.iter().any(|step| {
            let paths = step["changes"].as_array().into_iter().flatten();
            paths.into_iter().any(|change| change["path"] == path) && step["what"].to_string().contains(words)
        })
    };
    for (path, words) in
        [("notes.txt", "notes.txt"), ("new.txt", "new.txt"), ("notes.txt", "sed -i s/three/drei/")]
    {
        assert!(changed(path, words), "{path} by {words}: {data:#}");
    }
    assert!(entries.iter().any(|entry| entry["client"] == client.name()), "{data:#}");
    assert!(
        !entries.iter().any(|entry| entry["kind"] == "by_hand"),
        "whose each change is, is known: {data:#}"
    );
    // What must not happen is refused, or told where the client does not ask.
    let outside = run.folder_beside_the_project("letters.txt", "Dear all,\n");
    editor.says_yes = false;
    run.script([Step::bash(&format!("rm -rf ../{outside}")), Step::say("Tried."), Step::say("Tried.")]);
    let heard = editor.prompt("And now?");
    let is_there = run.sandbox.base().join(&outside).exists();
    if matches!(client, Client::Codex | Client::OpenCode) {
        // They do not ask an editor: what was not kept by their own sandbox is told.
        assert!(is_there || heard.text.contains("without asking"), "{heard:?}");
    } else {
        assert!(is_there, "{heard:?}");
        assert!(heard.text.contains("vib") || !heard.questions.is_empty(), "{heard:?}");
    }
    // What is meant for vib stays with vib.
    let before = run.requests().len();
    let shown = editor.prompt("undo that");
    assert!(!shown.text.is_empty(), "{shown:?}");
    // Some clients ask their model for a title meanwhile.
    let asked =
        run.requests().iter().skip(before).any(|request| format!("{request:?}").contains("undo that"));
    assert!(!asked, "the model was asked: {shown:?}");
    assert_eq!(editor.close(), 0);
}

#[test]
fn claude_code_in_an_editor_is_saved_and_judged() {
    is_saved_and_judged(Client::ClaudeCode);
}

#[test]
fn codex_in_an_editor_is_saved_and_told() {
    is_saved_and_judged(Client::Codex);
}

#[test]
fn gemini_in_an_editor_is_saved_and_judged_s21() {
    is_saved_and_judged(Client::Gemini);
}

#[test]
fn opencode_in_an_editor_is_saved_and_told() {
    is_saved_and_judged(Client::OpenCode);
}

#[test]
fn copilot_in_an_editor_is_saved_and_judged() {
    is_saved_and_judged(Client::Copilot);
}
