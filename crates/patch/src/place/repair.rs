//! The last resort: a place where the context is a little wrong.

use super::{Candidate, Wanted, choose, shown};
use crate::decision::{Reason, Refusal};
use crate::model::Kind;
use crate::normal::{Level, is_blank, is_telling, similar_enough};
use crate::target::Target;

/// Context lines that may be wrong.
const MOST_SUBSTITUTED: usize = 1;
/// Lines of the file that the context may leave out.
const MOST_SKIPPED: usize = 2;
/// The share of context that must stand.
const STANDING: f64 = 0.6;
/// How alike a wrong line and the file's line must be.
const RESEMBLANCE: f64 = 0.6;
/// The same, if a removed line that says something holds the place.
const RESEMBLANCE_BESIDE_REMOVED: f64 = 0.25;
/// More starting points than this are not tried: then even the rarest line says nothing about the place.
const MOST_STARTS: usize = 3_000;

/// The one place where the hunk fits with repairs; none if there is no such place.
pub(super) fn find(wanted: &Wanted<'_, '_>, target: &Target<'_>) -> Result<Option<Candidate>, Refusal> {
    let mut found: Vec<Candidate> = Vec::new();
    let holds =
        |number: usize| wanted.line(number).kind == Kind::Remove && is_telling(&wanted.normals[number]);
    let resemblance = if (0..wanted.old.len()).any(holds) { RESEMBLANCE_BESIDE_REMOVED } else { RESEMBLANCE };
    for start in starts(wanted, target) {
        let at = Vec::with_capacity(wanted.old.len());
        let mut work = Work { wanted, target, resemblance, at, found: &mut found };
        work.go(start, 0, 0, None);
    }
    let Some(least) = found.iter().map(cost).min() else { return Ok(None) };
    // Dearer ways to read the same place do not count; another place does.
    let spans: Vec<(usize, usize)> =
        found.iter().filter(|candidate| cost(candidate) == least).map(super::span).collect();
    let elsewhere = |candidate: &Candidate| {
        let (first, last) = super::span(candidate);
        !spans.iter().any(|&(from, to)| first <= to && from <= last)
    };
    found.retain(|candidate| cost(candidate) == least || elsewhere(candidate));
    if let Some(line) = found.iter().find_map(|candidate| candidate.beside_added) {
        if let [only] = &mut found[..]
            && let Some(attach_down) = side_of_blank(wanted, target, only, line)
        {
            only.attach_down = attach_down;
            return Ok(found.pop());
        }
        return Err(unclear(line, target));
    }
    found.sort_by_key(|candidate| changes(wanted, candidate));
    found.dedup_by(|a, b| changes(wanted, a) == changes(wanted, b));
    match found.len() {
        0 => Ok(None),
        1 => Ok(found.pop()),
        _ => Err(choose::ambiguous(wanted, &found)),
    }
}

/// Lines of context that diffs have above and below a change.
const USUAL_CONTEXT: usize = 3;

/// A blank line is left out right beside the added lines. If one side has the usual three lines of context and the other
/// side two, it is missing there; the numbers must be right, and no two blank lines may come together. True: it belongs
/// above the added lines.
fn side_of_blank(
    wanted: &Wanted<'_, '_>,
    target: &Target<'_>,
    candidate: &Candidate,
    line: usize,
) -> Option<bool> {
    let (first, last) = super::span(candidate);
    let named = wanted.hunk.claim.old_start == Some(first as u64 + 1);
    if !named || !is_blank(target.line(line)) || candidate.skipped != 1 || candidate.substituted > 0 {
        return None;
    }
    let above = wanted.lines.iter().take_while(|other| other.kind == Kind::Context).count();
    let below = wanted.lines.iter().rev().take_while(|other| other.kind == Kind::Context).count();
    let added = wanted.lines.get(above..wanted.lines.len().checked_sub(below)?)?;
    if added.iter().any(|other| other.kind != Kind::Add) {
        return None;
    }
    let blank = |line: Option<&crate::model::Line<'_>>| line.is_some_and(|line| is_blank(line.text));
    match (above, below) {
        (USUAL_CONTEXT, 2) if last + 1 < target.len() && !blank(added.last()) => Some(false),
        (2, USUAL_CONTEXT) if first > 0 && !blank(added.first()) => Some(true),
        _ => None,
    }
}

fn unclear(line: usize, target: &Target<'_>) -> Refusal {
    let text = target.line(line);
    let what = if is_blank(text) { "which is blank".to_owned() } else { format!("`{}`", shown(text)) };
    Refusal::new(
        Reason::Ambiguous,
        format!(
            "the context leaves out line {} of the file, {what}, so the added lines could go before or after it",
            line + 1
        ),
        "show the lines around the change without leaving any out",
    )
}

fn cost(candidate: &Candidate) -> usize {
    candidate.substituted + candidate.skipped
}

/// The lines of the file that a candidate would change, and where it would add.
fn changes(wanted: &Wanted<'_, '_>, candidate: &Candidate) -> Vec<usize> {
    (0..wanted.old.len())
        .filter(|&number| {
            wanted.line(number).kind == Kind::Remove
                || wanted.adds_before(number)
                || (number + 1 < wanted.old.len() && wanted.adds_before(number + 1))
                || number + 1 == wanted.old.len() && wanted.old[number] + 1 < wanted.lines.len()
        })
        .filter_map(|number| candidate.at[number])
        .collect()
}

/// Lines of the file where the hunk may begin: told from its rarest lines. Every removed line must be there; of two
/// context lines, one must.
fn starts(wanted: &Wanted<'_, '_>, target: &Target<'_>) -> Vec<usize> {
    let mut anchors: Vec<(usize, usize)> = (0..wanted.old.len())
        .filter(|&number| !wanted.normals[number].is_empty())
        .map(|number| (target.positions(&wanted.normals[number]).len(), number))
        .collect();
    let removed: Vec<(usize, usize)> =
        anchors.iter().copied().filter(|&(_, number)| wanted.line(number).kind == Kind::Remove).collect();
    if removed.iter().any(|&(count, _)| count == 0) {
        return Vec::new();
    }
    let used = if let Some(rarest) = removed.into_iter().min() {
        vec![rarest]
    } else {
        anchors.retain(|&(count, _)| count > 0);
        anchors.sort_unstable();
        anchors.truncate(MOST_SUBSTITUTED + 1);
        anchors
    };
    let mut starts = Vec::new();
    for (_, number) in used {
        for &position in target.positions(&wanted.normals[number]) {
            let latest = (position as usize).checked_sub(number);
            starts.extend(latest.into_iter().flat_map(|at| at.saturating_sub(MOST_SKIPPED)..=at));
        }
    }
    starts.sort_unstable();
    starts.dedup();
    if starts.len() > MOST_STARTS {
        starts.clear();
    }
    starts
}

struct Work<'w, 'h, 't, 'f> {
    wanted: &'w Wanted<'h, 't>,
    target: &'w Target<'f>,
    resemblance: f64,
    at: Vec<usize>,
    found: &'w mut Vec<Candidate>,
}

impl Work<'_, '_, '_, '_> {
    /// Goes on with the next old line at this line of the file.
    fn go(&mut self, line: usize, substituted: usize, skipped: usize, beside: Option<usize>) {
        let number = self.at.len();
        if number == self.wanted.old.len() {
            self.finish(substituted, skipped, beside);
            return;
        }
        if line >= self.target.len() {
            return;
        }
        let same = self.target.is(line, &self.wanted.normals[number]);
        if same || (substituted < MOST_SUBSTITUTED && self.resembles(number, line)) {
            self.at.push(line);
            self.go(line + 1, substituted + usize::from(!same), skipped, beside);
            self.at.pop();
        }
        let removed = |number: usize| self.wanted.line(number).kind == Kind::Remove;
        // The context may leave a line out, but not inside what is removed. Where lines are added, they might have two
        // places; such a reading is noted, so that the hunk is refused.
        if skipped < MOST_SKIPPED && number > 0 && !(removed(number - 1) && removed(number)) {
            let beside = if self.has_two_places(number) { beside.or(Some(line)) } else { beside };
            self.go(line + 1, substituted, skipped + 1, beside);
        }
    }

    /// Lines are added between this old line and the one before it, and a line of the file that is left out there might
    /// belong before, after or between them. Only where they replace as many removed lines is it clear that they follow
    /// these.
    fn has_two_places(&self, number: usize) -> bool {
        let wanted = self.wanted;
        let added = wanted.old[number] - wanted.old[number - 1] - 1;
        let removed = |number: &usize| wanted.line(*number).kind == Kind::Remove;
        let replaced = (0..number).rev().take_while(removed).count();
        added > 0 && (added > replaced || removed(&number))
    }

    fn resembles(&self, number: usize, line: usize) -> bool {
        let wanted = self.wanted.line(number);
        wanted.kind == Kind::Context && similar_enough(wanted.text, self.target.line(line), self.resemblance)
    }

    fn finish(&mut self, substituted: usize, skipped: usize, beside_added: Option<usize>) {
        let wanted = self.wanted;
        let context =
            (0..wanted.old.len()).filter(|&number| wanted.line(number).kind == Kind::Context).count();
        let standing = (context - substituted) as f64 / (context + skipped).max(1) as f64;
        let telling = (0..wanted.old.len())
            .filter(|&number| self.target.is(self.at[number], &wanted.normals[number]))
            .filter(|&number| is_telling(&wanted.normals[number]))
            .count();
        if standing < STANDING || telling < 2 || substituted + skipped == 0 {
            return;
        }
        let at = self.at.iter().copied().map(Some).collect();
        let candidate =
            Candidate { at, level: Level::Repaired, substituted, skipped, beside_added, attach_down: false };
        if super::is_in_line(wanted, self.target, &candidate) {
            self.found.push(candidate);
        }
    }
}
