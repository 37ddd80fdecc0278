//! Carrying a drift of indentation from the lines that matched into the lines that are added.
//!
//! The evidence is pairs: how a line is indented in the patch, and how the same line is indented in the file. If removed lines
//! are indented as in the file, added lines are right as they are, whatever happened to the context. A hunk without any
//! indented old line takes over tabs for spaces (or the reverse) from the other hunks of the file, and nothing else.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::model::{Kind, Line};
use crate::normal::{indent, is_blank, is_telling, normal};

/// A line that is in both: its indentation in the patch and in the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pair<'p> {
    pub(crate) patch: &'p [u8],
    pub(crate) file: &'p [u8],
    pub(crate) removed: bool,
    /// The line says something; a closing bracket does not.
    pub(crate) telling: bool,
}

impl<'p> Pair<'p> {
    /// The pair of a line of a hunk and the line of the file it stands for; none if the two are not the same line, or
    /// blank.
    pub(crate) fn new(line: &'p Line<'_>, file: &'p [u8]) -> Option<Self> {
        if is_blank(file) || normal(line.text) != normal(file) {
            return None;
        }
        // A line may be read with or without its first space: the reading that agrees with the file counts.
        let raw = line.raw.filter(|raw| line.kind == Kind::Context && indent(raw) == indent(file));
        let text = if indent(line.text) == indent(file) { line.text } else { raw.unwrap_or(line.text) };
        let removed = line.kind == Kind::Remove;
        Some(Self { patch: indent(text), file: indent(file), removed, telling: is_telling(file) })
    }
}

/// What happened to the indentation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Drift<'p> {
    /// Nothing.
    None,
    /// The patch lacks this at the beginning of every line.
    Lost(&'p [u8]),
    /// The patch has this too much at the beginning of every line.
    Gained(&'p [u8]),
    /// The file indents with tabs, the patch with so many spaces for each.
    ToTabs(usize),
    /// The file indents with so many spaces where the patch has a tab.
    ToSpaces(usize),
    /// Each indentation of the patch has one in the file, but there is no rule.
    Table(HashMap<&'p [u8], &'p [u8]>),
    /// The same indentation in the patch is different ones in the file.
    Unclear,
}

/// True if a pair says anything: a line that begins at the first column on both sides does not.
pub(crate) fn is_evidence(pair: &Pair<'_>) -> bool {
    !pair.patch.is_empty() || !pair.file.is_empty()
}

/// Finds the rule that explains all pairs.
pub(crate) fn drift<'p>(pairs: &[Pair<'p>]) -> Drift<'p> {
    let mut removed = pairs.iter().filter(|pair| pair.removed && is_evidence(pair)).peekable();
    if removed.peek().is_some() && removed.all(|pair| pair.patch == pair.file) {
        return Drift::None;
    }
    drift_of(pairs)
}

/// The rule, whatever kind of line the pairs come from.
fn drift_of<'p>(pairs: &[Pair<'p>]) -> Drift<'p> {
    if pairs.iter().all(|pair| pair.patch == pair.file) {
        return Drift::None;
    }
    if let Some(lost) = common(pairs.iter().map(|pair| pair.file.strip_suffix(pair.patch))) {
        return Drift::Lost(lost);
    }
    if let Some(gained) = common(pairs.iter().map(|pair| pair.patch.strip_suffix(pair.file))) {
        return Drift::Gained(gained);
    }
    for width in [4, 2, 8, 3, 1, 5, 6, 7] {
        if pairs.iter().all(|pair| *to_tabs(pair.patch, width) == *pair.file) {
            return Drift::ToTabs(width);
        }
        if pairs.iter().all(|pair| *to_spaces(pair.patch, width) == *pair.file) {
            return Drift::ToSpaces(width);
        }
    }
    let mut table = HashMap::new();
    for pair in pairs {
        if *table.entry(pair.patch).or_insert(pair.file) != pair.file {
            return Drift::Unclear;
        }
    }
    Drift::Table(table)
}

/// True if the pairs may be the same lines in another indentation: one rule for the context, one for what is removed. A line
/// that says something may fall out of line; a closing bracket that does is another bracket.
pub(crate) fn is_consistent(pairs: &[Pair<'_>]) -> bool {
    let side =
        |removed: bool| pairs.iter().filter(|pair| pair.removed == removed).copied().collect::<Vec<_>>();
    [side(false), side(true)].iter().all(|pairs| {
        let telling: Vec<Pair<'_>> = pairs.iter().filter(|pair| pair.telling).copied().collect();
        let all = drift_of(pairs);
        if !matches!(all, Drift::Table(_) | Drift::Unclear) {
            return true;
        }
        let rule = match drift_of(&telling) {
            Drift::Table(_) | Drift::Unclear => Drift::None,
            rule => rule,
        };
        pairs
            .iter()
            .filter(|pair| !pair.telling)
            .all(|pair| rule.of(pair.patch).as_deref() == Some(pair.file))
    })
}

/// The one value that all have, if it is not empty.
fn common<'p>(mut values: impl Iterator<Item = Option<&'p [u8]>>) -> Option<&'p [u8]> {
    let first = values.next()??;
    (!first.is_empty() && values.all(|value| value == Some(first))).then_some(first)
}

fn to_tabs(indent: &[u8], width: usize) -> Vec<u8> {
    let columns = to_spaces(indent, width).len();
    let mut out = vec![b'\t'; columns / width];
    out.resize(columns / width + columns % width, b' ');
    out
}

fn to_spaces(indent: &[u8], width: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for &byte in indent {
        let count = if byte == b'\t' { width } else { 1 };
        out.resize(out.len() + count, b' ');
    }
    out
}

impl Drift<'_> {
    /// An added line as it belongs into the file; none if that cannot be told.
    pub(crate) fn carry<'l>(&self, line: &'l [u8]) -> Option<Cow<'l, [u8]>> {
        let before = indent(line);
        let rest = &line[before.len()..];
        let exchange = matches!(self, Self::ToTabs(_) | Self::ToSpaces(_));
        if *self == Self::None || (rest.trim_ascii().is_empty() && !exchange) {
            return Some(Cow::Borrowed(line));
        }
        let mut out = self.of(before)?.into_owned();
        out.extend_from_slice(rest);
        Some(Cow::Owned(out))
    }

    /// An indentation of the patch as it is in the file.
    fn of<'i>(&'i self, before: &'i [u8]) -> Option<Cow<'i, [u8]>> {
        match self {
            Self::None => Some(Cow::Borrowed(before)),
            Self::Lost(lost) => Some(Cow::Owned([lost, before].concat())),
            Self::Gained(gained) => before.strip_prefix(*gained).map(Cow::Borrowed),
            Self::ToTabs(width) => Some(Cow::Owned(to_tabs(before, *width))),
            Self::ToSpaces(width) => Some(Cow::Owned(to_spaces(before, *width))),
            Self::Table(table) => table.get(before).map(|file| Cow::Borrowed(*file)),
            Self::Unclear => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(pairs: &[(&'static str, &'static str, bool)]) -> Drift<'static> {
        let pairs: Vec<Pair<'static>> = pairs
            .iter()
            .map(|(patch, file, removed)| Pair {
                patch: patch.as_bytes(),
                file: file.as_bytes(),
                removed: *removed,
                telling: true,
            })
            .collect();
        drift(&pairs)
    }

    fn carried(drift: &Drift<'_>, line: &str) -> Option<String> {
        drift.carry(line.as_bytes()).map(|line| String::from_utf8_lossy(&line).into_owned())
    }

    #[test]
    fn lost_columns_are_given_back() {
        let drift = rule(&[("", "    ", false), ("  ", "      ", true)]);
        assert_eq!(drift, Drift::Lost(b"    "));
        assert_eq!(carried(&drift, " x").as_deref(), Some("     x"));
        assert_eq!(carried(&drift, "").as_deref(), Some(""));
    }

    #[test]
    fn tabs_and_spaces_are_exchanged() {
        let drift = rule(&[("    ", "\t", false), ("        ", "\t\t", true)]);
        assert_eq!(drift, Drift::ToTabs(4));
        assert_eq!(carried(&drift, "            x").as_deref(), Some("\t\t\tx"));
        let drift = rule(&[("\t", "  ", false), ("\t\t", "    ", false)]);
        assert_eq!(drift, Drift::ToSpaces(2));
        assert_eq!(carried(&drift, "\tx").as_deref(), Some("  x"));
    }

    #[test]
    fn right_removed_lines_say_that_added_lines_are_right() {
        assert_eq!(rule(&[("", "    ", false), ("    ", "    ", true)]), Drift::None);
    }

    #[test]
    fn without_a_rule_only_known_indentations_are_carried() {
        let drift = rule(&[("  ", "    ", false), ("   ", "        ", false)]);
        assert_eq!(carried(&drift, "   x").as_deref(), Some("        x"));
        assert_eq!(carried(&drift, "x"), None);
        assert_eq!(rule(&[("  ", "    ", false), ("  ", "      ", false)]), Drift::Unclear);
    }
}
