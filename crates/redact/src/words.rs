//! Whether a short text holds one of a list of words: one walk over the text, whatever the length of the list.
//!
//! The lists stand beside what they are about; here they become constant tables, so that nothing is built when a value is judged. A
//! text full of secrets asks this for every value, in every reading of the text.

/// A list of words, by their first byte.
pub(crate) struct Words {
    words: &'static [&'static str],
    /// For each byte where the words that begin with it are: from, to.
    places: [(u8, u8); 256],
}

impl Words {
    /// A table of words. They stand in the order of their first bytes; a list that does not is refused when this is compiled.
    pub(crate) const fn new(words: &'static [&'static str]) -> Self {
        let mut places = [(0, 0); 256];
        let mut at = 0;
        while at < words.len() {
            let first = words[at].as_bytes()[0] as usize;
            assert!(at < 255 && (at == 0 || words[at - 1].as_bytes()[0] as usize <= first), "not in order");
            if places[first].1 == 0 {
                places[first].0 = at as u8;
            }
            at += 1;
            places[first].1 = at as u8;
        }
        Self { words, places }
    }

    /// Whether a word stands in `text` where `fits` agrees, which is told the place and the word.
    pub(crate) fn any(&self, text: &[u8], mut fits: impl FnMut(usize, &'static str) -> bool) -> bool {
        text.iter().enumerate().any(|(at, byte)| {
            let (from, to) = self.places[usize::from(*byte)];
            self.words[usize::from(from)..usize::from(to)].iter().any(|word| {
                // Most words part from the text at their second letter.
                let second = word.as_bytes().get(1);
                (second.is_none() || second == text.get(at + 1))
                    && text[at..].starts_with(word.as_bytes())
                    && fits(at, word)
            })
        })
    }

    /// Whether a word stands anywhere in `text`.
    pub(crate) fn is_in(&self, text: &[u8]) -> bool {
        self.any(text, |_, _| true)
    }

    /// Whether `text` is one of the words.
    pub(crate) fn holds(&self, text: &[u8]) -> bool {
        let (from, to) = text.first().map_or((0, 0), |first| self.places[usize::from(*first)]);
        self.words[usize::from(from)..usize::from(to)].iter().any(|word| word.as_bytes() == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOME: Words = Words::new(&["ab", "b", "bcd", "x"]);

    #[test]
    fn words_are_found_wherever_they_stand() {
        for text in ["ab", "zzab", "bc", "..bcd", "x", "aab"] {
            assert!(SOME.is_in(text.as_bytes()), "{text}");
        }
        assert!(!SOME.is_in(b"") && !SOME.is_in(b"aaa") && !SOME.is_in("ä".as_bytes()));
        assert!(!SOME.any(b"ab", |at, word| (at, word) == (1, "ab")), "the word at 1 is another one");
        assert!(SOME.holds(b"bcd") && !SOME.holds(b"bc") && !SOME.holds(b""));
    }
}
