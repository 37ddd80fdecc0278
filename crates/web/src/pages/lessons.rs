//! Lessons: what the agent should do differently next time.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use engine::lessons::{self, Draft, Source};
use maud::{Markup, html};

use super::Posted;
use crate::app::App;
use crate::ask::{Ask, Visit, form, page};
use crate::error::Problem;
use crate::html::{Nav, Page, button, card, csrf, meter, tag};

pub(crate) async fn show(State(app): State<Arc<App>>, visit: Visit) -> Response {
    page(app, visit, render).await
}

fn render(ask: &Ask) -> Result<Markup, Problem> {
    let list = lessons::list(&ask.engine)?;
    let body = html! {
        (card("new", &ask.t("web-lesson-new"), &html! {
            form method="post" action="/lessons/add" data-inline {
                (csrf(ask))
                label { (ask.t("web-lesson-text")) textarea name="text" rows="2" autocomplete="off" maxlength="500" required {} }
                div.row {
                    label { (ask.t("web-lesson-tools")) input name="tools" maxlength="200" placeholder="Edit, Bash" autocomplete="off"; }
                    label { (ask.t("web-lesson-paths")) input name="paths" maxlength="400" placeholder="src/**" autocomplete="off"; }
                }
                label.check { input type="checkbox" name="pinned" value="1"; (ask.t("web-lesson-always")) }
                button.primary type="submit" { (ask.t("web-lesson-keep")) }
            }
        }))
        @if !list.problems.is_empty() {
            (card("problems", &ask.t("web-lesson-problems"), &html! {
                ul.plain { @for problem in &list.problems { li { (ask.say("web-lesson-line", &[("line", (problem.line as i64).into())])) " " (ask.clean(&problem.message)) } } }
            }))
        }
        (card("list", &ask.t("web-lesson-list"), &html! {
            @if list.lessons.is_empty() { p.dim { (ask.t("web-lesson-none")) } }
            ul.plain.lessons {
                @for standing in &list.lessons {
                    @let lesson = &standing.lesson;
                    li {
                        p { (ask.clean(&lesson.text))
                            @if lesson.pinned { " " (tag("pin", &ask.t("web-pinned"))) }
                            @if standing.resting { " " (tag("", &ask.t("web-lesson-resting"))) }
                            @if lesson.source == Source::Rollback { " " (tag("", &ask.t("web-lesson-rollback"))) }
                        }
                        div.dim {
                            code { (lesson.id) }
                            @if let Some(day) = &lesson.created { " · " (ask.clean(day)) }
                            @for tool in &lesson.tools { " · " (ask.clean(tool)) }
                            @for path in &lesson.paths { " · " code { (ask.clean(path)) } }
                        }
                        (meter((standing.strength / 2.0).min(1.0), !standing.resting, &ask.say("web-lesson-strength", &[("value", standing.strength.into())])))
                        div.actions {
                            (button(ask, "/lessons/pin", &ask.t(if lesson.pinned { "web-unpin" } else { "web-pin" }), "",
                                &[("id", &lesson.id), ("pinned", if lesson.pinned { "0" } else { "1" })]))
                            (button(ask, "/lessons/remove", &ask.t("web-remove"), "danger", &[("id", &lesson.id)]))
                        }
                    }
                }
            }
        }))
    };
    let page = Page {
        nav: Nav::Lessons,
        title: ask.t("web-nav-lessons"),
        lead: Some(ask.t("web-lesson-lead")),
        topics: "lessons",
        again: None,
        body,
    };
    Ok(page.render(ask))
}

fn list_of(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect()
}

pub(crate) async fn change(
    State(app): State<Arc<App>>,
    visit: Visit,
    Path(what): Path<String>,
    posted: Posted,
) -> Response {
    form(app, visit, move |ask| {
        let word = match what.as_str() {
            "add" => {
                let draft = Draft {
                    text: posted.needed("text")?.to_owned(),
                    tools: list_of(posted.get("tools")),
                    paths: list_of(posted.get("paths")),
                    pinned: posted.get("pinned") == "1",
                    source: if posted.get("source") == "rollback" {
                        Source::Rollback
                    } else {
                        Source::Person
                    },
                };
                let added = lessons::add(&ask.engine, draft)?;
                match (added.redacted, added.known_before) {
                    (true, _) => "redacted",
                    (_, true) => "known",
                    _ => "remembered",
                }
            }
            "pin" => {
                let pinned = posted.get("pinned") == "1";
                lessons::pin(&ask.engine, posted.needed("id")?, pinned)?;
                if pinned { "pinned" } else { "unpinned" }
            }
            "remove" => {
                lessons::remove(&ask.engine, posted.needed("id")?)?;
                "removed"
            }
            _ => {
                return Err(Problem::new(
                    StatusCode::NOT_FOUND,
                    "not_found",
                    "there is no such action",
                    "go back to the page",
                ));
            }
        };
        Ok(format!("/lessons?said={word}"))
    })
    .await
}
