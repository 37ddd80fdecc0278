//! A session of a thousand turns, at the default caps: what it leaves on the disk and what it puts into the model's context is bounded.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::path::Path;

use project::Context;
use serde_json::{Value, json};
use vib_hooks::Client;
use vib_hooks::router::{World, answer};

const TURNS: usize = 1_000;

struct Session {
    context: Context,
    root: std::path::PathBuf,
    /// Most bytes that one answer put into the model's context, and all of them together.
    most: usize,
    all: usize,
    suggestions: usize,
}

impl Session {
    fn hook(&mut self, event: &str, more: &Value) {
        let mut payload = json!({"session_id": "long", "cwd": self.root, "hook_event_name": event});
        for (name, value) in more.as_object().unwrap() {
            payload[name] = value.clone();
        }
        let reply = answer(
            &self.context,
            &World::default(),
            Client::ClaudeCode,
            None,
            payload.to_string().as_bytes(),
        );
        assert_eq!(reply.stderr, "", "{event}: {more}");
        let told: Value = serde_json::from_str(&reply.stdout).unwrap_or(Value::Null);
        let context = told["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().len();
        self.most = self.most.max(context);
        self.all += context;
        self.suggestions += usize::from(told["systemMessage"].is_string());
    }
}

fn size(folder: &Path) -> (usize, u64) {
    let (mut files, mut bytes) = (0, 0);
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let facts = entry.metadata().unwrap();
        if facts.is_dir() {
            let (more_files, more_bytes) = size(&entry.path());
            files += more_files;
            bytes += more_bytes;
        } else {
            files += 1;
            bytes += facts.len();
        }
    }
    (files, bytes)
}

#[test]
fn a_session_of_a_thousand_turns_stays_bounded_mm5() {
    let base = tempfile::tempdir().unwrap();
    let root = base.path().canonicalize().unwrap().join("project");
    std::fs::create_dir_all(root.join("src")).unwrap();
    for file in 0..10 {
        std::fs::write(root.join(format!("src/part{file}.js")), "0\n").unwrap();
    }
    let (state, home) = (base.path().join("state"), base.path().join("home"));
    let get = |name: &str| match name {
        "VIBELIGN_STATE" => Some(state.clone().into_os_string()),
        "HOME" => Some(home.clone().into_os_string()),
        _ => None,
    };
    let context = Context::with_environment(root.clone(), &get);
    let engine = engine::Engine::open(Context::with_environment(root.clone(), &get)).unwrap();
    engine::memory::remember(&engine, "cli", &engine::memory::Remember::Intent("sell oolong too".to_owned()))
        .unwrap();
    let mut session = Session { context, root: root.clone(), most: 0, all: 0, suggestions: 0 };
    session.hook("SessionStart", &json!({"source": "startup"}));
    for turn in 0..TURNS {
        session.hook(
            "UserPromptSubmit",
            &json!({"prompt": format!("change number {turn} of the cart, and sell more oolong")}),
        );
        let file = root.join(format!("src/part{}.js", turn % 10));
        std::fs::write(&file, format!("{turn}\n")).unwrap();
        let input = json!({"file_path": file, "content": format!("{turn}\n")});
        session.hook(
            "PostToolUse",
            &json!({"tool_name": "Write", "tool_input": input, "tool_response": {"filePath": file}}),
        );
        let response = json!({"stdout": "ok", "stderr": "", "interrupted": false});
        let command =
            if turn % 5 == 0 { "npm test".to_owned() } else { format!("node tools/show.js {turn}") };
        session.hook(
            "PostToolUse",
            &json!({"tool_name": "Bash", "tool_input": {"command": command}, "tool_response": response}),
        );
        // Some clients say when a turn ends, some do not.
        if turn < 200 {
            session.hook("Stop", &json!({}));
        }
        // Now and then a person says something.
        if turn % 100 == 0 {
            let decision =
                engine::memory::Remember::Decision(format!("decision number {turn}: keep the cart simple"));
            engine::memory::remember(&engine, "cli", &decision).unwrap();
        }
    }
    session.hook("SessionEnd", &json!({"reason": "exit"}));

    let memory = engine.project().state().join("memory");
    let length = |name: &str| std::fs::metadata(memory.join(name)).map_or(0, |facts| facts.len());
    let (files, bytes) = size(&memory);
    let seen = format!(
        "{files} files, {bytes} bytes; project.jsonl {}; most {} and all {} bytes into the context; {} suggestions",
        length("project.jsonl"),
        session.most,
        session.all,
        session.suggestions
    );
    assert!(length("project.jsonl") <= 1 << 20, "the log is made smaller on the way: {seen}");
    let (sessions, in_sessions) = size(&memory.join("sessions"));
    assert!(
        sessions <= 4 && in_sessions <= 300 << 10,
        "the session keeps its newest events: {in_sessions}; {seen}"
    );
    assert!(files <= 60 && bytes <= 6 << 20, "{seen}");
    let (_, state) = size(&engine.project().state().join("sessions"));
    assert!(state <= 64 << 10, "what is remembered between two hooks is small: {state}; {seen}");
    // 700 tokens at the beginning, 200 and 250 with a prompt: a token has at most four bytes here.
    assert!(session.most <= 8_000, "{seen}");
    assert!(session.all <= 8_000 + TURNS * 300, "most prompts are told nothing new: {seen}");
    assert!(session.suggestions <= 4, "each suggestion once: {seen}");
    let report = engine::memory::show(&engine).unwrap();
    assert!(report.memory.recent_events.len() <= 200 && report.memory.verification.len() <= 30, "{seen}");
    assert_eq!(report.memory.decisions.len(), 10, "what a person said is all there");
    assert!(report.bad_lines.is_empty());
}
