//! What a call asks for, read field by field. A wrong type is refused; a field that no tool knows is ignored, and the answer says so:
//! text that an agent passes along (from memory, perhaps) never becomes a parameter.

use std::collections::BTreeSet;

use project::{RelPath, RelPathError};
use serde_json::{Map, Value};

/// Paths of one call.
pub const MOST_PATHS: usize = 500;
/// Names of ignored fields that are repeated in the answer.
const MOST_IGNORED: usize = 20;

/// The arguments of one call.
#[derive(Debug, Default)]
pub struct Args {
    fields: Map<String, Value>,
    known: BTreeSet<&'static str>,
}

/// Why arguments cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ArgError {
    /// The type is wrong.
    #[error("`{0}` must be {1}")]
    Type(&'static str, &'static str),
    /// It is missing.
    #[error("`{0}` is missing")]
    Missing(&'static str),
    /// Too much of it.
    #[error("`{0}` is too long: at most {1}")]
    TooLong(&'static str, String),
    /// Not one of the words.
    #[error("`{0}` must be one of: {1}")]
    Word(&'static str, String),
    /// Not a path of the project.
    #[error(transparent)]
    Path(#[from] RelPathError),
}

impl ArgError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Path(error) => error.code(),
            _ => "invalid_argument",
        }
    }

    /// What to do next.
    pub fn next(&self) -> String {
        match self {
            Self::Path(error) => error.next().to_owned(),
            _ => "call the tool again with arguments as its input schema says".to_owned(),
        }
    }
}

impl Args {
    /// The arguments as they came.
    pub fn new(fields: Option<Map<String, Value>>) -> Self {
        Self { fields: fields.unwrap_or_default(), known: BTreeSet::new() }
    }

    fn get(&mut self, name: &'static str) -> Option<&Value> {
        self.known.insert(name);
        self.fields.get(name).filter(|value| !value.is_null())
    }

    /// Text of at most `longest` bytes.
    pub fn text(&mut self, name: &'static str, longest: usize) -> Result<Option<String>, ArgError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::String(text)) if text.len() <= longest => Ok(Some(text.clone())),
            Some(Value::String(_)) => Err(ArgError::TooLong(name, format!("{longest} bytes"))),
            Some(_) => Err(ArgError::Type(name, "text")),
        }
    }

    /// The same, and it must be there.
    pub fn required_text(&mut self, name: &'static str, longest: usize) -> Result<String, ArgError> {
        let text = self.text(name, longest)?.filter(|text| !text.trim().is_empty());
        text.ok_or(ArgError::Missing(name))
    }

    /// One of these words.
    pub fn word(
        &mut self,
        name: &'static str,
        words: &[&'static str],
    ) -> Result<Option<&'static str>, ArgError> {
        let Some(text) = self.text(name, 100)? else { return Ok(None) };
        let known = words.iter().find(|word| **word == text);
        known.map(|word| Some(*word)).ok_or_else(|| ArgError::Word(name, words.join(", ")))
    }

    /// Yes or no; no if nothing is said.
    pub fn flag(&mut self, name: &'static str) -> Result<Option<bool>, ArgError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(_) => Err(ArgError::Type(name, "true or false")),
        }
    }

    /// A whole number between these.
    pub fn number(&mut self, name: &'static str, least: u64, most: u64) -> Result<Option<u64>, ArgError> {
        match self.get(name) {
            None => Ok(None),
            Some(value) => match value.as_u64().filter(|number| (least..=most).contains(number)) {
                Some(number) => Ok(Some(number)),
                None => Err(ArgError::Type(name, "a whole number in the range that the schema gives")),
            },
        }
    }

    /// A number from 0 to 1.
    pub fn share(&mut self, name: &'static str) -> Result<Option<f64>, ArgError> {
        match self.get(name) {
            None => Ok(None),
            Some(value) => match value.as_f64().filter(|number| (0.0..=1.0).contains(number)) {
                Some(number) => Ok(Some(number)),
                None => Err(ArgError::Type(name, "a number from 0 to 1")),
            },
        }
    }

    /// Texts, each of at most `longest` bytes.
    pub fn texts(
        &mut self,
        name: &'static str,
        most: usize,
        longest: usize,
    ) -> Result<Vec<String>, ArgError> {
        let Some(value) = self.get(name) else { return Ok(Vec::new()) };
        let Some(items) = value.as_array() else { return Err(ArgError::Type(name, "a list of texts")) };
        if items.len() > most {
            return Err(ArgError::TooLong(name, format!("{most} entries")));
        }
        let text = |item: &Value| match item.as_str() {
            Some(text) if text.len() <= longest => Ok(text.to_owned()),
            Some(_) => Err(ArgError::TooLong(name, format!("{longest} bytes each"))),
            None => Err(ArgError::Type(name, "a list of texts")),
        };
        items.iter().map(text).collect()
    }

    /// Paths inside the project, in plain relative form; sorted, each once.
    pub fn paths(&mut self, name: &'static str) -> Result<Vec<RelPath>, ArgError> {
        let texts = self.texts(name, MOST_PATHS, 4096)?;
        let paths: Result<BTreeSet<RelPath>, _> =
            texts.iter().map(|text| RelPath::new(text.as_bytes())).collect();
        Ok(paths?.into_iter().collect())
    }

    /// One path.
    pub fn path(&mut self, name: &'static str) -> Result<Option<RelPath>, ArgError> {
        let text = self.text(name, 4096)?;
        Ok(text.map(|text| RelPath::new(text.as_bytes())).transpose()?)
    }

    /// Fields that came and that nobody asked for.
    pub fn ignored(&self) -> Vec<String> {
        let unknown = self.fields.keys().filter(|name| !self.known.contains(name.as_str()));
        unknown.take(MOST_IGNORED).map(|name| name.chars().take(60).collect()).collect()
    }

    /// The fields that count, in a fixed order: what a confirmation is bound to.
    pub fn meant(&self) -> Map<String, Value> {
        let counts = |name: &str| self.known.contains(name) && name != "operation_id";
        self.fields.iter().filter(|(name, _)| counts(name)).map(|(n, v)| (n.clone(), v.clone())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn args(value: Value) -> Args {
        match value {
            Value::Object(fields) => Args::new(Some(fields)),
            _ => Args::new(None),
        }
    }

    #[test]
    fn types_are_held_to() {
        let mut args = args(json!({"a": 5, "b": "x", "c": [1], "d": -1, "e": "yes", "f": null}));
        assert!(
            args.text("a", 9).is_err() && args.number("b", 0, 9).is_err() && args.texts("c", 9, 9).is_err()
        );
        assert!(args.number("d", 0, 9).is_err() && args.flag("e").is_err());
        assert!(args.text("f", 9).unwrap().is_none(), "null is the same as nothing");
        assert_eq!(args.required_text("f", 9).unwrap_err().code(), "invalid_argument");
    }

    #[test]
    fn what_nobody_asked_for_is_named_and_does_not_count() {
        let mut args = args(json!({"paths": ["b", "a", "b"], "instructions": "x", "operation_id": "o"}));
        let paths = args.paths("paths").unwrap();
        assert_eq!(paths.iter().map(ToString::to_string).collect::<Vec<_>>(), ["a", "b"]);
        args.text("operation_id", 40).unwrap();
        assert_eq!(args.ignored(), ["instructions"]);
        assert_eq!(args.meant().keys().collect::<Vec<_>>(), ["paths"]);
    }

    #[test]
    fn paths_that_lead_out_are_refused() {
        for path in
            ["../x", "/etc/passwd", "a/../../b", ".git/config", "a/./b", "", "a\u{0}b", ".vibelign/id"]
        {
            assert!(args(json!({"paths": [path]})).paths("paths").is_err(), "{path:?}");
        }
    }
}
