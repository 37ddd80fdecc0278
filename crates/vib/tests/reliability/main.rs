//! What must hold when things go wrong: killed processes, many at once, full disks, read-only folders, odd clocks.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test fails where it stands")]

mod clock;
mod concurrency;
mod disk;
mod interrupted_restore;
mod kill;
mod killed_migration;
mod killed_outside;
mod killed_patch;
mod killed_recall;
mod killed_recovery;
#[cfg(unix)]
mod killed_runs;
mod killed_steps;
mod lanes;
mod long_session;
mod memory_log;
mod planted_link;
#[cfg(unix)]
#[path = "../cli/played_run.rs"]
mod played_run;

use testkit::Sandbox;

fn sandbox() -> Sandbox {
    Sandbox::new(env!("CARGO_BIN_EXE_vib"))
}

/// How many kills a test wants: some in an ordinary run, many with `VIB_KILLS=all` in the environment.
fn kills(some: u32, many: u32) -> u32 {
    if std::env::var_os("VIB_KILLS").is_some_and(|wish| wish == "all") { many } else { some }
}

/// A small deterministic generator; tests print the seed they fail with.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % below
    }
}
