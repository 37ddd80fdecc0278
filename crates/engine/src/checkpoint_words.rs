//! What the words after `vib checkpoint` are: files, or a name for this state.
//!
//! "Saved" must never be said of something that was not there to be saved. So words that name nothing are the name of the state, and
//! the whole project is saved; words that could only be files, and are not there, are an error that saves nothing.

use std::path::PathBuf;

use project::RelPath;
use store::Store;

use crate::{Engine, Error, Result};

/// What was meant.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Words {
    /// Save only these.
    Paths(Vec<RelPath>),
    /// Save everything under this name.
    Message(String),
}

/// Reads the words. `named` says that the state has a name already, so that the words can only be files.
pub(crate) fn read(engine: &Engine, store: &Store<'_>, words: &[PathBuf], named: bool) -> Result<Words> {
    let mut missing = Vec::new();
    let mut some_exist = false;
    for word in words {
        // A sentence need not be a possible path: it is judged as one only if it could name something.
        match engine.paths(std::slice::from_ref(word)) {
            Ok(paths) => match paths.into_iter().next() {
                Some(path) if !engine.is_present(&path) && !store.knows(&path)? => {
                    missing.push((word, Some(path)));
                }
                _ => some_exist = true,
            },
            Err(_) if !named && !looks_like_a_path(&word.to_string_lossy()) => missing.push((word, None)),
            Err(error) => return Err(error),
        }
    }
    let Some((first, path)) =
        missing.iter().find(|(word, _)| looks_like_a_path(&word.to_string_lossy())).or(missing.first())
    else {
        return Ok(Words::Paths(engine.paths(words)?));
    };
    if named || some_exist || looks_like_a_path(&first.to_string_lossy()) {
        let nearest = path.as_ref().map(|path| engine.nearest(Some(store), path)).unwrap_or_default();
        return Err(Error::NothingToSave { path: first.display().to_string(), nearest });
    }
    let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    Ok(Words::Message(words.join(" ")))
}

/// It has a folder in it or an ending like a file. A sentence of three words and more is a sentence, whatever is in it.
fn looks_like_a_path(word: &str) -> bool {
    if word.split_whitespace().count() >= 3 {
        return false;
    }
    word.is_empty() || word.contains('/') || word.contains(std::path::MAIN_SEPARATOR) || has_ending(word)
}

/// `cart.js`, `.env`, `a.tar.gz`; not `v1.2` and not `done.`.
fn has_ending(word: &str) -> bool {
    let Some((_, ending)) = word.rsplit_once('.') else { return false };
    (1..=8).contains(&ending.len())
        && ending.starts_with(|c: char| c.is_ascii_alphabetic())
        && ending.chars().all(|c| c.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::looks_like_a_path;

    #[test]
    fn files_and_sentences_are_told_apart_t2() {
        for path in ["src/cart.js", "cart.js", ".env", "my file.txt", "src/", "/etc/passwd", "", "a.tar.gz"] {
            assert!(looks_like_a_path(path), "{path}");
        }
        for words in [
            "it works now",
            "works",
            "v1.2",
            "done.",
            "it works",
            "fix login/logout at last",
            "장바구니 완료",
        ] {
            assert!(!looks_like_a_path(words), "{words}");
        }
    }
}
