//! What can go wrong with lessons.

use std::time::Duration;

use super::Problem;

/// The result of working with lessons.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error with a stable code, a message and a next step.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file has a mistake in it; writing could lose what the person meant.
    #[error("`LESSONS.md` was left alone, because line {} of it has a mistake: {}", .0.line, .0.message)]
    Broken(Problem),
    /// The file is a link or not a file at all.
    #[error("`LESSONS.md` is {0}, and vib only works with an ordinary file there")]
    NotAFile(&'static str),
    /// No lesson has this id.
    #[error("there is no lesson `{0}`")]
    Unknown(String),
    /// More than one lesson has an id that begins so.
    #[error("`{0}` is the beginning of more than one lesson's id")]
    Ambiguous(String),
    /// A lesson without words.
    #[error("a lesson needs a text")]
    Empty,
    /// A lesson that nobody would read.
    #[error("this lesson has {0} characters; at most {1} are kept")]
    TooLong(usize, usize),
    /// Somebody else is writing the file.
    #[error("`LESSONS.md` was in use by another vib for {} seconds", .0.as_secs())]
    Busy(Duration),
    /// Somebody saved the file while it was being changed.
    #[error("`LESSONS.md` was left alone, because somebody else saved it at this very moment")]
    Changed,
    /// The disk said no.
    #[error("`LESSONS.md` could not be {what}: {error}")]
    Io {
        /// `read` or `written`.
        what: &'static str,
        /// Why.
        #[source]
        error: std::io::Error,
    },
}

impl Error {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Broken(_) => "lessons_broken",
            Self::NotAFile(_) => "lessons_not_a_file",
            Self::Unknown(_) => "lesson_unknown",
            Self::Ambiguous(_) => "lesson_ambiguous",
            Self::Empty => "lesson_empty",
            Self::TooLong(..) => "lesson_too_long",
            Self::Busy(_) => "lessons_busy",
            Self::Changed => "lessons_changed",
            Self::Io { .. } => "lessons_io",
        }
    }

    /// What the person can do next.
    pub fn next(&self) -> String {
        match self {
            Self::Broken(problem) => format!(
                "open `LESSONS.md`, correct or delete the block at line {}, then try again",
                problem.line
            ),
            Self::NotAFile(_) => "put an ordinary file in its place, or take it away".to_owned(),
            Self::Unknown(_) => "`vib lesson list` shows the ids there are".to_owned(),
            Self::Ambiguous(_) => "type more letters of the id; `vib lesson list` shows them".to_owned(),
            Self::Empty => {
                "say what the agent should do differently, such as `vib lesson add \"Read a file again before you edit it\"`"
                    .to_owned()
            }
            Self::TooLong(..) => "say it in one or two sentences".to_owned(),
            Self::Busy(_) | Self::Changed => "try again in a moment".to_owned(),
            Self::Io { error, .. } => project::io_next(error),
        }
    }

    /// The person asked for something that cannot be; else the machine could not.
    pub fn is_refusal(&self) -> bool {
        !matches!(self, Self::Busy(_) | Self::Changed | Self::Io { .. })
    }
}
