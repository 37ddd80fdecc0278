//! Which file of the project a part of a patch means.
//!
//! The name in the header counts if such a file is there. A name that is wrong or missing is put right only when exactly
//! one file of the project fits: same end of the path, and all hunks have their place in it. The report says so.

use std::io::Read;

use patch::{FileAction, FilePatch};
use project::platform::{self, DirHandle, FileKind};
use project::{RelPath, RelPathError, is_reserved_name};

use super::Stop;
use super::report::FileRefusal;
use crate::{Engine, Error};

/// Longer files are not patched.
const LONGEST_FILE: u64 = 64 << 20;
/// So many files are looked at when a name is missing or wrong, and so many bytes of them read.
const MOST_FILES: usize = 20_000;
const MOST_BYTES: u64 = 256 << 20;

/// The file that is meant.
#[derive(Debug)]
pub(super) struct Located {
    /// Where the content comes from.
    pub(super) source: RelPath,
    /// Where it goes.
    pub(super) target: RelPath,
    /// The content now; none if the file is new.
    pub(super) content: Option<Vec<u8>>,
    /// Its mode now.
    pub(super) mode: Option<u32>,
    pub(super) warnings: Vec<String>,
}

type Answer<T> = std::result::Result<T, Stop>;

/// Finds the file and reads it.
pub(super) fn locate(engine: &Engine, file: &FilePatch<'_>, options: &patch::Options) -> Answer<Located> {
    let root = DirHandle::open_root(engine.project().root()).map_err(failed)?;
    let path = |bytes: &[u8]| path_of(engine, bytes);
    match file.action {
        FileAction::Create => {
            let Some(name) = file.target_path() else { return Err(no_name(file)) };
            let target = path(name)?;
            let (content, mode) =
                read(&root, &target)?.map_or((None, None), |(content, mode)| (Some(content), Some(mode)));
            let old_lines = file.hunks.iter().any(|hunk| hunk.lines.iter().any(patch::model::Line::is_old));
            if content.as_ref().is_some_and(|content| !content.is_empty()) && !old_lines {
                return Err(exists(&target).into());
            }
            Ok(Located { source: target.clone(), target, content, mode, warnings: Vec::new() })
        }
        FileAction::Rename | FileAction::Copy => {
            let (Some(source), Some(target)) = (file.source_path(), file.target_path()) else {
                return Err(no_name(file));
            };
            let (source, target) = (path(source)?, path(target)?);
            let Some((content, mode)) = read(&root, &source)? else { return Err(missing(&source).into()) };
            if source != target && read(&root, &target)?.is_some() {
                return Err(exists(&target).into());
            }
            Ok(Located { source, target, content: Some(content), mode: Some(mode), warnings: Vec::new() })
        }
        FileAction::Modify | FileAction::Delete => modified(engine, &root, file, options),
    }
}

fn modified(
    engine: &Engine,
    root: &DirHandle,
    file: &FilePatch<'_>,
    options: &patch::Options,
) -> Answer<Located> {
    let mut names: Vec<Vec<u8>> = [&file.new_path, &file.old_path].into_iter().flatten().cloned().collect();
    names.dedup();
    let mut first = None;
    for name in &names {
        let path = path_of(engine, name)?;
        if let Some((content, mode)) = read(root, &path)? {
            return Ok(found(path, content, mode, Vec::new()));
        }
        first.get_or_insert(path);
    }
    // `a/` may have been part of the name.
    if file.prefix_removed {
        for (side, name) in [(&b"a/"[..], &file.old_path), (b"b/", &file.new_path)] {
            if let Some(name) = name
                && let Ok(path) = path_of(engine, &[side, name].concat())
                && let Some((content, mode)) = read(root, &path)?
            {
                return Ok(found(path, content, mode, Vec::new()));
            }
        }
    }
    search(root, file, &names, options)?.ok_or_else(|| match first {
        Some(path) => missing(&path).into(),
        None => no_name(file),
    })
}

fn found(path: RelPath, content: Vec<u8>, mode: u32, warnings: Vec<String>) -> Located {
    Located { source: path.clone(), target: path, content: Some(content), mode: Some(mode), warnings }
}

/// Looks for the one file that takes all hunks: among those with the same end of the name, or, if no name is given, all.
fn search(
    root: &DirHandle,
    file: &FilePatch<'_>,
    names: &[Vec<u8>],
    options: &patch::Options,
) -> Answer<Option<Located>> {
    if file.hunks.is_empty() {
        return Ok(None);
    }
    let mut paths = Vec::new();
    list(root, b"", &mut paths);
    let same_end = |path: &RelPath, name: &[u8]| {
        let (short, long) = if path.as_bytes().len() < name.len() {
            (path.as_bytes(), name)
        } else {
            (name, path.as_bytes())
        };
        long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with(b"/"))
    };
    if !names.is_empty() {
        paths.retain(|path| names.iter().any(|name| same_end(path, name)));
    }
    let mut fitting = Vec::new();
    let mut bytes = 0;
    for path in paths {
        let Ok(Some((content, mode))) = read(root, &path) else { continue };
        bytes += content.len() as u64;
        if bytes > MOST_BYTES {
            return Ok(None);
        }
        let has_old = file.hunks.iter().any(|hunk| hunk.lines.iter().any(patch::model::Line::is_old));
        if has_old && patch::apply(file, &content, options).content.is_some() {
            fitting.push((path, content, mode));
        }
        if fitting.len() > 1 {
            return Ok(None);
        }
    }
    Ok(fitting.pop().map(|(path, content, mode)| {
        let warning = match names.first() {
            Some(name) => format!(
                "`{}` is not in the project; `{path}` is the only file that fits",
                String::from_utf8_lossy(name)
            ),
            None => format!("the patch names no file; `{path}` is the only one that fits"),
        };
        found(path, content, mode, vec![warning])
    }))
}

/// All regular files, without hidden folders and those that hold other people's code.
fn list(root: &DirHandle, folder: &[u8], paths: &mut Vec<RelPath>) {
    let Ok(dir) = root.open_dir(folder) else { return };
    let mut names: Vec<(Vec<u8>, Option<FileKind>)> = Vec::new();
    let _ = dir.list(&mut Vec::new(), |name, kind| names.push((name.to_vec(), kind)));
    names.sort_by(|a, b| a.0.cmp(&b.0));
    for (name, kind) in names {
        if paths.len() >= MOST_FILES {
            return;
        }
        let kind = kind.or_else(|| dir.stat(&name).ok().map(|stat| stat.kind));
        let Ok(path) = RelPath::join(folder, &name) else { continue };
        match kind {
            Some(FileKind::File) => paths.push(path),
            Some(FileKind::Dir) => {
                let skip = is_reserved_name(&name)
                    || matches!(&name[..], b"node_modules" | b"target" | b"vendor" | b".venv");
                if !skip {
                    list(root, path.as_bytes(), paths);
                }
            }
            _ => {}
        }
    }
}

/// A name from a patch as a path of the project. Absolute names inside the project are understood.
fn path_of(engine: &Engine, name: &[u8]) -> Answer<RelPath> {
    let root = engine.project().root();
    let refuse =
        |error: RelPathError| Stop::Refused(FileRefusal::new(error.code(), error.to_string(), error.next()));
    match RelPath::new(name) {
        Ok(path) => Ok(path),
        Err(error) if name.first() == Some(&b'/') || platform::is_absolute_bytes(name) => {
            let typed = platform::bytes_to_path(name);
            // Only as text: what a link on the way leads to does not count.
            let inside = typed.strip_prefix(root).ok().map(platform::path_to_bytes);
            inside.and_then(|inside| RelPath::new(&inside).ok()).ok_or_else(|| refuse(error))
        }
        Err(error) => Err(refuse(error)),
    }
}

/// The content and mode of a regular file; none if there is nothing.
fn read(root: &DirHandle, path: &RelPath) -> Answer<Option<(Vec<u8>, u32)>> {
    let (folder, name) = path.split();
    let gone = |error: &std::io::Error| error.kind() == std::io::ErrorKind::NotFound;
    let link = || {
        FileRefusal::new(
            "link_in_the_way",
            format!("`{path}` is a symbolic link, or lies behind one, and a patch never follows it"),
            "name the file itself, with its real path in the project",
        )
    };
    let dir = match root.open_dir(folder) {
        Ok(dir) => dir,
        Err(error) if gone(&error) => return Ok(None),
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => return Err(link().into()),
        Err(error) => return Err(failed(error)),
    };
    let stat = match dir.stat(name) {
        Ok(stat) => stat,
        Err(error) if gone(&error) => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    match stat.kind {
        FileKind::File => {}
        FileKind::Symlink => return Err(link().into()),
        FileKind::Dir | FileKind::Special => {
            let next = "name a regular file";
            return Err(FileRefusal::new("not_a_file", format!("`{path}` is not a file"), next).into());
        }
    }
    if stat.size > LONGEST_FILE {
        let message =
            format!("`{path}` is {} bytes long, and {LONGEST_FILE} is the most that is patched", stat.size);
        return Err(FileRefusal::new("file_too_long", message, "change it with another tool").into());
    }
    let mut content = Vec::new();
    dir.open_file(name).and_then(|mut file| file.read_to_end(&mut content)).map_err(failed)?;
    if words::has_nul(&content) {
        return Err(FileRefusal::binary_file(&path.to_string()).into());
    }
    Ok(Some((content, stat.mode)))
}

fn failed(error: std::io::Error) -> Stop {
    Stop::Failed(Error::Store(error.into()))
}

fn no_name(file: &FilePatch<'_>) -> Stop {
    FileRefusal::new(
        "patch_no_path",
        format!("the edit at line {} of the patch names no file, and none fits for certain", file.text_line),
        "write `--- a/PATH` and `+++ b/PATH` above the hunk",
    )
    .into()
}

fn missing(path: &RelPath) -> FileRefusal {
    FileRefusal::new(
        "file_missing",
        format!("`{path}` is not in the project"),
        "check the path; for a new file write `--- /dev/null` above `+++ b/PATH`",
    )
}

fn exists(path: &RelPath) -> FileRefusal {
    FileRefusal::new(
        "file_exists",
        format!("the patch makes `{path}`, which is there already"),
        "write the change as a hunk with context, or choose another name",
    )
}
