//! A check that fails in the private copy because something is not there that the project has: git's own folder, a file that is not saved.
//! That is no answer about the work, neither a failure nor an old one. (M1)

use std::path::{Component, Path};

/// What programs say that miss a file.
const MISSING: [&str; 9] = [
    "no such file",
    "enoent",
    "filenotfounderror",
    "does not exist",
    "cannot find",
    "can't open",
    "cannot open",
    "not found",
    "unable to open",
];

/// Whether what the check said names something that lies in the project and not in the copy.
pub(super) fn something(said: &str, root: &Path, copy: &Path) -> bool {
    let is_lost = |inside: &Path| root.join(inside).exists() && !copy.join(inside).exists();
    said.lines().any(|line| {
        let line_says = line.to_lowercase();
        if line_says.contains("not a git repository") {
            return is_lost(Path::new(".git"));
        }
        MISSING.iter().any(|words| line_says.contains(words))
            && names(line).any(|name| {
                let path = Path::new(name);
                let inside = path.strip_prefix(copy).unwrap_or(path);
                let is_plain =
                    inside.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
                is_plain && inside.components().count() > 0 && is_lost(inside)
            })
    })
}

/// The words of a line that may be names of files.
fn names(line: &str) -> impl Iterator<Item = &str> {
    line.split(|letter: char| letter.is_whitespace() || "'\"`,;()[]<>=".contains(letter))
        .map(|word| word.trim_end_matches([':', '.', '!']))
        .filter(|word| word.contains(['.', '/']) && word.len() < 300)
}

#[cfg(test)]
mod tests {
    use super::something;

    #[test]
    fn what_the_copy_lacks_is_told_from_what_the_project_lacks_m1() {
        let place = tempfile::tempdir().unwrap();
        let (root, copy) = (place.path().join("p"), place.path().join("c"));
        for folder in [root.join(".git"), root.join("data"), copy.clone()] {
            std::fs::create_dir_all(folder).unwrap();
        }
        for file in [root.join("data/dev.sqlite"), root.join(".env"), root.join("a.js"), copy.join("a.js")] {
            std::fs::write(file, "x").unwrap();
        }
        let inside =
            format!("Error: ENOENT: no such file or directory, open '{}/data/dev.sqlite'", copy.display());
        for said in [
            "fatal: not a git repository (or any of the parent directories): .git",
            "cat: .env: No such file or directory",
            "FileNotFoundError: [Errno 2] No such file or directory: 'data/dev.sqlite'",
            &inside,
        ] {
            assert!(something(said, &root, &copy), "{said}");
        }
        for said in [
            "FAIL a.js: expected 3",
            "cat: b.txt: No such file or directory",
            "a.js does not exist in the list",
            "Cannot find module './new.js'",
            "",
        ] {
            assert!(!something(said, &root, &copy), "{said}");
        }
    }
}
