//! The page that asks for the code which the terminal shows. See `codes`.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, html};
use texts::Texts;

use super::Posted;
use crate::acts::Act;
use crate::app::App;
use crate::ask::{Ask, Visit, form, page};
use crate::codes::Typed;
use crate::error::Problem;
use crate::html::{Nav, Page, card, csrf, tag};

pub(crate) async fn show(State(app): State<Arc<App>>, visit: Visit, Path(id): Path<String>) -> Response {
    page(app, visit, move |ask| {
        let found = ask.app.waiting.find(ask.visit.visitor.csrf(), &id);
        let (act, seconds) = found.ok_or_else(|| gone(ask))?;
        Ok(render(ask, &id, &act, seconds))
    })
    .await
}

fn gone(ask: &Ask) -> Problem {
    let (message, next) = (ask.t("web-confirm-gone"), ask.t("web-confirm-gone-next"));
    Problem::new(StatusCode::NOT_FOUND, "confirmation_gone", message, next)
}

fn render(ask: &Ask, id: &str, act: &Act, seconds: u64) -> Markup {
    let texts = Texts::new(ask.visit.language);
    let wrong = ask.visit.here.split_once('?').and_then(|(_, query)| query.strip_prefix("left="));
    let wrong = wrong.and_then(|left| left.parse::<i64>().ok());
    let body = card(
        "confirm",
        &ask.t("web-confirm-what"),
        &html! {
            p.big { (act.words(ask, &texts)) }
            p { (ask.t("web-confirm-why")) }
            @if let Some(left) = wrong {
                p.wrong role="alert" { (tag("bad", "!")) " " (ask.say("web-confirm-wrong", &[("count", left.into())])) }
            }
            form method="post" action={ "/confirm/" (id) } {
                (csrf(ask))
                label { (ask.t("web-confirm-code")) input name="code" required maxlength="12" autocomplete="off" autocapitalize="characters" spellcheck="false" autofocus; }
                div.actions {
                    button.primary type="submit" { (ask.t("web-confirm-yes")) } " "
                    button type="submit" name="no" value="1" formnovalidate { (ask.t("web-confirm-no")) }
                }
            }
            p.dim { (ask.say("web-confirm-left", &[("count", (seconds as i64).into())])) }
            p.dim { (ask.t("web-confirm-or")) " " code { (ask.clean(&act.command())) } }
        },
    );
    let nav = if matches!(act, Act::Setting { .. }) { Nav::Settings } else { Nav::Permissions };
    Page { nav, title: ask.t("web-confirm-title"), lead: None, topics: "", again: None, body }.render(ask)
}

pub(crate) async fn answer(
    State(app): State<Arc<App>>,
    visit: Visit,
    Path(id): Path<String>,
    posted: Posted,
) -> Response {
    form(app, visit, move |ask| {
        let session = ask.visit.visitor.csrf();
        if !posted.get("no").is_empty() {
            let (act, _) = ask.app.waiting.find(session, &id).ok_or_else(|| gone(ask))?;
            ask.app.waiting.forget(session, &id);
            return Ok(act.page().to_owned());
        }
        match ask.app.waiting.answer(session, &id, posted.needed("code")?) {
            Typed::Right(act) => {
                act.carry_out(ask)?;
                Ok(format!("{}?said=changed", act.page()))
            }
            Typed::Wrong(left) => Ok(format!("/confirm/{id}?left={left}")),
            Typed::Gone => Err(gone(ask)),
        }
    })
    .await
}
