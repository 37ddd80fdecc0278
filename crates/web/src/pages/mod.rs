//! The pages. Each file turns reports of the engine into one page, and takes the forms of that page.

pub(crate) mod audit;
pub(crate) mod checkpoint;
pub(crate) mod checkpoints;
pub(crate) mod confirm;
pub(crate) mod diff;
pub(crate) mod history;
pub(crate) mod home;
pub(crate) mod job;
pub(crate) mod launch;
pub(crate) mod lessons;
pub(crate) mod memory;
pub(crate) mod permissions;
pub(crate) mod protection;
pub(crate) mod recovery;
pub(crate) mod runs;
pub(crate) mod settings;
pub(crate) mod spirals;
pub(crate) mod step;
pub(crate) mod store;
pub(crate) mod undo;
pub(crate) mod why;

use axum::extract::FromRequest;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::error::Problem;

/// The values of a form. A name that is there twice counts with its last value.
#[derive(Debug, Clone, Default)]
pub(crate) struct Posted(Vec<(String, String)>);

impl Posted {
    /// A value without blanks around it; empty where there is none.
    pub(crate) fn get(&self, name: &str) -> &str {
        self.0.iter().rfind(|(known, _)| known == name).map_or("", |(_, value)| value.trim())
    }

    /// All values in their order, for a name that may be there more than once.
    pub(crate) fn pairs(&self) -> &[(String, String)] {
        &self.0
    }

    /// A value that must be there.
    pub(crate) fn needed(&self, name: &str) -> Result<&str, Problem> {
        match self.get(name) {
            "" => Err(Problem::new(
                StatusCode::BAD_REQUEST,
                "usage",
                format!("`{name}` is empty"),
                "fill it in and send the form again",
            )),
            value => Ok(value),
        }
    }
}

impl<S: Send + Sync> FromRequest<S> for Posted {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        match axum::Form::<Vec<(String, String)>>::from_request(request, state).await {
            Ok(axum::Form(pairs)) => Ok(Self(pairs)),
            Err(rejection) => Err(rejection.into_response()),
        }
    }
}

/// Where a form leads back to: a path of this server, or home. Never another host.
pub(crate) fn back(wanted: &str) -> String {
    let local = wanted.starts_with('/')
        && !wanted.starts_with("//")
        && !wanted.contains('\\')
        && wanted.bytes().all(|byte| byte.is_ascii_graphic());
    if local { wanted.to_owned() } else { "/".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::back;

    #[test]
    fn a_form_never_leads_elsewhere() {
        assert_eq!(back("/history?agent=a"), "/history?agent=a");
        for elsewhere in
            ["//evil.example", "https://evil.example", "/\\evil.example", "", "/a\r\nSet-Cookie: b=c"]
        {
            assert_eq!(back(elsewhere), "/", "{elsewhere:?}");
        }
    }
}
