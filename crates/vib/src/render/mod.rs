//! Text for people. Each function turns one report of the engine into a few clear lines.

mod approve;
mod audit;
mod bisect;
mod board;
mod diff;
mod doctor;
mod doctor_report;
mod drive;
mod errors;
mod explain;
mod fence;
mod grants;
mod guard;
mod history;
mod hooks;
mod init;
mod judge;
mod knows;
mod lane;
mod learned;
mod lesson;
mod lock;
mod memory;
mod overview;
mod patch;
mod patch_text;
mod private_copy;
mod protection;
mod providers;
mod recall;
mod recover;
mod report;
mod report_html;
mod run;
mod scan;
mod secrets;
mod settings;
mod spiral;
mod storage;
mod story;
mod undo;
mod verdict;
mod verification;
mod why;
mod words;
mod work;

pub(crate) use approve::{approval, approvals};
pub(crate) use audit::{audit_metrics, audit_show, audit_slo};
pub(crate) use bisect::bisect;
pub(crate) use board::board;
pub(crate) use diff::{about as diff_about, diff, left_out, lists_only, old_file, show, shown, status};
pub(crate) use doctor::doctor;
pub(crate) use doctor_report::{doctor_report, report_written};
pub(crate) use drive::driven;
pub(crate) use errors::error;
pub(crate) use explain::explain;
pub(crate) use fence::{fence_allowed, fence_list, fence_probe};
pub(crate) use grants::{grant_made, grants, grants_revoked, span};
pub(crate) use guard::{anchors, guard, guard_hook, guard_sarif, protected};
pub(crate) use history::{checkpoint, checkpoints, pinned};
pub(crate) use hooks::{hooks_done, hooks_plan};
pub(crate) use init::{init, switch};
pub(crate) use judge::judged;
pub(crate) use knows::{known, told_preview};
pub(crate) use lane::{land_preview, landed, lane_dropped, lane_made, lane_merged, lane_opened, lanes};
pub(crate) use learned::{promoted, tiers};
pub(crate) use lesson::{lesson_added, lesson_pinned, lesson_removed, lessons, lessons_kept};
pub(crate) use lock::lock;
pub(crate) use memory::{memory, remembered};
pub(crate) use overview::overview;
pub(crate) use patch::{patch_applied, patch_preview, patch_refused, patch_to_file};
pub(crate) use patch_text::patch;
pub(crate) use protection::gone;
pub(crate) use providers::{provider_checked, providers, providers_explained};
pub(crate) use recall::{policies, policy_reverted, recalled};
pub(crate) use recover::{
    files as recover_files, recover, recover_choices, recover_feedback, recover_next, recover_preview,
    recovered, understood,
};
pub(crate) use report::report_text;
pub(crate) use report_html::report_html;
pub(crate) use run::{
    cards_done, cards_preview, run, run_dropped, run_event, run_replayed, run_stopped, runs,
};
pub(crate) use scan::scan;
pub(crate) use secrets::{redacted, secrets, secrets_allowed, secrets_jsonl, secrets_sarif};
pub(crate) use settings::{setting, setting_changed, settings};
pub(crate) use spiral::spiral;
pub(crate) use storage::{check, export, gc, projects, stats};
pub(crate) use story::{done, show_done, story};
pub(crate) use undo::{conflict, preview, undone};
pub(crate) use verification::{role_changed, stop_accepted, stop_passed, verification};
pub(crate) use why::why;
pub(crate) use words::{harmless, notices};
pub(crate) use work::{
    asked, compacted, exported, handed_off, handoff_draft, imported, rebuilt, review, triggers, verified,
};
