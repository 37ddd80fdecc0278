//! What was found in memory.

use engine::recall::{Found, RecallReport};

use super::words::{ago, notices};
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
        let more = found.paths.len().saturating_sub(3);
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
