//! What was kept and vanished is noticed, and not covered up by the next save (S6).

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use crate::world::World;
use vib_store::{CheckpointKind, Missing, Silent, SnapshotRequest, Store};

fn save(store: &mut Store<'_>) -> String {
    let lock = store.lock_tree("test").unwrap();
    let request = SnapshotRequest::new(CheckpointKind::Manual);
    store.snapshot_tree(&lock, &request, &[], &Silent).unwrap().checkpoint.id.to_string()
}

fn repair(world: &World) -> vib_store::CheckReport {
    let mut store = world.open();
    let lock = store.lock_tree("test").unwrap();
    store.repair(&lock, &Silent).unwrap()
}

#[test]
fn an_erased_store_is_noticed_until_a_person_has_heard_of_it_s6() {
    let world = World::new();
    world.write("a", "1\n");
    let newest = {
        let mut store = world.open();
        save(&mut store);
        world.write("a", "2\n");
        let request = SnapshotRequest::new(CheckpointKind::Turn);
        let saved = store.snapshot_paths(&request, &[world.path("a")]).unwrap();
        assert_eq!(store.lost().unwrap(), None);
        saved.checkpoint.id.to_string()
    };
    std::fs::remove_dir_all(world.state()).unwrap();
    let mut store = world.open();
    let lost = store.lost().unwrap().unwrap();
    assert_eq!(
        (lost.what, lost.kept, lost.newest.as_str(), lost.left),
        (Missing::Checkpoints, 2, &*newest, 0)
    );
    save(&mut store);
    drop(store);
    assert!(world.open().lost().unwrap().is_some(), "the next save does not cover it up");
    let report = repair(&world);
    assert_eq!(report.repair.unwrap().checkpoints_lost.unwrap().newest, newest);
    let mut store = world.open();
    assert_eq!(store.lost().unwrap(), None);
    save(&mut store);
    assert_eq!(store.lost().unwrap(), None);
}

#[test]
fn truncated_content_is_noticed_s6() {
    let world = World::new();
    world.write("a", "1\n");
    save(&mut world.open());
    let pack = world.state().join("packs/000001.pack");
    let whole = std::fs::read(&pack).unwrap();
    std::fs::write(&pack, b"").unwrap();
    let lost = world.open().lost().unwrap().unwrap();
    assert_eq!((lost.what, lost.kept, lost.left), (Missing::Content, 1, 1));
    world.write("b", "2\n");
    save(&mut world.open());
    assert!(world.open().lost().unwrap().is_some(), "the next save does not cover it up");
    std::fs::write(&pack, whole).unwrap();
    assert_eq!(world.open().lost().unwrap(), None);
    std::fs::remove_file(&pack).unwrap();
    assert!(world.open().lost().unwrap().is_some());
    // What the project still has is stored again.
    assert_eq!(repair(&world).repair.unwrap().healed, 1);
    assert_eq!(world.open().lost().unwrap(), None);
}

#[test]
fn what_retention_lets_go_is_no_loss_s6() {
    let world = World::with_settings("[retention]\nmanual = 2\n");
    let mut store = world.open();
    for number in 0..6 {
        world.write("a", &format!("{number}\n"));
        save(&mut store);
        assert_eq!(store.lost().unwrap(), None);
    }
    let lock = store.lock_tree("test").unwrap();
    store.gc(&lock, None, &Silent).unwrap();
    drop(lock);
    assert_eq!(store.lost().unwrap(), None);
}

#[test]
fn a_store_without_a_record_has_lost_nothing() {
    let world = World::new();
    world.write("a", "1\n");
    save(&mut world.open());
    std::fs::remove_file(world.record()).unwrap();
    assert_eq!(world.open().lost().unwrap(), None);
    std::fs::write(world.record(), b"rubbish").unwrap();
    assert_eq!(world.open().lost().unwrap(), None);
}
