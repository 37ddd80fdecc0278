//! [`Why`]: one thing that makes it risky, as a code with the files and names it speaks of. Surfaces put it into words.

use crate::{FileReason, FileStory, Risk, Violation};

/// So many paths are named; the rest is a number.
const NAMED: usize = 20;

/// A reason with its weight.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Reason {
    /// How much it weighs.
    pub risk: Risk,
    /// What it is.
    #[serde(flatten)]
    pub why: Why,
}

impl Reason {
    /// The weightiest first; among equals what is lost, then what is certain, then the path.
    pub fn order(&self) -> impl Ord + use<> {
        (std::cmp::Reverse(self.risk), self.why.rank(), self.why.subject())
    }
}

/// What makes it risky.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Why {
    /// Files are gone, and nobody asked for that.
    Lost {
        /// Which, the first of them.
        paths: Vec<String>,
        /// How many.
        count: usize,
    },
    /// Files had content and have none.
    Emptied {
        /// Which, the first of them.
        paths: Vec<String>,
        /// How many.
        count: usize,
    },
    /// A secret stands there in plain sight.
    SecretAdded {
        /// The file.
        path: String,
        /// The line.
        line: Option<u32>,
    },
    /// A person protected it, and it changed all the same.
    Protected {
        /// The file.
        path: String,
    },
    /// A part that is marked to be kept is not as it was.
    KeepRegion {
        /// The file.
        path: String,
    },
    /// Two versions stand in the file, with the marks of a merge between them.
    ConflictMarks {
        /// The file.
        path: String,
        /// The line.
        line: Option<u32>,
    },
    /// It could be read as code and cannot any more.
    Unparseable {
        /// The file.
        path: String,
        /// The line.
        line: Option<u32>,
    },
    /// A file is gone that others still need.
    FileStillUsed {
        /// The file.
        path: String,
        /// Who needs it, some of them.
        users: Vec<String>,
        /// How many there are.
        count: usize,
    },
    /// Something is gone that others still use.
    StillUsed {
        /// The file that had it.
        path: String,
        /// Its name.
        name: String,
        /// Who uses it, some of them.
        users: Vec<String>,
        /// How many there are.
        count: usize,
    },
    /// A test checks less than before.
    TestWeakened {
        /// The file.
        path: String,
        /// The test; none: others are picked out.
        test: Option<String>,
    },
    /// The last check failed.
    CheckFailed {
        /// What was run.
        command: String,
    },
    /// An agent ran in circles and rests.
    Circling {
        /// The client.
        client: String,
        /// The file; none: one call.
        path: Option<String>,
        /// The call that is held back, in words.
        call: Option<String>,
        /// How often.
        times: u32,
    },
    /// A named place lost its beginning or its end.
    AnchorBroken {
        /// The file.
        path: String,
        /// The place.
        name: Option<String>,
    },
    /// Most of the file is different.
    LargeRewrite {
        /// The file.
        path: String,
        /// How much of it, in percent.
        percent: u64,
    },
    /// A named place is gone.
    AnchorGone {
        /// The file.
        path: String,
        /// The place.
        name: Option<String>,
    },
    /// The last check does not count any more.
    CheckStale {
        /// What was run.
        command: String,
        /// Since what.
        because: String,
    },
    /// More files changed than a person looks through in passing.
    ManyFiles {
        /// How many.
        count: usize,
    },
    /// It usually holds secrets.
    SecretsFile {
        /// The file.
        path: String,
    },
    /// The program starts there.
    Entry {
        /// The file.
        path: String,
    },
    /// Settings steer everything else.
    Config {
        /// The file.
        path: String,
    },
    /// Many files need it.
    ManyUsers {
        /// The file.
        path: String,
        /// How many.
        count: usize,
    },
}

impl Why {
    pub(crate) fn lost(mut paths: Vec<String>) -> Self {
        let count = paths.len();
        paths.truncate(NAMED);
        Self::Lost { paths, count }
    }

    pub(crate) fn emptied(mut paths: Vec<String>) -> Self {
        let count = paths.len();
        paths.truncate(NAMED);
        Self::Emptied { paths, count }
    }

    /// Something is not there any more, so that bringing it back helps.
    pub fn is_loss(&self) -> bool {
        matches!(
            self,
            Self::Lost { .. } | Self::Emptied { .. } | Self::FileStillUsed { .. } | Self::StillUsed { .. }
        )
    }

    /// Among reasons of the same weight: what is lost, then what is broken, then what is only likely.
    fn rank(&self) -> u8 {
        match self {
            Self::Lost { .. } => 0,
            Self::Emptied { .. } => 1,
            Self::SecretAdded { .. } => 2,
            Self::Protected { .. } => 3,
            Self::KeepRegion { .. } => 4,
            Self::ConflictMarks { .. } => 5,
            Self::Unparseable { .. } => 6,
            Self::FileStillUsed { .. } => 7,
            Self::StillUsed { .. } => 8,
            Self::TestWeakened { .. } => 9,
            Self::CheckFailed { .. } => 10,
            Self::Circling { .. } => 11,
            Self::AnchorBroken { .. } => 12,
            Self::LargeRewrite { .. } => 13,
            Self::AnchorGone { .. } => 14,
            Self::CheckStale { .. } => 15,
            Self::ManyFiles { .. } => 16,
            Self::SecretsFile { .. } => 17,
            Self::Entry { .. } => 18,
            Self::Config { .. } => 19,
            Self::ManyUsers { .. } => 20,
        }
    }

    /// What it speaks of.
    fn subject(&self) -> (String, String) {
        let of = |path: &str, name: &str| (path.to_owned(), name.to_owned());
        match self {
            Self::Lost { paths, .. } | Self::Emptied { paths, .. } => {
                of(paths.first().map_or("", String::as_str), "")
            }
            Self::StillUsed { path, name, .. } => of(path, name),
            Self::TestWeakened { path, test } => of(path, test.as_deref().unwrap_or_default()),
            Self::AnchorBroken { path, name } | Self::AnchorGone { path, name } => {
                of(path, name.as_deref().unwrap_or_default())
            }
            Self::SecretAdded { path, .. }
            | Self::Protected { path }
            | Self::KeepRegion { path }
            | Self::ConflictMarks { path, .. }
            | Self::Unparseable { path, .. }
            | Self::FileStillUsed { path, .. }
            | Self::LargeRewrite { path, .. }
            | Self::SecretsFile { path }
            | Self::Entry { path }
            | Self::Config { path }
            | Self::ManyUsers { path, .. } => of(path, ""),
            Self::Circling { client, path, .. } => of(path.as_deref().unwrap_or_default(), client),
            Self::CheckFailed { command } | Self::CheckStale { command, .. } => of("", command),
            Self::ManyFiles { .. } => of("", ""),
        }
    }

    /// What `explain` found out about a file, as far as no rule of the guard says it more exactly.
    pub(crate) fn of_story(story: &FileStory, reason: &FileReason) -> Option<Self> {
        let path = story.path.clone();
        let old = story.old_path.clone().unwrap_or_else(|| path.clone());
        Some(match reason {
            FileReason::StillUsed { name, users, count } => {
                Self::StillUsed { path, name: name.clone(), users: users.clone(), count: *count }
            }
            FileReason::FileStillUsed { users, count } => {
                Self::FileStillUsed { path: old, users: users.clone(), count: *count }
            }
            FileReason::LargeRewrite { percent } => Self::LargeRewrite { path, percent: *percent },
            FileReason::ManyUsers { count } => Self::ManyUsers { path, count: *count },
            FileReason::Entry => Self::Entry { path },
            FileReason::Config => Self::Config { path },
            FileReason::Secrets => Self::SecretsFile { path },
            FileReason::SyntaxBroken { .. } | FileReason::TestWeakened { .. } | FileReason::Protected => {
                return None;
            }
        })
    }

    /// What a rule of the guard found.
    pub(crate) fn of_violation(violation: &Violation) -> Option<Self> {
        let path = violation.path.clone()?;
        let (line, name) = (violation.line, violation.name.clone());
        Some(match violation.rule {
            "protected-file" => Self::Protected { path },
            "secret-added" => Self::SecretAdded { path, line },
            "keep-region-changed" => Self::KeepRegion { path },
            "anchor-broken" => Self::AnchorBroken { path, name },
            "anchor-removed" => Self::AnchorGone { path, name },
            "conflict-markers" => Self::ConflictMarks { path, line },
            "syntax-broken" => Self::Unparseable { path, line },
            "test-deleted" | "test-skipped" | "test-weakened" | "test-focused" => {
                Self::TestWeakened { path, test: name.filter(|name| !name.is_empty()) }
            }
            _ => return None,
        })
    }
}
