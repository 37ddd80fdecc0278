//! OpenAI's chat completions, as OpenCode and Copilot use them with a provider of one's own.

use serde_json::{Value, json};

use super::dialect::{Call, Input};
use super::http::Answer;
use super::tokens::Tokens;

/// The names of the tools that a request offers.
pub fn tools(body: &Value) -> Vec<&str> {
    let tools = body["tools"].as_array().into_iter().flatten();
    tools.filter_map(|tool| tool["function"]["name"].as_str()).collect()
}

/// The answer in this protocol; `n` makes ids different.
pub fn answer(body: &Value, content: Result<&[Call], &str>, n: usize) -> Answer {
    let (message, finish) = match content {
        Ok(calls) => {
            let calls: Vec<Value> =
                calls.iter().enumerate().map(|(at, call)| function(call, n, at)).collect();
            (json!({"role": "assistant", "content": null, "tool_calls": calls}), "tool_calls")
        }
        Err(text) => (json!({"role": "assistant", "content": text}), "stop"),
    };
    let Tokens { prompt, cached, output } = Tokens::of(n);
    let usage = json!({"prompt_tokens": prompt, "completion_tokens": output, "total_tokens": prompt + output,
                       "prompt_tokens_details": {"cached_tokens": cached}});
    let document = |object: &str, choice: Value| {
        json!({"id": format!("chatcmpl-{n:020}"), "object": object, "created": 1_767_268_800,
               "model": body["model"], "choices": [choice], "usage": usage})
    };
    if body["stream"] != true {
        let choice = json!({"index": 0, "message": message, "finish_reason": finish});
        return Answer::json(&document("chat.completion", choice));
    }
    let mut chunks = [
        document("chat.completion.chunk", json!({"index": 0, "delta": message, "finish_reason": null})),
        document("chat.completion.chunk", json!({"index": 0, "delta": {}, "finish_reason": finish})),
    ];
    // Only the last one says it, as with the real services.
    chunks[0]["usage"] = Value::Null;
    let events: String = chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect();
    Answer::events(events + "data: [DONE]\n\n")
}

fn function(call: &Call, n: usize, at: usize) -> Value {
    let Input::Arguments(arguments) = &call.input else { unreachable!("no text tools here") };
    json!({"index": at, "id": format!("call_{n:018}{at:02}"), "type": "function",
           "function": {"name": call.name, "arguments": arguments.to_string()}})
}
