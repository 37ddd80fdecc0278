//! Asks one question: retries, switches, adapts, stops.

use crate::happening::{Happening, Stopped};
use crate::model::{Provider, Question, Reply};
use crate::policy::Policy;
use crate::purse::Purse;
use crate::world::World;

/// Asks the providers of a person, in their order. Not `Debug`: the world may hold keys.
pub struct Caller<'world> {
    providers: Vec<Provider>,
    world: &'world dyn World,
    policy: Policy,
    current: usize,
}

impl<'world> Caller<'world> {
    /// The first provider is asked first, the others when it cannot answer.
    pub fn new(providers: Vec<Provider>, world: &'world dyn World, policy: Policy) -> Self {
        Self { providers, world, policy, current: 0 }
    }

    /// Who answers now.
    pub fn current(&self) -> Option<&Provider> {
        self.providers.get(self.current)
    }

    /// A person agreed to a weaker model.
    pub fn allow_weaker(&mut self) {
        self.policy.allow_weaker = true;
    }

    /// Asks. `tell` hears everything that happens meanwhile; `stop` is looked at several times a second.
    pub fn ask(
        &mut self,
        question: &Question,
        tell: &mut dyn FnMut(Happening),
        purse: &mut dyn Purse,
        stop: &dyn Fn() -> bool,
    ) -> Result<Reply, Stopped> {
        let _ = (question, tell, purse, self.world);
        if stop() { Err(Stopped::Cancelled) } else { Err(Stopped::NoProvider) }
    }
}
