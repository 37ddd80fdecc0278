//! A word that is no path is a message or an error (T2)

use insta::assert_snapshot;

use super::shop;

#[test]
fn words_that_name_nothing_are_what_the_state_is_called_t2() {
    let shop = shop();
    shop.write("src/cart.js", "let total = 1;\n");
    assert_snapshot!(shop.vib(&["checkpoint", "it works now"]).text(&shop), @r###"
    Saved checkpoint srkrnshy “it works now” (3 files looked at, 4 paths changed)
    "###);
    // The story of the review: the content is there again.
    shop.write("src/cart.js", "");
    shop.vib(&["undo", "--yes"]).ok();
    assert_eq!(shop.read("src/cart.js"), "let total = 1;\n");

    let data = shop.data(&["checkpoint", "it", "works", "again"]);
    assert_eq!(data["checkpoint"]["message"], "it works again");
    assert_eq!(data["checkpoint"]["whole_tree"], true);
    assert_eq!(shop.data(&["checkpoint", "장바구니 완료"])["checkpoint"]["message"], "장바구니 완료");
}

#[test]
fn words_that_could_only_be_files_and_are_not_save_nothing_t2() {
    let shop = shop();
    shop.checkpoint("first");
    let count =
        || shop.data(&["history", "--checkpoints"])["groups"].to_string().matches("created_ms").count();
    let before = count();
    assert_snapshot!(shop.vib(&["checkpoint", "src/crat.js"]).text(&shop), @r###"
    --- stderr
    error[nothing_to_save]: there is no file `src/crat.js`, so nothing was saved
    next: perhaps you meant `src/cart.js`; `vib checkpoint -m "your words"` saves the whole project under that name
    --- exit 1
    "###);
    for words in [
        &["src/cart.js", "nowhere"][..],
        &["nowhere.js"],
        &["-m", "good", "nowhere"],
        &["works", "src/nothing.js"],
        &["it", "README.md"],
    ] {
        let error = shop.error(&[&["checkpoint"], words].concat());
        assert_eq!(error["code"], "nothing_to_save", "{words:?}");
    }
    assert_eq!(shop.error(&["checkpoint", "../elsewhere/a.js"])["code"], "path_outside_project");
    assert_eq!(count(), before, "nothing was saved");
}

#[test]
fn a_file_that_is_gone_can_be_named_and_its_going_is_recorded_t2() {
    let shop = shop();
    shop.checkpoint("first");
    shop.remove("src/login.js");
    let data = shop.data(&["checkpoint", "src/login.js"]);
    assert_eq!(data["checkpoint"]["files_changed"], 1);
    // Since the whole project was saved.
    assert_eq!(shop.data(&["diff", "src/login.js"])["files"].as_array().unwrap().len(), 1);
    shop.vib(&["undo", "--yes", "src/login.js"]).ok();
    assert_eq!(shop.read("src/login.js"), "check(user);\n");
}

#[test]
fn a_folder_stands_for_the_files_in_it_t2() {
    let shop = shop();
    shop.checkpoint("first");
    shop.write("src/cart.js", "changed\n");
    shop.write("src/deep/new.js", "new\n");
    shop.write("README.md", "changed too\n");
    let data = shop.data(&["checkpoint", "src"]);
    assert_eq!(data["checkpoint"]["whole_tree"], false);
    let id = data["checkpoint"]["id"].as_str().unwrap();
    shop.write("src/cart.js", "");
    shop.remove("src/deep");
    shop.vib(&["undo", id, "--yes", "src"]).ok();
    assert_eq!(shop.read("src/cart.js"), "changed\n");
    assert_eq!(shop.read("src/deep/new.js"), "new\n");
    shop.remove("src");
    assert!(shop.data(&["checkpoint", "src"])["checkpoint"]["files_changed"].as_u64().unwrap() >= 3);
    shop.write(".gitignore", "out/\n");
    shop.write("out/a.js", "made\n");
    let error = shop.error(&["checkpoint", "out"]);
    assert!(error["message"].as_str().unwrap().contains("ignored"), "{error}");
}

#[test]
fn every_command_says_that_a_name_is_nowhere_t2() {
    let shop = shop();
    shop.checkpoint("first");
    shop.write("src/cart.js", "changed\n");
    for command in [
        &["undo", "src/nowhere.js", "--yes"][..],
        &["undo", "1", "src/nowhere.js", "--yes"],
        &["diff", "src/nowhere.js"],
        &["diff", "--", "src/nowhere.js"],
        &["explain", "src/nowhere.js"],
        &["explain", "--git", "src/nowhere.js"],
        &["recover", "--file", "src/nowhere.js", "--explain"],
        &["recover", "--file", "src/nowhere.js", "--preview"],
        &["memory", "relevant", "src/nowhere.js"],
        &["memory", "verify", "npm test", "--file", "src/nowhere.js"],
        &["memory", "review", "--drop-relevant", "src/nowhere.js"],
        &["verify", "--scope", "src/nowhere.js", "--", "true"],
    ] {
        // In front, since some of them have words after `--`.
        let output = shop.vib(&[&["--json"], command].concat());
        assert_eq!(
            (&output.json()["error"]["code"], output.code),
            (&"no_such_path".into(), 1),
            "{command:?}"
        );
    }
    for command in [
        &["protect", "src/nowhere.js"][..],
        &["anchor", "list", "src/nowhere.js"],
        &["anchor", "check", "src/nowhere.js"],
        &["anchor", "add", "src/nowhere.js", "A", "1"],
    ] {
        assert_eq!(shop.error(command)["code"], "no_such_file", "{command:?}");
    }
    for command in
        [&["secrets", "scan", "nowhere"][..], &["patch", "nowhere.diff", "--yes"], &["redact", "nowhere.txt"]]
    {
        let output = shop.vib(command);
        assert_ne!(output.code, 0, "{command:?}");
        assert!(output.stderr.contains("nowhere"), "{command:?}: {}", output.stderr);
    }
    assert_eq!(shop.error(&["recover", "feedback", "nowhere", "--right"])["code"], "not_labelled");
    assert_eq!(shop.error(&["show", "nowhere"])["code"], "not_a_checkpoint");
    for command in
        [&["undo", "../x", "--yes"][..], &["diff", "/etc/passwd"], &["explain", "../x"], &["protect", "../x"]]
    {
        assert_eq!(shop.error(command)["code"], "path_outside_project", "{command:?}");
    }
    assert_snapshot!(shop.vib(&["undo", "src/crat.js"]).text(&shop), @r###"
    --- stderr
    error[no_such_path]: nothing named `src/crat.js` is in this project, and nothing of that name was ever saved
    next: perhaps you meant `src/cart.js`
    --- exit 1
    "###);
}

#[test]
fn a_file_that_only_git_knows_is_no_stranger_t2() {
    let shop = shop();
    shop.shell("git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm one && rm src/login.js");
    let explained = shop.data(&["explain", "--git", "src/login.js"]);
    assert_eq!(explained["files"][0]["change"], "removed");
}

#[test]
fn a_name_can_be_protected_in_advance_t2() {
    let shop = shop();
    assert_eq!(shop.error(&["protect", "src/keys.js"])["code"], "no_such_file");
    let data = shop.data(&["protect", "--new", "src/keys.js"]);
    assert_eq!((&data["added"][0], &data["missing"][0]), (&"src/keys.js".into(), &"src/keys.js".into()));
}

#[test]
fn a_checkpoint_is_found_by_the_words_it_was_saved_with_t2() {
    let shop = shop();
    shop.write("src/cart.js", "let total = 1;\n");
    shop.vib(&["checkpoint", "it works now"]).ok();
    shop.write("src/cart.js", "let total = 2;\n");
    shop.vib(&["checkpoint", "장바구니 완료"]).ok();
    shop.write("src/cart.js", "broken");
    shop.vib(&["undo", "It", "works", "now", "--yes"]).ok();
    assert_eq!(shop.read("src/cart.js"), "let total = 1;\n");
    shop.vib(&["undo", "장바구니 완료", "--yes"]).ok();
    assert_eq!(shop.read("src/cart.js"), "let total = 2;\n");
    // A file of that name comes first.
    shop.vib(&["checkpoint", "-m", "README.md"]).ok();
    shop.write("README.md", "changed");
    shop.write("src/cart.js", "later");
    shop.vib(&["undo", "README.md", "--yes"]).ok();
    assert_eq!(shop.read("src/cart.js"), "later");
    // Words that name nothing are asked back, and nothing is done. (R5)
    assert_eq!(shop.error(&["undo", "it worked once"])["code"], "not_understood");
    assert_eq!(shop.error(&["undo", "once"])["code"], "no_such_path");
}
