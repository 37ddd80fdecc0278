//! Whoever answers: a provider's model, or a script.

use engine::Engine;
use providers::{Caller, Happening, Question, Reply, Stopped};

use crate::purse::RunPurse;
use crate::role::Role;

/// For whom something is asked.
#[derive(Debug, Clone, Copy)]
pub struct Asking<'a> {
    /// The role.
    pub role: Role,
    /// The card; none: the plan.
    pub card: Option<&'a str>,
    /// The attempt.
    pub attempt: &'a str,
}

/// Somebody who answers.
pub trait Asks {
    /// Asks. `heard` gets what happens meanwhile; `stop` is asked all the while.
    fn ask(
        &mut self,
        asking: &Asking<'_>,
        question: &Question,
        heard: &mut dyn FnMut(Happening),
        stop: &dyn Fn() -> bool,
    ) -> Result<Reply, Stopped>;

    /// Who it is, as `name/model`.
    fn label(&self) -> String;

    /// Shares of budgets that were passed since this was last asked: of what, and how many percent.
    fn passed(&mut self) -> Vec<(String, u32)> {
        Vec::new()
    }

    /// A person agreed to a weaker model.
    fn allow_weaker(&mut self) {}

    /// A person lets it use more than was allowed.
    fn allow_more(&mut self) {}

    /// A person lets it go on although a budget in dollars cannot be kept: nobody knows the price.
    fn allow_unpriced(&mut self) {}
}

/// The providers of a person, with the run's purse.
pub struct Models<'m> {
    caller: Caller<'m>,
    purse: RunPurse,
}

impl<'m> Models<'m> {
    /// These, paid from the limits of a run and of a day.
    pub fn new(caller: Caller<'m>, engine: &Engine, run: &engine::run::fold::Run) -> Self {
        Self { caller, purse: RunPurse::of(engine, run) }
    }
}

impl Asks for Models<'_> {
    fn ask(
        &mut self,
        _: &Asking<'_>,
        question: &Question,
        heard: &mut dyn FnMut(Happening),
        stop: &dyn Fn() -> bool,
    ) -> Result<Reply, Stopped> {
        self.caller.ask(question, heard, &mut self.purse, stop)
    }

    fn label(&self) -> String {
        self.caller.current().map(providers::Provider::label).unwrap_or_default()
    }

    fn passed(&mut self) -> Vec<(String, u32)> {
        self.purse.take_passed()
    }

    fn allow_weaker(&mut self) {
        self.caller.allow_weaker();
    }

    fn allow_more(&mut self) {
        self.purse.allow_more();
    }

    fn allow_unpriced(&mut self) {
        self.purse.allow_unpriced();
    }
}
