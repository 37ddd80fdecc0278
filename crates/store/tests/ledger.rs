//! The ledger: whose a change is, what begins and ends a step, and what costs no checkpoint.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use crate::world::World;
use vib_store::{
    Actor, CheckpointKind, Claims, Ending, Moment, NewStep, Outcome, Silent, SnapshotRequest, StepFilter,
    StepNumber, Store,
};

fn look(moment: Moment) -> SnapshotRequest {
    let mut request = SnapshotRequest::new(CheckpointKind::Turn);
    request.moment = moment;
    request
}

fn command(line: &str) -> NewStep {
    let mut step = NewStep::of(Actor::Agent);
    step.session = Some("one".to_owned());
    step.tool = Some("Bash".to_owned());
    step.what = Some(line.to_owned());
    step
}

/// Looks at the whole tree.
fn tree(store: &mut Store<'_>, moment: Moment) -> Option<StepNumber> {
    let lock = store.lock_tree("test").unwrap();
    store.snapshot_tree(&lock, &look(moment), &[], &Silent).unwrap().step
}

fn ran() -> Outcome {
    Outcome::of(Ending::Ran)
}

fn names(store: &Store<'_>, step: StepNumber) -> Vec<String> {
    store.changes_of(step).unwrap().iter().map(|change| change.path.to_string()).collect()
}

#[test]
fn what_the_look_after_a_step_finds_is_its_own_and_what_lay_between_is_by_hand() {
    let world = World::new();
    let mut store = world.open();
    world.write("a", "1");
    tree(&mut store, Moment::Between);
    world.write("hand", "typed");
    let step = tree(&mut store, Moment::Before(Box::new(command("make b")))).unwrap();
    world.write("b", "made");
    tree(&mut store, Moment::After(step, ran()));
    let steps = store.steps(&StepFilter::default()).unwrap();
    let actors: Vec<Actor> = steps.iter().map(|step| step.actor).collect();
    assert_eq!(actors, [Actor::Agent, Actor::ByHand]);
    assert_eq!(names(&store, steps[0].number), ["b"]);
    assert_eq!(names(&store, steps[1].number), ["hand"]);
    assert_eq!((steps[0].ending, steps[0].files), (Ending::Ran, 1));
}

#[test]
fn a_step_that_changes_nothing_is_a_row_and_no_checkpoint() {
    let world = World::new();
    let mut store = world.open();
    world.write("a", "1");
    tree(&mut store, Moment::Between);
    let before = store.stats().unwrap().turns;
    for _ in 0..5 {
        let step = tree(&mut store, Moment::Before(Box::new(command("true")))).unwrap();
        tree(&mut store, Moment::After(step, ran()));
    }
    assert_eq!(store.stats().unwrap().turns, before);
    assert_eq!(store.steps(&StepFilter::default()).unwrap().len(), 5);
}

#[test]
fn overlapping_steps_are_split_by_what_they_name_and_share_what_cannot_be_split() {
    let world = World::new();
    let mut store = world.open();
    world.write("a", "1");
    tree(&mut store, Moment::Between);
    let mut edit = command("edit a");
    edit.claims = Claims::Named(vec![world.path("a")]);
    let edit = tree(&mut store, Moment::Before(Box::new(edit))).unwrap();
    let one = tree(&mut store, Moment::Before(Box::new(command("one")))).unwrap();
    let two = tree(&mut store, Moment::Before(Box::new(command("two")))).unwrap();
    world.write("a", "2");
    world.write("b", "2");
    tree(&mut store, Moment::After(one, ran()));
    assert_eq!(names(&store, edit), ["a"]);
    assert_eq!(names(&store, one), ["b"]);
    assert_eq!(store.changes_of(one).unwrap()[0].shared, [one, two]);
    assert_eq!(names(&store, two), ["b"]);
}

#[test]
fn a_session_that_goes_on_cuts_off_what_it_never_ended() {
    let world = World::new();
    let mut store = world.open();
    tree(&mut store, Moment::Between);
    let step = tree(&mut store, Moment::Before(Box::new(command("sleep")))).unwrap();
    assert_eq!(store.running_step("one", None, None, "Bash", None).unwrap(), Some(step));
    assert_eq!(store.cut_off_steps("one").unwrap(), 1);
    assert_eq!(store.step(step).unwrap().unwrap().ending, Ending::CutOff);
    assert_eq!(store.running_step("one", None, None, "Bash", None).unwrap(), None);
}

#[test]
fn a_call_that_ends_after_all_was_not_cut_off() {
    let world = World::new();
    let mut store = world.open();
    tree(&mut store, Moment::Between);
    let mut long = command("long");
    long.call_id = Some("c1".to_owned());
    let long = tree(&mut store, Moment::Before(Box::new(long))).unwrap();
    store.cut_off_steps("one").unwrap();
    assert_eq!(store.running_step("one", None, Some("c2"), "Bash", None).unwrap(), None);
    assert_eq!(store.running_step("one", None, Some("c1"), "Bash", None).unwrap(), Some(long));
    tree(&mut store, Moment::After(long, ran()));
    assert_eq!(store.step(long).unwrap().unwrap().ending, Ending::Ran);
}

#[test]
fn who_does_one_thing_after_the_other_has_ended_the_one_before() {
    let world = World::new();
    let mut store = world.open();
    tree(&mut store, Moment::Between);
    let mut helper = command("a sub-agent");
    helper.agent = Some("helper".to_owned());
    let helper = tree(&mut store, Moment::Before(Box::new(helper))).unwrap();
    let first = tree(&mut store, Moment::Before(Box::new(command("one")))).unwrap();
    let mut second = command("two");
    second.claims = Claims::Named(vec![world.path("b")]);
    let second = tree(&mut store, Moment::Before(Box::new(second))).unwrap();
    assert_eq!(store.cut_off_earlier("one", None, second).unwrap(), 1);
    let ending = |step| store.step(step).unwrap().unwrap().ending;
    assert_eq!(
        [ending(helper), ending(first), ending(second)],
        [Ending::Running, Ending::CutOff, Ending::Running]
    );
    assert_eq!(store.claims_of(second).unwrap(), Claims::Named(vec![world.path("b")]));
    assert_eq!(store.claims_of(helper).unwrap(), Claims::Anywhere);
}
