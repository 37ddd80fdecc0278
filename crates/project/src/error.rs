//! What can go wrong on the ground, in words a person can act on.

use std::path::PathBuf;

/// The result of a ground operation.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error with a stable code, a message that says what happened to what, and a next step.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file operation failed; the message of `fs_err` names the file.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// A path names something that is not inside the project, or that vib never touches.
    #[error(transparent)]
    Path(#[from] crate::RelPathError),
    /// The project root would be a folder that holds everything else.
    #[error("`{}` is {what}, too wide to be a project", root.display())]
    RootTooWide {
        /// The folder.
        root: PathBuf,
        /// What the folder is, in words.
        what: &'static str,
        /// It can be made a project all the same, by somebody who says so.
        may_insist: bool,
    },
    /// No folder for state could be found.
    #[error("there is no folder to keep checkpoints in: neither VIBELIGN_STATE nor a home folder is set")]
    NoStateFolder,
    /// The state folder lies inside the project it should protect.
    #[error("the state folder `{}` is inside the project `{}`", state.display(), root.display())]
    StateInsideProject {
        /// The state folder.
        state: PathBuf,
        /// The project root.
        root: PathBuf,
    },
    /// A settings file does not parse.
    #[error("the settings file `{}` cannot be read: {message}", file.display())]
    ConfigSyntax {
        /// The file.
        file: PathBuf,
        /// The parser's words.
        message: String,
    },
    /// A settings key does not exist.
    #[error("there is no setting `{key}`")]
    ConfigUnknownKey {
        /// What was asked for.
        key: String,
        /// The nearest existing key, if one is near.
        nearest: Option<String>,
    },
    /// A settings value is not of the key's kind.
    #[error("`{value}` is not a value for `{key}`: it wants {wants}")]
    ConfigBadValue {
        /// The key.
        key: String,
        /// What was given.
        value: String,
        /// What is accepted, in words.
        wants: String,
    },
    /// The id file of the project is damaged.
    #[error("the project id in `{}` is not valid", file.display())]
    BadProjectId {
        /// The file.
        file: PathBuf,
    },
    /// No stored project has this id.
    #[error("no project with id `{id}` is stored on this machine")]
    UnknownProject {
        /// The id asked for.
        id: String,
    },
}

impl Error {
    /// The stable code of this error, never renamed.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Io(_) => "io",
            Self::Path(error) => error.code(),
            Self::RootTooWide { .. } => "root_too_wide",
            Self::NoStateFolder => "no_state_folder",
            Self::StateInsideProject { .. } => "state_inside_project",
            Self::ConfigSyntax { .. } => "config_syntax",
            Self::ConfigUnknownKey { .. } => "config_unknown_key",
            Self::ConfigBadValue { .. } => "config_bad_value",
            Self::BadProjectId { .. } => "bad_project_id",
            Self::UnknownProject { .. } => "unknown_project",
        }
    }

    /// What the person can do next.
    pub fn next(&self) -> String {
        match self {
            Self::Io(error) => io_next(error),
            Self::Path(error) => error.next().to_owned(),
            Self::RootTooWide { may_insist: false, .. } => {
                "make a folder of its own for your project, go into it and run the command there".to_owned()
            }
            Self::RootTooWide { .. } => {
                "go into the folder of your project and run the command there, or run `vib init --here` if you \
                 really mean this folder"
                    .to_owned()
            }
            Self::NoStateFolder => "set VIBELIGN_STATE to a folder that only you can read".to_owned(),
            Self::StateInsideProject { .. } => {
                "set VIBELIGN_STATE to a folder outside the project, so that checkpoints survive when the project \
                 folder is deleted"
                    .to_owned()
            }
            Self::ConfigSyntax { file, .. } => {
                format!("correct `{}` by hand; nothing was changed", file.display())
            }
            Self::ConfigUnknownKey { nearest: Some(nearest), .. } => {
                format!("did you mean `{nearest}`? `vib config list` shows them all")
            }
            Self::ConfigUnknownKey { nearest: None, .. } => "`vib config list` shows them all".to_owned(),
            Self::ConfigBadValue { key, .. } => format!("`vib config get {key}` shows the value in force"),
            Self::BadProjectId { file } => format!(
                "delete `{}`; vib finds the project again by its folder, and makes a new id only if it cannot",
                file.display()
            ),
            Self::UnknownProject { .. } => "`vib store list` shows the stored projects".to_owned(),
        }
    }
}

/// The next step for an I/O error, by its kind.
pub fn io_next(error: &std::io::Error) -> String {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            "the disk is full: free some space and try again; nothing that was saved before is lost"
                .to_owned()
        }
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            "you may not write or read there: check the owner and the mode of the folder, then try again"
                .to_owned()
        }
        ErrorKind::NotFound => "check that the file or folder still exists".to_owned(),
        _ => "try again; if it stays, run `vib store check`".to_owned(),
    }
}
