//! All checkpoints: the states one can go to, under the requests that led to them, page by page, searched. (`vib history --checkpoints`)

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::response::Response;
use engine::history::{HistoryGroup, HistoryItem};
use engine::timeline::{self, TimelineReport};
use maud::{Markup, html};
use serde::Deserialize;
use store::{CheckpointKind, Search, Silent};

use crate::app::App;
use crate::ask::{Ask, Visit, page};
use crate::error::Problem;
use crate::html::{Nav, Page, ago, bars, button, link_with, tag};
use crate::pages::home::first_line;

/// Checkpoints of one page.
pub(crate) const PAGE: usize = 100;
/// Files that are named for one call.
const FILES: usize = 6;

/// What to look for.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct Wanted {
    pub(crate) before: Option<i64>,
    pub(crate) q: Option<String>,
    pub(crate) session: Option<String>,
    pub(crate) pinned: Option<String>,
    pub(crate) all: Option<String>,
}

impl Wanted {
    pub(crate) fn search(&self, limit: usize) -> Search {
        let given = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        Search {
            before: self.before,
            limit,
            with_safety: self.all.is_some(),
            session: given(&self.session),
            pinned: self.pinned.is_some(),
            text: given(&self.q).map(|text| text.chars().take(200).collect()),
        }
    }

    fn link(&self, before: Option<i64>) -> String {
        let before = before.map(|before| before.to_string()).unwrap_or_default();
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        link_with(
            "/checkpoints",
            &[
                ("q", &text(&self.q)),
                ("session", &text(&self.session)),
                ("pinned", &text(&self.pinned)),
                ("all", &text(&self.all)),
                ("before", &before),
            ],
        )
    }
}

pub(crate) async fn show(
    State(app): State<Arc<App>>,
    visit: Visit,
    Query(wanted): Query<Wanted>,
) -> Response {
    page(app, visit, move |ask| render(ask, &wanted)).await
}

fn render(ask: &Ask, wanted: &Wanted) -> Result<Markup, Problem> {
    let report = timeline::timeline(&ask.engine, &wanted.search(PAGE), &Silent)?;
    let body = html! {
        (search_form(ask, wanted))
        section #activity data-live aria-label=(ask.t("web-timeline-graph")) {
            @if wanted.before.is_none() && !report.activity.is_empty() {
                (bars(ask, &report.activity, report.step_ms, report.now_ms))
            }
        }
        section #history data-live aria-label=(ask.t("web-checkpoints")) {
            (history(ask, &report))
            nav.pages aria-label=(ask.t("web-pages")) {
                @if wanted.before.is_some() { a.button href=(wanted.link(None)) rel="first" { (ask.t("web-newest")) } " " }
                @if let Some(next) = report.next { a.button href=(wanted.link(Some(next))) rel="next" { (ask.t("web-older")) } }
            }
        }
    };
    let page =
        Page {
            nav: Nav::History,
            title: ask.t("web-checkpoints"),
            lead: Some(ask.say(
                "web-timeline-lead",
                &[("count", i64::try_from(report.total).unwrap_or(i64::MAX).into())],
            )),
            topics: "store",
            again: None,
            body,
        };
    Ok(page.render(ask))
}

fn search_form(ask: &Ask, wanted: &Wanted) -> Markup {
    html! {
        form.search method="get" action="/checkpoints" role="search" {
            label {
                span { (ask.t("web-search")) }
                input type="search" name="q" value=[wanted.q.as_deref()] maxlength="200" data-search
                    placeholder=(ask.t("web-search-hint"));
            }
            label.check { input type="checkbox" name="pinned" value="1" checked[wanted.pinned.is_some()]; (ask.t("web-only-pinned")) }
            label.check { input type="checkbox" name="all" value="1" checked[wanted.all.is_some()]; (ask.t("web-with-safety")) }
            button type="submit" { (ask.t("web-search")) }
            @if wanted.session.is_some() { a href="/checkpoints" { (ask.t("web-all-sessions")) } }
        }
    }
}

fn history(ask: &Ask, report: &TimelineReport) -> Markup {
    let begins = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| report.groups[before].session.as_ref());
        report.groups[at].session.is_some() && report.groups[at].session.as_ref() != before
    };
    html! {
        @if report.groups.is_empty() { p.dim { (ask.t("web-timeline-empty")) } }
        @for (at, group) in report.groups.iter().enumerate() {
            @if begins(at) { (session_title(ask, group)) }
            (turn(ask, group, report.now_ms))
        }
    }
}

fn session_title(ask: &Ask, group: &HistoryGroup) -> Markup {
    let name = group.session.clone().unwrap_or_default();
    let short: String = name.chars().take(8).collect();
    html! {
        h2.session {
            (ask.clean(group.agent.as_deref().unwrap_or("agent")))
            " " a.dim href=(link_with("/checkpoints", &[("session", &name)])) { (ask.t("web-session")) " " (ask.clean(&short)) }
        }
    }
}

fn turn(ask: &Ask, group: &HistoryGroup, now_ms: i64) -> Markup {
    html! {
        article.turn {
            @if let Some(prompt) = &group.prompt { h3.prompt { "“" (first_line(&ask.clean(prompt))) "”" } }
            ol.calls {
                @for item in &group.checkpoints { (call(ask, item, now_ms)) }
            }
        }
    }
}

fn call(ask: &Ask, item: &HistoryItem, now_ms: i64) -> Markup {
    let checkpoint = &item.checkpoint;
    let origin = &checkpoint.origin;
    let what = match (&checkpoint.message, &origin.tool, origin.trigger.as_deref()) {
        (Some(message), ..) => first_line(&ask.clean(message)),
        (None, Some(tool), _) => ask.say("web-before-tool", &[("tool", ask.clean(tool).into())]),
        (None, None, Some("prompt")) => ask.t("web-before-prompt"),
        (None, None, Some("stop")) => ask.t("web-after-turn"),
        _ => ask.t("web-saved-point"),
    };
    let id = checkpoint.id.as_str();
    html! {
        li.call {
            a.id href={ "/checkpoint/" (id) } { code { (item.short_id) } }
            div.what {
                a href={ "/checkpoint/" (id) } { (what) }
                @match checkpoint.kind {
                    CheckpointKind::Manual => { " " (tag("good", &ask.t("web-kind-manual"))) }
                    CheckpointKind::Safety => { " " (tag("warn", &ask.t("web-kind-safety"))) }
                    CheckpointKind::Commit => { " " (tag("", &ask.t("web-kind-commit"))) }
                    CheckpointKind::Turn => {}
                }
                @if checkpoint.pinned { " " (tag("pin", &ask.t("web-pinned"))) }
                @if !item.files.is_empty() {
                    div.dim.paths {
                        @for path in item.files.iter().take(FILES) { code { (ask.clean(path)) } " " }
                        @if item.files.len() > FILES { (ask.say("web-and-more", &[("count", ((item.files.len() - FILES) as i64).into())])) }
                    }
                }
            }
            div.dim.side {
                @if checkpoint.files_changed > 0 {
                    (ask.say("common-files", &[("count", i64::try_from(checkpoint.files_changed).unwrap_or(i64::MAX).into())])) " · "
                }
                (ago(ask, checkpoint.created_ms, now_ms))
            }
        }
    }
}

/// The button that pins or lets go.
pub(crate) fn pin_button(ask: &Ask, id: &str, pinned: bool, back: &str) -> Markup {
    let (label, wanted) = if pinned { (ask.t("web-unpin"), "0") } else { (ask.t("web-pin"), "1") };
    button(ask, "/pin", &label, "", &[("id", id), ("pinned", wanted), ("back", back)])
}
