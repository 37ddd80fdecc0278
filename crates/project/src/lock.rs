//! Locks between processes: one file, one holder, released by the system when the holder dies.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// A held lock. Dropping it, or dying, releases it.
#[derive(Debug)]
pub struct FileLock {
    file: File,
}

/// Who holds a lock, as far as the holder wrote it down.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct LockHolder {
    /// The process.
    pub pid: u32,
    /// What it is doing, in a word or two.
    pub doing: String,
    /// When it began, milliseconds since 1970.
    pub since_ms: i64,
}

/// So long anybody waits for a lock that should be free in a moment: whoever holds it longer is stuck.
const LONG: Duration = Duration::from_secs(30);

static MOST: OnceLock<Duration> = OnceLock::new();

/// From now on this process waits for no lock longer than this. For a hook, which has to answer in time. (S8)
pub fn wait_at_most(patience: Duration) {
    let _ = MOST.set(patience);
}

/// How long to wait where `usual` is the usual patience.
pub fn patience(usual: Duration) -> Duration {
    MOST.get().map_or(usual, |most| usual.min(*most))
}

impl FileLock {
    /// Waits until the lock is free; an error if nobody lets it go.
    pub fn wait(path: &Path) -> std::io::Result<Self> {
        if let Some(lock) = Self::wait_for(path, LONG)? {
            return Ok(lock);
        }
        let holder = Self::holder(path).map(|holder| format!(" (process {}: {})", holder.pid, holder.doing));
        let message = format!(
            "`{}` is in use by another vib{} that does not let it go; wait for it or end it, then try again",
            path.display(),
            holder.unwrap_or_default()
        );
        Err(std::io::Error::new(std::io::ErrorKind::TimedOut, message))
    }

    /// Takes the lock if it is free now.
    pub fn try_now(path: &Path) -> std::io::Result<Option<Self>> {
        let file = crate::platform::open_private_append(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Waits for the lock up to `patience`; `None` when it stayed taken.
    pub fn wait_for(path: &Path, patience: Duration) -> std::io::Result<Option<Self>> {
        let until = Instant::now() + self::patience(patience);
        let mut pause = Duration::from_millis(1);
        loop {
            if let Some(lock) = Self::try_now(path)? {
                return Ok(Some(lock));
            }
            if Instant::now() >= until {
                return Ok(None);
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }

    /// Writes down who holds the lock, for the message that others get.
    pub fn sign(&mut self, holder: &LockHolder) -> std::io::Result<()> {
        self.file.set_len(0)?;
        write!(self.file, "{} {} {}", holder.pid, holder.since_ms, holder.doing)
    }

    /// Who signed the lock file last.
    pub fn holder(path: &Path) -> Option<LockHolder> {
        let mut text = String::new();
        let mut file = File::open(path).ok()?;
        file.rewind().ok()?;
        file.take(256).read_to_string(&mut text).ok()?;
        let mut parts = text.splitn(3, ' ');
        Some(LockHolder {
            pid: parts.next()?.parse().ok()?,
            since_ms: parts.next()?.parse().ok()?,
            doing: parts.next()?.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_has_one_holder_who_is_named_and_ends_with_it() {
        let tmp = tempfile::tempdir().unwrap();
        let path = tmp.path().join("lock");
        let mut lock = FileLock::wait(&path).unwrap();
        let holder = LockHolder { pid: 7, doing: "undo to abc".to_owned(), since_ms: 5 };
        lock.sign(&holder).unwrap();
        assert!(FileLock::try_now(&path).unwrap().is_none());
        assert!(FileLock::wait_for(&path, Duration::from_millis(5)).unwrap().is_none());
        assert_eq!(FileLock::holder(&path), Some(holder));
        drop(lock);
        // A child that another test starts just now holds a copy of the open file until it has begun its own program.
        assert!(FileLock::wait_for(&path, Duration::from_secs(10)).unwrap().is_some());
    }
}
