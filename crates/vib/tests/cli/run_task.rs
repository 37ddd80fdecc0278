//! `vib run "TASK"` with the real program and a model on loopback: one that answers from the conversation alone, so that it goes on after a kill.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testkit::Sandbox;

use super::shop;

pub(super) const LIST: &str = "one\ntwo\nthree\nfour\nfive\nsix\n";

pub(super) fn change(from: &str, to: &str) -> (String, Value) {
    let lines: Vec<&str> = LIST.lines().collect();
    let at = lines.iter().position(|line| *line == from).unwrap();
    let diff = format!(
        "--- a/list.txt\n+++ b/list.txt\n@@ -{},2 +{},2 @@\n-{from}\n+{to}\n {}\n",
        at + 1,
        at + 1,
        lines[at + 1]
    );
    ("EDIT_DIFF".to_owned(), json!({"diff": diff}))
}

pub(super) fn call(name: &str, input: Value) -> (String, Value) {
    (name.to_owned(), input)
}

/// What is answered, by who asks.
pub(super) fn script(talk: &str) -> Vec<(String, Value)> {
    match talk {
        "plan" => vec![
            call("READ", json!({"path": "list.txt"})),
            call("PLAN", json!({"cards": [{"title": "The first"}, {"title": "The third"}]})),
        ],
        "c1" => vec![
            change("one", "ONE"),
            call("TEST", json!({})),
            call("DONE", json!({"summary": "One is large."})),
        ],
        "c2" => vec![
            call("GREP", json!({"q": "three"})),
            change("three", "THREE"),
            call("DONE", json!({"summary": "Three is large."})),
        ],
        "ask" => vec![
            call(
                "ASK",
                json!({"question": "Shall the word be in capital letters or underlined?", "options": ["capital", "underlined"]}),
            ),
            change("one", "ONE"),
            call("DONE", json!({"summary": "done"})),
        ],
        _ => vec![call("META", json!({"risk": "low", "note": "Small and plain."}))],
    }
}

type Script = fn(&str) -> Vec<(String, Value)>;

fn asking(talk: &str) -> Vec<(String, Value)> {
    script(if matches!(talk, "c1" | "c2") { "ask" } else { talk })
}

/// A server that speaks as OpenAI's does.
pub(super) struct Model {
    url: String,
    asked: Arc<AtomicUsize>,
}

impl Model {
    fn start(asks: bool, slow: Duration) -> Self {
        Self::with(if asks { asking } else { script }, slow)
    }

    pub(super) fn with(script: Script, slow: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let count = Arc::clone(&count);
                std::thread::spawn(move || serve(stream, &count, script, slow));
            }
        });
        Self { url, asked }
    }
}

fn serve(mut stream: TcpStream, asked: &AtomicUsize, script: Script, slow: Duration) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let (mut length, mut line) = (0, String::new());
    while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        line.clear();
    }
    let mut body = vec![0; length];
    if reader.read_exact(&mut body).is_err() {
        return;
    }
    asked.fetch_add(1, Ordering::SeqCst);
    std::thread::sleep(slow);
    let body: Value = serde_json::from_slice(&body).unwrap();
    let messages = body["messages"].as_array().unwrap();
    let all = body["messages"].to_string();
    let talk = match () {
        () if all.contains("Divide the task into cards") => "plan",
        () if all.contains("You did not make this change") => "review",
        () if all.contains("# Card c1") => "c1",
        () => "c2",
    };
    let said = messages.iter().filter(|message| message["role"] == "assistant").count();
    let again =
        messages.iter().filter(|message| message["content"].to_string().contains("error: cut_off")).count();
    let (name, input) =
        script(talk).get(said - again).cloned().unwrap_or_else(|| call("DONE", json!({"summary": "?"})));
    let input = input.to_string();
    let delta = json!({"role": "assistant", "tool_calls": [{"index": 0, "id": format!("call-{said}"), "type": "function",
                       "function": {"name": name, "arguments": input}}]});
    let chunk = |delta: Value, end: Value| {
        json!({"id": "x", "object": "chat.completion.chunk", "model": "test-model",
                       "choices": [{"index": 0, "delta": delta, "finish_reason": end}]})
    };
    let usage = json!({"id": "x", "object": "chat.completion.chunk", "model": "test-model", "choices": [],
                       "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}});
    let text = format!(
        "data: {}\n\ndata: {}\n\ndata: {usage}\n\ndata: [DONE]\n\n",
        chunk(delta, Value::Null),
        chunk(json!({}), json!("tool_calls"))
    );
    let _ = write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}",
        text.len()
    );
}

pub(super) fn world(model: &Model) -> Sandbox {
    let sandbox = shop().with_real_clock();
    sandbox.write("list.txt", LIST);
    sandbox.write("check.sh", "grep -q two list.txt\n");
    let config = sandbox.base().join("config");
    std::fs::create_dir_all(&config).unwrap();
    let text = format!(
        "[verify]\nchecks = [\"sh check.sh\"]\n\n[run.providers.local]\ndialect = \"openai-chat\"\nurl = \"{}\"\nmodel = \"test-model\"\ntools = true\n",
        model.url
    );
    std::fs::write(config.join("config.toml"), text).unwrap();
    sandbox.vib(&["verify", "--yes", "--json"]);
    sandbox
}

pub(super) fn wanted() -> String {
    LIST.replace("one", "ONE").replace("three", "THREE")
}

pub(super) fn lane_text(sandbox: &Sandbox, run: &str) -> String {
    let lane = sandbox.data(&["lane", "open", run]);
    std::fs::read_to_string(std::path::Path::new(lane["folder"].as_str().unwrap()).join("list.txt")).unwrap()
}

#[test]
fn a_task_is_carried_out_and_applied() {
    let model = Model::start(false, Duration::ZERO);
    let sandbox = world(&model);
    let output = sandbox.vib(&["run", "Make two words large", "--provider", "local"]).ok();
    assert!(output.stdout.contains("run1/c2") && output.stderr.contains("EDIT_DIFF"), "{output:?}");
    assert_eq!((sandbox.read("list.txt"), lane_text(&sandbox, "run1")), (LIST.to_owned(), wanted()));
    let shown = sandbox.data(&["run", "show", "run1"]);
    assert_eq!(
        shown["spent"]["calls"],
        model.asked.load(Ordering::SeqCst),
        "the ledger counts every call: {shown}"
    );
    assert_eq!(shown["cards"][0]["attempts"][0]["checks"][0]["status"], "passed");
    assert_eq!(shown["cards"][1]["risk"], "low");
    sandbox.vib(&["run", "apply", "run1", "--yes"]).ok();
    assert_eq!(sandbox.read("list.txt"), wanted());
    sandbox.vib(&["run", "revert", "run1/c1", "--yes"]).ok();
    assert_eq!(sandbox.read("list.txt"), LIST.replace("three", "THREE"), "the later card stays");
}

#[test]
fn a_question_waits_for_an_answer() {
    let model = Model::start(true, Duration::ZERO);
    let sandbox = world(&model);
    let output = sandbox.vib(&["run", "Make a word large"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.stderr.contains("capital letters or underlined"), "{output:?}");
    let refused = sandbox.error(&["run", "resume", "run1"]);
    assert_eq!(refused["code"], "not_waiting", "{refused}");
    // Both cards follow the same script: the second change is refused, because it was made already.
    let output = sandbox.vib(&["run", "resume", "run1", "capital"]);
    let shown = sandbox.data(&["run", "show", "run1"]);
    assert_eq!(shown["cards"][0]["status"], "preview", "{output:?}");
    assert!(lane_text(&sandbox, "run1").starts_with("ONE"));
}

#[test]
fn killed_anywhere_and_resumed_it_ends_with_the_same_files() {
    let model = Model::start(false, Duration::from_millis(20));
    for round in 0..8 {
        let sandbox = world(&model);
        let mut command = sandbox.command(&["run", "Make two words large", "--json"]);
        let mut vib = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let began = Instant::now();
        // At a different place each time: so many events are written.
        let events = || {
            let file = sandbox.store().join("runs/run1/events.jsonl");
            std::fs::read(file).map_or(0, |bytes| bytes.iter().filter(|byte| **byte == b'\n').count())
        };
        while events() < 3 + round * 5 && began.elapsed() < Duration::from_secs(60) {
            if vib.try_wait().unwrap().is_some() {
                break;
            }
            std::thread::sleep(Duration::from_millis(3));
        }
        vib.kill().unwrap();
        vib.wait().unwrap();
        let output = sandbox.vib(&["run", "resume", "run1"]);
        assert_eq!(output.code, 0, "round {round}: {output:?}");
        assert_eq!(lane_text(&sandbox, "run1"), wanted(), "round {round}");
        let shown = sandbox.data(&["run", "show", "run1"]);
        for card in shown["cards"].as_array().unwrap() {
            assert_eq!(card["status"], "preview", "round {round}: {card}");
            assert_eq!(card["evidence"]["diffs"].as_array().unwrap().len(), 1, "round {round}: {card}");
        }
    }
}

#[test]
fn a_run_goes_on_without_a_terminal() {
    let model = Model::start(false, Duration::from_millis(50));
    let sandbox = world(&model);
    let begun = sandbox.data(&["run", "Make two words large", "--detach"]);
    assert_eq!(begun["run"], "run1", "{begun}");
    let output = sandbox.vib(&["run", "attach", "run1"]).ok();
    assert!(
        output.stdout.contains("EDIT_DIFF") && output.stdout.contains("Nobody works on run1"),
        "{output:?}"
    );
    assert_eq!(lane_text(&sandbox, "run1"), wanted());
    let shown = sandbox.data(&["run", "show", "run1"]);
    assert_eq!(shown["ended"], "done", "{shown}");
}

#[test]
fn the_demo_is_true() {
    let sandbox = super::empty();
    let data = sandbox.data(&["run", "--demo"]);
    for field in ["applied", "untouched", "found_out"] {
        assert_eq!(data[field], true, "{field}: {data}");
    }
    assert!(!std::path::Path::new(data["folder"].as_str().unwrap()).exists(), "nothing is left behind");
    let output = sandbox.vib(&["run", "--demo"]).ok();
    assert_eq!(output.stdout.matches('✓').count(), 3, "{}", output.stdout);
}
