//! A folder on the disk: copy it, weigh it, and remember exactly what is in it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use fs_err as fs;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// Left out of copies and comparisons: what git and vib keep for themselves.
const OWN_FOLDERS: [&str; 3] = [".git", ".jj", ".vibelign"];

/// Copies a tree with modes and links, without git's and vib's own folders.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if OWN_FOLDERS.iter().any(|own| entry.file_name() == *own) {
            continue;
        }
        let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            copy(&entry.path(), &target)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), &target)?;
        } else if kind.is_symlink() {
            copy_link(&entry.path(), &target)?;
        }
    }
    // Last, because nothing can be put into a folder that may not be written to.
    Ok(fs::set_permissions(to, fs::metadata(from)?.permissions())?)
}

#[cfg(unix)]
fn copy_link(from: &Path, to: &Path) -> Result<()> {
    Ok(fs::os::unix::fs::symlink(fs::read_link(from)?, to)?)
}

#[cfg(not(unix))]
fn copy_link(_from: &Path, _to: &Path) -> Result<()> {
    Ok(())
}

/// What a folder takes on the disk.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Weight {
    /// Regular files.
    pub files: u64,
    /// Folders, this one not counted.
    pub folders: u64,
    /// The sum of the files' sizes.
    pub bytes: u64,
    /// What the file system keeps for them, folders included (`du`).
    pub disk_bytes: u64,
}

/// Weighs a folder. What vanishes meanwhile weighs nothing.
pub fn weigh(folder: &Path) -> Result<Weight> {
    let mut weight = Weight { disk_bytes: disk_bytes(&fs::symlink_metadata(folder)?), ..Weight::default() };
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let Ok(metadata) = entry.metadata() else { continue };
        if metadata.is_dir() {
            let inner = weigh(&entry.path())?;
            weight.files += inner.files;
            weight.folders += inner.folders + 1;
            weight.bytes += inner.bytes;
            weight.disk_bytes += inner.disk_bytes;
        } else {
            weight.files += u64::from(metadata.is_file());
            weight.bytes += metadata.len();
            weight.disk_bytes += disk_bytes(&metadata);
        }
    }
    Ok(weight)
}

/// How many bytes the files of each name make up together, in all folders below; the biggest first, what is below
/// 1 % left out. Names that only differ in digits count as one.
pub fn parts(folder: &Path) -> Result<Vec<(String, u64)>> {
    let mut parts = BTreeMap::new();
    add_parts(&mut parts, folder)?;
    let sum: u64 = parts.values().sum();
    let mut parts: Vec<_> = parts.into_iter().filter(|(_, bytes)| bytes * 100 >= sum).collect();
    parts.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
    Ok(parts)
}

fn add_parts(parts: &mut BTreeMap<String, u64>, folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        if metadata.is_dir() {
            add_parts(parts, &entry.path())?;
        } else {
            let name =
                entry.file_name().to_string_lossy().replace(|letter: char| letter.is_ascii_digit(), "");
            *parts.entry(name).or_default() += metadata.len();
        }
    }
    Ok(())
}

#[cfg(unix)]
fn disk_bytes(metadata: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::blocks(metadata) * 512
}

#[cfg(not(unix))]
fn disk_bytes(metadata: &std::fs::Metadata) -> u64 {
    metadata.len()
}

/// Every path of a tree with its kind, mode and content.
#[derive(Debug, PartialEq, Eq)]
pub struct Manifest(BTreeMap<PathBuf, (u32, Vec<u8>)>);

impl Manifest {
    /// Reads the whole tree.
    pub fn of(root: &Path) -> Result<Self> {
        let mut entries = BTreeMap::new();
        read_into(&mut entries, root, Path::new(""))?;
        Ok(Self(entries))
    }

    /// The first paths (up to five) in which two trees differ, each with what is the matter, and how many there are.
    pub fn differences(&self, now: &Self) -> (usize, Vec<String>) {
        let gone_or_other = self.0.iter().filter_map(|(path, was)| match now.0.get(path) {
            None => Some(format!("missing {}", path.display())),
            Some(is) if is.0 != was.0 => {
                Some(format!("mode {:o} instead of {:o} {}", is.0, was.0, path.display()))
            }
            Some(is) if is != was => Some(format!("content {}", path.display())),
            Some(_) => None,
        });
        let added = now.0.keys().filter(|path| !self.0.contains_key(*path));
        let all: Vec<String> =
            gone_or_other.chain(added.map(|path| format!("left over {}", path.display()))).collect();
        (all.len(), all.into_iter().take(5).collect())
    }
}

fn read_into(entries: &mut BTreeMap<PathBuf, (u32, Vec<u8>)>, root: &Path, under: &Path) -> Result<()> {
    for entry in fs::read_dir(root.join(under))? {
        let entry = entry?;
        if OWN_FOLDERS.iter().any(|own| entry.file_name() == *own) {
            continue;
        }
        let path = under.join(entry.file_name());
        let metadata = entry.metadata()?;
        let content = if metadata.is_dir() {
            read_into(entries, root, &path)?;
            Vec::new()
        } else if metadata.is_symlink() {
            fs::read_link(entry.path())?.into_os_string().into_encoded_bytes()
        } else {
            Sha256::digest(fs::read(entry.path())?).to_vec()
        };
        entries.insert(path, (mode(&metadata), content));
    }
    Ok(())
}

#[cfg(unix)]
fn mode(metadata: &std::fs::Metadata) -> u32 {
    std::os::unix::fs::MetadataExt::mode(metadata)
}

#[cfg(not(unix))]
fn mode(metadata: &std::fs::Metadata) -> u32 {
    u32::from(metadata.is_dir())
}

/// The file deepest in the tree whose size is in the range: one that a person would plausibly edit.
pub fn deep_file(root: &Path, files: &[PathBuf], sizes: std::ops::Range<u64>) -> Result<PathBuf> {
    let fits = |path: &&PathBuf| {
        fs::symlink_metadata(root.join(path)).is_ok_and(|data| data.is_file() && sizes.contains(&data.len()))
    };
    let deepest = files.iter().filter(fits).max_by_key(|path| path.components().count());
    let Some(path) = deepest else {
        bail!("no file of {} to {} bytes in `{}`", sizes.start, sizes.end, root.display());
    };
    Ok(path.clone())
}

/// Adds a line to a file.
pub fn append_line(path: &Path, line: &str) -> Result<()> {
    use std::io::Write as _;
    let mut file = fs::OpenOptions::new().append(true).open(path)?;
    writeln!(file, "{line}").with_context(|| format!("cannot write to `{}`", path.display()))
}
