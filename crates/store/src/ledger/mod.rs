//! The ledger: what happened, step by step, and what each step did to which path.
//!
//! A *step* is framed by two looks. What the look after it finds changed is its own; what a look finds changed while no step was going
//! on was done by hand or by another program, and becomes a step of its own ([`attribute`]). A step that changed nothing is one small
//! row here and no checkpoint. Rows are written in the transaction of the look that found them, so a change is never saved without
//! its step and never told without being saved.

mod account;
mod attribute;
mod claimants;
mod claims;
mod elsewhere;
pub(crate) mod explained;
mod forget;
mod habit;
mod old;
mod proof;
mod read;
mod request;
mod settle;
mod step;
mod told;
pub(crate) mod unproven;
mod usual;
mod waiting;
mod write;

pub use account::{Account, Way};
pub use claims::Claims;
pub use elsewhere::Elsewhere;
pub use read::{StepChange, StepFilter, WayForward};
pub use request::{Request, RequestNumber};
pub use step::{Actor, Ending, NewStep, Outcome, Serves, Step, StepNumber};
pub use told::{ANY_CELL_ID, Announced, Swap, Told, Trade};
pub(crate) use waiting::enter_waiting;
pub use waiting::{note_begin, note_look};
pub use write::Moment;

pub(crate) use account::mark;
pub(crate) use attribute::{Found, LookAt, Trace, attribute};
pub(crate) use forget::{KEPT_CHANGES, forget_steps};
pub(crate) use habit::HEAD;
pub(crate) use old::read_as_steps;
pub(crate) use settle::{Contents, Settled, settle};
pub(crate) use write::{begin, close, upsert_request};
