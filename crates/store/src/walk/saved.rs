//! Would a checkpoint hold this path? The answer for one path, without a walk and without the store.

use std::path::{Path, PathBuf};

use project::Config;
use project::platform::{DirHandle, bytes_to_path, path_to_bytes};

use super::rules::{RuleNode, Rules};

/// More entries than this are not looked at for one answer.
const MOST_LOOKED_AT: usize = 60_000;

/// Whether a checkpoint of the tree at `root` saves what is at `path` (inside the root, or relative to it). False when an
/// ignore rule leaves it out, or a folder above it; nothing when that cannot be told.
pub fn is_saved(root: &Path, config: &Config, path: &Path) -> Option<bool> {
    let relative = path.strip_prefix(root).unwrap_or(path);
    if relative.is_absolute() || relative.as_os_str().is_empty() {
        return None;
    }
    let top = DirHandle::open_root(root).ok()?;
    let rules = Rules::load(config, &top);
    let mut node = RuleNode::root();
    let parts: Vec<Vec<u8>> =
        relative.components().map(|part| path_to_bytes(part.as_os_str().as_ref())).collect();
    let mut here: Vec<u8> = Vec::new();
    for (n, part) in parts.iter().enumerate() {
        if !here.is_empty() {
            here.push(b'/');
        }
        here.extend_from_slice(part);
        let last = n + 1 == parts.len();
        let facts = root.join(project::platform::bytes_to_path(&here)).symlink_metadata().ok();
        let is_dir = !last || facts.as_ref().is_some_and(std::fs::Metadata::is_dir);
        if is_dir && rules.is_cache(&top, &here) {
            return Some(false);
        }
        if node.ignores(&top, &rules, &here, is_dir) || !is_dir && rules.is_left_by_editor(&top, &here) {
            let size = facts.map_or(0, |facts| facts.len());
            let whole = path_to_bytes(relative);
            let included = !last && rules.include_reaches_into(&here) || last && !is_dir;
            return Some(included && rules.includes(&whole, size));
        }
        if !last {
            node = RuleNode::child(&node, &here);
        }
    }
    Some(true)
}

/// What lies at or below `path` and no checkpoint of the tree at `root` saves: files, and folders that are left out as a whole.
/// At most `most`, and nothing if the folder has more than `MOST_LOOKED_AT` entries or cannot be read.
pub fn unsaved_below(root: &Path, config: &Config, path: &Path, most: usize) -> Option<Vec<PathBuf>> {
    let relative = path.strip_prefix(root).ok()?;
    if !relative.as_os_str().is_empty() && !is_saved(root, config, path)? {
        return Some(if path.symlink_metadata().is_ok() { vec![path.to_path_buf()] } else { Vec::new() });
    }
    let top = DirHandle::open_root(root).ok()?;
    let rules = Rules::load(config, &top);
    let mut node = RuleNode::root();
    let mut here: Vec<u8> = Vec::new();
    for part in relative.components() {
        join(&mut here, &path_to_bytes(part.as_os_str().as_ref()));
        node = RuleNode::child(&node, &here);
    }
    let (mut open, mut found, mut looked) = (vec![(here, node)], Vec::new(), 0usize);
    while let Some((folder, node)) = open.pop() {
        let Ok(entries) = std::fs::read_dir(root.join(bytes_to_path(&folder))) else { continue };
        for entry in entries.flatten() {
            looked += 1;
            if looked > MOST_LOOKED_AT {
                return None;
            }
            let name = path_to_bytes(entry.file_name().as_ref());
            let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
            // git's data and vib's records are judged by their names.
            if folder.is_empty() && matches!(name.as_slice(), b".git" | b".vibelign") {
                continue;
            }
            let mut inside = folder.clone();
            join(&mut inside, &name);
            // What an editor leaves beside an open file is no loss to anybody.
            if !is_dir && rules.is_left_by_editor(&top, &inside) {
                continue;
            }
            let left_out =
                is_dir && rules.is_cache(&top, &inside) || node.ignores(&top, &rules, &inside, is_dir);
            if !left_out {
                if is_dir {
                    let child = RuleNode::child(&node, &inside);
                    open.push((inside, child));
                }
                continue;
            }
            let size = entry.metadata().map_or(0, |facts| facts.len());
            if !is_dir && rules.includes(&inside, size) {
                continue;
            }
            found.push(root.join(bytes_to_path(&inside)));
            if found.len() >= most {
                return Some(found);
            }
        }
    }
    Some(found)
}

fn join(folder: &mut Vec<u8>, name: &[u8]) {
    if !folder.is_empty() {
        folder.push(b'/');
    }
    folder.extend_from_slice(name);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ignore_rules_leave_out_is_not_saved() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::create_dir_all(root.join("src/deep")).unwrap();
        std::fs::create_dir_all(root.join("data/x")).unwrap();
        std::fs::create_dir_all(root.join("node_modules/a")).unwrap();
        std::fs::write(root.join(".gitignore"), "data/\n*.log\n.env\n").unwrap();
        std::fs::write(root.join("src/.gitignore"), "deep\n").unwrap();
        std::fs::write(root.join(".env"), "A=1\n").unwrap();
        let config = Config::default();
        let saved = |path: &str| is_saved(root, &config, &root.join(path));
        for (path, want) in [
            ("src/main.rs", true),
            ("src", true),
            ("src/deep", false),
            ("src/deep/x.rs", false),
            ("data", false),
            ("data/x/y", false),
            ("a.log", false),
            ("node_modules", false),
            ("node_modules/a", false),
            (".env", true),
        ] {
            assert_eq!(saved(path), Some(want), "{path}");
        }
        assert_eq!(is_saved(root, &config, Path::new("/elsewhere")), None);
        assert_eq!(is_saved(root, &config, root), None);
    }

    #[test]
    fn what_is_left_out_below_a_folder_is_found_t6() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::create_dir_all(root.join("uploads/a")).unwrap();
        std::fs::create_dir_all(root.join("src/deep")).unwrap();
        std::fs::create_dir_all(root.join("node_modules/x")).unwrap();
        for file in
            ["dev.sqlite", "uploads/a/1.png", "src/a.rs", "src/deep/b.sqlite", "node_modules/x/i.js", ".env"]
        {
            std::fs::write(root.join(file), "x").unwrap();
        }
        std::fs::write(root.join(".gitignore"), "*.sqlite\nuploads/\n.env\n").unwrap();
        let config = Config::default();
        let below = |path: &str| {
            let mut found: Vec<String> = unsaved_below(root, &config, &root.join(path), 100)
                .unwrap()
                .iter()
                .map(|path| path.strip_prefix(root).unwrap().display().to_string())
                .collect();
            found.sort();
            found
        };
        assert_eq!(below(""), ["dev.sqlite", "node_modules", "src/deep/b.sqlite", "uploads"]);
        assert_eq!(below("src"), ["src/deep/b.sqlite"]);
        assert_eq!(below("uploads"), ["uploads"]);
        assert_eq!(below("uploads/a/1.png"), ["uploads/a/1.png"]);
        assert!(below("uploads/none").is_empty() && below("src/a.rs").is_empty());
    }
}
