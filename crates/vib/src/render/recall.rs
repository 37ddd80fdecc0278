//! What was found in memory.

use engine::learning::{Factors as Policy, PolicyLog, Reverted};
use engine::recall::{Found, RecallReport};

use super::words::{ago, count, notices};
use crate::theme::{Theme, paint};

/// `vib memory recall`
pub(crate) fn recalled(report: &RecallReport, theme: &Theme) -> String {
    let mut out = String::new();
    if report.found.is_empty() {
        let hint = match report.memories {
            0 => "Nothing is remembered yet. `vib memory decide TEXT` notes a decision.",
            _ => "No memory fits that. Other words may help; `vib memory show` shows what is known now.",
        };
        out.push_str(&format!("{hint}\n"));
    }
    for found in &report.found {
        out.push_str(&one(found, report.now_ms, theme));
    }
    if report.not_looked_at > 0 {
        out.push_str(&format!(
            "{} another vib is just reading in a long log; ask again in a moment to search all of it.\n",
            paint(theme.warning, "note:")
        ));
    }
    out.push_str(&notices(&report.notices, theme));
    out
}

fn one(found: &Found, now_ms: i64, theme: &Theme) -> String {
    let who = match (found.source.how, found.source.by.as_deref()) {
        ("explicit", Some(by)) => format!("said through {by}"),
        ("explicit", None) => "said by you".to_owned(),
        ("imported", _) => "from another tool's file".to_owned(),
        (_, Some(by)) => format!("seen with {by}"),
        (_, None) => "seen".to_owned(),
    };
    let mut facts = vec![found.kind.replace('_', " "), ago(found.time_ms, now_ms), who];
    if found.scope != "project" {
        facts.push(found.scope.clone());
    }
    if !found.paths.is_empty() {
        let more = found.more_paths + found.paths.len().saturating_sub(3);
        let mut paths = found.paths.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
        if more > 0 {
            paths.push_str(&format!(" and {more} more"));
        }
        facts.push(paths);
    }
    let text = found.text.trim().replace('\n', "\n  ");
    let mut out = format!("{text}\n  {}\n", paint(theme.dim, facts.join(", ")));
    if let Some(doubt) = &found.unverified {
        out.push_str(&format!("  {} {doubt}\n", paint(theme.warning, "unverified:")));
    }
    if !found.why.is_empty() {
        out.push_str(&format!("  {}\n", paint(theme.dim, format!("why: {}", found.why.join("; ")))));
    }
    out
}

/// `vib memory policy log`
pub(crate) fn policies(report: &PolicyLog, theme: &Theme) -> String {
    let mut out = String::new();
    for entry in &report.policies {
        let state = match &entry.reverted {
            Some(why) => paint(theme.warning, format!("taken back ({why})")),
            None if entry.policy.number == report.in_force => paint(theme.added, "in force"),
            None => paint(theme.dim, "replaced"),
        };
        let evidence = entry.evidence;
        out.push_str(&format!(
            "{}  {}, {state}\n  {}\n  of use: {:.1} % before, {:.1} % with it, in {} questions that it was not chosen on\n",
            paint(theme.strong, format!("policy {}", entry.policy.number)),
            ago(entry.time_ms, report.now_ms),
            factors(&entry.policy),
            evidence.before * 100.0,
            evidence.after * 100.0,
            evidence.examples,
        ));
    }
    if report.policies.is_empty() {
        out.push_str(&format!(
            "Nothing was learned yet: the built-in weights count. {} with a known outcome so far.\n",
            count(report.examples as u64, "question")
        ));
    }
    out
}

fn factors(policy: &Policy) -> String {
    let named = [
        ("files", policy.paths),
        ("neighbours", policy.near),
        ("sessions", policy.session),
        ("age", policy.recency),
        ("importance", policy.importance),
    ];
    let mut parts: Vec<String> = named
        .into_iter()
        .filter(|(_, factor)| (factor - 1.0).abs() > 0.001)
        .map(|(name, factor)| format!("{name} × {factor:.2}"))
        .collect();
    parts.extend(
        policy.lifts.iter().map(|(class, factor)| format!("{} × {factor:.2}", class.replace('_', " "))),
    );
    if parts.is_empty() { "the built-in weights".to_owned() } else { parts.join(", ") }
}

/// `vib memory policy revert`
pub(crate) fn policy_reverted(report: &Reverted, _theme: &Theme) -> String {
    let now = match report.in_force {
        0 => "the built-in weights count".to_owned(),
        number => format!("policy {number} counts"),
    };
    format!("Policy {} was taken back; now {now}.\n", report.number)
}
