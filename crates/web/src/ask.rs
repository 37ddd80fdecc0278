//! One request being answered: the project, the language, the gate, and who asks.

use std::cell::{OnceCell, RefCell};
use std::collections::hash_map::DefaultHasher;
use std::convert::Infallible;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::header::{self, HeaderMap};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use engine::Engine;
use engine::audit::{self, Event, Intent, Outcome, Row};
use maud::Markup;
use redact::{Counts, Gate};
use serde_json::Value;
use texts::{Language, Texts};

use crate::access::Visitor;
use crate::app::App;
use crate::error::{Problem, Refusal};

/// The cookie with the language that a person chose on the page.
pub(crate) const LANGUAGE_COOKIE: &str = "vib_language";

/// What a handler learns from the head of a request.
#[derive(Debug, Clone)]
pub(crate) struct Visit {
    pub(crate) visitor: Visitor,
    pub(crate) language: Language,
    /// Path and query, as the routes know them: where to come back to.
    pub(crate) here: String,
}

impl FromRequestParts<Arc<App>> for Visit {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Response> {
        let language = language_of(&parts.headers, app.language);
        let Some(visitor) = parts.extensions.get::<Visitor>().cloned() else {
            return Err(Refusal::Stranger.response(parts.uri.path().starts_with("/api/"), language, false));
        };
        let here = parts.uri.path_and_query().map_or("/", |path| path.as_str()).to_owned();
        Ok(Self { visitor, language, here })
    }
}

/// The language: chosen on the page, wished by the browser, or of the person's settings.
pub(crate) fn language_of(headers: &HeaderMap, otherwise: Language) -> Language {
    let chosen = headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == LANGUAGE_COOKIE)
        .and_then(|(_, value)| Language::from_code(value));
    let wished = || {
        let text = headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?;
        text.split(',')
            .find_map(|part| Language::from_code(part.split(';').next().unwrap_or_default().trim()))
    };
    chosen.or_else(wished).unwrap_or(otherwise)
}

/// A request being answered, on a thread that may wait.
pub(crate) struct Ask {
    pub(crate) app: Arc<App>,
    pub(crate) engine: Engine,
    pub(crate) visit: Visit,
    /// What this answer is made from, as the stream of changes counts it.
    pub(crate) seen: String,
    texts: Rc<Texts>,
    gate: RefCell<(Gate, Counts)>,
    /// The finished parts of a long page.
    parts: RefCell<Vec<String>>,
}

impl Ask {
    fn new(app: Arc<App>, visit: Visit) -> engine::Result<Self> {
        let seen = if visit.here.starts_with("/api/") { String::new() } else { app.live.seen() };
        let engine = app.engine()?;
        let gate = RefCell::new((engine.gate(), Counts::default()));
        let texts = texts(visit.language);
        Ok(Self { app, engine, visit, seen, texts, gate, parts: RefCell::default() })
    }

    /// A message without variables.
    pub(crate) fn t(&self, id: &str) -> String {
        self.texts.say(id, &[])
    }

    /// A message.
    pub(crate) fn say(&self, id: &str, values: &[(&str, texts::Value<'_>)]) -> String {
        self.texts.say(id, values)
    }

    /// A text of the project, an agent or a person on its way out: through the gate.
    pub(crate) fn clean(&self, text: &str) -> String {
        let (gate, counts) = &mut *self.gate.borrow_mut();
        let clean = gate.clean(text);
        counts.add(clean.counts());
        clean.into_string()
    }

    /// Puts what is written of a page so far aside, if it is much: a long page is never one piece of memory.
    pub(crate) fn put_aside(&self, page: &mut String) {
        if page.len() >= PART {
            page.shrink_to_fit();
            self.parts.borrow_mut().push(std::mem::take(page));
        }
    }

    /// What the gate took out so far.
    pub(crate) fn counts(&self) -> Counts {
        self.gate.borrow().1
    }

    /// A report on its way to a program: every text in it goes through the gate.
    pub(crate) fn json(&self, report: &impl serde::Serialize) -> Value {
        let mut value = serde_json::to_value(report).unwrap_or(Value::Null);
        self.clean_value(&mut value, None);
        value
    }

    fn clean_value(&self, value: &mut Value, name: Option<&str>) {
        match value {
            Value::String(text) if !is_vocabulary(name, text) => *text = self.clean(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.clean_value(item, name)),
            Value::Object(fields) => {
                fields.iter_mut().for_each(|(name, value)| self.clean_value(value, Some(name)));
            }
            _ => {}
        }
    }

    /// Notes in the audit log that memory left to another program, once for each content. A person's look leaves nothing.
    pub(crate) fn memory_was_shown(&self, event: Event, memory: &engine::memory::MemoryReport) {
        if self.visit.visitor.is_person() {
            return;
        }
        let intent = match &memory.memory.active_intent {
            None => Intent::Absent,
            Some(field) if field.stale => Intent::StaleLabelled,
            Some(_) => Intent::Fresh,
        };
        let mut hasher = DefaultHasher::new();
        (format!("{event:?}{intent:?}"), self.visit.visitor.csrf()).hash(&mut hasher);
        serde_json::to_string(&memory.memory).unwrap_or_default().hash(&mut hasher);
        let new = self.app.shown.lock().is_ok_and(|mut shown| {
            if shown.len() > 4_096 {
                shown.clear();
            }
            shown.insert(hasher.finish())
        });
        if new {
            let mut row = Row::new(event, self.tool(), Outcome::Success).redacted(self.counts());
            row.intent = Some(intent);
            // What was shown was shown; a log that cannot be written shows on the audit page.
            let _ = audit::record(&self.engine, &row);
        }
    }

    /// How the audit log names who asks.
    pub(crate) fn tool(&self) -> &'static str {
        if self.visit.visitor.is_person() { "web" } else { "api" }
    }
}

/// Words of vib's own: names of kinds and states, ids and hashes that vib made. Everything else is text.
fn is_vocabulary(name: Option<&str>, text: &str) -> bool {
    const MADE_BY_VIB: [&str; 10] = [
        "id",
        "short_id",
        "sha256",
        "hash",
        "operation",
        "safety",
        "target",
        "digest",
        "preview",
        "snapshotId",
    ];
    let hex = || text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let short = text.len() <= 40 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let word = text.len() <= 24 && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    match name {
        Some(name) if MADE_BY_VIB.contains(&name) => hex() || short,
        Some(
            "kind" | "status" | "result" | "source" | "rule" | "event" | "notice" | "type" | "format"
            | "unit",
        ) => word,
        _ => false,
    }
}

fn texts(language: Language) -> Rc<Texts> {
    thread_local! {
        static KNOWN: [OnceCell<Rc<Texts>>; 3] = const { [OnceCell::new(), OnceCell::new(), OnceCell::new()] };
    }
    KNOWN.with(|known| Rc::clone(known[language as usize].get_or_init(|| Rc::new(Texts::new(language)))))
}

/// What needs little memory and no more than a moment. Everything else looks through the history, compares files or looks for what
/// broke, and is answered one after the other, always on the same thread: the memory that one takes is taken again by the next,
/// instead of once for each request and each thread.
const LIGHT: [&str; 8] = [
    "/memory",
    "/lessons",
    "/permissions",
    "/spirals",
    "/settings",
    "/api/memory",
    "/api/lessons",
    "/api/settings",
];

/// So much of a page is sent as one part.
const PART: usize = 32 << 10;

/// Runs a handler where it may wait for the disk, and turns what comes of it into an answer.
pub(crate) async fn on_a_thread<T: Send + 'static>(
    app: Arc<App>,
    visit: Visit,
    handler: impl FnOnce(&Ask) -> Result<T, Problem> + Send + 'static,
    answer: impl FnOnce(T) -> Response,
) -> Response {
    let (as_json, language) = (visit.here.starts_with("/api/"), visit.language);
    let is_person = visit.visitor.is_person();
    let heavy = !LIGHT.iter().any(|start| visit.here.starts_with(start));
    let worker = Arc::clone(&app);
    let work = move || {
        let ask = Ask::new(app, visit)?;
        // Messages of errors may name paths.
        handler(&ask).map_err(|problem| Problem {
            message: ask.clean(&problem.message),
            next: ask.clean(&problem.next),
            ..problem
        })
    };
    let done = if heavy {
        let (sender, receiver) = tokio::sync::oneshot::channel();
        worker.heavy.run(move || {
            // Whoever asked may have gone away.
            let _ = sender.send(work());
        });
        receiver.await.ok()
    } else {
        // Calls of agents wait on threads too; those of the page have places of their own, so that it stays small and quick.
        match worker.light.acquire().await {
            Ok(_place) => tokio::task::spawn_blocking(work).await.ok(),
            Err(_) => None,
        }
    };
    match done {
        Some(Ok(done)) => answer(done),
        Some(Err(problem)) => problem.response(as_json, &Texts::new(language), is_person),
        None => Refusal::TooSlow.response(as_json, language, is_person),
    }
}

/// A page.
pub(crate) async fn page(
    app: Arc<App>,
    visit: Visit,
    handler: impl FnOnce(&Ask) -> Result<Markup, Problem> + Send + 'static,
) -> Response {
    let render = move |ask: &Ask| {
        let last = handler(ask)?.into_string();
        let mut parts = ask.parts.take();
        parts.push(last);
        Ok(parts)
    };
    on_a_thread(app, visit, render, |parts| {
        let parts = tokio_stream::iter(parts.into_iter().map(Ok::<_, Infallible>));
        axum::response::Html(axum::body::Body::from_stream(parts)).into_response()
    })
    .await
}

/// Something that was done by a form; afterwards the browser goes to another page.
pub(crate) async fn form(
    app: Arc<App>,
    visit: Visit,
    handler: impl FnOnce(&Ask) -> Result<String, Problem> + Send + 'static,
) -> Response {
    on_a_thread(app, visit, handler, |to| axum::response::Redirect::to(&to).into_response()).await
}

/// An answer for programs.
pub(crate) async fn json(
    app: Arc<App>,
    visit: Visit,
    handler: impl FnOnce(&Ask) -> Result<Value, Problem> + Send + 'static,
) -> Response {
    // Written out where it was made; what it was made from is gone before it is sent.
    let write = move |ask: &Ask| {
        let answer = serde_json::json!({"ok": true, "error": null, "data": handler(ask)?});
        serde_json::to_vec(&answer).map_err(|error| {
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "io", error.to_string(), "try again")
        })
    };
    on_a_thread(app, visit, write, |bytes| {
        ([(header::CONTENT_TYPE, "application/json")], bytes).into_response()
    })
    .await
}
