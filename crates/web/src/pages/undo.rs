//! Undo of a step, a request, a file or a function, and redo, in the trusted shape: a look that changes nothing, a yes to exactly what was
//! shown, then `engine::undo`, the same as `vib undo`.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use engine::diff::FileStatus;
use engine::entries::{Entry, EntryKind};
use engine::undo::{
    self, Back, Choices, Confirmation, Conflict, LaterWork, NotByLines, Options, Preview, Target, Why,
};
use maud::{Markup, html};
use store::Silent;

use super::Posted;
use super::job::PATIENCE;
use super::recovery::{own_entries, stages};
use crate::app::App;
use crate::ask::{Ask, Visit, on_a_thread, page};
use crate::error::Problem;
use crate::html::steps;
use crate::html::{Changes, MOST_TEXT, Nav, Page, View, ago, csrf, link_with, summary_of_preview, tag};
use crate::jobs::{Carried, Failed, Job};
use crate::pages::home::first_line;

/// Every conflict is taken back too.
const ALL: &str = "all";
/// Lines of a conflict that are shown.
const LINES: usize = 12;

/// What is to be taken back, as a link or a form says it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wanted {
    /// `s41`, `r12`, `last`, `redo`, or a checkpoint.
    pub(crate) what: String,
    pub(crate) paths: Vec<String>,
    pub(crate) function: String,
    /// Conflicts that are taken back too, by their keys.
    pub(crate) take: Vec<String>,
}

impl Wanted {
    fn from_pairs(pairs: &[(String, String)]) -> Self {
        let all = |name: &str| -> Vec<String> {
            let values = pairs.iter().filter(|(key, value)| key == name && !value.trim().is_empty());
            values.map(|(_, value)| value.trim().to_owned()).collect()
        };
        let last = |name: &str| all(name).pop().unwrap_or_default();
        Self { what: last("what"), paths: all("path"), function: last("function"), take: all("take") }
    }

    fn target(&self) -> Target {
        Target::named(&self.what)
    }

    fn options(&self, ask: &Ask) -> Options {
        let root = ask.engine.project().root();
        let choices = match &self.take[..] {
            [] => Choices::Leave,
            take if take.iter().any(|key| key == ALL) => Choices::Take,
            take => Choices::These(take.iter().cloned().collect::<BTreeSet<_>>()),
        };
        Options {
            // Paths of a page are relative to the project, wherever the server was started.
            paths: self.paths.iter().map(|path| root.join(PathBuf::from(path))).collect(),
            function: Some(self.function.clone()).filter(|name| !name.is_empty()),
            choices,
            again: false,
            text: true,
            most_text: Some(MOST_TEXT),
        }
    }

    fn link(&self, view: View) -> String {
        let mut values = vec![("what", &*self.what), ("function", &self.function)];
        values.extend(self.paths.iter().map(|path| ("path", path.as_str())));
        values.extend(self.take.iter().map(|key| ("take", key.as_str())));
        values.push(("view", view.word()));
        link_with("/undo", &values)
    }

    /// The values that a form has to carry; with the choices only if asked.
    fn hidden(&self, with_choices: bool) -> Markup {
        html! {
            input type="hidden" name="what" value=(self.what);
            @if !self.function.is_empty() { input type="hidden" name="function" value=(self.function); }
            @for path in &self.paths { input type="hidden" name="path" value=(path); }
            @if with_choices { @for key in &self.take { input type="hidden" name="take" value=(key); } }
        }
    }
}

/// Shows what would change. Changes nothing.
pub(crate) fn look(ask: &Ask, wanted: &Wanted) -> Result<Preview, Problem> {
    Ok(undo::preview(&ask.engine, &wanted.target(), &wanted.options(ask), &Silent)?)
}

/// The same, and when nothing can simply be taken back: what could be chosen.
fn look_or_choose(ask: &Ask, wanted: &Wanted) -> Result<(Preview, bool), Problem> {
    let first = undo::preview(&ask.engine, &wanted.target(), &wanted.options(ask), &Silent);
    let Err(engine::Error::NothingToUndo(_)) = &first else { return Ok((first?, true)) };
    if wanted.take.is_empty() {
        let options = Options { choices: Choices::Take, ..wanted.options(ask) };
        if let Ok(preview) = undo::preview(&ask.engine, &wanted.target(), &options, &Silent)
            && !preview.conflicts.is_empty()
        {
            return Ok((preview, false));
        }
    }
    Ok((first?, true))
}

pub(crate) async fn preview(
    State(app): State<Arc<App>>,
    visit: Visit,
    Query(pairs): Query<Vec<(String, String)>>,
) -> Response {
    let wanted = Wanted::from_pairs(&pairs);
    let view = pairs.iter().rfind(|(name, _)| name == "view").map(|(_, view)| view.clone());
    page(app, visit, move |ask| {
        let (preview, possible) = look_or_choose(ask, &wanted)?;
        let view = View::from_word(view.as_deref());
        Ok(if possible {
            shown(ask, &wanted, &preview, view)
        } else {
            only_conflicts(ask, &wanted, &preview)
        })
    })
    .await
}

/// The question, in a few words.
fn title(ask: &Ask, wanted: &Wanted, back: &Back) -> String {
    let named = |id: &str| ask.say(id, &[("what", ask.clean(&wanted.what).into())]);
    match (back, &wanted.paths[..]) {
        (Back::Redo { .. }, _) => ask.t("web-undo-title-redo"),
        (_, [path]) if !wanted.function.is_empty() => {
            let (function, path) = (ask.clean(&wanted.function), ask.clean(path));
            ask.say("web-undo-title-function", &[("function", function.into()), ("path", path.into())])
        }
        (_, [path]) => ask.say("web-undo-title-file", &[("path", ask.clean(path).into())]),
        (Back::Checkpoint { checkpoint }, _) => {
            ask.say("web-preview-title", &[("id", checkpoint.id.to_string().into())])
        }
        _ => match wanted.target() {
            Target::Step(_) => named("web-undo-title-step"),
            Target::Request(_) => named("web-undo-title-request"),
            _ => ask.t("web-undo-title-last"),
        },
    }
}

/// What is taken back.
fn about(ask: &Ask, back: &Back, now_ms: i64) -> Markup {
    match back {
        Back::Checkpoint { checkpoint } => html! {
            p.dim { (ask.t("web-recovery-state")) " " (ago(ask, checkpoint.created_ms, now_ms)) }
        },
        Back::Redo { step, what } => html! {
            p { a href={ "/step/" (step) } { (step) } @if let Some(what) = what { " " (first_line(&ask.clean(what))) } }
        },
        Back::Steps { entries, unsaved } => html! {
            @for entry in entries { (one_entry(ask, entry, now_ms)) }
            @if *unsaved { p { (ask.t("web-undo-unsaved-too")) } }
            p.dim { (ask.t("web-undo-later-stays")) }
        },
    }
}

fn one_entry(ask: &Ask, entry: &Entry, now_ms: i64) -> Markup {
    html! {
        p {
            @match (&entry.request, &entry.steps[..]) {
                (Some(request), _) => {
                    a href={ "/request/" (request.number) } { (request.number) }
                    @if let Some(prompt) = &request.prompt { " “" (first_line(&ask.clean(prompt))) "”" }
                }
                (None, _) if entry.kind == EntryKind::ByHand => (ask.t("web-entry-by-hand")),
                (None, _) => (first_line(&ask.clean(&entry.words()))),
            }
            " · " (ask.say("web-steps", &[("count", entry.steps.len().into())])) " · " (ago(ask, entry.time_ms(), now_ms))
        }
        ul.plain.taken {
            @for step in entry.steps.iter().rev().take(8) {
                li { a href={ "/step/" (step.number) } { code { (steps::what(ask, step)) } } }
            }
            @if entry.steps.len() > 8 { li.dim { (ask.say("web-and-more", &[("count", (entry.steps.len() - 8).into())])) } }
        }
    }
}

fn shown(ask: &Ask, wanted: &Wanted, preview: &Preview, view: View) -> Markup {
    let count = |kind: fn(&FileStatus) -> bool| {
        texts::Value::from(preview.changes.files.iter().filter(|file| kind(&file.status)).count())
    };
    let counts = [
        ("changed", count(|status| !matches!(status, FileStatus::Added | FileStatus::Removed))),
        ("back", count(|status| *status == FileStatus::Added)),
        ("gone", count(|status| *status == FileStatus::Removed)),
    ];
    let redo = matches!(preview.back, Back::Redo { .. });
    let body = html! {
        (stages(ask))
        section.card #confirm aria-labelledby="confirm-title" {
            h2 #confirm-title { (title(ask, wanted, &preview.back)) }
            (about(ask, &preview.back, preview.now_ms))
            p { (ask.say("web-recovery-loss", &counts)) }
            p.safe { (tag("good", "✓")) " " (ask.t("web-preview-safe")) }
            @if !preview.unsaved.is_empty() {
                p.dim { (ask.say("web-preview-unsaved", &[("count", preview.unsaved.len().into())])) }
            }
            (own_entries(ask, &preview.notices))
            form method="post" action="/undo" {
                (csrf(ask))
                (wanted.hidden(true))
                // A look keeps nothing. The yes names what was shown, and is a yes to nothing else.
                input type="hidden" name="digest" value=(preview.digest());
                div.actions {
                    button.primary type="submit" { (ask.t(if redo { "web-redo-yes" } else { "web-preview-yes" })) } " "
                    a.button href="/history" { (ask.t("web-preview-no")) }
                }
            }
        }
        (conflicts(ask, wanted, preview))
    };
    let head = html! {
        h2 { (ask.t("web-preview-changes")) }
        (summary_of_preview(ask, &preview.changes, 30))
    };
    let link = |view: View| wanted.link(view);
    let changes =
        Changes { ask, report: &preview.changes, view, here: &link, head, live: false, margin: None };
    framed(ask, ask.t("web-preview-lead"), body).render_with(ask, &changes)
}

/// Everything was changed again since: nothing is taken back unless a person chooses it.
fn only_conflicts(ask: &Ask, wanted: &Wanted, preview: &Preview) -> Markup {
    let body = html! {
        section.card #confirm {
            h2 { (title(ask, wanted, &preview.back)) }
            (about(ask, &preview.back, preview.now_ms))
            p { (ask.t("web-undo-only-conflicts")) }
            div.actions { a.button href="/history" { (ask.t("web-nav-history")) } }
        }
        (conflicts(ask, wanted, preview))
    };
    framed(ask, ask.t("web-preview-lead"), body).render(ask)
}

/// A preview does not change by itself: what is confirmed is what is shown.
fn framed<'p>(ask: &Ask, lead: String, body: Markup) -> Page<'p> {
    let title = ask.t("web-undo");
    Page { nav: Nav::History, title, lead: Some(lead), topics: "", again: None, body }
}

/// What was changed again since: it stays, unless it is ticked.
fn conflicts(ask: &Ask, wanted: &Wanted, preview: &Preview) -> Markup {
    let all = wanted.take.iter().any(|key| key == ALL);
    html! {
        @if !preview.conflicts.is_empty() {
            section.card #conflicts {
                h2 { (ask.say("web-undo-conflicts", &[("count", preview.conflicts.len().into())])) }
                p { (ask.t("web-undo-conflicts-lead")) }
                form method="get" action="/undo" {
                    (wanted.hidden(false))
                    ul.plain {
                        @for conflict in &preview.conflicts {
                            @let chosen = all || wanted.take.contains(&conflict.key);
                            li { (one_conflict(ask, conflict, chosen)) }
                        }
                    }
                    button type="submit" { (ask.t("web-undo-look-again")) }
                }
            }
        }
    }
}

fn one_conflict(ask: &Ask, conflict: &Conflict, chosen: bool) -> Markup {
    html! {
        p { code { (ask.clean(&conflict.path.to_string())) } " " span.dim { (why(ask, &conflict.why)) } }
        @if let Why::Lines { now, back, .. } = &conflict.why {
            div.scroll tabindex="0" role="region" aria-label=(ask.clean(&conflict.path.to_string())) {
                table.diff.unified { tbody {
                    @for (class, sign, text) in [("minus", "−", now), ("plus", "+", back)] {
                        @for line in ask.clean(text).lines().take(LINES) {
                            tr { td class={ "code " (class) } { span.sign { (sign) } (line) } }
                        }
                    }
                } }
            }
        }
        @if !matches!(conflict.why, Why::NotKept) {
            label.check { input type="checkbox" name="take" value=(conflict.key) checked[chosen]; (ask.t("web-undo-take")) }
        }
    }
}

/// Why something cannot simply be taken back.
pub(super) fn why(ask: &Ask, why: &Why) -> String {
    match why {
        Why::Lines { line, since, .. } => {
            let id = match since {
                LaterWork::Changed => "web-why-lines",
                LaterWork::Gone => "web-why-lines-gone",
                LaterWork::Beside => "web-why-lines-beside",
                LaterWork::PutIn => "web-why-lines-put-in",
            };
            ask.say(id, &[("line", (*line).into())])
        }
        Why::MadeAndChangedSince { places } => match places.first() {
            Some((line, _)) => ask.say("web-why-made-line", &[("line", (*line).into())]),
            None => ask.t("web-why-made"),
        },
        Why::RemovedAndMadeAgain => ask.t("web-why-removed"),
        Why::WholeFile { because: NotByLines::Binary } => ask.t("web-why-whole"),
        Why::WholeFile { because: NotByLines::TooLong } => ask.t("web-why-whole-long"),
        Why::WholeFile { because: NotByLines::NoFile } => ask.t("web-why-whole-kind"),
        Why::Shared { steps, .. } => {
            let steps: Vec<String> = steps.iter().map(ToString::to_string).collect();
            ask.say("web-shared", &[("steps", steps.join(", ").into())])
        }
        Why::NotKept => ask.t("web-why-not-kept"),
    }
}

/// What follows a yes.
enum Next {
    /// This is done.
    Job(Box<Preview>),
    /// It is no longer what was shown: it is shown again.
    Again(String),
}

/// A person said yes. The work goes on by itself; a page follows it.
pub(crate) async fn apply(State(app): State<Arc<App>>, visit: Visit, posted: Posted) -> Response {
    let wanted = Wanted::from_pairs(posted.pairs());
    let again = wanted.link(View::from_word(None));
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let decide = move |ask: &Ask| {
        let digest = posted.needed("digest")?;
        let preview = look(ask, &wanted)?;
        let same = preview.digest() == digest;
        Ok(if same { Next::Job(Box::new(preview)) } else { Next::Again(wanted.link(View::from_word(None))) })
    };
    let answer = on_a_thread(Arc::clone(&app), visit, decide, |next| match next {
        Next::Job(preview) => {
            let _ = sender.send(preview);
            StatusCode::OK.into_response()
        }
        Next::Again(link) => Redirect::to(&link).into_response(),
    })
    .await;
    let Ok(preview) = receiver.await else { return answer };
    let (id, job) = app.jobs.begin();
    let work = tokio::task::spawn_blocking({
        let app = Arc::clone(&app);
        move || carry_out(&app, &preview, again, &job)
    });
    let _ = tokio::time::timeout(PATIENCE, work).await;
    Redirect::to(&format!("/undo/job/{id}")).into_response()
}

/// Saves, writes, and keeps the result.
fn carry_out(app: &App, preview: &Preview, again: String, job: &Job) {
    let done = app.engine().and_then(|engine| undo::apply(&engine, preview, Confirmation::Web, job));
    job.finish(done.map(|report| Carried::Undone(Box::new(report))).map_err(|error| {
        let again = matches!(error, engine::Error::ChangedAfterPreview { .. }).then_some(again);
        Failed { problem: Problem::from(error), second: None, again }
    }));
    app.live.tell("job");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_link_says_is_what_a_form_sends() {
        let pairs = [("what", "s4"), ("path", "a b"), ("take", "x 1"), ("take", "y 2"), ("view", "split")];
        let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let wanted = Wanted::from_pairs(&pairs);
        assert_eq!(wanted.target(), Target::Step(store::StepNumber(4)));
        assert_eq!(wanted.link(View::Split), "/undo?what=s4&path=a%20b&take=x%201&take=y%202&view=split");
        let form = wanted.hidden(true).into_string();
        for value in ["value=\"s4\"", "value=\"a b\"", "value=\"x 1\"", "value=\"y 2\""] {
            assert!(form.contains(value), "{form}");
        }
        assert!(!wanted.hidden(false).into_string().contains("take"));
    }
}
