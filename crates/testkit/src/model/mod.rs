//! A scripted model on loopback: it speaks the protocols of the real model services, so that the real clients can be driven
//! through a story without a network.
//!
//! [`ScriptedModel`] answers each request of an agent with the next [`Step`] of the script, put into the words of the client
//! that asks (its tool names, its arguments). Which client that is, it sees from the tools that are offered. Requests that offer
//! no such tools (titles, summaries, checks) get a harmless answer and use up no step. Every request is kept, so that a
//! test can say what the model was told.

mod anthropic;
mod chat;
mod dialect;
mod gemini;
mod http;
mod request;
mod responses;
mod script;
mod server;
mod tokens;

/// Where a script's arguments hold this text, the model sends half of a character (`\\ud800`), which no JSON of Rust can hold. (S1)
pub const LONE_SURROGATE: &str = "⟨half a character⟩";

pub use request::Request;
pub use script::{Step, Tool};
pub use server::ScriptedModel;
pub use tokens::Tokens;
