//! 500 random `kill -9` while saving, restoring and cleaning up: nothing is lost, the store is whole after each (CP4, CP8)

use std::time::{Duration, Instant};

use testkit::{Photo, Sandbox, tree};

use super::{Dice, sandbox};

/// Kills commands at random moments of their run, however fast the machine is today.
pub(super) struct Killer {
    pub(super) dice: Dice,
    /// How long the command takes when it is left alone; none: not seen yet.
    whole: Option<Duration>,
    killed: u32,
    left_alone: u32,
}

impl Killer {
    pub(super) fn new(seed: u64) -> Self {
        Self { dice: Dice(seed), whole: None, killed: 0, left_alone: 0 }
    }

    pub(super) fn run(&mut self, project: &Sandbox, arguments: &[&str]) {
        self.run_command(&mut project.command(arguments));
    }

    /// Runs a prepared command, and kills it at a random moment.
    pub(super) fn run_command(&mut self, command: &mut std::process::Command) {
        let begin = Instant::now();
        let mut child = command
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("vib starts");
        let part = u32::try_from(self.dice.roll(1000)).expect("small");
        let moment = self.whole.map(|whole| begin + whole * part / 1000);
        loop {
            if child.try_wait().expect("vib can be waited for").is_some() {
                self.whole = Some(begin.elapsed());
                self.left_alone += 1;
                return;
            }
            // The first one runs to its end: then it is known how long that takes.
            let Some(moment) = moment else {
                std::thread::sleep(Duration::from_micros(300));
                continue;
            };
            let Some(left) = moment.checked_duration_since(Instant::now()) else { break };
            std::thread::sleep(left.min(Duration::from_micros(300)));
        }
        let _ = child.kill();
        match child.wait().expect("vib ends").code() {
            None => self.killed += 1,
            Some(_) => self.left_alone += 1,
        }
        // A machine that got slower would otherwise never reach the end of a command.
        self.whole = self.whole.map(|whole| whole + whole / 50);
    }

    /// True until enough were killed; a machine on which none can be caught fails the test.
    pub(super) fn wants_more(&self, kills: u32) -> bool {
        assert!(
            self.left_alone < kills * 10,
            "only {} of {} were killed in the middle",
            self.killed,
            self.left_alone
        );
        self.killed < kills
    }
}

#[track_caller]
pub(super) fn assert_whole(project: &Sandbox, round: u64) {
    let output = project.vib(&["store", "check", "--json"]);
    assert_eq!(output.code, 0, "round {round}: {}\n{}", output.stdout, output.stderr);
}

#[test]
fn killed_while_saving() {
    let project = sandbox().with_real_clock();
    tree::many(&project.root(), 400);
    let first = project.data(&["checkpoint", "--pin"])["checkpoint"]["id"].as_str().unwrap().to_owned();
    let good = Photo::of(&project.root());
    let mut killer = Killer::new(0x5eed_0001);
    let mut round = 0;
    while killer.wants_more(200) {
        for _ in 0..20 {
            let number = killer.dice.roll(400);
            let path = format!("pkg0/mod{}/f{number}.rs", (number / 40) % 40);
            project.write(&path, format!("round {round} {number}"));
        }
        killer.run(&project, &["checkpoint", "-m", "killed"]);
        assert_whole(&project, round);
        round += 1;
    }
    // What was saved before all that is still there, exactly.
    project.vib(&["undo", &first, "--yes"]).ok();
    Photo::of(&project.root()).assert_same(&good);
}

#[test]
fn killed_while_restoring() {
    let project = sandbox().with_real_clock();
    tree::many(&project.root(), 120);
    let one = project.checkpoint("one");
    let state_one = Photo::of(&project.root());
    project.shell(
        "find . -name '*.rs' | head -90 | while read f; do echo changed > $f; done; rm -rf pkg0/mod1; mkdir new; \
         echo n > new/n",
    );
    let two = project.checkpoint("two");
    let state_two = Photo::of(&project.root());
    let mut killer = Killer::new(0x5eed_0002);
    let mut round = 0;
    while killer.wants_more(200) {
        let target = if Photo::of(&project.root()) == state_one { &two } else { &one };
        killer.run(&project, &["undo", target, "--yes"]);
        // The next command finishes what was begun; then the undo has happened as a whole, or not at all.
        project.vib(&["history", "-n", "1"]).ok();
        let now = Photo::of(&project.root());
        assert!(now == state_one || now == state_two, "round {round}: a mixture of two states");
        assert_whole(&project, round);
        round += 1;
    }
    for (id, state) in [(&one, &state_one), (&two, &state_two)] {
        let _ = project.vib(&["undo", id, "--yes"]);
        Photo::of(&project.root()).assert_same(state);
    }
}

#[test]
fn killed_while_cleaning_up() {
    let project = sandbox().with_real_clock();
    tree::many(&project.root(), 60);
    project.vib(&["config", "set", "retention.manual", "3"]).ok();
    let pinned = project.data(&["checkpoint", "--pin"])["checkpoint"]["id"].as_str().unwrap().to_owned();
    let good = Photo::of(&project.root());
    let mut killer = Killer::new(0x5eed_0003);
    let mut round = 0;
    while killer.wants_more(100) {
        for number in 0..30 {
            let text = format!("{round} {number} {}", killer.dice.roll(u64::MAX)).repeat(40);
            project.write(&format!("pkg0/mod0/f{number}.rs"), text);
        }
        project.vib(&["checkpoint"]).ok();
        killer.run(&project, &["store", "gc"]);
        assert_whole(&project, round);
        round += 1;
    }
    project.vib(&["store", "gc"]).ok();
    let packs = std::fs::read_dir(project.store().join("packs")).unwrap().flatten();
    let strays: Vec<_> =
        packs.filter(|pack| pack.file_name().to_string_lossy().starts_with("new-")).collect();
    assert!(strays.is_empty(), "{strays:?}");
    project.vib(&["undo", &pinned, "--yes"]).ok();
    Photo::of(&project.root()).assert_same(&good);
}

#[test]
fn killed_while_saving_for_the_first_time() {
    let mut killer = Killer::new(0x5eed_0004);
    let mut round = 0;
    while killer.wants_more(20) {
        let project = sandbox().with_real_clock();
        tree::many(&project.root(), 100);
        killer.run(&project, &["checkpoint"]);
        project.vib(&["checkpoint", "-m", "after"]).ok();
        assert_whole(&project, round);
        let good = Photo::of(&project.root());
        project.shell("rm -rf pkg0");
        project.vib(&["undo", "--yes"]).ok();
        Photo::of(&project.root()).assert_same(&good);
        round += 1;
    }
}
