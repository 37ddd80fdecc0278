//! The rights of the fence's own files. The kernel keeps what is in them, not their rights: a fenced command can make them unreadable, and a
//! fence that nobody can read would be none. So they are looked at before a command is marked, and put right; where that fails,
//! the command is a question. (M2)

use std::path::{Path, PathBuf};

use crate::Result;
#[cfg(unix)]
use crate::{folder, marks, shell_file};

/// Puts the rights of the fence's files, and of the program that puts it up, as they have to be. Says whose were wrong.
#[cfg(unix)]
pub fn rights(state: &Path, program: Option<&Path>) -> Result<Vec<PathBuf>> {
    use std::os::unix::fs::PermissionsExt;
    const FOLDER: u32 = 0o700;
    const FILE: u32 = 0o600;
    const PROGRAM: u32 = 0o500;
    let own = folder(state);
    let marks = marks::all(state);
    let zsh = shell_file::zsh_folder(state);
    // From the outside in: nothing is seen through a closed door.
    let folders = [
        state.to_path_buf(),
        own.clone(),
        marks.clone(),
        marks::fenced(state),
        marks.join("free"),
        marks.join("ran"),
        own.join("seen"),
        own.join("sessions"),
        own.join("allowed"),
        own.join("later"),
        zsh.clone(),
    ];
    let files = [shell_file::path(state), zsh.join(".zshenv")];
    let all = folders.iter().map(|path| (path.as_path(), FOLDER));
    let all = all.chain(files.iter().map(|path| (path.as_path(), FILE)));
    let mut mended = Vec::new();
    for (path, needed) in all.chain(program.map(|path| (path, PROGRAM))) {
        let facts = match path.metadata() {
            Ok(facts) => facts,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error.into()),
        };
        let mode = facts.permissions().mode();
        // A program that others own is theirs to start for everybody.
        let is_fine = mode & needed == needed || needed == PROGRAM && mode & 0o111 != 0;
        if !is_fine {
            fs_err::set_permissions(path, std::fs::Permissions::from_mode(mode | needed))?;
            mended.push(path.to_path_buf());
        }
    }
    Ok(mended)
}

/// Nothing to put right here.
#[cfg(not(unix))]
pub fn rights(_state: &Path, _program: Option<&Path>) -> Result<Vec<PathBuf>> {
    Ok(Vec::new())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::evidence;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn rights_that_were_taken_are_given_back_m2() {
        let tmp = tempfile::tempdir().unwrap();
        let (state, vib) = (tmp.path().join("state"), tmp.path().join("vib"));
        std::fs::write(&vib, "x").unwrap();
        shell_file::write(&state, &vib).unwrap();
        evidence::session_begins(&state, "s", Path::new("/x")).unwrap();
        let own = folder(&state);
        let set = |path: &Path, mode| {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        set(&vib, 0o755);
        set(&shell_file::path(&state), 0o644);
        assert_eq!(rights(&state, Some(&vib)).unwrap(), Vec::<PathBuf>::new());
        set(&shell_file::path(&state), 0);
        set(&own.join("sessions"), 0o200);
        set(&own, 0);
        set(&vib, 0o644);
        let mended = rights(&state, Some(&vib)).unwrap();
        assert_eq!(mended, [own.clone(), own.join("sessions"), shell_file::path(&state), vib.clone()]);
        assert_eq!((mode(&own), mode(&own.join("sessions")), mode(&vib)), (0o700, 0o700, 0o744));
        assert!(rights(&state, Some(&vib)).unwrap().is_empty());
    }
}
