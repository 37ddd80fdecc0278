//! The hand-off: what the next AI has to know, on one page that can be read in a minute. (MM6)
//!
//! [`page`] makes the text of `PROJECT_CONTEXT.md` from work memory, within a hard budget of tokens: what matters least is left
//! out first, and it is said that something was left out. [`file`] writes it, never over something that vib did not write.

mod file;
mod page;

pub use file::{Existing, FILE_NAME, Place, WriteError, existing, read_at, stamp, write_at};
pub use page::{Page, Proposal, page};
