//! Stories made up by chance in which every line has its label: five clients in their own words, two agents at once, and a person who types before,
//! *during* and right after what they do, with clocks that tell nothing. A person's line is never given to an agent; where nobody can tell, the
//! answer is "one of".
//!
//! `LABELLED=FROM..TO cargo test -p vib-hooks --test all labelled` lives through other seeds.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use engine::Engine;
use engine::undo::{self, Confirmation, Options, Target};
use engine::why::{Source, WhyQuery, why};
use project::Context;
use serde_json::{Value, json};
use store::{Actor, Silent, StepFilter, StepNumber};
use vib_hooks::Client;
use vib_hooks::router::{World as Surroundings, answer};

use super::chance::Chance;

const CLIENTS: [Client; 5] =
    [Client::ClaudeCode, Client::Codex, Client::Gemini, Client::Copilot, Client::OpenCode];
const START_MS: u64 = 1_767_268_800_000;
const STEP_MS: u64 = 7_000;

/// Who wrote a line.
#[derive(Debug, Clone, PartialEq, Eq)]
enum By {
    /// It was there when vib came.
    Before,
    Person,
    /// The call of this number.
    Call(usize),
    /// A person wrote it, and a command changed a word of it.
    Changed,
    /// A script copied it, of which nobody knows what it reads: it is whose it was, or the script's.
    Copied(Box<By>, usize),
}

type Doc = Vec<(String, By)>;
type Docs = BTreeMap<String, Doc>;

#[derive(Debug, Default)]
pub struct Tally {
    lines: usize,
    right: usize,
    one_of: usize,
    stolen: Vec<String>,
    wrong: Vec<String>,
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.lines += other.lines;
        self.right += other.right;
        self.one_of += other.one_of;
        self.stolen.extend(other.stolen);
        self.wrong.extend(other.wrong);
    }
}

struct Stage {
    _folder: tempfile::TempDir,
    base: PathBuf,
    root: PathBuf,
    client: Client,
    /// None: the clock of the machine, with which files are written, too.
    clock: Option<u64>,
    docs: Docs,
    calls: usize,
    steps: BTreeMap<usize, StepNumber>,
    newest: i64,
    story: Vec<String>,
}

fn text(doc: &Doc) -> String {
    doc.iter().map(|(line, _)| format!("{line}\n")).collect()
}

/// What a call makes of the files as they are then.
type Does = Box<dyn FnOnce(&mut Docs, usize)>;

/// What an agent is about to do: the tool and its words, and what it makes of the files as they are then.
struct Call {
    session: usize,
    tool: &'static str,
    input: Value,
    shown: String,
    /// Run by a shell.
    runs: Option<String>,
    number: usize,
    does: Does,
}

impl Stage {
    fn new(client: Client, is_real_clock: bool, docs: Docs) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        let root = base.join("project");
        std::fs::create_dir_all(&root).unwrap();
        std::fs::create_dir_all(base.join("home")).unwrap();
        let mut stage = Self {
            _folder: folder,
            base,
            root,
            client,
            clock: (!is_real_clock).then_some(0),
            docs: Docs::new(),
            calls: 0,
            steps: BTreeMap::new(),
            newest: 0,
            story: Vec::new(),
        };
        stage.change(|all| *all = docs);
        let start = match client {
            Client::Copilot => "sessionStart",
            Client::OpenCode => "event",
            _ => "SessionStart",
        };
        for session in 0..2 {
            stage.hook(session, start, &json!({"source": "startup", "type": "session.created"}));
            stage.ask(session);
        }
        stage
    }

    fn context(&self) -> Context {
        let get = |name: &str| match name {
            "VIBELIGN_STATE" => Some(self.base.join("state").into_os_string()),
            "HOME" => Some(self.base.join("home").into_os_string()),
            _ => None,
        };
        let context = Context::with_environment(self.root.clone(), &get);
        match self.clock {
            Some(clock) => context.with_clock(START_MS + clock),
            None => context,
        }
    }

    fn engine(&self) -> Engine {
        Engine::open(self.context()).unwrap()
    }

    /// Changes the files, and puts what is different on the disk.
    fn change(&mut self, change: impl FnOnce(&mut Docs)) {
        let before = self.docs.clone();
        change(&mut self.docs);
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

    fn hook(&mut self, session: usize, event: &str, more: &Value) {
        if let Some(clock) = &mut self.clock {
            *clock += STEP_MS;
        }
        let name = ["x", "y"][session];
        let mut payload = match self.client {
            Client::Copilot => json!({"sessionId": name, "cwd": self.root, "timestamp": 1}),
            _ => json!({"session_id": name, "cwd": self.root, "hook_event_name": event}),
        };
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let input = payload.to_string();
        answer(&self.context(), &Surroundings::default(), self.client, Some(event), input.as_bytes());
    }

    fn ask(&mut self, session: usize) {
        let event = match self.client {
            Client::Copilot => "userPromptSubmitted",
            Client::OpenCode => "chat.message",
            Client::Gemini => "BeforeAgent",
            _ => "UserPromptSubmit",
        };
        let parts = json!({"parts": [{"type": "text", "text": "go on"}]});
        self.hook(session, event, &json!({"prompt": "go on", "output": parts}));
    }

    fn payload(&self, call: &Call) -> Value {
        let id = format!("call-{}", call.number);
        match self.client {
            Client::Copilot => json!({"toolName": call.tool, "toolArgs": call.input}),
            Client::Gemini => json!({"tool_name": call.tool, "tool_input": call.input}),
            _ => json!({"tool_name": call.tool, "tool_input": call.input, "tool_use_id": id}),
        }
    }

    fn begin(&mut self, call: &Call) {
        let event = match self.client {
            Client::Copilot => "preToolUse",
            Client::OpenCode => "tool.execute.before",
            Client::Gemini => "BeforeTool",
            _ => "PreToolUse",
        };
        self.story.push(format!("{}: session {}: {}", call.number, call.session, call.shown));
        let payload = self.payload(call);
        self.hook(call.session, event, &payload);
        let engine = self.engine();
        let opened = engine.store(&Silent).unwrap();
        let steps = opened.store.steps(&StepFilter::default()).unwrap();
        let agents = steps.iter().filter(|step| step.actor == Actor::Agent).map(|step| step.number.0);
        if let Some(newest) = agents.max().filter(|newest| *newest > self.newest) {
            self.newest = newest;
            self.steps.insert(call.number, StepNumber(newest));
        }
    }

    /// Does it; answers how long that took.
    fn run(&mut self, call: &mut Call) -> u64 {
        let began = Instant::now();
        let does = std::mem::replace(&mut call.does, Box::new(|_, _| ()));
        match &call.runs {
            None => self.change(|docs| does(docs, call.number)),
            Some(line) => {
                let ran = Command::new("bash").args(["-c", line]).current_dir(&self.root).output().unwrap();
                assert!(ran.status.success(), "{line}: {}", String::from_utf8_lossy(&ran.stderr));
                does(&mut self.docs, call.number);
                for (name, doc) in &self.docs {
                    let there = std::fs::read_to_string(self.root.join(name)).unwrap_or_default();
                    assert_eq!(there, text(doc), "the story and the disk differ in {name} after {line}");
                }
            }
        }
        u64::try_from(began.elapsed().as_millis()).unwrap()
    }

    fn end(&mut self, call: &Call, took: u64) {
        let event = match self.client {
            Client::Copilot => "postToolUse",
            Client::OpenCode => "tool.execute.after",
            Client::Gemini => "AfterTool",
            _ => "PostToolUse",
        };
        let mut payload = self.payload(call);
        let fields = payload.as_object_mut().unwrap();
        match self.client {
            Client::Copilot => {
                fields.insert(
                    "toolResult".to_owned(),
                    json!({"resultType": "success", "textResultForLlm": "done"}),
                );
            }
            Client::Gemini => {
                fields.insert(
                    "tool_response".to_owned(),
                    json!({"llmContent": "Output: done", "returnDisplay": "done"}),
                );
            }
            Client::Codex => {
                fields.insert("tool_response".to_owned(), json!("done"));
            }
            Client::OpenCode => {
                fields.insert("tool_response".to_owned(), json!({"output": "done", "metadata": {"exit": 0}}));
                fields.insert("duration_ms".to_owned(), json!(took));
            }
            _ => {
                fields.insert(
                    "tool_response".to_owned(),
                    json!({"stdout": "", "stderr": "", "interrupted": false}),
                );
                fields.insert("duration_ms".to_owned(), json!(took));
            }
        }
        self.hook(call.session, event, &payload);
    }

    fn undo(&mut self, target: &Target, then: Docs) {
        if let Some(clock) = &mut self.clock {
            *clock += STEP_MS;
        }
        let engine = self.engine();
        let yes =
            engine::person::require(&self.context(), engine::person::Act::GoBack, &engine::person::nobody);
        let preview = undo::preview(&engine, target, &Options::default(), &Silent).unwrap();
        undo::apply(&engine, &preview, Confirmation::Yes(yes.unwrap()), &Silent).unwrap();
        self.story.push(format!("{target:?} undone"));
        // What it is not sure of it leaves; then the story goes on with what is there.
        self.docs = then;
    }

    fn tally(&self) -> Tally {
        let engine = self.engine();
        let mut out = Tally::default();
        let by_hand: Vec<StepNumber> = {
            let opened = engine.store(&Silent).unwrap();
            let steps = opened.store.steps(&StepFilter::default()).unwrap();
            steps.iter().filter(|step| step.actor == Actor::ByHand).map(|step| step.number).collect()
        };
        for (name, doc) in self.docs.iter().filter(|(_, doc)| !doc.is_empty()) {
            let report = why(&engine, &WhyQuery::file(self.root.join(name)), &Silent).unwrap();
            assert_eq!(report.lines.len(), doc.len(), "{name}");
            for (line, (text, by)) in report.lines.iter().zip(doc) {
                assert_eq!(&line.text, text, "{name}");
                let told = &report.sources[line.source];
                out.lines += 1;
                let is_one_of = matches!(told, Source::OneOf { .. } | Source::Either { .. });
                out.one_of += usize::from(is_one_of);
                let shown = || {
                    let around = line.number.saturating_sub(7)..(line.number + 6).min(doc.len());
                    format!(
                        "{name}:{} {text:?} is {by:?}, told {told:?}\n     {:?}",
                        line.number, &doc[around]
                    )
                };
                if self.is_right(by, told, &by_hand) {
                    out.right += 1;
                } else if matches!(by, By::Person | By::Changed) && self.is_agents(told, &by_hand) {
                    out.stolen.push(shown());
                } else {
                    out.wrong.push(shown());
                }
            }
        }
        out
    }

    fn may_be_hand(told: &Source, by_hand: &[StepNumber]) -> bool {
        match told {
            Source::ByHand { .. } | Source::Unsaved => true,
            Source::OneOf { steps, or_by_hand } => {
                *or_by_hand || steps.iter().any(|step| by_hand.contains(step))
            }
            Source::Either { of } => of.iter().any(|one| Self::may_be_hand(one, by_hand)),
            _ => false,
        }
    }

    fn is_agents(&self, told: &Source, by_hand: &[StepNumber]) -> bool {
        let is_step = matches!(told, Source::Step { .. } | Source::OneOf { .. } | Source::Either { .. });
        is_step && !Self::may_be_hand(told, by_hand)
    }

    fn is_right(&self, by: &By, told: &Source, by_hand: &[StepNumber]) -> bool {
        let of_call = |call: &usize| -> bool {
            let Some(step) = self.steps.get(call) else { return false };
            fn has(told: &Source, step: StepNumber) -> bool {
                match told {
                    Source::Step { steps, .. } | Source::OneOf { steps, .. } => steps.contains(&step),
                    Source::Either { of } => of.iter().any(|one| has(one, step)),
                    _ => false,
                }
            }
            has(told, *step)
        };
        match by {
            By::Before => match told {
                Source::Either { of } => of.contains(&Source::BeforeVib),
                other => *other == Source::BeforeVib,
            },
            By::Person | By::Changed => Self::may_be_hand(told, by_hand),
            By::Call(call) => of_call(call),
            By::Copied(by, call) => of_call(call) || self.is_right(by, told, by_hand),
        }
    }
}

struct Story {
    stage: Stage,
    chance: Chance,
    number: usize,
    /// Another call uses the script.
    no_script: bool,
    /// Lines that edits under way are about.
    waits_for: Vec<String>,
}

const VERBS: [&str; 6] = ["load", "store", "print", "count", "merge", "split"];
const THINGS: [&str; 6] = ["orders", "prices", "users", "teas", "bills", "routes"];

impl Story {
    fn line(&mut self) -> String {
        self.number += 1;
        let number = self.number;
        let indent = "  ".repeat(self.chance.below(3));
        let (verb, thing) = (VERBS[self.chance.below(6)], THINGS[self.chance.below(6)]);
        match self.chance.below(5) {
            0 => format!("{indent}x{number} = 1;"),
            1 => format!("{indent}// {verb} the {thing}, as said in note {number}"),
            _ => format!("{indent}const {verb}_{number} = {verb}({thing}, {number});"),
        }
    }

    fn lines(&mut self, most: usize, by: &By) -> Doc {
        (0..1 + self.chance.below(most)).map(|_| (self.line(), by.clone())).collect()
    }

    /// A block that ends with a bracket, now and then.
    fn block(&mut self, by: &By) -> Doc {
        if self.chance.below(3) > 0 {
            return self.lines(3, by);
        }
        self.number += 1;
        let mut out = vec![(format!("function f{}() {{", self.number), by.clone())];
        out.extend(self.lines(2, by));
        out.push(("}".to_owned(), by.clone()));
        out
    }

    fn some_file(&mut self) -> String {
        let names: Vec<&String> = self
            .stage
            .docs
            .iter()
            .filter(|(name, doc)| name.ends_with(".js") && doc.len() > 5)
            .map(|(name, _)| name)
            .collect();
        names[self.chance.below(names.len())].clone()
    }

    fn new_file(&mut self) -> String {
        self.number += 1;
        format!("src/n{}.js", self.number)
    }

    /// A person types into a file.
    fn types(&mut self, name: &str) {
        let typed = self.block(&By::Person);
        let length = self.stage.docs.get(name).map_or(0, Vec::len);
        let at = if self.chance.below(3) == 0 { length } else { self.chance.below(length + 1) };
        let mut replaces = self.chance.below(4) == 0;
        // A tool that does not find its text does nothing, and its client says so: another story.
        let is_waited_for = |line: &str| self.waits_for.iter().any(|text| text == line);
        replaces &= !self
            .stage
            .docs
            .get(name)
            .and_then(|doc| doc.get(at))
            .is_some_and(|(line, _)| is_waited_for(line));
        let shown: Vec<&String> = typed.iter().map(|(line, _)| line).collect();
        self.stage.story.push(format!("  person types {shown:?} into {name} at {at}"));
        self.stage.change(|docs| {
            let doc = docs.entry(name.to_owned()).or_default();
            let to = if replaces { (at + 1).min(doc.len()) } else { at };
            doc.splice(at..to, typed);
        });
    }

    /// An edit tool's call: some lines are replaced, others are put in.
    fn edit(&mut self, session: usize, name: &str) -> Call {
        self.stage.calls += 1;
        let number = self.stage.calls;
        let doc = self.stage.docs[name].clone();
        let is_once = |at: usize| doc.iter().filter(|(line, _)| *line == doc[at].0).count() == 1;
        let places: Vec<usize> =
            (1..doc.len() - 1).filter(|at| is_once(*at) && doc[*at].0.len() > 3).collect();
        let at = places[self.chance.below(places.len())];
        let keeps = self.chance.below(2) == 0;
        let mut new = self.block(&By::Call(number));
        if keeps {
            new.insert(0, doc[at].clone());
        }
        let old = doc[at].0.clone();
        self.waits_for.push(old.clone());
        if self.stage.client == Client::Codex {
            self.waits_for.push(doc[at - 1].0.clone());
        }
        let new_text: Vec<&str> = new.iter().map(|(line, _)| line.as_str()).collect();
        let file = self.stage.root.join(name);
        let joined = new_text.join("\n");
        let (tool, input) = match self.stage.client {
            Client::Codex => {
                let plus: String =
                    new_text.iter().skip(usize::from(keeps)).map(|line| format!("+{line}\n")).collect();
                let minus = if keeps { format!(" {old}\n") } else { format!("-{old}\n") };
                let before = format!(" {}\n", doc[at - 1].0);
                let patch = format!(
                    "*** Begin Patch\n*** Update File: {name}\n@@\n{before}{minus}{plus}*** End Patch"
                );
                ("apply_patch", json!({"command": patch}))
            }
            Client::Gemini => {
                ("replace", json!({"file_path": file, "old_string": old, "new_string": joined}))
            }
            Client::Copilot => ("edit", json!({"path": file, "old_str": old, "new_str": joined})),
            Client::OpenCode => ("edit", json!({"filePath": file, "oldString": old, "newString": joined})),
            _ if self.chance.below(2) == 0 => (
                "MultiEdit",
                json!({"file_path": file, "edits": [{"old_string": old, "new_string": joined}]}),
            ),
            _ => ("Edit", json!({"file_path": file, "old_string": old, "new_string": joined})),
        };
        let shown = format!("{tool} {name}: {old:?} -> {new_text:?}");
        let name = name.to_owned();
        let does = Box::new(move |docs: &mut Docs, _| {
            let doc = docs.get_mut(&name).unwrap();
            // A person may have typed into that very place: then the tool finds nothing to replace.
            let Some(at) = doc.iter().position(|(line, _)| *line == old) else { return };
            let was = doc[at].clone();
            if keeps {
                new[0] = was;
            }
            doc.splice(at..=at, new);
        });
        Call { session, tool, input, shown, runs: None, number, does }
    }

    /// A command. `name`: the file that it is about.
    fn command(&mut self, session: usize, name: &str) -> Call {
        self.stage.calls += 1;
        let number = self.stage.calls;
        let by = By::Call(number);
        let name = name.to_owned();
        let doc = self.stage.docs[&name].clone();
        let quoted = |doc: &Doc| -> String { doc.iter().map(|(line, _)| format!(" '{line}'")).collect() };
        let mut is_real = true;
        let way = self.chance.below(13);
        let (line, does): (String, Does) = match way {
            0 | 1 => {
                let words: Vec<&str> = doc
                    .iter()
                    .filter_map(|(line, _)| {
                        line.trim().strip_prefix("const ")?.split_once(' ').map(|(word, _)| word)
                    })
                    .collect();
                let old = if words.is_empty() {
                    "nothing_like_it".to_owned()
                } else {
                    words[self.chance.below(words.len())].to_owned()
                };
                let new = format!("renamed_{number}");
                let line = format!("sed -i 's/{old}/{new}/g' {name}");
                let does = move |docs: &mut Docs, number: usize| {
                    for (line, by) in docs.get_mut(&name).unwrap() {
                        if line.contains(&old) {
                            *line = line.replace(&old, &new);
                            *by = match by {
                                By::Person | By::Changed => By::Changed,
                                _ => By::Call(number),
                            };
                        }
                    }
                };
                (line, Box::new(does))
            }
            2 | 3 => {
                let added = self.block(&by);
                let line = match self.chance.below(3) {
                    0 => format!("printf '%s\\n'{} >> {name}", quoted(&added)),
                    1 => format!("cat >> {name} <<'EOF'\n{}EOF", text(&added)),
                    _ => added
                        .iter()
                        .map(|(line, _)| format!("echo '{line}' >> {name}"))
                        .collect::<Vec<_>>()
                        .join(" && "),
                };
                (line, Box::new(move |docs, _| docs.get_mut(&name).unwrap().extend(added)))
            }
            4 => {
                let to = self.new_file();
                (
                    format!("cp {name} {to}"),
                    Box::new(move |docs, _| {
                        let doc = docs[&name].clone();
                        docs.insert(to, doc);
                    }),
                )
            }
            5 => {
                let to = self.new_file();
                (
                    format!("mv {name} {to}"),
                    Box::new(move |docs, _| {
                        let doc = docs.remove(&name).unwrap();
                        docs.insert(to, doc);
                    }),
                )
            }
            6 => (
                format!("LC_ALL=C sort -o {name} {name}"),
                Box::new(move |docs, _| {
                    docs.get_mut(&name).unwrap().sort_by(|one, other| one.0.cmp(&other.0));
                }),
            ),
            7 => (
                format!("sed -i '2d' {name}"),
                Box::new(move |docs, _| {
                    docs.get_mut(&name).unwrap().remove(1);
                }),
            ),
            8 if !self.no_script => {
                // A script that copies the end of a file without naming anything in the command.
                let (to, count) = (self.new_file(), 2 + self.chance.below(6));
                self.stage.change(|docs| {
                    let told = vec![
                        (format!("from={name}"), By::Person),
                        (format!("to={to}"), By::Person),
                        (format!("count={count}"), By::Person),
                    ];
                    docs.insert("tools/told.conf".to_owned(), told);
                });
                let does = move |docs: &mut Docs, number: usize| {
                    let doc = &docs[&name];
                    let end = doc[doc.len().saturating_sub(count)..].iter().map(|(line, by)| {
                        let by = match by {
                            By::Person | By::Changed => by.clone(),
                            other => By::Copied(Box::new(other.clone()), number),
                        };
                        (line.clone(), by)
                    });
                    let end: Doc = end.collect();
                    docs.insert(to, end);
                };
                ("sh tools/copy.sh".to_owned(), Box::new(does))
            }
            9 => {
                is_real = false;
                let added = self.block(&by);
                (
                    "node tools/gen.js --all".to_owned(),
                    Box::new(move |docs, _| docs.get_mut(&name).unwrap().extend(added)),
                )
            }
            10 => {
                is_real = false;
                let added = self.block(&by);
                let line = format!("node tools/gen.js >> {name}");
                (line, Box::new(move |docs, _| docs.get_mut(&name).unwrap().extend(added)))
            }
            11 => {
                is_real = false;
                let to = self.new_file();
                let doc = self.lines(6, &by);
                (
                    format!("node tools/gen.js > {to}"),
                    Box::new(move |docs, _| {
                        docs.insert(to, doc);
                    }),
                )
            }
            _ => {
                is_real = false;
                let line = format!("npx prettier --write {name}");
                let does = move |docs: &mut Docs, _| {
                    for (line, _) in docs.get_mut(&name).unwrap() {
                        let blanks = line.len() - line.trim_start().len();
                        *line =
                            format!("{}{}", " ".repeat(blanks * 2), line.trim_start().trim_end_matches(';'));
                    }
                };
                (line, Box::new(does))
            }
        };
        let tool = match self.stage.client {
            Client::Gemini => "run_shell_command",
            Client::Copilot | Client::OpenCode => "bash",
            _ => "Bash",
        };
        let input = json!({"command": line, "description": "scripted"});
        Call { session, tool, input, shown: line.clone(), runs: is_real.then_some(line), number, does }
    }

    fn call(&mut self, session: usize) -> (Call, String) {
        let name = self.some_file();
        let call =
            if self.chance.below(2) == 0 { self.edit(session, &name) } else { self.command(session, &name) };
        (call, name)
    }

    /// Whether a person types at this moment: into the very file, or into another.
    fn may_type(&mut self, name: &str) {
        match self.chance.below(6) {
            0 if self.stage.docs.contains_key(name) => self.types(name),
            1 => {
                let other = self.some_file();
                self.types(&other);
            }
            _ => {}
        }
    }

    fn one_call(&mut self) {
        self.waits_for.clear();
        let session = self.chance.below(2);
        let before = self.stage.docs.clone();
        let (mut call, name) = self.call(session);
        self.stage.begin(&call);
        self.may_type(&name);
        let took = self.stage.run(&mut call);
        self.may_type(&name);
        self.stage.end(&call, took);
        if self.chance.below(8) == 0 && self.stage.docs != before {
            self.go_back(call.number, &before);
        }
    }

    /// Takes a call back, and perhaps that again. What a person typed meanwhile stays, so only calls beside which nobody typed.
    fn go_back(&mut self, call: usize, before: &Docs) {
        let typed = self.stage.story.last().is_some_and(|last| last.starts_with("  person"))
            || self.stage.story.iter().rev().nth(1).is_some_and(|last| last.starts_with("  person"));
        let Some(step) = self.stage.steps.get(&call).copied().filter(|_| !typed) else { return };
        let after = self.stage.docs.clone();
        // What is not sure to be the step's stays.
        self.stage.undo(&Target::Step(step), before.clone());
        let is_all = before.iter().all(|(name, doc)| {
            std::fs::read_to_string(self.stage.root.join(name)).is_ok_and(|there| there == text(doc))
        });
        let gone = after.keys().filter(|name| !before.contains_key(*name));
        let is_all = is_all && gone.clone().all(|name| !self.stage.root.join(name).exists());
        if !is_all {
            self.stage.docs = after;
            return;
        }
        if self.chance.below(2) == 0 {
            self.stage.undo(&Target::Redo, after);
        }
    }

    /// Two agents at once, each in a file of its own or both in one.
    fn two_calls(&mut self) {
        self.waits_for.clear();
        let (mut one, first) = self.call(0);
        self.stage.begin(&one);
        let second = if self.chance.below(3) == 0 { first.clone() } else { self.some_file() };
        self.no_script = true;
        let mut other =
            if self.chance.below(2) == 0 { self.edit(1, &second) } else { self.command(1, &second) };
        self.no_script = false;
        // What one takes away the other cannot work on.
        let changes_lines = ["npx", "sed -i"].iter().any(|word| one.shown.starts_with(word));
        let is_edit = other.runs.is_none() && !other.shown.starts_with("n");
        if one.shown.starts_with("mv ")
            || first == second && (other.shown.starts_with("mv ") || is_edit && changes_lines)
        {
            let took = self.stage.run(&mut one);
            return self.stage.end(&one, took);
        }
        self.stage.begin(&other);
        self.may_type(&first);
        let took = self.stage.run(&mut one);
        let other_took = self.stage.run(&mut other);
        self.may_type(&second);
        self.stage.end(&other, other_took);
        self.stage.end(&one, took);
    }

    fn live(seed: u64) -> Self {
        let mut chance = Chance::new(seed);
        let client = CLIENTS[usize::try_from(seed).unwrap() % CLIENTS.len()];
        let is_real_clock = chance.below(2) == 0;
        let mut story = Self {
            stage: Stage::new(client, is_real_clock, Docs::new()),
            chance,
            number: 0,
            no_script: false,
            waits_for: Vec::new(),
        };
        let mut docs = Docs::new();
        for name in ["a.js", "src/b.js", "src/c.js"] {
            let doc = (0..9 + story.chance.below(8)).map(|_| (story.line(), By::Before)).collect();
            docs.insert(name.to_owned(), doc);
        }
        let script = ". ./tools/told.conf\ntail -n \"$count\" \"$from\" > \"$to\"\n";
        docs.insert(
            "tools/copy.sh".to_owned(),
            script.lines().map(|line| (line.to_owned(), By::Before)).collect(),
        );
        story.stage = Stage::new(client, is_real_clock, docs);
        for _ in 0..14 {
            if story.chance.below(2) == 0 {
                let name = story.some_file();
                story.types(&name);
            }
            match story.chance.below(10) {
                0 => {
                    let session = story.chance.below(2);
                    story.stage.ask(session);
                }
                1 | 2 => story.two_calls(),
                3 => {
                    // Bytes that are no text, by a person.
                    std::fs::write(story.stage.root.join("image.bin"), [0, 159, 146, 150, 7]).unwrap();
                }
                _ => story.one_call(),
            }
        }
        story.stage.ask(0);
        story
    }
}

/// Lives through these seeds.
pub fn told(seeds: std::ops::Range<u64>) {
    let mut all = Tally::default();
    for seed in seeds.clone() {
        let story = Story::live(seed);
        let tally = story.stage.tally();
        if !tally.stolen.is_empty() || !tally.wrong.is_empty() {
            println!(
                "seed {seed}, {:?}, clock {:?}:\n  {}",
                story.stage.client,
                story.stage.clock,
                story.stage.story.join("\n  ")
            );
            println!("  steps {:?}", story.stage.steps);
            tally.stolen.iter().for_each(|line| println!("  STOLEN {line}"));
            tally.wrong.iter().for_each(|line| println!("  wrong {line}"));
        }
        all.add(tally);
    }
    let share = |part: usize| part as f64 * 100.0 / all.lines.max(1) as f64;
    println!(
        "seeds {seeds:?}: {} of {} lines right ({:.2} %), {} of a person's given to an agent, {:.1} % one of",
        all.right,
        all.lines,
        share(all.right),
        all.stolen.len(),
        share(all.one_of)
    );
    assert!(all.stolen.is_empty(), "{seeds:?}:\n{}", all.stolen.join("\n"));
    assert!(share(all.right) >= 99.0, "{seeds:?}:\n{}", all.wrong.join("\n"));
}
