//! A project in a folder of its own, for the tests of the ledger.

#![allow(
    clippy::unwrap_used,
    dead_code,
    reason = "a test fails where it stands, and not every one needs everything"
)]

use std::path::Path;

use project::{Context, Project, RelPath};
use vib_store::Store;

/// 2026-01-01 12:00 UTC.
const START_MS: u64 = 1_767_268_800_000;

/// A project with a store.
pub struct World {
    _folder: tempfile::TempDir,
    context: Context,
    project: Project,
}

impl World {
    /// An empty one.
    pub fn new() -> Self {
        Self::with_settings("")
    }

    /// An empty one with these settings of its user, at the beginning of 2026.
    pub fn with_settings(settings: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().canonicalize().unwrap();
        let root = real.join("project");
        std::fs::create_dir(&root).unwrap();
        std::fs::create_dir(real.join("config")).unwrap();
        std::fs::write(real.join("config/config.toml"), settings).unwrap();
        let get = |name: &str| match name {
            "HOME" => Some(real.join("home").into_os_string()),
            "VIBELIGN_CONFIG" => Some(real.join("config").into_os_string()),
            _ => None,
        };
        let context = Context::with_environment(root, &get).with_clock(START_MS);
        let project = Project::open(&context).unwrap();
        Self { _folder: folder, context, project }
    }

    /// Sets the clock to so many milliseconds after the beginning.
    pub fn set_clock(&self, after_ms: u64) {
        self.context.set_clock(START_MS + after_ms);
    }

    /// Its store.
    pub fn open(&self) -> Store<'_> {
        Store::open(&self.context, &self.project).unwrap()
    }

    /// Its store, or why not.
    pub fn try_open(&self) -> vib_store::Result<Store<'_>> {
        Store::open(&self.context, &self.project)
    }

    /// Notes a step that only looked, as a hook does.
    pub fn note_look(&self, step: &vib_store::NewStep, outcome: &vib_store::Outcome) {
        vib_store::note_look(&self.context, self.project.state(), step, outcome).unwrap();
    }

    /// Notes that a step begins, as a hook does; false if it has to begin with a look.
    pub fn note_begin(&self, step: &vib_store::NewStep, paths: &[RelPath]) -> bool {
        vib_store::note_begin(&self.context, &self.project, step, paths, true).unwrap()
    }

    /// Repairs the index; says what was done.
    pub fn rebuild(&self) -> Option<String> {
        Store::open_or_rebuild(&self.context, &self.project).unwrap().1
    }

    /// The project's folder.
    pub fn root(&self) -> &Path {
        self.project.root()
    }

    /// Its folder of the state.
    pub fn state(&self) -> &Path {
        self.project.state()
    }

    /// The record outside the store.
    pub fn record(&self) -> std::path::PathBuf {
        self.project.kept_record()
    }

    /// Writes a file of the project.
    pub fn write(&self, name: &str, content: &str) {
        let path = self.root().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    /// A path of the project.
    pub fn path(&self, name: &str) -> RelPath {
        RelPath::new(name.as_bytes()).unwrap()
    }
}
