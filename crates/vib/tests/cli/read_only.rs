//! Looking writes nothing: look-only commands leave the state folder and the project as they are, byte for byte.

use std::collections::BTreeMap;
use std::path::PathBuf;

use testkit::{Agent, Sandbox};

use super::shop;

/// Every file with its bytes, but for the map, which only speeds up later looks.
fn listing(shop: &Sandbox) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![shop.state(), shop.root()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if !path.is_dir() {
                files.insert(path.clone(), std::fs::read(&path).unwrap_or_default());
            } else if entry.file_name() != "map" {
                folders.push(path);
            }
        }
    }
    files
}

#[test]
fn t13_commands_that_only_look_write_nothing() {
    let shop = shop();
    let agent = Agent::new(&shop, "s-1");
    shop.vib(&["memory", "intent", "a fast cart"]).ok();
    agent.prompt("make the cart faster");
    agent.edit("src/cart.js", "let total = 0;\nlet cache = new Map();\n");
    agent.save_for("Bash");
    shop.remove("src/login.js");
    // The first command settles what is made only once.
    shop.vib(&["status"]).ok();
    let looks: [&[&str]; 14] = [
        &[],
        &["status"],
        &["doctor"],
        &["history"],
        &["show", "latest"],
        &["diff"],
        &["explain"],
        &["recover", "--explain"],
        &["recover", "it", "broke"],
        &["memory"],
        &["memory", "show", "--json"],
        &["audit", "show"],
        &["audit", "slo"],
        &["audit", "metrics"],
    ];
    for words in looks {
        let before = listing(&shop);
        shop.vib(words);
        let after = listing(&shop);
        let names = before.keys().chain(after.keys());
        let different: Vec<_> = names.filter(|name| before.get(*name) != after.get(*name)).collect();
        assert!(different.is_empty(), "vib {words:?} wrote {different:?}");
    }
}
