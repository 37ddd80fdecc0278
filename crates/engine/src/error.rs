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
    /// Only a person may do this, or their passphrase is missing.
    #[error(transparent)]
    Person(#[from] person::Error),
    /// From the fence.
    #[error(transparent)]
    Fence(#[from] fence::Error),
    /// About a lane.
    #[error(transparent)]
    Lane(#[from] crate::lane::LaneError),
    /// About a run.
    #[error(transparent)]
    Run(#[from] crate::run::RunError),
    /// There is no checkpoint that differs from the present state.
    #[error("there is nothing to undo: {0}")]
    NothingToUndo(String),
    /// Nothing was undone that could be brought back.
    #[error("there is no undo to take back")]
    NothingToRedo,
    /// All that walking forward would change was changed again since the undo.
    #[error(
        "all that the last undo changed was changed again since (`{path}` first), so there is nothing to walk forward to"
    )]
    SomethingNewSince {
        /// The first file that was.
        path: String,
        /// The state before the undo.
        safety: Option<String>,
    },
    /// The person has to say yes, and cannot here.
    #[error("this would change files, and nobody can confirm it here")]
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
    /// A file that is wanted from a moment at which it was not there.
    #[error("`{path}` was not there in `{moment}`")]
    NotThereThen {
        /// The path.
        path: String,
        /// The checkpoint.
        moment: String,
    },
    /// A folder has no content of its own.
    #[error("`{path}` was a folder in `{moment}`")]
    FolderThen {
        /// The path.
        path: String,
        /// The checkpoint.
        moment: String,
    },
    /// A file that usually holds secrets.
    #[error("the content of `{path}` is not shown: this file usually holds secrets")]
    NotShown {
        /// The path.
        path: String,
        /// The checkpoint.
        moment: String,
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
    /// A file is guarded, and nobody was there to say yes to it by name. (S13)
    #[error("`{place}` {what}, so it is not written without a person's yes")]
    Guarded {
        /// Stable code of the reason.
        code: &'static str,
        /// The file.
        place: String,
        /// What is special about it.
        what: &'static str,
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
    /// Nothing is broken that going back would help.
    #[error("there is nothing to bring back: nothing looks damaged, or the files are already as they were")]
    NothingToRecover,
    /// There is no checkpoint from before.
    #[error("there is no safe checkpoint from before the trouble")]
    NoSafeCheckpoint,
    /// The first thing to do is not going back.
    #[error("the safest way is to mend {} and keep the work in it", list(.0))]
    MendFirst(Vec<String>),
    /// Words name nothing that is kept.
    #[error("I did not understand {}: no request, file or function that is kept has that name", list(.0))]
    NotUnderstood(Vec<String>),
    /// No plan has this id.
    #[error("there is no plan `{0}`")]
    PlanUnknown(String),
    /// It was carried out already.
    #[error("the plan `{0}` was carried out, or begun, already")]
    PlanUsed(String),
    /// It was shown too long ago.
    #[error("the plan `{0}` is too old: much may have changed since it was shown")]
    PlanExpired(String),
    /// Another recovery is going on.
    #[error("another change of files is going on (operation `{}`, about {} more seconds)", .0.operation, .0.eta_seconds)]
    RecoveryBusy(change::Busy),
    /// It took too long.
    #[error("it took longer than {seconds} seconds and was stopped{}", if *put_back { "; your files are as they were" } else { "" })]
    RecoveryTimedOut {
        /// The limit.
        seconds: u64,
        /// Everything is as it was.
        put_back: bool,
        /// The safety checkpoint.
        safety: String,
    },
    /// Files are not as the preview showed them.
    #[error("{} changed after the preview was made; nothing was brought back", list(paths))]
    ChangedAfterPreview {
        /// Which.
        paths: Vec<String>,
        /// A second yes to exactly their present state.
        code: String,
    },
    /// The yes was given to something else.
    #[error("what was shown is not what would be done now, so nothing was changed")]
    NotWhatWasShown,
    /// No step or request has this number.
    #[error("there is no {0} in the history of this project")]
    NotInHistory(String),
    /// No recovery can be taken back.
    #[error("there is no recovery to return from")]
    NothingToReturn,
    /// Only a person at a terminal can do this.
    #[error("only a person at a real terminal can do this")]
    NeedsTerminal,
    /// No request has this id, or its time is over.
    #[error("no request `{0}` is waiting; a request ends after five minutes and can be used once")]
    ApprovalUnknown(String),
    /// Nobody said yes yet.
    #[error("nobody has said yes to the request `{0}` yet")]
    ApprovalPending(String),
    /// The yes was given to something else.
    #[error("the request `{0}` was for another client or other changes")]
    ApprovalOther(String),
    /// The list of grants cannot be read, so nothing is granted.
    #[error("the list of grants `{}` cannot be read, so nothing is granted", .0.display())]
    GrantsUnreadable(PathBuf),
    /// Only a label can be judged.
    #[error("`{0}` was not called a drift candidate in the last look")]
    NotLabelled(String),
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
    /// Git could not be asked.
    #[error(transparent)]
    Git(#[from] git::Error),
    /// A file of known findings that was named is not there.
    #[error("there is no baseline `{}`", .0.display())]
    BaselineMissing(PathBuf),
    /// What a person typed is no fingerprint of a key.
    #[error("`{0}` is no fingerprint of a key")]
    NoFingerprint(String),
    /// A file of known findings does not parse.
    #[error("the baseline `{}` cannot be read: {detail}", file.display())]
    BadBaseline {
        /// The file.
        file: PathBuf,
        /// Why.
        detail: String,
    },
    /// There is no such grant in force.
    #[error("no grant in force belongs to `{0}`")]
    NoGrant(String),
    /// A named file or folder is not there.
    #[error("there is nothing at `{}`", .0.display())]
    NotThere(PathBuf),
    /// Nothing that is remembered has this id.
    #[error("nothing that is remembered has the id `{0}`, so nothing was changed")]
    NoSuchMemory(String),
    /// A named file is not there.
    #[error("there is no file `{path}` in the project")]
    NoSuchFile {
        /// The name.
        path: String,
        /// Names that are much like it.
        nearest: Vec<String>,
    },
    /// A name that is nowhere: not on the disk, in no checkpoint, not in git's last commit.
    #[error("nothing named `{path}` is in this project, and nothing of that name was ever saved")]
    NoSuchPath {
        /// The name.
        path: String,
        /// Names that are much like it.
        nearest: Vec<String>,
    },
    /// Words after `vib checkpoint` that could be files and are not.
    #[error("there is no file `{path}`, so nothing was saved")]
    NothingToSave {
        /// The word.
        path: String,
        /// Names that are much like it.
        nearest: Vec<String>,
    },
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
            Self::Person(error) => error.code(),
            Self::Fence(error) => error.code(),
            Self::Lane(error) => error.code(),
            Self::Run(error) => error.code(),
            Self::NothingToUndo(_) => "nothing_to_undo",
            Self::NothingToRedo => "nothing_to_redo",
            Self::SomethingNewSince { .. } => "something_new_since",
            Self::NeedsConfirmation => "needs_confirmation",
            Self::Declined => "declined",
            Self::PathUnknown { .. } => "path_unknown",
            Self::NotThereThen { .. } => "not_there_then",
            Self::FolderThen { .. } => "folder_then",
            Self::NotShown { .. } => "not_shown",
            Self::PatchUnreadable(error) => error.code(),
            Self::PatchRefused { code, .. } | Self::Guarded { code, .. } => code,
            Self::PatchPartly { .. } => "patch_not_written",
            Self::NothingToRecover => "nothing_to_recover",
            Self::NoSafeCheckpoint => "no_safe_checkpoint",
            Self::MendFirst(_) => "mend_first",
            Self::NotUnderstood(_) => "not_understood",
            Self::PlanUnknown(_) => "plan_unknown",
            Self::PlanUsed(_) => "plan_used",
            Self::PlanExpired(_) => "plan_expired",
            Self::RecoveryBusy(_) => "busy",
            Self::RecoveryTimedOut { .. } => "recovery_timed_out",
            Self::ChangedAfterPreview { .. } => "changed_after_preview",
            Self::NotWhatWasShown => "not_what_was_shown",
            Self::NotInHistory(_) => "not_in_history",
            Self::NothingToReturn => "nothing_to_return",
            Self::NeedsTerminal => "needs_terminal",
            Self::ApprovalUnknown(_) => "approval_unknown",
            Self::ApprovalPending(_) => "approval_pending",
            Self::ApprovalOther(_) => "approval_other",
            Self::GrantsUnreadable(_) => "grants_unreadable",
            Self::NotLabelled(_) => "not_labelled",
            Self::Memory(error) => error.code(),
            Self::Recall(error) => error.code(),
            Self::NoGlobalMemory => "no_global_memory",
            Self::MemoryMinimal => "memory_minimal",
            Self::Handoff(error) => error.code(),
            Self::BadImport { .. } => "bad_import",
            Self::AuditBusy => "audit_busy",
            Self::Git(git::Error::Missing) => "git_missing",
            Self::Git(git::Error::NotARepository(_)) => "not_a_git_repository",
            Self::Git(git::Error::Failed(_)) => "git_failed",
            Self::BaselineMissing(_) => "baseline_missing",
            Self::BadBaseline { .. } => "bad_baseline",
            Self::NoFingerprint(_) => "no_fingerprint",
            Self::NoGrant(_) => "no_grant",
            Self::NotThere(_) => "not_there",
            Self::NoSuchMemory(_) => "no_such_memory",
            Self::NoSuchFile { .. } => "no_such_file",
            Self::NoSuchPath { .. } => "no_such_path",
            Self::NothingToSave { .. } => "nothing_to_save",
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
            Self::Person(error) => error.next(),
            Self::Fence(error) => error.next(),
            Self::Lane(error) => error.next(),
            Self::Run(error) => error.next(),
            Self::NothingToUndo(_) => "`vib history` shows what happened, newest first".to_owned(),
            Self::NothingToRedo => "`vib history --all` also shows the safety checkpoints".to_owned(),
            Self::SomethingNewSince { safety: Some(id), .. } => {
                format!("`vib undo {id}` goes to the state before that undo; what you have now is saved first")
            }
            Self::SomethingNewSince { .. } => "`vib history --all` shows the states that are kept".to_owned(),
            Self::NeedsConfirmation => {
                "look at the preview with `--dry-run`, then add `--yes` if that is what you want".to_owned()
            }
            Self::Declined => "run the command again when you are sure".to_owned(),
            Self::PathUnknown { id, .. } => format!("`vib show {id}` lists what the checkpoint changed"),
            Self::NotThereThen { .. } => "`vib history` shows the checkpoints there are".to_owned(),
            Self::FolderThen { moment, .. } => {
                format!("name a file in it; `vib show {moment} --stat` lists what was different")
            }
            Self::NotShown { path, moment } => {
                format!("`vib undo {moment} {path}` brings the file back, after a look at what would change")
            }
            Self::PatchUnreadable(error) => error.next(),
            Self::PatchRefused { next, .. } => next.clone(),
            Self::Guarded { .. } => "choose another file, or let a person do it in a terminal".to_owned(),
            Self::PatchPartly { restored: true, .. } => {
                "everything is as it was; see to that file, then run the command again".to_owned()
            }
            Self::PatchPartly { safety, .. } => {
                format!("`vib undo {safety}` brings back the state before the patch")
            }
            Self::NothingToRecover => {
                "`vib recover --explain` says what changed; `vib recover --checkpoint ID` goes back all the same; `vib undo \"WORDS\"` takes back a request by its words".to_owned()
            }
            Self::NoSafeCheckpoint => {
                "`vib recover --explain` says what is known; `vib checkpoint` saves what you have now, for the next time".to_owned()
            }
            Self::NotUnderstood(_) => {
                "name a file, words of a request (`vib history` lists them), or a time such as `30 minutes ago`".to_owned()
            }
            Self::MendFirst(_) => {
                "ask the agent to mend it, or bring the old state back with `vib recover --preview --way 2`".to_owned()
            }
            Self::PlanUnknown(_) | Self::PlanUsed(_) | Self::PlanExpired(_) => {
                "make a new one with `vib recover --preview`".to_owned()
            }
            Self::RecoveryBusy(_) => {
                "wait until it is done, then look again with `vib recover`; nothing of yours was changed".to_owned()
            }
            Self::RecoveryTimedOut { put_back: true, .. } => {
                "raise `vib config set recovery.lock_timeout_seconds`, or bring back fewer files with `--file`".to_owned()
            }
            Self::RecoveryTimedOut { safety, .. } => {
                format!("`vib undo {safety}` brings back the state before")
            }
            // Only `vib recover` keeps what it showed, so only there can somebody say yes to it a second time.
            Self::ChangedAfterPreview { code, .. } => format!(
                "look at these files; they are saved. Make a new preview (`vib undo` shows one by itself); or replace them all the same, \
                 where `vib recover` asked, with `vib recover --yes --second-yes {code}`"
            ),
            Self::NotWhatWasShown => "look at the preview again".to_owned(),
            Self::NotInHistory(_) => "`vib history` shows the requests (r1, r2, …) and steps (s1, s2, …) there are".to_owned(),
            Self::NothingToReturn => "`vib history --all` also shows the safety checkpoints".to_owned(),
            Self::NeedsTerminal => "open a terminal in this project and type the command there yourself".to_owned(),
            Self::ApprovalUnknown(_) => {
                "`vib approve` lists what is waiting; if nothing is, let the tool ask again".to_owned()
            }
            Self::ApprovalPending(id) => format!("type `vib approve {id}` in a terminal of this project"),
            Self::ApprovalOther(_) => "let the tool show its plan again and ask anew".to_owned(),
            Self::GrantsUnreadable(_) => {
                "look at the file; if it is damaged, delete it and give the grants again".to_owned()
            }
            Self::NotLabelled(_) => "`vib recover --explain` shows the drift candidates there are".to_owned(),
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
            Self::Git(git::Error::Missing) => {
                "install git, or scan the files themselves with `vib secrets scan`, which needs no git"
                    .to_owned()
            }
            Self::Git(git::Error::NotARepository(_)) => {
                "scan the files themselves with `vib secrets scan`, which needs no git".to_owned()
            }
            Self::Git(git::Error::Failed(_)) => "run `git status` there and follow what it says, then try again".to_owned(),
            Self::BaselineMissing(_) => {
                "write it with `--write-baseline`, or leave `--baseline` away".to_owned()
            }
            Self::NoFingerprint(_) => {
                "take the three short words (such as `lusab-babad-gutih`) from vib's answer to the agent".to_owned()
            }
            Self::BadBaseline { .. } => "write it anew with `vib secrets scan --write-baseline`".to_owned(),
            Self::NoGrant(_) => "`vib mcp grants` lists the grants there are".to_owned(),
            Self::NotThere(_) => did_you_mean(&[]),
            Self::NoSuchMemory(_) => "`vib memory show --json` lists what is remembered, each with its id".to_owned(),
            Self::NoSuchFile { nearest, .. } | Self::NoSuchPath { nearest, .. } => did_you_mean(nearest),
            Self::NothingToSave { nearest, .. } => format!(
                "{}; `vib checkpoint -m \"your words\"` saves the whole project under that name",
                did_you_mean(nearest)
            ),
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
            Self::Lane(error) => error.exit_code(),
            Self::Run(error) => error.exit_code(),
            Self::PatchPartly { .. } | Self::RecoveryTimedOut { .. } => 3,
            Self::Memory(_)
            | Self::NoGlobalMemory
            | Self::Recall(_)
            | Self::AuditBusy
            | Self::Git(git::Error::Missing | git::Error::Failed(_))
            | Self::GrantsUnreadable(_)
            | Self::BadBaseline { .. }
            | Self::NotThere(_)
            | Self::ProtectedUnreadable { .. } => 3,
            Self::Store(error) if !error.is_refusal() => 3,
            Self::Lesson(error) if !error.is_refusal() => 3,
            Self::Handoff(error) if !error.is_refusal() => 3,
            _ => 1,
        }
    }
}

/// The names that were probably meant.
fn did_you_mean(nearest: &[String]) -> String {
    if nearest.is_empty() {
        return "check the spelling; the path is relative to the folder you are in".to_owned();
    }
    let names: Vec<String> = nearest.iter().map(|name| format!("`{name}`")).collect();
    format!("perhaps you meant {}", names.join(" or "))
}

/// The first few of some paths.
fn list(paths: &[String]) -> String {
    const SHOWN: usize = 3;
    let mut shown: Vec<String> = paths.iter().take(SHOWN).map(|path| format!("`{path}`")).collect();
    if paths.len() > SHOWN {
        shown.push(format!("{} more", paths.len() - SHOWN));
    }
    shown.join(", ")
}

impl From<project::Error> for Error {
    fn from(error: project::Error) -> Self {
        Self::Store(error.into())
    }
}

impl From<::audit::Error> for Error {
    fn from(error: ::audit::Error) -> Self {
        match error {
            ::audit::Error::Busy => Self::AuditBusy,
            ::audit::Error::Project(error) => error.into(),
        }
    }
}

impl From<change::Error> for Error {
    fn from(error: change::Error) -> Self {
        match error {
            change::Error::Store(error) => Self::Store(error),
            change::Error::Project(error) => Self::Store(error.into()),
            change::Error::Busy(busy) => Self::RecoveryBusy(busy),
            change::Error::TimedOut { seconds, put_back, safety } => {
                Self::RecoveryTimedOut { seconds, put_back, safety }
            }
            change::Error::ChangedAfterPreview { paths, code } => Self::ChangedAfterPreview { paths, code },
            change::Error::Partly { first, put_back, safety } => {
                Self::PatchPartly { first, restored: put_back, safety }
            }
            _ => Self::NotWhatWasShown,
        }
    }
}

impl From<project::RelPathError> for Error {
    fn from(error: project::RelPathError) -> Self {
        Self::Store(error.into())
    }
}
