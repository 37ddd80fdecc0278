//! Text for people. Each function turns one report of the engine into a few clear lines.

mod audit;
mod diff;
mod history;
mod secrets;
mod settings;
mod storage;
mod undo;
mod words;

pub(crate) use audit::{audit_metrics, audit_show, audit_slo};
pub(crate) use diff::{diff, show, status};
pub(crate) use history::{checkpoint, history, init, pinned};
pub(crate) use secrets::{redacted, secrets, secrets_jsonl, secrets_sarif};
pub(crate) use settings::{setting, setting_changed, settings};
pub(crate) use storage::{check, export, gc, projects, stats};
pub(crate) use undo::{preview, undone};
