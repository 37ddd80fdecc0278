//! One lesson.

use serde::Serialize;

use super::{Error, Result};

/// Longest text that is taken, in characters.
const LONGEST_TEXT: usize = 500;

/// How a lesson came about, as the file says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// Somebody said it after going back.
    Rollback,
    /// Somebody wrote it down.
    Person,
    /// The file says something else, or nothing.
    Unknown,
}

impl Source {
    pub(super) fn parse(text: &str) -> Self {
        match text {
            "rollback" => Self::Rollback,
            "person" => Self::Person,
            _ => Self::Unknown,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Rollback => "rollback",
            Self::Person => "person",
            Self::Unknown => "unknown",
        }
    }
}

/// A lesson as it stands in the file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Lesson {
    /// Its name.
    pub id: String,
    /// What the agent should do differently.
    pub text: String,
    /// Only with these tools.
    pub tools: Vec<String>,
    /// Only with these files (globs).
    pub paths: Vec<String>,
    /// Also when one of these words is said.
    pub words: Vec<String>,
    /// The day it was written, `YYYY-MM-DD`.
    pub created: Option<String>,
    /// How it came about.
    pub source: Source,
    /// Comes first and never fades.
    pub pinned: bool,
    /// How much it counts; 1 unless somebody wrote another number.
    pub weight: f64,
    /// The line of `LESSONS.md` where it begins.
    pub line: usize,
}

/// A lesson to be written.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// What the agent should do differently.
    pub text: String,
    /// Only with these tools.
    pub tools: Vec<String>,
    /// Only with these files (globs).
    pub paths: Vec<String>,
    /// Comes first and never fades.
    pub pinned: bool,
    /// How it came about.
    pub source: Source,
}

impl Draft {
    /// The same draft with its text in one line, if it has one that can be kept.
    pub fn checked(mut self) -> Result<Self> {
        self.text = one_line(&self.text);
        for list in [&mut self.tools, &mut self.paths] {
            let mut seen = Vec::new();
            for item in list.iter().map(|item| one_line(item)).filter(|item| !item.is_empty()) {
                if !seen.contains(&item) {
                    seen.push(item);
                }
            }
            *list = seen;
        }
        match self.text.chars().count() {
            0 => Err(Error::Empty),
            many if many > LONGEST_TEXT => Err(Error::TooLong(many, LONGEST_TEXT)),
            _ => Ok(self),
        }
    }
}

/// Spaces and line ends become one space each; what steers a terminal goes.
pub(super) fn one_line(text: &str) -> String {
    let text: String = text
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .filter(|l| !hidden(*l))
        .collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Letters that show nothing, and so could hide something.
fn hidden(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// Two texts that are the same lesson.
pub(super) fn same(left: &str, right: &str) -> bool {
    key(left) == key(right)
}

fn key(text: &str) -> String {
    one_line(text).to_lowercase().trim_end_matches(['.', '!', '。', '！']).to_owned()
}

/// A short name that the text alone decides: the same lesson has the same name on every machine.
pub(super) fn id_of(text: &str) -> String {
    const LETTERS: &[u8; 16] = b"bcdfghjkmnpqrstv";
    let hash = key(text).bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let mixed = hash ^ (hash >> 32);
    (0..8).map(|place| char::from(LETTERS[((mixed >> (4 * place)) & 15) as usize])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(text: &str) -> Draft {
        let list = |items: &[&str]| items.iter().map(ToString::to_string).collect();
        Draft {
            text: text.to_owned(),
            tools: list(&["Edit", "Edit", ""]),
            paths: list(&["src/**"]),
            pinned: false,
            source: Source::Person,
        }
    }

    #[test]
    fn a_draft_is_one_line_without_hidden_letters() {
        let kept = draft(" Read\n the\u{202e} file\u{1b}[2J first ").checked().unwrap();
        assert_eq!(kept.text, "Read the file [2J first");
        assert_eq!(kept.tools, ["Edit"]);
        assert_eq!(draft(" \n").checked().unwrap_err().code(), "lesson_empty");
        assert_eq!(draft(&"x".repeat(501)).checked().unwrap_err().code(), "lesson_too_long");
    }

    #[test]
    fn the_same_words_are_the_same_lesson() {
        assert!(same("Use  spaces.", "use spaces"));
        assert!(!same("use spaces", "use tabs"));
        assert_eq!(id_of("Use  spaces."), id_of("use spaces"));
        assert_ne!(id_of("use spaces"), id_of("use tabs"));
    }
}
