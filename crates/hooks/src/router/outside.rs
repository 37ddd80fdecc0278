//! The part of a call that lies outside its project: guarded and saved there, or asked about. (T8, S12)

use std::path::{Path, PathBuf};

use engine::agent::Call;
use engine::judge::{self, JudgeReport};
use engine::outside::{self, Obstacle, Outside};
use engine::{Engine, Error, switch};
use project::{Context, known_project_of};
use store::{Outcome, Silent};

use super::Run;
use super::doubt::settled;
use crate::adapters;
use crate::decision::Verdict;
use crate::event::{Action, Kind};

/// How a command is judged that runs in this folder: in another project of vib's as in one of its own, because its tree is saved before it.
pub(super) fn project_around(context: &Context, there: &Context) -> Option<PathBuf> {
    let root = known_project_of(context, &there.cwd().join("x"))?;
    let other = Engine::open_from(there.beside(&root).ok()?, &root).ok()?;
    switch::switched_off(&other).is_none().then_some(root)
}

impl Run<'_> {
    /// Files that an edit names outside the project.
    pub(super) fn outside_edits(&mut self) {
        let Kind::BeforeTool(call) = &self.event.kind else { return };
        let edits = call.action.edits();
        if edits.is_empty() {
            return;
        }
        let paths: Vec<PathBuf> = edits.iter().map(|edit| edit.path.clone()).collect();
        self.outside = Outside::of_edits(&self.engine, &paths);
        // A strange tool that only mentions a path need not write it.
        let writes = !matches!(&call.action, Action::Unknown(hints) if !hints.writes);
        if writes && let Some(obstacle) = self.outside.obstacle.clone() {
            self.ask_about(&obstacle);
        }
    }

    /// What commands name outside the project, or where else they run. What is saved there first is no reason to ask any more.
    pub(super) fn outside_commands(&mut self, reports: &mut [JudgeReport], judged_in: Option<&Path>) {
        if !matches!(self.event.kind, Kind::BeforeTool(_)) {
            return;
        }
        let found = Outside::of_commands(&self.engine, reports, judged_in);
        for report in reports.iter_mut() {
            outside::soften(report, &found);
        }
        self.outside.places.extend(found.places);
        self.outside.obstacle = self.outside.obstacle.take().or(found.obstacle);
    }

    /// Saves what lies outside and begins the step there. What could not be saved is asked about.
    pub(super) fn begin_outside(&mut self, call: &Call) {
        if self.outside.places.is_empty() {
            return;
        }
        let begun = outside::begin(&self.engine, &self.who, call, &self.outside, &Silent);
        let obstacle = match begun {
            Ok(obstacle) => obstacle,
            Err(error) => {
                let path = self.outside.places.first().map(|(there, _)| there.project().root().to_path_buf());
                Some(Obstacle {
                    path: path.unwrap_or_default(),
                    why: format!("cannot be saved first ({error}; {})", error.next()),
                })
            }
        };
        if let Some(obstacle) = obstacle {
            let only_mentions = matches!(
                &self.event.kind,
                Kind::BeforeTool(call) if matches!(&call.action, Action::Unknown(hints) if !hints.writes)
            );
            if !only_mentions {
                self.ask_about(&obstacle);
            }
        }
    }

    /// The answer if saving outside takes too long.
    pub(super) fn outside_answer_for_saving(&mut self) {
        if self.outside.places.is_empty() || self.decision.verdict != Verdict::Pass {
            return;
        }
        let mut decision = self.decision.clone();
        let ask = Verdict::Ask(
            "vib: this changes files outside the project, and they could not be saved in time.".to_owned(),
        );
        decision.verdict = settled(self.world, self.event, ask);
        self.world.watch.instead(adapters::reply(self.event, &decision));
    }

    fn ask_about(&mut self, obstacle: &Obstacle) {
        let text = format!(
            "`{}` lies outside this project and {}, so this could not be brought back.",
            obstacle.path.display(),
            obstacle.why
        );
        let text = self.clean(&text).into_string();
        match &mut self.decision.verdict {
            Verdict::Pass => self.decision.verdict = Verdict::Ask(format!("vib: {text}")),
            // Whatever was said about a copy does not hold.
            Verdict::Ask(reason) => reason.push_str(&format!(" But {text}")),
            Verdict::Approve(_) => self.decision.verdict = Verdict::Pass,
            Verdict::Deny(_) | Verdict::Hold(_) => {}
        }
    }

    /// The call has ended: what it changed outside.
    pub(super) fn end_outside(&mut self, call: &Call, outcome: &Outcome) -> Result<Vec<String>, Error> {
        outside::end(&self.engine, &self.who, call, outcome, &Silent)
    }

    /// The person speaks, or the turn is over: what never said that it ended outside is closed. That it cannot be must not stop the turn.
    pub(super) fn settle_outside(&mut self) {
        if let Err(error) = outside::settle(&self.engine, &self.who, &Silent) {
            self.warn(&format!("what was changed outside this project was not looked at again: {error}"));
        }
    }

    /// Notes in the project's own history what its step changed outside.
    pub(super) fn note_outside(&mut self, changed: &[String]) -> Result<(), Error> {
        match self.ended.step {
            Some(step) => outside::note(&self.engine, step, changed, &Silent),
            None => Ok(()),
        }
    }
}

/// Where a command is judged: in its own project, in another one that it runs in, or nowhere in particular.
pub(super) fn judged(there: &Context, root: Option<&Path>, command: &str) -> JudgeReport {
    match root {
        Some(root) => judge::judge_command_in(there, root, command),
        None => judge::judge_without_checkpoint(there, command),
    }
}
