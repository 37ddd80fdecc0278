//! What is kept, for how long, and what goes first (T5, S6).

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use crate::story::{DAY, HOUR, Story, noise, save};
use crate::world::World;
use vib_store::{
    Actor, CheckpointKind, Claims, Ending, Moment, NewStep, Outcome, Silent, SnapshotRequest, StepFilter,
    Store,
};

/// States of agents in a day.
const A_DAY: u64 = 3;

fn clean(store: &mut Store<'_>) -> vib_store::GcReport {
    let lock = store.lock_tree("test").unwrap();
    store.gc(&lock, None, &Silent).unwrap()
}

/// The deleted file, from the checkpoint that has it.
fn precious(store: &Store<'_>, story: &Story) -> Option<Vec<u8>> {
    let checkpoint = store.checkpoint(story.holds_precious).unwrap().filter(|one| !one.expired)?;
    let mut found = None;
    store
        .each_entry(&checkpoint, |path, entry| {
            if path.to_string() == "precious.txt" {
                found = Some(store.content(&entry.hash)?);
            }
            Ok(())
        })
        .unwrap();
    found
}

#[test]
fn old_states_are_thinned_and_the_last_copy_of_a_deleted_file_stays_t5() {
    let world = World::new();
    let mut store = world.open();
    let story = Story::live(&world, &mut store, 200, A_DAY, 40);
    clean(&mut store);
    let (newest, per_day) = (story.agents.len(), usize::try_from(A_DAY).unwrap());
    // The last thirty days are whole; before that a day is one state, and long ago a week.
    let recent = &story.agents[newest - 29 * per_day..];
    assert_eq!(Story::kept(&store, recent).len(), recent.len());
    let daily = &story.agents[newest - 120 * per_day..newest - 40 * per_day];
    let kept = Story::kept(&store, daily).len();
    assert!((78..=81).contains(&kept), "{kept} of {} days", daily.len() / per_day);
    let weekly = &story.agents[..newest - 135 * per_day];
    let kept = Story::kept(&store, weekly).len();
    assert!((8..=12).contains(&kept), "{kept} of {}", weekly.len());
    for whole in [&story.persons, &story.pinned] {
        assert_eq!(&Story::kept(&store, whole), whole);
    }
    assert_eq!(precious(&store, &story).unwrap(), b"written once, by a person\n");
    assert_eq!(store.gone(5).unwrap().files, 0);
    assert!(store.check(&Silent).unwrap().is_clean());
    // A second run finds nothing to do.
    assert_eq!(clean(&mut store).expired, 0);
}

#[test]
fn what_goes_at_the_size_cap_goes_in_the_stated_order_and_is_said_s6() {
    let world = World::with_settings("[retention]\nmax_store_size = '1600KB'\ndays = 0\n");
    let mut store = world.open();
    let story = Story::live(&world, &mut store, 90, 4, 20_000);
    let report = clean(&mut store);
    assert!(!report.over_limit && report.expired > 300, "{report:?}");
    // Agents' states go, the oldest first; nothing else had to.
    let agents = Story::kept(&store, &story.agents);
    assert!(agents.len() > 1 && agents.len() < story.agents.len());
    assert_eq!(agents, story.agents[story.agents.len() - agents.len()..], "the oldest first");
    for whole in [&story.safety, &story.commits, &story.persons, &story.pinned] {
        assert_eq!(&Story::kept(&store, whole), whole);
    }
    assert!(precious(&store, &story).is_some());
    assert_eq!(store.gone(5).unwrap().files, 0);
    assert!(store.check(&Silent).unwrap().is_clean());
}

#[test]
fn under_a_tighter_cap_safety_ones_follow_then_commits_then_last_copies_s6() {
    let mut counts = Vec::new();
    for cap in [2000, 1000, 920, 800, 700, 500] {
        let world = World::with_settings(&format!("[retention]\nmax_store_size = '{cap}KB'\ndays = 0\n"));
        let mut store = world.open();
        let story = Story::live(&world, &mut store, 90, 1, 20_000);
        let report = clean(&mut store);
        let kept = |these: &[i64]| Story::kept(&store, these).len();
        // The newest of each kind stays, whatever the size.
        let (agents, safety, commits) =
            (kept(&story.agents) - 1, kept(&story.safety) - 1, kept(&story.commits) - 1);
        assert!(safety == story.safety.len() - 1 || agents == 0, "{cap}: {agents} {safety} {commits}");
        assert!(commits == story.commits.len() - 1 || safety == 0, "{cap}: {agents} {safety} {commits}");
        let there = precious(&store, &story);
        assert!(there.is_some() || commits == 0, "{cap}: the last copy goes last");
        let gone = store.gone(5).unwrap();
        assert_eq!(gone.files > 0, there.is_none(), "{cap}: {gone:?}");
        if gone.files > 0 {
            assert_eq!((gone.newest[0].path.as_str(), report.gone), ("precious.txt", 1));
        }
        for whole in [&story.persons, &story.pinned] {
            assert_eq!(&Story::kept(&store, whole), whole, "{cap}");
        }
        assert!(store.check(&Silent).unwrap().is_clean());
        counts.push((agents, safety, commits, there.is_some()));
    }
    assert!(counts.iter().any(|(agents, ..)| *agents > 0), "{counts:?}");
    assert!(counts.iter().any(|(_, safety, ..)| (1..8).contains(safety)), "{counts:?}");
    assert!(!counts.last().unwrap().3, "the tightest one reached the last copy: {counts:?}");
}

#[test]
fn what_an_agent_saves_never_pushes_out_what_a_person_saved_s6() {
    let world = World::with_settings("[retention]\nmanual = 3\nturns = 5\n");
    let mut store = world.open();
    world.write("a", "a person's\n");
    let mine = save(&mut store, CheckpointKind::Manual, false);
    for number in 0..105 {
        world.write("a", &format!("{number}\n"));
        save(&mut store, CheckpointKind::Manual, true);
    }
    let mine = store.checkpoint(mine).unwrap().unwrap();
    assert!(!mine.expired && !mine.by_agent);
    let kept = store.history(&vib_store::HistoryFilter::default()).unwrap();
    assert_eq!(kept.iter().filter(|one| one.by_agent).count(), 5, "they count as an agent's states");
}

fn look(store: &mut Store<'_>, moment: Moment) -> (i64, Option<vib_store::StepNumber>) {
    let lock = store.lock_tree("test").unwrap();
    let request = SnapshotRequest { moment, ..SnapshotRequest::new(CheckpointKind::Turn) };
    let saved = store.snapshot_tree(&lock, &request, &[], &Silent).unwrap();
    (saved.checkpoint.seq, saved.step)
}

#[test]
fn content_that_a_step_names_is_kept_with_it_and_says_when_it_went_t5() {
    let world = World::new();
    let mut store = world.open();
    world.write("a", "first\n");
    look(&mut store, Moment::Between);
    let mut step = NewStep::of(Actor::Agent);
    (step.session, step.claims) = (Some("s".to_owned()), Claims::Anywhere);
    world.set_clock(HOUR / 3);
    world.write("a", "second\n");
    let (_, step) = look(&mut store, Moment::Before(Box::new(step)));
    world.set_clock(HOUR / 2);
    world.write("a", "third\n");
    look(&mut store, Moment::After(step.unwrap(), Outcome::of(Ending::Ran)));
    for day in 1..40 {
        world.set_clock(day * DAY);
        world.write("a", &format!("day {day}\n"));
        look(&mut store, Moment::Between);
    }
    clean(&mut store);
    let change = store.changes_of(step.unwrap()).unwrap().remove(0);
    assert!(!change.expired, "of its hour it is the newest state");
    let second = change.before.unwrap().hash;
    // No kept checkpoint sees it, but the step that replaced it is kept, and with it the way back.
    assert_eq!(store.content(&second).unwrap(), b"second\n");
    assert!(store.check(&Silent).unwrap().is_clean());

    world.set_clock(80 * DAY);
    for number in 0..3 {
        world.write("a", &format!("again {number}\n"));
        look(&mut store, Moment::Between);
    }
    // In the same day as the step, and later than it.
    clean(&mut store);
    let change = store.changes_of(step.unwrap()).unwrap().remove(0);
    assert!(!change.expired);
    world.set_clock(300 * DAY);
    world.write("a", "much later\n");
    look(&mut store, Moment::Between);
    clean(&mut store);
    assert_eq!(store.content(&second).unwrap_err().code(), "snapshot_expired");
    assert!(store.check(&Silent).unwrap().is_clean());
    assert!(store.steps(&StepFilter::default()).unwrap().iter().all(|one| one.number != step.unwrap()));
}

#[test]
fn a_large_file_that_only_a_step_names_keeps_its_chunks() {
    let world = World::new();
    let mut store = world.open();
    let large = noise(5, 9 << 20);
    std::fs::write(world.root().join("large"), &large).unwrap();
    look(&mut store, Moment::Between);
    world.set_clock(HOUR / 2);
    world.write("large", "small now\n");
    let found = look(&mut store, Moment::Between).0;
    world.set_clock(33 * DAY);
    world.write("other", "x\n");
    look(&mut store, Moment::Between);
    clean(&mut store);
    let changes = store.changes_since(found - 1).unwrap();
    let was = changes.iter().find(|change| change.path.to_string() == "large").unwrap().before.unwrap();
    assert!(store.content(&was.hash).unwrap() == large);
    assert!(store.check(&Silent).unwrap().is_clean());
}

#[test]
fn a_look_at_a_file_after_a_thinned_one_does_not_say_that_it_was_not_there() {
    let world = World::new();
    let mut store = world.open();
    world.write("a", "1\n");
    look(&mut store, Moment::Between);
    let path = [world.path("a")];
    let named = |store: &mut Store<'_>, trigger: &str, moment: Moment| {
        let mut request = SnapshotRequest { moment, ..SnapshotRequest::new(CheckpointKind::Turn) };
        request.origin.trigger = Some(trigger.to_owned());
        let saved = store.snapshot_paths(&request, &path).unwrap();
        (saved.checkpoint, saved.step)
    };
    // Of this hour only the look at a file is left that is pinned, and the look after a step.
    world.write("a", "2\n");
    let (kept, _) = named(&mut store, "cli", Moment::Between);
    store.set_pinned(&kept, true).unwrap();
    world.write("a", "3\n");
    let (_, step) = named(&mut store, "tool", Moment::Before(Box::new(NewStep::of(Actor::Agent))));
    world.write("a", "4\n");
    let (after, _) = named(&mut store, "after", Moment::After(step.unwrap(), Outcome::of(Ending::Ran)));
    store.set_pinned(&after, true).unwrap();
    world.set_clock(50 * DAY);
    world.write("b", "later\n");
    look(&mut store, Moment::Between);
    clean(&mut store);
    let now = store.working_tree(&Silent).unwrap().view;
    let plan = store.plan(&kept, &now, &[]).unwrap();
    assert!(
        plan.changes.iter().all(|change| change.after.is_some() || change.path.to_string() != "a"),
        "{plan:?}"
    );
}
