//! A key in memory. It can be sent, and nothing else.

/// A key. Shown, it is `[key]`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A key, without the blanks and line ends around it.
    pub fn new(text: &str) -> Self {
        Self(text.trim().to_owned())
    }

    /// The key itself, for the header in which it is sent.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// It can stand in a header.
    pub(crate) fn is_usable(&self) -> bool {
        !self.0.is_empty() && self.0.bytes().all(|byte| byte.is_ascii_graphic())
    }

    /// The text without the key, also where the text ends in the middle of it.
    pub(crate) fn taken_out_of(&self, text: &str) -> String {
        const TOO_MUCH: usize = 4;
        if self.0.is_empty() {
            return text.to_owned();
        }
        let mut clean = text.replace(&self.0, "[key]");
        let begun = (TOO_MUCH..self.0.len())
            .rev()
            .find(|&length| self.0.get(..length).is_some_and(|beginning| clean.ends_with(beginning)));
        if let Some(length) = begun {
            clean.truncate(clean.len() - length);
            clean.push_str("[key]");
        }
        clean
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("[key]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_never_shown_and_never_stays_in_a_text() {
        let key = Secret::new(" sk-1234567890 \n");
        assert_eq!(format!("{key:?}"), "[key]");
        assert_eq!(key.taken_out_of("bad key sk-1234567890!"), "bad key [key]!");
        assert_eq!(key.taken_out_of("it was cut: sk-12345"), "it was cut: [key]");
        assert_eq!(key.taken_out_of("a risk-"), "a risk-");
        assert!(key.is_usable());
        assert!(!Secret::new("a\nb").is_usable() && !Secret::new("").is_usable());
        assert_eq!(Secret::new("").taken_out_of("abc"), "abc");
    }
}
