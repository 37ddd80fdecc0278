//! What the agent clients call.
//!
//! [`adapters`] turn the payload of one client into a [`HookEvent`] and our [`Decision`] into the answer that this client
//! understands; they decide nothing. [`router`] holds the one table `event → steps` and runs the steps through the engine.
//!
//! What this crate promises: a payload with unknown fields or events still works; whatever happens inside, the client goes
//! on and somebody is told.
//!
//! The crate `install` puts the hooks into the clients' settings, remembers who really calls, and says from both whether a project is
//! protected.
//!
//! Start reading at [`router`].

pub mod adapters;
pub mod attended;
pub mod calls;
pub mod decision;
pub mod event;
mod payload;
pub mod phrases;
pub mod proxied;
mod reading;
pub mod router;
pub mod watch;

pub use clients::Client;
pub use decision::{Decision, Reply, Verdict};
pub use event::HookEvent;
pub use reading::Doubt;
pub use watch::Watch;
