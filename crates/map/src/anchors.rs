//! Anchors: named places in a file, between `=== ANCHOR: NAME_START ===` and `=== ANCHOR: NAME_END ===` in comments.

use serde::{Deserialize, Serialize};

use crate::language::{Language, find};

/// A named place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anchor {
    /// Its name.
    pub name: String,
    /// The line of its beginning, from 1.
    pub first_line: u32,
    /// The line of its end.
    pub last_line: u32,
}

/// What is wrong with the anchors of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "problem", rename_all = "snake_case")]
pub enum AnchorProblem {
    /// A beginning without an end.
    NotClosed {
        /// The name.
        name: String,
        /// Where it begins.
        line: u32,
    },
    /// An end without a beginning.
    NotOpened {
        /// The name.
        name: String,
        /// Where it ends.
        line: u32,
    },
    /// The same name twice.
    Repeated {
        /// The name.
        name: String,
        /// The second place.
        line: u32,
    },
}

impl AnchorProblem {
    /// The anchor's name.
    pub fn name(&self) -> &str {
        match self {
            Self::NotClosed { name, .. } | Self::NotOpened { name, .. } | Self::Repeated { name, .. } => name,
        }
    }

    /// Where it is.
    pub fn line(&self) -> u32 {
        match self {
            Self::NotClosed { line, .. } | Self::NotOpened { line, .. } | Self::Repeated { line, .. } => {
                *line
            }
        }
    }
}

const MARK: &[u8] = b"=== ANCHOR:";

enum Marker {
    Start(String),
    End(String),
}

/// The anchors of a text that are whole.
pub fn anchors(text: &[u8]) -> Vec<Anchor> {
    read(text).0
}

/// What is wrong with the anchors of a text.
pub fn problems(text: &[u8]) -> Vec<AnchorProblem> {
    read(text).1
}

fn read(text: &[u8]) -> (Vec<Anchor>, Vec<AnchorProblem>) {
    let (mut found, mut problems) = (Vec::<Anchor>::new(), Vec::new());
    if find(text, MARK).is_none() {
        return (found, problems);
    }
    let mut open: Vec<(String, u32)> = Vec::new();
    for (at, line) in text.split(|byte| *byte == b'\n').enumerate() {
        let number = u32::try_from(at + 1).unwrap_or(u32::MAX);
        match marker(line) {
            None => {}
            Some(Marker::Start(name)) => {
                let known = open.iter().any(|(other, _)| *other == name)
                    || found.iter().any(|anchor| anchor.name == name);
                if known {
                    problems.push(AnchorProblem::Repeated { name: name.clone(), line: number });
                }
                open.push((name, number));
            }
            Some(Marker::End(name)) => match open.iter().rposition(|(other, _)| *other == name) {
                Some(at) => {
                    let (name, first_line) = open.remove(at);
                    found.push(Anchor { name, first_line, last_line: number });
                }
                None => problems.push(AnchorProblem::NotOpened { name, line: number }),
            },
        }
    }
    problems.extend(open.into_iter().map(|(name, line)| AnchorProblem::NotClosed { name, line }));
    problems.sort_by_key(AnchorProblem::line);
    found.sort_by_key(|anchor| anchor.first_line);
    (found, problems)
}

/// Reads a marker. Before it there may be only the beginning of a comment, so that a string in code is none.
fn marker(line: &[u8]) -> Option<Marker> {
    let at = find(line, MARK)?;
    let before = line[..at].trim_ascii();
    let opens_comment =
        before.iter().all(|byte| byte.is_ascii_punctuation() && !matches!(byte, b'"' | b'\'' | b'`' | b'='))
            || before.eq_ignore_ascii_case(b"rem");
    let rest = &line[at + MARK.len()..];
    let rest = &rest[..find(rest, b"===")?];
    let name = std::str::from_utf8(rest).ok()?.trim();
    if !opens_comment || name.is_empty() || name.contains(char::is_whitespace) {
        return None;
    }
    if let Some(name) = name.strip_suffix("_START") {
        return Some(Marker::Start(name.to_owned()));
    }
    name.strip_suffix("_END").map(|name| Marker::End(name.to_owned()))
}

/// How a comment begins and ends in a file of this name.
pub fn comment_style(path: &[u8]) -> Option<(&'static str, &'static str)> {
    Some(match Language::of_path(path) {
        Some(Language::Python | Language::Ruby | Language::Yaml | Language::Toml | Language::Bash) => {
            ("#", "")
        }
        Some(Language::Html) => ("<!--", " -->"),
        Some(Language::Css) => ("/*", " */"),
        // JSON has no comments.
        Some(Language::Json) => return None,
        Some(_) => ("//", ""),
        None => {
            let name = String::from_utf8_lossy(path.rsplit(|byte| *byte == b'/').next().unwrap_or(path))
                .to_ascii_lowercase();
            let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
            match ending {
                "md" | "mdx" | "xml" | "svelte" | "svg" | "markdown" => ("<!--", " -->"),
                "scss" | "less" | "sass" | "kt" | "kts" | "swift" | "scala" | "dart" | "zig" | "proto"
                | "gradle" | "m" => ("//", ""),
                "sql" | "lua" | "hs" | "elm" => ("--", ""),
                "el" | "clj" | "lisp" | "asm" => (";;", ""),
                "vim" => ("\"", ""),
                "tex" | "erl" => ("%", ""),
                "bat" | "cmd" => ("REM", ""),
                "txt" | "csv" | "lock" | ""
                    if !matches!(name.as_str(), "makefile" | "dockerfile" | "justfile") =>
                {
                    return None;
                }
                _ => ("#", ""),
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_found_and_broken_ones_named() {
        let text = b"a\n# === ANCHOR: LOGIN_START ===\nb\n# === ANCHOR: LOGIN_END ===\n";
        assert_eq!(anchors(text), [Anchor { name: "LOGIN".to_owned(), first_line: 2, last_line: 4 }]);
        assert!(problems(text).is_empty());
        let text = b"// === ANCHOR: A_START ===\n/* === ANCHOR: B_END === */\n";
        assert_eq!(
            problems(text),
            [
                AnchorProblem::NotClosed { name: "A".to_owned(), line: 1 },
                AnchorProblem::NotOpened { name: "B".to_owned(), line: 2 }
            ]
        );
        let text = b"let s = \"=== ANCHOR: A_START ===\";\n";
        assert!(anchors(text).is_empty() && problems(text).is_empty());
    }

    #[test]
    fn comments_are_written_as_the_file_does_it() {
        assert_eq!(comment_style(b"a.py"), Some(("#", "")));
        assert_eq!(comment_style(b"a.html"), Some(("<!--", " -->")));
        assert_eq!(comment_style(b"a.json"), None);
        assert_eq!(comment_style(b"Makefile"), Some(("#", "")));
        assert_eq!(comment_style(b"a.sql"), Some(("--", "")));
    }
}
