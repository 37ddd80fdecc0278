//! vib's own program and records, known by what they are and not by what they are called. (S5, S6)

use std::io::Read;
use std::path::{Path, PathBuf};

use clients::portable::RECORDED;

/// Files of the state that are looked at to find one under another name.
const MOST_RECORDS: usize = 4_000;
/// Folders in the state that are gone down.
const DEEPEST: usize = 4;

/// The names under which hooks call this program.
pub(super) fn names(home: Option<&Path>) -> Vec<PathBuf> {
    let running = std::env::current_exe().ok();
    let recorded = home.map(|home| home.join(RECORDED));
    running.into_iter().chain(recorded).collect()
}

/// True if this file is the program that is running: the same file, or one with the same content. Nearly every other file has another
/// size, which is all that is looked at then.
pub(super) fn is_vib(path: &Path) -> bool {
    let Ok(own) = std::env::current_exe() else { return false };
    is_same(&own, path)
}

fn is_same(own: &Path, path: &Path) -> bool {
    let (Ok(mine), Ok(its)) = (std::fs::metadata(own), std::fs::metadata(path)) else { return false };
    if !its.is_file() || mine.len() != its.len() {
        return false;
    }
    number(&mine).is_some_and(|file| number(&its) == Some(file))
        || has_same_content(own, path).unwrap_or(false)
}

fn has_same_content(one: &Path, other: &Path) -> std::io::Result<bool> {
    let (mut one, mut other) = (std::fs::File::open(one)?, std::fs::File::open(other)?);
    let (mut left, mut right) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        let read = one.read(&mut left)?;
        if read == 0 {
            return Ok(other.read(&mut right)? == 0);
        }
        if other.read_exact(&mut right[..read]).is_err() || left[..read] != right[..read] {
            return Ok(false);
        }
    }
}

/// True if this file, which has several names, is one of the records in the state folder.
pub(super) fn is_record(state: &Path, path: &Path) -> bool {
    let Some(file) = std::fs::metadata(path).ok().as_ref().and_then(number) else { return false };
    let mut left = MOST_RECORDS;
    holds(state, file, DEEPEST, &mut left)
}

fn holds(folder: &Path, file: (u64, u64), deeper: usize, left: &mut usize) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    for entry in entries.flatten() {
        if *left == 0 {
            return false;
        }
        *left -= 1;
        let Ok(facts) = entry.metadata() else { continue };
        if number(&facts) == Some(file)
            || (facts.is_dir() && deeper > 0 && holds(&entry.path(), file, deeper - 1, left))
        {
            return true;
        }
    }
    false
}

/// What names a file on this machine, whatever it is called.
#[cfg(unix)]
fn number(facts: &std::fs::Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((facts.dev(), facts.ino()))
}

/// The standard library does not tell here.
#[cfg(not(unix))]
fn number(_facts: &std::fs::Metadata) -> Option<(u64, u64)> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_copy_and_a_link_are_the_program_and_another_of_its_size_is_not_s5() {
        let tmp = tempfile::tempdir().unwrap();
        let own = tmp.path().join("vib");
        std::fs::write(&own, [7; 200_000]).unwrap();
        std::fs::copy(&own, tmp.path().join("copy")).unwrap();
        std::fs::hard_link(&own, tmp.path().join("hard")).unwrap();
        std::os::unix::fs::symlink(&own, tmp.path().join("soft")).unwrap();
        let mut other = vec![7; 200_000];
        other[150_000] = 8;
        std::fs::write(tmp.path().join("other"), other).unwrap();
        for (name, same) in
            [("copy", true), ("hard", true), ("soft", true), ("other", false), ("none", false)]
        {
            assert_eq!(is_same(&own, &tmp.path().join(name)), same, "{name}");
        }
    }

    #[test]
    fn a_record_is_known_under_another_name_s6() {
        let tmp = tempfile::tempdir().unwrap();
        let packs = tmp.path().join("state/projects/p1/packs");
        std::fs::create_dir_all(&packs).unwrap();
        std::fs::write(packs.join("1.pack"), "x").unwrap();
        std::fs::hard_link(packs.join("1.pack"), tmp.path().join("alias")).unwrap();
        std::fs::write(tmp.path().join("own"), "x").unwrap();
        assert!(is_record(&tmp.path().join("state"), &tmp.path().join("alias")));
        assert!(!is_record(&tmp.path().join("state"), &tmp.path().join("own")));
    }
}
