//! JSON on one line, with a space after each comma and colon. Without them, neighbouring fields read like one stretch of text, and a
//! harmless word before another (`"pass","violations"`) looks like a name with its secret value to anybody who scans it.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{Formatter, Serializer};

struct Spaced;

impl Formatter for Spaced {
    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}

/// The value as text.
pub fn spaced(value: &Value) -> String {
    let mut bytes = Vec::new();
    match value.serialize(&mut Serializer::with_formatter(&mut bytes, Spaced)) {
        Ok(()) => String::from_utf8_lossy(&bytes).into_owned(),
        // Writing into memory does not fail; if it does, the plain form says the same.
        Err(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn it_is_the_same_value_with_room_between() {
        let value = json!({"a": [1, {"b": "x, y: z"}], "c": {}});
        assert_eq!(spaced(&value), r#"{"a": [1, {"b": "x, y: z"}], "c": {}}"#);
        assert_eq!(serde_json::from_str::<Value>(&spaced(&value)).unwrap(), value);
    }
}
