//! [`World`]: a project of its own, a server for it, and a small HTTP client that sends exactly what a test says.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use engine::Engine;
use project::Context;
use serde_json::Value;
use store::{CheckpointKind, Origin, Silent, SnapshotRequest};
use tokio::sync::oneshot;
use vib_web::{Limits, Links, Notice, Offer, Options, Server, Terminal};

/// A server for a project with nothing in it.
pub struct World {
    base: tempfile::TempDir,
    links: Links,
    pub port: u16,
    token_file: PathBuf,
    agents_file: PathBuf,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    /// A header, in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// With the addresses that the routes know: a test looks at what a page leads to, and each session has another beginning.
    fn without(mut self, base: &str) -> Self {
        self.head = self.head.replace(base, "");
        self.body = self.body.replace(base, "");
        self
    }

    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}\n{}", self.head, self.body);
        self
    }
}

/// A browser with a session.
pub struct Browser<'w> {
    pub world: &'w World,
    /// What every address of it begins with.
    pub base: String,
    pub csrf: String,
}

impl World {
    pub fn new() -> Self {
        Self::start(|limits| Options { limits, ..Options::default() })
    }

    pub fn with(limits: Limits) -> Self {
        Self::start(|_| Options { limits, ..Options::default() })
    }

    /// With a terminal; what it shows comes out of the other end.
    pub fn with_terminal() -> (Self, Receiver<Notice>) {
        let (sender, notices) = channel();
        let sender = Mutex::new(sender);
        let terminal = Terminal::new(move |notice: &Notice| {
            let _ = sender.lock().expect("no test panicked here").send(notice.clone());
        });
        let world = Self::start(|limits| Options { limits, terminal: Some(terminal), ..Options::default() });
        (world, notices)
    }

    /// A server for agents alone.
    pub fn for_agents() -> Self {
        Self::start(|limits| Options { limits, offer: Offer::Agents, ..Options::default() })
    }

    fn start(options: impl FnOnce(Limits) -> Options) -> Self {
        let limits =
            Limits { strangers_per_second: 1000.0, requests_per_second: 10_000.0, ..Limits::default() };
        let base = tempfile::tempdir().expect("a temporary folder");
        std::fs::create_dir_all(base.path().join("app/.git")).expect("a project");
        let server = Server::bind(context(base.path()), options(limits)).expect("a server");
        let (links, port, token_file) = (server.links(), server.port(), server.file().to_path_buf());
        let agents_file = server.agents().file;
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = std::thread::spawn(move || {
            server
                .run(async {
                    let _ = stopped.await;
                })
                .expect("it serves");
        });
        Self { base, links, port, token_file, agents_file, stop: Some(stop), thread: Some(thread) }
    }

    /// The file with the token for agents.
    pub fn agents_file(&self) -> &PathBuf {
        &self.agents_file
    }

    pub fn engine(&self) -> Engine {
        Engine::open(self.context()).expect("the project")
    }

    pub fn context(&self) -> Context {
        context(self.base.path())
    }

    /// The project's folder.
    pub fn root(&self) -> PathBuf {
        self.base.path().canonicalize().expect("the folder").join("app")
    }

    /// Every file of the state folder and of the project, with its bytes, but for caches that only speed up later looks.
    pub fn listing(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut folders = vec![self.base.path().join("state"), self.base.path().join("app")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
                let path = entry.path();
                if path.is_dir() {
                    if entry.file_name() != "map" {
                        folders.push(path);
                    }
                } else {
                    files.insert(path.clone(), std::fs::read(&path).unwrap_or_default());
                }
            }
        }
        files
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.base.path().join("app").join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        std::fs::write(path, text).expect("a file");
    }

    pub fn read(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.base.path().join("app").join(path)).ok()
    }

    pub fn remove(&self, path: &str) {
        std::fs::remove_file(self.base.path().join("app").join(path)).expect("it was there");
    }

    /// A checkpoint as an agent's hook makes it.
    pub fn save(&self, prompt: Option<&str>, message: Option<&str>) -> String {
        let origin = Origin {
            session: prompt.map(|_| "session-1".to_owned()),
            turn: prompt.map(str::to_owned),
            agent: prompt.map(|_| "test-agent".to_owned()),
            trigger: prompt.map(|_| "prompt".to_owned()),
            prompt: prompt.map(str::to_owned),
            ..Origin::default()
        };
        let kind = if prompt.is_some() { CheckpointKind::Turn } else { CheckpointKind::Manual };
        let request =
            SnapshotRequest { message: message.map(str::to_owned), origin, ..SnapshotRequest::new(kind) };
        let report = engine::checkpoint::create(&self.engine(), &request, &[], &Silent).expect("saved");
        report.saved.checkpoint.id.to_string()
    }

    pub fn token_file(&self) -> &PathBuf {
        &self.token_file
    }

    pub fn token(&self) -> String {
        let text = std::fs::read_to_string(&self.token_file).expect("the file for programs");
        let value: Value = serde_json::from_str(&text).expect("JSON");
        value["token"].as_str().expect("a token").to_owned()
    }

    /// The path and query of a new launch link.
    pub fn launch_path(&self) -> String {
        let link = self.links.fresh();
        let start = format!("http://127.0.0.1:{}", self.port);
        link.strip_prefix(&start).expect("a link to this server").to_owned()
    }

    /// Sends these bytes and reads everything.
    pub fn raw(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.connect();
        // A server that has read enough may answer and close before all of it is sent.
        let _ = stream.write_all(bytes);
        read_answer(&mut stream)
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("connected");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
        stream
    }

    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// A request with these headers (besides Host, unless it is among them).
    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            head.push_str(&format!("Host: {}\r\n", self.host()));
        }
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if !body.is_empty() || method == "POST" {
            head.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        self.raw(format!("{head}\r\n{body}").as_bytes())
    }

    /// A program with the token.
    pub fn api(&self, method: &str, path: &str, body: Option<Value>) -> Answer {
        let bearer = format!("Bearer {}", self.token());
        let mut headers = vec![("Authorization", bearer.as_str())];
        if body.is_some() {
            headers.push(("Content-Type", "application/json"));
        }
        self.ask(method, path, &headers, &body.map(|body| body.to_string()).unwrap_or_default())
    }

    /// Opens the page as a person does.
    pub fn browser(&self) -> Browser<'_> {
        let answer = self.ask("GET", &self.launch_path(), &[], "").expect(200);
        let home = between(&answer.body, "content=\"0;url=", "\"");
        let base = home.strip_suffix('/').expect("a folder").to_owned();
        let home = self.ask("GET", home, &[], "").expect(200);
        let csrf = between(&home.body, "name=\"csrf\" content=\"", "\"").to_owned();
        Browser { world: self, base, csrf }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Browser<'_> {
    pub fn get(&self, path: &str) -> Answer {
        self.world.ask("GET", &self.at(path), &[("Sec-Fetch-Site", "same-origin")], "").without(&self.base)
    }

    /// Types the code that the terminal shows.
    #[track_caller]
    pub fn confirm(&self, asked: &Answer, notices: &Receiver<Notice>) {
        let page = asked.header("location").expect("the page that asks for the code");
        let notice = notices.try_recv().expect("the terminal shows a code");
        self.post(page, &[("code", &notice.code)]).expect(303);
    }

    /// The address of a page for this browser.
    pub fn at(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// Sends JSON as a script of the page does.
    pub fn api(&self, path: &str, body: &Value) -> Answer {
        let origin = format!("http://{}", self.world.host());
        let headers = [
            ("Origin", origin.as_str()),
            ("X-CSRF-Token", self.csrf.as_str()),
            ("Content-Type", "application/json"),
        ];
        self.world.ask("POST", &self.at(path), &headers, &body.to_string())
    }

    /// Sends a form as a page without scripts does.
    pub fn post(&self, path: &str, values: &[(&str, &str)]) -> Answer {
        let mut body = format!("csrf={}", self.csrf);
        for (name, value) in values {
            body.push_str(&format!("&{name}={}", escape(value)));
        }
        let origin = format!("http://{}", self.world.host());
        let headers = [("Origin", origin.as_str()), ("Content-Type", "application/x-www-form-urlencoded")];
        self.world.ask("POST", &self.at(path), &headers, &body).without(&self.base)
    }
}

/// What stands between two marks.
#[track_caller]
pub fn between<'t>(text: &'t str, before: &str, after: &str) -> &'t str {
    let start = text.find(before).unwrap_or_else(|| panic!("`{before}` is not in: {text}")) + before.len();
    let end = text[start..].find(after).expect("the end") + start;
    &text[start..end]
}

fn escape(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
            byte => format!("%{byte:02X}"),
        })
        .collect()
}

pub fn read_answer(stream: &mut TcpStream) -> Answer {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|number| number.parse().ok()).unwrap_or(0);
    let chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
    let body = if chunked { unchunk(body) } else { body.to_owned() };
    Answer { status, head: head.to_owned(), body }
}

fn unchunk(text: &str) -> String {
    let (mut rest, mut out) = (text, String::new());
    while let Some((size, after)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if size == 0 || after.len() < size {
            break;
        }
        out.push_str(&after[..size]);
        rest = after[size..].trim_start_matches("\r\n");
    }
    out
}

fn context(base: &std::path::Path) -> Context {
    let base = base.canonicalize().expect("the folder");
    let get = move |name: &str| -> Option<OsString> {
        match name {
            "VIBELIGN_STATE" => Some(base.join("state").into_os_string()),
            "VIBELIGN_CONFIG" => Some(base.join("config").into_os_string()),
            "HOME" => Some(base.join("home").into_os_string()),
            "USER" => Some(OsString::from("ana")),
            _ => None,
        }
    };
    let root = get("VIBELIGN_STATE").map(PathBuf::from).expect("a path").with_file_name("app");
    Context::with_environment(root, &get)
}
