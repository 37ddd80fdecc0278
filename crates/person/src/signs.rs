//! How agent clients are known: by their program, by the script that an interpreter runs, by the variables that they set for what they run.
//!
//! Only what a client sets for the commands of its *agent* counts. What an editor sets in a person's terminal (`TERM_PROGRAM`,
//! `CURSOR_TRACE_ID`, `CLAUDE_CODE_SSE_PORT`, `GEMINI_CLI_IDE_…`) says nothing.

use std::path::Path;

use project::platform::Process;

/// A client: how it is called, as vib knows it, its programs, the folders of its packages, its variables.
struct Row {
    title: &'static str,
    client: Option<&'static str>,
    programs: &'static [&'static str],
    packages: &'static [&'static str],
    variables: &'static [&'static str],
}

/// A client that was recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) title: &'static str,
    pub(crate) client: Option<&'static str>,
}

const CLIENTS: [Row; 13] = [
    Row {
        title: "Claude Code",
        client: Some("claude-code"),
        programs: &["claude", "claude-code", "claude-agent-acp", "claude-code-acp"],
        packages: &["claude-code", "claude-agent-sdk", "claude-agent-acp", "claude-code-acp"],
        variables: &["CLAUDECODE"],
    },
    Row {
        title: "Codex",
        client: Some("codex"),
        programs: &["codex", "codex-acp", "codex-exec", "codex-linux-sandbox"],
        packages: &["@openai/codex", "codex-acp"],
        variables: &["CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID", "CODEX_CI"],
    },
    Row {
        title: "Gemini CLI",
        client: Some("gemini"),
        programs: &["gemini", "gemini-cli"],
        packages: &["gemini-cli"],
        variables: &["GEMINI_CLI"],
    },
    Row {
        title: "OpenCode",
        client: Some("opencode"),
        programs: &["opencode", ".opencode"],
        packages: &["opencode-ai", "opencode"],
        variables: &["OPENCODE"],
    },
    Row {
        title: "Copilot CLI",
        client: Some("copilot"),
        programs: &["copilot"],
        packages: &["@github/copilot"],
        variables: &["COPILOT_CLI"],
    },
    Row {
        title: "Cursor's agent",
        client: Some("cursor"),
        programs: &["cursor-agent"],
        packages: &["cursor-agent"],
        variables: &["CURSOR_AGENT"],
    },
    Row { title: "Aider", client: None, programs: &["aider"], packages: &[], variables: &[] },
    Row {
        title: "Qwen Code",
        client: None,
        programs: &["qwen"],
        packages: &["@qwen-code/qwen-code"],
        variables: &["QWEN_CODE"],
    },
    Row { title: "Crush", client: None, programs: &["crush"], packages: &[], variables: &["CRUSH"] },
    Row { title: "Goose", client: None, programs: &["goose"], packages: &[], variables: &["GOOSE_TERMINAL"] },
    Row {
        title: "Amp",
        client: None,
        programs: &["amp"],
        packages: &["@sourcegraph/amp"],
        variables: &["AMP_CURRENT_THREAD_ID"],
    },
    Row {
        title: "Auggie",
        client: None,
        programs: &["auggie"],
        packages: &["@augmentcode/auggie"],
        variables: &["AUGMENT_AGENT"],
    },
    Row {
        title: "an AI agent",
        client: None,
        programs: &["droid", "openhands", "cline", "kimi", "iflow"],
        packages: &[],
        variables: &["AI_AGENT", "CLINE_ACTIVE"],
    },
];

/// Programs that run what others wrote: which one it is, the script says.
const INTERPRETERS: [&str; 18] = [
    "node", "nodejs", "bun", "deno", "electron", "python", "ruby", "perl", "php", "java", "sh", "bash",
    "dash", "zsh", "fish", "ksh", "ash", "busybox",
];

/// Options of interpreters whose value is the next word.
const VALUED: [&str; 12] = [
    "-r",
    "--require",
    "--import",
    "--loader",
    "--experimental-loader",
    "-C",
    "--conditions",
    "--title",
    "--env-file",
    "-W",
    "-X",
    "-o",
];

/// Shells.
const SHELLS: [&str; 8] = ["sh", "bash", "dash", "zsh", "fish", "ksh", "ash", "busybox"];

/// Programs that start another one and get out of the way, or open a terminal for it.
const LAUNCHERS: [&str; 14] = [
    "script", "expect", "unbuffer", "setsid", "nohup", "env", "timeout", "nice", "ionice", "stdbuf", "xargs",
    "sudo", "doas", "at",
];

/// Programs that keep terminals alive by themselves.
const MULTIPLEXERS: [&str; 5] = ["tmux", "screen", "zellij", "dtach", "abduco"];

/// Programs that take over what lost its parent, and start nothing of a person's by themselves in the place they found it in.
const REAPERS: [&str; 9] =
    ["systemd", "init", "tini", "docker-init", "dumb-init", "catatonit", "s6-svscan", "runit", "upstart"];

/// Programs that are never a client, whatever they call: editors, terminals, tools of everyday work.
const NEVER_CLIENTS: [&str; 22] = [
    "vib",
    "code",
    "codium",
    "cursor",
    "windsurf",
    "zed",
    "zed-editor",
    "idea",
    "pycharm",
    "webstorm",
    "goland",
    "rustrover",
    "emacs",
    "vim",
    "nvim",
    "make",
    "cargo",
    "strace",
    "gdb",
    "sshd",
    "login",
    "watch",
];

/// The client that a process is.
pub(crate) fn client_of(process: &Process) -> Option<Known> {
    let program = program_name(process);
    let first = process.words.first().map(|word| base(word));
    let names = [program.as_deref(), first, Some(process.name.as_str())];
    if let Some(row) = names.into_iter().flatten().find_map(row_of_program) {
        return Some(row.known());
    }
    if program.as_deref().is_some_and(is_interpreter) || first.is_some_and(is_interpreter) {
        return script_of(&process.words).and_then(row_of_script).map(Row::known);
    }
    None
}

/// The client that sets one of these variables, and which.
pub(crate) fn client_of_variables(is_set: &dyn Fn(&str) -> bool) -> Option<(Known, &'static str)> {
    CLIENTS.iter().find_map(|row| {
        let name = row.variables.iter().find(|name| is_set(name))?;
        Some((row.known(), *name))
    })
}

/// The client of this name, as vib's hooks call it.
pub(crate) fn client_named(name: &str) -> Known {
    let row = CLIENTS.iter().find(|row| row.client == Some(name));
    row.map_or(Known { title: "an AI agent", client: None }, Row::known)
}

/// True for what can be a client under any name: a program of its own, not one that runs what others wrote, and not what developers
/// and their tests use to call programs.
pub(crate) fn may_be_client(process: &Process) -> bool {
    let Some(program) = program_name(process) else { return false };
    let is_test_runner = process.program.as_deref().is_some_and(is_in_build_folder);
    process.pid > 1
        && (client_of(process).is_some()
            || !(is_interpreter(&program)
                || is_launcher(&program)
                || MULTIPLEXERS.contains(&program.as_str())
                || REAPERS.contains(&program.as_str())
                || NEVER_CLIENTS.contains(&program.as_str())
                || is_test_runner))
}

/// A shell that was started for one command line: whoever started it is meant.
pub(crate) fn is_shell_for_one_line(process: &Process) -> bool {
    program_name(process).is_some_and(|program| SHELLS.contains(&program.as_str()))
        && process
            .words
            .iter()
            .skip(1)
            .take(6)
            .any(|word| word.starts_with('-') && !word.starts_with("--") && word.contains('c'))
}

/// What takes over orphans.
pub(crate) fn is_reaper(process: &Process) -> bool {
    program_name(process).is_some_and(|program| REAPERS.contains(&program.as_str()))
        || REAPERS.contains(&process.name.as_str())
}

/// What an agent starts to run something in the background: a shell, a launcher, vib itself, under whatever name.
pub(crate) fn is_passage(process: &Process) -> bool {
    program_name(process).is_some_and(|program| {
        is_interpreter(&program)
            || is_launcher(&program)
            || program == "vib"
            || process.pid == std::process::id()
    })
}

/// What keeps terminals alive.
pub(crate) fn is_multiplexer(process: &Process) -> bool {
    program_name(process).is_some_and(|program| MULTIPLEXERS.contains(&program.as_str()))
}

fn is_interpreter(program: &str) -> bool {
    INTERPRETERS.contains(&program)
        || program.strip_prefix("python").is_some_and(|rest| rest.starts_with(['2', '3']))
}

fn is_launcher(program: &str) -> bool {
    LAUNCHERS.contains(&program)
}

/// Built by cargo: a test, a bench, a development build.
fn is_in_build_folder(program: &Path) -> bool {
    let text = program.to_string_lossy();
    text.contains("/target/debug/") || text.contains("/target/release/")
}

impl Row {
    fn known(&self) -> Known {
        Known { title: self.title, client: self.client }
    }
}

fn row_of_program(name: &str) -> Option<&'static Row> {
    let name = name.strip_suffix(".exe").unwrap_or(name);
    CLIENTS.iter().find(|row| row.programs.contains(&name))
}

/// The script: by its own name (`node /usr/bin/gemini`) or by the package it lies in.
fn row_of_script(script: &str) -> Option<&'static Row> {
    let name = base(script);
    let stem = [".js", ".mjs", ".cjs", ".py", ".sh", ".ts"]
        .iter()
        .find_map(|end| name.strip_suffix(end))
        .unwrap_or(name);
    let inside = |package: &&str| {
        let folder = format!("/{package}/");
        script.contains(&folder) || script.starts_with(&folder[1..])
    };
    row_of_program(stem).or_else(|| CLIENTS.iter().find(|row| row.packages.iter().any(inside)))
}

/// The first word behind an interpreter that is no option: its script, or the module of `python -m`.
fn script_of(words: &[String]) -> Option<&str> {
    let mut rest = words.iter().skip(1).map(String::as_str);
    while let Some(word) = rest.next() {
        match word {
            "-m" => return rest.next(),
            "-c" | "-e" | "-p" | "--eval" | "--print" => return None,
            "run" => {}
            _ if VALUED.contains(&word) => {
                rest.next();
            }
            _ if word.starts_with('-') => {}
            _ => return Some(word),
        }
    }
    None
}

/// The name of the file that a process runs. A client that was updated while it runs is "deleted".
fn program_name(process: &Process) -> Option<String> {
    let program = process.program.as_deref()?.file_name()?.to_str()?;
    Some(program.strip_suffix(" (deleted)").unwrap_or(program).to_owned())
}

/// The last part of a path; a login shell has a `-` in front.
fn base(word: &str) -> &str {
    let name = word.rsplit('/').next().unwrap_or(word);
    name.strip_prefix('-').unwrap_or(name)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A process with this program and these words.
    pub(crate) fn made(program: &str, words: &[&str]) -> Process {
        Process {
            pid: 100,
            parent: 1,
            session: 100,
            terminal: 0,
            start: 1,
            name: base(program).chars().take(15).collect(),
            program: Some(program.into()),
            words: words.iter().map(|&word| word.to_owned()).collect(),
        }
    }

    #[test]
    fn real_clients_are_known_by_program_and_script_s5() {
        for (title, program, words) in [
            ("Claude Code", "/home/u/.local/share/claude/versions/2.1.325", &["claude", "-p", "x"][..]),
            (
                "Claude Code",
                "/opt/npm/lib/node_modules/@anthropic-ai/claude-code/bin/claude.exe",
                &["claude"],
            ),
            (
                "Claude Code",
                "/usr/bin/node",
                &["node", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js"],
            ),
            ("Claude Code", "/bin/dash", &["/bin/sh", "/home/u/bin/claude", "-p"]),
            ("Claude Code", "/usr/bin/node", &["node", "--max-old-space-size=4096", "./cli/claude.mjs"]),
            ("Codex", "/x/vendor/x86_64-unknown-linux-musl/codex/codex", &["codex", "exec"]),
            ("Codex", "/usr/bin/node", &["node", "/usr/bin/codex", "exec"]),
            (
                "Gemini CLI",
                "/usr/bin/node",
                &["/usr/bin/node", "--title", "x", "/n/@google/gemini-cli/dist/index.js"],
            ),
            ("Gemini CLI", "/usr/bin/node", &["node", "/usr/local/bin/gemini", "-p"]),
            ("OpenCode", "/n/opencode-linux-x64/bin/opencode", &["opencode", "run"]),
            ("Copilot CLI", "/usr/bin/node", &["node", "--no-warnings", "/n/@github/copilot/index.js"]),
            (
                "Cursor's agent",
                "/h/.local/share/cursor-agent/versions/1/node",
                &["/h/.local/bin/cursor-agent", "--x"],
            ),
            ("Aider", "/usr/bin/python3.12", &["python3", "-m", "aider"]),
            ("Claude Code", "/usr/bin/claude (deleted)", &["x"]),
        ] {
            let process = made(program, words);
            assert_eq!(client_of(&process).map(|known| known.title), Some(title), "{program} {words:?}");
        }
    }

    #[test]
    fn what_persons_use_is_no_client_s5() {
        for (program, words) in [
            ("/usr/bin/bash", &["-bash"][..]),
            ("/usr/bin/bash", &["bash", "-c", "claude -p x"]),
            ("/usr/bin/vim", &["vim", "claude"]),
            ("/usr/bin/node", &["node", "build.js", "claude"]),
            ("/usr/bin/node", &["node", "/home/u/claude-notes/server.js"]),
            ("/usr/share/code/code", &["/usr/share/code/code", "--type=ptyHost"]),
            ("/opt/Cursor/cursor", &["/opt/Cursor/cursor", "--type=utility"]),
            ("/usr/bin/python3", &["python3", "/tests/test_codex_hooks.py"]),
            ("/usr/bin/tmux", &["tmux", "new", "-s", "claude"]),
        ] {
            assert_eq!(client_of(&made(program, words)), None, "{program} {words:?}");
        }
    }

    #[test]
    fn a_program_of_its_own_may_be_a_client_and_a_tool_of_everyday_work_not_s5() {
        for program in ["/opt/robot/robot", "/usr/bin/claude", "/home/u/.local/share/claude/versions/2.1.3"] {
            assert!(may_be_client(&made(program, &["x"])), "{program}");
        }
        for program in [
            "/usr/bin/python3.11",
            "/usr/bin/bash",
            "/usr/bin/node",
            "/opt/Cursor/cursor",
            "/usr/bin/tmux",
            "/w/target/debug/deps/cli-0a1b2c",
            "/usr/lib/systemd/systemd",
        ] {
            assert!(!may_be_client(&made(program, &["x"])), "{program}");
        }
        assert!(may_be_client(&made("/usr/bin/node", &["node", "/usr/bin/gemini"])));
    }

    #[test]
    fn a_shell_for_one_line_is_told_from_a_persons_s5() {
        assert!(is_shell_for_one_line(&made("/bin/dash", &["/bin/sh", "-c", "vib hook codex"])));
        assert!(is_shell_for_one_line(&made("/bin/bash", &["bash", "--norc", "--noprofile", "-c", "x"])));
        assert!(is_shell_for_one_line(&made("/bin/zsh", &["zsh", "-lc", "x"])));
        assert!(!is_shell_for_one_line(&made("/bin/bash", &["-bash"])));
        assert!(!is_shell_for_one_line(&made("/bin/bash", &["bash", "check.sh"])));
    }
}
