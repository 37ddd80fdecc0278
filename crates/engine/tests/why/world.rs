//! A project in which everybody who works writes down what they wrote: the truth that `why` is held to.
//!
//! Every file is kept twice: on the disk, and here as lines with their writers. What an actor does is done to both. Nothing of how
//! vib attributes lines is known here.

use std::collections::BTreeMap;
use std::path::PathBuf;

use engine::Engine;
use engine::undo::{self, Confirmation, Options, Target};
use project::{Context, RelPath};
use store::{
    Actor, CheckpointKind, Claims, Ending, Moment, NewStep, Outcome, Serves, Silent, SnapshotRequest,
    StepNumber,
};
use vib_engine as engine;

/// Who really wrote a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Truth {
    /// It was there when vib came.
    Before,
    /// A person typed it.
    Person,
    /// This step of an agent.
    Step(StepNumber),
    /// One of two that ran at the same time: nobody outside can know.
    OneOf(Vec<StepNumber>),
}

/// A text with its writers, line by line, without line ends.
pub type Doc = Vec<(String, Truth)>;

/// What came of comparing.
#[derive(Debug, Default, Clone)]
pub struct Score {
    /// Lines that were asked about.
    pub lines: usize,
    /// Of them, those whose writer was told.
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
    pub root: PathBuf,
    pub engine: Engine,
    pub docs: BTreeMap<String, Doc>,
    turns: BTreeMap<String, usize>,
    clock: u64,
}

/// The proof that a person is here: tests have no agent above them.
fn person() -> vib_engine::person::ByPerson {
    use vib_engine::person::{Act, nobody, require};
    require(&Context::with_environment(std::env::temp_dir(), &|_| None), Act::GoBack, &nobody).unwrap()
}

impl World {
    /// A project with these files, which vib sees for the first time.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let base = tempfile::tempdir().unwrap();
        let real = base.path().canonicalize().unwrap();
        let root = real.join("project");
        std::fs::create_dir_all(&root).unwrap();
        let get = |variable: &str| match variable {
            "HOME" => Some(real.join("home").into_os_string()),
            "VIBELIGN_STATE" => Some(real.join("state").into_os_string()),
            _ => None,
        };
        let context = Context::with_environment(root.clone(), &get).with_clock(START_MS);
        let engine = Engine::open(context).unwrap();
        let mut world =
            Self { _base: base, root, engine, docs: BTreeMap::new(), turns: BTreeMap::new(), clock: 0 };
        for (name, text) in files {
            world.docs.insert((*name).to_owned(), doc(text, &Truth::Before));
            world.put(name);
        }
        world.look();
        world
    }

    fn tick(&mut self) {
        self.clock += STEP_MS;
        self.engine.context().set_clock(START_MS + self.clock);
    }

    /// Lets so many days go by.
    pub fn days_later(&mut self, days: u64) {
        self.clock += days * 86_400_000;
        self.tick();
    }

    /// Writes a file as it is here to the disk, or takes it away.
    fn put(&self, name: &str) {
        let path = self.root.join(name);
        match self.docs.get(name) {
            Some(doc) => {
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                let text: String = doc.iter().map(|(line, _)| format!("{line}\n")).collect();
                std::fs::write(path, text).unwrap();
            }
            None => {
                let _ = std::fs::remove_file(path);
            }
        }
    }

    /// Puts everything that is different.
    fn put_all(&self, before: &BTreeMap<String, Doc>) {
        let names: std::collections::BTreeSet<&String> = before.keys().chain(self.docs.keys()).collect();
        for name in names {
            let text = |docs: &BTreeMap<String, Doc>| {
                docs.get(name).map(|doc| doc.iter().map(|(line, _)| line.clone()).collect::<Vec<_>>())
            };
            if text(before) != text(&self.docs) {
                self.put(name);
            }
        }
    }

    fn snapshot(&mut self, mut request: SnapshotRequest, only: Option<&str>) -> Option<StepNumber> {
        self.tick();
        request.origin.trigger.get_or_insert_with(|| match &request.moment {
            Moment::After(..) => "after".to_owned(),
            _ => "tool".to_owned(),
        });
        let mut opened = self.engine.store(&Silent).unwrap();
        match only {
            Some(name) => {
                let path = RelPath::new(name.as_bytes()).unwrap();
                opened.store.snapshot_paths(&request, &[path]).unwrap().step
            }
            None => {
                let lock = opened.store.lock_tree("test").unwrap();
                opened.store.snapshot_tree(&lock, &request, &[], &Silent).unwrap().step
            }
        }
    }

    /// A look between steps: what is different was done by hand.
    pub fn look(&mut self) {
        self.snapshot(SnapshotRequest::new(CheckpointKind::Turn), None);
    }

    /// A person asks an agent for something.
    pub fn ask(&mut self, session: &str, words: &str) {
        let turn = self.turns.entry(session.to_owned()).or_insert(0);
        *turn += 1;
        let mut request = SnapshotRequest::new(CheckpointKind::Turn);
        request.origin.session = Some(session.to_owned());
        request.origin.turn = Some(turn.to_string());
        request.origin.prompt = Some(words.to_owned());
        request.origin.trigger = Some("prompt".to_owned());
        self.snapshot(request, None);
    }

    fn new_step(&self, session: &str, tool: &str, what: &str, only: Option<&str>) -> NewStep {
        let mut step = NewStep::of(Actor::Agent);
        step.client = Some(if session.starts_with("codex") { "codex" } else { "claude-code" }.to_owned());
        step.session = Some(session.to_owned());
        let turn = self.turns.get(session).copied().unwrap_or(0);
        step.serves = Some(Serves { session: session.to_owned(), turn: turn.to_string() });
        step.tool = Some(tool.to_owned());
        step.what = Some(what.to_owned());
        step.claims =
            only.map_or(Claims::Anywhere, |name| Claims::Named(vec![RelPath::new(name.as_bytes()).unwrap()]));
        step
    }

    /// Begins a step; `only`: an edit of this file.
    pub fn begin(&mut self, session: &str, what: &str, only: Option<&str>) -> StepNumber {
        let tool = if only.is_some() { "Edit" } else { "Bash" };
        let mut request = SnapshotRequest::new(CheckpointKind::Turn);
        request.moment = Moment::Before(Box::new(self.new_step(session, tool, what, only)));
        self.snapshot(request, only).unwrap()
    }

    pub fn end(&mut self, step: StepNumber, only: Option<&str>) {
        let mut request = SnapshotRequest::new(CheckpointKind::Turn);
        request.moment = Moment::After(step, Outcome::of(Ending::Ran));
        self.snapshot(request, only);
    }

    /// An agent edits one file with its edit tool.
    pub fn edit(&mut self, session: &str, name: &str, change: impl FnOnce(&mut Doc, &Truth)) -> StepNumber {
        let step = self.begin(session, name, Some(name));
        let doc = self.docs.entry(name.to_owned()).or_default();
        change(doc, &Truth::Step(step));
        self.put(name);
        self.end(step, Some(name));
        step
    }

    /// An agent runs a command that may change anything.
    pub fn shell(
        &mut self,
        session: &str,
        line: &str,
        change: impl FnOnce(&mut BTreeMap<String, Doc>, &Truth),
    ) -> StepNumber {
        let step = self.begin(session, line, None);
        let before = self.docs.clone();
        change(&mut self.docs, &Truth::Step(step));
        self.put_all(&before);
        self.end(step, None);
        step
    }

    /// A person types; the next look finds it.
    pub fn person(&mut self, change: impl FnOnce(&mut BTreeMap<String, Doc>)) {
        let before = self.docs.clone();
        change(&mut self.docs);
        self.put_all(&before);
    }

    /// Writes what is here without saying to anybody: for what happens while steps run.
    pub fn meanwhile(&mut self, change: impl FnOnce(&mut BTreeMap<String, Doc>)) {
        self.person(change);
    }

    /// Takes something back with vib; `then` is what the files are afterwards.
    pub fn undo(&mut self, target: &Target, then: BTreeMap<String, Doc>) {
        self.tick();
        let preview = undo::preview(&self.engine, target, &Options::default(), &Silent).unwrap();
        let done = undo::apply(&self.engine, &preview, Confirmation::Yes(person()), &Silent).unwrap();
        assert!(done.is_complete(), "{:?}", done.result.kept);
        self.docs = then;
        self.assert_disk();
    }

    /// The truth here is the truth on the disk: else the story itself is wrong.
    pub fn assert_disk(&self) {
        for (name, doc) in &self.docs {
            let text: String = doc.iter().map(|(line, _)| format!("{line}\n")).collect();
            let there = std::fs::read_to_string(self.root.join(name)).unwrap_or_default();
            assert_eq!(there, text, "the story and the disk differ in {name}");
        }
    }

    /// Lets old states go, as vib does by itself.
    pub fn clean(&mut self) {
        self.tick();
        let mut opened = self.engine.store(&Silent).unwrap();
        let lock = opened.store.lock_tree("test").unwrap();
        opened.store.gc(&lock, None, &Silent).unwrap();
    }

    /// Asks vib about every line of every file.
    pub fn score(&self) -> Score {
        self.assert_disk();
        let mut score = Score::default();
        for name in self.docs.keys() {
            score.add(self.score_of(name));
        }
        score
    }

    pub fn score_of(&self, name: &str) -> Score {
        use engine::why::{Source, WhyQuery, why};
        let doc = &self.docs[name];
        let mut score = Score { lines: doc.len(), ..Score::default() };
        if doc.is_empty() {
            return score;
        }
        let report = why(&self.engine, &WhyQuery::file(self.root.join(name)), &Silent).unwrap();
        assert_eq!(report.lines.len(), doc.len(), "{name}: {report:?}");
        for (line, (text, truth)) in report.lines.iter().zip(doc) {
            assert_eq!(&line.text, text, "{name}");
            let told = &report.sources[line.source];
            let right = match (truth, told) {
                (Truth::Before, Source::BeforeVib | Source::Git { .. }) => true,
                (Truth::Person, Source::ByHand { .. } | Source::Unsaved) => true,
                (Truth::Step(step), Source::Step { steps, .. }) => steps.as_slice() == [*step],
                (Truth::OneOf(all), Source::Step { steps, .. }) => steps == all,
                _ => false,
            };
            let shown = format!("{name}:{} {text:?} is {truth:?}, told {told:?}", line.number);
            match truth {
                _ if right => score.right += 1,
                Truth::Person if matches!(told, Source::Step { .. }) => score.stolen.push(shown),
                _ => score.wrong.push(shown),
            }
        }
        score
    }
}

/// A text, all of it by one writer.
pub fn doc(text: &str, truth: &Truth) -> Doc {
    text.lines().map(|line| (line.to_owned(), truth.clone())).collect()
}

/// Puts lines before line `at`, counted from zero.
pub fn insert(doc: &mut Doc, at: usize, text: &str, truth: &Truth) {
    doc.splice(at..at, self::doc(text, truth));
}

/// Puts other lines in the place of some.
pub fn replace(doc: &mut Doc, range: std::ops::Range<usize>, text: &str, truth: &Truth) {
    doc.splice(range, self::doc(text, truth));
}

/// The number of the line that holds these words.
pub fn at(doc: &Doc, words: &str) -> usize {
    doc.iter().position(|(line, _)| line.contains(words)).unwrap_or_else(|| panic!("no line has {words:?}"))
}

impl World {
    /// Takes something back; the files are afterwards as in one of these, whichever the merge makes of it.
    pub fn undo_as_it_comes(&mut self, target: &Target, ways: &[BTreeMap<String, Doc>]) {
        self.tick();
        let preview = undo::preview(&self.engine, target, &Options::default(), &Silent).unwrap();
        undo::apply(&self.engine, &preview, Confirmation::Yes(person()), &Silent).unwrap();
        let fits = |way: &&BTreeMap<String, Doc>| {
            way.iter().all(|(name, doc)| {
                let text: String = doc.iter().map(|(line, _)| format!("{line}\n")).collect();
                std::fs::read_to_string(self.root.join(name)).unwrap_or_default() == text
            })
        };
        self.docs = ways.iter().find(fits).expect("one of the ways").clone();
    }
}
