//! Every route there is. None of them runs a command, and none names a file of the disk.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Query, Request, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::WatchStream;

use crate::access::{Inside, guard};
use crate::app::App;
use crate::ask::{Visit, language_of};
use crate::error::Refusal;
use crate::live::{Change, Live};
use crate::{api, assets, pages};

/// The one way in: everything passes the guard, and only the guard calls what is behind it.
pub(crate) fn router(app: Arc<App>, agents: Option<Router>) -> Router {
    let page = app.has_page.then(|| pages(Arc::clone(&app)));
    Router::new().fallback(guard).with_state(Inside { app, page, agents })
}

fn pages(app: Arc<App>) -> Router {
    Router::new()
        .route("/launch", get(pages::launch::launch))
        .route("/assets/{name}", get(assets::serve))
        .route("/", get(pages::home::home))
        .route("/memory", get(pages::memory::show))
        .route("/memory/{what}", post(pages::memory::remember))
        .route("/history", get(pages::history::show))
        .route("/history/{*file}", get(pages::history::of_file))
        .route("/why/{*file}", get(pages::why::show))
        .route("/step/{id}", get(pages::step::show_step))
        .route("/request/{id}", get(pages::step::show_request))
        .route("/undo", get(pages::undo::preview).post(pages::undo::apply))
        .route("/undo/job/{id}", get(pages::job::show))
        .route("/checkpoints", get(pages::checkpoints::show))
        .route("/timeline", get(pages::history::moved))
        .route("/checkpoint", post(pages::checkpoint::create))
        .route("/checkpoint/{id}", get(pages::checkpoint::show))
        .route("/pin", post(pages::checkpoint::pin))
        .route("/diff", get(pages::diff::show))
        .route("/recovery", get(pages::recovery::show))
        .route("/recovery/preview", get(pages::recovery::preview))
        .route("/recovery/apply", post(pages::recovery::apply))
        .route("/recovery/feedback", post(pages::recovery::feedback))
        .route("/recovery/job/{id}", get(pages::job::show))
        .route("/runs", get(pages::runs::show))
        .route("/runs/{run}", get(pages::runs::run::show))
        .route("/runs/{run}/stop", get(pages::runs::stop::ask_stop).post(pages::runs::stop::stop))
        .route("/runs/{run}/answer", post(pages::runs::stop::answer))
        .route("/runs/job/{id}", get(pages::job::show))
        .route("/runs/{run}/{card}", get(pages::runs::card::show))
        .route("/runs/{run}/{card}/look", post(pages::runs::previews::show))
        .route("/runs/{run}/{card}/do", post(pages::runs::acts::act))
        .route("/lessons", get(pages::lessons::show))
        .route("/lessons/{what}", post(pages::lessons::change))
        .route("/permissions", get(pages::permissions::show))
        .route("/permissions/{what}", post(pages::permissions::change))
        .route("/spirals", get(pages::spirals::show))
        .route("/spirals/resume", post(pages::spirals::resume))
        .route("/audit", get(pages::audit::show))
        .route("/settings", get(pages::settings::show).post(pages::settings::change))
        .route("/confirm/{id}", get(pages::confirm::show).post(pages::confirm::answer))
        .route("/language", post(pages::launch::language))
        .route("/events", get(events))
        .merge(api::routes())
        .fallback(nothing)
        .with_state(app)
}

/// What a page was made from.
#[derive(Debug, serde::Deserialize)]
struct Since {
    #[serde(default)]
    seen: String,
}

/// The stream of changes.
async fn events(State(app): State<Arc<App>>, visit: Visit, Query(since): Query<Since>) -> Response {
    let Some((watching, missed)) = Live::begin(&app, &since.seen) else {
        return Refusal::TooMany.response(false, visit.language, true);
    };
    let first = (!missed.is_empty()).then_some(Change { number: 0, topics: missed });
    let changes = WatchStream::from_changes(watching.changes.clone());
    let stream = tokio_stream::iter(first).chain(changes).map(move |change| {
        // Counted as long as the stream lives.
        let _ = &watching;
        let data = serde_json::json!({"number": change.number, "topics": change.topics}).to_string();
        Ok::<_, Infallible>(Event::default().event("change").data(data))
    });
    Sse::new(stream).keep_alive(KeepAlive::new().interval(Duration::from_secs(10))).into_response()
}

async fn nothing(State(app): State<Arc<App>>, request: Request) -> Response {
    let language = language_of(request.headers(), app.language);
    Refusal::NotFound.response(request.uri().path().starts_with("/api/"), language, true)
}
