//! Permissions: what waits for a yes, with what it would do; what tools may do without asking.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use engine::approvals::{self, Approval};
use engine::grants::{self, Capability, Grant};
use engine::recover;
use maud::{Markup, html};

use super::Posted;
use crate::acts::{Act, wait_for_code};
use crate::app::App;
use crate::ask::{Ask, Visit, form, page};
use crate::error::Problem;
use crate::html::{Nav, Page, ago, button, card, csrf, tag, time};

const HOUR_MS: i64 = 3_600_000;

pub(crate) async fn show(State(app): State<Arc<App>>, visit: Visit) -> Response {
    page(app, visit, render).await
}

/// The message that says what a permission means.
pub(crate) fn about(capability: Capability) -> &'static str {
    match capability {
        Capability::MemorySummaryRead => "web-may-summary",
        Capability::MemoryFullRead => "web-may-memory",
        Capability::MemoryWrite => "web-may-write",
        Capability::RecoveryPreview => "web-may-preview",
        Capability::RecoveryApply => "web-may-recover",
        Capability::CheckpointCreate => "web-may-save",
        Capability::HandoffExport => "web-may-handoff",
        Capability::PatchApply => "web-may-patch",
    }
}

/// A request that waits: who, what, and path by path what it would do.
fn pending(ask: &Ask, approval: &Approval, now_ms: i64) -> Markup {
    let plan = approval.plan.as_deref().and_then(|plan| recover::plan_info(&ask.engine, plan).ok());
    html! {
        p { strong { (ask.clean(&approval.client)) } ": " (ask.t(about(approval.capability))) }
        p { (ask.clean(&approval.summary)) }
        @if let Some(plan) = plan {
            ul.files { @for change in plan.changes.iter().filter(|change| !change.is_folder).take(20) { li {
                @match (change.is_there, change.comes) {
                    (true, true) => (tag("", &ask.t("web-file-changed"))),
                    (false, _) => (tag("good", &ask.t("web-file-back"))),
                    (true, false) => (tag("bad", &ask.t("web-file-gone"))),
                }
                code { (ask.clean(&change.path)) }
            } } }
            @if plan.changes.len() > 20 { p.dim { (ask.say("web-and-more", &[("count", (plan.changes.len() - 20).into())])) } }
        }
        p.dim { code { (approval.id) } " · " (ago(ask, approval.created_ms, now_ms)) " · " (ask.say("web-grant-until", &[("time", time(approval.expires_ms).into())])) }
        div.actions {
            (button(ask, "/permissions/approve", &ask.t("web-pending-yes"), "primary", &[("id", &approval.id)]))
            (button(ask, "/permissions/refuse", &ask.t("web-pending-no"), "", &[("id", &approval.id)]))
        }
    }
}

fn render(ask: &Ask) -> Result<Markup, Problem> {
    let list = grants::list(&ask.engine)?;
    let (now, over): (Vec<&Grant>, Vec<&Grant>) =
        list.grants.iter().partition(|grant| grant.is_in_force(list.now_ms));
    let always = Capability::ALL.into_iter().filter(|capability| !capability.needs_grant());
    let waiting = approvals::pending(&ask.engine);
    let body = html! {
        @if !waiting.is_empty() {
            (card("pending", &ask.t("web-pending"), &html! {
                ul.plain { @for approval in &waiting { li { (pending(ask, approval, list.now_ms)) } } }
            }))
        }
        (card("grants", &ask.t("web-grants"), &html! {
            @if now.is_empty() { p { (tag("good", "✓")) " " (ask.t("web-grants-none")) } }
            ul.plain { @for grant in now { li.row {
                div { strong { (ask.clean(&grant.client)) @if let Some(version) = &grant.version { " " (ask.clean(version)) } }
                    ": " (ask.t(about(grant.capability)))
                    div.dim { (ask.say("web-grant-until", &[("time", time(grant.expires_ms).into())])) }
                }
                (button(ask, "/permissions/revoke", &ask.t("web-grant-revoke"), "danger", &[("id", &grant.id)]))
            } } }
        }))
        (card("new", &ask.t("web-grant-new"), &html! {
            form method="post" action="/permissions/grant" data-inline {
                (csrf(ask))
                div.row {
                    label { (ask.t("web-grant-client")) input name="client" required maxlength="80" autocomplete="off" placeholder="claude-code"; }
                    label { (ask.t("web-grant-what")) select name="capability" {
                        @for capability in Capability::ALL.into_iter().filter(|capability| capability.needs_grant()) {
                            option value=(capability.as_str()) { (ask.t(about(capability))) }
                        }
                    } }
                    label { (ask.t("web-grant-long")) select name="hours" {
                        @for hours in [1_i64, 8, 24, 168] {
                            option value=(hours) selected[hours == 8] { (ask.say("web-grant-hours", &[("count", hours.into())])) }
                        }
                    } }
                }
                button type="submit" { (ask.t("web-grant-give")) }
            }
        }))
        (card("always", &ask.t("web-grant-always"), &html! {
            ul.plain { @for capability in always { li { (ask.t(about(capability))) } } }
        }))
        @if !over.is_empty() {
            (card("ended", &ask.t("web-grant-ended"), &html! {
                ul.plain { @for grant in over.iter().rev().take(20) {
                    li.dim { (ask.clean(&grant.client)) ": " (ask.t(about(grant.capability))) " · " (time(grant.revoked_ms.unwrap_or(grant.expires_ms))) }
                } }
            }))
        }
    };
    let page = Page {
        nav: Nav::Permissions,
        title: ask.t("web-nav-permissions"),
        lead: Some(ask.t("web-permissions-lead")),
        topics: "permissions",
        again: None,
        body,
    };
    Ok(page.render(ask))
}

pub(crate) async fn change(
    State(app): State<Arc<App>>,
    visit: Visit,
    Path(what): Path<String>,
    posted: Posted,
) -> Response {
    form(app, visit, move |ask| {
        let wrong = |code: &str| {
            Problem::new(StatusCode::BAD_REQUEST, code, "this form is not understood", "load the page again")
        };
        match what.as_str() {
            "grant" => {
                let capability =
                    Capability::parse(posted.needed("capability")?).ok_or_else(|| wrong("usage"))?;
                let hours: i64 = posted.needed("hours")?.parse().map_err(|_| wrong("usage"))?;
                let lasts_ms = hours.clamp(1, 24 * 90) * HOUR_MS;
                let client = posted.needed("client")?.to_owned();
                return wait_for_code(ask, Act::Grant { client, capability, lasts_ms });
            }
            "approve" => {
                let approval = approvals::find(&ask.engine, posted.needed("id")?)?;
                return wait_for_code(ask, Act::Approve { id: approval.id, digest: approval.digest });
            }
            "refuse" => approvals::refuse(&ask.engine, posted.needed("id")?)?,
            "revoke" => {
                grants::revoke(&ask.engine, posted.needed("id")?, None)?;
            }
            _ => return Err(wrong("not_found")),
        }
        Ok("/permissions?said=changed".to_owned())
    })
    .await
}
