//! Anthropic's Messages.

use serde_json::{Value, json};

use super::{Manner, Request, as_object, count, limit, plain_id, text};
use crate::draft::{Block, Draft};
use crate::fault::{Class, Fault};
use crate::model::{End, Message, ModelQuestion, Part, Provider, Role};
use crate::secret::Secret;

const VERSION: &str = "2023-06-01";

pub(super) fn request(
    provider: &Provider,
    question: &ModelQuestion,
    key: Option<Secret>,
    manner: Manner,
) -> Request {
    let base = provider.url.trim_end_matches('/');
    let base = base.strip_suffix("/v1").unwrap_or(base);
    let mut body = json!({
        "model": provider.model,
        "max_tokens": limit(provider, question),
        "messages": messages(&question.messages),
    });
    if !manner.without_stream {
        body["stream"] = json!(true);
    }
    if !question.system.is_empty() {
        // What stays the same in every question of a conversation is read from the cache the next time.
        body["system"] =
            json!([{"type": "text", "text": question.system, "cache_control": {"type": "ephemeral"}}]);
    }
    if !question.tools.is_empty() {
        let tool = |tool: &crate::model::ModelTool| json!({"name": tool.name, "description": tool.description, "input_schema": tool.schema});
        body["tools"] = question.tools.iter().map(tool).collect();
    }
    Request {
        url: format!("{base}/v1/messages"),
        headers: vec![("anthropic-version", VERSION.to_owned())],
        key: key.map(|key| ("x-api-key", key)),
        body: body.to_string(),
    }
}

fn messages(messages: &[Message]) -> Value {
    let mut all: Vec<Value> = Vec::new();
    for message in messages {
        // Results stand before words, or they are refused.
        let (results, others): (Vec<&Part>, Vec<&Part>) =
            message.parts.iter().partition(|part| matches!(part, Part::Result { .. }));
        let content: Vec<Value> = results.into_iter().chain(others).filter_map(part).collect();
        if !content.is_empty() {
            let role = if message.role == Role::User { "user" } else { "assistant" };
            all.push(json!({"role": role, "content": content}));
        }
    }
    // The conversation so far is read from the cache the next time.
    if let Some(last) = all.last_mut().and_then(|message| message["content"].as_array_mut()?.last_mut()) {
        last["cache_control"] = json!({"type": "ephemeral"});
    }
    Value::Array(all)
}

fn part(part: &Part) -> Option<Value> {
    Some(match part {
        // A text of blanks alone is refused.
        Part::Text(text) if text.trim().is_empty() => return None,
        Part::Text(text) => json!({"type": "text", "text": text}),
        Part::Call { id, name, input } => {
            json!({"type": "tool_use", "id": plain_id(id), "name": name, "input": as_object(input)})
        }
        Part::Result { id, text, is_error } => {
            let mut result =
                json!({"type": "tool_result", "tool_use_id": plain_id(id), "is_error": is_error});
            if !text.is_empty() {
                result["content"] = json!(text);
            }
            result
        }
    })
}

pub(super) fn read_event(draft: &mut Draft, event: &Value) -> Result<Option<String>, Fault> {
    let number = || count(event, "index").unwrap_or_default();
    let too_many = || Fault::new(Class::Switch, "answer_too_large");
    match event.get("type").and_then(Value::as_str).unwrap_or_default() {
        "message_start" => {
            let message = event.get("message").unwrap_or(&Value::Null);
            draft.model = message.get("model").and_then(Value::as_str).map(str::to_owned);
            read_usage(draft, message.get("usage"), false);
        }
        "content_block_start" => {
            let block = event.get("content_block").unwrap_or(&Value::Null);
            let made = block_of(block, false);
            let said = match &made {
                Block::Text(text) if !text.is_empty() => Some(text.clone()),
                _ => None,
            };
            draft.block(number(), || made).ok_or_else(too_many)?;
            return Ok(said);
        }
        "content_block_delta" => {
            let delta = event.get("delta").unwrap_or(&Value::Null);
            return match delta.get("type").and_then(Value::as_str) {
                Some("text_delta") => {
                    let more = text(delta, "text");
                    let block = draft.block(number(), || Block::Text(String::new())).ok_or_else(too_many)?;
                    if let Block::Text(so_far) = block {
                        so_far.push_str(&more);
                    }
                    Ok(Some(more).filter(|more| !more.is_empty()))
                }
                Some("input_json_delta") => {
                    let block = draft.block(number(), || Block::Other).ok_or_else(too_many)?;
                    if let Block::Call { input, .. } = block {
                        input.push_str(&text(delta, "partial_json"));
                    }
                    Ok(None)
                }
                _ => Ok(None),
            };
        }
        "content_block_stop" => {
            if let Some(Block::Call { is_complete, .. }) = draft.block(number(), || Block::Other) {
                *is_complete = true;
            }
        }
        "message_delta" => {
            read_usage(draft, event.get("usage"), true);
            let reason = event.pointer("/delta/stop_reason").and_then(Value::as_str);
            draft.end = reason.map(end_of).or(draft.end);
        }
        "message_stop" => draft.is_over = true,
        _ => {}
    }
    Ok(None)
}

pub(super) fn read_whole(answer: &Value) -> Option<Draft> {
    let mut draft = Draft {
        model: answer.get("model").and_then(Value::as_str).map(str::to_owned),
        end: Some(answer.get("stop_reason").and_then(Value::as_str).map_or(End::Finished, end_of)),
        is_over: true,
        ..Draft::default()
    };
    for (number, block) in (0..).zip(answer.get("content")?.as_array()?) {
        draft.block(number, || block_of(block, true));
    }
    // A call that the limit of tokens cut off is not one.
    if draft.end == Some(End::TooLong)
        && let Some((_, Block::Call { is_complete, .. })) = draft.blocks.last_mut()
    {
        *is_complete = false;
    }
    read_usage(&mut draft, answer.get("usage"), true);
    Some(draft)
}

fn block_of(block: &Value, is_complete: bool) -> Block {
    match block.get("type").and_then(Value::as_str) {
        Some("text") => Block::Text(text(block, "text")),
        Some("tool_use") => {
            // In a stream the input begins as an empty object and comes in pieces.
            let input = block.get("input").filter(|input| **input != json!({})).map(Value::to_string);
            Block::Call {
                id: text(block, "id"),
                name: text(block, "name"),
                input: input.unwrap_or_default(),
                is_complete,
            }
        }
        _ => Block::Other,
    }
}

fn read_usage(draft: &mut Draft, usage: Option<&Value>, is_last: bool) {
    let Some(usage) = usage.filter(|usage| usage.is_object()) else { return };
    if let Some(input) = count(usage, "input_tokens") {
        draft.usage.input = input;
        draft.knows_input = true;
    }
    if let Some(read) = count(usage, "cache_read_input_tokens") {
        draft.usage.cache_read = read;
    }
    if let Some(written) = count(usage, "cache_creation_input_tokens") {
        draft.usage.cache_write = written;
    }
    if let Some(output) = count(usage, "output_tokens") {
        draft.usage.output = output;
        draft.knows_output = is_last;
    }
}

fn end_of(reason: &str) -> End {
    match reason {
        "tool_use" => End::Calls,
        "max_tokens" | "model_context_window_exceeded" => End::TooLong,
        "refusal" => End::Refused,
        _ => End::Finished,
    }
}
