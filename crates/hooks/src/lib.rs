//! What the agent clients call: one adapter per client turns its payload into an event and our decision into the answer
//! that this client understands.
//!
//! Start reading at [`client`].

pub mod client;
pub mod install;

pub use client::Client;
