//! `vib lane`, `vib land`: workspaces beside the project, and how their work comes back.

use std::path::{Path, PathBuf};
use std::process::Command;

use testkit::{Photo, Sandbox};

use super::shop;

/// `vib` in the folder of a lane.
fn vib_in(shop: &Sandbox, folder: &Path, arguments: &[&str]) -> testkit::Output {
    let mut command = shop.command(arguments);
    Sandbox::run(command.current_dir(folder))
}

/// Makes a lane and says where it is.
fn new_lane(shop: &Sandbox, arguments: &[&str]) -> PathBuf {
    let words: Vec<&str> = ["lane", "new", "--json"].into_iter().chain(arguments.iter().copied()).collect();
    PathBuf::from(shop.vib(&words).ok().json()["data"]["folder"].as_str().unwrap())
}

fn read(folder: &Path, path: &str) -> String {
    std::fs::read_to_string(folder.join(path)).unwrap()
}

fn write(folder: &Path, path: &str, text: &str) {
    std::fs::write(folder.join(path), text).unwrap();
}

/// Without vib's own folder, which each has for itself.
fn photo(folder: &Path) -> Photo {
    let copy = tempfile::tempdir().unwrap();
    let status = Command::new("cp").arg("-a").arg(folder).arg(copy.path().join("tree")).status().unwrap();
    assert!(status.success());
    let tree = copy.path().join("tree");
    let _ = std::fs::remove_dir_all(tree.join(".vibelign"));
    let _ = std::fs::remove_dir_all(tree.join(".git"));
    Photo::of(&tree)
}

#[test]
fn a_lane_has_unsaved_and_untracked_work_and_touches_neither_the_project_nor_its_git() {
    let shop = shop();
    shop.shell("git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm one");
    shop.write("src/cart.js", "let total = 1;\n");
    shop.write("new/untracked.js", "new\n");
    shop.write(".env", "KEY=1\n");
    let before = Photo::of(&shop.root().join(".git"));
    let (files, lane) = (photo(&shop.root()), new_lane(&shop, &["try"]));
    files.assert_same(&photo(&lane));
    before.assert_same(&Photo::of(&shop.root().join(".git")));
    // It is a project of its own for whoever works there, and its history begins with it.
    write(&lane, "src/cart.js", "let total = 2;\n");
    let history = vib_in(&shop, &lane, &["history", "--json"]).ok().json();
    assert!(!history.to_string().contains("s2"), "{history}");
    let status = vib_in(&shop, &lane, &["diff", "--stat"]).ok().stdout;
    assert!(status.contains("src/cart.js"), "{status}");
    assert_eq!(shop.read("src/cart.js"), "let total = 1;\n");
    files.assert_same(&photo(&shop.root()));
    vib_in(&shop, &lane, &["checkpoint", "-m", "in the lane"]).ok();
    assert!(shop.vib(&["history", "--lane", "try", "--checkpoints"]).ok().stdout.contains("in the lane"));
    assert!(!shop.vib(&["history", "--checkpoints"]).ok().stdout.contains("in the lane"));
    let diff = shop.vib(&["lane", "diff", "try"]).ok().stdout;
    assert!(diff.contains("-let total = 1;\n+let total = 2;\n"), "{diff}");
    let list = shop.vib(&["lane", "list", "--json"]).ok().json();
    let line = &list["data"]["lanes"][0];
    assert_eq!(
        (&line["name"], &line["files"], &line["conflicts"]),
        (&"try".into(), &1.into(), &0.into()),
        "{line}"
    );
}

#[test]
fn landing_puts_both_sides_together_in_one_step_and_one_undo_takes_it_back() {
    let shop = shop();
    shop.write("list.txt", "1\n2\n3\n4\n5\n6\n");
    let lane = new_lane(&shop, &["work"]);
    write(&lane, "list.txt", "1\n2\n3\n4\n5\nsix\n");
    write(&lane, "src/new.js", "made();\n");
    std::fs::remove_file(lane.join("README.md")).unwrap();
    // Meanwhile in the project.
    shop.write("list.txt", "one\n2\n3\n4\n5\n6\n");
    let before = photo(&shop.root());
    let preview = shop.vib(&["land", "work", "--dry-run", "--json"]).ok().json();
    assert_eq!(preview["data"]["merged"], serde_json::json!(["list.txt"]), "{preview}");
    before.assert_same(&photo(&shop.root()));
    assert_eq!(shop.vib(&["land", "work"]).code, 1, "nobody is there to say yes");
    shop.vib(&["land", "work", "--yes"]).ok();
    assert_eq!(shop.read("list.txt"), "one\n2\n3\n4\n5\nsix\n");
    assert_eq!(shop.read("src/new.js"), "made();\n");
    assert!(!shop.exists("README.md"));
    assert_eq!(shop.vib(&["land", "work", "--yes", "--json"]).json()["error"]["code"], "nothing_to_land");
    // Work goes on in the lane, also at the same line: it lands without a question.
    write(&lane, "list.txt", "1\n2\n3\n4\n5\nSIX\n");
    shop.vib(&["land", "work", "--yes"]).ok();
    assert_eq!(shop.read("list.txt"), "one\n2\n3\n4\n5\nSIX\n");
    shop.vib(&["undo", "--yes"]).ok();
    shop.vib(&["undo", "--yes"]).ok();
    before.assert_same(&photo(&shop.root()));
    // What was taken back can land again.
    shop.vib(&["land", "work", "--yes", "--drop"]).ok();
    assert_eq!(shop.read("list.txt"), "one\n2\n3\n4\n5\nSIX\n");
}

#[test]
fn what_both_changed_is_shown_with_both_sides_and_left_unless_somebody_chooses() {
    let shop = shop();
    shop.write("list.txt", "1\n2\n3\n");
    shop.write("gone.txt", "g\n");
    let lane = new_lane(&shop, &["work"]);
    write(&lane, "list.txt", "lane\n2\n3\n");
    write(&lane, "gone.txt", "changed\n");
    write(&lane, "made.txt", "lane\n");
    write(&lane, "other.txt", "other\n");
    shop.write("list.txt", "main\n2\n3\n");
    shop.write("made.txt", "main\n");
    shop.remove("gone.txt");
    let shown = shop.vib(&["land", "work", "--dry-run"]);
    assert_eq!(shown.code, 1);
    for part in ["list.txt, line 1", "made.txt: made in", "gone.txt: changed in the lane", "other.txt"] {
        assert!(shown.stdout.contains(part), "{part}: {}", shown.stdout);
    }
    assert_eq!(shop.vib(&["land", "work", "--yes"]).code, 1, "something was left");
    assert_eq!(
        (shop.read("list.txt"), shop.read("other.txt")),
        ("main\n2\n3\n".to_owned(), "other\n".to_owned())
    );
    assert!(!shop.exists("gone.txt"));
    shop.vib(&[
        "land", "work", "--yes", "--take", "lane", "list.txt", "--take", "lane", "gone.txt", "--take",
        "main", "made.txt",
    ])
    .ok();
    assert_eq!(
        (shop.read("list.txt"), shop.read("made.txt")),
        ("lane\n2\n3\n".to_owned(), "main\n".to_owned())
    );
    assert_eq!(shop.read("gone.txt"), "changed\n");
}

#[test]
fn marks_are_written_in_the_lane_only_and_what_is_settled_there_lands() {
    let shop = shop();
    shop.write("list.txt", "1\n2\n3\n");
    let lane = new_lane(&shop, &["work"]);
    write(&lane, "list.txt", "lane\n2\n3\n");
    shop.write("list.txt", "main\n2\n3\n");
    shop.write("src/more.js", "more();\n");
    let merged = shop.vib(&["lane", "merge", "work", "--json"]);
    assert_eq!(merged.json()["data"]["marked"], serde_json::json!(["list.txt"]), "{}", merged.stdout);
    assert_eq!(read(&lane, "list.txt"), "<<<<<<< lane\nlane\n=======\nmain\n>>>>>>> project\n2\n3\n");
    assert_eq!(read(&lane, "src/more.js"), "more();\n");
    assert_eq!(shop.read("list.txt"), "main\n2\n3\n");
    write(&lane, "list.txt", "lane and main\n2\n3\n");
    shop.vib(&["land", "work", "--yes"]).ok();
    assert_eq!(shop.read("list.txt"), "lane and main\n2\n3\n");
}

#[test]
fn a_lane_that_was_dropped_or_deleted_comes_back_to_the_byte() {
    let shop = shop();
    let lane = new_lane(&shop, &["work"]);
    write(&lane, "src/new.js", "made();\n");
    std::fs::create_dir(lane.join("empty")).unwrap();
    let last = photo(&lane);
    let dropped = shop.vib(&["lane", "drop", "work", "--json"]).ok().json();
    assert_eq!(dropped["data"]["not_landed"], true);
    assert_eq!(shop.vib(&["land", "work", "--yes", "--json"]).json()["error"]["code"], "lane_dropped");
    // Its folder may serve another one meanwhile.
    let other = new_lane(&shop, &["other"]);
    assert_eq!(other, lane);
    assert!(!other.join("src/new.js").exists());
    shop.vib(&["lane", "open", "work"]).ok();
    let back = shop.vib(&["lane", "open", "work", "--json"]).ok().json();
    let back = PathBuf::from(back["data"]["folder"].as_str().unwrap());
    last.assert_same(&photo(&back));
    // And what a step saved before somebody wiped it.
    vib_in(&shop, &back, &["checkpoint"]).ok();
    std::fs::remove_dir_all(&back).unwrap();
    assert_eq!(shop.vib(&["land", "work", "--yes", "--json"]).json()["error"]["code"], "lane_folder_gone");
    shop.vib(&["lane", "open", "work"]).ok();
    last.assert_same(&photo(&back));
    assert!(shop.vib(&["lane", "list"]).ok().stdout.contains("work"));
}

#[test]
fn a_work_tree_of_git_is_a_lane_and_comes_back_after_git_removed_it() {
    let shop = shop();
    shop.shell("git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm one");
    shop.checkpoint("start");
    let tree = shop.base().join("wt");
    shop.shell("git worktree add -q ../wt HEAD");
    vib_in(&shop, &tree, &["checkpoint"]).ok();
    write(&tree, "src/cart.js", "let total = 7;\n");
    vib_in(&shop, &tree, &["checkpoint"]).ok();
    let list = shop.vib(&["lane", "list", "--json"]).ok().json();
    let line = &list["data"]["lanes"][0];
    assert_eq!(
        (&line["name"], &line["made_by"], &line["files"]),
        (&"wt".into(), &"git".into(), &1.into()),
        "{line}"
    );
    assert_eq!(shop.vib(&["lane", "drop", "wt", "--json"]).json()["error"]["code"], "gits_own");
    shop.vib(&["land", "wt", "--yes"]).ok();
    assert_eq!(shop.read("src/cart.js"), "let total = 7;\n");
    write(&tree, "src/later.js", "later();\n");
    vib_in(&shop, &tree, &["checkpoint"]).ok();
    shop.shell("git worktree remove --force ../wt");
    assert!(!tree.exists());
    let back = shop.vib(&["lane", "open", "wt", "--json"]).ok().json();
    assert_eq!(back["data"]["without_git"], true, "{back}");
    assert_eq!(
        (read(&tree, "src/later.js"), read(&tree, "src/cart.js")),
        ("later();\n".to_owned(), "let total = 7;\n".to_owned())
    );
}

#[test]
fn dependencies_come_along_and_times_are_kept() {
    let shop = shop();
    shop.write(".gitignore", "node_modules\n");
    shop.write("node_modules/tool/run", "ran\n");
    shop.shell("touch -d 2020-01-01 src/login.js");
    let lane = new_lane(&shop, &["work"]);
    assert_eq!(read(&lane, "node_modules/tool/run"), "ran\n");
    write(&lane, "node_modules/tool/run", "other\n");
    assert_eq!(shop.read("node_modules/tool/run"), "ran\n", "it is a copy");
    let time = |root: &Path| root.join("src/login.js").metadata().unwrap().modified().unwrap();
    assert_eq!(time(&lane), time(&shop.root()));
    assert_eq!(shop.vib(&["lane", "list", "--json"]).ok().json()["data"]["lanes"][0]["files"], 0);
    shop.vib(&["config", "set", "lane.carry", "off"]).ok();
    let made = shop.vib(&["lane", "new", "--json"]).ok().json();
    assert_eq!(made["data"]["not_carried"], serde_json::json!(["node_modules"]), "{made}");
}

#[test]
fn checks_run_on_the_result_and_what_the_lane_breaks_does_not_land_by_itself() {
    let shop = shop();
    shop.write("check.sh", "! grep -q broken list.txt\n");
    shop.write("list.txt", "1\n2\n");
    shop.vib(&["config", "set", "verify.checks", "sh check.sh"]).ok();
    shop.vib(&["verify", "--profile", "standard", "--yes"]);
    let lane = new_lane(&shop, &["work"]);
    write(&lane, "list.txt", "1\nbroken\n");
    let before = photo(&shop.root());
    let refused = shop.vib(&["land", "work", "--yes", "--json"]).json();
    assert_eq!(refused["error"]["code"], "checks_fail", "{refused}");
    before.assert_same(&photo(&shop.root()));
    let shown = shop.vib(&["land", "work", "--dry-run"]).stdout;
    assert!(shown.contains("`sh check.sh` fails on the result"), "{shown}");
    shop.vib(&["land", "work", "--yes", "--no-check"]).ok();
    assert_eq!(shop.read("list.txt"), "1\nbroken\n");
}

#[test]
fn names_states_and_mistakes_are_said_clearly() {
    let shop = shop();
    shop.checkpoint("one");
    let code = |arguments: &[&str]| shop.vib(arguments).json()["error"]["code"].clone();
    assert_eq!(code(&["lane", "new", "../evil", "--json"]), "bad_lane_name");
    assert_eq!(code(&["lane", "open", "none", "--json"]), "no_such_lane");
    assert_eq!(code(&["land", "none", "--yes", "--json"]), "no_such_lane");
    assert_eq!(code(&["land", "--json"]), "usage");
    new_lane(&shop, &["work"]);
    assert_eq!(code(&["lane", "new", "work", "--json"]), "lane_exists");
    assert_eq!(code(&["land", "work", "--yes", "--json"]), "nothing_to_land");
    assert_eq!(code(&["lane", "new", "--from", "s999", "--json"]), "not_in_history");
    // From a state that is not the present one.
    shop.write("src/later.js", "later();\n");
    let id = shop.checkpoint("two");
    shop.remove("src/later.js");
    let lane = new_lane(&shop, &["old", "--from", &id]);
    assert_eq!(read(&lane, "src/later.js"), "later();\n");
    // In the lane, `vib land` means that one.
    write(&lane, "src/later.js", "changed();\n");
    let shown = vib_in(&shop, &lane, &["land", "--dry-run"]);
    assert!(
        shown.stdout.contains("src/later.js: changed in the lane, gone in the project"),
        "{}",
        shown.stdout
    );
}
