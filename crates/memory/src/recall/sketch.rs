//! Whether two texts have nearly the same words, from 32 bytes each.
//!
//! The hashes of the words are dealt into 32 bins; each bin keeps a byte of its smallest hash. The share of bins that agree
//! is about the share of words that both have.

const BINS: usize = 32;
/// Texts that share this much of their words say the same.
const SAME: f32 = 0.8;

/// The sketch of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Sketch(pub [u8; BINS]);

impl Sketch {
    /// Of the hashes of a text's words.
    pub fn of(hashes: &[u64]) -> Self {
        let mut least = [u64::MAX; BINS];
        for hash in hashes {
            let bin = &mut least[(hash & 31) as usize];
            *bin = (*bin).min(*hash);
        }
        // 0 is kept for a bin without a word.
        Self(least.map(|hash| if hash == u64::MAX { 0 } else { (hash >> 5 & 0xff).max(1) as u8 }))
    }

    /// Whether the other text says nearly the same.
    pub fn is_like(&self, other: &Self) -> bool {
        let (mut used, mut equal) = (0.0, 0.0);
        for (one, other) in self.0.iter().zip(&other.0) {
            if *one != 0 || *other != 0 {
                used += 1.0;
                equal += if one == other { 1.0 } else { 0.0 };
            }
        }
        used > 0.0 && equal / used >= SAME
    }
}

#[cfg(test)]
mod tests {
    use super::super::document::Document;
    use super::Sketch;

    fn sketch(text: &str) -> Sketch {
        Document { text: text.to_owned(), ..Document::default() }.terms().sketch
    }

    #[test]
    fn repetitions_are_alike_and_others_are_not() {
        let one = "the login fails because the token in the session cookie expired during the night";
        assert!(sketch(one).is_like(&sketch(&one.to_uppercase())));
        assert!(sketch(one).is_like(&sketch(&format!("{one} again"))));
        assert!(!sketch(one).is_like(&sketch("the build fails because the token of the registry is gone")));
        assert!(!sketch("").is_like(&sketch("")));
    }
}
