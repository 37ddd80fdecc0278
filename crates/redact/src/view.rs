//! The text as somebody meant it: without colour codes, escapes, quotes and line breaks that can hide a secret.
//!
//! A [`View`] is such a reading together with a map back: every byte of it knows which bytes of the original it stands for.
//! Most bytes stand for themselves, so the map is a list of runs, not of bytes: long texts are read without much memory.
//! The gate scans each reading and replaces what the original has there. The readings build on one another, so a secret
//! that is split by quotes *and* percent-encoded is found as well.

use std::borrow::Cow;

use crate::value::is_name_byte;

/// A reading of a text and where each of its bytes comes from.
#[derive(Debug, Clone)]
pub(crate) struct View<'t> {
    pub(crate) text: Cow<'t, [u8]>,
    /// In order; the first begins at 0.
    runs: Vec<Run>,
}

/// Bytes of a view that lie in the original as they are, or one byte that stands for several.
#[derive(Debug, Clone, Copy)]
struct Run {
    /// Where it begins in the view.
    at: u32,
    /// Where it begins in the original.
    first: u32,
    /// How many bytes of the original its one byte stands for; 0: every byte stands for itself.
    stands_for: u32,
}

/// Which of the line ends that could split a key are taken out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Joints {
    All,
    Odd,
    Even,
}

impl Joints {
    /// Whether the joint with this number, from 1, is one of them.
    fn wants(self, joint: usize) -> bool {
        match self {
            Self::All => true,
            Self::Odd => joint % 2 == 1,
            Self::Even => joint.is_multiple_of(2),
        }
    }
}

/// Larger texts are cut before they come here.
const LONGEST: usize = u32::MAX as usize;

impl<'t> View<'t> {
    /// The original itself.
    pub(crate) fn of(text: &'t [u8]) -> Option<Self> {
        let runs = vec![Run { at: 0, first: 0, stands_for: 0 }];
        (text.len() < LONGEST).then_some(Self { text: Cow::Borrowed(text), runs })
    }

    /// The bytes of the original that `start..end` of the view stands for.
    pub(crate) fn original(&self, start: usize, end: usize) -> (usize, usize) {
        let first = if start < self.text.len() { self.origin(start).0 } else { 0 };
        let last = end.checked_sub(1).filter(|at| *at < self.text.len());
        (first as usize, last.map_or(first, |at| self.origin(at).1) as usize)
    }

    /// Whether `start..end` lies in the original as it is, with nothing taken out of it.
    pub(crate) fn is_as_written(&self, start: usize, end: usize) -> bool {
        let run = self.run_of(start);
        let next = self.runs.get(run + 1).map_or(self.text.len(), |next| next.at as usize);
        self.runs[run].stands_for == 0 && end.min(self.text.len()) <= next
    }

    /// What one byte stands for.
    fn origin(&self, at: usize) -> (u32, u32) {
        let run = self.runs[self.run_of(at)];
        match run.stands_for {
            0 => {
                let first = run.first + (at as u32 - run.at);
                (first, first + 1)
            }
            length => (run.first, run.first + length),
        }
    }

    /// The run that a byte lies in.
    fn run_of(&self, at: usize) -> usize {
        self.runs.partition_point(|run| run.at as usize <= at).saturating_sub(1)
    }

    /// Without ANSI colour and control sequences, raw or written as `\x1b[…m`, and without invisible characters.
    pub(crate) fn without_ansi(&self) -> Option<Self> {
        let hints = memchr::memchr(0x1b, &self.text).is_some()
            || memchr::memmem::find(&self.text, b"1b[").is_some()
            || memchr::memmem::find(&self.text, b"1B[").is_some()
            || memchr::memmem::find(&self.text, b"\\033[").is_some()
            || memchr::memmem::find(&self.text, b"\\e[").is_some()
            || memchr::memchr2(0xe2, 0xef, &self.text).is_some();
        hints.then(|| self.rewrite(|rest| control_length(rest).map(|length| (length, None))))?
    }

    /// With `\"`, `\n`, `\u0041`, `\x41` and the like read as what they stand for.
    pub(crate) fn without_escapes(&self) -> Option<Self> {
        memchr::memchr(b'\\', &self.text)?;
        self.rewrite(|rest| {
            let (b'\\', next) = (*rest.first()?, *rest.get(1)?) else {
                return None;
            };
            Some(match next {
                b'n' => (2, Some(b'\n')),
                b't' => (2, Some(b'\t')),
                b'r' => (2, Some(b'\r')),
                b'"' | b'\\' | b'/' | b'\'' => (2, Some(next)),
                b'u' => (6, Some(hex(rest.get(4..6)?)?).filter(|_| rest.get(2..4) == Some(b"00"))),
                b'x' => (4, Some(hex(rest.get(2..4)?)?)),
                _ => return None,
            })
            .filter(|(length, byte)| *length == 2 || byte.is_some_and(|byte| byte.is_ascii()))
        })
    }

    /// With `%41` read as `A`.
    pub(crate) fn without_percent(&self) -> Option<Self> {
        memchr::memchr(b'%', &self.text)?;
        self.rewrite(|rest| {
            if *rest.first()? != b'%' {
                return None;
            }
            hex(rest.get(1..3)?)
                .filter(|byte| byte.is_ascii_graphic() || *byte == b' ')
                .map(|byte| (3, Some(byte)))
        })
    }

    /// Without the zero bytes of text that has two bytes a letter.
    pub(crate) fn without_zeros(&self) -> Option<Self> {
        memchr::memchr(0, &self.text)?;
        self.rewrite(|rest| (rest[0] == 0).then_some((1, None)))
    }

    /// With `&quot;`, `&#39;`, `&#x27;` and the like read as what they stand for.
    pub(crate) fn without_entities(&self) -> Option<Self> {
        memchr::memmem::find(&self.text, b"&#")
            .or_else(|| memchr::memmem::find(&self.text, b"&quot;"))
            .or_else(|| memchr::memmem::find(&self.text, b"&amp;"))
            .or_else(|| memchr::memmem::find(&self.text, b"&apos;"))
            .or_else(|| memchr::memmem::find(&self.text, b"&lt;"))?;
        self.rewrite(|rest| if rest[0] == b'&' { entity(rest) } else { None })
    }

    /// What a dump of bytes says: `00000010: 746f 6b65 6e20 …  token `. Each letter stands for its two digits.
    pub(crate) fn of_dumped_bytes(&self) -> Option<Self> {
        let text = &*self.text;
        let mut out = self.empty();
        let mut start = 0;
        while start < text.len() {
            let end = memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |at| start + at);
            dumped(&text[start..end], |at, byte| {
                let (first, last) = (self.origin(start + at).0, self.origin(start + at + 1).1);
                out.run(Run { at: out.text.len() as u32, first, stands_for: last - first });
                out.text.to_mut().push(byte);
            });
            start = end + 1;
        }
        (out.text.len() >= LEAST_DUMPED).then_some(out)
    }

    /// With string pieces joined: `"ab" + "cd"`, `"ab" \⏎ "cd"`, `ab'cd'`, `ab""cd`.
    pub(crate) fn with_pieces_joined(&self, which: Joints) -> Option<Self> {
        memchr::memchr3(b'"', b'\'', b'`', &self.text)?;
        let text = &*self.text;
        let mut joined = self.empty();
        let (mut at, mut copied, mut joint) = (0, 0, 0);
        while at < text.len() {
            let inside = at > 0 && (is_token_byte(text[at - 1]));
            let length = if inside && is_quote(text[at]) {
                joint_length(&text[at.saturating_sub(2)..at], &text[at..])
            } else {
                None
            };
            joint += usize::from(length.is_some());
            match length {
                Some(length) if which.wants(joint) => {
                    joined.copy(self, copied, at);
                    at += length;
                    copied = at;
                }
                _ => at += 1,
            }
        }
        joined.finish(self, copied)
    }

    fn empty(&self) -> Self {
        Self { text: Cow::Owned(Vec::new()), runs: Vec::new() }
    }

    /// Takes over `from..to` of another view, with what it stands for.
    fn copy(&mut self, source: &Self, from: usize, to: usize) {
        if from >= to {
            return;
        }
        let moved = self.text.len() as u32;
        let first = source.run_of(from);
        for run in source.runs[first..].iter().take_while(|run| (run.at as usize) < to) {
            let start = run.at.max(from as u32);
            let skipped = if run.stands_for == 0 { start - run.at } else { 0 };
            self.run(Run { at: moved + (start - from as u32), first: run.first + skipped, ..*run });
        }
        let text = self.text.to_mut();
        if text.capacity() == 0 {
            text.reserve_exact(source.text.len());
        }
        text.extend_from_slice(&source.text[from..to]);
    }

    /// Adds a run, unless the last one just goes on.
    fn run(&mut self, run: Run) {
        let goes_on = |last: &Run| {
            last.stands_for == 0 && run.stands_for == 0 && last.first + (run.at - last.at) == run.first
        };
        if !self.runs.last().is_some_and(goes_on) {
            self.runs.push(run);
        }
    }

    /// The view with the rest of its source, if it became another one.
    fn finish(mut self, source: &Self, copied: usize) -> Option<Self> {
        if copied == 0 {
            return None;
        }
        self.copy(source, copied, source.text.len());
        (self.text.len() < source.text.len()).then_some(self)
    }

    /// Copies the view; `read` may take some bytes at the front of the rest and give one or none back for them.
    fn rewrite(&self, read: impl Fn(&[u8]) -> Option<(usize, Option<u8>)>) -> Option<Self> {
        let mut out = self.empty();
        let (mut at, mut copied) = (0, 0);
        while at < self.text.len() {
            match read(&self.text[at..]) {
                Some((length, byte)) if length > 0 && at + length <= self.text.len() => {
                    out.copy(self, copied, at);
                    if let Some(byte) = byte {
                        let (first, last) = (self.origin(at).0, self.origin(at + length - 1).1);
                        out.run(Run { at: out.text.len() as u32, first, stands_for: last - first });
                        out.text.to_mut().push(byte);
                    }
                    at += length;
                    copied = at;
                }
                _ => at += 1,
            }
        }
        out.finish(self, copied)
    }
}

/// Fewer bytes are no dump.
const LEAST_DUMPED: usize = 12;

/// Hands on every byte that a line of a dump shows, with its place in the line.
fn dumped(line: &[u8], mut each: impl FnMut(usize, u8)) {
    let line = &line[..line.len().min(200)];
    let offset = line.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    if !(4..=16).contains(&offset) || !matches!(line.get(offset), Some(b':' | b' ')) {
        return;
    }
    let mut at = offset + 1;
    let mut shown = 0;
    while shown < 32 {
        let spaces = line[at.min(line.len())..].iter().take(3).take_while(|byte| **byte == b' ').count();
        at += spaces;
        // Before what it reads as there are two spaces or a bar.
        if shown >= 16 || shown > 0 && spaces > 2 {
            break;
        }
        let Some(byte) = line.get(at..at + 2).and_then(hex) else { break };
        each(at, byte);
        shown += 1;
        at += 2;
    }
}

/// Length and meaning of a character reference.
fn entity(rest: &[u8]) -> Option<(usize, Option<u8>)> {
    const NAMED: &[(&[u8], u8)] =
        &[(b"&quot;", b'"'), (b"&amp;", b'&'), (b"&apos;", b'\''), (b"&lt;", b'<'), (b"&gt;", b'>')];
    if let Some((name, byte)) = NAMED.iter().find(|(name, _)| rest.starts_with(name)) {
        return Some((name.len(), Some(*byte)));
    }
    let digits = rest.strip_prefix(b"&#")?;
    let (digits, base) = match digits.first()? {
        b'x' | b'X' => (&digits[1..], 16),
        _ => (digits, 10),
    };
    let length = digits.iter().take(7).take_while(|byte| byte.is_ascii_hexdigit()).count();
    let byte = u8::from_str_radix(std::str::from_utf8(&digits[..length]).ok()?.trim_start_matches('0'), base)
        .ok()?;
    let whole = rest.len() - digits.len() + length + usize::from(digits.get(length) == Some(&b';'));
    byte.is_ascii().then_some((whole, Some(byte)))
}

/// A byte that keys are made of.
#[inline]
pub(crate) fn is_token_byte(byte: u8) -> bool {
    TOKEN_BYTES[usize::from(byte)]
}

/// A table: every line end asks for many bytes.
static TOKEN_BYTES: [bool; 256] = {
    let (mut bytes, mut byte) = ([false; 256], 0_u8);
    while byte < 128 {
        let sign = matches!(byte, b'+' | b'/' | b'=' | b'-' | b'.' | b'~' | b':' | b'%' | b'!' | b'$' | b'|');
        bytes[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'_' || sign;
        byte += 1;
    }
    bytes
};

fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

fn hex(digits: &[u8]) -> Option<u8> {
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// Length of a control sequence at the start of `rest`.
fn control_length(rest: &[u8]) -> Option<usize> {
    const ESCAPES: &[&[u8]] = &[b"\x1b", b"\\x1b", b"\\x1B", b"\\u001b", b"\\u001B", b"\\033", b"\\e"];
    const INVISIBLE: &[&str] = &["\u{200b}", "\u{200c}", "\u{200d}", "\u{2060}", "\u{feff}"];
    if let Some(sign) = INVISIBLE.iter().find(|sign| rest.starts_with(sign.as_bytes())) {
        return Some(sign.len());
    }
    let escape = ESCAPES.iter().find(|escape| rest.starts_with(escape))?.len();
    match *rest.get(escape)? {
        b'[' => {
            let body = rest[escape + 1..].iter().take(32).take_while(|b| (0x20..0x40).contains(*b)).count();
            rest.get(escape + 1 + body).filter(|b| (0x40..0x7f).contains(*b)).map(|_| escape + body + 2)
        }
        b']' if escape == 1 => {
            let end = rest.iter().take(400).position(|b| *b == 0x07)?;
            Some(end + 1)
        }
        _ => None,
    }
}

/// Length of what lies between two pieces of one string, from the closing quote to the opening one.
fn joint_length(before: &[u8], rest: &[u8]) -> Option<usize> {
    // A quote in the middle of a word: `ab"cd"`. Behind an operator it opens a string: `key="cd"`, `"key":"cd"`.
    let opens = match before {
        [.., b'='] => true,
        [first, b':'] => !first.is_ascii_digit(),
        _ => false,
    };
    if opens && rest.get(1).is_some_and(|next| is_token_byte(*next)) {
        return None;
    }
    let next = rest.get(1).copied().unwrap_or(b' ');
    let after = rest.get(2).copied().unwrap_or(b' ');
    // `"="` closes a word, `"a"="b"` does not.
    let closes = is_quote(after) && !rest.get(3).is_some_and(|b| is_token_byte(*b) || *b == b'[');
    if is_name_byte(next)
        || (is_token_byte(next) && (closes || !is_quote(after) && !after.is_ascii_whitespace()))
    {
        return Some(1);
    }
    let mut at = 1;
    let mut operators = 0;
    while at < rest.len().min(80) {
        match rest[at] {
            b' ' | b'\t' | b'\r' | b'\n' => {}
            b'+' | b'.' | b'&' | b'\\' | b'<' if operators < 3 => operators += 1,
            byte if is_quote(byte) => return Some(at + 1),
            _ => return None,
        }
        at += 1;
    }
    None
}

/// Length of a line break with the white space, continuation and quoting marks around it; 0 if there is none.
pub(crate) fn line_gap(rest: &[u8]) -> usize {
    let lead = rest.iter().take(4).take_while(|b| matches!(b, b' ' | b'\\' | b'\r')).count();
    if rest.get(lead) != Some(&b'\n') {
        return 0;
    }
    let mut at = lead + 1;
    loop {
        let spaces = count(rest, at, |b| matches!(b, b' ' | b'\t' | b'\r' | b'\n'));
        let marks = count(rest, at + spaces, |b| matches!(b, b'>' | b'|' | b'#' | b'*'));
        // A mark of a quotation or a comment has a space behind it; without one it is the key that goes on.
        if marks == 0 || at > 40 || !rest.get(at + spaces + marks).is_some_and(|b| matches!(b, b' ' | b'\t'))
        {
            return at + spaces;
        }
        at += spaces + marks;
    }
}

fn count(rest: &[u8], at: usize, test: fn(u8) -> bool) -> usize {
    rest.get(at..).unwrap_or_default().iter().take(40).take_while(|b| test(**b)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(text: &str) -> View<'_> {
        View::of(text.as_bytes()).unwrap()
    }

    fn text(view: Option<View<'_>>) -> String {
        String::from_utf8(view.unwrap().text.into_owned()).unwrap()
    }

    #[test]
    fn readings() {
        assert_eq!(text(view("a\x1b[31mb\x1b[0mc").without_ansi()), "abc");
        assert_eq!(text(view("a\\u001b[31mb").without_ansi()), "ab");
        assert_eq!(text(view(r#"x\"y\nz\u0041"#).without_escapes()), "x\"y\nzA");
        assert_eq!(text(view("gh%70_%41").without_percent()), "ghp_A");
        assert_eq!(text(view("\"ab\" + \"cd\"").with_pieces_joined(Joints::All)), "\"abcd\"");
        assert_eq!(text(view("ab'cd' e").with_pieces_joined(Joints::All)), "abcd' e");
        assert_eq!(text(view("&quot;a&#39;b&#x41;").without_entities()), "\"a'bA");
        assert_eq!(text(view("t\0o\0k\0").without_zeros()), "tok");
        let dump = "00000000: 746f 6b65 6e20 3d20 2261 6263 6465 6622  token = \"abcdef\"\n";
        assert_eq!(text(view(dump).of_dumped_bytes()), "token = \"abcdef\"");
        assert!(view("plain text").with_pieces_joined(Joints::All).is_none());
    }

    #[test]
    fn maps_back_to_the_original() {
        let original = "x gh%70_%41 y";
        let decoded = view(original).without_percent().unwrap();
        let (start, end) = decoded.original(2, 7);
        assert_eq!(&original[start..end], "gh%70_%41");
    }
    /// The map as a list of bytes: what the runs must be the same as.
    #[test]
    fn every_byte_of_a_reading_of_a_reading_knows_where_it_comes_from() {
        let original = "a%41\\u0042c \\\"d\\\" + \"e%66\"\n  gh\nij%6b \u{1b}[1mX\u{1b}[0mY \\n%25%34%31\n|z";
        let readings: [fn(&View<'_>) -> Option<View<'static>>; 5] = [
            |view| view.without_ansi().map(owned),
            |view| view.without_escapes().map(owned),
            |view| view.without_percent().map(owned),
            |view| view.without_percent().map(owned),
            |view| view.with_pieces_joined(Joints::All).map(owned),
        ];
        let mut now = owned(view(original));
        let mut changed = 0;
        for reading in readings {
            let Some(next) = reading(&now) else { continue };
            changed += 1;
            let mut before = 0;
            for at in 0..next.text.len() {
                let (start, end) = next.original(at, at + 1);
                assert!(start < end && start >= before, "{at}: {start}..{end} after {before}");
                before = end;
                let (byte, stands_for) = (next.text[at], &original.as_bytes()[start..end]);
                // A byte stands for itself, or for a longer way to write it.
                assert!(stands_for == [byte] || stands_for.len() > 1, "{byte} stands for {stands_for:?}");
            }
            let (start, end) = next.original(0, next.text.len());
            assert_eq!((start, end), (0, original.len()));
            now = next;
        }
        assert!(changed >= 4, "{changed} readings");
    }

    fn owned(view: View<'_>) -> View<'static> {
        View { text: Cow::Owned(view.text.into_owned()), runs: view.runs }
    }
}
