//! What other programs ask for.

use engine::approvals::Approval;
use engine::recover::PlanInfo;

use super::words::{ago, count, harmless};
use crate::theme::{Theme, paint};

/// What is waiting.
pub(crate) fn approvals(waiting: &[Approval], now_ms: i64, theme: &Theme) -> String {
    if waiting.is_empty() {
        return "Nothing is waiting for a yes.\n".to_owned();
    }
    let mut out = String::new();
    for approval in waiting {
        out.push_str(&format!(
            "{}  {} wants {}: {} ({})\n",
            paint(theme.id, &approval.id),
            harmless(&approval.client),
            approval.capability.as_str(),
            harmless(&approval.summary),
            ago(approval.created_ms, now_ms)
        ));
    }
    out.push_str("Look at one and answer it with `vib approve ID`.\n");
    out
}

/// One request, before the question.
pub(crate) fn approval(approval: &Approval, plan: Option<&PlanInfo>, now_ms: i64, theme: &Theme) -> String {
    let mut out = format!(
        "{} asks ({}): {}\n",
        paint(theme.strong, harmless(&approval.client)),
        ago(approval.created_ms, now_ms),
        harmless(&approval.summary)
    );
    out.push_str(&format!("  It would use: {}\n", approval.capability.as_str()));
    if let Some(plan) = plan {
        let paths = count(plan.paths as u64, "path");
        out.push_str(&format!("  It would change {paths}. What you have now is saved first.\n"));
    }
    out
}
