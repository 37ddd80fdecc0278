//! What saving costs in bytes: floors that a change of format must not fall through. `--nocapture` prints what is measured.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use crate::world::World;
use vib_store::{
    Actor, CheckpointKind, Ending, Moment, NewStep, Outcome, Serves, Silent, SnapshotRequest, Store,
};

/// Most that a checkpoint of one changed file may add.
const ONE_FILE: u64 = 8 * 1024;
/// Most that a step without changes may add.
const EMPTY_STEP: u64 = 400;

fn look(store: &mut Store<'_>, moment: Moment) -> vib_store::Saved {
    let lock = store.lock_tree("test").unwrap();
    let request = SnapshotRequest { moment, ..SnapshotRequest::new(CheckpointKind::Turn) };
    store.snapshot_tree(&lock, &request, &[], &Silent).unwrap()
}

/// Bytes of content and index, without the log that is folded into the index.
fn bytes(world: &World, store: &mut Store<'_>) -> u64 {
    let lock = store.lock_tree("test").unwrap();
    store.gc(&lock, None, &Silent).unwrap();
    let length = |name: &str| std::fs::metadata(world.state().join(name)).map_or(0, |file| file.len());
    let packs = std::fs::read_dir(world.state().join("packs")).unwrap().flatten();
    length("store.db") + packs.map(|pack| pack.metadata().unwrap().len()).sum::<u64>()
}

fn command(number: usize) -> NewStep {
    let mut step = NewStep::of(Actor::Agent);
    let session = "6f1c2b0e-8d5f-4d0e-9a53-6b2f8f1f9c11".to_owned();
    step.client = Some("claude-code".to_owned());
    step.serves = Some(Serves { session: session.clone(), turn: format!("prompt-{}", number / 20) });
    step.session = Some(session);
    step.tool = Some("Bash".to_owned());
    step.call_id = Some(format!("toolu_01{number:024}"));
    step.what = Some("git log --oneline -20 -- src/cart.js && npm test -- --watch=false".to_owned());
    step
}

#[test]
fn one_file_adds_at_most_8_kb() {
    let world = World::new();
    for number in 0..2_000 {
        world.write(&format!("src/part{}/file{number}.js", number % 40), &format!("let a = {number};\n"));
    }
    let mut store = world.open();
    look(&mut store, Moment::Between);
    let before = bytes(&world, &mut store);
    for number in 0..200 {
        let step = look(&mut store, Moment::Before(Box::new(command(number)))).step.unwrap();
        world.write(
            &format!("src/part{}/file{number}.js", number % 40),
            &format!("let b = {number};\n").repeat(40),
        );
        look(&mut store, Moment::After(step, Outcome::of(Ending::Ran)));
    }
    let each = (bytes(&world, &mut store) - before) / 200;
    println!("one changed file, as a step with two looks: {each} bytes");
    assert!(each <= ONE_FILE, "{each}");
}

#[test]
fn a_step_without_changes_adds_at_most_400_bytes() {
    let world = World::new();
    world.write("a", "1\n");
    let mut store = world.open();
    look(&mut store, Moment::Between);
    let before = bytes(&world, &mut store);
    for number in 0..1_000 {
        let step = look(&mut store, Moment::Before(Box::new(command(number)))).step.unwrap();
        look(&mut store, Moment::After(step, Outcome::of(Ending::Ran)));
    }
    let each = (bytes(&world, &mut store) - before) / 1_000;
    println!("a step without changes: {each} bytes");
    assert!(each <= EMPTY_STEP, "{each}");
}
