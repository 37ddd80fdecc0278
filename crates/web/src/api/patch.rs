//! `POST /api/patch/diff`: the edits of a model, previewed or applied.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use engine::Error;
use engine::audit::{self, ConfirmedVia, Event, Outcome, Parameters, Row};
use engine::may::Actor;
use engine::patch::{self, PatchReport, PatchRequest};
use engine::undo::Confirmation;
use serde_json::{Value, json};
use store::Silent;

use super::extract::Sent;
use crate::app::App;
use crate::ask::{Ask, Visit, on_a_thread};
use crate::error::Problem;

/// The answer is the report, with `error` beside it: `ok` false means that nothing was written.
pub(super) async fn apply(
    State(app): State<Arc<App>>,
    visit: Visit,
    Sent(request): Sent<PatchRequest>,
) -> Response {
    on_a_thread(
        app,
        visit,
        move |ask| work(ask, &request),
        |(status, body)| (status, axum::Json(body)).into_response(),
    )
    .await
}

fn work(ask: &Ask, request: &PatchRequest) -> Result<(StatusCode, Value), Problem> {
    let done = run(ask, request);
    if !request.preview {
        let outcome = match &done {
            Ok(report) if report.applied => Outcome::Success,
            Ok(_) => Outcome::Denied,
            Err(error) if error.exit_code() == 1 => Outcome::Denied,
            Err(_) => Outcome::Failed,
        };
        let mut row = Row::new(Event::PatchApply, ask.tool(), outcome);
        row.parameters = Some(Parameters::Typed);
        row.confirmed_via =
            Some(if ask.visit.visitor.is_person() { ConfirmedVia::Web } else { ConfirmedVia::Flag });
        if let Ok(report) = &done {
            row.sandwich_checkpoint_id = report.snapshot_id.clone();
            row.paths_count.total = report.changes.len() as u64;
        }
        audit::record(&ask.engine, &row)?;
    }
    match done {
        Ok(report) => {
            let refused = report.first_refusal().filter(|_| !report.ok);
            let error = refused.map(|(code, message, next)| {
                json!({"code": code, "message": ask.clean(&message), "next": ask.clean(&next)})
            });
            let status = if report.ok { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
            let mut body = ask.json(&report);
            body["error"] = error.unwrap_or(Value::Null);
            Ok((status, body))
        }
        Err(error) => {
            let problem = Problem::from(error);
            let mut body = ask.json(&PatchReport::default());
            body["error"] = json!({"code": problem.code, "message": ask.clean(&problem.message), "next": ask.clean(&problem.next)});
            Ok((problem.status, body))
        }
    }
}

fn run(ask: &Ask, request: &PatchRequest) -> engine::Result<PatchReport> {
    // The token lies in a file that an agent can read too.
    let is_person = ask.visit.visitor.is_person();
    let actor = if is_person { Actor::Person } else { Actor::Agent };
    let mut preview =
        patch::preview(&ask.engine, actor, request.diff.as_bytes(), &request.options(), &Silent)?;
    if request.preview || !preview.is_applicable() {
        if request.preview {
            patch::note_preview(&ask.engine, &mut preview);
        }
        return Ok(preview.report);
    }
    if is_person
        && let Some(guarded) = preview.guarded().next()
        && request.confirm.as_deref() != Some(preview.digest().as_str())
    {
        return Err(Error::PatchRefused {
            code: "needs_confirmation",
            message: format!(
                "`{}` {}: it is changed only after a yes to exactly this",
                guarded.path, guarded.message
            ),
            next: "preview it, show what is guarded, and send `confirm` of the preview with it".to_owned(),
        });
    }
    let confirmed = if is_person { Confirmation::Web } else { Confirmation::Flag };
    patch::apply(&ask.engine, &preview, confirmed, &Silent)
}
