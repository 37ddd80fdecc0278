//! The two ways in which servers are spoken to: what is sent, and what is read.

mod anthropic;
mod openai;

use serde_json::Value;

use crate::draft::Draft;
use crate::fault::{Class, Fault, of_error_in_answer};
use crate::model::{Dialect, ModelQuestion, Provider};
use crate::secret::Secret;

/// What is known about how one server wants to be asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Manner {
    pub(crate) without_stream: bool,
    pub(crate) without_stream_usage: bool,
    pub(crate) other_name_of_limit: bool,
}

/// A request, ready to be sent.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) url: String,
    pub(crate) headers: Vec<(&'static str, String)>,
    /// The header with the key, apart from the others so that nobody shows it.
    pub(crate) key: Option<(&'static str, Secret)>,
    pub(crate) body: String,
}

/// Puts a question into the words of a provider.
pub(crate) fn request(
    provider: &Provider,
    question: &ModelQuestion,
    key: Option<Secret>,
    manner: Manner,
) -> Request {
    match provider.dialect {
        Dialect::Anthropic => anthropic::request(provider, question, key, manner),
        Dialect::OpenAiChat => openai::request(provider, question, key, manner),
    }
}

/// Reads one event of a stream. What the model says in it comes back.
pub(crate) fn read_event(dialect: Dialect, draft: &mut Draft, data: &str) -> Result<Option<String>, Fault> {
    if data.trim() == "[DONE]" {
        openai::done(draft);
        return Ok(None);
    }
    let event: Value =
        serde_json::from_str(data).map_err(|_| Fault::new(Class::Again, "malformed_stream").saying(data))?;
    look_for_error(&event)?;
    match dialect {
        Dialect::Anthropic => anthropic::read_event(draft, &event),
        Dialect::OpenAiChat => openai::read_event(draft, &event),
    }
}

/// Reads an answer that came in one piece.
pub(crate) fn read_whole(dialect: Dialect, body: &str) -> Result<Draft, Fault> {
    let answer: Value =
        serde_json::from_str(body).map_err(|_| Fault::new(Class::Again, "malformed_answer").saying(body))?;
    look_for_error(&answer)?;
    let draft = match dialect {
        Dialect::Anthropic => anthropic::read_whole(&answer),
        Dialect::OpenAiChat => openai::read_whole(&answer),
    };
    draft.ok_or_else(|| Fault::new(Class::Again, "malformed_answer").saying(body))
}

fn look_for_error(value: &Value) -> Result<(), Fault> {
    match value.get("error") {
        None | Some(Value::Null) => Ok(()),
        Some(error) => Err(of_error_in_answer(error)),
    }
}

/// Ids of calls as every server takes them: they may come from another one.
fn plain_id(id: &str) -> String {
    id.chars().map(|one| if one.is_ascii_alphanumeric() || "_-".contains(one) { one } else { '_' }).collect()
}

/// What a tool was given, as an object: what was none stands in one, so that the model sees what it wrote.
fn as_object(input: &Value) -> Value {
    if input.is_object() { input.clone() } else { serde_json::json!({ "malformed": input }) }
}

/// The most tokens that an answer may have with this provider.
pub(crate) fn limit(provider: &Provider, question: &ModelQuestion) -> u32 {
    match provider.max_output {
        0 => question.max_output.max(1),
        most => question.max_output.clamp(1, most),
    }
}

fn text(value: &Value, key: &str) -> String {
    value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn count(value: &Value, key: &str) -> Option<u64> {
    value.get(key).and_then(Value::as_u64)
}
