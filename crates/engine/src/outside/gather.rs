//! What is there: patterns and folders become the files that would be lost, within a budget.

use std::path::{Path, PathBuf};

use project::platform::bytes_to_path;

/// Most bytes that are saved outside the project before one step.
pub(super) const MOST_BYTES: u64 = 64 << 20;
/// Most files and folders.
pub(super) const MOST_FILES: usize = 2_000;
/// Most names that a pattern is compared with.
const MOST_COMPARED: usize = 20_000;

/// What is left of the budget of one step.
#[derive(Debug, Default)]
pub(super) struct Budget {
    bytes: u64,
    files: usize,
}

/// Why a path cannot be saved as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TooMuch {
    /// So many bytes, at the least.
    Bytes(u64),
    /// So many files, at the least.
    Files(usize),
    /// This cannot be listed.
    Unreadable(PathBuf, String),
}

/// What lies at a path, and in it if it is a folder, the folder first; the path itself also if nothing is there. Links are not followed.
pub(super) fn gather(path: &Path, deep: bool, budget: &mut Budget) -> Result<Vec<PathBuf>, TooMuch> {
    let mut found = Vec::new();
    let mut open = vec![path.to_path_buf()];
    while let Some(path) = open.pop() {
        let facts = path.symlink_metadata().ok();
        if let Some(facts) = &facts {
            budget.files += 1;
            budget.bytes += if facts.is_dir() { 0 } else { facts.len() };
            if budget.bytes > MOST_BYTES {
                return Err(TooMuch::Bytes(budget.bytes));
            }
            if budget.files > MOST_FILES {
                return Err(TooMuch::Files(budget.files));
            }
        }
        if deep && facts.is_some_and(|facts| facts.is_dir()) {
            let unreadable = |error: std::io::Error| TooMuch::Unreadable(path.clone(), error.to_string());
            for entry in std::fs::read_dir(&path).map_err(unreadable)? {
                open.push(entry.map_err(unreadable)?.path());
                if open.len() > MOST_FILES {
                    return Err(TooMuch::Files(open.len()));
                }
            }
        }
        found.push(path);
    }
    Ok(found)
}

/// The paths that a pattern of the shell matches; the path itself if it is none. Nothing if that cannot be told.
pub(super) fn matches(path: &str) -> Option<Vec<PathBuf>> {
    let is_pattern = |part: &str| part.contains(['*', '?', '[']);
    // A file may have such a name, but then a shell would take it for a pattern all the same.
    if !is_pattern(path) {
        return Some(vec![PathBuf::from(path)]);
    }
    let mut found = vec![PathBuf::from("/")];
    let mut compared = 0;
    for part in path.split('/').filter(|part| !part.is_empty()) {
        if !is_pattern(part) {
            found.iter_mut().for_each(|folder| folder.push(part));
            continue;
        }
        // `**` means different things to different shells.
        if part.contains("**") || part.contains(['(', '{', '\\']) {
            return None;
        }
        let mut next = Vec::new();
        for folder in &found {
            let Ok(entries) = std::fs::read_dir(folder) else { continue };
            for entry in entries.flatten() {
                compared += 1;
                if compared > MOST_COMPARED {
                    return None;
                }
                let name = entry.file_name();
                let text = name.to_string_lossy();
                // A dot at the beginning counts as matched: rather one file too many than one too few.
                if shell::fits_pattern(part, &text, true) {
                    next.push(
                        folder.join(bytes_to_path(&project::platform::path_to_bytes(Path::new(&name)))),
                    );
                }
            }
        }
        found = next;
    }
    found.retain(|path| path.symlink_metadata().is_ok());
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_gathered_with_all_that_is_in_them_and_patterns_are_looked_up_t8() {
        let base = tempfile::tempdir().unwrap();
        let base = base.path().canonicalize().unwrap();
        std::fs::create_dir_all(base.join("a/deep")).unwrap();
        for file in ["a/1.txt", "a/2.md", "a/deep/3.txt", "4.txt"] {
            std::fs::write(base.join(file), "x").unwrap();
        }
        let names = |paths: Vec<PathBuf>| {
            let mut names: Vec<String> =
                paths.iter().map(|path| path.strip_prefix(&base).unwrap().display().to_string()).collect();
            names.sort();
            names
        };
        let all = gather(&base.join("a"), true, &mut Budget::default()).unwrap();
        assert_eq!(all[0], base.join("a"));
        assert_eq!(names(all), ["a", "a/1.txt", "a/2.md", "a/deep", "a/deep/3.txt"]);
        assert_eq!(names(gather(&base.join("a"), false, &mut Budget::default()).unwrap()), ["a"]);
        assert_eq!(names(gather(&base.join("new"), true, &mut Budget::default()).unwrap()), ["new"]);
        let found = |pattern: &str| matches(&format!("{}/{pattern}", base.display())).map(names);
        assert_eq!(found("a/*.txt").unwrap(), ["a/1.txt"]);
        assert_eq!(found("*/deep").unwrap(), ["a/deep"]);
        assert_eq!(found("a/**/x"), None);
        std::fs::File::create(base.join("big")).unwrap().set_len(MOST_BYTES + 1).unwrap();
        let much = gather(&base.join("big"), true, &mut Budget::default());
        assert_eq!(much, Err(TooMuch::Bytes(MOST_BYTES + 1)));
    }
}
