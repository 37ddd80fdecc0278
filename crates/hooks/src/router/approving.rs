//! The client is about to ask the person: vib answers for them where their answer is known. (G1)
//!
//! Known is what they wrote down themselves (the allow rules of their own policy) and, if they chose `guard.approve = covered`, what
//! provably changes nothing and what a checkpoint that was really taken brings back. Whatever was in doubt, objected to, or asked
//! about on the way here stays a question; so does everything while the agent only plans. Each yes is written down before it is
//! given.

use engine::agent::{self, BegunCall, Reach};
use engine::judge::{self, JudgeReport};
use engine::{Error, agent::Call};
use project::RelPath;
use store::Silent;

use super::Run;
use crate::decision::Verdict;
use crate::event::{Action, Edit, Kind, ToolCall};

impl Run<'_> {
    /// Says yes if the person would.
    pub(super) fn approve(&mut self) -> Result<(), Error> {
        let Kind::Permission(call) = &self.event.kind else { return Ok(()) };
        let chosen = self.engine.project().config().word("guard.approve").to_owned();
        if chosen == "off" || !self.is_beyond_doubt(call) {
            return Ok(());
        }
        let entry = self.call(call);
        let begun = agent::begun_call(&self.engine, &self.who, &entry, &Silent)?;
        if begun.as_ref().is_some_and(|begun| begun.asked) {
            return Ok(());
        }
        let why = match &call.action {
            Action::Shell { .. } => self.why_of_command(&chosen, begun.as_ref()),
            Action::Edit(edits) if chosen == "covered" => self.why_of_edits(edits, begun.as_ref()),
            _ => None,
        };
        match why {
            Some(why) => self.say_yes(&entry, begun.as_ref(), why),
            None => Ok(()),
        }
    }

    /// Nothing spoke against it, and all of it was seen.
    fn is_beyond_doubt(&self, call: &ToolCall) -> bool {
        let only_plans = self.event.mode.as_deref() == Some("plan");
        self.decision.verdict == Verdict::Pass
            && self.event.doubt.is_none()
            && call.unseen.is_none()
            && self.decision.warnings.is_empty()
            && !only_plans
    }

    fn why_of_command(&self, chosen: &str, begun: Option<&BegunCall>) -> Option<&'static str> {
        let report = self.judged.as_ref().filter(|report| report.warnings.is_empty())?;
        let verdict = &report.verdict;
        if verdict.allow_listed {
            return Some("your own policy allows it");
        }
        if chosen != "covered" {
            return None;
        }
        if verdict.provably_harmless() {
            return Some("it changes nothing");
        }
        self.is_covered(report, begun?)
            .then_some("a checkpoint from before it brings back all that it changes")
    }

    /// Whether all it does is done to files of the project that are known by name and were saved before it. Code of the project, whatever
    /// it is usually for, may do anything. (T6)
    fn is_covered(&self, report: &JudgeReport, begun: &BegunCall) -> bool {
        let verdict = &report.verdict;
        let stays = self.at_home
            && verdict.reversible_by_checkpoint
            && verdict.losses.is_empty()
            && !(verdict.network || verdict.privilege || verdict.leaves_project || verdict.history_rewrite);
        if !stays || report.second_opinion.is_some() {
            return false;
        }
        judge::known_writes(self.engine.project().root(), verdict).is_some_and(|paths| begun.covers(&paths))
    }

    fn why_of_edits(&self, edits: &[Edit], begun: Option<&BegunCall>) -> Option<&'static str> {
        let begun = begun?;
        let typed: Vec<_> = edits.iter().map(|edit| edit.path.clone()).collect();
        let Reach::Named(paths) = agent::named(&self.engine, &typed) else { return None };
        let distinct: std::collections::BTreeSet<Option<RelPath>> =
            typed.iter().map(|path| self.inside(path)).collect();
        // What is outside, or in a project of its own, was not saved here.
        let all_inside = !distinct.contains(&None) && distinct.len() == paths.len();
        (all_inside && !paths.is_empty() && begun.covers(&paths))
            .then_some("a checkpoint from before it brings the file back")
    }

    fn say_yes(&mut self, entry: &Call, begun: Option<&BegunCall>, why: &str) -> Result<(), Error> {
        let reason = self.short(&format!("approved by vib in your place: {why}"));
        agent::approved(&self.engine, &self.who, entry, begun.map(|begun| begun.step), &reason, &Silent)?;
        self.decision.verdict = Verdict::Approve(reason.into_string());
        Ok(())
    }
}
