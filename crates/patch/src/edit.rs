//! From placements to edits of the file, and from edits to the new content.

use std::borrow::Cow;

use crate::decision::{Reason, Refusal};
use crate::indent::{Drift, Pair, drift, is_evidence};
use crate::lines::{Ending, FileText};
use crate::model::{Hunk, Kind, Line};
use crate::place::{Placement, shown};
use crate::target::Target;

/// Lines `from..to` of the file are replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edit<'t> {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) lines: Vec<NewLine<'t>>,
}

/// A line that comes into the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewLine<'t> {
    pub(crate) text: Cow<'t, [u8]>,
    /// The ending, if the patch is to be trusted with it.
    pub(crate) ending: Option<Ending>,
}

/// What one hunk does to the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edits<'t> {
    pub(crate) edits: Vec<Edit<'t>>,
    /// The hunk reaches the end of the file and says whether the result ends with a newline.
    pub(crate) lacks_final_newline: Option<bool>,
}

/// Works out the edits of a placed hunk.
pub(crate) fn edits<'t>(
    hunk: &Hunk<'t>,
    placement: &Placement,
    target: &Target<'_>,
    file_drift: &Drift<'_>,
) -> Result<Edits<'t>, Refusal> {
    let lines = &hunk.lines[..placement.at.len()];
    let pairs = pairs(hunk, placement, target);
    let own = drift(&pairs);
    let drift = if pairs.iter().any(is_evidence) { &own } else { file_drift };
    let literal = endings_agree(lines, placement, target);
    let mut edits: Vec<Edit<'t>> = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        match (line.kind, placement.at[number]) {
            (Kind::Remove, Some(at)) => match edits.last_mut() {
                Some(edit) if edit.to == at => edit.to = at + 1,
                _ => edits.push(Edit { from: at, to: at + 1, lines: Vec::new() }),
            },
            (Kind::Add, _) => {
                let at = insertion_point(lines, placement, number);
                let text = drift.carry(line.text).ok_or_else(|| unclear(line))?;
                let ending = literal.then_some(if line.cr { Ending::CrLf } else { Ending::Lf });
                let new = NewLine { text, ending };
                match edits.last_mut() {
                    Some(edit) if edit.to == at => edit.lines.push(new),
                    _ => edits.push(Edit { from: at, to: at, lines: vec![new] }),
                }
            }
            _ => {}
        }
    }
    Ok(Edits { edits, lacks_final_newline: final_newline(lines, placement, target) })
}

fn unclear(line: &Line<'_>) -> Refusal {
    Refusal::new(
        Reason::IndentUnclear,
        format!(
            "the hunk is indented otherwise than the file, and how `{}` belongs there cannot be told",
            shown(line.text)
        ),
        "write the hunk with the file's own indentation (tabs or spaces, and the right column)",
    )
}

/// Where an added line goes: after the old line before it, unless only the one after it is removed.
fn insertion_point(lines: &[Line<'_>], placement: &Placement, number: usize) -> usize {
    if let Some(at) = placement.insert_at {
        return at;
    }
    let before = (0..number).rev().find_map(|at| Some((lines[at].kind, placement.at[at]?)));
    let after = (number + 1..lines.len()).find_map(|at| Some((lines[at].kind, placement.at[at]?)));
    match (before, after) {
        (Some((Kind::Context, _)), Some((Kind::Remove, at))) | (None, Some((_, at))) => at,
        (_, Some((_, at))) if placement.attach_down => at,
        (Some((_, at)), _) => at + 1,
        (None, None) => placement.start,
    }
}

/// How the old lines of a hunk are indented, in the patch and in the file.
pub(crate) fn pairs<'p>(hunk: &'p Hunk<'_>, placement: &Placement, target: &'p Target<'_>) -> Vec<Pair<'p>> {
    let pair = |(line, at): (&'p Line<'_>, &Option<usize>)| Pair::new(line, target.line((*at)?));
    hunk.lines.iter().zip(&placement.at).filter_map(pair).collect()
}

/// True if every old line ends as in the file: then the endings of added lines are meant as they are written.
fn endings_agree(lines: &[Line<'_>], placement: &Placement, target: &Target<'_>) -> bool {
    let mut old = lines.iter().zip(&placement.at).filter_map(|(line, at)| Some((line, (*at)?))).peekable();
    old.peek().is_some()
        && old.all(|(line, at)| match target.text.lines.get(at).map(|line| line.ending) {
            Some(Ending::Lf) => !line.cr,
            Some(Ending::CrLf) => line.cr,
            _ => true,
        })
}

/// What the hunk says about the newline at the end of the file. If what it says about the file as it is now is wrong,
/// it knows nothing about it, and the file keeps what it has.
fn final_newline(lines: &[Line<'_>], placement: &Placement, target: &Target<'_>) -> Option<bool> {
    let last = target.len().checked_sub(1);
    let reaches = placement.insert_at.is_some_and(|at| at == target.len())
        || last.is_some_and(|last| placement.at.contains(&Some(last)));
    if !reaches {
        return None;
    }
    let lacks = target.text.lacks_final_newline();
    let old = lines.iter().rfind(|line| line.is_old()).is_some_and(|line| line.no_newline);
    let new = lines.iter().rfind(|line| line.is_new()).is_some_and(|line| line.no_newline);
    Some(if target.len() == 0 || old == lacks { new } else { lacks })
}

/// Puts the file together again. The edits are in order and do not touch each other.
pub(crate) fn compose(text: &FileText<'_>, edits: &[Edit<'_>], lacks_final_newline: Option<bool>) -> Vec<u8> {
    let size: usize = text.lines.iter().map(|line| line.text.len() + 2).sum();
    let mut out = Output { bytes: Vec::with_capacity(size + text.mark.len()), last: None };
    out.bytes.extend_from_slice(text.mark);
    let mut at = 0;
    for edit in edits {
        for (number, line) in text.lines[at..edit.from].iter().enumerate() {
            out.line(line.text, line.ending, text.ending_near(at + number), false);
        }
        let usual = text.ending_near(edit.from);
        for line in &edit.lines {
            out.line(&line.text, line.ending.unwrap_or(usual), usual, true);
        }
        at = edit.to;
    }
    for (number, line) in text.lines[at..].iter().enumerate() {
        out.line(line.text, line.ending, text.ending_near(at + number), false);
    }
    out.finish(
        lacks_final_newline.unwrap_or_else(|| text.lacks_final_newline()),
        text.ending_near(text.lines.len()),
    )
}

/// Content being written; the ending of the last line is held back until it is known that it is the last.
struct Output {
    bytes: Vec<u8>,
    last: Option<(Ending, Ending, bool)>,
}

impl Output {
    fn line(&mut self, text: &[u8], ending: Ending, usual: Ending, new: bool) {
        if let Some((ending, usual, _)) = self.last.take() {
            let ending = if ending == Ending::None { usual } else { ending };
            self.bytes.extend_from_slice(ending.bytes());
        }
        self.bytes.extend_from_slice(text);
        self.last = Some((ending, usual, new));
    }

    fn finish(mut self, lacks: bool, usual: Ending) -> Vec<u8> {
        if let Some((ending, _, new)) = self.last {
            let ending = match (lacks, ending) {
                (false, Ending::None) => usual,
                // A line of the file that is last now keeps the ending it has.
                (true, ending) if !new => ending,
                (true, _) => Ending::None,
                (false, ending) => ending,
            };
            self.bytes.extend_from_slice(ending.bytes());
        }
        self.bytes
    }
}
