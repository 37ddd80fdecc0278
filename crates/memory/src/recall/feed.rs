//! The log is the outbox, the index its fold: each log is read from where it was folded in up to, and reading it again
//! changes nothing.
//!
//! A log only grows. If what stands before the place that was reached is not what it was, either compaction moved events into
//! another log, which has grown then: the rewritten one is read again, and what is known already is left out. Or another hand
//! was at it: then the index is made anew. So is one that is missing or damaged.

use std::collections::{BTreeMap, HashSet};
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fs_err as fs;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::document::Document;
use super::error::{Error, Result};
use super::from_event::taken_back;
use super::index::Index;
use super::writer::IndexWriter;
use crate::log::Event;

/// So many bytes before a place tell whether the log is still the one that was read.
const MARK: u64 = 256;
/// How much is folded between two looks at the clock.
const SMALL_BITE: u64 = 256 << 10;
/// How much becomes one segment where there is time.
const LARGE_BITE: u64 = 24 << 20;
/// What merging gets through in a millisecond, in bytes; rather too low.
const MERGED_PER_MS: u64 = 24 << 10;

/// How far a log is folded in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// In bytes.
    pub position: u64,
    /// The hash of what stands just before.
    pub mark: u64,
    /// When the log was last changed, if all of it was folded in: nanoseconds since 1970. One that is as long and as old as then need not
    /// be opened; there may be hundreds, of one session each. (M11)
    #[serde(default)]
    pub modified: u64,
}

/// How long a log is and when it was last changed; nothing if it is not there.
fn facts(path: &Path) -> Result<Option<(u64, u64)>> {
    let facts = match fs::metadata(path) {
        Ok(facts) => facts,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let since = facts.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    let modified = since.and_then(|since| u64::try_from(since.as_nanos()).ok()).unwrap_or(0);
    Ok(Some((facts.len(), modified)))
}

impl Place {
    /// The log is as it was when all of it was folded in.
    fn is_all_of(self, (length, modified): (u64, u64)) -> bool {
        self.modified != 0 && self.position == length && self.modified == modified
    }
}

/// How far each log is folded in, by name.
pub type Places = BTreeMap<String, Place>;

/// A log that an index is made of.
#[derive(Debug, Clone)]
pub struct Source {
    /// The name under which the index knows it.
    pub name: String,
    /// The file.
    pub path: PathBuf,
}

/// An index with everything in the logs, or nearly.
#[derive(Debug)]
pub struct Fed {
    /// The index.
    pub index: Index,
    /// How many events were read from the end of the logs just now.
    pub tail: usize,
    /// How many bytes of the logs are neither folded in nor read: another process is at it, or the time was over.
    pub left: u64,
    /// The index was missing, damaged or of another log, and was made anew.
    pub rebuilt: bool,
}

/// What is done to each memory before it is folded in, such as taking secrets out.
pub type Prepare<'a> = dyn Fn(&mut Document) + 'a;

/// Opens the index of a folder and makes it know these logs: at most `most_tail` new events are read on the fly, more are
/// folded in first, which may take about as long as `patience`.
pub fn open(
    folder: &Path,
    sources: &[Source],
    most_tail: usize,
    patience: Duration,
    prepare: &Prepare<'_>,
) -> Result<Fed> {
    let until = Instant::now() + patience;
    let mut rebuilt = false;
    loop {
        let index = match Index::open(folder) {
            Ok(index) => index,
            Err(error) if error.is_rebuildable() && !rebuilt => {
                rebuilt = true;
                if fold(folder, sources, until, true, prepare)?.is_none() {
                    return from_tail(Index::of(&[])?, sources, &Places::new(), most_tail, true);
                }
                continue;
            }
            Err(error) => return Err(error),
        };
        let bytes = match stand(sources, index.places())? {
            Stand::Grown(bytes) => bytes,
            _ if rebuilt => return from_tail(Index::of(&[])?, sources, &Places::new(), most_tail, true),
            Stand::Moved(names) => {
                rebuilt = true;
                reread(folder, sources, &names, until, prepare)?;
                continue;
            }
            Stand::Other => {
                rebuilt = true;
                fold(folder, sources, until, true, prepare)?;
                continue;
            }
        };
        // An event is never shorter than this: so little cannot be too many.
        if bytes > most_tail as u64 * 150 && Instant::now() < until {
            match fold(folder, sources, until, false, prepare) {
                Ok(Some(done)) if done > 0 => continue,
                Err(error) if error.is_rebuildable() && !rebuilt => {
                    rebuilt = true;
                    fold(folder, sources, until, true, prepare)?;
                    continue;
                }
                Ok(_) => {}
                Err(error) => return Err(error),
            }
        }
        let places = index.places().clone();
        return from_tail(index, sources, &places, most_tail, rebuilt);
    }
}

/// Folds what is new into the index of a folder, until about then. True: all of it.
pub fn upkeep(folder: &Path, sources: &[Source], patience: Duration, prepare: &Prepare<'_>) -> Result<bool> {
    let until = Instant::now() + patience;
    let places = match Index::open(folder) {
        Ok(index) => index.places().clone(),
        Err(error) if error.is_rebuildable() => {
            fold(folder, sources, until, true, prepare)?;
            return Ok(true);
        }
        Err(error) => return Err(error),
    };
    match stand(sources, &places)? {
        Stand::Grown(0) => return Ok(true),
        Stand::Grown(_) => drop(fold(folder, sources, until, false, prepare)?),
        Stand::Moved(names) => reread(folder, sources, &names, until, prepare)?,
        Stand::Other => drop(fold(folder, sources, until, true, prepare)?),
    }
    Ok(Instant::now() < until)
}

/// Throws the index of a folder away and makes it anew, however long it takes.
pub fn rebuild(folder: &Path, sources: &[Source], prepare: &Prepare<'_>) -> Result<usize> {
    let patience = Duration::from_secs(3600);
    fold(folder, sources, Instant::now() + patience, true, prepare)?
        .ok_or_else(|| Error::Busy(folder.to_path_buf()))?;
    Ok(Index::open(folder)?.len())
}

/// How the logs stand to what was folded in.
enum Stand {
    /// They have grown by so many bytes.
    Grown(u64),
    /// Compaction moved events from these into others.
    Moved(Vec<String>),
    /// They are others than they were.
    Other,
}

fn stand(sources: &[Source], places: &Places) -> Result<Stand> {
    let (mut bytes, mut rewritten) = (0, Vec::new());
    for source in sources {
        let place = places.get(&source.name).copied().unwrap_or_default();
        if facts(&source.path)?.is_some_and(|facts| place.is_all_of(facts)) {
            continue;
        }
        let Some(mut file) = open_log(&source.path)? else {
            if place.position > 0 {
                return Ok(Stand::Other);
            }
            continue;
        };
        let length = file.metadata()?.len();
        if length < place.position || mark(&mut file, place.position)? != place.mark {
            rewritten.push(source.name.clone());
        } else {
            bytes += length - place.position;
        }
    }
    let known: HashSet<&str> = sources.iter().map(|source| source.name.as_str()).collect();
    let gone = places.keys().any(|name| !known.contains(name.as_str()));
    Ok(match (gone, rewritten.is_empty()) {
        (true, _) => Stand::Other,
        (false, true) => Stand::Grown(bytes),
        (false, false) if bytes > 0 => Stand::Moved(rewritten),
        (false, false) => Stand::Other,
    })
}

/// Reads rewritten logs again; what is known already is left out.
fn reread(
    folder: &Path,
    sources: &[Source],
    names: &[String],
    until: Instant,
    prepare: &Prepare<'_>,
) -> Result<()> {
    match IndexWriter::open(folder) {
        Ok(mut writer) => {
            names.iter().for_each(|name| writer.forget_place(name));
            fold_with(writer, sources, until, prepare)?;
            Ok(())
        }
        Err(Error::Busy(_)) => Ok(()),
        Err(error) => Err(error),
    }
}

fn open_log(path: &Path) -> Result<Option<fs::File>> {
    match fs::File::open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn mark(file: &mut fs::File, position: u64) -> Result<u64> {
    let size = position.min(MARK);
    if size == 0 {
        return Ok(0);
    }
    let mut bytes = vec![0; usize::try_from(size).unwrap_or_default()];
    file.seek(SeekFrom::Start(position - size))?;
    file.read_exact(&mut bytes)?;
    Ok(xxh3_64(&bytes))
}

/// Whole lines from a place on, at most about so many bytes, and the place after them.
fn lines_from(file: &mut fs::File, position: u64, most: u64) -> Result<(Vec<u8>, Place)> {
    let mut limit = most;
    loop {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(position))?;
        let read = std::io::Read::by_ref(file).take(limit).read_to_end(&mut bytes)? as u64;
        match bytes.iter().rposition(|byte| *byte == b'\n') {
            Some(end) => {
                bytes.truncate(end + 1);
                let position = position + bytes.len() as u64;
                return Ok((bytes, Place { position, mark: mark(file, position)?, modified: 0 }));
            }
            // One line may be longer than a bite; a line without an end is still being written.
            None if read == limit => limit = limit.saturating_mul(4),
            None => return Ok((Vec::new(), Place { position, mark: mark(file, position)?, modified: 0 })),
        }
    }
}

/// The memories in some lines of a log, and the ids of those that are taken back there.
fn understand(lines: &[u8]) -> (Vec<Document>, Vec<String>) {
    let lines = lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let (mut documents, mut gone) = (Vec::new(), Vec::new());
    for event in lines.filter_map(|line| serde_json::from_slice::<Event>(line).ok()) {
        gone.extend(taken_back(&event));
        documents.extend(Document::of_event(&event));
    }
    (documents, gone)
}

/// The index and the newest events that are not in it.
fn from_tail(
    mut index: Index,
    sources: &[Source],
    places: &Places,
    most: usize,
    rebuilt: bool,
) -> Result<Fed> {
    let (mut tail, mut left) = (Vec::new(), 0);
    for source in sources {
        let position = places.get(&source.name).map_or(0, |place| place.position);
        let Some((length, _)) = facts(&source.path)?.filter(|(length, _)| *length > position) else {
            continue;
        };
        let Some(mut file) = open_log(&source.path)? else { continue };
        // A long tail is read from its end.
        let from = position.max(length.saturating_sub(most as u64 * 4096));
        let (mut lines, _) = lines_from(&mut file, from, u64::MAX / 8)?;
        let mut skipped = from - position;
        if from > position {
            let first = lines.iter().position(|byte| *byte == b'\n').map_or(lines.len(), |at| at + 1);
            lines.drain(..first);
            skipped += first as u64;
        }
        let ends: Vec<usize> =
            lines.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).collect();
        if let Some(cut) = ends.len().checked_sub(most + 1).and_then(|at| ends.get(at)) {
            skipped += *cut as u64;
            lines.drain(..*cut);
        }
        left += skipped;
        let (documents, gone) = understand(&lines);
        tail.extend(documents);
        index.take_back(gone);
    }
    index.add_tail(&tail)?;
    Ok(Fed { index, tail: tail.len(), left, rebuilt })
}

/// Folds what is new in, until about then; nothing if another process is at it. How many bytes were folded in.
fn fold(
    folder: &Path,
    sources: &[Source],
    until: Instant,
    anew: bool,
    prepare: &Prepare<'_>,
) -> Result<Option<u64>> {
    let writer = if anew { IndexWriter::create(folder) } else { IndexWriter::open(folder) };
    match writer {
        Ok(writer) => fold_with(writer, sources, until, prepare).map(Some),
        Err(Error::Busy(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// What was read and is in no segment yet. Many small logs, of one session each, become one segment together. (M11)
#[derive(Default)]
struct Batch {
    documents: Vec<Document>,
    ids: HashSet<String>,
    gone: Vec<String>,
    places: Places,
    bytes: u64,
}

impl Batch {
    fn write(&mut self, writer: &mut IndexWriter, prepare: &Prepare<'_>) -> Result<()> {
        let Self { mut documents, gone, places: read_to, .. } = std::mem::take(self);
        if read_to.is_empty() {
            return Ok(());
        }
        let mut places = writer.places().clone();
        places.extend(read_to);
        documents.iter_mut().for_each(prepare);
        writer.take_back(gone);
        writer.fold(&documents, places)?;
        Ok(())
    }
}

fn fold_with(
    mut writer: IndexWriter,
    sources: &[Source],
    until: Instant,
    prepare: &Prepare<'_>,
) -> Result<u64> {
    let mut done = 0;
    let mut batch = Batch::default();
    for source in sources {
        let folded = writer.places().get(&source.name).map_or(0, |place| place.position);
        if facts(&source.path)?.is_none_or(|(length, _)| length <= folded) {
            continue;
        }
        let Some(mut file) = open_log(&source.path)? else { continue };
        loop {
            let known = batch.places.get(&source.name).or_else(|| writer.places().get(&source.name));
            let before = known.copied().unwrap_or_default();
            if file.metadata()?.len() <= before.position || Instant::now() >= until {
                break;
            }
            let much_time = until.saturating_duration_since(Instant::now()) > Duration::from_millis(500);
            let bite = if much_time { LARGE_BITE } else { SMALL_BITE };
            // Before it is read: who writes in between makes it younger than this.
            let seen = facts(&source.path)?;
            let (lines, mut place) = lines_from(&mut file, before.position, bite)?;
            place.modified =
                seen.filter(|(length, _)| *length == place.position).map_or(0, |(_, modified)| modified);
            if lines.is_empty() {
                break;
            }
            done += lines.len() as u64;
            batch.bytes += lines.len() as u64;
            batch.places.insert(source.name.clone(), place);
            let (found, gone) = understand(&lines);
            for document in found {
                if !writer.has(&document.id)? && batch.ids.insert(document.id.clone()) {
                    batch.documents.push(document);
                }
            }
            batch.gone.extend(gone);
            if batch.bytes >= bite {
                batch.write(&mut writer, prepare)?;
            }
        }
    }
    batch.write(&mut writer, prepare)?;
    let left = until.saturating_duration_since(Instant::now()).as_millis();
    writer.merge(u64::try_from(left).unwrap_or(u64::MAX).saturating_mul(MERGED_PER_MS))?;
    Ok(done)
}
