//! What can be looked at.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use engine::audit::{self, Event};
use engine::diff::Detail;
use engine::recover;
use serde::Deserialize;
use serde_json::Value;
use store::{Search, Silent};

use super::extract::{Asked, Named};
use crate::app::App;
use crate::ask::{Ask, Visit, json};
use crate::error::Problem;
use crate::html::MOST_TEXT;
use crate::pages::checkpoints::PAGE;

/// Most checkpoints, or rows, of one answer.
pub(crate) const MOST: u32 = 1000;
/// Most days of a window.
pub(crate) const MOST_DAYS: u64 = 3650;

pub(super) async fn status(State(app): State<Arc<App>>, visit: Visit) -> Response {
    json(app, visit, |ask| {
        let status = engine::status::status(&ask.engine, &Silent)?;
        let mut answer = ask.json(&status);
        if let Some(protection) = crate::pages::protection::look(ask) {
            answer["protection"] = ask.json(&protection);
        }
        Ok(answer)
    })
    .await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Page {
    before: Option<i64>,
    limit: Option<u32>,
    q: Option<String>,
    session: Option<String>,
    #[serde(default)]
    pinned: bool,
    #[serde(default)]
    all: bool,
}

/// A number from 1 to [`MOST`].
pub(super) fn limit(wanted: Option<u32>, otherwise: usize) -> Result<usize, Problem> {
    match wanted {
        None => Ok(otherwise),
        Some(number @ 1..=MOST) => Ok(usize::try_from(number).unwrap_or(otherwise)),
        Some(_) => Err(engine::Error::Usage(format!("`limit` must be from 1 to {MOST}")).into()),
    }
}

pub(super) async fn timeline(
    State(app): State<Arc<App>>,
    visit: Visit,
    Asked(page): Asked<Page>,
) -> Response {
    json(app, visit, move |ask| {
        let search = Search {
            before: page.before,
            limit: limit(page.limit, PAGE)?,
            with_safety: page.all,
            session: page.session,
            pinned: page.pinned,
            text: page.q,
        };
        Ok(ask.json(&engine::timeline::timeline(&ask.engine, &search, &Silent)?))
    })
    .await
}

pub(super) async fn checkpoint(State(app): State<Arc<App>>, visit: Visit, Named(id): Named) -> Response {
    json(app, visit, move |ask| {
        Ok(ask.json(&engine::show::show(&ask.engine, &id, Detail::TextUpTo(MOST_TEXT), &Silent)?))
    })
    .await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Compare {
    from: Option<String>,
    to: Option<String>,
    path: Option<String>,
    #[serde(default)]
    stat: bool,
}

pub(super) async fn diff(
    State(app): State<Arc<App>>,
    visit: Visit,
    Asked(compare): Asked<Compare>,
) -> Response {
    json(app, visit, move |ask| {
        let root = ask.engine.project().root();
        let options = engine::diff::DiffOptions {
            from: compare.from,
            to: compare.to,
            paths: compare.path.map(|path| root.join(path)).into_iter().collect(),
            stat_only: compare.stat,
            most_text: Some(MOST_TEXT),
        };
        Ok(ask.json(&engine::diff::diff(&ask.engine, &options, &Silent)?))
    })
    .await
}

pub(super) async fn memory(State(app): State<Arc<App>>, visit: Visit) -> Response {
    json(app, visit, |ask| {
        let report = engine::memory::show(&ask.engine)?;
        let data = ask.json(&report);
        ask.memory_was_shown(Event::MemoryFullRead, &report);
        Ok(data)
    })
    .await
}

pub(super) async fn lessons(State(app): State<Arc<App>>, visit: Visit) -> Response {
    json(app, visit, |ask| Ok(ask.json(&engine::lessons::list(&ask.engine)?))).await
}

pub(super) async fn spirals(State(app): State<Arc<App>>, visit: Visit) -> Response {
    json(app, visit, |ask| Ok(ask.json(&engine::agent::spiral_status(&ask.engine)))).await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rows {
    limit: Option<u32>,
}

pub(super) async fn audit(State(app): State<Arc<App>>, visit: Visit, Asked(rows): Asked<Rows>) -> Response {
    json(app, visit, move |ask| Ok(ask.json(&audit::show(&ask.engine, limit(rows.limit, 100)?)?))).await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Window {
    days: Option<u64>,
}

impl Window {
    fn checked(&self) -> Result<Option<u64>, Problem> {
        match self.days {
            Some(days) if !(1..=MOST_DAYS).contains(&days) => {
                Err(engine::Error::Usage(format!("`days` must be from 1 to {MOST_DAYS}")).into())
            }
            days => Ok(days),
        }
    }
}

pub(super) async fn slo(State(app): State<Arc<App>>, visit: Visit, Asked(window): Asked<Window>) -> Response {
    json(app, visit, move |ask| Ok(ask.json(&audit::slo(&ask.engine, window.checked()?)?))).await
}

pub(super) async fn metrics(
    State(app): State<Arc<App>>,
    visit: Visit,
    Asked(window): Asked<Window>,
) -> Response {
    json(app, visit, move |ask| Ok(ask.json(&audit::metrics(&ask.engine, window.checked()?)?))).await
}

pub(super) async fn settings(State(app): State<Arc<App>>, visit: Visit) -> Response {
    let all = |ask: &Ask| -> Result<Value, Problem> { Ok(ask.json(&engine::config::list(&ask.engine)?)) };
    json(app, visit, all).await
}

pub(super) async fn grants(State(app): State<Arc<App>>, visit: Visit) -> Response {
    json(app, visit, |ask| Ok(ask.json(&engine::grants::list(&ask.engine)?))).await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    #[serde(default)]
    words: String,
}

pub(super) async fn recovery(
    State(app): State<Arc<App>>,
    visit: Visit,
    Asked(words): Asked<Words>,
) -> Response {
    json(app, visit, move |ask| {
        let query = recover::Query { words: words.words, tool: ask.tool().to_owned(), ..Default::default() };
        // What leaves to another program stands in the audit log; a person's look does not.
        let look = if ask.visit.visitor.is_person() { recover::diagnose } else { recover::tell };
        Ok(ask.json(&look(&ask.engine, &query, &Silent)?))
    })
    .await
}
