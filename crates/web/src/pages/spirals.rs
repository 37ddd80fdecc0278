//! Spirals: files that rest because an agent ran in circles, and letting it go on.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use engine::agent;
use maud::{Markup, html};

use super::Posted;
use crate::app::App;
use crate::ask::{Ask, Visit, form, page};
use crate::error::Problem;
use crate::html::{Nav, Page, button, card, tag};

pub(crate) async fn show(State(app): State<Arc<App>>, visit: Visit) -> Response {
    page(app, visit, render).await
}

/// What happened, in the person's language.
fn story(ask: &Ask, rule: &str, what: &str, times: u32) -> String {
    let id = match rule {
        "stays_broken" => "web-spiral-broken",
        "size_swings" => "web-spiral-back",
        "same_failure_again" => "web-spiral-same",
        "edits_fail" => "web-spiral-edits",
        _ => "web-spiral-calls",
    };
    ask.say(id, &[("what", what.to_owned().into()), ("times", i64::from(times).into())])
}

fn render(ask: &Ask) -> Result<Markup, Problem> {
    let report = agent::spiral_status(&ask.engine);
    let body = card(
        "resting",
        &ask.t("web-spiral-resting"),
        &html! {
            @if report.resting.is_empty() { p { (tag("good", "✓")) " " (ask.t("web-spiral-none")) } }
            ul.plain {
                @for resting in &report.resting {
                    @let path = resting.path.clone().unwrap_or_default();
                    @let what = match (&resting.path, &resting.call) {
                        (Some(path), _) => ask.clean(path),
                        (None, Some(call)) => ask.clean(call),
                        (None, None) => ask.t("web-spiral-everything"),
                    };
                    li {
                        p { strong { (what) } }
                        p { (story(ask, &resting.rule, &what, resting.times)) }
                        p.dim { (ask.clean(&resting.client)) " · " (ask.t("web-session")) " " (ask.clean(&resting.session.chars().take(8).collect::<String>())) }
                        div.actions {
                            a.button.primary href="/recovery" { (ask.t("web-next-recover")) } " "
                            (button(ask, "/spirals/resume", &ask.t("web-spiral-resume"), "", &[("path", &path)]))
                        }
                    }
                }
            }
        },
    );
    let page = Page {
        nav: Nav::Spirals,
        title: ask.t("web-nav-spirals"),
        lead: Some(ask.t("web-spiral-lead")),
        topics: "sessions",
        again: None,
        body,
    };
    Ok(page.render(ask))
}

pub(crate) async fn resume(State(app): State<Arc<App>>, visit: Visit, posted: Posted) -> Response {
    form(app, visit, move |ask| {
        let path = Some(posted.get("path")).filter(|path| !path.is_empty());
        agent::spiral_resume(&ask.engine, path)?;
        Ok("/spirals?said=resumed".to_owned())
    })
    .await
}
