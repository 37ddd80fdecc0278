//! `statwalk FOLDER`: lists every folder and stats every entry, on all cores, and does nothing with the answers.
//!
//! The floor under every tool that has to find out whether a tree changed without being told: open each folder
//! relative to its parent, read its names, stat each name relative to the folder.

use std::process::ExitCode;

fn main() -> ExitCode {
    match walk::run() {
        Ok(count) => {
            println!("{count}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("statwalk: {error:#}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(target_os = "linux")]
mod walk {
    use std::ffi::CString;
    use std::mem::MaybeUninit;
    use std::os::fd::OwnedFd;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, Condvar, Mutex, PoisonError};

    use anyhow::{Context as _, Result, anyhow};
    use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, RawDir, openat, statat};

    /// A folder to list: its name in an open parent.
    struct Folder {
        parent: Arc<OwnedFd>,
        name: CString,
    }

    /// Folders that nobody lists yet, and how many are known and not finished.
    struct Queue {
        waiting: Mutex<(Vec<Folder>, usize)>,
        changed: Condvar,
    }

    const FOLDER: OFlags =
        OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

    pub fn run() -> Result<usize> {
        let root = std::env::args_os().nth(1).context("no folder to walk")?;
        let parent = openat(CWD, &root, FOLDER, Mode::empty())
            .with_context(|| format!("cannot open `{}`", root.display()))?;
        let first = Folder { parent: Arc::new(parent), name: c".".to_owned() };
        let queue = Queue { waiting: Mutex::new((vec![first], 1)), changed: Condvar::new() };
        let entries = AtomicUsize::new(0);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(|| work(&queue, &entries))).collect();
            let mut result = work(&queue, &entries);
            for other in others {
                result = result.and(other.join().map_err(|_| anyhow!("a thread died")).flatten());
            }
            result
        })?;
        Ok(entries.into_inner())
    }

    fn work(queue: &Queue, entries: &AtomicUsize) -> Result<()> {
        let mut buffer = vec![MaybeUninit::<u8>::uninit(); 32 * 1024];
        let mut found = Vec::new();
        let mut count = 0;
        let mut result = Ok(());
        while let Some(folder) = next(queue) {
            if result.is_ok() {
                result = list(&folder, &mut buffer, &mut found, &mut count);
            }
            let mut waiting = queue.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            waiting.1 += found.len();
            waiting.1 -= 1;
            let wake = waiting.1 == 0 || found.len() > 1;
            waiting.0.append(&mut found);
            drop(waiting);
            if wake {
                queue.changed.notify_all();
            }
        }
        entries.fetch_add(count, Ordering::Relaxed);
        result
    }

    /// The next folder to list, or none when all are done.
    fn next(queue: &Queue) -> Option<Folder> {
        let mut waiting = queue.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(folder) = waiting.0.pop() {
                return Some(folder);
            }
            if waiting.1 == 0 {
                return None;
            }
            waiting = queue.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn list(
        folder: &Folder,
        buffer: &mut [MaybeUninit<u8>],
        found: &mut Vec<Folder>,
        count: &mut usize,
    ) -> Result<()> {
        let handle = openat(&folder.parent, &folder.name, FOLDER, Mode::empty())
            .with_context(|| format!("cannot open `{}`", folder.name.to_string_lossy()))?;
        let handle = Arc::new(handle);
        let mut names = RawDir::new(&handle, buffer);
        while let Some(entry) = names.next() {
            let entry = entry?;
            let name = entry.file_name();
            if name == c"." || name == c".." {
                continue;
            }
            let stat = statat(&handle, name, AtFlags::SYMLINK_NOFOLLOW)?;
            *count += 1;
            if FileType::from_raw_mode(stat.st_mode) == FileType::Directory {
                found.push(Folder { parent: Arc::clone(&handle), name: name.to_owned() });
            }
        }
        Ok(())
    }
}

#[cfg(not(target_os = "linux"))]
mod walk {
    pub fn run() -> anyhow::Result<usize> {
        anyhow::bail!("this system is not supported")
    }
}
