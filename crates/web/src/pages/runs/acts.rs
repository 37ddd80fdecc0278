//! What a person can do with a card: bring it to the project, take it back, do it again, put it away. `previews` shows each first; here it is done,
//! after a yes to exactly what was shown.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use engine::Engine;
use engine::run::fold::Card;
use engine::run::model::CardStatus;
use engine::run::{self, CardOptions, CardPreview, Place, ReplayOptions, Run};
use engine::undo::Confirmation;
use maud::{Markup, html};
use store::Silent;

use crate::app::App;
use crate::ask::{Ask, Visit, on_a_thread};
use crate::error::Problem;
use crate::html::csrf;
use crate::jobs::{Carried, Failed, Job};
use crate::pages::Posted;
use crate::pages::job::PATIENCE;

/// What can be done with a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    Apply,
    Revert,
    Replay,
    Drop,
}

impl Act {
    const ALL: [Self; 4] = [Self::Apply, Self::Revert, Self::Replay, Self::Drop];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Apply => "apply",
            Self::Revert => "revert",
            Self::Replay => "replay",
            Self::Drop => "drop",
        }
    }

    fn from_word(ask: &Ask, word: &str) -> Result<Self, Problem> {
        let unknown = || {
            let (what, next) = (ask.t("web-refused-nothing"), ask.t("web-refused-nothing-next"));
            Problem::new(StatusCode::NOT_FOUND, "not_found", what, next)
        };
        Self::ALL.into_iter().find(|act| act.word() == word).ok_or_else(unknown)
    }

    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Apply => "board-act-apply",
            Self::Revert => "board-act-revert",
            Self::Replay => "board-act-replay",
            Self::Drop => "board-act-drop",
        }
    }

    /// Whether it makes sense for a card as it stands; the engine decides again.
    fn fits(self, card: &Card) -> bool {
        let has_work = card.attempts.iter().any(|attempt| attempt.after.is_some());
        let status = card.status;
        match self {
            Self::Apply => has_work && matches!(status, CardStatus::Preview | CardStatus::Review),
            Self::Revert => has_work && (card.is_in_project() || status == CardStatus::Preview),
            Self::Replay => has_work,
            Self::Drop => {
                !card.attempts.is_empty()
                    && !card.is_in_project()
                    && !matches!(status, CardStatus::Running | CardStatus::Dropped)
            }
        }
    }
}

/// The buttons of a card: what can be done with it as it stands. The first is the one to press.
pub(super) fn buttons(ask: &Ask, run: &Run, card: &Card, attempt: Option<&str>, running: bool) -> Markup {
    html! {
        div.actions {
            @if running { a.button href={ "/runs/" (run.id) "/stop" } { (ask.t("board-stop")) "…" } } @else {
                @for act in Act::ALL.into_iter().filter(|act| act.fits(card)) {
                    form method="post" action={ "/runs/" (run.id) "/" (card.id) "/look" } {
                        (csrf(ask))
                        input type="hidden" name="act" value=(act.word());
                        @if let Some(attempt) = attempt { input type="hidden" name="attempt" value=(attempt); }
                        button type="submit" class=[(act == Act::Apply).then_some("primary")] { (ask.t(act.label())) "…" }
                    }
                }
            }
        }
    }
}

/// What is meant by a form.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    pub(crate) act: Act,
    pub(crate) place: Place,
    /// Files in which the same places were changed otherwise stay as they are.
    pub(crate) leave: bool,
}

impl Wanted {
    pub(super) fn of(ask: &Ask, run: &str, card: &str, posted: &Posted) -> Result<Self, Problem> {
        let act = Act::from_word(ask, posted.needed("act")?)?;
        Self::new(act, run, card, posted.get("attempt"), !posted.get("leave").is_empty())
    }

    pub(crate) fn new(act: Act, run: &str, card: &str, attempt: &str, leave: bool) -> Result<Self, Problem> {
        // Dropping and doing again are about the card; a yes to one attempt of it is for landing and taking back.
        let typed = match (act, attempt) {
            (Act::Apply | Act::Revert, attempt) if !attempt.is_empty() => format!("{run}/{card}/{attempt}"),
            _ => format!("{run}/{card}"),
        };
        Ok(Self { act, place: run::place(&typed)?, leave })
    }

    pub(super) fn card_page(&self) -> String {
        format!("/runs/{}/{}", self.place.run, self.place.card.as_deref().unwrap_or_default())
    }
}

/// What applying or taking back would change.
pub(crate) fn look(engine: &Engine, wanted: &Wanted) -> engine::Result<CardPreview> {
    let options = CardOptions { text: true, leave: wanted.leave, checks: None };
    if wanted.act == Act::Revert {
        run::preview_revert(engine, &wanted.place, &options, &|| false, &Silent)
    } else {
        run::preview_apply(engine, &wanted.place, &options, &|| false, &Silent)
    }
}

/// Does it, after a yes to exactly what was shown.
pub(crate) fn carry_out(
    engine: &Engine,
    wanted: &Wanted,
    digest: &str,
    progress: &dyn store::Progress,
) -> engine::Result<Option<Carried>> {
    Ok(Some(match wanted.act {
        Act::Apply | Act::Revert => {
            let preview = look(engine, wanted)?;
            // A yes is a yes to what was shown, and to nothing else.
            if preview.digest() != digest {
                return Ok(None);
            }
            Carried::Carded(Box::new(if wanted.act == Act::Revert {
                run::revert(engine, &preview, Confirmation::Web, progress)?
            } else {
                run::apply(engine, &preview, Confirmation::Web, progress)?
            }))
        }
        Act::Replay => {
            let options = ReplayOptions { card: wanted.place.card.clone(), ..ReplayOptions::default() };
            Carried::Replayed(Box::new(run::replay(engine, &wanted.place.run, &options, progress)?))
        }
        Act::Drop => Carried::PutAway(Box::new(run::drop_run(engine, &wanted.place, false, progress)?)),
    }))
}

/// A person said yes. The work goes on by itself; a page follows it.
pub(crate) async fn act(
    State(app): State<Arc<App>>,
    visit: Visit,
    Path((run, card)): Path<(String, String)>,
    posted: Posted,
) -> Response {
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let decide = move |ask: &Ask| {
        let (what, next) = (ask.t("web-undo-changed"), ask.t("web-preview-gone-next"));
        let changed = Problem::new(StatusCode::CONFLICT, "changed_since_preview", what, next);
        Ok((Wanted::of(ask, &run, &card, &posted)?, posted.get("digest").to_owned(), changed))
    };
    let answer = on_a_thread(Arc::clone(&app), visit, decide, |wish| {
        let _ = sender.send(wish);
        StatusCode::OK.into_response()
    })
    .await;
    let Ok((wanted, digest, changed)) = receiver.await else { return answer };
    let (id, job) = app.jobs.begin();
    let work = tokio::task::spawn_blocking({
        let app = Arc::clone(&app);
        move || in_a_job(&app, &wanted, &digest, changed, &job)
    });
    let _ = tokio::time::timeout(PATIENCE, work).await;
    Redirect::to(&format!("/runs/job/{id}")).into_response()
}

fn in_a_job(app: &App, wanted: &Wanted, digest: &str, changed: Problem, job: &Job) {
    let again = Some(wanted.card_page());
    let done = app.engine().and_then(|engine| carry_out(&engine, wanted, digest, job));
    job.finish(match done {
        Ok(Some(carried)) => Ok(carried),
        Ok(None) => Err(Failed { problem: changed, second: None, again }),
        Err(error) => {
            let again = matches!(error, engine::Error::ChangedAfterPreview { .. }).then_some(again).flatten();
            Err(Failed { problem: Problem::from(error), second: None, again })
        }
    });
    app.live.tell("job");
}
