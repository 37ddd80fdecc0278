//! Which vib the hooks should call.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::is_executable;

/// The path under which this vib should be called: its name on `PATH` if that leads here (it stays when a package manager
/// moves the file behind it), else the file itself.
pub fn program_to_call(running: &Path, path: Option<&std::ffi::OsString>) -> PathBuf {
    let real = running.canonicalize().unwrap_or_else(|_| running.to_path_buf());
    let name = Path::new(running.file_name().unwrap_or_default());
    path.into_iter()
        .flat_map(|path| on_path(name, path))
        .find(|file| file.canonicalize().is_ok_and(|file| file == real))
        .unwrap_or(real)
}

/// Programs of this name on `PATH`, the first found first.
pub(super) fn on_path(name: &Path, path: &OsStr) -> impl Iterator<Item = PathBuf> {
    std::env::split_paths(path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .filter(|file| is_executable(file))
        .collect::<Vec<_>>()
        .into_iter()
}

/// Where a copy of vib is kept for the hooks: in its state, which no agent may change.
pub(super) fn copy_in(state: &Path) -> PathBuf {
    state.join("program").join(if cfg!(windows) { "vib.exe" } else { "vib" })
}

/// A vib that stays where it is. One inside a project or a temporary folder can vanish, or be replaced by whoever may write
/// there (an agent, for one): another one on `PATH` is taken in its place; where there is none, a copy in vib's own state, which
/// [`keep_copy`] makes when hooks are written. Hooks never lead into a project or a temporary folder. (S5)
pub(super) fn lasting(
    program: PathBuf,
    root: &Path,
    path: &OsStr,
    temporary: &[PathBuf],
    copy: &Path,
) -> (PathBuf, Option<String>) {
    if program == copy {
        return (program, None);
    }
    let Some(why) = passing(&program, root, temporary) else { return (program, None) };
    let name = Path::new("vib");
    match on_path(name, path).find(|other| passing(other, root, temporary).is_none()) {
        Some(other) => {
            let note = format!(
                "the hooks call `{}`, not `{}`, which is in {why} and may vanish or be changed",
                other.display(),
                program.display()
            );
            (other, Some(note))
        }
        None => {
            let note = format!(
                "the hooks call a copy of vib, `{}`, for `{}` is in {why} and may vanish or be changed; better put vib somewhere \
                 lasting (such as `~/.local/bin`), then run `vib init` again",
                copy.display(),
                program.display()
            );
            (copy.to_path_buf(), Some(note))
        }
    }
}

/// Makes the copy that [`lasting`] chose, of the program that is running; one that is the same stays.
pub(super) fn keep_copy(copy: &Path, running: &Path) -> std::io::Result<()> {
    let same = |facts: &std::fs::Metadata| {
        std::fs::metadata(running)
            .is_ok_and(|own| own.len() == facts.len() && own.modified().ok() <= facts.modified().ok())
    };
    if running == copy || copy.metadata().is_ok_and(|facts| facts.is_file() && same(&facts)) {
        return Ok(());
    }
    let folder = copy.parent().unwrap_or(copy);
    project::platform::make_private_dir(folder)?;
    let mut new = project::Replacement::of(copy, project::Readers::Owner)?;
    std::io::copy(&mut std::fs::File::open(running)?, new.file())?;
    project::platform::set_file_mode(new.file(), 0o700)?;
    new.put()
}

/// Takes the copy away, with the last of vib's hooks.
pub(super) fn drop_copy(state: &Path) {
    let copy = copy_in(state);
    if std::fs::remove_file(&copy).is_ok() {
        let _ = std::fs::remove_dir(copy.parent().unwrap_or(&copy));
    }
}

/// Why a program may not stay: what kind of folder it lies in.
fn passing(program: &Path, root: &Path, temporary: &[PathBuf]) -> Option<&'static str> {
    let real = program.canonicalize().unwrap_or_else(|_| program.to_path_buf());
    let inside = |folder: &Path| {
        real.starts_with(folder) || folder.canonicalize().is_ok_and(|folder| real.starts_with(folder))
    };
    if inside(root) {
        return Some("this project");
    }
    if real.ancestors().skip(1).any(|folder| folder.join(".vibelign").is_dir()) {
        return Some("a project");
    }
    temporary.iter().any(|folder| inside(folder)).then_some("a temporary folder")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vib_of_a_project_gives_way_to_one_that_stays_t15() {
        let tmp = tempfile::tempdir().unwrap();
        let base = tmp.path().canonicalize().unwrap();
        for (folder, name) in
            [("project", "vib"), ("bin", "vib"), ("scratch", "vib"), ("other/.vibelign", "x")]
        {
            std::fs::create_dir_all(base.join(folder)).unwrap();
            std::fs::copy("/bin/true", base.join(folder).join(name)).unwrap();
        }
        std::fs::copy("/bin/true", base.join("other/vib")).unwrap();
        let (root, lasting_one) = (base.join("project"), base.join("bin/vib"));
        let path = base.join("bin").into_os_string();
        let temporary = [base.join("scratch")];
        let copy = copy_in(&base.join("scratch/state"));
        let lasting = |program, path: &OsStr| super::lasting(program, &root, path, &temporary, &copy);
        assert_eq!(lasting(lasting_one.clone(), &path), (lasting_one.clone(), None));
        for poor in ["project/vib", "other/vib", "scratch/vib"] {
            let (program, note) = lasting(base.join(poor), &path);
            assert_eq!(program, lasting_one);
            assert!(note.unwrap().contains("may vanish"));
            let (program, note) = lasting(base.join(poor), OsStr::new(""));
            assert_eq!(
                program, copy,
                "there is no other, and hooks never lead into a project or a temporary folder"
            );
            assert!(note.unwrap().contains("put vib somewhere lasting"));
        }
        let own = base.join("project/vib");
        keep_copy(&copy, &own).unwrap();
        assert_eq!(std::fs::read(&copy).unwrap(), std::fs::read(&own).unwrap());
        assert!(is_executable(&copy));
        assert_eq!(
            lasting(copy.clone(), OsStr::new("")),
            (copy.clone(), None),
            "the copy itself may write hooks"
        );
        std::fs::write(&own, "changed").unwrap();
        assert_ne!(std::fs::read(&copy).unwrap(), b"changed", "it is a file of its own");
    }
}
