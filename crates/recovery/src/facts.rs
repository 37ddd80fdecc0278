//! [`Facts`]: what is different between two states of one path, as far as it matters for "it broke".

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::parts::{self, Form, PartKind};
use crate::{paths, text};

/// What a grammar knows about one text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// The functions, classes and the like that it defines.
    pub defined: BTreeSet<String>,
    /// Name by name what tells whether two bodies are the same, whatever they are called.
    pub shapes: BTreeMap<String, u64>,
    /// It cannot be parsed.
    pub broken: bool,
}

/// One state of a path.
#[derive(Debug, Clone, Default)]
pub struct Side<'a> {
    /// Something is there.
    pub exists: bool,
    /// `file`, `symlink` or `dir`.
    pub kind: &'static str,
    /// Permission bits.
    pub mode: u32,
    /// Length of the content.
    pub size: u64,
    /// The content, where it was read.
    pub content: Option<&'a [u8]>,
    /// What a grammar knows about it.
    pub names: Option<&'a Names>,
    /// Secrets in it.
    pub secrets: u64,
}

/// What is different.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Facts {
    /// Both contents were read and compared.
    pub compared: bool,
    /// Nothing.
    pub same: bool,
    /// It is gone.
    pub gone: bool,
    /// It is new.
    pub new: bool,
    /// Lines that are new; none if they were not counted.
    pub added: Option<u64>,
    /// Lines that are gone.
    pub removed: Option<u64>,
    /// Lines that it had.
    pub had_lines: u64,
    /// Only white space is different.
    pub blank_only: bool,
    /// Only the ends of lines are different.
    pub line_ends: bool,
    /// It had content and has none.
    pub emptied: bool,
    /// Most of it is gone, and little came instead.
    pub mostly_lost: bool,
    /// Conflict markers are new.
    pub markers: bool,
    /// And nothing else is: without them it is what it was.
    pub markers_only: bool,
    /// Letters are spoilt.
    pub encoding: bool,
    /// It could be run and cannot any more.
    pub not_runnable: bool,
    /// Only permission bits are different.
    pub mode_only: bool,
    /// It was a link and is none, or the like.
    pub kind_changed: bool,
    /// It could be parsed and cannot any more.
    pub broken: bool,
    /// Names it defined and does not any more.
    pub names_lost: Vec<String>,
    /// It defined names, and defines them all still: rewritten perhaps, not lost.
    pub names_kept: bool,
    /// It defined names, and defines none of them any more.
    pub names_none: bool,
    /// Names it defines now.
    pub names_new: Vec<String>,
    /// Names that went and came again with the same body: old, new.
    pub renamed: Vec<(String, String)>,
    /// Words of the lines that came and of those that went.
    #[serde(skip)]
    pub words: BTreeSet<String>,
    /// The lines that went, lower case, as far as anybody would look for words in them.
    #[serde(skip)]
    pub lost_text: String,
    /// The lines that came, in the same way.
    #[serde(skip)]
    pub came_text: String,
    /// Lines with something in them that came, and that went.
    #[serde(skip)]
    pub solid: (u64, u64),
    /// Bodies of names that went, and of names that came.
    #[serde(skip)]
    pub shapes: (BTreeMap<String, u64>, BTreeMap<String, u64>),
    /// It held the marks of a conflict before, and holds none now: no state to go back to.
    pub was_marked: bool,
    /// It is no text, and little of it is left.
    pub shrunk: bool,
    /// It is written in another form.
    pub form_lost: Option<Form>,
    /// Parts that went while the rest was rewritten: what, and how many.
    pub parts_lost: Option<(PartKind, u64)>,
    /// All ends of lines are others, beside what else was changed.
    pub ends_changed: bool,
    /// It checks less than before.
    pub checks_lost: u64,
    /// A remark or a stub stands where code was.
    pub placeholder: bool,
    /// A remark says that code stands here.
    pub elided: bool,
    /// (Nearly) nothing of what it was is left, and something else is there.
    pub overwritten: bool,
    /// A part that a person marked to be kept is not as it was. Whoever reads the markers says so.
    pub keep_lost: bool,
    /// Secrets that are new.
    pub secrets: u64,
    /// One text that took the place of another nearly everywhere.
    pub replaced: Option<(String, String)>,
}

/// Compares two states of a path.
pub fn compare(path: &str, before: &Side<'_>, after: &Side<'_>) -> Facts {
    let mut facts = Facts {
        gone: before.exists && !after.exists,
        new: !before.exists && after.exists,
        kind_changed: before.exists && after.exists && before.kind != after.kind,
        ..Facts::default()
    };
    if !before.exists && !after.exists {
        facts.same = true;
        return facts;
    }
    let (Some(was), Some(is)) = (content(before), content(after)) else {
        facts.emptied = before.exists && after.exists && before.size > 0 && after.size == 0;
        return facts;
    };
    facts.compared = true;
    let same_content = was == is && before.kind == after.kind;
    let both_files = before.exists && after.exists && before.kind == "file" && after.kind == "file";
    facts.same = before.exists == after.exists && same_content && before.mode == after.mode;
    facts.mode_only = both_files && same_content && before.mode != after.mode;
    facts.not_runnable = both_files && before.mode & 0o111 != 0 && after.mode & 0o111 == 0;
    facts.had_lines = text::count_lines(was);
    if let Some(counts) = text::line_counts(was, is) {
        facts.added = Some(counts.added);
        facts.removed = Some(counts.removed);
        facts.solid = (counts.solid_added, counts.solid_removed);
    }
    if same_content {
        return facts;
    }
    if both_files {
        spoilt(path, was, is, &mut facts);
    }
    facts.words = text::changed_words(was, is);
    facts.secrets = after.secrets.saturating_sub(before.secrets);
    names(before, after, &mut facts);
    facts
}

/// What takes longer to see, for the changes that are looked at closely: the lines that went, and parts that were lost with a rewriting.
pub fn look_closer(path: &str, was: &[u8], is: &[u8], facts: &mut Facts) {
    if facts.same || !facts.compared {
        return;
    }
    facts.came_text = text::lost_text(is, was);
    if facts.new {
        return;
    }
    facts.lost_text = text::lost_text(was, is);
    let edited = !facts.gone && !facts.emptied && !facts.blank_only;
    if edited && facts.removed.is_some_and(|removed| removed > 0) {
        facts.parts_lost = parts::bring_parts(path, was, is).map(|parts| (parts.kind, parts.count));
    }
    facts.form_lost = parts::form_lost(path, was, is).filter(|_| edited);
    facts.ends_changed = edited && !facts.line_ends && text::other_ends(was, is);
}

/// A test that checks less than it did.
pub fn checks_less(path: &str, was: &[u8], is: &[u8]) -> bool {
    match (std::str::from_utf8(was), std::str::from_utf8(is)) {
        (Ok(was), Ok(is)) => paths::is_test(path) && text::strength(is) < text::strength(was),
        _ => false,
    }
}

/// A folder or a link's text says nothing that would be compared; what is not there is empty.
fn content<'a>(side: &Side<'a>) -> Option<&'a [u8]> {
    if !side.exists || side.kind == "dir" { Some(&[]) } else { side.content }
}

fn spoilt(path: &str, was: &[u8], is: &[u8], facts: &mut Facts) {
    facts.blank_only = text::only_white_space(was, is);
    facts.line_ends = text::only_line_ends(was, is);
    facts.emptied = !was.trim_ascii().is_empty() && is.trim_ascii().is_empty();
    facts.markers = text::conflict_marks(is) > text::conflict_marks(was);
    facts.was_marked = text::conflict_marks(was) > text::conflict_marks(is);
    facts.markers_only = facts.markers && text::is_only_marked(was, is);
    facts.encoding = text::encoding_spoilt(was, is);
    if facts.added.is_some() {
        // A line that was changed stands still, in other words: what is lost is what nothing came instead of.
        let (added, removed) = facts.solid;
        let lost = removed.saturating_sub(added);
        facts.mostly_lost = facts.had_lines >= 6 && lost * 2 > facts.had_lines && added * 3 <= removed;
    }
    const SMALL: usize = 1024;
    facts.shrunk = was.len() >= SMALL && is.len() * 4 <= was.len() && text::is_binary(was) && !facts.emptied;
    // A picture that is a text now; the content kinds of the other direction are in `encoding`.
    facts.overwritten = text::is_binary(was) && !text::is_binary(is) && !facts.emptied;
    if let (Ok(was), Ok(is)) = (std::str::from_utf8(was), std::str::from_utf8(is)) {
        facts.elided = text::placeholders(is) > text::placeholders(was);
        facts.placeholder = facts.elided || text::stubs(is) > text::stubs(was);
        if paths::is_test(path) {
            let less = text::strength(was) - text::strength(is);
            facts.checks_lost = u64::try_from(less).unwrap_or(0);
        }
        facts.replaced = text::replaced(was, is);
    }
}

fn names(before: &Side<'_>, after: &Side<'_>, facts: &mut Facts) {
    let known = |side: &Side<'_>| -> BTreeSet<String> {
        if let Some(names) = side.names {
            return names.defined.clone();
        }
        let text = side.content.filter(|_| side.exists && side.kind == "file").unwrap_or_default();
        std::str::from_utf8(text).map(text::definitions).unwrap_or_default()
    };
    let (was, is) = (known(before), known(after));
    facts.names_lost = was.difference(&is).cloned().collect();
    facts.names_kept = !was.is_empty() && was.is_subset(&is);
    facts.names_none = !was.is_empty() && was.is_disjoint(&is);
    // All names are others, and hardly a line is the same: another file was written over this one.
    let gone = facts.removed.unwrap_or(0) * 10 >= facts.had_lines * 6;
    let others = was.len() > 1 && was.is_disjoint(&is) && !is.is_empty();
    facts.overwritten |= gone && others && facts.had_lines >= 6;
    facts.names_new = is.difference(&was).cloned().collect();
    let shapes = |side: &Side<'_>, names: &[String]| -> BTreeMap<String, u64> {
        let of = |name: &String| Some((name.clone(), *side.names?.shapes.get(name)?));
        names.iter().filter_map(of).collect()
    };
    facts.shapes = (shapes(before, &facts.names_lost), shapes(after, &facts.names_new));
    if let (Some(before), Some(after)) = (before.names, after.names) {
        for old in &facts.names_lost {
            let body = before.shapes.get(old);
            let same = facts.names_new.iter().find(|new| body.is_some() && after.shapes.get(*new) == body);
            facts.renamed.extend(same.map(|new| (old.clone(), new.clone())));
        }
    }
    let broken = |side: &Side<'_>| side.names.is_some_and(|names| names.broken);
    facts.broken = !broken(before) && broken(after);
}

impl Facts {
    /// Lines that are only there now: what going back would lose.
    pub fn only_now(&self) -> u64 {
        self.added.unwrap_or(0)
    }

    /// Lines with something in them that went, without the marks of a conflict.
    pub(crate) fn lines_lost(&self) -> u64 {
        let is_mark = |line: &&str| {
            line.starts_with("<<<<<<<")
                || line.starts_with(">>>>>>>")
                || line.starts_with("|||||||")
                || *line == "======="
        };
        let marks = if self.was_marked { self.lost_text.lines().filter(is_mark).count() } else { 0 };
        self.solid.1.saturating_sub(marks as u64)
    }

    /// Loss without gain: lines went and (nearly) nothing came.
    pub(crate) fn is_pure_loss(&self) -> bool {
        let (added, removed) = (self.added.unwrap_or(0), self.removed.unwrap_or(0));
        removed > 0 && added * 5 <= removed && self.names_new.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(content: &str) -> Side<'_> {
        Side {
            exists: true,
            kind: "file",
            mode: 0o644,
            size: content.len() as u64,
            content: Some(content.as_bytes()),
            ..Side::default()
        }
    }

    #[test]
    fn facts_of_common_accidents() {
        let code = "def a():\n    return 1\n\n\ndef b():\n    return 2\n\n\ndef c():\n    return 3\n";
        let facts = compare("app/x.py", &file(code), &file("def a():\n    return 1\n"));
        assert_eq!(facts.names_lost, ["b", "c"]);
        assert!(facts.mostly_lost && facts.is_pure_loss() && !facts.emptied);
        let facts = compare("app/x.py", &file(code), &file(&code.replace("    ", "\t")));
        assert!(facts.blank_only && !facts.line_ends && facts.names_lost.is_empty());
        let facts = compare("run.sh", &Side { mode: 0o755, ..file(code) }, &file(code));
        assert!(facts.not_runnable && facts.mode_only && !facts.same);
        let facts = compare("x.py", &file(code), &Side::default());
        assert!(facts.gone && facts.removed == Some(10));
        assert!(compare("x.py", &file(code), &file(code)).same);
    }
}
