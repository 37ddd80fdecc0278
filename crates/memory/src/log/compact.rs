//! Moving old events out of a log into an archive beside it.
//!
//! Crash-safe in this order: the archive is complete and on the disk before the log loses a line. Cut off between the two, the
//! events are in both; the next compaction writes the same archive again (it is named after its first event) and goes on.

use std::fs::File;
use std::path::{Path, PathBuf};

use fs_err as fs;
use project::{FileLock, platform};

use super::event::Event;
use super::file::{Log, LogError};

/// What a compaction did.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Compacted {
    /// Events that stayed.
    pub kept: usize,
    /// Events that went into the archive.
    pub archived: usize,
    /// The archive; none if nothing had to go.
    pub archive: Option<PathBuf>,
}

impl Log {
    /// Moves the events for which `keep` says no into an archive in `folder`. Lines that are no events stay where they are,
    /// bytes stay as they are. A log that a newer vib wrote to is left alone.
    pub fn compact(
        &self,
        folder: &Path,
        keep: impl FnOnce(&[Event]) -> Vec<bool>,
    ) -> Result<Compacted, LogError> {
        let io = |source| LogError::Io { path: self.path().to_path_buf(), source };
        if !self.path().exists() {
            return Ok(Compacted { kept: 0, archived: 0, archive: None });
        }
        let _lock = FileLock::wait(&self.path().with_extension("lock")).map_err(io)?;
        self.writable()?;
        self.repair_locked().map_err(io)?;
        let text = fs::read(self.path()).map_err(io)?;
        let mut lines: Vec<(&[u8], bool)> = Vec::new();
        let mut events = Vec::new();
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            let event = serde_json::from_slice::<Event>(line).ok();
            lines.push((line, event.is_some()));
            events.extend(event);
        }
        let stays = keep(&events);
        let mut answers = stays.iter().copied();
        let (mut live, mut old) = (Vec::with_capacity(text.len()), Vec::new());
        for (line, is_event) in lines {
            let stay = !is_event || answers.next().unwrap_or(true);
            if stay { &mut live } else { &mut old }.extend_from_slice(line);
        }
        let first = events.iter().zip(&stays).find(|(_, stay)| !**stay).map(|(event, _)| event);
        let Some(first) = first else {
            return Ok(Compacted { kept: events.len(), archived: 0, archive: None });
        };
        platform::make_private_dir(folder).map_err(io)?;
        let archive = self.archive_for(folder, first, &old).map_err(io)?;
        replace(&archive, &old).map_err(io)?;
        replace(self.path(), &live).map_err(io)?;
        let archived = stays.iter().filter(|stay| !**stay).count();
        Ok(Compacted { kept: events.len() - archived, archived, archive: Some(archive) })
    }

    /// The archive's name. One that is there already is only written again if everything in it comes again: a foreign hand may
    /// have given two events one id.
    fn archive_for(&self, folder: &Path, first: &Event, old: &[u8]) -> std::io::Result<PathBuf> {
        let base = format!("{}-{}", self.name(), safe(&first.id));
        let mut archive = folder.join(format!("{base}.jsonl"));
        let mut number = 1;
        while archive.exists() && !old.starts_with(&fs::read(&archive)?) {
            number += 1;
            archive = folder.join(format!("{base}-{number}.jsonl"));
        }
        Ok(archive)
    }

    fn name(&self) -> String {
        self.path().file_stem().map_or_else(|| "log".to_owned(), |name| name.to_string_lossy().into_owned())
    }
}

/// Ids are ours, unless a foreign hand wrote them.
fn safe(id: &str) -> String {
    id.chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '-').take(64).collect()
}

/// Replaces a file as a whole, and has it on the disk.
fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    project::write_private(path, bytes)?;
    if let Some(folder) = path.parent()
        && let Ok(folder) = File::open(folder)
    {
        // Where folders cannot be synced, the rename alone has to do.
        let _ = folder.sync_all();
    }
    Ok(())
}
