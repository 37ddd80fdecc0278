//! A project of its own, hooks called as a client calls them, and the ledger they leave behind.

#![allow(
    dead_code,
    clippy::needless_pass_by_value,
    reason = "each test file uses a part of it, with values made in place"
)]

use std::path::{Path, PathBuf};

use engine::Engine;
use project::Context;
use serde_json::{Value, json};
use store::{Silent, Step, StepFilter};
use vib_hooks::router::{World as Surroundings, answer};
use vib_hooks::{Client, Reply};

pub struct World {
    _base: tempfile::TempDir,
    base: PathBuf,
    pub root: PathBuf,
    calls: std::cell::Cell<usize>,
}

/// A step, with the paths it changed.
pub type Told = (Step, Vec<String>);

impl World {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        let root = base.join("project");
        std::fs::create_dir_all(root.join("src")).unwrap();
        std::fs::create_dir_all(base.join("home")).unwrap();
        std::fs::write(root.join("src/a.txt"), "a\n").unwrap();
        Self { _base: folder, base, root, calls: std::cell::Cell::new(0) }
    }

    pub fn context(&self) -> Context {
        let get = |name: &str| match name {
            "VIBELIGN_STATE" => Some(self.base.join("state").into_os_string()),
            "HOME" => Some(self.base.join("home").into_os_string()),
            _ => None,
        };
        Context::with_environment(self.root.clone(), &get)
    }

    pub fn engine(&self) -> Engine {
        Engine::open(self.context()).unwrap()
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// A payload of this client.
    pub fn hook(&self, client: Client, event: &str, payload: &Value) -> Reply {
        let reply = answer(
            &self.context(),
            &Surroundings::default(),
            client,
            Some(event),
            payload.to_string().as_bytes(),
        );
        assert_eq!(reply.stderr, "", "{event}: {payload}");
        reply
    }

    /// The same where vib may have something to say.
    pub fn hook_any(&self, client: Client, event: &str, payload: &Value) -> Reply {
        let input = payload.to_string();
        answer(&self.context(), &Surroundings::default(), client, Some(event), input.as_bytes())
    }

    /// The same in Claude Code's words, in the session `s`.
    pub fn claude(&self, event: &str, more: Value) -> Value {
        let mut payload = json!({"session_id": "s", "prompt_id": "p", "cwd": self.root});
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let reply = self.hook(Client::ClaudeCode, event, &payload);
        serde_json::from_str(&reply.stdout).unwrap_or(Value::Null)
    }

    /// A command of Claude Code, with both hooks and what it does in between.
    pub fn command(&self, line: &str, does: impl FnOnce()) {
        let id = format!("c{}", self.calls.replace(self.calls.get() + 1));
        let call = json!({"tool_name": "Bash", "tool_use_id": id, "tool_input": {"command": line}});
        let answer = self.claude("PreToolUse", call.clone());
        assert_eq!(answer, Value::Null, "{line}");
        does();
        let mut call = call;
        call["tool_response"] = json!({"stdout": "", "stderr": "", "interrupted": false});
        self.claude("PostToolUse", call);
    }

    /// A recorded payload, as if it were sent from this project, in the session `s` and the turn `p`.
    pub fn recorded(&self, name: &str) -> Value {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name).join("stdin.json");
        let text = std::fs::read_to_string(file).unwrap();
        let text = text.replace("/home/dev/project", self.root.to_str().unwrap());
        let mut payload: Value = serde_json::from_str(&text).unwrap();
        for (field, value) in [("session_id", "s"), ("sessionId", "s"), ("prompt_id", "p"), ("turn_id", "p")]
        {
            if payload.get(field).is_some() {
                payload[field] = json!(value);
            }
        }
        payload
    }

    /// The steps, the oldest first.
    pub fn steps(&self) -> Vec<Told> {
        let engine = self.engine();
        let opened = engine.store(&Silent).unwrap();
        let mut steps = opened.store.steps(&StepFilter::default()).unwrap();
        steps.reverse();
        steps
            .into_iter()
            .map(|step| {
                let changes = opened.store.changes_of(step.number).unwrap();
                let paths = changes.iter().map(|change| change.path.to_string()).collect();
                (step, paths)
            })
            .collect()
    }

    /// The prompt of the request that a step served.
    pub fn asked_for(&self, step: &Step) -> Option<String> {
        let engine = self.engine();
        let opened = engine.store(&Silent).unwrap();
        opened.store.request(step.request?).unwrap()?.prompt
    }

    pub fn checkpoints(&self) -> usize {
        let engine = self.engine();
        let opened = engine.store(&Silent).unwrap();
        opened.store.history(&store::HistoryFilter::default()).unwrap().len()
    }
}
