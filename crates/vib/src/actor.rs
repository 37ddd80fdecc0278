//! Who runs this command?

use engine::may::Actor;

use crate::ask;
use crate::printer::Printer;

/// A person, if one can see what is shown; else a program, which is bound like an agent. The one place that decides it for commands.
pub(crate) fn of(printer: &Printer) -> Actor {
    if printer.json() || !ask::somebody_is_there() { Actor::Program } else { Actor::Person }
}
