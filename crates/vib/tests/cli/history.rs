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
    ● test-agent: now the login
      rnwsbbqw  2 minutes ago   before Edit · src/login.js
      ypwtgmxm  2 minutes ago   before the turn  1 path
    ● test-agent: make the cart faster
      yynhqncr  3 minutes ago   before Bash  1 path, 5 B
      phpfxygs  5 minutes ago   before Edit · src/cart.js
      hfwdhbhw  5 minutes ago   before the turn
    srkrnshy  6 minutes ago   before the agent  4 paths, 50 B
    "###);
    assert_snapshot!(shop.vib(&["history", "--all", "-n", "2"]).text(&shop), @r###"
    kgwjxysp  1 minute ago    safety · before going back to rnwsbbqw  1 path, 10 B
    ● test-agent: now the login
      rnwsbbqw  3 minutes ago   before Edit · src/login.js
    There are older ones: `vib history -n 0` shows them all.
    "###);
}

#[test]
fn an_empty_history_says_how_to_begin() {
    let project = empty();
    assert_snapshot!(project.vib(&["history"]).text(&project), @r###"
    No checkpoint yet. `vib checkpoint` saves the project as it is now.
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
    let groups = shop.data(&["history"])["groups"].clone();
    let groups = groups.as_array().unwrap();
    assert_eq!(groups.len(), 2);
    assert!(groups.iter().all(|group| group["checkpoints"].as_array().unwrap().len() == 2), "{groups:?}");
}
