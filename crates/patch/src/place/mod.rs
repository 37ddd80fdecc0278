//! Finding the one place where a hunk belongs.
//!
//! # How a place is found
//!
//! The numbers in a header are a hint, the counts are not even that. What decides is the hunk's *old side*: its context and
//! removed lines, in order. All places where they stand one after the other, whitespace and punctuation aside, are
//! found at once through an index of the file's lines; each place gets the [`Level`] at which its worst line agrees:
//!
//! 1. `exact`: byte for byte;
//! 2. `trailing_space`: whitespace at line ends differs;
//! 3. `missing_space`: context lines lack the space that should begin them;
//! 4. `indentation`: tabs for spaces, or a block moved to another column;
//! 5. `punctuation`: curly quotes, long dashes, no-break spaces, inner runs of spaces;
//! 6. `repaired`: not a run at all, see below.
//!
//! The closest level that occurs must give **exactly one** place. If it gives more, the header decides, if it names one
//! of them to the line; an anchor (`@@ class A`) decides, if only one place lies in its block; else the hunk is refused
//! and all places are listed. A single close place loses against the header, too: if the header names, to the line,
//! another place that fits less closely, or nearly fits and lies apart from it, nobody can know which is meant.
//!
//! **Gaps.** A context line that only says `...` splits the old side; the pieces are found one after the other, and the
//! pieces with changes must have one place together.
//!
//! **Repairs.** If there is no place at all, one context line may be wrong (but must resemble the file's line) and two lines of the
//! file may be missing from the context, as long as three fifths of the context stand. A *removed* line is never
//! repaired: it must be in the file, or the hunk would delete what its author never saw. A line may not be
//! missing where lines are added between context, because then there would be two places for them; only for a blank line, which
//! makes no difference to most readers, is it told from the three lines of context that diffs have on both sides.
//!
//! **Before all that counts**, the *new side* is looked for: if the file already looks like the result there, the
//! hunk was applied before.
//!
//! **Without old side** (only added lines) the header's number is all there is: it must name a place with `-N,0`, and the
//! heading after `@@`, if there is one, must stand above it.

mod choose;
mod confidence;
mod gaps;
mod nearest;
mod repair;

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::decision::{Reason, Refusal};
use crate::elision;
use crate::indent::{self, Pair};
use crate::model::{Format, Hunk, Kind, Line};
use crate::normal::{Level, is_blank, is_telling, normal, trim};
use crate::target::Target;

/// Where a hunk belongs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Placement {
    /// For each line of the hunk (as far as they count), the line of the file it stands for.
    pub(crate) at: Vec<Option<usize>>,
    /// Where lines go if there is no old line to hold on to.
    pub(crate) insert_at: Option<usize>,
    /// Added lines go right before the old line below them, not right after the one above.
    pub(crate) attach_down: bool,
    /// The first line of the file that is meant.
    pub(crate) start: usize,
    pub(crate) level: Level,
    pub(crate) confidence: f64,
    pub(crate) repairs: Vec<String>,
}

/// A possible place.
#[derive(Debug, Clone)]
struct Candidate {
    /// For each old line, the line of the file; none for a `...`.
    at: Vec<Option<usize>>,
    level: Level,
    substituted: usize,
    skipped: usize,
    /// The line of the file that is left out right where lines are added, if there is one.
    beside_added: Option<usize>,
    /// That line belongs above the added lines.
    attach_down: bool,
}

/// The old side of a hunk, prepared.
struct Wanted<'h, 't> {
    hunk: &'h Hunk<'t>,
    /// The lines that count.
    lines: &'h [Line<'t>],
    /// Which of them are old.
    old: Vec<usize>,
    normals: Vec<Cow<'t, [u8]>>,
}

impl<'h, 't> Wanted<'h, 't> {
    fn new(hunk: &'h Hunk<'t>, lines: &'h [Line<'t>]) -> Self {
        let old: Vec<usize> = (0..lines.len()).filter(|&at| lines[at].is_old()).collect();
        let normals = old.iter().map(|&at| normal(lines[at].text)).collect();
        Self { hunk, lines, old, normals }
    }

    fn line(&self, number: usize) -> &Line<'t> {
        &self.lines[self.old[number]]
    }

    /// Added lines stand between this old line and the one before it.
    fn adds_before(&self, number: usize) -> bool {
        let from = if number == 0 { 0 } else { self.old[number - 1] + 1 };
        self.old[number] > from
    }

    fn place(&self, candidate: &Candidate) -> Vec<Option<usize>> {
        let mut at = vec![None; self.lines.len()];
        for (number, &line) in candidate.at.iter().enumerate() {
            at[self.old[number]] = line;
        }
        at
    }
}

/// Finds the place of a hunk, or says why there is none.
///
/// Not `thorough`: without repairs and without looking for the nearest lines, for the many hunks after too many refusals.
pub(crate) fn place(
    hunk: &Hunk<'_>,
    format: Format,
    target: &Target<'_>,
    thorough: bool,
) -> Result<Placement, Refusal> {
    if let Some(line) = hunk.lines.iter().find(|line| {
        line.kind == Kind::Add && elision::is_placeholder(line.text) && !removes(hunk, line.text)
    }) {
        return Err(Refusal::new(
            Reason::Placeholder,
            format!("the added line `{}` stands for code that is not written out", shown(line.text)),
            "write every line that shall be in the file; leave unchanged lines out of the hunk",
        ));
    }
    let mut readings = vec![Wanted::new(hunk, &hunk.lines)];
    if hunk.tail < hunk.lines.len() && hunk.lines[..hunk.tail].iter().any(|line| line.kind != Kind::Context) {
        readings.push(Wanted::new(hunk, &hunk.lines[..hunk.tail]));
    }
    if readings.iter().any(|wanted| wanted.old.is_empty()) {
        return without_old_side(hunk, target);
    }
    for wanted in &readings {
        // The place that the header names needs no comparison with others if it is exact.
        if let Some(chosen) = named_exactly(wanted, target) {
            refuse_if_done(wanted, target, Some(&chosen))?;
            return confidence::judge(wanted, target, &chosen, false);
        }
        if !thorough && target.rarity(&wanted.normals) > MOST_COMPARED {
            return Err(too_many_refused());
        }
        let mut candidates = runs(wanted, target);
        let mut gaps = false;
        if candidates.is_empty() {
            candidates = gaps::find(wanted, target)?;
            gaps = !candidates.is_empty();
        }
        if candidates.is_empty() {
            continue;
        }
        let chosen = choose::choose(wanted, target, candidates)?;
        refuse_if_done(wanted, target, Some(&chosen))?;
        nearest::refuse_if_header_nearly_fits(wanted, target, &chosen)?;
        return confidence::judge(wanted, target, &chosen, gaps);
    }
    for wanted in &readings {
        refuse_if_done(wanted, target, None)?;
    }
    if !thorough {
        return Err(too_many_refused());
    }
    if format != Format::SearchReplace {
        for wanted in &readings {
            if let Some(chosen) = repair::find(wanted, target)? {
                nearest::refuse_if_header_nearly_fits(wanted, target, &chosen)?;
                return confidence::judge(wanted, target, &chosen, false);
            }
        }
    }
    Err(nearest::not_found(&readings[readings.len() - 1], target))
}

/// Places that are compared with each other for a hunk that follows too many refused ones.
const MOST_COMPARED: usize = 1_000;

fn too_many_refused() -> Refusal {
    Refusal::new(
        Reason::NotFound,
        "the hunk is not exactly where its header says, and too many others were refused to look further",
        "correct the hunks above first",
    )
}

/// The place that the header names, if the old side stands there byte for byte.
fn named_exactly(wanted: &Wanted<'_, '_>, target: &Target<'_>) -> Option<Candidate> {
    let start = usize::try_from(wanted.hunk.claim.old_start?.checked_sub(1)?).ok()?;
    if wanted.hunk.claim.at_end || !target.is_run(start, &wanted.normals) {
        return None;
    }
    let at: Vec<Option<usize>> = (start..start + wanted.old.len()).map(Some).collect();
    let level = level_of(wanted, target, &at);
    (level == Level::Exact).then_some(Candidate {
        at,
        level,
        substituted: 0,
        skipped: 0,
        beside_added: None,
        attach_down: false,
    })
}

fn removes(hunk: &Hunk<'_>, text: &[u8]) -> bool {
    hunk.lines.iter().any(|line| line.kind == Kind::Remove && trim(line.text) == trim(text))
}

/// All places where the old side stands one line after the other.
fn runs(wanted: &Wanted<'_, '_>, target: &Target<'_>) -> Vec<Candidate> {
    target
        .find_run(&wanted.normals)
        .into_iter()
        .map(|start| {
            let at: Vec<Option<usize>> = (start..start + wanted.old.len()).map(Some).collect();
            let level = level_of(wanted, target, &at);
            Candidate { at, level, substituted: 0, skipped: 0, beside_added: None, attach_down: false }
        })
        .filter(|candidate| is_in_line(wanted, target, candidate))
        .collect()
}

/// True if the indentation is the file's own or has drifted by one rule.
fn is_in_line(wanted: &Wanted<'_, '_>, target: &Target<'_>, candidate: &Candidate) -> bool {
    if candidate.level < Level::Indentation {
        return true;
    }
    let pair =
        |(number, line): (usize, &Option<usize>)| Pair::new(wanted.line(number), target.line((*line)?));
    let pairs: Vec<Pair<'_>> = candidate.at.iter().enumerate().filter_map(pair).collect();
    indent::is_consistent(&pairs)
}

/// The level of the worst line.
fn level_of(wanted: &Wanted<'_, '_>, target: &Target<'_>, at: &[Option<usize>]) -> Level {
    let level = |(number, line): (usize, &Option<usize>)| {
        Some(line_level(wanted.line(number), target.line((*line)?)))
    };
    at.iter().enumerate().filter_map(level).max().unwrap_or(Level::Exact)
}

/// How closely a line of the hunk and a line of the file agree, given that their normal forms are the same.
fn line_level(line: &Line<'_>, file: &[u8]) -> Level {
    let same_end = |text: &[u8]| text.trim_ascii_end() == file.trim_ascii_end();
    if line.bare && !is_blank(line.text) && same_end(line.text) {
        Level::MissingSpace
    } else if line.text == file {
        Level::Exact
    } else if same_end(line.text) {
        Level::TrailingSpace
    } else if line.kind == Kind::Context && line.raw.is_some_and(same_end) {
        Level::MissingSpace
    } else if trim(line.text) == trim(file) {
        Level::Indentation
    } else {
        Level::Punctuation
    }
}

/// Refuses a hunk whose result is already there.
fn refuse_if_done(
    wanted: &Wanted<'_, '_>,
    target: &Target<'_>,
    chosen: Option<&Candidate>,
) -> Result<(), Refusal> {
    let adds = || wanted.lines.iter().filter(|line| line.kind == Kind::Add);
    if chosen.is_some() && !adds().any(|line| is_telling(line.text)) {
        return Ok(());
    }
    let new: Vec<Cow<'_, [u8]>> =
        wanted.lines.iter().filter(|line| line.is_new()).map(|line| normal(line.text)).collect();
    if !new.iter().any(|line| is_telling(line)) {
        return Ok(());
    }
    let places = target.find_run(&new);
    let done = match chosen {
        None => places.first().copied(),
        Some(chosen) => {
            let (first, last) = span(chosen);
            let claimed = |start: Option<u64>, at: usize| start == Some(at as u64 + 1);
            let claim = &wanted.hunk.claim;
            // A change of whitespace alone looks the same before and after: then the closer agreement counts.
            let only_spacing = new == wanted.normals;
            places.into_iter().find(|&place| {
                let lines = wanted.lines.iter().filter(|line| line.is_new()).enumerate();
                let level = lines.map(|(at, line)| line_level(line, target.line(place + at))).max();
                let closer = match level.cmp(&Some(chosen.level)) {
                    Ordering::Less => true,
                    Ordering::Equal => !only_spacing,
                    Ordering::Greater => false,
                };
                let touches = place <= last && first < place + new.len();
                closer && (touches || (claimed(claim.new_start, place) && !claimed(claim.old_start, first)))
            })
        }
    };
    match done {
        None => Ok(()),
        Some(line) => Err(already_applied(line)),
    }
}

fn already_applied(line: usize) -> Refusal {
    let mut refusal = Refusal::new(
        Reason::AlreadyApplied,
        format!("the file already looks like the result of this hunk, at line {}", line + 1),
        "leave this hunk out; if the same lines shall be there twice, show more context",
    );
    refusal.candidates.push(line + 1);
    refusal
}

fn span(candidate: &Candidate) -> (usize, usize) {
    let lines = || candidate.at.iter().copied().flatten();
    (lines().min().unwrap_or(0), lines().max().unwrap_or(0))
}

/// Only added lines: the header is all there is.
fn without_old_side(hunk: &Hunk<'_>, target: &Target<'_>) -> Result<Placement, Refusal> {
    let placed = |at: usize, confidence: f64| Placement {
        at: vec![None; hunk.lines.len()],
        insert_at: Some(at),
        attach_down: false,
        start: at,
        level: Level::Exact,
        confidence,
        repairs: Vec::new(),
    };
    if target.len() == 0 {
        return Ok(placed(0, 1.0));
    }
    let weak = |message: String| {
        Refusal::new(
            Reason::WeakContext,
            message,
            "show two or three unchanged lines above and below the added ones",
        )
    };
    let claim = &hunk.claim;
    let (Some(start), Some(0)) = (claim.old_start, claim.old_count) else {
        return Err(weak(
            "the hunk only adds lines and shows no context, so its place cannot be known".to_owned(),
        ));
    };
    let at = usize::try_from(start).unwrap_or(usize::MAX);
    if at > target.len() {
        return Err(weak(format!(
            "the hunk adds lines after line {start}, without context, and the file has {} lines",
            target.len()
        )));
    }
    if let Some(heading) = claim.heading {
        let above = (0..at).rev().any(|line| trim(target.line(line)).starts_with(trim(heading)));
        if !above {
            return Err(weak(format!(
                "the hunk shows no context, and its heading `{}` is not above line {start}",
                shown(heading)
            )));
        }
    }
    let new: Vec<Cow<'_, [u8]>> = hunk.lines.iter().map(|line| normal(line.text)).collect();
    if new.iter().any(|line| is_telling(line)) {
        let stands_at = |at: usize| new.iter().enumerate().all(|(number, line)| target.is(at + number, line));
        let claimed = claim.new_start.and_then(|start| usize::try_from(start).ok()?.checked_sub(1));
        if let Some(line) = [Some(at), claimed].into_iter().flatten().find(|&line| stands_at(line)) {
            return Err(already_applied(line));
        }
    }
    Ok(placed(at, 0.7))
}

/// A line for a message: readable, and not too long.
pub(crate) fn shown(text: &[u8]) -> String {
    const LONGEST: usize = 160;
    let text = String::from_utf8_lossy(text.trim_ascii_end());
    let mut out: String = text
        .chars()
        .take(LONGEST)
        .map(|c| if c.is_control() && c != '\t' { '\u{fffd}' } else { c })
        .collect();
    if text.chars().nth(LONGEST).is_some() {
        out.push('…');
    }
    out
}
