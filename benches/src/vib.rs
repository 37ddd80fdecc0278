//! vib itself, on a tree, with state and settings of its own.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result};
use fs_err as fs;
use serde_json::Value;

use crate::measure;

/// A `vib` that knows nothing of the user's.
#[derive(Debug)]
pub struct Vib {
    program: PathBuf,
    tree: PathBuf,
    home: PathBuf,
}

impl Vib {
    /// Uses `home` for everything that is kept.
    pub fn new(program: &Path, tree: &Path, home: &Path) -> Result<Self> {
        let vib = Self { program: program.to_path_buf(), tree: tree.to_path_buf(), home: home.to_path_buf() };
        vib.forget()?;
        Ok(vib)
    }

    /// Throws away all checkpoints, as if vib had never run here.
    pub fn forget(&self) -> Result<()> {
        for folder in [self.home.clone(), self.tree.join(".vibelign")] {
            if folder.exists() {
                fs::remove_dir_all(&folder)?;
            }
        }
        Ok(fs::create_dir_all(&self.home)?)
    }

    /// The folder that holds the checkpoints.
    pub fn state(&self) -> PathBuf {
        self.home.join("state")
    }

    /// A command line in the tree.
    pub fn command(&self, args: &[&OsStr]) -> Command {
        self.command_under(&self.program, &[], args)
    }

    /// The same, run by another program that starts it.
    pub fn command_under(&self, program: &Path, before: &[&OsStr], args: &[&OsStr]) -> Command {
        let mut command = Command::new(program);
        if program != self.program {
            command.args(before).arg(&self.program);
        }
        command.args(args).current_dir(&self.tree).envs(self.variables());
        command
    }

    /// The variables that keep it apart from the user's own.
    pub fn variables(&self) -> [(&'static str, PathBuf); 3] {
        [
            ("HOME", self.home.clone()),
            ("VIBELIGN_STATE", self.state()),
            ("VIBELIGN_CONFIG", self.home.join("config")),
        ]
    }

    /// Saves the whole tree.
    pub fn save_tree(&self) -> Result<Duration> {
        measure::time(&mut self.command(&["checkpoint".as_ref(), "-m".as_ref(), "bench".as_ref()]))
    }

    /// Saves one file.
    pub fn save_file(&self, path: &Path) -> Result<Duration> {
        measure::time(&mut self.command(&["checkpoint".as_ref(), path.as_os_str()]))
    }

    /// Saves the whole tree and tells the checkpoint's id.
    pub fn save_tree_id(&self) -> Result<String> {
        let data = self.json(&["checkpoint", "-m", "before the damage", "--json"])?;
        let id = data.pointer("/data/checkpoint/id").and_then(Value::as_str);
        id.map(str::to_owned).with_context(|| format!("`vib checkpoint --json` named no id: {data}"))
    }

    /// Puts the tree back.
    pub fn undo(&self, id: &str) -> Result<Duration> {
        measure::time(&mut self.command(&["undo".as_ref(), id.as_ref(), "--yes".as_ref()]))
    }

    /// Keeps every checkpoint for good.
    pub fn keep_everything(&self) -> Result<()> {
        for key in ["retention.turns", "retention.manual", "retention.safety"] {
            let args = ["config", "set", "--user", key, "0"].map(OsStr::new);
            measure::time(&mut self.command(&args))?;
        }
        Ok(())
    }

    /// Which vib this is.
    pub fn version(&self) -> Result<String> {
        let text = measure::read(&mut self.command(&["--version".as_ref()]))?;
        Ok(String::from_utf8_lossy(&text).trim().to_owned())
    }

    /// Runs a command with `--json` and reads its answer.
    pub fn json(&self, args: &[&str]) -> Result<Value> {
        let args: Vec<&OsStr> = args.iter().map(OsStr::new).collect();
        let answer = measure::read(&mut self.command(&args))?;
        serde_json::from_slice(&answer).with_context(|| {
            format!("`vib` answered with something else than JSON: {}", String::from_utf8_lossy(&answer))
        })
    }
}
