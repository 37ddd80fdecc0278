//! What a fence is put around: the project, the person's home, and where vib itself lives.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use project::Context;

use crate::Result;

/// The folder of the fence's own files in vib's state.
pub fn folder(state: &Path) -> PathBuf {
    state.join("fence")
}

/// Everything that decides where a fenced command may write. It comes from outside, so that tests own it.
#[derive(Debug, Clone)]
pub struct Surroundings {
    /// The project; none: only temporary folders and caches are open.
    pub root: Option<PathBuf>,
    /// The home folder.
    pub home: Option<PathBuf>,
    /// Vib's state folder.
    pub state: PathBuf,
    /// The folder of vib's settings.
    pub config: Option<PathBuf>,
    /// The vib that hooks call.
    pub program: Option<PathBuf>,
    /// The person's own folder for throw-away files.
    pub temp: Option<PathBuf>,
    /// Variables that were looked up already.
    pub(crate) variables: Vec<(&'static str, PathBuf)>,
    /// Where programs are looked for.
    pub(crate) path: Option<OsString>,
}

impl Surroundings {
    /// The world of a run of vib, around this project.
    pub fn of(context: &Context, root: Option<&Path>, program: Option<PathBuf>) -> Result<Self> {
        let variables = crate::places::VARIABLES
            .iter()
            .filter_map(|name| Some((*name, PathBuf::from(context.variable(name)?))))
            .filter(|(_, folder)| folder.is_absolute())
            .collect();
        Ok(Self {
            root: root.map(Path::to_path_buf),
            home: context.home().map(Path::to_path_buf),
            state: context.state()?.to_path_buf(),
            config: context.config().map(Path::to_path_buf),
            program,
            temp: context.temp().map(Path::to_path_buf),
            variables,
            path: context.variable("PATH"),
        })
    }

    /// A world without an environment: for tests.
    pub fn bare(root: &Path, home: &Path, state: &Path) -> Self {
        Self {
            root: Some(root.to_path_buf()),
            home: Some(home.to_path_buf()),
            state: state.to_path_buf(),
            config: None,
            program: None,
            temp: None,
            variables: Vec::new(),
            path: None,
        }
    }

    pub(crate) fn variable(&self, name: &str) -> Option<&Path> {
        self.variables.iter().find(|(known, _)| *known == name).map(|(_, folder)| folder.as_path())
    }

    /// A program of this name is on `PATH`.
    pub(crate) fn has_program(&self, name: &str) -> bool {
        let Some(path) = &self.path else { return false };
        std::env::split_paths(path).any(|folder| folder.is_absolute() && folder.join(name).is_file())
    }
}
