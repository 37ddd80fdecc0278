//! What are we doing, what was decided, what was checked, what comes next: recorded and shown. (MM1–MM6)
//!
//! Everything that is recorded passes the redaction gate first; what is shown is computed from the log.
//!
//! Start reading at [`remember()`], then [`show()`]; [`logs`] says where the facts lie.

mod answers;
mod asked;
mod audited;
mod compact;
mod export;
mod handoff;
mod hot;
mod import;
mod import_tools;
pub(crate) mod observe;
mod places;
mod present;
mod rebuild;
mod remember;
mod review;
mod show;
mod summary;
mod triggers;
mod turns;
mod verify;
mod view;
mod write;

pub use ::memory::handoff::Existing;
pub use ::memory::log::{Provenance as Source, Scope};
pub use ::memory::work::{CheckResult, Field, Item, Recent, WorkMemory};
pub use answers::{AskReport, KnownAnswer, answer, answered_in_chat, ask, known, offer, offer_in_words};
pub use asked::{checkpoint_named, guard_answered};
pub use compact::{CompactReport, compact};
pub use export::{ExportReport, export, export_raw};
pub use handoff::{
    HandoffDraft, HandoffOptions, HandoffReport, draft, note_declined, note_shown, write as write_handoff,
};
pub use import::{ImportReport, import_jsonl};
pub use import_tools::{import_notes, import_work_memory};
pub use observe::Noted;
pub use places::{log_of, logs};
pub use rebuild::{RebuildReport, ViewReport, rebuild};
pub use remember::{Remember, Remembered, remember, remember_in};
pub use review::{Proposed, Review, keep_intent, review};
pub use show::{General, MemoryReport, show, show_clean};
pub use summary::{Telling, at_start, with_prompt};
pub use triggers::{
    ShownTrigger, Suggestion, TriggerAnswer, TriggerId, TriggersReport, answer_trigger, session_over,
    suggestion_after_edit, suggestion_at_start, triggers,
};
pub use turns::{forget_old_sessions, reported, turn_over};
pub use verify::{CheckReport, verify};
pub use view::{bring_back_in_passing as bring_back_view, view_path};

pub(crate) use observe::{marks, paths_of};
pub(crate) use places::project_log;
pub(crate) use rebuild::patch_event;
pub(crate) use summary::{last_check, would_tell_at_start};
pub(crate) use triggers::due_now;
pub(crate) use view::refresh_at_end as refresh_view;
pub(crate) use write::{append_seen, event, scoped};

use audited::note_write;

/// How a check's result counts as an outcome.
fn outcome_of(result: CheckResult) -> ::memory::log::Outcome {
    use ::memory::log::Outcome;
    match result {
        CheckResult::Passed => Outcome::Success,
        CheckResult::Failed => Outcome::Failure,
        CheckResult::Skipped | CheckResult::Unknown => Outcome::Unknown,
    }
}
