//! What vib answers when it cannot know: a payload in doubt, a look that takes too long, nobody who could be asked. (S1, S8, C1)

use super::whereabouts::dialect;
use super::{World, steps};
use crate::attended::{self, Told};
use crate::decision::{Decision, Reply, Verdict};
use crate::event::{HookEvent, Kind};
use crate::{Client, adapters};

/// The answer to what could not be read or looked at: a question before a step, else a warning. (S1, S8)
pub fn unread(world: &World, client: Client, event: Option<&str>, input: &[u8], why: &str) -> Reply {
    let event = adapters::parse(dialect(client, world), event, input);
    in_doubt(world, &event, why)
}

pub(super) fn in_doubt(world: &World, event: &HookEvent, why: &str) -> Reply {
    let reason = event.doubt.map_or_else(String::new, |doubt| format!(": {}", doubt.words()));
    let mut decision = Decision::default();
    if event.call_to_decide().is_some() {
        let ask = Verdict::Ask(format!("{why}{reason}. Nothing was saved first. `vib doctor` says more."));
        decision.verdict = settled(world, event, ask);
    } else if event.doubt.is_some() || !steps(&event.kind).is_empty() {
        decision.warnings.push(format!("{why}{reason}; nothing was saved for it. `vib doctor` says more"));
    }
    adapters::reply(event, &decision)
}

/// What may mean something else than what was judged is asked about, however harmless it looked. (S1)
pub(super) fn with_doubt(world: &World, event: &HookEvent, mut decision: Decision) -> Decision {
    let Some(doubt) = event.doubt else { return decision };
    if event.call_to_decide().is_some() {
        if decision.verdict == Verdict::Pass {
            let ask = Verdict::Ask(format!("vib cannot tell what this step does: {}.", doubt.words()));
            decision.verdict = settled(world, event, ask);
        }
    } else {
        decision.warnings.push(format!("{}; a part of this step may be missing", doubt.words()));
    }
    decision
}

/// A question, where somebody can be asked; else a no.
pub(super) fn settled(world: &World, event: &HookEvent, verdict: Verdict) -> Verdict {
    match (&event.kind, event.client) {
        // Codex calls this only when it is about to ask the person itself.
        (Kind::Permission(_), Client::Codex) => verdict,
        (Kind::BeforeTool(_) | Kind::Permission(_), client) => {
            let told =
                Told { mode: event.mode.as_deref(), event: &event.native, unattended: world.unattended };
            attended::settle(attended::answer(client, told), verdict)
        }
        _ => verdict,
    }
}
