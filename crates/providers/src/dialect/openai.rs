//! OpenAI's chat completions, as many servers speak them.

use serde_json::{Value, json};

use super::{Manner, Request, as_object, count, limit, plain_id, text};
use crate::draft::{Block, Draft};
use crate::fault::{Class, Fault};
use crate::model::{End, Message, ModelQuestion, Part, Provider, Role};
use crate::secret::Secret;

/// The words of an answer are one block, before all calls.
const WORDS: u64 = 0;

pub(super) fn request(
    provider: &Provider,
    question: &ModelQuestion,
    key: Option<Secret>,
    manner: Manner,
) -> Request {
    let base = provider.url.trim_end_matches('/');
    let mut body = json!({"model": provider.model, "messages": messages(question)});
    // Their own server wants the new name, nearly all others know the old one alone.
    let wants_new_name = base.starts_with("https://api.openai.com");
    let name =
        if wants_new_name == manner.other_name_of_limit { "max_tokens" } else { "max_completion_tokens" };
    body[name] = json!(limit(provider, question));
    if !manner.without_stream {
        body["stream"] = json!(true);
        if !manner.without_stream_usage {
            body["stream_options"] = json!({"include_usage": true});
        }
    }
    if !question.tools.is_empty() {
        let tool = |tool: &crate::model::ModelTool| {
            let function =
                json!({"name": tool.name, "description": tool.description, "parameters": tool.schema});
            json!({"type": "function", "function": function})
        };
        body["tools"] = question.tools.iter().map(tool).collect();
    }
    Request {
        url: format!("{base}/chat/completions"),
        headers: Vec::new(),
        key: key.map(|key| ("authorization", key)),
        body: body.to_string(),
    }
}

fn messages(question: &ModelQuestion) -> Value {
    let mut all = Vec::new();
    if !question.system.is_empty() {
        all.push(json!({"role": "system", "content": question.system}));
    }
    for message in &question.messages {
        match message.role {
            Role::User => user(message, &mut all),
            Role::Assistant => assistant(message, &mut all),
        }
    }
    Value::Array(all)
}

fn user(message: &Message, all: &mut Vec<Value>) {
    // Results follow the calls at once, or they are refused.
    for part in &message.parts {
        if let Part::Result { id, text, is_error } = part {
            let content = if *is_error { format!("[error] {text}") } else { text.clone() };
            all.push(json!({"role": "tool", "tool_call_id": plain_id(id), "content": content}));
        }
    }
    let words = words(message);
    if !words.is_empty() {
        all.push(json!({"role": "user", "content": words}));
    }
}

fn assistant(message: &Message, all: &mut Vec<Value>) {
    let calls: Vec<Value> = message
        .parts
        .iter()
        .filter_map(|part| match part {
            Part::Call { id, name, input } => {
                let function = json!({"name": name, "arguments": as_object(input).to_string()});
                Some(json!({"id": plain_id(id), "type": "function", "function": function}))
            }
            _ => None,
        })
        .collect();
    let words = words(message);
    if calls.is_empty() && words.is_empty() {
        return;
    }
    let content = if words.is_empty() { Value::Null } else { json!(words) };
    let mut said = json!({"role": "assistant", "content": content});
    if !calls.is_empty() {
        said["tool_calls"] = json!(calls);
    }
    all.push(said);
}

fn words(message: &Message) -> String {
    let texts: Vec<&str> = message
        .parts
        .iter()
        .filter_map(|part| match part {
            Part::Text(text) if !text.is_empty() => Some(text.as_str()),
            _ => None,
        })
        .collect();
    texts.join("\n")
}

pub(super) fn read_event(draft: &mut Draft, event: &Value) -> Result<Option<String>, Fault> {
    let too_many = || Fault::new(Class::Switch, "answer_too_large");
    if draft.model.is_none() {
        draft.model = Some(text(event, "model")).filter(|model| !model.is_empty());
    }
    read_usage(draft, event.get("usage"));
    // One answer was asked for; a server that gives several is read as far as the first.
    let Some(choice) = event.pointer("/choices/0") else { return Ok(None) };
    let delta = choice.get("delta").unwrap_or(&Value::Null);
    let more = text(delta, "content");
    if !more.is_empty() {
        let block = draft.block(WORDS, || Block::Text(String::new())).ok_or_else(too_many)?;
        if let Block::Text(so_far) = block {
            so_far.push_str(&more);
        }
    }
    let calls = delta.get("tool_calls").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    for (at, call) in (0..).zip(calls) {
        let number = 1 + count(call, "index").unwrap_or(at).min(u64::from(u32::MAX));
        // Where the next one begins, the ones before are whole.
        complete(draft, |known| known < number);
        let make = || Block::Call {
            id: String::new(),
            name: String::new(),
            input: String::new(),
            is_complete: false,
        };
        let block = draft.block(number, make).ok_or_else(too_many)?;
        if let Block::Call { id, name, input, .. } = block {
            let function = call.get("function").unwrap_or(&Value::Null);
            if id.is_empty() {
                *id = text(call, "id");
            }
            if name.is_empty() {
                *name = text(function, "name");
            }
            match function.get("arguments") {
                Some(Value::String(piece)) => input.push_str(piece),
                // Some servers give the object itself.
                Some(whole @ Value::Object(_)) => *input = whole.to_string(),
                _ => {}
            }
        }
    }
    if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str) {
        finish(draft, reason);
    }
    Ok(Some(more).filter(|more| !more.is_empty()))
}

/// The line that ends a stream. Some servers never say why they end.
pub(super) fn done(draft: &mut Draft) {
    draft.is_over = draft.end.is_some() || !draft.blocks.is_empty();
    if draft.end.is_none() && draft.is_over {
        finish(draft, "");
    }
}

fn finish(draft: &mut Draft, reason: &str) {
    let has_calls = draft.blocks.iter().any(|(_, block)| matches!(block, Block::Call { .. }));
    let end = match reason {
        "length" => End::TooLong,
        "content_filter" => End::Refused,
        // Not all of them say `tool_calls`.
        _ if has_calls => End::Calls,
        _ => End::Finished,
    };
    if end == End::Calls {
        complete(draft, |_| true);
    }
    draft.end = Some(end);
}

fn complete(draft: &mut Draft, is_meant: impl Fn(u64) -> bool) {
    for (number, block) in &mut draft.blocks {
        if let Block::Call { is_complete, .. } = block
            && is_meant(*number)
        {
            *is_complete = true;
        }
    }
}

pub(super) fn read_whole(answer: &Value) -> Option<Draft> {
    let choice = answer.pointer("/choices/0")?;
    let message = choice.get("message")?;
    let mut draft =
        Draft { model: Some(text(answer, "model")).filter(|model| !model.is_empty()), ..Draft::default() };
    let mut event = json!({"choices": [{"delta": message, "finish_reason": choice.get("finish_reason")}]});
    // Numbers, which a whole answer does not have.
    if let Some(calls) = event.pointer_mut("/choices/0/delta/tool_calls").and_then(Value::as_array_mut) {
        for (at, call) in calls.iter_mut().enumerate().filter(|(_, call)| call.is_object()) {
            call["index"] = json!(at);
        }
    }
    read_event(&mut draft, &event).ok()?;
    if draft.end.is_none() {
        finish(&mut draft, "");
    }
    draft.is_over = true;
    read_usage(&mut draft, answer.get("usage"));
    Some(draft)
}

fn read_usage(draft: &mut Draft, usage: Option<&Value>) {
    let Some(usage) = usage.filter(|usage| usage.is_object()) else { return };
    if let Some(prompt) = count(usage, "prompt_tokens") {
        let cached =
            usage.pointer("/prompt_tokens_details/cached_tokens").and_then(Value::as_u64).unwrap_or_default();
        draft.usage.cache_read = cached.min(prompt);
        draft.usage.input = prompt - draft.usage.cache_read;
        draft.knows_input = true;
    }
    if let Some(output) = count(usage, "completion_tokens") {
        draft.usage.output = output;
        draft.knows_output = true;
    }
}
