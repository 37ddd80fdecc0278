//! One run: what was asked for, who works, what it used, what it waits for, its cards.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use engine::run::board::BoardCard;
use engine::run::fold::{Pause, Switch};
use engine::run::model::CardStatus;
use engine::run::{self, Run};
use maud::{Markup, html};

use crate::acts::quoted;
use crate::app::App;
use crate::ask::{Ask, Visit, page};
use crate::error::Problem;
use crate::html::run::{by, card_link, check_tag, cost, limits, risk_tag, run_state, spent, status_tag};
use crate::html::{Nav, Page, ago, card, csrf, tag, time};
use crate::pages::home::first_line;

pub(crate) async fn show(State(app): State<Arc<App>>, visit: Visit, Path(id): Path<String>) -> Response {
    page(app, visit, move |ask| render(ask, &id)).await
}

fn render(ask: &Ask, id: &str) -> Result<Markup, Problem> {
    let run = run::show(&ask.engine, id)?;
    let running = run::is_running(&ask.engine, id);
    let now_ms = ask.engine.context().now_ms();
    let body = html! {
        (paused(ask, &run, running))
        (card("about", &ask.t("board-run-task"), &about(ask, &run, running, now_ms)))
        (card("cards", &ask.t("board-run-cards"), &cards(ask, &run, now_ms)))
        @if !run.switches.is_empty() { (card("switches", &ask.t("board-run-switches"), &switches(ask, &run.switches))) }
    };
    let title = ask.say("board-run-title", &[("run", run.id.clone().into())]);
    Ok(Page { nav: Nav::Runs, title, lead: None, topics: "runs", again: None, body }.render(ask))
}

fn about(ask: &Ask, run: &Run, running: bool, now_ms: i64) -> Markup {
    html! {
        blockquote { (ask.clean(&run.task)) }
        dl.facts {
            dt { (ask.t("board-run-state")) }
            dd { (run_state(ask, run.ended.as_deref(), running)) " " span.dim { (ago(ask, run.last_ms, now_ms)) } }
            dt { (ask.t("board-run-by")) }
            dd { (run.by.iter().map(|one| by(ask, one)).collect::<Vec<_>>().join(", "))
                @if run.attempts > 1 { " · " (ask.say("board-attempts", &[("count", run.attempts.into())])) } }
            dt { (ask.t("board-run-began")) } dd { (time(run.began_ms)) " · " (ago(ask, run.began_ms, now_ms)) }
            dt { (ask.t("board-run-spent")) } dd { (spent(ask, &run.spent)) }
            dt { (ask.t("board-run-limits")) } dd { (limits(ask, run)) }
        }
        @for (of, used) in &run.budgets {
            p { (tag(if *used >= 100 { "bad" } else { "warn" }, "!")) " "
                (ask.say("board-run-budget", &[("of", ask.clean(of).into()), ("used", (*used).into())])) }
        }
        @if running {
            div.actions { a.button href={ "/runs/" (run.id) "/stop" } { (ask.t("board-stop")) "…" } }
        } @else if run.ended.is_none() && run.paused.is_none() {
            (go_on(ask, run))
        }
    }
}

/// The page starts no programs: what goes on is a command.
fn go_on(ask: &Ask, run: &Run) -> Markup {
    html! { p.dim { (ask.t("board-go-on")) " " code { "vib run resume " (run.id) } } }
}

/// The question, and a place for the answer.
fn paused(ask: &Ask, run: &Run, running: bool) -> Markup {
    let pause = run.paused.as_ref().filter(|_| run.ended.is_none());
    html! {
        div #paused data-live {
            @if let Some(pause) = pause {
                section.waits aria-labelledby="paused-title" {
                    h2 #paused-title { (ask.t("board-paused")) }
                    p.big { (ask.clean(&pause.why)) }
                    p.dim { @if let Some(card) = &pause.card { a href=(card_link(&run.id, card)) { (card) } " · " } code { (ask.clean(&pause.code)) } }
                    (answers(ask, run, pause, running))
                }
            }
        }
    }
}

fn answers(ask: &Ask, run: &Run, pause: &Pause, running: bool) -> Markup {
    let kept = run::kept_answer(&ask.engine, &run.id).ok().flatten();
    html! {
        @if let Some(kept) = &kept {
            blockquote { (ask.clean(kept)) }
            p { (ask.t("board-answer-next")) " " code { "vib run resume " (run.id) " " (quoted(&ask.clean(kept))) } }
        }
        form method="post" action={ "/runs/" (run.id) "/answer" } {
            (csrf(ask))
            // The answer is one to this question, and to no later one.
            input type="hidden" name="since" value=(pause.since_ms);
            @if !pause.options.is_empty() {
                div.actions { @for option in &pause.options {
                    @let option = ask.clean(option);
                    button type="submit" name="choice" value=(option) { (option) }
                } }
            }
            label { (ask.t("board-answer")) textarea name="answer" rows="2" maxlength="2000" autocomplete="off" {} }
            button.primary type="submit" { (ask.t("board-answer-send")) }
        }
        @if !running && kept.is_none() { p.dim { (ask.t("board-answer-how")) " " code { "vib run resume " (run.id) } } }
    }
}

fn cards(ask: &Ask, run: &Run, now_ms: i64) -> Markup {
    html! {
        @if run.cards.is_empty() { p.dim { (ask.t("board-run-no-cards")) } } @else {
            div.scroll tabindex="0" role="region" aria-label=(ask.t("board-run-cards")) {
                table.list {
                    thead { tr {
                        th scope="col" { (ask.t("board-head-card")) }
                        th scope="col" { (ask.t("board-head-status")) }
                        th scope="col" { (ask.t("board-head-changes")) }
                        th scope="col" { (ask.t("board-head-checks")) }
                        th scope="col" { (ask.t("board-head-risk")) }
                        th scope="col" { (ask.t("board-head-cost")) }
                    } }
                    tbody { @for one in &run.cards { (row(ask, &BoardCard::of(run, one), now_ms)) } }
                }
            }
        }
    }
}

fn row(ask: &Ask, card: &BoardCard, now_ms: i64) -> Markup {
    html! {
        tr {
            td { a href=(card_link(&card.run, &card.id)) { (card.id) " " (first_line(&ask.clean(&card.title))) } }
            td { (status_tag(ask, card.status)) " " span.dim { (ago(ask, card.last_ms, now_ms)) } }
            td {
                @if card.files > 0 {
                    (ask.say("common-files", &[("count", card.files.into())]))
                    " " span.added { "+" (card.added) } " " span.removed { "−" (card.removed) }
                } @else { "–" }
            }
            td { @if card.check.is_some() || card.status == CardStatus::Done { (check_tag(ask, card.check)) } @else { "–" } }
            td { @match card.risk { Some(risk) => (risk_tag(ask, risk)), None => "–" } }
            td { (cost(ask, card.dollars, card.unpriced).unwrap_or_else(|| "–".to_owned())) }
        }
    }
}

/// Never silent: who answered before, who answers now, why, and what is lost by it.
pub(super) fn switches(ask: &Ask, switches: &[Switch]) -> Markup {
    html! {
        ul.plain {
            @for one in switches {
                li {
                    (ask.say("board-run-switched", &[
                        ("from", ask.clean(&one.from).into()), ("to", ask.clean(&one.to).into()), ("why", ask.clean(&one.why).into()),
                    ]))
                    @if !one.lost.is_empty() {
                        " " (tag("warn", &ask.say("board-run-lost", &[("list", ask.clean(&one.lost.join(", ")).into())])))
                    }
                }
            }
        }
    }
}
