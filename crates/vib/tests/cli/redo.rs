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
fn later_work_is_saved_before_an_undo_is_taken_back() {
    let shop = shop();
    shop.checkpoint("good");
    shop.write("README.md", "broken\n");
    shop.vib(&["undo", "--yes"]).ok();
    shop.write("README.md", "work after the undo\n");
    shop.vib(&["redo", "--yes"]).ok();
    assert_eq!(shop.read("README.md"), "broken\n");
    shop.vib(&["redo", "--yes"]).ok();
    assert_eq!(shop.read("README.md"), "work after the undo\n");
}
