//! Running the server over standard input and output.

use rmcp::service::ServiceExt;

use crate::server::Server;

/// Why the server ended.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The runtime or the socket.
    #[error("the MCP server could not be started: {0}")]
    Io(#[from] std::io::Error),
    /// The client said something that is not the protocol.
    #[error("the MCP client did not begin as the protocol says: {0}")]
    Protocol(String),
}

fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    // One thread speaks; the engine works on others. They are started when they are needed.
    tokio::runtime::Builder::new_current_thread().enable_all().build()
}

/// Serves one client on standard input and output, until it goes away.
pub fn serve_stdio(server: Server) -> Result<(), Error> {
    let runtime = runtime()?;
    let ended = runtime.block_on(async {
        let running = match server.serve(rmcp::transport::stdio_pipes()).await {
            Ok(running) => running,
            // A client that went away before it said anything wanted nothing.
            Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => return Err(Error::Protocol(error.to_string())),
        };
        let _ = running.waiting().await;
        Ok(())
    });
    // A read of standard input that nobody waits for any more must not keep the process.
    runtime.shutdown_background();
    ended
}
