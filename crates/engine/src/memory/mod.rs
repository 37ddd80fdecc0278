//! What are we doing, what was decided, what was checked, what comes next: recorded and shown. (MM1–MM6)
//!
//! Everything that is recorded passes the redaction gate first; what is shown is computed from the log.
//!
//! Start reading at [`remember()`], then [`show()`]; [`logs`] says where the facts lie.

mod places;
mod present;
mod remember;
mod show;
mod summary;

pub use ::memory::log::Provenance as Source;
pub use ::memory::work::{CheckResult, Field, Item};
pub use places::{log_of, logs};
pub use remember::{Remember, Remembered, remember};
pub use show::{MemoryReport, show};
pub use summary::summary;
