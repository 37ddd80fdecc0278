//! What is not sure is said, counted and never taken back without a choice.

use serde_json::{Value, json};
use testkit::Sandbox;

use super::shop;
use super::verify::hook;

/// A project in which an agent was asked for something.
fn asked() -> Sandbox {
    let shop = shop();
    shop.write("src/cart.js", "one\ntwo\nthree\n");
    shop.vib(&["checkpoint"]).ok();
    hook(&shop, "s", "UserPromptSubmit", &json!({"prompt": "test it"}));
    shop
}

/// A command with both hooks around what happens meanwhile.
fn command(shop: &Sandbox, line: &str, meanwhile: impl FnOnce()) {
    let call = json!({"tool_name": "Bash", "tool_use_id": line, "tool_input": {"command": line}});
    hook(shop, "s", "PreToolUse", &call);
    meanwhile();
    let mut ended = call;
    ended["tool_response"] = json!({"stdout": "", "stderr": "", "interrupted": false});
    ended["duration_ms"] = json!(1_000);
    hook(shop, "s", "PostToolUse", &ended);
}

#[test]
fn history_show_and_undo_say_what_is_not_sure_b4() {
    let shop = asked();
    command(&shop, "npm test", || shop.write("src/cart.js", "one\nTWO\nthree\n"));
    let history = shop.vib(&["history"]).ok().stdout;
    assert!(history.contains("src/cart.js +1 -1  not sure: s1 or s2"), "{history}");
    let shown = shop.vib(&["show", "s1"]).ok().stdout;
    assert!(shown.contains("not sure: s1 or s2 src/cart.js"), "{shown}");
    assert_eq!(
        shop.data(&["show", "s1"])["doubtful"],
        json!([{"path": "src/cart.js", "steps": ["s1", "s2"]}])
    );
    let steps = shop.data(&["history"])["entries"].clone();
    let shared: Vec<&Value> =
        steps.as_array().unwrap().iter().flat_map(|entry| entry["steps"].as_array()).flatten().collect();
    assert!(shared.iter().all(|step| step["changes"][0]["shared"] == json!(["s1", "s2"])), "{steps}");
    let error = shop.error(&["undo", "--yes"]);
    assert_eq!(error["code"], "nothing_to_undo");
    assert!(error["message"].as_str().unwrap().contains("`src/cart.js` changed while it ran"), "{error}");
    assert!(error["message"].as_str().unwrap().contains("the next `vib undo` goes on"), "{error}");
    assert_eq!(shop.read("src/cart.js"), "one\nTWO\nthree\n");
    // The person chooses.
    shop.vib(&["undo", "--yes", "--take-conflicts"]).ok();
    assert_eq!(shop.read("src/cart.js"), "one\ntwo\nthree\n");
    shop.vib(&["redo", "--yes"]).ok();
    assert_eq!(shop.read("src/cart.js"), "one\nTWO\nthree\n");
}

#[test]
fn files_that_are_not_listed_are_counted_and_a_list_that_was_asked_for_is_whole() {
    let shop = asked();
    command(&shop, "python3 gen.py", || {
        for number in 0..250 {
            shop.write(&format!("made/file{number:03}.txt"), "x\n");
        }
    });
    let history = shop.vib(&["history"]).ok().stdout;
    let listed = history.lines().filter(|line| line.contains("made/file")).count();
    assert!(history.contains(&format!("and {} more files", 250 - listed)), "{history}");
    let entries = shop.data(&["history"])["entries"].clone();
    let step = &entries[0]["steps"][0];
    let changes = step["changes"].as_array().unwrap().len();
    assert_eq!(changes as u64 + step["unlisted"].as_u64().unwrap(), 250, "{changes}");
    let stat = shop.vib(&["show", "s1", "--stat"]).ok().stdout;
    assert_eq!(stat.lines().filter(|line| line.contains("made/file")).count(), 250);
}

/// An edit of the agent's, for certain.
fn edit(shop: &Sandbox, id: &str, path: &str, text: &str) {
    let input = json!({"file_path": shop.root().join(path), "content": text});
    let call = json!({"tool_name": "Write", "tool_use_id": id, "tool_input": input});
    hook(shop, "s", "PreToolUse", &call);
    shop.write(path, text);
    let mut ended = call;
    ended["tool_response"] = json!({});
    hook(shop, "s", "PostToolUse", &ended);
}

#[test]
fn undo_takes_back_what_is_certain_and_the_next_one_goes_on_m3() {
    let shop = asked();
    edit(&shop, "e0", "README.md", "first request\n");
    hook(&shop, "s", "UserPromptSubmit", &json!({"prompt": "second", "prompt_id": "p2"}));
    let readme = shop.read("README.md");
    edit(&shop, "e1", "src/login.js", "second request\n");
    command(&shop, "npm test", || shop.write("src/cart.js", "one\nTWO\nthree\n"));
    // The half that is certain goes, the other is named and stays.
    let first = shop.vib(&["undo", "--yes"]).ok().stdout;
    assert!(first.contains("1 file may have been changed by somebody else, and stays as it is"), "{first}");
    assert!(first.contains("src/cart.js:1") && first.contains("or by hand"), "{first}");
    assert_eq!(shop.read("src/cart.js"), "one\nTWO\nthree\n");
    assert_ne!(shop.read("src/login.js"), "second request\n");
    assert_eq!(shop.read("README.md"), readme);
    // The next one goes on with the request before it.
    shop.vib(&["undo", "--yes"]).ok();
    assert_ne!(shop.read("README.md"), readme);
    assert_eq!(shop.read("src/cart.js"), "one\nTWO\nthree\n");
    // Two steps forward, and the choice is still there: by its name, or all of it.
    shop.vib(&["redo", "--yes"]).ok();
    shop.vib(&["redo", "--yes"]).ok();
    assert_eq!(shop.read("README.md"), readme);
    assert_eq!(shop.read("src/login.js"), "second request\n");
    shop.vib(&["undo", "--yes", "--take", "src/cart.js:1"]).ok();
    assert_eq!(shop.read("src/cart.js"), "one\ntwo\nthree\n");
    assert_ne!(shop.read("src/login.js"), "second request\n");
}

#[test]
fn an_entry_of_which_nothing_is_certain_is_left_once_and_the_next_undo_goes_on_m3() {
    let shop = asked();
    edit(&shop, "e0", "README.md", "first request\n");
    hook(&shop, "s", "UserPromptSubmit", &json!({"prompt": "only test", "prompt_id": "p2"}));
    command(&shop, "npm test", || shop.write("src/cart.js", "one\nTWO\nthree\n"));
    // Looking at it changes nothing of that.
    for _ in 0..2 {
        assert_eq!(shop.error(&["undo", "--dry-run"])["code"], "nothing_to_undo");
    }
    let error = shop.error(&["undo", "--yes"]);
    assert_eq!(error["code"], "nothing_to_undo");
    assert_eq!(shop.read("README.md"), "first request\n");
    assert!(shop.vib(&["history"]).ok().stdout.contains("leaving as it is"));
    shop.vib(&["undo", "--yes"]).ok();
    assert_ne!(shop.read("README.md"), "first request\n");
    assert_eq!(shop.read("src/cart.js"), "one\nTWO\nthree\n");
    // Named, or with the choice, it is reached as before.
    shop.vib(&["undo", "--yes", "--take-conflicts"]).ok();
    assert_eq!(shop.read("src/cart.js"), "one\ntwo\nthree\n");
}

#[test]
fn an_entry_that_came_to_nothing_does_not_stop_an_undo_m3() {
    let shop = asked();
    edit(&shop, "e0", "README.md", "first request\n");
    hook(&shop, "s", "UserPromptSubmit", &json!({"prompt": "there and back", "prompt_id": "p2"}));
    edit(&shop, "e1", "src/cart.js", "other\n");
    edit(&shop, "e2", "src/cart.js", "one\ntwo\nthree\n");
    shop.vib(&["undo", "--yes"]).ok();
    assert_ne!(shop.read("README.md"), "first request\n");
}
