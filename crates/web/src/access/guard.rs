//! The guard in front of every route.

use std::sync::Arc;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{HeaderName, Method};
use axum::middleware::Next;
use axum::response::Response;

use super::origin::{self, Foreign};
use super::{Visitor, cookie_name};
use crate::app::App;
use crate::error::Refusal;

/// Nothing but what is ours: no inline script, no inline style, no frame, no other host.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
     connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Headers of every answer. The referrer policy is not `no-referrer`: with that, browsers send `Origin: null` with forms.
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

/// Lets a request through, or answers it with a refusal.
pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let wants_json = request.uri().path().starts_with("/api/");
    let language = crate::ask::language_of(request.headers(), app.language);
    let mut response = match admit(&app, request).await {
        Ok(request) => match tokio::time::timeout(app.limits.answer_time, next.run(request)).await {
            Ok(response) => response,
            Err(_) => Refusal::TooSlow.response(wants_json, language),
        },
        Err(refusal) => refusal.response(wants_json, language),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Looks at everything that can be looked at before a handler runs. The body, if any, is read here, within its limits.
async fn admit(app: &App, request: Request) -> Result<Request, Refusal> {
    let (mut parts, body) = request.into_parts();
    let path = parts.uri.path();
    let launch = path == "/launch";
    origin::check(&parts.method, &parts.uri, &parts.headers, app.port, launch).map_err(|foreign| {
        match foreign {
            Foreign::Host => Refusal::Host,
            Foreign::Origin => Refusal::Origin,
            Foreign::Site => Refusal::Site,
        }
    })?;
    let public = launch || path.starts_with("/assets/");
    let visitor = identify(app, &parts.headers, path);
    if !app.rates.allow(visitor.is_some() || path.starts_with("/assets/")) {
        return Err(Refusal::TooMany);
    }
    if visitor.is_none() && !public {
        return Err(Refusal::Stranger);
    }
    let bytes = if parts.method == Method::GET || parts.method == Method::HEAD {
        Bytes::new()
    } else {
        let most = if path == "/api/patch/diff" { app.limits.patch_bytes } else { app.limits.body_bytes };
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
    Ok(Request::from_parts(parts, Body::from(bytes)))
}

/// A session's cookie, anywhere; the token, for the API and the stream of changes.
fn identify(app: &App, headers: &HeaderMap, path: &str) -> Option<Visitor> {
    if let Some(value) = headers.get(header::AUTHORIZATION) {
        // Whoever shows a token wants to be that program, and nobody else if it is wrong.
        let program = path.starts_with("/api/") || path == "/events";
        let token = value.to_str().ok()?.strip_prefix("Bearer ")?;
        return program.then(|| app.keys.program(token)).flatten();
    }
    let name = cookie_name(app.port);
    let mut pairs = headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='));
    let (_, value) = pairs.find(|(key, _)| *key == name)?;
    app.keys.session(value)
}

async fn read_body(app: &App, headers: &HeaderMap, body: Body, most: usize) -> Result<Bytes, Refusal> {
    let announced =
        headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > most) {
        return Err(Refusal::TooLarge);
    }
    match tokio::time::timeout(app.limits.body_time, to_bytes(body, most)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        // The only other reason is a connection that broke, and then nobody reads the answer.
        Ok(Err(_)) => Err(Refusal::TooLarge),
        Err(_) => Err(Refusal::SlowBody),
    }
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
