//! What of a call and its answer says that it is the same again: arguments and output, literally, without what clients add.

use std::path::PathBuf;

use serde_json::Value;

use crate::event::{Action, HookEvent, Kind, ToolCall};
use crate::payload::{self, path};

/// Fields of arguments that describe a call and do not change what it does.
const DESCRIBING: [&str; 5] = ["description", "instruction", "explanation", "timeout", "intent"];
/// Where clients put the answer.
const ANSWERS: [&str; 4] = ["tool_response", "toolResult", "tool_result", "tool_output"];
/// Lines that clients add to the output of a command, and that are never the same twice.
const NOISE: [&str; 4] = ["Process Group PGID:", "<shellId:", "Wall time:", "Chunk ID:"];

/// Tools that wait for something, and parts of the names of others' tools that do.
const WAITING_TOOLS: [&str; 12] = [
    "BashOutput",
    "TaskOutput",
    "TaskStop",
    "KillShell",
    "KillBash",
    "read_bash",
    "list_bash",
    "stop_bash",
    "read_agent",
    "list_agents",
    "write_stdin",
    "close_agent",
];
const WAITING_PARTS: [&str; 9] =
    ["wait", "poll", "status", "sleep", "monitor", "snapshot", "screenshot", "fetch", "diagnostics"];

/// Words in the names of others' tools that only look at what stays as it is. Everything else acts on something that no file
/// shows (a browser, a debugger, a device), where the same answer does not mean that nothing has changed.
const LOOKING_WORDS: &str = "read get list search find query grep view show describe lookup fetch";
/// Words for what changes by itself or is walked through.
const MOVING_WORDS: &str = "run runs job jobs workflow workflows build builds deploy deployment deployments task tasks log logs \
    pipeline pipelines next previous step page event events message messages notification notifications console network";

/// Programs that wait, or that ask about something outside the files: its answer may be another one the next time.
const WAITING_PROGRAMS: &str = "sleep wait watch date uptime time ps pgrep top free df lsof ss netstat jobs curl wget http ssh scp ping nc \
    dig nslookup journalctl squeue sinfo nvidia-smi tmux screen pg_isready psql mysql mysqladmin redis-cli mongosh";
/// Programs that do many things elsewhere: with some of their words they only ask how it stands there.
const REMOTE_PROGRAMS: &str = "gh glab kubectl helm docker podman docker-compose nerdctl aws gcloud az systemctl service adb xcrun fly flyctl \
    vercel netlify heroku terraform tofu pulumi oc eksctl doctl railway render supabase firebase npm pnpm yarn";
const ASKING_WORDS: &str = "ps logs log wait inspect stats events top port status describe get list ls view show watch rollout info checks \
    query search devices is-active is-failed history current stacks";
/// Beginnings of such words: `describe-services`.
const ASKING_PARTS: [&str; 4] = ["describe-", "get-", "list-", "wait-"];
/// Git commands that ask another machine.
const WAITING_GIT: &str = "fetch pull push ls-remote";

/// Fills in what the adapters leave open: it is the same for all clients.
pub(super) fn complete(event: &mut HookEvent, payload: &Value) {
    let (call, result) = match &mut event.kind {
        Kind::BeforeTool(call) | Kind::Permission(call) => (call, None),
        Kind::AfterTool(call, result) => (call, Some(result)),
        _ => return,
    };
    // Some events are the arguments themselves.
    call.arguments = arguments(call, &payload::arguments(payload).0);
    call.waits = waits(call);
    if let Some(result) = result {
        let told = ANSWERS.iter().find_map(|name| payload.get(name)).filter(|value| !value.is_null());
        // What was never the same twice would make the same failure another one each time.
        result.output = without_noise(&result.output);
        result.answer = told.map(|value| match result.output.is_empty() {
            true => value.to_string(),
            false => result.output.clone(),
        });
    }
}

fn arguments(call: &ToolCall, input: &Value) -> String {
    match (&call.action, input) {
        (Action::Shell { command }, Value::Null) => command.clone(),
        (_, Value::Object(fields)) => {
            let kept: serde_json::Map<String, Value> = fields
                .iter()
                .filter(|(name, _)| !DESCRIBING.contains(&name.as_str()))
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect();
            Value::Object(kept).to_string()
        }
        (_, other) => other.to_string(),
    }
}

fn without_noise(output: &str) -> String {
    let is_noise = |line: &&str| !NOISE.iter().any(|noise| line.trim_start().starts_with(noise));
    output.lines().filter(is_noise).collect::<Vec<_>>().join("\n")
}

fn waits(call: &ToolCall) -> bool {
    let tool = call.tool.as_str();
    if WAITING_TOOLS.contains(&tool) {
        return true;
    }
    match &call.action {
        Action::Shell { command } => command_waits(command),
        Action::Unknown(_) => named_so(tool) || !only_looks(tool),
        Action::Look => named_so(tool) || reads_an_output(call),
        Action::Edit(_) => false,
    }
}

/// A file that a running command writes its output into: Claude Code tells its model to read `…/tasks/ID.output` again and again. (A5)
fn reads_an_output(call: &ToolCall) -> bool {
    let ends = |path: &str| [".output", ".log", ".out"].iter().any(|end| path.ends_with(end));
    super::looked_at(call).is_some_and(|path| path.to_str().is_some_and(ends))
        || call.arguments.contains("/tasks/") && call.arguments.contains(".output")
}

fn named_so(tool: &str) -> bool {
    let name = tool.to_ascii_lowercase();
    WAITING_PARTS.iter().any(|part| name.contains(part))
}

/// Whether a tool of another server only looks, as far as its name says.
fn only_looks(tool: &str) -> bool {
    let mut words = String::with_capacity(tool.len() + 8);
    for letter in tool.chars() {
        // `getText` and `get_text` are the same words.
        if letter.is_ascii_uppercase() {
            words.push(' ');
        }
        words.push(if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { ' ' });
    }
    let says = |list: &str| {
        words.split_ascii_whitespace().any(|word| list.split_ascii_whitespace().any(|known| known == word))
    };
    says(LOOKING_WORDS) && !says(MOVING_WORDS)
}

/// Looks at the words only: a wrong yes means that a circle is seen later.
fn command_waits(command: &str) -> bool {
    command.split([';', '|', '&', '(', ')', '`', '{', '}', '\n']).any(|part| {
        let words: Vec<&str> =
            part.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word)).collect();
        part_waits(&words)
    })
}

/// The same for one command of a line.
fn part_waits(words: &[&str]) -> bool {
    let listed = |list: &str, word: &str| list.split_ascii_whitespace().any(|known| known == word);
    let asks =
        |word: &str| listed(ASKING_WORDS, word) || ASKING_PARTS.iter().any(|part| word.starts_with(part));
    let remote = words.iter().position(|word| listed(REMOTE_PROGRAMS, word));
    words
        .iter()
        .any(|word| listed(WAITING_PROGRAMS, word) || word.ends_with(".log") || word.ends_with(".pid"))
        || remote.is_some_and(|at| words[at + 1..].iter().any(|word| asks(word)))
        || words.windows(2).any(|pair| {
            // `test -f done`: whether it is there by now.
            (pair[0] == "git" && listed(WAITING_GIT, pair[1]))
                || (matches!(pair[0], "test" | "[") && pair[1].starts_with('-'))
        })
}

/// The file that a look is about.
pub(crate) fn looked_at(call: &ToolCall) -> Option<PathBuf> {
    if !matches!(call.action, Action::Look) {
        return None;
    }
    let input: Value = serde_json::from_str(&call.arguments).ok()?;
    path(&input, &["file_path", "filePath", "absolute_path", "path", "notebook_path"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_of_another_server_that_acts_may_act_again_t1() {
        for tool in ["mcp__files__read_file", "docs-search", "browser_get_text", "mcp_db_getSchema"] {
            assert!(only_looks(tool), "{tool}");
        }
        for tool in
            ["mcp__browser__press_key", "debugger-step", "mcp_github_get_workflow_run", "browser_click"]
        {
            assert!(!only_looks(tool), "{tool}");
        }
    }

    #[test]
    fn waiting_is_no_circle() {
        for command in [
            "sleep 5 && cat out.txt",
            "curl -s localhost:3000/health",
            "gh run view 12",
            "git fetch origin",
            "tail -5 server.log",
            "docker compose ps",
            "cd web && docker logs web",
            "aws ecs describe-services --cluster c",
            "kubectl rollout status deploy/web",
            "npm view pkg version",
            "test -f done.flag",
        ] {
            assert!(command_waits(command), "{command}");
        }
        for command in [
            "cat src/a.rs",
            "npm test",
            "git status",
            "grep -rn sleepy src",
            "python t1.py",
            "docker build .",
            "kubectl apply -f a.yml",
        ] {
            assert!(!command_waits(command), "{command}");
        }
    }
}
