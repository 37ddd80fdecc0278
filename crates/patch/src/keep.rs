//! Keep regions: lines between `VIBE-KEEP START name` and `VIBE-KEEP END name`, in comments of any style, that no patch
//! may change. The markers are part of the region.

use crate::decision::{Reason, Refusal};
use crate::edit::Edit;
use crate::target::Target;

/// A protected stretch, marker lines included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Region {
    pub(crate) name: String,
    pub(crate) first: usize,
    pub(crate) last: usize,
}

/// The regions of a file and what is odd about them.
#[derive(Debug, Default)]
pub(crate) struct Regions {
    pub(crate) regions: Vec<Region>,
    pub(crate) warnings: Vec<String>,
}

enum Marker<'l> {
    Start(&'l [u8]),
    End(&'l [u8]),
}

const WORD: &[u8] = b"VIBE-KEEP";

/// Where the word is, in capitals or not.
fn find_word(text: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        from += text.get(from..)?.iter().position(|byte| matches!(byte, b'V' | b'v'))?;
        let window = text.get(from..from + WORD.len())?;
        if window.eq_ignore_ascii_case(WORD) {
            return Some(from);
        }
        from += 1;
    }
}

/// Reads a marker. Before it there may be only the beginning of a comment, so that a mention in a sentence or in a string
/// is none.
fn marker(line: &[u8]) -> Option<Marker<'_>> {
    let at = find_word(line)?;
    let before = line[..at].trim_ascii();
    let opens_comment = before
        .iter()
        .all(|byte| byte.is_ascii_punctuation() && !matches!(byte, b'=' | b',' | b':'))
        || [&b"rem"[..], b"dnl", b"@rem", b"c", b"::"].iter().any(|word| before.eq_ignore_ascii_case(word));
    // A string literal is not a comment; one quote mark alone is (Vim script, Visual Basic).
    let quoted = before.len() > 1
        && before.iter().any(|byte| matches!(byte, b'"' | b'\''))
        && !before.starts_with(b"\"\"\"");
    if !opens_comment || quoted {
        return None;
    }
    let mut words = line[at + WORD.len()..].split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let kind = words.next()?;
    let name = words.next().map(name_only).unwrap_or_default();
    if kind.eq_ignore_ascii_case(b"START") {
        Some(Marker::Start(name))
    } else if name_only(kind).eq_ignore_ascii_case(b"START") {
        Some(Marker::Start(b""))
    } else if kind.eq_ignore_ascii_case(b"END") {
        Some(Marker::End(name))
    } else if name_only(kind).eq_ignore_ascii_case(b"END") {
        Some(Marker::End(b""))
    } else {
        None
    }
}

/// A name without the end of a comment that may be glued to it.
fn name_only(word: &[u8]) -> &[u8] {
    let is_name = |byte: &u8| {
        byte.is_ascii_alphanumeric() || *byte >= 0x80 || matches!(byte, b'_' | b'.' | b'/' | b':')
    };
    let length = word
        .iter()
        .enumerate()
        .take_while(|(at, byte)| is_name(byte) || (**byte == b'-' && word.get(at + 1).is_some_and(is_name)))
        .count();
    let word = &word[..length];
    word.strip_suffix(b":").unwrap_or(word)
}

/// Finds all regions. One that is not closed reaches to the end of the file.
pub(crate) fn regions(target: &Target<'_>) -> Regions {
    let mut found = Regions::default();
    let mut open: Vec<(usize, &[u8])> = Vec::new();
    let shown = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
    for at in 0..target.len() {
        match marker(target.line(at)) {
            None => {}
            Some(Marker::Start(name)) => open.push((at, name)),
            Some(Marker::End(name)) => {
                let start = open.iter().rposition(|(_, other)| *other == name || name.is_empty());
                match start {
                    Some(start) => {
                        let (first, name) = open.remove(start);
                        found.regions.push(Region { name: shown(name), first, last: at });
                    }
                    None => found.warnings.push(format!(
                        "line {}: `VIBE-KEEP END {}` has no start, so it protects nothing",
                        at + 1,
                        shown(name)
                    )),
                }
            }
        }
    }
    for (first, name) in open {
        found.warnings.push(format!(
            "line {}: keep region `{}` is not closed, so everything below it is protected",
            first + 1,
            shown(name)
        ));
        found.regions.push(Region { name: shown(name), first, last: target.len() - 1 });
    }
    found.regions.sort_by_key(|region| region.first);
    found
}

/// The refusal, if an edit reaches into a region.
pub(crate) fn touched(regions: &[Region], edits: &[Edit<'_>]) -> Option<Refusal> {
    for edit in edits {
        for region in regions {
            let removes = edit.from <= region.last && region.first < edit.to;
            let inserts = edit.from == edit.to && region.first < edit.from && edit.from <= region.last;
            // Lines added after the last line of a region that is not closed would be in it, too; then `last` is the
            // last line of the file, and what comes after it is caught by comparing the regions of the result.
            if removes || inserts {
                return Some(refusal(region, edit.from.max(region.first) + 1));
            }
        }
    }
    None
}

fn refusal(region: &Region, line: usize) -> Refusal {
    Refusal::new(
        Reason::KeepRegion,
        format!(
            "line {line} is in the keep region `{}` (lines {} to {}), which must stay as it is",
            region.name,
            region.first + 1,
            region.last + 1
        ),
        "change only lines outside the region; a person can allow it with `--no-keep-regions --reason TEXT`",
    )
}

/// The refusal, if a region of the file is not in the result, byte for byte and in order: an added marker can make a
/// region larger, smaller or another one without touching its lines.
pub(crate) fn lost(before: &[u8], after: &[u8]) -> Option<Refusal> {
    find_word(before)?;
    let (before, after) = (Target::new(before), Target::new(after));
    let texts = |target: &Target<'_>| -> Vec<(Region, Vec<Vec<u8>>)> {
        regions(target)
            .regions
            .into_iter()
            .map(|region| {
                let lines = (region.first..=region.last).map(|at| target.line(at).to_vec()).collect();
                (region, lines)
            })
            .collect()
    };
    let new = texts(&after);
    let old = texts(&before);
    let count = |regions: &[(Region, Vec<Vec<u8>>)], name: &str| {
        regions.iter().filter(|(region, _)| region.name == name).count()
    };
    let mut rest = new.iter();
    old.iter()
        .find(|(region, lines)| {
            !rest.any(|(other, text)| other.name == region.name && text == lines)
                || count(&new, &region.name) != count(&old, &region.name)
        })
        .map(|(region, _)| refusal(region, region.first + 1))
}

/// What is wrong, and in which line of the old content, if a keep region of the old content is not in the new one.
pub fn keep_region_lost(before: &[u8], after: &[u8]) -> Option<(String, usize)> {
    find_word(before)?;
    let first = regions(&Target::new(before)).regions.first().map_or(1, |region| region.first + 1);
    lost(before, after).map(|refusal| (refusal.message, first))
}

/// True if a file has keep regions, so that it may not be deleted as a whole.
pub fn has_keep_regions(content: &[u8]) -> bool {
    find_word(content).is_some() && !regions(&Target::new(content)).regions.is_empty()
}
