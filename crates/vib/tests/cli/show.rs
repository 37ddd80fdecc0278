//! `vib show` (CP1, CP3)

use insta::assert_snapshot;
use testkit::Agent;

use super::shop;

#[test]
fn a_manual_checkpoint() {
    let shop = shop();
    shop.checkpoint("one");
    shop.write("README.md", "# Shop\n\nOpen daily.\n");
    shop.remove("src/login.js");
    let id = shop.checkpoint("two");
    assert_snapshot!(shop.vib(&["show", &id]).text(&shop), @r###"
    Checkpoint hfwdhbhw (manual)
      saved    2026-01-01 12:01:01 (59 seconds ago)
      scope    the whole project
      message  two
      trigger  cli
    Different from the checkpoint before, 2 files, 2 lines added, 1 line removed:
    diff --git a/README.md b/README.md
    index a00621b..3f326f0 100644
    --- a/README.md
    +++ b/README.md
    @@ -1 +1,3 @@
     # Shop
    +
    +Open daily.
    diff --git a/src/login.js b/src/login.js
    deleted file mode 100644
    index 01a36b4..0000000
    --- a/src/login.js
    +++ /dev/null
    @@ -1 +0,0 @@
    -check(user);
    "###);
    assert_snapshot!(shop.vib(&["show", &id[..4], "--stat"]).text(&shop), @r###"
    Checkpoint hfwdhbhw (manual)
      saved    2026-01-01 12:01:01 (1 minute ago)
      scope    the whole project
      message  two
      trigger  cli
    Different from the checkpoint before, 2 files, 2 lines added, 1 line removed:
      changed  README.md  +2
      gone     src/login.js  -1
    "###);
}

#[test]
fn a_step_of_an_agent() {
    let shop = shop();
    let agent = Agent::new(&shop, "s1");
    agent.prompt("make the cart faster");
    let id = agent.edit("src/new.js", "new\n");
    assert_snapshot!(shop.vib(&["show", &id]).text(&shop), @r###"
    Checkpoint hfwdhbhw (turn)
      saved    2026-01-01 12:01:00 (1 minute ago)
      scope    single files
      prompt   make the cart faster
      agent    test-agent
      session  s1
      request  1
      tool     Edit
      trigger  cli
      file     src/new.js  was not there yet
    Nothing was different from the checkpoint before.
    "###);
}

#[test]
fn not_a_checkpoint() {
    let shop = shop();
    shop.checkpoint("one");
    for id in ["zzzzzzzz", "not-an-id", "42", ""] {
        assert_eq!(shop.error(&["show", id])["code"], "not_a_checkpoint", "{id}");
    }
}

#[test]
fn h6_an_old_file_to_the_byte() {
    let shop = shop();
    let old: &[u8] = b"\x00\xff\r\n\x1b[31mno line end";
    shop.write("picture.bin", old);
    shop.write(".env", "KEY=old-value-1234\n");
    let id = shop.checkpoint("one");
    shop.write("picture.bin", "now\n");
    shop.remove("src/cart.js");
    let two = shop.checkpoint("two");
    let bytes = |words: &[&str]| shop.command(words).output().unwrap().stdout;
    assert_eq!(bytes(&["show", &id, "picture.bin"]), old);
    assert_eq!(bytes(&["show", &two, "picture.bin"]), b"now\n");
    assert_eq!(bytes(&["show", &id[..4], "src/cart.js"]), b"let total = 0;\nlet count = 0;\n");
    // From inside a folder the name is as one types it there.
    let mut inside = shop.command(&["show", &id, "cart.js"]);
    assert_eq!(
        inside.current_dir(shop.root().join("src")).output().unwrap().stdout,
        b"let total = 0;\nlet count = 0;\n"
    );
    let data = shop.data(&["show", &id, "README.md"]);
    assert_eq!(
        (&data["text"], &data["size"], &data["binary"]),
        (&"# Shop\n".into(), &7.into(), &false.into())
    );
    assert_eq!(shop.data(&["show", &id, "picture.bin"])["text"], serde_json::Value::Null);
    assert_eq!(shop.error(&["show", &two, "src/cart.js"])["code"], "not_there_then");
    assert_eq!(shop.error(&["show", &id, "src"])["code"], "folder_then");
    assert_eq!(shop.error(&["show", &id, "nowhere.js"])["code"], "no_such_path");
    let refused = shop.error(&["show", &id, ".env"]);
    assert_eq!(refused["code"], "not_shown");
    assert!(refused["next"].as_str().unwrap().contains(&format!("vib undo {id} .env")), "{refused}");
    assert!(!shop.vib(&["show", &id, ".env"]).stdout.contains("value-"));
}

#[test]
fn h6_a_file_from_the_checkpoint_of_one_step() {
    let shop = shop();
    let agent = Agent::new(&shop, "s1");
    agent.prompt("make the cart faster");
    let id = agent.edit("src/cart.js", "new\n");
    shop.write("README.md", "later\n");
    assert_eq!(shop.vib(&["show", &id, "src/cart.js"]).ok().stdout, "let total = 0;\nlet count = 0;\n");
}
