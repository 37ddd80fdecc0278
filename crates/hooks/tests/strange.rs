//! Tools of servers that nobody knows, by their names and arguments alone: what takes, overwrites or sends away is stopped or saved
//! first, and ordinary work passes. (M8, S2)
//!
//! `data/strange-ordinary-*.txt` holds a call of a well-known server on each line, `data/strange-harmful-*.txt` one that must be asked
//! about (`ask`) or whose files must be saved first (`save`). `@P` is the project, `@H` the home folder. Written before the code.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::path::{Path, PathBuf};

use engine::Engine;
use project::Context;
use serde_json::{Value, json};
use store::Silent;
use vib_hooks::Client;
use vib_hooks::router::{World as Surroundings, answer};

/// Files that no checkpoint holds.
const IGNORED: [(&str, &str); 3] =
    [("data.sqlite", "the data of a month\n"), ("uploads/cat.png", "a cat\n"), (".env", "KEY=abc\n")];

/// A project in a home folder.
struct Home {
    _folder: tempfile::TempDir,
    base: PathBuf,
    home: PathBuf,
    root: PathBuf,
}

impl Home {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        let home = base.join("u");
        let root = home.join("shop");
        let made = Self { _folder: folder, base, home, root };
        for (path, text) in [
            (".gitignore", "*.sqlite\nuploads/\n.env\n"),
            ("src/main.rs", "fn main() {}\n"),
            ("src/lib.rs", "pub fn a() {}\n"),
            ("README.md", "# Shop\n"),
            ("package.json", "{}\n"),
            ("docs/guide.md", "# Guide\n"),
            (".git/HEAD", "ref: refs/heads/main\n"),
            (".git/config", "[core]\n"),
            (".git/hooks/sample", "\n"),
            (".git/objects/aa/b", "\n"),
            (".git/refs/heads/main", "\n"),
        ]
        .into_iter()
        .chain(IGNORED)
        {
            write(&made.root.join(path), text);
        }
        for path in [".ssh/id_ed25519", ".aws/credentials", ".bashrc", ".npmrc", ".claude/settings.json"] {
            write(&made.home.join(path), "x\n");
        }
        write(&made.home.join("Documents/taxes.ods"), "x\n");
        made
    }

    fn context(&self) -> Context {
        let get = |name: &str| match name {
            "VIBELIGN_STATE" => Some(self.base.join("state").into_os_string()),
            "HOME" => Some(self.home.clone().into_os_string()),
            _ => None,
        };
        Context::with_environment(self.root.clone(), &get)
    }

    /// `ask`, `deny` or nothing, and the reason.
    fn before(&self, tool: &str, input: &Value) -> (Option<String>, String) {
        let payload = json!({"session_id": "s", "prompt_id": "p", "cwd": self.root, "tool_name": tool, "tool_input": input, "tool_use_id": input.to_string()});
        let text = payload.to_string();
        let reply = answer(
            &self.context(),
            &Surroundings::default(),
            Client::ClaudeCode,
            Some("PreToolUse"),
            text.as_bytes(),
        );
        let told: Value = serde_json::from_str(&reply.stdout).unwrap_or_default();
        let told = &told["hookSpecificOutput"];
        let word = told["permissionDecision"].as_str().map(str::to_owned);
        (word, told["permissionDecisionReason"].as_str().unwrap_or_default().to_owned())
    }

    /// What was saved by name.
    fn saved(&self) -> Vec<String> {
        let engine = Engine::open(self.context()).unwrap();
        let opened = engine.store(&Silent).unwrap();
        let all = opened.store.history(&store::HistoryFilter::default()).unwrap();
        all.iter()
            .flat_map(|checkpoint| opened.store.named_in(checkpoint).unwrap())
            .filter_map(|(path, entry)| entry.map(|_| path.to_string()))
            .collect()
    }

    fn filled(&self, text: &str) -> Value {
        let text = text.replace("@P", self.root.to_str().unwrap());
        serde_json::from_str(&text.replace("@H", self.home.to_str().unwrap())).unwrap()
    }
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn lines(name: &str) -> Vec<String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    std::fs::read_to_string(file).unwrap().lines().map(str::to_owned).collect()
}

/// The ordinary calls of a file that are stopped.
fn stopped(name: &str) -> Vec<String> {
    let home = Home::new();
    let mut found = Vec::new();
    for line in lines(name) {
        let (tool, input) = line.split_once(' ').unwrap();
        let (word, why) = home.before(tool, &home.filled(input));
        if let Some(word) = word {
            found.push(format!("{word}: {line}\n      {why}"));
        }
    }
    found
}

/// The harmful calls of a file that simply run.
fn passed(name: &str) -> Vec<String> {
    let shared = Home::new();
    let mut found = Vec::new();
    for line in lines(name) {
        let (want, call) = line.split_once(' ').unwrap();
        let (tool, input) = call.split_once(' ').unwrap();
        let fresh = (want == "save").then(Home::new);
        let home = fresh.as_ref().unwrap_or(&shared);
        let input = home.filled(input);
        let is_stopped = home.before(tool, &input).0.is_some();
        let named = input.to_string();
        let all_saved = || {
            let saved = home.saved();
            let mut wanted = IGNORED.iter().filter(|(path, _)| {
                named.contains(path) || path.starts_with("uploads") && named.contains("uploads")
            });
            wanted.all(|(path, _)| saved.iter().any(|one| one == path))
        };
        if !is_stopped && (want == "ask" || !all_saved()) {
            found.push(line);
        }
    }
    found
}

#[test]
fn ordinary_calls_of_well_known_servers_pass_m8() {
    let found = stopped("strange-ordinary-1.txt");
    assert!(found.is_empty(), "{} stopped:\n{}", found.len(), found.join("\n"));
}

#[test]
fn more_ordinary_calls_pass_m8() {
    let found = stopped("strange-ordinary-2.txt");
    assert!(found.is_empty(), "{} stopped:\n{}", found.len(), found.join("\n"));
}

#[test]
fn what_a_strange_tool_would_lose_or_send_is_stopped_or_saved_m8() {
    let found = passed("strange-harmful-1.txt");
    assert!(found.is_empty(), "{} passed:\n{}", found.len(), found.join("\n"));
}

#[test]
fn more_of_what_a_strange_tool_would_lose_is_stopped_or_saved_m8() {
    let found = passed("strange-harmful-2.txt");
    assert!(found.is_empty(), "{} passed:\n{}", found.len(), found.join("\n"));
}

#[test]
fn what_strangers_tried_with_tools_is_stopped_or_saved_m8() {
    let found = passed("strange-harmful-3.txt");
    assert!(found.is_empty(), "{} passed:\n{}", found.len(), found.join("\n"));
}

#[test]
fn tools_of_a_strangers_day_pass_m8() {
    let found = stopped("strange-ordinary-3.txt");
    assert!(found.is_empty(), "{} stopped:\n{}", found.len(), found.join("\n"));
}
