//! The file of a log, its lock, and what a crash leaves behind.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use fs_err as fs;
use project::{FileLock, platform};

use super::event::{Event, SCHEMA_VERSION};
use super::schema::is_newer;

/// Longest line that is taken for an event.
const LONGEST_LINE: usize = 4 << 20;

/// What can go wrong with a log.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The file system said no.
    #[error("the memory log `{}` cannot be used: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It could not be written, and waits for who can. (T12)
    #[error("the memory log `{}` cannot be written now: {source}", path.display())]
    Later {
        /// The file.
        path: PathBuf,
        /// Where it waits.
        kept_in: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It could not be written, and could not be kept either. (T12)
    #[error("the memory log `{}` cannot be written: {source}", path.display())]
    Lost {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// More than fits on a line.
    #[error("this is too long to be remembered: {bytes} bytes, {LONGEST_LINE} are possible")]
    TooLong {
        /// How long it is.
        bytes: usize,
    },
    /// It cannot be written as JSON.
    #[error("this cannot be written down: {0}")]
    NotJson(serde_json::Error),
    /// A newer vib wrote here.
    #[error("a newer vib has written to the memory log `{}`, so this one only reads it", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
    },
}

impl LogError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Io { .. } => "memory_log",
            Self::Later { .. } => "memory_kept_for_later",
            Self::Lost { .. } => "memory_lost",
            Self::TooLong { .. } => "memory_too_long",
            Self::NotJson(_) => "memory_not_json",
            Self::Newer { .. } => "memory_newer",
        }
    }

    /// What the person can do next.
    pub fn next(&self) -> String {
        match self {
            Self::Io { .. } => {
                "see that the folder can be written and the disk is not full; nothing was lost".to_owned()
            }
            Self::Later { kept_in, .. } => format!(
                "it is kept in `{}` and goes into the log with the next one that can be written; see that the folder can be written",
                kept_in.display()
            ),
            Self::Lost { .. } => "what should have been remembered with this step is lost; see that the folder can be written and the \
                                  disk is not full"
                .to_owned(),
            Self::TooLong { .. } => "say it shorter, or put it into a file and remember the file".to_owned(),
            Self::NotJson(_) => "report this as a bug; nothing was written".to_owned(),
            Self::Newer { .. } => {
                "update vib on this machine, then do it again; nothing was changed, and what is remembered can still be read"
                    .to_owned()
            }
        }
    }
}

/// A line that is no event.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct BadLine {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub why: String,
}

/// A last line without an end, set aside.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Repaired {
    /// How many bytes.
    pub bytes: u64,
    /// Where they are now.
    pub kept_in: PathBuf,
}

/// Everything in a log.
#[derive(Debug, Clone, Default)]
pub struct Contents {
    /// The events in the order in which they were written.
    pub events: Vec<Event>,
    /// Lines that were skipped.
    pub bad: Vec<BadLine>,
    /// Lines that a newer vib wrote, among the events or, where they cannot be understood at all, among those that were skipped.
    pub newer: usize,
    /// The last line has no end: a writer is busy, or was cut off. The next writer sets it aside.
    pub torn: bool,
}

/// How far a log was read, and what stood there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Mark {
    /// Bytes, up to the end of a line.
    pub end: u64,
    /// Hash of the last bytes before.
    pub hash: u64,
}

/// What came since a mark.
#[derive(Debug, Clone, Default)]
pub struct Since {
    /// The events since.
    pub contents: Contents,
    /// The log is another one than at the mark, or there was no mark: these are all its events.
    pub anew: bool,
    /// For the next time.
    pub mark: Mark,
}

/// So many bytes before a mark are compared.
const MARKED: u64 = 4096;

/// One append-only file.
#[derive(Debug, Clone)]
pub struct Log {
    path: PathBuf,
    /// Where events wait that could not be written.
    outbox: Option<PathBuf>,
}

impl Log {
    /// The log in this file; it is made by the first event.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), outbox: None }
    }

    /// The same, with a place for events that cannot be written: the next writer takes them over. (T12)
    #[must_use]
    pub fn with_outbox(mut self, outbox: impl Into<PathBuf>) -> Self {
        self.outbox = Some(outbox.into());
        self
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends events, all in one write. When this returns, they are there; what a crash had torn is set aside and reported. A log
    /// that a newer vib has written to is left as it is.
    pub fn append(&self, events: &[Event]) -> Result<Option<Repaired>, LogError> {
        let mut text = Vec::new();
        for event in events {
            let start = text.len();
            serde_json::to_writer(&mut text, event).map_err(LogError::NotJson)?;
            let bytes = text.len() - start;
            if bytes > LONGEST_LINE {
                return Err(LogError::TooLong { bytes });
            }
            text.push(b'\n');
        }
        match self.write(&text) {
            Err(LogError::Io { path, source }) => Err(self.keep_for_later(&text, path, source)),
            done => done,
        }
    }

    /// What could not be written waits in the outbox, or is said to be lost.
    fn keep_for_later(&self, text: &[u8], path: PathBuf, source: std::io::Error) -> LogError {
        let keep = |outbox: &Path| -> std::io::Result<()> {
            if let Some(folder) = outbox.parent() {
                platform::make_private_dir(folder)?;
            }
            platform::open_private_append(outbox)?.write_all(text)
        };
        match &self.outbox {
            Some(outbox) if keep(outbox).is_ok() => LogError::Later { path, kept_in: outbox.clone(), source },
            _ => LogError::Lost { path, source },
        }
    }

    /// What waits in the outbox: whole lines.
    fn waiting(&self) -> Vec<u8> {
        let mut bytes =
            self.outbox.as_ref().and_then(|outbox| std::fs::read(outbox).ok()).unwrap_or_default();
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        bytes.truncate(whole);
        bytes
    }

    fn write(&self, text: &[u8]) -> Result<Option<Repaired>, LogError> {
        let io = |source| LogError::Io { path: self.path.clone(), source };
        if let Some(folder) = self.path.parent() {
            platform::make_private_dir(folder).map_err(io)?;
        }
        let _lock = FileLock::wait(&self.path.with_extension("lock")).map_err(io)?;
        let mut file = platform::open_private_append(&self.path).map_err(io)?;
        let length = file.metadata().map_err(io)?.len();
        self.gate(&mut file, length, true)?;
        let repaired = self.repair(&mut file, length).map_err(io)?;
        let start = length - repaired.as_ref().map_or(0, |repaired| repaired.bytes);
        let mut waiting = self.waiting();
        let has_waited = !waiting.is_empty();
        waiting.extend_from_slice(text);
        if let Err(error) = file.write_all(&waiting) {
            // A full disk may have taken half a line: what was not acknowledged must not stay.
            let _ = file.set_len(start);
            return Err(io(error));
        }
        if let Some(outbox) = self.outbox.as_ref().filter(|_| has_waited) {
            // Left behind, it would be written twice; ids are unique, so that every reader takes each once.
            let _ = std::fs::remove_file(outbox);
        }
        Ok(repaired)
    }

    /// The same without writing; the lock is held by the caller.
    pub(super) fn repair_locked(&self) -> std::io::Result<Option<Repaired>> {
        let mut file = platform::open_private_append(&self.path)?;
        let length = file.metadata()?.len();
        self.repair(&mut file, length)
    }

    fn repair(&self, file: &mut File, length: u64) -> std::io::Result<Option<Repaired>> {
        if length > 0 && last_byte(file)? != b'\n' {
            return self.set_aside(file, length).map(Some);
        }
        Ok(None)
    }

    /// Moves what stands after the last end of line into a file of its own.
    fn set_aside(&self, file: &mut File, length: u64) -> std::io::Result<Repaired> {
        let end = last_line_end(file, length)?;
        file.seek(SeekFrom::Start(end))?;
        let mut torn = Vec::new();
        Read::by_ref(file).read_to_end(&mut torn)?;
        let kept_in = self.path.with_extension("torn");
        let mut aside = platform::open_private_append(&kept_in)?;
        aside.write_all(&torn)?;
        aside.write_all(b"\n")?;
        file.set_len(end)?;
        Ok(Repaired { bytes: length - end, kept_in })
    }

    /// Reads everything. Needs no lock: what is being written just now shows as a torn last line.
    pub fn read(&self) -> Result<Contents, LogError> {
        let text = match fs::read(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(source) => return Err(LogError::Io { path: self.path.clone(), source }),
        };
        Ok(parse(&text))
    }

    /// Reads what came after `from`, if the log before it is still the one that was read then; else everything.
    pub fn read_since(&self, from: Mark) -> Result<Since, LogError> {
        let io = |source| LogError::Io { path: self.path.clone(), source };
        let mut file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Since::default()),
            Err(source) => return Err(io(source)),
        };
        let length = file.metadata().map_err(io)?.len();
        let start = if from.end <= length { from.end.saturating_sub(MARKED) } else { 0 };
        let mut text = Vec::new();
        file.seek(SeekFrom::Start(start)).and_then(|_| file.read_to_end(&mut text)).map_err(io)?;
        let seen = usize::try_from(from.end.saturating_sub(start)).unwrap_or(usize::MAX);
        let same = from.end > 0
            && from.end <= length
            && text.get(..seen).is_some_and(|part| hash(part) == from.hash);
        if !same && start > 0 {
            text.clear();
            file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_end(&mut text)).map_err(io)?;
        }
        let (start, seen) = if same { (start, seen) } else { (0, 0) };
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1).max(seen);
        let contents = parse(text.get(seen..).unwrap_or_default());
        let marked = text.get(whole.saturating_sub(MARKED as usize)..whole).unwrap_or_default();
        let end = start + whole as u64;
        Ok(Since { contents, anew: !same, mark: Mark { end, hash: hash(marked) } })
    }

    /// The events in the last so many bytes.
    pub fn read_end(&self, bytes: u64) -> Result<Vec<Event>, LogError> {
        let io = |source| LogError::Io { path: self.path.clone(), source };
        let mut file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(source) => return Err(io(source)),
        };
        let start = file.metadata().map_err(io)?.len().saturating_sub(bytes);
        let mut text = Vec::new();
        file.seek(SeekFrom::Start(start)).and_then(|_| file.read_to_end(&mut text)).map_err(io)?;
        // The first line may be half a line.
        let from =
            if start == 0 { 0 } else { text.iter().position(|&byte| byte == b'\n').map_or(0, |at| at + 1) };
        Ok(parse(&text[from..]).events)
    }

    /// True if a newer vib wrote here: then it may be read, but its meaning is not ours to change.
    pub fn is_newer(contents: &Contents) -> bool {
        contents.newer > 0
    }
}

fn parse(text: &[u8]) -> Contents {
    let mut contents = Contents::default();
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    contents.torn = whole < text.len();
    for (number, line) in text[..whole].split(|&byte| byte == b'\n').enumerate() {
        if line.is_empty() {
            continue;
        }
        match serde_json::from_slice::<Event>(line) {
            Ok(event) => {
                contents.newer += usize::from(event.schema_version > SCHEMA_VERSION);
                contents.events.push(event);
            }
            Err(error) => {
                contents.newer += usize::from(is_newer(line));
                contents.bad.push(BadLine { line: number + 1, why: error.to_string() });
            }
        }
    }
    contents
}

fn hash(bytes: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(bytes)
}

fn last_byte(file: &mut File) -> std::io::Result<u8> {
    let mut byte = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut byte)?;
    Ok(byte[0])
}

/// The place after the last end of line, looked for from the end.
fn last_line_end(file: &mut File, length: u64) -> std::io::Result<u64> {
    const BLOCK: u64 = 8192;
    let mut end = length;
    let mut block = Vec::new();
    while end > 0 {
        let start = end.saturating_sub(BLOCK);
        block.resize(usize::try_from(end - start).unwrap_or(0), 0);
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(&mut block)?;
        if let Some(at) = block.iter().rposition(|&byte| byte == b'\n') {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}
