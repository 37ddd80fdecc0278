//! A store of the first version under this program: nothing is lost, and what happened is told as steps (A9).

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::collections::BTreeMap;

use crate::world::World;
use testkit::old_store::{Files, OldStore};
use vib_store::{Account, Actor, Ending, EntryKind, Silent, Step, StepFilter, Store};

fn old_world() -> (World, OldStore) {
    let world = World::new();
    let old = OldStore::read();
    old.install(world.root(), world.state());
    (world, old)
}

fn saved(store: &Store<'_>, id: &str) -> Files {
    let mut files = BTreeMap::new();
    let checkpoint = store.resolve(id).unwrap();
    store
        .each_entry(&checkpoint, |path, entry| {
            if entry.kind == EntryKind::File {
                files.insert(path.to_string(), String::from_utf8(store.content(&entry.hash)?).unwrap());
            }
            Ok(())
        })
        .unwrap();
    files
}

fn on_disk(world: &World) -> Files {
    fn collect(root: &std::path::Path, folder: &std::path::Path, out: &mut Files) {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                if entry.file_name() != ".vibelign" {
                    collect(root, &path, out);
                }
            } else if path.extension().is_none_or(|end| end != "log") {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
                out.insert(name, std::fs::read_to_string(&path).unwrap());
            }
        }
    }
    let mut out = BTreeMap::new();
    collect(world.root(), world.root(), &mut out);
    out
}

#[test]
fn every_state_of_an_old_store_is_there_to_the_byte_a9() {
    let (world, old) = old_world();
    let store = world.open();
    assert!(old.checkpoints.len() > 10);
    for (id, files) in &old.checkpoints {
        assert_eq!(&saved(&store, id), files, "{id}");
    }
    let report = store.check(&Silent).unwrap();
    assert!(report.is_clean(), "{report:?}");
    assert!(world.state().join("store.db.v1").is_file(), "the index of before stays beside the new one");
}

#[test]
fn an_old_store_goes_back_to_any_of_its_states_a9() {
    let (world, old) = old_world();
    let mut store = world.open();
    for (id, files) in old.checkpoints.iter().rev().chain(&old.checkpoints) {
        let target = store.resolve(id).unwrap();
        let now = store.working_tree(&Silent).unwrap().view;
        let plan = store.plan(&target, &now, &[]).unwrap();
        if !plan.is_empty() {
            let lock = store.lock_tree("test").unwrap();
            let safety = store.safety_checkpoint(&lock, &plan, "test".to_owned(), &Silent).unwrap();
            store.restore(&plan, safety, &Account::of("undo"), &Silent).unwrap();
        }
        assert_eq!(&on_disk(&world), files, "{id}");
    }
    assert!(store.check(&Silent).unwrap().is_clean());
}

/// One line for each step, the oldest first.
fn told(store: &Store<'_>, step: &Step) -> String {
    let request = step.request.and_then(|number| store.request(number).unwrap()).and_then(|one| one.prompt);
    let changes = store.changes_of(step.number).unwrap();
    let paths: Vec<String> = changes
        .iter()
        .map(|change| {
            let mark = match (&change.before, &change.after) {
                (None, _) => "+",
                (_, None) => "-",
                _ => "~",
            };
            let undone = if change.undone_by.is_some() { "(undone)" } else { "" };
            format!("{mark}{}{undone}", change.path)
        })
        .collect();
    let who = match step.actor {
        Actor::Agent => format!(
            "{}{}",
            step.client.as_deref().unwrap_or("?"),
            step.agent.as_ref().map(|agent| format!("/{agent}")).unwrap_or_default()
        ),
        Actor::ByHand => "by hand".to_owned(),
        Actor::Vib => "vib".to_owned(),
    };
    format!(
        "{} {} {} [{}] {}",
        step.number,
        who,
        step.tool.as_deref().unwrap_or("-"),
        request.as_deref().unwrap_or("-"),
        paths.join(" ")
    )
}

#[test]
fn rows_of_an_old_store_are_read_as_steps_a9() {
    let (world, _) = old_world();
    let store = world.open();
    let mut steps = store.steps(&StepFilter::default()).unwrap();
    steps.reverse();
    assert!(
        steps.iter().filter(|step| step.actor == Actor::Agent).all(|step| step.ending == Ending::Unknown)
    );
    let lines: Vec<String> = steps.iter().map(|step| told(&store, step)).collect();
    let want = [
        "s1 claude-code Write [add a price to the cart] ~src/cart.js",
        "s2 claude-code Write [add a price to the cart] +src/price.js",
        "s3 claude-code Bash [add a price to the cart] +out +out/app.js -src/login.js",
        "s4 claude-code/a66e Bash [add a price to the cart] +sub.txt",
        "s5 claude-code/a66e Write [add a price to the cart] +src/sub.js",
        "s6 by hand - [-] +hand.txt",
        "s7 codex apply_patch [tidy up] +tidy.txt",
        "s8 codex Bash [tidy up] -hand.txt",
        "s9 codex Bash [tidy up] ~src/cart.js(undone)",
        "s10 vib undo [-] ~src/cart.js",
        "s11 vib patch [-] ~README.md",
        "s12 claude-code Bash [what is in the cart?] -src -src/cart.js -src/price.js -src/sub.js",
        // Nobody looked at what the recovery brought back.
        "s13 vib undo [-] ",
    ];
    assert_eq!(lines, want);
}

#[test]
fn a_migrated_store_goes_on_like_any_other_a9() {
    let (world, _) = old_world();
    let before = world.open().change_counter().unwrap();
    let mut store = world.open();
    world.write("later.txt", "later\n");
    let lock = store.lock_tree("test").unwrap();
    let request = vib_store::SnapshotRequest::new(vib_store::CheckpointKind::Manual);
    let saved = store.snapshot_tree(&lock, &request, &[], &Silent).unwrap();
    assert_eq!((saved.checkpoint.seq, saved.files_changed > 0), (before + 1, true));
    // The recovery was the last thing that old vib did: what it brought back was not looked at until now.
    let newest = store.steps(&StepFilter { limit: 1, ..StepFilter::default() }).unwrap();
    assert_eq!(newest[0].actor, Actor::ByHand);
    assert!(store.check(&Silent).unwrap().is_clean());
}
