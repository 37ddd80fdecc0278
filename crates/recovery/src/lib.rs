//! "It broke": from signals to a diagnosis, from a diagnosis to two or three ways, the safest first.
//!
//! Pure: nothing here reads a file, a clock or a store. Whoever calls gathers [`Signals`]: what every step of an agent
//! changed, from the checkpoints; what git, the guard, the map and the memory know; what the person said.
//!
//! What this crate promises:
//! - A way that brings files back takes each from just before it was spoilt, so that the good work before and beside stays.
//! - Everything goes back (level 4) is offered first only when nearly everything is lost, or when the person asked for a
//!   moment and nothing less fits.
//! - A file outside the intent zone is a *drift candidate*, with the reason; never "wrong". A file that the person marked is
//!   never called one. Labelling switches itself off when people say too often that it was mistaken.
//! - A phrase only says what is looked at. It never starts anything; what is not understood is asked back, and a name that is to
//!   stay is never taken back.
//!
//! Start reading at [`Signals`], then [`diagnose`] (with `signs` and `zone`) and [`recommend`].

mod asked;
mod complaint;
mod diagnose;
mod facts;
mod feedback;
mod hand_over;
mod lost_since;
mod missed;
mod moved;
mod nouns;
mod own_steps;
mod parts;
mod paths;
mod phrase;
mod recommend;
mod same_step;
mod select;
mod signals;
mod signs;
mod text;
mod whose;
mod zone;

pub use asked::{asked_to_delete, knows_what_was_there};
pub use diagnose::{Diagnosis, Finding, Healthy, Remedy, diagnose};
pub use facts::{Facts, Names, Side, checks_less, compare, look_closer};
pub use feedback::{Feedback, Judgement, WINDOW as FEEDBACK_WINDOW};
pub use parts::{Form, PartKind, Parts, bring_form, bring_parts};
pub use paths::{is_docs, is_test};
pub use phrase::{Ask, Background, Edge, Moment, Named, Phrase, Which};
pub use recommend::{
    Group, Loss, Mend, Mender, NoMender, Repair, RepairKind, Restore, Risk, Way, WayKind, recommend,
};
pub use same_step::Beside;
pub use select::Understood;
pub use signals::{
    Actor, Change, Check, Git, GitMove, GitState, GitStateKind, GoodPoint, GuardNote, Intent, Kind, Look,
    Need, Signals, Source, Step, Why, ZoneInput,
};
pub use signs::Sign;
pub use text::{has_conflict_marks, sources, without_placeholders};
pub use whose::Goes;
pub use zone::{Basis, Outside, Signal, Zone, ZoneFile, zone};
