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

/// The settings of [`world`], with more in the provider's section.
fn more(sandbox: &Sandbox, lines: &str) {
    let file = sandbox.base().join("config/config.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("tools = true\n"), "{text}");
    std::fs::write(&file, text.replace("tools = true\n", &format!("tools = true\n{lines}"))).unwrap();
}

#[test]
fn a_budget_in_dollars_needs_a_price() {
    let model = Model::start(false, Duration::ZERO);
    let sandbox = world(&model);
    for who in ["local", "local/other-model"] {
        let refused =
            sandbox.vib(&["run", "Make two words large", "--provider", who, "--budget", "$2", "--json"]);
        assert_eq!(refused.code, 3, "{refused:?}");
        assert!(
            refused.stdout.contains("price_unknown") && refused.stdout.contains("price_in"),
            "{refused:?}"
        );
    }
    assert_eq!(model.asked.load(Ordering::SeqCst), 0, "before the first call");
    assert!(sandbox.data(&["run", "list"])["runs"].as_array().unwrap().is_empty(), "nothing was begun");
    // The same holds for the budget of a day.
    sandbox.vib(&["config", "set", "budget.day_cents", "100"]).ok();
    let refused = sandbox.vib(&["run", "Make two words large", "--provider", "local", "--json"]);
    assert!(refused.code == 3 && refused.stdout.contains("price_unknown"), "{refused:?}");
    sandbox.vib(&["config", "set", "budget.day_cents", "0"]).ok();
    // In tokens it can be kept, and with a price in the settings too, also for another model of that provider.
    sandbox.vib(&["run", "Make two words large", "--provider", "local", "--budget", "500k"]).ok();
    // What the settings give a run bounds vib's own loop, too.
    sandbox.vib(&["config", "set", "budget.run_tokens", "500"]).ok();
    assert_eq!(sandbox.vib(&["run", "Make two words large", "--provider", "local"]).code, 1);
    let shown = sandbox.data(&["run", "show", "run2"]);
    assert_eq!(shown["paused"]["code"], "budget", "{shown}");
    sandbox.vib(&["config", "set", "budget.run_tokens", "0"]).ok();
    more(&sandbox, "price_in = 1.0\nprice_out = 4.0\n");
    let words =
        ["run", "Make two words large", "--provider", "local/other-model", "--budget", "$2", "--json"];
    let output = sandbox.vib(&words);
    assert!(!output.stdout.contains("price_unknown"), "{output:?}");
    let shown = sandbox.data(&["run", "show", "run3"]);
    assert_eq!(
        (&shown["spent"]["unpriced"], shown["spent"]["dollars"].as_f64() > Some(0.0)),
        (&json!(0), true),
        "{shown}"
    );
}

#[test]
fn what_was_undone_waits_again_everywhere() {
    let model = Model::start(false, Duration::ZERO);
    let sandbox = world(&model);
    sandbox.vib(&["run", "Make two words large", "--provider", "local"]).ok();
    sandbox.vib(&["run", "apply", "run1", "--yes"]).ok();
    assert!(sandbox.vib(&["run", "show", "run1"]).ok().stdout.contains("in the project"));
    sandbox.vib(&["undo", "--yes"]).ok();
    assert_eq!(sandbox.read("list.txt"), LIST);
    let shown = sandbox.vib(&["run", "show", "run1"]).ok().stdout;
    assert!(!shown.contains("in the project;") && shown.contains("`vib undo`"), "{shown}");
    let shown = sandbox.data(&["run", "show", "run1"]);
    for card in shown["cards"].as_array().unwrap() {
        assert_eq!((&card["status"], &card["undone"]), (&json!("preview"), &json!("wholly")), "{card}");
    }
    let line = &sandbox.data(&["run", "list"])["runs"][0];
    assert_eq!((&line["done"], &line["waiting"]), (&json!(0), &json!(2)), "{line}");
    let board = sandbox.data(&["board"]);
    let of = |status: &str| {
        let columns = board["columns"].as_array().unwrap();
        let column = columns.iter().find(|column| column["status"] == status).unwrap();
        column["cards"].as_array().unwrap().len()
    };
    assert_eq!((of("done"), of("preview")), (0, 2), "{board}");
    // The undo is undone: it is there again.
    sandbox.vib(&["redo", "--yes"]).ok();
    assert_eq!(sandbox.data(&["run", "list"])["runs"][0]["done"], 2);
    sandbox.vib(&["undo", "--yes"]).ok();
    sandbox.vib(&["run", "apply", "run1", "--yes"]).ok();
    assert_eq!(sandbox.read("list.txt"), wanted());
    assert_eq!(sandbox.data(&["run", "list"])["runs"][0]["done"], 2);
}

fn two_files(talk: &str) -> Vec<(String, Value)> {
    let new = "--- /dev/null\n+++ b/more.txt\n@@ -0,0 +1,1 @@\n+more\n";
    match talk {
        "plan" => vec![call("PLAN", json!({"cards": [{"title": "Two files"}]}))],
        "review" => script("review"),
        _ => vec![
            change("one", "ONE"),
            call("EDIT_DIFF", json!({"diff": new})),
            call("DONE", json!({"summary": "done"})),
        ],
    }
}

#[test]
fn what_was_undone_in_part_is_said_and_brought_again() {
    let model = Model::with(two_files, Duration::ZERO);
    let sandbox = world(&model);
    sandbox.vib(&["run", "Two files", "--provider", "local"]).ok();
    sandbox.vib(&["run", "apply", "run1", "--yes"]).ok();
    sandbox.vib(&["undo", "more.txt", "--yes"]).ok();
    assert!(!sandbox.root().join("more.txt").exists() && sandbox.read("list.txt").starts_with("ONE"));
    let card = &sandbox.data(&["run", "show", "run1"])["cards"][0];
    assert_eq!((&card["status"], &card["undone"]), (&json!("done"), &json!("partly")), "{card}");
    assert!(sandbox.vib(&["run", "show", "run1"]).ok().stdout.contains("some of its files were taken back"));
    sandbox.vib(&["run", "apply", "run1", "--yes"]).ok();
    assert!(sandbox.root().join("more.txt").exists());
    assert!(sandbox.data(&["run", "show", "run1"])["cards"][0]["undone"].is_null());
}

#[test]
fn a_card_of_which_nothing_landed_is_not_done() {
    let model = Model::start(false, Duration::ZERO);
    let sandbox = world(&model);
    sandbox.vib(&["run", "Make two words large", "--provider", "local"]).ok();
    sandbox.write("list.txt", LIST.replace("one", "eins").replace("three", "drei"));
    let refused = sandbox.error(&["run", "apply", "run1/c1", "--leave", "--yes", "--no-check"]);
    assert_eq!(refused["code"], "only_conflicts", "{refused}");
    let shown = sandbox.data(&["run", "show", "run1"]);
    assert_eq!(shown["cards"][0]["status"], "preview", "{shown}");
    assert!(shown["cards"][0]["landed"].is_null(), "{shown}");
    // Of two, one comes and one does not: each is told for itself.
    sandbox.write("list.txt", LIST.replace("three", "drei"));
    let done = sandbox.vib(&["run", "apply", "run1", "--leave", "--yes", "--no-check", "--json"]);
    let shown = sandbox.data(&["run", "show", "run1"]);
    let stand = |at: usize| shown["cards"][at]["status"].as_str().unwrap_or_default().to_owned();
    let text = sandbox.read("list.txt");
    let came = text.contains("ONE");
    assert_eq!(stand(0), if came { "done" } else { "preview" }, "{done:?} {shown}");
    assert_eq!((stand(1).as_str(), text.contains("THREE")), ("preview", false), "{shown}");
}

#[test]
fn a_card_is_applied_and_taken_back_with_the_keys_of_the_board() {
    let model = Model::start(false, Duration::ZERO);
    let sandbox = world(&model);
    sandbox.vib(&["run", "Make two words large", "--provider", "local"]).ok();
    let turns = [
        // A no changes nothing, and the board comes again.
        ("run1/c1", "a"),
        ("[y/N]", "n\n"),
        ("back to the board", "\n"),
        ("run1/c1", "a"),
        ("[y/N]", "y\n"),
        ("back to the board", "\n"),
        ("Done", "q"),
    ];
    let seen = super::terminal::Terminal::new(24, 80).run_in_turns(&mut sandbox.command(&["board"]), &turns);
    assert!(seen.contains("vib run apply run1/c1"), "{seen}");
    assert_eq!(sandbox.read("list.txt"), LIST.replace("one", "ONE"));
    assert_eq!(sandbox.data(&["run", "show", "run1"])["cards"][0]["status"], "done");
}

#[test]
fn after_a_kill_it_is_said_that_nobody_works_on_it() {
    let model = Model::start(false, Duration::from_millis(200));
    let sandbox = world(&model);
    let mut command = sandbox.command(&["run", "Make two words large", "--json"]);
    let mut vib = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let file = sandbox.store().join("runs/run1/events.jsonl");
    let began = Instant::now();
    while std::fs::read(&file).map_or(0, |bytes| bytes.len()) < 400
        && began.elapsed() < Duration::from_secs(60)
    {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(sandbox.vib(&["run", "list"]).ok().stdout.contains("somebody is at work"));
    vib.kill().unwrap();
    vib.wait().unwrap();
    for words in [&["run", "list"][..], &["run", "show", "run1"]] {
        let said = sandbox.vib(words).ok().stdout;
        assert!(said.contains("nobody works on it") && said.contains("`vib run resume run1`"), "{said}");
    }
    assert_eq!(sandbox.data(&["run", "show", "run1"])["left_alone"], true);
    sandbox.vib(&["run", "resume", "run1"]).ok();
    assert_eq!(sandbox.data(&["run", "show", "run1"])["left_alone"], false);
}

#[test]
fn checks_that_nobody_allowed_say_how_to_allow_them() {
    let model = Model::start(false, Duration::ZERO);
    let sandbox = world(&model);
    sandbox.write("more.sh", "true\n");
    let file = sandbox.base().join("config/config.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("\"sh check.sh\"", "\"sh check.sh\", \"sh more.sh\"")).unwrap();
    let output = sandbox.vib(&["run", "Make two words large", "--provider", "local"]).ok();
    assert!(
        output.stdout.contains("`vib verify` asks once") && output.stdout.contains("sh more.sh"),
        "{output:?}"
    );
    assert_eq!(sandbox.data(&["run", "show", "run1"])["not_allowed"], json!(["sh more.sh"]));
}

fn changes_the_check(talk: &str) -> Vec<(String, Value)> {
    let off = "--- a/check.sh\n+++ b/check.sh\n@@ -1,1 +1,1 @@\n-grep -q two list.txt\n+true\n";
    let done = || call("DONE", json!({"summary": "It passes."}));
    match talk {
        "plan" => vec![call("PLAN", json!({"cards": [{"title": "The second"}]}))],
        "review" => script("review"),
        _ => vec![call("EDIT_DIFF", json!({"diff": off})), change("two", "TWO"), done(), done(), done()],
    }
}

#[test]
fn a_check_that_was_changed_is_named_before_anybody_says_yes() {
    let model = Model::with(changes_the_check, Duration::ZERO);
    let sandbox = world(&model);
    let output = sandbox.vib(&["run", "Make a word large", "--provider", "local"]);
    assert!(output.code == 1 && output.stderr.contains("check.sh"), "{output:?}");
    sandbox.vib(&["run", "resume", "run1", "yes"]).ok();
    let shown = sandbox.vib(&["run", "show", "run1"]).ok().stdout;
    assert!(shown.contains("check-changed check.sh"), "{shown}");
    let preview = sandbox.vib(&["run", "apply", "run1", "--dry-run"]).stdout;
    assert!(preview.contains("passes only because check.sh was changed"), "{preview}");
    let data = sandbox.data(&["run", "apply", "run1", "--dry-run"]);
    assert_eq!(data["checks"]["changed"][0]["how"], "fails", "{data}");
    assert!(data["weakened"][0].as_str().unwrap().contains("check.sh"), "{data}");
    let refused = sandbox.error(&["run", "apply", "run1", "--yes"]);
    assert_eq!(refused["code"], "check_changed", "nobody looks with --yes: {refused}");
    assert_eq!(sandbox.read("check.sh"), "grep -q two list.txt\n");
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
