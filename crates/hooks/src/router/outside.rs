//! The part of a call that lies outside its project: guarded and saved there, or asked about. (T8, S12)

use std::path::{Path, PathBuf};

use engine::agent::{self, Call, Reach};
use engine::judge::{self, JudgeReport};
use engine::outside::{self, Obstacle, Outside};
use engine::{Engine, Error, switch};
use project::{Context, RelPath, known_project_of, own_project_of};
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
        for (there, reach) in found.places {
            self.reach_over(there, reach);
        }
        self.outside.obstacle = self.outside.obstacle.take().or(found.obstacle);
    }

    /// What a command writes in projects of their own inside this one is no work here: a step of theirs. What runs in such a folder from the
    /// start is one anyway ([`Self::nested`]). (M6)
    pub(super) fn leave_to_nested(&mut self, folder: &Path) {
        let root = self.engine.project().root().to_path_buf();
        let around = own_project_of(&root, &folder.join("x"));
        self.outside.places.retain(|(there, _)| Some(there.project().root()) != around.as_deref());
        let Reach::Named(paths) = &mut self.reach else { return };
        let own = |path: &RelPath| own_project_of(&root, &path.to_path(&root));
        let (nested, rest): (Vec<RelPath>, Vec<RelPath>) =
            paths.drain(..).partition(|path| own(path).is_some());
        *paths = rest;
        let places: Vec<PathBuf> =
            nested.iter().filter(|path| own(path) != around).map(|path| path.to_path(&root)).collect();
        for (there, paths) in agent::nested(&self.engine, &places) {
            let reach = agent::named(&there, &paths);
            self.reach_over(there, reach);
        }
    }

    fn reach_over(&mut self, there: Engine, reach: Reach) {
        // A strange tool names as a place what is one of its edits, too: that is one step there, not two.
        let known = |place: &&mut (Engine, Reach)| place.0.project().root() == there.project().root();
        match self.outside.places.iter_mut().find(known) {
            Some((_, before)) => *before = both(std::mem::replace(before, Reach::Anywhere), reach),
            None => self.outside.places.push((there, reach)),
        }
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
    pub(super) fn end_outside(
        &mut self,
        call: &Call,
        outcome: &Outcome,
    ) -> Result<Option<Vec<String>>, Error> {
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

fn both(one: Reach, other: Reach) -> Reach {
    match (one, other) {
        (Reach::Nowhere, reach) | (reach, Reach::Nowhere) => reach,
        (Reach::Named(mut paths), Reach::Named(more)) => {
            paths.extend(more);
            paths.sort();
            paths.dedup();
            Reach::Named(paths)
        }
        _ => Reach::Anywhere,
    }
}

/// Where a command is judged: in its own project, in another one that it runs in, or nowhere in particular.
pub(super) fn judged(there: &Context, root: Option<&Path>, command: &str) -> JudgeReport {
    match root {
        Some(root) => judge::judge_command_in(there, root, command),
        None => judge::judge_without_checkpoint(there, command),
    }
}
