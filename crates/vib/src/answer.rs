//! What a command answers: one value, rendered as text or as JSON.

use serde::Serialize;

use crate::printer::Printer;
use crate::theme::Theme;

/// A rendered answer and its exit code.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) body: Body,
    pub(crate) exit: u8,
    /// It may be longer than a screen, so a person may want a pager.
    pub(crate) long: bool,
    /// Why it is a refusal, for programs; people read it in the text.
    pub(crate) refused: Option<Refused>,
}

/// The reason of a refusal that also carries data.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) next: String,
}

#[derive(Debug)]
pub(crate) enum Body {
    /// For people.
    Text(String),
    /// For programs: the value of `data`.
    Json(serde_json::Value),
    /// Raw output of a generator (completions, man page): the same either way.
    Raw(Vec<u8>),
}

impl Answer {
    /// Renders `report` the way that was asked for; only that one is computed.
    pub(crate) fn new<R: Serialize>(
        printer: &Printer,
        report: &R,
        text: impl FnOnce(&R, &Theme) -> String,
    ) -> Self {
        let body = if printer.json() {
            Body::Json(serde_json::to_value(report).unwrap_or(serde_json::Value::Null))
        } else {
            Body::Text(text(report, printer.theme()))
        };
        Self { body, exit: 0, long: false, refused: None }
    }

    /// Renders `report` as JSON, whatever was asked for.
    pub(crate) fn json<R: Serialize>(report: &R) -> Self {
        let body = Body::Json(serde_json::to_value(report).unwrap_or(serde_json::Value::Null));
        Self { body, exit: 0, long: false, refused: None }
    }

    /// A refusal with everything that helps to do better: exit code 1.
    pub(crate) fn refused<R: Serialize>(
        printer: &Printer,
        report: &R,
        refused: Refused,
        text: impl FnOnce(&R, &Theme) -> String,
    ) -> Self {
        Self { exit: 1, refused: Some(refused), ..Self::new(printer, report, text) }
    }

    /// Raw bytes.
    pub(crate) fn raw(bytes: Vec<u8>) -> Self {
        Self { body: Body::Raw(bytes), exit: 0, long: false, refused: None }
    }

    /// The same answer, through a pager where it is longer than the screen.
    pub(crate) fn long(self) -> Self {
        Self { long: true, ..self }
    }

    /// The same answer with another exit code.
    pub(crate) fn with_exit(self, exit: u8) -> Self {
        Self { exit, ..self }
    }
}
