//! What every tool of every client does: one table. (S2)
//!
//! Read from the requests that the installed clients send to their models; `e2e/tests/clients/tools.rs` asks them again and fails on one
//! that is not here. What is not here at run time (a newer client, a tool of another server) is judged by its arguments, see
//! [`super::foreign`].

use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use super::{doors, foreign, prompts};
use crate::Client;
use crate::event::{Action, Change, Edit, Folder, Hints, ToolCall, Unseen};
use crate::payload::{self, any_text, path};

/// What a tool does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Does {
    /// Looks, talks, plans, starts agents whose calls come by themselves: changes no file itself.
    Look,
    /// Changes the file that it names.
    Edit,
    /// Changes the files of a patch in its arguments.
    Patch,
    /// Deletes the file that it names.
    Delete,
    /// Runs a command line.
    Shell,
    /// Types into a program that runs already.
    Input,
    /// Runs whatever its arguments say: they are looked at like those of a stranger.
    Arguments,
}

use Does::{Arguments, Delete, Edit as EditFile, Input, Look, Patch, Shell};

/// The tools of a client, and what each does.
pub(crate) fn table(client: Client) -> &'static [(Does, &'static str)] {
    match client {
        Client::ClaudeCode => CLAUDE_CODE,
        Client::Codex => CODEX,
        Client::Gemini => GEMINI,
        Client::OpenCode => OPENCODE,
        Client::Copilot => COPILOT,
        Client::Cursor => CURSOR,
        // Its adapter asks the table of the client that it recognised.
        Client::Acp => &[],
    }
}

const CLAUDE_CODE: &[(Does, &str)] = &[
    (EditFile, "Write Edit MultiEdit NotebookEdit"),
    (Shell, "Bash PowerShell Monitor"),
    (
        Look,
        "Read Glob Grep LS WebFetch WebSearch TodoWrite TodoRead Task Agent ToolSearch AskUserQuestion EnterPlanMode \
         ExitPlanMode BashOutput KillShell KillBash TaskOutput TaskStop TaskCreate TaskGet TaskList TaskUpdate SendMessage \
         NotebookRead ListMcpResourcesTool ReadMcpResourceTool StructuredOutput Skill SlashCommand LSP CronList \
         ListAgents ReportFindings DeferredToolPlaceholder",
    ),
    (
        Arguments,
        "Workflow CronCreate CronDelete EnterWorktree ExitWorktree ScheduleWakeup RemoteTrigger PushNotification",
    ),
];

const CODEX: &[(Does, &str)] = &[
    (Patch, "apply_patch"),
    // The hook's name for all of them is `Bash`.
    (Shell, "Bash exec_command shell shell_command local_shell unified_exec container.exec"),
    (Input, "write_stdin"),
    (
        Look,
        "spawn_agent send_input send_message followup_task wait_agent wait close_agent resume_agent list_agents interrupt_agent update_plan view_image tool_search \
         web_search request_user_input list_mcp_resources list_mcp_resource_templates read_mcp_resource get_goal \
         create_goal update_goal",
    ),
    // Code mode: the calls inside it come by themselves.
    (Look, "exec"),
];

const GEMINI: &[(Does, &str)] = &[
    (EditFile, "write_file replace edit"),
    (Shell, "run_shell_command"),
    (
        Look,
        "read_file read_many_files list_directory glob search_file_content grep_search ls google_web_search web_fetch \
         write_todos invoke_agent ask_user activate_skill enter_plan_mode exit_plan_mode get_internal_docs \
         codebase_investigator cli_help complete_task list_background_processes read_background_output update_topic",
    ),
    (Arguments, "save_memory"),
];

const OPENCODE: &[(Does, &str)] = &[
    (EditFile, "write edit multiedit"),
    (Patch, "patch apply_patch"),
    (Shell, "bash"),
    (
        Look,
        "read glob grep list webfetch websearch codesearch todowrite todoread task skill question lsp invalid plan_enter \
         plan_exit",
    ),
    (Arguments, "batch"),
];

const COPILOT: &[(Does, &str)] = &[
    (EditFile, "create edit str_replace_editor Write Edit MultiEdit"),
    (Patch, "apply_patch"),
    (Shell, "bash Bash powershell"),
    (Input, "write_bash write_powershell"),
    (
        Look,
        "view glob grep rg web_fetch web_search task read_bash stop_bash list_bash read_powershell stop_powershell \
         list_powershell report_intent update_todo ask_user fetch_copilot_cli_documentation read_agent list_agents \
         write_agent exit_plan_mode task_complete skill sql show_file session_store_sql Read Glob Grep Task WebFetch",
    ),
];

const CURSOR: &[(Does, &str)] = &[
    (EditFile, "Write Edit StrReplace MultiEdit"),
    (Delete, "Delete"),
    // Judged at `beforeShellExecution`, which knows the folder; asking twice would save twice.
    (Look, "Shell Read Grep Glob LS Task WebSearch WebFetch SemanticSearch ReadLints TodoWrite"),
];

/// What this tool of this client does; nothing if it is not known.
pub(crate) fn known(client: Client, tool: &str) -> Option<Does> {
    let listed = |list: &str| list.split_ascii_whitespace().any(|name| name == tool);
    let found = table(client).iter().find(|(_, list)| listed(list)).map(|(does, _)| *does);
    found.or_else(|| is_own(client, tool).then_some(Look))
}

/// A tool of vib's own server, which has guards of its own.
fn is_own(client: Client, tool: &str) -> bool {
    let prefixes: &[&str] = match client {
        Client::ClaudeCode | Client::Codex => &["mcp__vib__"],
        Client::Gemini => &["mcp_vib_"],
        Client::OpenCode => &["vib_"],
        Client::Copilot => &["vib-", "vib/"],
        Client::Cursor | Client::Acp => &[],
    };
    prefixes.iter().any(|prefix| tool.starts_with(prefix))
}

/// The names under which a command line stands.
const COMMAND: &[&str] = &["command", "cmd", "script"];
/// The names under which a patch stands.
const PATCH: &[&str] = &["command", "input", "patch", "patchText"];
/// The names under which stands what is typed.
const TYPED: &[&str] = &["input", "chars", "text", "data"];
/// The names under which a tool's own folder stands. (S3)
pub(super) const FOLDER: &[&str] =
    &["workdir", "cwd", "dir_path", "directory", "working_directory", "workingDirectory"];

/// A tool call, by the client's name of the tool and its arguments.
pub(super) fn call(client: Client, tool: Option<String>, id: Option<String>, input: &Value) -> ToolCall {
    let name = tool.unwrap_or_default();
    let (action, unseen) = understood(client, &name, input);
    let folder = match &action {
        Action::Shell { .. } | Action::Unknown(_) => {
            path(input, FOLDER).map_or(Folder::Session, Folder::Given)
        }
        Action::Edit(_) | Action::Look => Folder::Session,
    };
    ToolCall { tool: name, id, action, folder, unseen, arguments: String::new(), waits: false }
}

/// A look that hands no key to another machine.
pub(super) fn looks(input: &Value) -> bool {
    !(doors::names_far_address(input, 0) && doors::holds_key(input, 0))
}

fn understood(client: Client, tool: &str, input: &Value) -> (Action, Option<Unseen>) {
    match known(client, tool) {
        // An address is sent to where it leads, with all that stands in it.
        Some(Look) if !looks(input) => (Action::Unknown(Hints::default()), Some(Unseen::Key)),
        Some(Look) => (Action::Look, None),
        Some(Shell) => shell(client, input),
        Some(Input) => typed(input),
        Some(EditFile) => without_file(edits_or_strange(payload::edit(input), tool, input)),
        Some(Patch) => {
            let patch = any_text(input, PATCH).or_else(|| input.as_str().map(str::to_owned));
            (edits_or_strange(payload::patch_files(&patch.unwrap_or_default()), tool, input), None)
        }
        Some(Delete) => {
            let edits =
                path(input, &["file_path", "path"]).map(|path| Edit { path, change: Change::Unknown });
            without_file(edits_or_strange(edits.into_iter().collect(), tool, input))
        }
        Some(Arguments) | None => {
            let hints = foreign::hints(tool, input);
            // What only goes into a file here is looked at as content.
            let leaves = hints.sends || hints.edits.is_empty() || doors::names_far_address(input, 0);
            let unseen = match (hints.cut, hints.far) {
                (true, _) => Some(Unseen::Missing),
                (_, false) if leaves && doors::holds_key(input, 0) => Some(Unseen::Key),
                (_, true) => Some(Unseen::Far),
                _ => None,
            };
            (Action::Unknown(hints), unseen)
        }
    }
}

/// An edit without a path cannot be followed: better to save too much than to miss it.
fn edits_or_strange(edits: Vec<Edit>, tool: &str, input: &Value) -> Action {
    if !edits.is_empty() {
        return Action::Edit(edits);
    }
    Action::Unknown(Hints { writes: true, ..foreign::hints(tool, input) })
}

/// An edit has to name its file in a form that is known here: the client may read it from a field that vib does not look at.
fn without_file(action: Action) -> (Action, Option<Unseen>) {
    let unseen = (action.edits().is_empty() && action.commands().is_empty()).then_some(Unseen::NoFile);
    (action, unseen)
}

/// Whether a call takes this file away: by its tool, or by the words of its patch.
pub(crate) fn takes_away(client: Client, call: &ToolCall, edit: &Edit) -> bool {
    let is_same = |named: &str| {
        let parts = Path::new(named.trim()).components();
        let bare: PathBuf =
            parts.skip_while(|part| matches!(part, Component::ParentDir | Component::CurDir)).collect();
        edit.path.ends_with(bare)
    };
    match &edit.change {
        Change::Patch(text) => {
            let is_moved = text.contains("\n*** Move to: ");
            text.lines().any(|line| {
                line.strip_prefix("*** Delete File: ").is_some_and(is_same)
                    || is_moved && line.strip_prefix("*** Update File: ").is_some_and(is_same)
            })
        }
        _ => known(client, &call.tool) == Some(Delete),
    }
}

fn shell(client: Client, input: &Value) -> (Action, Option<Unseen>) {
    let mut told = COMMAND.iter().filter_map(|name| input.get(name));
    let words = told.next().unwrap_or(input);
    if told.any(|other| other != words) {
        // Which of them the client runs is not known here. (M8)
        return (Action::Unknown(foreign::hints("run", input)), Some(Unseen::Missing));
    }
    let command = match words {
        Value::String(command) => Some(command.clone()),
        Value::Array(_) => foreign::joined(words),
        _ => None,
    };
    match command {
        // Codex calls no hook for what is typed into a program afterwards.
        Some(command) if client == Client::Codex && prompts::opens_a_prompt(&command) => {
            (Action::Shell { command }, Some(Unseen::Prompt))
        }
        Some(command) => (Action::Shell { command }, None),
        None => (Action::Unknown(foreign::hints("", input)), Some(Unseen::Missing)),
    }
}

/// What is typed into a program is judged as if the program were a shell. A key or a short answer is no code.
fn typed(input: &Value) -> (Action, Option<Unseen>) {
    let text = any_text(input, TYPED).unwrap_or_default();
    if prompts::is_an_answer(&text) {
        return (Action::Look, None);
    }
    let hints = Hints { commands: vec![text], ..Hints::default() };
    (Action::Unknown(hints), Some(Unseen::Typed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn made(client: Client, tool: &str, input: &Value) -> ToolCall {
        call(client, Some(tool.to_owned()), None, input)
    }

    #[test]
    fn no_tool_has_two_meanings_s2() {
        for client in Client::ALL {
            let mut names: Vec<&str> =
                table(client).iter().flat_map(|(_, list)| list.split_ascii_whitespace()).collect();
            let all = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), all, "{client}");
        }
    }

    #[test]
    fn every_tool_that_runs_commands_is_a_shell_s2() {
        for (client, tool, input) in [
            (Client::ClaudeCode, "Bash", json!({"command": "ls"})),
            (Client::ClaudeCode, "Monitor", json!({"command": "ls", "description": "x"})),
            (Client::Codex, "Bash", json!({"command": "ls"})),
            (Client::Codex, "exec_command", json!({"cmd": "ls"})),
            (Client::Codex, "shell", json!({"command": ["ls"]})),
            (Client::Gemini, "run_shell_command", json!({"command": "ls"})),
            (Client::OpenCode, "bash", json!({"command": "ls"})),
            (Client::Copilot, "powershell", json!({"command": "ls"})),
        ] {
            assert_eq!(
                made(client, tool, &input).action,
                Action::Shell { command: "ls".to_owned() },
                "{tool}"
            );
        }
        let odd = made(Client::ClaudeCode, "Bash", &json!({"command": 5}));
        assert_eq!(odd.unseen, Some(Unseen::Missing));
    }

    #[test]
    fn what_is_typed_into_a_running_program_is_looked_at_s2() {
        for (client, tool, field) in
            [(Client::Copilot, "write_bash", "input"), (Client::Codex, "write_stdin", "chars")]
        {
            let call = made(client, tool, &json!({field: "rm -rf ~/letters\n"}));
            assert_eq!(
                (call.action.commands(), call.unseen),
                (&["rm -rf ~/letters\n".to_owned()][..], Some(Unseen::Typed))
            );
            for answer in ["y\n", "{enter}", "\u{3}", "2", ""] {
                assert_eq!(made(client, tool, &json!({field: answer})).action, Action::Look, "{answer:?}");
            }
        }
        let prompt = made(Client::Codex, "Bash", &json!({"command": "cd /tmp && python3 -i"}));
        assert_eq!(prompt.unseen, Some(Unseen::Prompt));
    }

    #[test]
    fn the_folder_that_a_call_names_is_where_it_runs_s3() {
        for (client, tool, name) in [
            (Client::OpenCode, "bash", "workdir"),
            (Client::Gemini, "run_shell_command", "dir_path"),
            (Client::Gemini, "run_shell_command", "directory"),
            (Client::Codex, "exec_command", "workdir"),
            (Client::ClaudeCode, "mcp__shell__run", "cwd"),
        ] {
            let call =
                made(client, tool, &json!({"command": "rm -r x", "cmd": "rm -r x", name: "/elsewhere"}));
            assert_eq!(call.folder, Folder::Given("/elsewhere".into()), "{tool}");
        }
    }
}
