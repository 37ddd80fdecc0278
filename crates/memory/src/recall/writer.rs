//! Folding new memories in, and few large files out of many small ones; each call does a bounded amount of work.

use std::fs::TryLockError;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use fs_err as fs;

use super::build::build;
use super::document::Document;
use super::error::{Error, Result};
use super::feed::Places;
use super::format::{Kind, VERSION, term};
use super::index::{MANIFEST, Manifest};
use super::merge::merge;
use super::segment::Segment;

const LOCK: &str = "index.lock";
/// A segment takes the next one in when that has grown to a quarter of it: so there are few, and each document is copied
/// only a few times.
const GROWTH: u64 = 4;
/// More segments than this are merged whatever their sizes.
const MOST_SEGMENTS: usize = 12;
/// The list of what was taken back is read with every question: a person does not take more back than this.
const MOST_TAKEN_BACK: usize = 5_000;

/// The one process that changes an index.
#[derive(Debug)]
pub struct IndexWriter {
    folder: PathBuf,
    manifest: Manifest,
    segments: Vec<Segment>,
    _lock: std::fs::File,
}

/// What [`IndexWriter::fold`] did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folded {
    /// How many documents were added.
    pub documents: usize,
    /// How many files the index has now.
    pub segments: usize,
}

/// What [`IndexWriter::merge`] did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// How many files became one, in all steps together.
    pub merged: usize,
    /// Whether more is to be done than the limit allowed.
    pub more: bool,
}

impl IndexWriter {
    /// Opens the index for changing, or says that another process is at it. Never waits.
    pub fn open(folder: &Path) -> Result<Self> {
        let lock = Self::lock(folder)?;
        let manifest = Manifest::read(folder)?;
        let segments = manifest.open(folder)?;
        let writer = Self { folder: folder.to_path_buf(), manifest, segments, _lock: lock };
        writer.sweep();
        Ok(writer)
    }

    /// Deletes whatever is there, damaged or newer, and starts anew.
    pub fn create(folder: &Path) -> Result<Self> {
        let lock = Self::lock(folder)?;
        let manifest = Manifest { version: VERSION, ..Manifest::default() };
        let mut writer = Self { folder: folder.to_path_buf(), manifest, segments: Vec::new(), _lock: lock };
        // A reader that has the old list must not find new content under an old name.
        writer.manifest.next =
            writer.files().filter_map(|(_, number)| number).max().map_or(0, |last| last + 1);
        writer.publish()?;
        writer.sweep();
        Ok(writer)
    }

    fn lock(folder: &Path) -> Result<std::fs::File> {
        fs::create_dir_all(folder)?;
        let path = folder.join(LOCK);
        let file =
            fs::OpenOptions::new().create(true).truncate(false).write(true).open(&path)?.into_parts().0;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(Error::Busy(folder.to_path_buf())),
            Err(TryLockError::Error(error)) => Err(error.into()),
        }
    }

    /// How far each log is folded in.
    pub fn places(&self) -> &Places {
        &self.manifest.places
    }

    /// Forgets how far a log was folded in: it is read again from its beginning.
    pub(super) fn forget_place(&mut self, log: &str) {
        self.manifest.places.remove(log);
    }

    /// Whether a document with this id is there.
    pub fn has(&self, id: &str) -> Result<bool> {
        let hash = term(Kind::Id, id);
        for segment in &self.segments {
            if segment.entry(hash)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// These are not to be found any more. Kept with the next fold.
    pub(super) fn take_back(&mut self, ids: Vec<String>) {
        let known = &mut self.manifest.taken_back;
        for id in ids {
            if !known.contains(&id) {
                known.push(id);
            }
        }
        let extra = known.len().saturating_sub(MOST_TAKEN_BACK);
        known.drain(..extra);
    }

    /// Adds documents as a new segment, and notes how far the logs are folded in.
    pub fn fold(&mut self, documents: &[Document], places: Places) -> Result<Folded> {
        if !documents.is_empty() {
            let bytes = build(documents)?;
            let (name, segment) = self.write(&bytes)?;
            self.manifest.segments.push(name);
            self.segments.push(segment);
        }
        self.manifest.places = places;
        self.publish()?;
        Ok(Folded { documents: documents.len(), segments: self.segments.len() })
    }

    /// Merges neighbouring segments while there is reason to, reading at most about so many bytes.
    pub fn merge(&mut self, limit: u64) -> Result<Merged> {
        let mut left = limit;
        let mut done = 0;
        while let Some(first) = self.due() {
            let pair = [&self.segments[first], &self.segments[first + 1]];
            let cost = pair[0].bytes() + pair[1].bytes();
            if cost > left {
                return Ok(Merged { merged: done, more: true });
            }
            left -= cost;
            let bytes = merge(&pair)?;
            let (name, segment) = self.write(&bytes)?;
            let old: Vec<String> = self.manifest.segments.splice(first..first + 2, [name]).collect();
            self.segments.splice(first..first + 2, [segment]);
            self.publish()?;
            for name in old {
                // Whoever still reads it keeps it open; what cannot be deleted now is swept up later.
                let _ = fs::remove_file(self.folder.join(name));
            }
            done += 2;
        }
        Ok(Merged { merged: done, more: false })
    }

    /// The first of two neighbours to be merged: the cheapest pair that is due.
    fn due(&self) -> Option<usize> {
        let too_many = self.segments.len() > MOST_SEGMENTS;
        let cost = |pair: &[Segment]| pair[0].bytes() + pair[1].bytes();
        let due = |pair: &[Segment]| pair[1].bytes().saturating_mul(GROWTH) >= pair[0].bytes();
        let pairs = self.segments.windows(2).enumerate().filter(|(_, pair)| too_many || due(pair));
        pairs.min_by_key(|(_, pair)| cost(pair)).map(|(at, _)| at)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(String, Segment)> {
        let name = format!("segment-{:010}", self.manifest.next);
        self.manifest.next += 1;
        let path = self.folder.join(&name);
        put(&self.folder, &path, bytes)?;
        Ok((name, Segment::open(&path)?))
    }

    fn publish(&self) -> Result<()> {
        let text = serde_json::to_vec(&self.manifest).map_err(std::io::Error::from)?;
        put(&self.folder, &self.folder.join(MANIFEST), &text)
    }

    /// The segment files that are there, with their numbers.
    fn files(&self) -> impl Iterator<Item = (String, Option<u64>)> + use<> {
        let names = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let names = names.filter_map(|entry| entry.file_name().into_string().ok());
        names.filter_map(|name| {
            let number = name.strip_prefix("segment-")?.parse().ok();
            Some((name, number))
        })
    }

    /// Deletes segments that a process that was killed left behind.
    fn sweep(&self) {
        for (name, _) in self.files().filter(|(name, _)| !self.manifest.segments.contains(name)) {
            let _ = fs::remove_file(self.folder.join(name));
        }
    }
}

/// A whole file or none: written under another name, then renamed.
fn put(folder: &Path, path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = tempfile::Builder::new().prefix("segment-new-").tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
