//! Pieces as the five clients really sent them.

use super::*;

fn told(id: &str, pieces: &[(Value, bool)]) -> Told {
    let mut told = Told::default();
    for (piece, asks) in pieces {
        told.add(id, piece, *asks);
    }
    told
}

fn shell(command: &str) -> Action {
    Action::Shell { command: command.to_owned() }
}

#[test]
fn every_client_says_a_command_in_its_own_way() {
    let gemini = told(
        "run_shell_command__run_shell_command_1_0",
        &[(
            json!({"status": "pending", "title": "rm -r x", "kind": "execute", "locations": [], "content": [
                {"type": "content", "content": {"type": "text", "text": "[current working directory /p/q] (a command)"}}]}),
            true,
        )],
    );
    let call = gemini.call(Some(Client::Gemini), "1");
    assert_eq!((call.tool.as_str(), &call.action), ("run_shell_command", &shell("rm -r x")));
    assert_eq!(call.folder, Folder::Given("/p/q".into()));
    let codex = told(
        "c",
        &[(
            json!({"name": "exec_command", "kind": "execute", "title": "rm -r x", "rawInput": {"command": "rm -r x", "cwd": "/p"}}),
            false,
        )],
    );
    assert_eq!(codex.call(Some(Client::Codex), "c").action, shell("rm -r x"));
    let opencode = told(
        "c",
        &[
            (json!({"title": "bash", "kind": "execute", "rawInput": {"cwd": "/p"}}), false),
            (json!({"title": "rm -r x", "kind": "execute", "rawInput": {"command": "rm -r x"}}), true),
        ],
    );
    let call = opencode.call(Some(Client::OpenCode), "c");
    assert_eq!((call.tool.as_str(), &call.action), ("bash", &shell("rm -r x")));
    assert_eq!(call.folder, Folder::Given("/p".into()));
    let copilot = told(
        "c",
        &[(
            json!({"title": "a command", "kind": "execute", "rawInput": {"command": "rm -r x", "commands": ["rm -r x"]}}),
            true,
        )],
    );
    let call = copilot.call(Some(Client::Copilot), "c");
    assert_eq!((call.tool.as_str(), &call.action), ("bash", &shell("rm -r x")));
    // An agent that nobody knows and that does not say what it runs.
    let strange = told("c", &[(json!({"title": "tidy up", "kind": "execute"}), true)]);
    assert_eq!(strange.call(None, "c").unseen, Some(Unseen::Missing));
}

#[test]
fn an_edit_is_known_by_its_differences() {
    let diff = json!({"type": "diff", "path": "/p/a.txt", "oldText": "two", "newText": "zwei"});
    let gemini =
        told("replace__replace_1_0", &[(json!({"kind": "edit", "title": "a", "content": [diff]}), true)]);
    let call = gemini.call(Some(Client::Gemini), "1");
    assert_eq!(call.tool, "replace");
    let edits = call.action.edits();
    assert_eq!(edits.len(), 1);
    assert!(matches!(&edits[0].change, Change::Replace(list) if list[0].new == "zwei"), "{edits:?}");
    let new = json!({"type": "diff", "path": "/p/b.txt", "oldText": null, "newText": "new\n"});
    let codex = told("c", &[(json!({"kind": "edit", "title": "Editing files", "content": [new]}), false)]);
    let call = codex.call(Some(Client::Codex), "c");
    assert!(matches!(&call.action.edits()[0].change, Change::Whole(text) if text == "new\n"), "{call:?}");
    let gone =
        told("c", &[(json!({"kind": "delete", "title": "x", "locations": [{"path": "/p/c.txt"}]}), true)]);
    assert_eq!(gone.call(None, "c").action.edits().len(), 1);
}

#[test]
fn a_look_that_brings_an_edit_or_a_shell_is_none() {
    let diff = json!({"type": "diff", "path": "/p/a.txt", "oldText": "two", "newText": "zwei"});
    let lies = told(
        "read_file__read_file_1_0",
        &[(json!({"kind": "read", "title": "a", "content": [diff]}), false)],
    );
    assert!(matches!(lies.call(Some(Client::Gemini), "1").action, Action::Edit(_)));
    let codex =
        told("c", &[(json!({"name": "exec_command", "kind": "read", "title": "Read file 'x'"}), false)]);
    assert!(matches!(codex.call(Some(Client::Codex), "c").action, Action::Unknown(_)));
    let look = told("c", &[(json!({"kind": "read", "title": "x", "rawInput": {"path": "/p/x"}}), false)]);
    assert_eq!(look.call(Some(Client::Copilot), "c").action, Action::Look);
}

#[test]
fn a_question_about_one_command_and_a_call_of_another_is_in_doubt_s1() {
    let two = told(
        "c",
        &[
            (json!({"kind": "execute", "title": "bash", "rawInput": {"command": "rm -rf ~"}}), false),
            (json!({"kind": "execute", "title": "ls", "rawInput": {"command": "ls"}}), true),
        ],
    );
    let of = Of { named: "x", session: "s", cwd: None };
    let event = two.event(&of, BEFORE, Kind::BeforeTool(two.call(None, "c")));
    assert_eq!(event.doubt, Some(Doubt::SaidTwice));
    assert_eq!(two.call(None, "c").action, shell("rm -rf ~"));
}

#[test]
fn exit_codes_stand_in_many_places() {
    for piece in [
        json!({"rawOutput": {"exit_code": 3}}),
        json!({"rawOutput": {"metadata": {"exit": 3}}}),
        json!({"rawOutput": {"contents": [{"type": "shell_exit", "exitCode": 3}]}}),
        json!({"_meta": {"terminal_exit": {"exit_code": 3}}}),
        json!({"kind": "execute", "rawOutput": "x\n<shellId: 0 completed with exit code 3>"}),
    ] {
        let result = told("c", &[(piece.clone(), false)]).result("completed");
        assert_eq!((result.exit_code, result.failed), (Some(3), Some(true)), "{piece}");
    }
    assert_eq!(told("c", &[]).result("failed").failed, Some(true));
    assert_eq!(told("c", &[]).result("cancelled").halted, Some(Halted::CutOff));
}
