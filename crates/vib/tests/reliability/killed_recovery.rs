//! 300 random kills while a recovery is carried out: before or after, never between, and always a way back (RC6, RC8)

use std::os::unix::fs::PermissionsExt;

use testkit::{Photo, Sandbox};

use super::kill::{Killer, assert_whole};
use super::sandbox;

const FILES: usize = 40;

/// A project of every kind of damage, and the checkpoint before it.
fn project() -> (Sandbox, String) {
    let project = sandbox().with_real_clock();
    for number in 0..FILES {
        project.write(&format!("src/part{}/f{number}.txt", number % 4), format!("good {number}\n"));
    }
    let script = project.root().join("src/part0/f0.txt");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    std::os::unix::fs::symlink("f1.txt", project.root().join("src/part1/link")).unwrap();
    let good = project.checkpoint("good");
    for number in 0..FILES {
        let path = format!("src/part{}/f{number}.txt", number % 4);
        match number % 4 {
            1 => project.write(&path, ""),
            2 => project.remove(&path),
            _ => project.write(&path, format!("spoilt {number}\n")),
        }
    }
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o644)).unwrap();
    project.remove("src/part1/link");
    project.write("src/part1/link", "no link\n");
    project.write("junk/new.txt", "made by accident\n");
    (project, good)
}

#[test]
fn killed_while_recovering() {
    let (mut project, mut good) = project();
    let mut before = Photo::of(&project.root());
    let mut after: Option<Photo> = None;
    let mut killer = Killer::new(0x5eed_0006);
    let (mut round, mut finished, mut untouched) = (0, 0, 0);
    while killer.wants_more(300) {
        // A preview looks through everything that was done: a history of hundreds of recoveries is not what this is about.
        if round > 0 && round % 50 == 0 {
            (project, good) = self::project();
            (before, after) = (Photo::of(&project.root()), None);
        }
        assert!(Photo::of(&project.root()) == before, "round {round}: the start is not back");
        let plan = project.data(&["recover", "--preview", "--checkpoint", &good])["plan"]
            .as_str()
            .unwrap()
            .to_owned();
        killer.run(&project, &["recover", "--yes", "--plan", &plan]);
        // The next command finishes what was begun; then everything has come back, or nothing.
        project.vib(&["history", "-n", "1"]).ok();
        let now = Photo::of(&project.root());
        if now == before {
            untouched += 1;
        } else {
            match &after {
                Some(after) => assert!(now == *after, "round {round}: some files came back and some did not"),
                None => after = Some(now),
            }
            finished += 1;
            // The safety checkpoint has everything: one command, and the state before is there again.
            project.vib(&["recover", "--return", "--yes"]).ok();
        }
        assert_whole(&project, round);
        round += 1;
    }
    assert!(finished > 0 && untouched > 0, "{finished} finished, {untouched} untouched");
    assert_eq!(project.read("src/part2/../part3/f3.txt"), "spoilt 3\n");
}

/// Two processes at once: one works, the other is told who is at work, and nothing is done twice.
#[test]
fn two_recoveries_at_once() {
    let (project, good) = project();
    let mut busy = 0;
    for _ in 0..25 {
        let plan = || {
            project.data(&["recover", "--preview", "--checkpoint", &good])["plan"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        let plans = [plan(), plan()];
        let codes: Vec<(i32, String)> = std::thread::scope(|scope| {
            let run = |plan: String| {
                let project = &project;
                scope.spawn(move || {
                    let output = project.vib(&["recover", "--yes", "--plan", &plan, "--json"]);
                    let answer = output.json();
                    (output.code, answer["error"]["code"].as_str().unwrap_or_default().to_owned())
                })
            };
            plans.map(run).map(|thread| thread.join().unwrap()).to_vec()
        });
        let worked = codes.iter().filter(|(code, _)| *code == 0).count();
        assert_eq!(worked, 1, "{codes:?}");
        // The other came too early or too late, and changed nothing either way.
        let (_, why) = codes.iter().find(|(code, _)| *code != 0).unwrap();
        assert!(why == "busy" || why == "changed_after_preview", "{codes:?}");
        busy += usize::from(why == "busy");
        project.vib(&["recover", "--return", "--yes"]).ok();
    }
    assert!(busy > 0, "the two never met");
}
