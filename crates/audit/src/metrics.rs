//! How useful vib is: shares and times with a target each, from counts on this machine only.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::read;
use crate::retention::word;
use crate::row::{Event, Outcome, Stored, TriggerAction, timestamp};
use crate::{AuditLog, Result};

/// Below this many suggestions in a week nothing is concluded.
const FEWEST_TRIGGERS: u64 = 15;

/// A larger share of ignored suggestions means that they are noise.
const MOST_IGNORED: f64 = 0.3;

/// A patch this long after a hand-off has nothing to do with it any more.
const LONGEST_HANDOFF_MS: i64 = 24 * 3_600_000;

/// One measure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Metric {
    /// Stable id.
    pub id: &'static str,
    /// What is measured.
    pub about: &'static str,
    /// The value; `None`: nothing to measure yet.
    pub value: Option<f64>,
    /// What it counts: `share`, `minutes` or `tools`.
    pub unit: &'static str,
    /// From so many cases.
    pub samples: u64,
    /// The bar.
    pub target: &'static str,
    /// Whether the bar is met; `None`: too little to say.
    pub met: Option<bool>,
}

/// All measures over a window.
#[derive(Debug, Serialize)]
pub struct MetricsReport {
    /// First moment of the window.
    pub window_start: String,
    /// Last moment of the window.
    pub window_end: String,
    /// The measures.
    pub metrics: Vec<Metric>,
    /// Recoveries by level.
    pub recovery_levels: BTreeMap<u8, u64>,
    /// Rows by event.
    pub events: BTreeMap<String, u64>,
}

/// An edit that an agent made with its own tools: when, and in which session. They are no rows of this log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentEdit {
    /// Milliseconds since 1970.
    pub time_ms: i64,
    /// The session.
    pub session: String,
}

/// Measures the last `days` days; `None`: as many as the settings say. `edits` are those of agents, in order of time.
pub(crate) fn metrics(audit: &AuditLog<'_>, days: Option<u64>, edits: &[AgentEdit]) -> Result<MetricsReport> {
    let days = days.unwrap_or_else(|| audit.project.config().number("audit.window_days"));
    let end_ms = audit.context.now_ms();
    let day = 86_400_000;
    let start_ms = end_ms.saturating_sub(i64::try_from(days).unwrap_or(i64::MAX).saturating_mul(day));
    let log = read::read(audit)?;
    let rows: Vec<&Stored> = log.since(start_ms).iter().map(|(_, row)| row).collect();
    let mut recovery_levels = BTreeMap::new();
    let mut events: BTreeMap<String, u64> = BTreeMap::new();
    for stored in &rows {
        *events.entry(word(&stored.row.event)).or_default() += 1;
        let applied = stored.row.event == Event::RecoveryApply && stored.row.result == Outcome::Success;
        if let Some(level) =
            stored.row.recovery_level.filter(|_| applied || stored.row.event == Event::RecoveryPreview)
        {
            *recovery_levels.entry(level).or_default() += 1;
        }
    }
    let week: Vec<&Stored> = log.since(end_ms.saturating_sub(7 * day)).iter().map(|(_, row)| row).collect();
    Ok(MetricsReport {
        window_start: timestamp(start_ms),
        window_end: timestamp(end_ms),
        metrics: vec![
            recovery_quality(&recovery_levels),
            handoff_speed(&rows, edits),
            trigger_usefulness(&week),
            zone_accuracy(&rows),
            mcp_adoption(&rows),
            finished_with_open_gates(&rows),
            blocks_that_led_to_a_fix(&rows),
            blocks_overridden(&rows),
        ],
        recovery_levels,
        events,
    })
}

/// What became of the suggestions of the last 7 days.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct TriggerWeek {
    /// Followed.
    pub accepted: u64,
    /// Refused.
    pub dismissed: u64,
    /// Put off.
    pub snoozed: u64,
    /// Left without an answer until the session ended.
    pub ignored: u64,
    /// The share that was ignored; none if there was none at all.
    pub ignored_rate: Option<f64>,
    /// Suggestions from which on something is concluded from that.
    pub fewest: u64,
    /// There are enough of them, and more than 30 % were ignored: they are noise.
    pub too_many_ignored: bool,
}

/// Counts what became of the suggestions of the last 7 days.
pub(crate) fn trigger_week(audit: &AuditLog<'_>) -> Result<TriggerWeek> {
    let log = read::read(audit)?;
    let since = audit.context.now_ms().saturating_sub(7 * 86_400_000);
    let mut week = TriggerWeek { fewest: FEWEST_TRIGGERS, ..TriggerWeek::default() };
    for (_, stored) in log.since(since) {
        match stored.row.trigger.as_ref().map(|trigger| trigger.action) {
            Some(TriggerAction::Accepted) => week.accepted += 1,
            Some(TriggerAction::Dismissed) => week.dismissed += 1,
            Some(TriggerAction::Snoozed) => week.snoozed += 1,
            Some(TriggerAction::Ignored) => week.ignored += 1,
            Some(TriggerAction::Shown | TriggerAction::Unknown) | None => {}
        }
    }
    let all = week.accepted + week.dismissed + week.snoozed + week.ignored;
    week.ignored_rate = share(week.ignored, all);
    week.too_many_ignored =
        all >= FEWEST_TRIGGERS && week.ignored_rate.is_some_and(|rate| rate > MOST_IGNORED);
    Ok(week)
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn recovery_quality(levels: &BTreeMap<u8, u64>) -> Metric {
    let all: u64 = levels.values().sum();
    let gentle: u64 = levels.range(..=2).map(|(_, count)| count).sum();
    let value = share(gentle, all);
    Metric {
        id: "recovery_quality",
        about: "recoveries that needed no full rollback (levels 0 to 2)",
        value,
        unit: "share",
        samples: all,
        target: "50 % or more",
        met: value.map(|value| value >= 0.5),
    }
}

/// From a hand-off to the first change of the next AI: a patch, or an edit of a session that had changed nothing before the hand-off.
fn handoff_speed(rows: &[&Stored], edits: &[AgentEdit]) -> Metric {
    let done: Vec<(Event, i64)> = rows
        .iter()
        .filter(|stored| stored.row.result == Outcome::Success)
        .filter_map(|stored| Some((stored.row.event, stored.time_ms()?)))
        .collect();
    let handed: Vec<i64> =
        done.iter().filter(|(event, _)| *event == Event::HandoffExport).map(|(_, time)| *time).collect();
    let mut minutes = Vec::new();
    for (at, since) in handed.iter().enumerate() {
        // Until the next hand-off, if there is one: what comes after that is its own.
        let until =
            handed.get(at + 1).copied().unwrap_or(i64::MAX).min(since.saturating_add(LONGEST_HANDOFF_MS));
        let within = |time: i64| time >= *since && time < until;
        let patch = done
            .iter()
            .find(|(event, time)| *event == Event::PatchApply && within(*time))
            .map(|(_, time)| *time);
        let worked: BTreeSet<&str> =
            edits.iter().filter(|edit| edit.time_ms < *since).map(|edit| edit.session.as_str()).collect();
        let edit = edits
            .iter()
            .filter(|edit| within(edit.time_ms) && !worked.contains(edit.session.as_str()))
            .map(|edit| edit.time_ms)
            .min();
        if let Some(first) = patch.into_iter().chain(edit).min() {
            minutes.push((first - since) as f64 / 60_000.0);
        }
    }
    minutes.sort_by(f64::total_cmp);
    let value = match minutes.len() {
        0 => None,
        count if count % 2 == 1 => Some(minutes[count / 2]),
        count => Some(f64::midpoint(minutes[count / 2 - 1], minutes[count / 2])),
    };
    Metric {
        id: "handoff_speed",
        about: "median time from a hand-off to the next AI's first change",
        value,
        unit: "minutes",
        samples: minutes.len() as u64,
        target: "under 5 minutes",
        met: value.map(|value| value < 5.0),
    }
}

fn trigger_usefulness(week: &[&Stored]) -> Metric {
    let count = |wanted: &[TriggerAction]| {
        let actions =
            week.iter().filter_map(|stored| stored.row.trigger.as_ref()).map(|trigger| trigger.action);
        actions.filter(|action| wanted.contains(action)).count() as u64
    };
    let answered = count(&[TriggerAction::Accepted, TriggerAction::Dismissed]);
    let all = answered + count(&[TriggerAction::Ignored, TriggerAction::Snoozed]);
    let value = share(answered, all);
    Metric {
        id: "trigger_usefulness",
        about: "suggestions accepted or dismissed, of the last 7 days",
        value,
        unit: "share",
        samples: all,
        target: "70 % or more, from 15 suggestions on",
        met: value.filter(|_| all >= FEWEST_TRIGGERS).map(|value| value >= 0.7),
    }
}

fn zone_accuracy(rows: &[&Stored]) -> Metric {
    let feedback = || rows.iter().filter_map(|stored| stored.row.drift_feedback);
    let correct: u64 = feedback().map(|feedback| feedback.correct).sum();
    let all = correct + feedback().map(|feedback| feedback.incorrect).sum::<u64>();
    let value = share(correct, all);
    Metric {
        id: "zone_accuracy",
        about: "drift candidates that a person confirmed",
        value,
        unit: "share",
        samples: all,
        target: "80 % or more; below, labelling switches itself off",
        met: value.map(|value| value >= 0.8),
    }
}

fn mcp_adoption(rows: &[&Stored]) -> Metric {
    let tools: BTreeSet<&str> = rows
        .iter()
        .filter(|stored| matches!(stored.row.event, Event::MemorySummaryRead | Event::RecoveryPreview))
        .map(|stored| stored.row.tool.as_str())
        .filter(|tool| !matches!(*tool, "cli" | "web" | "vib" | "withheld"))
        .collect();
    let samples = tools.len() as u64;
    Metric {
        id: "mcp_adoption",
        about: "other tools that read memory or asked for a recovery preview",
        value: (samples > 0).then_some(samples as f64),
        unit: "tools",
        samples,
        target: "2 or more",
        met: (samples > 0).then_some(samples >= 2),
    }
}

/// How the turns went that were stopped because something was open: put right, let go all the same, overridden by the person.
fn stops(rows: &[&Stored]) -> (u64, u64, u64) {
    let count = |event: Event, outcome: Outcome| {
        rows.iter().filter(|stored| stored.row.event == event && stored.row.result == outcome).count() as u64
    };
    let gate = |outcome: Outcome| count(Event::StopGate, outcome);
    (gate(Outcome::Success), gate(Outcome::Failed), gate(Outcome::Aborted))
}

fn finished_with_open_gates(rows: &[&Stored]) -> Metric {
    let warned = rows.iter().filter(|stored| stored.row.event == Event::StopWarning).count() as u64;
    let turns = stops(rows).1 + warned;
    Metric {
        id: "finished_with_open_gates",
        about: "turns that an agent called done while something was open",
        value: (turns > 0).then_some(turns as f64),
        unit: "turns",
        samples: turns,
        target: "none",
        met: (turns > 0).then_some(false),
    }
}

fn blocks_that_led_to_a_fix(rows: &[&Stored]) -> Metric {
    let (fixed, released, overridden) = stops(rows);
    let all = fixed + released + overridden;
    let value = share(fixed, all);
    Metric {
        id: "blocks_that_led_to_a_fix",
        about: "turns that were not let end, after which it was put right",
        value,
        unit: "share",
        samples: all,
        target: "50 % or more",
        met: value.map(|value| value >= 0.5),
    }
}

fn blocks_overridden(rows: &[&Stored]) -> Metric {
    let (fixed, released, overridden) = stops(rows);
    let all = fixed + released + overridden;
    let value = share(overridden, all);
    Metric {
        id: "blocks_overridden",
        about: "turns that were not let end, and the person said that it is fine as it is",
        value,
        unit: "share",
        samples: all,
        target: "under 20 %; above, the gates are too strict",
        met: value.map(|value| value < 0.2),
    }
}
