//! Would a checkpoint hold this path? The answer for one path, without a walk and without the store.

use std::path::Path;

use project::Config;
use project::platform::{DirHandle, path_to_bytes};

use super::rules::{RuleNode, Rules};

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
        if is_dir && rules.is_cache_name(part) {
            return Some(false);
        }
        if node.ignores(&top, &rules, &here, is_dir) {
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
}
