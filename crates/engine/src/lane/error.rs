//! What can be wrong with a lane.

/// An error about a lane.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LaneError {
    /// Nothing has this name.
    #[error("there is no lane `{0}`")]
    Unknown(String),
    /// The name is in use.
    #[error("there is a lane `{name}` already{}", if *.dropped { ", which was dropped" } else { "" })]
    Taken {
        /// The name.
        name: String,
        /// It was dropped, and can be brought back.
        dropped: bool,
    },
    /// No folder can have this name.
    #[error("`{0}` is no name for a lane")]
    BadName(String),
    /// The lane was dropped.
    #[error("the lane `{0}` was dropped")]
    Dropped(String),
    /// Its folder is gone.
    #[error("the folder of the lane `{0}` is gone")]
    FolderGone(String),
    /// Everything that the lane did is in the project.
    #[error("the lane `{0}` has nothing that the project does not have")]
    NothingToLand(String),
    /// All that the lane changed was changed in the project, too.
    #[error(
        "nothing of the lane `{name}` can simply land: {files} of its files were changed in the project, too"
    )]
    OnlyConflicts {
        /// The lane.
        name: String,
        /// How many files.
        files: usize,
    },
    /// A check that passes in the project fails with what the lane did.
    #[error("with what the lane `{name}` did, `{check}` fails, and it passes without")]
    ChecksFail {
        /// The lane.
        name: String,
        /// The first such check.
        check: String,
    },
    /// A check passes with what the lane did only because the check was changed.
    #[error("with what the lane `{name}` did, `{check}` passes only because the check itself was changed")]
    CheckChanged {
        /// The lane.
        name: String,
        /// The first such check.
        check: String,
    },
    /// A file was named that the lane did not change.
    #[error("the lane did not change `{0}`")]
    NotChanged(String),
    /// Programs run in it.
    #[error("programs are at work in the lane `{name}`: {programs}")]
    AtWork {
        /// The lane.
        name: String,
        /// Some of them.
        programs: String,
    },
    /// A work tree of git: it is git's to remove.
    #[error("`{0}` is a work tree that git made, so it is git's to remove")]
    GitsOwn(String),
    /// The state that the lane has to be compared with is not kept any more.
    #[error("the state that the lane `{0}` began with is not kept any more")]
    BaseGone(String),
    /// What is known about the lane cannot be read.
    #[error("what vib wrote down about the lane `{0}` cannot be read")]
    Unreadable(String),
}

impl LaneError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unknown(_) => "no_such_lane",
            Self::Taken { .. } => "lane_exists",
            Self::BadName(_) => "bad_lane_name",
            Self::Dropped(_) => "lane_dropped",
            Self::FolderGone(_) => "lane_folder_gone",
            Self::NothingToLand(_) => "nothing_to_land",
            Self::OnlyConflicts { .. } => "only_conflicts",
            Self::ChecksFail { .. } => "checks_fail",
            Self::CheckChanged { .. } => "check_changed",
            Self::NotChanged(_) => "not_changed_in_lane",
            Self::AtWork { .. } => "lane_at_work",
            Self::GitsOwn(_) => "gits_own",
            Self::BaseGone(_) => "lane_base_gone",
            Self::Unreadable(_) => "lane_unreadable",
        }
    }

    /// What the person can do next.
    pub fn next(&self) -> String {
        match self {
            Self::Unknown(_) => "`vib lane list --all` shows the lanes there are".to_owned(),
            Self::Taken { name, dropped: true } => {
                format!("`vib lane open {name}` brings it back; or choose another name")
            }
            Self::Taken { name, .. } => {
                format!("`vib lane open {name}` says where it is; or choose another name")
            }
            Self::BadName(_) => {
                "take letters, digits, `-`, `_` and `.`, at most 40, beginning with a letter or digit"
                    .to_owned()
            }
            Self::Dropped(name) | Self::FolderGone(name) => {
                format!("`vib lane open {name}` brings it back as it was last")
            }
            Self::NothingToLand(name) => {
                format!("`vib lane diff {name}` shows what it did; `vib lane drop {name}` puts it away")
            }
            Self::OnlyConflicts { name, .. } => format!(
                "look with `vib land {name} --dry-run`; then `vib lane merge {name}` brings the project's changes into the lane, or take one side with `--take lane FILE` or `--take main FILE`"
            ),
            Self::ChecksFail { name, .. } | Self::CheckChanged { name, .. } => format!(
                "put it right in the lane (`vib lane open {name}`), or land it all the same with `vib land {name} --no-check`"
            ),
            Self::NotChanged(_) => "name a file as the preview (`--dry-run`) does".to_owned(),
            Self::AtWork { name, .. } => {
                format!("end them first, or drop it all the same with `vib lane drop {name} --force`")
            }
            Self::GitsOwn(_) => {
                "`git worktree remove FOLDER` takes it away; what vib saved of it stays".to_owned()
            }
            Self::BaseGone(name) => {
                format!("copy by hand what you need: `vib lane open {name}` says where the lane is")
            }
            Self::Unreadable(name) => {
                format!("the lane's files are untouched; see `vib lane list` for where `{name}` is")
            }
        }
    }

    /// Exit code.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::BadName(_) => 2,
            Self::Unreadable(_) | Self::BaseGone(_) => 3,
            _ => 1,
        }
    }
}
