//! History: requests, their steps, what was done by hand and by vib, and what was saved, the newest first. The same as `vib history`.

use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use engine::story::{Place, StoryQuery, StoryReport, Told, story};
use maud::{Markup, html};
use serde::Deserialize;
use store::Silent;

use crate::app::App;
use crate::ask::{Ask, Visit, page};
use crate::error::Problem;
use crate::html::steps::{entry, file_history, undo_link};
use crate::html::{Nav, Page, link_with};

/// Entries of one page.
pub(crate) const PAGE: usize = 25;

/// What of the history.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct Wanted {
    pub(crate) file: Option<String>,
    pub(crate) session: Option<String>,
    pub(crate) agent: Option<String>,
    pub(crate) since: Option<String>,
    pub(crate) stopped: Option<String>,
    pub(crate) all: Option<String>,
    pub(crate) before: Option<String>,
}

/// Empty values count as not given.
fn given(text: &Option<String>) -> Option<String> {
    text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

impl Wanted {
    pub(crate) fn query(&self, ask: &Ask, limit: usize) -> Result<StoryQuery, Problem> {
        let since = given(&self.since);
        let since_ms = since.map(|typed| engine::when::since(ask.engine.context(), &typed)).transpose()?;
        let from = match given(&self.before) {
            Some(place) => Some(Place::parse(&place).ok_or_else(|| {
                engine::Error::Usage(format!("`{place}` is no place in the history; leave `before` away"))
            })?),
            None => None,
        };
        Ok(StoryQuery {
            all: self.all.is_some(),
            limit,
            // Paths of a page are relative to the project, wherever the server was started.
            file: given(&self.file).map(|path| ask.engine.project().root().join(PathBuf::from(path))),
            since_ms,
            session: given(&self.session),
            agent: given(&self.agent),
            request: None,
            stopped: self.stopped.is_some(),
            from,
        })
    }

    fn link(&self, path: &str, before: Option<&Place>) -> String {
        let text = |text: &Option<String>| given(text).unwrap_or_default();
        let place = before.map(ToString::to_string).unwrap_or_default();
        let file = if path == "/history" { text(&self.file) } else { String::new() };
        let (session, agent, since) = (text(&self.session), text(&self.agent), text(&self.since));
        let (stopped, all) = (text(&self.stopped), text(&self.all));
        let values = [
            ("file", &*file),
            ("session", &session),
            ("agent", &agent),
            ("since", &since),
            ("stopped", &stopped),
            ("all", &all),
            ("before", &place),
        ];
        link_with(path, &values)
    }

    /// Something narrower than everything is asked for.
    fn is_narrow(&self) -> bool {
        [&self.file, &self.session, &self.agent, &self.since, &self.stopped]
            .into_iter()
            .any(|text| given(text).is_some())
    }
}

pub(crate) async fn show(
    State(app): State<Arc<App>>,
    visit: Visit,
    Query(wanted): Query<Wanted>,
) -> Response {
    page(app, visit, move |ask| all_of_it(ask, &wanted)).await
}

/// The history of one file or folder.
pub(crate) async fn of_file(
    State(app): State<Arc<App>>,
    visit: Visit,
    Path(file): Path<String>,
    Query(wanted): Query<Wanted>,
) -> Response {
    page(app, visit, move |ask| of_one(ask, &file, &Wanted { file: Some(file.clone()), ..wanted })).await
}

/// Where the history was before.
pub(crate) async fn moved() -> Response {
    Redirect::permanent("/history").into_response()
}

fn all_of_it(ask: &Ask, wanted: &Wanted) -> Result<Markup, Problem> {
    let report = story(&ask.engine, &wanted.query(ask, PAGE)?, &Silent)?;
    let can_redo = engine::undo::can_redo(&ask.engine, &Silent)?;
    let body = html! {
        (filters(ask, wanted))
        div #redo data-live {
            @if can_redo { p { (ask.t("web-redo-lead")) " " a.button href="/undo?what=redo" { (ask.t("web-redo")) "…" } } }
        }
        (entries(ask, &report, wanted, "/history", ""))
    };
    let title = ask.t("web-nav-history");
    let lead = Some(ask.t("web-history-lead"));
    Ok(Page { nav: Nav::History, title, lead, topics: "store", again: None, body }.render(ask))
}

fn of_one(ask: &Ask, file: &str, wanted: &Wanted) -> Result<Markup, Problem> {
    let report = story(&ask.engine, &wanted.query(ask, PAGE)?, &Silent)?;
    let body = html! {
        p.beside { a href=(super::why::link(file)) { (ask.t("web-why-whose")) } }
        section.card #bring-back {
            h2 { (ask.t("web-file-bring-back")) }
            p.dim { (ask.t("web-file-bring-back-lead")) }
            div.actions {
                a.button href=(undo_link("last", file)) { (ask.t("web-file-undo-last")) "…" }
            }
            details.edit {
                summary { (ask.t("web-file-function")) }
                form.row method="get" action="/undo" {
                    input type="hidden" name="what" value="last";
                    input type="hidden" name="path" value=(file);
                    label { span { (ask.t("web-file-function-name")) } input name="function" maxlength="200" autocomplete="off" required; }
                    button type="submit" { (ask.t("web-recovery-look")) }
                }
            }
        }
        (entries(ask, &report, wanted, &file_history(file), file))
    };
    let title = ask.say("web-file-history", &[("path", ask.clean(file).into())]);
    let lead = Some(ask.t("web-file-history-lead"));
    Ok(Page { nav: Nav::History, title, lead, topics: "store", again: None, body }.render(ask))
}

fn filters(ask: &Ask, wanted: &Wanted) -> Markup {
    let mut clients: Vec<String> =
        engine::agent::sessions(ask.engine.project()).into_iter().map(|session| session.client).collect();
    clients.sort_unstable();
    clients.dedup();
    html! {
        p.beside { a href="/checkpoints" { (ask.t("web-checkpoints")) } }
        details.narrow id="narrow" open[wanted.is_narrow()] {
        summary { (ask.t("web-filters")) }
        form.search.filters method="get" action="/history" role="search" {
            label {
                span { (ask.t("web-filter-file")) }
                input type="search" name="file" value=[wanted.file.as_deref()] maxlength="400" data-search autocomplete="off"
                    placeholder=(ask.t("web-filter-file-hint"));
            }
            label {
                span { (ask.t("web-filter-agent")) }
                input name="agent" value=[wanted.agent.as_deref()] maxlength="100" list="agents" autocomplete="off";
            }
            datalist #agents { @for client in &clients { option value=(ask.clean(client)) {} } }
            label {
                span { (ask.t("web-filter-since")) }
                input name="since" value=[wanted.since.as_deref()] maxlength="40" autocomplete="off" placeholder=(ask.t("web-filter-since-hint"));
            }
            @if let Some(session) = given(&wanted.session) { input type="hidden" name="session" value=(session); }
            label.check { input type="checkbox" name="stopped" value="1" checked[wanted.stopped.is_some()]; (ask.t("web-filter-stopped")) }
            label.check { input type="checkbox" name="all" value="1" checked[wanted.all.is_some()]; (ask.t("web-filter-all")) }
            button type="submit" { (ask.t("web-filter")) }
            @if wanted.is_narrow() { a href="/history" { (ask.t("web-filter-none")) } }
        }
        }
    }
}

fn entries(ask: &Ask, report: &StoryReport, wanted: &Wanted, path: &str, file: &str) -> Markup {
    // What happened last is what somebody comes for.
    let newest = report.entries.iter().position(|told| matches!(told, Told::Steps { .. }));
    let first_page = given(&wanted.before).is_none();
    html! {
        section #history data-live aria-label=(ask.t("web-nav-history")) {
            @if report.entries.is_empty() { p.dim { (ask.t("web-history-empty")) } }
            @for (at, told) in report.entries.iter().enumerate() {
                (entry(ask, told, report.now_ms, first_page && Some(at) == newest, file))
            }
            nav.pages aria-label=(ask.t("web-pages")) {
                @if !first_page { a.button href=(wanted.link(path, None)) rel="first" { (ask.t("web-newest")) } " " }
                @if let Some(next) = &report.next { a.button href=(wanted.link(path, Some(next))) rel="next" { (ask.t("web-older")) } }
            }
        }
    }
}
