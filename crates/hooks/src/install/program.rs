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

/// A vib that stays where it is. One inside a project or a temporary folder can vanish, or be replaced by whoever may write
/// there (an agent, for one): another one on `PATH` is taken in its place; where there is none, that is said.
pub(super) fn lasting(
    program: PathBuf,
    root: &Path,
    path: &OsStr,
    temporary: &[PathBuf],
) -> (PathBuf, Option<String>) {
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
                "the hooks call `{}`, which is in {why}: it may vanish or be changed; put vib somewhere lasting (such as \
                 `~/.local/bin`), then run `vib init` again",
                program.display()
            );
            (program, Some(note))
        }
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
        let lasting = |program, path: &OsStr| super::lasting(program, &root, path, &temporary);
        assert_eq!(lasting(lasting_one.clone(), &path), (lasting_one.clone(), None));
        for poor in ["project/vib", "other/vib", "scratch/vib"] {
            let (program, note) = lasting(base.join(poor), &path);
            assert_eq!(program, lasting_one);
            assert!(note.unwrap().contains("may vanish"));
            let (program, note) = lasting(base.join(poor), OsStr::new(""));
            assert_eq!(program, base.join(poor), "there is no other");
            assert!(note.unwrap().contains("put vib somewhere lasting"));
        }
    }
}
