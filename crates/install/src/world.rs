//! Where the clients' files are on this machine, and which clients there are.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{Error, Result};
use crate::Client;
use clients::portable;
use clients::table::{Setup, setup};

pub use clients::Scope;

/// The places that an installation looks at. Everything comes from outside, so that tests own it.
#[derive(Debug, Clone)]
pub struct World {
    /// The project.
    pub root: PathBuf,
    /// The home folder.
    pub home: Option<PathBuf>,
    /// Vib's state folder: records and backups are kept in there.
    pub state: PathBuf,
    /// The folder of vib's own settings.
    pub config: Option<PathBuf>,
    /// An agent runs this: what a person set up is not led elsewhere.
    pub by_agent: bool,
    /// The vib that hooks should call.
    pub program: PathBuf,
    /// Why that program is a poor choice, if it is.
    pub program_note: Option<String>,
    /// Where clients are looked for.
    pub path: OsString,
    /// What a hook process gets of the environment: `PATH` and `SHELL`.
    pub inherited: Vec<(&'static str, OsString)>,
    variables: Vec<(&'static str, PathBuf)>,
    /// Folders whose files vanish.
    pub(super) temporary: Vec<PathBuf>,
}

/// How a client was found.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(tag = "by", content = "path", rename_all = "snake_case")]
pub enum Detected {
    /// Its program is on `PATH`.
    Program(PathBuf),
    /// The user has settings for it.
    UserFolder(PathBuf),
    /// The project has settings for it.
    ProjectFile(PathBuf),
}

impl World {
    /// Reads the environment through `get`. `VIBELIGN_TEST_CLIENT_PATH` replaces `PATH` in the search for clients, so
    /// that tests do not see what is installed on the machine.
    pub fn new(
        root: PathBuf,
        home: Option<PathBuf>,
        state: PathBuf,
        program: PathBuf,
        get: &dyn Fn(&str) -> Option<OsString>,
    ) -> Self {
        let get = |name: &str| get(name).filter(|value| !value.is_empty());
        let variables = Client::ALL
            .into_iter()
            .filter_map(|client| setup(client).user_folder.variable)
            .filter_map(|(name, _)| Some((name, PathBuf::from(get(name)?))))
            .filter(|(_, folder)| folder.is_absolute())
            .collect();
        let path = get("VIBELIGN_TEST_CLIENT_PATH").or_else(|| get("PATH")).unwrap_or_default();
        // Tests run the vib of a checkout, wherever that lies.
        let temporary = match get("VIBELIGN_TEST_CLIENT_PATH") {
            Some(_) => Vec::new(),
            None => ["/tmp", "/var/tmp", "/dev/shm"]
                .into_iter()
                .map(PathBuf::from)
                .chain(get("TMPDIR").map(PathBuf::from))
                .collect(),
        };
        let inherited = ["PATH", "SHELL"].into_iter().filter_map(|name| Some((name, get(name)?))).collect();
        let config = project::platform::config_folder(&|name| match name {
            "HOME" | "USERPROFILE" => home.as_ref().map(|home| home.as_os_str().to_owned()),
            _ => get(name),
        });
        Self {
            root,
            home,
            state,
            config,
            by_agent: false,
            program,
            program_note: None,
            path,
            inherited,
            variables,
            temporary,
        }
    }

    /// Takes another vib where this one is in a place that does not last; see [`Self::program_note`].
    pub fn with_lasting_program(mut self) -> Self {
        let path = self.inherited.iter().find(|(name, _)| *name == "PATH");
        let path = path.map(|(_, path)| path.clone()).unwrap_or_default();
        let copy = super::program::copy_in(&self.state);
        let (program, note) =
            super::program::lasting(self.program, &self.root, &path, &self.temporary, &copy);
        (self.program, self.program_note) = (program, note);
        self
    }

    /// The folder of a client's settings.
    pub fn folder(&self, setup: &Setup, scope: Scope) -> Result<PathBuf> {
        if scope != Scope::User {
            let folder = self.root.join(setup.project_folder);
            // One file, and it is the person's own.
            if self.folder(setup, Scope::User).is_ok_and(|own| own == folder) {
                return Err(Error::HomeIsNoProject { client: setup.client });
            }
            return Ok(folder);
        }
        if let Some((name, inside)) = setup.user_folder.variable
            && let Some((_, folder)) = self.variables.iter().find(|(variable, _)| *variable == name)
        {
            return Ok(if inside.is_empty() { folder.clone() } else { folder.join(inside) });
        }
        Ok(self.home.as_ref().ok_or(Error::NoHome)?.join(setup.user_folder.home))
    }

    /// The file with a client's hooks.
    pub fn file(&self, setup: &Setup, scope: Scope) -> Result<PathBuf> {
        let name = match scope {
            Scope::User | Scope::Team => setup.file,
            Scope::Project => setup.private_file.ok_or(Error::NoPrivateFile { client: setup.client })?,
        };
        Ok(self.folder(setup, scope)?.join(name))
    }

    /// The file with a client's MCP servers; none: it is not ours to edit.
    pub fn server_file(&self, setup: &Setup, scope: Scope) -> Result<Option<PathBuf>> {
        let file = match scope {
            Scope::Team if self.folder(setup, scope).is_err() => return Ok(None),
            Scope::Team => self.root.join(setup.server.project),
            Scope::Project => return Ok(None),
            Scope::User => match setup.server.user {
                Some(file) => self.folder(setup, scope)?.join(file),
                None => return Ok(None),
            },
        };
        // OpenCode reads either.
        let with_comments = file.with_extension("jsonc");
        let other = setup.server.shape == super::servers::ServerShape::OpenCode && !file.exists();
        Ok(Some(if other && with_comments.exists() { with_comments } else { file }))
    }

    /// The file in which a client keeps its servers by itself; none: it has none such.
    pub fn own_server_file(&self, setup: &Setup) -> Option<PathBuf> {
        let name = setup.server.command?.file;
        let moved = setup.user_folder.variable.and_then(|(variable, _)| {
            self.variables.iter().find(|(known, _)| *known == variable).map(|(_, folder)| folder.clone())
        });
        Some(moved.or_else(|| self.home.clone())?.join(name))
    }

    /// The program behind what settings name. A bare name is looked for as the portable line does it: on `PATH`, then at the
    /// recorded place.
    pub fn resolve(&self, program: &Path) -> PathBuf {
        if program.components().count() != 1 || program.is_absolute() {
            return program.to_path_buf();
        }
        let path = self.inherited.iter().find(|(name, _)| *name == "PATH").map(|(_, path)| path);
        let on_path = path.and_then(|path| super::program::on_path(program, path).next());
        let found = on_path.or_else(|| self.recorded_place()).unwrap_or_else(|| program.to_path_buf());
        let real = found.canonicalize();
        let is_this_one = real.is_ok_and(|real| self.program.canonicalize().is_ok_and(|this| this == real));
        if is_this_one { self.program.clone() } else { found }
    }

    /// Where a link to this vib is left for the lines that name no path.
    pub fn recorded_place(&self) -> Option<PathBuf> {
        Some(self.home.as_ref()?.join(portable::RECORDED))
    }

    /// Finds a client.
    pub fn detect(&self, client: Client) -> Option<Detected> {
        let setup = setup(client);
        if let Some(program) = setup.programs.iter().find_map(|name| self.find_program(name)) {
            return Some(Detected::Program(program));
        }
        if let Ok(folder) = self.folder(setup, Scope::User)
            && folder.is_dir()
        {
            return Some(Detected::UserFolder(folder));
        }
        let traces = setup.traces.iter().map(|trace| self.root.join(trace));
        traces.into_iter().find(|trace| trace.exists()).map(Detected::ProjectFile)
    }

    /// A program on `PATH`.
    pub fn find_program(&self, name: &str) -> Option<PathBuf> {
        std::env::split_paths(&self.path)
            .filter(|folder| folder.is_absolute())
            .map(|folder| folder.join(name))
            .find(|file| is_executable(file))
    }

    /// True if a program that settings name may be run to try it: this vib, or one that did not come with the project.
    /// A project's settings can come from anybody.
    pub fn may_call(&self, program: &Path) -> bool {
        let real = program.canonicalize().unwrap_or_else(|_| program.to_path_buf());
        program == self.program || (program.is_absolute() && !real.starts_with(&self.root))
    }

    /// A path as a person reads it: relative to the project, or from the home folder.
    pub fn shown(&self, path: &Path) -> String {
        if let Ok(inside) = path.strip_prefix(&self.root) {
            return inside.display().to_string();
        }
        match self.home.as_deref().and_then(|home| path.strip_prefix(home).ok()) {
            Some(inside) => format!("~/{}", inside.display()),
            None => path.display().to_string(),
        }
    }
}

/// True for a file that may be run.
pub fn is_executable(file: &Path) -> bool {
    let Ok(metadata) = file.metadata() else { return false };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        metadata.is_file() && metadata.permissions().mode() & 0o111 != 0
    }
    #[cfg(not(unix))]
    metadata.is_file()
}
