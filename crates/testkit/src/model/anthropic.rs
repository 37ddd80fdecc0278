//! Anthropic's Messages API, as Claude Code uses it.

use serde_json::{Value, json};

use super::dialect::{Call, Input};
use super::http::Answer;

/// The names of the tools that a request offers.
pub fn tools(body: &Value) -> Vec<&str> {
    body["tools"].as_array().into_iter().flatten().filter_map(|tool| tool["name"].as_str()).collect()
}

/// The answer in this protocol; `n` makes ids different.
pub fn answer(body: &Value, content: Result<&Call, &str>, n: usize) -> Answer {
    let (block, stop) = match content {
        Ok(call) => {
            let Input::Arguments(input) = &call.input else { unreachable!("no text tools here") };
            let block = json!({"type": "tool_use", "id": format!("toolu_{n:020}"), "name": call.name, "input": input});
            (block, "tool_use")
        }
        Err(text) => (json!({"type": "text", "text": text}), "end_turn"),
    };
    let model = body["model"].as_str().unwrap_or("scripted");
    let mut message = json!({
        "id": format!("msg_{n:020}"), "type": "message", "role": "assistant", "model": model, "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": 10, "output_tokens": 1},
    });
    if body["stream"] != true {
        message["content"] = json!([block]);
        message["stop_reason"] = json!(stop);
        return Answer::json(&message);
    }
    let (start, delta) = match content {
        Ok(_) => {
            let input = block["input"].to_string();
            let mut start = block;
            start["input"] = json!({});
            (start, json!({"type": "input_json_delta", "partial_json": input}))
        }
        Err(text) => (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": text})),
    };
    let events = [
        json!({"type": "message_start", "message": message}),
        json!({"type": "content_block_start", "index": 0, "content_block": start}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": null},
               "usage": {"output_tokens": 10}}),
        json!({"type": "message_stop"}),
    ];
    let line =
        |event: &Value| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default());
    Answer::events(events.iter().map(line).collect())
}
