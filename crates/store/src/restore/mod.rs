//! Going back: plan → preview → safety checkpoint → apply.
//!
//! [`Plan`] is what a person sees before they say yes. [`SafetyCheckpoint`] proves that the state they have now is saved.
//! [`Store::restore`] needs both, compares once more, and writes file by file: a complete new file beside the old one,
//! flushed, then renamed over it. A journal in the store lets the next command finish a restore that was cut off.

mod apply;
mod in_place;
mod journal;
mod plan;
mod safety;
mod write;

pub use apply::{Kept, RestoreReport};
pub use journal::{Operation, Resumed};
pub(crate) use plan::PATCH_TRIGGER;
pub use plan::{Plan, Purpose};
pub use safety::SafetyCheckpoint;
pub use write::Write;
