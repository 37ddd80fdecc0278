//! What vib says itself, in the words of the protocol.

use serde_json::{Value, json};

use crate::message::Message;

/// The code of an error that is vib's word and no failure: the request was refused.
pub(crate) const REFUSED: i64 = -32_000;
/// The code of what went wrong.
pub(crate) const FAILED: i64 = -32_603;

fn line(value: &Value) -> Vec<u8> {
    let mut bytes = value.to_string().into_bytes();
    bytes.push(b'\n');
    bytes
}

/// An error instead of what was asked for.
pub(crate) fn error(id: &Value, code: i64, message: &str) -> Vec<u8> {
    line(&json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}))
}

/// An answer.
pub(crate) fn result(id: &Value, result: &Value) -> Vec<u8> {
    line(&json!({"jsonrpc": "2.0", "id": id, "result": result}))
}

/// Words that the person reads in the conversation. They carry a mark, so that a driver tells them from the agent's own.
pub(crate) fn words(session: &str, text: &str) -> Vec<u8> {
    line(&json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": session, "update": {
        "sessionUpdate": "agent_message_chunk",
        "content": {"type": "text", "text": format!("{text}\n\n")},
        "_meta": {"vib": {"notice": true}},
    }}}))
}

/// The same about something that was refused.
pub(crate) fn refusal(session: &str, text: &str, what: &str, reason: &str) -> Vec<u8> {
    line(&json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": session, "update": {
        "sessionUpdate": "agent_message_chunk",
        "content": {"type": "text", "text": format!("{text}\n\n")},
        "_meta": {"vib": {"notice": true, "refused": {"what": what, "reason": reason}}},
    }}}))
}

/// One of the answers that a question offers, by its kind.
fn option(question: &Message, kinds: &[&str]) -> Option<String> {
    let options = question.param("/options")?.as_array()?;
    kinds.iter().find_map(|kind| {
        let option =
            options.iter().find(|option| option.get("kind").and_then(Value::as_str) == Some(kind))?;
        Some(option.get("optionId")?.as_str()?.to_owned())
    })
}

/// No, as far as the question has a no to offer.
pub(crate) fn no(question: &Message) -> Vec<u8> {
    let id = question.value.get("id").cloned().unwrap_or_default();
    let outcome = match option(question, &["reject_once", "reject_always"]) {
        Some(option) => json!({"outcome": "selected", "optionId": option}),
        None => json!({"outcome": "cancelled"}),
    };
    result(&id, &json!({"outcome": outcome}))
}

/// Yes, once; none if the question has no such answer.
pub(crate) fn yes(question: &Message) -> Option<Vec<u8>> {
    let id = question.value.get("id").cloned().unwrap_or_default();
    let option = option(question, &["allow_once"])?;
    Some(result(&id, &json!({"outcome": {"outcome": "selected", "optionId": option}})))
}

/// The question with vib's reason below it.
pub(crate) fn with_reason(question: &Message, reason: &str) -> Vec<u8> {
    let mut value = question.value.clone();
    if let Some(params) = value.get_mut("params").and_then(Value::as_object_mut) {
        if let Some(call) = params.get_mut("toolCall").and_then(Value::as_object_mut) {
            let note = json!({"type": "content", "content": {"type": "text", "text": reason}});
            match call.get_mut("content").and_then(Value::as_array_mut) {
                Some(content) => content.push(note),
                None => drop(call.insert("content".to_owned(), json!([note]))),
            }
        }
        let meta = params.entry("_meta").or_insert_with(|| json!({}));
        if let Some(meta) = meta.as_object_mut() {
            meta.insert("vib".to_owned(), json!({"asks": reason}));
        }
    }
    line(&value)
}

/// A question of vib's own.
pub(crate) fn question(id: &str, session: &str, title: &str, kind: &str, reason: &str) -> Vec<u8> {
    line(&json!({"jsonrpc": "2.0", "id": id, "method": "session/request_permission", "params": {
        "sessionId": session,
        "toolCall": {"toolCallId": id, "title": title, "kind": kind, "status": "pending",
                     "content": [{"type": "content", "content": {"type": "text", "text": reason}}]},
        "options": [{"optionId": "allow", "name": "Allow once", "kind": "allow_once"},
                    {"optionId": "reject", "name": "Reject", "kind": "reject_once"}],
        "_meta": {"vib": {"asks": reason}},
    }}))
}

/// The prompt with one more block of text behind what the person wrote.
pub(crate) fn with_block(prompt: &Message, text: &str) -> Vec<u8> {
    let mut value = prompt.value.clone();
    if let Some(blocks) = value.pointer_mut("/params/prompt").and_then(Value::as_array_mut) {
        blocks.push(json!({"type": "text", "text": text}));
    }
    line(&value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(options: &Value) -> Message {
        let value = json!({"jsonrpc": "2.0", "id": 7, "method": "session/request_permission",
                           "params": {"sessionId": "s", "toolCall": {"toolCallId": "c"}, "options": options}});
        Message { value, doubt: None }
    }

    #[test]
    fn a_no_is_a_no_even_where_none_is_offered() {
        let both = asked(
            &json!([{"optionId": "y", "kind": "allow_once"}, {"optionId": "n", "kind": "reject_once"}]),
        );
        assert_eq!(
            String::from_utf8_lossy(&no(&both)),
            "{\"id\":7,\"jsonrpc\":\"2.0\",\"result\":{\"outcome\":{\"optionId\":\"n\",\"outcome\":\"selected\"}}}\n"
        );
        assert!(yes(&both).is_some_and(|yes| String::from_utf8_lossy(&yes).contains("\"optionId\":\"y\"")));
        let always = asked(&json!([{"optionId": "y", "kind": "allow_always"}]));
        assert!(String::from_utf8_lossy(&no(&always)).contains("cancelled"));
        assert_eq!(yes(&always), None, "once is not for ever");
    }

    #[test]
    fn a_reason_stands_below_what_is_asked() {
        let shown =
            String::from_utf8_lossy(&with_reason(&asked(&json!([])), "It deletes letters.")).into_owned();
        assert!(shown.contains("It deletes letters.") && shown.contains("\"asks\""), "{shown}");
    }
}
