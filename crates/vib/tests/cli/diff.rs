//! `vib diff` (CP1)

use insta::assert_snapshot;

use super::shop;
#[cfg(unix)]
use super::terminal::Terminal;

#[test]
fn since_the_last_checkpoint() {
    let shop = shop();
    shop.checkpoint("good");
    assert_snapshot!(shop.vib(&["diff"]).text(&shop), @r###"
    --- stderr
    No difference between `srkrnshy` and what you have now.
    "###);
    shop.write("src/cart.js", "let total = 1;\nlet count = 0;\n");
    shop.write("new.txt", "one\ntwo\n");
    shop.write("picture.bin", b"\x00\x01\x02");
    shop.shell("chmod 755 README.md && mv src/login.js src/auth.js && mkdir empty");
    assert_snapshot!(shop.vib(&["diff"]).text(&shop), @r###"
    diff --git a/README.md b/README.md
    old mode 100644
    new mode 100755
    # empty: a new folder
    diff --git a/new.txt b/new.txt
    new file mode 100644
    index 0000000..814f4a4
    --- /dev/null
    +++ b/new.txt
    @@ -0,0 +1,2 @@
    +one
    +two
    diff --git a/picture.bin b/picture.bin
    new file mode 100644
    index 0000000000000000000000000000000000000000..8352675d67aed6625ece79af41c27fdb4ee2e867
    GIT binary patch
    literal 3
    Kc${NkWC8#H2LJ>B

    literal 0
    Hc$@<O00001

    diff --git a/src/login.js b/src/auth.js
    similarity index 100%
    rename from src/login.js
    rename to src/auth.js
    diff --git a/src/cart.js b/src/cart.js
    index 9b0fd73..ca7ef9c 100644
    --- a/src/cart.js
    +++ b/src/cart.js
    @@ -1,2 +1,2 @@
    -let total = 0;
    +let total = 1;
     let count = 0;
    "###);
    assert_snapshot!(shop.vib(&["diff", "--stat"]).text(&shop), @r###"
      mode     README.md  mode 644 → 755
      new      empty/
      new      new.txt  +2
      new      picture.bin  binary, 0 B → 3 B
      renamed  src/login.js → src/auth.js
      changed  src/cart.js  +1 -1
    6 files, 3 lines added, 1 line removed
    "###);
}

#[test]
fn between_two_checkpoints_and_only_some_paths() {
    let shop = shop();
    let one = shop.checkpoint("one");
    shop.write("src/cart.js", "two\n");
    shop.write("README.md", "two\n");
    let two = shop.checkpoint("two");
    shop.write("src/cart.js", "three\n");
    let data = shop.data(&["diff", &one, &two, "src"]);
    assert_eq!(data["files"].as_array().unwrap().len(), 1);
    assert_eq!((&data["added"], &data["removed"]), (&1.into(), &2.into()));
    let backwards = shop.data(&["diff", &two, &one]);
    assert_eq!((&backwards["added"], &backwards["removed"]), (&3.into(), &2.into()));
    assert_eq!(shop.data(&["diff", &two])["files"][0]["path"], "src/cart.js");
}

#[test]
fn a_renamed_and_edited_file_is_still_one_file() {
    let shop = shop();
    let text: String = (0..40).map(|n| format!("line {n}\n")).collect();
    shop.write("old-name.txt", &text);
    shop.checkpoint("good");
    shop.remove("old-name.txt");
    shop.write("new/name.txt", text.replace("line 7", "line seven"));
    let files = shop.data(&["diff"])["files"].clone();
    assert_eq!(files[0]["status"], "renamed", "{files}");
    assert_eq!(files[0]["old_path"], "old-name.txt");
    assert_eq!((&files[0]["added"], &files[0]["removed"]), (&1.into(), &1.into()));
}

#[test]
fn sensitive_content_is_never_shown_cp5() {
    let shop = shop();
    shop.write(".gitignore", ".env\n");
    shop.write(".env", "KEY=old-value-1234\n");
    shop.checkpoint("good");
    shop.write(".env", "KEY=new-value-5678\n");
    for arguments in
        [&["diff"][..], &["diff", "--json"], &["undo", "--dry-run", "-p"], &["undo", "--dry-run", "--json"]]
    {
        let output = shop.vib(arguments);
        assert!(!output.stdout.contains("value-"), "{arguments:?}: {}", output.stdout);
        assert!(output.stdout.contains(".env"));
    }
    let id = shop.checkpoint("again");
    assert!(!shop.vib(&["show", &id, "--json"]).stdout.contains("value-"));
}

#[cfg(unix)]
#[test]
fn what_a_file_contains_cannot_drive_the_terminal() {
    let shop = shop();
    shop.checkpoint("good");
    shop.write("evil\x1b[2Jname", "\x1b]0;title\x07\x1b[31mred\n");
    let seen = Terminal::new(24, 80).run(&mut shop.command(&["diff", "--color", "never"]));
    assert!(!seen.contains('\x1b') && seen.contains("␛[31mred"), "{seen:?}");
    let id = shop.checkpoint("evil");
    for words in
        [&["show", &id, "--color", "never"][..], &["show", &id, "evil\x1b[2Jname", "--color", "never"]]
    {
        let seen = Terminal::new(24, 80).run(&mut shop.command(words));
        assert!(!seen.contains('\x1b') && seen.contains("␛[31mred"), "{seen:?}");
    }
    // Colours in a pipe are for a person behind it.
    let piped = shop.vib(&["diff", "--color", "always"]).stdout;
    assert!(!piped.contains("\x1b]0;") && !piped.contains("[2Jname\n"), "{piped:?}");
}

#[cfg(unix)]
#[test]
fn h9_on_a_terminal_changed_words_stand_out_and_in_a_pipe_they_do_not() {
    let shop = shop();
    shop.checkpoint("good");
    shop.write("src/cart.js", "let total = 1;\nlet count = 0;\n");
    let seen = Terminal::new(24, 80).run(shop.command(&["diff"]).env("TERM", "xterm"));
    assert!(seen.contains("\x1b[31m-let total = \x1b[0m\x1b[7m\x1b[31m0\x1b[0m\x1b[31m;\x1b[0m"), "{seen:?}");
    assert!(seen.contains("1 file, "), "{seen:?}");
    let piped = shop.vib(&["diff"]).stdout;
    assert!(!piped.contains('\x1b') && piped.ends_with("+let total = 1;\n let count = 0;\n"), "{piped:?}");
}

#[test]
fn a_mistyped_id_is_not_taken_for_a_path() {
    let shop = shop();
    shop.checkpoint("good");
    assert_eq!(shop.error(&["diff", "zzzz"])["code"], "not_a_checkpoint");
    shop.write("bcd", "a file with a name like an id\n");
    assert_eq!(shop.data(&["diff", "bcd"])["files"][0]["path"], "bcd");
}
