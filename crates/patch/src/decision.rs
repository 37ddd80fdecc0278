//! What was decided about each hunk, in a form that a person or a model can act on.

use crate::normal::Level;

/// Why a hunk was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Reason {
    /// Nothing in the file looks like it.
    NotFound,
    /// The place is there, but lines differ: the hunk was made for another version of the file.
    OtherVersion,
    /// The lines fit in more than one place.
    Ambiguous,
    /// The file already looks like the result.
    AlreadyApplied,
    /// Two hunks change the same lines.
    Overlap,
    /// An added line stands for code that was not written out.
    Placeholder,
    /// Too little to find a place by.
    WeakContext,
    /// The place is further away from where the header says than allowed.
    OffsetTooLarge,
    /// The confidence is below the threshold.
    LowConfidence,
    /// The indentation of the added lines cannot be told.
    IndentUnclear,
    /// The lines are in a keep region.
    KeepRegion,
}

impl Reason {
    /// The stable code.
    pub fn code(self) -> &'static str {
        match self {
            Self::NotFound => "hunk_not_found",
            Self::OtherVersion => "hunk_other_version",
            Self::Ambiguous => "hunk_ambiguous",
            Self::AlreadyApplied => "hunk_already_applied",
            Self::Overlap => "hunks_overlap",
            Self::Placeholder => "hunk_placeholder",
            Self::WeakContext => "hunk_weak_context",
            Self::OffsetTooLarge => "hunk_offset_too_large",
            Self::LowConfidence => "hunk_low_confidence",
            Self::IndentUnclear => "hunk_indent_unclear",
            Self::KeepRegion => "keep_region",
        }
    }
}

/// The part of the file that comes nearest to what a hunk looks for.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Nearest {
    /// Line number of the first line below, from 1.
    pub first_line: usize,
    /// The file's lines, as they are.
    pub lines: Vec<String>,
    /// How many of the hunk's old lines are there.
    pub matching: usize,
    /// How many old lines the hunk has.
    pub of: usize,
    /// Where the two part first: the line number in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub differs_at: Option<usize>,
    /// What the patch says there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patch_says: Option<String>,
}

/// A hunk that was not applied.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Refusal {
    /// Stable reason.
    pub reason: Reason,
    /// What is the matter, in words.
    pub message: String,
    /// What to do next.
    pub next: String,
    /// Line numbers of all places that fit, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<usize>,
    /// The nearest context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest: Option<Box<Nearest>>,
}

impl Refusal {
    pub(crate) fn new(reason: Reason, message: impl Into<String>, next: impl Into<String>) -> Self {
        Self { reason, message: message.into(), next: next.into(), candidates: Vec::new(), nearest: None }
    }
}

/// What became of a hunk.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// It has exactly one place.
    Placed {
        /// How closely the lines agree.
        level: Level,
        /// Line number in the file before, from 1.
        line: usize,
        /// How far that is from where the header says; none if the header says nothing.
        #[serde(skip_serializing_if = "Option::is_none")]
        offset: Option<i64>,
        /// From 0 to 1.
        confidence: f64,
        /// What was put right, in words.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        repairs: Vec<String>,
    },
    /// The same edit stands in the patch twice; it was done once.
    Duplicate {
        /// The number of the first one, from 1.
        of: usize,
    },
    /// It has no place, or more than one.
    Refused(Refusal),
}

/// One hunk and what became of it.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    /// The number of the hunk in its file, from 1.
    pub hunk: usize,
    /// Line of the patch text where it begins, from 1.
    pub patch_line: usize,
    /// What became of it.
    #[serde(flatten)]
    pub outcome: Outcome,
}

impl Decision {
    /// Takes out what quotes the file, for files whose content must not be shown.
    pub fn without_content(&mut self) {
        match &mut self.outcome {
            Outcome::Placed { repairs, .. } => repairs.clear(),
            Outcome::Duplicate { .. } => {}
            Outcome::Refused(refusal) => {
                refusal.nearest = None;
                refusal.message = format!(
                    "refused ({}); more is not shown, because this file usually holds secrets",
                    refusal.reason.code()
                );
            }
        }
    }

    /// The refusal, if it was refused.
    pub fn refusal(&self) -> Option<&Refusal> {
        match &self.outcome {
            Outcome::Refused(refusal) => Some(refusal),
            _ => None,
        }
    }
}
