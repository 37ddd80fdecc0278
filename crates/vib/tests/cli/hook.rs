//! `vib hook` (HK1–HK5, CP2, CP3, SP1): every recorded payload of every client, and a session told as a story.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use testkit::{Output, Photo, Sandbox};

use super::{empty, shop};

/// A session of Claude Code, played by the test.
pub(super) struct Chat<'s> {
    sandbox: &'s Sandbox,
    turn: u32,
}

#[expect(clippy::needless_pass_by_value, reason = "`json!` reads best as an argument")]
impl<'s> Chat<'s> {
    pub(super) fn new(sandbox: &'s Sandbox) -> Self {
        Self { sandbox, turn: 0 }
    }

    pub(super) fn send(&self, event: &str, fields: Value) -> Output {
        let mut payload = json!({
            "session_id": "s-1",
            "prompt_id": format!("p-{}", self.turn),
            "cwd": self.sandbox.root(),
            "hook_event_name": event,
        });
        for (name, value) in fields.as_object().unwrap() {
            payload[name] = value.clone();
        }
        hook(self.sandbox, &["claude-code"], &payload.to_string()).ok()
    }

    pub(super) fn prompt(&mut self, text: &str) -> Output {
        self.turn += 1;
        self.send("UserPromptSubmit", json!({"prompt": text}))
    }

    pub(super) fn before(&self, tool: &str, input: Value) -> Output {
        self.send("PreToolUse", json!({"tool_name": tool, "tool_input": input, "tool_use_id": "c-1"}))
    }

    pub(super) fn after(&self, tool: &str, input: Value, response: Value) -> Output {
        self.send("PostToolUse", json!({"tool_name": tool, "tool_input": input, "tool_response": response}))
    }

    /// The agent's edit tool, with both hooks; `None` if vib refused.
    pub(super) fn write(&self, path: &str, text: &str) -> Option<Output> {
        let input = json!({"file_path": self.sandbox.root().join(path), "content": text});
        if denied(&self.before("Write", input.clone())).is_some() {
            return None;
        }
        self.sandbox.write(path, text);
        Some(self.after("Write", input, json!({"type": "update"})))
    }

    /// The agent's shell, with both hooks.
    pub(super) fn shell(&self, script: &str) {
        let asked = self.before("Bash", json!({"command": script}));
        assert_eq!(denied(&asked), None, "{script}");
        self.sandbox.shell(script);
        self.after("Bash", json!({"command": script}), json!({"stdout": "", "stderr": ""}));
    }
}

fn hook(sandbox: &Sandbox, words: &[&str], input: &str) -> Output {
    let mut arguments = vec!["hook"];
    arguments.extend(words);
    Sandbox::run_with_input(&mut sandbox.command(&arguments), input)
}

fn denied(output: &Output) -> Option<String> {
    if output.stdout.is_empty() {
        return None;
    }
    let answer = output.json();
    let specific = &answer["hookSpecificOutput"];
    match specific["permissionDecision"].as_str() {
        Some("deny" | "ask") => Some(specific["permissionDecisionReason"].as_str().unwrap().to_owned()),
        _ => None,
    }
}

fn checkpoints(sandbox: &Sandbox) -> Vec<Value> {
    let data = sandbox.data(&["history", "--checkpoints", "-n", "0"]);
    let groups = data["groups"].as_array().unwrap();
    groups.iter().flat_map(|group| group["checkpoints"].as_array().unwrap().clone()).collect()
}

// ── the recorded payloads ──────────────────────────────────────────────────────────────────────────────────────────

fn fixtures() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hooks/fixtures");
    let mut found = Vec::new();
    let mut folders = vec![root.canonicalize().unwrap()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.ends_with("stdin.json") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Client, event and case of a fixture.
fn named(path: &Path) -> (String, String, String) {
    let parts: Vec<String> =
        path.iter().rev().skip(1).take(3).map(|p| p.to_string_lossy().into_owned()).collect();
    (parts[2].clone(), parts[1].clone(), parts[0].clone())
}

/// Each client's payloads go to a project of their own, as if the client ran there.
fn play(client: &str) -> String {
    let sandbox = shop();
    sandbox.write("hello.txt", "hello one\n");
    let mut out = String::new();
    for path in fixtures() {
        let (folder, event, case) = named(&path);
        if folder != client {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let text = text.replace("/home/dev/project", sandbox.root().to_str().unwrap());
        let name = if client == "claude" { "claude-code" } else { client };
        let mut words = vec![name];
        if client == "copilot" {
            words.push(&event);
        }
        let output = hook(&sandbox, &words, &text);
        assert_eq!(output.code, 0, "{event}/{case}: {}", output.stderr);
        let answer = if output.stdout.is_empty() { "(nothing)".to_owned() } else { output.stdout.clone() };
        if !output.stdout.is_empty() {
            assert!(output.json().is_object(), "exactly one object: {}", output.stdout);
        }
        assert_eq!(output.stderr, "", "{event}/{case}");
        out.push_str(&format!("{event}/{case}: {}\n", sandbox.without_paths(&answer)));
    }
    assert!(!out.is_empty());
    out
}

#[test]
fn claude_code_payloads_are_answered_hk3() {
    insta::assert_snapshot!(play("claude"));
}

#[test]
fn codex_payloads_are_answered_hk3() {
    insta::assert_snapshot!(play("codex"));
}

#[test]
fn gemini_payloads_are_answered_hk3() {
    insta::assert_snapshot!(play("gemini"));
}

#[test]
fn opencode_payloads_are_answered_hk3() {
    insta::assert_snapshot!(play("opencode"));
}

#[test]
fn copilot_payloads_are_answered_hk3() {
    insta::assert_snapshot!(play("copilot"));
}

#[test]
fn a_broken_payload_never_stops_a_client_hk2() {
    let sandbox = shop();
    let broken = ["", "{", "[]", "null", "\"x\"", "{\"hook_event_name\": 7}", "{\"a\":", "\u{0}\u{1}"];
    for client in ["claude-code", "codex", "gemini", "opencode", "copilot", "cursor"] {
        for input in broken {
            let output = hook(&sandbox, &[client], input);
            assert_eq!(output.code, 0, "{client} {input:?}");
            // It may be a step that is about to happen, so it is a question, in the form that the client reads. (S1)
            let answer: Value = serde_json::from_str(&output.stdout)
                .unwrap_or_else(|error| panic!("{client} {input:?}: {error}: {}", output.stdout));
            assert!(answer.to_string().contains("what the client sent"), "{client} {input:?}: {answer}");
        }
        // Types that nobody expects, and fields that are missing.
        let odd = [
            json!({"hook_event_name": "PreToolUse", "tool_name": 5, "tool_input": "x", "session_id": []}),
            json!({"hook_event_name": "BeforeTool", "tool_name": "run_shell_command", "tool_input": {"command": 9}}),
            json!({"hook_event_name": "NewEventOfNextYear", "x": {"y": [1, 2, 3]}}),
            json!({"hook_event_name": "Stop"}),
        ];
        for payload in odd {
            let output = hook(&sandbox, &[client], &payload.to_string());
            assert_eq!(output.code, 0, "{client} {payload}: {}", output.stderr);
        }
    }
    let output = hook(&sandbox, &["no-such-client"], "{}");
    assert_eq!((output.code, output.stdout.as_str()), (0, ""));
    assert!(output.stderr.contains("no client that vib knows"), "{}", output.stderr);
    assert_eq!(hook(&sandbox, &[], "{}").code, 0);
}

// ── a session ──────────────────────────────────────────────────────────────────────────────────────────────────────

#[test]
fn every_step_is_saved_and_everything_comes_back_cp2() {
    let shop = shop();
    let mut chat = Chat::new(&shop);
    chat.send("SessionStart", json!({"source": "startup"}));
    chat.prompt("make the cart better");
    let before = Photo::of(&shop.root());
    assert!(chat.write("src/cart.js", "let total = 1;\n").is_some());
    chat.shell("sed -i s/check/chock/ src/login.js");
    chat.shell("rm -r src && echo junk > junk.txt");
    chat.send("Stop", json!({"stop_hook_active": false}));
    assert!(!shop.exists("src"));

    let made = checkpoints(&shop);
    let triggers: Vec<&str> = made.iter().map(|c| c["trigger"].as_str().unwrap()).collect();
    assert_eq!(
        triggers,
        ["stop", "after", "tool", "after", "after", "prompt"],
        "what a step changed is saved with it"
    );
    assert!(made.iter().all(|c| c["agent"] == "claude-code" && c["turn"] == "p-1" && c["session"] == "s-1"));
    assert_eq!(made[4]["tool"], "Write");
    assert_eq!(made[4]["whole_tree"], false, "an edit saves only its file");
    assert_eq!(made[4]["prompt"], "make the cart better");

    let first = made[5]["id"].as_str().unwrap();
    shop.vib(&["undo", first, "--yes"]).ok();
    Photo::of(&shop.root()).assert_same(&before);
}

#[test]
fn a_command_that_only_looks_saves_nothing_cp2() {
    let shop = shop();
    let mut chat = Chat::new(&shop);
    chat.prompt("look around");
    let before = checkpoints(&shop).len();
    for command in ["ls -la", "grep -rn total src | head", "git status", "cat README.md"] {
        assert_eq!(chat.before("Bash", json!({"command": command})).stdout, "", "{command}");
    }
    chat.before("Read", json!({"file_path": shop.root().join("README.md")}));
    assert_eq!(checkpoints(&shop).len(), before);
}

#[test]
fn a_destructive_command_outside_the_project_is_refused_with_the_reason_hk6() {
    let shop = shop();
    let mut chat = Chat::new(&shop);
    chat.prompt("clean up");
    let reason = denied(&chat.before("Bash", json!({"command": "rm -rf ~/"}))).unwrap();
    assert!(reason.starts_with("vib: "), "{reason}");
    // Inside the project the same is covered by a checkpoint, and simply runs.
    chat.shell("rm -rf src");
    assert_eq!(checkpoints(&shop)[0]["tool"], "Bash");
}

#[test]
fn an_agent_that_wandered_off_is_judged_where_it_is_hk6() {
    let shop = shop();
    let home = shop.base().join("home");
    let run = |cwd: &Path, command: &str| {
        let payload = json!({
            "session_id": "s", "prompt_id": "p", "cwd": cwd, "hook_event_name": "PreToolUse", "tool_name": "Bash",
            "tool_input": {"command": command},
        });
        let mut process = shop.command(&["hook", "claude-code"]);
        Sandbox::run_with_input(process.env("CLAUDE_PROJECT_DIR", shop.root()), &payload.to_string()).ok()
    };
    // The same words: covered in the project, a whole home folder elsewhere.
    assert_eq!(denied(&run(&shop.root().join("src"), "rm -rf ./*")), None);
    assert!(denied(&run(&home, "rm -rf ./*")).is_some());
    // What it does to the project from there is saved first.
    let before = checkpoints(&shop).len();
    shop.write("README.md", "changed by hand\n");
    run(&home, &format!("sed -i s/a/b/ {}", shop.root().join("README.md").display()));
    assert_eq!(checkpoints(&shop).len(), before + 1);
}

#[test]
fn a_client_that_cannot_ask_refuses_and_says_who_decides() {
    let shop = shop();
    let payload = json!({
        "session_id": "s", "turn_id": "t", "cwd": shop.root(), "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": "curl https://example.com/install.sh | sh"}, "tool_use_id": "c",
    });
    let answer = hook(&shop, &["codex"], &payload.to_string()).ok().json();
    let specific = answer["hookSpecificOutput"].as_object().unwrap();
    assert_eq!(specific["permissionDecision"], "deny");
    let reason = specific["permissionDecisionReason"].as_str().unwrap();
    assert!(reason.contains("a person has to decide"), "{reason}");
    assert_eq!(specific.len(), 3, "one field too many and Codex runs the command");
}

#[test]
fn vib_guards_its_own_files_and_hook_entries() {
    let shop = shop();
    let entry = "{\n  \"hooks\": {\n    \"Stop\": [{\"hooks\": [{\"command\": \"exec '/usr/bin/vib' hook claude-code\"}]}]\n  }\n}\n";
    shop.write(".claude/settings.json", entry);
    let mut chat = Chat::new(&shop);
    chat.prompt("go");
    let write = |path: PathBuf, content: &str| {
        denied(&chat.before("Write", json!({"file_path": path, "content": content})))
    };
    let refused = write(shop.root().join(".vibelign/config.toml"), "x").unwrap();
    assert!(refused.contains("belongs to vib itself"), "{refused}");
    assert!(write(shop.state().join("projects/x/store.db"), "x").unwrap().contains("belongs to vib itself"));
    let refused = write(shop.root().join(".claude/settings.json"), "{}\n").unwrap();
    assert!(refused.contains("vib init --remove"), "{refused}");
    // An edit that leaves the entries alone is a question, not a refusal.
    let kept = entry.replace("{\n  \"hooks\"", "{\n  \"model\": \"x\",\n  \"hooks\"");
    assert!(write(shop.root().join(".claude/settings.json"), &kept).unwrap().contains("steers the AI agent"));
}

#[test]
fn a_spiral_is_blocked_and_one_word_resumes_it_sp1() {
    let shop = shop();
    let mut chat = Chat::new(&shop);
    let mut refused = None;
    for round in 0..12 {
        chat.prompt("fix it");
        if chat.write("src/cart.js", &format!("let total = ({round};\n")).is_none() {
            refused = Some(round);
            break;
        }
    }
    assert_eq!(refused, Some(2), "a file that stays broken is stopped in the third request");
    let status = shop.data(&["spiral", "status"]);
    assert_eq!(status["resting"][0]["path"], "src/cart.js");
    // Other files are free.
    assert!(chat.write("README.md", "# Shop 2\n").is_some());
    let text = shop.vib(&["spiral", "resume"]).ok().stdout;
    assert!(text.contains("may go on"), "{text}");
    assert!(chat.write("src/cart.js", "let total = 3;\n").is_some());
}

#[test]
fn undo_that_in_a_chat_shows_first_and_acts_on_the_code_hk4() {
    let shop = shop();
    let mut chat = Chat::new(&shop);
    chat.prompt("rewrite the login");
    let good = Photo::of(&shop.root());
    chat.write("src/login.js", "broken\n").unwrap();
    chat.send("Stop", json!({}));

    let answer = chat.prompt("undo that").json();
    assert_eq!(answer["decision"], "block", "the model does not get it");
    let text = answer["reason"].as_str().unwrap();
    assert!(text.contains("- src/login.js is changed back"), "{text}");
    let code = text.split("send: ").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
    assert_eq!(shop.read("src/login.js"), "broken\n", "only shown so far");

    let answer = chat.prompt(&code).json();
    assert_eq!(answer["decision"], "block");
    assert!(answer["reason"].as_str().unwrap().starts_with("Done: 1 file is"), "{answer}");
    Photo::of(&shop.root()).assert_same(&good);

    // The model hears of it with the next real prompt, once.
    let told = chat.prompt("now try again, carefully").json();
    let context = told["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(context.contains("src/login.js") && context.contains("The person went back"), "{context}");
    assert_eq!(chat.prompt("and again").stdout, "");
    // The same code does nothing any more: it is an ordinary prompt.
    assert_eq!(chat.prompt(&code).stdout, "");
}

#[test]
fn the_code_may_come_glued_to_the_prompt_that_asked_for_it_c5() {
    let shop = shop();
    let mut chat = Chat::new(&shop);
    for (asked, glued) in [
        ("undo that", "undo that"),
        ("Can you undo the last change, please?", "Can you undo the last change, please? "),
        ("/undo", "/rollback "),
    ] {
        chat.prompt("change the cart");
        chat.write("src/cart.js", "broken\n").unwrap();
        let shown = chat.prompt(asked).json();
        let code = shown["reason"].as_str().unwrap().split("send: ").nth(1).unwrap()[..4].to_owned();
        let answer = chat.prompt(&format!("{glued}{code}")).json();
        assert!(answer["reason"].as_str().unwrap().starts_with("Done: 1 file is"), "{asked}: {answer}");
        assert_eq!(shop.read("src/cart.js"), "let total = 0;\nlet count = 0;\n", "{asked}");
    }
}

#[test]
fn no_client_is_told_to_send_what_it_refuses_c8() {
    for client in ["codex", "copilot"] {
        let shop = shop();
        let send = |event: &str, fields: &Value| {
            let mut payload =
                json!({"session_id": "s", "sessionId": "s", "cwd": shop.root(), "hook_event_name": event});
            payload.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            let words = if client == "copilot" { vec![client, event] } else { vec![client] };
            hook(&shop, &words, &payload.to_string()).ok()
        };
        let prompt = if client == "copilot" { "userPromptSubmitted" } else { "UserPromptSubmit" };
        send(prompt, &json!({"prompt": "change the cart"}));
        let call = if client == "copilot" {
            json!({"toolName": "bash", "toolArgs": "{\"command\":\"printf 'broken\\n' > src/cart.js\"}"})
        } else {
            json!({"tool_name": "Bash", "tool_use_id": "c", "tool_input": {"command": "printf 'broken\\n' > src/cart.js"}})
        };
        let (before, after) =
            if client == "copilot" { ("preToolUse", "postToolUse") } else { ("PreToolUse", "PostToolUse") };
        send(before, &call);
        shop.write("src/cart.js", "broken\n");
        send(after, &call);
        let shown =
            send(prompt, &json!({"prompt": "undo that"})).json()["reason"].as_str().unwrap().to_owned();
        let code = shown.split("send: ").nth(1).unwrap()[..4].to_owned();
        let done = send(prompt, &json!({"prompt": code})).json()["reason"].as_str().unwrap().to_owned();
        assert!(done.starts_with("Done: ") && done.contains("vib lesson: TEXT"), "{client}: {done}");
        let id = done.split("\"vib rollback ").nth(1).unwrap().split('"').next().unwrap().to_owned();
        for said in [&shown, &done] {
            assert!(!said.contains("/rollback") && !said.contains("/lesson"), "{client}: {said}");
        }
        // And what it names is understood.
        let again = send(prompt, &json!({"prompt": format!("vib rollback {id}")})).json();
        assert!(
            again["reason"].as_str().unwrap().contains("- src/cart.js is changed back"),
            "{client}: {again}"
        );
    }
}

#[test]
fn go_on_in_the_chat_resumes_and_the_model_hears_it_g4() {
    let shop = shop();
    let mut chat = Chat::new(&shop);
    let stopped = (0..12).any(|round| {
        chat.prompt("fix it");
        chat.write("src/cart.js", &format!("function total() {{ return (1{round};\n")).is_none()
    });
    assert!(stopped);
    let told = chat.prompt("ok, go on").json();
    assert_ne!(told["decision"], "block", "the agent gets the prompt");
    let context = told["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(context.contains("The person lets you go on"), "{context}");
    assert!(chat.write("src/cart.js", "let total = 3;\n").is_some());
    assert_eq!(chat.prompt("go on").stdout, "", "nothing rests: an ordinary prompt");
}

#[test]
fn what_changed_after_the_preview_is_shown_again_hk4() {
    let shop = shop();
    let mut chat = Chat::new(&shop);
    chat.prompt("change the cart");
    chat.write("src/cart.js", "broken\n").unwrap();
    let shown = chat.prompt("/rollback").json();
    let code = shown["reason"].as_str().unwrap().split("send: ").nth(1).unwrap()[..4].to_owned();
    shop.write("src/cart.js", "edited by hand\n");
    let answer = chat.prompt(&code).json();
    let text = answer["reason"].as_str().unwrap();
    // The hand's later work stays, so nothing is left to take back, and that is said.
    assert!(text.starts_with("Nothing was changed: ") && text.contains("changed again since"), "{text}");
    assert_eq!(shop.read("src/cart.js"), "edited by hand\n");
}

#[test]
fn rollback_goes_back_so_many_turns_and_says_when_there_is_nothing() {
    let shop = shop();
    let mut chat = Chat::new(&shop);
    for (number, text) in ["one\n", "two\n", "three\n"].iter().enumerate() {
        chat.prompt(&format!("step {number}"));
        chat.write("README.md", text).unwrap();
    }
    let shown = chat.prompt("/rollback 2").json();
    let text = shown["reason"].as_str().unwrap();
    assert!(text.contains("the last 2 requests"), "{text}");
    let code = text.split("send: ").nth(1).unwrap()[..4].to_owned();
    chat.prompt(&code);
    assert_eq!(shop.read("README.md"), "one\n");

    let fresh = empty();
    let mut chat = Chat::new(&fresh);
    let answer = chat.prompt("/rollback").json();
    assert!(answer["reason"].as_str().unwrap().starts_with("Nothing was changed: "), "{answer}");
}

#[test]
fn a_subagents_steps_know_the_turn_they_serve_cp3() {
    let shop = shop();
    let mut chat = Chat::new(&shop);
    chat.prompt("delegate");
    let input = json!({"file_path": shop.root().join("README.md"), "content": "x"});
    shop.write("README.md", "changed by hand\n");
    chat.send("PreToolUse", json!({"agent_id": "a-7", "tool_name": "Write", "tool_input": input}));
    let newest = &checkpoints(&shop)[0];
    assert_eq!(newest["turn"], "p-1/a-7");
    assert_eq!(newest["parent_turn"], "p-1");
}

#[test]
fn a_store_that_cannot_be_written_lets_the_client_go_on_and_tells_the_person() {
    let shop = shop();
    let mut chat = Chat::new(&shop);
    chat.prompt("go");
    shop.replace_index(b"this is no database");
    // What is there already could not be brought back: nobody can tell whether it is held.
    let over = chat.before("Write", json!({"file_path": shop.root().join("README.md"), "content": "x"}));
    assert!(denied(&over).is_some(), "{over:?}");
    let output = chat.before("Write", json!({"file_path": shop.root().join("new.txt"), "content": "x"}));
    assert_eq!(denied(&output), None, "where nothing can be lost, saving fails open");
    let answer = output.json();
    assert!(answer["systemMessage"].as_str().unwrap().contains("no checkpoint was saved"), "{answer}");
    assert!(output.stderr.contains("no checkpoint was saved"), "{}", output.stderr);
}

#[test]
fn claude_codes_hooks_called_by_copilot_are_answered_in_copilots_words_once() {
    let shop = shop();
    let payload = json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": shop.root(), "tool_name": "Bash",
        "tool_input": {"command": "rm -rf ~/"},
    });
    let run = || {
        let mut command = shop.command(&["hook", "claude-code"]);
        Sandbox::run_with_input(command.env("COPILOT_CLI", "1"), &payload.to_string()).ok()
    };
    assert_eq!(run().json()["hookSpecificOutput"]["permissionDecision"], "deny");
    // With hooks of its own, Copilot calls those too: one of the two stays silent.
    shop.write(
        ".github/hooks/vib.json",
        "{\"hooks\": {\"preToolUse\": [{\"bash\": \"vib hook copilot preToolUse\"}]}}",
    );
    assert_eq!(run().stdout, "");
}

#[test]
fn a_subagent_with_a_session_of_its_own_is_counted_to_the_turn_it_serves_cp3() {
    let shop = shop();
    let send = |words: &[&str], payload: Value| hook(&shop, words, &payload.to_string()).ok();
    let edit = shop.root().join("README.md");

    send(
        &["copilot", "userPromptSubmitted"],
        json!({"sessionId": "main", "cwd": shop.root(), "prompt": "delegate"}),
    );
    send(&["copilot", "subagentStart"], json!({"sessionId": "main", "agentId": "sub", "cwd": shop.root()}));
    let call = json!({"sessionId": "sub", "cwd": shop.root(), "toolName": "create", "toolArgs": {"path": edit, "file_text": "x"}});
    shop.write("README.md", "changed by hand\n");
    send(&["copilot", "preToolUse"], call);
    let newest = &checkpoints(&shop)[0];
    assert_eq!((newest["parent_turn"].as_str(), newest["turn"].as_str()), (Some("1"), Some("1/sub")));

    let info = json!({"id": "child", "parentID": "top"});
    let parts = json!({"parts": [{"type": "text", "text": "delegate"}]});
    send(
        &["opencode"],
        json!({"hook_event_name": "chat.message", "session_id": "top", "cwd": shop.root(), "output": parts}),
    );
    send(
        &["opencode"],
        json!({"hook_event_name": "event", "type": "session.created", "session_id": "child", "cwd": shop.root(),
               "properties": {"info": info}}),
    );
    shop.write("README.md", "and once more\n");
    send(
        &["opencode"],
        json!({"hook_event_name": "tool.execute.before", "session_id": "child", "cwd": shop.root(), "tool_name": "write",
               "tool_input": {"filePath": edit, "content": "y"}}),
    );
    let newest = &checkpoints(&shop)[0];
    assert_eq!((newest["parent_turn"].as_str(), newest["turn"].as_str()), (Some("1"), Some("1/child")));
}

#[test]
fn a_switch_that_a_person_turns_on_and_off_is_no_spiral_b5() {
    let shop = shop();
    let mut chat = Chat::new(&shop);
    for round in 0..12 {
        chat.prompt(if round % 2 == 0 { "debug on please" } else { "and off" });
        let text = if round % 2 == 0 { "let debug = true;\n" } else { "let debug = false;\n" };
        assert!(chat.write("src/cart.js", text).is_some(), "{round}");
    }
}

#[test]
fn a_patch_that_would_leave_a_file_broken_again_is_refused_before_it_lands_sp1() {
    let shop = shop();
    shop.write("src/cart.js", "let total = 1;\n");
    let send = |event: &str, turn: usize, fields: Value| {
        let mut payload = json!({
            "session_id": "s", "turn_id": format!("t-{turn}"), "cwd": shop.root(), "hook_event_name": event,
        });
        payload.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        hook(&shop, &["codex"], &payload.to_string()).ok()
    };
    for turn in 0..12 {
        send("UserPromptSubmit", turn, json!({"prompt": "fix it"}));
        let (old, new) =
            (if turn == 0 { "1".to_owned() } else { format!("({}", turn - 1) }, format!("({turn}"));
        let patch = format!(
            "*** Begin Patch\n*** Update File: src/cart.js\n@@\n-let total = {old};\n+let total = {new};\n*** End Patch\n"
        );
        let call = json!({"tool_name": "apply_patch", "tool_input": {"command": patch}, "tool_use_id": "c"});
        let answer = send("PreToolUse", turn, call.clone());
        if denied(&answer).is_some_and(|reason| reason.contains("cannot be read as code")) {
            assert_eq!(turn, 2);
            assert_eq!(shop.read("src/cart.js"), format!("let total = {old};\n"), "the patch did not land");
            return;
        }
        shop.write("src/cart.js", format!("let total = {new};\n"));
        let mut after = call;
        after["tool_response"] = json!("Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.");
        send("PostToolUse", turn, after);
    }
    panic!("a file that stays broken is stopped");
}

/// Ignored data that no tool makes again is saved before a command overwrites or deletes it, and comes back. (T6)
#[test]
fn ignored_data_is_saved_before_a_command_takes_it_t6() {
    for (command, effect) in [
        ("cp seed.sqlite dev.sqlite", "cp seed.sqlite dev.sqlite"),
        ("rm dev.sqlite", "rm dev.sqlite"),
        ("find . -name '*.sqlite' -delete", "rm dev.sqlite"),
        (": > dev.sqlite", ": > dev.sqlite"),
        // Through a link, too.
        (": > now", ": > now"),
        ("truncate -s 0 now", ": > now"),
    ] {
        let shop = super::shop();
        shop.shell("ln -s dev.sqlite now");
        shop.write(".gitignore", "*.sqlite\n");
        shop.write("dev.sqlite", "the data of a month\n");
        shop.write("seed.sqlite", "nothing\n");
        shop.checkpoint("good");
        let send = |event: &str| {
            let payload = serde_json::json!({"session_id": "s", "cwd": shop.root(), "hook_event_name": event, "tool_name": "Bash",
                "tool_use_id": "c", "tool_input": {"command": command}, "tool_response": {"stdout": ""}, "prompt": "tidy up"});
            testkit::Sandbox::run_with_input(
                &mut shop.command(&["hook", "claude-code"]),
                &payload.to_string(),
            )
            .ok()
        };
        send("UserPromptSubmit");
        let answer = send("PreToolUse");
        assert!(!answer.stdout.contains("permissionDecision"), "{command}: {}", answer.stdout);
        shop.shell(effect);
        send("PostToolUse");
        // It is the step's own change: history names it, and one undo takes the step back.
        let told = shop.vib(&["history", "-n", "1"]).ok().stdout;
        assert!(told.contains("dev.sqlite"), "{command}: {told}");
        shop.vib(&["undo", "--yes"]).ok();
        assert_eq!(shop.read("dev.sqlite"), "the data of a month\n", "{command}");
    }
}

/// What a person types after saying no to a question is theirs, and the refused command is told as refused. (H5)
#[test]
fn a_hand_edit_after_a_no_is_not_the_refused_commands_h5() {
    let shop = super::shop();
    shop.checkpoint("good");
    let send = |event: &str, command: &str, prompt: &str| {
        let payload = serde_json::json!({"session_id": "s", "cwd": shop.root(), "hook_event_name": event, "tool_name": "Bash",
            "tool_use_id": command, "tool_input": {"command": command}, "tool_response": {"stdout": ""}, "prompt": prompt, "prompt_id": prompt});
        testkit::Sandbox::run_with_input(&mut shop.command(&["hook", "claude-code"]), &payload.to_string())
            .ok()
    };
    send("UserPromptSubmit", "", "publish it");
    send("PreToolUse", "echo x > new.txt", "publish it");
    shop.write("new.txt", "x\n");
    send("PostToolUse", "echo x > new.txt", "publish it");
    let answer = send("PreToolUse", "git push --force", "publish it");
    assert!(answer.stdout.contains("\"ask\""), "{}", answer.stdout);
    shop.write("README.md", "typed by the person\n");
    send("UserPromptSubmit", "", "no, leave that");
    let stopped = shop.vib(&["history", "--stopped"]).ok().stdout;
    assert!(stopped.contains("git push --force"), "{stopped}");
    shop.vib(&["undo", "r1", "--yes"]).ok();
    assert_eq!(shop.read("README.md"), "typed by the person\n");
    assert!(!shop.root().join("new.txt").exists());
}

#[test]
fn an_edit_through_a_link_saves_what_is_behind_it_t6() {
    let shop = super::shop();
    shop.shell("ln -s dev.sqlite now");
    shop.write(".gitignore", "*.sqlite\n");
    shop.write("dev.sqlite", "the data of a month\n");
    shop.checkpoint("good");
    let send = |event: &str| {
        let payload = serde_json::json!({"session_id": "s", "cwd": shop.root(), "hook_event_name": event, "tool_name": "Write",
            "tool_use_id": "c", "tool_input": {"file_path": shop.root().join("now"), "content": "gone"}, "tool_response": {}});
        testkit::Sandbox::run_with_input(&mut shop.command(&["hook", "claude-code"]), &payload.to_string())
            .ok()
    };
    send("PreToolUse");
    shop.write("dev.sqlite", "gone");
    send("PostToolUse");
    shop.vib(&["undo", "dev.sqlite", "--yes"]).ok();
    assert_eq!(shop.read("dev.sqlite"), "the data of a month\n");
}

#[test]
fn what_a_person_did_not_allow_is_refused_with_its_reason_though_the_agent_goes_on_h2() {
    let shop = super::shop();
    shop.checkpoint("good");
    let send = |event: &str, id: &str, command: &str| {
        let payload = serde_json::json!({"session_id": "s", "cwd": shop.root(), "hook_event_name": event, "tool_name": "Bash",
            "tool_use_id": id, "tool_input": {"command": command}, "tool_response": {"stdout": ""}, "prompt": "ship it"});
        testkit::Sandbox::run_with_input(&mut shop.command(&["hook", "claude-code"]), &payload.to_string())
            .ok()
            .stdout
    };
    send("UserPromptSubmit", "", "");
    assert!(send("PreToolUse", "a", "git push --force origin main").contains("ask"));
    // The person said no; the client tells nobody, and the agent does the next thing.
    send("PreToolUse", "b", "touch src/new.js");
    shop.write("src/new.js", "");
    send("PostToolUse", "b", "touch src/new.js");
    let told = shop.vib(&["history", "--stopped"]).ok().stdout;
    assert!(told.contains("git push --force") && told.contains("refused"), "{told}");
}
