//! One table: for each client how it is found, which file holds its hooks, which events are installed, in what shape.
//!
//! What each client accepts was observed on the real programs (versions in the `meta.json` of the recorded payloads);
//! Cursor's row is from its public documentation only.
//!
//! - Claude Code: `timeout` in seconds. Copilot and Cursor also run the hooks of `.claude/settings.json`; the adapter
//!   answers such a second call with nothing when the environment says who is calling (`COPILOT_CLI=1`).
//! - Codex: any top-level key but `description` and `hooks`, or a `timeout` that is no whole number, makes it drop the
//!   whole file. Every hook has to be trusted by the person in its terminal (`/hooks`) before it runs. It has no chat
//!   commands of one's own (0.166.0), and refuses an unknown `/rollback` before any hook sees it.
//! - Gemini: `timeout` in milliseconds. `PreCompress` comes before every model request, so it is not installed.
//! - Copilot: events in camel case; the payload does not name its event, so the command line does.
//! - OpenCode: no command hooks; a plugin of ours forwards what is needed.
//! - Copilot, Cursor: whether a chat command of ours would reach the prompt hook was not seen, so there is none.
//!
//! MCP servers: Claude Code keeps those for all projects in its own state file, which is not ours to edit; Copilot reads
//! `.mcp.json` too; Cursor's place is from its documentation.

use crate::Client;
use crate::servers::ServerShape;

/// How one client is set up.
#[derive(Debug)]
pub struct Setup {
    /// The client.
    pub client: Client,
    /// Names of its program on `PATH`.
    pub programs: &'static [&'static str],
    /// The folder of the user's own settings.
    pub user_folder: UserFolder,
    /// The folder of a project's settings.
    pub project_folder: &'static str,
    /// What in a project shows that the client is used there.
    pub traces: &'static [&'static str],
    /// The file with the hooks, in either folder.
    pub file: &'static str,
    /// The one beside it that is for this person in this project and does not get committed.
    pub private_file: Option<&'static str>,
    /// How hooks are written in that file.
    pub shape: Shape,
    /// The events, in the order in which they happen.
    pub events: &'static [Event],
    /// The chat commands, where it was seen that the hook gets what was typed.
    pub slash: &'static [SlashCommand],
    /// How the client runs a command.
    pub shell: Shell,
    /// What the client sets for a hook process; `{root}` is the project.
    pub environment: &'static [(&'static str, &'static str)],
    /// What the person should know.
    pub note: Option<&'static str>,
    /// What the person still has to do before the client runs our hooks.
    pub needs: Option<&'static str>,
    /// The same, besides, where the hooks stand in a project's own files.
    pub needs_in_project: Option<&'static str>,
    /// Where vib's MCP server is written down.
    pub server: Server,
}

/// Where a client's MCP servers are.
#[derive(Debug)]
pub struct Server {
    /// How they are written.
    pub shape: ServerShape,
    /// The file in a project, from its root.
    pub project: &'static str,
    /// The file in the folder of the user's own settings; none: it is not for us to edit.
    pub user: Option<&'static str>,
    /// The client's own command for servers that it keeps in a file which is not for us to edit.
    pub command: Option<ServerCommand>,
}

/// How a client is told about a server where its file is not ours to edit.
#[derive(Debug, Clone, Copy)]
pub struct ServerCommand {
    /// The client's file, read to see what is there, never written.
    pub file: &'static str,
    /// What it calls the servers of one person for every project.
    pub user: &'static str,
    /// What it calls those of one person in one project.
    pub project: &'static str,
}

/// Where a client looks for the user's own settings.
#[derive(Debug)]
pub struct UserFolder {
    /// A variable that moves it, and the folder inside.
    pub variable: Option<(&'static str, &'static str)>,
    /// Below the home folder.
    pub home: &'static str,
}

/// How hooks are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `{"hooks": {EVENT: [{"hooks": [{"type": "command", "command": …, "timeout": …}]}]}}`
    Groups {
        /// How many of the client's units of time make a second.
        per_second: u32,
    },
    /// `{"version": 1, "hooks": {EVENT: [{COMMAND: …, TIMEOUT: …}]}}`
    Flat {
        /// The key of the command line.
        command: &'static str,
        /// The key of the limit, in seconds.
        timeout: &'static str,
        /// Entries carry `"type": "command"`.
        typed: bool,
        /// The event stands in the command line.
        event_in_command: bool,
    },
    /// A JavaScript file of ours.
    Plugin,
}

/// One event.
#[derive(Debug)]
pub struct Event {
    /// Its name in the client's settings.
    pub name: &'static str,
    /// How long the client waits for the hook.
    pub seconds: u32,
    /// A recorded payload; none was recorded for a few.
    pub payload: Option<&'static str>,
}

/// A chat command as a file.
#[derive(Debug)]
pub struct SlashCommand {
    /// What it is, for the person who is asked.
    pub what: &'static str,
    /// In the same folder as the settings.
    pub file: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// The shell of a client's hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shell {
    /// `/bin/sh -c`
    Sh,
    /// `$SHELL -c`
    Own,
    /// `bash -c`
    Bash,
    /// `/bin/bash --norc --noprofile -c`
    BareBash,
    /// The program is started directly.
    None,
}

const ROLLBACK: &str = "the chat command /rollback";
const LESSON: &str = "the chat command /lesson";

/// A step must not hang for ever; a first checkpoint of a big tree takes its time.
const STEP: u32 = 60;
/// Without a limit of our own Claude Code and Codex cut the last hook off after a second or so.
const END: u32 = 10;
/// Codex allows its last hook no more, and warns at every start about whoever wants it.
const CODEX_END: u32 = 3;

macro_rules! event {
    ($name:literal, $seconds:expr) => {
        Event { name: $name, seconds: $seconds, payload: None }
    };
    ($name:literal, $seconds:expr, $payload:literal) => {
        Event {
            name: $name,
            seconds: $seconds,
            payload: Some(include_str!(concat!("../../hooks/fixtures/", $payload))),
        }
    };
}

/// The row of a client.
pub fn setup(client: Client) -> &'static Setup {
    match client {
        Client::ClaudeCode => &CLAUDE_CODE,
        Client::Codex => &CODEX,
        Client::Gemini => &GEMINI,
        Client::OpenCode => &OPENCODE,
        Client::Copilot => &COPILOT,
        Client::Cursor => &CURSOR,
        Client::Acp => &ACP,
    }
}

static CLAUDE_CODE: Setup = Setup {
    client: Client::ClaudeCode,
    programs: &["claude"],
    user_folder: UserFolder { variable: Some(("CLAUDE_CONFIG_DIR", "")), home: ".claude" },
    project_folder: ".claude",
    traces: &[".claude"],
    file: "settings.json",
    private_file: Some("settings.local.json"),
    shape: Shape::Groups { per_second: 1 },
    events: &[
        event!("SessionStart", STEP, "claude/SessionStart/startup/stdin.json"),
        event!("UserPromptSubmit", STEP, "claude/UserPromptSubmit/basic/stdin.json"),
        event!("PreToolUse", STEP, "claude/PreToolUse/Write/stdin.json"),
        event!("PermissionRequest", STEP, "claude/PermissionRequest/Write-default/stdin.json"),
        event!("PostToolUse", STEP, "claude/PostToolUse/Write/stdin.json"),
        event!("PostToolUseFailure", STEP, "claude/PostToolUseFailure/Bash/stdin.json"),
        event!("SubagentStart", STEP, "claude/SubagentStart/subagent/stdin.json"),
        event!("SubagentStop", STEP, "claude/SubagentStop/subagent/stdin.json"),
        event!("PreCompact", STEP, "claude/PreCompact/auto/stdin.json"),
        event!("Stop", STEP, "claude/Stop/basic/stdin.json"),
        event!("SessionEnd", END, "claude/SessionEnd/other/stdin.json"),
    ],
    // Seen on 2.1.325: the prompt hook gets `/rollback 3` as typed, so this text is read by the model only when the
    // hook did not hold the prompt back.
    slash: &[
        SlashCommand {
            what: ROLLBACK,
            file: "commands/rollback.md",
            text: "---\ndescription: Go back to an earlier state of this project (installed by vib)\nargument-hint: \"[turns]\"\n\
                   ---\nThe person typed /rollback, but vib did not answer: its hook is not active. Do not change any file. Tell the \
                   person to run `vib doctor` and `vib undo` in a terminal.\n",
        },
        SlashCommand {
            what: LESSON,
            file: "commands/lesson.md",
            text: "---\ndescription: Say what the agent should do differently next time (installed by vib)\nargument-hint: \"TEXT\"\n\
                   ---\nThe person typed /lesson, but vib did not answer: its hook is not active. Do not change any file. Tell the \
                   person to run `vib doctor` and `vib lesson add` in a terminal.\n",
        },
    ],
    shell: Shell::Sh,
    environment: &[("CLAUDECODE", "1"), ("CLAUDE_PROJECT_DIR", "{root}")],
    note: None,
    needs: None,
    needs_in_project: None,
    server: Server {
        shape: ServerShape::Plain,
        project: ".mcp.json",
        user: None,
        command: Some(ServerCommand { file: ".claude.json", user: "user", project: "local" }),
    },
};

static CODEX: Setup = Setup {
    client: Client::Codex,
    programs: &["codex"],
    user_folder: UserFolder { variable: Some(("CODEX_HOME", "")), home: ".codex" },
    project_folder: ".codex",
    traces: &[".codex"],
    file: "hooks.json",
    private_file: None,
    shape: Shape::Groups { per_second: 1 },
    events: &[
        event!("SessionStart", STEP, "codex/SessionStart/startup/stdin.json"),
        event!("UserPromptSubmit", STEP, "codex/UserPromptSubmit/basic/stdin.json"),
        event!("PreToolUse", STEP, "codex/PreToolUse/apply_patch/stdin.json"),
        event!("PermissionRequest", STEP, "codex/PermissionRequest/Bash-default/stdin.json"),
        event!("PostToolUse", STEP, "codex/PostToolUse/apply_patch/stdin.json"),
        event!("SubagentStart", STEP, "codex/SubagentStart/subagent/stdin.json"),
        event!("SubagentStop", STEP),
        event!("PreCompact", STEP, "codex/PreCompact/auto/stdin.json"),
        event!("Stop", STEP, "codex/Stop/basic/stdin.json"),
        event!("SessionEnd", CODEX_END, "codex/SessionEnd/other/stdin.json"),
    ],
    slash: &[],
    shell: Shell::Own,
    environment: &[],
    note: None,
    needs: Some(
        "it runs no hook before you approved it, and does not say so: start `codex`, type `/hooks`, approve vib's",
    ),
    needs_in_project: Some("trust this folder when Codex asks at its start"),
    server: Server {
        shape: ServerShape::Codex,
        project: ".codex/config.toml",
        user: Some("config.toml"),
        command: None,
    },
};

static GEMINI: Setup = Setup {
    client: Client::Gemini,
    programs: &["gemini"],
    user_folder: UserFolder { variable: None, home: ".gemini" },
    project_folder: ".gemini",
    traces: &[".gemini"],
    file: "settings.json",
    private_file: None,
    shape: Shape::Groups { per_second: 1000 },
    events: &[
        event!("SessionStart", STEP, "gemini/SessionStart/startup/stdin.json"),
        event!("BeforeAgent", STEP, "gemini/BeforeAgent/basic/stdin.json"),
        event!("BeforeTool", STEP, "gemini/BeforeTool/write_file/stdin.json"),
        event!("AfterTool", STEP, "gemini/AfterTool/write_file/stdin.json"),
        event!("AfterAgent", STEP, "gemini/AfterAgent/basic/stdin.json"),
        event!("SessionEnd", END, "gemini/SessionEnd/exit/stdin.json"),
    ],
    // Seen on 0.61.0: the hook before the agent gets the expanded text.
    slash: &[
        SlashCommand {
            what: ROLLBACK,
            file: "commands/rollback.toml",
            text: "description = \"Go back to an earlier state of this project (installed by vib)\"\nprompt = \"/rollback {{args}}\"\n",
        },
        SlashCommand {
            what: LESSON,
            file: "commands/lesson.toml",
            text: "description = \"Say what the agent should do differently next time (installed by vib)\"\nprompt = \"/lesson {{args}}\"\n",
        },
    ],
    shell: Shell::Bash,
    environment: &[("CLAUDE_PROJECT_DIR", "{root}"), ("GEMINI_PROJECT_DIR", "{root}")],
    note: None,
    needs: None,
    needs_in_project: None,
    server: Server {
        shape: ServerShape::Plain,
        project: ".gemini/settings.json",
        user: Some("settings.json"),
        command: None,
    },
};

static OPENCODE: Setup = Setup {
    client: Client::OpenCode,
    programs: &["opencode"],
    user_folder: UserFolder { variable: Some(("XDG_CONFIG_HOME", "opencode")), home: ".config/opencode" },
    project_folder: ".opencode",
    traces: &[".opencode", "opencode.json", "opencode.jsonc"],
    file: "plugins/vib.js",
    private_file: None,
    shape: Shape::Plugin,
    events: &[
        event!("session.created", STEP, "opencode/event/session.created/stdin.json"),
        event!("chat.message", STEP, "opencode/chat.message/basic/stdin.json"),
        event!("tool.execute.before", STEP, "opencode/tool.execute.before/write/stdin.json"),
        event!("tool.execute.after", STEP, "opencode/tool.execute.after/write/stdin.json"),
        event!("session.compacted", STEP, "opencode/event/session.compacted/stdin.json"),
        event!("session.idle", STEP, "opencode/event/session.idle/stdin.json"),
    ],
    // Seen on 1.18.33: `chat.message` gets the expanded text.
    slash: &[
        SlashCommand {
            what: ROLLBACK,
            file: "commands/rollback.md",
            text: "---\ndescription: Go back to an earlier state of this project (installed by vib)\n---\n/rollback $ARGUMENTS\n",
        },
        SlashCommand {
            what: LESSON,
            file: "commands/lesson.md",
            text: "---\ndescription: Say what the agent should do differently next time (installed by vib)\n---\n/lesson $ARGUMENTS\n",
        },
    ],
    shell: Shell::None,
    environment: &[],
    note: None,
    needs: None,
    needs_in_project: None,
    server: Server {
        shape: ServerShape::OpenCode,
        project: "opencode.json",
        user: Some("opencode.json"),
        command: None,
    },
};

static COPILOT: Setup = Setup {
    client: Client::Copilot,
    programs: &["copilot"],
    user_folder: UserFolder { variable: None, home: ".copilot" },
    project_folder: ".github",
    traces: &[".github/hooks", ".github/copilot-instructions.md"],
    file: "hooks/vib.json",
    private_file: None,
    shape: Shape::Flat { command: "bash", timeout: "timeoutSec", typed: true, event_in_command: true },
    events: &[
        event!("sessionStart", STEP, "copilot/sessionStart/new/stdin.json"),
        event!("userPromptSubmitted", STEP, "copilot/userPromptSubmitted/basic/stdin.json"),
        event!("preToolUse", STEP, "copilot/preToolUse/create/stdin.json"),
        event!("permissionRequest", STEP, "copilot/permissionRequest/edit/stdin.json"),
        event!("postToolUse", STEP, "copilot/postToolUse/create/stdin.json"),
        event!("postToolUseFailure", STEP, "copilot/postToolUseFailure/create/stdin.json"),
        event!("agentStop", STEP, "copilot/agentStop/basic/stdin.json"),
        event!("subagentStart", STEP, "copilot/subagentStart/basic/stdin.json"),
        event!("subagentStop", STEP, "copilot/subagentStop/basic/stdin.json"),
        event!("preCompact", STEP, "copilot/preCompact/manual/stdin.json"),
        event!("sessionEnd", END, "copilot/sessionEnd/complete/stdin.json"),
    ],
    slash: &[],
    shell: Shell::BareBash,
    environment: &[("COPILOT_CLI", "1"), ("COPILOT_PROJECT_DIR", "{root}"), ("CLAUDE_PROJECT_DIR", "{root}")],
    note: None,
    needs: None,
    needs_in_project: Some(
        "it runs a project's hooks only in a folder that you trust, and does not say so: say yes when it asks at its start",
    ),
    server: Server {
        shape: ServerShape::Copilot,
        project: ".github/mcp.json",
        user: Some("mcp-config.json"),
        command: None,
    },
};

static CURSOR: Setup = Setup {
    client: Client::Cursor,
    programs: &["cursor", "cursor-agent"],
    user_folder: UserFolder { variable: None, home: ".cursor" },
    project_folder: ".cursor",
    traces: &[".cursor"],
    file: "hooks.json",
    private_file: None,
    shape: Shape::Flat { command: "command", timeout: "timeout", typed: false, event_in_command: false },
    events: &[
        event!("sessionStart", STEP, "doctor/cursor/sessionStart.json"),
        event!("beforeSubmitPrompt", STEP, "doctor/cursor/beforeSubmitPrompt.json"),
        event!("preToolUse", STEP, "doctor/cursor/preToolUse.json"),
        event!("beforeShellExecution", STEP, "doctor/cursor/beforeShellExecution.json"),
        event!("beforeMCPExecution", STEP, "doctor/cursor/beforeMCPExecution.json"),
        event!("postToolUse", STEP, "doctor/cursor/postToolUse.json"),
        event!("afterFileEdit", STEP, "doctor/cursor/afterFileEdit.json"),
        event!("stop", STEP, "doctor/cursor/stop.json"),
        event!("sessionEnd", END, "doctor/cursor/sessionEnd.json"),
    ],
    slash: &[],
    shell: Shell::Sh,
    environment: &[("CURSOR_PROJECT_DIR", "{root}"), ("CLAUDE_PROJECT_DIR", "{root}")],
    note: Some("Cursor's hooks are written from its documentation and were not tried on Cursor itself"),
    needs: None,
    needs_in_project: None,
    server: Server {
        shape: ServerShape::Plain,
        project: ".cursor/mcp.json",
        user: Some("mcp.json"),
        command: None,
    },
};

/// An agent that only the protocol tells of: nothing is installed for it.
static ACP: Setup = Setup {
    client: Client::Acp,
    programs: &[],
    user_folder: UserFolder { variable: None, home: ".acp" },
    project_folder: ".acp",
    traces: &[],
    file: "",
    private_file: None,
    shape: Shape::Plugin,
    events: &[],
    slash: &[],
    shell: Shell::None,
    environment: &[],
    note: None,
    needs: None,
    needs_in_project: None,
    server: Server { shape: ServerShape::Plain, project: "", user: None, command: None },
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codex_has_nothing_to_warn_about_c8() {
        let end = CODEX.events.iter().find(|event| event.name == "SessionEnd");
        assert!(end.is_some_and(|event| event.seconds <= 3));
    }

    #[test]
    fn every_client_has_its_row_and_every_payload_is_json() {
        for client in Client::ALL {
            let setup = setup(client);
            assert_eq!(setup.client, client);
            for event in setup.events {
                if let Some(payload) = event.payload {
                    let value: serde_json::Value = serde_json::from_str(payload).unwrap();
                    assert!(value.is_object(), "{client} {}", event.name);
                }
            }
        }
    }
}
