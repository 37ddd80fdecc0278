//! Hooks called from several settings, in a project that is switched off, and where there is no project (C3, T9, T15).

use serde_json::{Value, json};
use testkit::{Output, Sandbox};

use super::shop;

fn call(shop: &Sandbox, words: &[&str], payload: &Value) -> Output {
    let arguments: Vec<&str> = std::iter::once("hook").chain(words.iter().copied()).collect();
    Sandbox::run_with_input(&mut shop.command(&arguments), &payload.to_string()).ok()
}

/// A command that no client may run unasked.
fn dangerous(shop: &Sandbox, session: &str) -> Value {
    json!({
        "session_id": session, "cwd": shop.root(), "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": "rm -rf /usr/lib"}, "tool_use_id": "c-1",
    })
}

#[test]
fn a_teams_hook_is_silent_where_your_own_answers_c3() {
    let shop = shop();
    let payload = dangerous(&shop, "s-1");
    let answers = |mark: &str| !call(&shop, &["claude-code", mark], &payload).stdout.is_empty();
    assert!(answers("--team") && answers("--project"), "nobody else would");
    shop.vib(&["init", "--yes", "--client", "claude-code"]).ok();
    assert!(!answers("--team") && !answers("--project"), "your own answer");
    assert!(!call(&shop, &["claude-code"], &payload).stdout.is_empty());
    // What Claude Code would not read answers nothing.
    let own = shop.base().join("home/.claude/settings.json");
    let text = std::fs::read_to_string(&own).unwrap();
    for unread in [
        format!("// mine\n{text}"),
        text.replacen('{', "{\"disableAllHooks\": true,", 1),
        text.replace(env!("CARGO_BIN_EXE_vib"), "/gone/vib"),
        text.replace("\"PreToolUse\"", "\"Other\""),
    ] {
        std::fs::write(&own, unread).unwrap();
        assert!(answers("--team"), "two answers are a nuisance, none is a hole");
    }
    std::fs::remove_file(&own).unwrap();
    shop.vib(&["init", "--yes", "--client", "claude-code", "--scope", "project"]).ok();
    assert!(!answers("--team") && answers("--project"), "yours in this project comes before the team's");
}

#[test]
fn for_codex_only_a_call_of_this_session_counts_c3() {
    let shop = shop();
    shop.vib(&["init", "--yes", "--client", "codex"]).ok();
    let answers = |words: &[&str], session: &str| {
        let words: Vec<&str> = std::iter::once("codex").chain(words.iter().copied()).collect();
        !call(&shop, &words, &dangerous(&shop, session)).stdout.is_empty()
    };
    assert!(answers(&["--team"], "s-1"), "installed is not approved");
    assert!(answers(&[], "s-1"));
    assert!(!answers(&["--team"], "s-1"), "your own was called in this session");
    assert!(answers(&["--team"], "s-2"), "another session is another matter");
}

#[test]
fn a_project_can_be_switched_off_and_on_c3() {
    let shop = shop();
    shop.vib(&["init"]).ok();
    let payload = dangerous(&shop, "s-1");
    let before = shop.data(&["history", "--checkpoints", "-n", "0"])["groups"].clone();
    let output = shop.vib(&["init", "--off"]).ok();
    assert!(output.stdout.contains("switched off in this project since 2026-01-01"), "{}", output.stdout);
    assert!(call(&shop, &["claude-code"], &payload).stdout.is_empty(), "not judged");
    let prompt = json!({"session_id": "s-1", "cwd": shop.root(), "hook_event_name": "UserPromptSubmit", "prompt": "go"});
    shop.write("new.txt", "x");
    call(&shop, &["claude-code"], &prompt);
    assert_eq!(shop.data(&["history", "--checkpoints", "-n", "0"])["groups"], before, "not saved");
    let start = json!({"session_id": "s-2", "cwd": shop.root(), "hook_event_name": "SessionStart", "source": "startup"});
    let said = call(&shop, &["claude-code"], &start);
    assert!(format!("{}{}", said.stdout, said.stderr).contains("vib init --on"), "{said:?}");
    for surface in [&["status"][..], &["history"], &["doctor"], &["init"]] {
        let output = shop.vib(surface);
        assert!(output.stdout.contains("switched off in this project"), "{surface:?}: {}", output.stdout);
    }
    assert_eq!(shop.data(&["init"])["protection"], "off");
    // Nothing of it is in the project: a clone cannot bring it along.
    let inside = std::fs::read_dir(shop.root().join(".vibelign")).unwrap().flatten();
    assert!(inside.into_iter().all(|entry| !entry.file_name().to_string_lossy().contains("off")));
    shop.vib(&["init", "--on"]).ok();
    assert!(!call(&shop, &["claude-code"], &payload).stdout.is_empty());
}

#[test]
fn where_there_is_no_project_it_is_said_once_and_commands_are_judged_c3() {
    let shop = shop();
    let home = shop.base().join("home");
    let send = |session: &str, event: &str, tool: &str, input: Value| {
        let payload = json!({
            "session_id": session, "cwd": home, "hook_event_name": event, "tool_name": tool, "tool_input": input,
            "tool_use_id": "c-1", "prompt": "go",
        });
        let mut command = shop.command(&["hook", "claude-code"]);
        Sandbox::run_with_input(command.current_dir(&home), &payload.to_string()).ok()
    };
    let mut warnings = 0;
    for _ in 0..20 {
        for (event, tool, input) in [
            ("UserPromptSubmit", "", json!({})),
            ("PreToolUse", "Bash", json!({"command": "ls"})),
            ("PreToolUse", "Write", json!({"file_path": home.join("notes.txt"), "content": "x"})),
            ("PostToolUse", "Bash", json!({"command": "ls"})),
        ] {
            let output = send("s-1", event, tool, input);
            let text = format!("{}{}", output.stdout, output.stderr);
            warnings += usize::from(text.contains("nothing is saved here"));
            assert!(!text.contains("permissionDecision"), "an honest step: {text}");
        }
    }
    assert_eq!(warnings, 1, "of 80 calls");
    assert!(send("s-2", "UserPromptSubmit", "", json!({})).stdout.contains("nothing is saved here"));
    assert!(
        send("s-1", "PreToolUse", "Bash", json!({"command": "rm -rf ~/Documents"}))
            .stdout
            .contains("permissionDecision")
    );
    let settings = json!({"file_path": home.join(".claude/settings.json"), "content": "{}"});
    assert!(send("s-1", "PreToolUse", "Write", settings).stdout.contains("permissionDecision"));
}

#[test]
fn a_teams_file_protects_judges_and_names_what_it_may_not_do_t15() {
    let shop = shop();
    shop.vib(&["init"]).ok();
    shop.write("vibelign.toml", "[guard]\nllm_command = 'evil'\n[protect]\npaths = ['src/']\n[[policy.deny]]\ncommand = 'make deploy'\n");
    let deploy = json!({
        "session_id": "s-1", "cwd": shop.root(), "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": "make deploy"}, "tool_use_id": "c-1",
    });
    assert!(call(&shop, &["claude-code"], &deploy).stdout.contains("\"deny\""));
    let edit = json!({
        "session_id": "s-1", "cwd": shop.root(), "hook_event_name": "PreToolUse", "tool_name": "Write",
        "tool_input": {"file_path": shop.root().join("src/x.js"), "content": "x"}, "tool_use_id": "c-1",
    });
    assert!(call(&shop, &["claude-code"], &edit).stdout.contains("is protected"));
    let status = shop.vib(&["status"]).ok();
    assert!(status.stdout.contains("`guard.llm_command` there does not: not used"), "{}", status.stdout);
    assert!(!shop.data(&["config", "get", "guard.llm_command"]).to_string().contains("evil"));
    let output = shop.vib(&["protect", "--remove", "src"]);
    assert!(output.code != 0 && output.stderr.contains("vibelign.toml"), "{output:?}");
}
