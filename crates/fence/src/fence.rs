//! A fence: the places that are open, ready to be put up around a command.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Serialize;

use crate::places::{self, Access, Place};
use crate::{Error, Result, Surroundings, allowed, git_folder, hidden, kernel};

/// More rules than these cost a command time that people feel (2,000 rules: 20 ms).
pub const MOST_RULES: usize = 200;

/// So many places beside a closed folder are opened by name (10 ms).
const MOST_BESIDE: usize = 1_000;

/// Tells the shell that it is behind the fence already, or that it need not be: the process number, which `exec` keeps.
pub const SEEN: &str = "VIB_FENCE_SEEN";

/// The places in which a command may write, and what it may not read.
#[derive(Debug, Clone, Serialize)]
pub struct Fence {
    /// Where it may write.
    pub open: Vec<Place>,
    /// What it may not read.
    pub hidden: Vec<PathBuf>,
    /// Vib's own folders that an open place holds, so that the fence does not keep them: a state folder below `/tmp`, for one.
    pub exposed: Vec<PathBuf>,
    #[serde(skip)]
    readable: Option<Vec<PathBuf>>,
    /// It stands already.
    #[serde(skip)]
    is_up: bool,
}

/// What a fence is made from besides the surroundings.
#[derive(Debug, Clone, Default)]
pub struct Wishes {
    /// Places that are not to be read (`guard.fence_hide`); `~` is the home folder.
    pub hide: Vec<String>,
    /// Files outside that the judge knows by name and that were saved before the command.
    pub named: Vec<PathBuf>,
    /// Another folder that is open as a project: a private copy.
    pub also: Vec<PathBuf>,
}

impl Fence {
    /// The fence around a project: the table, the project with its git folder, what the person allowed.
    pub fn of(around: &Surroundings, wishes: &Wishes) -> Result<Self> {
        let mut open = Vec::new();
        let roots = around.root.iter().chain(&wishes.also);
        for root in roots {
            if let Ok(real) = root.canonicalize() {
                let git = git_folder::outside(&real);
                open.push(Place::new(real, Access::Folder, "the project"));
                open.extend(
                    git.into_iter().map(|folder| Place::new(folder, Access::Folder, "its git folder")),
                );
            }
        }
        open.extend(places::known(around));
        // A list that fenced commands could write themselves says nothing. (M1)
        let is_exposed = |open: &[Place]| {
            around.state.canonicalize().is_ok_and(|state| open.iter().any(|place| place.holds(&state)))
        };
        if let Some(root) = around.root.as_ref().filter(|_| !is_exposed(&open)) {
            let list = allowed::read(&around.state, root);
            for path in list.places() {
                // What was fine when it was allowed may have become a link to something else.
                if let Ok(real) = places::to_allow(around, path) {
                    let access = if real.is_dir() { Access::Folder } else { Access::File };
                    open.push(Place::new(real, access, "you allowed it"));
                }
            }
        }
        for path in &wishes.named {
            if let Ok(real) = path.canonicalize()
                && real.is_file()
                && !places::is_closed(around, &real)
            {
                open.push(Place::new(real, Access::File, "named by the command and saved first"));
            }
        }
        let open = without_repeats(open);
        let hidden: Vec<PathBuf> = wishes.hide.iter().filter_map(|place| from_home(around, place)).collect();
        let readable = match hidden.as_slice() {
            [] => None,
            some => {
                let most = MOST_RULES.saturating_sub(open.len());
                let beside = hidden::beside(some, most);
                Some(beside.ok_or(Error::TooMany { rules: MOST_RULES + 1, most: MOST_RULES })?)
            }
        };
        let rules = open.len() + readable.as_ref().map_or(0, Vec::len);
        if rules > MOST_RULES {
            return Err(Error::TooMany { rules, most: MOST_RULES });
        }
        let own = [Some(&around.state), around.config.as_ref(), around.program.as_ref()];
        let own = own.into_iter().flatten().filter_map(|place| place.canonicalize().ok());
        let exposed = own.filter(|place| open.iter().any(|one| one.holds(place))).collect();
        Ok(Self { open, hidden, exposed, readable, is_up: false })
    }

    /// The fence around a private copy of a project: the copy and the caches of tools are open; `closed` and what holds it are not, so that
    /// a project below `/tmp` is kept too. What runs there needs a temporary folder inside the copy.
    pub fn around_copy(around: &Surroundings, copy: &Path, closed: &[PathBuf]) -> Result<Self> {
        let wishes = Wishes { also: vec![copy.to_path_buf()], ..Wishes::default() };
        let mut fence = Self::of(&Surroundings { root: None, ..around.clone() }, &wishes)?;
        let real = copy.canonicalize().unwrap_or_else(|_| copy.to_path_buf());
        let keep_out = |place: &Place| {
            let own = std::iter::once(&around.state)
                .chain(&around.config)
                .filter_map(|path| path.canonicalize().ok());
            place.path != real
                && closed
                    .iter()
                    .cloned()
                    .chain(own)
                    .any(|path| place.holds(&path) || place.path.starts_with(&path))
        };
        fence.open.retain(|place| !keep_out(place));
        if !fence.open.iter().any(|place| place.holds(&real)) {
            fence.open.push(Place::new(real, Access::Folder, "the private copy"));
        }
        Ok(fence)
    }

    /// Starts a command behind the fence. It is put up in a thread of its own, which ends; this process stays free.
    #[cfg(target_os = "linux")]
    pub fn start(&self, command: &mut Command) -> Result<std::process::Child> {
        let program = command.get_program().to_string_lossy().into_owned();
        let started = std::thread::scope(|scope| {
            let inside = scope.spawn(|| {
                self.put_up()?;
                command.spawn().map_err(|why| Error::NotStarted { program: program.clone(), why })
            });
            inside.join()
        });
        started.unwrap_or_else(|_| Err(Error::NotUp("the thread that puts it up did not end".to_owned())))
    }

    /// Starts a command behind the fence: there is none here that this process could put up for another.
    #[cfg(not(target_os = "linux"))]
    pub fn start(&self, _command: &mut Command) -> Result<std::process::Child> {
        Err(Error::None(kernel::kernel().words()))
    }

    /// One that closes this folder for writing and nothing else: for a check that runs in a copy of it. Not for a folder below those for
    /// temporary files, where every program makes new ones beside it.
    pub fn all_but(closed: &Path) -> Result<Self> {
        let closed = closed.canonicalize()?;
        if places::is_temporary(&closed) {
            return Err(Error::None("the folder lies among temporary files".to_owned()));
        }
        let beside = hidden::beside(std::slice::from_ref(&closed), MOST_BESIDE);
        let beside = beside.ok_or(Error::TooMany { rules: MOST_BESIDE + 1, most: MOST_BESIDE })?;
        let open = beside.into_iter().map(|path| {
            let access = if path.is_dir() { Access::Folder } else { Access::File };
            Place::new(path, access, "beside the closed folder")
        });
        Ok(Self {
            open: open.collect(),
            hidden: Vec::new(),
            exposed: Vec::new(),
            readable: None,
            is_up: false,
        })
    }

    /// One that closes nothing, for what is behind a fence already.
    pub fn everywhere() -> Self {
        Self { open: Vec::new(), hidden: Vec::new(), exposed: Vec::new(), readable: None, is_up: true }
    }

    /// One with nothing open.
    #[cfg(test)]
    pub(crate) fn nowhere() -> Self {
        Self { open: Vec::new(), hidden: Vec::new(), exposed: Vec::new(), readable: None, is_up: false }
    }

    /// Whether writing this path is open.
    pub fn is_open(&self, path: &Path) -> bool {
        self.open.iter().any(|place| place.holds(path))
    }

    /// How many rules the kernel gets.
    pub fn rules(&self) -> usize {
        self.open.len() + self.readable.as_ref().map_or(0, Vec::len)
    }

    /// Becomes this command, behind the fence: the same process, so whoever waits for it, waits for the command. Comes back only if
    /// that failed, and then nothing ran.
    pub fn become_command(
        &self,
        program: &OsStr,
        arguments: &[OsString],
        variables: &[(&str, String)],
    ) -> Error {
        if self.is_up {
            return Self::become_free_command(program, arguments, variables);
        }
        if let Err(error) = self.put_up() {
            return error;
        }
        let mut command = self.command(program, arguments);
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        replace(command, program)
    }

    /// Becomes this command without a fence.
    pub fn become_free_command(
        program: &OsStr,
        arguments: &[OsString],
        variables: &[(&str, String)],
    ) -> Error {
        let mut command = Command::new(program);
        command.args(arguments).envs(variables.iter().map(|(name, value)| (name, value)));
        replace(command, program)
    }

    #[cfg(target_os = "linux")]
    fn put_up(&self) -> Result<()> {
        kernel::restrict(&self.open, self.readable.as_deref())
    }

    #[cfg(not(target_os = "linux"))]
    fn put_up(&self) -> Result<()> {
        let kernel = kernel::kernel();
        if kernel.is_there() { Ok(()) } else { Err(Error::None(kernel.words())) }
    }

    #[cfg(not(target_os = "macos"))]
    fn command(&self, program: &OsStr, arguments: &[OsString]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments);
        command
    }

    #[cfg(target_os = "macos")]
    fn command(&self, program: &OsStr, arguments: &[OsString]) -> Command {
        let mut command = Command::new(crate::seatbelt::PROGRAM);
        command.arg("-p").arg(crate::seatbelt::profile(self)).arg(program).args(arguments);
        command
    }
}

impl Place {
    fn holds(&self, path: &Path) -> bool {
        match self.access {
            Access::Folder => path.starts_with(&self.path),
            // The folder of terminals is one of devices.
            Access::File => {
                path == self.path || self.path == Path::new("/dev/pts") && path.starts_with(&self.path)
            }
        }
    }
}

#[cfg(unix)]
fn replace(mut command: Command, program: &OsStr) -> Error {
    use std::os::unix::process::CommandExt;
    let why = command.exec();
    Error::NotStarted { program: program.to_string_lossy().into_owned(), why }
}

#[cfg(not(unix))]
fn replace(_command: Command, program: &OsStr) -> Error {
    let why = std::io::ErrorKind::Unsupported.into();
    Error::NotStarted { program: program.to_string_lossy().into_owned(), why }
}

/// A place inside another open one needs no rule of its own.
fn without_repeats(all: Vec<Place>) -> Vec<Place> {
    let mut kept: Vec<Place> = Vec::new();
    for place in all {
        if kept.iter().any(|one| one.holds(&place.path)) {
            continue;
        }
        if place.access == Access::Folder {
            kept.retain(|one| !one.path.starts_with(&place.path));
        }
        kept.push(place);
    }
    kept
}

fn from_home(around: &Surroundings, place: &str) -> Option<PathBuf> {
    let path = match place.strip_prefix('~') {
        Some(rest) => around.home.as_ref()?.join(rest.trim_start_matches('/')),
        None => PathBuf::from(place),
    };
    path.is_absolute().then_some(path)
}
