//! The facts about the surroundings that a judgement needs, handed in as a value.
//!
//! The crate reads no environment and touches no file by itself: whoever calls it says where the project is, and files
//! are seen only through [`FileView`], so a test owns everything the judge can see.

use std::io::Read;
use std::path::{Path, PathBuf};

/// Whether what a checkpoint brings back may simply run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Covered {
    /// A loss that the checkpoint covers is no reason to ask.
    #[default]
    Allow,
    /// Ask as a guard without checkpoints would have to.
    Ask,
}

/// What a name in a folder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file, or anything else that is no folder and no link.
    File,
    /// A folder.
    Folder,
    /// A symbolic link, wherever it leads.
    Link,
}

/// The judge's only window on the file system.
pub trait FileView: Sync {
    /// The path with every symbolic link on its way resolved, as far as it exists; `None` when nothing is known.
    fn resolve(&self, path: &Path) -> Option<PathBuf>;
    /// The text of a small regular file, at most `limit` bytes; `None` when it is absent, larger or not text.
    fn read_small(&self, path: &Path, limit: u64) -> Option<String>;
    /// The first bytes of a regular file; `None` when it is absent or nothing is known.
    fn opening(&self, _path: &Path, _most: usize) -> Option<Vec<u8>> {
        None
    }
    /// Whether this folder is the top of a git repository or work tree.
    fn is_repository(&self, _folder: &Path) -> bool {
        false
    }
    /// Whether a checkpoint of the project holds what is at this path; `None` when that is not known.
    fn is_saved(&self, _path: &Path) -> Option<bool> {
        None
    }
    /// Whether git tracks what is at this path, or something below it: then no tool makes it again.
    fn is_tracked(&self, _path: &Path) -> bool {
        false
    }
    /// The names in a folder; `None` when it cannot be read or holds more than `most`.
    fn list(&self, _folder: &Path, _most: usize) -> Option<Vec<(String, Kind)>> {
        None
    }
    /// What is at this path, links not followed; `None` when nothing is there or nothing is known.
    fn kind(&self, _path: &Path) -> Option<Kind> {
        None
    }
    /// Whether two names stand for one file that has several names (hard links).
    fn is_same_file(&self, _one: &Path, _other: &Path) -> bool {
        false
    }
    /// Whether a file has more names than one.
    fn has_other_names(&self, _path: &Path) -> bool {
        false
    }
    /// Whether this file is vib's own program, whatever it is called: another name of it, or a copy.
    fn is_vib(&self, _path: &Path) -> bool {
        false
    }
    /// Whether a file that has several names is one of vib's own records under another name.
    fn is_vibs_record(&self, _path: &Path) -> bool {
        false
    }
    /// Whether all work on these branches of the project is on another branch or tag, too; `None` when that is not known.
    fn is_held_elsewhere(&self, _branches: &[&str]) -> Option<bool> {
        None
    }
    /// Which of these branches the project has; `None` when that is not known.
    fn branches_there(&self, _branches: &[&str]) -> Option<Vec<String>> {
        None
    }
    /// What lies at or below this path and is in no checkpoint: files, and folders that are left out as a whole; at most
    /// `most`, `None` when that cannot be told.
    fn unsaved_below(&self, _path: &Path, _most: usize) -> Option<Vec<PathBuf>> {
        None
    }
}

/// No file system: links are not followed, scripts are not read.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl FileView for NoFiles {
    fn resolve(&self, _path: &Path) -> Option<PathBuf> {
        None
    }

    fn read_small(&self, _path: &Path, _limit: u64) -> Option<String> {
        None
    }
}

/// The real file system, through `std`.
#[derive(Clone, Copy, Debug, Default)]
pub struct StdFiles;

impl FileView for StdFiles {
    fn resolve(&self, path: &Path) -> Option<PathBuf> {
        let mut rest = Vec::new();
        let mut here = path;
        loop {
            if let Ok(real) = here.canonicalize() {
                return Some(rest.iter().rev().fold(real, |whole, part| whole.join(part)));
            }
            rest.push(here.file_name()?);
            here = here.parent()?;
        }
    }

    fn opening(&self, path: &Path, most: usize) -> Option<Vec<u8>> {
        let file = std::fs::metadata(path)
            .ok()
            .filter(std::fs::Metadata::is_file)
            .and(std::fs::File::open(path).ok())?;
        let mut bytes = Vec::new();
        file.take(most as u64).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    fn is_repository(&self, folder: &Path) -> bool {
        folder.join(".git").symlink_metadata().is_ok()
    }

    fn list(&self, folder: &Path, most: usize) -> Option<Vec<(String, Kind)>> {
        let mut names = Vec::new();
        for entry in std::fs::read_dir(folder).ok()? {
            let entry = entry.ok()?;
            if names.len() >= most {
                return None;
            }
            let kind = entry.file_type().ok().map_or(Kind::File, kind_of);
            names.push((entry.file_name().to_string_lossy().into_owned(), kind));
        }
        Some(names)
    }

    fn kind(&self, path: &Path) -> Option<Kind> {
        path.symlink_metadata().ok().map(|facts| kind_of(facts.file_type()))
    }

    #[cfg(unix)]
    fn is_same_file(&self, one: &Path, other: &Path) -> bool {
        use std::os::unix::fs::MetadataExt;
        let number = |path: &Path| std::fs::metadata(path).ok().map(|facts| (facts.dev(), facts.ino()));
        number(one).is_some_and(|file| number(other) == Some(file))
    }

    #[cfg(unix)]
    fn has_other_names(&self, path: &Path) -> bool {
        use std::os::unix::fs::MetadataExt;
        std::fs::metadata(path).is_ok_and(|facts| facts.is_file() && facts.nlink() > 1)
    }

    fn read_small(&self, path: &Path, limit: u64) -> Option<String> {
        let facts = std::fs::metadata(path).ok()?;
        // Files that the kernel makes up have no size, and reading some of them waits for ever.
        let made_up = ["/proc", "/sys", "/dev"].iter().any(|top| path.starts_with(top));
        if !facts.is_file() || facts.len() > limit || made_up {
            return None;
        }
        let mut text = String::new();
        std::fs::File::open(path).ok()?.take(limit).read_to_string(&mut text).ok()?;
        Some(text)
    }
}

fn kind_of(kind: std::fs::FileType) -> Kind {
    if kind.is_symlink() {
        Kind::Link
    } else if kind.is_dir() {
        Kind::Folder
    } else {
        Kind::File
    }
}

/// Everything about the surroundings that decides what a command would do.
pub struct JudgeContext<'a> {
    /// The project folder that checkpoints cover; empty where there is none, so that nothing counts as covered.
    pub project_root: PathBuf,
    /// Where the command would run.
    pub cwd: PathBuf,
    /// The user's home folder.
    pub home: PathBuf,
    /// Where vib keeps checkpoints and logs.
    pub state_dir: PathBuf,
    /// Where vib keeps the user's settings.
    pub config_dir: PathBuf,
    /// vib's own program, under the names that hooks call it by.
    pub own_programs: Vec<PathBuf>,
    /// Variables of the process that name guarded places, with their values: `VIBELIGN_STATE`, `CLAUDE_CONFIG_DIR`, `BASH_ENV`.
    pub environment: Vec<(String, String)>,
    /// Folders for throw-away files besides `/tmp` and `/var/tmp`.
    pub temp_dirs: Vec<PathBuf>,
    /// The user's git aliases: name and what it stands for.
    pub git_aliases: Vec<(String, String)>,
    /// Whether a covered loss may run unasked.
    pub covered: Covered,
    /// The window on the file system.
    pub files: &'a dyn FileView,
}

impl<'a> JudgeContext<'a> {
    /// A context for a project, with vib's folders at their usual places under `home`.
    pub fn new(project_root: impl Into<PathBuf>, home: impl Into<PathBuf>, files: &'a dyn FileView) -> Self {
        let (root, home) = (project_root.into(), home.into());
        Self {
            cwd: root.clone(),
            project_root: root,
            state_dir: home.join(".local/state/vibelign"),
            config_dir: home.join(".config/vibelign"),
            home,
            own_programs: Vec::new(),
            environment: Vec::new(),
            temp_dirs: Vec::new(),
            git_aliases: Vec::new(),
            covered: Covered::Allow,
            files,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_does_not_exist_is_resolved_as_far_as_it_does() {
        let real = StdFiles.resolve(Path::new("/tmp/surely/not/here")).unwrap();
        assert!(real.ends_with("surely/not/here"));
    }
}
