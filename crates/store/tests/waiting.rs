//! Steps that only looked wait beside the index: told in order, once, whoever dies in between.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::fs;

use crate::world::World;
use vib_store::{
    Actor, CheckpointKind, Claims, Ending, Moment, NewStep, Outcome, Serves, SnapshotRequest, StepFilter,
    StepNumber, Store,
};

fn look(what: &str) -> NewStep {
    NewStep {
        session: Some("one".to_owned()),
        serves: Some(Serves { session: "one".to_owned(), turn: "1".to_owned() }),
        tool: Some("Read".to_owned()),
        what: Some(what.to_owned()),
        ..NewStep::of(Actor::Agent)
    }
}

fn note(world: &World, what: &str) {
    let outcome = Outcome { exit_code: Some(2), ..Outcome::of(Ending::Failed) };
    world.note_look(&look(what), &outcome);
}

fn told(store: &Store<'_>) -> Vec<String> {
    let steps = store.steps(&StepFilter::default()).unwrap();
    steps.into_iter().rev().filter_map(|step| step.what).collect()
}

#[test]
fn looks_are_told_in_order_and_before_what_came_after_them() {
    let world = World::new();
    note(&world, "a");
    world.set_clock(5);
    note(&world, "b");
    let mut store = world.open();
    store.note_step(&look("c"), &Outcome::of(Ending::Ran)).unwrap();
    assert_eq!(told(&store), ["a", "b", "c"]);
    let steps = store.steps(&StepFilter::default()).unwrap();
    let second = &steps[1];
    assert_eq!((second.ending, second.exit_code, second.files), (Ending::Failed, Some(2), 0));
    assert_eq!(second.request, steps[0].request, "they serve the same request");
    drop(store);
    note(&world, "d");
    assert_eq!(told(&world.open()), ["a", "b", "c", "d"]);
    assert_eq!(told(&world.open()), ["a", "b", "c", "d"]);
}

#[test]
fn whoever_dies_while_looks_are_entered_loses_none_and_enters_none_twice() {
    let world = World::new();
    drop(world.open());
    let (waiting, folding) = (world.state().join("looks.waiting"), world.state().join("looks.folding"));
    // Died after taking the lines, before the index had them.
    note(&world, "a");
    fs::rename(&waiting, &folding).unwrap();
    note(&world, "b");
    drop(world.open());
    assert_eq!(told(&world.open()), ["a", "b"]);
    // Died after the index had them: the lines are still there.
    assert!(folding.exists());
    note(&world, "c");
    assert_eq!(told(&world.open()), ["a", "b", "c"]);
    assert_eq!(told(&world.open()), ["a", "b", "c"]);
}

#[test]
fn a_line_that_nobody_can_read_keeps_no_other_from_being_told() {
    let world = World::new();
    note(&world, "a");
    let waiting = world.state().join("looks.waiting");
    let mut text = fs::read(&waiting).unwrap();
    text.extend_from_slice(b"{\"version\":1,\"cut\n\xff\xfe\n{\"version\":99}\n");
    fs::write(&waiting, text).unwrap();
    note(&world, "b");
    assert_eq!(told(&world.open()), ["a", "b"]);
}

#[test]
fn many_at_once_are_all_told() {
    let world = World::new();
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let world = &world;
            scope.spawn(move || {
                for number in 0..50 {
                    note(world, &format!("{writer}-{number}"));
                    if number % 10 == writer {
                        drop(world.open());
                    }
                }
            });
        }
    });
    let mut all = told(&world.open());
    all.extend(told(&world.open()));
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 200);
    assert_eq!(told(&world.open()).len(), 200);
}

/// An edit of `a.txt` that begins with a look.
fn begin(world: &World, id: &str) -> StepNumber {
    let moment = Moment::Before(Box::new(edit(world, id)));
    let request = SnapshotRequest { moment, ..SnapshotRequest::new(CheckpointKind::Turn) };
    world.open().snapshot_paths(&request, &[world.path("a.txt")]).unwrap().step.unwrap()
}

fn end(world: &World, step: StepNumber) {
    let moment = Moment::After(step, Outcome::of(Ending::Ran));
    let request = SnapshotRequest { moment, ..SnapshotRequest::new(CheckpointKind::Turn) };
    world.open().snapshot_paths(&request, &[world.path("a.txt")]).unwrap();
}

fn edit(world: &World, id: &str) -> NewStep {
    NewStep {
        call_id: Some(id.to_owned()),
        claims: Claims::Named(vec![world.path("a.txt")]),
        tool: Some("Edit".to_owned()),
        ..look(id)
    }
}

fn begins(world: &World, id: &str) -> bool {
    world.note_begin(&edit(world, id), &[world.path("a.txt")])
}

fn running(store: &mut Store<'_>, id: &str) -> Option<StepNumber> {
    store.running_step("one", None, Some(id), "Edit", None).unwrap()
}

#[test]
fn an_edit_of_a_file_that_is_saved_as_it_is_begins_without_the_index_and_is_the_same_step() {
    let world = World::new();
    world.write("a.txt", "one");
    assert!(!begins(&world, "first"), "nobody looked at it yet");
    let first = begin(&world, "first");
    world.write("a.txt", "two");
    end(&world, first);

    assert!(begins(&world, "second"));
    world.write("a.txt", "three");
    let second = running(&mut world.open(), "second").unwrap();
    end(&world, second);
    let store = world.open();
    let steps = store.steps(&StepFilter::default()).unwrap();
    let told: Vec<_> = steps.iter().map(|step| (step.what.as_deref(), step.ending, step.files)).collect();
    assert_eq!(told, [(Some("second"), Ending::Ran, 1), (Some("first"), Ending::Ran, 1)]);
    assert!(store.steps(&StepFilter::default()).unwrap().iter().all(|step| step.actor == Actor::Agent));
}

/// What a prompt or a command that may write anything looks at is known, too: also what it finds changed.
#[test]
fn after_a_look_at_the_whole_tree_an_edit_begins_without_the_index() {
    let world = World::new();
    world.write("a.txt", "one");
    world.write("b.txt", "one");
    let walk = |world: &World| {
        let mut store = world.open();
        let lock = store.lock_tree("test").unwrap();
        store
            .snapshot_tree(&lock, &SnapshotRequest::new(CheckpointKind::Turn), &[], &vib_store::Silent)
            .unwrap();
    };
    walk(&world);
    assert!(begins(&world, "first"), "the walk saved it");
    let first = running(&mut world.open(), "first").unwrap();
    world.write("a.txt", "two");
    end(&world, first);
    walk(&world);
    assert!(begins(&world, "second"), "nothing was changed, and it is still known");
    let second = running(&mut world.open(), "second").unwrap();
    end(&world, second);
    world.write("a.txt", "by hand");
    walk(&world);
    world.write("a.txt", "two");
    assert!(!begins(&world, "third"), "the newest version is the one that the walk saw");
    world.write("a.txt", "by hand");
    assert!(begins(&world, "third"));
}

#[test]
fn whatever_happened_to_the_file_or_to_the_index_asks_for_a_look() {
    let world = World::new();
    world.write("a.txt", "one");
    let ready = |id: &str| {
        let step = begin(&world, id);
        end(&world, step);
        assert!(begins(&world, "unhindered"), "{id}");
        drop(world.open());
        let step = begin(&world, id);
        end(&world, step);
    };
    ready("by hand");
    world.write("a.txt", "two");
    assert!(!begins(&world, "x"), "a person typed");

    ready("gone");
    fs::remove_file(world.root().join("a.txt")).unwrap();
    assert!(!begins(&world, "x"));
    world.write("a.txt", "two");

    ready("a link");
    world.write("b.txt", "two");
    fs::remove_file(world.root().join("a.txt")).unwrap();
    std::os::unix::fs::symlink("b.txt", world.root().join("a.txt")).unwrap();
    assert!(!begins(&world, "x"));
    fs::remove_file(world.root().join("a.txt")).unwrap();
    world.write("a.txt", "two");

    ready("mode");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(world.root().join("a.txt"), mode).unwrap();
    assert!(!begins(&world, "x"));

    ready("another writer");
    world.open().note_step(&look("other"), &Outcome::of(Ending::Ran)).unwrap();
    assert!(!begins(&world, "x"), "whatever was written, it was not this");

    ready("an older copy of the index");
    let names = ["store.db", "store.db-wal"];
    let old: Vec<_> = names.iter().map(|name| fs::read(world.state().join(name)).unwrap()).collect();
    for (name, bytes) in names.iter().zip(old) {
        fs::write(world.state().join(name), bytes).unwrap();
    }
    assert!(!begins(&world, "x"), "S10");

    ready("damage");
    fs::write(world.state().join("saved.lately"), "{").unwrap();
    assert!(!begins(&world, "x"));
}

#[test]
fn what_another_look_sees_of_an_edit_that_has_begun_is_its_own() {
    let world = World::new();
    world.write("a.txt", "one");
    let step = begin(&world, "first");
    end(&world, step);
    // Opened before the edit begins, and looks after it wrote.
    let mut other = world.open();
    assert!(begins(&world, "second"));
    world.write("a.txt", "two");
    let lock = other.lock_tree("looking").unwrap();
    other.snapshot_tree(&lock, &SnapshotRequest::new(CheckpointKind::Turn), &[], &vib_store::Silent).unwrap();
    drop((lock, other));
    let mut store = world.open();
    let second = running(&mut store, "second").unwrap();
    let steps = store.steps(&StepFilter::default()).unwrap();
    assert!(steps.iter().all(|step| step.actor == Actor::Agent), "nobody did it by hand: {steps:?}");
    assert_eq!(steps.iter().find(|step| step.number == second).unwrap().files, 1);
}
