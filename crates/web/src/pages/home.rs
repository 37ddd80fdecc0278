//! Home: what are we doing, what changed since the last good point, is anything risky, what next.

use std::sync::Arc;

use ::store::{Search, Silent};
use axum::extract::State;
use axum::response::Response;
use engine::audit::Event;
use engine::diff::FileStatus;
use engine::memory::{CheckResult, MemoryReport};
use engine::timeline::{Good, SinceGood, TimelineReport};
use maud::{Markup, html};

use super::{protection, store};
use crate::app::App;
use crate::ask::{Ask, Visit, page};
use crate::error::Problem;
use crate::html::{Nav, Page, ago, button, card, file_link, link_with, summary, tag};

/// Files that are listed; the rest is a number.
const FILES: usize = 8;

pub(crate) async fn home(State(app): State<Arc<App>>, visit: Visit) -> Response {
    page(app, visit, render).await
}

fn render(ask: &Ask) -> Result<Markup, Problem> {
    let engine = &ask.engine;
    let memory = engine::memory::show(engine)?;
    let since = engine::timeline::since_good(engine, &Silent)?;
    let recent = engine::timeline::timeline(engine, &Search { limit: 60, ..Search::default() }, &Silent)?;
    let risks = risks(ask, &memory, &since);
    let body = html! {
        (store::card(ask))
        (protection::card(ask))
        div.grid {
            (card("doing", &ask.t("web-home-doing"), &doing(ask, &memory, &recent)))
            (card("risk", &ask.t("web-home-risk"), &risk(ask, &risks)))
            (card("changed", &ask.t("web-home-changed"), &changed(ask, &since, recent.now_ms)))
            (card("next", &ask.t("web-home-next"), &next(ask, &memory, &since, &risks)))
        }
        (card("recent", &ask.t("web-home-recent"), &recent_prompts(ask, &recent)))
    };
    ask.memory_was_shown(Event::MemorySummaryRead, &memory);
    let page = Page {
        nav: Nav::Home,
        title: ask.t("web-home-title"),
        lead: None,
        topics: "store memory sessions patches permissions calls",
        again: None,
        body,
    };
    Ok(page.render(ask))
}

fn doing(ask: &Ask, memory: &MemoryReport, recent: &TimelineReport) -> Markup {
    let prompt = recent.groups.iter().find_map(|group| Some((group.prompt.as_ref()?, group)));
    html! {
        @match &memory.memory.active_intent {
            Some(goal) => {
                p.big { (ask.clean(&goal.text)) @if goal.stale { " " (tag("warn", &ask.t("web-stale"))) } }
                p.dim { (ask.t("web-memory-goal")) " · " (ago(ask, goal.last_updated, memory.now_ms)) }
            }
            None => p.dim { (ask.t("web-home-no-goal")) " " a href="/memory" { (ask.t("web-home-set-goal")) } }
        }
        @if let Some((text, group)) = prompt {
            p { span.dim { (ask.t("web-home-asked")) } " “" (first_line(&ask.clean(text))) "”" }
            @if let Some(item) = group.checkpoints.first() {
                p.dim {
                    @if let Some(agent) = &group.agent { (ask.clean(agent)) " · " }
                    (ago(ask, item.checkpoint.created_ms, recent.now_ms))
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

/// How bad it looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Medium,
    High,
}

fn risks(ask: &Ask, memory: &MemoryReport, since: &SinceGood) -> Vec<(Level, String)> {
    let mut found = Vec::new();
    let resting = engine::agent::spiral_status(&ask.engine).resting;
    for spiral in &resting {
        let what =
            spiral.path.as_deref().map_or_else(|| ask.t("web-spiral-everything"), |path| ask.clean(path));
        found.push((Level::High, ask.say("web-risk-spiral", &[("what", what.into())])));
    }
    let count = |wanted: fn(&FileStatus) -> bool| {
        since.changes.files.iter().filter(|file| wanted(&file.status)).count()
    };
    let gone = count(|status| *status == FileStatus::Removed);
    if gone > 0 {
        let level = if gone > 2 { Level::High } else { Level::Medium };
        found.push((level, ask.say("web-risk-removed", &[("count", (gone as i64).into())])));
    }
    let secret = since.changes.files.iter().filter(|file| file.sensitive).count();
    if secret > 0 {
        found.push((Level::Medium, ask.say("web-risk-sensitive", &[("count", (secret as i64).into())])));
    }
    let many = since.changes.files.len();
    if many > 30 {
        found.push((Level::Medium, ask.say("web-risk-many", &[("count", (many as i64).into())])));
    }
    if let Some(check) = memory.memory.verification.last() {
        let command = ask.clean(&check.command);
        if check.result == CheckResult::Failed {
            found.push((Level::High, ask.say("web-risk-check-failed", &[("command", command.into())])));
        } else if check.stale.is_some() {
            found.push((Level::Medium, ask.say("web-risk-check-stale", &[("command", command.into())])));
        }
    }
    for conflict in &memory.memory.conflicts {
        found.push((
            Level::Medium,
            ask.say("web-risk-conflict", &[("field", ask.clean(&conflict.field).into())]),
        ));
    }
    found.sort_by_key(|(level, _)| std::cmp::Reverse(*level));
    found
}

fn risk(ask: &Ask, risks: &[(Level, String)]) -> Markup {
    let (class, word) = match risks.first().map(|(level, _)| *level) {
        Some(Level::High) => ("bad", ask.t("common-risk-high")),
        Some(Level::Medium) => ("warn", ask.t("common-risk-medium")),
        None => ("good", ask.t("common-risk-low")),
    };
    html! {
        p.big { (tag(class, &word)) }
        @if risks.is_empty() { p { (ask.t("web-risk-none")) } } @else {
            ul.plain { @for (_, text) in risks.iter().take(6) { li { (text) } } }
        }
    }
}

fn next(ask: &Ask, memory: &MemoryReport, since: &SinceGood, risks: &[(Level, String)]) -> Markup {
    html! {
        @if let Some(next) = &memory.memory.next_action {
            p.big { (ask.clean(&next.text)) @if next.stale { " " (tag("warn", &ask.t("web-stale"))) } }
            p.dim { (ask.t("web-next-said")) " · " (ago(ask, next.last_updated, memory.now_ms)) }
        }
        ul.plain {
            @if risks.first().is_some_and(|(level, _)| *level == Level::High) {
                li { a href="/recovery" { (ask.t("web-next-recover")) } }
            }
            @if !memory.memory.conflicts.is_empty() { li { a href="/memory#conflicts" { (ask.t("web-next-conflict")) } } }
            @if memory.memory.active_intent.is_none() { li { a href="/memory#goal" { (ask.t("web-next-goal")) } } }
            @if memory.memory.next_action.is_none() { li { a href="/memory#next-action" { (ask.t("web-next-next")) } } }
            @if !since.changes.files.is_empty() { li { a href="/timeline" { (ask.t("web-next-look")) } } }
        }
        @if since.point.is_some() {
            div.actions { (button(ask, "/checkpoint", &ask.t("web-save-now"), "primary", &[("back", "/")])) }
        }
    }
}

fn recent_prompts(ask: &Ask, recent: &TimelineReport) -> Markup {
    html! {
        @if recent.groups.is_empty() { p.dim { (ask.t("web-timeline-empty")) } }
        ol.plain.recent {
            @for group in recent.groups.iter().take(6) {
                @if let Some(item) = group.checkpoints.first() {
                    li {
                        a href={ "/checkpoint/" (item.checkpoint.id) } {
                            @match (&group.prompt, &item.checkpoint.message) {
                                (Some(text), _) => { "“" (first_line(&ask.clean(text))) "”" }
                                (None, Some(text)) => (first_line(&ask.clean(text))),
                                (None, None) => (ask.t("web-saved-point")),
                            }
                        }
                        " " span.dim {
                            (ask.say("web-steps", &[("count", (group.checkpoints.len() as i64).into())])) " · "
                            (ago(ask, item.checkpoint.created_ms, recent.now_ms))
                        }
                    }
                }
            }
        }
        p { a href="/timeline" { (ask.t("web-nav-timeline")) } }
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
