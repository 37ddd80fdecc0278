//! The JSON API: the same engine functions as the pages, for programs.
//!
//! Answers have one form: `{ok, error: {code, message, next}, data}`; `POST /api/patch/diff` answers with the report itself, as it
//! was specified. With the token a program may look, preview, save, and apply patches. What counts as a person's word (memory,
//! lessons, settings, going back, letting an agent go on) needs a person's session: a click on the page.
//!
//! `openapi` describes it; a test holds the two together.

mod actions;
mod extract;
mod history;
mod patch;
mod reads;
mod runs;

use std::sync::Arc;

use axum::Router;
use axum::routing::{delete, get, post};

use crate::app::App;
use crate::error::Problem;
use crate::openapi;

pub(crate) use reads::{MOST, MOST_DAYS};

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/openapi.json", get(openapi::serve))
        .route("/api/status", get(reads::status))
        .route("/api/history", get(history::entries))
        .route("/api/steps/{id}", get(history::step))
        .route("/api/requests/{id}", get(history::request))
        .route("/api/undo/preview", post(history::preview))
        .route("/api/undo/apply", post(history::apply))
        .route("/api/timeline", get(reads::timeline))
        .route("/api/checkpoints", post(actions::save))
        .route("/api/checkpoints/{id}", get(reads::checkpoint))
        .route("/api/checkpoints/{id}/pin", post(actions::pin))
        .route("/api/diff", get(reads::diff))
        .route("/api/memory", get(reads::memory).post(actions::remember))
        .route("/api/lessons", get(reads::lessons).post(actions::add_lesson))
        .route("/api/lessons/{id}", delete(actions::remove_lesson))
        .route("/api/lessons/{id}/pin", post(actions::pin_lesson))
        .route("/api/spirals", get(reads::spirals))
        .route("/api/spirals/resume", post(actions::resume))
        .route("/api/audit", get(reads::audit))
        .route("/api/audit/slo", get(reads::slo))
        .route("/api/audit/metrics", get(reads::metrics))
        .route("/api/settings", get(reads::settings).post(actions::set))
        .route("/api/grants", get(reads::grants))
        .route("/api/recovery", get(reads::recovery))
        .route("/api/recovery/preview", post(actions::preview))
        .route("/api/recovery/apply", post(actions::apply))
        .route("/api/runs", get(runs::board))
        .route("/api/runs/{run}", get(runs::one))
        .route("/api/runs/{run}/stop", post(runs::stop))
        .route("/api/runs/{run}/resume", post(runs::resume))
        .route("/api/runs/{run}/cards/{card}", get(runs::card))
        .route("/api/runs/{run}/cards/{card}/apply", post(runs::apply))
        .route("/api/runs/{run}/cards/{card}/revert", post(runs::revert))
        .route("/api/runs/{run}/cards/{card}/replay", post(runs::replay))
        .route("/api/runs/{run}/cards/{card}/drop", post(runs::put_away))
        .route("/api/patch/diff", post(patch::apply))
}

/// A yes is a yes to what was shown, and to nothing else.
fn changed() -> Problem {
    Problem::new(
        axum::http::StatusCode::CONFLICT,
        "changed_since_preview",
        "this is no longer what the preview showed",
        "make a new preview, show it, and send its digest",
    )
}
