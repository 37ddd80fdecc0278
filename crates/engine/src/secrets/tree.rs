//! Files on the disk: a parallel walk that follows no link and honours the ignore files, with git or without.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;

use ignore::{DirEntry, WalkBuilder, WalkState};
use project::platform;
use store::{Phase, Progress};

use super::text::{self, Found};
use super::{Look, Unread, shown};
use crate::Result;

/// Larger files are looked at piece by piece.
const PIECE: usize = 16 << 20;

/// Pieces overlap by this much, so that a secret on the border is whole in one of them.
const OVERLAP: usize = 64 << 10;

enum News {
    Found(Vec<Found>),
    Unread(Unread),
}

pub(super) fn look(
    cwd: &Path,
    root: &Path,
    typed: &[PathBuf],
    ignored_too: bool,
    progress: &dyn Progress,
) -> Result<Look> {
    let starts: Vec<PathBuf> = if typed.is_empty() {
        vec![root.to_path_buf()]
    } else {
        typed.iter().map(|path| clean_path(&cwd.join(path))).collect()
    };
    for start in &starts {
        match fs_err::symlink_metadata(start) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(crate::Error::NotThere(start.clone()));
            }
            found => found.map_err(project::Error::from)?,
        };
    }
    progress.begin(Phase::Searching, None);
    let (files, bytes) = (AtomicU64::new(0), AtomicU64::new(0));
    let (sender, receiver) = mpsc::channel();
    walk(&starts, ignored_too).run(|| {
        let (sender, files, bytes, starts) = (sender.clone(), &files, &bytes, &starts);
        let mut buffer = Vec::new();
        Box::new(move |entry| {
            let news = match &entry {
                Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
                    files.fetch_add(1, Ordering::Relaxed);
                    progress.advance(1);
                    let path = shown(entry.path(), root);
                    let hint = below(entry.path(), starts);
                    match look_into(entry.path(), (&path, &hint), &mut buffer, bytes) {
                        Ok(found) if found.is_empty() => return WalkState::Continue,
                        Ok(found) => News::Found(found),
                        Err(error) => News::Unread(Unread { path, detail: error.to_string() }),
                    }
                }
                Ok(_) => return WalkState::Continue,
                Err(error) => News::Unread(Unread { path: path_of(error, root), detail: error.to_string() }),
            };
            match sender.send(news) {
                Ok(()) => WalkState::Continue,
                Err(_) => WalkState::Quit,
            }
        })
    });
    drop(sender);
    let mut look = Look { files: files.into_inner(), bytes: bytes.into_inner(), ..Look::default() };
    for news in receiver {
        match news {
            News::Found(mut found) => look.found.append(&mut found),
            News::Unread(unread) => look.unread.push(unread),
        }
    }
    look.unread.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(look)
}

fn walk(starts: &[PathBuf], ignored_too: bool) -> ignore::WalkParallel {
    let mut builder = WalkBuilder::new(starts.first().map_or(Path::new("."), PathBuf::as_path));
    for start in starts.iter().skip(1) {
        builder.add(start);
    }
    builder
        .standard_filters(!ignored_too)
        .hidden(false)
        .require_git(false)
        .git_global(false)
        .follow_links(false)
        .threads(std::thread::available_parallelism().map_or(2, usize::from).clamp(1, 8))
        .filter_entry(move |entry| entry.depth() == 0 || is_wanted(entry, ignored_too));
    if !ignored_too {
        builder.add_custom_ignore_filename(".vibignore");
    }
    builder.build_parallel()
}

/// Not git's and vib's own data, and not what a tool can fetch again.
fn is_wanted(entry: &DirEntry, ignored_too: bool) -> bool {
    match platform::path_to_bytes(Path::new(entry.file_name())).as_slice() {
        b".git" | b".vibelign" => false,
        b"node_modules" | b"__pycache__" => ignored_too,
        _ => true,
    }
}

/// The path from the folder that was named; of a file that was named, its name.
fn below(path: &Path, starts: &[PathBuf]) -> String {
    let inside = starts
        .iter()
        .filter_map(|start| path.strip_prefix(start).ok())
        .find(|inside| inside.components().next().is_some());
    inside.or(path.file_name().map(Path::new)).unwrap_or(path).display().to_string()
}

/// Reads a file, the whole of it or piece by piece, and looks at it.
fn look_into(
    file: &Path,
    (path, hint): (&str, &str),
    buffer: &mut Vec<u8>,
    bytes: &AtomicU64,
) -> std::io::Result<Vec<Found>> {
    let mut file = File::open(file)?;
    let mut found = Vec::new();
    let mut first_line = 1;
    buffer.clear();
    loop {
        let before = buffer.len();
        let read = (&mut file).take((PIECE - before) as u64).read_to_end(buffer)?;
        bytes.fetch_add(read as u64, Ordering::Relaxed);
        found.extend(text::look_as(path, hint, buffer, first_line));
        if buffer.len() < PIECE {
            return Ok(found);
        }
        // The end of this piece is the beginning of the next, from a line on if there is one near.
        let from = PIECE - OVERLAP;
        let from = buffer[from..].iter().position(|byte| *byte == b'\n').map_or(from, |at| from + at + 1);
        first_line += buffer[..from].iter().filter(|byte| **byte == b'\n').count();
        buffer.drain(..from);
    }
}

/// `a/./b/../c` → `a/c`, without asking the disk: what was typed should be what is shown.
fn clean_path(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => {
                clean.pop();
            }
            part => clean.push(part),
        }
    }
    clean
}

fn path_of(error: &ignore::Error, root: &Path) -> String {
    match error {
        ignore::Error::WithPath { path, .. } => shown(path, root),
        ignore::Error::WithDepth { err, .. } => path_of(err, root),
        ignore::Error::Partial(errors) => errors.first().map_or(String::new(), |error| path_of(error, root)),
        _ => String::new(),
    }
}
