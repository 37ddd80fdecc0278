//! One step, and one request with all its steps: what ran, how it ended, and line by line what it changed.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::response::Response;
use engine::diff::Detail;
use engine::story::{OneStep, StoryQuery, StoryReport, story};
use engine::strip::Mark;
use maud::{Markup, html};
use serde::Deserialize;
use store::{Request, RequestNumber, Silent, Step, StepNumber};

use crate::app::App;
use crate::ask::{Ask, Visit, page};
use crate::error::Problem;
use crate::html::steps::{can_undo, entry, file_history, files, mark_word, outcome, undo_link};
use crate::html::{Changes, MOST_TEXT, Nav, Page, View, ago, link_with, summary, tag, time};

#[derive(Debug, Default, Deserialize)]
pub(crate) struct Wanted {
    view: Option<String>,
}

/// A step's number, as it is written in a link.
pub(crate) fn step_number(typed: &str) -> Result<StepNumber, Problem> {
    let unknown = || engine::Error::NotInHistory(format!("step `{typed}`"));
    Ok(StepNumber::parse(typed).ok_or_else(unknown)?)
}

/// A request's number.
pub(crate) fn request_number(typed: &str) -> Result<RequestNumber, Problem> {
    let unknown = || engine::Error::NotInHistory(format!("request `{typed}`"));
    Ok(RequestNumber::parse(typed).ok_or_else(unknown)?)
}

pub(crate) async fn show_step(
    State(app): State<Arc<App>>,
    visit: Visit,
    Path(id): Path<String>,
    Query(wanted): Query<Wanted>,
) -> Response {
    page(app, visit, move |ask| step(ask, step_number(&id)?, &wanted)).await
}

pub(crate) async fn show_request(
    State(app): State<Arc<App>>,
    visit: Visit,
    Path(id): Path<String>,
    Query(wanted): Query<Wanted>,
) -> Response {
    page(app, visit, move |ask| request(ask, request_number(&id)?, &wanted)).await
}

fn step(ask: &Ask, number: StepNumber, wanted: &Wanted) -> Result<Markup, Problem> {
    let one = engine::story::step(&ask.engine, number, &Silent)?;
    let done = engine::show::step(&ask.engine, number, Detail::TextUpTo(MOST_TEXT), &Silent)?;
    let body = html! {
        section.card #facts data-live {
            (step_facts(ask, &one, done.now_ms))
            (step_actions(ask, &one))
        }
        @if !one.told.changes.is_empty() {
            section.card #own data-live {
                h2 { (ask.t("web-own-files")) }
                (files_with_ways(ask, &one))
            }
        }
    };
    let title = ask.say("web-step-title", &[("number", number.to_string().into())]);
    let page = Page { nav: Nav::History, title, lead: None, topics: "store", again: None, body };
    let here = format!("/step/{number}");
    let link = |view: View| link_with(&here, &[("view", view.word())]);
    let head = html! {
        h2 { (ask.t("web-step-changes")) }
        @if done.changes.files.is_empty() { p.dim { (ask.t("web-step-no-changes")) } }
        @else { (summary(ask, &done.changes, 20, Some(&file_history))) }
    };
    let view = View::from_word(wanted.view.as_deref());
    let changes = Changes { ask, report: &done.changes, view, here: &link, head, live: false, margin: None };
    Ok(page.render_with(ask, &changes))
}

fn step_facts(ask: &Ask, one: &OneStep, now_ms: i64) -> Markup {
    let told = &one.told;
    let step = &told.step;
    html! {
        @if let Some(what) = &step.what { pre.command { code { (ask.clean(what)) } } }
        p {
            @if !matches!(told.mark, Mark::Lost | Mark::Stopped) { (tag("", &mark_word(ask, told.mark))) " " }
            (outcome(ask, step))
            @if told.lost > 0 { " " (tag("bad", &ask.say("web-lost-files", &[("count", told.lost.into())]))) }
            @if told.undone { " " (tag("", &ask.t("web-taken-back"))) }
        }
        @if let Some(reason) = &step.reason { p { (ask.clean(reason)) } }
        dl.facts {
            dt { (ask.t("web-fact-when")) } dd { (time(step.started_ms)) " · " (ago(ask, step.started_ms, now_ms)) (lasted(ask, step)) }
            @if let Some(request) = &one.asked {
                dt { (ask.t("web-fact-request")) }
                dd { a href={ "/request/" (request.number) } { (request.number) " " (prompt(ask, request)) } }
            }
            @if let Some(client) = &step.client {
                dt { (ask.t("web-fact-agent")) }
                dd {
                    a href=(link_with("/history", &[("agent", client)])) { (ask.clean(client)) }
                    @if let Some(name) = step.agent_type.as_ref().or(step.agent.as_ref()) { " " (tag("", &ask.clean(name))) }
                    @if let Some(session) = &step.session {
                        " · " a href=(link_with("/history", &[("session", session)])) { (ask.t("web-session")) " " (ask.clean(&session.chars().take(8).collect::<String>())) }
                    }
                }
            }
            @if let Some(tool) = &step.tool { dt { (ask.t("web-fact-tool")) } dd { (ask.clean(tool)) } }
            @if let Some(id) = &told.before_id { dt { (ask.t("web-fact-before")) } dd { a href={ "/checkpoint/" (id) } { code { (id) } } } }
            @if let Some(id) = &told.after_id { dt { (ask.t("web-fact-after")) } dd { a href={ "/checkpoint/" (id) } { code { (id) } } } }
        }
    }
}

/// How long it took, where it took long enough to be felt.
fn lasted(ask: &Ask, step: &Step) -> Markup {
    let seconds = step.ended_ms.map_or(0, |ended| (ended - step.started_ms) / 1000);
    html! { @if seconds > 0 { " · " (ask.say("web-lasted", &[("count", seconds.into())])) } }
}

fn prompt(ask: &Ask, request: &Request) -> String {
    match &request.prompt {
        Some(prompt) => format!("“{}”", crate::pages::home::first_line(&ask.clean(prompt))),
        None => String::new(),
    }
}

fn step_actions(ask: &Ask, one: &OneStep) -> Markup {
    let step = &one.told.step;
    html! {
        @if can_undo(step, one.told.undone) {
            div.actions {
                a.button.primary href=(undo_link(&step.number.to_string(), "")) { (ask.t("web-undo-step")) "…" }
                @if let Some(request) = step.request {
                    " " a.button href=(undo_link(&request.to_string(), "")) { (ask.t("web-undo-request")) "…" }
                }
            }
        }
    }
}

/// Each file with the two ways back: only this change, or as it was before it.
fn files_with_ways(ask: &Ask, one: &OneStep) -> Markup {
    let (told, number) = (&one.told, one.told.step.number.to_string());
    html! {
        ul.plain {
            @for file in &told.changes {
                li.row {
                    (files(ask, std::slice::from_ref(file), 1))
                    div.actions {
                        @if can_undo(&told.step, file.undone) {
                            a.button href=(undo_link(&number, &file.path)) { (ask.t("web-undo-here")) "…" span.hidden { " " (ask.clean(&file.path)) } }
                        }
                        @if let Some(before) = &told.before_id {
                            a.button href=(undo_link(before, &file.path)) { (ask.t("web-as-before")) "…" span.hidden { " " (ask.clean(&file.path)) } }
                        }
                    }
                }
            }
        }
    }
}

fn request(ask: &Ask, number: RequestNumber, wanted: &Wanted) -> Result<Markup, Problem> {
    let done = engine::show::request(&ask.engine, number, Detail::TextUpTo(MOST_TEXT), &Silent)?;
    let query = StoryQuery { all: true, request: Some(number), ..StoryQuery::default() };
    let told: StoryReport = story(&ask.engine, &query, &Silent)?;
    let words = done.request.as_ref().and_then(|request| request.prompt.as_deref());
    let body = html! {
        @if let Some(words) = words { blockquote { (ask.clean(words)) } }
        section #history data-live aria-label=(ask.t("web-request-steps")) {
            @if told.entries.is_empty() { p.dim { (ask.t("web-request-only-talked")) } }
            @for one in &told.entries { (entry(ask, one, told.now_ms, true, "")) }
        }
    };
    let title = ask.say("web-request-title", &[("number", number.to_string().into())]);
    let page = Page { nav: Nav::History, title, lead: None, topics: "store", again: None, body };
    let here = format!("/request/{number}");
    let link = |view: View| link_with(&here, &[("view", view.word())]);
    let head = html! {
        h2 { (ask.t("web-request-changes")) }
        @if done.changes.files.is_empty() { p.dim { (ask.t("web-step-no-changes")) } }
        @else { (summary(ask, &done.changes, 30, Some(&file_history))) }
    };
    let view = View::from_word(wanted.view.as_deref());
    let changes = Changes { ask, report: &done.changes, view, here: &link, head, live: false, margin: None };
    Ok(page.render_with(ask, &changes))
}
