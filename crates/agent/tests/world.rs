//! A project with one check, in a world of its own, and a run in it.

use std::path::{Path, PathBuf};

use agent::card::Roles;
use agent::conversation::Options;
use agent::journal::Journal;
use agent::script::{Script, Turn};
use agent::work::{self, NewRun, RunSettings, WorkEnd, Worker};
use engine::Engine;
use engine::run::fold::Run;
use engine::run::log::RunLog;
use engine::run::model::{By, Limits, RunEvent};
use project::Context;
use serde_json::json;

pub struct World {
    base: tempfile::TempDir,
}

pub const CALC: &str = "def add(a, b):\n    return a - b\n\n\ndef twice(a):\n    return a * 2\n";
pub const CHECK: &str =
    "#!/bin/sh\n# what add has to do\ngrep -q 'return a + b' calc.py || { echo 'FAIL: add'; exit 1; }\n";

impl World {
    pub fn new() -> Self {
        let base = tempfile::Builder::new().prefix("vib-run-").tempdir().unwrap();
        let world = Self { base };
        for folder in ["home", "config", "project"] {
            std::fs::create_dir(world.path(folder)).unwrap();
        }
        world.write("project/calc.py", CALC);
        world.write("project/check.sh", CHECK);
        world.write("project/README.md", "# Calc\n\nAdds numbers.\n");
        world.write("project/test_calc.py", "from calc import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n    assert add(0, 0) == 0\n");
        world.write("config/config.toml", "[verify]\nchecks = [\"sh check.sh\"]\n");
        world
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.base.path().canonicalize().unwrap().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    pub fn engine(&self) -> Engine {
        let base = self.path("");
        let get = |name: &str| match name {
            "HOME" => Some(base.join("home").into_os_string()),
            "VIBELIGN_STATE" => Some(base.join("state").into_os_string()),
            "VIBELIGN_CONFIG" => Some(base.join("config").into_os_string()),
            _ => None,
        };
        let engine = Engine::open(Context::with_environment(base.join("project"), &get)).unwrap();
        let allowed = engine.project().state().join("checks.json");
        if !allowed.exists() {
            project::platform::make_private_dir(engine.project().state()).unwrap();
            std::fs::write(allowed, r#"{"schema_version":1,"allowed":["sh check.sh"]}"#).unwrap();
        }
        engine
    }

    /// Every file of a folder with its content, without vib's own.
    pub fn photo(&self, folder: &Path) -> Vec<(String, Vec<u8>)> {
        let mut all = Vec::new();
        collect(folder, folder, &mut all);
        all.sort();
        all
    }
}

fn collect(root: &Path, folder: &Path, all: &mut Vec<(String, Vec<u8>)>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        let name = path.strip_prefix(root).unwrap().display().to_string();
        if name.starts_with(".vibelign") {
            continue;
        }
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            collect(root, &path, all);
        } else if kind.is_symlink() {
            all.push((name, std::fs::read_link(&path).unwrap().to_string_lossy().into_owned().into_bytes()));
        } else {
            all.push((name, std::fs::read(&path).unwrap()));
        }
    }
}

pub const ALONE: Roles = Roles { research: false, review: false };
pub const ALL: Roles = Roles { research: true, review: true };

pub fn new_run(task: &str) -> NewRun {
    NewRun {
        task: task.to_owned(),
        by: vec![By::Vib { model: "script/script".to_owned() }],
        attempts: 1,
        limits: Limits::default(),
        bash: false,
    }
}

/// How a piece of work ended, and what stands in the log.
pub struct Worked {
    pub ended: agent::Result<WorkEnd>,
    pub run: Run,
    pub events: Vec<RunEvent>,
    pub id: String,
}

impl Worked {
    pub fn count(&self, is: impl Fn(&RunEvent) -> bool) -> usize {
        self.events.iter().filter(|event| is(event)).count()
    }

    pub fn rejected(&self) -> Vec<String> {
        let code = |event: &RunEvent| match event {
            RunEvent::Rejected { code, .. } => Some(code.clone()),
            _ => None,
        };
        self.events.iter().filter_map(code).collect()
    }

    pub fn patched(&self) -> usize {
        self.count(|event| matches!(event, RunEvent::Patched { .. }))
    }
}

pub fn begin(engine: &Engine, task: &str) -> RunLog {
    work::begin(engine, &new_run(task), &RunSettings::default()).unwrap()
}

pub struct How<'h> {
    pub roles: Roles,
    pub bash: bool,
    pub answer: Option<&'h str>,
    pub cut_after: Option<usize>,
}

impl Default for How<'_> {
    fn default() -> Self {
        Self { roles: ALONE, bash: false, answer: None, cut_after: None }
    }
}

/// Works on a run with a script.
pub fn carry_on(engine: &Engine, log: RunLog, script: &mut Script, how: &How<'_>) -> Worked {
    let mut journal = Journal::new(log);
    if let Some(events) = how.cut_after {
        journal = journal.cut_after(events);
    }
    let person = person::require(engine.context(), "try it", &person::nobody).ok();
    let mut worker = Worker {
        engine,
        asks: script,
        options: Options { bash: how.bash, ..Options::default() },
        roles: how.roles,
        stop: &|| false,
        answer: how.answer.map(str::to_owned),
        person,
    };
    let ended = work::carry_on(&mut worker, &mut journal);
    let events = journal.events().iter().map(|logged| logged.event.clone()).collect();
    Worked { ended, run: journal.run(), events, id: journal.id().to_owned() }
}

pub fn plan(titles: &[&str]) -> Turn {
    let cards: Vec<_> = titles.iter().map(|title| json!({"title": title})).collect();
    Turn::call("PLAN", json!({"cards": cards}))
}

pub fn edit(diff: &str) -> Turn {
    Turn::call("EDIT_DIFF", json!({"diff": diff}))
}

pub fn done(summary: &str) -> Turn {
    Turn::call("DONE", json!({"summary": summary}))
}

pub fn read(path: &str) -> Turn {
    Turn::call("READ", json!({"path": path}))
}

/// The change that makes the check pass.
pub const GOOD: &str =
    "--- a/calc.py\n+++ b/calc.py\n@@ -1,2 +1,2 @@\n def add(a, b):\n-    return a - b\n+    return a + b\n";
/// One for another file than the one that is there.
pub const DEFECTIVE: &str =
    "--- a/calc.py\n+++ b/calc.py\n@@ -1,2 +1,2 @@\n def plus(x, y):\n-    return x - y\n+    return x + y\n";
pub const TWICE: &str =
    "--- a/calc.py\n+++ b/calc.py\n@@ -5,2 +5,3 @@\n def twice(a):\n+    # by itself\n     return a * 2\n";
