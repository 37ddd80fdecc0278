//! Recovery: what happened in plain words, the ways back with what each costs, a preview, the state of now saved first, a yes,
//! progress, the result, and the way back to before. All of it is `engine::recover`; this page shows and asks.

use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use engine::Notice;
use engine::diff::{Detail, FileStatus};
use engine::recover::{self, Choice, Choosable, Keep, Pick, Preview, Report};
use engine::undo::Confirmation;
use maud::{Markup, html};
use recovery::Healthy;
use serde::Deserialize;
use store::{Search, Silent};

use super::Posted;
use super::job::PATIENCE;
use crate::app::App;
use crate::ask::{Ask, Visit, page};
use crate::error::Problem;
use crate::html::recover::{finding, loss, names, risk, verdict, way, way_title};
use crate::html::{
    Changes, MOST_TEXT, Nav, Page, View, ago, button, card, csrf, link_with, summary_of_preview, tag,
};
use crate::jobs::{Carried, Failed, Job, Second};
use crate::pages::home::first_line;

/// Moments that are offered.
const CHOICES: usize = 8;

/// What a person says is wrong.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Said {
    #[serde(default)]
    words: String,
}

pub(crate) async fn show(State(app): State<Arc<App>>, visit: Visit, Query(said): Query<Said>) -> Response {
    page(app, visit, move |ask| options(ask, &said.words)).await
}

fn query(ask: &Ask, words: &str) -> recover::Query {
    let words = words.chars().take(500).collect();
    recover::Query { words, tool: ask.tool().to_owned(), ..recover::Query::default() }
}

fn options(ask: &Ask, words: &str) -> Result<Markup, Problem> {
    let report = recover::diagnose(&ask.engine, &query(ask, words), &Silent)?;
    let recent =
        engine::timeline::timeline(&ask.engine, &Search { limit: 400, ..Search::default() }, &Silent)?;
    let can_return = recover::can_return(&ask.engine, &Silent).unwrap_or(false);
    let body = html! {
        form.search method="get" action="/recovery" {
            label { span { (ask.t("web-recovery-words")) }
                input name="words" value=(words) maxlength="300" autocomplete="off" placeholder=(ask.t("web-recovery-words-hint")); }
            button type="submit" { (ask.t("web-recovery-ask")) }
        }
        @if can_return {
            (card("before", &ask.t("web-recovery-return"), &html! {
                p { (ask.t("web-recovery-return-lead")) }
                div.actions { a.button href="/recovery/preview?to=before" { (ask.t("web-recovery-return")) } }
            }))
        }
        (card("happened", &ask.t("common-what-happened"), &happened(ask, &report)))
        (card("ways", &ask.t("common-what-to-do"), &ways(ask, &report, words)))
        @if let Some(drift) = drift(ask, &report, words) { (card("drift", &ask.t("web-recovery-drift"), &drift)) }
        (card("moments", &ask.t("web-recovery-ways"), &html! {
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
                            a.button href=(link_with("/recovery/preview", &[("to", item.checkpoint.id.as_str())])) {
                                (ask.t("web-recovery-look")) span.hidden { " " (item.short_id) }
                            }
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
    framed(ask, lead, topics, again, body).render(ask)
}

fn framed<'p>(ask: &Ask, lead: String, topics: &'p str, again: Option<u32>, body: Markup) -> Page<'p> {
    let title = ask.t("web-nav-recovery");
    Page { nav: Nav::Recovery, title, lead: Some(lead), topics, again, body }
}

fn happened(ask: &Ask, report: &Report) -> Markup {
    let findings = &report.diagnosis.findings;
    let states = crate::html::recover::git_states(ask, report);
    html! {
        @for text in crate::html::recover::understood(ask, report) { p { (text) } }
        @if report.has_history || !report.verdict.reasons.is_empty() { (verdict(ask, &report.verdict, 1, !findings.is_empty())) }
        @match (report.has_history, states.is_empty()) {
            (false, true) => p { (ask.t("recover-no-checkpoint")) },
            (false, false) => p { (ask.say("recover-from-git", &[("states", states.into())])) },
            (true, false) => p { (ask.say("recover-comes-from-git", &[("states", states.into())])) },
            (true, true) => {}
        }
        @match report.diagnosis.healthy {
            Some(healthy) => {
                p { (ask.t(match healthy {
                    Healthy::Unchanged => "recover-healthy-unchanged",
                    Healthy::DocsOnly => "recover-healthy-docs-only",
                    Healthy::ChecksPass => "recover-healthy-checks-pass",
                })) }
                p.dim { (ask.t("recover-try-first")) }
            }
            None => { @if findings.is_empty() && !report.diagnosis.asks_back { p { (ask.t("recover-nothing-found")) } } }
        }
        ul.plain { @for one in findings { li { (finding(ask, one, report.now_ms)) } } }
        @if let Some(what) = &report.git.unfinished { p { (ask.say("recover-git-unfinished", &[("what", ask.clean(what).into())])) } }
        @if let Some(intent) = &report.intent {
            @let id = if intent.stale { "recover-stale-intent" } else { "recover-intent" };
            p.dim { (ask.say(id, &[("intent", first_line(&ask.clean(&intent.text)).into())])) }
        }
    }
}

/// Changed files that may not belong to the work, besides those that come back anyway; a person judges.
fn drift(ask: &Ask, report: &Report, words: &str) -> Option<Markup> {
    let comes_back = |path: &str| {
        report.ways.first().is_some_and(|way| way.restores.iter().any(|restore| restore.path == path))
    };
    let outside: Vec<&str> = report
        .diagnosis
        .zone
        .outside
        .iter()
        .map(|file| file.path.as_str())
        .filter(|path| !comes_back(path))
        .collect();
    (!outside.is_empty()).then(|| {
        html! {
            p { (ask.t("recover-drift-heading")) }
            ul.plain { @for path in outside.iter().take(8) {
                li.row { code { (ask.clean(path)) }
                    div.actions {
                        (button(ask, "/recovery/feedback", &ask.t("web-drift-belongs"), "", &[("path", path), ("words", words), ("right", "0")]))
                        (button(ask, "/recovery/feedback", &ask.t("web-drift-stray"), "", &[("path", path), ("words", words), ("right", "1")]))
                    }
                }
            } }
        }
    })
}

fn ways(ask: &Ask, report: &Report, words: &str) -> Markup {
    html! {
        ol.plain.ways {
            @for one in &report.ways {
                li {
                    div { (way(ask, one, report.now_ms)) }
                    @if !one.restores.is_empty() {
                        a.button.primary[one.number == 1] href=(link_with("/recovery/preview", &[("way", &one.number.to_string()), ("words", words)])) {
                            (ask.t("web-recovery-look")) span.hidden { " " (way_title(ask, one)) }
                        }
                    }
                }
            }
        }
        @if let Some(check) = &report.failing_check {
            p { (ask.say("recover-find-step", &[("command", format!("vib bisect -- {}", ask.clean(check)).into())])) }
        }
        p.dim { (ask.t("recover-unchanged")) }
    }
}

/// Where to go, and which files.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wanted {
    pub(crate) to: String,
    pub(crate) way: Option<u32>,
    pub(crate) words: String,
    pub(crate) paths: Vec<String>,
    /// Only these files and places of it: `src/a.js`, `src/a.js#2`.
    pub(crate) picks: Vec<String>,
}

/// Makes a preview; if it is to be kept, the engine keeps it as a plan for a while. Nothing is changed.
pub(crate) fn look(ask: &Ask, wanted: &Wanted, keep: Keep<'_>) -> Result<Preview, Problem> {
    if wanted.to == "before" {
        return Ok(recover::returning_with(&ask.engine, Detail::TextUpTo(MOST_TEXT), keep, &Silent)?);
    }
    let (query, choice) = meant(ask, wanted);
    Ok(recover::preview_with(&ask.engine, &query, choice, Detail::TextUpTo(MOST_TEXT), keep, &Silent)?)
}

/// In the words of the engine.
fn meant(ask: &Ask, wanted: &Wanted) -> (recover::Query, Choice) {
    let root = ask.engine.project().root();
    let mut query = query(ask, &wanted.words);
    query.picks = Pick::of_words(wanted.picks.iter().map(String::as_str));
    // Paths of a page are relative to the project, wherever the server was started.
    query.files = wanted.paths.iter().map(|path| root.join(PathBuf::from(path))).collect();
    let choice = match wanted.way {
        Some(number) => Choice::Way(usize::try_from(number).unwrap_or(usize::MAX)),
        None if wanted.to.is_empty() && wanted.paths.is_empty() => Choice::Recommended,
        None => {
            query.checkpoint = Some(wanted.to.clone()).filter(|id| !id.is_empty());
            Choice::Named
        }
    };
    (query, choice)
}

/// The same, in a link.
#[derive(Debug, Clone, Default)]
pub(crate) struct Asked {
    to: String,
    way: Option<u32>,
    words: String,
    path: String,
    /// What was ticked, one in each line.
    picks: String,
    view: Option<String>,
}

impl Asked {
    fn wanted(&self) -> Wanted {
        let paths = Some(self.path.clone()).filter(|path| !path.is_empty()).into_iter().collect();
        let picks = self.picks.lines().map(str::to_owned).collect();
        Wanted { to: self.to.clone(), way: self.way, words: self.words.clone(), paths, picks }
    }

    /// Boxes that were ticked come one by one; a link carries them as one value.
    fn linked(values: &[(String, String)]) -> Self {
        let text = |name: &str| {
            values
                .iter()
                .rfind(|(known, _)| known == name)
                .map(|(_, value)| value.clone())
                .unwrap_or_default()
        };
        let ticked: Vec<&str> =
            values.iter().filter(|(name, _)| name == "pick").map(|(_, value)| value.as_str()).collect();
        let picks = if ticked.is_empty() { text("picks") } else { ticked.join("\n") };
        Self {
            to: text("to"),
            way: text("way").parse().ok(),
            words: text("words"),
            path: text("path"),
            picks,
            view: Some(text("view")).filter(|view| !view.is_empty()),
        }
    }

    fn posted(posted: &Posted) -> Self {
        let text = |name: &str| posted.get(name).to_owned();
        let (to, words, path, picks) = (text("to"), text("words"), text("path"), text("picks"));
        Self { to, way: posted.get("way").parse().ok(), words, path, picks, view: None }
    }

    fn link(&self, view: View) -> String {
        let number = self.way.map(|way| way.to_string()).unwrap_or_default();
        let values = [
            ("to", &*self.to),
            ("way", &number),
            ("words", &self.words),
            ("path", &self.path),
            ("picks", &self.picks),
            ("view", view.word()),
        ];
        link_with("/recovery/preview", &values)
    }
}

pub(crate) async fn preview(
    State(app): State<Arc<App>>,
    visit: Visit,
    Query(values): Query<Vec<(String, String)>>,
) -> Response {
    page(app, visit, move |ask| {
        let asked = Asked::linked(&values);
        let preview = look(ask, &asked.wanted(), Keep::No)?;
        let list = if asked.to == "before" {
            Vec::new()
        } else {
            let (query, choice) = meant(ask, &Wanted { picks: Vec::new(), ..asked.wanted() });
            recover::choosable(&ask.engine, &query, choice, &Silent)?
        };
        Ok(show_preview(ask, &asked, &preview, &list))
    })
    .await
}

/// Boxes to tick: which files of a way, and which places of each. (R14)
fn choices(ask: &Ask, asked: &Asked, list: &[Choosable]) -> Markup {
    let several = list.len() > 1 || list.iter().any(|file| !file.places.is_empty());
    if !several {
        return html! {};
    }
    let ticked: Vec<&str> = asked.picks.lines().collect();
    let is_ticked = |word: &str| ticked.is_empty() || ticked.contains(&word);
    let number = asked.way.map(|way| way.to_string()).unwrap_or_default();
    html! {
        details open[!ticked.is_empty()] {
            summary { (ask.t("web-recovery-choose")) }
            form method="get" action="/recovery/preview" {
                @for (name, value) in [("to", &asked.to), ("way", &number), ("words", &asked.words), ("path", &asked.path)] {
                    input type="hidden" name=(name) value=(value);
                }
                ul.plain {
                    @for file in list {
                        @let shown = ask.clean(&file.path);
                        li {
                            @if file.places.is_empty() {
                                label.check { input type="checkbox" name="pick" value=(file.path) checked[is_ticked(&file.path)]; code { (shown) } }
                            } @else {
                                code { (shown) }
                                ul.plain { @for (at, place) in file.places.iter().enumerate() {
                                    @let word = format!("{}#{}", file.path, at + 1);
                                    li { label.check { input type="checkbox" name="pick" value=(word) checked[is_ticked(&word)];
                                        (ask.say("recover-choose-line", &[("line", place.line.into())])) " "
                                        @if let Some(goes) = &place.goes { del { code { (ask.clean(goes)) } } " " }
                                        @if let Some(comes) = &place.comes { ins { code { (ask.clean(comes)) } } }
                                    } }
                                } }
                            }
                        }
                    }
                }
                button type="submit" { (ask.t("web-recovery-choose-show")) }
            }
        }
    }
}

fn show_preview(ask: &Ask, asked: &Asked, preview: &Preview, list: &[Choosable]) -> Markup {
    let view = View::from_word(asked.view.as_deref());
    let number = asked.way.map(|way| way.to_string()).unwrap_or_default();
    let link = |view: View| asked.link(view);
    let title = match asked.to.as_str() {
        "before" => ask.t("web-recovery-return"),
        "" => ask.say("web-preview-files", &[("count", preview.changes.files.len().into())]),
        id => ask.say("web-preview-title", &[("id", id.to_owned().into())]),
    };
    let body = html! {
        (stages(ask))
        section.card #confirm aria-labelledby="confirm-title" {
            h2 #confirm-title { (title) " " (risk(ask, preview.risk)) }
            @if let Some(point) = preview.checkpoints.first() {
                p.dim { (ask.t("web-recovery-state")) " " (ago(ask, point.created_ms, preview.now_ms)) }
            }
            p { (counts(ask, preview)) " " (loss(ask, preview.files_lost, preview.lines_lost, 0)) }
            p.safe { (tag("good", "✓")) " " (ask.t("web-preview-safe")) }
            @if !preview.unsaved.is_empty() {
                p.dim { (ask.say("web-preview-unsaved", &[("count", preview.unsaved.len().into())])) }
            }
            (own_entries(ask, &preview.notices))
            @let left: Vec<String> = preview.left().map(|mend| mend.path.clone()).collect();
            @if !left.is_empty() {
                p { (ask.say("recover-preview-left", &[("files", names(ask, &left, 4).into())])) }
            }
            @if !preview.drift.is_empty() {
                p { (ask.say("recover-preview-drift", &[("files", names(ask, &preview.drift, 4).into())])) }
            }
            @for group in preview.groups.iter().take(3) {
                p { (ask.say("recover-together", &[("path", ask.clean(&group.path).into()), ("files", names(ask, &group.with, 3).into())])) }
            }
            (choices(ask, asked, list))
            form method="post" action="/recovery/apply" {
                (csrf(ask))
                // A look keeps no plan. The yes says what was asked for and what was shown, and makes the plan only if that is the same.
                @for (name, value) in [("to", &asked.to), ("way", &number), ("words", &asked.words), ("path", &asked.path), ("picks", &asked.picks), ("digest", &preview.digest)] {
                    input type="hidden" name=(name) value=(value);
                }
                div.actions {
                    button.primary type="submit" { (ask.t("web-preview-yes")) } " "
                    a.button href="/recovery" { (ask.t("web-preview-no")) }
                }
            }
        }
    };
    let head = html! {
        h2 { (ask.t("web-preview-changes")) }
        (summary_of_preview(ask, &preview.changes, 30))
    };
    let changes =
        Changes { ask, report: &preview.changes, view, here: &link, head, live: false, margin: None };
    // A preview does not change by itself: what is confirmed is what is shown.
    framed(ask, ask.t("web-preview-lead"), "", None, body).render_with(ask, &changes)
}

/// Files in which vib's own part stays as it is, and those that are protected.
pub(super) fn own_entries(ask: &Ask, notices: &[Notice]) -> Markup {
    html! {
        @for notice in notices {
            @match notice {
                Notice::OwnEntriesKept { paths } => {
                    p.dim { (ask.say("recover-own-entries", &[("files", names(ask, paths, 4).into())])) }
                }
                Notice::Protected { paths } => {
                    p { strong { (ask.say("recover-protected", &[("files", names(ask, paths, 8).into())])) } }
                }
                Notice::SettingsUnreadable { paths } => {
                    p.dim { (ask.say("recover-settings-unreadable", &[("files", names(ask, paths, 4).into())])) }
                }
                Notice::CommitsStay { count, newest } => {
                    p { (ask.say("undo-commits-stay", &[("count", (*count).into()), ("commits", newest.join(", ").into())])) }
                }
                _ => {}
            }
        }
    }
}

/// How going back goes on.
pub(super) fn stages(ask: &Ask) -> Markup {
    html! {
        ol.steps {
            li.done { (ask.t("web-step-look")) }
            li aria-current="step" { (ask.t("web-step-confirm")) }
            li { (ask.t("web-step-save")) }
            li { (ask.t("web-step-restore")) }
        }
    }
}

/// How many files change back, come back, and go.
fn counts(ask: &Ask, preview: &Preview) -> String {
    let count = |wanted: fn(&FileStatus) -> bool| {
        texts::Value::from(preview.changes.files.iter().filter(|file| wanted(&file.status)).count())
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

/// A person said yes. The work goes on by itself; a page follows it.
pub(crate) async fn apply(State(app): State<Arc<App>>, visit: Visit, posted: Posted) -> Response {
    let second = Some(posted.get("second").to_owned()).filter(|code| !code.is_empty());
    let decide = move |ask: &Ask| confirmed(ask, &posted);
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let answer = crate::ask::on_a_thread(Arc::clone(&app), visit, decide, |next| match next {
        Next::Job(plan) => {
            let _ = sender.send(plan);
            StatusCode::OK.into_response()
        }
        Next::Again(link) => Redirect::to(&link).into_response(),
    })
    .await;
    let Ok(plan) = receiver.await else { return answer };
    let (id, job) = app.jobs.begin();
    let work = tokio::task::spawn_blocking({
        let app = Arc::clone(&app);
        move || carry_out(&app, &plan, second.as_deref(), &job)
    });
    let _ = tokio::time::timeout(PATIENCE, work).await;
    Redirect::to(&format!("/recovery/job/{id}")).into_response()
}

/// What follows a yes.
enum Next {
    /// This plan is carried out.
    Job(String),
    /// It is no longer what was shown: it is shown again.
    Again(String),
}

/// The plan that was said yes to: one that is kept (a second yes), or the one that is made now, if it is what was shown.
fn confirmed(ask: &Ask, posted: &Posted) -> Result<Next, Problem> {
    let plan = posted.get("plan");
    if !plan.is_empty() {
        return Ok(Next::Job(plan.to_owned()));
    }
    let asked = Asked::posted(posted);
    let made = look(ask, &asked.wanted(), Keep::If(posted.needed("digest")?))?;
    Ok(if made.plan.is_empty() {
        Next::Again(asked.link(View::from_word(None)))
    } else {
        Next::Job(made.plan)
    })
}

/// Saves, restores, and keeps the result.
fn carry_out(app: &App, plan: &str, second: Option<&str>, job: &Job) {
    let done =
        app.engine().and_then(|engine| recover::apply(&engine, plan, Confirmation::Web, second, "web", job));
    job.finish(done.map(|applied| Carried::Recovered(Box::new(applied))).map_err(|error| {
        let second = match &error {
            engine::Error::ChangedAfterPreview { paths, code } => {
                Some(Second { plan: plan.to_owned(), code: code.clone(), paths: paths.clone() })
            }
            _ => None,
        };
        Failed { problem: Problem::from(error), second, again: None }
    }));
    app.live.tell("job");
}

/// A person judges a drift label.
pub(crate) async fn feedback(State(app): State<Arc<App>>, visit: Visit, posted: Posted) -> Response {
    crate::ask::form(app, visit, move |ask| {
        let query = query(ask, posted.get("words"));
        recover::feedback::judge(&ask.engine, &query, posted.needed("path")?, posted.get("right") == "1")?;
        Ok("/recovery?said=changed".to_owned())
    })
    .await
}
