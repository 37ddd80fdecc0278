//! The stat index belongs to one database; content without an index is damage (S10).

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use crate::world::World;
use vib_store::{CheckpointKind, Silent, SnapshotRequest, Store};

fn save(store: &mut Store<'_>) -> vib_store::Checkpoint {
    let lock = store.lock_tree("test").unwrap();
    store
        .snapshot_tree(&lock, &SnapshotRequest::new(CheckpointKind::Manual), &[], &Silent)
        .unwrap()
        .checkpoint
}

/// What a checkpoint has at this path.
fn content(store: &Store<'_>, checkpoint: &vib_store::Checkpoint, name: &str) -> Option<String> {
    let mut found = None;
    store
        .each_entry(checkpoint, |path, entry| {
            if path.to_string() == name {
                found = Some(String::from_utf8(store.content(&entry.hash)?).unwrap());
            }
            Ok(())
        })
        .unwrap();
    found
}

/// Puts an earlier copy of the index in its place, as a person with a backup of their disk would.
fn roll_back(world: &World) {
    for side in ["store.db-wal", "store.db-shm"] {
        let _ = std::fs::remove_file(world.state().join(side));
    }
    std::fs::copy(world.state().join("store.db.backup"), world.state().join("store.db")).unwrap();
}

#[test]
fn after_the_database_was_rolled_back_saved_means_saved_s10() {
    let world = World::new();
    world.write("a", "old\n");
    {
        let mut store = world.open();
        save(&mut store);
        let lock = store.lock_tree("test").unwrap();
        store.gc(&lock, None, &Silent).unwrap();
    }
    // Long enough ago that times prove something.
    std::thread::sleep(std::time::Duration::from_millis(60));
    world.write("b", "new\n");
    save(&mut world.open());
    std::thread::sleep(std::time::Duration::from_millis(60));
    save(&mut world.open());
    roll_back(&world);
    let mut store = world.open();
    // Looks by name bring the numbers past the one that the stat index has.
    for number in 0..4 {
        world.write("c", &format!("{number}\n"));
        let request = SnapshotRequest::new(CheckpointKind::Turn);
        store.snapshot_paths(&request, &[world.path("c")]).unwrap();
    }
    let saved = save(&mut store);
    assert_eq!(content(&store, &saved, "b").as_deref(), Some("new\n"));
    assert_eq!(content(&store, &saved, "a").as_deref(), Some("old\n"));
}

#[test]
fn beside_another_database_the_stat_index_counts_for_nothing_s10() {
    let (world, other) = (World::new(), World::new());
    for one in [&world, &other] {
        one.write("a", "the same\n");
        save(&mut one.open());
        std::thread::sleep(std::time::Duration::from_millis(60));
        save(&mut one.open());
    }
    world.write("b", "here only\n");
    save(&mut world.open());
    for name in ["store.db", "store.db-wal", "store.db-shm"] {
        let _ = std::fs::remove_file(world.state().join(name));
        let _ = std::fs::copy(other.state().join(name), world.state().join(name));
    }
    let mut store = world.open();
    let saved = save(&mut store);
    assert_eq!(content(&store, &saved, "b").as_deref(), Some("here only\n"));
}

#[test]
fn content_without_an_index_is_damage_and_no_new_beginning_s10() {
    for empty in [false, true] {
        let world = World::new();
        world.write("a", "saved\n");
        save(&mut world.open());
        for side in ["store.db-wal", "store.db-shm", "store.db"] {
            let _ = std::fs::remove_file(world.state().join(side));
        }
        if empty {
            std::fs::write(world.state().join("store.db"), b"").unwrap();
        }
        let error = world.try_open().err().unwrap();
        assert_eq!(error.code(), "damaged_index");
        assert!(error.next().contains("--repair"));
        let words = world.rebuild().unwrap();
        assert!(words.contains("no backup copy") && words.contains("1 pieces"), "{words}");
        save(&mut world.open());
    }
}

#[test]
fn a_lost_index_comes_back_from_its_copy_s10() {
    let world = World::new();
    world.write("a", "saved\n");
    let id = {
        let mut store = world.open();
        let saved = save(&mut store);
        let lock = store.lock_tree("test").unwrap();
        store.gc(&lock, None, &Silent).unwrap();
        saved.id.to_string()
    };
    for side in ["store.db-wal", "store.db-shm", "store.db"] {
        let _ = std::fs::remove_file(world.state().join(side));
    }
    assert!(world.rebuild().unwrap().contains("came back from the backup copy"));
    let store = world.open();
    let checkpoint = store.resolve(&id).unwrap();
    assert_eq!(content(&store, &checkpoint, "a").as_deref(), Some("saved\n"));
}
