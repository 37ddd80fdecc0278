//! What is answered when there was no time to save: what would be lost for good is asked about. (S8)

use std::path::Path;

use engine::agent::Reach;
use engine::judge;

use super::Run;
use super::doubt::settled;
use crate::adapters;
use crate::decision::Verdict;

/// A file that may take so long to be saved that the answer has to come first, in bytes.
const SLOW: u64 = 4 << 20;

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
        let left_out: Vec<String> = self.edits_of_left_out(SLOW).into_iter().map(|(path, _)| path).collect();
        if decision.verdict == Verdict::Pass && !left_out.is_empty() {
            // A checkpoint of everything leaves these out, so it would not help.
            decision.warnings.pop();
            decision.verdict =
                settled(self.world, self.event, overwrites(&left_out[0], "vib could not save it in time"));
        }
        self.world.watch.instead(adapters::reply(self.event, &decision));
    }

    /// An edit of a file that no checkpoint holds, and that is too large to be saved before every edit, is asked about. Nothing of it is
    /// read. (M2)
    pub(super) fn ask_about_large(&mut self) {
        let large = self.edits_of_left_out(judge::MOST_SAVED_BYTES);
        let Some((path, size)) = large.first().cloned() else { return };
        if let Reach::Named(paths) = &mut self.reach {
            paths.retain(|path| !large.iter().any(|(name, _)| *name == path.to_string()));
        }
        if self.decision.verdict == Verdict::Pass {
            let why = format!("with {} MB it is too large to be saved before an edit", size >> 20);
            self.decision.verdict = overwrites(&path, &why);
        }
    }

    /// The files that an edit names, that are there, and that ignore rules leave out of every checkpoint, with their sizes.
    /// Smaller ones than `least` are not looked at.
    fn edits_of_left_out(&self, least: u64) -> Vec<(String, u64)> {
        let (root, config) = (self.engine.project().root(), self.engine.project().config());
        let named = self.edits().iter().filter_map(|edit| self.inside(&edit.path));
        named
            .filter_map(|path| {
                let full = path.to_path(root);
                let facts = full.metadata().ok().filter(|facts| facts.is_file() && facts.len() > least)?;
                let is_left_out = store::is_saved(root, config, &full) == Some(false);
                is_left_out.then(|| (path.to_string(), facts.len()))
            })
            .collect()
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

/// An edit that would overwrite what no checkpoint holds.
fn overwrites(path: &str, why: &str) -> Verdict {
    Verdict::Ask(format!(
        "vib: `{path}` is left out by ignore rules, so no checkpoint holds it, and {why}: what this overwrites cannot be brought back. \
         `vib checkpoint {path}` saves it by name."
    ))
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
