//! What an agent is told.

use super::places::project_log;
use super::present::fold;
use crate::{Engine, Result};

/// A few lines for an agent at the beginning of its session; empty where nobody said anything.
pub fn summary(engine: &Engine) -> Result<Vec<String>> {
    let contents = project_log(engine).read()?;
    if contents.events.is_empty() {
        return Ok(Vec::new());
    }
    let memory = fold(engine, &contents, engine.context().now_ms());
    let mut lines = Vec::new();
    let stale = |stale: bool| if stale { " (may be out of date: ask)" } else { "" };
    if let Some(intent) = &memory.active_intent {
        lines.push(format!("Goal, as the person gave it: \"{}\"{}", intent.text, stale(intent.stale)));
    }
    if let Some(next) = &memory.next_action {
        lines.push(format!("Next step, as agreed: \"{}\"{}", next.text, stale(next.stale)));
    }
    for decision in memory.decisions.iter().rev().take(5) {
        lines.push(format!("Decided by the person: \"{}\"", decision.text));
    }
    for risk in memory.risks.iter().rev().take(3) {
        lines.push(format!("Watch out: \"{}\"", risk.text));
    }
    if let Some(check) = memory.verification.last() {
        let how = serde_json::to_value(check.result).ok().and_then(|word| word.as_str().map(str::to_owned));
        let age = check.stale.as_ref().map(|why| format!(", no longer valid: {why}")).unwrap_or_default();
        lines.push(format!("Last check: `{}` {}{age}", check.command, how.unwrap_or_default()));
    }
    for conflict in &memory.conflicts {
        lines.push(format!(
            "Two tools disagree about {}: \"{}\" and \"{}\"; ask the person",
            conflict.field, conflict.first.text, conflict.second.text
        ));
    }
    Ok(lines)
}
