//! Home: what was lost, what the agents did, what are we doing, what changed since the baseline, is anything risky, what next.

use std::sync::Arc;

use ::store::Silent;
use axum::extract::State;
use axum::response::Response;
use engine::audit::Event;
use engine::lost::Lost;
use engine::memory::MemoryReport;
use engine::recover::{self, Report};
use engine::story::{StoryQuery, story};
use engine::strip::Strip;
use engine::timeline::{Good, SinceGood};
use engine::verdict::Risk;
use maud::{Markup, html};

use super::{protection, store};
use crate::app::App;
use crate::ask::{Ask, Visit, page};
use crate::error::Problem;
use crate::html::recover::{names, verdict};
use crate::html::steps::{entry, strip, what};
use crate::html::{Nav, Page, ago, button, card, file_link, link_with, summary, tag};

/// Files that are listed; the rest is a number.
const FILES: usize = 8;
/// Steps of the strip.
const STEPS: usize = 60;
/// Entries of the history that are shown.
const RECENT: usize = 5;
/// Reasons of the verdict that are shown.
const REASONS: usize = 6;
/// Files that a link names one by one.
const NAMED_IN_LINK: usize = 30;
/// Agents that are named.
const RUNNING: usize = 6;

pub(crate) async fn home(State(app): State<Arc<App>>, visit: Visit) -> Response {
    page(app, visit, render).await
}

fn render(ask: &Ask) -> Result<Markup, Problem> {
    let engine = &ask.engine;
    let memory = engine::memory::show(engine)?;
    let since = engine::timeline::since_good(engine, &Silent)?;
    let recent = story(engine, &StoryQuery { limit: RECENT, ..StoryQuery::default() }, &Silent)?;
    let steps = engine::strip::strip(engine, STEPS, &Silent)?;
    // One look for the alarm and for the risk. It writes nothing.
    let query = recover::Query { tool: ask.tool().to_owned(), ..recover::Query::default() };
    let looked = recover::diagnose(engine, &query, &Silent)?;
    let lost = engine::lost::lost(engine, &looked, &Silent)?;
    let body = html! {
        // The place is always there, so that an alarm that comes or goes is one part of the page.
        div #alarm data-live { @if let Some(lost) = &lost { (alarm(ask, lost, looked.now_ms)) } }
        (super::runs::on_home(ask))
        (store::card(ask))
        @if !steps.runs.is_empty() { (card("strip", &ask.t("web-home-steps"), &strip(ask, &steps))) }
        div.grid {
            (card("doing", &ask.t("web-home-doing"), &doing(ask, &memory, &steps)))
            (card("risk", &ask.t("web-home-risk"), &verdict(ask, &looked.verdict, REASONS, lost.is_some())))
            (card("changed", &ask.t("web-home-changed"), &changed(ask, &since, steps.now_ms)))
            (card("next", &ask.t("web-home-next"), &next(ask, &memory, &since, &looked)))
        }
        (protection::card(ask))
        section #recent data-live aria-labelledby="recent-title" {
            h2 #recent-title { (ask.t("web-home-recent")) }
            @if recent.entries.is_empty() { p.dim { (ask.t("web-history-empty")) } }
            @for told in &recent.entries { (entry(ask, told, recent.now_ms, false, "")) }
            p { a href="/history" { (ask.t("web-home-all")) } }
        }
    };
    ask.memory_was_shown(Event::MemorySummaryRead, &memory);
    let page = Page {
        nav: Nav::Home,
        title: ask.t("web-home-title"),
        lead: None,
        topics: "store memory sessions patches permissions calls runs",
        again: None,
        body,
    };
    Ok(page.render(ask))
}

/// What was lost, when, by what, for whom, and the button that shows how it comes back.
fn alarm(ask: &Ask, lost: &Lost, now_ms: i64) -> Markup {
    let count = [("count", texts::Value::from(lost.paths.len()))];
    let back = match (lost.way, &lost.step) {
        (Some(number), _) => link_with("/recovery/preview", &[("way", &number.to_string())]),
        // Only these files, from just before the one step that lost them.
        (None, Some(step)) if lost.other_steps == 0 && lost.paths.len() <= NAMED_IN_LINK => {
            let number = step.number.to_string();
            let mut values = vec![("what", number.as_str())];
            values.extend(lost.paths.iter().map(|path| ("path", path.as_str())));
            link_with("/undo", &values)
        }
        _ => "/recovery".to_owned(),
    };
    let look =
        lost.step.as_ref().map_or_else(|| "/recovery".to_owned(), |step| format!("/step/{}", step.number));
    html! {
        section.alarm role="alert" aria-labelledby="alarm-title" {
            div {
                h2 #alarm-title {
                    (ask.say("web-alarm-lost", &count))
                    @if let Some(time) = lost.time_ms { " · " (ago(ask, time, now_ms)) }
                }
                p {
                    @if let Some(step) = &lost.step {
                        (ask.t("web-alarm-by")) " " code { (what(ask, step)) } " "
                        @if lost.other_steps > 0 { (ask.say("web-alarm-more-steps", &[("count", lost.other_steps.into())])) " " }
                    }
                    @if let Some(prompt) = lost.request.as_ref().and_then(|request| request.prompt.as_ref()) {
                        (ask.t("web-alarm-in")) " “" (first_line(&ask.clean(prompt))) "”"
                    }
                }
                p { @for path in lost.paths.iter().take(FILES) { code { (ask.clean(path)) } " " }
                    @if lost.paths.len() > FILES { (ask.say("web-and-more", &[("count", (lost.paths.len() - FILES).into())])) } }
                @if !lost.used_by.is_empty() {
                    p { (ask.say("recover-used-by", &[("files", names(ask, &lost.used_by, 3).into())])) }
                }
            }
            div.actions {
                a.button.primary href=(back) { (ask.say("web-alarm-back", &count)) "…" }
                a.button href=(look) { (ask.t("web-alarm-look")) }
            }
        }
    }
}

fn doing(ask: &Ask, memory: &MemoryReport, steps: &Strip) -> Markup {
    html! {
        @match &memory.memory.active_intent {
            Some(goal) => {
                p.big { (ask.clean(&goal.text)) @if goal.stale { " " (tag("warn", &ask.t("web-stale"))) } }
                p.dim { (ask.t("web-memory-goal")) " · " (ago(ask, goal.last_updated, memory.now_ms)) }
            }
            None => p.dim { (ask.t("web-home-no-goal")) " " a href="/memory" { (ask.t("web-home-set-goal")) } }
        }
        @if let Some(request) = &steps.asked {
            p {
                span.dim { (ask.t("web-home-asked")) } " "
                a href={ "/request/" (request.number) } {
                    @match &request.prompt { Some(text) => { "“" (first_line(&ask.clean(text))) "”" } None => (request.number) }
                }
            }
            p.dim {
                @if let Some(client) = &request.client { (ask.clean(client)) " · " }
                (ago(ask, request.started_ms, steps.now_ms))
            }
        }
        (running(ask, steps))
    }
}

/// The agents that are at work, and what each is doing.
fn running(ask: &Ask, steps: &Strip) -> Markup {
    html! {
        @if steps.at_work.is_empty() { p.dim { (ask.t("web-home-nobody")) } } @else {
            h3 { (ask.t("web-home-running")) }
            ul.plain {
                @for one in steps.at_work.iter().take(RUNNING) {
                    li {
                        a href=(link_with("/history", &[("session", &one.session)])) {
                            strong { (ask.clean(one.client.as_deref().unwrap_or("agent"))) }
                        }
                        " " span.dim { (ago(ask, one.last_ms, steps.now_ms)) }
                        @if let Some(now) = &one.running { " " code { (first_line(&ask.clean(&now.what))) } }
                    }
                }
            }
        }
    }
}

fn changed(ask: &Ask, since: &SinceGood, now_ms: i64) -> Markup {
    let (Some(point), Some(why)) = (&since.point, since.why) else {
        return html! {
            p { (ask.t("web-home-nothing-saved")) }
            (button(ask, "/checkpoint", &ask.t("web-save-now"), "primary", &[("back", "/")]))
        };
    };
    let why = match why {
        Good::Pinned => ask.t("web-good-pinned"),
        Good::Saved => ask.t("web-good-saved"),
        Good::BeforePrompt => ask.t("web-good-prompt"),
        Good::Oldest => ask.t("web-good-oldest"),
    };
    let id = point.id.as_str();
    let link = |path: &str| file_link(id, "", path);
    html! {
        p.dim { (why) " · " (ago(ask, point.created_ms, now_ms)) " · " a href={ "/checkpoint/" (id) } { code { (id) } } }
        @if since.changes.files.is_empty() {
            p { (ask.t("web-home-nothing-changed")) }
        } @else {
            (summary(ask, &since.changes, FILES, Some(&link)))
            div.actions {
                a.button href=(link_with("/diff", &[("from", id)])) { (ask.t("web-see-changes")) } " "
                a.button href=(link_with("/recovery/preview", &[("to", id)])) { (ask.t("web-go-back-here")) }
            }
        }
    }
}

fn next(ask: &Ask, memory: &MemoryReport, since: &SinceGood, looked: &Report) -> Markup {
    html! {
        @if let Some(next) = &memory.memory.next_action {
            p.big { (ask.clean(&next.text)) @if next.stale { " " (tag("warn", &ask.t("web-stale"))) } }
            p.dim { (ask.t("web-next-said")) " · " (ago(ask, next.last_updated, memory.now_ms)) }
        }
        ul.plain {
            @if looked.verdict.risk == Risk::High {
                li { a href="/recovery" { (ask.t("web-next-recover")) } }
            }
            @if !memory.memory.conflicts.is_empty() { li { a href="/memory#conflicts" { (ask.t("web-next-conflict")) } } }
            @if memory.memory.active_intent.is_none() { li { a href="/memory#goal" { (ask.t("web-next-goal")) } } }
            @if memory.memory.next_action.is_none() { li { a href="/memory#next-action" { (ask.t("web-next-next")) } } }
            @if !since.changes.files.is_empty() { li { a href="/history" { (ask.t("web-next-look")) } } }
        }
        @if since.point.is_some() {
            div.actions { (button(ask, "/checkpoint", &ask.t("web-save-now"), "primary", &[("back", "/")])) }
        }
    }
}

/// The first line, not too long.
pub(crate) fn first_line(text: &str) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let mut short: String = line.chars().take(140).collect();
    if short.len() < line.len() {
        short.push('…');
    }
    short
}
