//! Who runs this command?

use engine::may::Actor;
use engine::person;
use project::Context;

use crate::ask;
use crate::printer::Printer;

/// An agent, if its client is above this process; a person, if one can see what is shown; else a program, which is bound like an agent.
/// The one place that decides it for commands.
pub(crate) fn of(context: &Context, printer: &Printer) -> Actor {
    if person::who(context).agent().is_some() {
        Actor::Agent
    } else if printer.json() || !ask::somebody_is_there() {
        Actor::Program
    } else {
        Actor::Person
    }
}
