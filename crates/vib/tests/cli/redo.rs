//! `vib redo` (CP8)

use insta::assert_snapshot;

use super::shop;

#[test]
fn without_an_undo_there_is_nothing_to_take_back() {
    let shop = shop();
    shop.checkpoint("good");
    assert_snapshot!(shop.vib(&["redo", "--yes"]).text(&shop), @r###"
    --- stderr
    error[nothing_to_redo]: there is no undo to take back
    next: `vib history --all` also shows the safety checkpoints
    --- exit 1
    "###);
    assert_eq!(shop.error(&["redo", "--yes"])["code"], "nothing_to_redo");
}

#[test]
fn redo_walks_forward_as_often_as_one_walked_back_t3() {
    let shop = shop();
    for version in ["v1", "v2", "v3", "v4", "v5", "v6"] {
        shop.write("README.md", version);
        shop.checkpoint(version);
    }
    for expected in ["v5", "v4", "v3", "v2"] {
        shop.vib(&["undo", "--yes"]).ok();
        assert_eq!(shop.read("README.md"), expected);
    }
    for expected in ["v3", "v4", "v5", "v6"] {
        shop.vib(&["redo", "--yes"]).ok();
        assert_eq!(shop.read("README.md"), expected);
    }
    assert_eq!(shop.error(&["redo", "--yes"])["code"], "nothing_to_redo");
    // And back once more, from where the walk ended.
    shop.vib(&["undo", "2", "--yes"]).ok();
    assert_eq!(shop.read("README.md"), "v4");
    shop.vib(&["redo", "--yes"]).ok();
    assert_eq!(shop.read("README.md"), "v6");
}

#[test]
fn something_new_ends_the_way_forward_and_the_state_is_still_reached_by_its_id_t3() {
    let shop = shop();
    shop.checkpoint("good");
    shop.write("README.md", "broken\n");
    shop.vib(&["undo", "--yes"]).ok();
    shop.write("README.md", "work after the undo\n");
    let refused = shop.error(&["redo", "--yes"]);
    assert_eq!(refused["code"], "something_new_since");
    assert_eq!(shop.read("README.md"), "work after the undo\n");
    let next = refused["next"].as_str().unwrap();
    let id = next.split('`').nth(1).unwrap().rsplit(' ').next().unwrap().to_owned();
    shop.vib(&["undo", &id, "--yes"]).ok();
    assert_eq!(shop.read("README.md"), "broken\n");
    shop.vib(&["redo", "--yes"]).ok();
    assert_eq!(shop.read("README.md"), "work after the undo\n");
}
