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

/// A lesson that vib itself writes down after going back is nothing new: the way forward stays open. (T3)
#[test]
fn a_lesson_after_an_undo_does_not_close_the_way_forward() {
    let shop = shop();
    shop.checkpoint("start");
    for text in ["one\n", "two\n"] {
        shop.write("src/cart.js", text);
        shop.checkpoint(text.trim());
    }
    for lesson in ["Be careful", "Be more careful"] {
        shop.vib(&["undo", "--yes"]).ok();
        shop.vib(&["lesson", "add", lesson]).ok();
        shop.vib(&["checkpoint", "after the lesson"]).ok();
    }
    assert_ne!(shop.read("src/cart.js"), "two\n");
    shop.vib(&["redo", "--yes"]).ok();
    assert_eq!(shop.read("src/cart.js"), "one\n");
    shop.vib(&["redo", "--yes"]).ok();
    assert_eq!(shop.read("src/cart.js"), "two\n");
    assert!(shop.read("LESSONS.md").contains("Be more careful"));
}

/// What was done since the undo closes the way, and is named, also after it was saved.
#[test]
fn what_was_done_since_is_named_also_when_it_is_saved() {
    let shop = shop();
    shop.checkpoint("start");
    shop.write("src/cart.js", "one\n");
    shop.checkpoint("one");
    shop.vib(&["undo", "--yes"]).ok();
    shop.write("README.md", "new\n");
    for _ in 0..2 {
        let error = shop.error(&["redo", "--yes"]);
        assert_eq!(error["code"], "something_new_since", "{error}");
        assert!(error["message"].as_str().unwrap().contains("README.md"), "{error}");
        shop.checkpoint("new");
    }
}
