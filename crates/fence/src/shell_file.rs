//! The small file that a client's shell reads first. It asks the shell to begin once more behind the fence, and does nothing where no
//! command is marked, where that was done already, or where vib is gone.
//!
//! bash reads it because `BASH_ENV` names it, zsh because `ZDOTDIR` names its folder, Claude Code's shell because a line in
//! `$CLAUDE_ENV_FILE` does. What the client says to the shell, its folder and its process stay as they are.

use std::path::{Path, PathBuf};

use project::platform::make_private_dir;

use crate::{Result, SEEN, folder, marks};

/// Why a command is not run.
const CHANGED: &str = "somebody changed the rights of its files";

/// What the file was called for bash before ours took its place.
pub const BEFORE: &str = "VIB_FENCE_BASH_ENV";

/// The file of this state folder.
pub fn path(state: &Path) -> PathBuf {
    folder(state).join("shell.sh")
}

/// The folder with zsh's form of it.
pub fn zsh_folder(state: &Path) -> PathBuf {
    folder(state).join("zsh")
}

/// Writes the files so that they call this vib; those that do are left alone. Returns the first.
pub fn write(state: &Path, vib: &Path) -> Result<PathBuf> {
    let zsh = zsh_folder(state);
    for folder in [state, &folder(state), &zsh] {
        make_private_dir(folder)?;
    }
    for (file, text) in [(path(state), text(state, vib)), (zsh.join(".zshenv"), zsh_text(state))] {
        if std::fs::read(&file).ok().as_deref() != Some(text.as_bytes()) {
            project::write_atomic(&file, text.as_bytes())?;
        }
    }
    Ok(path(state))
}

/// The line for a file of lines that a shell runs. A file that is there and may not be read is no file that is gone: rights can be changed from
/// behind the fence, and that must not open it. (M2)
pub fn line(state: &Path) -> String {
    let (file, own, state) = (quoted(&path(state)), quoted(&folder(state)), quoted(state));
    format!(
        "if [ -r {file} ]; then . {file}; elif [ -e {file} ] || [ -d {state} -a ! -x {state} ] || [ -d {own} -a ! -x {own} ]; then \
         echo 'vib: its fence cannot be read ({CHANGED}), so this command was not run; `vib doctor` mends it' >&2; exit 126; fi\n"
    )
}

/// The variables that make bash and zsh read the file. Whoever sets them hands what was there on under `VIB_FENCE_` and the name.
pub fn variables(state: &Path) -> Vec<(&'static str, String)> {
    let text = |path: PathBuf| path.to_string_lossy().into_owned();
    vec![("BASH_ENV", text(path(state))), ("ZDOTDIR", text(zsh_folder(state)))]
}

/// Words that bash and zsh both understand.
fn text(state: &Path, vib: &Path) -> String {
    let (file, vib) = (quoted(&path(state)), quoted(vib));
    let (marks, fenced) = (quoted(&marks::all(state)), quoted(&marks::fenced(state)));
    let (zsh, state) = (quoted(&zsh_folder(state)), quoted(state));
    format!(
        r#"# Written by vib: commands that it marked begin once more behind its fence (`vib fence list`).
if [ "${{BASH_ENV-}}" = {file} ]; then
  unset BASH_ENV
  if [ -n "${{{BEFORE}-}}" ]; then
    export BASH_ENV="${BEFORE}"
    unset {BEFORE}
    [ -r "$BASH_ENV" ] && . "$BASH_ENV"
  fi
fi
if [ "${{ZDOTDIR-}}" = {zsh} ]; then
  if [ -n "${{VIB_FENCE_ZDOTDIR-}}" ]; then export ZDOTDIR="$VIB_FENCE_ZDOTDIR"; else unset ZDOTDIR; fi
  unset VIB_FENCE_ZDOTDIR
fi
if [ "${{{SEEN}-}}" != "$$" ] && {{ [ -d {fenced} ] || [ -d {marks} -a ! -x {marks} ]; }} && [ -e {vib} ]; then
  if [ ! -x {vib} ]; then
    echo 'vib: it may not be run ({CHANGED}), so this command was not run; `chmod u+x` on it mends it' >&2
    exit 126
  elif [ -n "${{BASH_EXECUTION_STRING-}}" ]; then
    _vib_flags="${{-//[!efux]/}}"
    shopt -q login_shell && _vib_flags="l$_vib_flags"
    exec {vib} fence shell {state} -- "$BASH" ${{_vib_flags:+"-$_vib_flags"}} -c "$BASH_EXECUTION_STRING" "$0" "$@"
  elif [ -n "${{ZSH_EXECUTION_STRING-}}" ]; then
    _vib_flags=""
    [[ -o login ]] && _vib_flags="-l"
    exec {vib} fence shell {state} -- "${{ZSH_ARGZERO:-zsh}}" ${{_vib_flags:+"$_vib_flags"}} -c "$ZSH_EXECUTION_STRING" "$0" "$@"
  fi
fi
"#
    )
}

/// zsh has a folder for its start files: ours gives the person's own back, then runs theirs.
fn zsh_text(state: &Path) -> String {
    let file = quoted(&path(state));
    format!(
        r#"# Written by vib: commands that it marked begin once more behind its fence (`vib fence list`).
if [ -n "${{VIB_FENCE_ZDOTDIR-}}" ]; then export ZDOTDIR="$VIB_FENCE_ZDOTDIR"; else unset ZDOTDIR; fi
unset VIB_FENCE_ZDOTDIR
[ -r {file} ] && . {file}
[ -r "${{ZDOTDIR:-$HOME}}/.zshenv" ] && . "${{ZDOTDIR:-$HOME}}/.zshenv"
"#
    )
}

/// In single quotes, where a shell leaves everything alone.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.to_string_lossy().replace('\'', r"'\''"))
}
