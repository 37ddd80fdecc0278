//! The one way to change a user's files: a source is computed and [`Shown`], a person says [`Yes`] to exactly that, and [`carry_out`]
//! does it: one lock, one time limit, one second yes, one safety checkpoint, one step in the history.
//!
//! Undo, redo, recovery, landing, the way back from it, chat, patches, MCP and the page are callers. What they add (audit row, message to the
//! running agents, the question for a lesson) the engine adds in one place around this.

mod carry_out;
mod error;
pub mod landing;
mod lock;
pub mod merge;
pub mod reverse;
mod shown;

pub use carry_out::{Carried, Limits, carry_out};
pub use error::{Error, Result};
pub use lock::{Busy, ChangeLock, in_progress, take};
pub use shown::{Confirmation, Shown, Yes};
