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
    Different from the checkpoint before:
    README.md (changed)  +2
    @@ -1 +1,3 @@
     # Shop
    +
    +Open daily.
    src/login.js (gone)  -1
    @@ -1 +0,0 @@
    -check(user);
    2 files, 2 lines added, 1 line removed
    "###);
    assert_snapshot!(shop.vib(&["show", &id[..4], "--stat"]).text(&shop), @r###"
    Checkpoint hfwdhbhw (manual)
      saved    2026-01-01 12:01:01 (1 minute ago)
      scope    the whole project
      message  two
      trigger  cli
    Different from the checkpoint before:
      changed  README.md  +2
      gone     src/login.js  -1
    2 files, 2 lines added, 1 line removed
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
      turn     1
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
