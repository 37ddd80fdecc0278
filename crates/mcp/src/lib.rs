//! The MCP server: another agent asks, vib answers.
//!
//! What this crate promises:
//! - It decides nothing: each tool is one function of the engine, and the engine's gates, lock and safety checkpoints hold here as
//!   everywhere.
//! - What a client may do is the permission matrix of [`engine::grants`]: reading a summary, a preview, saving a checkpoint; anything
//!   else needs a grant that a person made at a terminal or on the web page, and, where it counts, a yes to exactly this operation.
//! - Every path is a [`project::RelPath`], every text that leaves passed the redaction gate, every call has a row in the audit log.
//! - Starting is cheap: no project is opened before the first call.
//!
//! The official SDK (`rmcp`) is used here and nowhere else. Over HTTP the local server (`vib-web`) listens and guards; this crate answers. Start reading at [`Server`], then `call`,
//! `confirm` and `tools`.

mod answer;
mod args;
mod call;
mod client;
mod confirm;
mod http;
mod offer;
mod pending;
mod renamed;
mod schema;
mod serve;
mod server;
mod spaced;
mod tools;

pub use http::{Handler, HttpService, http_service};
pub use renamed::Renamed;
pub use serve::{Error, serve_stdio};
pub use server::{INSTRUCTIONS, Server};
