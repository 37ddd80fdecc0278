//! The server: one connection, one request, one act of the script.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What the server does with a request.
#[derive(Debug, Clone)]
pub enum Act {
    /// Answers with this status, these headers and this body.
    Answer(u16, Vec<(&'static str, String)>, Vec<u8>),
    /// Sends exactly these bytes and closes.
    Raw(Vec<u8>),
    /// Sends exactly these bytes and says nothing more.
    Silent(Vec<u8>),
    /// Sends the first, then the second again and again.
    Endless(Vec<u8>, Vec<u8>),
    /// Sends each, with a pause between.
    Slow(Vec<Vec<u8>>),
}

impl Act {
    pub fn json(status: u16, body: &str) -> Self {
        Self::Answer(status, vec![("content-type", "application/json".to_owned())], body.as_bytes().to_vec())
    }

    pub fn with(self, name: &'static str, value: &str) -> Self {
        match self {
            Self::Answer(status, mut headers, body) => {
                headers.push((name, value.to_owned()));
                Self::Answer(status, headers, body)
            }
            other => other,
        }
    }

    pub fn html(status: u16) -> Self {
        Self::Answer(
            status,
            vec![("content-type", "text/html".to_owned())],
            b"<html>Bad gateway</html>".to_vec(),
        )
    }

    pub fn events(body: &str) -> Self {
        Self::Answer(200, vec![("content-type", "text/event-stream".to_owned())], body.as_bytes().to_vec())
    }
}

/// The head of a stream that ends when the connection does.
pub const OPEN_STREAM: &str =
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

/// A request as it came.
#[derive(Debug, Clone)]
pub struct Request {
    pub head: String,
    pub body: serde_json::Value,
}

pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    script: Mutex<VecDeque<Act>>,
    requests: Mutex<Vec<Request>>,
    closed: AtomicBool,
}

impl Server {
    /// Does these, one for each request; what comes after the last one is closed without an answer.
    pub fn start(script: impl IntoIterator<Item = Act>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            script: Mutex::new(script.into_iter().collect()),
            requests: Mutex::default(),
            closed: AtomicBool::new(false),
        });
        let inside = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if inside.closed.load(Ordering::Relaxed) {
                    break;
                }
                let inside = Arc::clone(&inside);
                std::thread::spawn(move || inside.serve(stream));
            }
        });
        Self { address, shared }
    }

    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    pub fn requests(&self) -> Vec<Request> {
        self.shared.requests.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.closed.store(true, Ordering::Relaxed);
        let _ = TcpStream::connect(self.address);
    }
}

impl Shared {
    fn serve(&self, mut stream: TcpStream) {
        let Some(request) = read(&stream) else { return };
        self.requests.lock().unwrap().push(request);
        let act = self.script.lock().unwrap().pop_front();
        let is_closed = || self.closed.load(Ordering::Relaxed);
        match act {
            None => {}
            Some(Act::Answer(status, headers, body)) => {
                let mut head = format!(
                    "HTTP/1.1 {status} Said\r\ncontent-length: {}\r\nconnection: close\r\n",
                    body.len()
                );
                for (name, value) in headers {
                    head.push_str(&format!("{name}: {value}\r\n"));
                }
                let _ =
                    stream.write_all(format!("{head}\r\n").as_bytes()).and_then(|()| stream.write_all(&body));
            }
            Some(Act::Raw(bytes)) => {
                let _ = stream.write_all(&bytes);
            }
            Some(Act::Silent(bytes)) => {
                let _ = stream.write_all(&bytes);
                for _ in 0..400 {
                    if is_closed() {
                        break;
                    }
                    std::thread::sleep(Duration::from_millis(10));
                }
            }
            Some(Act::Endless(first, again)) => {
                let _ = stream.write_all(&first);
                while !is_closed() && stream.write_all(&again).is_ok() {
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
            Some(Act::Slow(pieces)) => {
                for piece in pieces {
                    let _ = stream.write_all(&piece).and_then(|()| stream.flush());
                    std::thread::sleep(Duration::from_millis(5));
                }
            }
        }
    }
}

fn read(stream: &TcpStream) -> Option<Request> {
    stream.set_read_timeout(Some(Duration::from_secs(10))).ok()?;
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line.trim().is_empty() {
            break;
        }
        head.push_str(&line.to_ascii_lowercase().replace(&super::KEY.to_ascii_lowercase(), super::KEY));
    }
    let length =
        head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse::<usize>().ok());
    let mut body = vec![0; length.unwrap_or_default()];
    reader.read_exact(&mut body).ok()?;
    Some(Request { head, body: serde_json::from_slice(&body).unwrap_or_default() })
}
