use super::*;
use crate::command::{self, Hook};

/// A settings file of this client with vib in it, called from this place.
fn with_vib(path: &str, text: &str, program: &str) -> String {
    let file = of_path(path).unwrap();
    let Kind::Settings { hooks, server } = file.kind else { panic!("no settings") };
    let (place, program) = (Path::new(path), Path::new(program));
    let settings = Settings {
        hooks: hooks.map(|setup| HooksFile { setup, file: place, program, scope: Scope::Project }),
        server: server.map(|row| ServerFile {
            shape: row.server.shape,
            file: place,
            program,
            scope: Scope::Project,
        }),
    };
    settings.install(text, None).unwrap()
}

const SETTINGS: [&str; 9] = [
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".mcp.json",
    ".codex/hooks.json",
    ".codex/config.toml",
    ".gemini/settings.json",
    "opencode.json",
    ".github/mcp.json",
    ".cursor/hooks.json",
];

fn of_a_person(path: &str) -> (&'static str, &'static str) {
    if path.ends_with(".toml") {
        ("model = \"a\"\n", "model = \"b\"\n[x]\ny = 1\n")
    } else {
        ("{\n  \"model\": \"a\"\n}\n", "{\n  // mine\n  \"model\": \"b\",\n  \"list\": [1, true]\n}\n")
    }
}

#[test]
fn the_persons_part_goes_back_and_ours_stays_t4() {
    for path in SETTINGS {
        let file = of_path(path).unwrap();
        let (before, after) = of_a_person(path);
        // vib came between the two states: the old one has nothing of ours, the present one has.
        let present = with_vib(path, after, "/opt/vib");
        let new = file.carry(Some(&present), Some(before)).unwrap().unwrap();
        assert_eq!(new, with_vib(path, before, "/opt/vib"), "{path}");
        // It was installed in another place then: it stays where it is now.
        let old = with_vib(path, before, "/old/vib");
        let new = file.carry(Some(&present), Some(&old)).unwrap().unwrap();
        assert!(new.contains("/opt/vib") && !new.contains("/old/vib"), "{path}: {new}");
        // It was taken out since: it does not come back.
        let new = file.carry(Some(after), Some(&old)).unwrap().unwrap();
        // A version that vib put into a file of Cursor's stays: the file is right with it.
        assert_eq!(new.replace(",\n  \"version\": 1", ""), before, "{path}");
    }
}

#[test]
fn a_file_that_is_all_ours_stays_and_one_that_was_does_not_come_back_t4() {
    for path in SETTINGS {
        let file = of_path(path).unwrap();
        let ours = with_vib(path, "", "/opt/vib");
        assert_eq!(file.carry(Some(&ours), None).unwrap().as_deref(), Some(&*ours), "{path}");
        assert_eq!(file.carry(None, Some(&ours)).unwrap(), None, "{path}");
        // The person's part goes, ours stays.
        let both = with_vib(path, of_a_person(path).0, "/opt/vib");
        let left = file.carry(Some(&both), None).unwrap().unwrap();
        assert!(file.same_ours(Some(&left), Some(&ours)).unwrap(), "{path}: {left}");
        assert!(file.same_but_for_ours(Some(&left), None).unwrap(), "{path}: {left}");
        assert!(!left.contains("model"), "{path}: {left}");
    }
}

#[test]
fn a_state_with_the_same_entries_comes_back_to_the_byte_t4() {
    let path = ".claude/settings.json";
    let file = of_path(path).unwrap();
    let line = command::line(
        Path::new("/opt/vib"),
        &Hook { client: Client::ClaudeCode, event: None, scope: Scope::Project, is_first: false },
    );
    let line = serde_json::Value::String(line).to_string();
    let odd = format!("{{\"hooks\":  {{\"Stop\": [{{ \"hooks\":[{{\"command\": {line}}}] }}]}}, \"a\":1}}");
    let present = format!("{{\"hooks\": {{\"Stop\": [{{\"hooks\": [{{\"command\": {line}}}]}}]}}}}");
    assert_eq!(file.carry(Some(&present), Some(&odd)).unwrap(), Some(odd));
}

#[test]
fn our_hook_in_somebodys_group_is_taken_along_alone_t4() {
    let path = ".claude/settings.json";
    let file = of_path(path).unwrap();
    let line = command::line(
        Path::new("/opt/vib"),
        &Hook { client: Client::ClaudeCode, event: None, scope: Scope::Project, is_first: false },
    );
    let line = serde_json::Value::String(line).to_string();
    let present = format!(
        "{{\"hooks\": {{\"Stop\": [{{\"matcher\": \"x\", \"hooks\": [{{\"command\": \"mine\"}}, {{\"command\": {line}, \"onFailure\": \"block\"}}]}}]}}}}"
    );
    let new = file.carry(Some(&present), Some("{\"model\": \"a\"}")).unwrap().unwrap();
    assert!(new.contains("onFailure") && !new.contains("\"mine\"") && new.contains("model"), "{new}");
    assert!(file.same_ours(Some(&new), Some(&present)).unwrap());
}

#[test]
fn plugins_and_chat_commands_are_ours_as_a_whole_t4() {
    for path in [".opencode/plugins/vib.js", ".claude/commands/rollback.md", ".gemini/commands/lesson.toml"] {
        let file = of_path(path).unwrap();
        let ours = if path.ends_with(".js") {
            plugin::source(Path::new("/opt/vib"), Scope::Project)
        } else {
            format!("description = \"x {MARK}\"\n")
        };
        assert_eq!(file.carry(Some(&ours), None).unwrap().as_deref(), Some(&*ours), "{path}");
        assert_eq!(file.carry(None, Some(&ours)).unwrap(), None, "{path}");
        assert_eq!(file.carry(Some("mine"), Some("older")).unwrap().as_deref(), Some("older"), "{path}");
        assert_eq!(file.carry(Some("mine"), Some(&ours)).unwrap().as_deref(), Some("mine"), "{path}");
    }
}

#[test]
fn what_cannot_be_read_is_an_error_and_other_files_are_not_ours_t4() {
    let file = of_path(".claude/settings.json").unwrap();
    assert!(file.carry(Some("{"), Some("{}")).is_err());
    assert!(file.carry(Some(&with_vib(".claude/settings.json", "", "/v")), Some("{")).is_err());
    for path in ["settings.json", "src/.claude/settings.json", ".claude/other.json", "README.md", ".claude"] {
        assert!(of_path(path).is_none(), "{path}");
    }
    for folder in [".claude", ".claude/commands", ".github", ".github/hooks", ".opencode/plugins"] {
        assert!(is_folder_of_such(folder), "{folder}");
    }
    assert!(!is_folder_of_such("src") && !is_folder_of_such(".git"));
}
