//! READ: numbered lines of a text file, through handles that follow no link.

use std::io::Read as _;

use engine::Engine;
use project::RelPath;
use project::platform::{self, DirHandle, FileKind};
use store::ContentHash;

use super::MOST_TOLD;
use crate::ActionRefusal;

/// Most lines at once.
pub const MOST_LINES: u64 = 2_000;
/// Larger files are not read.
const LARGEST: u64 = 8 << 20;
/// Longer lines are cut.
const LONGEST_LINE: usize = 2_000;

/// What to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// The file.
    pub path: RelPath,
    /// Which lines.
    pub part: Lines,
}

/// Which lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lines {
    /// From this one on, counted from 1, so many at the most.
    From {
        /// The first.
        first: u64,
        /// How many.
        most: u64,
    },
    /// The last ones.
    Last(u64),
}

/// Reads.
pub fn read(lane: &Engine, wish: &Read) -> Result<String, ActionRefusal> {
    let bytes = content(lane, &wish.path)?;
    let name = wish.path.to_string();
    if words::is_binary(&bytes) {
        return Err(ActionRefusal::new(
            "binary",
            format!("`{name}` is no text file"),
            "look at another file",
        ));
    }
    let hash = ContentHash::of(&bytes).to_hex();
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().collect();
    let total = lines.len() as u64;
    let (first, most) = match wish.part {
        Lines::From { first, most } => (first, most),
        Lines::Last(most) => (total.saturating_sub(most) + 1, most),
    };
    if first > total.max(1) {
        return Err(ActionRefusal::new(
            "out_of_range",
            format!("`{name}` has {total} lines, and line {first} is behind its end"),
            format!("read from line 1 to {total}"),
        ));
    }
    let mut body = String::new();
    let mut last = first.saturating_sub(1);
    let skip = usize::try_from(first.saturating_sub(1)).unwrap_or(usize::MAX);
    for (number, line) in
        (first..).zip(lines.iter().skip(skip).take(usize::try_from(most).unwrap_or(usize::MAX)))
    {
        let cut = super::head(line, LONGEST_LINE);
        let mark = if cut.len() < line.len() { " … (line cut)" } else { "" };
        let shown = format!("{number:>6}\t{cut}{mark}\n");
        if body.len() + shown.len() > MOST_TOLD - 1_000 {
            break;
        }
        body.push_str(&shown);
        last = number;
    }
    let mut out = format!("{name}: {total} lines, content {}\n", &hash[..hash.len().min(16)]);
    out.push_str(&body);
    if last < total {
        out.push_str(&format!("… cut: {} more lines, go on with offset {}\n", total - last, last + 1));
    }
    Ok(lane.gate().clean(&out).into_string())
}

/// The bytes of a file of the lane. No link is followed on the way, and neither at its end.
fn content(lane: &Engine, path: &RelPath) -> Result<Vec<u8>, ActionRefusal> {
    let name = path.to_string();
    let (folder, file) = path.split();
    let cannot = |error: &std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => ActionRefusal::new(
            "not_found",
            format!("`{name}` is not there"),
            "look for it with GREP, or read another file",
        ),
        std::io::ErrorKind::NotADirectory => ActionRefusal::new(
            "link",
            format!("`{name}` is a link or lies behind one, and links are not followed"),
            "read the file itself by its own path",
        ),
        _ => {
            ActionRefusal::new("unreadable", format!("`{name}` cannot be read: {error}"), "read another file")
        }
    };
    let handle = DirHandle::open_root(lane.project().root())
        .and_then(|root| root.open_dir(folder))
        .map_err(|error| cannot(&error))?;
    let stat = handle.stat(file).map_err(|error| cannot(&error))?;
    match stat.kind {
        FileKind::File => {}
        FileKind::Dir => {
            return Err(ActionRefusal::new(
                "folder",
                format!("`{name}` is a folder"),
                "GREP with `dir` looks into it",
            ));
        }
        FileKind::Symlink => return Err(cannot(&std::io::ErrorKind::NotADirectory.into())),
        _ => {
            return Err(ActionRefusal::new(
                "no_file",
                format!("`{name}` is no regular file"),
                "read another file",
            ));
        }
    }
    let opened = handle.open_file(file).map_err(|error| cannot(&error))?;
    let size = platform::file_stat(&opened).map_err(|error| cannot(&error))?.size;
    if size > LARGEST {
        return Err(ActionRefusal::new(
            "too_large",
            format!("`{name}` has {size} bytes, more than are read"),
            "GREP finds lines in it",
        ));
    }
    let mut bytes = Vec::new();
    opened.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|error| cannot(&error))?;
    if refuses_secrets(lane, path) {
        return Err(ActionRefusal::new(
            "sensitive",
            format!("`{name}` usually holds secrets, so its content is not shown"),
            "work without it; ASK the person for what you need to know",
        ));
    }
    Ok(bytes)
}

/// Files whose content nobody shows to a model.
fn refuses_secrets(lane: &Engine, path: &RelPath) -> bool {
    let Ok(opened) = lane.store(&store::Silent) else { return true };
    opened.store.is_sensitive(path).unwrap_or(true)
}
