//! Text for people. Each function turns one report of the engine into a few clear lines.

mod diff;
mod history;
mod judge;
mod patch;
mod settings;
mod spiral;
mod storage;
mod undo;
mod words;

pub(crate) use diff::{diff, show, status};
pub(crate) use history::{checkpoint, history, init, pinned};
pub(crate) use judge::judged;
pub(crate) use patch::{patch_applied, patch_preview, patch_refused, patch_to_file};
pub(crate) use settings::{setting, setting_changed, settings};
pub(crate) use spiral::spiral;
pub(crate) use storage::{check, export, gc, projects, stats};
pub(crate) use undo::{preview, undone};
pub(crate) use words::notices;
