//! Everything that is tried of the hooks from outside, in one program: each program more would be linked with everything again.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails where it stands, and so does what several share"
)]

mod acp;
mod approving;
mod delegation;
mod docs;
mod fortnight;
mod gates;
mod keys;
mod known_writes;
mod ledger;
mod lines;
mod long_session;
mod notes;
mod ordinary_sessions;
mod other_doors;
mod products;
mod questions;
mod strange;
mod sub_agents;
mod whose;
mod world;
