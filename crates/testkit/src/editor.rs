//! [`Editor`]: the side of ACP that a person sits at, played by a test.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Longer than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// An editor with one conversation.
pub struct Editor {
    /// What it started.
    pub child: Child,
    /// What the person answers when they are asked.
    pub says_yes: bool,
    /// The session.
    pub session: String,
    to: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
    number: u64,
}

/// What came of one request.
#[derive(Debug, Default)]
pub struct Heard {
    /// The answer.
    pub answer: Value,
    /// All that was said, by the agent and by vib.
    pub text: String,
    /// The questions to the person.
    pub questions: Vec<Value>,
    /// Files that the editor was asked to write, and wrote.
    pub written: Vec<Value>,
    /// Commands that it was asked to run, and ran.
    pub run: Vec<Value>,
    /// What was no message.
    pub raw: Vec<Vec<u8>>,
}

impl Editor {
    /// Starts this command and opens a session in `root`. `helps`: it writes files and runs commands for the agent.
    pub fn start(mut command: Command, root: &Path, helps: bool) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the agent starts");
        let (heard, lines) = mpsc::channel();
        let mut from = BufReader::new(child.stdout.take().expect("a pipe"));
        std::thread::spawn(move || {
            loop {
                let mut line = Vec::new();
                match from.read_until(b'\n', &mut line) {
                    Ok(1..) if heard.send(line).is_ok() => {}
                    _ => return,
                }
            }
        });
        let to = child.stdin.take();
        let mut editor = Self { child, says_yes: true, session: String::new(), to, lines, number: 0 };
        let fs = json!({"readTextFile": helps, "writeTextFile": helps});
        editor.ask(
            "initialize",
            &json!({"protocolVersion": 1, "clientCapabilities": {"fs": fs, "terminal": helps}}),
        );
        let new = editor.ask("session/new", &json!({"cwd": root, "mcpServers": []}));
        let session = new.answer["result"]["sessionId"].as_str();
        editor.session = session.unwrap_or_else(|| panic!("no session: {new:?}")).to_owned();
        editor
    }

    /// Sends a message.
    pub fn send(&mut self, value: &Value) {
        let to = self.to.as_mut().expect("it is open");
        // Nobody may listen any more; the answer will be missing then.
        let _ = writeln!(to, "{value}").and_then(|()| to.flush());
    }

    /// Asks without waiting for the answer. The number of the request.
    pub fn begin(&mut self, method: &str, params: &Value) -> u64 {
        self.number += 1;
        let id = self.number;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// Asks and waits.
    pub fn ask(&mut self, method: &str, params: &Value) -> Heard {
        let id = self.begin(method, params);
        self.wait_for(id)
    }

    /// Waits for the answer to a request, and answers what is asked meanwhile.
    pub fn wait_for(&mut self, id: u64) -> Heard {
        let mut heard = Heard::default();
        let began = Instant::now();
        loop {
            let line = self.lines.recv_timeout(PATIENCE.saturating_sub(began.elapsed()));
            let line = line.unwrap_or_else(|error| panic!("no answer: {error}; {heard:?}"));
            let Ok(message) = serde_json::from_slice::<Value>(&line) else {
                heard.raw.push(line);
                continue;
            };
            if message["id"] == id && message.get("method").is_none() {
                heard.answer = message;
                return heard;
            }
            self.hear(&message, &mut heard);
        }
    }

    /// The next line, whatever it is.
    pub fn next_line(&self) -> Vec<u8> {
        self.lines.recv_timeout(PATIENCE).expect("a line")
    }

    fn hear(&mut self, message: &Value, heard: &mut Heard) {
        let params = &message["params"];
        let result = match message["method"].as_str().unwrap_or_default() {
            "session/update" => {
                heard.text.push_str(params["update"]["content"]["text"].as_str().unwrap_or_default());
                return;
            }
            "session/request_permission" => {
                heard.questions.push(params.clone());
                let kind = if self.says_yes { "allow_once" } else { "reject_once" };
                let options = params["options"].as_array().expect("options");
                let option = options.iter().find(|option| option["kind"] == kind).expect("such an option");
                json!({"outcome": {"outcome": "selected", "optionId": option["optionId"]}})
            }
            "fs/write_text_file" => {
                heard.written.push(params.clone());
                let (path, content) = (params["path"].as_str(), params["content"].as_str());
                std::fs::write(path.expect("a path"), content.expect("a text")).expect("written");
                json!({})
            }
            "terminal/create" => {
                heard.run.push(params.clone());
                let line = params["command"].as_str().expect("a command");
                let _ =
                    Command::new("sh").args(["-c", line]).stdin(Stdio::null()).stdout(Stdio::null()).status();
                json!({"terminalId": "t-1"})
            }
            _ => return,
        };
        self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": result}));
    }

    /// What a person's prompt looks like.
    pub fn prompt_params(&self, text: &str) -> Value {
        json!({"sessionId": self.session, "prompt": [{"type": "text", "text": text}]})
    }

    /// The person says something.
    pub fn prompt(&mut self, text: &str) -> Heard {
        self.ask("session/prompt", &self.prompt_params(text))
    }

    /// The person closes the editor. The exit code of what it started.
    pub fn close(&mut self) -> i32 {
        self.to.take();
        self.wait()
    }

    /// Waits until what it started has ended. Its exit code.
    pub fn wait(&mut self) -> i32 {
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("its state") {
                return status.code().unwrap_or(-1);
            }
            assert!(began.elapsed() < PATIENCE, "it did not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
