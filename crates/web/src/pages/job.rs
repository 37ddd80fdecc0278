//! Work that goes back: while it runs, its result, and the question what should be different next time.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use engine::recover::Applied;
use engine::undo::{Back, UndoReport};
use maud::{Markup, html};
use store::{Checkpoint, RestoreReport};

use super::runs::results;
use super::undo::why;
use crate::app::App;
use crate::ask::{Ask, Visit, page};
use crate::error::Problem;
use crate::html::recover::names;
use crate::html::steps::undo_link;
use crate::html::{Nav, Page, csrf, tag};
use crate::jobs::{Carried, Failed, Job};

/// A job that is done by then is shown at once.
pub(super) const PATIENCE: Duration = Duration::from_millis(400);
/// Files and places that are named.
const NAMED: usize = 20;

pub(crate) async fn show(State(app): State<Arc<App>>, visit: Visit, Path(id): Path<String>) -> Response {
    page(app, visit, move |ask| {
        let gone = || {
            let (message, next) = (ask.t("web-preview-gone"), ask.t("web-preview-gone-next"));
            Problem::new(StatusCode::NOT_FOUND, "preview_gone", message, next)
        };
        let job = ask.app.jobs.find(&id).ok_or_else(gone)?;
        Ok(match job.result() {
            None => running(ask, &job),
            Some(done) => match &*done {
                Ok(Carried::Recovered(applied)) => recovered(ask, applied),
                Ok(Carried::Undone(report)) => undone(ask, report),
                Ok(Carried::Carded(done)) => results::carded(ask, done),
                Ok(Carried::Replayed(done)) => results::replayed(ask, done),
                Ok(Carried::PutAway(done)) => results::put_away(ask, done),
                Err(failure) => failed(ask, failure),
            },
        })
    })
    .await
}

fn frame(ask: &Ask, lead: String, topics: &str, again: Option<u32>, body: Markup) -> Markup {
    let title = ask.t("web-nav-recovery");
    Page { nav: Nav::Recovery, title, lead: Some(lead), topics, again, body }.render(ask)
}

fn running(ask: &Ask, job: &Job) -> Markup {
    let (done, total) = (job.done.load(Ordering::Relaxed), job.total.load(Ordering::Relaxed));
    let title = if job.writing.load(Ordering::Relaxed) { "web-job-writing" } else { "web-job-saving" };
    let body = html! {
        section.card #job data-live aria-live="polite" {
            h2 { (ask.t(title)) }
            @if total > 0 { progress value=(done) max=(total) aria-label=(ask.t(title)) { (done) " / " (total) } }
            @else { progress aria-label=(ask.t(title)) {} }
        }
    };
    frame(ask, ask.t("web-job-lead"), "job store", Some(1), body)
}

/// What was done, what was left alone, and where the state before is.
fn result(ask: &Ask, complete: bool, result: &RestoreReport, safety: &Checkpoint) -> Markup {
    let counts = [("restored", result.restored.len().into()), ("removed", result.removed.len().into())];
    let safety = safety.id.as_str();
    html! {
        h2 {
            @if complete { (tag("good", "✓")) " " (ask.t("web-result-done")) }
            @else { (tag("warn", "!")) " " (ask.t("web-result-partly")) }
        }
        p { (ask.say("web-result-counts", &counts)) }
        @if !result.kept.is_empty() {
            p { (ask.t("web-result-kept")) }
            ul.plain { @for kept in result.kept.iter().take(NAMED) {
                li { code { (ask.clean(&kept.path.to_string())) } " " span.dim { (ask.clean(&kept.detail)) } }
            } }
        }
        p.safe { (ask.t("web-result-safety")) " " a href={ "/checkpoint/" (safety) } { code { (safety) } } }
    }
}

/// The same question as after `vib undo`.
fn lesson(ask: &Ask) -> Markup {
    html! {
        section.card #lesson {
            h2 { (ask.t("web-result-lesson")) }
            form method="post" action="/lessons/add" {
                (csrf(ask))
                input type="hidden" name="source" value="rollback";
                label { (ask.t("web-lesson-text")) textarea name="text" rows="2" autocomplete="off" maxlength="500" required {} }
                button type="submit" { (ask.t("web-lesson-keep")) }
            }
        }
    }
}

fn recovered(ask: &Ask, applied: &Applied) -> Markup {
    let body = html! {
        section.card #job data-live {
            (result(ask, applied.is_complete(), &applied.result, &applied.safety))
            @if !applied.checks.is_empty() {
                p { (ask.t("recover-done-check")) }
                ul.plain { @for check in applied.checks.iter().take(6) { li { code { (ask.clean(check)) } } } }
            }
            div.actions {
                a.button href="/recovery/preview?to=before" { (ask.t("web-recovery-return")) } " "
                a.button href="/" { (ask.t("web-nav-home")) }
            }
        }
        (lesson(ask))
    };
    frame(ask, ask.t("web-result-lead"), "", None, body)
}

fn undone(ask: &Ask, report: &UndoReport) -> Markup {
    let redone = matches!(report.back, Back::Redo { .. });
    let body = html! {
        section.card #job data-live {
            (result(ask, report.is_complete(), &report.result, &report.safety))
            @if !report.conflicts.is_empty() {
                p { (ask.t("web-undo-left")) }
                ul.plain { @for conflict in report.conflicts.iter().take(NAMED) {
                    li { code { (ask.clean(&conflict.path.to_string())) } " " span.dim { (why(ask, &conflict.why)) } }
                } }
            }
            p.dim { (ask.t("web-undo-told")) }
            div.actions {
                // Redo walks forward; after a redo the way back is the state that was saved before it.
                @if redone { a.button href=(undo_link(report.safety.id.as_str(), "")) { (ask.t("web-recovery-return")) "…" } " " }
                @else { a.button href="/undo?what=redo" { (ask.t("web-redo")) "…" } " " }
                a.button href="/history" { (ask.t("web-nav-history")) }
            }
        }
        @if !redone { (lesson(ask)) }
    };
    frame(ask, ask.t("web-result-lead"), "", None, body)
}

fn failed(ask: &Ask, failure: &Failed) -> Markup {
    let body = html! {
        section.card #job data-live role="alert" {
            h2 { (tag("bad", "!")) " " (ask.clean(&failure.problem.message)) }
            // The words of the command line would not help here.
            @if let Some(second) = &failure.second {
                p { (ask.say("recover-ask-second", &[("files", names(ask, &second.paths, 6).into())])) }
                form method="post" action="/recovery/apply" {
                    (csrf(ask))
                    input type="hidden" name="plan" value=(second.plan);
                    input type="hidden" name="second" value=(second.code);
                    button type="submit" { (ask.t("web-preview-second")) }
                }
            } @else if let Some(link) = &failure.again {
                p { (ask.t("web-undo-changed")) }
                a.button href=(link) { (ask.t("web-undo-look-again")) }
            } @else {
                p { (ask.clean(&failure.problem.next)) }
            }
            p.dim { code { (failure.problem.code) } }
            div.actions { a.button href="/recovery" { (ask.t("web-nav-recovery")) } }
        }
    };
    frame(ask, ask.t("web-result-failed"), "", None, body)
}
