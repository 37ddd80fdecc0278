//! Runs: the board with every card, one run, and one card with its evidence.

pub(crate) mod acts;
pub(crate) mod card;
pub(crate) mod previews;
pub(crate) mod results;
pub(crate) mod run;
pub(crate) mod stop;

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::response::Response;
use engine::run::board::{self, Board, Column, Waiting};
use maud::{Markup, html};
use serde::Deserialize;

use crate::app::App;
use crate::ask::{Ask, Visit, page};
use crate::error::Problem;
use crate::html::run::{card_link, small_card, status_word};
use crate::html::{Nav, Page, ago};
use crate::pages::home::first_line;

/// Cards of a column that are shown before somebody asks for all.
const SHOWN: usize = 30;

#[derive(Debug, Default, Deserialize)]
pub(crate) struct Wanted {
    all: Option<String>,
}

pub(crate) async fn show(
    State(app): State<Arc<App>>,
    visit: Visit,
    Query(wanted): Query<Wanted>,
) -> Response {
    page(app, visit, move |ask| render(ask, wanted.all.is_some())).await
}

/// The board, with what is known from the last look.
pub(crate) fn look(ask: &Ask) -> Result<Board, Problem> {
    Ok(board::board(&ask.engine, &ask.app.folds)?)
}

fn render(ask: &Ask, all: bool) -> Result<Markup, Problem> {
    let board = look(ask)?;
    let most = if all { usize::MAX } else { SHOWN };
    let body = html! {
        (waiting(ask, &board.waiting, board.now_ms))
        @if board.cards() == 0 && board.runs.is_empty() {
            section #board data-live { p { (ask.t("board-empty")) } }
        } @else {
            section #board .board data-live tabindex="0" aria-label=(ask.t("board-title")) {
                @for one in &board.columns { (column(ask, one, most, board.now_ms)) }
            }
            (put_away(ask, &board, most))
        }
    };
    let page = Page {
        nav: Nav::Runs,
        title: ask.t("board-title"),
        lead: Some(ask.t("board-lead")),
        topics: "runs",
        again: None,
        body,
    };
    Ok(page.render(ask))
}

/// What only a person can answer. The place is always there, so that a question that comes or goes is one part of the page.
pub(crate) fn waiting(ask: &Ask, waiting: &[Waiting], now_ms: i64) -> Markup {
    html! {
        div #waiting data-live {
            @if !waiting.is_empty() {
                section.waits aria-labelledby="waiting-title" {
                    h2 #waiting-title { (ask.say("board-waits-title", &[("count", waiting.len().into())])) }
                    ul.plain {
                        @for one in waiting {
                            li.row {
                                span {
                                    a href={ "/runs/" (one.run) } { (one.run) }
                                    @if let Some(card) = &one.card { " · " a href=(card_link(&one.run, card)) { (card) } }
                                    " · " (first_line(&ask.clean(&one.why))) " "
                                    span.dim { (ago(ask, one.since_ms, now_ms)) }
                                }
                                a.button href={ "/runs/" (one.run) "#paused" } {
                                    (ask.t("board-waits-answer")) span.hidden { " " (one.run) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn column(ask: &Ask, column: &Column, most: usize, now_ms: i64) -> Markup {
    let word = status_word(ask, column.status);
    let id = format!("column-{}", board::word(column.status));
    html! {
        section.column.bare[column.cards.is_empty()] aria-labelledby=(id) {
            h2 id=(id) { (word) " " span.dim { (column.cards.len()) } }
            (tickets(ask, column, most, now_ms))
        }
    }
}

fn tickets(ask: &Ask, column: &Column, most: usize, now_ms: i64) -> Markup {
    let total = column.cards.len();
    html! {
        @if total == 0 { p.dim { (ask.t("board-none-here")) } } @else {
            ul.tickets {
                @for card in column.cards.iter().take(most) { (small_card(ask, card, now_ms)) }
                @if total > most {
                    li { a href="/runs?all=1" { (ask.say("board-more", &[("count", (total - most).into())])) span.hidden { " " (status_word(ask, column.status)) } } }
                }
            }
        }
    }
}

/// What is over, folded.
fn put_away(ask: &Ask, board: &Board, most: usize) -> Markup {
    let count: usize = board.put_away.iter().map(|column| column.cards.len()).sum();
    html! {
        section #away data-live {
            @if count > 0 {
                details.narrow #away-cards {
                    summary { (ask.say("board-put-away", &[("count", count.into())])) }
                    @for one in board.put_away.iter().filter(|column| !column.cards.is_empty()) {
                        h2 { (status_word(ask, one.status)) " " span.dim { (one.cards.len()) } }
                        (tickets(ask, one, most, board.now_ms))
                    }
                }
            }
        }
    }
}

/// For the home page: what waits for the person, if anything does.
pub(crate) fn on_home(ask: &Ask) -> Markup {
    // A log that cannot be read is named by the board itself; home has other things to say, too.
    let Ok(board) = look(ask) else { return html! { div #runs data-live {} } };
    let cards = board.for_a_person();
    html! {
        div #runs data-live {
            @if !board.waiting.is_empty() { (waiting(ask, &board.waiting, board.now_ms)) }
            @if cards > 0 {
                p.waits {
                    (ask.say("board-waits-cards", &[("count", cards.into())])) " "
                    a href="/runs" { (ask.t("board-look")) }
                }
            }
        }
    }
}
