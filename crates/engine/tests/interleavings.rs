//! Several agents, a person and a background program in one tree, in any order: every change stands in exactly one step or says that
//! it is shared; taking back what one session did alters no line that another wrote; undo and redo cancel out; nothing is lost.
//!
//! `PROPTEST_CASES=1000` for the long run; a failure prints what led to it, and the seed is kept by proptest.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails where it stands")]

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use engine::undo::{self, Confirmation, Options, Target, UndoReport};
use engine::{Engine, Error};
use project::{Context, RelPath};
use proptest::prelude::*;
use store::{
    Actor, Announced, CheckpointKind, Claims, Ending, Entry, Moment, NewStep, Outcome, Serves, Silent,
    SnapshotRequest, StepNumber, Swap,
};
use testkit::Photo;
use vib_engine as engine;

const FILES: usize = 6;
const LINES: usize = 24;
const SESSIONS: usize = 4;
const PERSON: usize = SESSIONS;
const BACKGROUND: usize = SESSIONS + 1;

/// The proof that a person is here: tests have no agent above them.
fn person() -> vib_engine::person::ByPerson {
    use vib_engine::person::{Act, nobody, require};
    require(&Context::with_environment(std::env::temp_dir(), &|_| None), Act::GoBack, &nobody).unwrap()
}

#[derive(Debug, Clone)]
enum Event {
    /// A person asks a session for something.
    Prompt(usize),
    /// A session begins to edit one file.
    BeginEdit(usize, usize),
    /// A session announces an edit of one line, and waits.
    Announce(usize, usize, usize),
    /// What it announced is really done.
    Carry(usize),
    /// The client dies, or the person says no: nobody says how it ended.
    CutOff(usize),
    /// The person speaks while it goes on.
    SpeakOver(usize),
    /// A session begins a command that may write anywhere.
    BeginCommand(usize),
    /// A session writes a line, if a step of it is going on.
    Write(usize, usize, usize),
    /// A session removes a file.
    Remove(usize, usize),
    /// What a session has begun ends.
    End(usize),
    /// The person writes a line.
    Person(usize, usize),
    /// A background program writes a line.
    Background(usize, usize),
    /// The person takes back the last request of a session.
    Undo(usize),
    /// And walks forward again at once.
    UndoRedo(usize),
    /// The person walks forward, whatever was done since.
    Redo,
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let session = 0..SESSIONS;
    let file = 0..FILES;
    let line = 0..LINES;
    let event = prop_oneof![
        2 => session.clone().prop_map(Event::Prompt),
        4 => (session.clone(), file.clone()).prop_map(|(session, file)| Event::BeginEdit(session, file)),
        5 => (session.clone(), file.clone(), line.clone()).prop_map(|(s, f, l)| Event::Announce(s, f, l)),
        4 => session.clone().prop_map(Event::Carry),
        2 => session.clone().prop_map(Event::CutOff),
        1 => session.clone().prop_map(Event::SpeakOver),
        3 => session.clone().prop_map(Event::BeginCommand),
        12 => (session.clone(), file.clone(), line.clone()).prop_map(|(s, f, l)| Event::Write(s, f, l)),
        1 => (session.clone(), file.clone()).prop_map(|(session, file)| Event::Remove(session, file)),
        6 => session.clone().prop_map(Event::End),
        3 => (file.clone(), line.clone()).prop_map(|(file, line)| Event::Person(file, line)),
        2 => (file, line).prop_map(|(file, line)| Event::Background(file, line)),
        2 => session.clone().prop_map(Event::Undo),
        1 => session.prop_map(Event::UndoRedo),
        1 => Just(Event::Redo),
    ];
    proptest::collection::vec(event, 10..70)
}

/// A step that is going on.
struct Running {
    number: StepNumber,
    /// The one file of an edit.
    file: Option<usize>,
    /// The line that it announced, what stands there, and what would.
    announced: Option<(usize, String, String)>,
}

struct World {
    _base: tempfile::TempDir,
    root: PathBuf,
    engine: Engine,
    running: Vec<Option<Running>>,
    prompts: Vec<usize>,
    written: usize,
    /// For each session the words of others that look like its own from outside: nobody could tell them apart.
    blurred: HashMap<usize, HashSet<String>>,
    /// The state of the files when vib saw them first.
    first: BTreeMap<String, Option<Entry>>,
    first_seq: i64,
    /// How much was written when each undo that still stands was done.
    undone_at: Vec<usize>,
}

impl World {
    fn new() -> Self {
        let base = tempfile::tempdir().unwrap();
        let real = base.path().canonicalize().unwrap();
        let root = real.join("project");
        std::fs::create_dir_all(&root).unwrap();
        for file in 0..FILES {
            let lines: Vec<String> = (0..LINES).map(|line| format!("file {file} line {line}\n")).collect();
            std::fs::write(root.join(name(file)), lines.concat()).unwrap();
        }
        let get = |variable: &str| match variable {
            "HOME" => Some(real.join("home").into_os_string()),
            "VIBELIGN_STATE" => Some(real.join("state").into_os_string()),
            _ => None,
        };
        let engine = Engine::open(Context::with_environment(root.clone(), &get)).unwrap();
        let mut world = Self {
            _base: base,
            root,
            engine,
            running: (0..SESSIONS).map(|_| None).collect(),
            prompts: vec![0; SESSIONS],
            written: 0,
            blurred: HashMap::new(),
            first: BTreeMap::new(),
            first_seq: 0,
            undone_at: Vec::new(),
        };
        for session in 0..SESSIONS {
            world.prompt(session);
        }
        let opened = world.engine.store(&Silent).unwrap();
        let state = opened.store.recorded_state().unwrap();
        for file in 0..FILES {
            let entry = opened.store.entry_in(&state, name(file).as_bytes()).unwrap();
            world.first.insert(name(file), entry);
        }
        world.first_seq = opened.store.change_counter().unwrap();
        drop(opened);
        world
    }

    fn look(&self, mut request: SnapshotRequest, path: Option<&RelPath>) -> Option<StepNumber> {
        request.origin.trigger.get_or_insert_with(|| match &request.moment {
            Moment::After(..) => "after".to_owned(),
            _ => "tool".to_owned(),
        });
        let mut opened = self.engine.store(&Silent).unwrap();
        match path {
            Some(path) => opened.store.snapshot_paths(&request, std::slice::from_ref(path)).unwrap().step,
            None => {
                let lock = opened.store.lock_tree("test").unwrap();
                opened.store.snapshot_tree(&lock, &request, &[], &Silent).unwrap().step
            }
        }
    }

    fn prompt(&mut self, session: usize) {
        if self.running[session].is_some() {
            return;
        }
        self.prompts[session] += 1;
        let mut request = SnapshotRequest::new(CheckpointKind::Turn);
        request.origin.session = Some(session_name(session));
        request.origin.turn = Some(self.prompts[session].to_string());
        request.origin.prompt = Some(format!("request {} of {session}", self.prompts[session]));
        request.origin.trigger = Some("prompt".to_owned());
        self.look(request, None);
    }

    /// An edit that says what it will do. From now on only that is its own, whatever else happens to the file.
    fn announce(&mut self, session: usize, file: usize, line: usize) {
        let text = std::fs::read_to_string(self.root.join(name(file))).unwrap_or_default();
        let Some(old) = text.split_inclusive('\n').nth(line).map(str::to_owned) else { return };
        if text.matches(&old).count() != 1 || self.is_announced(file, line) {
            return;
        }
        self.written += 1;
        let new = format!("<{session}:{}>\n", self.written);
        self.begin_with(session, Some(file), Some((line, old, new)));
    }

    /// Somebody announced an edit of this line: two who write one line at once cannot be told apart.
    fn is_announced(&self, file: usize, line: usize) -> bool {
        self.running.iter().flatten().any(|running| {
            running.file == Some(file) && running.announced.as_ref().is_some_and(|(at, ..)| *at == line)
        })
    }

    fn carry(&mut self, session: usize) {
        let Some(Running { file: Some(file), announced: Some((_, old, new)), .. }) = &self.running[session]
        else {
            return;
        };
        let path = self.root.join(name(*file));
        let Ok(text) = std::fs::read_to_string(&path) else { return };
        if text.contains(old) {
            std::fs::write(&path, text.replacen(old, new, 1)).unwrap();
        }
    }

    fn cut_off(&mut self, session: usize, speaks: bool) {
        if speaks {
            let mut request = SnapshotRequest::new(CheckpointKind::Turn);
            request.origin.trigger = Some("prompt".to_owned());
            self.look(request, None);
        }
        self.running[session] = None;
        self.engine.store(&Silent).unwrap().store.cut_off_steps(&session_name(session)).unwrap();
    }

    fn begin(&mut self, session: usize, file: Option<usize>) {
        self.begin_with(session, file, None);
    }

    fn begin_with(
        &mut self,
        session: usize,
        file: Option<usize>,
        announced: Option<(usize, String, String)>,
    ) {
        if self.running[session].is_some() {
            return;
        }
        let mut step = NewStep::of(Actor::Agent);
        step.client = Some("test".to_owned());
        step.session = Some(session_name(session));
        step.serves =
            Some(Serves { session: session_name(session), turn: self.prompts[session].to_string() });
        step.tool = Some(if file.is_some() { "Edit" } else { "Bash" }.to_owned());
        let path = file.map(path_of);
        step.claims = path.clone().map_or(Claims::Anywhere, |path| Claims::Named(vec![path]));
        if let (Some(path), Some((_, old, new))) = (&path, &announced) {
            let text = std::fs::read_to_string(self.root.join(path.to_string())).unwrap();
            let mut edit = Announced::of(path, Some(text.replacen(old, new, 1).as_bytes())).unwrap();
            edit.swaps = vec![Swap { old: old.clone(), new: new.clone(), all: false }];
            step.told.edits = vec![edit];
        }
        let mut request = SnapshotRequest::new(CheckpointKind::Turn);
        request.moment = Moment::Before(Box::new(step));
        let number = self.look(request, path.as_ref()).unwrap();
        self.running[session] = Some(Running { number, file, announced });
    }

    fn end(&mut self, session: usize) {
        let Some(running) = self.running[session].take() else { return };
        let mut request = SnapshotRequest::new(CheckpointKind::Turn);
        request.moment = Moment::After(running.number, Outcome::of(Ending::Ran));
        self.look(request, running.file.map(path_of).as_ref());
    }

    fn write(&mut self, actor: usize, file: usize, line: usize) {
        if actor < SESSIONS {
            match &self.running[actor] {
                Some(running)
                    if running.announced.is_none() && running.file.is_none_or(|own| own == file) => {}
                _ => return,
            }
        }
        if self.is_announced(file, line) {
            return;
        }
        let path = self.root.join(name(file));
        let Ok(text) = std::fs::read_to_string(&path) else { return };
        let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
        self.written += 1;
        let word = format!("<{actor}:{}>\n", self.written);
        match lines.get_mut(line) {
            Some(there) => *there = &word,
            None => lines.push(&word),
        }
        std::fs::write(&path, lines.concat()).unwrap();
        self.blur(actor, file, &word);
    }

    /// Whose step would this look like, without being theirs?
    fn blur(&mut self, actor: usize, file: usize, word: &str) {
        let names = |running: &Option<Running>| running.as_ref().is_some_and(|one| one.file == Some(file));
        let own_is_named = actor < SESSIONS && names(&self.running[actor]);
        for session in (0..SESSIONS).filter(|session| *session != actor) {
            let Some(running) = &self.running[session] else { continue };
            // What it did not announce is never taken for the work of an edit that did.
            let named = running.file == Some(file) && running.announced.is_none() && !own_is_named;
            let anywhere = running.file.is_none() && actor >= SESSIONS;
            if named || anywhere {
                self.blurred.entry(session).or_default().insert(word.trim().to_owned());
            }
        }
    }

    fn remove(&mut self, session: usize, file: usize) {
        if self.running[session].as_ref().is_some_and(|running| running.file.is_none()) {
            // What goes with it of others is gone on purpose, and comes back with the undo.
            let _ = std::fs::remove_file(self.root.join(name(file)));
        }
    }

    fn undo(&mut self, target: &Target) -> Result<UndoReport, Error> {
        let preview = undo::preview(&self.engine, target, &Options::default(), &Silent)?;
        undo::apply(&self.engine, &preview, Confirmation::Yes(person()), &Silent)
    }

    /// The words of everybody in the files, with their writers.
    fn words(&self) -> HashSet<(usize, String)> {
        let mut out = HashSet::new();
        for file in 0..FILES {
            let text = std::fs::read_to_string(self.root.join(name(file))).unwrap_or_default();
            for line in text.lines().filter(|line| line.starts_with('<')) {
                let actor = line[1..].split(':').next().unwrap().parse().unwrap();
                out.insert((actor, line.to_owned()));
            }
        }
        out
    }

    fn take_back(&mut self, session: usize, forward: bool) {
        let before = Photo::of(&self.root);
        let words = self.words();
        let target = Target::SessionRequests { session: session_name(session), count: 1 };
        let own = self.has_changed(session);
        let done = self.undo(&target);
        if matches!(done, Err(Error::NothingToUndo(_))) {
            return;
        }
        let report = done.unwrap();
        assert!(report.is_complete(), "{:?}", report.result.kept);
        if own {
            let after = self.words();
            let blurred = self.blurred.get(&session).cloned().unwrap_or_default();
            for (actor, word) in &words {
                let others = *actor != session && !blurred.contains(word);
                assert!(
                    !others || after.contains(&(*actor, word.clone())),
                    "{word} of {actor} went with {session}"
                );
            }
        }
        if forward {
            self.undo(&Target::Redo).unwrap();
            Photo::of(&self.root).assert_same(&before);
        } else {
            // The safety copy brings everything back, to the byte; and then we go on from there.
            let now = Photo::of(&self.root);
            self.undo(&Target::Checkpoint(report.safety.id.to_string())).unwrap();
            Photo::of(&self.root).assert_same(&before);
            self.undo(&Target::Redo).unwrap();
            Photo::of(&self.root).assert_same(&now);
            self.undone_at.push(self.written);
        }
    }

    /// Walks forward when others may have worked since: not a word that was written after the undo goes. (M6)
    fn walk_forward(&mut self) {
        let words = self.words();
        let report = match self.undo(&Target::Redo) {
            Ok(report) => report,
            Err(Error::NothingToRedo | Error::SomethingNewSince { .. } | Error::NothingToUndo(_)) => return,
            Err(error) => panic!("{error}"),
        };
        assert!(report.is_complete(), "{:?}", report.result.kept);
        let Some(since) = self.undone_at.pop() else { return };
        let after = self.words();
        for (actor, word) in words {
            let number: usize = word.trim_matches(['<', '>']).split(':').nth(1).unwrap().parse().unwrap();
            assert!(number <= since || after.contains(&(actor, word.clone())), "{word} went with the redo");
        }
    }

    /// Its own request is what is taken back, not the last one of the project.
    fn has_changed(&self, session: usize) -> bool {
        let opened = self.engine.store(&Silent).unwrap();
        let name = session_name(session);
        let filter =
            store::StepFilter { session: Some(&name), changing: true, ..store::StepFilter::default() };
        !opened.store.steps(&filter).unwrap().is_empty()
    }

    /// Played in order, the changes lead from the first state to the recorded one, each once.
    fn check_ledger(&self) {
        let opened = self.engine.store(&Silent).unwrap();
        let store = &opened.store;
        let mut state = self.first.clone();
        let changes = store.changes_since(self.first_seq).unwrap();
        let mut at = 0;
        while at < changes.len() {
            let one = &changes[at];
            let same: Vec<_> =
                changes.iter().filter(|other| other.seq == one.seq && other.path == one.path).collect();
            for other in &same {
                assert_eq!((other.before, other.after), (one.before, one.after));
                assert_eq!(
                    other.shared.len() > 1,
                    same.len() > 1,
                    "{other:?} stands in {} steps",
                    same.len()
                );
                for entry in [other.before, other.after].iter().flatten() {
                    assert!(entry.kind == store::EntryKind::Dir || store.has_content(&entry.hash).unwrap());
                }
            }
            let was = state.insert(one.path.to_string(), one.after).flatten();
            assert_eq!(was.map(|entry| entry.hash), one.before.map(|entry| entry.hash), "{one:?}");
            // The same change under the other steps that share it.
            at += 1;
            while at < changes.len() && changes[at].seq == one.seq && changes[at].path == one.path {
                at += 1;
            }
            // Rows of one look are in order of step, so that a shared one may come again later.
            if same.len() > 1 {
                return self.check_ledger_by_path();
            }
        }
        let recorded = store.recorded_state().unwrap();
        for (path, entry) in &state {
            assert_eq!(store.entry_in(&recorded, path.as_bytes()).unwrap(), *entry, "{path}");
        }
    }

    fn check_ledger_by_path(&self) {
        let opened = self.engine.store(&Silent).unwrap();
        let store = &opened.store;
        let recorded = store.recorded_state().unwrap();
        for (path, first) in &self.first {
            let mut state = *first;
            let mut seen = 0;
            let rel = RelPath::new(path.as_bytes()).unwrap();
            for change in store.changes_of_path(&rel).unwrap() {
                if change.seq == seen {
                    assert!(change.shared.len() > 1, "{change:?}");
                    continue;
                }
                seen = change.seq;
                assert_eq!(
                    state.map(|entry| entry.hash),
                    change.before.map(|entry| entry.hash),
                    "{change:?}"
                );
                state = change.after;
            }
            assert_eq!(store.entry_in(&recorded, path.as_bytes()).unwrap(), state, "{path}");
        }
    }
}

fn name(file: usize) -> String {
    format!("file{file}.txt")
}

fn path_of(file: usize) -> RelPath {
    RelPath::new(name(file).as_bytes()).unwrap()
}

fn session_name(session: usize) -> String {
    format!("session-{session}")
}

fn play(root: &Path, world: &mut World, event: &Event) {
    debug_assert!(root.exists());
    match *event {
        Event::Prompt(session) => world.prompt(session),
        Event::BeginEdit(session, file) => world.begin(session, Some(file)),
        Event::BeginCommand(session) => world.begin(session, None),
        Event::Announce(session, file, line) => world.announce(session, file, line),
        Event::Carry(session) => world.carry(session),
        Event::CutOff(session) => world.cut_off(session, false),
        Event::SpeakOver(session) => world.cut_off(session, true),
        Event::Write(session, file, line) => world.write(session, file, line),
        Event::Remove(session, file) => world.remove(session, file),
        Event::End(session) => world.end(session),
        Event::Person(file, line) => world.write(PERSON, file, line),
        Event::Background(file, line) => world.write(BACKGROUND, file, line),
        Event::Undo(session) => world.take_back(session, false),
        Event::Redo => world.walk_forward(),
        Event::UndoRedo(session) => world.take_back(session, true),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(
        std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(40)
    ))]

    #[test]
    fn whoever_works_beside_whom_every_change_has_its_step_and_undo_takes_nobody_elses(events in events()) {
        let mut world = World::new();
        let root = world.root.clone();
        for event in &events {
            play(&root, &mut world, event);
        }
        for session in 0..SESSIONS {
            world.end(session);
        }
        world.check_ledger();
        let lock = world.engine.store(&Silent).unwrap();
        prop_assert!(lock.store.check(&Silent).unwrap().is_clean());
    }
}
