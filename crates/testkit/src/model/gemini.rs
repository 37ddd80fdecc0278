//! Google's `generateContent`, as Gemini CLI uses it.

use serde_json::{Value, json};

use super::dialect::{Call, Input};
use super::http::Answer;
use super::tokens::Tokens;

/// The names of the tools that a request offers.
pub fn tools(body: &Value) -> Vec<&str> {
    let groups = body["tools"].as_array().into_iter().flatten();
    let functions = groups.flat_map(|group| group["functionDeclarations"].as_array().into_iter().flatten());
    functions.filter_map(|function| function["name"].as_str()).collect()
}

/// The answer in this protocol.
pub fn answer(stream: bool, content: Result<&[Call], &str>, n: usize) -> Answer {
    let parts: Vec<Value> = match content {
        Ok(calls) => calls.iter().map(function).collect(),
        Err(text) => vec![json!({"text": text})],
    };
    let Tokens { prompt, cached, output } = Tokens::of(n);
    let document = json!({
        "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": prompt, "cachedContentTokenCount": cached, "candidatesTokenCount": output,
                          "totalTokenCount": prompt + output},
        "modelVersion": "scripted", "responseId": format!("response-{n}"),
    });
    if stream { Answer::events(format!("data: {document}\n\n")) } else { Answer::json(&document) }
}

fn function(call: &Call) -> Value {
    let Input::Arguments(arguments) = &call.input else { unreachable!("no text tools here") };
    json!({"functionCall": {"name": call.name, "args": arguments}})
}
