//! Who may ask for what: the only way to a page or an answer.
//!
//! A web server on loopback is reachable by every page that is open in the person's browser, and, through DNS rebinding, under any
//! name. So nothing is taken for granted: [`guard`] looks at Host, Origin, Sec-Fetch-Site, capability or token, CSRF token, size,
//! rate and time of every request, before any handler sees it. Pages, API and MCP are behind this one guard.

pub(crate) mod address;
mod guard;
mod keys;
mod limits;
mod origin;

pub(crate) use guard::{Inside, guard};
pub(crate) use keys::{AgentKey, Keys, Visitor, random_text};
pub use limits::Limits;
pub(crate) use limits::{Known, Rates};
