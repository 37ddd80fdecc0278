//! `vib run apply`, `revert` and `drop`, killed at any moment: nothing is half done, nothing is lost, and the next try ends it. (AG2)

use std::path::{Path, PathBuf};
use std::process::Command;

use testkit::{Photo, Sandbox};

use super::kill::{Killer, assert_whole};
use super::played_run::Played;
use super::{kills, sandbox};

const FILES: usize = 16;

fn project() -> Sandbox {
    let project = sandbox().with_real_clock();
    for number in 0..FILES {
        project.write(&format!("src/part{}/f{number}.txt", number % 4), "first\n2\n3\n4\n5\nlast\n");
    }
    project
}

/// The project's files, without vib's own.
fn photo(folder: &Path) -> Photo {
    Photo::of(&folder.join("src"))
}

/// A card changes one line of every file.
fn work(folder: &Path, line: usize, to: &str) {
    for number in 0..FILES {
        let path = folder.join(format!("src/part{}/f{number}.txt", number % 4));
        let text = std::fs::read_to_string(&path).unwrap();
        let lines = text.lines().enumerate();
        let new: String =
            lines.map(|(at, old)| if at == line { format!("{to}\n") } else { format!("{old}\n") }).collect();
        std::fs::write(&path, new).unwrap();
    }
}

/// Two cards, one after another in one lane.
fn played(project: &Sandbox) -> String {
    let mut played = Played::begin(project, &["c1", "c2"]);
    let lane = played.trunk();
    played.by_hand("c1", "a1", &lane, &|folder| {
        work(folder, 0, "by c1");
        std::fs::write(folder.join("src/new.txt"), "new\n").unwrap();
    });
    let diff = |number: usize| {
        let path = format!("src/part{}/f{number}.txt", number % 4);
        format!("--- a/{path}\n+++ b/{path}\n@@ -4,3 +4,3 @@\n 4\n 5\n-last\n+by c2\n")
    };
    let diffs: Vec<String> = (0..FILES).map(diff).collect();
    played.by_diffs("c2", &[&diffs.concat()]);
    played.end()
}

fn folder_of(project: &Sandbox, name: &str) -> PathBuf {
    PathBuf::from(project.data(&["lane", "open", name])["folder"].as_str().unwrap())
}

fn status(project: &Sandbox, run: &str, card: usize) -> String {
    project.data(&["run", "show", run])["cards"][card]["status"].as_str().unwrap().to_owned()
}

#[test]
fn killed_while_cards_are_applied_and_taken_back() {
    let project = project();
    let before = photo(&project.root());
    let run = played(&project);
    let lane = photo(&folder_of(&project, &run));
    let without_c1 = {
        let copy = tempfile::tempdir().unwrap();
        let status = Command::new("cp").arg("-a").arg(project.root().join("src")).arg(copy.path()).status();
        assert!(status.unwrap().success());
        work(copy.path(), 5, "by c2");
        photo(copy.path())
    };
    let (c1, c2) = (format!("{run}/c1"), format!("{run}/c2"));
    let mut killer = Killer::new(0x0a62_0001);
    let mut round = 0;
    while killer.wants_more(kills(14, 90)) {
        killer.run(&project, &["run", "apply", &run, "--yes", "--no-check"]);
        // The next command finishes what was begun; then it has happened as a whole, or not at all.
        project.vib(&["history", "-n", "1"]).ok();
        let now = photo(&project.root());
        assert!(now == before || now == lane, "round {round}: some files came and some did not");
        assert!(lane == photo(&folder_of(&project, &run)), "round {round}: the lane was touched");
        // Whatever the log was told: the second try ends it.
        let _ = project.vib(&["run", "apply", &run, "--yes", "--no-check"]);
        assert!(lane == photo(&project.root()), "round {round}: it did not come");
        assert_eq!((status(&project, &run, 0), status(&project, &run, 1)), ("done".into(), "done".into()));

        killer.run(&project, &["run", "revert", &c1, "--yes"]);
        project.vib(&["history", "-n", "1"]).ok();
        let now = photo(&project.root());
        assert!(now == lane || now == without_c1, "round {round}: half of it was taken back");
        let _ = project.vib(&["run", "revert", &c1, "--yes"]);
        assert_eq!(status(&project, &run, 0), "reverted", "round {round}");
        assert!(without_c1 == photo(&project.root()), "round {round}: the later card has to stay");
        // And all of it again from the start.
        project.vib(&["run", "revert", &c2, "--yes"]).ok();
        assert!(before == photo(&project.root()), "round {round}: not as before");
        assert_whole(&project, round);
        for card in [&c1, &c2] {
            project.vib(&["run", "apply", card, "--yes", "--no-check"]).ok();
        }
        assert!(lane == photo(&project.root()), "round {round}");
        for card in [&c2, &c1] {
            project.vib(&["run", "revert", card, "--yes"]).ok();
        }
        wait_again(&project, &run);
        round += 1;
    }
}

/// The cards wait for a yes again.
fn wait_again(project: &Sandbox, run: &str) {
    use engine::run::log::RunLog;
    use engine::run::model::{CardStatus, RunEvent};
    let engine = super::played_run::engine(project);
    let mut log = RunLog::open(&engine, run).unwrap();
    for card in ["c1", "c2"] {
        let (card, status) = (card.to_owned(), CardStatus::Preview);
        log.append(RunEvent::Status { card, status, code: None, why: None }).unwrap();
    }
}

#[test]
fn killed_while_a_run_is_dropped() {
    let project = project();
    let mut killer = Killer::new(0x0a62_0002);
    let mut round = 0;
    while killer.wants_more(kills(8, 50)) {
        let run = played(&project);
        let last = photo(&folder_of(&project, &run));
        project.vib(&["config", "set", "lane.warm", if round % 2 == 0 { "0" } else { "2" }]).ok();
        killer.run(&project, &["run", "drop", &run]);
        let _ = project.vib(&["run", "drop", &run]);
        assert_eq!(status(&project, &run, 0), "dropped", "round {round}");
        assert!(last == photo(&folder_of(&project, &run)), "round {round}: it did not come back as it was");
        project.vib(&["lane", "drop", &run]).ok();
        round += 1;
    }
}
