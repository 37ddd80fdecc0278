//! The agent clients that vib knows: where their settings are, how hooks and MCP servers are written there, and how vib's own
//! entries are found, put in and taken out again.
//!
//! Text in, text out: nothing here opens a file. So the installer, the doctor and every restore (which must keep vib's entries
//! as they are) share one understanding of what is ours.
//!
//! Start reading at [`table`], then [`entries`].

pub mod client;
pub mod command;
pub mod entries;
mod error;
pub mod fence;
mod jsonc;
pub mod keep;
pub mod plugin;
pub mod portable;
mod scope;
pub mod servers;
pub mod settings;
pub mod switches;
pub mod table;
pub mod trust;
pub mod unread;

pub use client::Client;
pub use error::{Error, Result};
pub use scope::Scope;
