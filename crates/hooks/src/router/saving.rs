//! What is answered when there was no time to save: what would be lost for good is asked about. (S8)

use std::path::Path;

use engine::judge;

use super::Run;
use super::doubt::settled;
use crate::adapters;
use crate::decision::Verdict;

impl Run<'_> {
    /// Saving may take too long: what is answered then. What would be lost for good is asked about. (S8)
    pub(super) fn leave_answer_for_saving(&mut self) {
        let mut decision = self.decision.clone();
        decision.warnings.push(
            "saving took too long, so what this step changes cannot all be taken back; `vib checkpoint` saves everything now"
                .to_owned(),
        );
        if decision.verdict == Verdict::Pass && self.loses(&[]) {
            decision.verdict = settled(self.world, self.event, unsaved(&[]));
        }
        self.world.watch.instead(adapters::reply(self.event, &decision));
    }

    /// True if the command would lose something that was left out of the look before it; an empty list means that nothing was saved.
    pub(super) fn loses(&self, left_out: &[String]) -> bool {
        let Some(report) = self.judged.as_ref().filter(|report| report.verdict.destructive) else {
            return false;
        };
        let verdict = &report.verdict;
        let root = self.engine.project().root();
        let targets: Vec<&judge::Target> = verdict.writes.iter().chain(&verdict.deletes).collect();
        if left_out.is_empty() || !verdict.unknown.is_empty() || targets.is_empty() {
            return true;
        }
        let is_hit = |path: &String| {
            let path = root.join(path);
            targets.iter().any(|target| {
                let target = Path::new(&target.path);
                target.is_relative() || path.starts_with(target) || target.starts_with(&path)
            })
        };
        left_out.iter().any(is_hit)
    }
}

/// A command that would lose what is not saved.
pub(super) fn unsaved(left_out: &[String]) -> Verdict {
    let what = match left_out {
        [] => "vib could not save the files in time".to_owned(),
        [one] => format!("`{one}` is not saved yet"),
        [one, rest @ ..] => format!("`{one}` and {} more are not saved yet", rest.len()),
    };
    Verdict::Ask(format!(
        "vib: this deletes or overwrites files, and {what}. `vib checkpoint` saves them; then try again."
    ))
}
