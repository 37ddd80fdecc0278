//! A clock that jumps

use super::sandbox;

#[test]
fn a_clock_that_goes_backwards_changes_no_order() {
    let project = sandbox();
    let mut ids = Vec::new();
    for (number, clock) in
        [2_000_000_000_000_u64, 1_000_000_000_000, 500, 1_700_000_000_000].into_iter().enumerate()
    {
        project.set_clock(clock);
        project.write("a", format!("version {number}"));
        ids.push(project.checkpoint(&format!("{number}")));
    }
    let groups = project.data(&["history", "--checkpoints"])["groups"].clone();
    let listed: Vec<String> = groups
        .as_array()
        .unwrap()
        .iter()
        .map(|group| group["checkpoints"][0]["id"].as_str().unwrap().to_owned())
        .collect();
    ids.reverse();
    assert_eq!(listed, ids);
    project.set_clock(3);
    project.vib(&["undo", "--yes"]).ok();
    assert_eq!(project.read("a"), "version 2");
    project.vib(&["redo", "--yes"]).ok();
    assert_eq!(project.read("a"), "version 3");
    project.vib(&["store", "check"]).ok();
}

#[test]
fn files_from_the_future_are_still_watched() {
    let project = sandbox();
    project.write("a", "one");
    project.shell("touch -d '2040-01-01' a");
    project.checkpoint("one");
    project.shell("printf two > a && touch -d '2040-01-01' a");
    assert_eq!(project.data(&["checkpoint"])["checkpoint"]["files_changed"], 1);
}
