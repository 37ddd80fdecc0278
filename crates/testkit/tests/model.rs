//! The scripted model, asked as the clients ask it.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};
use vib_testkit::model::{ScriptedModel, Step};

/// Sends a raw request and returns the body of the answer.
fn send(model: &ScriptedModel, head: &str, body: &str) -> String {
    let address = model.url().replace("http://", "");
    let mut stream = TcpStream::connect(address).expect("the model listens");
    stream.write_all(format!("{head}\r\n\r\n{body}").as_bytes()).expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer.split_once("\r\n\r\n").expect("a head and a body").1.to_owned()
}

fn post(model: &ScriptedModel, path: &str, body: &Value) -> String {
    let body = body.to_string();
    send(model, &format!("POST {path} HTTP/1.1\r\nContent-Length: {}", body.len()), &body)
}

fn named(names: &[&str]) -> Vec<Value> {
    names.iter().map(|name| json!({"name": name})).collect()
}

#[test]
fn each_client_gets_the_call_in_its_own_words() {
    let model = ScriptedModel::start("/project");
    let functions =
        |names: &[&str]| names.iter().map(|name| json!({"function": {"name": name}})).collect::<Vec<_>>();
    let asks = [
        (
            "/v1/messages?beta=true",
            json!({"stream": true, "tools": named(&["Bash", "Edit", "Read", "Write"])}),
        ),
        ("/v1/responses", json!({"stream": true, "tools": named(&["exec_command", "apply_patch"])})),
        (
            "/v1beta/models/x:streamGenerateContent?alt=sse",
            json!({"tools": [{"functionDeclarations": named(&["write_file", "replace", "run_shell_command"])}]}),
        ),
        (
            "/v1/chat/completions",
            json!({"stream": true, "tools": functions(&["bash", "edit", "read", "write"])}),
        ),
        (
            "/v1/chat/completions",
            json!({"stream": true, "tools": functions(&["bash", "edit", "view", "create"])}),
        ),
    ];
    let expected = [
        r#"{\"content\":\"hello\\n\",\"file_path\":\"/project/a.txt\"}"#,
        r"*** Begin Patch\n*** Add File: a.txt\n+hello\n*** End Patch",
        r#""args":{"content":"hello\n","file_path":"/project/a.txt"},"name":"write_file""#,
        r#"{\"content\":\"hello\\n\",\"filePath\":\"/project/a.txt\"}"#,
        r#"{\"file_text\":\"hello\\n\",\"path\":\"/project/a.txt\"}"#,
    ];
    for ((path, ask), expected) in asks.iter().zip(expected) {
        model.then([Step::write("a.txt", "hello\n"), Step::say("That was it.")]);
        let call = post(&model, path, ask);
        assert!(call.contains(expected), "{path}: {call}");
        let said = post(&model, path, ask);
        assert!(said.contains("That was it."), "{path}: {said}");
        let more = post(&model, path, ask);
        assert!(more.contains("Done."), "{path}: {more}");
    }
}

#[test]
fn what_is_asked_aside_uses_up_no_step() {
    let model = ScriptedModel::start("/project");
    model.then([Step::say("The one step.")]);
    let title =
        post(&model, "/v1/messages", &json!({"messages": [{"role": "user", "content": "A title, please."}]}));
    assert!(title.contains("A scripted story"), "{title}");
    send(&model, "GET /v1/models HTTP/1.1", "");
    let refused = send(&model, "CONNECT example.com:443 HTTP/1.1", "");
    assert_eq!(refused, "{}");

    let turns: Vec<bool> = model.requests().iter().map(|request| request.turn).collect();
    assert_eq!(turns, [false, false, false]);
    assert!(model.requests()[0].mentions("A title, please."));
    assert_eq!(model.take_unused(), [Step::say("The one step.")]);
}

#[test]
fn a_body_in_chunks_is_read_whole() {
    let model = ScriptedModel::start("/project");
    let (one, two) = (r#"{"messages": [{"con"#, r#"tent": "in two parts"}]}"#);
    let body = format!("{:x}\r\n{one}\r\n{:x}\r\n{two}\r\n0\r\n\r\n", one.len(), two.len());
    send(&model, "POST /v1/messages HTTP/1.1\r\nTransfer-Encoding: chunked", &body);
    assert!(model.requests()[0].mentions("in two parts"));
}
