//! vib's own entries are not the person's work: going back keeps them as they are (T4)

use serde_json::{Value, json};
use testkit::Sandbox;

use super::shop;

const SETTINGS: &str = ".claude/settings.json";

/// A project with vib in Claude Code, installed after the first checkpoint.
fn installed() -> Sandbox {
    let shop = shop();
    shop.checkpoint("before vib was there");
    shop.vib(&["init", "--yes", "--client", "claude-code", "--scope", "team"]).ok();
    assert!(shop.read(SETTINGS).contains("hook claude-code"));
    assert!(shop.read(".mcp.json").contains("\"vib\""));
    shop
}

fn ours(shop: &Sandbox) -> [String; 3] {
    [SETTINGS, ".mcp.json", ".claude/commands/rollback.md"].map(|path| shop.read(path))
}

/// The person's own setting, put in by hand.
fn choose_model(shop: &Sandbox, model: &str) {
    let mut settings: Value = serde_json::from_str(&shop.read(SETTINGS)).unwrap();
    settings["model"] = json!(model);
    shop.write(SETTINGS, serde_json::to_string_pretty(&settings).unwrap());
}

/// Every hook calls a vib in another place, as an earlier version wrote it.
fn installed_from_elsewhere(shop: &Sandbox) {
    let mut settings: Value = serde_json::from_str(&shop.read(SETTINGS)).unwrap();
    for groups in settings["hooks"].as_object_mut().unwrap().values_mut() {
        groups[0]["hooks"][0]["command"] =
            json!("test -x '/elsewhere/vib' && exec '/elsewhere/vib' hook claude-code || true");
    }
    shop.write(SETTINGS, serde_json::to_string_pretty(&settings).unwrap());
}

#[test]
fn undo_right_after_init_takes_nothing_of_vib_away_t4() {
    let shop = installed();
    let before = ours(&shop);
    // Nothing but vib's own entries is different: there is no step to take back.
    let error = shop.error(&["undo", "--yes"]);
    assert_eq!(error["code"], "nothing_to_undo");
    shop.write("src/cart.js", "broken\n");
    let first = shop.data(&["history", "--checkpoints", "-n", "0"]);
    let first = first["groups"].as_array().unwrap().last().unwrap()["checkpoints"]
        .as_array()
        .unwrap()
        .last()
        .unwrap()["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let preview = shop.data(&["undo", &first, "--dry-run"]);
    let files: Vec<&str> =
        preview["changes"]["files"].as_array().unwrap().iter().map(|f| f["path"].as_str().unwrap()).collect();
    assert_eq!(files, ["src/cart.js"]);
    assert_eq!(preview["notices"][0]["notice"], "own_entries_kept");
    let done = shop.vib(&["undo", &first, "--yes"]).ok();
    assert!(done.stdout.contains("vib's own entries in `.claude/"), "{}", done.stdout);
    assert_eq!(shop.read("src/cart.js"), "let total = 0;\nlet count = 0;\n");
    assert_eq!(ours(&shop), before);
    // Named, they stay all the same.
    assert_eq!(shop.error(&["undo", &first, SETTINGS, "--yes"])["code"], "nothing_to_undo");
    shop.vib(&["redo", "--yes"]).ok();
    assert_eq!((shop.read("src/cart.js").as_str(), ours(&shop)), ("broken\n", before));
}

#[test]
fn what_the_person_wrote_into_the_same_file_goes_back_t4() {
    let shop = installed();
    choose_model(&shop, "one");
    let with_one = shop.read(SETTINGS);
    let one = shop.checkpoint("model one");
    choose_model(&shop, "two");
    // vib is installed anew in between, from another place.
    installed_from_elsewhere(&shop);
    shop.vib(&["undo", &one, SETTINGS, "--yes"]).ok();
    let now = shop.read(SETTINGS);
    assert!(now.contains("\"one\"") && now.contains("/elsewhere/vib"), "{now}");
    assert!(!now.contains("command -v vib") && !now.contains("\"two\""), "{now}");
    shop.vib(&["redo", "--yes"]).ok();
    // The same entries: back to the byte.
    shop.write(SETTINGS, &with_one);
    let same = shop.checkpoint("again");
    choose_model(&shop, "three");
    shop.vib(&["undo", &same, SETTINGS, "--yes"]).ok();
    assert_eq!(shop.read(SETTINGS), with_one);
}

#[test]
fn what_vib_took_out_does_not_come_back_and_what_something_else_took_out_does_t4() {
    let shop = installed();
    choose_model(&shop, "one");
    let with_vib = shop.checkpoint("with vib");
    shop.vib(&["init", "--remove", "--yes", "--client", "claude-code"]).ok();
    shop.write(SETTINGS, "{\"model\": \"two\"}\n");
    shop.vib(&["undo", &with_vib, "--yes"]).ok();
    let now = shop.read(SETTINGS);
    assert!(now.contains("\"one\"") && !now.contains("hook claude-code"), "{now}");
    assert!(!shop.exists(".mcp.json") && !shop.exists(".claude/commands"));

    // An agent that deletes the folder is not somebody who takes vib out.
    let shop = installed();
    let before = ours(&shop);
    let saved = shop.checkpoint("whole");
    shop.remove(".claude");
    shop.vib(&["undo", &saved, "--yes"]).ok();
    assert_eq!(ours(&shop), before);
}

#[test]
fn a_recovery_to_yesterday_and_its_way_back_keep_them_t4() {
    let shop = installed();
    let before = ours(&shop);
    let first = shop.data(&["history", "--checkpoints", "-n", "0"]);
    let first = first["groups"].as_array().unwrap().last().unwrap()["checkpoints"]
        .as_array()
        .unwrap()
        .last()
        .unwrap()["id"]
        .as_str()
        .unwrap()
        .to_owned();
    choose_model(&shop, "mine");
    shop.write("src/cart.js", "broken\n");
    let mine = shop.read(SETTINGS);
    let preview = shop.data(&["recover", "--checkpoint", &first, "--preview"]);
    assert!(preview["notices"].to_string().contains("own_entries_kept"), "{preview}");
    let plan = preview["plan"].as_str().unwrap();
    let done = shop.data(&["recover", "--plan", plan, "--yes"]);
    assert!(done["notices"].to_string().contains("own_entries_kept"), "{done}");
    // The person's part is gone, as it was then; ours is there.
    let now = shop.read(SETTINGS);
    assert!(now.contains("hook claude-code") && !now.contains("mine"), "{now}");
    assert_eq!(ours(&shop)[1..], before[1..]);
    shop.vib(&["recover", "--return", "--yes"]).ok();
    assert_eq!((shop.read(SETTINGS), shop.read("src/cart.js")), (mine, "broken\n".to_owned()));
}

#[test]
fn a_chat_rollback_keeps_them_and_says_so_t4() {
    // The clock of the tests goes on with every look at it: by it the command would take minutes, in which anybody may have written.
    let shop = shop().with_real_clock();
    let send = |event: &str, fields: Value| {
        let mut payload = json!({
            "session_id": "s", "transcript_path": "/t", "cwd": shop.root(), "hook_event_name": event
        });
        payload.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let mut command = shop.command(&["hook", "claude-code"]);
        command.env("CLAUDE_PROJECT_DIR", shop.root());
        Sandbox::run_with_input(&mut command, &payload.to_string()).stdout
    };
    let say = |text: &str| send("UserPromptSubmit", json!({"prompt": text}));
    say("make it faster");
    let call = json!({"tool_name": "Bash", "tool_use_id": "c", "tool_input": {"command": "./update.sh"}});
    send("PreToolUse", call.clone());
    shop.vib(&["init", "--yes", "--client", "claude-code", "--scope", "team"]).ok();
    shop.write("src/cart.js", "broken\n");
    send("PostToolUse", call);
    let before = ours(&shop);
    let shown = say("/rollback");
    assert!(shown.contains("stay as they are"), "{shown}");
    let code: String = shown.split("send: ").nth(1).unwrap().chars().take(4).collect();
    let done = say(&code);
    assert!(done.contains("Done") && done.contains("stay as they are"), "{done}");
    assert_eq!(shop.read("src/cart.js"), "let total = 0;\nlet count = 0;\n");
    assert_eq!(ours(&shop), before);
}

#[test]
fn settings_that_cannot_be_read_are_left_alone_t4() {
    let shop = installed();
    let with_vib = shop.checkpoint("with vib");
    let broken = format!("{{ broken {}", shop.read(SETTINGS));
    shop.write(SETTINGS, &broken);
    shop.write("src/cart.js", "broken\n");
    let preview = shop.data(&["undo", &with_vib, "--dry-run"]);
    assert_eq!(preview["notices"][0]["notice"], "settings_unreadable", "{preview}");
    shop.vib(&["undo", &with_vib, "--yes"]).ok();
    assert_eq!(shop.read(SETTINGS), broken);
    assert_eq!(shop.read("src/cart.js"), "let total = 0;\nlet count = 0;\n");
}
