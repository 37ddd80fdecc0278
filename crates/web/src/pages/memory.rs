//! Session Memory: goal, decisions, verification, next action; each changed in place.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use engine::audit::Event;
use engine::knowledge::{self, Known, Standing, Steer};
use engine::memory::{self, CheckResult, Field, Item, MemoryReport, Remember, Source};
use maud::{Markup, html};
use std::path::PathBuf;

use super::Posted;
use crate::app::App;
use crate::ask::{Ask, Visit, form, page};
use crate::error::Problem;
use crate::html::{Nav, Page, ago, button, card, csrf, tag};

pub(crate) async fn show(State(app): State<Arc<App>>, visit: Visit) -> Response {
    page(app, visit, render).await
}

fn render(ask: &Ask) -> Result<Markup, Problem> {
    let report = memory::show(&ask.engine)?;
    let work = &report.memory;
    let body = html! {
        (conflicts(ask, &report))
        div.grid {
            (card("goal", &ask.t("web-memory-goal"), &html! {
                (field(ask, work.active_intent.as_ref(), report.now_ms))
                @if let Some(seen) = &work.observed_intent {
                    p.dim { (ask.t("web-memory-observed")) " “" (ask.clean(&seen.text)) "”" }
                }
                (edit(ask, "intent", work.active_intent.as_ref().map(|f| f.text.as_str()), "web-memory-goal"))
            }))
            (card("next-action", &ask.t("web-memory-next"), &html! {
                (field(ask, work.next_action.as_ref(), report.now_ms))
                (edit(ask, "next", work.next_action.as_ref().map(|f| f.text.as_str()), "web-memory-next"))
            }))
            (card("decisions", &ask.t("web-memory-decisions"), &html! {
                (items(ask, &work.decisions, report.now_ms))
                (edit(ask, "decision", None, "web-memory-add-decision"))
            }))
            (card("verification", &ask.t("web-memory-verification"), &html! {
                (checks(ask, &report))
                (edit_check(ask))
            }))
            (card("risks", &ask.t("web-memory-risks"), &html! {
                (items(ask, &work.risks, report.now_ms))
                (edit(ask, "risk", None, "web-memory-add-risk"))
            }))
            (card("files", &ask.t("web-memory-files"), &files(ask, &report)))
            (card("knows", &ask.t("web-memory-knows"), &knows(ask, &report)))
        }
        @if !report.bad_lines.is_empty() {
            p.warn-text { (ask.say("web-memory-bad-lines", &[("count", (report.bad_lines.len() as i64).into())])) }
        }
    };
    ask.memory_was_shown(Event::MemoryFullRead, &report);
    let page = Page {
        nav: Nav::Memory,
        title: ask.t("web-memory-title"),
        lead: Some(ask.t("web-memory-lead")),
        topics: "memory",
        again: None,
        body,
    };
    Ok(page.render(ask))
}

fn field(ask: &Ask, field: Option<&Field>, now_ms: i64) -> Markup {
    html! {
        @match field {
            Some(field) => {
                p.big { (text(ask, &field.text)) @if field.stale { " " (tag("warn", &ask.t("web-stale"))) } }
                p.dim { (by(ask, &field.updated_by, field.source)) " · " (ago(ask, field.last_updated, now_ms)) }
            }
            None => p.dim { (ask.t("web-memory-nothing")) }
        }
    }
}

/// A remembered text; where the gate replaced something, that is marked.
fn text(ask: &Ask, text: &str) -> Markup {
    let clean = ask.clean(text);
    let mark = clean != text || clean.contains("[redacted");
    html! { (clean) @if mark { " " (tag("warn", &ask.t("web-redacted-mark"))) } }
}

fn by(ask: &Ask, who: &str, source: Source) -> String {
    let who = ask.clean(who);
    let id = if source == Source::Explicit { "web-said-by" } else { "web-seen-by" };
    ask.say(id, &[("who", who.into())])
}

fn items(ask: &Ask, items: &[Item], now_ms: i64) -> Markup {
    html! {
        @if items.is_empty() { p.dim { (ask.t("web-memory-nothing")) } }
        ul.plain {
            @for item in items.iter().rev().take(12) {
                li {
                    (text(ask, &item.text))
                    div.dim { (by(ask, &item.updated_by, item.source)) " · " (ago(ask, item.last_updated, now_ms)) }
                    (button(ask, "/memory/drop", &ask.t("web-memory-drop"), "quiet", &[("id", &item.id)]))
                }
            }
        }
    }
}

fn checks(ask: &Ask, report: &MemoryReport) -> Markup {
    html! {
        @if report.memory.verification.is_empty() { p.dim { (ask.t("web-memory-nothing")) } }
        ul.plain {
            @for check in report.memory.verification.iter().rev().take(12) {
                li {
                    @match check.result {
                        CheckResult::Passed => (tag("good", &ask.t("web-check-passed"))),
                        CheckResult::Failed => (tag("bad", &ask.t("web-check-failed"))),
                        CheckResult::Skipped => (tag("warn", &ask.t("web-check-skipped"))),
                        CheckResult::Unknown => (tag("", &ask.t("web-check-unknown"))),
                    }
                    " " code { (ask.clean(&check.command)) }
                    @if check.stale.is_some() { " " (tag("warn", &ask.t("web-check-stale"))) }
                    @else if check.scope_unknown { " " (tag("", &ask.t("web-check-scope"))) }
                    div.dim {
                        (by(ask, &check.updated_by, check.source)) " · " (ago(ask, check.time, report.now_ms))
                        @if let Some(mark) = check.scope.first() {
                            " · " (ask.clean(&mark.path))
                            @if check.scope.len() > 1 { " +" (check.scope.len() - 1) }
                        }
                    }
                }
            }
        }
    }
}

fn files(ask: &Ask, report: &MemoryReport) -> Markup {
    html! {
        @if report.memory.relevant_files.is_empty() { p.dim { (ask.t("web-memory-nothing")) } }
        ul.plain {
            @for file in report.memory.relevant_files.iter().rev().take(12) {
                li {
                    code { (ask.clean(&file.path)) }
                    @if let Some(note) = &file.note { " " (text(ask, note)) }
                    @if file.source != Source::Explicit { " " (tag("", &ask.t("web-seen"))) }
                    @if file.from_previous_intent { " " (tag("", &ask.t("web-memory-before"))) }
                }
            }
        }
        details.edit {
            summary { (ask.t("web-memory-add-file")) }
            form method="post" action="/memory/relevant" data-inline {
                (csrf(ask))
                label { (ask.t("web-memory-path")) input name="path" required maxlength="500" autocomplete="off"; }
                label { (ask.t("web-memory-why")) input name="text" maxlength="500" autocomplete="off"; }
                button.primary type="submit" { (ask.t("web-save")) }
            }
        }
    }
}

/// What was heard in the chat and what was learnt: how it stands, when it was last of use, and a way to be rid of it. (M15)
fn knows(ask: &Ask, report: &MemoryReport) -> Markup {
    html! {
        @if report.known.is_empty() { p.dim { (ask.t("web-memory-nothing")) } }
        ul.plain {
            @for one in report.known.iter().take(20) {
                li {
                    (text(ask, &one.text)) " " (tag(if one.resting { "warn" } else { "" }, &ask.t(standing_of(one))))
                    div.dim {
                        (ago(ask, one.time_ms, report.now_ms))
                        @if let Some(used) = one.last_use_ms { " · " (ask.t("web-known-last-use")) " " (ago(ask, used, report.now_ms)) }
                    }
                    (steering(ask, one))
                }
            }
        }
    }
}

/// Keep, pin, change, drop: each works without scripts. What vib saw by itself can only be dropped. (M15)
fn steering(ask: &Ask, one: &Known) -> Markup {
    let id = [("id", one.id.as_str())];
    let standing = one.standing;
    html! {
        div.row {
            @if matches!(standing, Some(Standing::Proposed | Standing::Used)) || (standing.is_some() && one.resting) {
                (button(ask, "/memory/keep-known", &ask.t("web-known-keep"), "quiet", &id))
            }
            @if standing.is_some_and(|standing| standing != Standing::Pinned) {
                (button(ask, "/memory/pin-known", &ask.t("web-known-pin"), "quiet", &id))
            }
            @if standing == Some(Standing::Pinned) {
                (button(ask, "/memory/keep-known", &ask.t("web-known-unpin"), "quiet", &id))
            }
            (button(ask, "/memory/drop-known", &ask.t("web-memory-drop"), "quiet", &id))
        }
        @if standing.is_some() {
            details.edit {
                summary { (ask.t("web-change")) }
                form method="post" action="/memory/change-known" data-inline {
                    (csrf(ask))
                    input type="hidden" name="id" value=(one.id);
                    label { (ask.t("web-known-words"))
                        textarea name="text" rows="2" autocomplete="off" required maxlength="500" { (ask.clean(&one.text)) }
                    }
                    button.primary type="submit" { (ask.t("web-save")) }
                }
            }
        }
    }
}

fn standing_of(one: &Known) -> &'static str {
    match (one.resting, one.standing) {
        (true, _) => "web-known-resting",
        (false, Some(Standing::Proposed)) => "web-known-proposed",
        (false, Some(Standing::Used)) => "web-known-used",
        (false, Some(Standing::Kept)) => "web-known-kept",
        (false, Some(Standing::Pinned)) => "web-known-pinned",
        (false, None) => "web-known-seen",
    }
}

/// The form behind a section. It is there without scripts; scripts only spare the page from loading anew.
fn edit(ask: &Ask, what: &str, now: Option<&str>, label: &str) -> Markup {
    let now = now.map(|text| ask.clean(text));
    let open = if now.is_some() { ask.t("web-change") } else { ask.t("web-add") };
    html! {
        details.edit {
            summary { (open) }
            form method="post" action={ "/memory/" (what) } data-inline {
                (csrf(ask))
                label { (ask.t(label)) textarea name="text" rows="3" autocomplete="off" required maxlength="2000" { (now.unwrap_or_default()) } }
                button.primary type="submit" { (ask.t("web-save")) }
            }
        }
    }
}

fn edit_check(ask: &Ask) -> Markup {
    html! {
        details.edit {
            summary { (ask.t("web-add")) }
            form method="post" action="/memory/check" data-inline {
                (csrf(ask))
                label { (ask.t("web-check-command")) input name="text" required maxlength="500" autocomplete="off"; }
                label { (ask.t("web-check-result"))
                    select name="result" {
                        option value="passed" { (ask.t("web-check-passed")) }
                        option value="failed" { (ask.t("web-check-failed")) }
                        option value="skipped" { (ask.t("web-check-skipped")) }
                    }
                }
                label { (ask.t("web-check-files")) input name="paths" maxlength="2000" autocomplete="off"; }
                button.primary type="submit" { (ask.t("web-save")) }
            }
        }
    }
}

/// Two tools said different things: side by side, keep one, or write a third.
fn conflicts(ask: &Ask, report: &MemoryReport) -> Markup {
    html! {
        @for (at, conflict) in report.memory.conflicts.iter().enumerate() {
            @let what = if conflict.field.contains("next") { "settle-next" } else { "settle-intent" };
            @let id = if at == 0 { "conflicts".to_owned() } else { format!("conflicts-{at}") };
            (card(&id, &ask.t("web-conflict-title"), &html! {
                p { (ask.t("web-conflict-lead")) }
                div.sides {
                    @for side in [&conflict.first, &conflict.second] {
                        div.side {
                            p.big { (text(ask, &side.text)) }
                            p.dim { (by(ask, &side.updated_by, side.source)) " · " (ago(ask, side.last_updated, report.now_ms)) }
                            form method="post" action={ "/memory/" (what) } data-inline {
                                (csrf(ask))
                                input type="hidden" name="text" value=(ask.clean(&side.text));
                                button type="submit" { (ask.t("web-conflict-keep")) }
                            }
                        }
                    }
                }
                form method="post" action={ "/memory/" (what) } data-inline {
                    (csrf(ask))
                    label { (ask.t("web-conflict-merge"))
                        textarea name="text" rows="3" autocomplete="off" required maxlength="2000" {
                            (ask.clean(&conflict.first.text)) "\n" (ask.clean(&conflict.second.text))
                        }
                    }
                    button.primary type="submit" { (ask.t("web-conflict-save")) }
                }
            }))
        }
    }
}

pub(crate) async fn remember(
    State(app): State<Arc<App>>,
    visit: Visit,
    Path(what): Path<String>,
    posted: Posted,
) -> Response {
    form(app, visit, move |ask| {
        let text = || posted.needed("text").map(str::to_owned);
        let paths = |text: &str| {
            let typed: Vec<PathBuf> =
                text.split([',', '\n']).map(str::trim).filter(|p| !p.is_empty()).map(PathBuf::from).collect();
            ask.engine.known_names(&typed).map_err(Problem::from)
        };
        let steer = match what.as_str() {
            "keep-known" => Some(Steer::Keep),
            "pin-known" => Some(Steer::Pin),
            "drop-known" => Some(Steer::Drop),
            "change-known" => Some(Steer::Change(text()?)),
            _ => None,
        };
        if let Some(steer) = steer {
            knowledge::steer_on_page(&ask.engine, posted.needed("id")?, &steer)?;
            return Ok("/memory?said=remembered".to_owned());
        }
        let wish = match what.as_str() {
            "intent" => Remember::Intent(text()?),
            "next" => Remember::Next(text()?),
            // Taking the old word back first settles it: a third voice beside the two would only be one more.
            "settle-intent" => {
                let chosen = text()?;
                memory::remember(&ask.engine, "web", &Remember::DropIntent)?;
                Remember::Intent(chosen)
            }
            "settle-next" => {
                let chosen = text()?;
                memory::remember(&ask.engine, "web", &Remember::DropNext)?;
                Remember::Next(chosen)
            }
            "drop" => Remember::DropItem(posted.needed("id")?.to_owned()),
            "decision" => Remember::Decision(text()?),
            "risk" => Remember::Risk(text()?),
            "relevant" => {
                let path = paths(posted.needed("path")?)?.into_iter().next();
                let note = Some(posted.get("text").to_owned()).filter(|note| !note.is_empty());
                Remember::Relevant(path.ok_or_else(nothing)?, note)
            }
            "check" => {
                let result = match posted.get("result") {
                    "passed" => CheckResult::Passed,
                    "failed" => CheckResult::Failed,
                    _ => CheckResult::Skipped,
                };
                Remember::Check(text()?, result, paths(posted.get("paths"))?)
            }
            _ => return Err(nothing()),
        };
        let done = memory::remember(&ask.engine, "web", &wish)?;
        Ok(format!("/memory?said={}", if done.redacted { "redacted" } else { "remembered" }))
    })
    .await
}

fn nothing() -> Problem {
    Problem::new(
        StatusCode::NOT_FOUND,
        "not_found",
        "there is no such part of the memory",
        "go back to the page",
    )
}
