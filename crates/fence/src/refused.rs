//! What the fence refused, read from what a command said. A permission error is the fence's only if the path in it lies outside the open
//! places and this person could write there otherwise: everything else is an ordinary one, and is left alone.

use std::path::{Component, Path, PathBuf};

use crate::Fence;

/// How programs say it, in the languages that are met most; small letters.
const WORDS: &[&str] = &[
    "permission denied",
    "eacces",
    "[errno 13]",
    "os error 13",
    "operation not permitted",
    "cross-device link",
    "exdev",
    "keine berechtigung",
    "permission non accordée",
    "permiso denegado",
    "permissão negada",
    "отказано в доступе",
    "허가 거부",
    "权限不够",
    "拒绝访问",
    "許可がありません",
];

/// Most lines of an output that are looked at, from its end: that is where errors are.
const MOST_LINES: usize = 2_000;
/// Most paths that are told.
const MOST_PATHS: usize = 5;

/// What an output says about the fence.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Refusals {
    /// Paths that could not be written because of the fence.
    pub written: Vec<PathBuf>,
    /// Paths that could not be read because they are hidden.
    pub read: Vec<PathBuf>,
    /// There was a permission error that names no path.
    pub unnamed: bool,
}

impl Refusals {
    /// The fence refused nothing, as far as one can tell.
    pub fn is_empty(&self) -> bool {
        self.written.is_empty() && self.read.is_empty()
    }
}

/// Reads the output of a command that ran behind this fence. `folders`: where a relative name may be meant from; a command may go
/// elsewhere before it fails, so a name counts only if none of them makes it one that is open.
pub fn in_output(fence: &Fence, folders: &[&Path], output: &str) -> Refusals {
    let mut found = Refusals::default();
    for line in output.lines().rev().take(MOST_LINES) {
        let small = line.to_lowercase();
        if !WORDS.iter().any(|word| small.contains(word)) {
            continue;
        }
        let named = paths_in(line);
        found.unnamed |= named.is_empty();
        for name in named {
            let meant: Vec<PathBuf> = folders
                .iter()
                .map(|folder| resolved(&folder.join(name)))
                .filter(|path| path.parent().is_some_and(Path::is_dir))
                .collect();
            if let Some(path) = meant.iter().find(|path| is_hidden(fence, path)) {
                keep(&mut found.read, path.clone());
            } else if !meant.iter().any(|path| fence.is_open(path))
                && let Some(path) = meant.into_iter().find(|path| could_write(path))
            {
                keep(&mut found.written, path);
            }
        }
    }
    found
}

fn is_hidden(fence: &Fence, path: &Path) -> bool {
    fence.hidden.iter().any(|hidden| path.starts_with(resolved(hidden)))
}

fn keep(list: &mut Vec<PathBuf>, path: PathBuf) {
    if list.len() < MOST_PATHS && !list.contains(&path) {
        list.push(path);
    }
}

/// What in a line of an error looks like a path: what is quoted, and words with a slash.
fn paths_in(line: &str) -> Vec<&str> {
    const PAIRS: [(char, char); 6] =
        [('\'', '\''), ('"', '"'), ('`', '`'), ('`', '\''), ('‘', '’'), ('“', '”')];
    let mut names: Vec<&str> = Vec::new();
    for (open, close) in PAIRS {
        let mut rest = line;
        while let Some(start) = rest.find(open) {
            let inside = &rest[start + open.len_utf8()..];
            let Some(end) = inside.find(close) else { break };
            names.push(&inside[..end]);
            rest = &inside[end + close.len_utf8()..];
        }
    }
    let is_end = |letter: char| {
        letter.is_whitespace() || matches!(letter, ':' | ',' | ';' | '(' | ')' | '\'' | '"' | '`' | '‘' | '’')
    };
    names.extend(line.split(is_end).filter(|word| word.contains('/')));
    // "bash: line 1: /a name/with spaces: Permission denied"
    names.extend(line.split(": ").filter(|part| part.starts_with(['/', '.'])));
    names.retain(|name| name.contains('/') && name.len() > 1 && !name.contains("://") && name.len() < 4096);
    names.sort_unstable();
    names.dedup();
    names
}

/// The path without `..` and links, as far as it exists.
fn resolved(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain = plain.canonicalize().unwrap_or(plain);
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    for there in plain.ancestors() {
        if let Ok(real) = there.canonicalize() {
            let rest = plain.strip_prefix(there).unwrap_or(Path::new(""));
            return if rest.as_os_str().is_empty() { real } else { real.join(rest) };
        }
    }
    plain
}

/// Without the fence this person could write it, or make or take away something of that name.
fn could_write(path: &Path) -> bool {
    // The kernel's own files refuse in their own way, even what their rights seem to allow.
    if ["/proc", "/sys"].iter().any(|top| path.starts_with(top)) {
        return false;
    }
    let folder = path.ancestors().skip(1).find(|folder| folder.exists());
    is_writable(path) || folder.is_some_and(is_writable)
}

#[cfg(unix)]
fn is_writable(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok()
}

#[cfg(not(unix))]
fn is_writable(path: &Path) -> bool {
    path.metadata().is_ok_and(|facts| !facts.permissions().readonly())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Access;
    use crate::places::Place;

    /// Lines of real programs, with the path as each of them writes it.
    const LINES: &[&str] = &[
        "bash: line 1: {}: Permission denied",
        "sh: 1: cannot create {}: Permission denied",
        "touch: cannot touch '{}': Permission denied",
        "rm: cannot remove '{}': Permission denied",
        "mkdir: cannot create directory ‘{}’: Permission denied",
        "cp: cannot create regular file '{}': Permission denied",
        "mv: cannot move 'a' to '{}': Permission denied",
        "ln: failed to create hard link 'mine' => '{}': Invalid cross-device link",
        "PermissionError: [Errno 13] Permission denied: '{}'",
        "Error: EACCES: permission denied, open '{}'",
        "Can't open {}: Permission denied at -e line 1.",
        "open {}: permission denied",
        "fatal: could not create work tree dir '{}': Permission denied",
        "error: failed to write `{}`: Permission denied (os error 13)",
        "npm error Error: EACCES: permission denied, mkdir '{}'",
        "touch: '{}'를 touch 할 수 없음: 허가 거부됨",
        "touch: 无法创建 '{}': 权限不够",
    ];

    fn fence(open: &Path) -> Fence {
        let mut fence = Fence::nowhere();
        fence.open.push(Place::new(open.to_path_buf(), Access::Folder, "the project"));
        fence
    }

    #[test]
    fn a_refusal_is_told_from_an_ordinary_permission_error() {
        let tmp = tempfile::tempdir().unwrap();
        let base = tmp.path().canonicalize().unwrap();
        let (inside, outside) = (base.join("project"), base.join("other"));
        std::fs::create_dir_all(inside.join("sub")).unwrap();
        std::fs::create_dir(&outside).unwrap();
        let fence = fence(&inside);
        for line in LINES {
            for name in [outside.join("new").display().to_string(), "../../other/new".to_owned()] {
                let told = in_output(
                    &fence,
                    &[&inside.join("sub")],
                    &format!("building\n{}\ndone", line.replace("{}", &name)),
                );
                assert_eq!(told.written, [outside.join("new")], "{line}");
            }
            for ordinary in [inside.join("locked").display().to_string(), "/proc/1/mem".to_owned()] {
                let told = in_output(&fence, &[&inside], &line.replace("{}", &ordinary));
                assert!(told.is_empty(), "{line}: {told:?}");
            }
        }
        for nothing in ["all 12 tests passed", "the folder /other/new is fine", ""] {
            assert_eq!(in_output(&fence, &[&inside], nothing), Refusals::default());
        }
        assert!(in_output(&fence, &[&inside], "Error: Permission denied (os error 13)").unnamed);
    }

    #[test]
    fn what_is_hidden_is_told_as_such() {
        let tmp = tempfile::tempdir().unwrap();
        let base = tmp.path().canonicalize().unwrap();
        std::fs::create_dir(base.join(".ssh")).unwrap();
        let mut fence = fence(&base.join("project"));
        fence.hidden.push(base.join(".ssh"));
        let line = format!("cat: {}: Permission denied", base.join(".ssh/id").display());
        let told = in_output(&fence, &[&base], &line);
        assert_eq!((told.read, told.written), (vec![base.join(".ssh/id")], Vec::new()));
    }
}
