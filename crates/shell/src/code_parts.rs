//! The value of an expression in program text, as far as it is constant.

use crate::code::Language;
use crate::code_tokens::{Kind, Token};
use std::collections::BTreeMap;

/// Longest value.
pub(crate) const MAX_VALUE: usize = 1024;

/// How deep expressions are followed.
const MAX_DEPTH: usize = 6;

/// Most parts of one list or argument list.
pub(crate) const MOST_PARTS: usize = 64;

/// A constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Text(String),
    List(Vec<String>),
}

/// What a program is given from outside, as far as it is known: `sys.argv`, `os.environ`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given {
    pub arguments: Vec<String>,
    /// Whether the code stands on the line itself, and in no file.
    pub inline: bool,
    /// Whether the code looks at its arguments.
    pub used: bool,
    pub variables: BTreeMap<String, String>,
}

/// A program in pieces, with what its names stand for so far.
pub(crate) struct Parts<'c> {
    pub language: Language,
    pub code: &'c str,
    pub home: &'c str,
    pub given: &'c Given,
    /// Without blanks, except line ends.
    pub tokens: Vec<Token>,
    pub names: BTreeMap<String, Value>,
    pub aliases: BTreeMap<String, String>,
    pub depth: usize,
}

impl<'c> Parts<'c> {
    pub(crate) fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    pub(crate) fn is_mark(&self, at: usize, mark: u8) -> bool {
        self.kind(at) == Some(Kind::Mark(mark))
    }

    /// The text of one token.
    pub(crate) fn word(&self, at: usize) -> &'c str {
        self.tokens.get(at).map_or("", |token| &self.code[token.from..token.to])
    }

    /// The text of several.
    pub(crate) fn text(&self, from: usize, to: usize) -> &'c str {
        match (self.tokens.get(from), to.checked_sub(1).and_then(|last| self.tokens.get(last))) {
            (Some(first), Some(last)) if first.from <= last.to => &self.code[first.from..last.to],
            _ => "",
        }
    }

    /// The value that starts at `at`, and where it ends.
    pub(crate) fn value(&mut self, at: usize) -> Option<(Value, usize)> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let found = self.sum(at);
        self.depth -= 1;
        found
    }

    fn sum(&mut self, at: usize) -> Option<(Value, usize)> {
        let (mut value, mut next) = self.term(at)?;
        for _ in 0..MOST_PARTS {
            let Value::Text(left) = &value else { break };
            let (operator, from) = match self.kind(next) {
                Some(Kind::Mark(b'+')) if !self.is_mark(next + 1, b'=') && !self.is_mark(next + 1, b'+') => {
                    (b'+', next + 1)
                }
                Some(Kind::Mark(b'.')) if matches!(self.language, Language::Perl | Language::Php) => {
                    (b'+', next + 1)
                }
                Some(Kind::Mark(b'.')) if self.is_mark(next + 1, b'.') && self.language == Language::Lua => {
                    (b'+', next + 2)
                }
                Some(Kind::Mark(b'/')) if self.language == Language::Python => (b'/', next + 1),
                Some(Kind::Mark(b'%')) if self.language == Language::Python => (b'%', next + 1),
                // Two literals side by side are one.
                Some(Kind::Text)
                    if self.language == Language::Python && self.kind(next - 1) == Some(Kind::Text) =>
                {
                    (b'+', next)
                }
                _ => break,
            };
            let left = left.clone();
            let text = match (operator, self.term(from)) {
                (b'/', Some((Value::Text(right), end))) => {
                    next = end;
                    joined(&left, &right)
                }
                (b'%', Some((right, end))) => {
                    next = end;
                    filled(&left, "%s", &right)
                }
                (_, Some((Value::Text(right), end))) => {
                    next = end;
                    left + &right
                }
                // Somewhere below a place that is known.
                _ if is_place(&left) && !left.is_empty() => {
                    let Some(end) = self.skipped(from) else { break };
                    next = end;
                    if operator == b'/' { joined(&left, "computed") } else { left + "computed" }
                }
                _ => return None,
            };
            if text.len() > MAX_VALUE {
                return None;
            }
            value = Value::Text(text);
        }
        Some((value, next))
    }

    /// The end of a name, number or call whose value is not known.
    fn skipped(&self, at: usize) -> Option<usize> {
        let mut end = at + usize::from(self.is_mark(at, b'$'));
        if !matches!(self.kind(end), Some(Kind::Name | Kind::Number)) {
            return None;
        }
        end += 1;
        while self.is_mark(end, b'.') && self.kind(end + 1) == Some(Kind::Name) {
            end += 2;
        }
        match self.kind(end) {
            Some(Kind::Mark(b'(' | b'[')) => {
                let close = (end..(end + 40).min(self.tokens.len()))
                    .find(|n| matches!(self.kind(*n), Some(Kind::Mark(b')' | b']'))))?;
                Some(close + 1)
            }
            _ => Some(end),
        }
    }

    fn term(&mut self, at: usize) -> Option<(Value, usize)> {
        let at = at + usize::from(self.is_mark(at, b'$') || self.is_mark(at, b'&'));
        let (mut value, mut next) = match self.kind(at)? {
            Kind::Text => (self.literal(at)?, at + 1),
            Kind::Name => self.named(at)?,
            Kind::Mark(b'(') => {
                let (value, next) = self.value(at + 1)?;
                if self.is_mark(next, b',') {
                    // A list in round brackets.
                    let (values, next) = self.arguments(at)?;
                    let list: Option<Vec<String>> = values.into_iter().collect();
                    (Value::List(list?), next)
                } else if self.is_mark(next, b')') {
                    (value, next + 1)
                } else {
                    return None;
                }
            }
            Kind::Mark(b'[') => {
                let (values, next) = self.arguments(at)?;
                let list: Option<Vec<String>> = values.into_iter().collect();
                (Value::List(list?), next)
            }
            _ => return None,
        };
        for _ in 0..8 {
            let Some((after, end)) = self.method(&value, next) else { break };
            (value, next) = (after, end);
        }
        Some((value, next))
    }

    /// The values in brackets that open at `at`; one that is not constant is nothing.
    pub(crate) fn arguments(&mut self, at: usize) -> Option<(Vec<Option<String>>, usize)> {
        let mut values = Vec::new();
        let mut here = at + 1;
        for _ in 0..MOST_PARTS {
            while self.kind(here) == Some(Kind::Blank) {
                here += 1;
            }
            match self.kind(here)? {
                Kind::Mark(b')' | b']') => return Some((values, here + 1)),
                Kind::Mark(b',') => here += 1,
                _ => {
                    let (value, end) = match self.value(here) {
                        Some((Value::Text(text), end)) => (Some(text), end),
                        Some((Value::List(list), end)) if values.is_empty() => {
                            values.extend(list.into_iter().map(Some));
                            here = end;
                            continue;
                        }
                        _ => (None, self.skipped(here)?),
                    };
                    values.push(value);
                    here = end;
                }
            }
        }
        None
    }

    /// A name: a variable, the home folder, or a call that puts a text together.
    fn named(&mut self, at: usize) -> Option<(Value, usize)> {
        if matches!(self.word(at), "require" | "__import__")
            && self.is_mark(at + 1, b'(')
            && self.is_mark(at + 3, b')')
            && self.is_mark(at + 4, b'.')
        {
            let module = self.word(at + 2).trim_matches(['\'', '"', '`']);
            let name = format!("{}.{}", module.trim_start_matches("node:"), self.word(at + 5));
            return self.function(&name, at + 6);
        }
        let mut end = at;
        while end < at + 8 && self.is_mark(end + 1, b'.') && self.kind(end + 2) == Some(Kind::Name) {
            end += 2;
        }
        // The longest name that means something.
        let mut last = end;
        loop {
            let name = self.text(at, last + 1);
            if let Some(found) = self.function(name, last + 1) {
                return Some(found);
            }
            if last == at {
                break;
            }
            last -= 2;
        }
        let value = self.names.get(self.word(at))?.clone();
        Some((value, at + 1))
    }

    /// Whether a literal holds expressions.
    pub(crate) fn is_formatted(&self, at: usize) -> bool {
        let raw = self.word(at);
        match self.language {
            Language::Python => raw.starts_with(['f', 'F']) || raw.starts_with("rf"),
            Language::Node => raw.starts_with('`') && raw.contains("${"),
            Language::Ruby => raw.contains("#{"),
            Language::Perl | Language::Php => raw.starts_with('"') && raw.contains('$'),
            _ => false,
        }
    }

    fn literal(&mut self, at: usize) -> Option<Value> {
        let raw = self.word(at);
        let inner = raw.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let plain = match inner.strip_prefix("'''").or_else(|| inner.strip_prefix("\"\"\"")) {
            Some(long) => long.get(..long.len().saturating_sub(3))?.to_owned(),
            None => crate::code_text::strings(inner).pop()?,
        };
        if plain.len() > MAX_VALUE {
            return None;
        }
        if !self.is_formatted(at) {
            return Some(Value::Text(plain));
        }
        let (open, close): (&str, char) = match self.language {
            Language::Python => ("{", '}'),
            Language::Node => ("${", '}'),
            Language::Ruby => ("#{", '}'),
            _ => ("$", ' '),
        };
        let (mut out, mut rest) = (String::new(), plain.as_str());
        while let Some(at) = rest.find(open) {
            out.push_str(&rest[..at]);
            let after = &rest[at + open.len()..];
            let (inside, tail) = if close == ' ' {
                let after = after.trim_start_matches('{');
                let end = after.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(after.len());
                (&after[..end], after[end..].strip_prefix('}').unwrap_or(&after[end..]))
            } else {
                after.split_once(close)?
            };
            match self.inside(inside.trim()) {
                Some(text) => out.push_str(&text),
                None if is_place(&out) => out.push_str("computed"),
                None => return None,
            }
            rest = tail;
        }
        out.push_str(rest);
        Some(Value::Text(out))
    }

    /// The value of an expression inside a literal.
    fn inside(&mut self, expression: &str) -> Option<String> {
        if let Some(Value::Text(text)) = self.names.get(expression) {
            return Some(text.clone());
        }
        if expression.len() > 200 || self.depth >= MAX_DEPTH {
            return None;
        }
        let tokens = crate::code_tokens::tokens(self.language, expression);
        let mut inner = Parts {
            language: self.language,
            code: expression,
            home: self.home,
            given: self.given,
            tokens: tokens.into_iter().filter(|token| token.kind != Kind::Blank).collect(),
            names: std::mem::take(&mut self.names),
            aliases: BTreeMap::new(),
            depth: self.depth + 1,
        };
        let found = inner.value(0).filter(|(_, end)| *end == inner.tokens.len());
        self.names = inner.names;
        match found?.0 {
            Value::Text(text) => Some(text),
            Value::List(_) => None,
        }
    }
}

/// Whether a text is a path from the root: what is added to it lies below.
pub(crate) fn is_place(text: &str) -> bool {
    text.starts_with('/') && text.len() > 1 && !text.contains([' ', '\n'])
}

pub(crate) fn joined(left: &str, right: &str) -> String {
    if right.starts_with('/') { right.to_owned() } else { format!("{}/{right}", left.trim_end_matches('/')) }
}

/// A form with its marks filled in.
pub(crate) fn filled(form: &str, mark: &str, value: &Value) -> String {
    let values = match value {
        Value::Text(text) => std::slice::from_ref(text),
        Value::List(list) => list.as_slice(),
    };
    values.iter().take(16).fold(form.to_owned(), |text, part| text.replacen(mark, part, 1))
}
