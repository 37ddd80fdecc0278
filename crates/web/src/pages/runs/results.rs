//! What came of a yes: cards in the project, taken back, done again, put away.

use engine::run::{CardsDone, Outcome, Replayed, RunDropped};
use maud::{Markup, html};

use crate::ask::Ask;
use crate::html::run::card_link;
use crate::html::steps::undo_link;
use crate::html::{Nav, Page, tag};

fn framed(ask: &Ask, run: &str, card: Option<&str>, title: &str, body: &Markup) -> Markup {
    let body = html! {
        section.card #job data-live {
            h2 { (tag("good", "✓")) " " (ask.t(title)) }
            (body)
            div.actions {
                @if let Some(card) = card { a.button href=(card_link(run, card)) { (run) "/" (card) } " " }
                a.button href="/runs" { (ask.t("board-look")) }
            }
        }
    };
    let lead = Some(ask.t("web-result-lead"));
    Page { nav: Nav::Runs, title: ask.t("board-title"), lead, topics: "", again: None, body }.render(ask)
}

pub(crate) fn carded(ask: &Ask, done: &CardsDone) -> Markup {
    let title = if done.revert { "board-done-reverted" } else { "board-done-applied" };
    let body = html! {
        p { (ask.say("board-done-paths", &[("count", done.paths.into())])) }
        @if !done.left.is_empty() {
            p { (tag("warn", "!")) " " (ask.say("board-act-left", &[("list", ask.clean(&done.left.join(", ")).into())])) }
        }
        @if done.in_lane.is_none() {
            @if let Some(safety) = &done.safety {
                p.safe { (ask.t("web-result-safety")) " " a href={ "/checkpoint/" (safety.id) } { code { (safety.id) } } }
            }
            @if let Some(step) = &done.step {
                p { a href={ "/step/" (step) } { (step) } " " a.button href=(undo_link(step, "")) { (ask.t("web-undo-step")) "…" } }
            }
        }
    };
    framed(ask, &done.run, done.cards.first().map(|one| one.card.as_str()), title, &body)
}

pub(crate) fn replayed(ask: &Ask, done: &Replayed) -> Markup {
    let title = if done.same { "board-done-same" } else { "board-done-other" };
    let body = html! {
        ul.plain { @for one in &done.cards { li { (one.card) " " (ask.clean(&one.title)) " " (outcome(ask, &one.outcome)) } } }
        @if !done.dropped { p { (ask.say("board-done-lane", &[("lane", ask.clean(&done.lane).into())])) } }
    };
    framed(ask, &done.run, done.cards.last().map(|one| one.card.as_str()), title, &body)
}

fn outcome(ask: &Ask, outcome: &Outcome) -> Markup {
    match outcome {
        Outcome::Same => tag("good", &ask.t("board-replay-same")),
        Outcome::Differs { path } => {
            tag("warn", &ask.say("board-replay-differs", &[("path", ask.clean(path).into())]))
        }
        Outcome::Done => tag("", &ask.t("board-replay-done")),
        Outcome::Refused { message, .. } => html! {
            (tag("bad", &ask.t("board-replay-refused"))) " " (ask.clean(message))
        },
        Outcome::Nothing => tag("", &ask.t("board-replay-nothing")),
    }
}

pub(crate) fn put_away(ask: &Ask, done: &RunDropped) -> Markup {
    let body = html! {
        p { (ask.t("board-done-kept")) }
        ul.plain {
            @for lane in &done.lanes { li { code { (ask.clean(&lane.name)) } " " code.dim { "vib lane open " (ask.clean(&lane.name)) } } }
        }
    };
    framed(ask, &done.run, None, "board-done-dropped", &body)
}
