//! What vib says to people, in their language.
//!
//! What this crate promises:
//! - Every message exists in every [`Language`] with the same variables; a test holds them together, and another one holds
//!   the ids that the code names to the messages that exist.
//! - An area is read when its first message is asked for: whoever says nothing pays nothing, and a hook that stops something reads one small file.
//!
//! Messages are in `messages/<language>/<area>.ftl`, written in [Fluent](https://projectfluent.org).

mod language;
mod messages;

pub use fluent_bundle::FluentValue as Value;
pub use language::Language;
pub use messages::{AREAS, Texts};
