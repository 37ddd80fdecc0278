//! The real clients, installed from npm, driven through a story by a scripted model on loopback.
//!
//! [`ClientRun`] is one client in a world of its own: home, settings, state and project of a test, no keys, and no way out of
//! the machine. Start reading at [`run`]; [`client`] has the table of clients and pinned versions.

mod acp;
pub mod client;
mod connect;
mod install;
mod launch;
mod process;
pub mod run;
mod terminal;

pub use client::Client;
pub use install::mcp_tools;
pub use launch::Leave;
pub use run::{ClientRun, Turn, vib};
pub use terminal::on_a_terminal;
