//! Recovery: what would change, the state of now saved first, a yes, progress, the result, and the way back to before.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use engine::audit::{self, Event, Intent, Outcome, Row};
use engine::diff::{Detail, FileStatus};
use engine::timeline::SinceGood;
use engine::undo::{self, Confirmation, Preview, Target, UndoReport};
use maud::{Markup, html};
use serde::Deserialize;
use store::{Search, Silent};

use super::Posted;
use crate::app::App;
use crate::ask::{Ask, Visit, page};
use crate::error::Problem;
use crate::html::{Nav, Page, View, ago, card, csrf, file_link, files, link_with, summary, tag};
use crate::jobs::Job;
use crate::pages::home::first_line;

/// Moments that are offered.
const CHOICES: usize = 8;
/// A job that is done by then is shown at once.
const PATIENCE: Duration = Duration::from_millis(400);

pub(crate) async fn show(State(app): State<Arc<App>>, visit: Visit) -> Response {
    page(app, visit, options).await
}

fn options(ask: &Ask) -> Result<Markup, Problem> {
    let since = engine::timeline::since_good(&ask.engine, &Silent)?;
    let recent =
        engine::timeline::timeline(&ask.engine, &Search { limit: 400, ..Search::default() }, &Silent)?;
    let before = undo::preview(&ask.engine, &Target::BeforeLastRestore, &[], Detail::Counts, &Silent).ok();
    let body = html! {
        (card("now", &ask.t("web-recovery-now"), &situation(ask, &since, recent.now_ms)))
        @if let Some(before) = &before {
            (card("before", &ask.t("web-recovery-return"), &html! {
                p { (ask.t("web-recovery-return-lead")) }
                p.dim { (loss(ask, before)) }
                p.actions { a.button href="/recovery/preview?to=before" { (ask.t("web-recovery-return")) } }
            }))
        }
        (card("ways", &ask.t("web-recovery-ways"), &html! {
            p { (ask.t("web-recovery-ways-lead")) }
            ol.plain.ways {
                @for group in recent.groups.iter().take(CHOICES) {
                    // The oldest of a turn is how things were before the agent began.
                    @if let Some(item) = group.checkpoints.iter().rev().find(|item| item.checkpoint.whole_tree) {
                        li {
                            div {
                                @match (&group.prompt, &item.checkpoint.message) {
                                    (Some(text), _) => { (ask.t("web-before-prompt")) ": “" (first_line(&ask.clean(text))) "”" }
                                    (None, Some(text)) => (first_line(&ask.clean(text))),
                                    (None, None) => (ask.t("web-saved-point")),
                                }
                                @if item.checkpoint.pinned { " " (tag("pin", &ask.t("web-pinned"))) }
                                div.dim { code { (item.short_id) } " · " (ago(ask, item.checkpoint.created_ms, recent.now_ms)) }
                            }
                            a.button href=(link_with("/recovery/preview", &[("to", item.checkpoint.id.as_str())])) { (ask.t("web-recovery-look")) }
                        }
                    }
                }
            }
            @if recent.groups.is_empty() { p.dim { (ask.t("web-timeline-empty")) } }
        }))
    };
    Ok(frame(ask, ask.t("web-recovery-lead"), "store sessions", None, body))
}

fn frame(ask: &Ask, lead: String, topics: &str, again: Option<u32>, body: Markup) -> Markup {
    let title = ask.t("web-nav-recovery");
    Page { nav: Nav::Recovery, title, lead: Some(lead), topics, again, body }.render(ask)
}

fn situation(ask: &Ask, since: &SinceGood, now_ms: i64) -> Markup {
    let Some(point) = &since.point else {
        return html! { p { (ask.t("web-home-nothing-saved")) } };
    };
    let gone = since.changes.files.iter().filter(|file| file.status == FileStatus::Removed).count();
    let (class, word) = match (since.changes.files.len(), gone) {
        (0, _) => ("good", ask.t("common-risk-low")),
        (_, 3..) => ("bad", ask.t("common-risk-high")),
        (31.., _) | (_, 1..) => ("warn", ask.t("common-risk-medium")),
        _ => ("good", ask.t("common-risk-low")),
    };
    let id = point.id.as_str();
    html! {
        p.big { (tag(class, &word)) }
        p {
            (ask.t("web-recovery-point")) " " a href={ "/checkpoint/" (id) } { code { (id) } } " · " (ago(ask, point.created_ms, now_ms))
        }
        @if gone > 0 { p { (ask.say("web-risk-removed", &[("count", (gone as i64).into())])) } }
        @if since.changes.files.is_empty() { p { (ask.t("web-home-nothing-changed")) } } @else {
            (summary(ask, &since.changes, 12, Some(&|path: &str| file_link(id, "", path))))
            p.actions { a.button.primary href=(link_with("/recovery/preview", &[("to", id)])) { (ask.t("web-go-back-here")) } }
        }
    }
}

/// What would be lost, in one sentence.
fn loss(ask: &Ask, preview: &Preview) -> String {
    let count = |wanted: fn(&FileStatus) -> bool| {
        let number = preview.changes.files.iter().filter(|file| wanted(&file.status)).count();
        texts::Value::from(i64::try_from(number).unwrap_or(i64::MAX))
    };
    ask.say(
        "web-recovery-loss",
        &[
            ("changed", count(|status| !matches!(status, FileStatus::Added | FileStatus::Removed))),
            ("back", count(|status| *status == FileStatus::Added)),
            ("gone", count(|status| *status == FileStatus::Removed)),
        ],
    )
}

/// Where to go, and which files.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct Wanted {
    #[serde(default)]
    pub(crate) to: String,
    #[serde(default)]
    path: String,
    view: Option<String>,
}

/// Makes a preview and keeps it for the confirmation.
pub(crate) fn look(
    ask: &Ask,
    to: &str,
    paths: &[PathBuf],
    detail: Detail,
) -> Result<(String, Arc<Preview>), Problem> {
    let target = match to {
        "before" => Target::BeforeLastRestore,
        "" | "step" => Target::Steps(1),
        id => Target::Id(id.to_owned()),
    };
    let root = ask.engine.project().root();
    let paths: Vec<PathBuf> = paths.iter().map(|path| root.join(path)).collect();
    let preview = undo::preview(&ask.engine, &target, &paths, detail, &Silent)?;
    Ok(ask.app.previews.keep(preview))
}

/// Notes that a recovery was shown.
pub(crate) fn note_shown(ask: &Ask, preview: &Preview) -> Result<(), Problem> {
    let memory = engine::memory::show(&ask.engine)?;
    let mut row = Row::new(Event::RecoveryPreview, ask.tool(), Outcome::Success).redacted(ask.counts());
    row.paths_count.total = preview.changes.files.len() as u64;
    // Nothing of the memory is on this page.
    row.intent = Some(match memory.memory.active_intent {
        Some(_) => Intent::StaleLabelled,
        None => Intent::Absent,
    });
    row.drift_on_confirmed = Some(0);
    audit::record(&ask.engine, &row)?;
    Ok(())
}

pub(crate) async fn preview(
    State(app): State<Arc<App>>,
    visit: Visit,
    Query(wanted): Query<Wanted>,
) -> Response {
    page(app, visit, move |ask| {
        let paths: Vec<PathBuf> =
            Some(PathBuf::from(&wanted.path)).filter(|_| !wanted.path.is_empty()).into_iter().collect();
        let (id, preview) = look(ask, &wanted.to, &paths, Detail::Text)?;
        let markup = show_preview(ask, &wanted, &id, &preview);
        note_shown(ask, &preview)?;
        Ok(markup)
    })
    .await
}

fn show_preview(ask: &Ask, wanted: &Wanted, id: &str, preview: &Preview) -> Markup {
    let target = preview.target.id.as_str();
    let view = View::from_word(wanted.view.as_deref());
    let link = |view: View| {
        link_with("/recovery/preview", &[("to", &wanted.to), ("path", &wanted.path), ("view", view.word())])
    };
    let body = html! {
        ol.steps {
            li.done { (ask.t("web-step-look")) }
            li aria-current="step" { (ask.t("web-step-confirm")) }
            li { (ask.t("web-step-save")) }
            li { (ask.t("web-step-restore")) }
        }
        section.card #confirm aria-labelledby="confirm-title" {
            h2 #confirm-title { (ask.say("web-preview-title", &[("id", target.into())])) }
            p.dim { (ago(ask, preview.target.created_ms, preview.now_ms)) }
            p { (loss(ask, preview)) }
            p.safe { (tag("good", "✓")) " " (ask.t("web-preview-safe")) }
            @if !preview.unsaved.is_empty() {
                p.dim { (ask.say("web-preview-unsaved", &[("count", (preview.unsaved.len() as i64).into())])) }
            }
            form method="post" action="/recovery/apply" {
                (csrf(ask))
                input type="hidden" name="preview" value=(id);
                p.actions {
                    button.primary type="submit" { (ask.t("web-preview-yes")) } " "
                    a.button href="/recovery" { (ask.t("web-preview-no")) }
                }
            }
        }
        section #changes aria-label=(ask.t("web-see-changes")) {
            h2 { (ask.t("web-preview-changes")) }
            (summary(ask, &preview.changes, 30, None))
            (files(ask, &preview.changes, view, &link))
        }
    };
    // A preview does not change by itself: what is confirmed is what is shown.
    frame(ask, ask.t("web-preview-lead"), "", None, body)
}

/// A person said yes. The work goes on by itself; this page follows it.
pub(crate) async fn apply(State(app): State<Arc<App>>, visit: Visit, posted: Posted) -> Response {
    let Some(preview) = app.previews.take(posted.get("preview")) else {
        let gone = move |ask: &Ask| -> Result<Markup, Problem> { Err(preview_gone(ask)) };
        return page(app, visit, gone).await;
    };
    let (id, job) = app.jobs.begin();
    let work = tokio::task::spawn_blocking({
        let (app, job) = (Arc::clone(&app), Arc::clone(&job));
        move || carry_out(&app, &preview, &job)
    });
    let _ = tokio::time::timeout(PATIENCE, work).await;
    Redirect::to(&format!("/recovery/job/{id}")).into_response()
}

fn preview_gone(ask: &Ask) -> Problem {
    Problem::new(
        StatusCode::CONFLICT,
        "preview_gone",
        ask.t("web-preview-gone"),
        ask.t("web-preview-gone-next"),
    )
}

/// Saves, restores, and keeps the result.
fn carry_out(app: &App, preview: &Preview, job: &Job) {
    let done = app
        .engine()
        .and_then(|engine| undo::apply(&engine, preview, Confirmation::Web, job))
        .map_err(Problem::from);
    job.finish(done);
    app.live.tell("job");
}

pub(crate) async fn job(State(app): State<Arc<App>>, visit: Visit, Path(id): Path<String>) -> Response {
    page(app, visit, move |ask| {
        let job = ask.app.jobs.find(&id).ok_or_else(|| preview_gone(ask))?;
        Ok(match job.result() {
            None => running(ask, &job),
            Some(done) => match &*done {
                Ok(report) => finished(ask, report),
                Err(problem) => failed(ask, problem),
            },
        })
    })
    .await
}

fn running(ask: &Ask, job: &Job) -> Markup {
    let (done, total) = (job.done.load(Ordering::Relaxed), job.total.load(Ordering::Relaxed));
    let writing = job.writing.load(Ordering::Relaxed);
    let body = html! {
        section.card #job data-live aria-live="polite" {
            h2 { (if writing { ask.t("web-job-writing") } else { ask.t("web-job-saving") }) }
            @if total > 0 { progress value=(done) max=(total) { (done) " / " (total) } } @else { progress {} }
        }
    };
    frame(ask, ask.t("web-job-lead"), "job store", Some(1), body)
}

fn finished(ask: &Ask, report: &UndoReport) -> Markup {
    let result = &report.result;
    let safety = report.safety.id.as_str();
    let number = |length: usize| texts::Value::from(i64::try_from(length).unwrap_or(i64::MAX));
    let counts = [("restored", number(result.restored.len())), ("removed", number(result.removed.len()))];
    let body = html! {
        section.card #job data-live {
            h2 {
                @if report.is_complete() { (tag("good", "✓")) " " (ask.t("web-result-done")) }
                @else { (tag("warn", "!")) " " (ask.t("web-result-partly")) }
            }
            p { (ask.say("web-result-counts", &counts)) }
            @if !result.kept.is_empty() {
                p { (ask.t("web-result-kept")) }
                ul.plain { @for kept in result.kept.iter().take(20) { li { code { (ask.clean(&kept.path.to_string())) } " " span.dim { (ask.clean(&kept.detail)) } } } }
            }
            p.safe { (ask.t("web-result-safety")) " " a href={ "/checkpoint/" (safety) } { code { (safety) } } }
            p.actions {
                a.button href=(link_with("/recovery/preview", &[("to", safety)])) { (ask.t("web-recovery-return")) } " "
                a.button href="/" { (ask.t("web-nav-home")) }
            }
        }
        section.card #lesson {
            h2 { (ask.t("web-result-lesson")) }
            form method="post" action="/lessons/add" {
                (csrf(ask))
                input type="hidden" name="source" value="rollback";
                label { (ask.t("web-lesson-text")) textarea name="text" rows="2" maxlength="500" required {} }
                button type="submit" { (ask.t("web-lesson-keep")) }
            }
        }
    };
    frame(ask, ask.t("web-result-lead"), "", None, body)
}

fn failed(ask: &Ask, problem: &Problem) -> Markup {
    let body = html! {
        section.card #job data-live role="alert" {
            h2 { (tag("bad", "!")) " " (ask.clean(&problem.message)) }
            p { (ask.clean(&problem.next)) }
            p.dim { code { (problem.code) } }
            p.actions { a.button href="/recovery" { (ask.t("web-nav-recovery")) } }
        }
    };
    frame(ask, ask.t("web-result-failed"), "", None, body)
}
