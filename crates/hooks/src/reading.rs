//! Reading a payload, whatever is in it. (S1)
//!
//! A payload that cannot be read must not mean that nobody looks at the step: one stray byte in a description would switch the guard
//! off. So what is broken is mended as the clients themselves mend it (half characters, bytes that are no text), and where the
//! meaning stays in doubt, what could be read comes back together with the doubt.

use serde_json::{Map, Number, Value};

/// Deeper than this nothing is kept: no client nests its fields like that.
const DEEPEST: usize = 400;

/// Why a payload may mean something else than what was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// It is not JSON, or something else stands behind it.
    NotJson,
    /// It ends in the middle.
    CutOff,
    /// A field occurs twice and says two things.
    SaidTwice,
    /// It is nested too deeply.
    TooDeep,
    /// It is longer than what is kept of it.
    TooLong,
    /// It is JSON, but not what this client sends.
    Shape,
}

impl Doubt {
    /// In words, for the person who has to decide.
    pub fn words(self) -> &'static str {
        match self {
            Self::NotJson => "what the client sent is not valid JSON",
            Self::CutOff => "what the client sent ends in the middle",
            Self::SaidTwice => "what the client sent says two things about the same",
            Self::TooDeep => "what the client sent is nested too deeply",
            Self::TooLong => "what the client sent is too long",
            Self::Shape => "what the client sent does not say what it wants to do",
        }
    }
}

/// Reads JSON, mending what can be mended.
pub(crate) fn read(bytes: &[u8]) -> (Value, Option<Doubt>) {
    let decoded = match bytes {
        [0xff, 0xfe, rest @ ..] => Some(utf_16(rest, u16::from_le_bytes)),
        [0xfe, 0xff, rest @ ..] => Some(utf_16(rest, u16::from_be_bytes)),
        _ => None,
    };
    let bytes = decoded.as_deref().map_or(bytes, str::as_bytes);
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = Reader { bytes, at: 0, doubt: None };
    let value = reader.value(0);
    reader.skip_space();
    if reader.at < bytes.len() {
        reader.doubt(Doubt::NotJson);
    }
    (value, reader.doubt)
}

fn utf_16(bytes: &[u8], join: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| join([pair[0], pair[1]]));
    char::decode_utf16(units).map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    doubt: Option<Doubt>,
}

impl Reader<'_> {
    /// The first doubt is the one that is told.
    fn doubt(&mut self, doubt: Doubt) {
        self.doubt.get_or_insert(doubt);
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        // Some pipes end in a zero byte.
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n' | 0)) {
            self.at += 1;
        }
    }

    /// Nothing more can be understood.
    fn give_up(&mut self) -> Value {
        let doubt = if self.at >= self.bytes.len() { Doubt::CutOff } else { Doubt::NotJson };
        self.doubt(doubt);
        self.at = self.bytes.len();
        Value::Null
    }

    fn value(&mut self, depth: usize) -> Value {
        self.skip_space();
        match self.peek() {
            Some(b'{' | b'[') if depth >= DEEPEST => {
                self.doubt(Doubt::TooDeep);
                self.pass_by();
                Value::Null
            }
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => Value::String(self.string()),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => {
                for (word, value) in
                    [("null", Value::Null), ("true", Value::Bool(true)), ("false", Value::Bool(false))]
                {
                    if self.bytes[self.at..].starts_with(word.as_bytes()) {
                        self.at += word.len();
                        return value;
                    }
                }
                self.give_up()
            }
        }
    }

    fn object(&mut self, depth: usize) -> Value {
        let mut fields = Map::new();
        self.at += 1;
        loop {
            self.skip_space();
            match self.peek() {
                Some(b'}') => {
                    self.at += 1;
                    return Value::Object(fields);
                }
                Some(b'"') => {}
                _ => {
                    self.give_up();
                    return Value::Object(fields);
                }
            }
            let name = self.string();
            self.skip_space();
            if self.peek() != Some(b':') {
                self.give_up();
                return Value::Object(fields);
            }
            self.at += 1;
            let value = self.value(depth + 1);
            // The last one counts, as in the clients themselves; that there were two is no accident.
            if let Some(before) = fields.get(&name)
                && *before != value
            {
                self.doubt(Doubt::SaidTwice);
            }
            fields.insert(name, value);
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {}
                _ => {
                    self.give_up();
                    return Value::Object(fields);
                }
            }
        }
    }

    fn array(&mut self, depth: usize) -> Value {
        let mut items = Vec::new();
        self.at += 1;
        loop {
            self.skip_space();
            match self.peek() {
                Some(b']') => {
                    self.at += 1;
                    return Value::Array(items);
                }
                None => {
                    self.give_up();
                    return Value::Array(items);
                }
                Some(_) => {}
            }
            items.push(self.value(depth + 1));
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {}
                _ => {
                    self.give_up();
                    return Value::Array(items);
                }
            }
        }
    }

    fn number(&mut self) -> Value {
        let rest = &self.bytes[self.at..];
        let length = rest
            .iter()
            .position(|byte| !matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9'))
            .unwrap_or(rest.len());
        let text = std::str::from_utf8(&rest[..length]).unwrap_or_default();
        match text.parse::<Number>() {
            Ok(number) => {
                self.at += length;
                Value::Number(number)
            }
            Err(_) => self.give_up(),
        }
    }

    /// A string; the cursor is on its first quote.
    fn string(&mut self) -> String {
        self.at += 1;
        let mut text = String::new();
        loop {
            let rest = &self.bytes[self.at..];
            let Some(plain) = rest.iter().position(|byte| matches!(byte, b'"' | b'\\')) else {
                text.push_str(&String::from_utf8_lossy(rest));
                self.at = self.bytes.len();
                self.doubt(Doubt::CutOff);
                return text;
            };
            text.push_str(&String::from_utf8_lossy(&rest[..plain]));
            self.at += plain + 1;
            if rest[plain] == b'"' {
                return text;
            }
            self.escape(&mut text);
        }
    }

    /// What stands behind a backslash.
    fn escape(&mut self, text: &mut String) {
        let Some(byte) = self.peek() else {
            self.doubt(Doubt::CutOff);
            return;
        };
        self.at += 1;
        match byte {
            b'n' => text.push('\n'),
            b't' => text.push('\t'),
            b'r' => text.push('\r'),
            b'b' => text.push('\u{8}'),
            b'f' => text.push('\u{c}'),
            b'"' | b'\\' | b'/' => text.push(char::from(byte)),
            b'u' => {
                let Some(first) = self.four_digits() else {
                    self.doubt(if self.at >= self.bytes.len() { Doubt::CutOff } else { Doubt::NotJson });
                    text.push(char::REPLACEMENT_CHARACTER);
                    return;
                };
                let mut units = vec![first];
                if (0xd800..0xdc00).contains(&first) && self.bytes[self.at..].starts_with(b"\\u") {
                    let before = self.at;
                    self.at += 2;
                    match self.four_digits() {
                        Some(second) if (0xdc00..0xe000).contains(&second) => units.push(second),
                        _ => self.at = before,
                    }
                }
                // Half a character becomes what the clients make of it when they run the command.
                text.extend(
                    char::decode_utf16(units).map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER)),
                );
            }
            _ => {
                self.doubt(Doubt::NotJson);
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
    }

    fn four_digits(&mut self) -> Option<u16> {
        let digits = self.bytes.get(self.at..self.at + 4)?;
        let text = std::str::from_utf8(digits).ok().filter(|_| digits.iter().all(u8::is_ascii_hexdigit))?;
        self.at += 4;
        u16::from_str_radix(text, 16).ok()
    }

    /// Goes past a list or object without keeping anything of it.
    fn pass_by(&mut self) {
        let mut open = 0_usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => {
                    self.string();
                    continue;
                }
                b'{' | b'[' => open += 1,
                b'}' | b']' => open -= 1,
                _ => {}
            }
            self.at += 1;
            if open == 0 {
                return;
            }
        }
        self.doubt(Doubt::CutOff);
    }
}

/// The text of a string field, found in what may not be JSON at all: `"name" : "text"`.
pub(crate) fn glimpse(bytes: &[u8], name: &str) -> Option<String> {
    let wanted = format!("\"{name}\"");
    let at = find(bytes, wanted.as_bytes())? + wanted.len();
    let mut reader = Reader { bytes, at, doubt: None };
    reader.skip_space();
    if reader.peek() != Some(b':') {
        return None;
    }
    reader.at += 1;
    reader.skip_space();
    (reader.peek() == Some(b'"'))
        .then(|| reader.string())
        .filter(|text| !text.is_empty() && text.len() < 4_096)
}

/// True if a field of this name seems to be there.
pub(crate) fn mentions(bytes: &[u8], name: &str) -> bool {
    find(bytes, format!("\"{name}\"").as_bytes()).is_some()
}

/// How often a field of this name seems to be there.
pub(crate) fn times(bytes: &[u8], name: &str) -> usize {
    let wanted = format!("\"{name}\"");
    bytes.windows(wanted.len()).filter(|window| *window == wanted.as_bytes()).count()
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn good(text: &[u8]) -> Value {
        let (value, doubt) = read(text);
        assert_eq!(doubt, None, "{}", String::from_utf8_lossy(text));
        value
    }

    #[test]
    fn what_clients_mend_is_mended_the_same_way_s1() {
        assert_eq!(good(br#"{"a":"x\ud800y"}"#), json!({"a": "x\u{fffd}y"}));
        assert_eq!(good(br#"{"a":"\udc00\ud83d\ude00\ud800\u0041"}"#), json!({"a": "\u{fffd}😀\u{fffd}A"}));
        assert_eq!(good(b"{\"a\":\"\xff\xfe!\"}"), json!({"a": "\u{fffd}\u{fffd}!"}));
        assert_eq!(good(b"\xef\xbb\xbf{\"a\": 1.5e3}\n\0"), json!({"a": 1500.0}));
        let utf_16: Vec<u8> = [0xff, 0xfe]
            .into_iter()
            .chain("{\"a\":true}".encode_utf16().flat_map(u16::to_le_bytes))
            .collect();
        assert_eq!(good(&utf_16), json!({"a": true}));
        let deep = format!("{}1{}", "[".repeat(300), "]".repeat(300));
        assert!(good(deep.as_bytes()).is_array());
        assert_eq!(good(br#"{"a":1,"a":1}"#), json!({"a": 1}), "twice the same is no question");
        assert_eq!(good(b"{\"a\":\"one\ntwo\"}"), json!({"a": "one\ntwo"}));
    }

    #[test]
    fn what_stays_in_doubt_says_so_and_gives_what_there_is_s1() {
        let very_deep = format!("{{\"a\":{}1{},\"b\":2}}", "[".repeat(5_000), "]".repeat(5_000));
        for (text, doubt, field) in [
            (r#"{"b":2,"a":"rm -r"#, Doubt::CutOff, "b"),
            (r#"{"b":2,"a":"#, Doubt::CutOff, "b"),
            (r#"{"b":2,"#, Doubt::CutOff, "b"),
            (r#"{"b":1,"b":2}"#, Doubt::SaidTwice, "b"),
            (r#"{"b":2} {"b":3}"#, Doubt::NotJson, "b"),
            (r#"{"b":2, oh no}"#, Doubt::NotJson, "b"),
            (r#"{"b":2, "c": NaN}"#, Doubt::NotJson, "b"),
            (very_deep.as_str(), Doubt::TooDeep, "b"),
        ] {
            let (value, found) = read(text.as_bytes());
            assert_eq!((found, value[field].as_i64()), (Some(doubt), Some(2)), "{text:.60}");
        }
        for text in ["", "not json", "\u{0}", "nul"] {
            assert!(read(text.as_bytes()).1.is_some(), "{text}");
        }
        let endless = "[".repeat(1_000_000);
        assert!(read(endless.as_bytes()).1.is_some());
    }

    #[test]
    fn a_field_is_seen_in_what_is_no_json() {
        let text = br#"garbage "hook_event_name" : "PreToolUse", "tool_name": 5"#;
        assert_eq!(glimpse(text, "hook_event_name").as_deref(), Some("PreToolUse"));
        assert_eq!(glimpse(text, "tool_name"), None);
        assert!(mentions(text, "tool_name") && !mentions(text, "prompt"));
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_filter("a number", |n| n.is_finite()).prop_map(Value::from),
            ".*".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::btree_map(".*", inner, 0..6)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        /// What serde_json reads is read the same way.
        #[test]
        fn valid_json_reads_as_everywhere(value in any_json(), pretty: bool) {
            let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
            let expected: Value = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(read(text.as_bytes()), (expected, None));
        }

        #[test]
        fn nothing_makes_it_fail(bytes: Vec<u8>, cut in 0..200_usize) {
            let _ = read(&bytes);
            let text = r#"{"hook_event_name":"PreToolUse","tool_input":{"command":"ls \ud83d\ude00"},"n":[1,{"a":null}]}"#;
            let cut = &text.as_bytes()[..cut.min(text.len())];
            prop_assert_eq!(read(cut).1.is_some(), cut.len() < text.len());
        }
    }
}
