//! What a real client changes outside its project is saved, told, and taken back. (T8, S12)

use testkit::model::Step;
use vib_e2e::{Client, ClientRun};

/// The letters beside the project are edited with the client's own tool and with a command; both are taken back, one after the other.
fn letters_come_back(client: Client, with_edit_tool: bool) {
    let run = ClientRun::new(client, &[("notes.txt", "one\n")]).with_vib();
    let outside = run.folder_beside_the_project("letters.txt", "Dear all,\n");
    let base = run.sandbox.base().canonicalize().expect("a folder");
    let file = base.join(&outside).join("letters.txt");
    let path = file.to_str().expect("a plain name");
    let read = || std::fs::read_to_string(&file).expect("the letters");
    let mut steps = Vec::new();
    if with_edit_tool {
        steps.extend([Step::read(path), Step::edit(path, "Dear all,", "Dear none,")]);
    }
    steps.extend([Step::bash(&format!("sed -i s/Dear/Hated/ ../{outside}/letters.txt")), Step::say("Done.")]);
    run.prompt("Write to them.", steps).done();
    let changed = if with_edit_tool { "Hated none,\n" } else { "Hated all,\n" };
    assert_eq!(read(), changed, "the client could not do it");
    let told = run.history();
    assert!(told.contains("1 file outside this project"), "{told}");
    // The last entry that changed the file is the request with all its steps.
    run.sandbox.vib(&["undo", path, "--yes"]).ok();
    assert_eq!(read(), "Dear all,\n");
    run.sandbox.vib(&["redo", path, "--yes"]).ok();
    assert_eq!(read(), changed);
    run.sandbox.vib(&["store", "check", "--outside"]).ok();
}

#[test]
fn claude_code_outside_its_project_is_saved_and_taken_back_t8() {
    letters_come_back(Client::ClaudeCode, true);
}

#[test]
fn opencode_outside_its_project_is_saved_and_taken_back_t8() {
    letters_come_back(Client::OpenCode, false);
}

#[test]
fn codex_outside_its_project_is_saved_and_taken_back_t8() {
    letters_come_back(Client::Codex, false);
}
