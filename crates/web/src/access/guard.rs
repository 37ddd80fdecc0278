//! The guard in front of everything: pages, API, and the agents' door.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::request::Parts;
use axum::http::{HeaderName, Method};
use axum::response::Response;
use http_body_util::BodyExt;
use tower_service::Service;

use super::address::{self, ASSETS};
use super::origin::{self, Foreign};
use super::{Known, Visitor};
use crate::app::App;
use crate::error::Refusal;

/// Nothing but what is ours: no inline script, no inline style, no frame, no other host.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
     connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Headers of every answer. The referrer policy is not `no-referrer`: with that, browsers send `Origin: null` with forms. With
/// `same-origin` no other host and no other port is told where a request comes from, and so none learns the capability.
const HEADERS: [(HeaderName, &str); 8] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-embedder-policy"), "require-corp"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), microphone=(), geolocation=(), usb=(), payment=()",
    ),
];

/// What is behind the guard. What is not offered is not there.
#[derive(Debug, Clone)]
pub(crate) struct Inside {
    pub(crate) app: Arc<App>,
    /// The pages and the API.
    pub(crate) page: Option<Router>,
    /// MCP.
    pub(crate) agents: Option<Router>,
}

/// Which door a request stands at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Door {
    /// The way in with a launch code.
    Launch,
    /// Style, scripts and icon: the same for everybody.
    Assets,
    /// Pages, for a person's browser.
    Page,
    /// The API and the stream of changes, for a person's browser and for programs.
    Program,
    /// MCP, for agents.
    Agents,
}

impl Door {
    fn of(path: &str) -> Self {
        match path {
            "/launch" => Self::Launch,
            "/mcp" => Self::Agents,
            "/events" => Self::Program,
            _ if path.starts_with("/api/") => Self::Program,
            _ if path.starts_with(ASSETS) => Self::Assets,
            _ => Self::Page,
        }
    }

    fn is_public(self) -> bool {
        matches!(self, Self::Launch | Self::Assets)
    }

    /// How long an answer may take.
    fn patience(self, app: &App) -> Duration {
        if self == Self::Agents { app.limits.call_time } else { app.limits.answer_time }
    }

    /// How long a body may be.
    fn longest_body(self, path: &str, app: &App) -> usize {
        match self {
            Self::Agents => app.limits.call_bytes,
            _ if path == "/api/patch/diff" => app.limits.patch_bytes,
            _ => app.limits.body_bytes,
        }
    }
}

/// Lets a request through, or answers it with a refusal.
pub(crate) async fn guard(State(inside): State<Inside>, request: Request) -> Response {
    let app = &inside.app;
    let language = crate::ask::language_of(request.headers(), app.language);
    let (mut parts, body) = request.into_parts();
    let launch = parts.uri.path() == "/launch";
    let origin = origin::check(&parts.method, &parts.uri, &parts.headers, app.port, launch);
    let capability = address::take_off(&mut parts.uri);
    let door = Door::of(parts.uri.path());
    let wants_json = door == Door::Agents || parts.uri.path().starts_with("/api/");
    // Who asks counts only for what comes from this machine under its own name.
    let visitor =
        origin.is_ok().then(|| identify(app, door, capability.as_deref(), &parts.headers)).flatten();
    let is_person = visitor.as_ref().is_some_and(Visitor::is_person);
    let admitted = match origin {
        Ok(()) => admit(&inside, door, visitor, parts, body).await,
        Err(Foreign::Host) => Err(Refusal::Host),
        Err(Foreign::Origin) => Err(Refusal::Origin),
        Err(Foreign::Site) => Err(Refusal::Site),
    };
    let mut response = match admitted {
        Ok((router, request)) => {
            match tokio::time::timeout(door.patience(app), call(router, request)).await {
                Ok(response) => response,
                Err(_) => Refusal::TooSlow.response(wants_json, language, is_person),
            }
        }
        Err(refusal) => {
            let mut response = refusal.response(wants_json, language, is_person);
            if refusal == Refusal::Stranger && door == Door::Agents {
                response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            response
        }
    };
    if let Some(capability) = capability.filter(|_| is_person) {
        response = address::put_on(response, &capability);
    }
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

async fn call(mut router: Router, request: Request) -> Response {
    let answered: Result<Response, Infallible> = router.call(request).await;
    match answered {
        Ok(response) => response,
        Err(never) => match never {},
    }
}

/// Looks at everything that can be looked at before a handler runs. The body, if any, is read here, within its limits.
async fn admit(
    inside: &Inside,
    door: Door,
    visitor: Option<Visitor>,
    mut parts: Parts,
    body: Body,
) -> Result<(Router, Request), Refusal> {
    let app = &inside.app;
    let known = match &visitor {
        Some(Visitor::Agent) => Known::Agent,
        Some(_) => Known::Person,
        None if door == Door::Assets => Known::Person,
        None => Known::Stranger,
    };
    if !app.rates.allow(known) {
        return Err(Refusal::TooMany);
    }
    let router = if door == Door::Agents { &inside.agents } else { &inside.page };
    // Clients of MCP ask there, without a token, how to get one; there is no such way.
    let router =
        router.clone().filter(|_| !parts.uri.path().starts_with("/.well-known/")).ok_or(Refusal::NotFound)?;
    if visitor.is_none() && !door.is_public() {
        return Err(Refusal::Stranger);
    }
    let bytes = if matches!(parts.method, Method::GET | Method::HEAD) {
        Bytes::new()
    } else {
        let most = door.longest_body(parts.uri.path(), app);
        read_body(app, &parts.headers, body, most).await?
    };
    if let Some(visitor) = visitor {
        let changes = !matches!(parts.method, Method::GET | Method::HEAD);
        if changes && visitor.is_person() {
            if !origin::is_own(&parts.headers) {
                return Err(Refusal::Origin);
            }
            if !carries_csrf(&visitor, &parts.headers, &bytes) {
                return Err(Refusal::Csrf);
            }
        }
        parts.extensions.insert(visitor);
    }
    Ok((router, Request::from_parts(parts, Body::from(bytes))))
}

/// Who asks. An address with a capability is a person's; a token is for the door that it was made for, and for no other.
fn identify(app: &App, door: Door, capability: Option<&str>, headers: &HeaderMap) -> Option<Visitor> {
    let token = headers.get(header::AUTHORIZATION);
    if let Some(capability) = capability {
        // Whoever shows a token wants to be that program, and nobody else.
        return if token.is_none() && door != Door::Agents { app.keys.session(capability) } else { None };
    }
    let token = token.map(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    match door {
        Door::Agents => app.keys.agent(token.flatten()),
        Door::Program => app.keys.program(token.flatten()?),
        Door::Launch | Door::Assets | Door::Page => None,
    }
}

async fn read_body(app: &App, headers: &HeaderMap, body: Body, most: usize) -> Result<Bytes, Refusal> {
    let announced =
        headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    let most = if announced.is_some_and(|length| length > most) { 0 } else { most };
    match tokio::time::timeout(app.limits.body_time, read_up_to(body, most)).await {
        Ok(Some(bytes)) => Ok(bytes),
        Ok(None) => Err(Refusal::TooLarge),
        Err(_) => Err(Refusal::SlowBody),
    }
}

/// None: it is longer, or the connection broke, and then nobody reads the answer. What is too long is read on for a while and thrown away: a
/// connection that is closed with unread bytes takes the refusal with it.
async fn read_up_to(mut body: Body, most: usize) -> Option<Bytes> {
    const THROWN_AWAY: usize = 1 << 20;
    let (mut read, mut kept) = (0_usize, Vec::new());
    while let Some(frame) = body.frame().await {
        let data = frame.ok()?.into_data().unwrap_or_default();
        read = read.saturating_add(data.len());
        if read <= most {
            kept.extend_from_slice(&data);
        } else if read > most.saturating_add(THROWN_AWAY) {
            return None;
        }
    }
    (read <= most).then(|| kept.into())
}

/// The token in a header (scripts) or in the form itself (pages without scripts).
fn carries_csrf(visitor: &Visitor, headers: &HeaderMap, body: &[u8]) -> bool {
    if let Some(value) = headers.get("x-csrf-token") {
        return value.to_str().is_ok_and(|token| visitor.has_csrf(token));
    }
    let form = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).is_some_and(|kind| {
        kind.split(';').next().unwrap_or_default().trim() == "application/x-www-form-urlencoded"
    });
    // Forms put it first; it is made of letters that need no escape.
    let first = body.split(|&byte| byte == b'&').next().unwrap_or_default();
    let token = first.strip_prefix(b"csrf=").and_then(|token| std::str::from_utf8(token).ok());
    form && token.is_some_and(|token| visitor.has_csrf(token))
}
