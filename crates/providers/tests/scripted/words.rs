//! Answers, in the words of both dialects.

use providers::Dialect;
use serde_json::{Value, json};

/// What a model answers.
pub struct Said {
    pub model: &'static str,
    pub text: &'static str,
    /// Id and arguments, as text.
    pub calls: Vec<(&'static str, &'static str)>,
    pub end: &'static str,
    pub usage: bool,
}

impl Default for Said {
    /// A text and one call.
    fn default() -> Self {
        Self {
            model: super::MODEL,
            text: "I look.",
            calls: vec![("call_9", "{\"path\":\"src/a.rs\"}")],
            end: "calls",
            usage: true,
        }
    }
}

fn end_word(dialect: Dialect, end: &str) -> &str {
    match (dialect, end) {
        (Dialect::Anthropic, "calls") => "tool_use",
        (Dialect::Anthropic, "finished") => "end_turn",
        (Dialect::Anthropic, "too_long") => "max_tokens",
        (Dialect::Anthropic, "refused") => "refusal",
        (Dialect::OpenAiChat, "calls") => "tool_calls",
        (Dialect::OpenAiChat, "finished") => "stop",
        (Dialect::OpenAiChat, "too_long") => "length",
        (Dialect::OpenAiChat, "refused") => "content_filter",
        (_, other) => other,
    }
}

/// The events of a stream.
pub fn events(dialect: Dialect, said: &Said) -> Vec<Value> {
    let end = end_word(dialect, said.end);
    let halves = |text: &'static str| text.split_at(text.len() / 2);
    let mut events = Vec::new();
    if dialect == Dialect::Anthropic {
        let usage = json!({"input_tokens": 900, "cache_read_input_tokens": 60, "cache_creation_input_tokens": 40, "output_tokens": 1});
        let mut message = json!({"type": "message", "role": "assistant", "model": said.model, "content": []});
        if said.usage {
            message["usage"] = usage;
        }
        events.push(json!({"type": "message_start", "message": message}));
        events.push(json!({"type": "ping"}));
        events.push(
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        );
        events.push(json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": said.text}}));
        events.push(json!({"type": "content_block_stop", "index": 0}));
        for (at, (id, input)) in (1..).zip(&said.calls) {
            let block = json!({"type": "tool_use", "id": id, "name": "READ", "input": {}});
            events.push(json!({"type": "content_block_start", "index": at, "content_block": block}));
            for piece in [halves(input).0, halves(input).1] {
                events.push(json!({"type": "content_block_delta", "index": at, "delta": {"type": "input_json_delta", "partial_json": piece}}));
            }
            events.push(json!({"type": "content_block_stop", "index": at}));
        }
        let mut last = json!({"type": "message_delta", "delta": {"stop_reason": end}});
        if said.usage {
            last["usage"] = json!({"output_tokens": 50});
        }
        events.push(last);
        events.push(json!({"type": "message_stop"}));
        return events;
    }
    let chunk = |delta: Value, finish: Value| json!({"object": "chat.completion.chunk", "model": said.model, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]});
    events.push(chunk(json!({"role": "assistant", "content": ""}), Value::Null));
    events.push(chunk(json!({"content": said.text}), Value::Null));
    for (at, (id, input)) in said.calls.iter().enumerate() {
        let first =
            json!({"index": at, "id": id, "type": "function", "function": {"name": "READ", "arguments": ""}});
        events.push(chunk(json!({"tool_calls": [first]}), Value::Null));
        for piece in [halves(input).0, halves(input).1] {
            events.push(chunk(
                json!({"tool_calls": [{"index": at, "function": {"arguments": piece}}]}),
                Value::Null,
            ));
        }
    }
    events.push(chunk(json!({}), json!(end)));
    if said.usage {
        let usage = json!({"prompt_tokens": 1000, "completion_tokens": 50, "prompt_tokens_details": {"cached_tokens": 60}});
        events.push(
            json!({"object": "chat.completion.chunk", "model": said.model, "choices": [], "usage": usage}),
        );
    }
    events
}

pub fn chunk(event: &Value) -> String {
    match event["type"].as_str() {
        Some(name) => format!("event: {name}\ndata: {event}\n\n"),
        None => format!("data: {event}\n\n"),
    }
}

/// A whole stream.
pub fn stream(dialect: Dialect, said: &Said) -> String {
    let mut text: String = events(dialect, said).iter().map(chunk).collect();
    if dialect == Dialect::OpenAiChat {
        text.push_str("data: [DONE]\n\n");
    }
    text
}

/// The same in one piece.
pub fn whole(dialect: Dialect, said: &Said) -> String {
    let end = end_word(dialect, said.end);
    let value = match dialect {
        Dialect::Anthropic => {
            let mut content = vec![json!({"type": "text", "text": said.text})];
            for (id, input) in &said.calls {
                let input: Value = serde_json::from_str(input).unwrap();
                content.push(json!({"type": "tool_use", "id": id, "name": "READ", "input": input}));
            }
            json!({"type": "message", "model": said.model, "content": content, "stop_reason": end,
                   "usage": {"input_tokens": 900, "cache_read_input_tokens": 60, "cache_creation_input_tokens": 40, "output_tokens": 50}})
        }
        Dialect::OpenAiChat => {
            let call = |(id, input): &(&str, &str)| json!({"id": id, "type": "function", "function": {"name": "READ", "arguments": input}});
            let calls: Vec<Value> = said.calls.iter().map(call).collect();
            json!({"object": "chat.completion", "model": said.model,
                   "choices": [{"index": 0, "message": {"role": "assistant", "content": said.text, "tool_calls": calls}, "finish_reason": end}],
                   "usage": {"prompt_tokens": 1000, "completion_tokens": 50, "prompt_tokens_details": {"cached_tokens": 60}}})
        }
    };
    value.to_string()
}
