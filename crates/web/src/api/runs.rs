//! Runs and their cards, for programs. Looking is free; every act is a person's.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use engine::run;
use engine::run::board::{attempt_of, changes_of};
use serde::Deserialize;
use serde_json::json as object;

use super::extract::{Asked, Named, NamedTwo, Sent, person_only};
use crate::app::App;
use crate::ask::{Visit, json};
use crate::html::MOST_TEXT;
use crate::pages::runs;

pub(super) async fn board(State(app): State<Arc<App>>, visit: Visit) -> Response {
    json(app, visit, |ask| Ok(ask.json(&runs::look(ask)?))).await
}

pub(super) async fn one(State(app): State<Arc<App>>, visit: Visit, Named(id): Named) -> Response {
    json(app, visit, move |ask| {
        let mut answer = ask.json(&run::show(&ask.engine, &id)?);
        answer["running"] = object!(run::is_running(&ask.engine, &id));
        answer["now_ms"] = object!(ask.engine.context().now_ms());
        Ok(answer)
    })
    .await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Look {
    attempt: Option<String>,
}

pub(super) async fn card(
    State(app): State<Arc<App>>,
    visit: Visit,
    NamedTwo(id, card): NamedTwo,
    Asked(look): Asked<Look>,
) -> Response {
    json(app, visit, move |ask| {
        let run = run::show(&ask.engine, &id)?;
        let card = runs::card::find(&run, &card)?;
        let attempt = attempt_of(&run, card, look.attempt.as_deref())?;
        // A store that let go of it is no reason to keep the rest back.
        let diff = attempt.and_then(|attempt| changes_of(&ask.engine, attempt, MOST_TEXT).ok().flatten());
        let mut answer = ask.json(card);
        answer["run"] = object!(run.id);
        answer["shown"] = object!(attempt.map(|attempt| &attempt.id));
        answer["diff"] = ask.json(&diff);
        answer["now_ms"] = object!(ask.engine.context().now_ms());
        Ok(answer)
    })
    .await
}

/// Nothing to say but the wish itself.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

pub(super) async fn stop(
    State(app): State<Arc<App>>,
    visit: Visit,
    Named(id): Named,
    Sent(Nothing {}): Sent<Nothing>,
) -> Response {
    json(app, visit, move |ask| {
        person_only(ask)?;
        let asked = run::request_stop(&ask.engine, &id)?;
        Ok(object!({"run": id, "asked": asked}))
    })
    .await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Answer {
    answer: String,
    since_ms: Option<i64>,
}

pub(super) async fn resume(
    State(app): State<Arc<App>>,
    visit: Visit,
    Named(id): Named,
    Sent(said): Sent<Answer>,
) -> Response {
    json(app, visit, move |ask| {
        person_only(ask)?;
        run::answer(&ask.engine, &id, said.since_ms, &said.answer)?;
        Ok(object!({"run": id, "next": format!("vib run resume {id}")}))
    })
    .await
}
