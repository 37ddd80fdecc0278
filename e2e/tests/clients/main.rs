//! Stories with the real clients.

mod harness;
