//! The server as a client sees it: messages in, messages out, over both eras of the protocol.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails where it stands")]

mod adversarial;
mod approve;
mod matrix;
mod offer;
mod peer;
mod protocol;
mod redaction;
mod world;
