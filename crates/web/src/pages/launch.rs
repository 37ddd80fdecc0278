//! The way in: a launch code becomes a session, which is an address of its own. And the language switch.

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::http::header::{self, HeaderMap};
use axum::response::{Html, IntoResponse, Redirect, Response};
use maud::html;
use serde::Deserialize;
use texts::Language;

use super::{Posted, back};
use crate::access::address::home;
use crate::app::App;
use crate::ask::{LANGUAGE_COOKIE, language_of};
use crate::error::Refusal;

#[derive(Debug, Deserialize)]
pub(crate) struct Launch {
    #[serde(default)]
    code: String,
}

/// Uses the code up. The answer is a page that moves on by itself: after a redirect, what the link was clicked in would count as what
/// caused the next request.
pub(crate) async fn launch(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Query(launch): Query<Launch>,
) -> Response {
    let language = language_of(&headers, app.language);
    let Some(session) = app.keys.open_session(&launch.code) else {
        return Refusal::UsedCode.response(false, language, false);
    };
    let home = home(&session);
    let page = html! {
        (maud::DOCTYPE)
        html lang=(language.code()) {
            head { meta charset="utf-8"; meta http-equiv="refresh" content={ "0;url=" (home) }; title { "VibeLign" }
                link rel="icon" href=(crate::assets::url("icon.svg")); }
            body { main { h1 { "VibeLign" } p { a href=(home) { "VibeLign" } } } }
        }
    };
    Html(page.into_string()).into_response()
}

/// Remembers the language in this browser: the only thing that is in a cookie, which other ports of this machine are sent as well.
pub(crate) async fn language(form: Posted) -> Response {
    let language = Language::from_code(form.get("language")).unwrap_or_default();
    let cookie =
        format!("{LANGUAGE_COOKIE}={}; HttpOnly; SameSite=Strict; Path=/; Max-Age=31536000", language.code());
    ([(header::SET_COOKIE, cookie)], Redirect::to(&back(form.get("back")))).into_response()
}
