//! What was learned from how memories were used, and the policy by which recall weighs. (MM8–MM10)
//!
//! What was offered to an agent is noted; when its session ends, what of it was of use is noted too, and now and then a better
//! policy comes of that, or a bad one goes. All of that is in the log; `memory/learned.json` only carries it from one session
//! to the next and can be deleted.
//!
//! Start reading at [`upkeep`].

mod carried;
mod feedback;
mod policies;
mod promotion;
mod weighing;

use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

use ::memory::learn::usage::{Offered, recalled};
use ::memory::learn::{episodes, patterns, promote};
use ::memory::log::{Provenance, Scope};
use ::memory::recall::{Hit, Weights};

use crate::memory::{append_seen, event};
use crate::{Engine, Result};
use carried::Carried;

pub use ::memory::learn::policy::Policy as Factors;
pub use ::memory::learn::tiers::Tier;
pub use policies::{PolicyLog, Reverted, log, revert};
pub use promotion::{PromotionReport, promote};
pub use weighing::{Important, TiersReport, tiers};

/// Patterns that one session may add to the project's memory.
const MOST_PROMOTED: usize = 3;

/// How recall weighs now.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    /// Its number; 0: built in.
    pub number: u64,
    /// The weights.
    pub weights: Weights,
    /// What is done to the classes.
    pub lifts: BTreeMap<String, f32>,
    /// What is done to single memories.
    pub learned: HashMap<String, f32>,
}

/// The policy in force, as of the last time a session ended.
pub fn in_force(engine: &Engine) -> Policy {
    let Some(view) = carried::view(engine) else { return Policy::default() };
    let policy = view.policy.bounded();
    Policy { number: policy.number, weights: policy.weights(), lifts: policy.lifts, learned: view.learned }
}

/// Notes what was offered to an agent, so that its use can be seen later.
pub(crate) fn note_offered(
    engine: &Engine,
    client: &str,
    session: &str,
    policy: u64,
    hits: &[Hit],
) -> Result<()> {
    let offered: Vec<Offered> = hits.iter().map(Offered::from).collect();
    let (kind, body) = recalled(policy, &offered);
    let mut event = event(engine, kind, Provenance::Observed, body);
    event.agent = Some(client.to_owned());
    event.task = Some(session.to_owned());
    append_seen(engine, &[event])
}

/// At the end of a session: what of what was offered was of use, what follows from it. Bounded: reads what is new in the log,
/// for about so long.
pub fn upkeep(engine: &Engine, session: &str, patience: Duration) -> Result<()> {
    let until = Instant::now() + patience;
    let Some(mut carried) = Carried::read(engine, patience)? else { return Ok(()) };
    let mut events = feedback::of_session(engine, &carried, session);
    carried.extend(&events);
    events.extend(policies::consequences(engine, &mut carried));
    events.extend(promotions(engine, &mut carried));
    append_seen(engine, &events)?;
    carried.write(engine, until)
}

/// Patterns that passed the gates, as memories of the project. A decision is never among them.
fn promotions(engine: &Engine, carried: &mut Carried) -> Vec<::memory::log::Event> {
    let now = engine.context().now_ms();
    let mut events = Vec::new();
    // Sessions have logs of their own: together they are in order of time.
    let mut seen = carried.events.clone();
    seen.sort_by_key(|event| event.time_ms);
    for pattern in patterns::find(&episodes::fold(&seen), now) {
        let (kind, key) = (promotion::kind_of(&pattern), promotion::key_of(&pattern));
        if events.len() == MOST_PROMOTED || carried.promoted.contains(&key) {
            continue;
        }
        let is_clean = |text: &str| engine.gate().clean(text).counts().is_untouched();
        if promote::may_move(&pattern, kind, Scope::Project, is_clean).is_ok() {
            events.push(promotion::event_of(engine, Scope::Project, &pattern));
            carried.promoted.push(key);
        }
    }
    events
}
