//! The server as a client sees it: messages in, messages out, over both eras of the protocol.

mod adversarial;
mod approve;
mod matrix;
mod peer;
mod protocol;
mod redaction;
mod world;
