//! Text for people. Each function turns one report of the engine into a few clear lines.

mod approve;
mod audit;
mod diff;
mod doctor;
mod explain;
mod grants;
mod guard;
mod history;
mod hooks;
mod init;
mod judge;
mod learned;
mod lesson;
mod lock;
mod memory;
mod overview;
mod patch;
mod patch_text;
mod protection;
mod recall;
mod recover;
mod scan;
mod secrets;
mod settings;
mod spiral;
mod storage;
mod story;
mod undo;
mod verdict;
mod words;
mod work;

pub(crate) use approve::{approval, approvals};
pub(crate) use audit::{audit_metrics, audit_show, audit_slo};
pub(crate) use diff::{about as diff_about, diff, lists_only, old_file, show, shown, status};
pub(crate) use doctor::doctor;
pub(crate) use explain::explain;
pub(crate) use grants::{grant_made, grants, grants_revoked, span};
pub(crate) use guard::{anchors, guard, guard_hook, guard_sarif, protected};
pub(crate) use history::{checkpoint, checkpoints, pinned};
pub(crate) use hooks::{hooks_done, hooks_plan};
pub(crate) use init::{init, switch};
pub(crate) use judge::judged;
pub(crate) use learned::{promoted, tiers};
pub(crate) use lesson::{lesson_added, lesson_pinned, lesson_removed, lessons, lessons_kept};
pub(crate) use lock::lock;
pub(crate) use memory::{memory, remembered};
pub(crate) use overview::overview;
pub(crate) use patch::{patch_applied, patch_preview, patch_refused, patch_to_file};
pub(crate) use patch_text::patch;
pub(crate) use protection::gone;
pub(crate) use recall::{policies, policy_reverted, recalled};
pub(crate) use recover::{
    files as recover_files, recover, recover_feedback, recover_next, recover_preview, recovered,
};
pub(crate) use scan::scan;
pub(crate) use secrets::{redacted, secrets, secrets_jsonl, secrets_sarif};
pub(crate) use settings::{setting, setting_changed, settings};
pub(crate) use spiral::spiral;
pub(crate) use storage::{check, export, gc, projects, stats};
pub(crate) use story::{done, show_done, story};
pub(crate) use undo::{conflict, preview, undone};
pub(crate) use words::notices;
pub(crate) use work::{
    asked, compacted, exported, handed_off, handoff_draft, imported, rebuilt, review, triggers, verified,
};
