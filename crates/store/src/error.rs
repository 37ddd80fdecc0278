//! What can go wrong with checkpoints, in words a person can act on.

use std::path::PathBuf;

use project::LockHolder;

/// The result of a store operation.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error with a stable code, a message that says what happened to what, and a next step.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file operation failed; the message names the file.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The project or a path in it.
    #[error(transparent)]
    Project(#[from] project::Error),
    /// The index of checkpoints could not be read or written.
    #[error("the checkpoint index could not be used: {0}")]
    Database(rusqlite::Error),
    /// The disk or the quota is full.
    #[error("the disk is full, so the checkpoint could not be saved")]
    DiskFull,
    /// The folder that keeps the checkpoints cannot be written.
    #[error("the checkpoint folder `{}` cannot be written", .0.display())]
    ReadOnly(PathBuf),
    /// The content of a step that retention let go.
    #[error("this content was let go: the step that names it is older than what is kept")]
    ContentExpired {
        /// The oldest checkpoint that is left.
        oldest_available: Option<String>,
    },
    /// Written by a newer vib.
    #[error("these checkpoints were written by a newer vib (format {found}; this one knows {known})")]
    NewerSchema {
        /// The format found.
        found: i64,
        /// The newest format this program knows.
        known: i64,
    },
    /// The index file is damaged as a whole.
    #[error("the checkpoint index `{}` is damaged: {detail}", file.display())]
    DamagedIndex {
        /// The file.
        file: PathBuf,
        /// What was found.
        detail: String,
    },
    /// Some content is damaged or gone.
    #[error("the saved content {hash} is damaged: {detail}")]
    DamagedContent {
        /// Which content, shortened.
        hash: String,
        /// What was found.
        detail: String,
    },
    /// Nothing has this id.
    #[error("`{0}` is not a checkpoint of this project")]
    NotACheckpoint(String),
    /// Several have this beginning.
    #[error("`{prefix}` fits {count} checkpoints: {examples}")]
    AmbiguousId {
        /// What was typed.
        prefix: String,
        /// How many fit.
        count: usize,
        /// Some of them.
        examples: String,
    },
    /// It existed and was let go by retention.
    #[error("checkpoint `{id}` has expired and its content is no longer kept")]
    SnapshotExpired {
        /// The id.
        id: String,
        /// The oldest checkpoint that is still there.
        oldest_available: Option<String>,
    },
    /// Another process is restoring, saving or cleaning.
    #[error("another vib is working on this project{}", describe_holder(.0.as_ref()))]
    Busy(Option<LockHolder>),
    /// Two paths of the plan are the same name on this file system.
    #[error("`{0}` and `{1}` are the same file name on this disk, so they cannot both be written")]
    CaseCollision(String, String),
    /// The files are no longer as they were when the plan was shown.
    #[error("{count} file(s) changed after the preview was made, the first is `{first}`")]
    ChangedSincePreview {
        /// How many.
        count: usize,
        /// One of them.
        first: String,
    },
    /// The export target exists.
    #[error("`{}` exists already", .0.display())]
    TargetExists(PathBuf),
    /// git could not do its part of an export.
    #[error("git could not make the branch: {0}")]
    GitExport(String),
}

fn describe_holder(holder: Option<&LockHolder>) -> String {
    holder.map_or_else(String::new, |holder| format!(" ({}, process {})", holder.doing, holder.pid))
}

impl Error {
    /// The stable code of this error, never renamed.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Io(error) if is_full(error.kind()) => "disk_full",
            Self::Io(_) => "io",
            Self::Project(error) => error.code(),
            Self::Database(_) => "database",
            Self::DiskFull => "disk_full",
            Self::ReadOnly(_) => "read_only",
            Self::NewerSchema { .. } => "newer_schema",
            Self::DamagedIndex { .. } => "damaged_index",
            Self::DamagedContent { .. } => "damaged_content",
            Self::NotACheckpoint(_) => "not_a_checkpoint",
            Self::AmbiguousId { .. } => "ambiguous_id",
            Self::SnapshotExpired { .. } | Self::ContentExpired { .. } => "snapshot_expired",
            Self::Busy(_) => "busy",
            Self::CaseCollision(..) => "case_collision",
            Self::ChangedSincePreview { .. } => "changed_since_preview",
            Self::TargetExists(_) => "target_exists",
            Self::GitExport(_) => "git_export",
        }
    }

    /// What the person can do next.
    pub fn next(&self) -> String {
        match self {
            Self::Io(error) => project::io_next(error),
            Self::Project(error) => error.next(),
            Self::Database(_) => "try again; if it stays, run `vib store check`".to_owned(),
            Self::DiskFull => {
                "free some space and try again; everything saved before is still there. `vib store stats` shows what \
                 the checkpoints use"
                    .to_owned()
            }
            Self::ReadOnly(_) => {
                "make that folder writable, or set VIBELIGN_STATE to one that is; your files were not touched".to_owned()
            }
            Self::NewerSchema { .. } => "update vib; nothing was changed".to_owned(),
            Self::DamagedIndex { .. } => {
                "run `vib store check --repair`: it rebuilds what can be rebuilt and says what is lost".to_owned()
            }
            Self::DamagedContent { .. } => {
                "run `vib store check` to see which checkpoints are affected; the others can still be used".to_owned()
            }
            Self::NotACheckpoint(_) => "`vib history` shows the checkpoints there are".to_owned(),
            Self::AmbiguousId { .. } => "type one more letter of the id".to_owned(),
            Self::SnapshotExpired { oldest_available: Some(oldest), .. }
            | Self::ContentExpired { oldest_available: Some(oldest) } => {
                format!("the oldest checkpoint still kept is `{oldest}`; `vib history --all` shows them all")
            }
            Self::SnapshotExpired { oldest_available: None, .. }
            | Self::ContentExpired { oldest_available: None } => "no older checkpoint is kept".to_owned(),
            Self::Busy(_) => "wait for it to finish, then run the command again; nothing was changed".to_owned(),
            Self::CaseCollision(..) => "restore one of the two by naming it: `vib undo ID PATH`".to_owned(),
            Self::ChangedSincePreview { .. } => "run the command again to see the new preview".to_owned(),
            Self::TargetExists(_) => "choose another name, or move that one away".to_owned(),
            Self::GitExport(_) => "use `vib store export --tar FILE` instead, which needs no git".to_owned(),
        }
    }

    /// True if the thing asked for cannot be had (exit code 1), as opposed to something having failed (3).
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::NotACheckpoint(_)
            | Self::AmbiguousId { .. }
            | Self::SnapshotExpired { .. }
            | Self::ContentExpired { .. }
            | Self::Busy(_)
            | Self::CaseCollision(..)
            | Self::ChangedSincePreview { .. }
            | Self::TargetExists(_) => true,
            Self::Project(error) => !matches!(error, project::Error::Io(_)),
            _ => false,
        }
    }
}

fn is_full(kind: std::io::ErrorKind) -> bool {
    use std::io::ErrorKind;
    matches!(kind, ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge)
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => Self::DiskFull,
            Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked) => Self::Busy(None),
            _ => Self::Database(error),
        }
    }
}

impl From<project::RelPathError> for Error {
    fn from(error: project::RelPathError) -> Self {
        Self::Project(error.into())
    }
}
