//! `VIBELIGN_LOG` and `-v`: what vib does, told while it does it. (A5)

use testkit::Sandbox;

use super::shop;

const PROMPT: &str = r#"{"session_id":"s","prompt_id":"p","cwd":"ROOT","hook_event_name":"UserPromptSubmit","prompt":"nobody reads my words"}"#;

fn prompt(shop: &Sandbox, log: Option<&str>) -> testkit::Output {
    let mut command = shop.command(&["hook", "claude-code"]);
    if let Some(log) = log {
        command.env("VIBELIGN_LOG", log);
    }
    Sandbox::run_with_input(&mut command, &PROMPT.replace("ROOT", shop.root().to_str().unwrap())).ok()
}

#[test]
fn nothing_is_told_unless_somebody_asks() {
    let shop = shop();
    assert_eq!(shop.vib(&["checkpoint", "one"]).ok().stderr, "");
    prompt(&shop, None);
    assert!(!shop.state().join("hooks.log").exists());
}

#[test]
fn a_command_tells_on_standard_error_and_answers_as_ever() {
    let shop = shop();
    let plain = shop.vib(&["status", "--json"]).ok().stdout;
    let told = shop.vib(&["status", "--json", "-vv"]).ok();
    assert!(told.stderr.contains("vib::store: ") && told.stderr.contains("look"), "{}", told.stderr);
    assert!(told.stderr.contains("time.busy="), "how long it took: {}", told.stderr);
    let keys = |text: &str| -> Vec<String> {
        let value: serde_json::Value = serde_json::from_str(text).unwrap();
        value["data"].as_object().unwrap().keys().cloned().collect()
    };
    assert_eq!(keys(&plain), keys(&told.stdout));

    let mut command = shop.command(&["status"]);
    let by_variable = Sandbox::run(command.env("VIBELIGN_LOG", "vib::store=trace")).ok().stderr;
    assert!(by_variable.contains("vib::store: ") && !by_variable.contains("vib::command: "), "{by_variable}");
}

#[test]
fn a_hook_tells_into_a_file_of_its_own_and_no_words_of_anybody() {
    let shop = shop();
    let (plain, told) = (prompt(&shop, None), prompt(&shop, Some("debug")));
    assert_eq!(plain.stderr, told.stderr, "the client sees nothing of it");
    let file = shop.state().join("hooks.log");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("vib::hooks: ") && text.contains("NewTurn"), "{text}");
    assert!(!text.contains("nobody reads my words"), "{text}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o077, 0);
    }
}

#[test]
fn an_error_is_told_by_its_code() {
    let shop = shop();
    let told = shop.vib(&["undo", "nothing.txt", "-v"]);
    assert_ne!(told.code, 0);
    assert!(told.stderr.contains("ended with an error") && told.stderr.contains("code="), "{}", told.stderr);
}
