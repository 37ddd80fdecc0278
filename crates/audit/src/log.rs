//! Appending: one lock, one number, one write.
//!
//! The next number comes from the last row, from a small file beside the log that remembers it (so that rows cut off the end
//! are noticed), and from the summary of what retention took away. A torn last line, left by a write that was interrupted, is taken
//! away before the next row is written, and a row says so.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use project::{FileLock, Project, platform};
use redact::{Gate, PrivacyContext};
use sha2::{Digest, Sha256};

use crate::row::{Event, Outcome, Row, SCHEMA, Stored, timestamp};
use crate::{AuditLog, Error, Result};
use crate::{Recorded, retention, sample};

/// The log's name in the project's state folder.
pub(crate) const LOG: &str = "memory_audit.jsonl";
const LOCK: &str = "audit.lock";
const HEAD: &str = "memory_audit.head";

/// How long to wait for other writers; each holds the lock for well under a millisecond.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a label is replaced with if it holds anything it should not.
const WITHHELD: &str = "withheld";

/// Labels that are words of this program: nothing from outside is in them, so there is nothing to look for.
const OWN_LABELS: [&str; 10] =
    ["cli", "vib", "hook", "web", "claude-code", "codex", "gemini", "opencode", "copilot", "cursor"];

/// How far back from the end the last row is looked for: nearly always it is quite near.
const TAILS: [u64; 2] = [4 << 10, 64 << 10];

pub(crate) fn path(project: &Project) -> PathBuf {
    project.state().join(LOG)
}

/// Stands for the project in its rows: it stays when the folder moves, and tells nobody where the folder is.
pub(crate) fn project_hash(project: &Project) -> String {
    let digest = Sha256::digest(format!("vibelign project {}", project.id()));
    digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn lock(project: &Project) -> Result<FileLock> {
    platform::make_private_dir(project.state()).map_err(project::Error::from)?;
    FileLock::wait_for(&project.state().join(LOCK), PATIENCE)
        .map_err(project::Error::from)?
        .ok_or(Error::Busy)
}

/// Writes a row; with `kept`, the text that left is kept for a second look.
pub(crate) fn append(audit: &AuditLog<'_>, row: &Row, kept: Option<&str>) -> Result<Recorded> {
    let project = audit.project;
    let (row, withheld) = checked(audit, row);
    let own = project_hash(project);
    let stored = |row: Row, sequence_number, sampled, withheld_labels| Stored {
        schema: SCHEMA,
        sequence_number,
        timestamp: timestamp(audit.context.now_ms()),
        project_root_hash: own.clone(),
        row,
        sampled,
        withheld_labels,
    };
    let _lock = lock(project)?;
    let io = |error: io::Error| Error::from(project::Error::from(error));
    let mut log = Log::open(project.state(), &own).map_err(io)?;
    if let Some(bytes) = log.torn {
        log.cut_torn().map_err(io)?;
        let mut repair = Row::new(Event::LogRepaired, "vib", Outcome::Success);
        repair.repaired_bytes = Some(bytes);
        log.write(&stored(repair, log.next, false, 0)).map_err(io)?;
    }
    let sequence_number = log.next;
    let sampled = kept.is_some_and(|text| sample::keep(project, sequence_number, text));
    log.write(&stored(row, sequence_number, sampled, withheld)).map_err(io)?;
    if retention::is_due(sequence_number, log.size) {
        retention::cut(audit, &mut log)?;
    }
    Ok(Recorded { sequence_number, withheld, repaired: log.torn.is_some(), sampled })
}

/// The row with every label that is not plainly a label, or that the gate would change, taken out.
fn checked(audit: &AuditLog<'_>, row: &Row) -> (Row, u64) {
    let mut row = row.clone();
    let mut from_outside = false;
    each_label(&mut row, |label| from_outside |= !OWN_LABELS.contains(&label.as_str()));
    if !from_outside {
        return (row, 0);
    }
    let mut gate = Gate::new((audit.private)(audit.context, audit.project));
    let mut withheld = 0;
    each_label(&mut row, |label| {
        let plain = (1..=80).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte));
        if label != WITHHELD && !(plain && gate.clean(label).counts().is_untouched()) {
            WITHHELD.clone_into(label);
            withheld += 1;
        }
    });
    // The labels were looked at one by one; now the row as a whole, as it will lie on the disk.
    let whole = serde_json::to_string(&row).unwrap_or_default();
    if !Gate::new(PrivacyContext::default()).clean(&whole).counts().is_untouched() {
        withheld = withhold_all(&mut row);
    }
    (row, withheld)
}

fn withhold_all(row: &mut Row) -> u64 {
    let mut count = 0;
    each_label(row, |label| {
        WITHHELD.clone_into(label);
        count += 1;
    });
    count
}

fn each_label(row: &mut Row, mut look: impl FnMut(&mut String)) {
    look(&mut row.tool);
    row.capability_grant_id.as_mut().map(&mut look);
    row.sandwich_checkpoint_id.as_mut().map(&mut look);
    if let Some(trigger) = &mut row.trigger {
        look(&mut trigger.id);
        look(&mut trigger.source);
    }
}

/// The log, open for appending. Only under the lock.
pub(crate) struct Log {
    pub(crate) file: File,
    folder: PathBuf,
    /// The number of the next row.
    pub(crate) next: u64,
    pub(crate) size: u64,
    /// Bytes of a torn last line.
    torn: Option<u64>,
}

impl Log {
    fn open(folder: &Path, own: &str) -> io::Result<Self> {
        let mut file = platform::open_private_append(&folder.join(LOG))?;
        let size = file.metadata()?.len();
        let mut tail = Vec::new();
        let mut whole = 0;
        for length in TAILS {
            tail.resize(usize::try_from(length.min(size)).unwrap_or_default(), 0);
            file.seek(SeekFrom::Start(size.saturating_sub(length)))?;
            file.read_exact(&mut tail)?;
            whole = tail.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            if whole > 0 && last_number(&tail[..whole], own).is_some() {
                break;
            }
        }
        let rest = &tail[whole..];
        // A whole row without its line break is finished, not thrown away.
        let unfinished = !rest.is_empty() && number_of(rest, own).is_some();
        if unfinished {
            file.write_all(b"\n")?;
        }
        let torn = (!rest.is_empty() && !unfinished).then_some(rest.len() as u64);
        let ended = if unfinished { &tail[..] } else { &tail[..whole] };
        let last = last_number(ended, own)
            .unwrap_or(0)
            .max(read_head(folder))
            .max(retention::last_summarised(folder));
        let size = size + u64::from(unfinished);
        Ok(Self { file, folder: folder.to_path_buf(), next: last + 1, size, torn })
    }

    fn cut_torn(&mut self) -> io::Result<()> {
        if let Some(bytes) = self.torn {
            self.size -= bytes;
            self.file.set_len(self.size)?;
        }
        Ok(())
    }

    /// One row, one write. A write that fails half-way leaves nothing behind.
    fn write(&mut self, row: &Stored) -> io::Result<()> {
        let mut line = serde_json::to_string(row)?;
        line.push('\n');
        if let Err(error) = self.file.write_all(line.as_bytes()) {
            let _ = self.file.set_len(self.size);
            return Err(error);
        }
        self.size += line.len() as u64;
        write_head(&self.folder, self.next)?;
        self.next += 1;
        Ok(())
    }
}

/// The last own row's number; lines behind it that cannot be read have had a number each.
fn last_number(text: &[u8], own: &str) -> Option<u64> {
    let mut unread = 0;
    for line in text.split(|byte| *byte == b'\n').rev().filter(|line| !line.is_empty()) {
        match number_of(line, own) {
            Some(Some(number)) => return Some(number + unread),
            Some(None) => {}
            None => unread += 1,
        }
    }
    None
}

/// A row's number, if it is a row, and if it is one of ours.
fn number_of(line: &[u8], own: &str) -> Option<Option<u64>> {
    #[derive(serde::Deserialize)]
    struct Numbered {
        sequence_number: u64,
        project_root_hash: String,
    }
    let row = serde_json::from_slice::<Numbered>(line).ok()?;
    Some((row.project_root_hash == own).then_some(row.sequence_number))
}

/// The number of the last row that was written, as far as the file beside the log remembers.
pub(crate) fn read_head(folder: &Path) -> u64 {
    let text = std::fs::read_to_string(folder.join(HEAD)).unwrap_or_default();
    text.trim().parse().unwrap_or(0)
}

/// Always the same length, so that one small write replaces the old number whole.
fn write_head(folder: &Path, number: u64) -> io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(folder.join(HEAD))?;
    file.write_all(format!("{number:020}\n").as_bytes())
}
