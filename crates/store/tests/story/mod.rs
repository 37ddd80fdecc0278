//! Ninety days in which agents work, people save, and a file is deleted: for the tests of what is kept.

#![allow(
    clippy::unwrap_used,
    dead_code,
    reason = "a test fails where it stands, and not every one needs everything"
)]

use vib_store::{CheckpointKind, Silent, SnapshotRequest, Store};

use crate::world::World;

pub const HOUR: u64 = 3_600_000;
pub const DAY: u64 = 24 * HOUR;

/// Bytes that do not compress.
pub fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut out = Vec::with_capacity(length + 8);
    while out.len() < length {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        out.extend_from_slice(&state.to_le_bytes());
    }
    out.truncate(length);
    out
}

/// Saves the whole tree as this kind.
pub fn save(store: &mut Store<'_>, kind: CheckpointKind, by_agent: bool) -> i64 {
    let lock = store.lock_tree("test").unwrap();
    let request = SnapshotRequest { by_agent, ..SnapshotRequest::new(kind) };
    store.snapshot_tree(&lock, &request, &[], &Silent).unwrap().checkpoint.seq
}

/// What happened, by number of checkpoint.
#[derive(Default)]
pub struct Story {
    pub agents: Vec<i64>,
    pub safety: Vec<i64>,
    pub commits: Vec<i64>,
    pub persons: Vec<i64>,
    pub pinned: Vec<i64>,
    /// The only checkpoint that an agent's hook made while `precious.txt` was there.
    pub holds_precious: i64,
}

impl Story {
    /// Lives through so many days, with so many states of agents a day, each with so many new bytes.
    pub fn live(world: &World, store: &mut Store<'_>, days: u64, a_day: u64, bytes: usize) -> Self {
        let mut story = Self::default();
        world.write("README.md", "a project\n");
        story.persons.push(save(store, CheckpointKind::Manual, false));
        world.write("precious.txt", "written once, by a person\n");
        story.holds_precious = save(store, CheckpointKind::Turn, true);
        std::fs::remove_file(world.root().join("precious.txt")).unwrap();
        for day in 0..days {
            for number in 0..a_day {
                world.set_clock(day * DAY + number * DAY / a_day + 1_000);
                std::fs::write(world.root().join("work.bin"), noise(day * a_day + number + 7, bytes))
                    .unwrap();
                story.agents.push(save(store, CheckpointKind::Turn, true));
            }
            if day % 10 == 3 {
                std::fs::write(world.root().join("work.bin"), noise(day + 100_000, bytes)).unwrap();
                story.safety.push(save(store, CheckpointKind::Safety, false));
                std::fs::write(world.root().join("work.bin"), noise(day + 200_000, bytes)).unwrap();
                story.commits.push(save(store, CheckpointKind::Commit, false));
                std::fs::write(world.root().join("work.bin"), noise(day + 300_000, bytes)).unwrap();
                story.persons.push(save(store, CheckpointKind::Manual, false));
            }
            if day % 30 == 5 {
                std::fs::write(world.root().join("work.bin"), noise(day + 400_000, bytes)).unwrap();
                let seq = save(store, CheckpointKind::Turn, true);
                let checkpoint = store.checkpoint(seq).unwrap().unwrap();
                store.set_pinned(&checkpoint, true).unwrap();
                story.pinned.push(seq);
            }
        }
        story
    }

    /// Of these, those that are kept.
    pub fn kept(store: &Store<'_>, these: &[i64]) -> Vec<i64> {
        these.iter().copied().filter(|seq| !store.checkpoint(*seq).unwrap().unwrap().expired).collect()
    }
}
