//! A client, reduced to what goes over the wire.

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use vib_mcp::Server;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    Session,
    Stateless,
}

pub struct Peer {
    reader: BufReader<ReadHalf<DuplexStream>>,
    writer: WriteHalf<DuplexStream>,
    next: u64,
    pub name: String,
    pub era: Era,
    pub forms: bool,
    /// What the client says when it is asked to show a form.
    pub says: Value,
    /// Forms that were shown.
    pub shown: Vec<Value>,
    /// What the server said without being asked.
    pub notices: Vec<String>,
}

/// Everything is accepted, as some clients do, with nothing filled in.
pub fn empty_accept() -> Value {
    json!({"action": "accept", "content": {}})
}

/// The person chooses the one answer that means yes.
pub fn yes() -> Value {
    json!({"action": "accept", "content": {"decision": "yes, do it"}})
}

impl Peer {
    /// A client of this name; `forms`: it can show a form.
    pub async fn new(server: Server, name: &str, era: Era, forms: bool) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        tokio::spawn(async move {
            use rmcp::ServiceExt as _;
            let (reader, writer) = tokio::io::split(theirs);
            if let Ok(running) = server.serve((reader, writer)).await {
                let _ = running.waiting().await;
            }
        });
        let (reader, writer) = tokio::io::split(ours);
        let mut peer = Self {
            reader: BufReader::new(reader),
            writer,
            next: 0,
            name: name.to_owned(),
            era,
            forms,
            says: empty_accept(),
            shown: Vec::new(),
            notices: Vec::new(),
        };
        if era == Era::Session {
            let hello = json!({
                "protocolVersion": "2025-11-25", "capabilities": peer.capabilities(),
                "clientInfo": {"name": name, "version": "1.0"},
            });
            let answer = peer.request("initialize", hello).await;
            assert_eq!(answer["result"]["serverInfo"]["name"], "vib", "{answer}");
            peer.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string()).await;
        }
        peer
    }

    fn capabilities(&self) -> Value {
        if self.forms { json!({"elicitation": {"form": {}}}) } else { json!({}) }
    }

    /// Sends a line as it is.
    pub async fn send(&mut self, line: &str) {
        self.writer.write_all(line.as_bytes()).await.unwrap();
        self.writer.write_all(b"\n").await.unwrap();
    }

    /// The next message from the server.
    pub async fn next_message(&mut self) -> Value {
        let mut line = String::new();
        let wait = std::time::Duration::from_secs(60);
        let read = tokio::time::timeout(wait, self.reader.read_line(&mut line)).await;
        assert!(read.expect("an answer in time").unwrap() > 0, "the server went away");
        serde_json::from_str(&line).unwrap()
    }

    /// Sends a request; answers forms on the way.
    pub async fn request(&mut self, method: &str, mut params: Value) -> Value {
        self.next += 1;
        if self.era == Era::Stateless {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": {"name": self.name, "version": "1.0"},
                "io.modelcontextprotocol/clientCapabilities": self.capabilities(),
            });
        }
        let id = self.next;
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.send(&request.to_string()).await;
        loop {
            let message = self.next_message().await;
            if message["method"] == "elicitation/create" {
                self.shown.push(message["params"].clone());
                let answer = json!({"jsonrpc": "2.0", "id": message["id"], "result": self.says});
                self.send(&answer.to_string()).await;
                continue;
            }
            if let (Value::Null, Some(notice)) = (&message["id"], message["method"].as_str()) {
                self.notices.push(notice.to_owned());
                continue;
            }
            assert_eq!(message["id"], id, "{message}");
            return message;
        }
    }

    /// Calls a tool once; what came back, whole.
    pub async fn call_once(&mut self, tool: &str, arguments: &Value, more: Value) -> Value {
        let mut params = json!({"name": tool, "arguments": arguments});
        if let (Some(params), Some(more)) = (params.as_object_mut(), more.as_object()) {
            params.extend(more.clone());
        }
        let answer = self.request("tools/call", params).await;
        answer["result"].clone()
    }

    /// Calls a tool, and once more if it asks for a person's answer; its structured answer.
    pub async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call_once(tool, &arguments, json!({})).await;
        if result["resultType"] != "input_required" {
            return structured(&result);
        }
        let state = result["requestState"].clone();
        self.shown.push(result["inputRequests"]["confirm"]["params"].clone());
        let again = json!({"requestState": state, "inputResponses": {"confirm": self.says}});
        structured(&self.call_once(tool, &arguments, again).await)
    }
}

/// The structured answer; the text says the same.
pub fn structured(result: &Value) -> Value {
    let answer = &result["structuredContent"];
    let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {result}"));
    assert_eq!(*answer, serde_json::from_str::<Value>(text).unwrap());
    assert_eq!(result["isError"] == true, answer["ok"] == false, "{result}");
    for field in ["redacted", "summarized", "omitted_fields", "provenance", "ignored_fields"] {
        assert!(!answer[field].is_null(), "`{field}` is in every answer: {answer}");
    }
    answer.clone()
}
