//! What happens around the steps of an agent: sessions, turns, saving before a step, the words "undo that" in a chat.
//!
//! The hooks call these one after the other; each does one thing and can be called alone. All of them are on the hot path
//! of somebody's tool call: one database open at the most, no walk unless something may write.

mod announce;
mod approve;
pub(crate) mod begun;
mod cell;
mod chat;
mod circles;
mod content;
mod held;
pub(crate) mod ledger;
pub mod phrases;
mod predict;
mod said;
mod save;
mod session;
mod sources;
mod step;
mod tell;
mod turn;
mod typed_by_shell;
mod understand;

pub use announce::{Announcement, announce};
pub use approve::{BegunCall, approved, begun_call};
pub use chat::{ChatAnswer, chat_command};
pub use circles::{Resting, SpiralReport, spiral_resume, spiral_resume_by, spiral_status};
pub use held::{is_there, not_held};
pub use ledger::{Begun, Call, Ended, Reach, asked, begin, end, named, nested, running, stopped, waits};
pub use predict::{CellEdit, Change, Replacement, would_become};
pub(crate) use predict::{after_change, small_file};
pub use save::{save_losses, save_tree, upkeep};
pub use session::{SessionFile, SessionState, Who, all as sessions, newest as newest_sessions};
pub use sources::{Sources, sources};
pub(crate) use step::says_that_nothing_ran;
pub use step::{
    AboutToRun, Finished, after_tool, spiral_before_edit, spiral_before_tool, spiral_before_typing,
};
pub use tell::{files_put_back, leave_note, tell_running};
pub(crate) use turn::INTRODUCTION;
pub use turn::{
    Beginning, adopt, conversation_shortened, end_turn, new_turn, notes_for_model, start_session,
};
pub use typed_by_shell::typed;
