//! What was learned from how memories were used, and the policy by which recall weighs. (MM8–MM10)
//!
//! What was offered to an agent is noted; when its session ends, what of it was of use is noted too, and now and then a better
//! policy comes of that, or a bad one goes. All of that is in the log; `memory/learned.json` only carries it from one session
//! to the next and can be deleted.
//!
//! Start reading at [`upkeep`].

mod books;
mod carried;
mod feedback;
mod policies;
mod promotion;
mod weighing;

use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

use ::memory::learn::usage::{Offered, recalled};
use ::memory::log::Provenance;
use ::memory::recall::{Hit, Weights};

use crate::memory::{append_seen, event};
use crate::{Engine, Result};
use carried::Carried;

pub use ::memory::learn::policy::Policy as Factors;
pub use ::memory::learn::tiers::Tier;
pub use policies::{PolicyLog, Reverted, log, revert};
pub use promotion::{PromotionReport, promote};
pub use weighing::{Important, TiersReport, tiers};

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

/// Notes what an agent was told, and what might have been told in its place, so that its use can be seen later. (M3)
pub(crate) fn note_offered(
    engine: &Engine,
    client: &str,
    session: &str,
    policy: u64,
    told: &[&Hit],
    instead: &[&Hit],
) -> Result<()> {
    let offered: Vec<Offered> = told.iter().chain(instead).map(|hit| Offered::from(*hit)).collect();
    let (kind, body) = recalled(policy, &offered, told.len());
    let mut event = event(engine, kind, Provenance::Observed, body);
    event.agent = Some(client.to_owned());
    event.task = Some(session.to_owned());
    books::append(engine, &[event])
}

/// At the end of a session: what of what was offered was of use, what follows from it. Bounded: reads what is new in the log,
/// for about so long.
pub fn upkeep(engine: &Engine, session: &str, patience: Duration) -> Result<()> {
    let until = Instant::now() + patience;
    let Some(mut carried) = Carried::read(engine, patience)? else { return Ok(()) };
    let feedback = feedback::of_session(engine, &carried, session);
    carried.extend(&feedback);
    books::append(engine, &feedback)?;
    let events: Vec<_> = policies::consequences(engine, &mut carried).into_iter().collect();
    append_seen(engine, &events)?;
    carried.write(engine, until)
}
