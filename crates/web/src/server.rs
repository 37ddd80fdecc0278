//! The server: binding, serving, ending.

use std::future::Future;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use engine::Engine;
use engine::run::board::Folds;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use project::{Context, platform};
use serde_json::json;
use tokio::sync::{Semaphore, watch};

use crate::access::{AgentKey, Keys, Limits, Rates, random_text};
use crate::app::App;
use crate::codes::{Terminal, Waiting};
use crate::connection::Patient;
use crate::error::ServeError;
use crate::highlight::Highlighter;
use crate::jobs::Jobs;
use crate::live::Live;
use crate::notes::Note;
use crate::routes;
use crate::worker::Worker;

/// The file that tells programs of the same user where the server is and lets them in.
const FILE: &str = "web.json";
/// The files with the agents' token: of a server with a page, and of one without. Both may run at the same time.
const AGENTS_FILES: (&str, &str) = ("mcp/serve-token", "mcp/http-token");
/// How long the last answers may take when the server ends.
const FAREWELL: Duration = Duration::from_millis(500);
/// Threads that may wait for the disk: two for the page, the others for calls of agents. They start when they are needed.
const THREADS: usize = 8;
const LIGHT_PLACES: usize = 2;

/// What a server offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Offer {
    /// The page, its API, and MCP.
    #[default]
    Everything,
    /// MCP alone.
    Agents,
}

/// How to serve.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The port; 0: any that is free.
    pub port: u16,
    /// The limits.
    pub limits: Limits,
    /// What is offered.
    pub offer: Offer,
    /// Where codes are shown for what a click is not enough for; none: nobody is there to see them.
    pub terminal: Option<Terminal>,
}

/// How agents reach the server.
#[derive(Debug, Clone)]
pub struct Agents {
    /// The address of MCP.
    pub url: String,
    /// The file with the token that every request has to show.
    pub file: PathBuf,
}

/// A server that has its port and is not serving yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    app: Arc<App>,
    agents: Router,
    file: PathBuf,
    agents_file: PathBuf,
    notes: Vec<Note>,
}

/// Makes links that open the page once each.
#[derive(Debug, Clone)]
pub struct Links(Arc<App>);

impl Links {
    /// A new link; it opens the page in one browser and is then used up.
    pub fn fresh(&self) -> String {
        format!("http://127.0.0.1:{}/launch?code={}", self.0.port, self.0.keys.launch_code())
    }
}

impl Server {
    /// Takes a port of this machine, reachable from this machine only. From now on the files for programs and agents are there.
    pub fn bind(context: Context, options: Options) -> Result<Self, ServeError> {
        let (engine, token) = (Engine::open(context)?, random_text());
        let root = engine.project().root().to_path_buf();
        let handler = mcp::Server::new(engine.context().beside(&root)?, root);
        Self::with(&engine, options, mcp::http_service(handler), AgentKey::Token(token))
    }

    /// MCP alone, with any handler and without a token: for tools that test the protocol and cannot show one.
    #[doc(hidden)]
    pub fn bind_without_token<H: mcp::Handler>(
        context: Context,
        options: Options,
        handler: H,
    ) -> Result<Self, ServeError> {
        let options = Options { offer: Offer::Agents, ..options };
        Self::with(&Engine::open(context)?, options, mcp::http_service(handler), AgentKey::Nothing)
    }

    fn with<H: mcp::Handler>(
        engine: &Engine,
        options: Options,
        agents: mcp::HttpService<H>,
        key: AgentKey,
    ) -> Result<Self, ServeError> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, options.port));
        let port = |source| ServeError::Port { port: options.port, source };
        let listener = TcpListener::bind(address).map_err(port)?;
        listener.set_nonblocking(true)?;
        let token = random_text();
        if token.is_empty() || matches!(&key, AgentKey::Token(token) if token.is_empty()) {
            return Err(ServeError::NoRandomness);
        }
        let root = engine.project().root().to_path_buf();
        let folder = engine.project().state().to_path_buf();
        platform::make_private_dir(&folder)?;
        let has_page = options.offer == Offer::Everything;
        let app = App {
            port: listener.local_addr()?.port(),
            has_page,
            limits: options.limits,
            keys: Keys::new(&token, &key),
            rates: Rates::new(&options.limits),
            live: Live::new(&folder, &engine.project().shared_state().join("runs"), &root),
            jobs: Jobs::default(),
            folds: Folds::default(),
            waiting: Waiting::default(),
            terminal: options.terminal,
            highlighter: Highlighter::default(),
            shown: Mutex::default(),
            heavy: Worker::new("heavy"),
            light: Semaphore::new(LIGHT_PLACES),
            world: engine.context().beside(&root)?,
            language: engine.language(),
            root,
        };
        let file = folder.join(FILE);
        let agents_file = folder.join(if has_page { AGENTS_FILES.0 } else { AGENTS_FILES.1 });
        let mut notes = Vec::new();
        if has_page {
            let url = format!("http://127.0.0.1:{}", app.port);
            let text = json!({"url": url, "token": token, "pid": std::process::id()}).to_string();
            notes.push(Note::write(&file, text)?);
        }
        if let AgentKey::Token(token) = key {
            platform::make_private_dir(&folder.join("mcp"))?;
            notes.push(Note::write(&agents_file, token)?);
        }
        let agents = Router::new().route_service("/mcp", agents);
        Ok(Self { listener, app: Arc::new(app), agents, file, agents_file, notes })
    }

    /// Where it listens.
    pub fn port(&self) -> u16 {
        self.app.port
    }

    /// For links that open the page.
    pub fn links(&self) -> Links {
        Links(Arc::clone(&self.app))
    }

    /// The file with the address and the token for programs; it is there as long as the server.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// How agents reach it.
    pub fn agents(&self) -> Agents {
        Agents { url: format!("http://127.0.0.1:{}/mcp", self.app.port), file: self.agents_file.clone() }
    }

    /// Serves until `stop` is done, or the process is asked to end.
    pub fn run(self, stop: impl Future<Output = ()>) -> Result<(), ServeError> {
        store::save_large_files_one_by_one();
        // Handlers wait for the disk on threads of their own; one thread is enough for the rest.
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(THREADS)
            .build()?;
        let router = routes::router(Arc::clone(&self.app), Some(self.agents));
        let served = runtime.block_on(serve(self.listener, Arc::clone(&self.app), router, stop));
        runtime.shutdown_timeout(FAREWELL);
        drop(self.notes);
        Ok(served?)
    }
}

async fn serve(
    listener: TcpListener,
    app: Arc<App>,
    router: Router,
    stop: impl Future<Output = ()>,
) -> std::io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let (ended, ending) = watch::channel(false);
    let places = Arc::new(Semaphore::new(app.limits.connections));
    tokio::spawn(Live::watch(Arc::clone(&app)));
    let accept = async {
        loop {
            let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
            let Ok((stream, _)) = listener.accept().await else {
                // Out of file handles, most likely: a moment later there may be some.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let _ = stream.set_nodelay(true);
            let io = TokioIo::new(Patient::new(stream, app.limits.write_time));
            let service = TowerToHyperService::new(router.clone());
            let head_time = app.limits.head_time;
            let mut ending = ending.clone();
            tokio::spawn(async move {
                let _place = place;
                let connection = hyper::server::conn::http1::Builder::new()
                    .timer(TokioTimer::new())
                    .header_read_timeout(head_time)
                    .max_buf_size(32 << 10)
                    .serve_connection(io, service);
                tokio::pin!(connection);
                tokio::select! {
                    // Whatever goes wrong with a connection is the other end's matter.
                    _ = connection.as_mut() => {}
                    _ = ending.changed() => {
                        connection.as_mut().graceful_shutdown();
                        let _ = tokio::time::timeout(FAREWELL, connection).await;
                    }
                }
            });
        }
    };
    tokio::select! {
        () = accept => {}
        () = stop => {}
        () = asked_to_end() => {}
    }
    let _ = ended.send(true);
    tokio::time::sleep(Duration::from_millis(20)).await;
    Ok(())
}

#[cfg(unix)]
async fn asked_to_end() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut term), Ok(mut hang)) = (signal(SignalKind::terminate()), signal(SignalKind::hangup())) else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = term.recv() => {}
        _ = hang.recv() => {}
    }
}

#[cfg(not(unix))]
async fn asked_to_end() {
    let _ = tokio::signal::ctrl_c().await;
}
