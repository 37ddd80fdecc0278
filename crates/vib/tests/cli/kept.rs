//! What is kept stays kept, through hooks, agents, ignore rules and updates; and what is lost is said (T5, S6, S16, A9)

use serde_json::{Value, json};
use testkit::old_store::OldStore;
use testkit::{Output, Sandbox};

use super::shop;

/// A call of Claude Code's hooks.
#[expect(clippy::needless_pass_by_value, reason = "`json!` reads best as an argument")]
fn hook(shop: &Sandbox, event: &str, turn: &str, fields: Value) -> Output {
    let mut payload = json!({
        "session_id": "s-1", "prompt_id": turn, "cwd": shop.root(), "hook_event_name": event,
    });
    for (name, value) in fields.as_object().unwrap() {
        payload[name] = value.clone();
    }
    Sandbox::run_with_input(&mut shop.command(&["hook", "claude-code"]), &payload.to_string()).ok()
}

fn bash(shop: &Sandbox, turn: &str, agent: Option<&str>, call: &str, script: &str) {
    let mut fields = json!({
        "tool_name": "Bash", "tool_input": {"command": script}, "tool_use_id": call,
    });
    if let Some(agent) = agent {
        fields["agent_id"] = agent.into();
        fields["agent_type"] = "general-purpose".into();
    }
    hook(shop, "PreToolUse", turn, fields.clone());
    shop.shell(script);
    fields["tool_response"] = json!({"stdout": ""});
    hook(shop, "PostToolUse", turn, fields);
}

#[test]
fn a_deleted_file_comes_back_after_200_prompts_and_300_sub_agents_t5() {
    let shop = shop();
    shop.write("thesis.md", "three months of work\n");
    hook(&shop, "UserPromptSubmit", "p-0", json!({"prompt": "tidy up"}));
    let before = shop.data(&["status"])["newest"]["id"].as_str().unwrap().to_owned();
    bash(&shop, "p-0", None, "c-0", "rm thesis.md");
    for number in 0..200 {
        hook(&shop, "UserPromptSubmit", &format!("p-{}", number + 1), json!({"prompt": "and what is this?"}));
    }
    for number in 0..300 {
        bash(
            &shop,
            "p-200",
            Some(&format!("agent-{number}")),
            &format!("c-{}", number + 1),
            "cat src/*.js > /dev/null",
        );
    }
    hook(&shop, "SessionEnd", "p-200", json!({"reason": "other"}));
    shop.vib(&["store", "gc"]).ok();
    assert_eq!(shop.data(&["store", "stats"])["gone"]["files"], 0);
    shop.vib(&["undo", &before, "thesis.md", "--yes"]).ok();
    assert_eq!(shop.read("thesis.md"), "three months of work\n");
}

#[test]
fn what_an_agent_saves_is_known_as_an_agents_s6() {
    let shop = shop();
    let saved =
        |command: &mut std::process::Command| Sandbox::run(command).ok().json()["data"]["checkpoint"].clone();
    assert!(saved(&mut shop.command(&["checkpoint", "--json"]))["by_agent"].is_null());
    let agents = saved(shop.command(&["checkpoint", "--json"]).env("CLAUDECODE", "1"));
    assert_eq!(agents["by_agent"], true);
    let told = saved(&mut shop.command(&["checkpoint", "--agent", "codex", "--json"]));
    assert_eq!(told["by_agent"], true);
}

#[test]
fn the_last_copy_that_had_to_go_is_said_s6() {
    let shop = shop();
    shop.write("only.txt", "the only copy\n");
    shop.data(&["checkpoint", "--kind", "turn"]);
    shop.remove("only.txt");
    for number in 0..4 {
        shop.write("src/cart.js", format!("{number}\n").repeat(900));
        shop.data(&["checkpoint", "--kind", "turn"]);
    }
    shop.vib(&["store", "gc"]).ok();
    assert_eq!(shop.data(&["store", "stats"])["gone"]["files"], 0);
    shop.vib(&["config", "set", "retention.max_store_size", "1KB"]).ok();
    let output = shop.vib(&["store", "gc"]).ok();
    assert!(output.stdout.contains("the last copy of deleted files went"), "{}", output.stdout);
    let stats = shop.vib(&["store", "stats"]).ok().stdout;
    assert!(stats.contains("1 deleted file (14 B) went because of your limits: `only.txt`"), "{stats}");
    let doctor = shop.vib(&["doctor"]);
    assert!(doctor.stdout.contains("`only.txt`"), "{}", doctor.stdout);
}

#[test]
fn checkpoints_that_vanished_are_shouted_about_everywhere_s6() {
    let shop = shop();
    shop.checkpoint("one");
    shop.write("README.md", "two\n");
    let newest = shop.checkpoint("two");
    let store = shop.store();
    std::fs::remove_dir_all(&store).unwrap();
    for arguments in [&["status"][..], &["history"], &["checkpoint"], &["doctor"], &[]] {
        let output = shop.vib(arguments);
        let text = format!("{}{}", output.stdout, output.stderr);
        assert!(text.contains("checkpoints are missing: 2 were kept here"), "{arguments:?}: {text}");
        assert!(text.contains(&newest) && text.contains("vib store check --repair"), "{arguments:?}: {text}");
    }
    let repaired = shop.vib(&["store", "check", "--repair"]).ok().stdout;
    assert!(repaired.contains("2 checkpoints had been kept here"), "{repaired}");
    let output = shop.vib(&["status"]).ok();
    assert!(!output.stdout.contains("missing"), "{}", output.stdout);
}

/// The beginning of a session of each client, as it calls.
const STARTS: [(&str, &str); 3] = [
    (
        "claude-code",
        r#"{"session_id": "s1", "hook_event_name": "SessionStart", "source": "startup", "cwd": "ROOT"}"#,
    ),
    (
        "gemini",
        r#"{"session_id": "g1", "hook_event_name": "SessionStart", "source": "startup", "cwd": "ROOT"}"#,
    ),
    (
        "codex",
        r#"{"session_id": "c1", "hook_event_name": "SessionStart", "source": "startup", "cwd": "ROOT", "transcript_path": null, "model": "m", "permission_mode": "default"}"#,
    ),
];

#[test]
fn a_session_begins_with_the_news_that_checkpoints_vanished_s6() {
    for (client, payload) in STARTS {
        let shop = shop();
        let payload = payload.replace("ROOT", &shop.root().display().to_string());
        let start = || testkit::Sandbox::run_with_input(&mut shop.command(&["hook", client]), &payload).ok();
        shop.checkpoint("one");
        let newest = shop.checkpoint("two");
        let quiet = start();
        assert!(!quiet.stdout.contains("missing"), "{client}: {quiet:?}");
        std::fs::remove_dir_all(shop.store()).unwrap();
        let said = start();
        let answer = said.json();
        // The agent is told, so that it can say it, and the person is told by the client.
        let told = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default();
        assert!(told.contains("Tell the person at once"), "{client}: {said:?}");
        assert!(told.contains("checkpoints are missing") && told.contains(&newest), "{client}: {said:?}");
        assert!(told.contains("vib store check --repair"), "{client}: {said:?}");
        let shown = format!("{}{}", answer["systemMessage"], said.stderr);
        assert!(shown.contains("checkpoints are missing"), "{client}: {said:?}");
        // Once it was looked into, nothing more is said.
        shop.vib(&["store", "check", "--repair"]).ok();
        assert!(!start().stdout.contains("missing"), "{client}");
    }
}

#[test]
fn a_truncated_pack_is_shouted_about_s6() {
    let shop = shop();
    shop.checkpoint("one");
    std::fs::write(shop.store().join("packs/000001.pack"), b"").unwrap();
    let output = shop.vib(&["status"]).ok();
    assert!(output.stdout.contains("saved content is missing"), "{}", output.stdout);
}

#[test]
fn without_the_index_nothing_is_called_saved_s10() {
    let shop = shop();
    shop.checkpoint("one");
    for name in ["store.db", "store.db-wal", "store.db-shm"] {
        let _ = std::fs::remove_file(shop.store().join(name));
    }
    assert_eq!(shop.error(&["checkpoint"])["code"], "damaged_index");
    let report = shop.data(&["store", "check", "--repair"]);
    assert!(
        report["repair"]["index_rebuilt"].as_str().unwrap().contains("list of checkpoints is lost"),
        "{report}"
    );
    shop.checkpoint("saved again");
    shop.remove("README.md");
    shop.vib(&["undo", "--yes"]).ok();
    assert_eq!(shop.read("README.md"), "# Shop\n");
}

#[test]
fn undo_after_gitignore_was_deleted_leaves_ignored_data_alone_s16() {
    let shop = shop();
    shop.write(".gitignore", "*.sqlite\nuploads/\n");
    shop.write("dev.sqlite", "rows\n");
    shop.write("uploads/a.png", "pixels\n");
    let good = shop.checkpoint("good");
    shop.remove(".gitignore");
    shop.write("src/cart.js", "changed\n");
    shop.checkpoint("without the rules");
    shop.vib(&["undo", &good, "--yes"]).ok();
    assert_eq!(
        (shop.read("dev.sqlite").as_str(), shop.read("uploads/a.png").as_str()),
        ("rows\n", "pixels\n")
    );
    assert!(shop.exists(".gitignore"));
    assert_ne!(shop.read("src/cart.js"), "changed\n");
}

#[test]
fn an_old_store_is_used_as_if_it_were_new_a9() {
    let shop = shop();
    shop.vib(&["status"]).ok();
    for path in ["src", "README.md"] {
        shop.remove(path);
    }
    let old = OldStore::read();
    old.install(&shop.root(), &shop.store());
    let history = shop.vib(&["history", "--all"]).ok().stdout;
    assert!(history.contains("add a price to the cart") && history.contains("it works now"), "{history}");
    shop.vib(&["store", "check"]).ok();
    let (id, files) = &old.checkpoints[old.checkpoints.len() / 2];
    shop.vib(&["undo", id, "--yes"]).ok();
    for (path, text) in files {
        assert_eq!(&shop.read(path), text, "{path}");
    }
    assert!(!files.contains_key("src/login.js") && !shop.exists("src/login.js"));
    assert_eq!(shop.read("notes.log"), "ignored\n");
    shop.vib(&["store", "check"]).ok();
}
