//! OpenAI's Responses API, as Codex uses it.

use serde_json::{Value, json};

use super::dialect::{Call, Input};
use super::http::Answer;
use super::tokens::Tokens;

/// The names of the tools that a request offers.
pub fn tools(body: &Value) -> Vec<&str> {
    body["tools"].as_array().into_iter().flatten().filter_map(|tool| tool["name"].as_str()).collect()
}

/// The answer in this protocol; `n` makes ids different.
pub fn answer(body: &Value, content: Result<&[Call], &str>, n: usize) -> Answer {
    let items: Vec<Value> = match content {
        Ok(calls) => calls.iter().enumerate().map(|(at, call)| item(call, n, at)).collect(),
        Err(text) => vec![json!({
            "type": "message", "id": format!("msg_{n:020}"), "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": text, "annotations": []}],
        })],
    };
    let tokens = Tokens::of(n);
    let response = |status: &str, output: &[Value]| {
        json!({
            "id": format!("resp_{n:020}"), "object": "response", "created_at": 1_767_268_800, "status": status,
            "model": body["model"], "output": output,
            "usage": {"input_tokens": tokens.prompt, "input_tokens_details": {"cached_tokens": tokens.cached},
                      "output_tokens": tokens.output, "output_tokens_details": {"reasoning_tokens": 0},
                      "total_tokens": tokens.prompt + tokens.output},
        })
    };
    if body["stream"] != true {
        return Answer::json(&response("completed", &items));
    }
    let mut events = vec![json!({"type": "response.created", "response": response("in_progress", &[])})];
    for (at, item) in items.iter().enumerate() {
        events.push(json!({"type": "response.output_item.added", "output_index": at, "item": item}));
        events.push(json!({"type": "response.output_item.done", "output_index": at, "item": item}));
    }
    events.push(json!({"type": "response.completed", "response": response("completed", &items)}));
    let line = |(number, event): (usize, &Value)| {
        let mut event = event.clone();
        event["sequence_number"] = json!(number);
        format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default())
    };
    Answer::events(events.iter().enumerate().map(line).collect())
}

fn item(call: &Call, n: usize, at: usize) -> Value {
    let Call { name, input } = call;
    let call_id = format!("call_{n:018}{at:02}");
    match input {
        Input::Arguments(arguments) => {
            let mut item = json!({
                "type": "function_call", "id": format!("fc_{n:018}{at:02}"), "call_id": call_id, "name": name,
                "arguments": arguments.to_string(), "status": "completed",
            });
            if name == "spawn_agent" {
                item["namespace"] = json!("multi_agent_v1");
            }
            // Tools of MCP servers have their server in a field of its own.
            if let Some(tool) = name.strip_prefix("mcp__vib__") {
                item["name"] = json!(tool);
                item["namespace"] = json!("mcp__vib");
            }
            item
        }
        Input::Text(text) => json!({
            "type": "custom_tool_call", "id": format!("ctc_{n:018}{at:02}"), "call_id": call_id, "name": name,
            "input": text, "status": "completed",
        }),
    }
}
