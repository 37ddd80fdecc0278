//! One message of JSON-RPC, as far as it concerns vib.

use hooks::Doubt;
use hooks::adapters::acp;
use serde_json::Value;

/// What an agent may ask its editor to do, and what is looked at before it goes on.
const GUARDED: [&str; 3] = ["session/request_permission", "fs/write_text_file", "terminal/create"];

/// A message.
#[derive(Debug, Clone)]
pub struct Message {
    /// All of it.
    pub value: Value,
    /// Why it may mean something else to others.
    pub doubt: Option<Doubt>,
}

impl Message {
    /// Reads a line. Whatever is in it, a message comes out.
    pub fn read(line: &[u8]) -> Self {
        let (value, doubt) = acp::read(line);
        Self { value, doubt }
    }

    /// What is asked or told.
    pub fn method(&self) -> Option<&str> {
        self.value.get("method")?.as_str()
    }

    /// The number of a request or of its answer, as text: numbers and words are both allowed.
    pub fn id(&self) -> Option<String> {
        self.value.get("id").filter(|id| !id.is_null()).map(Value::to_string)
    }

    /// It wants an answer.
    pub fn is_request(&self) -> bool {
        self.method().is_some() && self.id().is_some()
    }

    /// It is an answer.
    pub fn is_response(&self) -> bool {
        self.method().is_none() && self.id().is_some()
    }

    /// A place in what it is about.
    pub fn param(&self, place: &str) -> Option<&Value> {
        self.value.get("params")?.pointer(place)
    }

    /// A text in what it is about.
    pub fn text(&self, place: &str) -> Option<&str> {
        self.param(place)?.as_str()
    }

    /// The session it is about.
    pub fn session(&self) -> Option<&str> {
        self.text("/sessionId")
    }

    /// A request that is looked at before it goes on.
    pub fn is_guarded(&self) -> bool {
        self.is_request() && self.method().is_some_and(|method| GUARDED.contains(&method))
    }

    /// Whether it could be a guarded request to whoever reads it in another way: several messages in one, a field that stands twice, bytes
    /// that are no JSON.
    pub fn may_hide_a_request(&self, line: &[u8]) -> bool {
        let is_plain = self.value.is_object() && self.doubt.is_none();
        !is_plain && GUARDED.iter().any(|method| mentions(line, method))
    }
}

/// The words, or the beginning of them in JSON's escapes.
fn mentions(line: &[u8], method: &str) -> bool {
    let words = method.rsplit('/').next().unwrap_or(method).as_bytes();
    line.windows(words.len()).any(|part| part == words) || line.windows(2).any(|part| part == b"\\u")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_answers_and_notices_are_told_apart() {
        let request = Message::read(
            br#"{"jsonrpc":"2.0","id":"a","method":"terminal/create","params":{"sessionId":"s"}}"#,
        );
        assert!(request.is_request() && request.is_guarded() && !request.is_response());
        assert_eq!((request.session(), request.id().as_deref()), (Some("s"), Some("\"a\"")));
        let answer = Message::read(br#"{"jsonrpc":"2.0","id":0,"result":{}}"#);
        assert!(answer.is_response() && !answer.is_request());
        let notice = Message::read(br#"{"jsonrpc":"2.0","method":"session/update","params":{}}"#);
        assert!(!notice.is_request() && !notice.is_response());
    }

    #[test]
    fn what_may_hide_a_request_is_seen_s1() {
        for line in [
            &br#"[{"jsonrpc":"2.0","id":1,"method":"terminal/create","params":{}}]"#[..],
            br#"{"method":"session/update","id":1,"method":"terminal/create"}"#,
            br#"{"method":"terminal/create","id":1"#,
            br#"{"method":"session/update"} {"id":1,"method":"fs/write_text_file"}"#,
            b"{\"id\":1,\"method\":\"\\u0074erminal/create\",}",
        ] {
            // What is mended while it is read is seen for what it is.
            let message = Message::read(line);
            assert!(
                message.is_guarded() || message.may_hide_a_request(line),
                "{}",
                String::from_utf8_lossy(line)
            );
        }
        for line in [&b"a line of a log\n"[..], b"\xff\xfe\xfd", br#"{"jsonrpc":"2.0","id":0,"result":{}}"#] {
            assert!(!Message::read(line).may_hide_a_request(line), "{}", String::from_utf8_lossy(line));
        }
    }
}
