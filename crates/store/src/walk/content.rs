//! Reading files so that no torn copy is ever kept: the file system's data are compared before and after, and a file
//! that changed in between is read again.

use std::fs::File;
use std::io::Read;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use project::platform::{self, DirHandle, FileKind, FileStat};

use super::scan::{self, SeenDir, is_gone, now_ns, same_file, thread_count};
use super::{Problem, hurry};
use crate::hash::{ContentHash, Hasher};
use crate::pack::{BlobSink, ContentMeter};
use crate::progress::Progress;
use crate::{Error, Result};

/// Files longer than this are stored in chunks and never held in memory whole.
pub(crate) const LARGE_FILE: u64 = 8 << 20;
const CHUNK_MIN: usize = 512 << 10;
/// What is only looked at, not saved, is read in pieces of this length.
const PIECE: usize = 256 << 10;
const CHUNK_AVERAGE: usize = 2 << 20;
const CHUNK_MAX: usize = 8 << 20;

/// Whether large files are saved one after the other.
static ONE_AT_A_TIME: AtomicBool = AtomicBool::new(false);

/// From now on, this process saves large files one after the other: each takes a chunk, and the packed form of it, in memory.
/// For a program that stays, beside others, and has time.
pub fn save_large_files_one_by_one() {
    ONE_AT_A_TIME.store(true, Ordering::Relaxed);
}

/// How often a file that changes under our hands is read again.
const TRIES: u32 = 5;

/// Files that one thread takes at a time; neighbours share an open folder.
const BATCH: usize = 16;

/// What reading one file gave.
#[derive(Debug)]
pub(crate) enum Reading {
    /// Content and the file system's data that belong to it.
    Read { stat: FileStat, hash: ContentHash, racy: bool },
    /// It is not there any more.
    Gone,
    /// It could not be read in one piece.
    Failed { code: &'static str, detail: String },
}

/// A file whose content has to be read: folder and entry in the scan.
type Place = (usize, usize);

/// Reads everything the scan left open. With a sink, content goes into the store; without one it is only hashed.
pub(crate) fn read_pending(
    root: &DirHandle,
    dirs: &[SeenDir],
    sink: Option<&BlobSink>,
    progress: &dyn Progress,
) -> Result<Vec<(Place, Reading)>> {
    let mut pending: Vec<Place> = Vec::new();
    for (at, dir) in dirs.iter().enumerate() {
        if let SeenDir::Other { entries, .. } = dir {
            pending.extend(
                entries.iter().enumerate().filter(|(_, e)| e.hash.is_none()).map(|(entry, _)| (at, entry)),
            );
        }
    }
    // Whoever has little time reads what is quick first: a long file must not keep the short ones from being saved.
    let length = |&(at, entry): &Place| match &dirs[at] {
        SeenDir::Other { entries, .. } => entries[entry].stat.size,
        SeenDir::Same(_) => 0,
    };
    let (mut pending, long): (Vec<Place>, Vec<Place>) =
        pending.into_iter().partition(|place| length(place) <= LARGE_FILE);
    pending.extend(long);
    let next = AtomicUsize::new(0);
    let failure: Mutex<Option<Error>> = Mutex::new(None);
    let work = || {
        let mut out = Vec::new();
        let mut tools = ReadTools::new();
        loop {
            let start = next.fetch_add(BATCH, Ordering::Relaxed);
            let Some(batch) =
                pending.get(start..(start + BATCH).min(pending.len())).filter(|b| !b.is_empty())
            else {
                return out;
            };
            if let Err(error) = read_batch(root, dirs, batch, sink, &mut tools, &mut out) {
                // Nobody needs to go on: the checkpoint cannot be made.
                next.store(pending.len(), Ordering::Relaxed);
                failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                return out;
            }
            progress.advance(batch.len() as u64);
        }
    };
    let threads = thread_count().min(pending.len().div_ceil(BATCH));
    let mut readings = Vec::with_capacity(pending.len());
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        readings.extend(work());
        for other in others {
            readings.extend(other.join().unwrap_or_default());
        }
    });
    match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(readings),
    }
}

fn read_batch(
    root: &DirHandle,
    dirs: &[SeenDir],
    batch: &[Place],
    sink: Option<&BlobSink>,
    tools: &mut ReadTools<'_>,
    out: &mut Vec<(Place, Reading)>,
) -> Result<()> {
    let mut open: Option<(usize, std::io::Result<DirHandle>)> = None;
    for &(at, entry_at) in batch {
        let SeenDir::Other { path, entries, .. } = &dirs[at] else {
            continue;
        };
        let dir = match &open {
            Some((opened, dir)) if *opened == at => dir,
            _ => &open.insert((at, root.open_dir(path))).1,
        };
        let entry = &entries[entry_at];
        let reading = match dir {
            Ok(dir) => read_entry(dir, &entry.name, &entry.stat, sink, tools)?,
            Err(error) if is_gone(error) => Reading::Gone,
            Err(error) => Reading::Failed { code: "unreadable", detail: error.to_string() },
        };
        out.push(((at, entry_at), reading));
    }
    Ok(())
}

/// One thread's buffers.
pub(crate) struct ReadTools<'c> {
    buffer: Vec<u8>,
    meter: ContentMeter<'c>,
}

impl<'c> ReadTools<'c> {
    pub(crate) fn new() -> Self {
        Self { buffer: Vec::new(), meter: ContentMeter::new(None) }
    }

    /// For the thread that has the store's connection.
    pub(crate) fn with_connection(connection: &'c rusqlite::Connection) -> Self {
        Self { buffer: Vec::new(), meter: ContentMeter::new(Some(connection)) }
    }
}

/// Reads one file or link. `stat` is what the file system said last. An `Err` is a failure of the *store*; whatever is
/// wrong with the file itself is a [`Reading`].
pub(crate) fn read_entry(
    dir: &DirHandle,
    name: &[u8],
    stat: &FileStat,
    sink: Option<&BlobSink>,
    tools: &mut ReadTools<'_>,
) -> Result<Reading> {
    let mut stat = *stat;
    if hurry::is_late() || hurry::is_too_long(stat.size) {
        return Ok(not_yet());
    }
    for attempt in 0..TRIES {
        if attempt > 0 {
            std::thread::sleep(Duration::from_millis(1 << attempt));
            stat = match dir.stat(name) {
                Ok(stat) => stat,
                Err(error) => return Ok(failed(&error)),
            };
        }
        let now = now_ns();
        let hash = match stat.kind {
            FileKind::File => match dir.open_file(name) {
                Ok(mut file) => read_file(&mut file, &stat, sink, tools)?,
                Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => Ok(None),
                Err(error) => Err(error),
            },
            FileKind::Symlink => read_link(dir, name, &stat, sink, tools)?,
            FileKind::Dir | FileKind::Special => {
                return Ok(Reading::Failed {
                    code: "changing",
                    detail: "it turned into something else while it was looked at".to_owned(),
                });
            }
        };
        match hash {
            Ok(Some((hash, size))) => {
                let stat = FileStat { size, ..stat };
                return Ok(Reading::Read { racy: scan::is_racy(&stat, now), stat, hash });
            }
            Ok(None) => {}
            Err(error) if error.kind() == std::io::ErrorKind::TimedOut && hurry::is_late() => {
                return Ok(not_yet());
            }
            Err(error) => return Ok(failed(&error)),
        }
    }
    Ok(Reading::Failed { code: "changing", detail: "it kept changing while it was read".to_owned() })
}

fn not_yet() -> Reading {
    Reading::Failed { code: hurry::NOT_YET, detail: hurry::LATER.to_owned() }
}

fn failed(error: &std::io::Error) -> Reading {
    if is_gone(error) {
        Reading::Gone
    } else {
        Reading::Failed { code: "unreadable", detail: error.to_string() }
    }
}

impl Reading {
    /// The problem to report for a failed reading.
    pub(crate) fn problem(&self, path: &[u8]) -> Option<Problem> {
        match self {
            Self::Failed { code, detail } => Some(Problem::new(path, code, detail.clone())),
            _ => None,
        }
    }
}

/// Content and size; `None` if the file changed meanwhile.
type Content = std::io::Result<Option<(ContentHash, u64)>>;

fn read_link(
    dir: &DirHandle,
    name: &[u8],
    stat: &FileStat,
    sink: Option<&BlobSink>,
    tools: &mut ReadTools<'_>,
) -> Result<Content> {
    let target = match dir.read_link(name) {
        Ok(target) => target,
        // No link any more: look again.
        Err(error) if error.kind() == std::io::ErrorKind::InvalidInput => return Ok(Ok(None)),
        Err(error) => return Ok(Err(error)),
    };
    let hash = ContentHash::of(&target);
    match dir.stat(name) {
        Ok(after) if same_file(stat, &after) => {}
        Ok(_) => return Ok(Ok(None)),
        Err(error) => return Ok(Err(error)),
    }
    if let Some(sink) = sink {
        sink.put(&mut tools.meter, hash, &target)?;
    }
    Ok(Ok(Some((hash, target.len() as u64))))
}

fn read_file(
    file: &mut File,
    stat: &FileStat,
    sink: Option<&BlobSink>,
    tools: &mut ReadTools<'_>,
) -> Result<Content> {
    if sink.is_none() && stat.size > PIECE as u64 {
        return Ok(hash_in_pieces(file, stat, &mut tools.buffer));
    }
    if stat.size > LARGE_FILE {
        return read_large(file, stat, sink, tools);
    }
    let size = usize::try_from(stat.size).unwrap_or(0);
    let buffer = &mut tools.buffer;
    buffer.resize(size, 0);
    // One read of the expected length; what is longer or shorter shows in the length afterwards.
    if let Err(error) = file.read_exact(buffer) {
        let shrunk = error.kind() == std::io::ErrorKind::UnexpectedEof;
        return Ok(if shrunk { Ok(None) } else { Err(error) });
    }
    match unchanged(file, stat) {
        Ok(true) => {}
        Ok(false) => return Ok(Ok(None)),
        Err(error) => return Ok(Err(error)),
    }
    let hash = ContentHash::of(buffer);
    if let Some(sink) = sink {
        sink.put(&mut tools.meter, hash, buffer)?;
    }
    Ok(Ok(Some((hash, stat.size))))
}

/// Between two pieces of a long file.
fn in_time() -> std::io::Result<()> {
    if hurry::is_late() { Err(std::io::ErrorKind::TimedOut.into()) } else { Ok(()) }
}

/// Only the hash is wanted: a small piece of the file is in memory at a time.
fn hash_in_pieces(file: &mut File, stat: &FileStat, buffer: &mut Vec<u8>) -> Content {
    let mut whole = Hasher::default();
    let mut length = 0;
    buffer.resize(PIECE, 0);
    loop {
        let read = match file.read(buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        whole.update(&buffer[..read]);
        length += read as u64;
        in_time()?;
        if length > stat.size {
            return Ok(None);
        }
    }
    Ok((unchanged(file, stat)? && length == stat.size).then(|| (whole.finish(), length)))
}

fn read_large(
    file: &mut File,
    stat: &FileStat,
    sink: Option<&BlobSink>,
    tools: &mut ReadTools<'_>,
) -> Result<Content> {
    static ONE: Mutex<()> = Mutex::new(());
    let _one =
        ONE_AT_A_TIME.load(Ordering::Relaxed).then(|| ONE.lock().unwrap_or_else(PoisonError::into_inner));
    let mut whole = Hasher::default();
    let mut chunks = Vec::new();
    let mut length = 0;
    let mut window = Window::default();
    loop {
        let data = match window.next(file) {
            Ok([]) => break,
            Ok(data) => data,
            Err(error) => return Ok(Err(error)),
        };
        if let Err(late) = in_time() {
            return Ok(Err(late));
        }
        whole.update(data);
        length += data.len() as u64;
        if length > stat.size {
            return Ok(Ok(None));
        }
        if let Some(sink) = sink {
            let hash = ContentHash::of(data);
            sink.put(&mut tools.meter, hash, data)?;
            chunks.push(hash);
        }
    }
    match unchanged(file, stat) {
        Ok(true) if length == stat.size => {}
        Ok(_) => return Ok(Ok(None)),
        Err(error) => return Ok(Err(error)),
    }
    let hash = whole.finish();
    if let Some(sink) = sink {
        sink.put_chunk_list(&mut tools.meter, hash, length, &chunks)?;
    }
    Ok(Ok(Some((hash, length))))
}

/// The part of a large file that is in memory: chunk by chunk, each where it was read to.
#[derive(Default)]
struct Window {
    bytes: Vec<u8>,
    filled: usize,
    /// The length of the chunk that was given out last.
    given: usize,
}

impl Window {
    /// The next chunk; empty at the end.
    fn next(&mut self, source: &mut impl Read) -> std::io::Result<&[u8]> {
        self.bytes.resize(CHUNK_MAX, 0);
        self.bytes.copy_within(self.given..self.filled, 0);
        self.filled -= self.given;
        while self.filled < CHUNK_MAX {
            match source.read(&mut self.bytes[self.filled..]) {
                Ok(0) => break,
                Ok(read) => self.filled += read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let window = &self.bytes[..self.filled];
        let cutter = fastcdc::v2020::FastCDC::new(window, CHUNK_MIN, CHUNK_AVERAGE, CHUNK_MAX);
        self.given = if window.is_empty() { 0 } else { cutter.cut(0, self.filled).1 };
        Ok(&self.bytes[..self.given])
    }
}

fn unchanged(file: &File, stat: &FileStat) -> std::io::Result<bool> {
    platform::file_stat(file).map(|after| same_file(stat, &after))
}

/// The first bytes of a file on the disk, whatever is in it now. For telling text from other things without reading all of it.
pub fn peek(root: &std::path::Path, path: &project::RelPath, most: u64) -> Option<Vec<u8>> {
    let (folder, name) = path.split();
    let dir = DirHandle::open_root(root).and_then(|root| root.open_dir(folder)).ok()?;
    if dir.stat(name).ok()?.kind != FileKind::File {
        return None;
    }
    let mut content = Vec::new();
    dir.open_file(name).ok()?.take(most).read_to_end(&mut content).ok()?;
    Some(content)
}

/// The content of a file on the disk, if it is exactly this content. For showing what is not saved yet.
pub fn read_unsaved(root: &std::path::Path, path: &project::RelPath, hash: &ContentHash) -> Option<Vec<u8>> {
    let (folder, name) = path.split();
    let dir = DirHandle::open_root(root).and_then(|root| root.open_dir(folder)).ok()?;
    let content = match dir.stat(name).ok()?.kind {
        FileKind::File => {
            let mut content = Vec::new();
            dir.open_file(name).ok()?.read_to_end(&mut content).ok()?;
            content
        }
        FileKind::Symlink => dir.read_link(name).ok()?,
        FileKind::Dir | FileKind::Special => return None,
    };
    (ContentHash::of(&content) == *hash).then_some(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_those_that_every_saved_file_has() {
        // Numbers that do not repeat, then a stretch without any place to cut.
        let mut state = 1_u64;
        let mut content: Vec<u8> = (0..11 << 20)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 56) as u8
            })
            .collect();
        content.resize(21 << 20, b'x');
        let whole = fastcdc::v2020::FastCDC::new(&content, CHUNK_MIN, CHUNK_AVERAGE, CHUNK_MAX);
        let expected: Vec<usize> = whole.map(|chunk| chunk.length).collect();
        let (mut window, mut source, mut lengths, mut read) =
            (Window::default(), content.as_slice(), Vec::new(), Vec::new());
        loop {
            let chunk = window.next(&mut source).unwrap();
            if chunk.is_empty() {
                break;
            }
            lengths.push(chunk.len());
            read.extend_from_slice(chunk);
        }
        assert_eq!(lengths, expected);
        assert!(lengths.len() > 3 && read == content);
    }
}
