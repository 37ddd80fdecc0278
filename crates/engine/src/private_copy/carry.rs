//! What a project needs to run and does not save: `node_modules`, `.venv` and the like, as they are now.
//!
//! Such a folder is made in the copy as links to what is in the project's own, or as a copy where nothing would keep a check from writing
//! through them. What in it leads back into the project (a workspace's link, a
//! `.pth` of an editable install, a script that names the project's own Python) leads into the copy instead: else every state would be
//! checked with today's code. (B5, B6)

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

use project::{RelPath, platform};
use store::Store;

use crate::{Engine, Result};

/// Folders with what a project needs to run and does not save. They are read by tools and not made by them, so a link will do.
const DEPENDENCIES: [&str; 12] = [
    "node_modules",
    ".venv",
    "venv",
    "env",
    "vendor",
    "bower_components",
    "Pods",
    ".bundle",
    "jspm_packages",
    "deps",
    "Carthage",
    "elm-stuff",
];
/// Names that begin with a dot and belong to the dependencies of node; the others are caches, into which a check would write.
const OWN: [&str; 6] = [".bin", ".pnpm", ".package-lock.json", ".modules.yaml", ".yarn-integrity", ".prisma"];
/// Folders of the project in which dependencies are looked for.
const MOST_FOLDERS: usize = 10_000;
/// Larger dependency folders are not copied.
const MOST_COPIED: u64 = 2 << 30;
/// So many files of them.
const MOST_COPIED_FILES: u64 = 100_000;
/// Entries of a dependency folder that are looked through for ways back.
const MOST_ENTRIES: usize = 400_000;
/// Longer files are no lists of paths.
const LONGEST: u64 = 256 << 10;

/// How a dependency folder comes into the copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// As links: behind a wall, nothing is written through them.
    Linked,
    /// As a copy, where nothing keeps writes out; one that is too large is linked all the same, and compared afterwards.
    CopiedOrLinked,
    /// As a copy or not at all.
    CopiedOnly,
}

/// The dependency folders of a project that no saved state holds.
#[derive(Debug, Default)]
pub(super) struct Dependencies {
    found: Vec<RelPath>,
    /// Too large to be looked through: a way back in it may be missed.
    pub(super) unread: Vec<String>,
    /// Too large to be copied, and so not in the copy.
    pub(super) left_out: Vec<String>,
}

impl Dependencies {
    /// Looks for them in the project.
    pub(super) fn find(root: &Path, store: &Store<'_>) -> Result<Self> {
        let mut out = Self::default();
        for path in candidates(root) {
            let Ok(relative) = RelPath::new(&platform::path_to_bytes(&path)) else { continue };
            if !store.has_saved(&relative)? {
                out.found.push(relative);
            }
        }
        Ok(out)
    }

    /// Puts those into the copy whose place is there and which are missing. Gives the names of all that are in it.
    pub(super) fn carry(&mut self, root: &Path, tree: &Path, how: How) -> Vec<String> {
        let mut out = Vec::new();
        for relative in &self.found {
            let (there, here) = (relative.to_path(root), relative.to_path(tree));
            let name = relative.to_string();
            if !here.parent().is_some_and(Path::is_dir) || self.left_out.contains(&name) {
                continue;
            }
            if here.symlink_metadata().is_err() {
                let mut look = Look::of(root, &self.found);
                look.through(&there);
                if look.entries > MOST_ENTRIES {
                    self.unread.push(name.clone());
                }
                let copies = how != How::Linked && !look.is_too_large();
                if how == How::CopiedOnly && !copies {
                    self.left_out.push(name);
                    continue;
                }
                Mirror { look: &look, top: &there, tree, copies }.make(&there, &here);
            }
            out.push(name);
        }
        out
    }

    /// The folders themselves, in the project.
    pub(super) fn places(&self, root: &Path) -> Vec<PathBuf> {
        self.found.iter().map(|relative| relative.to_path(root)).collect()
    }
}

/// What came along into a lane.
#[derive(Debug, Default)]
pub(crate) struct Carried {
    /// Folders that are there.
    pub(crate) carried: Vec<String>,
    /// Folders that are not: too large to be copied, or not wanted.
    pub(crate) left_out: Vec<String>,
}

/// Puts what the project needs and does not save into the folder of a lane, as `lane.carry` says. What is copied is shared where the disk can
/// do that; a lane in which somebody writes gets links only if a person chose that.
pub(crate) fn carry_into_lane(engine: &Engine, store: &Store<'_>, folder: &Path) -> Result<Carried> {
    let root = engine.project().root();
    let mut found = Dependencies::find(root, store)?;
    let how = match engine.project().config().word("lane.carry") {
        "off" => {
            let left_out = found.found.iter().map(ToString::to_string).collect();
            return Ok(Carried { carried: Vec::new(), left_out });
        }
        "link" => How::Linked,
        _ => How::CopiedOnly,
    };
    let carried = found.carry(root, folder, how);
    Ok(Carried { carried, left_out: found.left_out })
}

/// Folders of a project that have the name of one with dependencies, from its root on, the uppermost first.
fn candidates(root: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut folders = vec![PathBuf::new()];
    let mut at = 0;
    while at < folders.len() && folders.len() < MOST_FOLDERS {
        let inner = folders[at].clone();
        at += 1;
        for entry in std::fs::read_dir(root.join(&inner)).into_iter().flatten().flatten() {
            if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                continue;
            }
            let name = entry.file_name();
            match name.to_str() {
                Some(known) if DEPENDENCIES.contains(&known) => out.push(inner.join(&name)),
                Some(".git" | "target") => {}
                _ => folders.push(inner.join(&name)),
            }
        }
    }
    out.sort();
    out
}

/// Which folders below a dependency folder hold something that leads back into the project, and how large it is.
struct Look<'l> {
    root: &'l Path,
    found: &'l [RelPath],
    /// They have to be real folders in the copy.
    real: HashSet<PathBuf>,
    entries: usize,
    files: u64,
    bytes: u64,
}

impl<'l> Look<'l> {
    fn of(root: &'l Path, found: &'l [RelPath]) -> Self {
        Self { root, found, real: HashSet::new(), entries: 0, files: 0, bytes: 0 }
    }

    fn through(&mut self, top: &Path) {
        let mut folders = vec![top.to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                self.entries += 1;
                if self.entries > MOST_ENTRIES {
                    return;
                }
                let Ok(kind) = entry.file_type() else { continue };
                let path = entry.path();
                if kind.is_file() {
                    self.files += 1;
                    self.bytes += entry.metadata().map_or(0, |stat| stat.len());
                }
                if kind.is_dir() {
                    folders.push(path);
                } else if kind.is_symlink() && self.leads_back(&path).is_some()
                    || kind.is_file() && self.names_project(&path)
                {
                    for above in path.ancestors().skip(1).take_while(|above| above.starts_with(top)) {
                        self.real.insert(above.to_path_buf());
                    }
                }
            }
        }
    }

    fn is_too_large(&self) -> bool {
        self.entries > MOST_ENTRIES || self.files > MOST_COPIED_FILES || self.bytes > MOST_COPIED
    }

    /// Where in the project a link leads, if not into another dependency folder.
    fn leads_back(&self, link: &Path) -> Option<PathBuf> {
        // A tool in `.bin` may be a package of the workspace: one link leads to another.
        let target = match link.canonicalize() {
            Ok(real) => real,
            Err(_) => plain(&link.parent()?.join(std::fs::read_link(link).ok()?)),
        };
        let inside = target.strip_prefix(self.root).ok()?.to_path_buf();
        let in_dependencies = self.found.iter().any(|found| target.starts_with(found.to_path(self.root)));
        (!in_dependencies).then_some(inside)
    }

    /// A file that tells a tool where code is, and names the project.
    fn names_project(&self, path: &Path) -> bool {
        tells_places(path)
            && path.metadata().is_ok_and(|stat| stat.len() <= LONGEST)
            && std::fs::read(path).is_ok_and(|text| names(&text, self.root))
    }
}

fn tells_places(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let folder = path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    [".pth", ".egg-link", ".cfg"].iter().any(|end| name.ends_with(end))
        || name.starts_with("__editable__")
        || matches!(folder.as_deref(), Some("bin" | ".bin" | "Scripts"))
}

/// Makes a folder of the copy what one of the project is.
struct Mirror<'m> {
    look: &'m Look<'m>,
    /// The dependency folder.
    top: &'m Path,
    /// The copy.
    tree: &'m Path,
    /// Files are copied; else they are linked, and folders too where nothing below leads back.
    copies: bool,
}

impl Mirror<'_> {
    fn make(&self, from: &Path, to: &Path) {
        if std::fs::create_dir(to).is_err() {
            return;
        }
        for entry in std::fs::read_dir(from).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let here = to.join(&name);
            let Ok(kind) = entry.file_type() else { continue };
            if self.is_cache(from, &name.to_string_lossy()) {
                continue;
            }
            if kind.is_dir() {
                if self.copies || self.look.real.contains(&path) {
                    self.make(&path, &here);
                } else {
                    link(&path, &here);
                }
            } else if kind.is_symlink() {
                link(&self.target(&path), &here);
            } else if kind.is_file() && self.look.names_project(&path) {
                rewrite(self.look.root, &path, &here, self.tree);
            } else if kind.is_file() && self.copies {
                copy_file(&path, &here);
            } else if kind.is_file() {
                link(&path, &here);
            }
        }
    }

    /// A cache that a tool puts there stays in the copy.
    fn is_cache(&self, folder: &Path, name: &str) -> bool {
        let of_node = folder == self.top && self.top.ends_with("node_modules");
        of_node && name.starts_with('.') && !OWN.contains(&name)
            || name == "__pycache__" && folder != self.top
    }

    /// Where a link of the project leads in the copy.
    fn target(&self, link: &Path) -> PathBuf {
        if let Some(inside) = self.look.leads_back(link) {
            return self.tree.join(inside);
        }
        if !self.copies {
            return link.to_path_buf();
        }
        let (Ok(target), Some(folder)) = (std::fs::read_link(link), link.parent()) else {
            return link.to_path_buf();
        };
        let whole = plain(&folder.join(&target));
        match whole.strip_prefix(self.look.root) {
            // What is relative leads into the copy by itself, and what is made later is found there, too.
            Ok(_) if target.is_relative() => target,
            Ok(inside) => self.tree.join(inside),
            Err(_) => whole,
        }
    }
}

/// The same content (shared where the file system can), the same time.
fn copy_file(from: &Path, to: &Path) {
    let _ = std::fs::copy(from, to);
    if let Ok(time) = from.metadata().and_then(|stat| stat.modified())
        && let Ok(file) = std::fs::File::options().append(true).open(to)
    {
        let _ = file.set_modified(time);
    }
}

fn rewrite(root: &Path, from: &Path, to: &Path, tree: &Path) {
    let Ok(text) = std::fs::read(from) else { return };
    if std::fs::write(to, moved(&text, root, tree)).is_ok()
        && let Ok(stat) = from.metadata()
    {
        let _ = std::fs::set_permissions(to, stat.permissions());
    }
}

fn link(to: &Path, at: &Path) {
    #[cfg(unix)]
    let _ = std::os::unix::fs::symlink(to, at);
    #[cfg(windows)]
    let _ = if to.is_dir() {
        std::os::windows::fs::symlink_dir(to, at)
    } else {
        std::os::windows::fs::symlink_file(to, at)
    };
}

/// A path without `.` and `..`, by its words alone.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                out.pop();
            }
            Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}

/// The places at which a text names a folder, not only one whose name begins the same.
fn places_of(text: &[u8], folder: &[u8]) -> Vec<usize> {
    let goes_on =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.') || *byte >= 0x80;
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(found) = text[at..].windows(folder.len().max(1)).position(|part| part == folder) {
        let (start, end) = (at + found, at + found + folder.len());
        if !text.get(end).is_some_and(goes_on) {
            out.push(start);
        }
        at = end;
    }
    out
}

/// Whether a text names this folder or something in it.
pub(crate) fn names(text: &[u8], folder: &Path) -> bool {
    !places_of(text, &platform::path_to_bytes(folder)).is_empty()
}

/// The text with another folder in the place of this one.
pub(super) fn moved(text: &[u8], from: &Path, to: &Path) -> Vec<u8> {
    let (from, to) = (platform::path_to_bytes(from), platform::path_to_bytes(to));
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    for start in places_of(text, &from) {
        out.extend_from_slice(&text[at..start]);
        out.extend_from_slice(&to);
        at = start + from.len();
    }
    out.extend_from_slice(&text[at..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_named_by_its_whole_name_only() {
        let (shop, copy) = (Path::new("/home/a/shop"), Path::new("/copy"));
        let text = b"/home/a/shop/src:/home/a/shop2:/home/a/shop:/home/a/shop-old";
        assert_eq!(moved(text, shop, copy), b"/copy/src:/home/a/shop2:/copy:/home/a/shop-old");
        assert!(names(b"cd /home/a/shop && ls", shop) && !names(b"/home/a/shopping", shop));
        assert_eq!(plain(Path::new("/a/b/../c/./d")), Path::new("/a/c/d"));
    }
}
