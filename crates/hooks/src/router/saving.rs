//! What is answered when a step could not be saved first: what would be lost for good is asked about. (S8)

use std::path::Path;

use engine::agent::{self, Begun, Reach};
use engine::judge;
use project::RelPath;
use store::Silent;

use super::Run;
use super::doubt::settled;
use crate::adapters;
use crate::decision::{Decision, Verdict};
use crate::event::{Action, Kind};

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
        let left_out: Vec<String> = self.edits_of_left_out(SLOW).into_iter().map(|(path, _)| path).collect();
        if decision.verdict == Verdict::Pass && !left_out.is_empty() {
            // A checkpoint of everything leaves these out, so it would not help.
            decision.warnings.pop();
            decision.verdict =
                settled(self.world, self.event, overwrites(&left_out[0], "vib could not save it in time"));
        }
        if decision.verdict == Verdict::Pass && (self.loses(&[]) || self.may_overwrite()) {
            decision.verdict = settled(self.world, self.event, unsaved(&[]));
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

    /// Nothing could be saved first: the question, if something would be lost that the store does not hold as it is, or nobody can tell.
    pub(super) fn lost_unsaved(&self) -> Option<Verdict> {
        if self.loses(&[]) {
            return Some(unsaved(&[]));
        }
        let (paths, whole) = self.may_be_overwritten();
        match agent::not_held(&self.engine, &paths, whole, &Silent) {
            Ok(missing) if missing.is_empty() => None,
            Ok(missing) => Some(unsaved(&missing.iter().map(ToString::to_string).collect::<Vec<_>>())),
            Err(_) => Some(unsaved(&[])),
        }
    }

    /// The look before the step left something out: the question, if that would be lost.
    pub(super) fn lost_with(&self, begun: &Begun) -> Option<Verdict> {
        if !begun.not_yet.is_empty() && self.loses(&begun.not_yet) {
            return Some(unsaved(&begun.not_yet));
        }
        // A pipe or a device has no content that could be lost.
        let left_out = begun.unsaved.iter().filter(|problem| problem.code != "special");
        let (paths, _) = self.may_be_overwritten();
        let is_named = |left_out: &str| {
            paths.iter().any(|path| {
                let path = path.to_string();
                let inside = left_out.strip_prefix(&path);
                inside.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
        };
        let named: Vec<String> =
            left_out.map(|problem| problem.path.clone()).filter(|path| is_named(path)).collect();
        (!named.is_empty()).then(|| unsaved(&named))
    }

    /// Something is there that the step may overwrite.
    fn may_overwrite(&self) -> bool {
        let (paths, whole) = self.may_be_overwritten();
        whole || paths.iter().any(|path| agent::is_there(&self.engine, path))
    }

    /// What of the project the step may overwrite: files that it names, and whether any other may be among it. Tests and builds may write
    /// anywhere, but files of the project are not their trade.
    fn may_be_overwritten(&self) -> (Vec<RelPath>, bool) {
        let call = match (&self.reach, &self.event.kind) {
            (Reach::Nowhere, _) => return (Vec::new(), false),
            (Reach::Named(paths), _) => return (paths.clone(), false),
            (Reach::Anywhere, Kind::BeforeTool(call)) => call,
            (Reach::Anywhere, _) => return (Vec::new(), true),
        };
        let edits = call.action.edits().iter().map(|edit| edit.path.as_path());
        let verdict = self.judged.as_ref().map(|report| &report.verdict);
        let written = verdict.into_iter().flat_map(|verdict| verdict.writes.iter().chain(&verdict.deletes));
        let named = edits.chain(written.map(|target| Path::new(&target.path)));
        let paths = named.filter_map(|path| self.inside(path)).collect();
        let whole = match &call.action {
            Action::Shell { command } => spiral::trade(command) == spiral::Trade::Writes,
            Action::Unknown(hints) => hints.writes || hints.takes,
            Action::Edit(_) | Action::Look => false,
        };
        (paths, whole)
    }

    /// From now on this is asked if the time is up.
    pub(super) fn leave(&self, question: Verdict) {
        let verdict = settled(self.world, self.event, question);
        let decision = Decision { verdict, ..self.decision.clone() };
        self.world.watch.instead(adapters::reply(self.event, &decision));
    }

    /// True if the command would lose something that was left out of the look before it; an empty list means that nothing was saved.
    fn loses(&self, left_out: &[String]) -> bool {
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
fn unsaved(left_out: &[String]) -> Verdict {
    let what = match left_out {
        [] => "vib could not save them first".to_owned(),
        [one] => format!("`{one}` is not saved yet"),
        [one, rest @ ..] => format!("`{one}` and {} more are not saved yet", rest.len()),
    };
    Verdict::Ask(format!(
        "vib: this may delete or overwrite files, and {what}. `vib checkpoint` saves them; then try again."
    ))
}
