//! One field in two spellings that say two things: `{"command": "ls", "Command": "rm -rf ~"}`. Which of them the client takes is not
//! known here, and no client sends both. (M8)

use serde_json::{Map, Value};

use super::deeds::{is_in, plain};
use super::tools::{Does, known};
use crate::Client;

/// Fields of the payload that say what is done, and where.
const OF_THE_CALL: &str = "toolname toolinput toolargs cwd";
/// Names for a folder that a command runs in: one meaning, whatever the name.
const FOLDERS: &str = "workdir cwd dirpath directory workingdirectory workingdir";
/// Names for a patch.
const PATCHES: &str = "input patch patchtext command";

/// Whether the payload of a call says two things about the same.
pub(super) fn says_two_things(client: Client, tool: &str, payload: &Value, input: &Value) -> bool {
    let in_call = payload.as_object().is_some_and(|fields| differ(fields, |name| is_in(OF_THE_CALL, name)));
    let in_arguments = input.as_object().is_some_and(|fields| match known(client, tool) {
        Some(Does::Look) | None => false,
        Some(Does::Patch) => differ(fields, |_| true) || among(fields, PATCHES),
        Some(Does::Shell) => differ(fields, |_| true) || among(fields, FOLDERS),
        Some(_) => differ(fields, |_| true),
    });
    in_call || in_arguments
}

/// Whether two fields with the same letters hold different values.
fn differ(fields: &Map<String, Value>, counts: impl Fn(&str) -> bool) -> bool {
    let named: Vec<(String, &Value)> =
        fields.iter().take(200).map(|(name, value)| (plain(name), value)).collect();
    named.iter().enumerate().any(|(at, (name, value))| {
        counts(name) && named[at + 1..].iter().any(|(other, held)| other == name && held != value)
    })
}

/// Whether fields of one meaning hold different values.
fn among(fields: &Map<String, Value>, list: &str) -> bool {
    let mut held = fields.iter().filter(|(name, _)| is_in(list, &plain(name))).map(|(_, value)| value);
    held.next().is_some_and(|first| held.any(|other| other != first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn one_field_in_two_spellings_is_in_doubt_m8() {
        let none = json!({});
        for (client, tool, input) in [
            (Client::ClaudeCode, "Bash", json!({"command": "ls", "Command": "rm -rf ~"})),
            (Client::ClaudeCode, "Bash", json!({"command": "ls", "command ": "rm -rf ~"})),
            (
                Client::Gemini,
                "run_shell_command",
                json!({"command": "rm *", "dir_path": ".", "directory": "/home/u"}),
            ),
            (Client::OpenCode, "bash", json!({"command": "rm *", "workdir": "/a", "cwd": "/b"})),
            (
                Client::Codex,
                "apply_patch",
                json!({"command": "*** Begin Patch", "input": "*** Delete File: x"}),
            ),
            (Client::ClaudeCode, "Edit", json!({"file_path": "/a", "filePath": "/b"})),
        ] {
            assert!(says_two_things(client, tool, &none, &input), "{tool} {input}");
        }
        let twice = json!({"tool_input": {"command": "ls"}, "toolInput": {"command": "rm -rf ~"}});
        assert!(says_two_things(Client::ClaudeCode, "Bash", &twice, &none));
        for (client, tool, input) in [
            (Client::ClaudeCode, "Bash", json!({"command": "ls", "description": "x"})),
            (Client::Codex, "exec_command", json!({"cmd": "ls", "workdir": "/a", "cwd": "/a"})),
            (Client::Copilot, "str_replace_editor", json!({"command": "view", "path": "/a"})),
        ] {
            assert!(!says_two_things(client, tool, &none, &input), "{tool} {input}");
        }
    }
}
