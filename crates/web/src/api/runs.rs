//! Runs and their cards, for programs. Looking is free; every act is a person's.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use engine::run;
use engine::run::board::{attempt_of, changes_of};
use serde::Deserialize;
use serde_json::json as object;
use store::Silent;

use super::changed;
use super::extract::{Asked, Named, NamedTwo, Sent, person_only};
use crate::app::App;
use crate::ask::{Visit, json};
use crate::html::MOST_TEXT;
use crate::jobs::Carried;
use crate::pages::runs;
use crate::pages::runs::acts::{self, Act, Wanted};

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

/// A wish about a card.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wish {
    #[serde(default)]
    attempt: String,
    #[serde(default)]
    leave: bool,
    digest: Option<String>,
}

/// Without a digest: what it would change. With the digest of that: it is done, if it is still the same.
async fn act(app: Arc<App>, visit: Visit, act: Act, (id, card): (String, String), wish: Wish) -> Response {
    json(app, visit, move |ask| {
        person_only(ask)?;
        let wanted = Wanted::new(act, &id, &card, &wish.attempt, wish.leave)?;
        let Some(digest) = wish.digest else {
            let preview = acts::look(&ask.engine, &wanted)?;
            let mut answer = ask.json(&preview);
            answer["digest"] = object!(preview.digest());
            return Ok(answer);
        };
        let done = acts::carry_out(&ask.engine, &wanted, &digest, &Silent)?.ok_or_else(changed)?;
        Ok(match done {
            Carried::Carded(done) => ask.json(&*done),
            Carried::Replayed(done) => ask.json(&*done),
            Carried::PutAway(done) => ask.json(&*done),
            Carried::Recovered(_) | Carried::Undone(_) => object!({}),
        })
    })
    .await
}

pub(super) async fn apply(
    State(app): State<Arc<App>>,
    visit: Visit,
    NamedTwo(id, card): NamedTwo,
    Sent(wish): Sent<Wish>,
) -> Response {
    act(app, visit, Act::Apply, (id, card), wish).await
}

pub(super) async fn revert(
    State(app): State<Arc<App>>,
    visit: Visit,
    NamedTwo(id, card): NamedTwo,
    Sent(wish): Sent<Wish>,
) -> Response {
    act(app, visit, Act::Revert, (id, card), wish).await
}

/// Neither changes the project: there is nothing to hold a digest against.
fn without_preview() -> Wish {
    Wish { attempt: String::new(), leave: false, digest: Some(String::new()) }
}

pub(super) async fn replay(
    State(app): State<Arc<App>>,
    visit: Visit,
    NamedTwo(id, card): NamedTwo,
    Sent(Nothing {}): Sent<Nothing>,
) -> Response {
    act(app, visit, Act::Replay, (id, card), without_preview()).await
}

pub(super) async fn put_away(
    State(app): State<Arc<App>>,
    visit: Visit,
    NamedTwo(id, card): NamedTwo,
    Sent(Nothing {}): Sent<Nothing>,
) -> Response {
    act(app, visit, Act::Drop, (id, card), without_preview()).await
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
