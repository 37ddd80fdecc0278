//! The small pieces that schemas are made of.

use serde_json::{Map, Value, json};

pub(super) fn object(required: &[(&str, Value)], optional: &[(&str, Value)]) -> Value {
    let properties: Map<String, Value> =
        required.iter().chain(optional).map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    let required: Vec<&str> = required.iter().map(|(name, _)| *name).collect();
    json!({"type": "object", "required": required, "properties": properties})
}

/// A body: nothing else may be in it.
pub(super) fn body(required: &[(&str, Value)], optional: &[(&str, Value)]) -> Value {
    let mut schema = object(required, optional);
    schema["additionalProperties"] = json!(false);
    schema
}

pub(super) fn list(of: &Value) -> Value {
    json!({"type": "array", "items": of})
}

pub(super) fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

pub(super) fn or_null(schema: &Value) -> Value {
    json!({"anyOf": [schema, {"type": "null"}]})
}

pub(super) fn text() -> Value {
    json!({"type": "string"})
}

pub(super) fn number() -> Value {
    json!({"type": "integer"})
}

pub(super) fn flag() -> Value {
    json!({"type": "boolean"})
}

pub(super) fn query(name: &str, schema: &Value, about: &str) -> Value {
    json!({"name": name, "in": "query", "required": false, "schema": schema, "description": about})
}

pub(super) fn words(words: &[&str]) -> Value {
    json!({"type": "string", "enum": words})
}
