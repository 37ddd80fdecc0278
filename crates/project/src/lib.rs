//! The ground everything stands on: where a project is, who it is, its settings, and the paths inside it.
//!
//! What this crate promises:
//! - [`RelPath`] is the only way to name a file of the project. It never leaves the root, never enters `.git` or vib's
//!   own folder, and is opened through [`platform::DirHandle`], which follows no symbolic link on the way.
//! - [`Context`] carries time, randomness and environment, so that tests own them. Nothing else reads them.
//! - Everything that differs between operating systems is in [`platform`]; a port is that module.
//!
//! Start reading at [`Project::open`].

pub mod config;
mod context;
mod error;
mod identity;
mod lane;
mod lock;
mod nested;
pub mod platform;
mod project;
mod rel_path;
mod replace;
mod root;
mod too_wide;

pub use config::Config;
pub use context::{Clock, Context, Random};
pub use error::{Error, Result, io_next};
pub use identity::{ProjectId, StoredProject, new_id, stored_projects};
pub use lane::{LaneOf, lanes_of, state_of};
pub use lock::{FileLock, LockHolder, patience, wait_at_most};
pub use nested::{GitMark, git_mark, is_own_project, mark_in, own_project_of};
pub use project::Project;
pub use rel_path::{RelPath, RelPathError, is_reserved_name};
pub use replace::{Readers, Replacement, write_atomic, write_over, write_private, write_view};
pub use root::{RootKind, find_root, find_root_from, known_project_of};
pub use too_wide::{holds_everything, stray_git_folders};
