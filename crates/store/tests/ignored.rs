//! Each checkpoint keeps the ignore rules it was made with (S16).

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use crate::world::World;
use vib_store::{Account, Checkpoint, CheckpointKind, Silent, SnapshotRequest, StepFilter, Store};

fn save(store: &mut Store<'_>) -> Checkpoint {
    let lock = store.lock_tree("test").unwrap();
    store
        .snapshot_tree(&lock, &SnapshotRequest::new(CheckpointKind::Manual), &[], &Silent)
        .unwrap()
        .checkpoint
}

fn go_back(store: &mut Store<'_>, target: &Checkpoint) {
    let now = store.working_tree(&Silent).unwrap().view;
    let plan = store.plan(target, &now, &[]).unwrap();
    let lock = store.lock_tree("test").unwrap();
    let safety = store.safety_checkpoint(&lock, &plan, "test".to_owned(), &Silent).unwrap();
    store.restore(&plan, safety, &Account::of("undo"), &Silent).unwrap();
}

/// What the ledger says was changed, path by path.
fn told(store: &Store<'_>) -> Vec<String> {
    let steps = store.steps(&StepFilter::default()).unwrap();
    let changes = steps.iter().rev().flat_map(|step| store.changes_of(step.number).unwrap());
    changes.map(|change| change.path.to_string()).collect()
}

fn ignoring_world() -> World {
    let world = World::new();
    world.write(".gitignore", "data/\n*.sqlite\n");
    world.write("app.js", "1\n");
    world.write("data/deep/big.csv", "1,2,3\n");
    world.write("dev.sqlite", "rows\n");
    world
}

#[test]
fn going_back_never_removes_what_was_ignored_then_s16() {
    let world = ignoring_world();
    let mut store = world.open();
    let good = save(&mut store);
    std::fs::remove_file(world.root().join(".gitignore")).unwrap();
    world.write("app.js", "2\n");
    world.write("new.js", "made since\n");
    save(&mut store);
    go_back(&mut store, &good);
    let read = |name: &str| std::fs::read_to_string(world.root().join(name)).ok();
    assert_eq!(read("data/deep/big.csv").as_deref(), Some("1,2,3\n"));
    assert_eq!(read("dev.sqlite").as_deref(), Some("rows\n"));
    assert_eq!(read(".gitignore").as_deref(), Some("data/\n*.sqlite\n"));
    assert_eq!(read("app.js").as_deref(), Some("1\n"));
    assert_eq!(read("new.js"), None);
}

#[test]
fn the_same_for_a_setting_and_for_an_ignore_file_that_is_not_saved_s16() {
    let world = World::new();
    world.write(".gitignore", ".gitignore\n.vibignore\n");
    world.write(".vibignore", "models/\n");
    world.write("models/large.bin", "weights\n");
    world.write(".git/info/exclude", "private/\n");
    world.write("private/notes.md", "mine\n");
    world.write("app.js", "1\n");
    let mut store = world.open();
    let good = save(&mut store);
    for name in [".vibignore", ".gitignore", ".git/info/exclude"] {
        std::fs::remove_file(world.root().join(name)).unwrap();
    }
    world.write("app.js", "2\n");
    save(&mut store);
    go_back(&mut store, &good);
    for (name, text) in [("models/large.bin", "weights\n"), ("private/notes.md", "mine\n"), ("app.js", "1\n")]
    {
        assert_eq!(std::fs::read_to_string(world.root().join(name)).unwrap(), text, "{name}");
    }
}

#[test]
fn what_a_rule_lets_in_or_leaves_out_is_no_change_s16() {
    let world = ignoring_world();
    let mut store = world.open();
    save(&mut store);
    std::fs::remove_file(world.root().join(".gitignore")).unwrap();
    save(&mut store);
    assert_eq!(told(&store), [".gitignore"], "seen for the first time, not made");
    world.write(".gitignore", "*.js\n");
    save(&mut store);
    assert_eq!(told(&store), [".gitignore", ".gitignore"], "left out, not removed");
    std::fs::remove_file(world.root().join(".gitignore")).unwrap();
    world.write("made.js", "while it was ignored\n");
    save(&mut store);
    assert_eq!(told(&store), [".gitignore", ".gitignore", ".gitignore"]);
    world.write("app.js", "2\n");
    world.write("dev.sqlite", "other rows\n");
    save(&mut store);
    assert_eq!(told(&store)[3..], ["app.js", "dev.sqlite"], "watched from then on");
}

#[test]
fn a_file_that_came_with_the_end_of_a_rule_can_be_taken_back_later_s16() {
    let world = ignoring_world();
    let mut store = world.open();
    save(&mut store);
    std::fs::remove_file(world.root().join(".gitignore")).unwrap();
    let seen = save(&mut store);
    std::fs::remove_dir_all(world.root().join("data")).unwrap();
    save(&mut store);
    go_back(&mut store, &seen);
    assert_eq!(std::fs::read_to_string(world.root().join("data/deep/big.csv")).unwrap(), "1,2,3\n");
}
