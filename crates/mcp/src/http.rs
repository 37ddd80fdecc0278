//! MCP over HTTP, as a service for the one local server (`vib-web`), whose guard has looked at every request before: host, origin, token,
//! rate, length and time. Nothing here listens.

use std::sync::Arc;

use rmcp::handler::server::ServerHandler;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

/// What answers calls: [`Server`](crate::Server), or a handler of a test.
pub trait Handler: ServerHandler + Clone {}
impl<H: ServerHandler + Clone> Handler for H {}

/// A service that answers requests of the protocol.
pub type HttpService<H> = StreamableHttpService<H, LocalSessionManager>;

/// The service of a handler.
pub fn http_service<H: Handler>(handler: H) -> HttpService<H> {
    // The guard knows the port and has checked both; a second list would only be another one to keep right.
    let config = StreamableHttpServerConfig::default().disable_allowed_hosts().disable_allowed_origins();
    StreamableHttpService::new(move || Ok(handler.clone()), Arc::new(LocalSessionManager::default()), config)
}
