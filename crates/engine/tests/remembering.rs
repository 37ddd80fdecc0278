//! Taking many memories in, and asking them, tells whoever waits how far it is. (MM7, MM14)

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use project::Context;
use store::{Phase, Progress, Silent};
use vib_engine::recall::{self, Question};
use vib_engine::{Engine, memory};

#[derive(Default)]
struct Told(Mutex<Vec<(Phase, u64)>>);

impl Progress for Told {
    fn begin(&self, phase: Phase, _total: Option<u64>) {
        self.0.lock().unwrap().push((phase, 0));
    }

    fn advance(&self, steps: u64) {
        if let Some((_, done)) = self.0.lock().unwrap().last_mut() {
            *done += steps;
        }
    }
}

impl Told {
    fn all(&self) -> Vec<(Phase, u64)> {
        self.0.lock().unwrap().clone()
    }
}

fn open(base: &Path) -> Engine {
    let base = base.canonicalize().unwrap();
    std::fs::create_dir_all(base.join("project")).unwrap();
    let (home, state) = (base.join("home"), base.join("state"));
    let get = |name: &str| match name {
        "HOME" => Some(home.clone().into_os_string()),
        "VIBELIGN_STATE" => Some(state.clone().into_os_string()),
        _ => None,
    };
    Engine::open(Context::with_environment(base.join("project"), &get)).unwrap()
}

/// So many notes about parts, as lines of JSON.
fn notes(base: &Path, count: usize, say: impl Fn(usize) -> String) -> PathBuf {
    let file = base.join("notes.jsonl");
    let lines = (0..count).map(|number| format!("{{\"text\": \"{}\"}}\n", say(number)));
    std::fs::write(&file, lines.collect::<String>()).unwrap();
    file
}

#[test]
fn an_import_makes_findable_what_it_takes_in_and_tells_how_far_it_is() {
    let base = tempfile::tempdir().unwrap();
    let engine = open(base.path());
    let file = notes(base.path(), 100, |number| format!("the cache of part {number} is cold"));
    let told = Told::default();
    let report = memory::import_jsonl(&engine, "cli", &file, &told).unwrap();
    assert_eq!((report.added, told.all()), (100, vec![(Phase::Importing, 100), (Phase::Indexing, 100)]));

    let told = Told::default();
    let answer = recall::recall(&engine, &Question::new("cache of part 42"), &told).unwrap();
    assert_eq!(answer.found[0].text, "the cache of part 42 is cold");
    assert_eq!((answer.tail, told.all()), (0, Vec::new()));

    let told = Told::default();
    let rebuilt = memory::rebuild(&engine, false, &told).unwrap();
    assert_eq!((rebuilt.indexed, told.all()), (Some(100), vec![(Phase::Indexing, 100)]));
}

#[test]
fn a_question_to_a_lost_index_makes_it_anew_and_tells_how_far_it_is() {
    let base = tempfile::tempdir().unwrap();
    let engine = open(base.path());
    let file = notes(base.path(), 60, |number| format!("the lock of part {number} is held"));
    memory::import_jsonl(&engine, "cli", &file, &Silent).unwrap();
    std::fs::remove_dir_all(engine.project().state().join("memory/index")).unwrap();
    let told = Told::default();
    let answer = recall::recall(&engine, &Question::new("lock of part 7"), &told).unwrap();
    assert_eq!(answer.found[0].text, "the lock of part 7 is held");
    assert_eq!((answer.tail, told.all()), (0, vec![(Phase::Indexing, 60)]));
}
