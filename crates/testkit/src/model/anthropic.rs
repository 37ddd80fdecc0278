//! Anthropic's Messages API, as Claude Code uses it.

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
    let (blocks, stop) = match content {
        Ok(calls) => (calls.iter().enumerate().map(|(at, call)| tool_use(call, n, at)).collect(), "tool_use"),
        Err(text) => (vec![json!({"type": "text", "text": text})], "end_turn"),
    };
    let model = body["model"].as_str().unwrap_or("scripted");
    let Tokens { prompt, cached, output } = Tokens::of(n);
    let mut message = json!({
        "id": format!("msg_{n:020}"), "type": "message", "role": "assistant", "model": model, "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": prompt - cached, "cache_read_input_tokens": cached, "cache_creation_input_tokens": 0, "output_tokens": 1},
    });
    if body["stream"] != true {
        message["content"] = json!(blocks);
        message["stop_reason"] = json!(stop);
        message["usage"]["output_tokens"] = json!(output);
        return Answer::json(&message);
    }
    let mut events = vec![json!({"type": "message_start", "message": message})];
    events.extend(blocks.into_iter().enumerate().flat_map(|(at, block)| stream(block, at)));
    events.push(json!({"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": null},
                       "usage": {"output_tokens": output}}));
    events.push(json!({"type": "message_stop"}));
    let line =
        |event: &Value| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default());
    Answer::events(events.iter().map(line).collect())
}

fn tool_use(call: &Call, n: usize, at: usize) -> Value {
    let Input::Arguments(input) = &call.input else { unreachable!("no text tools here") };
    json!({"type": "tool_use", "id": format!("toolu_{n:018}{at:02}"), "name": call.name, "input": input})
}

/// One block, in the parts in which it is streamed.
fn stream(mut block: Value, at: usize) -> [Value; 3] {
    let delta = if block["type"] == "tool_use" {
        let input = std::mem::replace(&mut block["input"], json!({}));
        json!({"type": "input_json_delta", "partial_json": input.to_string()})
    } else {
        let text = std::mem::replace(&mut block["text"], json!(""));
        json!({"type": "text_delta", "text": text})
    };
    [
        json!({"type": "content_block_start", "index": at, "content_block": block}),
        json!({"type": "content_block_delta", "index": at, "delta": delta}),
        json!({"type": "content_block_stop", "index": at}),
    ]
}
