//! Program text as tokens, without knowing the language: literals, names, numbers, marks, and what lies between.

use crate::code::Language;

/// Most tokens that are looked at in one program.
const MOST: usize = 60_000;

/// A piece of program text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A string literal. The letters before its quote (`f`, `rb`) belong to it.
    Text,
    Name,
    Number,
    /// One character of punctuation.
    Mark(u8),
    /// Blanks and comments.
    Blank,
}

/// A token: what it is, and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub kind: Kind,
    pub from: usize,
    pub to: usize,
}

/// All tokens, one after the other, without gaps. Of a program that is too long, none.
pub(crate) fn tokens(language: Language, code: &str) -> Vec<Token> {
    let bytes = code.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if found.len() >= MOST {
            return Vec::new();
        }
        let from = at;
        let kind = match bytes[at] {
            c if c.is_ascii_whitespace() => {
                at = end_of(bytes, at, |c| c.is_ascii_whitespace() && c != b'\n').max(at + 1);
                Kind::Blank
            }
            b'#' if starts_comment(language, bytes, at) => {
                at = end_of(bytes, at, |c| c != b'\n');
                Kind::Blank
            }
            b'/' if language == Language::Node && bytes.get(at + 1) == Some(&b'/') => {
                at = end_of(bytes, at, |c| c != b'\n');
                Kind::Blank
            }
            b'-' if language == Language::Lua && bytes.get(at + 1) == Some(&b'-') => {
                at = end_of(bytes, at, |c| c != b'\n');
                Kind::Blank
            }
            b'\'' | b'"' | b'`' => {
                at = literal_end(language, bytes, at);
                Kind::Text
            }
            c if c.is_ascii_digit() => {
                at = end_of(bytes, at, |c| c.is_ascii_alphanumeric());
                Kind::Number
            }
            c if is_name(c) => {
                at = end_of(bytes, at, is_name);
                let prefix = at - from <= 2
                    && language == Language::Python
                    && code[from..at].chars().all(|c| "fFrRbBuU".contains(c));
                if prefix && matches!(bytes.get(at), Some(b'\'' | b'"')) {
                    at = literal_end(language, bytes, at);
                    Kind::Text
                } else {
                    Kind::Name
                }
            }
            c => {
                at += 1;
                Kind::Mark(c)
            }
        };
        found.push(Token { kind, from, to: at });
    }
    found
}

/// Letters of names; whatever is not ASCII is one, so that no token ends inside a character.
fn is_name(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_' || c >= 0x80
}

fn starts_comment(language: Language, bytes: &[u8], at: usize) -> bool {
    !matches!(language, Language::Node | Language::Lua)
        && bytes.get(at + 1) != Some(&b'{')
        && (at == 0 || bytes[at - 1] != b'$')
}

fn end_of(bytes: &[u8], from: usize, goes_on: impl Fn(u8) -> bool) -> usize {
    bytes[from..].iter().position(|c| !goes_on(*c)).map_or(bytes.len(), |n| from + n)
}

/// Where the literal that starts at `at` ends. One that does not end on its line is no literal in most languages: an
/// apostrophe in a comment must not swallow the rest.
fn literal_end(language: Language, bytes: &[u8], at: usize) -> usize {
    let quote = bytes[at];
    let long = language == Language::Python && bytes[at..].starts_with(&[quote; 3]);
    let mut here = at + if long { 3 } else { 1 };
    while here < bytes.len() {
        match bytes[here] {
            b'\\' => here += 1,
            c if c == quote && !long => return here + 1,
            c if c == quote && bytes[here..].starts_with(&[quote; 3]) => return here + 3,
            b'\n' if !long && quote != b'`' && matches!(language, Language::Python | Language::Node) => {
                return at + 1;
            }
            _ => {}
        }
        here += 1;
    }
    if long || quote == b'`' { bytes.len() } else { at + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(language: Language, code: &str) -> Vec<&str> {
        tokens(language, code)
            .iter()
            .filter(|token| token.kind != Kind::Blank)
            .map(|token| &code[token.from..token.to])
            .collect()
    }

    #[test]
    fn tokens_of_programs() {
        assert_eq!(
            words(Language::Python, "p = f'{a}' + \"b\" # don't\nq('''x'y''')"),
            ["p", "=", "f'{a}'", "+", "\"b\"", "q", "(", "'''x'y'''", ")"]
        );
        assert_eq!(words(Language::Node, "a(`x${y}`) // it's\nb"), ["a", "(", "`x${y}`", ")", "b"]);
        assert_eq!(words(Language::Python, "it's\n설계 = 1"), ["it", "'", "s", "설계", "=", "1"]);
        let open = "'".repeat(5000) + "\"";
        assert!(tokens(Language::Ruby, &open).iter().all(|token| open.get(token.from..token.to).is_some()));
    }
}
