//! Which lessons a person of this machine stands behind. (S14)
//!
//! `LESSONS.md` lies in the project: a repository that one clones brings its own, and an agent can write into it. What the file says of
//! itself ("a person", "pinned") is a claim. Only what was written or kept here, by word of a person, is told as theirs.

use std::collections::BTreeSet;

use memory::lessons::Lesson;
use project::{FileLock, write_atomic};
use store::ContentHash;

use crate::{Engine, Error, Result};

/// Lessons that are remembered; a longer list would only be of lessons long gone.
const MOST: usize = 4_000;

/// The lessons somebody stood behind, by their texts.
pub(super) struct Confirmed(BTreeSet<String>);

impl Confirmed {
    /// Losing the list means that nothing is confirmed: it is told with less weight, never with more.
    pub(super) fn read(engine: &Engine) -> Self {
        let bytes =
            std::fs::read(engine.project().state().join("lessons-confirmed.json")).unwrap_or_default();
        Self(serde_json::from_slice(&bytes).unwrap_or_default())
    }

    pub(super) fn holds(&self, lesson: &Lesson) -> bool {
        self.0.contains(&key(lesson))
    }
}

/// A person stands behind these lessons, as they are worded now.
pub(super) fn confirm<'l>(engine: &Engine, lessons: impl IntoIterator<Item = &'l Lesson>) -> Result<()> {
    let state = engine.project().state();
    let io = |error: std::io::Error| Error::from(store::Error::Io(error));
    let _lock = FileLock::wait(&state.join("lessons-confirmed.lock")).map_err(io)?;
    let mut known = Confirmed::read(engine).0;
    known.extend(lessons.into_iter().map(key));
    while known.len() > MOST {
        known.pop_first();
    }
    let text = serde_json::to_vec(&known).map_err(|error| io(error.into()))?;
    write_atomic(&state.join("lessons-confirmed.json"), &text).map_err(io)
}

/// The whole text counts: who changes a word has written another lesson.
fn key(lesson: &Lesson) -> String {
    ContentHash::of(lesson.text.as_bytes()).to_hex()
}
