//! What a typed name means. A word that names nothing must never be taken for a file that did not change: whoever mistyped it
//! would be told that all is well.

use std::path::{Path, PathBuf};

use project::RelPath;
use store::Store;

use crate::{Engine, Error, Result};

/// So many of the store's names are compared with a mistyped one.
const MOST_COMPARED: usize = 50_000;
/// So many are offered.
const MOST_OFFERED: usize = 3;
/// So many agents are listed.
const MOST_AGENTS: usize = 8;

/// The session that is meant: its whole name, or as much of its beginning as tells it from all others.
pub fn session(store: &Store<'_>, typed: &str) -> Result<String> {
    let found = if typed.is_empty() { Vec::new() } else { store.sessions_beginning(typed)? };
    match &found[..] {
        [only] => Ok(only.clone()),
        [] => {
            let last = store.sessions_beginning("")?.into_iter().take(MOST_OFFERED);
            let last: Vec<String> = last.map(|name| format!("`{name}`")).collect();
            let known =
                if last.is_empty() { String::new() } else { format!(" (the last are {})", last.join(", ")) };
            Err(Error::NotInHistory(format!("session `{typed}`{known}")))
        }
        many => match many.iter().find(|name| *name == typed) {
            Some(whole) => Ok(whole.clone()),
            None => {
                let some: Vec<String> =
                    many.iter().take(MOST_OFFERED).map(|name| format!("`{name}`")).collect();
                let some = some.join(", ");
                Err(Error::Usage(format!("`{typed}` fits {} sessions: {some}", many.len())))
            }
        },
    }
}

/// The client or sub-agent that is meant, by any of its usual names: `claude`, `Claude Code` and `claude-code` are one. A name that is none
/// of those who worked here is an error that lists them.
pub fn agent(store: &Store<'_>, typed: &str) -> Result<String> {
    let known = store.agents()?;
    let plain = |name: &str| -> String {
        name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let wanted = plain(typed);
    let usual = clients::Client::ALL.into_iter().find(|client| {
        let (name, title) = (plain(client.name()), plain(client.title()));
        let short = title.strip_suffix("cli").or_else(|| title.strip_suffix("code")).unwrap_or(&title);
        [name.as_str(), title.as_str(), short].contains(&wanted.as_str()) && !wanted.is_empty()
    });
    let found = known.iter().find(|name| **name == typed).or_else(|| {
        known.iter().find(|name| plain(name) == wanted || usual.is_some_and(|client| client.name() == **name))
    });
    if let Some(name) = found {
        return Ok(name.clone());
    }
    let listed: Vec<String> = known.iter().take(MOST_AGENTS).map(|name| format!("`{name}`")).collect();
    let listed = if listed.is_empty() {
        " (no agent has done anything here)".to_owned()
    } else {
        format!(" (those who worked here are {})", listed.join(", "))
    };
    Err(Error::NotInHistory(format!("agent `{typed}`{listed}")))
}

impl Engine {
    /// As [`Engine::paths`], where each one names something: on the disk, in any checkpoint, or in git's last commit.
    pub fn known_paths(&self, store: &Store<'_>, typed: &[PathBuf]) -> Result<Vec<RelPath>> {
        let mut paths = self.paths(typed)?;
        if self.project().is_loose() {
            // A link that lies in the way now leads elsewhere; what is meant is what was saved under this name.
            for (path, typed) in paths.iter_mut().zip(typed) {
                let literal = RelPath::from_user(self.project().root(), self.context().cwd(), typed);
                if let Ok(Some(literal)) = literal
                    && !store.knows(path)?
                    && store.knows(&literal)?
                {
                    *path = literal;
                }
            }
        }
        for path in &paths {
            if !self.is_present(path) && !store.knows(path)? && !self.is_in_git(path) {
                let nearest = self.nearest(Some(store), path);
                return Err(Error::NoSuchPath { path: self.name_of(path), nearest });
            }
        }
        Ok(paths)
    }

    /// The same for those who have no store open: one is opened only if a name is not on the disk.
    pub fn known_names(&self, typed: &[PathBuf]) -> Result<Vec<RelPath>> {
        let paths = self.paths(typed)?;
        if paths.iter().all(|path| self.is_present(path)) {
            return Ok(paths);
        }
        self.known_paths(&self.store(&store::Silent)?.store, typed)
    }

    /// As [`Engine::paths`], where each one is on the disk now.
    pub fn present_paths(&self, typed: &[PathBuf]) -> Result<Vec<RelPath>> {
        let paths = self.paths(typed)?;
        match paths.iter().find(|path| !self.is_present(path)) {
            Some(missing) => Err(self.no_such_file(missing)),
            None => Ok(paths),
        }
    }

    /// The error about a file that is not on the disk, with the names that were probably meant.
    pub(crate) fn no_such_file(&self, path: &RelPath) -> Error {
        let opened = self.store(&store::Silent).ok();
        let nearest = self.nearest(opened.as_ref().map(|opened| &opened.store), path);
        Error::NoSuchFile { path: path.to_string(), nearest }
    }

    /// Something is there now, whatever it is.
    pub(crate) fn is_present(&self, path: &RelPath) -> bool {
        path.to_path(self.project().root()).symlink_metadata().is_ok()
    }

    /// Asked last, since it starts a program.
    pub(crate) fn is_in_git(&self, path: &RelPath) -> bool {
        let (root, Ok(name)) = (self.project().root(), std::str::from_utf8(path.as_bytes())) else {
            return false;
        };
        if git::Folder::of(root).is_none() {
            return false;
        }
        let listed = git::output(&mut git::ask(root, &["ls-tree", "-z", "HEAD", "--", name]));
        listed.is_ok_and(|listed| !listed.is_empty())
    }

    /// The names much like this one, the likest first: those of the store, and those in its folder on the disk.
    pub(crate) fn nearest(&self, store: Option<&Store<'_>>, path: &RelPath) -> Vec<String> {
        let mut names: Vec<String> = store
            .and_then(|store| store.known_paths(MOST_COMPARED).ok())
            .unwrap_or_default()
            .iter()
            .map(ToString::to_string)
            .collect();
        let (folder, _) = path.split();
        let shown = String::from_utf8_lossy(folder).into_owned();
        let on_disk = std::fs::read_dir(self.project().root().join(Path::new(&shown)));
        for entry in on_disk.into_iter().flatten().flatten().take(MOST_COMPARED) {
            let Ok(found) = RelPath::join(folder, entry.file_name().as_encoded_bytes()) else { continue };
            names.push(found.to_string());
        }
        nearest(&path.to_string(), names)
    }
}

/// Of these names, the few that somebody who typed `wanted` probably meant.
fn nearest(wanted: &str, names: Vec<String>) -> Vec<String> {
    let own = |path: &str| path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let (whole, last) = (wanted.to_lowercase(), own(wanted));
    let mut rated: Vec<(usize, String)> = names
        .into_iter()
        .filter_map(|name| {
            let other = own(&name);
            let by_name = distance(&last, &other).filter(|far| *far <= allowed(&last));
            let by_path = distance(&whole, &name.to_lowercase()).filter(|far| *far <= allowed(&last));
            // `README` is `README.md`.
            let by_name = by_name.or_else(|| other.strip_prefix(&last)?.starts_with('.').then_some(1));
            // The same name elsewhere is near; the same path but for a letter is nearer.
            let rating = match (by_path, by_name) {
                (Some(far), _) => far,
                (None, Some(far)) => far + 2,
                (None, None) => return None,
            };
            Some((rating, name))
        })
        .collect();
    rated.sort();
    rated.dedup_by(|a, b| a.1 == b.1);
    rated.into_iter().take(MOST_OFFERED).map(|(_, name)| name).collect()
}

/// So many letters may be wrong: one of three, but no more than three.
fn allowed(word: &str) -> usize {
    (word.chars().count() / 3).clamp(1, 3)
}

/// How many letters to add, drop or replace; none if it is plainly too many.
fn distance(a: &str, b: &str) -> Option<usize> {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 3 {
        return None;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.iter().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, right) in b.iter().enumerate() {
            let replaced = corner + usize::from(left != right);
            corner = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(corner + 1);
        }
    }
    row.last().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_that_was_meant_comes_first_t2() {
        let names =
            || ["src/cart.js", "src/login.js", "lib/cart.js", "README.md"].map(str::to_owned).to_vec();
        assert_eq!(nearest("src/crat.js", names()), ["src/cart.js", "lib/cart.js"]);
        assert_eq!(nearest("cart.js", names()), ["lib/cart.js", "src/cart.js"]);
        assert_eq!(nearest("readme.md", names()), ["README.md"]);
        assert_eq!(nearest("README", names()), ["README.md"]);
        assert!(nearest("it works now", names()).is_empty());
        assert!(nearest("a", names()).is_empty());
    }
}
