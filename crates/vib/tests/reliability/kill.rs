//! 500 random `kill -9` while saving, restoring and cleaning up: nothing is lost, the store is whole after each (CP4, CP8)

use std::time::Duration;

use testkit::{Photo, Sandbox, tree};

use super::{Dice, sandbox};

/// Runs a command and kills it after a random time, which may be after its end.
fn run_and_kill(project: &Sandbox, arguments: &[&str], dice: &mut Dice, longest_us: u64) -> bool {
    let mut child = project
        .command(arguments)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("vib starts");
    std::thread::sleep(Duration::from_micros(dice.roll(longest_us)));
    let killed = child.kill().is_ok();
    let status = child.wait().expect("vib ends");
    killed && status.code().is_none()
}

/// How long a command takes when nobody kills it, in microseconds.
fn duration_of(project: &Sandbox, arguments: &[&str]) -> u64 {
    let begin = std::time::Instant::now();
    project.vib(arguments);
    u64::try_from(begin.elapsed().as_micros())
        .unwrap_or(100_000)
        .max(2_000)
}

#[track_caller]
fn assert_whole(project: &Sandbox, round: u64) {
    let output = project.vib(&["store", "check", "--json"]);
    assert_eq!(
        output.code, 0,
        "round {round}: {}\n{}",
        output.stdout, output.stderr
    );
}

#[test]
fn killed_while_saving() {
    let project = sandbox().with_real_clock();
    tree::many(&project.root(), 400);
    let first = project.checkpoint("first");
    let good = Photo::of(&project.root());
    let mut dice = Dice(0x5eed_0001);
    let longest = duration_of(&project, &["checkpoint"]) * 3 / 2;
    let mut killed = 0;
    for round in 0..200 {
        for _ in 0..20 {
            let number = dice.roll(400);
            project.write(
                &format!("pkg0/mod{}/f{number}.rs", (number / 40) % 40),
                format!("round {round} {number}"),
            );
        }
        killed += u32::from(run_and_kill(
            &project,
            &["checkpoint", "-m", "killed"],
            &mut dice,
            longest,
        ));
        if round % 5 == 0 {
            assert_whole(&project, round);
        }
    }
    assert!(killed > 50, "only {killed} were killed in the middle");
    assert_whole(&project, 999);
    // What was saved before all that is still there, exactly.
    project.vib(&["undo", &first, "--yes"]).ok();
    Photo::of(&project.root()).assert_same(&good);
}

#[test]
fn killed_while_restoring() {
    let project = sandbox().with_real_clock();
    tree::many(&project.root(), 200);
    let one = project.checkpoint("one");
    let state_one = Photo::of(&project.root());
    project.shell("find . -name '*.rs' | head -150 | while read f; do echo changed > $f; done; rm -rf pkg0/mod3; mkdir new; echo n > new/n");
    let two = project.checkpoint("two");
    let state_two = Photo::of(&project.root());
    let mut dice = Dice(0x5eed_0002);
    let longest = duration_of(&project, &["undo", &one, "--yes"]) * 5 / 4;
    project.vib(&["undo", &two, "--yes"]).ok();
    let mut killed = 0;
    for round in 0..200 {
        let target = if round % 2 == 0 { &one } else { &two };
        killed += u32::from(run_and_kill(
            &project,
            &["undo", target, "--yes"],
            &mut dice,
            longest,
        ));
        // The next command finishes what was begun; then the undo has happened as a whole, or not at all.
        project.vib(&["history", "-n", "1"]).ok();
        let now = Photo::of(&project.root());
        assert!(
            now == state_one || now == state_two,
            "round {round}: a mixture of two states"
        );
        if round % 10 == 0 {
            assert_whole(&project, round);
        }
    }
    assert!(killed > 50, "only {killed} were killed in the middle");
    assert_whole(&project, 999);
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
    let pinned = project.data(&["checkpoint", "--pin", "-m", "pinned"])["checkpoint"]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let good = Photo::of(&project.root());
    let mut dice = Dice(0x5eed_0003);
    let longest = duration_of(&project, &["store", "gc"]) * 3 / 2;
    for round in 0..100 {
        for number in 0..30 {
            project.write(
                &format!("pkg0/mod0/f{number}.rs"),
                format!("{round} {number} {}", dice.roll(u64::MAX)).repeat(40),
            );
        }
        project.vib(&["checkpoint"]).ok();
        run_and_kill(&project, &["store", "gc"], &mut dice, longest);
        assert_whole(&project, round);
    }
    project.vib(&["store", "gc"]).ok();
    let strays = std::fs::read_dir(project.store().join("packs"))
        .unwrap()
        .flatten();
    let strays: Vec<_> = strays
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("new-"))
        .collect();
    assert!(strays.is_empty(), "{strays:?}");
    project.vib(&["undo", &pinned, "--yes"]).ok();
    Photo::of(&project.root()).assert_same(&good);
}

#[test]
fn killed_while_saving_for_the_first_time() {
    let mut dice = Dice(0x5eed_0004);
    for round in 0..20 {
        let project = sandbox().with_real_clock();
        tree::many(&project.root(), 100);
        run_and_kill(&project, &["checkpoint"], &mut dice, 30_000);
        project.vib(&["checkpoint", "-m", "after"]).ok();
        assert_whole(&project, round);
        let good = Photo::of(&project.root());
        project.shell("rm -rf pkg0");
        project.vib(&["undo", "--yes"]).ok();
        Photo::of(&project.root()).assert_same(&good);
    }
}
