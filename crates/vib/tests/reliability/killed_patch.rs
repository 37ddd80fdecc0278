//! A patch of many files that is killed: before or after as a whole, and the next command says which (ED2)

use testkit::{Photo, Sandbox};

use super::kill::{Killer, assert_whole};
use super::sandbox;

const FILES: usize = 24;

/// A project with many files, and the patch that changes all of them and makes, renames and deletes some.
fn project() -> Sandbox {
    let project = sandbox().with_real_clock();
    for number in 0..FILES {
        project.write(&format!("src/part{}/f{number}.txt", number % 4), text(number, "old"));
    }
    let mut patch = String::new();
    for number in 0..FILES {
        let path = format!("src/part{}/f{number}.txt", number % 4);
        let hunk =
            format!("@@ -1,3 +1,3 @@\n first {number}\n-old {number}\n+new {number}\n last {number}\n");
        match number % 6 {
            4 => patch.push_str(&format!(
                "diff --git a/{path} b/moved/{number}.txt\nrename from {path}\nrename to moved/{number}.txt\n--- a/{path}\n+++ b/moved/{number}.txt\n{hunk}"
            )),
            5 => patch.push_str(&format!(
                "--- a/{path}\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-first {number}\n-old {number}\n-last {number}\n"
            )),
            _ => patch.push_str(&format!("--- a/{path}\n+++ b/{path}\n{hunk}")),
        }
    }
    patch.push_str("--- /dev/null\n+++ b/brand/new.txt\n@@ -0,0 +1 @@\n+brand new\n");
    std::fs::write(project.base().join("all.patch"), patch).unwrap();
    project
}

fn text(number: usize, middle: &str) -> String {
    format!("first {number}\n{middle} {number}\nlast {number}\n")
}

#[test]
fn killed_while_patching_many_files() {
    let project = project();
    let before = Photo::of(&project.root());
    let start = project.checkpoint("start");
    project.vib(&["patch", "../all.patch", "--yes"]).ok();
    let after = Photo::of(&project.root());
    assert!(before != after);
    let mut killer = Killer::new(0x5eed_0005);
    let (mut round, mut seen_after) = (0, 0);
    while killer.wants_more(120) {
        let _ = project.vib(&["undo", &start, "--yes"]);
        // An undo removes files; folders that only the patch made go with them.
        assert!(Photo::of(&project.root()) == before, "round {round}: the start is not back");
        killer.run(&project, &["patch", "../all.patch", "--yes"]);
        // The next command finishes what was begun; then all files are patched, or none.
        project.vib(&["history", "-n", "1"]).ok();
        let now = Photo::of(&project.root());
        assert!(now == before || now == after, "round {round}: some files are patched and some are not");
        seen_after += usize::from(now == after);
        assert_whole(&project, round);
        round += 1;
    }
    assert!(seen_after > 0, "no patch was ever finished");
}

#[test]
fn a_patch_that_was_cut_off_is_named_as_one() {
    let project = project();
    let start = project.checkpoint("start");
    let begin = std::time::Instant::now();
    project.vib(&["patch", "../all.patch", "--yes"]).ok();
    let whole = begin.elapsed();
    for part in 1..200 {
        let _ = project.vib(&["undo", &start, "--yes"]);
        let mut child = project
            .command(&["patch", "../all.patch", "--yes"])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(whole * (part % 60) / 60);
        let _ = child.kill();
        child.wait().unwrap();
        let output = project.vib(&["status"]).ok();
        if output.stdout.contains("had been cut off; it is finished now") {
            assert!(output.stdout.contains("a patch had been cut off"), "{}", output.stdout);
            assert_eq!(project.read("src/part0/f0.txt"), text(0, "new"));
            return;
        }
    }
    panic!("no patch was cut off between its journal and its end");
}
