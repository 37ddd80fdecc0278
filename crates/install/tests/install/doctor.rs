//! The doctor, with a vib that does what each test says (HK1).

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use install::Client;
use install::doctor::{ClientReport, State, examine};
use install::protection::look;
use install::{Action, Choice, Scope, Status};

use super::files::Machine;

/// What the tests' programs do as an MCP server, whatever they do as a hook.
const SERVES: &str =
    "[ \"$1\" = mcp ] && echo '{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[{}]}}' && exit 0\n";

/// Writes a program. Another process does it: a file that this one holds open for writing cannot be run, and a test
/// beside this one may start a process just then.
pub fn program(machine: &Machine, path: &str, script: &str) -> PathBuf {
    let path = machine.path(path);
    let script = script.replacen("#!/bin/sh\n", &format!("#!/bin/sh\n{SERVES}"), 1);
    let mut child = Command::new("sh")
        .args(["-c", "cat > \"$1\" && chmod 755 \"$1\"", "sh"])
        .arg(&path)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
    path
}

fn report(machine: &Machine, client: Client) -> ClientReport {
    let reports = examine(&machine.world(), &look(&machine.world(), None, 0)).unwrap();
    reports.into_iter().find(|report| report.client == client).unwrap()
}

fn install(machine: &Machine, scope: Scope) {
    for (client, status) in machine.run(Action::Install, &Choice::All, scope) {
        assert_eq!(status, Status::Installed, "{client}");
    }
}

fn problems(report: &ClientReport) -> Vec<&str> {
    let bad = report.checks.iter().filter(|check| check.state == State::Problem);
    bad.map(|check| check.detail.as_str()).collect()
}

#[test]
fn every_hook_is_called_with_its_payload_in_a_world_of_its_own() {
    let machine = Machine::new();
    let log = machine.path("log");
    std::fs::create_dir(&log).unwrap();
    let script = format!(
        "#!/bin/sh\ncat > '{0}/'\"$2.$(ls '{0}' | wc -l)\"\necho \"$PWD|$HOME|$VIBELIGN_STATE|$*\" >> '{0}/world'\necho '{{}}'\n",
        log.display()
    );
    program(&machine, "bin/vib", &script);
    install(&machine, Scope::Team);
    let before = machine.photo();
    let reports = examine(&machine.world(), &look(&machine.world(), None, 0)).unwrap();
    assert_eq!(machine.photo(), before, "nothing real is touched");
    assert_eq!(reports.iter().map(|report| report.client).collect::<Vec<_>>(), Client::ALL);
    let calls: usize =
        reports.iter().flat_map(|report| &report.calls).filter(|call| call.milliseconds.is_some()).count();
    // All but Codex's end of a sub-agent, for which no payload was recorded.
    assert_eq!(calls, 11 + 9 + 6 + 6 + 11 + 9);
    for report in &reports {
        let untrusted = "does not trust this folder yet, so it runs none of its hooks, without saying so";
        let expected: Vec<String> = match report.client {
            Client::Codex | Client::Copilot => vec![format!("{} {untrusted}", report.title)],
            _ => Vec::new(),
        };
        assert_eq!(problems(report), expected, "{:?}", report.checks);
    }
    let world = std::fs::read_to_string(log.join("world")).unwrap();
    assert_eq!(world.lines().count(), calls);
    let real = machine.path("");
    assert!(world.lines().all(|line| !line.contains(real.to_str().unwrap())), "{world}");
    assert!(
        world.contains("|hook copilot preToolUse --team\n") && world.contains("|hook gemini --team\n"),
        "{world}"
    );
    // Each payload is JSON and speaks of the sandbox, not of the machine on which it was recorded.
    for entry in std::fs::read_dir(&log).unwrap().flatten() {
        let text = std::fs::read_to_string(entry.path()).unwrap();
        if entry.file_name() != "world" {
            assert!(serde_json::from_str::<serde_json::Value>(&text).unwrap().is_object());
            assert!(!text.contains("/home/dev"), "{text}");
        }
    }
}

#[test]
fn a_bad_answer_is_named() {
    for (script, words) in [
        ("#!/bin/sh\necho oops >&2\nexit 101\n", "ended with exit code 101 (oops)"),
        ("#!/bin/sh\necho 'warning: x'\necho '{}'\n", "the answer is not one JSON object"),
        ("#!/bin/sh\necho '[]'\n", "the answer is not one JSON object"),
        ("#!/bin/sh\nkill -9 $$\n", "was ended by a signal"),
    ] {
        let machine = Machine::new();
        program(&machine, "bin/vib", script);
        machine.run(Action::Install, &Choice::Named(vec![Client::Gemini, Client::OpenCode]), Scope::User);
        for client in [Client::Gemini, Client::OpenCode] {
            let report = report(&machine, client);
            assert_eq!(problems(&report).len(), 6, "{script}: {:?}", report.checks);
            assert!(problems(&report)[0].ends_with(words), "{script}: {:?}", report.checks);
            assert!(report.checks.iter().filter(|c| c.state == State::Problem).all(|c| c.fix.is_some()));
        }
    }
}

#[test]
fn silence_is_an_answer_and_a_hook_need_not_read() {
    let machine = Machine::new();
    program(&machine, "bin/vib", "#!/bin/sh\nexit 0\n");
    machine.run(Action::Install, &Choice::Named(vec![Client::ClaudeCode]), Scope::Team);
    let report = report(&machine, Client::ClaudeCode);
    assert!(problems(&report).is_empty(), "{:?}", report.checks);
    assert!(report.checks.iter().any(|check| check.detail.starts_with("tried with 11 calls, all answered")));
}

#[test]
fn missing_entries_old_paths_and_double_calls_are_seen() {
    let machine = Machine::new();
    program(&machine, "bin/vib", "#!/bin/sh\nexit 0\n");
    install(&machine, Scope::Team);
    let file = machine.path("project/.cursor/hooks.json");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("\"stop\"", "\"stopped\"")).unwrap();
    let cursor = report(&machine, Client::Cursor);
    assert_eq!(problems(&cursor), [".cursor/hooks.json: no hook for stop"]);

    let gemini = Choice::Named(vec![Client::Gemini]);
    machine.run(Action::Install, &gemini, Scope::User);
    let both = report(&machine, Client::Gemini);
    assert!(!both.has_problem(), "each says where it stands, so one answers: {:?}", both.checks);

    let other = program(&machine, "bin/other-vib", "#!/bin/sh\nexit 0\n");
    let reports = examine(&machine.world_with(&other), &look(&machine.world_with(&other), None, 0)).unwrap();
    let claude = &reports[0];
    assert!(!claude.has_problem(), "{:?}", claude.checks);
    assert!(claude.checks.iter().any(|check| check.detail.starts_with("they call another vib")));

    // As an earlier vib wrote it into a project.
    let text = std::fs::read(machine.path("home/.gemini/settings.json")).unwrap();
    machine.write("project/.gemini/settings.json", text);
    let gemini = report(&machine, Client::Gemini);
    assert!(problems(&gemini)[0].starts_with("vib is called twice"), "{:?}", gemini.checks);
}

#[test]
fn a_client_without_hooks_is_only_mentioned() {
    let machine = Machine::new();
    machine.write("lib/node_modules/x/package.json", "{\"name\": \"x\", \"version\": \"2.1.325\"}");
    program(&machine, "lib/node_modules/x/cli.js", "");
    std::os::unix::fs::symlink("../lib/node_modules/x/cli.js", machine.path("bin/claude")).unwrap();
    program(&machine, "bin/codex", "#!/bin/sh\necho 'codex-cli 0.166.0'\n");
    let claude = report(&machine, Client::ClaudeCode);
    assert_eq!(claude.version.as_deref(), Some("2.1.325"));
    assert_eq!(claude.checks.len(), 1);
    assert_eq!(claude.checks[0].state, State::Note);
    assert_eq!(report(&machine, Client::Codex).version.as_deref(), Some("0.166.0"));
}

#[test]
fn codex_is_fine_once_folder_and_hooks_are_trusted() {
    let machine = Machine::new();
    program(&machine, "bin/vib", "#!/bin/sh\nexit 0\n");
    machine.run(Action::Install, &Choice::Named(vec![Client::Codex]), Scope::Team);
    let file = machine.path("project/.codex/hooks.json");
    let mut config =
        format!("[projects.\"{}\"]\ntrust_level = \"trusted\"\n", machine.path("project").display());
    machine.write("home/.codex/config.toml", &config);
    let codex = report(&machine, Client::Codex);
    assert_eq!(
        problems(&codex),
        ["Codex CLI runs none of these hooks before you approved them, without saying so"]
    );
    for event in [
        "session_start",
        "user_prompt_submit",
        "pre_tool_use",
        "permission_request",
        "post_tool_use",
        "subagent_start",
        "subagent_stop",
        "pre_compact",
        "stop",
        "session_end",
    ] {
        config.push_str(&format!(
            "[hooks.state.\"{}:{event}:0:0\"]\ntrusted_hash = \"sha256:0\"\n",
            file.display()
        ));
    }
    machine.write("home/.codex/config.toml", &config);
    let codex = report(&machine, Client::Codex);
    assert!(!codex.has_problem(), "{:?}", codex.checks);
}

#[test]
fn hooks_that_got_lost_are_missed_until_they_are_forgotten() {
    let machine = Machine::new();
    program(&machine, "bin/vib", "#!/bin/sh\nexit 0\n");
    let named = Choice::Named(vec![Client::ClaudeCode]);
    machine.run(Action::Install, &named, Scope::Team);
    machine.write("project/.claude/settings.json", "{}");
    let lost = report(&machine, Client::ClaudeCode);
    assert!(problems(&lost)[0].ends_with("and are not there any more"), "{:?}", lost.checks);
    machine.run(Action::Remove, &Choice::Found, Scope::Team);
    let left = report(&machine, Client::ClaudeCode);
    assert!(!left.has_problem(), "{:?}", left.checks);
    assert_eq!(std::fs::read_to_string(machine.path("project/.claude/settings.json")).unwrap(), "{}");
}

#[test]
fn a_program_that_came_with_the_project_is_not_run() {
    let machine = Machine::new();
    let script = format!("#!/bin/sh\ntouch '{}'\n", machine.path("ran").display());
    let planted = program(&machine, "project/vib", &script);
    for client in [Client::Gemini, Client::OpenCode] {
        let world = machine.world_with(&planted);
        // As an earlier vib wrote it into a project: the line of today names no path.
        let plan = install::plan::install(&world, client, Scope::User).unwrap();
        install::apply(&world, &plan).unwrap();
        let report = report(&machine, client);
        assert!(problems(&report)[0].contains("came with this project"), "{:?}", report.checks);
    }
    assert!(!machine.path("ran").exists());
}

#[test]
fn the_mcp_server_is_asked_for_its_tools() {
    let machine = Machine::new();
    program(&machine, "bin/vib", "#!/bin/sh\nexit 0\n");
    install(&machine, Scope::Team);
    for client in Client::ALL {
        let report = report(&machine, client);
        let answered = |detail: &str| detail.contains("its MCP server answered with 1 tools");
        assert!(report.checks.iter().any(|check| answered(&check.detail)), "{:?}", report.checks);
    }
    std::fs::remove_file(machine.path("project/.mcp.json")).unwrap();
    let claude = report(&machine, Client::ClaudeCode);
    assert!(
        claude
            .checks
            .iter()
            .any(|c| c.detail == ".mcp.json: vib's MCP server is not there" && c.fix.is_some())
    );
    std::fs::write(machine.path("bin/vib"), "#!/bin/sh\nexit 0\n").unwrap();
    let cursor = report(&machine, Client::Cursor);
    assert_eq!(problems(&cursor), [".cursor/mcp.json: vib's MCP server does not answer"]);
}
