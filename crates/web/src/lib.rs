//! The local page and its JSON API: `vib serve`.
//!
//! What this crate promises:
//! - It listens on loopback only, and only while `vib serve` runs. Every request passes one guard (module `access`): exact Host, own
//!   Origin, a session or a token, a limit on size, rate and time. There is no route that runs a command.
//! - It decides nothing: pages and API call the engine's functions, so the gates are those of the command line. A person's yes is
//!   a click in a session; a program with the token may look, save, and patch, not confirm.
//! - What it sends has passed the redaction gate (`ask::Ask::clean`).
//! - Pages are complete without JavaScript; scripts only keep them up to date and save a click.
//!
//! Start reading at [`Server`], then `routes`, `access::guard`, and one page, such as `pages::history`.

mod access;
mod api;
mod app;
mod ask;
mod assets;
mod connection;
mod error;
mod highlight;
mod html;
mod jobs;
mod live;
mod openapi;
mod pages;
mod routes;
mod server;
mod worker;

pub use access::Limits;
pub use error::ServeError;
pub use server::{Links, Options, Server};
