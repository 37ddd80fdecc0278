//! The judge's answer, once what would be lost outside the project is saved.

use shell::{Decision, Place};

use super::Outside;
use crate::judge::JudgeReport;

/// Reasons that hold only as long as nothing outside is saved.
const REASONS: [&str; 2] = ["writes_outside", "deletes_outside"];

/// Makes the answer milder where everything that the command names outside is saved before it runs. A whole folder with very much in it, a home,
/// the system and whatever is not known stay questions. True if the answer is another one now.
pub fn soften(report: &mut JudgeReport, outside: &Outside) -> bool {
    let verdict = &mut report.verdict;
    let is_covered = |path: &String| outside.covered.contains(path);
    let targets = || verdict.writes.iter().chain(&verdict.deletes);
    let is_home = targets().any(|target| target.place == Place::Home);
    let all_saved = targets()
        .filter(|target| target.place == Place::Outside)
        .all(|target| is_covered(&target.path));
    if outside.obstacle.is_some() || outside.is_wide || is_home || !all_saved || report.covered != "allow" {
        return false;
    }
    let mut any = false;
    for reason in verdict.reasons.iter_mut().filter(|reason| REASONS.contains(&reason.code)) {
        // What is moved away is named by its command.
        let moves = reason.text.starts_with("moves something away");
        if reason.decision == Decision::Ask && (moves || is_covered(&reason.about)) {
            reason.decision = Decision::AllowWithCheckpoint;
            reason.text = reason
                .text
                .replace(", which no checkpoint covers", "; they are saved first")
                .replace(" that no checkpoint covers", "; it is saved first");
            any = true;
        }
    }
    let strongest = verdict.reasons.iter().map(|reason| reason.decision).max().unwrap_or_default();
    verdict.decision = strongest.max(Decision::AllowWithCheckpoint);
    verdict.reasons.sort_by_key(|reason| std::cmp::Reverse(reason.decision));
    report.decision = verdict.decision;
    any
}
