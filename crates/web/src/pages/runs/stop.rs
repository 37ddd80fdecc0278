//! A run as a whole: ending it, and answering what it asks.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use engine::run;
use maud::html;

use crate::app::App;
use crate::ask::{Visit, form, page};
use crate::html::{Nav, Page, csrf};
use crate::pages::Posted;

pub(crate) async fn ask_stop(State(app): State<Arc<App>>, visit: Visit, Path(id): Path<String>) -> Response {
    page(app, visit, move |ask| {
        let run = run::show(&ask.engine, &id)?;
        let body = html! {
            section.card #confirm {
                p.big { (ask.clean(&run.task)) }
                p { (ask.t("board-stop-about")) }
                form method="post" action={ "/runs/" (run.id) "/stop" } {
                    (csrf(ask))
                    div.actions {
                        button.primary type="submit" { (ask.t("board-stop-yes")) } " "
                        a.button href={ "/runs/" (run.id) } { (ask.t("web-preview-no")) }
                    }
                }
            }
        };
        let title = ask.say("board-stop-title", &[("run", run.id.clone().into())]);
        Ok(Page { nav: Nav::Runs, title, lead: None, topics: "", again: None, body }.render(ask))
    })
    .await
}

pub(crate) async fn stop(
    State(app): State<Arc<App>>,
    visit: Visit,
    Path(id): Path<String>,
    _posted: Posted,
) -> Response {
    form(app, visit, move |ask| {
        let asked = run::request_stop(&ask.engine, &id)?;
        Ok(format!("/runs/{id}?said={}", if asked { "stopping" } else { "stopped" }))
    })
    .await
}

/// The answer is kept; whoever goes on with the run takes it.
pub(crate) async fn answer(
    State(app): State<Arc<App>>,
    visit: Visit,
    Path(id): Path<String>,
    posted: Posted,
) -> Response {
    form(app, visit, move |ask| {
        let choice = posted.get("choice");
        let words = if choice.is_empty() { posted.needed("answer")? } else { choice };
        run::answer(&ask.engine, &id, posted.get("since").parse().ok(), words)?;
        Ok(format!("/runs/{id}?said=answered"))
    })
    .await
}
