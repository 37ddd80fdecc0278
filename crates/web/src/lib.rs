//! The local server: the page, its JSON API, and MCP over HTTP. `vib serve` has all of it, `vib mcp serve --http` only MCP.
//!
//! What this crate promises:
//! - It listens on loopback only, and only while its command runs. Every request passes one guard (module `access`): exact Host, own
//!   Origin, a capability or a token, a limit on size, rate and time. There is no route that runs a command.
//! - No secret is in a cookie: a browser's session is an address that cannot be guessed. Each token opens one door only.
//! - What could run a program or act for the person (settings, grants, approvals) needs a code that the terminal shows (`codes`).
//! - It decides nothing: pages and API call the engine's functions, so the gates are those of the command line. A person's yes is
//!   a click in a session; a program with the token may look, save, and patch, not confirm.
//! - What it sends has passed the redaction gate (`ask::Ask::clean`).
//! - Pages are complete without JavaScript; scripts only keep them up to date and save a click.
//!
//! Start reading at [`Server`], then `routes`, `access::guard`, and one page, such as `pages::history`.

mod access;
mod acts;
mod api;
mod app;
mod ask;
mod assets;
mod codes;
mod connection;
mod error;
mod highlight;
mod html;
mod jobs;
mod live;
mod notes;
mod openapi;
mod pages;
mod routes;
mod server;
mod worker;

pub use access::Limits;
pub use codes::{Notice, Terminal};
pub use error::ServeError;
pub use server::{Agents, Links, Offer, Options, Server};
