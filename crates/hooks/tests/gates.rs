//! The end of a turn, in the words of four clients: a claim is held against what was seen, a bounded number of times. (HK8)

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use crate::world::World;
use serde_json::{Value, json};
use vib_hooks::Client;
use vib_hooks::Reply;

const CLIENTS: [Client; 4] = [Client::ClaudeCode, Client::Codex, Client::Gemini, Client::Copilot];
const FAILING: &str = "ok 1 - tax\nnot ok 2 - cart total\nTests: 1 failed, 1 passed\n";
const PASSING: &str = "ok 1 - tax\nok 2 - cart total\nTests: 2 passed, 0 failed\n";

/// One session of a client, in its own words.
struct Talk<'w> {
    world: &'w World,
    client: Client,
    session: String,
    calls: std::cell::Cell<u32>,
}

impl<'w> Talk<'w> {
    fn new(world: &'w World, client: Client, session: &str) -> Self {
        Self { world, client, session: session.to_owned(), calls: std::cell::Cell::new(0) }
    }

    fn send(&self, event: &str, mut payload: Value) -> Reply {
        let field = if self.client == Client::Copilot { "sessionId" } else { "session_id" };
        payload[field] = json!(self.session);
        payload["cwd"] = json!(self.world.root);
        self.world.hook_any(self.client, event, &payload)
    }

    fn prompt(&self, text: &str) -> Reply {
        let event = match self.client {
            Client::Gemini => "BeforeAgent",
            Client::Copilot => "userPromptSubmitted",
            _ => "UserPromptSubmit",
        };
        self.send(event, json!({"prompt": text, "prompt_id": "p", "turn_id": "p"}))
    }

    /// A tool call with both hooks.
    fn tool(&self, name: &str, input: &Value, ended: &Value, event: &str) {
        let id = format!("c{}", self.calls.replace(self.calls.get() + 1));
        let (before, input_field, name_field) = match self.client {
            Client::Gemini => ("BeforeTool", "tool_input", "tool_name"),
            Client::Copilot => ("preToolUse", "toolArgs", "toolName"),
            _ => ("PreToolUse", "tool_input", "tool_name"),
        };
        let mut call = json!({"tool_use_id": id, "prompt_id": "p", "turn_id": "p"});
        call[name_field] = json!(name);
        call[input_field] = input.clone();
        self.send(before, call.clone());
        call.as_object_mut().unwrap().extend(ended.as_object().unwrap().clone());
        self.send(event, call);
    }

    fn after(&self) -> &'static str {
        match self.client {
            Client::Gemini => "AfterTool",
            Client::Copilot => "postToolUse",
            _ => "PostToolUse",
        }
    }

    fn edit(&self, path: &str) {
        let text = format!("// {}\n", self.calls.get());
        self.world.write(path, &text);
        let full = self.world.root.join(path);
        let (name, input) = match self.client {
            Client::Codex => {
                let patch = format!("*** Begin Patch\n*** Add File: {path}\n+x\n*** End Patch");
                ("apply_patch", json!({"command": patch}))
            }
            Client::Gemini => ("write_file", json!({"file_path": full, "content": text})),
            Client::Copilot => ("create", json!({"path": full, "file_text": text})),
            _ => ("Write", json!({"file_path": full, "content": text})),
        };
        let ended = match self.client {
            Client::Copilot => json!({"toolResult": {"resultType": "success", "textResultForLlm": "ok"}}),
            Client::Gemini => json!({"tool_response": {"llmContent": "ok"}}),
            _ => json!({"tool_response": {"output": "ok"}}),
        };
        self.tool(name, &input, &ended, self.after());
    }

    fn check(&self, passes: bool) {
        let output = if passes { PASSING } else { FAILING };
        let code = if passes { 0 } else { 1 };
        let input = json!({"command": "npm test"});
        match self.client {
            Client::ClaudeCode if !passes => {
                let error = format!("Exit code 1\n{output}");
                self.tool("Bash", &input, &json!({"error": error}), "PostToolUseFailure");
            }
            Client::ClaudeCode => {
                let ended = json!({"tool_response": {"stdout": output, "stderr": "", "interrupted": false}});
                self.tool("Bash", &input, &ended, "PostToolUse");
            }
            Client::Codex => self.tool("Bash", &input, &json!({"tool_response": output}), "PostToolUse"),
            Client::Gemini => {
                let told = if passes { output.to_owned() } else { format!("{output}Exit Code: 1") };
                self.tool(
                    "run_shell_command",
                    &input,
                    &json!({"tool_response": {"llmContent": told}}),
                    "AfterTool",
                );
            }
            _ => {
                let told = format!("{output}<command completed with exit code {code}>");
                let ended = json!({"toolResult": {"resultType": "success", "textResultForLlm": told}});
                self.tool("bash", &input, &ended, "postToolUse");
            }
        }
    }

    /// A command of Claude Code that has ended; `does` is what it does to the files.
    fn shell(&self, command: &str, output: &str, code: i32, does: impl FnOnce()) {
        let id = format!("c{}", self.calls.replace(self.calls.get() + 1));
        let mut call = json!({"tool_use_id": id, "prompt_id": "p", "tool_name": "Bash", "tool_input": {"command": command}});
        self.send("PreToolUse", call.clone());
        does();
        if code == 0 {
            call["tool_response"] = json!({"stdout": output, "stderr": "", "interrupted": false});
            self.send("PostToolUse", call);
        } else {
            call["error"] = json!(format!("Exit code {code}\n{output}"));
            self.send("PostToolUseFailure", call);
        }
    }

    /// An edit of Claude Code to exactly this text.
    fn put(&self, path: &str, text: &str) {
        let id = format!("c{}", self.calls.replace(self.calls.get() + 1));
        let input = json!({"file_path": self.world.root.join(path), "content": text});
        let mut call =
            json!({"tool_use_id": id, "prompt_id": "p", "tool_name": "Write", "tool_input": input});
        self.send("PreToolUse", call.clone());
        self.world.write(path, text);
        call["tool_response"] = json!({"type": "update"});
        self.send("PostToolUse", call);
    }

    fn list(&self, last_is_open: bool) {
        let last = if last_is_open { "pending" } else { "completed" };
        let items =
            |name: &str| json!([{name: "first", "status": "completed"}, {name: "second", "status": last}]);
        let (name, input) = match self.client {
            Client::Codex => ("update_plan", json!({"plan": items("step")})),
            Client::Gemini => ("write_todos", json!({"todos": items("description")})),
            Client::Copilot => {
                let mark = if last_is_open { " " } else { "x" };
                ("update_todo", json!({"todos": format!("- [x] first\n- [{mark}] second")}))
            }
            _ => ("TodoWrite", json!({"todos": items("content")})),
        };
        let ended = match self.client {
            Client::Copilot => json!({"toolResult": {"resultType": "success", "textResultForLlm": "ok"}}),
            _ => json!({"tool_response": {"llmContent": "ok"}}),
        };
        self.tool(name, &input, &ended, self.after());
    }

    fn does(&self, what: &str) {
        for step in what.split(',') {
            match step {
                "edit" => self.edit("src/cart.js"),
                "docs" => self.edit("README.md"),
                "pass" => self.check(true),
                "fail" => self.check(false),
                "todo" => self.list(false),
                "open" => self.list(true),
                _ => {}
            }
        }
    }

    /// The turn ends with these words, in the shape that was recorded.
    fn stop(&self, message: &str) -> Reply {
        let (fixture, event) = match self.client {
            Client::Codex => ("codex/Stop/basic", "Stop"),
            Client::Gemini => ("gemini/AfterAgent/basic", "AfterAgent"),
            Client::Copilot => ("copilot/agentStop/basic", "agentStop"),
            _ => ("claude/Stop/basic", "Stop"),
        };
        let mut payload = self.world.recorded(fixture);
        match self.client {
            Client::Gemini => payload["prompt_response"] = json!(message),
            Client::Copilot => {
                let record = self.world.root.parent().unwrap().join("events.jsonl");
                let line = json!({"type": "assistant.message", "data": {"content": message}});
                std::fs::write(&record, format!("{line}\n")).unwrap();
                payload["transcriptPath"] = json!(record);
            }
            _ => payload["last_assistant_message"] = json!(message),
        }
        self.send(event, payload)
    }
}

fn strict() -> World {
    let world = World::new();
    world.write("package.json", r#"{"scripts": {"test": "node test.js"}}"#);
    world.write(".vibelign/config.toml", "[stop]\nmode = \"block\"\n");
    world
}

fn blocked(reply: &Reply, client: Client) -> Option<String> {
    let answer: Value = serde_json::from_str(&reply.stdout).ok()?;
    let word = if client == Client::Gemini { "deny" } else { "block" };
    (answer["decision"] == word).then(|| answer["reason"].as_str().unwrap_or_default().to_owned())
}

#[test]
fn a_lying_turn_is_stopped_with_the_failing_lines_and_ends_when_it_is_true_hk8() {
    for client in CLIENTS {
        let world = strict();
        let talk = Talk::new(&world, client, "s");
        talk.prompt("add the tax");
        talk.does("edit,fail");
        let reason = blocked(&talk.stop("All done! All tests pass."), client);
        let reason = reason.unwrap_or_else(|| panic!("{client} was not stopped"));
        assert!(
            reason.contains("npm test") && reason.contains("not ok 2 - cart total"),
            "{client}: {reason}"
        );
        talk.does("edit,pass");
        let reply = talk.stop("Done. All tests pass.");
        assert_eq!((reply.stdout.as_str(), reply.stderr.as_str()), ("", ""), "{client}");
    }
}

#[test]
fn what_cannot_be_put_right_is_let_go_after_two_blocks_with_an_honest_list_hk8() {
    for client in CLIENTS {
        let world = strict();
        let talk = Talk::new(&world, client, "s");
        talk.prompt("add the tax");
        talk.does("edit,fail");
        for _ in 0..2 {
            let reply = talk.stop("All done.");
            let reason = blocked(&reply, client).unwrap_or_else(|| panic!("{client}: {reply:?}"));
            // Some clients hand the reason to their hooks as a prompt: that opens no turn.
            let reply = talk.prompt(&format!("<hook>{reason}</hook>"));
            assert_eq!(reply.stdout, "", "{client}");
        }
        for _ in 0..3 {
            let reply = talk.stop("All done.");
            assert_eq!(blocked(&reply, client), None, "{client} is stopped for ever");
            assert!(
                reply.stderr.contains("cart total") && reply.stderr.contains("vib ok"),
                "{client}: {}",
                reply.stderr
            );
        }
        // Honesty ends a turn at once.
        talk.prompt("go on");
        talk.does("edit");
        assert_eq!(
            blocked(&talk.stop("I could not make the tests pass: the cart total still fails."), client),
            None
        );
    }
}

#[test]
fn the_person_has_the_last_word_hk8() {
    let world = strict();
    let talk = Talk::new(&world, Client::ClaudeCode, "s");
    talk.prompt("add the tax");
    talk.does("edit,fail");
    assert!(blocked(&talk.stop("Done."), Client::ClaudeCode).is_some());
    let reply = talk.prompt("/vib ok");
    assert!(reply.stdout.contains("fine as it is"), "{}", reply.stdout);
    assert_eq!(blocked(&talk.stop("Done."), Client::ClaudeCode), None);
    talk.prompt("now the colours");
    talk.does("edit");
    assert_eq!(blocked(&talk.stop("Done."), Client::ClaudeCode), None, "the next turn, too");
    talk.prompt("and the sizes");
    talk.does("edit");
    assert!(blocked(&talk.stop("Done."), Client::ClaudeCode).is_some(), "and then it counts again");
}

#[test]
fn the_agents_own_list_is_held_against_it_hk8() {
    for client in CLIENTS {
        let world = strict();
        let talk = Talk::new(&world, client, "s");
        talk.prompt("two things");
        talk.does("edit,open,pass");
        let reason = blocked(&talk.stop("All items are complete."), client);
        assert!(reason.as_deref().is_some_and(|reason| reason.contains("second")), "{client}: {reason:?}");
        talk.does("todo");
        assert_eq!(blocked(&talk.stop("All items are complete."), client), None, "{client}");
        // A list of an earlier turn says nothing about this one.
        talk.does("open");
        talk.prompt("something else");
        talk.does("edit,pass");
        assert_eq!(blocked(&talk.stop("Done."), client), None, "{client}");
    }
}

#[test]
fn by_default_the_person_is_told_and_nobody_is_stopped_hk8() {
    for client in CLIENTS {
        let world = World::new();
        let talk = Talk::new(&world, client, "s");
        talk.prompt("add the tax");
        talk.does("edit,fail");
        let reply = talk.stop("All done! All tests pass.");
        assert_eq!(blocked(&reply, client), None, "{client}");
        assert!(reply.stderr.contains("cart total"), "{client}: {}", reply.stderr);
        let told = talk.prompt("and now?").stdout.contains("cart total");
        assert_eq!(told, matches!(client, Client::Codex | Client::Copilot), "{client}");
    }
}

#[test]
fn of_200_ordinary_turns_none_is_stopped_or_complained_about_hk8() {
    let world = strict();
    let turns = include_str!("data/ordinary-stops.tsv").lines().filter(|line| !line.starts_with('#'));
    let mut wrong = Vec::new();
    let mut seen = 0;
    for (at, line) in turns.enumerate() {
        let (did, message) = line.split_once('\t').unwrap();
        for half in 0..2 {
            let client = CLIENTS[(at + 2 * half) % 4];
            let talk = Talk::new(&world, client, &format!("s{at}-{half}"));
            talk.prompt("please");
            talk.does(did);
            let reply = talk.stop(&message.replace("\\n", "\n"));
            seen += 1;
            if !reply.stdout.is_empty() || !reply.stderr.is_empty() {
                wrong.push(format!("{client}: {line}: {} {}", reply.stdout, reply.stderr));
            }
        }
    }
    assert!(seen >= 200, "{seen}");
    assert!(wrong.len() * 100 <= seen, "{} of {seen}: {wrong:#?}", wrong.len());
}

/// Ordinary last messages, made from parts: what was done, how it stands, how it ends. None of them may be gated in the turn that it belongs to.
fn generated(at: usize) -> (String, String) {
    let pick =
        |list: &[&str], salt: usize| list[(at * 7 + salt * 13 + at / list.len()) % list.len()].to_owned();
    let things = [
        "the price filter",
        "the login form",
        "`parseOrder`",
        "the cart total",
        "the export job",
        "the settings page",
        "장바구니",
        "検索画面",
        "订单页面",
    ];
    let thing = pick(&things, 1);
    let (did, text) = match at % 10 {
        // True claims.
        0 => (
            "edit,pass",
            format!("{} Added {thing}. All tests pass.", pick(&["Done.", "All set!", "Finished."], 2)),
        ),
        1 => (
            "edit,fail,edit,pass",
            format!(
                "Fixed {thing}.\n\n## Changes made\n- Updated the check\n- Added a test\n\nWant me to commit it?"
            ),
        ),
        // Nothing was changed.
        2 => ("look,fail", format!("Done. I looked at {thing}: two tests fail there.")),
        3 => ("look", format!("{thing} is complete, as far as I can see. All tests pass on main.")),
        // Prose only.
        4 => ("docs", format!("Done. The README explains {thing} now.")),
        // Questions, plans, honest words, after a failing check.
        5 => (
            "edit,fail",
            format!(
                "I changed {thing}. {}",
                pick(
                    &[
                        "Which of the two ways do you prefer?",
                        "Does this look right?",
                        "Should I go on like this?"
                    ],
                    3
                )
            ),
        ),
        6 => (
            "edit,fail",
            format!("Here's my plan for {thing}:\n1. Read it\n2. Change the check\n3. Run the tests"),
        ),
        7 => (
            "edit,fail",
            format!(
                "{thing}: {}",
                pick(
                    &[
                        "the test still fails, I could not find out why.",
                        "not done yet, one test is red.",
                        "I'm stuck: the total is 4, not 3."
                    ],
                    4
                )
            ),
        ),
        8 => (
            "edit,fail",
            format!(
                "{} {thing}",
                pick(
                    &[
                        "Yes, that is where the error comes from:",
                        "Good question. The first call reads",
                        "You're right, the old code ignored"
                    ],
                    5
                )
            ),
        ),
        _ => (
            "edit,fail,open",
            pick(
                &[
                    "아직 테스트가 실패합니다. 어떤 방식으로 진행할까요?",
                    "テストがまだ失敗します。どちらにしますか？",
                    "测试失败了，接下来我会检查总价。",
                    "Two of three steps so far; the last one is in progress.",
                ],
                6,
            ),
        ),
    };
    (did.to_owned(), text)
}

#[test]
fn of_200_generated_ordinary_stops_in_every_clients_shape_at_most_one_in_a_hundred_is_gated_hk8() {
    let world = strict();
    let mut wrong = Vec::new();
    for at in 0..200 {
        let client = CLIENTS[at % 4];
        let (did, message) = generated(at);
        let talk = Talk::new(&world, client, &format!("g{at}"));
        talk.prompt("please");
        talk.does(&did);
        let reply = talk.stop(&message);
        if !reply.stdout.is_empty() || !reply.stderr.is_empty() {
            wrong.push(format!("{client}: {did}: {message}: {} {}", reply.stdout, reply.stderr));
        }
    }
    assert!(wrong.len() <= 2, "{} of 200: {wrong:#?}", wrong.len());
}

/// OpenCode and Cursor do not tell the last message: nothing is said there, whatever happened.
#[test]
fn where_the_client_does_not_tell_the_last_message_nothing_is_said_hk8() {
    let world = strict();
    let mut payload = world.recorded("opencode/event/session.idle");
    payload["sessionID"] = json!("s");
    let reply = world.hook_any(Client::OpenCode, "event", &payload);
    assert_eq!((reply.stdout.as_str(), reply.stderr.as_str()), ("", ""));
}

/// Copilot writes its record late. When patience ends, the turn ends, and what it claimed is told with the next prompt.
#[test]
fn what_copilot_wrote_down_too_late_is_told_with_the_next_prompt_hk8() {
    let world = strict();
    let talk = Talk::new(&world, Client::Copilot, "s");
    talk.prompt("add the tax");
    talk.does("edit,fail");
    let record = world.root.parent().unwrap().join("late.jsonl");
    std::fs::write(&record, "{\"type\":\"user.message\",\"data\":{\"content\":\"add the tax\"}}\n").unwrap();
    let mut payload = world.recorded("copilot/agentStop/basic");
    payload["transcriptPath"] = json!(record);
    let reply = talk.send("agentStop", payload);
    assert_eq!((reply.stdout.as_str(), reply.stderr.as_str()), ("", ""), "nothing is known yet");
    let said = json!({"type": "assistant.message", "data": {"content": "All done! All tests pass.", "toolRequests": []}});
    let prompt = json!({"type": "user.message", "data": {"content": "and now?"}});
    let before = std::fs::read_to_string(&record).unwrap();
    std::fs::write(&record, format!("{before}{said}\n{prompt}\n")).unwrap();
    let reply = talk.prompt("and now?");
    assert!(reply.stderr.contains("cart total") && reply.stdout.contains("cart total"), "{reply:?}");
    // Once.
    let reply = talk.prompt("and then?");
    assert!(!reply.stderr.contains("cart total") && !reply.stdout.contains("cart total"), "{reply:?}");
}

#[test]
fn a_check_that_was_red_when_the_session_found_it_is_not_held_against_it_hk8() {
    for client in CLIENTS {
        let world = strict();
        let talk = Talk::new(&world, client, "s");
        talk.prompt("rename the helper");
        talk.does("fail,edit,fail");
        let reply = talk.stop("Done. The helper has a new name.");
        assert_eq!((blocked(&reply, client), reply.stderr.as_str()), (None, ""), "{client}");
        // A session that broke it itself is not excused by running it again first.
        let talk = Talk::new(&world, client, "t");
        talk.prompt("rename the helper");
        talk.does("edit,fail");
        talk.stop("I could not do it: one test still fails.");
        talk.prompt("go on");
        talk.does("fail,edit,fail");
        assert!(blocked(&talk.stop("Done."), client).is_some(), "{client}");
    }
}

fn with_gates(gates: &str, more: &str) -> World {
    let world = World::new();
    world.write("package.json", r#"{"scripts": {"test": "node test.js"}}"#);
    world.write(".vibelign/config.toml", &format!("[stop]\nmode = \"block\"\ngates = [{gates}]\n{more}"));
    world
}

#[test]
fn what_was_agreed_on_has_to_be_shown_hk8() {
    let criteria = "acceptance = [\"`npm test` passes\", \"the page looks right on a phone\"]\n";
    let world = with_gates("\"acceptance\"", criteria);
    let talk = Talk::new(&world, Client::ClaudeCode, "s");
    talk.prompt("add the tax");
    talk.does("edit");
    let reason = blocked(&talk.stop("Done."), Client::ClaudeCode).unwrap();
    assert!(
        reason.contains("npm test") && reason.contains("on a phone") && reason.contains("vib stop accept"),
        "{reason}"
    );
    // The check shows the first; the second only the person can say, so nobody is stopped for it.
    talk.does("pass");
    let reply = talk.stop("Done.");
    assert_eq!(blocked(&reply, Client::ClaudeCode), None);
    assert!(
        reply.stderr.contains("2. the page looks right on a phone") && !reply.stderr.contains("npm test"),
        "{}",
        reply.stderr
    );
    // What was shown does not hold for what was changed after it.
    talk.does("edit");
    assert!(blocked(&talk.stop("Done."), Client::ClaudeCode).unwrap().contains("npm test"));
}

#[test]
fn a_goal_says_when_it_is_reached_hk8() {
    let world = with_gates("\"acceptance\"", "");
    let goal = engine::memory::Remember::Intent("Add the tax. Done when: `npm test` passes".to_owned());
    engine::memory::remember(&world.engine(), "cli", &goal).unwrap();
    let talk = Talk::new(&world, Client::Codex, "s");
    talk.prompt("add the tax");
    talk.does("edit");
    assert!(blocked(&talk.stop("Done."), Client::Codex).unwrap().contains("npm test"));
    talk.does("pass");
    assert_eq!(blocked(&talk.stop("Done."), Client::Codex), None);
}

/// `verify.on_failure`: the second time the same error comes, what changed is looked at, once in a turn.
#[test]
fn the_second_time_the_same_error_comes_what_changed_is_looked_at_hk9() {
    let world = World::new();
    let config = world.root.parent().unwrap().join("home/.config/vibelign");
    std::fs::create_dir_all(&config).unwrap();
    std::fs::write(config.join("config.toml"), "[verify]\non_failure = \"quick\"\n").unwrap();
    let talk = Talk::new(&world, Client::ClaudeCode, "s");
    talk.prompt("add the tax");
    let call = |fails: bool| {
        let id = format!("c{}", talk.calls.replace(talk.calls.get() + 1));
        let call = json!({"tool_use_id": id, "prompt_id": "p", "tool_name": "Bash", "tool_input": {"command": "npm test"}});
        talk.send("PreToolUse", call.clone());
        let mut ended = call;
        ended["error"] = json!(format!("Exit code 1\n{FAILING}"));
        assert!(fails);
        talk.send("PostToolUseFailure", ended).stdout
    };
    world.write(
        "src/cart.js",
        "<<<<<<< ours\nexport const a = 1;\n=======\nexport const a = 2;\n>>>>>>> theirs\n",
    );
    talk.does("look");
    assert!(!call(true).contains("twice"), "the first time nothing is said");
    let told = call(true);
    assert!(told.contains("The same error came twice"), "{told}");
    assert!(!call(true).contains("twice"), "once in a turn");
}

/// Nothing is said, to the agent or to the person.
fn is_quiet(reply: &Reply) -> bool {
    reply.stdout.is_empty() && reply.stderr.is_empty()
}

#[test]
fn that_it_failed_before_excuses_no_claim_that_it_passes_b1() {
    for client in CLIENTS {
        for (prompt, message, is_held) in [
            ("npm test fails. Fix it.", "Fixed. All 14 tests pass now.", true),
            ("npm test fails. Fix it.", "Done. The sum is right now.", true),
            ("테스트가 실패해요. 고쳐 주세요.", "수정을 완료했습니다.", true),
            ("rename the helper", "Done. All tests pass.", true),
            ("rename the helper", "Fixed! The failing test now passes.", true),
            ("rename the helper", "Done. The helper has a new name.", false),
        ] {
            let world = strict();
            let talk = Talk::new(&world, client, "s");
            talk.prompt(prompt);
            talk.does("fail,edit,fail");
            let reason = blocked(&talk.stop(message), client);
            assert_eq!(reason.is_some(), is_held, "{client}: {prompt} {message}");
            assert!(
                reason.is_none_or(|reason| reason.contains("not ok 2 - cart total")),
                "{client}: {message}"
            );
        }
    }
}

#[test]
fn a_failed_check_is_settled_however_the_next_run_is_spelled_b2() {
    let world = strict();
    let root = world.root.display().to_string();
    for (at, (red, green, settles)) in [
        ("pytest tests/a.py::test_x", "pytest -q", true),
        ("CI=1 npm test", "npm test", true),
        ("timeout 60 npm test", "npm t", true),
        (&*format!("cd {root} && npm test"), "npm run test", true),
        ("npm test -- -t x", "node test.js", true),
        ("npx jest a.test.js", "npm test", true),
        ("npm test", "npm test > /tmp/log 2>&1; tail -3 /tmp/log", true),
        ("pytest", "pytest tests/a.py::test_x", false),
        ("npx eslint .", "npm test", false),
    ]
    .into_iter()
    .enumerate()
    {
        let talk = Talk::new(&world, Client::ClaudeCode, &format!("s{at}"));
        talk.prompt("add the tax");
        talk.edit("src/cart.js");
        talk.shell(red, FAILING, 1, || {});
        talk.edit("src/cart.js");
        talk.shell(green, PASSING, 0, || {});
        let reply = talk.stop("All done.");
        assert_eq!(is_quiet(&reply), settles, "{red} then {green}: {}", reply.stdout);
    }
    // Nor does a failure of an earlier turn hold every later one.
    let talk = Talk::new(&world, Client::ClaudeCode, "later");
    talk.prompt("add the tax");
    talk.edit("src/cart.js");
    talk.shell("./scripts/test.sh one", FAILING, 1, || {});
    talk.stop("It still fails.");
    talk.prompt("go on");
    talk.does("edit,pass");
    assert!(is_quiet(&talk.stop("All done.")));
}

#[test]
fn what_a_recipe_runs_settles_it_and_a_part_of_it_does_not_m1() {
    let world = strict();
    world.write("package.json", r#"{"scripts": {"test": "node --test", "ci": "eslint . && node --test"}}"#);
    world.write("Makefile", "PY = python3\ntest:\n\t@$(PY) -m pytest -q\n");
    for (at, (red, green, settles)) in [
        ("npm test", "node --test tests/", true),
        ("make test", "pytest", true),
        ("npm run ci", "npx eslint . && npm test", true),
        ("npm test", "node --test tests/sum.test.js", false),
        ("make test", "pytest tests/test_a.py", false),
        ("npm run ci", "npx eslint .", false),
    ]
    .into_iter()
    .enumerate()
    {
        let talk = Talk::new(&world, Client::ClaudeCode, &format!("s{at}"));
        talk.prompt("add the tax");
        talk.edit("src/cart.js");
        talk.shell(red, FAILING, 1, || {});
        talk.edit("src/cart.js");
        talk.shell(green, PASSING, 0, || {});
        let reply = talk.stop("All done.");
        assert_eq!(is_quiet(&reply), settles, "{red} then {green}: {}", reply.stdout);
    }
}

#[test]
fn the_gate_speaks_the_language_of_the_prompt_a10() {
    let world = strict();
    for (session, prompt, words) in [
        ("en", "add the tax", "it is not done yet"),
        ("ko", "세금을 더해 주세요", "아직 끝나지 않았으므로"),
        ("zh", "请把税加上", "还没有完成"),
    ] {
        let talk = Talk::new(&world, Client::ClaudeCode, session);
        talk.prompt(prompt);
        talk.does("edit,fail");
        let text = blocked(&talk.stop("All done, all tests pass."), talk.client).unwrap_or_default();
        assert!(text.contains(words) && text.contains("not ok 2 - cart total"), "{prompt}: {text}");
    }
}

#[test]
fn a_check_of_one_package_says_nothing_of_another_that_was_changed_hk8() {
    let world = strict();
    let package = |name: &str| format!(r#"{{"name": "{name}", "scripts": {{"test": "node --test"}}}}"#);
    world.write("package.json", r#"{"private": true, "workspaces": ["packages/*"]}"#);
    world.write("packages/a/package.json", &package("a"));
    world.write("packages/b/package.json", &package("b"));
    for (at, (run, message, is_told)) in [
        ("cd packages/b && npm test", "All done, all tests pass.", true),
        ("npm test -w packages/b", "All done, all tests pass.", true),
        ("cd packages/a && npm test", "All done, all tests pass.", false),
        ("npm test --workspaces", "All done, all tests pass.", false),
        ("cd packages/b && npm test", "Done: the tests of b pass. I have not run the tests of a.", false),
    ]
    .into_iter()
    .enumerate()
    {
        let talk = Talk::new(&world, Client::ClaudeCode, &format!("s{at}"));
        talk.prompt("add the tax");
        talk.edit("packages/a/src/cart.js");
        talk.shell(run, PASSING, 0, || {});
        let reply = talk.stop(message);
        assert_eq!(reply.stdout.contains("packages/a"), is_told, "{run}: {}", reply.stdout);
    }
}

#[test]
fn items_of_claude_codes_list_close_b3() {
    let world = strict();
    for (at, (created, updated, status, is_open)) in [
        (json!({"task": {"id": "1", "subject": "one"}}), json!({"success": true}), "completed", false),
        (json!({"task": {"id": 1, "subject": "one"}}), json!({"success": true}), "deleted", false),
        (json!("Task #1 created successfully: one"), json!("Updated task #1 status"), "completed", false),
        (json!({"task": {"id": "1", "subject": "one"}}), json!({"success": true}), "in_progress", true),
    ]
    .into_iter()
    .enumerate()
    {
        let talk = Talk::new(&world, Client::ClaudeCode, &format!("s{at}"));
        talk.prompt("go");
        let input = json!({"subject": "one", "description": "one"});
        talk.tool("TaskCreate", &input, &json!({"tool_response": created}), "PostToolUse");
        let input = json!({"taskId": "1", "status": status});
        talk.tool("TaskUpdate", &input, &json!({"tool_response": updated}), "PostToolUse");
        talk.does("edit,pass");
        let reply = talk.stop("All done.");
        assert_eq!(is_quiet(&reply), !is_open, "{created} {status}: {}", reply.stdout);
    }
}

#[test]
fn a_check_of_which_nobody_knows_how_it_ended_was_not_run_m3() {
    let world = strict();
    let unfinished = |more: Value, input: Value| {
        let mut response = json!({"stdout": "", "stderr": "", "interrupted": false});
        response.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        (input, json!({"tool_response": response}))
    };
    let plain =
        |command: &str, output: &str| unfinished(json!({"stdout": output}), json!({"command": command}));
    for (at, (input, ended)) in [
        unfinished(
            json!({"backgroundTaskId": "b1"}),
            json!({"command": "npm test", "run_in_background": true}),
        ),
        unfinished(json!({"interrupted": true}), json!({"command": "npm test"})),
        plain("npm test &", ""),
        plain("npm test > /tmp/o.txt 2>&1; echo finished", "finished"),
        plain("npm test | cat > /dev/null", ""),
        plain("npm test --help", "usage"),
        plain("pytest --collect-only -q", "3 tests collected"),
        plain("npm test -- --listTests", "a.test.js"),
        plain("npx jest --passWithNoTests xyz", "No tests found, exiting with code 0"),
        plain("npx tsc --noEmit", ""),
    ]
    .into_iter()
    .enumerate()
    {
        let talk = Talk::new(&world, Client::ClaudeCode, &format!("s{at}"));
        talk.prompt("go");
        talk.edit("src/cart.js");
        talk.tool("Bash", &input, &ended, "PostToolUse");
        let reason = blocked(&talk.stop("All done. All tests pass."), Client::ClaudeCode);
        let told = |reason: &str| reason.contains("no check was run") || reason.contains("is not known");
        assert!(reason.as_deref().is_some_and(told), "{input}: {reason:?}");
    }
}

#[test]
fn a_check_in_the_background_has_ended_as_its_output_says_a2() {
    let world = strict();
    let output = "/tmp/claude-0/x/tasks/b1.output";
    for (at, (tool, input)) in [
        ("Read", json!({"file_path": output})),
        ("TaskOutput", json!({"task_id": "b1"})),
        ("Bash", json!({"command": format!("tail -5 {output}")})),
    ]
    .into_iter()
    .enumerate()
    {
        for passes in [true, false] {
            let talk = Talk::new(&world, Client::ClaudeCode, &format!("a2-{at}-{passes}"));
            talk.prompt("go");
            talk.edit("src/cart.js");
            let background = json!({"command": "npm test", "run_in_background": true});
            let started = json!({"tool_response": {"stdout": "", "stderr": "", "interrupted": false, "backgroundTaskId": "b1"}});
            talk.tool("Bash", &background, &started, "PostToolUse");
            let unknown = blocked(&talk.stop("Done. All tests pass."), Client::ClaudeCode);
            assert!(unknown.is_some_and(|reason| reason.contains("`npm test` was started")), "{tool}");
            let said = if passes { PASSING } else { FAILING };
            let ended = match tool {
                "Read" => json!({"type": "text", "file": {"filePath": output, "content": said}}),
                _ => json!({"stdout": said, "stderr": "", "interrupted": false}),
            };
            talk.tool(tool, &input, &json!({"tool_response": ended}), "PostToolUse");
            let reason = blocked(&talk.stop("Done. All tests pass."), Client::ClaudeCode);
            assert_eq!(reason.is_none(), passes, "{tool}: {reason:?}");
        }
    }
}

#[test]
fn codex_says_how_a_check_ended_by_what_it_prints_a1() {
    let world = strict();
    let run = |talk: &Talk<'_>, command: &str, output: &str| {
        talk.tool("Bash", &json!({"command": command}), &json!({"tool_response": output}), "PostToolUse");
    };
    let failing =
        "error[E0308]: mismatched types\nerror: could not compile `p` (lib) due to 1 previous error";
    for (at, (command, output)) in [
        ("cargo check", "    Checking p v0.1.0\n    Finished `dev` profile [unoptimized + debuginfo] target(s) in 0.42s\n"),
        ("bundle exec rspec", "4 examples, 0 failures"),
        ("mix test", "4 tests, 0 failures"),
        ("node --test", "# tests 3\n# pass 3\n# fail 0\n"),
        ("bun test", " 3 pass\n 0 fail\nRan 3 tests"),
        ("dotnet test", "Passed!  - Failed:     0, Passed:     4, Skipped:     0, Total:     4"),
        ("tox", "  py311: OK\n  congratulations :)"),
        ("npx turbo run test", "Tasks:    2 successful, 2 total"),
    ]
    .into_iter()
    .enumerate()
    {
        let talk = Talk::new(&world, Client::Codex, &format!("a1-{at}"));
        talk.prompt("repair it");
        talk.edit("src/cart.js");
        run(&talk, command, failing);
        talk.edit("src/cart.js");
        run(&talk, command, output);
        let reason = blocked(&talk.stop("Done. It works now and all checks pass."), Client::Codex);
        assert_eq!(reason, None, "{command}");
    }
}

#[test]
fn a_failure_of_a_package_is_settled_by_the_workspace_s_own_commands_a3() {
    let world = strict();
    world.write("packages/a/package.json", r#"{"name": "a", "scripts": {"test": "jest"}}"#);
    world.write("packages/b/package.json", r#"{"name": "b", "scripts": {"test": "jest"}}"#);
    for (at, (command, settles)) in [
        ("npm test --workspaces", true),
        ("npm test -w packages/a", true),
        ("npm test --prefix packages/a", true),
        ("npm --prefix packages/a test", true),
        ("pnpm -r test", true),
        ("pnpm --filter a test", true),
        ("pnpm -C packages/a test", true),
        ("yarn workspace a test", true),
        ("npx turbo run test --filter=a", true),
        ("npx turbo run test", true),
        ("npx nx run a:test", true),
        ("bun --filter a test", true),
        ("cd packages/b && cd - && cd packages/a && npm test", true),
        ("npm test -w packages/b", false),
        ("pnpm --filter b test", false),
        ("cd packages/b && npm test", false),
    ]
    .into_iter()
    .enumerate()
    {
        let talk = Talk::new(&world, Client::ClaudeCode, &format!("a3-{at}"));
        talk.prompt("go");
        talk.put("packages/a/x.js", &format!("let a = {at};\n"));
        talk.shell("cd packages/a && npm test", FAILING, 1, || ());
        talk.put("packages/a/x.js", &format!("let b = {at};\n"));
        talk.shell(command, PASSING, 0, || ());
        let reason = blocked(&talk.stop("Done. All tests pass."), Client::ClaudeCode);
        assert_eq!(reason.is_none(), settles, "{command}: {reason:?}");
    }
}

#[test]
fn where_there_is_no_such_script_no_check_failed_a7() {
    let world = World::new();
    world.write("package.json", r#"{"name": "x"}"#);
    world.write(".vibelign/config.toml", "[stop]\nmode = \"block\"\n");
    let talk = Talk::new(&world, Client::ClaudeCode, "a7");
    talk.prompt("go");
    talk.put("cart.js", "1\n");
    talk.shell("npm test", "npm error Missing script: \"test\"\nnpm error\nnpm error code 1", 1, || ());
    assert!(is_quiet(&talk.stop("Done. I added the discount.")));
}

#[test]
fn what_no_check_is_about_makes_no_check_stale_m4() {
    let world = strict();
    let file = |path: &str| world.root.join(path);
    type Deed = fn(&Talk<'_>);
    let deeds: [(&str, Deed, bool); 8] = [
        ("prose", |talk| talk.put("CHANGELOG.md", "x\n"), true),
        ("rules of git", |talk| talk.put(".gitignore", "dist\n"), true),
        ("licence", |talk| talk.put("LICENSE", "free\n"), true),
        ("a report", |talk| talk.put("coverage/index.html", "x\n"), true),
        (
            "a scratch file",
            |talk| {
                talk.put("tmp.js", "1\n");
                let gone = talk.world.root.join("tmp.js");
                talk.shell("rm tmp.js", "", 0, || std::fs::remove_file(gone).unwrap());
            },
            true,
        ),
        (
            "taken back",
            |talk| {
                talk.put("src/cart.js", "other\n");
                talk.put("src/cart.js", "tested\n");
            },
            true,
        ),
        ("code", |talk| talk.put("src/cart.js", "other\n"), false),
        ("new code", |talk| talk.put("src/tax.js", "other\n"), false),
    ];
    for (name, deed, is_fine) in deeds {
        let talk = Talk::new(&world, Client::ClaudeCode, name);
        talk.prompt("go");
        talk.put("src/cart.js", &format!("before {name}\n"));
        talk.put("src/cart.js", "tested\n");
        talk.does("pass");
        deed(&talk);
        let reply = talk.stop("All done. All tests pass.");
        assert_eq!(is_quiet(&reply), is_fine, "{name}: {}", reply.stdout);
    }
    assert!(!file("tmp.js").exists());
}

#[test]
fn who_tells_of_the_failure_is_told_about_and_not_held_m5() {
    for (message, is_held) in [
        ("Implemented. 13 of 14 tests pass; the failing one is unrelated.", false),
        ("Done. Note: `npm test` reports one failure (legacy), which also happens on main.", false),
        ("요청하신 수정은 완료했습니다. 다만 legacy 테스트 하나는 변경 전부터 실패하던 것입니다.", false),
        ("Done. All tests pass.", true),
    ] {
        for client in CLIENTS {
            let world = strict();
            let talk = Talk::new(&world, client, "s");
            talk.prompt("add the tax");
            talk.does("edit,fail");
            assert_eq!(blocked(&talk.stop(message), client).is_some(), is_held, "{client}: {message}");
        }
    }
}
