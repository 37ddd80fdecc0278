//! Plays an incident: a session of Claude Code as its hooks report it, and files that change.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use testkit::{Photo, Sandbox};

use super::incident::{Act, Effect, Incident};

/// How the world around the incident is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Git,
    NoGit,
    EmptyMemory,
}

/// An incident that has happened.
pub(crate) struct Played {
    pub(crate) sandbox: Sandbox,
    /// All files just before the first accident, and before each further one what it touched.
    pub(crate) good: std::collections::BTreeMap<String, Option<State>>,
    /// The files as the story leaves them.
    pub(crate) end: Photo,
    /// The files at the moments that got a name.
    pub(crate) marks: std::collections::BTreeMap<&'static str, std::collections::BTreeMap<String, State>>,
    /// Every request, and the paths that were changed in it.
    pub(crate) requests: Vec<(String, std::collections::BTreeSet<String>)>,
}

/// Everything that must come back of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum State {
    File(Vec<u8>, u32),
    Link(PathBuf),
}

pub(crate) fn play(incident: &Incident, mode: Mode) -> Played {
    let mut player = Player::new(incident.base, mode);
    if incident.known {
        player.send("SessionStart", json!({"source": "startup"}));
    }
    player.play(&incident.acts)
}

pub(crate) struct Player {
    sandbox: Sandbox,
    mode: Mode,
    turn: u32,
    good: std::collections::BTreeMap<String, Option<State>>,
    clock: u64,
    session: &'static str,
    sub: Option<&'static str>,
    client: &'static str,
    /// The last request of each session.
    turns: std::collections::BTreeMap<&'static str, u32>,
    marks: std::collections::BTreeMap<&'static str, std::collections::BTreeMap<String, State>>,
    requests: Vec<(String, std::collections::BTreeSet<String>)>,
}

impl Player {
    pub(crate) fn new(base: super::base::Base, mode: Mode) -> Self {
        let sandbox = Sandbox::new(env!("CARGO_BIN_EXE_vib"));
        base.build(&sandbox);
        let player = Self {
            sandbox,
            mode,
            turn: 0,
            good: Default::default(),
            clock: 1_767_268_800_000,
            session: "s-1",
            sub: None,
            client: "claude-code",
            turns: Default::default(),
            marks: Default::default(),
            requests: Vec::new(),
        };
        if mode == Mode::Git {
            git(&player.sandbox, player.clock, &["init", "-q"]);
            commit(&player.sandbox, player.clock);
        }
        player
    }

    pub(crate) fn play(mut self, acts: &[Act]) -> Played {
        for act in acts {
            self.act(act, false);
        }
        let end = Photo::of(&self.sandbox.root());
        Played { sandbox: self.sandbox, good: self.good, end, marks: self.marks, requests: self.requests }
    }

    pub(crate) fn act(&mut self, act: &Act, spoils: bool) {
        match act {
            Act::Damage(act) => self.act(act, true),
            Act::Prompt(text) => {
                self.turn += 1;
                self.turns.insert(self.session, self.turn);
                self.requests.push(((*text).to_owned(), Default::default()));
                self.send("UserPromptSubmit", json!({"prompt": text}));
            }
            Act::Write(path, text) => {
                let input = json!({"file_path": self.sandbox.root().join(path), "content": text});
                self.tool("Write", &input, spoils, |sandbox| sandbox.write(path, text));
            }
            Act::Replace(path, old, new) => {
                let before = self.sandbox.read(path);
                assert!(before.contains(old), "`{old}` is not in {path}");
                let input = json!({"file_path": self.sandbox.root().join(path), "old_string": old, "new_string": new});
                self.tool("Edit", &input, spoils, |sandbox| {
                    sandbox.write(path, before.replacen(old, new, 1));
                });
            }
            Act::Shell(command, effects) => {
                let input = json!({"command": command});
                let root = self.sandbox.root();
                let clock = self.clock;
                self.tool("Bash", &input, spoils, |sandbox| {
                    effects.iter().for_each(|effect| happen(sandbox, &root, clock, effect));
                });
            }
            Act::Silently(effects) => {
                let root = self.sandbox.root();
                let clock = self.clock;
                self.watched(spoils, |sandbox| {
                    effects.iter().for_each(|effect| happen(sandbox, &root, clock, effect));
                });
            }
            Act::HandEdit(path, old, new) => {
                let before = self.sandbox.read(path);
                assert!(before.contains(old), "`{old}` is not in {path}");
                self.sandbox.write(path, before.replacen(old, new, 1));
            }
            Act::HandDoes(effects) => {
                let root = self.sandbox.root();
                effects.iter().for_each(|effect| happen(&self.sandbox, &root, self.clock, effect));
            }
            Act::Mark(name) => {
                self.marks.insert(name, states(&self.sandbox.root()));
            }
            Act::Session(name) => {
                self.session = name;
                self.send("SessionStart", json!({"source": "startup"}));
            }
            Act::Sub(kind) => self.sub = *kind,
            Act::Client(client) => {
                self.client = client;
                self.session = client;
                if !self.turns.contains_key(client) {
                    self.turns.insert(client, 0);
                    self.send("SessionStart", json!({"source": "startup"}));
                }
            }
            Act::Stop => {
                self.send("Stop", json!({"stop_hook_active": false}));
            }
            Act::ByHand(path, text) => self.sandbox.write(path, text),
            Act::Save(message) => {
                self.vib(&["checkpoint", "-m", message]);
            }
            Act::Recover(words) => {
                self.tick();
                let mut arguments = vec!["recover", "--preview", "--json", "--way", "1"];
                arguments.extend(words.split(' '));
                let preview = self.sandbox.vib(&arguments).ok().json();
                let plan = preview["data"]["plan"].as_str().expect("a plan").to_owned();
                self.vib(&["recover", "--yes", "--plan", &plan]);
            }
            Act::Undo => self.vib(&["undo", "--yes"]),
            Act::Minutes(minutes) => self.clock += minutes * 60_000,
            Act::Commit => {
                if self.mode == Mode::Git {
                    commit(&self.sandbox, self.clock);
                }
            }
            Act::Intent(_) | Act::Relevant(_) | Act::Check(..) if self.mode == Mode::EmptyMemory => {}
            Act::Intent(text) => self.vib(&["memory", "intent", text]),
            Act::Relevant(path) => self.vib(&["memory", "relevant", path]),
            Act::Check(command, passed) => {
                let result = if *passed { "passed" } else { "failed" };
                self.vib(&["memory", "verify", command, "--result", result]);
            }
        }
    }

    /// Both hooks of a tool call and what it does between them. vib must let it happen: these are accidents, not attacks.
    fn tool(&mut self, tool: &str, input: &Value, spoils: bool, effect: impl FnOnce(&Sandbox)) {
        let (tool, input) = self.in_the_words_of_the_client(tool, input);
        self.send("PreToolUse", json!({"tool_name": tool, "tool_input": input, "tool_use_id": "c"}));
        self.watched(spoils, effect);
        self.send(
            "PostToolUse",
            json!({"tool_name": tool, "tool_input": input, "tool_response": {"ok": true}}),
        );
    }

    /// How the client calls the tool, and what it tells of the call.
    fn in_the_words_of_the_client(&self, tool: &str, input: &Value) -> (String, Value) {
        let root = self.sandbox.root();
        let relative = |input: &Value| {
            let path = input["file_path"].as_str().expect("a path");
            path.strip_prefix(&format!("{}/", root.display())).unwrap_or(path).to_owned()
        };
        let marked = |mark: char, text: &Value| -> String {
            text.as_str().expect("a text").lines().map(|line| format!("{mark}{line}\n")).collect()
        };
        match (self.client, tool) {
            ("gemini", "Write") => ("write_file".to_owned(), input.clone()),
            ("gemini", "Edit") => ("replace".to_owned(), input.clone()),
            ("gemini", "Bash") => ("run_shell_command".to_owned(), input.clone()),
            ("codex", "Write") => {
                let path = relative(input);
                let head = if root.join(&path).exists() {
                    format!("*** Delete File: {path}\n*** Add File: {path}\n")
                } else {
                    format!("*** Add File: {path}\n")
                };
                let body = marked('+', &input["content"]);
                let patch = format!("*** Begin Patch\n{head}{body}*** End Patch");
                ("apply_patch".to_owned(), json!({"command": patch}))
            }
            ("codex", "Edit") => {
                let (old, new) = (marked('-', &input["old_string"]), marked('+', &input["new_string"]));
                let path = relative(input);
                let patch = format!("*** Begin Patch\n*** Update File: {path}\n@@\n{old}{new}*** End Patch");
                ("apply_patch".to_owned(), json!({"command": patch}))
            }
            _ => (tool.to_owned(), input.clone()),
        }
    }

    /// Does it; what it spoils is remembered as it was.
    fn watched(&mut self, spoils: bool, effect: impl FnOnce(&Sandbox)) {
        let before = states(&self.sandbox.root());
        effect(&self.sandbox);
        let after = states(&self.sandbox.root());
        let paths: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        for path in paths.into_iter().filter(|path| before.get(*path) != after.get(*path)) {
            if spoils {
                self.good.entry(path.clone()).or_insert_with(|| before.get(path).cloned());
            }
            if let Some((_, touched)) = self.requests.last_mut() {
                touched.insert(path.clone());
            }
        }
    }

    fn send(&mut self, event: &str, mut payload: Value) {
        payload["session_id"] = self.session.into();
        if let Some(kind) = self.sub {
            payload["agent_id"] = format!("a-{kind}").into();
            payload["agent_type"] = kind.into();
        }
        let turn = self.turns.get(self.session).copied().unwrap_or(self.turn);
        let event = match (self.client, event) {
            ("gemini", "UserPromptSubmit") => "BeforeAgent",
            ("gemini", "PreToolUse") => "BeforeTool",
            ("gemini", "PostToolUse") => "AfterTool",
            ("gemini", "Stop") => "AfterAgent",
            (_, event) => event,
        };
        match self.client {
            "codex" => payload["turn_id"] = format!("p-{turn}").into(),
            "gemini" => {}
            _ => payload["prompt_id"] = format!("p-{turn}").into(),
        }
        payload["cwd"] = self.sandbox.root().display().to_string().into();
        payload["hook_event_name"] = event.into();
        self.tick();
        let mut command = self.sandbox.command(&["hook", self.client]);
        Sandbox::run_with_input(&mut command, &payload.to_string()).ok();
    }

    fn vib(&mut self, arguments: &[&str]) {
        self.tick();
        self.sandbox.vib(arguments).ok();
    }

    /// Ten seconds between two things that happen.
    fn tick(&mut self) {
        self.clock += 10_000;
        self.sandbox.set_clock(self.clock);
    }
}

fn happen(sandbox: &Sandbox, root: &Path, clock: u64, effect: &Effect) {
    match effect {
        Effect::Git(arguments) => git(sandbox, clock, arguments),
        Effect::Changed(path, old, new) => {
            let before = sandbox.read(path);
            assert!(before.contains(old), "`{old}` is not in {path}");
            sandbox.write(path, before.replacen(old, new, 1));
        }
        Effect::Many(count, name, text) => {
            for number in 0..*count {
                sandbox
                    .write(&name.replace("{}", &number.to_string()), text.replace("{}", &number.to_string()));
            }
        }
        Effect::Gone(path) => sandbox.remove(path),
        Effect::Is(path, bytes) => sandbox.write(path, bytes),
        Effect::Everywhere(folder, endings, old, new) => {
            let mut changed = 0;
            for (path, state) in states(root) {
                let inside = folder.is_empty() || path.starts_with(&format!("{folder}/"));
                let State::File(bytes, _) = state else { continue };
                if !inside || !endings.iter().any(|ending| path.ends_with(ending)) {
                    continue;
                }
                let text = String::from_utf8(bytes).expect("text");
                if text.contains(old) {
                    std::fs::write(root.join(path), text.replace(old, new)).expect("written");
                    changed += 1;
                }
            }
            assert!(changed > 0, "`{old}` is nowhere");
        }
        Effect::Moved(from, to) => {
            let to = root.join(to);
            std::fs::create_dir_all(to.parent().expect("a folder")).expect("folders");
            std::fs::rename(root.join(from), to).expect("renamed");
        }
        Effect::Mode(path, mode) => {
            std::fs::set_permissions(root.join(path), std::fs::Permissions::from_mode(*mode))
                .expect("a mode");
        }
        Effect::LinkToCopy(path) => {
            let at = root.join(path);
            let target = at.canonicalize().expect("a target");
            std::fs::remove_file(&at).expect("a link");
            if target.is_dir() {
                std::fs::create_dir(&at).expect("a folder");
                for entry in std::fs::read_dir(target).expect("a folder") {
                    let entry = entry.expect("an entry");
                    std::fs::copy(entry.path(), at.join(entry.file_name())).expect("copied");
                }
            } else {
                std::fs::copy(target, at).expect("copied");
            }
        }
        Effect::AsBuilt(paths) => {
            let fresh = Sandbox::new(env!("CARGO_BIN_EXE_vib"));
            for base in [super::base::Base::Shop, super::base::Base::Notes, super::base::Base::Meter] {
                base.build(&fresh);
            }
            for path in *paths {
                sandbox.write(path, std::fs::read(fresh.root().join(path)).expect("it was built"));
            }
        }
        Effect::AllGone(own_too) => {
            for entry in std::fs::read_dir(root).expect("the project") {
                let path = entry.expect("an entry").path();
                let name = path.file_name().expect("a name").to_string_lossy().into_owned();
                if name == ".git" || (name == ".vibelign" && !own_too) {
                    continue;
                }
                let folder = std::fs::symlink_metadata(&path).expect("it is there").is_dir();
                if folder { std::fs::remove_dir_all(&path) } else { std::fs::remove_file(&path) }
                    .expect("removed");
            }
        }
    }
}

/// Every file and link, without git's and vib's own.
pub(crate) fn states(root: &Path) -> std::collections::BTreeMap<String, State> {
    let mut found = std::collections::BTreeMap::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(root).expect("inside").to_string_lossy().into_owned();
            if matches!(name.as_str(), ".git" | ".vibelign" | "dist") {
                continue;
            }
            let facts = std::fs::symlink_metadata(&path).expect("it is there");
            if facts.is_symlink() {
                found.insert(name, State::Link(std::fs::read_link(&path).expect("a link")));
            } else if facts.is_dir() {
                folders.push(path);
            } else {
                let bytes = std::fs::read(&path).expect("readable");
                found.insert(name, State::File(bytes, facts.permissions().mode() & 0o777));
            }
        }
    }
    found
}

fn git(sandbox: &Sandbox, clock: u64, arguments: &[&str]) {
    let date = format!("@{} +0000", clock / 1000);
    let output = std::process::Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"])
        .args(["-c", "init.defaultBranch=main", "-c", "advice.detachedHead=false"])
        .args(arguments)
        .env("GIT_COMMITTER_DATE", &date)
        .env("GIT_AUTHOR_DATE", &date)
        .current_dir(sandbox.root())
        .output()
        .expect("git runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn commit(sandbox: &Sandbox, clock: u64) {
    git(sandbox, clock, &["add", "-A"]);
    git(sandbox, clock, &["commit", "-q", "--allow-empty", "-m", "work"]);
}
