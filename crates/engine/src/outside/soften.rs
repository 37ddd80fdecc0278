//! The judge's answer, once what would be lost outside the project is saved.

use shell::{Decision, Place};

use super::Outside;
use crate::judge::JudgeReport;

/// Makes the answer milder where everything that the command names outside is saved before it runs: overwriting, moving, deleting in another
/// project. What it deletes anywhere else is still asked about, and the question says that there will be a copy. A whole folder with
/// very much in it, a home, the system and whatever is not known stay questions as they are.
pub fn soften(report: &mut JudgeReport, outside: &Outside) {
    let verdict = &mut report.verdict;
    let targets = || verdict.writes.iter().chain(&verdict.deletes);
    let is_home = targets().any(|target| target.place == Place::Home);
    let all_saved = targets()
        .filter(|target| target.place == Place::Outside)
        .all(|target| outside.covered.contains(&target.path));
    if let Some(obstacle) = &outside.obstacle {
        let about_it =
            |reason: &&mut shell::Reason| matches!(reason.code, "writes_outside" | "deletes_outside");
        for reason in verdict.reasons.iter_mut().filter(about_it) {
            reason.text.push_str(&format!("; `{}` {}", obstacle.path.display(), obstacle.why));
        }
    }
    if outside.obstacle.is_some() || outside.is_wide || is_home || !all_saved || report.covered != "allow" {
        return;
    }
    // Only where all that it writes is known by name: some programs are told a folder, and choose the names themselves.
    let is_known = verdict.writes_only.is_some();
    let mut is_milder = false;
    for reason in verdict.reasons.iter_mut().filter(|reason| reason.decision == Decision::Ask) {
        let is_saved = outside.covered.contains(&reason.about);
        // What is moved away is named by its command, and lies where it was moved to besides.
        let is_moved = reason.text.starts_with("moves something away");
        match reason.code {
            "writes_outside" if is_saved && is_known => {}
            "deletes_outside" if is_known && (is_moved || outside.in_projects.contains(&reason.about)) => {}
            "deletes_outside" if is_saved => {
                reason.text.push_str(&format!("; vib saves a copy first (`vib undo {}`)", reason.about));
                continue;
            }
            _ => continue,
        }
        reason.decision = Decision::AllowWithCheckpoint;
        reason.text = reason
            .text
            .replace(", which no checkpoint covers", "; they are saved first")
            .replace(" that no checkpoint covers", "; it is saved first");
        is_milder = true;
    }
    if !is_milder {
        return;
    }
    let strongest = verdict.reasons.iter().map(|reason| reason.decision).max().unwrap_or_default();
    verdict.decision = strongest.max(Decision::AllowWithCheckpoint);
    verdict.reasons.sort_by_key(|reason| std::cmp::Reverse(reason.decision));
    report.decision = verdict.decision;
}
