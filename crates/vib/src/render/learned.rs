//! What was learned: what moved up, what is at hand, what matters.

use engine::learning::{PromotionReport, TiersReport};
use engine::memory::Scope;

use super::words::{ago, count};
use crate::theme::{Theme, paint};

/// `vib memory promote`
pub(crate) fn promoted(report: &PromotionReport, theme: &Theme) -> String {
    let place = if report.to == Scope::Global { "all projects" } else { "this project" };
    let mut out = String::new();
    if report.known_before {
        out.push_str(&format!("Known before, in {place}: {}\n", report.text));
    } else if report.promoted {
        out.push_str(&format!("Now remembered for {place}: {}\n", report.text));
    } else {
        out.push_str(&format!("Not remembered for {place}: {}\n", report.text));
    }
    for gate in &report.gates {
        let word = if gate.passed { paint(theme.added, "yes") } else { paint(theme.error, "no ") };
        out.push_str(&format!("  {word}  {}\n", gate.why));
    }
    out
}

/// `vib memory tiers`
pub(crate) fn tiers(report: &TiersReport, theme: &Theme) -> String {
    use engine::learning::Tier;
    let number = |tier: Tier| report.counts.get(&tier).copied().unwrap_or(0);
    let mut out = format!(
        "{} hot (new, or of use in the last two weeks), {} warm, {} cold (older than 90 days and not used)\n",
        number(Tier::Hot),
        number(Tier::Warm),
        number(Tier::Cold)
    );
    if !report.important.is_empty() {
        out.push_str(&format!("{}\n", paint(theme.strong, "Most important")));
    }
    for one in &report.important {
        let why =
            if one.reasons.is_empty() { String::new() } else { format!("  {}", one.reasons.join(", ")) };
        out.push_str(&format!(
            "  {:.2}  {}{}\n",
            one.importance,
            one.text,
            paint(
                theme.dim,
                format!("  ({}, {}){why}", one.kind.replace('_', " "), ago(one.time_ms, report.now_ms))
            )
        ));
    }
    if !report.cold.is_empty() {
        out.push_str(&format!("{}\n", paint(theme.strong, "Gone cold")));
    }
    for month in &report.cold {
        let kinds: Vec<String> =
            month.kinds.iter().map(|(kind, number)| format!("{number} {}", kind.replace('_', " "))).collect();
        let paths: Vec<&str> = month.paths.iter().take(3).map(|(path, _)| path.as_str()).collect();
        let about = if paths.is_empty() { String::new() } else { format!("; {}", paths.join(", ")) };
        out.push_str(&format!(
            "  {}: {} ({}{about})\n",
            ago(month.to_ms, report.now_ms),
            count(month.memories as u64, "memory"),
            kinds.join(", ")
        ));
    }
    out
}
