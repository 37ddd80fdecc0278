//! The client is started where people start it: in a subfolder, in a new worktree, in a project that git has cleaned.

use std::path::Path;

use serde_json::Value;
use testkit::Sandbox;
use testkit::model::Step;
use vib_e2e::{Client, ClientRun};

use super::objections;

const FILES: &[(&str, &str)] = &[
    ("README.md", "A shop.\n"),
    ("web/pages/tea.txt", "tea\nprice 3\n"),
    ("web/pages/milk.txt", "milk\nprice 1\n"),
    ("web/pages/honey.txt", "honey\nprice 7\n"),
];
/// All that is done is done in here, or in the same folder of a worktree.
const FOLDER: &str = "web/pages";

/// What the agent does in each place is saved there, without a word.
pub fn is_saved(client: Client) {
    let run = ClientRun::new(client, FILES).with_git().with_vib();
    let root = run.sandbox.root();
    let worktree = run.sandbox.base().join("worktree");

    works_in(&run, &root.join(FOLDER), "", "a subfolder");

    run.git(&["worktree", "add", "--quiet", "-b", "side", &worktree.display().to_string()]);
    works_in(&run, &worktree, &format!("{FOLDER}/"), "a worktree");

    run.git(&["checkout", "--quiet", "."]);
    run.git(&["clean", "--quiet", "-fdx"]);
    works_in(&run, &root, &format!("{FOLDER}/"), "a cleaned project");
}

/// Reads, three edits, a command; `below` leads from the folder to the files.
fn works_in(run: &ClientRun, folder: &Path, below: &str, place: &str) {
    run.start_in(folder);
    let path = |name: &str| format!("{below}{name}.txt");
    let mut steps: Vec<Step> = ["tea", "milk", "honey"].map(|name| Step::read(&path(name))).into();
    steps.extend([
        Step::edit(&path("tea"), "price 3", "price 4"),
        Step::edit(&path("milk"), "price 1", "price 2"),
        Step::edit(&path("honey"), "price 7", "price 8"),
        Step::bash(&format!("cp {} {}", path("tea"), path("copy"))),
        Step::say("Dearer now."),
    ]);
    let prompt = format!("Make everything dearer in {place}.");
    let turn = run.prompt(&prompt, steps).done();
    for (name, text) in [("tea", "price 4"), ("milk", "price 2"), ("honey", "price 8"), ("copy", "price 4")] {
        let now = std::fs::read_to_string(folder.join(path(name))).unwrap_or_default();
        assert!(now.contains(text), "{name} in {place}: {now}");
    }
    objections::there_are_none(&[turn]);

    let mut history = run.sandbox.command(&["history", "--checkpoints", "--json"]);
    let history = Sandbox::run(history.current_dir(folder)).ok().json();
    let saved = checkpoints_of(&history, &prompt);
    assert!(saved > 0, "no checkpoint of the edits in {place}: {history:#}");

    // That they hold what was there before is best seen by going back.
    let mut undo = run.sandbox.command(&["undo", "--yes"]);
    Sandbox::run(undo.current_dir(folder)).ok();
    assert!(!folder.join(path("copy")).exists(), "the command in {place} is undone");
}

fn checkpoints_of(history: &Value, prompt: &str) -> usize {
    let groups = history["data"]["groups"].as_array().into_iter().flatten();
    let ours = groups.filter(|group| group.to_string().contains(prompt));
    ours.map(|group| group["checkpoints"].as_array().map_or(0, Vec::len)).sum()
}
