//! What a program sends, with errors it can read.

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;

use crate::ask::Ask;
use crate::error::Problem;

/// The query of a request.
pub(super) struct Asked<T>(pub(super) T);
/// The JSON body of a request.
pub(super) struct Sent<T>(pub(super) T);
/// The one variable part of a path.
pub(super) struct Named(pub(super) String);
/// The two variable parts of a path.
pub(super) struct NamedTwo(pub(super) String, pub(super) String);

fn bad(status: StatusCode, code: &str, message: String, next: &str) -> Response {
    let problem = Problem::new(status, code, message, next);
    (status, axum::Json(problem.json())).into_response()
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(value)) => Ok(Self(value)),
            Err(error) => {
                let next = "see /api/openapi.json for the parameters";
                Err(bad(StatusCode::BAD_REQUEST, "usage", error.body_text(), next))
            }
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Named {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        match Path::<String>::from_request_parts(parts, state).await {
            Ok(Path(name)) => Ok(Self(name)),
            Err(error) => {
                Err(bad(StatusCode::BAD_REQUEST, "usage", error.body_text(), "write the path in UTF-8"))
            }
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for NamedTwo {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        match Path::<(String, String)>::from_request_parts(parts, state).await {
            Ok(Path((one, other))) => Ok(Self(one, other)),
            Err(error) => {
                Err(bad(StatusCode::BAD_REQUEST, "usage", error.body_text(), "write the path in UTF-8"))
            }
        }
    }
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Sent<T> {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let kind = request
            .headers()
            .get(header::CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok())
            .unwrap_or_default();
        if kind.split(';').next().unwrap_or_default().trim() != "application/json" {
            let message = "the body must be JSON, with `Content-Type: application/json`".to_owned();
            return Err(bad(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json", message, "send JSON"));
        }
        let bytes = Bytes::from_request(request, state).await.map_err(IntoResponse::into_response)?;
        serde_json::from_slice(&bytes).map(Self).map_err(|error| {
            let next = "see /api/openapi.json for the fields";
            bad(StatusCode::BAD_REQUEST, "usage", format!("the body is not what was expected: {error}"), next)
        })
    }
}

/// Refuses programs: only a person's session may do this.
pub(super) fn person_only(ask: &Ask) -> Result<(), Problem> {
    if ask.visit.visitor.is_person() {
        return Ok(());
    }
    Err(Problem::new(
        StatusCode::FORBIDDEN,
        "needs_person",
        "this counts as a person's word, so a program with the token may not say it",
        "let the person do it on the page",
    ))
}
