//! One card with its evidence: who tried it, what each changed, what vib's own checks say, the commands with what they said, the reviewer's word.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::response::Response;
use engine::run::board::{attempt_of, changes_of, check_mark};
use engine::run::fold::{Attempt, Card};
use engine::run::{self, Run, RunError, words};
use maud::{Markup, html};
use serde::Deserialize;

use super::acts::buttons;
use super::run::switches;
use crate::app::App;
use crate::ask::{Ask, Visit, page};
use crate::error::Problem;
use crate::html::run::{by, check_tag, cost, lasted, risk_tag, spent, status_tag};
use crate::html::{self, Changes, MOST_TEXT, Nav, Page, View, ago, link_with, summary, tag};

/// Attempts of one table, commands, checks and lists of one card; what is more is counted.
const MOST: usize = 200;

#[derive(Debug, Default, Deserialize)]
pub(crate) struct Wanted {
    attempt: Option<String>,
    view: Option<String>,
}

pub(crate) async fn show(
    State(app): State<Arc<App>>,
    visit: Visit,
    Path((run, card)): Path<(String, String)>,
    Query(wanted): Query<Wanted>,
) -> Response {
    page(app, visit, move |ask| render(ask, &run, &card, &wanted)).await
}

/// A card of a run that is there.
pub(crate) fn find<'r>(run: &'r Run, card: &str) -> Result<&'r Card, Problem> {
    let unknown = || RunError::NoCard { run: run.id.clone(), card: card.to_owned() };
    Ok(run.card(card).ok_or_else(|| engine::Error::from(unknown()))?)
}

fn render(ask: &Ask, run: &str, card: &str, wanted: &Wanted) -> Result<Markup, Problem> {
    let run = run::show(&ask.engine, run)?;
    let card = find(&run, card)?;
    let running = run::is_running(&ask.engine, &run.id);
    let attempt = attempt_of(&run, card, wanted.attempt.as_deref().filter(|name| !name.is_empty()))?;
    let now_ms = ask.engine.context().now_ms();
    let body = html! {
        section.card #about data-live { (about(ask, &run, card, attempt, (running, now_ms))) }
        section.card #attempts data-live { (attempts(ask, &run, card, attempt)) }
        @if let Some(attempt) = attempt { section.card #checks data-live { (checks(ask, attempt)) } }
        section.card #evidence data-live { (evidence(ask, card)) }
    };
    let page =
        Page { nav: Nav::Runs, title: ask.clean(&card.title), lead: None, topics: "runs", again: None, body };
    let Some(attempt) = attempt else { return Ok(page.render(ask)) };
    let head = html! { h2 { (ask.t("board-card-changes")) " " span.dim { (attempt.id) } } };
    let report = match changes_of(&ask.engine, attempt, MOST_TEXT) {
        Ok(Some(report)) => report,
        Ok(None) => return Ok(page.render(ask)),
        // The store may have let go of it; everything else of the card is still told.
        Err(error) => {
            let why = ask.clean(&format!("{error}. {}", error.next()));
            let said = ask.say("board-card-no-diff", &[("why", why.into())]);
            return Ok(page.render_with(ask, &html! { section #changes { (head) p.dim { (said) } } }));
        }
    };
    let here = format!("/runs/{}/{}", run.id, card.id);
    let link = |view: View| link_with(&here, &[("attempt", &attempt.id), ("view", view.word())]);
    let head = html! {
        (head)
        @if report.files.is_empty() { p.dim { (ask.t("board-card-no-changes")) } } @else { (summary(ask, &report, 30, None)) }
    };
    let view = View::from_word(wanted.view.as_deref());
    let changes = Changes { ask, report: &report, view, here: &link, head, live: true, margin: None };
    Ok(page.render_with(ask, &changes))
}

fn about(
    ask: &Ask,
    run: &Run,
    card: &Card,
    attempt: Option<&Attempt>,
    (running, now_ms): (bool, i64),
) -> Markup {
    html! {
        p {
            a href={ "/runs/" (run.id) } { (run.id) } " · " (card.id) " " (status_tag(ask, card.status))
            @if let Some(risk) = card.risk { " " (risk_tag(ask, risk)) }
            @if let Some(code) = &card.code { " " code.dim { (ask.clean(code)) } }
        }
        @if let Some(why) = words::why_it_stands(&run.id, card, &|id, values| ask.say(id, values), &|text| ask.clean(text)) { p.big { (why) } }
        @if !card.acceptance.is_empty() { h3 { (ask.t("board-card-acceptance")) } (listed(ask, &card.acceptance)) }
        @if !card.steps.is_empty() { h3 { (ask.t("board-card-steps")) } (listed(ask, &card.steps)) }
        @if card.note.is_some() || !card.assumptions.is_empty() {
            h3 { (ask.t("board-card-review")) }
            @if let Some(note) = &card.note { p { (ask.clean(note)) } }
            @if !card.assumptions.is_empty() { p.dim { (ask.t("board-card-assumptions")) } (listed(ask, &card.assumptions)) }
        }
        dl.facts {
            dt { (ask.t("board-run-spent")) } dd { (spent(ask, &card.evidence.spent)) }
            @if let Some(began) = card.evidence.began_ms { dt { (ask.t("board-run-began")) } dd { (ago(ask, began, now_ms)) } }
        }
        (buttons(ask, run, card, attempt.map(|one| one.id.as_str()), running))
    }
}

fn listed(ask: &Ask, lines: &[String]) -> Markup {
    html! { ul { @for line in lines.iter().take(MOST) { li { (ask.clean(line)) } } } }
}

/// Every attempt in a row, the recommendation, and why.
fn attempts(ask: &Ask, run: &Run, card: &Card, shown: Option<&Attempt>) -> Markup {
    html! {
        h2 { (ask.t("board-card-attempts")) }
        @if card.attempts.is_empty() { p.dim { (ask.t("board-card-no-attempt")) } } @else {
            div.scroll tabindex="0" role="region" aria-label=(ask.t("board-card-attempts")) {
                table.list {
                    thead { tr {
                        th scope="col" { (ask.t("board-head-attempt")) }
                        th scope="col" { (ask.t("board-head-by")) }
                        th scope="col" { (ask.t("board-head-ended")) }
                        th scope="col" { (ask.t("board-head-changes")) }
                        th scope="col" { (ask.t("board-head-checks")) }
                        th scope="col" { (ask.t("board-head-cost")) }
                        th scope="col" { (ask.t("board-head-time")) }
                    } }
                    tbody { @for one in card.attempts.iter().take(MOST) { (attempt_row(ask, run, card, one, shown)) } }
                }
            }
        }
        @if !card.reasons.is_empty() {
            h3 { (ask.t("board-card-reasons")) }
            ul { @for reason in words::comparison(card, &|id, values| ask.say(id, values), &|text| ask.clean(text)).iter().take(MOST) { li { (reason) } } }
        }
        @if let Some(attempt) = shown {
            @if !attempt.text.is_empty() { h3 { (ask.t("board-card-last-words")) } blockquote { (ask.clean(&attempt.text)) } }
            dl.facts {
                @if !attempt.lane.is_empty() { dt { (ask.t("board-card-lane")) } dd { code { (ask.clean(&attempt.lane)) } } }
                @if let Some(id) = &attempt.before { dt { (ask.t("board-card-before")) } dd { code { (id) } } }
                @if let Some(id) = &attempt.after { dt { (ask.t("board-card-after")) } dd { code { (id) } } }
            }
        }
    }
}

fn attempt_row(ask: &Ask, run: &Run, card: &Card, attempt: &Attempt, shown: Option<&Attempt>) -> Markup {
    let (added, removed) = attempt.files.iter().fold((0_u64, 0_u64), |(added, removed), file| {
        (added.saturating_add(file.added), removed.saturating_add(file.removed))
    });
    let here = shown.is_some_and(|shown| shown.id == attempt.id);
    let link = link_with(&html::run::card_link(&run.id, &card.id), &[("attempt", &attempt.id)]);
    html! {
        tr {
            td {
                a href=(link) aria-current=[here.then_some("true")] { (attempt.id) }
                @if card.recommended.as_ref() == Some(&attempt.id) { " " (tag("good", &ask.t("board-card-recommended"))) }
                @if card.is_in_project() && card.landed.as_ref() == Some(&attempt.id) { " " (tag("good", &ask.t("board-card-landed"))) }
                @if attempt.dropped { " " (tag("", &ask.t("board-card-dropped"))) }
            }
            td { (attempt.by.as_ref().map_or_else(|| "–".to_owned(), |one| by(ask, one))) }
            td { (ended(ask, attempt.ended.as_deref())) }
            td {
                (ask.say("common-files", &[("count", attempt.files.len().into())]))
                " " span.added { "+" (added) } " " span.removed { "−" (removed) }
            }
            td {
                (check_tag(ask, check_mark(attempt)))
                @if !attempt.weakened.is_empty() { " " (tag("bad", &ask.t("board-weakened"))) }
                @if !attempt.findings.is_empty() { " " (tag("warn", &ask.say("board-findings", &[("count", attempt.findings.len().into())]))) }
            }
            td { (cost(ask, attempt.dollars.unwrap_or(0.0), u64::from(attempt.dollars.is_none())).unwrap_or_else(|| "$0.00".to_owned())) }
            td { (lasted(ask, attempt.milliseconds)) }
        }
    }
}

/// How an attempt ended; words that are not known are shown as they are.
fn ended(ask: &Ask, ended: Option<&str>) -> Markup {
    let (class, id) = match ended {
        None => ("pin", "board-end-open"),
        Some("done") => ("", "board-end-done"),
        Some("refused") => ("warn", "board-end-refused"),
        Some("cancelled") => ("", "board-end-cancelled"),
        Some("limit") => ("warn", "board-end-limit"),
        Some("silent") => ("bad", "board-end-silent"),
        Some("forks") => ("bad", "board-end-forks"),
        Some("crashed") => ("bad", "board-end-crashed"),
        Some("budget") => ("warn", "board-end-budget"),
        Some("blocked") => ("bad", "board-end-blocked"),
        Some(other) => return tag("", &ask.clean(other)),
    };
    tag(class, &ask.t(id))
}

/// What vib itself found by running the project's checks on what the attempt left behind.
fn checks(ask: &Ask, attempt: &Attempt) -> Markup {
    html! {
        h2 { (ask.t("board-card-checks")) " " (check_tag(ask, check_mark(attempt))) }
        @for check in attempt.checks.iter().take(MOST) {
            (command(ask, &check.command, &check_word(ask, &check.status), check.milliseconds, &check.tail))
        }
        @if !attempt.weakened.is_empty() { h3 { (ask.t("board-card-weakened")) } (listed(ask, &attempt.weakened)) }
        @if !attempt.findings.is_empty() { h3 { (ask.t("board-card-findings")) } (listed(ask, &attempt.findings)) }
    }
}

fn check_word(ask: &Ask, status: &str) -> Markup {
    let (class, id) = match status {
        "passed" => ("good", "board-check-is-passed"),
        "failed" => ("bad", "board-check-is-failed"),
        "still_fails" => ("warn", "board-check-is-still-fails"),
        "flaky" => ("warn", "board-check-is-flaky"),
        "timed_out" => ("bad", "board-check-is-timed-out"),
        "not_run" => ("", "board-check-is-not-run"),
        other => return tag("", &ask.clean(other)),
    };
    tag(class, &ask.t(id))
}

/// A command with what came of it; what it said is folded.
fn command(ask: &Ask, command: &str, outcome: &Markup, milliseconds: u64, tail: &str) -> Markup {
    html! {
        div.ran {
            p { code { (ask.clean(command)) } " " (outcome) " " span.dim { (lasted(ask, milliseconds)) } }
            @if !tail.trim().is_empty() {
                details { summary { (ask.t("board-card-output")) span.hidden { " " (ask.clean(command)) } }
                    pre.command tabindex="0" { code { (ask.clean(tail)) } } }
            }
        }
    }
}

/// Why something was not done. What a person fenced off stands out: somebody tried to change it.
fn refusal(ask: &Ask, code: &str) -> Markup {
    let fenced = matches!(code, "keep_region" | "protected");
    tag(if fenced { "bad" } else { "" }, &ask.clean(code))
}

/// What was done, beside the changes.
fn evidence(ask: &Ask, card: &Card) -> Markup {
    let evidence = &card.evidence;
    let nothing = evidence.commands.is_empty()
        && evidence.calls.is_empty()
        && evidence.rejected.is_empty()
        && evidence.switches.is_empty();
    html! {
        h2 { (ask.t("board-card-evidence")) }
        @if nothing { p.dim { (ask.t("board-none-here")) } }
        @if !evidence.commands.is_empty() {
            h3 { (ask.t("board-card-commands")) }
            @for one in evidence.commands.iter().take(MOST) {
                @let outcome = match one.exit {
                    Some(0) => tag("good", &ask.say("board-card-exit", &[("code", 0.into())])),
                    Some(code) => tag("bad", &ask.say("board-card-exit", &[("code", code.into())])),
                    None => tag("warn", &ask.t("board-card-ended")),
                };
                (command(ask, &one.command, &outcome, one.milliseconds, &one.tail))
            }
        }
        @if !evidence.calls.is_empty() {
            h3 { (ask.t("board-card-calls")) }
            p { @for (at, (name, count)) in evidence.calls.iter().enumerate() {
                @if at > 0 { " · " } (ask.clean(name)) " " (count)
            } }
        }
        @if !evidence.unfinished.is_empty() {
            h3 { (ask.t("board-card-unfinished")) }
            ul.plain { @for one in evidence.unfinished.iter().take(MOST) { li { (one.n) " " (ask.clean(&one.name)) " " span.dim { (ask.clean(&one.role)) } } } }
        }
        @if !evidence.rejected.is_empty() {
            h3 { (ask.t("board-card-rejected")) }
            ul.plain { @for one in evidence.rejected.iter().take(MOST) { li { (one.n) " " (refusal(ask, &one.code)) " " (ask.clean(&one.message)) } } }
        }
        @if !evidence.switches.is_empty() { h3 { (ask.t("board-run-switches")) } (switches(ask, &evidence.switches)) }
    }
}
