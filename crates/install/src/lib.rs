//! Putting vib's hooks and its MCP server into the settings of the clients, taking them out again, and seeing whether they work.
//!
//! What this promises:
//! - What is there stays: comments, order, layout, other people's hooks, links, modes. Ours come last.
//! - A plan is worked out and can be shown before anything is written; one client's edits are done all or not at all.
//! - Installing twice is installing once. A removal gives back the bytes that were there; if the file was changed in
//!   between, it takes out our entries and nothing else.
//! - With vib gone, what is left in a client's settings does nothing.
//!
//! [`evidence`] remembers who really calls; [`protection`] says from both whether a project is protected.
//!
//! Start reading at [`clients::table`], then [`plan`]. [`doctor`] calls what is installed.

mod apply;
mod connections;
pub mod doctor;
pub mod evidence;
pub mod fenced;
pub mod gone;
pub mod plan;
mod program;
pub mod protection;
mod record;
mod recorded_place;
pub mod redirected;
mod server_command;
pub mod set_up;
pub mod steps;
mod world;

pub use apply::apply;
pub use clients::{Client, Error, Result};
pub use clients::{command, entries, plugin, portable, servers, table};
pub use connections::{Connected, Connection, Protection, connections};
pub use plan::{Edit, Plan};
pub use program::program_to_call;
pub use steps::{Action, Choice, Outcome, Status, Steps};
pub use world::{Detected, Scope, World, is_executable};
