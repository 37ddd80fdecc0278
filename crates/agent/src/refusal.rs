//! Why an action was not done: what is the matter, and what to do next. It goes back to the model as it is.

use serde::Serialize;

/// A refusal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ActionRefusal {
    /// Stable code.
    pub code: &'static str,
    /// What is the matter.
    pub message: String,
    /// What to do next.
    pub next: String,
}

impl ActionRefusal {
    /// One.
    pub fn new(code: &'static str, message: impl Into<String>, next: impl Into<String>) -> Self {
        Self { code, message: message.into(), next: next.into() }
    }

    /// As the model reads it.
    pub fn text(&self) -> String {
        let Self { code, message, next } = self;
        format!("error: {code}\nmessage: {message}\nnext: {next}")
    }
}

impl From<&engine::Error> for ActionRefusal {
    fn from(error: &engine::Error) -> Self {
        Self::new(error.code(), error.to_string(), error.next())
    }
}
