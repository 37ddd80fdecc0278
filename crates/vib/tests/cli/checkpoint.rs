//! `vib checkpoint` (CP1, CP2, CP3)

use insta::assert_snapshot;
use testkit::Agent;

use super::{empty, shop};

#[test]
fn saves_and_says_what_it_saved() {
    let shop = shop();
    assert_snapshot!(shop.vib(&["checkpoint", "-m", "good"]).text(&shop), @r###"
    Saved checkpoint srkrnshy (3 files looked at, 4 paths changed)
    "###);
    assert_snapshot!(shop.vib(&["checkpoint", "--pin"]).text(&shop), @r###"
    Saved checkpoint hfwdhbhw (3 files looked at, nothing had changed, kept for ever)
    "###);
}

#[test]
fn works_in_an_empty_folder_and_without_git() {
    let project = empty();
    let data = project.data(&["checkpoint"]);
    assert_eq!(data["counts"]["files"], 0);
    project.write("first.txt", "hello\n");
    assert_eq!(project.data(&["checkpoint"])["checkpoint"]["files_changed"], 1);
}

#[test]
fn reads_only_what_changed_cp2() {
    let shop = shop();
    assert_eq!(shop.data(&["checkpoint"])["counts"]["read"], 3);
    // Old enough for their times to prove that nothing changed.
    std::thread::sleep(std::time::Duration::from_millis(50));
    shop.data(&["checkpoint"]);
    assert_eq!(shop.data(&["checkpoint"])["counts"]["read"], 0);
    shop.write("src/cart.js", "changed\n");
    let data = shop.data(&["checkpoint"]);
    assert_eq!((&data["counts"]["read"], &data["checkpoint"]["files_changed"]), (&1.into(), &1.into()));
}

#[test]
fn a_change_with_the_same_length_and_time_is_still_seen() {
    let shop = shop();
    shop.checkpoint("before");
    // Same length, written within the clock's resolution, and the modification time put back.
    shop.shell(
        "touch -r src/cart.js /tmp/vib-ref-$$ && printf 'let total = 9;\\nlet count = 9;\\n' > src/cart.js \
                && touch -r /tmp/vib-ref-$$ src/cart.js && rm /tmp/vib-ref-$$",
    );
    assert_eq!(shop.data(&["checkpoint"])["checkpoint"]["files_changed"], 1);
}

#[test]
fn a_named_file_is_saved_alone_even_if_ignored_cp2() {
    let shop = shop();
    shop.write(".gitignore", "*.log\n");
    shop.write("debug.log", "one\n");
    shop.checkpoint("tree");
    let data = shop.data(&["checkpoint", "debug.log"]);
    assert_eq!(data["checkpoint"]["whole_tree"], false);
    assert_eq!(data["checkpoint"]["files_changed"], 1);
    let id = data["checkpoint"]["id"].as_str().unwrap();
    shop.write("debug.log", "two\n");
    shop.write("README.md", "edited by hand\n");
    shop.vib(&["undo", id, "--yes"]).ok();
    assert_eq!(shop.read("debug.log"), "one\n");
    assert_eq!(shop.read("README.md"), "edited by hand\n", "a file nobody saved by name is left alone");
}

#[test]
fn paths_outside_the_project_are_refused() {
    let shop = shop();
    for path in ["../outside", "/etc/passwd", ".git/config", ".vibelign/id"] {
        let error = shop.error(&["checkpoint", path]);
        assert!(
            ["path_outside_project", "path_reserved"].contains(&error["code"].as_str().unwrap()),
            "{error}"
        );
    }
}

#[test]
fn a_row_knows_who_asked_for_it_cp3() {
    let shop = shop();
    let agent = Agent::new(&shop, "session-1");
    agent.prompt("make it faster");
    let id = shop.data(&[
        "checkpoint",
        "--kind",
        "turn",
        "--session",
        "s",
        "--turn",
        "t2",
        "--parent-turn",
        "t1",
        "--agent",
        "claude-code",
        "--tool",
        "Edit",
        "--call-id",
        "call-9",
        "src/cart.js",
    ])["checkpoint"]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let shown = shop.data(&["show", &id]);
    let row = &shown["checkpoint"];
    for (field, value) in [
        ("kind", "turn"),
        ("session", "s"),
        ("turn", "t2"),
        ("parent_turn", "t1"),
        ("agent", "claude-code"),
        ("tool", "Edit"),
        ("call_id", "call-9"),
        ("trigger", "cli"),
    ] {
        assert_eq!(row[field], value, "{field}");
    }
    assert!(row["created_ms"].as_i64().unwrap() > 0);
    let named = &shown["named"][0];
    assert_eq!(
        (&named["path"], &named["size"], &named["mode"]),
        (&"src/cart.js".into(), &30.into(), &0o644.into())
    );
    assert_eq!(named["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(shown["project"].as_str().unwrap().len(), 20);
}

#[test]
fn what_cannot_be_read_is_named_and_does_not_stop_the_rest_cp5() {
    let shop = shop();
    shop.shell("mkfifo pipe");
    assert_snapshot!(shop.vib(&["checkpoint"]).text(&shop), @r###"
    Saved checkpoint srkrnshy (4 files looked at, 4 paths changed)
    warning: 1 file could not be saved:
      pipe  a pipe, socket or device has no content to save
    "###);
    let data = shop.data(&["checkpoint"]);
    assert_eq!(data["problems"][0]["code"], "special");
}

#[test]
fn a_file_over_the_limit_is_reported() {
    let shop = shop();
    shop.vib(&["config", "set", "checkpoint.max_file_size", "1KB"]).ok();
    shop.write("big", vec![b'x'; 3000]);
    let data = shop.data(&["checkpoint"]);
    assert_eq!(data["problems"][0]["code"], "too_large");
    assert_eq!(data["problems"].as_array().unwrap().len(), 1);
}
