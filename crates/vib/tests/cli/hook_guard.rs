//! The guard cannot be walked around: payloads that nobody can read, tools that nobody knows, folders that a call names, and whatever
//! hangs. (S1, S2, S3, S4, S8, T11, G2)

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use project::FileLock;
use serde_json::{Value, json};
use testkit::{Output, Sandbox};

use super::shop;

/// A command that vib refuses, and one that nobody has to think about. Both are data.
const BAD: &str = "rm -rf ~/";
const GOOD: &str = "ls";

/// Every client, the words of its line, and what its payload before a tool looks like.
const CLIENTS: [(&str, &[&str], &str, &str); 5] = [
    ("claude-code", &["claude-code"], "PreToolUse", "Bash"),
    ("codex", &["codex"], "PreToolUse", "Bash"),
    ("gemini", &["gemini"], "BeforeTool", "run_shell_command"),
    ("opencode", &["opencode"], "tool.execute.before", "bash"),
    ("copilot", &["copilot", "preToolUse"], "preToolUse", "bash"),
];

fn send(sandbox: &Sandbox, words: &[&str], payload: &[u8]) -> Output {
    let mut command = sandbox.command(&[&["hook"], words].concat());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(payload);
    let output = child.wait_with_output().unwrap();
    Output {
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        code: output.status.code().unwrap_or(-1),
    }
}

/// `deny` or `ask`, in whichever form the client understands; nothing: it runs.
fn objection(output: &Output) -> Option<String> {
    assert_eq!(output.code, 0, "{}", output.stderr);
    if output.stdout.is_empty() {
        return None;
    }
    let answer: Value = serde_json::from_str(&output.stdout).unwrap();
    if answer["deny"].is_string() {
        return Some("deny".to_owned());
    }
    let words = [
        &answer["hookSpecificOutput"]["permissionDecision"],
        &answer["permissionDecision"],
        &answer["decision"],
    ];
    words.into_iter().find_map(Value::as_str).map(str::to_owned)
}

#[expect(clippy::needless_pass_by_value, reason = "`json!` reads best as an argument")]
fn payload(sandbox: &Sandbox, event: &str, tool: &str, input: Value) -> Value {
    let record = sandbox.base().join("rollout.jsonl");
    let line =
        json!({"payload": {"type": "function_call", "call_id": "c-1", "arguments": input.to_string()}});
    std::fs::write(&record, format!("{line}\n")).unwrap();
    json!({
        "hook_event_name": event, "session_id": "s", "cwd": sandbox.root(), "tool_name": tool, "tool_input": input,
        "tool_use_id": "c-1", "transcript_path": record,
    })
}

fn asked(sandbox: &Sandbox, tool: &str, input: Value) -> Option<String> {
    objection(&send(
        sandbox,
        &["claude-code"],
        payload(sandbox, "PreToolUse", tool, input).to_string().as_bytes(),
    ))
}

#[test]
fn a_payload_that_cannot_be_read_is_never_a_yes_s1() {
    let shop = shop();
    for (client, words, event, tool) in CLIENTS {
        let good = payload(&shop, event, tool, json!({"command": GOOD, "description": "MARK"})).to_string();
        assert_eq!(
            objection(&send(&shop, words, good.as_bytes())),
            None,
            "{client}: nothing against `{GOOD}`"
        );
        let with = |mark: &[u8], command: &str| {
            let text = good.replace(&format!("\"{GOOD}\""), &format!("\"{command}\""));
            let at = text.find("MARK").unwrap();
            [&text.as_bytes()[..at], mark, &text.as_bytes()[at + 4..]].concat()
        };
        // What can be mended is judged as what it is.
        for mark in [&br"\ud800"[..], b"\xff\xfe", br"\udc00\ud800", b"\x01"] {
            assert_eq!(objection(&send(&shop, words, &with(mark, GOOD))), None, "{client}: {mark:?}");
            assert_eq!(
                objection(&send(&shop, words, &with(mark, BAD))).as_deref(),
                Some("deny"),
                "{client}: {mark:?}"
            );
        }
        let bad = with(b"x", BAD);
        let bom = [b"\xef\xbb\xbf", bad.as_slice()].concat();
        let deep =
            good.replace("\"MARK\"", &format!("{}{}", "[".repeat(200), "]".repeat(200))).replace(GOOD, BAD);
        for (what, bytes) in [("bom", bom), ("depth", deep.into_bytes())] {
            assert_eq!(objection(&send(&shop, words, &bytes)).as_deref(), Some("deny"), "{client}: {what}");
        }
        // What stays in doubt is asked about, or refused where nobody can be asked.
        let text = String::from_utf8(with(b"x", GOOD)).unwrap();
        let doubtful = [
            ("cut off", text[..text.len() - 3].to_owned()),
            ("said twice", text.replacen('{', "{\"tool_name\":\"Read\",", 1)),
            ("two objects", format!("{text}{text}")),
            ("very deep", text.replace("\"x\"", &format!("{}{}", "[".repeat(3_000), "]".repeat(3_000)))),
            ("no name of a tool", text.replace("\"tool_name\"", "\"other\"")),
            ("a number for a command", text.replace(&format!("\"{GOOD}\""), "5")),
            ("nothing", String::new()),
            ("no JSON", "{\"hook_event_name\": broken".to_owned()),
            ("no event", text.replace("hook_event_name", "hook")),
        ];
        for (what, text) in doubtful {
            let output = send(&shop, words, text.as_bytes());
            // Copilot's line says the event itself.
            if what == "no event" && client == "copilot" {
                continue;
            }
            let word = objection(&output);
            assert!(matches!(word.as_deref(), Some("deny" | "ask")), "{client}, {what}: {output:?}");
        }
    }
}

#[test]
fn a_payload_may_be_as_long_as_it_likes_s1() {
    let shop = shop();
    let mut text =
        payload(&shop, "PreToolUse", "Bash", json!({"command": BAD, "description": "MARK"})).to_string();
    text = text.replace("MARK", &"x".repeat(70 << 20));
    // Unless the machine is so slow that the time is up: then it is asked about.
    let word = objection(&send(&shop, &["claude-code"], text.as_bytes()));
    assert!(matches!(word.as_deref(), Some("deny" | "ask")), "{word:?}");
}

#[test]
fn what_is_no_decision_is_a_warning_s1() {
    let shop = shop();
    for text in [r#"{"hook_event_name":"Stop","session_id":"s""#, r#"{"prompt":"hello","session_id":"s"}"#] {
        let output = send(&shop, &["claude-code"], text.as_bytes());
        assert_eq!(objection(&output), None, "{output:?}");
        assert!(output.stderr.contains("vib"), "{output:?}");
    }
}

#[test]
fn tools_that_run_or_write_are_looked_at_whatever_they_are_called_s2() {
    let shop = shop();
    for (tool, input) in [
        ("Monitor", json!({"command": BAD, "description": "watch"})),
        ("mcp__shell__run_command", json!({"command": BAD})),
        ("mcp__x__do", json!({"steps": [{"cmd": BAD}]})),
        ("mcp__x__exec", json!({"command": "rm", "args": ["-rf", "/"]})),
        (
            "mcp__filesystem__write_file",
            json!({"path": shop.root().join(".claude/settings.json"), "content": "{}"}),
        ),
        ("mcp__filesystem__write_file", json!({"path": shop.state().join("x"), "content": ""})),
        (
            "mcp__filesystem__move_file",
            json!({"source": "README.md", "destination": ".git/hooks/pre-commit"}),
        ),
    ] {
        let word = asked(&shop, tool, input.clone());
        assert!(matches!(word.as_deref(), Some("deny" | "ask")), "{tool} {input}: {word:?}");
    }
    for (tool, input) in [
        ("Monitor", json!({"command": GOOD, "description": "watch"})),
        ("mcp__filesystem__read_file", json!({"path": ".claude/settings.json"})),
        ("mcp__filesystem__write_file", json!({"path": "README.md", "content": "new"})),
        ("mcp__browser__navigate", json!({"url": "https://example.com/etc/hosts"})),
        ("mcp__notes__add_note", json!({"text": "never run rm -rf ~/ again"})),
        ("mcp__shell__run_command", json!({"command": GOOD})),
    ] {
        assert_eq!(asked(&shop, tool, input.clone()), None, "{tool} {input}");
    }
    // What is typed into a program that runs already.
    let typed = |text: &str| {
        let payload = payload(&shop, "preToolUse", "write_bash", json!({"shellId": "1", "input": text}));
        objection(&send(&shop, &["copilot", "preToolUse"], payload.to_string().as_bytes()))
    };
    assert_eq!(typed("y\n"), None);
    assert_eq!(typed("ls -l\n"), None);
    assert_eq!(typed("rm -rf ~/\n").as_deref(), Some("deny"));
    assert_eq!(typed("import os; os.remove('x')\n").as_deref(), Some("ask"));
    // Codex has no hook for it, so the prompt itself is the question.
    let prompt = payload(&shop, "PreToolUse", "Bash", json!({"command": "python3 -i"}));
    assert_eq!(objection(&send(&shop, &["codex"], prompt.to_string().as_bytes())).as_deref(), Some("deny"));
}

#[test]
fn a_call_is_judged_in_the_folder_that_it_names_s3() {
    let shop = shop();
    let outside = shop.base().join("letters");
    std::fs::create_dir_all(outside.join("src")).unwrap();
    for (client, words, event, tool) in CLIENTS {
        let field = match client {
            "gemini" => "dir_path",
            _ => "workdir",
        };
        let run = |folder: Value| {
            let mut payload = payload(&shop, event, tool, json!({"command": "rm -r src", field: folder}));
            if client == "codex" {
                // It does not tell it to its hooks; it is in its record of the session.
                payload["tool_input"] = json!({"command": "rm -r src"});
            }
            objection(&send(&shop, words, payload.to_string().as_bytes()))
        };
        assert_eq!(run(json!(shop.root())), None, "{client}: the project is saved first");
        for folder in [json!(outside), json!("../letters")] {
            assert!(run(folder.clone()).is_some(), "{client} deletes in {folder}");
        }
        if client == "codex" {
            let mut payload = payload(&shop, event, tool, json!({"command": "rm -r src"}));
            payload["tool_use_id"] = json!("unheard-of");
            let word = objection(&send(&shop, words, payload.to_string().as_bytes()));
            assert_eq!(word.as_deref(), Some("deny"), "nobody knows where");
            payload["tool_input"] = json!({"command": "npm test"});
            assert_eq!(
                objection(&send(&shop, words, payload.to_string().as_bytes())),
                None,
                "no danger, no question"
            );
        }
    }
}

#[test]
fn what_is_protected_binds_every_tool_g2() {
    let shop = shop();
    shop.write(
        "kept.js",
        "// VIBE-KEEP START prices\nconst price = 1\n// VIBE-KEEP END prices\nlet other = 2\n",
    );
    shop.vib(&["protect", "README.md"]).ok();
    let at = |path: &str| shop.root().join(path);
    for (tool, input) in [
        ("Bash", json!({"command": "sed -i s/a/b/ README.md"})),
        ("Bash", json!({"command": "echo x > README.md"})),
        ("Bash", json!({"command": "rm README.md"})),
        ("Write", json!({"file_path": at("README.md"), "content": "x"})),
        ("mcp__fs__write_file", json!({"path": at("README.md"), "content": "x"})),
        ("Edit", json!({"file_path": at("kept.js"), "old_string": "price = 1", "new_string": "price = 9"})),
        ("Write", json!({"file_path": at("kept.js"), "content": "empty"})),
    ] {
        assert_eq!(asked(&shop, tool, input.clone()).as_deref(), Some("deny"), "{tool} {input}");
    }
    let word = asked(&shop, "Bash", json!({"command": "sed -i s/1/9/ kept.js"}));
    assert_eq!(word.as_deref(), Some("ask"), "nobody can see what it leaves");
    for (tool, input) in [
        ("Bash", json!({"command": "cat README.md > copy.md"})),
        ("Edit", json!({"file_path": at("kept.js"), "old_string": "other = 2", "new_string": "other = 3"})),
    ] {
        assert_eq!(asked(&shop, tool, input.clone()), None, "{tool} {input}");
    }
}

#[test]
fn a_bare_variable_switches_nothing_off_t11() {
    let shop = shop();
    let payload = payload(&shop, "PreToolUse", "Bash", json!({"command": BAD}));
    for value in ["1", "0123456789abcdef0123456789abcdef", "../../x"] {
        let mut command = shop.command(&["hook", "claude-code"]);
        let output = Sandbox::run_with_input(command.env("VIBELIGN_JUDGING", value), &payload.to_string());
        assert_eq!(objection(&output).as_deref(), Some("deny"), "{value}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_vib_inside_vibs_own_question_has_nothing_to_do_t11() {
    use std::os::unix::fs::PermissionsExt;
    let shop = shop();
    let (seen, model) = (shop.base().join("seen"), shop.base().join("model"));
    let inner = payload(&shop, "PreToolUse", "Bash", json!({"command": BAD}));
    std::fs::write(shop.base().join("payload"), inner.to_string()).unwrap();
    let body = format!(
        "#!/bin/sh\n'{}' hook claude-code < '{}' > '{}'\necho '{{\"decision\":\"allow\"}}'\n",
        env!("CARGO_BIN_EXE_vib"),
        shop.base().join("payload").display(),
        seen.display()
    );
    std::fs::write(&model, body).unwrap();
    std::fs::set_permissions(&model, std::fs::Permissions::from_mode(0o755)).unwrap();
    shop.vib(&["config", "set", "guard.llm_command", model.to_str().unwrap()]).ok();
    shop.vib(&["judge", "$TOOL --list"]).ok();
    assert_eq!(std::fs::read_to_string(&seen).unwrap(), "", "the inner one is silent");
    assert_eq!(std::fs::read_dir(shop.state().join("judging")).unwrap().count(), 0, "the number is gone");
}

#[test]
fn what_a_repository_does_to_vib_is_named_s4() {
    let shop = shop();
    shop.write(
        ".claude/settings.json",
        r#"{"env": {"VIBELIGN_STATE": "/tmp/elsewhere", "VIBELIGN_GUARD_COVERED": "allow"}}"#,
    );
    let start = json!({"hook_event_name": "SessionStart", "session_id": "s", "cwd": shop.root(), "source": "startup"});
    let output = send(&shop, &["claude-code"], start.to_string().as_bytes());
    for name in ["VIBELIGN_STATE", "VIBELIGN_GUARD_COVERED"] {
        assert!(output.stderr.contains(name), "{output:?}");
    }
}

/// The answer and how long it took.
fn timed(sandbox: &Sandbox, payload: &Value) -> (Output, Duration) {
    let began = Instant::now();
    let output = send(sandbox, &["claude-code"], payload.to_string().as_bytes());
    (output, began.elapsed())
}

#[track_caller]
fn in_time(took: Duration) {
    assert!(took < Duration::from_millis(3_500), "{took:?}");
}

fn ready() -> Sandbox {
    let shop = shop();
    shop.vib(&["init", "--no-hooks", "--yes"]).ok();
    shop.checkpoint("before");
    shop.write("fresh.txt", "not saved yet\n");
    shop
}

fn bash(sandbox: &Sandbox, command: &str) -> Value {
    payload(sandbox, "PreToolUse", "Bash", json!({"command": command}))
}

#[test]
fn held_locks_do_not_hold_the_answer_back_s8() {
    let shop = ready();
    let locks = ["tree.lock", "write.lock"].map(|name| FileLock::wait(&shop.store().join(name)).unwrap());
    let sessions = shop.store().join("sessions");
    project::platform::make_private_dir(&sessions).unwrap();
    // A refusal needs no lock at all.
    let (output, took) = timed(&shop, &bash(&shop, BAD));
    in_time(took);
    assert_eq!(objection(&output).as_deref(), Some("deny"));
    // What would lose what could not be saved is asked about; what loses nothing goes on with a warning.
    let (output, took) = timed(&shop, &bash(&shop, "rm fresh.txt"));
    in_time(took);
    assert_eq!(objection(&output).as_deref(), Some("ask"), "{output:?}");
    let (output, took) = timed(&shop, &bash(&shop, "npm test"));
    in_time(took);
    assert_eq!(objection(&output), None, "{output:?}");
    assert!(output.stderr.contains("no checkpoint") || output.stderr.contains("saving"), "{output:?}");
    for event in ["UserPromptSubmit", "Stop", "SessionStart", "SessionEnd"] {
        let other = json!({"hook_event_name": event, "session_id": "s", "cwd": shop.root(), "prompt": "hi", "source": "startup"});
        in_time(timed(&shop, &other).1);
    }
    drop(locks);
    let (output, _) = timed(&shop, &bash(&shop, "rm fresh.txt"));
    assert_eq!(objection(&output), None, "{output:?}");
}

#[cfg(unix)]
#[test]
fn a_stopped_vib_does_not_stop_the_others_s8() {
    let shop = ready();
    let lock = shop.store().join("tree.lock");
    let mut holder = std::process::Command::new("flock")
        .arg(&lock)
        .args(["sleep", "60"])
        .spawn()
        .expect("`flock` of util-linux");
    while FileLock::try_now(&lock).unwrap().is_some() {
        std::thread::sleep(Duration::from_millis(10));
    }
    rustix::process::kill_process(rustix::process::Pid::from_child(&holder), rustix::process::Signal::STOP)
        .unwrap();
    let (output, took) = timed(&shop, &bash(&shop, "find . -name '*.txt' -delete"));
    in_time(took);
    assert_eq!(objection(&output).as_deref(), Some("ask"), "{output:?}");
    holder.kill().unwrap();
    holder.wait().unwrap();
}

#[test]
fn a_file_of_a_hundred_gigabytes_is_left_for_later_and_named_s8() {
    let shop = ready();
    File::create(shop.root().join("big.bin")).unwrap().set_len(100 << 30).unwrap();
    shop.write("small.txt", "small\n");
    let (output, took) = timed(&shop, &bash(&shop, "npm test"));
    in_time(took);
    assert_eq!(objection(&output), None, "{output:?}");
    assert!(output.stderr.contains("big.bin"), "{output:?}");
    for (command, word) in [("rm big.bin", Some("ask")), ("rm small.txt", None), ("rm -r .", Some("ask"))] {
        let (output, took) = timed(&shop, &bash(&shop, command));
        in_time(took);
        let found = objection(&output);
        assert!(found.as_deref() == word || found.as_deref() == Some("deny"), "{command}: {output:?}");
        assert_eq!(found.is_some(), word.is_some(), "{command}: {output:?}");
    }
    let edit = payload(
        &shop,
        "PreToolUse",
        "Write",
        json!({"file_path": shop.root().join("big.bin"), "content": "x"}),
    );
    in_time(timed(&shop, &edit).1);
    // Everything else is saved: what the agent deletes comes back. (Without the large file: a person's own commands read it all.)
    shop.remove("big.bin");
    let removes = bash(&shop, "rm small.txt");
    assert_eq!(objection(&timed(&shop, &removes).0), None);
    shop.remove("small.txt");
    let mut after = removes;
    after["hook_event_name"] = json!("PostToolUse");
    after["tool_response"] = json!({"stdout": ""});
    timed(&shop, &after);
    shop.vib(&["undo", "--yes"]).ok();
    assert_eq!(shop.read("small.txt"), "small\n");
}

#[cfg(unix)]
#[test]
fn a_pipe_where_a_file_should_be_does_not_hold_the_answer_back_s8() {
    let pipe = |path: &Path| {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let _ = std::fs::remove_file(path);
        assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    };
    for place in [
        ".vibelign/config.toml",
        "vibelign.toml",
        ".gitignore",
        "fresh.txt",
        ".git/config",
        ".claude/settings.json",
    ] {
        let shop = ready();
        pipe(&shop.root().join(place));
        let (output, took) = timed(&shop, &bash(&shop, "git status; rm fresh.txt"));
        in_time(took);
        let (refusal, took) = timed(&shop, &bash(&shop, BAD));
        in_time(took);
        assert!(objection(&refusal).is_some(), "{place}: {refusal:?} {output:?}");
    }
    for place in ["protected.json", "store.db", "stat.index"] {
        let shop = ready();
        pipe(&shop.store().join(place));
        let (refusal, took) = timed(&shop, &bash(&shop, BAD));
        in_time(took);
        assert!(objection(&refusal).is_some(), "{place}: {refusal:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_said_and_what_would_be_lost_is_asked_about_s8() {
    let shop = ready();
    let payload = shop.base().join("payload");
    let send = |command: &str| {
        std::fs::write(&payload, bash(&shop, command).to_string()).unwrap();
        let plain = shop.command(&["hook", "claude-code"]);
        let mut limited = std::process::Command::new("sh");
        limited.arg("-c").arg(format!(
            "trap '' XFSZ; ulimit -f 0; exec '{}' hook claude-code < '{}'",
            plain.get_program().to_string_lossy(),
            payload.display()
        ));
        limited.env_clear().current_dir(shop.root());
        limited.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
        limited.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        let began = Instant::now();
        let output = Sandbox::run(&mut limited);
        in_time(began.elapsed());
        output
    };
    assert_eq!(objection(&send(BAD)).as_deref(), Some("deny"));
    let lost = send("rm fresh.txt");
    assert_eq!(objection(&lost).as_deref(), Some("ask"), "{lost:?}");
    let kept = send("npm test");
    assert_eq!(objection(&kept), None, "{kept:?}");
    assert!(kept.stderr.contains("no checkpoint was saved"), "{kept:?}");
}

#[test]
fn a_payload_that_never_ends_is_answered_s8() {
    let shop = ready();
    let mut command = shop.command(&["hook", "claude-code"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let began = Instant::now();
    let mut child = command.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(br#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_inp"#)
        .unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(&mut child.stdout.take().unwrap(), &mut text).unwrap();
    in_time(began.elapsed());
    drop(pipe);
    child.wait().unwrap();
    let output = Output { stdout: text, stderr: String::new(), code: 0 };
    assert_eq!(objection(&output).as_deref(), Some("ask"), "{output:?}");
}

#[test]
fn what_was_left_for_later_is_not_called_new_by_the_next_look_s8() {
    let shop = ready();
    File::create(shop.root().join("big.bin")).unwrap().set_len(257 << 20).unwrap();
    timed(&shop, &bash(&shop, "npm test"));
    // A person's own command has the time to save it. It was there all along: going back does not take it away.
    shop.checkpoint("everything");
    shop.vib(&["undo", "--yes"]);
    assert!(shop.exists("big.bin"));
}

#[test]
fn a_payload_that_goes_on_and_on_is_answered_too_m1() {
    let shop = ready();
    for (first, more) in [("", " "), (r#"{"a":""#, "x")] {
        let mut command = shop.command(&["hook", "claude-code"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let began = Instant::now();
        let mut child = command.spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let feeding = std::thread::spawn(move || {
            let _ = pipe.write_all(first.as_bytes());
            let chunk = more.repeat(1 << 16);
            // It ends when nobody reads any more.
            while pipe.write_all(chunk.as_bytes()).is_ok() {
                std::thread::sleep(Duration::from_millis(2));
            }
        });
        let mut text = String::new();
        std::io::Read::read_to_string(&mut child.stdout.take().unwrap(), &mut text).unwrap();
        in_time(began.elapsed());
        child.wait().unwrap();
        feeding.join().unwrap();
        let output = Output { stdout: text, stderr: String::new(), code: 0 };
        assert_eq!(objection(&output).as_deref(), Some("ask"), "{output:?}");
    }
}

#[test]
fn what_could_not_be_saved_first_is_asked_about_whatever_would_overwrite_it_b1() {
    let shop = shop();
    shop.vib(&["init", "--no-hooks", "--yes"]).ok();
    shop.write("kept.txt", "in a checkpoint\n");
    shop.checkpoint("before");
    let path = |name: &str| shop.root().join(name);
    let write =
        |name: &str| payload(&shop, "PreToolUse", "Write", json!({"file_path": path(name), "content": "x"}));
    let locks = ["tree.lock", "write.lock"].map(|name| FileLock::wait(&shop.store().join(name)).unwrap());
    // Everything is held as it is: it goes on with a warning.
    for call in [
        write("kept.txt"),
        write("new.txt"),
        bash(&shop, "sed -i d kept.txt"),
        bash(&shop, "npx prettier --write ."),
    ] {
        let (output, took) = timed(&shop, &call);
        in_time(took);
        assert_eq!(objection(&output), None, "{call} {output:?}");
    }
    shop.write("kept.txt", "an hour of work\n");
    let edit = json!({"file_path": path("kept.txt"), "old_string": "an", "new_string": "b"});
    let strange = json!({"path": path("kept.txt"), "content": "x"});
    for call in [
        write("kept.txt"),
        payload(&shop, "PreToolUse", "Edit", edit),
        payload(&shop, "PreToolUse", "mcp__fs__write_file", strange),
        bash(&shop, "sed -i d kept.txt"),
        bash(&shop, "python3 -c \"open('kept.txt','w')\""),
        bash(&shop, "npx prettier --write ."),
        bash(&shop, "git stash"),
    ] {
        let (output, took) = timed(&shop, &call);
        in_time(took);
        assert_eq!(objection(&output).as_deref(), Some("ask"), "{call} {output:?}");
    }
    // Tests and other files are no danger to it.
    for call in [write("new.txt"), bash(&shop, "npm test")] {
        assert_eq!(objection(&timed(&shop, &call).0), None, "{call}");
    }
    drop(locks);
    assert_eq!(objection(&timed(&shop, &write("kept.txt")).0), None);
}

#[test]
fn an_edit_that_names_no_file_and_a_payload_with_two_events_are_asked_about_m8() {
    let shop = ready();
    for input in [json!({}), json!({"file_path": 7, "content": "x"}), json!({"content": "x"})] {
        assert_eq!(asked(&shop, "Write", input.clone()).as_deref(), Some("ask"), "{input}");
    }
    let call = bash(&shop, GOOD).to_string();
    let twice = call.replacen('{', r#"{"hook_event_name":"PostToolUse","#, 1);
    assert_eq!(objection(&send(&shop, &["claude-code"], twice.as_bytes())).as_deref(), Some("ask"));
    let over =
        call.replace("PreToolUse", "PostToolUse").replacen('{', r#"{"hook_event_name":"PreToolUse","#, 1);
    assert_eq!(objection(&send(&shop, &["claude-code"], over.as_bytes())).as_deref(), Some("ask"));
}
