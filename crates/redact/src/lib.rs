//! Nothing leaks: the secret scanner, the privacy filter, and the gate that joins them.
//!
//! - [`Scanner`] finds secrets in files and texts and reports rule and place, never the secret. Formats that providers
//!   document are data in `rules.toml`; credentials without a format are found by the name they stand beside.
//! - [`PrivacyContext`] says what is private on this machine besides secrets: home, user, host, project, customers.
//! - [`Gate`] makes [`Clean`] text: scan, replace, scan again, and withhold what cannot be made clean. Whatever leaves
//!   (MCP, hand-off, web, log) takes a [`Clean`], and there is no other way to get one.
//!
//! Promises: the crate reads no environment and no file; text that holds nothing private comes out byte for byte; a fresh process
//! pays only for the keywords it meets (the rules are a constant table, patterns are compiled one by one on first need).
//!
//! Start reading at [`Scanner::scan`] and [`Gate::clean`].

mod base64;
mod candidate;
mod clean;
mod finding;
mod gate;
mod joined;
mod keyed;
mod keywords;
mod lines;
mod paths;
mod pem;
mod privacy;
pub mod proof;
mod random;
mod revoke;
mod rule;
mod scanner;
mod stream;
mod summary;
pub mod template;
mod value;
mod view;
mod why;
pub mod wide;
mod words;

pub use clean::{Clean, Counts};
pub use finding::{Finding, about};
pub use gate::{Gate, WITHHELD};
pub use keyed::place::Place;
pub use lines::ALLOW_COMMENT;
pub use paths::secret_file;
pub use privacy::PrivacyContext;
pub use revoke::{Revocation, revocation};
pub use rule::Rule;
pub use scanner::Scanner;
pub use stream::Streamed;
pub use value::holds_mark;
pub use why::Why;
