//! Steps that only looked wait beside the index: told in order, once, whoever dies in between.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

mod world;

use std::fs;

use vib_store::{Actor, Ending, NewStep, Outcome, Serves, StepFilter, Store};
use world::World;

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
    let outcome = Outcome { ending: Ending::Failed, exit_code: Some(2), reason: None };
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
