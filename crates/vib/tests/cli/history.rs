//! `vib history` (CP1, CP6)

use insta::assert_snapshot;
use testkit::Agent;

use super::{empty, shop};

#[test]
fn groups_steps_under_prompts() {
    let shop = shop();
    shop.checkpoint("before the agent");
    let agent = Agent::new(&shop, "s1");
    agent.prompt("make the cart faster\nand nicer");
    agent.edit("src/cart.js", "fast\n");
    agent.shell("rm README.md");
    agent.prompt("now the login");
    agent.edit("src/login.js", "new login\n");
    shop.vib(&["undo", "--yes"]).ok();
    assert_snapshot!(shop.vib(&["history"]).text(&shop), @r###"
    ● vib undo: taking back “changes by hand or by another program”  55 seconds ago
      s4     taking back “changes by hand or by another program”
          new  README.md +1
               src/cart.js +2 -1
               src/login.js +1 -1
    ● changes by hand or by another program  57 seconds ago  (taken back)
      s1       taken back
               src/cart.js +1 -2
      s2       taken back
          gone README.md -1
      s3       taken back
               src/login.js +1 -1
    ■ saved “before the agent”  srkrnshy  6 minutes ago
    "###);
    assert_snapshot!(shop.vib(&["history", "--all", "-n", "2"]).text(&shop), @r###"
    ● vib undo: taking back “changes by hand or by another program”  1 minute ago
      s4     taking back “changes by hand or by another program”
          new  README.md +1
               src/cart.js +2 -1
               src/login.js +1 -1
    ● changes by hand or by another program  1 minute ago  (taken back)
      s1       taken back
               src/cart.js +1 -2
      s2       taken back
          gone README.md -1
      s3       taken back
               src/login.js +1 -1
    There is more: `vib history -n 0` shows it all.
    "###);
}

#[test]
fn an_empty_history_says_how_to_begin() {
    let project = empty();
    assert_snapshot!(project.vib(&["history"]).text(&project), @r###"
    Nothing to tell: no step, change or save that fits. `vib checkpoint` saves the project as it is now.
    "###);
}

#[test]
fn two_agents_at_once_stay_apart() {
    let shop = shop();
    let (one, two) = (Agent::new(&shop, "s1"), Agent::new(&shop, "s2"));
    one.prompt("first task");
    two.prompt("second task");
    one.edit("a", "1");
    two.edit("b", "2");
    let groups = shop.data(&["history", "--checkpoints"])["groups"].clone();
    let groups = groups.as_array().unwrap();
    assert_eq!(groups.len(), 2);
    assert!(groups.iter().all(|group| group["checkpoints"].as_array().unwrap().len() == 2), "{groups:?}");
}
