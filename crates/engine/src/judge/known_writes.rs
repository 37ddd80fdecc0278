//! The judge knows all that a command writes: is that also true of what is on the disk now?

use std::path::Path;

use project::{RelPath, platform};
use shell::Verdict;

/// Longer files are left to the look at the whole tree, which has rules for them.
const LONGEST: u64 = 16 << 20;

/// Every path of the project that the command may leave different; nothing if the whole tree has to be looked at.
///
/// The judge reads names. A name that is a link, leads through one, or stands for a whole folder that moves means more than itself.
pub fn known_writes(root: &Path, verdict: &Verdict) -> Option<Vec<RelPath>> {
    let known = verdict.writes_only.as_ref()?;
    // There a path has many spellings, and only one of them is in the store.
    if platform::ignores_case(root) {
        return None;
    }
    let mut paths: Vec<RelPath> = Vec::with_capacity(known.len());
    for one in known {
        let inside = Path::new(&one.path).strip_prefix(root).ok()?;
        let path = RelPath::new(&platform::path_to_bytes(inside)).ok()?;
        let mut here = root.to_path_buf();
        for part in inside.components() {
            here.push(part);
            let Ok(facts) = here.symlink_metadata() else { break };
            let is_itself = here.as_os_str().len() == Path::new(&one.path).as_os_str().len();
            let means_more = facts.is_symlink()
                || is_itself
                    && (facts.is_dir() && one.with_content || facts.is_file() && facts.len() > LONGEST);
            if means_more {
                return None;
            }
        }
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    Some(paths)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shell::KnownWrite;

    fn known(root: &Path, paths: &[(&str, bool)]) -> Option<Vec<String>> {
        let writes = paths.iter().map(|(path, with_content)| KnownWrite {
            path: root.join(path).to_str().unwrap().to_owned(),
            with_content: *with_content,
        });
        let verdict = Verdict { writes_only: Some(writes.collect()), ..Verdict::default() };
        let paths = known_writes(root, &verdict)?;
        Some(paths.iter().map(ToString::to_string).collect())
    }

    #[test]
    #[cfg(unix)]
    fn names_that_mean_more_than_themselves_are_not_enough() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("dir")).unwrap();
        std::fs::write(root.join("dir/file"), "x").unwrap();
        std::os::unix::fs::symlink("dir", root.join("link")).unwrap();
        std::os::unix::fs::symlink("dir/file", root.join("shortcut")).unwrap();
        let large = std::fs::File::create(root.join("large")).unwrap();
        large.set_len(LONGEST + 1).unwrap();
        assert_eq!(
            known(&root, &[("dir/file", true), ("new/deep", false)]).unwrap(),
            ["dir/file", "new/deep"]
        );
        assert_eq!(known(&root, &[("dir", false)]).unwrap(), ["dir"]);
        for one in
            [("dir", true), ("link/file", false), ("shortcut", false), ("large", false), (".git/x", false)]
        {
            assert_eq!(known(&root, &[("dir/file", false), one]), None, "{one:?}");
        }
        assert_eq!(known_writes(&root, &Verdict::default()), None);
    }
}
