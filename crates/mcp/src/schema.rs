//! JSON schemas, small and plain: every property has exactly one type, so that every client accepts them.

use serde_json::{Map, Value, json};

/// A schema.
pub type Schema = Map<String, Value>;

/// One property of an object.
pub struct Property {
    name: &'static str,
    schema: Value,
    required: bool,
}

impl Property {
    /// It must be there.
    #[must_use]
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// What counts when it is not there.
    #[must_use]
    pub fn default(mut self, value: Value) -> Self {
        self.schema["default"] = value;
        self
    }
}

fn property(name: &'static str, schema: Value) -> Property {
    Property { name, schema, required: false }
}

/// Text.
pub fn text(name: &'static str, about: &str) -> Property {
    property(name, json!({"type": "string", "description": about}))
}

/// One of a few words.
pub fn word(name: &'static str, words: &[&str], about: &str) -> Property {
    property(name, json!({"type": "string", "enum": words, "description": about}))
}

/// Yes or no.
pub fn flag(name: &'static str, about: &str) -> Property {
    property(name, json!({"type": "boolean", "description": about}))
}

/// A whole number from `least` to `most`.
pub fn number(name: &'static str, least: u64, most: u64, about: &str) -> Property {
    property(name, json!({"type": "integer", "minimum": least, "maximum": most, "description": about}))
}

/// A count, in an answer.
pub fn count(name: &'static str, about: &str) -> Property {
    property(name, json!({"type": "integer", "description": about}))
}

/// A number from 0 to 1.
pub fn share(name: &'static str, about: &str) -> Property {
    property(name, json!({"type": "number", "minimum": 0, "maximum": 1, "description": about}))
}

/// A list of texts.
pub fn texts(name: &'static str, about: &str) -> Property {
    property(name, json!({"type": "array", "items": {"type": "string"}, "description": about}))
}

/// Paths inside the project.
pub fn paths(name: &'static str, about: &str) -> Property {
    let item = json!({"type": "string"});
    property(name, json!({"type": "array", "items": item, "description": about}))
}

/// A list of things.
pub fn list(name: &'static str, item: Schema, about: &str) -> Property {
    let mut schema = json!({"type": "array", "description": about});
    schema["items"] = Value::Object(item);
    property(name, schema)
}

/// A thing inside a thing.
pub fn thing(name: &'static str, inner: Schema, about: &str) -> Property {
    let mut schema = Value::Object(inner);
    schema["description"] = json!(about);
    property(name, schema)
}

/// Takes these properties and no others.
pub fn input(properties: Vec<Property>) -> Schema {
    let mut schema = object(properties);
    schema.insert("additionalProperties".to_owned(), Value::Bool(false));
    schema
}

/// Has these properties; a newer vib may have more.
pub fn object(properties: Vec<Property>) -> Schema {
    let required: Vec<&str> = properties.iter().filter(|p| p.required).map(|p| p.name).collect();
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    let properties = properties.into_iter().map(|p| (p.name.to_owned(), p.schema)).collect();
    schema.insert("properties".to_owned(), Value::Object(properties));
    schema
}

/// Anything with properties of its own: what a report of the engine is, whose fields grow with it.
pub fn report(about: &str) -> Schema {
    let mut schema = object(Vec::new());
    schema.insert("description".to_owned(), json!(about));
    schema
}
