//! Runs and cards in words and small marks: the same on the board, on the page of a run, and on that of a card.

use std::sync::Arc;

use engine::run::Run;
use engine::run::board::{BoardCard, CheckMark};
use engine::run::fold::Spent;
use engine::run::model::{By, CardRisk, CardStatus};
use maud::{Markup, html};

use super::{ago, tag};
use crate::ask::Ask;

/// The page of a card.
pub(crate) fn card_link(run: &str, card: &str) -> String {
    format!("/runs/{run}/{card}")
}

/// The word for where a card stands.
pub(crate) fn status_word(ask: &Ask, status: CardStatus) -> String {
    ask.t(match status {
        CardStatus::Todo => "board-status-todo",
        CardStatus::Running => "board-status-running",
        CardStatus::Preview => "board-status-preview",
        CardStatus::Review => "board-status-review",
        CardStatus::Done => "board-status-done",
        CardStatus::Blocked => "board-status-blocked",
        CardStatus::Reverted => "board-status-reverted",
        CardStatus::Dropped => "board-status-dropped",
    })
}

/// The same with its colour.
pub(crate) fn status_tag(ask: &Ask, status: CardStatus) -> Markup {
    let class = match status {
        CardStatus::Done => "good",
        CardStatus::Preview | CardStatus::Review => "warn",
        CardStatus::Blocked => "bad",
        CardStatus::Running => "pin",
        CardStatus::Todo | CardStatus::Reverted | CardStatus::Dropped => "",
    };
    tag(class, &status_word(ask, status))
}

/// How the checks stand.
pub(crate) fn check_tag(ask: &Ask, check: Option<CheckMark>) -> Markup {
    let (class, sign, id) = match check {
        Some(CheckMark::Passed) => ("good", "✓ ", "board-check-passed"),
        Some(CheckMark::Failed) => ("bad", "✗ ", "board-check-failed"),
        Some(CheckMark::Partly) => ("warn", "~ ", "board-check-partly"),
        Some(CheckMark::Stale) => ("warn", "? ", "board-check-stale"),
        None => ("", "", "board-check-none"),
    };
    tag(class, &format!("{sign}{}", ask.t(id)))
}

/// How risky a reviewer found it.
pub(crate) fn risk_tag(ask: &Ask, risk: CardRisk) -> Markup {
    let (class, id) = match risk {
        CardRisk::Low => ("good", "board-risk-low"),
        CardRisk::Medium => ("warn", "board-risk-medium"),
        CardRisk::High => ("bad", "board-risk-high"),
        CardRisk::Unknown => ("warn", "board-risk-unknown"),
    };
    tag(class, &ask.t(id))
}

/// `$0.12`; what nobody knows is said. Nothing: nothing was used.
pub(crate) fn cost(ask: &Ask, dollars: f64, unpriced: u64) -> Option<String> {
    let known = engine::run::board::dollars(dollars);
    match (dollars > 0.0, unpriced > 0) {
        (true, false) => Some(known),
        (true, true) => Some(ask.say("board-cost-at-least", &[("cost", known.into())])),
        (false, true) => Some(ask.t("board-cost-unknown")),
        (false, false) => None,
    }
}

/// What was used, in one line.
pub(crate) fn spent(ask: &Ask, spent: &Spent) -> String {
    let tokens = engine::run::board::all_tokens(&spent.tokens);
    let mut parts = Vec::new();
    parts.extend(cost(ask, spent.dollars, spent.unpriced));
    if tokens > 0 {
        parts.push(ask.say("board-tokens", &[("count", tokens.into())]));
    }
    if spent.milliseconds >= 1000 {
        parts.push(lasted(ask, spent.milliseconds));
    }
    if parts.is_empty() { "–".to_owned() } else { parts.join(" · ") }
}

/// `12 s`, `3 min`.
pub(crate) fn lasted(ask: &Ask, milliseconds: u64) -> String {
    match milliseconds / 1000 {
        0 => format!("{milliseconds} ms"),
        seconds @ 1..120 => ask.say("board-seconds", &[("count", seconds.into())]),
        seconds => ask.say("board-minutes", &[("count", (seconds / 60).into())]),
    }
}

/// Who works: an agent's name, or the model of vib's own loop.
pub(crate) fn by(ask: &Ask, by: &By) -> String {
    match by {
        By::Vib { model } => format!("vib · {}", ask.clean(model)),
        By::Client { name } => ask.clean(name),
    }
}

/// Whether a run is at work, or how it ended.
pub(crate) fn run_state(ask: &Ask, ended: Option<&str>, running: bool) -> Markup {
    match ended {
        _ if running => tag("pin", &ask.t("board-at-work")),
        None => tag("", &ask.t("board-left-alone")),
        Some("done") => tag("good", &ask.t("board-ended-done")),
        Some("blocked") => tag("bad", &ask.t("board-ended-blocked")),
        Some("stopped") => tag("", &ask.t("board-ended-stopped")),
        Some("failed") => tag("bad", &ask.t("board-ended-failed")),
        Some(other) => tag("", &ask.clean(other)),
    }
}

/// A card of the board.
pub(crate) fn small_card(ask: &Ask, card: &Arc<BoardCard>, now_ms: i64) -> Markup {
    let is_over = !matches!(card.status, CardStatus::Todo | CardStatus::Running);
    let show_check = card.check.is_some() || (is_over && card.attempts > 0);
    html! {
        li.ticket {
            a.ticket-title href=(card_link(&card.run, &card.id)) { (ask.clean(&card.title)) }
            p.dim {
                a href={ "/runs/" (card.run) } { (card.run) }
                @if card.files > 0 {
                    " · " (ask.say("common-files", &[("count", card.files.into())]))
                    " " span.added { "+" (card.added) } " " span.removed { "−" (card.removed) }
                }
                @if card.attempts > 1 { " · " (ask.say("board-attempts", &[("count", card.attempts.into())])) }
            }
            p.marks {
                @if show_check { (check_tag(ask, card.check)) " " }
                @if let Some(risk) = card.risk { (risk_tag(ask, risk)) " " }
                @if card.weakened { (tag("bad", &ask.t("board-weakened"))) " " }
                @if card.findings > 0 { (tag("warn", &ask.say("board-findings", &[("count", card.findings.into())]))) " " }
                @if card.left_alone { (tag("warn", &ask.t("board-left-alone"))) " " }
            }
            @if card.status == CardStatus::Blocked && let Some(why) = &card.why { p { (ask.clean(why)) } }
            p.dim.foot {
                @if let Some(cost) = cost(ask, card.dollars, card.unpriced) { (cost) " · " }
                (ago(ask, card.last_ms, now_ms))
            }
        }
    }
}

/// The limits of a run, in words; none: as much as it takes.
pub(crate) fn limits(ask: &Ask, run: &Run) -> String {
    let limits = &run.limits;
    let mut parts = Vec::new();
    parts.extend(limits.dollars.map(engine::run::board::dollars));
    parts.extend(limits.tokens.map(|count| ask.say("board-tokens", &[("count", count.into())])));
    parts.extend(limits.seconds.map(|seconds| lasted(ask, seconds.saturating_mul(1000))));
    parts.extend(limits.actions.map(|count| ask.say("board-run-actions", &[("count", count.into())])));
    if parts.is_empty() { ask.t("board-run-no-limits") } else { parts.join(" · ") }
}
