//! [`ScriptedModel`]: the server.

use std::collections::VecDeque;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use super::LONE_SURROGATE;
use super::dialect::{Call, Dialect};
use super::http::{self, Answer, Incoming};
use super::{Request, Step, Tokens, anthropic, chat, gemini, responses};

/// What is said when the script is at its end.
const NOTHING_MORE: &str = "Done.";

/// A model that follows a script. It stops when dropped.
pub struct ScriptedModel {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    log: Mutex<Log>,
    closed: AtomicBool,
}

struct Log {
    root: PathBuf,
    script: VecDeque<Step>,
    requests: Vec<Request>,
    /// What answers to agents said that they cost; what was asked beside a conversation is not in it.
    counted: Vec<Tokens>,
}

/// The protocols, by the path that is asked for.
#[derive(Clone, Copy)]
enum Protocol {
    Anthropic,
    Responses,
    Chat,
    Gemini { stream: bool },
}

impl ScriptedModel {
    /// Starts on a free port of 127.0.0.1. `root` is the project that the script's paths are relative to.
    pub fn start(root: impl Into<PathBuf>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port on loopback");
        let address = listener.local_addr().expect("an address");
        let log =
            Log { root: root.into(), script: VecDeque::new(), requests: Vec::new(), counted: Vec::new() };
        let shared = Arc::new(Shared { log: Mutex::new(log), closed: AtomicBool::new(false) });
        let inside = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if inside.closed.load(Ordering::Relaxed) {
                    break;
                }
                let inside = Arc::clone(&inside);
                std::thread::spawn(move || inside.serve(&stream));
            }
        });
        Self { address, shared }
    }

    /// `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// From now on the script's paths are relative to this folder.
    pub fn move_to(&self, root: impl Into<PathBuf>) {
        self.shared.log().root = root.into();
    }

    /// Puts these steps at the end of the script.
    pub fn then(&self, steps: impl IntoIterator<Item = Step>) {
        self.shared.log().script.extend(steps);
    }

    /// Takes the steps that nobody asked for out of the script.
    pub fn take_unused(&self) -> Vec<Step> {
        self.shared.log().script.drain(..).collect()
    }

    /// What each answer to an agent said that it cost, so far. Titles and the like are not in it.
    pub fn counted(&self) -> Vec<Tokens> {
        self.shared.log().counted.clone()
    }

    /// Every request so far.
    pub fn requests(&self) -> Vec<Request> {
        self.shared.log().requests.clone()
    }
}

impl Drop for ScriptedModel {
    fn drop(&mut self) {
        self.shared.closed.store(true, Ordering::Relaxed);
        // The listener waits for a connection: it gets one.
        let _ = TcpStream::connect(self.address);
    }
}

impl Shared {
    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self, stream: &TcpStream) {
        if let Some(incoming) = http::read(stream) {
            let mut answer = self.answer(&incoming);
            // Inside a string of JSON inside a string of JSON, as all of them write arguments, but Gemini.
            let half = if answer.body.contains("functionCall") { "\\ud800" } else { "\\\\ud800" };
            answer.body = answer.body.replace(LONE_SURROGATE, half);
            http::write(stream, &answer);
        }
    }

    fn answer(&self, incoming: &Incoming) -> Answer {
        let text = String::from_utf8_lossy(&incoming.body).replace("\\ud800", "\\ufffd");
        let body: Value = serde_json::from_str(&text).unwrap_or_default();
        let protocol = protocol(incoming);
        let dialect = protocol.and_then(|protocol| Dialect::of(&protocol.tools(&body)));
        let mut log = self.log();
        log.requests.push(Request {
            method: incoming.method.clone(),
            path: incoming.path.clone(),
            body: body.clone(),
            turn: dialect.is_some(),
            tools: protocol
                .map(|protocol| protocol.tools(&body).into_iter().map(str::to_owned).collect())
                .unwrap_or_default(),
        });
        let n = log.requests.len();
        let Some(protocol) = protocol else { return other(incoming) };
        let Some(dialect) = dialect else { return protocol.answer(&body, Err(&aside()), n) };
        let step = log.script.pop_front();
        if step == Some(Step::Fail) {
            return Answer::refused(503);
        }
        log.counted.push(Tokens::of(n));
        match step {
            Some(Step::Call(tools)) => {
                let calls: Vec<Call> = tools.iter().map(|tool| dialect.call(tool, &log.root)).collect();
                protocol.answer(&body, Ok(&calls), n)
            }
            Some(Step::Say(text)) => protocol.answer(&body, Err(&text), n),
            Some(Step::Fail) | None => protocol.answer(&body, Err(NOTHING_MORE), n),
        }
    }
}

impl Protocol {
    fn tools(self, body: &Value) -> Vec<&str> {
        match self {
            Self::Anthropic => anthropic::tools(body),
            Self::Responses => responses::tools(body),
            Self::Chat => chat::tools(body),
            Self::Gemini { .. } => gemini::tools(body),
        }
    }

    fn answer(self, body: &Value, content: Result<&[Call], &str>, n: usize) -> Answer {
        match self {
            Self::Anthropic => anthropic::answer(body, content, n),
            Self::Responses => responses::answer(body, content, n),
            Self::Chat => chat::answer(body, content, n),
            Self::Gemini { stream } => gemini::answer(stream, content, n),
        }
    }
}

fn protocol(incoming: &Incoming) -> Option<Protocol> {
    if incoming.method != "POST" {
        return None;
    }
    let path = incoming.path.split('?').next().unwrap_or_default();
    match path {
        _ if path.ends_with("/messages") => Some(Protocol::Anthropic),
        _ if path.ends_with("/responses") => Some(Protocol::Responses),
        _ if path.ends_with("/chat/completions") => Some(Protocol::Chat),
        _ if path.ends_with(":streamGenerateContent") => Some(Protocol::Gemini { stream: true }),
        _ if path.ends_with(":generateContent") => Some(Protocol::Gemini { stream: false }),
        _ => None,
    }
}

/// What clients ask beside their conversation: a title, who speaks next, which model to take. One answer fits them all.
fn aside() -> String {
    json!({"title": "A scripted story", "reasoning": "scripted", "next_speaker": "user", "model_choice": "flash",
           "isNewTopic": false})
    .to_string()
}

/// Lists of models, counts of tokens, telemetry: something harmless. A way out of the machine: refused.
fn other(incoming: &Incoming) -> Answer {
    if incoming.method == "CONNECT" || incoming.path.starts_with("http") {
        return Answer::refused(403);
    }
    Answer::json(&json!({"data": [], "models": [], "input_tokens": 10, "totalTokens": 10}))
}
