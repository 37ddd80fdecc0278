//! Text for people. Each function turns one report of the engine into a few clear lines.

mod diff;
mod doctor;
mod history;
mod hooks;
mod settings;
mod storage;
mod undo;
mod words;

pub(crate) use diff::{diff, show, status};
pub(crate) use doctor::doctor;
pub(crate) use history::{checkpoint, history, init, pinned};
pub(crate) use hooks::{hooks_done, hooks_plan};
pub(crate) use settings::{setting, setting_changed, settings};
pub(crate) use storage::{check, export, gc, projects, stats};
pub(crate) use undo::{preview, undone};
