//! What applying a card, taking it back, doing it again or putting it away would do.
//!
//! A look at what applying or taking back would change saves the project first, so it is a form and not a link: following a link writes nothing.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use engine::run::fold::Card;
use engine::run::{self, CardPreview, RunError};
use maud::{Markup, html};

use super::acts::{Act, Wanted, look};
use super::card;
use crate::app::App;
use crate::ask::{Ask, Visit, page};
use crate::html::{Changes, Nav, Page, View, csrf, link_with, summary, tag};
use crate::pages::Posted;
use crate::pages::recovery::own_entries;

pub(crate) async fn show(
    State(app): State<Arc<App>>,
    visit: Visit,
    Path((run, id)): Path<(String, String)>,
    posted: Posted,
) -> Response {
    page(app, visit, move |ask| {
        let wanted = Wanted::of(ask, &run, &id, &posted)?;
        let run = run::show(&ask.engine, &run)?;
        let card = card::find(&run, &id)?;
        match wanted.act {
            Act::Apply | Act::Revert => {
                let preview = match look(&ask.engine, &wanted) {
                    Err(engine::Error::Run(RunError::Overlaps { places, next, .. })) => {
                        return Ok(overlaps(ask, &wanted, card, &places, &next));
                    }
                    other => other?,
                };
                Ok(changes(ask, &wanted, card, &preview))
            }
            Act::Replay | Act::Drop => Ok(question(ask, &wanted, card)),
        }
    })
    .await
}

/// A preview does not change by itself: what is confirmed is what is shown.
fn framed(ask: &Ask, wanted: &Wanted, card: &Card, body: Markup) -> Page<'static> {
    let name = format!("{}/{}", wanted.place.run, card.id);
    let title = format!("{}: {name}", ask.t(wanted.act.label()));
    Page { nav: Nav::Runs, title, lead: Some(ask.t("web-preview-lead")), topics: "", again: None, body }
}

fn yes(ask: &Ask, wanted: &Wanted, digest: &str, label: &str) -> Markup {
    html! {
        form method="post" action={ (wanted.card_page()) "/do" } {
            (csrf(ask))
            (hidden(wanted))
            input type="hidden" name="digest" value=(digest);
            div.actions {
                button.primary type="submit" { (ask.t(label)) } " "
                a.button href=(wanted.card_page()) { (ask.t("web-preview-no")) }
            }
        }
    }
}

fn hidden(wanted: &Wanted) -> Markup {
    html! {
        input type="hidden" name="act" value=(wanted.act.word());
        @if let Some(attempt) = &wanted.place.attempt { input type="hidden" name="attempt" value=(attempt); }
        @if wanted.leave { input type="hidden" name="leave" value="1"; }
    }
}

fn changes(ask: &Ask, wanted: &Wanted, card: &Card, preview: &CardPreview) -> Markup {
    let listed = |names: &[String]| names.iter().map(|name| ask.clean(name)).collect::<Vec<_>>().join(", ");
    let warn = |id: &str, names: &[String]| {
        html! {
            @if !names.is_empty() { p { (tag("warn", "!")) " " (ask.say(id, &[("list", listed(names).into())])) } }
        }
    };
    let apply = wanted.act == Act::Apply;
    let body = html! {
        section.card #confirm aria-labelledby="confirm-title" {
            h2 #confirm-title { (ask.clean(&card.title)) }
            p.dim { @for one in &preview.cards { (one.card) "/" (one.attempt) " " } }
            p { @match &preview.in_lane {
                Some(lane) => (ask.say("board-act-in-lane", &[("lane", ask.clean(lane).into())])),
                None => (ask.t(if apply { "board-act-apply-about" } else { "board-act-revert-about" })),
            } }
            @if preview.already { p { (ask.t("board-act-already")) } }
            @else { p.safe { (tag("good", "✓")) " " (ask.t("web-preview-safe")) } }
            (warn("board-act-weakened", &preview.weakened))
            (warn("board-act-without", &preview.without))
            (warn("board-act-later", &preview.later))
            (warn("board-act-merged", &preview.merged))
            (warn("board-act-left", &preview.left()))
            (own_entries(ask, &preview.notices))
            @if apply { p.dim { (ask.t("board-act-no-check")) " " code { "vib run apply " (preview.name()) } } }
            (yes(ask, wanted, &preview.digest(), if apply { "board-act-apply-yes" } else { "board-act-revert-yes" }))
        }
    };
    let head = html! { h2 { (ask.t("web-preview-changes")) } (summary(ask, &preview.changes, 30, None)) };
    // A look is a form, so it has no address of its own: the other view is that of the card.
    let attempt = preview.cards.first().map_or("", |one| one.attempt.as_str());
    let link = |view: View| link_with(&wanted.card_page(), &[("attempt", attempt), ("view", view.word())]);
    let shown = Changes {
        ask,
        report: &preview.changes,
        view: View::Unified,
        here: &link,
        head,
        live: false,
        margin: None,
    };
    framed(ask, wanted, card, body).render_with(ask, &shown)
}

/// The same places were changed otherwise: nothing is guessed, and the rest can be done without them.
fn overlaps(ask: &Ask, wanted: &Wanted, card: &Card, places: &[String], next: &str) -> Markup {
    let body = html! {
        section.card #confirm {
            h2 { (ask.clean(&card.title)) }
            p { (ask.t("board-act-overlaps")) }
            ul.plain { @for place in places.iter().take(40) { li { (ask.clean(place)) } } }
            p.dim { (ask.clean(next)) }
            form method="post" action={ (wanted.card_page()) "/look" } {
                (csrf(ask))
                (hidden(&Wanted { leave: true, ..wanted.clone() }))
                div.actions {
                    button type="submit" { (ask.t("board-act-leave")) "…" } " "
                    a.button href=(wanted.card_page()) { (ask.t("web-preview-no")) }
                }
            }
        }
    };
    framed(ask, wanted, card, body).render(ask)
}

/// What changes nothing of the project needs no list of changes, but a yes all the same.
fn question(ask: &Ask, wanted: &Wanted, card: &Card) -> Markup {
    let (about, label) = match wanted.act {
        Act::Drop => ("board-act-drop-about", "board-act-drop-yes"),
        _ => ("board-act-replay-about", "board-act-replay-yes"),
    };
    let body = html! {
        section.card #confirm {
            h2 { (ask.clean(&card.title)) }
            p { (ask.t(about)) }
            (yes(ask, wanted, "", label))
        }
    };
    framed(ask, wanted, card, body).render(ask)
}
