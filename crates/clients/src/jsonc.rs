//! Small edits of JSON text with comments: everything but the one place stays as it is, byte for byte.
//!
//! Positions come from a real parser; an edit is a splice of the text. Taking out what was put in gives the old text
//! back, because the two follow one rule for commas: an item that ends with a comma takes that comma along, one that
//! does not takes the comma before it.

use std::path::Path;

use jsonc_parser::ast::{Array, Object, Value};
use jsonc_parser::common::{Range, Ranged};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use crate::{Error, Result};

/// A value to be written, in the order in which it is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    Text(String),
    Number(u32),
    List(Vec<Node>),
    Map(Vec<(&'static str, Node)>),
    /// As it was written elsewhere.
    Raw(String),
}

/// Comments and trailing commas are common in these files; anything else that is not JSON is a mistake in them.
pub(crate) const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// Parses a text; `None` if there is nothing in it.
pub fn parse<'t>(file: &Path, text: &'t str) -> Result<Option<Value<'t>>> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &OPTIONS).map_err(|error| Error::Syntax {
        file: file.to_path_buf(),
        line: error.line_display(),
        column: error.column_display(),
        message: error.kind().to_string(),
    })?;
    Ok(parsed.value)
}

/// "This is not built as it should be", with the place.
pub fn misshapen(file: &Path, text: &str, at: usize, message: impl Into<String>) -> Error {
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
    Error::Shape { file: file.to_path_buf(), line, column, message: message.into() }
}

/// A parsed value as plain data. Numbers are kept as they are written.
pub fn plain(value: &Value<'_>) -> serde_json::Value {
    match value {
        Value::StringLit(text) => serde_json::Value::String(text.value.to_string()),
        Value::NumberLit(number) => serde_json::json!({ "\u{0}number": number.value }),
        Value::BooleanLit(boolean) => serde_json::Value::Bool(boolean.value),
        Value::NullKeyword(_) => serde_json::Value::Null,
        Value::Array(array) => serde_json::Value::Array(array.elements.iter().map(plain).collect()),
        Value::Object(object) => serde_json::Value::Object(
            object.properties.iter().map(|p| (p.name.as_str().to_owned(), plain(&p.value))).collect(),
        ),
    }
}

impl Node {
    /// As [`plain`] gives it after a round trip.
    pub fn plain(&self) -> serde_json::Value {
        match self {
            Self::Text(text) | Self::Raw(text) => serde_json::Value::String(text.clone()),
            Self::Number(number) => serde_json::json!({ "\u{0}number": number.to_string() }),
            Self::List(nodes) => serde_json::Value::Array(nodes.iter().map(Self::plain).collect()),
            Self::Map(nodes) => serde_json::Value::Object(
                nodes.iter().map(|(key, node)| ((*key).to_owned(), node.plain())).collect(),
            ),
        }
    }

    fn write(&self, style: &Style, indent: &str, out: &mut String) {
        let inner = format!("{indent}{}", style.unit);
        let (open, close) = if matches!(self, Self::Map(_)) { ('{', '}') } else { ('[', ']') };
        let count = match self {
            Self::Text(text) => return out.push_str(&quoted(text)),
            Self::Raw(text) => return out.push_str(text),
            Self::Number(number) => return out.push_str(&number.to_string()),
            Self::List(nodes) => nodes.len(),
            Self::Map(nodes) => nodes.len(),
        };
        out.push(open);
        for at in 0..count {
            style.break_line(&inner, out);
            match self {
                Self::Map(nodes) => {
                    let (key, node) = &nodes[at];
                    out.push_str(&quoted(key));
                    out.push_str(style.colon());
                    node.write(style, &inner, out);
                }
                Self::List(nodes) => nodes[at].write(style, &inner, out),
                Self::Text(_) | Self::Number(_) | Self::Raw(_) => {}
            }
            if at + 1 < count {
                out.push(',');
            }
        }
        style.break_line(indent, out);
        out.push(close);
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::String(text.to_owned()).to_string()
}

/// How a text is laid out.
#[derive(Debug)]
pub struct Style {
    newline: &'static str,
    unit: String,
    one_line: bool,
}

impl Style {
    /// Looks at a text; `object` is its root.
    pub fn of(text: &str, object: &Object<'_>) -> Self {
        let newline = match text.find('\n') {
            Some(at) if text[..at].ends_with('\r') => "\r\n",
            _ => "\n",
        };
        let first = object.properties.first().map(|first| first.range.start);
        let unit =
            first.and_then(|at| indent_before(text, at)).filter(|unit| !unit.is_empty()).unwrap_or("  ");
        let body = &text[object.range.start..object.range.end];
        Self { newline, unit: unit.to_owned(), one_line: first.is_some() && !body.contains('\n') }
    }

    fn colon(&self) -> &'static str {
        if self.one_line { ":" } else { ": " }
    }

    fn break_line(&self, indent: &str, out: &mut String) {
        if !self.one_line {
            out.push_str(self.newline);
            out.push_str(indent);
        }
    }
}

/// The white space between the start of the line and `at`, if there is nothing else.
fn indent_before(text: &str, at: usize) -> Option<&str> {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let indent = &text[start..at];
    (start > 0 && indent.chars().all(|c| c == ' ' || c == '\t')).then_some(indent)
}

/// The white space at the start of the line of `at`.
fn line_indent(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let line = &text[start..at];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// An object or array: where it is, and where its items are.
#[derive(Debug)]
pub struct Container {
    range: Range,
    items: Vec<Range>,
}

impl From<&Object<'_>> for Container {
    fn from(object: &Object<'_>) -> Self {
        Self { range: object.range, items: object.properties.iter().map(|p| p.range).collect() }
    }
}

impl From<&Array<'_>> for Container {
    fn from(array: &Array<'_>) -> Self {
        Self { range: array.range, items: array.elements.iter().map(Ranged::range).collect() }
    }
}

/// What lies between an item and the next one or the end: where the comma is, and where the last visible thing ends.
fn gap(text: &str, from: usize, to: usize) -> (Option<usize>, usize) {
    let bytes = text.as_bytes();
    let (mut comma, mut tail, mut at) = (None, from, from);
    while at < to {
        match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                let line = &text[at..to];
                at += line.find('\n').unwrap_or(line.len());
                tail = at - usize::from(text[..at].ends_with('\r'));
            }
            b'/' => {
                at = text[at + 2..to].find("*/").map_or(to, |end| at + 2 + end + 2);
                tail = at;
            }
            b',' => {
                comma = Some(at);
                at += 1;
                tail = at;
            }
            _ => at += 1,
        }
    }
    (comma, tail)
}

/// Puts an item at the end of a container. `key` for an object.
pub fn append(text: &str, container: &Container, style: &Style, key: Option<&str>, node: &Node) -> String {
    let close = container.range.end - 1;
    let from = container.items.last().map_or(container.range.start + 1, |last| last.end);
    let (comma, tail) = gap(text, from, close);
    let outer = line_indent(text, container.range.start).to_owned();
    let indent = match container.items.iter().rev().find_map(|item| indent_before(text, item.start)) {
        Some(indent) => indent.to_owned(),
        None => format!("{outer}{}", style.unit),
    };
    let body = &text[container.range.start..container.range.end];
    // An array that stands on one line stays there only if the whole text does.
    let mut item = String::new();
    if body.contains('\n') || !style.one_line {
        item.push_str(style.newline);
        item.push_str(&indent);
    } else if body.contains(", ") {
        item.push(' ');
    }
    if let Some(key) = key {
        item.push_str(&quoted(key));
        item.push_str(style.colon());
    }
    node.write(style, &indent, &mut item);
    let needs_comma = !container.items.is_empty() && comma.is_none();
    if comma.is_some() {
        item.push(',');
    } else if container.items.is_empty() && !style.one_line && !text[tail..close].contains('\n') {
        item.push_str(style.newline);
        item.push_str(&outer);
    }
    let comma = if needs_comma { "," } else { "" };
    [&text[..from], comma, &text[from..tail], &item, &text[tail..]].concat()
}

/// Takes one item out of a container, with its comma and its line.
pub fn remove(text: &str, container: &Container, index: usize) -> String {
    let item = container.items[index];
    let close = container.range.end - 1;
    let before = index.checked_sub(1).map_or(container.range.start + 1, |before| container.items[before].end);
    let next = container.items.get(index + 1).map_or(close, |next| next.start);
    let (own_comma, _) = gap(text, item.end, next);
    let (comma_before, tail_before) = gap(text, before, item.start);
    let mut cuts: Vec<(usize, usize)> = Vec::new();
    match own_comma {
        Some(comma) if text[item.end..comma].trim().is_empty() => cuts.push((item.start, comma + 1)),
        Some(comma) => cuts.extend([(item.start, item.end), (comma, comma + 1)]),
        None => {
            cuts.push((item.start, item.end));
            if let Some(comma) = comma_before {
                cuts.insert(0, (comma, comma + 1));
            }
        }
    }
    // The line break before the item goes with it, unless it is what ends a comment.
    let end = cuts.iter().map(|cut| cut.1).filter(|&end| end > item.start).min().unwrap_or(item.end);
    let ends_a_comment =
        text[before..tail_before].rsplit('\n').next().is_some_and(|line| line.contains("//"));
    let breaks_after = text[end..].trim_start_matches([' ', '\t', '\r']).starts_with('\n');
    if !ends_a_comment || breaks_after {
        for cut in &mut cuts {
            if cut.0 == item.start {
                cut.0 = tail_before;
            }
        }
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (from, to) in cuts {
        let from = from.max(at);
        out.push_str(&text[at..from]);
        at = to.max(at);
    }
    out.push_str(&text[at..]);
    if container.items.len() == 1 {
        let inside = container.range.start + 1..out.len() - (text.len() - close);
        if out[inside.clone()].trim().is_empty() {
            out.replace_range(inside, "");
        }
    }
    out
}
