//! Other tools that save whole trees, where they are installed.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::Result;
use fs_err as fs;

use crate::measure;

/// A tool that saves a tree into a repository of its own.
pub trait Peer {
    /// What it is called, here and on the `PATH`.
    fn name(&self) -> &'static str;
    /// Starts again with nothing saved.
    fn forget(&self) -> Result<()>;
    /// Saves the tree.
    fn save(&self) -> Result<Duration>;
    /// Where its data is.
    fn store(&self) -> PathBuf;
}

/// The peers whose program is there, and the names of those that are missing.
pub fn installed(tree: &Path, home: &Path) -> (Vec<Box<dyn Peer>>, Vec<&'static str>) {
    let at = Place { tree: tree.to_path_buf(), home: home.to_path_buf() };
    let all: Vec<Box<dyn Peer>> = vec![Box::new(Jj(at.clone())), Box::new(Restic(at))];
    let missing = all.iter().map(|peer| peer.name()).filter(|name| !on_path(name)).collect();
    (all.into_iter().filter(|peer| on_path(peer.name())).collect(), missing)
}

/// Whether a program of this name is there to be run.
pub fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

#[derive(Debug, Clone)]
struct Place {
    tree: PathBuf,
    home: PathBuf,
}

impl Place {
    fn command(&self, program: &str, args: &[&OsStr]) -> Command {
        let mut command = Command::new(program);
        command.args(args).current_dir(&self.tree).env("HOME", &self.home);
        command
    }

    fn empty(&self, folder: &Path) -> Result<()> {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        Ok(fs::create_dir_all(&self.home)?)
    }
}

/// Jujutsu, with its repository in the tree (it has no other place), not shared with git.
struct Jj(Place);

impl Jj {
    fn run(&self, args: &[&str]) -> Result<Duration> {
        let args: Vec<&OsStr> = args.iter().map(OsStr::new).collect();
        measure::time(self.0.command("jj", &args).env("JJ_CONFIG", self.settings()))
    }

    fn settings(&self) -> PathBuf {
        self.0.home.join("jj.toml")
    }
}

impl Peer for Jj {
    fn name(&self) -> &'static str {
        "jj"
    }

    fn forget(&self) -> Result<()> {
        self.0.empty(&self.store())?;
        let settings = "user = { name = 'bench', email = 'bench@localhost' }\n\
                        snapshot.max-new-file-size = '10GiB'\n\
                        git.colocate = false\n";
        fs::write(self.settings(), settings)?;
        self.run(&["git", "init"])?;
        Ok(())
    }

    fn save(&self) -> Result<Duration> {
        self.run(&["util", "snapshot"])
    }

    fn store(&self) -> PathBuf {
        self.0.tree.join(".jj")
    }
}

impl Drop for Jj {
    fn drop(&mut self) {
        // The tree is a copy in a temporary folder; what cannot be removed goes with it.
        let _ = fs::remove_dir_all(self.store());
    }
}

/// A backup program: encrypts, and has no idea of ignored files.
struct Restic(Place);

impl Restic {
    fn run(&self, args: &[&str]) -> Result<Duration> {
        let args: Vec<&OsStr> = args.iter().map(OsStr::new).collect();
        let mut command = self.0.command("restic", &args);
        command.env("RESTIC_REPOSITORY", self.store()).env("RESTIC_PASSWORD", "bench");
        measure::time(command.env("RESTIC_CACHE_DIR", self.0.home.join("restic-cache")))
    }
}

impl Peer for Restic {
    fn name(&self) -> &'static str {
        "restic"
    }

    fn forget(&self) -> Result<()> {
        self.0.empty(&self.store())?;
        self.0.empty(&self.0.home.join("restic-cache"))?;
        self.run(&["init", "-q"])?;
        Ok(())
    }

    fn save(&self) -> Result<Duration> {
        self.run(&["backup", "-q", "."])
    }

    fn store(&self) -> PathBuf {
        self.0.home.join("restic")
    }
}
