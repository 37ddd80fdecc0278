//! Applying the edits of one file in memory: all hunks have exactly one place, or nothing comes out.

use crate::decision::{Decision, Outcome, Reason, Refusal};
use crate::edit::{self, Edit, Edits};
use crate::indent::{Drift, drift};
use crate::keep;
use crate::model::{FileAction, FilePatch, Format, Hunk};
use crate::place::{self, Placement};
use crate::target::Target;

/// How careful to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// How far a hunk may be from where its header says, in lines; any distance if none is given, because the place
    /// must be unique anyway.
    pub max_offset: Option<u64>,
    /// Hunks below this confidence are refused.
    pub min_confidence: f64,
    /// Lines in keep regions may not be changed.
    pub keep_regions: bool,
}

/// The usual threshold: a repaired context with three of five lines standing is just below it.
pub const MIN_CONFIDENCE: f64 = 0.5;

impl Default for Options {
    fn default() -> Self {
        Self { max_offset: None, min_confidence: MIN_CONFIDENCE, keep_regions: true }
    }
}

/// So many refused hunks of a file get a thorough search for what they may have meant.
const MOST_EXPLAINED: usize = 20;

/// What became of the edits of one file.
#[derive(Debug, Clone, PartialEq)]
pub struct FileResult {
    /// The new content; none if a hunk was refused.
    pub content: Option<Vec<u8>>,
    /// Hunk by hunk.
    pub decisions: Vec<Decision>,
    /// Things to know that are no reason to refuse.
    pub warnings: Vec<String>,
}

impl FileResult {
    /// The refused hunks.
    pub fn refusals(&self) -> impl Iterator<Item = (&Decision, &Refusal)> {
        self.decisions.iter().filter_map(|decision| Some((decision, decision.refusal()?)))
    }
}

struct Placed<'t> {
    placement: Placement,
    edits: Edits<'t>,
}

/// Applies all hunks of a file to its content. Nothing is written anywhere.
pub fn apply(file: &FilePatch<'_>, original: &[u8], options: &Options) -> FileResult {
    let target = Target::new(original);
    let mut refused = 0;
    let mut placements: Vec<Result<Placement, Refusal>> = file
        .hunks
        .iter()
        .map(|hunk| {
            let placement = place_hunk(hunk, file, &target, options, refused < MOST_EXPLAINED);
            refused += usize::from(placement.is_err());
            placement
        })
        .collect();
    refuse_doubtful_numbers(file, &mut placements, &target);
    let drift = file_drift(file, &placements, &target);
    let mut outcomes: Vec<Result<Placed<'_>, Refusal>> = placements
        .into_iter()
        .zip(&file.hunks)
        .map(|(placement, hunk)| {
            let placement = placement?;
            let edits = edit::edits(hunk, &placement, &target, &drift)?;
            Ok(Placed { placement, edits })
        })
        .collect();
    let duplicates = find_duplicates(file, &outcomes);
    refuse_overlaps(&mut outcomes, &duplicates);
    let mut warnings = Vec::new();
    if options.keep_regions {
        let regions = keep::regions(&target);
        warnings.extend(regions.warnings);
        for outcome in &mut outcomes {
            if let Ok(placed) = outcome
                && let Some(refusal) = keep::touched(&regions.regions, &placed.edits.edits)
            {
                *outcome = Err(refusal);
            }
        }
    }
    let content = outcomes.iter().all(Result::is_ok).then(|| compose(&target, &outcomes, &duplicates));
    let mut result = FileResult { content, decisions: decide(file, outcomes, &duplicates), warnings };
    if options.keep_regions
        && let Some(content) = &result.content
        && let Some(refusal) = keep::lost(original, content)
    {
        result.content = None;
        if let Some(decision) = result.decisions.first_mut() {
            decision.outcome = Outcome::Refused(refusal);
        }
    }
    result
}

fn place_hunk(
    hunk: &Hunk<'_>,
    file: &FilePatch<'_>,
    target: &Target<'_>,
    options: &Options,
    thorough: bool,
) -> Result<Placement, Refusal> {
    let new_over_old = file.action == FileAction::Create
        || (file.format == Format::SearchReplace && !hunk.lines.iter().any(crate::model::Line::is_old));
    if new_over_old && target.len() > 0 && !hunk.lines.iter().any(crate::model::Line::is_old) {
        return Err(Refusal::new(
            Reason::OtherVersion,
            "the patch makes a new file, and the file is already there with content",
            "write the change as a hunk with context, or name another file",
        ));
    }
    let placement = place::place(hunk, file.format, target, thorough)?;
    if let (Some(offset), Some(most)) = (offset(hunk, &placement), options.max_offset)
        && offset.unsigned_abs() > most
    {
        return Err(Refusal::new(
            Reason::OffsetTooLarge,
            format!(
                "the only place that fits is line {}, {} lines from where the header says, and {most} is allowed",
                placement.start + 1,
                offset.unsigned_abs()
            ),
            "correct the line number in the header, or allow more with `--max-offset`",
        ));
    }
    if placement.confidence < options.min_confidence {
        return Err(Refusal::new(
            Reason::LowConfidence,
            format!(
                "line {} fits, but only with confidence {:.2}, and {:.2} is asked for",
                placement.start + 1,
                placement.confidence,
                options.min_confidence
            ),
            "show more of the file's own lines around the change",
        ));
    }
    Ok(placement)
}

/// A hunk without old lines stands where its number says, so the numbers must be right: those of its own header agree with
/// the hunks above it, and every hunk that could be found by its lines is where its number says, too.
fn refuse_doubtful_numbers(
    file: &FilePatch<'_>,
    placements: &mut [Result<Placement, Refusal>],
    target: &Target<'_>,
) {
    let by_number = |placement: &Result<Placement, Refusal>| {
        target.len() > 0 && placement.as_ref().is_ok_and(|placement| placement.insert_at.is_some())
    };
    if !placements.iter().any(by_number) {
        return;
    }
    let moved = file.hunks.iter().zip(&*placements).any(|(hunk, placement)| {
        placement.as_ref().is_ok_and(|placement| offset(hunk, placement).is_some_and(|offset| offset != 0))
    });
    let grows = |hunk: &Hunk<'_>| -> i64 {
        hunk.lines.iter().map(|line| i64::from(line.is_new()) - i64::from(line.is_old())).sum()
    };
    let agrees = |hunk: &Hunk<'_>| {
        let (Some(old), Some(new)) = (hunk.claim.old_start, hunk.claim.new_start) else { return true };
        let above: i64 = file.hunks.iter().filter(|other| other.claim.old_start < Some(old)).map(grows).sum();
        i64::try_from(new).ok() == i64::try_from(old).ok().and_then(|old| old.checked_add(above + 1))
    };
    for (hunk, placement) in file.hunks.iter().zip(placements) {
        if by_number(placement) && (moved || !agrees(hunk)) {
            *placement = Err(Refusal::new(
                Reason::WeakContext,
                "the hunk shows no context, and the numbers in the headers do not agree with each other or with the file",
                "show two or three unchanged lines above and below the added ones",
            ));
        }
    }
}

/// Tabs for spaces or the reverse, if all hunks together say so.
fn file_drift<'p>(
    file: &'p FilePatch<'_>,
    placements: &[Result<Placement, Refusal>],
    target: &'p Target<'_>,
) -> Drift<'p> {
    let pairs: Vec<_> = file
        .hunks
        .iter()
        .zip(placements)
        .filter_map(|(hunk, placement)| Some(edit::pairs(hunk, placement.as_ref().ok()?, target)))
        .flatten()
        .collect();
    match drift(&pairs) {
        exchange @ (Drift::ToTabs(_) | Drift::ToSpaces(_)) => exchange,
        _ => Drift::None,
    }
}

fn offset(hunk: &Hunk<'_>, placement: &Placement) -> Option<i64> {
    let claimed = i64::try_from(hunk.claim.old_start?).ok()?;
    let start = i64::try_from(placement.start).ok()?;
    Some(if placement.insert_at.is_some() { start - claimed } else { start + 1 - claimed })
}

/// For each hunk, the earlier hunk that does exactly the same, if there is one.
/// Two hunks that name different lines are meant for different places, even if only one was found.
fn find_duplicates(file: &FilePatch<'_>, outcomes: &[Result<Placed<'_>, Refusal>]) -> Vec<Option<usize>> {
    let mut first: std::collections::HashMap<(usize, usize), Vec<usize>> = std::collections::HashMap::new();
    let mut duplicates = vec![None; outcomes.len()];
    for (number, outcome) in outcomes.iter().enumerate() {
        let Ok(placed) = outcome else { continue };
        let Some(edit) = placed.edits.edits.first() else { continue };
        let same_place = first.entry((edit.from, edit.to)).or_default();
        let claimed = |number: usize| file.hunks[number].claim.old_start;
        let same = |other: &&usize| {
            outcomes[**other].as_ref().is_ok_and(|other| other.edits.edits == placed.edits.edits)
                && claimed(**other) == claimed(number)
        };
        duplicates[number] = same_place.iter().find(same).copied();
        if duplicates[number].is_none() {
            same_place.push(number);
        }
    }
    duplicates
}

/// Refuses hunks that change the same lines, or add at the same place, in different ways.
fn refuse_overlaps(outcomes: &mut [Result<Placed<'_>, Refusal>], duplicates: &[Option<usize>]) {
    let mut spans: Vec<(usize, usize, usize)> = Vec::new();
    for (number, outcome) in outcomes.iter().enumerate() {
        if let Ok(placed) = outcome
            && duplicates[number].is_none()
        {
            spans.extend(placed.edits.edits.iter().map(|edit| (edit.from, edit.to, number)));
        }
    }
    spans.sort_unstable();
    let mut clashes = Vec::new();
    // The span that reaches furthest so far.
    let mut furthest: Option<(usize, usize, usize)> = None;
    for &(from, to, number) in &spans {
        if let Some((earlier_from, earlier_to, earlier)) = furthest
            && earlier != number
            && (from < earlier_to || (from == earlier_to && (from == to || earlier_from == earlier_to)))
        {
            clashes.push((earlier, number, from));
        }
        if furthest.is_none_or(|(_, earlier_to, _)| to >= earlier_to) {
            furthest = Some((from, to, number));
        }
    }
    for (a, b, line) in clashes {
        for (this, other) in [(a, b), (b, a)] {
            outcomes[this] = Err(Refusal::new(
                Reason::Overlap,
                format!("this hunk and hunk {} both change the file at line {}", other + 1, line + 1),
                "join the two hunks into one that shows the final result",
            ));
        }
    }
}

fn compose(
    target: &Target<'_>,
    outcomes: &[Result<Placed<'_>, Refusal>],
    duplicates: &[Option<usize>],
) -> Vec<u8> {
    let mut edits: Vec<Edit<'_>> = Vec::new();
    let mut lacks = None;
    for (placed, duplicate) in outcomes.iter().zip(duplicates) {
        if let (Ok(placed), None) = (placed, duplicate) {
            edits.extend(placed.edits.edits.iter().cloned());
            lacks = placed.edits.lacks_final_newline.or(lacks);
        }
    }
    edits.sort_by_key(|edit| (edit.from, edit.to));
    edit::compose(&target.text, &edits, lacks)
}

fn decide(
    file: &FilePatch<'_>,
    outcomes: Vec<Result<Placed<'_>, Refusal>>,
    duplicates: &[Option<usize>],
) -> Vec<Decision> {
    let outcome = |number: usize, hunk: &Hunk<'_>, outcome: Result<Placed<'_>, Refusal>| match outcome {
        Err(refusal) => Outcome::Refused(refusal),
        Ok(_) if duplicates[number].is_some() => {
            Outcome::Duplicate { of: duplicates[number].map_or(0, |first| first + 1) }
        }
        Ok(placed) => Outcome::Placed {
            level: placed.placement.level,
            line: placed.placement.start + 1,
            offset: offset(hunk, &placed.placement),
            confidence: placed.placement.confidence,
            repairs: placed.placement.repairs,
        },
    };
    file.hunks
        .iter()
        .zip(outcomes)
        .enumerate()
        .map(|(number, (hunk, placed))| Decision {
            hunk: number + 1,
            patch_line: hunk.text_line,
            outcome: outcome(number, hunk, placed),
        })
        .collect()
}
