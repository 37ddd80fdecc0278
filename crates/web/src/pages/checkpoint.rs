//! One checkpoint: what it is, what changed since, what it recorded; saving and pinning.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::response::Response;
use engine::audit::{self, ConfirmedVia, Event, Outcome, Parameters, Row};
use engine::diff::{Detail, DiffOptions, DiffReport};
use maud::{Markup, html};
use serde::Deserialize;
use store::{CheckpointKind, Origin, Silent, SnapshotRequest};

use super::checkpoints::pin_button;
use super::{Posted, back};
use crate::app::App;
use crate::ask::{Ask, Visit, form, page};
use crate::error::Problem;
use crate::html::{Changes, MOST_TEXT, Nav, Page, View, ago, link_with, summary, tag, time};

#[derive(Debug, Default, Deserialize)]
pub(crate) struct Wanted {
    view: Option<String>,
    tab: Option<String>,
}

pub(crate) async fn show(
    State(app): State<Arc<App>>,
    visit: Visit,
    Path(id): Path<String>,
    Query(wanted): Query<Wanted>,
) -> Response {
    page(app, visit, move |ask| render(ask, &id, &wanted)).await
}

fn render(ask: &Ask, id: &str, wanted: &Wanted) -> Result<Markup, Problem> {
    let step = wanted.tab.as_deref() == Some("step");
    let detail = if step { Detail::TextUpTo(MOST_TEXT) } else { Detail::Counts };
    let report = engine::show::show(&ask.engine, id, detail, &Silent)?;
    let checkpoint = &report.checkpoint;
    let id = checkpoint.id.as_str();
    let here = format!("/checkpoint/{id}");
    let view = View::from_word(wanted.view.as_deref());
    let since: DiffReport;
    let changes = if step {
        &report.changes
    } else {
        let options =
            DiffOptions { from: Some(id.to_owned()), most_text: Some(MOST_TEXT), ..DiffOptions::default() };
        since = engine::diff::diff(&ask.engine, &options, &Silent)?;
        &since
    };
    let tab = if step { "step" } else { "" };
    let link = |view: View| link_with(&here, &[("tab", tab), ("view", view.word())]);
    let body = html! {
        section.card #facts data-live {
            @if let Some(prompt) = &checkpoint.origin.prompt { blockquote { (ask.clean(prompt)) } }
            dl.facts {
                dt { (ask.t("web-fact-when")) } dd { (time(checkpoint.created_ms)) " · " (ago(ask, checkpoint.created_ms, report.now_ms)) }
                dt { (ask.t("web-fact-why")) } dd {
                    @match checkpoint.kind {
                        CheckpointKind::Manual => (ask.t("web-kind-manual-long")),
                        CheckpointKind::Safety => (ask.t("web-kind-safety-long")),
                        CheckpointKind::Commit => (ask.t("web-kind-commit")),
                        CheckpointKind::Turn => (ask.t("web-kind-turn-long")),
                    }
                    @if checkpoint.pinned { " " (tag("pin", &ask.t("web-pinned"))) }
                }
                @if let Some(agent) = &checkpoint.origin.agent { dt { (ask.t("web-fact-agent")) } dd { (ask.clean(agent)) } }
                @if let Some(tool) = &checkpoint.origin.tool { dt { (ask.t("web-fact-tool")) } dd { (ask.clean(tool)) } }
                @if let Some(message) = &checkpoint.message { dt { (ask.t("web-fact-note")) } dd { (ask.clean(message)) } }
                @if !report.named.is_empty() {
                    dt { (ask.t("web-fact-files")) }
                    dd { @for file in report.named.iter().take(20) { code { (ask.clean(&file.path)) } " " } }
                }
            }
            @if !report.problems.is_empty() {
                p.warn-text { (ask.say("web-not-saved", &[("count", (report.problems.len() as i64).into())])) }
            }
            div.actions {
                a.button.primary href=(link_with("/recovery/preview", &[("to", id)])) { (ask.t("web-go-back-here")) } " "
                (pin_button(ask, id, checkpoint.pinned, &here))
            }
        }
    };
    let head = html! {
        p.switch {
            a href=(here) aria-current=[(!step).then_some("true")] { (ask.t("web-tab-since")) } " "
            a href=(link_with(&here, &[("tab", "step")])) aria-current=[step.then_some("true")] { (ask.t("web-tab-step")) }
        }
        @if changes.files.is_empty() { p.dim { (ask.t("web-home-nothing-changed")) } } @else { (summary(ask, changes, 20, None)) }
    };
    let page = Page {
        nav: Nav::History,
        title: ask.say("web-checkpoint-title", &[("id", id.into())]),
        lead: None,
        topics: "store",
        again: None,
        body,
    };
    let changes = Changes { ask, report: changes, view, here: &link, head, live: false, margin: None };
    Ok(page.render_with(ask, &changes))
}

/// Saves the whole tree, because a person wants it.
pub(crate) fn save(
    ask: &Ask,
    message: Option<String>,
) -> Result<engine::checkpoint::CheckpointReport, Problem> {
    let message = message.map(|text| ask.clean(&text).chars().take(500).collect::<String>());
    let origin = Origin { trigger: Some("web".to_owned()), ..Origin::default() };
    let request = SnapshotRequest { message, origin, ..SnapshotRequest::new(CheckpointKind::Manual) };
    let saved = engine::checkpoint::create(&ask.engine, &request, &[], &Silent);
    let mut row = Row::new(
        Event::CheckpointCreate,
        ask.tool(),
        if saved.is_ok() { Outcome::Success } else { Outcome::Failed },
    );
    row.parameters = Some(Parameters::Typed);
    row.confirmed_via = ask.visit.visitor.is_person().then_some(ConfirmedVia::Web);
    audit::record(&ask.engine, &row)?;
    Ok(saved?)
}

pub(crate) async fn create(State(app): State<Arc<App>>, visit: Visit, posted: Posted) -> Response {
    form(app, visit, move |ask| {
        save(ask, Some(posted.get("message").to_owned()).filter(|text| !text.is_empty()))?;
        Ok(with_word(&back(posted.get("back")), "saved"))
    })
    .await
}

pub(crate) async fn pin(State(app): State<Arc<App>>, visit: Visit, posted: Posted) -> Response {
    form(app, visit, move |ask| {
        let pinned = posted.get("pinned") == "1";
        engine::pin::set(&ask.engine, posted.needed("id")?, pinned, &Silent)?;
        Ok(with_word(&back(posted.get("back")), if pinned { "pinned" } else { "unpinned" }))
    })
    .await
}

/// A path with a word about what was done.
pub(crate) fn with_word(path: &str, word: &str) -> String {
    let plain = path.split('?').next().unwrap_or(path);
    format!("{plain}?said={word}")
}

#[cfg(test)]
mod tests {
    use super::with_word;

    #[test]
    fn the_word_replaces_the_query() {
        assert_eq!(with_word("/a?x=1", "saved"), "/a?said=saved");
    }
}
