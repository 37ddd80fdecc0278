//! Audit: the rules that may never break, the measures, and the newest rows.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use engine::audit::{self, Metric, Outcome, Slo, Verdict};
use maud::{Markup, html};

use crate::app::App;
use crate::ask::{Ask, Visit, page};
use crate::error::Problem;
use crate::html::{Nav, Page, card, meter, tag};

/// Rows that are listed.
const ROWS: usize = 40;

pub(crate) async fn show(State(app): State<Arc<App>>, visit: Visit) -> Response {
    page(app, visit, render).await
}

fn render(ask: &Ask) -> Result<Markup, Problem> {
    let slo = audit::slo(&ask.engine, None)?;
    let metrics = audit::metrics(&ask.engine, None)?;
    let log = audit::show(&ask.engine, ROWS)?;
    let most = metrics.events.values().copied().max().unwrap_or(1).max(1);
    let body = html! {
        (card("slo", &ask.t("web-audit-slo"), &html! {
            p.big { (verdict(ask, slo.result)) }
            p.dim { (day(&slo.window_start)) " – " (day(&slo.window_end)) " · " (ask.say("web-audit-rows", &[("count", i64::try_from(slo.rows).unwrap_or(i64::MAX).into())])) }
            ul.plain { @for slo in &slo.slos { li { (verdict(ask, slo.result)) " " (rule(ask, slo))
                div.dim { (ask.say("web-audit-evidence", &[("count", i64::try_from(slo.sample_count).unwrap_or(i64::MAX).into()), ("broken", i64::try_from(slo.occurrences).unwrap_or(i64::MAX).into())])) } } } }
            @if !slo.damage.is_empty() { p.warn-text { (ask.say("web-audit-damage", &[("count", (slo.damage.len() as i64).into())])) } }
        }))
        (card("metrics", &ask.t("web-audit-metrics"), &html! {
            ul.plain { @for metric in &metrics.metrics { li { (measure(ask, metric)) } } }
        }))
        (card("events", &ask.t("web-audit-events"), &html! {
            @if metrics.events.is_empty() { p.dim { (ask.t("web-audit-none")) } }
            ul.plain { @for (name, count) in &metrics.events {
                @let label = event(ask, name);
                li { div.row { span { (label) } span.dim { (count) } } (meter(*count as f64 / most as f64, true, &format!("{label}: {count}"))) }
            } }
        }))
        (card("rows", &ask.t("web-audit-newest"), &html! {
            div.scroll tabindex="0" role="region" aria-label=(ask.t("web-audit-newest")) {
                table.list {
                    thead { tr { th { "#" } th { (ask.t("web-fact-when")) } th { (ask.t("web-audit-what")) } th { (ask.t("web-fact-tool")) } th { (ask.t("web-audit-result")) } } }
                    tbody { @for stored in log.rows.iter().rev() {
                        tr {
                            td { (stored.sequence_number) }
                            td { (stored.timestamp.get(..19).unwrap_or_default().replace('T', " ")) }
                            td { (event(ask, &word(&stored.row.event))) }
                            td { (ask.clean(&stored.row.tool)) }
                            td { (outcome(ask, stored.row.result)) }
                        }
                    } }
                }
            }
        }))
    };
    let page = Page {
        nav: Nav::Audit,
        title: ask.t("web-nav-audit"),
        lead: Some(ask.t("web-audit-lead")),
        topics: "audit",
        again: None,
        body,
    };
    Ok(page.render(ask))
}

fn day(time: &str) -> &str {
    time.get(..10).unwrap_or(time)
}

fn word(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

fn verdict(ask: &Ask, verdict: Verdict) -> Markup {
    match verdict {
        Verdict::Pass => tag("good", &ask.t("web-verdict-pass")),
        Verdict::Fail => tag("bad", &ask.t("web-verdict-fail")),
        Verdict::NeedsReview => tag("warn", &ask.t("web-verdict-review")),
        Verdict::Rejected => tag("bad", &ask.t("web-verdict-rejected")),
    }
}

fn rule(ask: &Ask, slo: &Slo) -> String {
    match slo.slo_id {
        "sandwich_enforcement" => ask.t("web-slo-sandwich"),
        "memory_as_instruction" => ask.t("web-slo-instruction"),
        "unredacted_mcp_leak" => ask.t("web-slo-leak"),
        "drift_on_confirmed_intent" => ask.t("web-slo-drift"),
        "stale_intent_as_current" => ask.t("web-slo-stale"),
        _ => slo.about.to_owned(),
    }
}

fn measure(ask: &Ask, metric: &Metric) -> Markup {
    let about = match metric.id {
        "recovery_quality" => ask.t("web-metric-recovery"),
        "handoff_speed" => ask.t("web-metric-handoff"),
        "trigger_usefulness" => ask.t("web-metric-trigger"),
        "zone_accuracy" => ask.t("web-metric-zone"),
        "mcp_adoption" => ask.t("web-metric-mcp"),
        "finished_with_open_gates" => ask.t("web-metric-open-gates"),
        "blocks_that_led_to_a_fix" => ask.t("web-metric-blocks-fixed"),
        "blocks_overridden" => ask.t("web-metric-blocks-overridden"),
        _ => metric.about.to_owned(),
    };
    let value = match (metric.value, metric.unit) {
        (None, _) => ask.t("web-metric-nothing"),
        (Some(value), "share") => format!("{:.0} %", value * 100.0),
        (Some(value), _) => format!("{value:.1}"),
    };
    html! {
        div.row { span { (about) } strong { (value) } }
        @if let (Some(share), "share") = (metric.value, metric.unit) {
            (meter(share, metric.met.unwrap_or(true), &format!("{about}: {value}")))
        }
        div.dim { (ask.say("web-metric-samples", &[("count", i64::try_from(metric.samples).unwrap_or(i64::MAX).into()), ("target", metric.target.into())]))
            @match metric.met { Some(true) => { " " (tag("good", "✓")) } Some(false) => { " " (tag("warn", "!")) } None => {} }
        }
    }
}

fn event(ask: &Ask, name: &str) -> String {
    match name {
        "memory_summary_read" => ask.t("web-event-summary"),
        "memory_full_read" => ask.t("web-event-full"),
        "memory_write" => ask.t("web-event-write"),
        "recovery_preview" => ask.t("web-event-preview"),
        "recovery_apply" => ask.t("web-event-apply"),
        "checkpoint_create" => ask.t("web-event-checkpoint"),
        "handoff_export" => ask.t("web-event-handoff"),
        "patch_apply" => ask.t("web-event-patch"),
        "trigger" => ask.t("web-event-trigger"),
        "drift_feedback" => ask.t("web-event-drift"),
        "gate_rescan" => ask.t("web-event-rescan"),
        other => other.replace('_', " "),
    }
}

fn outcome(ask: &Ask, outcome: Outcome) -> Markup {
    match outcome {
        Outcome::Success => tag("good", &ask.t("web-outcome-success")),
        Outcome::Denied => tag("", &ask.t("web-outcome-denied")),
        Outcome::Aborted => tag("warn", &ask.t("web-outcome-aborted")),
        Outcome::Busy => tag("warn", &ask.t("web-outcome-busy")),
        Outcome::Failed | Outcome::Unknown => tag("bad", &ask.t("web-outcome-failed")),
    }
}
