//! A world of its own for each test: home, state, settings, clock and ids, so that tests run side by side, give the same
//! output every time, and touch nothing of the person who runs them.
//!
//! [`Sandbox`] is that world with one project in it. [`Photo`] is everything about a tree that a restore must bring back.
//! [`tree`] builds big trees fast. [`model`] is a scripted model for the real clients. [`sessions`] makes up sessions of agents in
//! the payload shapes of the clients. Failing loudly is right here: this crate is used by tests and benches
//! only.

pub mod acp;
mod agent;
pub mod editor;
pub mod model;
pub mod old_store;
mod photo;
mod sandbox;
pub mod sessions;
pub mod tree;

pub use agent::Agent;
pub use editor::Editor;
pub use photo::Photo;
pub use sandbox::{Output, Sandbox};
