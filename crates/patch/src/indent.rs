//! Carrying a drift of indentation from the lines that matched into the lines that are added.
//!
//! The evidence is pairs: how a line is indented in the patch, and how the same line is indented in the file. If removed lines
//! are indented as in the file, added lines are right as they are, whatever happened to the context.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::normal::indent;

/// A line that is in both: its indentation in the patch and in the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pair<'p> {
    pub(crate) patch: &'p [u8],
    pub(crate) file: &'p [u8],
    pub(crate) removed: bool,
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

/// Finds the rule that explains all pairs.
pub(crate) fn drift<'p>(pairs: &[Pair<'p>]) -> Drift<'p> {
    let same = |pair: &&Pair<'_>| pair.patch == pair.file;
    let mut removed = pairs.iter().filter(|pair| pair.removed).peekable();
    if pairs.iter().all(|pair| pair.patch == pair.file)
        || (removed.peek().is_some() && removed.all(|pair| same(&pair)))
    {
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
        if rest.trim_ascii().is_empty() {
            return Some(Cow::Borrowed(line));
        }
        let join = |indent: &[u8]| Some(Cow::Owned([indent, rest].concat()));
        match self {
            Self::None => Some(Cow::Borrowed(line)),
            Self::Lost(lost) => join(&[lost, before].concat()),
            Self::Gained(gained) => before.strip_prefix(*gained).and_then(join),
            Self::ToTabs(width) => join(&to_tabs(before, *width)),
            Self::ToSpaces(width) => join(&to_spaces(before, *width)),
            Self::Table(table) => table.get(before).and_then(|file| join(file)),
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
