//! The server: binding, serving, ending.

use std::future::Future;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use engine::Engine;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use project::{Context, platform};
use serde_json::json;
use tokio::sync::{Semaphore, watch};

use crate::access::{Keys, Limits, Rates, random_text};
use crate::app::App;
use crate::connection::Patient;
use crate::error::ServeError;
use crate::highlight::Highlighter;
use crate::jobs::Jobs;
use crate::live::Live;
use crate::routes;
use crate::worker::Worker;

/// The file that tells programs of the same user where the server is and lets them in.
const FILE: &str = "web.json";
/// How long the last answers may take when the server ends.
const FAREWELL: Duration = Duration::from_millis(500);

/// How to serve.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// The port; 0: any that is free.
    pub port: u16,
    /// The limits.
    pub limits: Limits,
}

/// A server that has its port and is not serving yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    app: Arc<App>,
    token: String,
    file: PathBuf,
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
    /// Takes a port of this machine, reachable from this machine only.
    pub fn bind(context: Context, options: Options) -> Result<Self, ServeError> {
        let engine = Engine::open(context)?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, options.port));
        let port = |source| ServeError::Port { port: options.port, source };
        let listener = TcpListener::bind(address).map_err(port)?;
        listener.set_nonblocking(true)?;
        let token = random_text();
        if token.is_empty() {
            return Err(ServeError::NoRandomness);
        }
        let root = engine.project().root().to_path_buf();
        let folder = engine.project().state().to_path_buf();
        platform::make_private_dir(&folder)?;
        let app = App {
            port: listener.local_addr()?.port(),
            limits: options.limits,
            keys: Keys::new(&token),
            rates: Rates::new(&options.limits),
            live: Live::new(&folder, &root),
            jobs: Jobs::default(),
            highlighter: Highlighter::default(),
            shown: Mutex::default(),
            heavy: Worker::new("heavy"),
            world: engine.context().beside(&root)?,
            language: engine.language(),
            root,
        };
        Ok(Self { listener, app: Arc::new(app), token, file: folder.join(FILE) })
    }

    /// Where it listens.
    pub fn port(&self) -> u16 {
        self.app.port
    }

    /// For links that open the page.
    pub fn links(&self) -> Links {
        Links(Arc::clone(&self.app))
    }

    /// The file with the address and the token for programs; it is there while the server runs.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Serves until `stop` is done, or the process is asked to end.
    pub fn run(self, stop: impl Future<Output = ()>) -> Result<(), ServeError> {
        store::save_large_files_one_by_one();
        let note = Note::write(&self.file, self.app.port, &self.token)?;
        // Handlers wait for the disk on threads of their own; one thread is enough for the rest.
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(2).build()?;
        let served = runtime.block_on(serve(self.listener, Arc::clone(&self.app), stop));
        runtime.shutdown_timeout(FAREWELL);
        drop(note);
        Ok(served?)
    }
}

async fn serve(listener: TcpListener, app: Arc<App>, stop: impl Future<Output = ()>) -> std::io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let router = routes::router(Arc::clone(&app));
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

/// The file for programs; it goes when the server ends.
struct Note {
    file: PathBuf,
    text: String,
}

impl Note {
    fn write(file: &Path, port: u16, token: &str) -> std::io::Result<Self> {
        let url = format!("http://127.0.0.1:{port}");
        let text = json!({"url": url, "token": token, "pid": std::process::id()}).to_string();
        // A file of its own first: nobody reads half of it, and it is private from the beginning.
        project::write_private(file, text.as_bytes())?;
        Ok(Self { file: file.to_path_buf(), text })
    }
}

impl Drop for Note {
    fn drop(&mut self) {
        // Another server of the same project may have put its own there.
        if std::fs::read_to_string(&self.file).is_ok_and(|text| text == self.text) {
            let _ = std::fs::remove_file(&self.file);
        }
    }
}
