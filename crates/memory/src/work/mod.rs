//! Work memory: what are we doing, what was decided, what was checked, what comes next. (MM2, MM3, MM5)
//!
//! It is a fold over the log ([`fold`]) and nothing else: it can be thrown away and computed again, with the same result.
//! Explicit beats observed: what vib saw by itself never changes an intent, a decision or a next action that a person gave.
//! What is old, or was checked on other content, is marked, never passed off as current.

mod bounds;
mod fold;
pub(crate) mod kinds;
mod view;

pub use bounds::{Bounds, keep_live};
pub use fold::{Folding, HashOf, Now, fold};
pub use kinds::{
    CHECKPOINT, COMMIT, CONTEXT, CheckResult, EDIT, FileMark, GUARD, NOTE, PATCH, ROLLBACK, Retract, SPIRAL,
    TAG, TRIGGER, decision, intent, next_action, recovery, relevant, retract, risk, verification,
};
pub use view::{Conflict, Field, Item, Recent, RelevantFile, Verification, WorkMemory};
