//! `vib anchor` (GD1)

use insta::assert_snapshot;

use super::shop;

#[test]
fn an_anchor_is_added_listed_and_checked() {
    let shop = shop();
    assert_snapshot!(shop.vib(&["anchor", "list"]).text(&shop), @r###"
    There are no anchors. `vib anchor add FILE NAME LINES` makes one.
    "###);
    assert_snapshot!(shop.vib(&["anchor", "add", "src/cart.js", "TOTALS", "1-2", "--yes"]).text(&shop), @r###"
    This patch would change:
    diff --git a/src/cart.js b/src/cart.js
    index 9b0fd73..2d66f81 100644
    --- a/src/cart.js
    +++ b/src/cart.js
    @@ -1,2 +1,4 @@
    +// === ANCHOR: TOTALS_START ===
     let total = 0;
     let count = 0;
    +// === ANCHOR: TOTALS_END ===
    Applied: 1 hunk in 1 file.
    The state before is saved as hfwdhbhw. `vib undo hfwdhbhw` returns to it.
    "###);
    assert_eq!(
        shop.read("src/cart.js"),
        "// === ANCHOR: TOTALS_START ===\nlet total = 0;\nlet count = 0;\n// === ANCHOR: TOTALS_END ===\n"
    );
    assert_snapshot!(shop.vib(&["anchor", "list"]).text(&shop), @r###"
    TOTALS  src/cart.js:1-4
    "###);
    assert_snapshot!(shop.vib(&["anchor", "check"]).ok().text(&shop), @r###"
    All is well: 1 anchor, all of them whole.
    "###);
    shop.write("src/cart.js", "// === ANCHOR: TOTALS_START ===\nlet total = 0;\n");
    assert_snapshot!(shop.vib(&["anchor", "check"]).text(&shop), @r###"
    broken: src/cart.js:1  `TOTALS` has a beginning and no end
    1 problem (0 anchors whole).
    --- exit 1
    "###);
    shop.vib(&["undo", "--yes"]).ok();
}

#[test]
fn adding_goes_through_a_safety_checkpoint_and_needs_a_yes() {
    let shop = shop();
    assert_eq!(shop.error(&["anchor", "add", "src/cart.js", "TOTALS", "1"])["code"], "needs_confirmation");
    assert_eq!(shop.read("src/cart.js"), "let total = 0;\nlet count = 0;\n");
    let report = shop.data(&["anchor", "add", "src/cart.js", "TOTALS", "1", "--yes"]);
    let safety = report["snapshotId"].as_str().unwrap_or_default().to_owned();
    let safety = if safety.is_empty() { report["snapshot_id"].as_str().unwrap().to_owned() } else { safety };
    shop.vib(&["undo", &safety, "--yes"]).ok();
    assert_eq!(shop.read("src/cart.js"), "let total = 0;\nlet count = 0;\n");
}

#[test]
fn mistakes_are_answered() {
    let shop = shop();
    shop.write("data.json", "{}\n");
    for arguments in [
        ["anchor", "add", "src/cart.js", "lower", "1"],
        ["anchor", "add", "src/cart.js", "TOTALS", "9"],
        ["anchor", "add", "src/cart.js", "TOTALS", "two"],
        ["anchor", "add", "src/cart.js", "A_END", "1"],
        ["anchor", "add", "data.json", "A", "1"],
    ] {
        assert_eq!(shop.error(&arguments)["code"], "usage", "{arguments:?}");
    }
    assert_eq!(shop.error(&["anchor", "add", "nowhere.js", "A", "1"])["code"], "no_such_file");
}
