//! HTTP on loopback: only this machine, only with the token, no browser page of anybody else.

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, WWW_AUTHENTICATE};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::handler::server::ServerHandler;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;

/// The longest request.
const LONGEST_BODY: usize = 2 << 20;
/// Connections at once; more have to wait.
const MOST_CONNECTIONS: usize = 64;
/// How long a connection may take for the head of a request, and rest between two: one that says nothing takes a place from others.
const HEAD_TIME: Duration = Duration::from_secs(5);

/// How to listen.
#[derive(Debug, Clone)]
pub struct HttpOptions {
    /// The port; 0: any that is free.
    pub port: u16,
    /// What a client has to present. Nothing: only for tests with tools that cannot present any.
    pub token: Option<String>,
}

/// Where the server listens.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Listening {
    /// The address.
    pub url: String,
    /// The port.
    pub port: u16,
    /// The file with the token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_file: Option<PathBuf>,
}

type Answer = Response<BoxBody<Bytes, Infallible>>;

/// Listens until the process is stopped.
pub async fn serve<H: ServerHandler + Clone>(
    server: H,
    options: &HttpOptions,
    started: impl FnOnce(&Listening),
) -> std::io::Result<()> {
    let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, options.port))).await?;
    let port = listener.local_addr()?.port();
    let hosts = ["127.0.0.1", "localhost", "[::1]"].map(|host| format!("{host}:{port}"));
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(hosts.clone())
        .with_allowed_origins(hosts.map(|host| format!("http://{host}")))
        .enforce_origin_validation()
        .with_max_request_body_bytes(LONGEST_BODY);
    let service = StreamableHttpService::new(
        move || Ok(server.clone()),
        Arc::new(LocalSessionManager::default()),
        config,
    );
    started(&Listening { url: format!("http://127.0.0.1:{port}/mcp"), port, token_file: None });
    let token: Option<Arc<str>> = options.token.as_deref().map(Arc::from);
    let places = Arc::new(tokio::sync::Semaphore::new(MOST_CONNECTIONS));
    loop {
        let (stream, _) = listener.accept().await?;
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return Ok(()) };
        let (service, token) = (service.clone(), token.clone());
        tokio::spawn(async move {
            let answer = service_fn(move |request: Request<Incoming>| {
                let (service, token) = (service.clone(), token.clone());
                async move { Ok::<_, Infallible>(answer(&service, token.as_deref(), request).await) }
            });
            let _ = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_TIME)
                .serve_connection(TokioIo::new(stream), answer)
                .await;
            drop(place);
        });
    }
}

async fn answer<H: ServerHandler + Clone>(
    service: &StreamableHttpService<H, LocalSessionManager>,
    token: Option<&str>,
    request: Request<Incoming>,
) -> Answer {
    if request.uri().path() != "/mcp" {
        return refuse(StatusCode::NOT_FOUND, "there is nothing here; the server is at /mcp");
    }
    if token.is_some_and(|token| !has_token(&request, token)) {
        return refuse(StatusCode::UNAUTHORIZED, "the token is missing or wrong; see `vib mcp serve --help`");
    }
    service.handle(request).await
}

/// Compares without giving away how much of it is right.
fn has_token(request: &Request<Incoming>, token: &str) -> bool {
    let given = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let given = given.and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default();
    let (given, token) = (given.as_bytes(), token.as_bytes());
    let differences = given.iter().zip(token).fold(0, |all, (a, b)| all | (a ^ b));
    !token.is_empty() && given.len() == token.len() && differences == 0
}

fn refuse(status: StatusCode, why: &'static str) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from_static(why.as_bytes())).boxed());
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, hyper::header::HeaderValue::from_static("text/plain; charset=utf-8"));
    if status == StatusCode::UNAUTHORIZED {
        headers.insert(WWW_AUTHENTICATE, hyper::header::HeaderValue::from_static("Bearer"));
    }
    answer
}
