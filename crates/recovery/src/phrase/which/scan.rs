//! Reads on in a text, one of some words after the other.

/// A place in a text, in small letters.
#[derive(Debug, Clone)]
pub(super) struct Scan<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Scan<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// What follows, without the space before it.
    pub(super) fn rest(&self) -> &'t str {
        self.text[self.at..].trim_start()
    }

    pub(super) fn ends(&self) -> bool {
        !self.rest().starts_with(|letter: char| letter.is_alphanumeric() || letter == '\u{2}')
    }

    /// The longest of these words, whole where it is Latin.
    pub(super) fn any(&mut self, words: &[&str]) -> bool {
        let rest = self.rest();
        let fits = |word: &&&str| {
            let next = rest[word.len()..].chars().next();
            let inside = word.ends_with(|letter: char| letter.is_ascii_alphanumeric())
                && next.is_some_and(|letter| letter.is_ascii_alphanumeric());
            !inside
        };
        let found =
            words.iter().filter(|word| rest.starts_with(**word)).filter(fits).map(|word| word.len()).max();
        if let Some(length) = found {
            self.at = self.text.len() - rest.len() + length;
        }
        found.is_some()
    }

    /// The same, and it does not matter whether.
    pub(super) fn may(&mut self, words: &[&str]) -> bool {
        self.any(words)
    }

    /// A number in digits or in one of these words.
    pub(super) fn number(&mut self, words: &[(&str, usize)]) -> Option<usize> {
        let rest = self.rest();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            let number = rest[..digits].parse().ok()?;
            self.at = self.text.len() - rest.len() + digits;
            return Some(number);
        }
        let (word, number) =
            words.iter().filter(|(word, _)| rest.starts_with(word)).max_by_key(|(word, _)| word.len())?;
        self.any(&[word]).then_some(*number)
    }

    /// `r12`, and no file that is called so.
    pub(super) fn request(&mut self) -> Option<i64> {
        let rest = self.rest();
        let digits = rest.strip_prefix('r')?.bytes().take_while(u8::is_ascii_digit).count();
        let after = rest[1 + digits..].chars().next();
        let inside = after
            .is_some_and(|next| next.is_ascii_alphanumeric() || matches!(next, '.' | '/' | '_' | '-' | '#'));
        let number = rest[1..1 + digits].parse().ok().filter(|_| !inside)?;
        self.at = self.text.len() - rest.len() + 1 + digits;
        Some(number)
    }

    /// Reads as this says, or stays where it was.
    pub(super) fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = self.at;
        let found = read(self);
        if found.is_none() {
            self.at = before;
        }
        found
    }
}
