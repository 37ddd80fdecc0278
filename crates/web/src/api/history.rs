//! The history and the ways back in it, as the pages show and do them.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use engine::diff::Detail;
use engine::story::{StoryQuery, story};
use engine::undo::{self, Confirmation, Preview};
use serde::Deserialize;
use serde_json::{Value, json as object};
use store::Silent;

use super::changed;
use super::extract::{Asked, Named, Sent, person_only};
use super::reads::limit;
use crate::app::App;
use crate::ask::{Ask, Visit, json};
use crate::html::MOST_TEXT;
use crate::pages::history::{PAGE, Wanted as Narrowed};
use crate::pages::step::{request_number, step_number};
use crate::pages::undo::{Wanted, look};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Page {
    file: Option<String>,
    session: Option<String>,
    agent: Option<String>,
    since: Option<String>,
    before: Option<String>,
    limit: Option<u32>,
    #[serde(default)]
    stopped: bool,
    #[serde(default)]
    all: bool,
}

pub(super) async fn entries(State(app): State<Arc<App>>, visit: Visit, Asked(page): Asked<Page>) -> Response {
    json(app, visit, move |ask| {
        let flag = |on: bool| on.then(|| "1".to_owned());
        let limit = limit(page.limit, PAGE)?;
        let wanted = Narrowed {
            file: page.file,
            session: page.session,
            agent: page.agent,
            since: page.since,
            stopped: flag(page.stopped),
            all: flag(page.all),
            before: page.before,
        };
        Ok(ask.json(&story(&ask.engine, &wanted.query(ask, limit)?, &Silent)?))
    })
    .await
}

pub(super) async fn step(State(app): State<Arc<App>>, visit: Visit, Named(id): Named) -> Response {
    json(app, visit, move |ask| {
        let number = step_number(&id)?;
        let one = engine::story::step(&ask.engine, number, &Silent)?;
        let done = engine::show::step(&ask.engine, number, Detail::TextUpTo(MOST_TEXT), &Silent)?;
        let mut answer = ask.json(&one);
        answer["diff"] = ask.json(&done.changes);
        answer["now_ms"] = object!(done.now_ms);
        Ok(answer)
    })
    .await
}

pub(super) async fn request(State(app): State<Arc<App>>, visit: Visit, Named(id): Named) -> Response {
    json(app, visit, move |ask| {
        let number = request_number(&id)?;
        let done = engine::show::request(&ask.engine, number, Detail::TextUpTo(MOST_TEXT), &Silent)?;
        let query = StoryQuery { all: true, request: Some(number), ..StoryQuery::default() };
        let told = story(&ask.engine, &query, &Silent)?;
        Ok(object!({
            "request": ask.json(&done.request),
            "entries": ask.json(&told.entries),
            "diff": ask.json(&done.changes),
            "now_ms": done.now_ms,
        }))
    })
    .await
}

/// What to take back.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Look {
    what: String,
    #[serde(default)]
    paths: Vec<String>,
    #[serde(default)]
    function: String,
    #[serde(default)]
    take: Vec<String>,
}

impl Look {
    fn wanted(self) -> Wanted {
        Wanted { what: self.what, paths: self.paths, function: self.function, take: self.take }
    }
}

fn shown(ask: &Ask, preview: &Preview) -> Value {
    let mut answer = ask.json(preview);
    answer["digest"] = object!(preview.digest());
    answer
}

pub(super) async fn preview(
    State(app): State<Arc<App>>,
    visit: Visit,
    Sent(look_at): Sent<Look>,
) -> Response {
    json(app, visit, move |ask| Ok(shown(ask, &look(ask, &look_at.wanted())?))).await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Apply {
    what: String,
    digest: String,
    #[serde(default)]
    paths: Vec<String>,
    #[serde(default)]
    function: String,
    #[serde(default)]
    take: Vec<String>,
}

pub(super) async fn apply(State(app): State<Arc<App>>, visit: Visit, Sent(apply): Sent<Apply>) -> Response {
    json(app, visit, move |ask| {
        person_only(ask)?;
        let Apply { what, digest, paths, function, take } = apply;
        let preview = look(ask, &Wanted { what, paths, function, take })?;
        if preview.digest() != digest {
            // A yes is a yes to what was shown, and to nothing else.
            return Err(changed());
        }
        Ok(ask.json(&undo::apply(&ask.engine, &preview, Confirmation::Web, &Silent)?))
    })
    .await
}
