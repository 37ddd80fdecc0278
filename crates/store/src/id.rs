//! [`CheckpointId`]: short, and made of letters only, so that `vib undo 3` (a number of steps) and `vib undo kmtz` (an
//! id) can never be mixed up. No vowels: no id spells a word.

use std::fmt;

use project::Context;

const ALPHABET: &[u8; 20] = b"bcdfghjkmnpqrstvwxyz";
const LENGTH: usize = 8;

/// The id of a checkpoint: 8 letters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub struct CheckpointId(String);

impl CheckpointId {
    /// A new id.
    pub(crate) fn random(context: &Context) -> Self {
        let mut bits = context.random_u64();
        let letters = (0..LENGTH).map(|_| {
            let letter = ALPHABET[usize::try_from(bits % 20).unwrap_or(0)];
            bits /= 20;
            char::from(letter)
        });
        Self(letters.collect())
    }

    /// Takes a stored id.
    pub(crate) fn stored(text: String) -> Self {
        Self(text)
    }

    /// True if `text` could be an id or the beginning of one.
    pub fn could_be_prefix(text: &str) -> bool {
        !text.is_empty() && text.len() <= LENGTH && text.bytes().all(|byte| ALPHABET.contains(&byte))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CheckpointId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
