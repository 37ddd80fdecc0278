//! Guard as git's own pre-commit hook, if a person asks for exactly that.

use std::path::PathBuf;

use git::{ask, check, output};

use crate::{Engine, Error, Result};

/// Where the hook was put.
#[derive(Debug, serde::Serialize)]
pub struct HookInstalled {
    /// The file.
    pub path: String,
}

/// What git runs before a commit. What guard cannot do must not keep anybody from committing, but it is said.
const SCRIPT: &str = "#!/bin/sh
# Made by `vib guard --install-hook`. Delete this file to switch it off.
if ! command -v vib >/dev/null 2>&1; then
  echo \"vib was not found: this commit was not checked\" >&2
  exit 0
fi
vib guard --staged
code=$?
if [ \"$code\" -eq 1 ]; then
  echo \"The commit was stopped by vib guard. To commit all the same: git commit --no-verify\" >&2
  exit 1
fi
if [ \"$code\" -ne 0 ]; then
  echo \"vib guard could not look (exit code $code): this commit was not checked\" >&2
fi
exit 0
";

/// Installs the hook. One that is already there is left alone.
pub fn install_hook(engine: &Engine) -> Result<HookInstalled> {
    let root = engine.project().root();
    check(root)?;
    let path = output(&mut ask(root, &["rev-parse", "--git-path", "hooks/pre-commit"]))?;
    let path = String::from_utf8_lossy(&path).trim_end_matches(['\n', '\r']).to_owned();
    let file: PathBuf = root.join(path);
    if std::fs::symlink_metadata(&file).is_ok() {
        return Err(Error::HookExists(file));
    }
    if let Some(folder) = file.parent() {
        fs_err::create_dir_all(folder).map_err(project::Error::from)?;
    }
    // Never over a file that appeared in the meantime.
    let mut made =
        std::fs::OpenOptions::new().write(true).create_new(true).open(&file).map_err(project::Error::from)?;
    std::io::Write::write_all(&mut made, SCRIPT.as_bytes()).map_err(project::Error::from)?;
    project::platform::set_file_mode(&made, 0o755).map_err(project::Error::from)?;
    Ok(HookInstalled { path: file.display().to_string() })
}
