//! Three clients as they call their hooks, with a clock of their own, and what each model was told.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use project::Context;
use serde_json::{Value, json};
use vib_hooks::Client;
use vib_hooks::router::{World as Surroundings, answer};

pub const CLIENTS: [Client; 3] = [Client::ClaudeCode, Client::Codex, Client::Gemini];

/// One machine with several projects.
pub struct Machine {
    _folder: tempfile::TempDir,
    base: PathBuf,
    pub now_ms: u64,
    calls: u64,
}

/// A session of a client in a project.
pub struct Session {
    pub client: Client,
    pub root: PathBuf,
    pub id: String,
    turn: u64,
    /// Everything that its model was told: the moment, and the text.
    pub told: Vec<(&'static str, String)>,
    /// The commands it ran.
    pub commands: Vec<String>,
}

impl Machine {
    pub fn new(start_ms: u64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        std::fs::create_dir_all(base.join("home")).unwrap();
        Self { _folder: folder, base, now_ms: start_ms, calls: 0 }
    }

    pub fn project(&self, name: &str) -> PathBuf {
        let root = self.base.join(name);
        std::fs::create_dir_all(root.join("src")).unwrap();
        std::fs::write(root.join("src/index.ts"), "export {};\n").unwrap();
        root
    }

    pub fn context(&self, root: &Path) -> Context {
        // What the gates say at the end of a turn is another matter than what memory tells.
        let config = self.base.join("config");
        std::fs::create_dir_all(&config).unwrap();
        std::fs::write(config.join("config.toml"), "[stop]\nmode = \"off\"\n").unwrap();
        let get = |name: &str| match name {
            "VIBELIGN_CONFIG" => Some(config.clone().into_os_string()),
            "VIBELIGN_STATE" => Some(self.base.join("state").into_os_string()),
            "HOME" => Some(self.base.join("home").into_os_string()),
            _ => None,
        };
        Context::with_environment(root.to_path_buf(), &get).with_clock(self.now_ms)
    }

    pub fn begin(&mut self, client: Client, root: &Path, number: usize) -> Session {
        let mut session = Session {
            client,
            root: root.to_path_buf(),
            id: format!("session-{number}"),
            turn: 0,
            told: Vec::new(),
            commands: Vec::new(),
        };
        self.call(&mut session, "start", "SessionStart", &json!({"source": "startup"}));
        session
    }

    pub fn prompt(&mut self, session: &mut Session, text: &str) {
        session.turn += 1;
        let event = if session.client == Client::Gemini { "BeforeAgent" } else { "UserPromptSubmit" };
        self.call(session, "prompt", event, &json!({"prompt": text}));
    }

    /// Reads a file: its text comes back to the model, and past vib.
    pub fn look(&mut self, session: &mut Session, path: &str, content: &str) {
        let (before, after, tool, input) = match session.client {
            Client::Gemini => ("BeforeTool", "AfterTool", "read_file", json!({"file_path": path})),
            Client::Codex => return self.command(session, &format!("cat {path}"), true, content),
            _ => ("PreToolUse", "PostToolUse", "Read", json!({"file_path": session.root.join(path)})),
        };
        let call = json!({"tool_name": tool, "tool_use_id": self.id(), "tool_input": input});
        self.call(session, "tool", before, &call);
        let mut call = call;
        call["tool_response"] = json!({"llmContent": content, "content": content});
        self.call(session, "tool", after, &call);
    }

    pub fn edit(&mut self, session: &mut Session, path: &str, content: &str) {
        let whole = session.root.join(path);
        let (before, after, tool, input) = match session.client {
            Client::Gemini => {
                ("BeforeTool", "AfterTool", "write_file", json!({"file_path": whole, "content": content}))
            }
            Client::Codex => {
                let verb = if whole.exists() { "Update" } else { "Add" };
                let hunk = if verb == "Add" { String::new() } else { "@@\n".to_owned() };
                let patch = format!(
                    "*** Begin Patch\n*** {verb} File: {path}\n{hunk}+{}\n*** End Patch",
                    content.trim_end()
                );
                ("PreToolUse", "PostToolUse", "apply_patch", json!({"command": patch}))
            }
            _ => ("PreToolUse", "PostToolUse", "Write", json!({"file_path": whole, "content": content})),
        };
        let call = json!({"tool_name": tool, "tool_use_id": self.id(), "tool_input": input});
        self.call(session, "tool", before, &call);
        std::fs::create_dir_all(whole.parent().unwrap()).unwrap();
        std::fs::write(&whole, content).unwrap();
        let mut call = call;
        call["tool_response"] = json!({"llmContent": "done", "filePath": whole});
        self.call(session, "tool", after, &call);
    }

    pub fn command(&mut self, session: &mut Session, line: &str, passes: bool, output: &str) {
        let id = self.id();
        session.commands.push(line.to_owned());
        let (before, tool) = match session.client {
            Client::Gemini => ("BeforeTool", "run_shell_command"),
            _ => ("PreToolUse", "Bash"),
        };
        let call = json!({"tool_name": tool, "tool_use_id": id, "tool_input": {"command": line}});
        self.call(session, "tool", before, &call);
        let mut after = call;
        let event = match session.client {
            Client::Gemini => {
                let code = if passes { String::new() } else { "\nExit Code: 1".to_owned() };
                after["tool_response"] = json!({"llmContent": format!("Output: {output}{code}")});
                "AfterTool"
            }
            Client::Codex => {
                after["tool_response"] = json!(output);
                let item = json!({"payload": {"item": {"id": id, "exit_code": i32::from(!passes)}}});
                let mut text = std::fs::read_to_string(self.transcript(session)).unwrap_or_default();
                writeln!(text, "{item}").unwrap();
                std::fs::write(self.transcript(session), text).unwrap();
                "PostToolUse"
            }
            _ if passes => {
                after["tool_response"] = json!({"stdout": output, "stderr": "", "interrupted": false});
                "PostToolUse"
            }
            _ => {
                after["error"] = json!(format!("Exit code 1\n{output}"));
                "PostToolUseFailure"
            }
        };
        self.call(session, "tool", event, &after);
    }

    /// The turn ends; the agent says something.
    pub fn stop(&mut self, session: &mut Session, says: &str) {
        let event = if session.client == Client::Gemini { "AfterAgent" } else { "Stop" };
        self.call(
            session,
            "stop",
            event,
            &json!({"last_assistant_message": says, "prompt_response": says, "stop_hook_active": false}),
        );
    }

    pub fn end(&mut self, session: &mut Session) {
        self.call(session, "end", "SessionEnd", &json!({"reason": "exit"}));
    }

    fn id(&mut self) -> String {
        self.calls += 1;
        format!("call_{}", self.calls)
    }

    fn transcript(&self, session: &Session) -> PathBuf {
        self.base.join(format!("{}.jsonl", session.id))
    }

    fn call(&mut self, session: &mut Session, moment: &'static str, event: &str, more: &Value) {
        self.now_ms += 7_000;
        let turn = format!("{}-{}", session.id, session.turn);
        let mut payload = json!({
            "session_id": session.id, "cwd": session.root, "hook_event_name": event, "prompt_id": turn, "turn_id": turn,
            "transcript_path": self.transcript(session),
        });
        if session.turn == 0 || session.client == Client::Gemini {
            payload.as_object_mut().unwrap().retain(|name, _| name != "prompt_id" && name != "turn_id");
        }
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let reply = answer(
            &self.context(&session.root),
            &Surroundings::default(),
            session.client,
            Some(event),
            payload.to_string().as_bytes(),
        );
        assert_eq!(reply.stderr, "", "{event}: {payload}");
        let answer: Value = serde_json::from_str(&reply.stdout).unwrap_or(Value::Null);
        let objects = answer.pointer("/hookSpecificOutput/permissionDecision").is_some()
            || answer.get("decision").is_some();
        assert!(!objects, "{event}: {payload} -> {answer}");
        if let Some(text) = answer.pointer("/hookSpecificOutput/additionalContext").and_then(Value::as_str) {
            session.told.push((moment, text.to_owned()));
        }
    }
}
