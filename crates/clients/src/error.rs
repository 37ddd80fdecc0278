//! What can stand in the way of an installation. Nothing was written when one of these comes back.

use std::path::PathBuf;

use crate::Client;

/// The result of an installation step.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error with a stable code, a message and a next step.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file operation failed; the message of `fs_err` names the file.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// A settings file of a client does not parse.
    #[error("`{}` is not valid JSON: line {line}, column {column}: {message}", file.display())]
    Syntax {
        /// The file.
        file: PathBuf,
        /// Counted from one.
        line: usize,
        /// Counted from one.
        column: usize,
        /// The parser's words.
        message: String,
    },
    /// A settings file of a client parses, but is not built as that client wants it.
    #[error("`{}` line {line}, column {column}: {message}", file.display())]
    Shape {
        /// The file.
        file: PathBuf,
        /// Counted from one.
        line: usize,
        /// Counted from one.
        column: usize,
        /// What is there and what should be.
        message: String,
    },
    /// The client would not read the file, so hooks in it would never run.
    #[error("{} does not read `{}` at all: {}", client.title(), file.display(), why.words())]
    Unread {
        /// The client.
        client: crate::Client,
        /// The file.
        file: PathBuf,
        /// Why.
        why: crate::unread::Unread,
    },
    /// A settings file is not UTF-8.
    #[error("`{}` is not a text file in UTF-8", file.display())]
    NotText {
        /// The file.
        file: PathBuf,
    },
    /// Our own check of an edit failed.
    #[error("the edit of `{}` would have changed more than vib's own entries", file.display())]
    Unsafe {
        /// The file.
        file: PathBuf,
    },
    /// Somebody else's file has the name of one of ours.
    #[error("`{}` is there already and is not vib's", file.display())]
    Foreign {
        /// The file.
        file: PathBuf,
    },
    /// The file was made read-only.
    #[error("`{}` is read-only", file.display())]
    ReadOnly {
        /// The file.
        file: PathBuf,
    },
    /// A link leads nowhere, or to something that is no file.
    #[error("`{}` is not a file, and not a link to one", file.display())]
    NotAFile {
        /// The file.
        file: PathBuf,
    },
    /// The file changed between the preview and the edit.
    #[error("`{}` was changed by something else just now", file.display())]
    Changed {
        /// The file.
        file: PathBuf,
    },
    /// The client has no settings for one person in one project.
    #[error("{} keeps no settings of a project that are only yours: those it has get committed", client.title())]
    NoPrivateFile {
        /// The client.
        client: Client,
    },
    /// In the home folder, the client's settings of the project are the person's own.
    #[error("in your home folder {}'s settings of a project are your own", client.title())]
    HomeIsNoProject {
        /// The client.
        client: Client,
    },
    /// There is no home folder for the user's own settings.
    #[error("there is no home folder, so there are no settings of your own to change")]
    NoHome,
}

impl Error {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Io(_) => "io",
            Self::Syntax { .. } => "client_config_syntax",
            Self::Shape { .. } => "client_config_shape",
            Self::Unread { .. } => "client_config_unread",
            Self::NotText { .. } => "client_config_not_text",
            Self::Unsafe { .. } => "client_config_unsafe_edit",
            Self::Foreign { .. } => "client_file_foreign",
            Self::ReadOnly { .. } => "client_config_read_only",
            Self::NotAFile { .. } => "client_config_not_a_file",
            Self::Changed { .. } => "client_config_changed",
            Self::NoPrivateFile { .. } => "client_no_private_file",
            Self::HomeIsNoProject { .. } => "client_home_is_no_project",
            Self::NoHome => "no_home",
        }
    }

    /// What the person can do next.
    pub fn next(&self) -> String {
        match self {
            Self::Io(error) => project::io_next(error),
            Self::Syntax { .. } | Self::Shape { .. } | Self::NotText { .. } => {
                "mend the file there, then run the command again; nothing was written".to_owned()
            }
            Self::Unread { file, .. } => {
                format!(
                    "take that out of `{}`, then run the command again; nothing was written",
                    file.display()
                )
            }
            Self::Unsafe { file } => {
                format!("nothing was written; please report this with the content of `{}`", file.display())
            }
            Self::Foreign { file } => format!("move `{}` away, then run the command again", file.display()),
            Self::ReadOnly { file } => {
                format!("make `{}` writable if vib may change it, then run the command again", file.display())
            }
            Self::NotAFile { file } => {
                format!("look where `{}` leads, mend it, then run the command again", file.display())
            }
            Self::Changed { .. } => "run the command again".to_owned(),
            Self::NoPrivateFile { .. } => {
                "`--scope user` puts vib into your own settings, for every project; `--scope team` into the shared ones"
                    .to_owned()
            }
            Self::HomeIsNoProject { .. } => "`--scope user` puts vib into your own settings".to_owned(),
            Self::NoHome => "set HOME, or use `--scope team`".to_owned(),
        }
    }
}
