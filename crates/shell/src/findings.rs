//! Collects what the walk finds and turns it into the verdict.

use crate::context::Covered;
use crate::exact::Exact;
use crate::value::shorten;
use crate::verdict::{Decision, Place, Reason, Target, Verdict};
use std::path::Path;

/// Most reasons, targets and unknowns that are kept: nobody reads more, and input must not decide our memory.
const MAX_KEPT: usize = 64;
/// Folders outside the project that are told.
const MAX_FOLDERS: usize = 8;

/// How much a finding weighs before the user's settings are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Weight {
    /// Worth saying, no reason to stop.
    Note,
    /// A checkpoint of the project makes it harmless.
    Checkpoint,
    /// Only a checkpoint makes it harmless: whoever wants the plain verdict is asked.
    Covered,
    /// A person should look.
    Ask,
    /// Must not run; no policy changes that.
    Deny,
}

/// Findings so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Findings {
    pub covered: Covered,
    pub verdict: Verdict,
    /// Set while a command runs that the user's policy allows.
    pub waived: bool,
    /// Some command of the line is one that the user's policy allows.
    listed: bool,
    /// Something besides those may change something.
    beside: bool,
    /// One of those talks to another machine.
    waived_network: bool,
    lost_for_good: bool,
    /// Vib itself puts a fence around what runs now.
    pub fenced_by_vib: usize,
    /// What may be different afterwards, path by path.
    pub exact: Exact,
}

impl Findings {
    pub(crate) fn new(covered: Covered) -> Self {
        Self { covered, ..Self::default() }
    }

    /// Adds a reason.
    pub(crate) fn add(&mut self, weight: Weight, code: &'static str, text: impl Into<String>, about: &str) {
        let decision = self.decision(weight, code);
        self.push(Reason { code, decision, unknown: false, text: text.into(), about: shorten(about) });
    }

    /// What a finding decides under the settings in force.
    fn decision(&self, weight: Weight, code: &str) -> Decision {
        let decision = match weight {
            Weight::Note => Decision::Allow,
            Weight::Checkpoint => Decision::AllowWithCheckpoint,
            Weight::Covered if self.covered == Covered::Allow => Decision::AllowWithCheckpoint,
            Weight::Covered | Weight::Ask => Decision::Ask,
            Weight::Deny => Decision::Deny,
        };
        if self.waived
            && decision == Decision::Ask
            && !code.starts_with("guarded")
            && !code.starts_with("policy")
        {
            return Decision::AllowWithCheckpoint;
        }
        decision
    }

    /// Something in the project may be written; what, is not known.
    pub(crate) fn may_write(&mut self) {
        self.exact.is_not();
        self.beside |= !self.waived;
        self.verdict.can_write = true;
        self.verdict.writes_project = true;
    }

    /// A command begins that the user's policy allows. What comes back goes to [`Self::end_waiver`].
    pub(crate) fn begin_waiver(&mut self) -> bool {
        (self.waived, self.listed) = (true, true);
        std::mem::take(&mut self.verdict.network)
    }

    /// It has ended: what it does on the network was allowed with it.
    pub(crate) fn end_waiver(&mut self, network: bool) {
        self.waived_network |= std::mem::replace(&mut self.verdict.network, network);
    }

    fn push(&mut self, reason: Reason) {
        self.verdict.decision = self.verdict.decision.max(reason.decision);
        let reasons = &mut self.verdict.reasons;
        if reasons.contains(&reason) {
            return;
        }
        if reasons.len() >= MAX_KEPT {
            // The decision is kept in any case; the weightier reason is worth more room.
            if let Some(weaker) = reasons.iter_mut().find(|kept| kept.decision < reason.decision) {
                *weaker = reason;
            }
            return;
        }
        reasons.push(reason);
    }

    /// Something that could not be understood.
    pub(crate) fn unknown(
        &mut self,
        weight: Weight,
        code: &'static str,
        text: impl Into<String>,
        about: &str,
    ) {
        self.may_write();
        let about = shorten(about);
        if self.verdict.unknown.len() < MAX_KEPT && !self.verdict.unknown.contains(&about) {
            self.verdict.unknown.push(about.clone());
        }
        // What a container runs stays in it.
        if code != "runs_in_container" {
            self.unread(&about);
        }
        // With more rights than the user's, a checkpoint of the project is no answer to what is not visible.
        let inside = matches!(code, "unknown_program" | "runs_unknown_code" | "runs_project_code");
        let weight = if self.verdict.privilege && inside { weight.max(Weight::Ask) } else { weight };
        let decision = self.decision(weight, code);
        self.push(Reason { code, decision, unknown: true, text: text.into(), about });
    }

    /// Code runs that nobody read.
    pub(crate) fn unread(&mut self, about: &str) {
        let about = shorten(about);
        if self.fenced_by_vib == 0
            && self.verdict.unread.len() < MAX_KEPT
            && !self.verdict.unread.contains(&about)
        {
            self.verdict.unread.push(about);
        }
    }

    /// A write to a place.
    pub(crate) fn wrote(&mut self, path: &str, place: Place) {
        if place == Place::Stream {
            return;
        }
        self.touches(place);
        self.exact.touched(path, place);
        keep(&mut self.verdict.writes, path, place, false);
    }

    /// A deletion at a place.
    pub(crate) fn deleted(&mut self, path: &str, place: Place, recursive: bool) {
        if place == Place::Stream {
            return;
        }
        self.touches(place);
        if recursive {
            self.exact.is_not();
        }
        self.exact.touched(path, place);
        self.loses(matches!(place, Place::Project | Place::ProjectRoot));
        keep(&mut self.verdict.deletes, path, place, recursive);
    }

    /// A program runs in a folder.
    pub(crate) fn runs_in(&mut self, folder: &str, root: &Path) {
        let is_inside = Path::new(folder).starts_with(root);
        let folders = if is_inside { &mut self.verdict.folders_inside } else { &mut self.verdict.folders };
        if Path::new(folder) == root || folders.len() >= MAX_FOLDERS {
            return;
        }
        if !folders.iter().any(|known| known == folder) {
            folders.push(folder.to_owned());
        }
    }

    /// Something would be lost; `covered` when a checkpoint brings it back.
    pub(crate) fn loses(&mut self, covered: bool) {
        self.verdict.destructive = true;
        self.lost_for_good |= !covered;
    }

    fn touches(&mut self, place: Place) {
        self.beside |= !self.waived;
        self.verdict.can_write = true;
        let (inside, outside) = match place {
            Place::Project | Place::ProjectRoot | Place::GitData | Place::GitHook => (true, false),
            Place::Temp | Place::Stream => (false, false),
            // Such files are in the project or in the home folder, by their name alone.
            Place::VibState | Place::AgentSettings | Place::StartupFile | Place::Unknown => (true, true),
            Place::Device | Place::System | Place::Home | Place::Outside | Place::Remote => (false, true),
        };
        self.verdict.writes_project |= inside;
        self.verdict.leaves_project |= outside;
    }

    /// The finished verdict: weightiest reason first.
    pub(crate) fn finish(mut self) -> Verdict {
        // What is not understood may do anything: nobody can say that a checkpoint brings it back.
        self.verdict.reversible_by_checkpoint =
            !self.lost_for_good && !self.verdict.leaves_project && self.verdict.unknown.is_empty();
        self.verdict.writes_only =
            self.exact.finish(self.verdict.can_write && self.verdict.unknown.is_empty());
        if self.verdict.can_write {
            self.verdict.decision = self.verdict.decision.max(Decision::AllowWithCheckpoint);
        }
        let beside = self.beside || self.verdict.network || self.verdict.privilege;
        self.verdict.allow_listed = self.listed && !beside && self.verdict.decision < Decision::Ask;
        self.verdict.network |= self.waived_network;
        self.verdict.reasons.sort_by_key(|reason| std::cmp::Reverse(reason.decision));
        self.verdict
    }
}

fn keep(list: &mut Vec<Target>, path: &str, place: Place, recursive: bool) {
    let target = Target { path: shorten(path), place, recursive };
    if list.len() < MAX_KEPT && !list.contains(&target) {
        list.push(target);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covered_losses_ask_only_on_request() {
        for (covered, want) in
            [(Covered::Allow, Decision::AllowWithCheckpoint), (Covered::Ask, Decision::Ask)]
        {
            let mut found = Findings::new(covered);
            found.add(Weight::Covered, "x", "x", "x");
            assert_eq!(found.finish().decision, want);
        }
    }

    #[test]
    fn a_denial_survives_a_waiver_and_a_full_list() {
        let mut found = Findings::new(Covered::Allow);
        found.waived = true;
        for n in 0..200 {
            found.add(Weight::Note, "n", n.to_string(), "x");
        }
        found.add(Weight::Deny, "d", "d", "x");
        let verdict = found.finish();
        assert_eq!(verdict.decision, Decision::Deny);
        assert_eq!(verdict.reasons[0].code, "d");
    }
}
