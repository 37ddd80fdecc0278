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
//! - A phrase only narrows what is looked at. It never starts anything.
//!
//! Start reading at [`Signals`], then [`diagnose`] (with `signs` and `zone`) and [`recommend`].

mod asked;
mod diagnose;
mod facts;
mod feedback;
mod paths;
mod phrase;
mod recommend;
mod signals;
mod signs;
mod text;
mod zone;

pub use asked::asked_to_delete;
pub use diagnose::{Diagnosis, Finding, Healthy, Remedy, diagnose};
pub use facts::{Facts, Names, Side, compare};
pub use feedback::{Feedback, Judgement, WINDOW as FEEDBACK_WINDOW};
pub use paths::{is_docs, is_test, words_of_path};
pub use phrase::{Ask, Moment, Phrase};
pub use recommend::{Group, Loss, Mend, Restore, Risk, Way, WayKind, recommend};
pub use signals::{
    Actor, Change, Check, Git, GitMove, GoodPoint, GuardNote, Intent, Kind, Need, Signals, Source, Step, Why,
    ZoneInput,
};
pub use signs::Sign;
pub use zone::{Basis, Outside, Signal, Zone, ZoneFile, zone};
