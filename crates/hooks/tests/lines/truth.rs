//! A project in which everybody who works writes down what they wrote: the truth that `vib why` is held to. Agents work through the hooks, as
//! clients call them, and their commands are run by a real shell; a person types, and nobody looks.
//!
//! Nothing of how vib attributes lines is known here.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use engine::Engine;
use engine::undo::{self, Confirmation, Options, Target};
use engine::why::{Source, WhyQuery, why};
use project::Context;
use serde_json::{Value, json};
use store::{Silent, StepFilter, StepNumber};
use vib_hooks::Client;
use vib_hooks::router::{World as Surroundings, answer};

/// Who really wrote a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Truth {
    /// It was there when vib came.
    Before,
    /// A person typed it.
    Person,
    /// This call of an agent.
    Call(String),
    /// An agent typed what a person had typed before: either is right.
    Repeated(String),
    /// A person typed it, and an agent's command changed it: not the agent's alone.
    Changed,
    /// A program that this call ran, of which nobody knows the text: that it was no person who typed meanwhile is nowhere to be seen.
    Program(String),
    /// A program, and a command changed it: whoever is told, nothing is known better.
    Worked,
    /// A person typed it while a program ran.
    Meanwhile,
}

/// A text with its writers, line by line, without line ends.
pub type Doc = Vec<(String, Truth)>;
pub type Docs = BTreeMap<String, Doc>;

/// What came of comparing.
#[derive(Debug, Default)]
pub struct Score {
    pub lines: usize,
    pub right: usize,
    /// Lines of a person that were given to an agent.
    pub stolen: Vec<String>,
    /// The others that were wrong.
    pub wrong: Vec<String>,
}

impl Score {
    pub fn add(&mut self, other: Self) {
        self.lines += other.lines;
        self.right += other.right;
        self.stolen.extend(other.stolen);
        self.wrong.extend(other.wrong);
    }
}

const START_MS: u64 = 1_767_268_800_000;
const STEP_MS: u64 = 7_000;

pub struct World {
    _base: tempfile::TempDir,
    base: PathBuf,
    pub root: PathBuf,
    pub docs: Docs,
    clock: u64,
    calls: usize,
    /// A person who says yes to whatever vib asks.
    pub says_yes: bool,
    turns: BTreeMap<String, usize>,
    /// What happened, for who reads a failure.
    pub story: Vec<String>,
}

fn text(doc: &Doc) -> String {
    doc.iter().map(|(line, _)| format!("{line}\n")).collect()
}

impl World {
    pub fn new(docs: Docs) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        let root = base.join("project");
        std::fs::create_dir_all(&root).unwrap();
        std::fs::create_dir_all(base.join("home")).unwrap();
        let mut world = Self {
            _base: folder,
            base,
            root,
            docs: Docs::new(),
            clock: 0,
            calls: 0,
            says_yes: false,
            turns: BTreeMap::new(),
            story: Vec::new(),
        };
        let (sessions, before) = (["s", "t"], std::mem::take(&mut world.docs));
        world.docs = docs;
        world.put(&before);
        for session in sessions {
            world.hook(session, "SessionStart", json!({"source": "startup"}));
            world.ask(session, "begin");
        }
        world
    }

    fn context(&self) -> Context {
        let get = |name: &str| match name {
            "VIBELIGN_STATE" => Some(self.base.join("state").into_os_string()),
            "HOME" => Some(self.base.join("home").into_os_string()),
            _ => None,
        };
        Context::with_environment(self.root.clone(), &get).with_clock(START_MS + self.clock)
    }

    pub fn engine(&self) -> Engine {
        Engine::open(self.context()).unwrap()
    }

    /// Puts what is different on the disk.
    pub fn put(&self, before: &Docs) {
        for name in before.keys().filter(|name| !self.docs.contains_key(*name)) {
            std::fs::remove_file(self.root.join(name)).unwrap();
        }
        for (name, doc) in &self.docs {
            if before.get(name).map(text) != Some(text(doc)) {
                let path = self.root.join(name);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, text(doc)).unwrap();
            }
        }
    }

    /// The truth here is the truth on the disk: else the story itself is wrong.
    pub fn assert_disk(&self, after: &str) {
        for (name, doc) in &self.docs {
            let there = std::fs::read_to_string(self.root.join(name)).unwrap_or_default();
            assert_eq!(there, text(doc), "the story and the disk differ in {name} after {after}");
        }
    }

    #[expect(clippy::needless_pass_by_value, reason = "`json!` reads best as an argument")]
    fn hook(&mut self, session: &str, event: &str, more: Value) -> Value {
        self.clock += STEP_MS;
        let turn = self.turns.get(session).copied().unwrap_or(0);
        let mut payload =
            json!({"session_id": session, "prompt_id": format!("{session}{turn}"), "cwd": self.root});
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let input = payload.to_string();
        let world = Surroundings::default();
        let reply = answer(&self.context(), &world, Client::ClaudeCode, Some(event), input.as_bytes());
        serde_json::from_str(&reply.stdout).unwrap_or(Value::Null)
    }

    /// A hook of another client, with everything that it sends.
    pub fn raw(&mut self, client: Client, event: &str, payload: &Value) {
        self.clock += STEP_MS;
        let world = Surroundings::default();
        answer(&self.context(), &world, client, Some(event), payload.to_string().as_bytes());
    }

    /// A person asks an agent for something; vib looks.
    pub fn ask(&mut self, session: &str, words: &str) {
        *self.turns.entry(session.to_owned()).or_insert(0) += 1;
        self.hook(session, "UserPromptSubmit", json!({"prompt": words}));
    }

    /// A person types, and nobody looks.
    pub fn person(&mut self, change: impl FnOnce(&mut Docs)) {
        let before = self.docs.clone();
        change(&mut self.docs);
        self.put(&before);
        self.story.push("person".to_owned());
    }

    /// An agent's edit tool, which announces the whole text that it will write.
    pub fn edit(&mut self, session: &str, name: &str, change: impl FnOnce(&mut Doc, &Truth)) -> String {
        let id = self.next();
        let before = self.docs.clone();
        change(self.docs.entry(name.to_owned()).or_default(), &Truth::Call(id.clone()));
        let input = json!({"file_path": self.root.join(name), "content": text(&self.docs[name])});
        self.story.push(format!("{id}: edit {name}"));
        self.call(session, &id, "Write", &input, |world| world.put(&before));
        id
    }

    /// An agent's command. `does`: what it does to the files; it is run by a shell if `real`.
    pub fn shell(
        &mut self,
        session: &str,
        line: &str,
        real: bool,
        does: impl FnOnce(&mut Docs, &Truth),
    ) -> String {
        let id = self.next();
        let before = self.docs.clone();
        does(&mut self.docs, &Truth::Call(id.clone()));
        self.story.push(format!("{id}: {line}"));
        self.call(session, &id, "Bash", &json!({"command": line}), |world| {
            if real {
                let ran = Command::new("bash").args(["-c", line]).current_dir(&world.root).output().unwrap();
                assert!(ran.status.success(), "{line}: {}", String::from_utf8_lossy(&ran.stderr));
            } else {
                world.put(&before);
            }
        });
        self.assert_disk(line);
        id
    }

    /// How many calls there were.
    pub fn calls_so_far(&self) -> usize {
        self.calls
    }

    fn next(&mut self) -> String {
        self.calls += 1;
        format!("c{}", self.calls)
    }

    fn call(&mut self, session: &str, id: &str, tool: &str, input: &Value, does: impl FnOnce(&mut Self)) {
        let mut call = json!({"tool_name": tool, "tool_use_id": id, "tool_input": input});
        let answer = self.hook(session, "PreToolUse", call.clone());
        let held_back = answer["hookSpecificOutput"]["permissionDecision"].as_str();
        let goes_on = matches!(held_back, None | Some("allow")) || self.says_yes && held_back == Some("ask");
        assert!(goes_on, "{input}: {answer}");
        does(self);
        call["tool_response"] = json!({"stdout": "", "stderr": "", "interrupted": false});
        self.hook(session, "PostToolUse", call);
    }

    fn step_of(&self, id: &str) -> StepNumber {
        let engine = self.engine();
        let opened = engine.store(&Silent).unwrap();
        let steps = opened.store.steps(&StepFilter::default()).unwrap();
        steps.iter().find(|step| step.call_id.as_deref() == Some(id)).unwrap().number
    }

    /// Takes the work of a call back, or takes that back again; the files are then as told.
    pub fn undo(&mut self, call: Option<&str>, then: Docs) {
        self.clock += STEP_MS;
        let target = call.map_or(Target::Redo, |call| Target::Step(self.step_of(call)));
        let engine = self.engine();
        let yes =
            engine::person::require(&self.context(), engine::person::Act::GoBack, &engine::person::nobody);
        let preview = undo::preview(&engine, &target, &Options::default(), &Silent).unwrap();
        undo::apply(&engine, &preview, Confirmation::Yes(yes.unwrap()), &Silent).unwrap();
        self.docs = then;
        self.story.push(format!("{call:?} taken back"));
        self.assert_disk("going back");
    }

    /// Lets days go by and old states go, as vib does by itself.
    pub fn thin(&mut self, days: u64) {
        self.ask("s", "later");
        self.clock += days * 86_400_000;
        self.ask("s", "much later");
        let engine = self.engine();
        let mut opened = engine.store(&Silent).unwrap();
        let lock = opened.store.lock_tree("test").unwrap();
        opened.store.gc(&lock, None, &Silent).unwrap();
        self.story.push(format!("{days} days later"));
    }

    /// Asks vib about every line of every file. `steps`: what the calls are called.
    pub fn score(&self, steps: &BTreeMap<String, StepNumber>) -> Score {
        let engine = self.engine();
        let mut score = Score::default();
        for (name, doc) in self.docs.iter().filter(|(_, doc)| !doc.is_empty()) {
            let report = why(&engine, &WhyQuery::file(self.root.join(name)), &Silent).unwrap();
            assert_eq!(report.lines.len(), doc.len(), "{name}");
            for (line, (text, truth)) in report.lines.iter().zip(doc) {
                assert_eq!(&line.text, text, "{name}");
                let told = &report.sources[line.source];
                let is = |call: &String, told: &Source| matches!(told, Source::Step { steps: told, .. } if told.as_slice() == [steps[call]]);
                let by_hand = matches!(told, Source::ByHand { .. } | Source::Unsaved);
                let right = match truth {
                    Truth::Before => matches!(told, Source::BeforeVib | Source::Git { .. }),
                    Truth::Person => by_hand,
                    Truth::Call(call) => is(call, told),
                    Truth::Repeated(call) => by_hand || is(call, told),
                    Truth::Changed | Truth::Meanwhile => {
                        by_hand || matches!(told, Source::OneOf { .. } | Source::Either { .. })
                    }
                    Truth::Program(call) => {
                        let or_you = matches!(told, Source::OneOf { steps: told, or_by_hand: true } if told.as_slice() == [steps[call]]);
                        or_you || is(call, told)
                    }
                    Truth::Worked => !matches!(told, Source::BeforeVib | Source::Git { .. }),
                };
                let shown = format!("{name}:{} {text:?} is {truth:?}, told {told:?}", line.number);
                score.lines += 1;
                if right {
                    score.right += 1;
                } else if matches!(truth, Truth::Person | Truth::Changed | Truth::Meanwhile)
                    && matches!(told, Source::Step { .. })
                {
                    score.stolen.push(shown);
                } else {
                    score.wrong.push(shown);
                }
            }
        }
        score
    }

    /// The numbers of all calls, asked for while everything is told of.
    pub fn steps(&self) -> BTreeMap<String, StepNumber> {
        let engine = self.engine();
        let opened = engine.store(&Silent).unwrap();
        let steps = opened.store.steps(&StepFilter::default()).unwrap();
        steps.into_iter().filter_map(|step| Some((step.call_id?, step.number))).collect()
    }
}
