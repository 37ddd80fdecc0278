//! What a person types: `FILE`, `FILE:12`, `FILE:12-20`.

use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::{Error, Result};

/// What was typed after the colon is no lines.
const UNREADABLE: (usize, usize) = (usize::MAX, 0);

/// Which lines of which file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WhyQuery {
    /// The file.
    pub file: PathBuf,
    /// From this line to that one, counted from one; none: all of them.
    pub lines: Option<(usize, usize)>,
}

impl WhyQuery {
    /// All lines of a file.
    pub fn file(file: impl Into<PathBuf>) -> Self {
        Self { file: file.into(), lines: None }
    }

    /// Reads what was typed in this folder. A name that is there with its colon is that file.
    pub fn typed(folder: &Path, typed: &str) -> Self {
        let whole = Self::file(typed);
        if folder.join(typed).symlink_metadata().is_ok() {
            return whole;
        }
        let Some((file, lines)) = typed.rsplit_once(':').filter(|(file, _)| !file.is_empty()) else {
            return whole;
        };
        match parse(lines) {
            Some(lines) => Self { file: file.into(), lines: Some(lines) },
            // `a.py:1,3`: the file is there, so it is the lines that cannot be read.
            None if lines.starts_with(|c: char| c.is_ascii_digit()) && folder.join(file).is_file() => {
                Self { file: file.into(), lines: Some(UNREADABLE) }
            }
            None => whole,
        }
    }

    /// The lines that are meant in a file of so many, counted from zero.
    pub(super) fn range(&self, total: usize) -> Result<Range<usize>> {
        match self.lines {
            None => Ok(0..total),
            Some(UNREADABLE) => Err(Error::Usage(format!(
                "which lines? Name one (`{0}:12`) or some in a row (`{0}:12-20`)",
                self.file.display()
            ))),
            Some((first, last)) if first >= 1 && first <= last && first <= total => {
                Ok(first - 1..last.min(total))
            }
            Some((first, last)) if first > last => Err(Error::Usage(format!(
                "`{first}-{last}` ends before it begins; the smaller number comes first: `{}:{last}-{first}`",
                self.file.display()
            ))),
            Some((first, last)) => Err(Error::Usage(format!(
                "`{}` has {total} lines, counted from 1; there is no line {}",
                self.file.display(),
                if first == last { first.to_string() } else { format!("{first}-{last}") }
            ))),
        }
    }
}

/// `12`, `12-20`.
fn parse(lines: &str) -> Option<(usize, usize)> {
    let number = |text: &str| text.trim().parse().ok();
    match lines.split_once('-') {
        Some((first, last)) => Some((number(first)?, number(last)?)),
        None => number(lines).map(|line| (line, line)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_people_type_them() {
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
        let read = |typed: &str| {
            let query = WhyQuery::typed(folder.path(), typed);
            (query.file.display().to_string(), query.lines)
        };
        assert_eq!(read("src/a.rs"), ("src/a.rs".to_owned(), None));
        assert_eq!(read("src/a.rs:12"), ("src/a.rs".to_owned(), Some((12, 12))));
        assert_eq!(read("src/a.rs:12-20"), ("src/a.rs".to_owned(), Some((12, 20))));
        assert_eq!(read("a:b"), ("a:b".to_owned(), None));
        let query = WhyQuery { file: "a".into(), lines: Some((3, 9)) };
        assert!(matches!(query.range(5), Ok(range) if range == (2..5)));
        assert!(query.range(2).is_err());
        assert!(WhyQuery { file: "a".into(), lines: Some((0, 0)) }.range(2).is_err());
        assert!(WhyQuery { file: "a".into(), lines: Some((9, 3)) }.range(20).is_err());
    }
}
