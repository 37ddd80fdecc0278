//! The server as a client sees it: messages in, messages out, over both eras of the protocol.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may")]
#![expect(missing_docs, reason = "tests")]

mod matrix;
mod peer;
mod world;
