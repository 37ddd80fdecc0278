//! Which model did a step come from?

use std::collections::HashMap;

use store::Step;

use super::{Records, SessionUsage};
use crate::Engine;

/// A client writes its record a little after it called the hook.
const LATE_MS: i64 = 2_000;

/// Looks sessions up, each once.
#[derive(Default)]
pub(crate) struct Models {
    sessions: HashMap<(String, String), Option<SessionUsage>>,
}

impl Models {
    /// The model whose answer has this step's call in it; failing that, the one that answered last before it.
    pub(crate) fn of_step(&mut self, engine: &Engine, step: &Step) -> Option<String> {
        let key = (step.client.clone()?, step.session.clone()?);
        let usage = self
            .sessions
            .entry(key)
            .or_insert_with_key(|(client, session)| Records::new(engine.context()).session(client, session));
        let calls = &usage.as_ref()?.calls;
        let by_id = step.call_id.as_ref().and_then(|id| calls.iter().find(|call| call.call_ids.contains(id)));
        let by_time = || {
            calls
                .iter()
                .rfind(|call| call.time_ms <= step.started_ms + LATE_MS && call.agent == step.agent)
                .or_else(|| {
                    // All of a session by one model needs no closer look.
                    let first = calls.first()?;
                    calls.iter().all(|call| call.model == first.model).then_some(first)
                })
        };
        by_id.or_else(by_time)?.model.clone()
    }
}
