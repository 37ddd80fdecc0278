//! The names of events in other spellings: a hook that is registered by hand, or by a version of a client that writes them
//! otherwise, must not make the event one that nobody looks at.

use crate::Client;

/// The names that the clients of one family use.
fn names(client: Client) -> &'static [&'static str] {
    match client {
        Client::ClaudeCode | Client::Codex => &[
            "SessionStart",
            "UserPromptSubmit",
            "PreToolUse",
            "PermissionRequest",
            "PostToolUse",
            "PostToolUseFailure",
            "SubagentStart",
            "SubagentStop",
            "PreCompact",
            "Stop",
            "SessionEnd",
        ],
        Client::Gemini => {
            &["SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "SessionEnd"]
        }
        Client::Copilot => &[
            "sessionStart",
            "userPromptSubmitted",
            "preToolUse",
            "permissionRequest",
            "postToolUse",
            "postToolUseFailure",
            "subagentStart",
            "subagentStop",
            "preCompact",
            "agentStop",
            "sessionEnd",
            // It also calls Claude Code's hooks, under their names, and wants its answers in their form then.
            "SessionStart",
            "UserPromptSubmit",
            "UserPromptSubmitted",
            "PreToolUse",
            "PermissionRequest",
            "PostToolUse",
            "PostToolUseFailure",
            "SubagentStart",
            "SubagentStop",
            "PreCompact",
            "Stop",
            "SessionEnd",
        ],
        Client::Cursor => &[
            "sessionStart",
            "beforeSubmitPrompt",
            "beforeShellExecution",
            "beforeMCPExecution",
            "preToolUse",
            "postToolUse",
            "postToolUseFailure",
            "afterFileEdit",
            "afterShellExecution",
            "subagentStart",
            "subagentStop",
            "preCompact",
            "stop",
            "sessionEnd",
        ],
        Client::OpenCode => &["tool.execute.before", "tool.execute.after"],
        Client::Acp => &[],
    }
}

/// The moment before a tool runs, as the clients call it.
const BEFORE: &[&str] = &["pretooluse", "beforetool", "toolexecutebefore"];

/// The name as this client writes it; one that no client uses stays as it is.
pub(super) fn usual(client: Client, name: String) -> String {
    let plain = |name: &str| -> String {
        name.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
    };
    let written = plain(&name);
    if names(client).contains(&name.as_str()) {
        return name;
    }
    match names(client).iter().find(|known| plain(known) == written) {
        Some(known) => (*known).to_owned(),
        // `PreToolUseV2`, `before_tool_call`: whatever comes before a tool may still be refused.
        None if BEFORE.contains(&written.as_str()) || is_before_a_tool(&written) => {
            super::before_tool(client).to_owned()
        }
        None => name,
    }
}

fn is_before_a_tool(written: &str) -> bool {
    (written.starts_with("pre") || written.starts_with("before")) && written.contains("tool")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_known_in_any_case_s2() {
        for (client, written, want) in [
            (Client::ClaudeCode, "pretooluse", "PreToolUse"),
            (Client::ClaudeCode, "preToolUse", "PreToolUse"),
            (Client::ClaudeCode, "PRE_TOOL_USE", "PreToolUse"),
            (Client::Codex, "pre-tool-use", "PreToolUse"),
            (Client::Gemini, "beforetool", "BeforeTool"),
            (Client::Gemini, "PreToolUse", "BeforeTool"),
            (Client::Copilot, "PRETOOLUSE", "preToolUse"),
            (Client::Copilot, "PreToolUse", "PreToolUse"),
            (Client::Cursor, "beforeshellexecution", "beforeShellExecution"),
            (Client::OpenCode, "tool_execute_before", "tool.execute.before"),
            (Client::ClaudeCode, " PreToolUse ", "PreToolUse"),
            (Client::ClaudeCode, "preToolUseV2", "PreToolUse"),
            (Client::Gemini, "before_tool_call", "BeforeTool"),
            (Client::ClaudeCode, "Notification", "Notification"),
        ] {
            assert_eq!(usual(client, written.to_owned()), want);
        }
    }
}
