//! The event log: one JSON object per line, one file per scope. (MM1, MM11)
//!
//! A writer takes the lock, looks at the last byte, and appends its whole line in one `write`. What a crash left without an
//! end of line is set aside into `<name>.torn` before anything is appended, so that it can neither join two events into one
//! nor be lost. A line that is no event (a foreign hand, a damaged disk) is left where it is, skipped and named by its number.
//! A log to which a newer vib has written is only read: `append` and `compact` ask the one gate in `schema`.

mod compact;
mod event;
mod file;
mod schema;

pub use compact::Compacted;
pub use event::{Event, Outcome, Provenance, SCHEMA_VERSION, Scope};
pub use file::{BadLine, Contents, Log, LogError, Mark, Repaired, Since};
