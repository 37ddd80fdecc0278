//! Errors of the use cases; most come from below.

use std::path::PathBuf;

/// The result of a use case.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error with a stable code, a message, a next step and a weight.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// From the store or below.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// From the lessons.
    #[error(transparent)]
    Lesson(#[from] memory::lessons::Error),
    /// There is no checkpoint that differs from the present state.
    #[error("there is nothing to undo: {0}")]
    NothingToUndo(String),
    /// Nothing was undone that could be brought back.
    #[error("there is no undo to take back")]
    NothingToRedo,
    /// The person has to say yes, and cannot here.
    #[error("this would change files, and nobody is there to say yes")]
    NeedsConfirmation,
    /// The person said no.
    #[error("stopped: nothing was changed")]
    Declined,
    /// A named path is neither in the checkpoint nor on the disk.
    #[error("`{path}` is not in checkpoint `{id}`, and not in the project now")]
    PathUnknown {
        /// The path.
        path: String,
        /// The checkpoint.
        id: String,
    },
    /// The text of a patch cannot be read as edits.
    #[error("{0}")]
    PatchUnreadable(#[source] ::patch::ParseError),
    /// A patch was refused as a whole; nothing was written.
    #[error("{message}")]
    PatchRefused {
        /// Stable code of the first reason.
        code: &'static str,
        /// What is the matter.
        message: String,
        /// What to do next.
        next: String,
    },
    /// A file could not be written, so the whole patch was taken back.
    #[error("the patch was not applied, because a file could not be written: {first}")]
    PatchPartly {
        /// The file, and why.
        first: String,
        /// Everything is as it was.
        restored: bool,
        /// The safety checkpoint.
        safety: String,
    },
    /// The memory log.
    #[error(transparent)]
    Memory(#[from] ::memory::log::LogError),
    /// There is nowhere for memory that all projects share.
    #[error(
        "there is no folder for the memory that all projects share: neither AI_MEMORY_PATH nor a home folder is set"
    )]
    NoGlobalMemory,
    /// Only the essential is kept.
    #[error("this was not remembered: memory is set to the minimum (goal, next step and checks)")]
    MemoryMinimal,
    /// The hand-off's file.
    #[error(transparent)]
    Handoff(#[from] ::memory::handoff::WriteError),
    /// A file to import from is not what it should be.
    #[error("nothing was imported from `{file}`: {detail}")]
    BadImport {
        /// The file, with the line where it is known.
        file: String,
        /// What is wrong with it.
        detail: String,
    },
    /// The index of memory.
    #[error(transparent)]
    Recall(#[from] ::memory::recall::Error),
    /// Other processes kept the audit log locked.
    #[error("the audit log is in use by another vib")]
    AuditBusy,
    /// The `git` program is needed and not there.
    #[error("the `git` program was not found")]
    GitMissing,
    /// Staged changes and history are git's, and there is no git here.
    #[error("`{}` is not in a git repository", .0.display())]
    NotGit(PathBuf),
    /// The `git` program could not do it.
    #[error("git could not be read: {0}")]
    GitFailed(String),
    /// A file of known findings that was named is not there.
    #[error("there is no baseline `{}`", .0.display())]
    BaselineMissing(PathBuf),
    /// A file of known findings does not parse.
    #[error("the baseline `{}` cannot be read: {detail}", file.display())]
    BadBaseline {
        /// The file.
        file: PathBuf,
        /// Why.
        detail: String,
    },
    /// A named file is not there.
    #[error("there is no file `{0}` in the project")]
    NoSuchFile(String),
    /// The file is not on the list of protected ones.
    #[error("`{0}` is not protected")]
    NotProtected(String),
    /// The list of protected files does not parse.
    #[error("the list of protected files `{}` cannot be read: {detail}", file.display())]
    ProtectedUnreadable {
        /// The file.
        file: PathBuf,
        /// Why.
        detail: String,
    },
    /// Git already has a pre-commit hook.
    #[error("there is already a pre-commit hook: `{}`", .0.display())]
    HookExists(PathBuf),
    /// The arguments do not fit together.
    #[error("{0}")]
    Usage(String),
}

impl Error {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Store(error) => error.code(),
            Self::Lesson(error) => error.code(),
            Self::NothingToUndo(_) => "nothing_to_undo",
            Self::NothingToRedo => "nothing_to_redo",
            Self::NeedsConfirmation => "needs_confirmation",
            Self::Declined => "declined",
            Self::PathUnknown { .. } => "path_unknown",
            Self::PatchUnreadable(error) => error.code(),
            Self::PatchRefused { code, .. } => code,
            Self::PatchPartly { .. } => "patch_not_written",
            Self::Memory(error) => error.code(),
            Self::Recall(error) => error.code(),
            Self::NoGlobalMemory => "no_global_memory",
            Self::MemoryMinimal => "memory_minimal",
            Self::Handoff(error) => error.code(),
            Self::BadImport { .. } => "bad_import",
            Self::AuditBusy => "audit_busy",
            Self::GitMissing => "git_missing",
            Self::NotGit(_) => "not_a_git_repository",
            Self::GitFailed(_) => "git_failed",
            Self::BaselineMissing(_) => "baseline_missing",
            Self::BadBaseline { .. } => "bad_baseline",
            Self::NoSuchFile(_) => "no_such_file",
            Self::NotProtected(_) => "not_protected",
            Self::ProtectedUnreadable { .. } => "protected_unreadable",
            Self::HookExists(_) => "hook_exists",
            Self::Usage(_) => "usage",
        }
    }

    /// What the person can do next.
    pub fn next(&self) -> String {
        match self {
            Self::Store(error) => error.next(),
            Self::Lesson(error) => error.next(),
            Self::NothingToUndo(_) => "`vib history` shows the checkpoints there are".to_owned(),
            Self::NothingToRedo => "`vib history --all` also shows the safety checkpoints".to_owned(),
            Self::NeedsConfirmation => {
                "look at the preview with `--dry-run`, then add `--yes` if that is what you want".to_owned()
            }
            Self::Declined => "run the command again when you are sure".to_owned(),
            Self::PathUnknown { id, .. } => format!("`vib show {id}` lists what the checkpoint changed"),
            Self::PatchUnreadable(error) => error.next(),
            Self::PatchRefused { next, .. } => next.clone(),
            Self::PatchPartly { restored: true, .. } => {
                "everything is as it was; see to that file, then run the command again".to_owned()
            }
            Self::PatchPartly { safety, .. } => {
                format!("`vib undo {safety}` brings back the state before the patch")
            }
            Self::Memory(error) => error.next(),
            Self::Recall(error) => error.next().to_owned(),
            Self::NoGlobalMemory => {
                "set AI_MEMORY_PATH to a folder that only you can read; the project's own memory works without it".to_owned()
            }
            Self::MemoryMinimal => {
                "`vib config set memory.minimal false` lets vib remember more".to_owned()
            }
            Self::Handoff(error) => error.next(),
            Self::BadImport { .. } => {
                "correct that place or take it out, then run the command again; memory is as it was".to_owned()
            }
            Self::AuditBusy => "try again in a moment; if it stays, another vib hangs: end it".to_owned(),
            Self::GitMissing => {
                "install git, or scan the files themselves with `vib secrets scan`, which needs no git"
                    .to_owned()
            }
            Self::NotGit(_) => {
                "scan the files themselves with `vib secrets scan`, which needs no git".to_owned()
            }
            Self::GitFailed(_) => "run `git status` there and follow what it says, then try again".to_owned(),
            Self::BaselineMissing(_) => {
                "write it with `--write-baseline`, or leave `--baseline` away".to_owned()
            }
            Self::BadBaseline { .. } => "write it anew with `vib secrets scan --write-baseline`".to_owned(),
            Self::NoSuchFile(_) => "check the spelling; the path is relative to the folder you are in".to_owned(),
            Self::NotProtected(_) => "`vib protect --list` shows what is protected".to_owned(),
            Self::ProtectedUnreadable { .. } => {
                "delete that file if you are sure, then protect your files again with `vib protect FILE`".to_owned()
            }
            Self::HookExists(_) => {
                "it was left alone; add the line `vib guard --staged || exit 1` to it by hand if you want both".to_owned()
            }
            Self::Usage(_) => "see `vib help`".to_owned(),
        }
    }

    /// Exit code: 1 refused, 2 wrong usage, 3 could not.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::PatchPartly { .. } => 3,
            Self::Memory(_)
            | Self::NoGlobalMemory
            | Self::Recall(_)
            | Self::AuditBusy
            | Self::GitMissing
            | Self::GitFailed(_)
            | Self::BadBaseline { .. }
            | Self::ProtectedUnreadable { .. } => 3,
            Self::Store(error) if !error.is_refusal() => 3,
            Self::Lesson(error) if !error.is_refusal() => 3,
            Self::Handoff(error) if !error.is_refusal() => 3,
            _ => 1,
        }
    }
}

impl From<project::Error> for Error {
    fn from(error: project::Error) -> Self {
        Self::Store(error.into())
    }
}

impl From<project::RelPathError> for Error {
    fn from(error: project::RelPathError) -> Self {
        Self::Store(error.into())
    }
}
