//! A file as lines, each with its own line ending, so that what is not edited comes out byte for byte.

/// How a line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// LF
    Lf,
    /// CR LF
    CrLf,
    /// The last line, without a line ending.
    None,
}

impl Ending {
    pub(crate) fn bytes(self) -> &'static [u8] {
        match self {
            Self::Lf => b"\n",
            Self::CrLf => b"\r\n",
            Self::None => b"",
        }
    }
}

/// One line of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileLine<'f> {
    pub(crate) text: &'f [u8],
    pub(crate) ending: Ending,
}

/// A file taken apart. A byte order mark is set aside, so that the first line compares like any other.
#[derive(Debug, Clone)]
pub(crate) struct FileText<'f> {
    pub(crate) mark: &'f [u8],
    pub(crate) lines: Vec<FileLine<'f>>,
}

const MARK: &[u8] = b"\xef\xbb\xbf";

impl<'f> FileText<'f> {
    pub(crate) fn new(content: &'f [u8]) -> Self {
        let (mark, mut rest) = match content.strip_prefix(MARK) {
            Some(rest) => (MARK, rest),
            None => (&b""[..], content),
        };
        let mut lines = Vec::with_capacity(rest.len() / 32);
        while !rest.is_empty() {
            let (line, ending, after) = match rest.iter().position(|&byte| byte == b'\n') {
                None => (rest, Ending::None, &b""[..]),
                Some(at) if at > 0 && rest[at - 1] == b'\r' => {
                    (&rest[..at - 1], Ending::CrLf, &rest[at + 1..])
                }
                Some(at) => (&rest[..at], Ending::Lf, &rest[at + 1..]),
            };
            lines.push(FileLine { text: line, ending });
            rest = after;
        }
        Self { mark, lines }
    }

    /// True if the last line has no line ending.
    pub(crate) fn lacks_final_newline(&self) -> bool {
        self.lines.last().is_some_and(|line| line.ending == Ending::None)
    }

    /// The line ending to use for a new line at `at`: that of the line before, else of the line after, else of most.
    pub(crate) fn ending_near(&self, at: usize) -> Ending {
        let known = |index: usize| {
            self.lines.get(index).map(|line| line.ending).filter(|ending| *ending != Ending::None)
        };
        at.checked_sub(1).and_then(known).or_else(|| known(at)).unwrap_or_else(|| self.usual_ending())
    }

    fn usual_ending(&self) -> Ending {
        let crlf = self.lines.iter().filter(|line| line.ending == Ending::CrLf).count();
        if crlf * 2 > self.lines.len() { Ending::CrLf } else { Ending::Lf }
    }
}
