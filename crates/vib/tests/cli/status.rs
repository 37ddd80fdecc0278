//! `vib status`

use insta::assert_snapshot;

use super::shop;

#[test]
fn tells_where_we_stand() {
    let shop = shop();
    assert_snapshot!(shop.vib(&["status"]).text(&shop), @r###"
    Project [base]/project
    No checkpoint yet. `vib checkpoint` saves the project as it is now.
    "###);
    shop.checkpoint("good");
    let steady = |text: String| {
        text.lines()
            .map(|line| match line.find(" kept (") {
                Some(at) => format!("{} kept ([size])\n", &line[..at]),
                None => format!("{line}\n"),
            })
            .collect::<String>()
    };
    assert_snapshot!(steady(shop.vib(&["status"]).text(&shop)), @r###"
    Project [base]/project
    Last checkpoint hfwdhbhw “good”, 59 seconds ago; 1 checkpoint kept ([size])
    Nothing has changed since then.
    "###);
    shop.write(".gitignore", "build/\n");
    shop.write("build/out", "x");
    shop.write("src/cart.js", "changed\n");
    assert_snapshot!(steady(shop.vib(&["status"]).text(&shop)), @r###"
    Project [base]/project
    Last checkpoint hfwdhbhw “good”, 1 minute ago; 1 checkpoint kept ([size])
    Changed since then and not saved yet:
      new      .gitignore  +1
      changed  src/cart.js  +1 -2
    2 files, 2 lines added, 2 lines removed
    `vib diff` shows the lines, `vib checkpoint` saves, `vib undo` goes back.
    4 files looked at; 1 name left out by ignore rules
    "###);
}

#[test]
fn changes_nothing_in_the_store() {
    let shop = shop();
    shop.checkpoint("good");
    shop.write("a", "b");
    let before = shop.data(&["store", "stats"]);
    shop.vib(&["status"]).ok();
    shop.vib(&["diff"]).ok();
    shop.vib(&["history"]).ok();
    assert_eq!(shop.data(&["store", "stats"])["contents"], before["contents"]);
    assert_eq!(shop.data(&["history"])["groups"].as_array().unwrap().len(), 1);
}
