//! Shadow git: a repository beside the tree that saves it whole, which is how most agents keep checkpoints today.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::Result;
use fs_err as fs;

use crate::measure;

/// A repository outside the tree, with nobody's configuration.
#[derive(Debug)]
pub struct ShadowGit {
    tree: PathBuf,
    dir: PathBuf,
}

impl ShadowGit {
    /// An empty repository in `dir`.
    pub fn new(tree: &Path, dir: &Path) -> Result<Self> {
        let git = Self { tree: tree.to_path_buf(), dir: dir.to_path_buf() };
        git.forget()?;
        Ok(git)
    }

    /// Starts again with an empty repository.
    pub fn forget(&self) -> Result<()> {
        if self.dir.exists() {
            fs::remove_dir_all(&self.dir)?;
        }
        measure::time(&mut self.command(&["init", "-q"]))?;
        measure::time(&mut self.command(&["config", "gc.auto", "0"]))?;
        measure::time(&mut self.command(&["config", "maintenance.auto", "false"]))?;
        Ok(())
    }

    /// The repository's folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Saves the tree: two processes, one after the other.
    pub fn save(&self) -> Result<Duration> {
        let add = measure::time(&mut self.command(&["add", "-A"]))?;
        Ok(add + measure::time(&mut self.command(&["commit", "-q", "--allow-empty", "-m", "x"]))?)
    }

    /// Looks for changes.
    pub fn status(&self) -> Result<Duration> {
        measure::time(&mut self.command(&["status", "--porcelain"]))
    }

    /// Puts saved files back; leaves what was added.
    pub fn checkout(&self) -> Result<Duration> {
        measure::time(&mut self.command(&["checkout", "-q", "-f", "HEAD", "--", "."]))
    }

    /// Removes what was added.
    pub fn clean(&self) -> Result<Duration> {
        measure::time(&mut self.command(&["clean", "-fdq"]))
    }

    /// Every saved path.
    pub fn files(&self) -> Result<Vec<PathBuf>> {
        let names = measure::read(&mut self.command(&["ls-files", "-z"]))?;
        let names = names.split(|&byte| byte == 0).filter(|name| !name.is_empty());
        Ok(names.map(path_of).collect())
    }

    /// Which git this is.
    pub fn version(&self) -> Result<String> {
        let text = measure::read(&mut self.command(&["--version"]))?;
        Ok(String::from_utf8_lossy(&text).trim().to_owned())
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new("git");
        command
            .args(args)
            .current_dir(&self.tree)
            .env("GIT_DIR", &self.dir)
            .env("GIT_WORK_TREE", &self.tree)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_AUTHOR_NAME", "bench")
            .env("GIT_AUTHOR_EMAIL", "bench@localhost")
            .env("GIT_COMMITTER_NAME", "bench")
            .env("GIT_COMMITTER_EMAIL", "bench@localhost");
        for unwanted in ["GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"] {
            command.env_remove(unwanted);
        }
        command
    }
}

#[cfg(unix)]
fn path_of(name: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStringExt as _;
    OsString::from_vec(name.to_vec()).into()
}

#[cfg(not(unix))]
fn path_of(name: &[u8]) -> PathBuf {
    OsString::from(String::from_utf8_lossy(name).into_owned()).into()
}
