//! Lanes that are killed while they are made, landed or dropped, and many at once: nothing is lost.

use std::path::{Path, PathBuf};

use testkit::{Photo, Sandbox};

use super::kill::{Killer, assert_whole};
use super::{kills, sandbox};

const FILES: usize = 24;

fn project() -> Sandbox {
    let project = sandbox().with_real_clock();
    for number in 0..FILES {
        project
            .write(&format!("src/part{}/f{number}.txt", number % 4), format!("first\nold {number}\nlast\n"));
    }
    project
}

/// Everything but vib's own folder, which each has for itself.
fn photo(folder: &Path) -> Photo {
    Photo::of(&folder.join("src"))
}

fn folder_of(project: &Sandbox, name: &str) -> PathBuf {
    PathBuf::from(
        project.vib(&["lane", "open", name, "--json"]).ok().json()["data"]["folder"].as_str().unwrap(),
    )
}

/// What is changed in a lane: some files, one that is new, one that goes.
fn work_in(lane: &Path) {
    for number in 0..FILES {
        let path = lane.join(format!("src/part{}/f{number}.txt", number % 4));
        match number % 6 {
            5 => std::fs::remove_file(path).unwrap(),
            _ => std::fs::write(path, format!("first\nnew {number}\nlast\n")).unwrap(),
        }
    }
    std::fs::write(lane.join("src/brand-new.txt"), "brand new\n").unwrap();
}

#[test]
fn killed_while_a_lane_is_made() {
    let project = project();
    project.checkpoint("start");
    let before = photo(&project.root());
    let mut killer = Killer::new(0x1a_5eed);
    let mut round = 0;
    while killer.wants_more(kills(12, 80)) {
        killer.run(&project, &["lane", "new", &format!("l{round}")]);
        let list = project.vib(&["lane", "list", "--json"]).ok().json();
        let lanes = list["data"]["lanes"].as_array().unwrap();
        assert!(before == photo(&project.root()), "round {round}: the project was touched");
        // What there is is whole; what is not whole is not there.
        let folders = std::fs::read_dir(list["data"]["folder"].as_str().unwrap()).map_or(0, Iterator::count);
        assert_eq!(folders, lanes.len(), "round {round}: {list}");
        for lane in lanes {
            let folder = Path::new(lane["folder"].as_str().unwrap());
            assert!(before == photo(folder), "round {round}: {lane}");
            project.vib(&["lane", "drop", lane["name"].as_str().unwrap()]).ok();
        }
        project.vib(&["config", "set", "lane.warm", if round % 2 == 0 { "0" } else { "1" }]).ok();
        if round % 2 == 0 && !lanes.is_empty() {
            // One more, so that the folders of dropped ones go.
            project.vib(&["lane", "new", &format!("m{round}")]).ok();
            project.vib(&["lane", "drop", &format!("m{round}")]).ok();
        }
        // Those that are kept warm are no lanes any more, and no strays.
        let all = project.vib(&["lane", "list", "--all", "--json"]).ok().json();
        for lane in all["data"]["lanes"].as_array().unwrap() {
            assert_eq!(lane["status"], "dropped", "round {round}: {lane}");
        }
        let lanes_folder = list["data"]["folder"].as_str().unwrap();
        let _ = std::fs::remove_dir_all(lanes_folder);
        assert_whole(&project, round);
        round += 1;
    }
}

#[test]
fn killed_while_a_lane_lands() {
    let project = project();
    let start = project.checkpoint("start");
    let before = photo(&project.root());
    project.vib(&["lane", "new", "work"]).ok();
    let lane = folder_of(&project, "work");
    work_in(&lane);
    let after = photo(&lane);
    let mut killer = Killer::new(0x1a_0002);
    let (mut round, mut landed) = (0, 0);
    while killer.wants_more(kills(16, 100)) {
        let _ = project.vib(&["undo", &start, "--yes"]);
        assert!(before == photo(&project.root()), "round {round}: the start is not back");
        killer.run(&project, &["land", "work", "--yes", "--no-check"]);
        project.vib(&["history", "-n", "1"]).ok();
        let now = photo(&project.root());
        assert!(now == before || now == after, "round {round}: some files landed and some did not");
        assert!(after == photo(&lane), "round {round}: the lane was touched");
        landed += usize::from(now == after);
        assert_whole(&project, round);
        round += 1;
    }
    // Whatever was cut off, it lands in the end.
    let _ = project.vib(&["undo", &start, "--yes"]);
    let _ = project.vib(&["land", "work", "--yes", "--no-check"]);
    assert!(after == photo(&project.root()), "{landed} of {round} landed");
}

#[test]
fn killed_while_a_lane_is_dropped() {
    let project = project();
    let mut killer = Killer::new(0x1a_0003);
    let mut round = 0;
    while killer.wants_more(kills(10, 60)) {
        let name = format!("l{round}");
        project.vib(&["lane", "new", &name]).ok();
        let lane = folder_of(&project, &name);
        work_in(&lane);
        std::fs::write(lane.join("src/round.txt"), format!("{round}\n")).unwrap();
        let last = photo(&lane);
        project.vib(&["config", "set", "lane.warm", if round % 2 == 0 { "0" } else { "2" }]).ok();
        killer.run(&project, &["lane", "drop", &name]);
        assert!(last == photo(&folder_of(&project, &name)), "round {round}");
        project.vib(&["lane", "drop", &name]).ok();
        assert!(last == photo(&folder_of(&project, &name)), "round {round}, dropped for good");
        project.vib(&["lane", "drop", &name]).ok();
        round += 1;
    }
}

#[test]
fn eight_lanes_at_once_lose_no_row_and_all_land() {
    const LANES: usize = 8;
    const SAVES: usize = 6;
    let project = project();
    project.checkpoint("start");
    let made: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..LANES)
            .map(|number| {
                let project = &project;
                scope.spawn(move || {
                    let name = format!("l{number}");
                    project.vib(&["lane", "new", &name]).ok();
                    let lane = folder_of(project, &name);
                    for save in 0..SAVES {
                        std::fs::write(lane.join(format!("src/of-{number}.txt")), format!("{save}\n"))
                            .unwrap();
                        let mut command = project.command(&["checkpoint", "-m", &format!("save {save}")]);
                        Sandbox::run(command.current_dir(&lane)).ok();
                    }
                    name
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let list = project.vib(&["lane", "list", "--json"]).ok().json();
    let folders: std::collections::BTreeSet<&str> = list["data"]["lanes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|lane| lane["folder"].as_str().unwrap())
        .collect();
    assert_eq!(folders.len(), LANES);
    for (number, name) in made.iter().enumerate() {
        let lane = folder_of(&project, name);
        let mut command = project.command(&["history", "--checkpoints", "--json", "-n", "0"]);
        let told = Sandbox::run(command.current_dir(&lane)).ok().stdout;
        for save in 0..SAVES {
            assert!(told.contains(&format!("save {save}")), "{name}: {told}");
        }
        project.vib(&["land", name, "--yes", "--no-check"]).ok();
        assert_eq!(project.read(&format!("src/of-{number}.txt")), format!("{}\n", SAVES - 1));
    }
    assert_whole(&project, 0);
}
