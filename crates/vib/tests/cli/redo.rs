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
fn what_changed_all_of_it_again_ends_the_way_forward_and_the_state_is_still_reached_by_its_id_t3() {
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

/// Others went on working: what they did stays, saved or not, in the same file and in others. (M6)
#[test]
fn redo_merges_with_what_was_done_since_m6() {
    let nine = |changes: &[(usize, &str)]| -> String {
        let line = |number: usize| {
            let changed = changes.iter().find(|(at, _)| *at == number);
            changed.map_or_else(|| format!("line {number}\n"), |(_, text)| format!("{text}\n"))
        };
        (1..=9).map(line).collect()
    };
    for saved in [true, false] {
        let shop = shop();
        shop.write("src/cart.js", nine(&[]));
        shop.checkpoint("start");
        shop.write("src/cart.js", nine(&[(2, "AGENT 2"), (5, "AGENT 5")]));
        shop.write("src/login.js", "agent\n");
        shop.checkpoint("work");
        shop.vib(&["undo", "--yes"]).ok();
        assert_eq!(shop.read("src/cart.js"), nine(&[]));
        // Far from it, in the very line, and elsewhere.
        shop.write("src/cart.js", nine(&[(2, "MINE 2"), (8, "MINE 8")]));
        shop.write("README.md", "mine\n");
        if saved {
            shop.checkpoint("mine");
        }
        let done = shop.vib(&["redo", "--yes"]).ok().stdout;
        assert!(done.contains("1 place was worked on since and stays as it is"), "{done}");
        assert!(done.contains("src/cart.js:1"), "{done}");
        assert_eq!(
            shop.read("src/cart.js"),
            nine(&[(2, "MINE 2"), (5, "AGENT 5"), (8, "MINE 8")]),
            "{saved}"
        );
        assert_eq!(shop.read("src/login.js"), "agent\n");
        assert_eq!(shop.read("README.md"), "mine\n");
        // And back again, with nothing lost.
        let history = shop.vib(&["history", "--all"]).ok().stdout;
        assert!(history.contains("vib redo"), "{history}");
    }
}

#[test]
fn what_conflicts_in_a_redo_can_be_chosen_m6() {
    let shop = shop();
    shop.write("src/cart.js", "one\ntwo\nthree\n");
    shop.checkpoint("start");
    shop.write("src/cart.js", "one\nAGENT\nthree\n");
    shop.write("src/login.js", "agent\n");
    shop.checkpoint("work");
    shop.vib(&["undo", "--yes"]).ok();
    shop.write("src/cart.js", "one\nMINE\nthree\n");
    shop.vib(&["redo", "--yes", "--take-conflicts"]).ok();
    assert_eq!(shop.read("src/cart.js"), "one\nAGENT\nthree\n");
    assert_eq!(shop.read("src/login.js"), "agent\n");
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
