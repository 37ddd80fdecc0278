//! What a client sent to the model.

use serde_json::Value;

/// A request as it arrived.
#[derive(Debug, Clone)]
pub struct Request {
    /// `GET`, `POST`; `CONNECT` if the client tried to leave the machine.
    pub method: String,
    /// The path and query.
    pub path: String,
    /// The body; null if there was none or it was not JSON.
    pub body: Value,
    /// True if the request used up a step of the script, or would have.
    pub turn: bool,
    /// The names of the tools that it offers to the model.
    pub tools: Vec<String>,
}

impl Request {
    /// Every string in the body, one after another, as the model would read it. The descriptions of the client's tools are
    /// left out: they are long, and say nothing of the conversation.
    pub fn text(&self) -> String {
        let mut text = String::new();
        collect(&self.body, &mut text);
        text
    }

    /// True if the model was told this.
    pub fn mentions(&self, words: &str) -> bool {
        self.text().contains(words)
    }
}

fn collect(value: &Value, text: &mut String) {
    match value {
        Value::String(one) => {
            text.push_str(one);
            text.push('\n');
        }
        Value::Array(many) => many.iter().for_each(|one| collect(one, text)),
        Value::Object(fields) => {
            fields.iter().filter(|(name, _)| *name != "tools").for_each(|(_, one)| collect(one, text));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
