//! The fence with the real clients: what is marked runs behind it, and everything else is as without. (S7, S17)
//!
//! Each story is told twice, with the fence and without: what the model is told, the exit codes, the folder between calls, here-documents,
//! letters and the background must be the same; only what is written outside differs.

use std::path::{Path, PathBuf};

use serde_json::json;
use testkit::model::{Request, Step};
use vib_e2e::{Client, ClientRun, Leave, Turn};

/// Programs of the project that vib cannot see through, or does not ask about, because they are a project's own.
const FILES: &[(&str, &str)] = &[
    ("notes.txt", "one\n"),
    (
        "out.py",
        "import os, sys\nfor name in sys.argv[1:]:\n    open(os.path.join('..', name, 'new.txt'), 'w').write('x')\n",
    ),
    ("echo.py", "import sys\nprint('read', sys.stdin.read().strip(), 'ü 한국어', *sys.argv[1:])\n"),
    (
        "Makefile",
        "code:\n\t@exit 7\nhere:\n\t@pwd | sed 's,.*/,in ,'\nlate:\n\t@sleep 0.4; echo late > late.txt\nforbidden:\n\t@echo x > forbidden.txt\n",
    ),
];

/// True where the kernel has a fence; else says why the story is not told.
fn has_fence(run: &ClientRun) -> bool {
    let probe = run.sandbox.vib(&["fence", "probe", "--json"]).json();
    let outcome = probe["data"]["trial"]["outcome"].as_str().unwrap_or_default().to_owned();
    if outcome == "none" {
        eprintln!("skipped: {}", probe["data"]["trial"]["detail"]);
    }
    outcome != "none"
}

/// The file that a client's shell is led to, where a person has to do that.
fn shell_file(run: &ClientRun) -> PathBuf {
    run.sandbox.state().join("fence/shell.sh")
}

/// What a person sets up for the clients that do not bear it by themselves.
fn set_up(run: &ClientRun) {
    let home = run.sandbox.base().join("home");
    let file = shell_file(run);
    let add = |path: &Path, text: &str| {
        let before = std::fs::read_to_string(path).unwrap_or_default();
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        std::fs::write(path, format!("{before}{text}")).expect("settings");
    };
    match run.client {
        Client::ClaudeCode | Client::OpenCode => return,
        Client::Codex => add(
            &home.join(".codex/config.toml"),
            &format!("\n[shell_environment_policy]\nset = {{ BASH_ENV = \"{}\" }}\n", file.display()),
        ),
        Client::Gemini => add(&home.join(".gemini/.env"), &format!("BASH_ENV={}\n", file.display())),
        Client::Copilot => {
            add(&home.join(".copilot/settings.json"), &json!({"bashEnv": true}).to_string());
            run.set_variable("BASH_ENV", file);
        }
    }
    run.sandbox.vib(&["config", "set", "guard.fence", "unknown"]).ok();
}

fn started(client: Client, is_fenced: bool) -> ClientRun {
    let run = ClientRun::new(client, FILES).with_vib();
    std::fs::create_dir_all(run.sandbox.root().join("sub")).expect("a folder");
    if is_fenced {
        set_up(&run);
    } else {
        run.sandbox.vib(&["config", "set", "guard.fence", "off"]).ok();
    }
    run
}

/// What the model was told last, in one text.
fn told(turn: &Turn) -> String {
    turn.agent_requests().last().map(Request::text).unwrap_or_default()
}

/// The steps of a day that has nothing to do outside, and what the model must be told of them.
fn an_ordinary_day() -> (Vec<Step>, Vec<&'static str>) {
    let steps = vec![
        Step::bash("python3 echo.py \"it's\" 'a b' <<'EOF'\nhere \"doc\" $X\nEOF"),
        Step::bash("printf 'piped' | python3 echo.py 2>&1 | cat"),
        Step::bash("make code; echo \"code $?\""),
        Step::bash("cd sub && make -f ../Makefile here"),
        Step::bash("make -f ../Makefile here || make here"),
        Step::bash("make late > /dev/null 2>&1 & wait; cat late.txt ../late.txt 2> /dev/null || true"),
        Step::say("Done."),
    ];
    let expected =
        vec!["read here \\\"doc\\\" $X ü 한국어 it's a b", "read piped ü 한국어", "code 2", "in sub"];
    (steps, expected)
}

fn is_as_without_but_outside(client: Client) {
    let free = started(client, false);
    if !has_fence(&free) {
        return;
    }
    let fenced = started(client, true);
    let (steps, expected) = an_ordinary_day();
    for run in [&free, &fenced] {
        let turn = run.prompt("Please build it.", steps.clone()).done();
        let text = told(&turn);
        for words in &expected {
            let plain = words.replace('\\', "");
            assert!(text.contains(words) || text.contains(&plain), "`{words}` was not told: {text}");
        }
        assert!(!text.contains("the fence around this command"), "nothing was refused: {text}");
    }
    // Where the folder is kept between calls, it is with the fence too.
    let late = |run: &ClientRun| ["late.txt", "sub/late.txt"].map(|path| run.sandbox.exists(path));
    assert_eq!(late(&free), late(&fenced));

    // Now outside.
    let mut written = Vec::new();
    for run in [&free, &fenced] {
        let outside = run.folder_beside_the_project("letters.txt", "Dear all,\n");
        let step = Step::bash(&format!("python3 out.py {outside}"));
        let turn = run.prompt("Write to them.", [step, Step::say("Done.")]).done();
        written.push((run.sandbox.base().join(&outside).join("new.txt").exists(), told(&turn), outside));
    }
    assert!(written[0].0, "without the fence nothing stops it: {}", written[0].1);
    let (is_written, text, outside) = &written[1];
    assert!(!is_written, "it went through the fence: {text}");
    assert!(text.contains("PermissionError"), "the command ran, and was refused: {text}");
    assert!(
        text.contains("the fence around this command refused to write") && text.contains("vib fence allow"),
        "{text}"
    );
    let history = fenced.sandbox.vib(&["history", "--json"]).ok().stdout;
    assert!(history.contains("the fence refused to write"), "{history}");
    let list = fenced.sandbox.vib(&["fence", "list", "--json"]).json();
    let clients = list["data"]["clients"].as_array().expect("clients");
    assert!(clients.iter().any(|one| one["client"] == client.name() && one["live"] == true), "{list}");

    // The way out that was named is one.
    let folder = fenced.sandbox.base().join(outside);
    fenced.sandbox.vib(&["fence", "allow", folder.to_str().expect("a plain name")]).ok();
    let step = Step::bash(&format!("python3 out.py {outside}"));
    fenced.prompt("Try again.", [step, Step::say("Done.")]).done();
    assert!(folder.join("new.txt").exists(), "a person opened it");
}

#[test]
fn claude_code_behind_the_fence_is_as_without_but_outside_s17() {
    is_as_without_but_outside(Client::ClaudeCode);
}

#[test]
fn opencode_behind_the_fence_is_as_without_but_outside_s17() {
    is_as_without_but_outside(Client::OpenCode);
}

#[test]
fn codex_behind_the_fence_is_as_without_but_outside_s17() {
    is_as_without_but_outside(Client::Codex);
}

#[test]
fn gemini_behind_the_fence_is_as_without_but_outside_s17() {
    is_as_without_but_outside(Client::Gemini);
}

#[test]
fn copilot_behind_the_fence_is_as_without_but_outside_s17() {
    is_as_without_but_outside(Client::Copilot);
}

/// The client's own rules read the command as the model wrote it.
fn rules_hold(client: Client) {
    for is_fenced in [false, true] {
        let run = started(client, is_fenced).with_leave(Leave::AsItComes);
        if !has_fence(&run) {
            return;
        }
        let home = run.sandbox.base().join("home");
        let amend = |path: PathBuf, key: &str, value: serde_json::Value| {
            let text = std::fs::read(&path).unwrap_or_else(|_| b"{}".to_vec());
            let mut settings: serde_json::Value = serde_json::from_slice(&text).expect("settings");
            settings[key] = value;
            std::fs::write(&path, settings.to_string()).expect("settings");
        };
        match client {
            Client::ClaudeCode => amend(
                home.join(".claude/settings.json"),
                "permissions",
                json!({"allow": ["Bash(make:*)"], "deny": ["Bash(make forbidden:*)"]}),
            ),
            _ => amend(
                home.join(".config/opencode/opencode.json"),
                "permission",
                json!({"bash": {"*": "deny", "make *": "allow", "make forbidden": "deny"}}),
            ),
        }
        let steps = [
            Step::bash("make here"),
            Step::bash("make forbidden"),
            Step::bash("python3 out.py"),
            Step::say("Done."),
        ];
        let text = told(&run.prompt("Please build it.", steps).done());
        assert!(text.contains("in project"), "the allow rule counts (fenced: {is_fenced}): {text}");
        assert!(!run.sandbox.exists("forbidden.txt"), "the deny rule counts (fenced: {is_fenced}): {text}");
    }
}

#[test]
fn claude_code_its_own_rules_hold_behind_the_fence() {
    rules_hold(Client::ClaudeCode);
}

#[test]
fn opencode_its_own_rules_hold_behind_the_fence() {
    rules_hold(Client::OpenCode);
}
