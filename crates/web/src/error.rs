//! What goes wrong, and how it is answered: as a page for people, as JSON for programs.

use std::io::ErrorKind;

use axum::http::StatusCode;
use axum::http::header::{self, HeaderValue};
use axum::response::{IntoResponse, Response};
use maud::html;
use serde_json::json;
use texts::{Language, Texts};

use crate::assets;

/// Why the server could not start or had to end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The project.
    #[error(transparent)]
    Engine(#[from] engine::Error),
    /// The port is taken, or may not be used.
    #[error("port {port} of this machine cannot be used: {source}")]
    Port {
        /// The port; 0: any.
        port: u16,
        /// Why.
        source: std::io::Error,
    },
    /// The system gives no random numbers, so there can be no secret codes.
    #[error("the system gives no random numbers, so the page would not be safe")]
    NoRandomness,
    /// The file with the token, or the server itself.
    #[error("the server could not be started: {0}")]
    Io(#[from] std::io::Error),
}

impl ServeError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Engine(error) => error.code(),
            Self::Port { .. } => "port_in_use",
            Self::NoRandomness => "no_randomness",
            Self::Io(_) => "io",
        }
    }

    /// What the person can do next.
    pub fn next(&self) -> String {
        match self {
            Self::Engine(error) => error.next(),
            Self::Port { .. } => {
                "leave `--port` away, and a free port is taken; or end the program that uses it".to_owned()
            }
            Self::NoRandomness => "look at the state of this machine: `getrandom` fails".to_owned(),
            Self::Io(error) => project::io_next(error),
        }
    }
}

/// A request that no handler saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    Host,
    Origin,
    Site,
    Stranger,
    UsedCode,
    Csrf,
    TooMany,
    TooLarge,
    SlowBody,
    TooSlow,
    NotFound,
}

impl Refusal {
    fn status(self) -> StatusCode {
        match self {
            Self::Host => StatusCode::MISDIRECTED_REQUEST,
            Self::Origin | Self::Site | Self::Csrf => StatusCode::FORBIDDEN,
            Self::Stranger | Self::UsedCode => StatusCode::UNAUTHORIZED,
            Self::TooMany => StatusCode::TOO_MANY_REQUESTS,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::SlowBody => StatusCode::REQUEST_TIMEOUT,
            Self::TooSlow => StatusCode::SERVICE_UNAVAILABLE,
            Self::NotFound => StatusCode::NOT_FOUND,
        }
    }

    fn code(self) -> &'static str {
        match self {
            Self::Host => "foreign_host",
            Self::Origin => "foreign_origin",
            Self::Site => "foreign_site",
            Self::Stranger => "not_signed_in",
            Self::UsedCode => "launch_code_used",
            Self::Csrf => "csrf",
            Self::TooMany => "too_many_requests",
            Self::TooLarge => "too_large",
            Self::SlowBody => "too_slow",
            Self::TooSlow => "took_too_long",
            Self::NotFound => "not_found",
        }
    }

    /// What happened, and what to do next.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Host => ("web-refused-host", "web-refused-host-next"),
            Self::Origin | Self::Site => ("web-refused-origin", "web-refused-origin-next"),
            Self::Stranger => ("web-refused-stranger", "web-refused-stranger-next"),
            Self::UsedCode => ("web-refused-code", "web-refused-stranger-next"),
            Self::Csrf => ("web-refused-csrf", "web-refused-csrf-next"),
            Self::TooMany => ("web-refused-many", "web-refused-wait-next"),
            Self::TooLarge => ("web-refused-large", "web-refused-large-next"),
            Self::SlowBody | Self::TooSlow => ("web-refused-slow", "web-refused-wait-next"),
            Self::NotFound => ("web-refused-nothing", "web-refused-nothing-next"),
        }
    }

    /// The answer. Programs are answered in English; only a person with a session finds a home behind the link.
    pub(crate) fn response(self, as_json: bool, language: Language, is_person: bool) -> Response {
        let texts = Texts::new(if as_json { Language::En } else { language });
        let (what, next) = self.words();
        let problem = Problem {
            status: self.status(),
            code: self.code().to_owned(),
            message: texts.say(what, &[]),
            next: texts.say(next, &[]),
        };
        let mut response = problem.response(as_json, &texts, is_person);
        if self == Self::TooMany {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

/// A handler could not do what it was asked for.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    pub(crate) code: String,
    pub(crate) message: String,
    pub(crate) next: String,
}

impl Problem {
    pub(crate) fn new(
        status: StatusCode,
        code: &str,
        message: impl Into<String>,
        next: impl Into<String>,
    ) -> Self {
        Self { status, code: code.to_owned(), message: message.into(), next: next.into() }
    }

    /// The body as programs get it.
    pub(crate) fn json(&self) -> serde_json::Value {
        json!({"ok": false, "error": {"code": self.code, "message": self.message, "next": self.next}, "data": null})
    }

    pub(crate) fn response(&self, as_json: bool, texts: &Texts, has_home: bool) -> Response {
        if as_json {
            return (self.status, axum::Json(self.json())).into_response();
        }
        let page = html! {
            (maud::DOCTYPE)
            html lang=(texts.language().code()) {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { "VibeLign" }
                    link rel="stylesheet" href=(assets::url("style.css"));
                    link rel="icon" href=(assets::url("icon.svg"));
                }
                body.alone {
                    main.card {
                        h1 { (self.message) }
                        p { (self.next) }
                        p.dim { code { (self.code) } }
                        @if has_home { p { a href="/" { (texts.say("web-nav-home", &[])) } } }
                    }
                }
            }
        };
        (self.status, axum::response::Html(page.into_string())).into_response()
    }
}

/// Whether the disk, or this person's share of it, is full, whoever met it.
fn is_full(error: &engine::Error) -> bool {
    let mut next: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = next {
        let kind = error.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
        if matches!(kind, Some(ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge)) {
            return true;
        }
        next = error.source();
    }
    false
}

impl From<engine::Error> for Problem {
    fn from(error: engine::Error) -> Self {
        let status = match (error.code(), error.exit_code()) {
            (
                "not_a_checkpoint" | "path_unknown" | "no_such_path" | "no_such_file" | "lesson_unknown"
                | "nothing_to_undo" | "nothing_to_redo" | "not_in_history" | "no_such_run" | "no_such_card"
                | "no_such_attempt" | "bad_run_name",
                _,
            ) => StatusCode::NOT_FOUND,
            ("snapshot_expired", _) => StatusCode::GONE,
            (
                "busy"
                | "changed_since_preview"
                | "changed_after_preview"
                | "audit_busy"
                | "something_new_since"
                | "run_busy"
                | "run_not_running"
                | "run_not_waiting"
                | "already_applied"
                | "overlaps",
                _,
            ) => StatusCode::CONFLICT,
            ("disk_full", _) => StatusCode::INSUFFICIENT_STORAGE,
            _ if is_full(&error) => StatusCode::INSUFFICIENT_STORAGE,
            (_, 1) => StatusCode::UNPROCESSABLE_ENTITY,
            (_, 2) => StatusCode::BAD_REQUEST,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, error.code(), error.to_string(), error.next())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told_apart_whoever_met_it() {
        let full = || std::io::Error::from(ErrorKind::StorageFull);
        let log = memory::log::LogError::Io { path: "x".into(), source: full() };
        let lessons = memory::lessons::Error::Io { what: "written", error: full() };
        for error in [
            engine::Error::from(project::Error::from(full())),
            engine::Error::from(log),
            engine::Error::from(lessons),
        ] {
            assert_eq!(Problem::from(error).status, StatusCode::INSUFFICIENT_STORAGE);
        }
        let denied = std::io::Error::from(ErrorKind::PermissionDenied);
        let other = Problem::from(engine::Error::from(project::Error::from(denied)));
        assert_eq!(other.status, StatusCode::INTERNAL_SERVER_ERROR);
    }
}
