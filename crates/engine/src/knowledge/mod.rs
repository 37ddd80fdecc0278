//! What vib knows and tells: what the person said in the chat (M7), and what mended a failure (M2). Told where it applies, as it stands at that
//! moment, and steered by the person (M15).
//!
//! Facts are events of the project's log. What is read on the way of a hook is a small view of them, `memory/sayings.json` and
//! `memory/fixes.json`, which can be deleted.
//!
//! Start reading at `hear`, then `sayings` and `fixes`.

mod before;
mod choose;
mod fixes;
mod hear;
mod help;
mod preview;
mod sayings;
mod steer;
mod use_of;

pub use before::last_request;
pub use choose::{TellingMoment, telling};
pub use fixes::{Failing, after_command};
pub use hear::{Heard, answer_in_chat, hear};
pub use help::{Help, help};
pub use preview::{Preview, preview};
pub use sayings::{Saying, Standing, all};
pub use steer::{Known, KnownReport, Steer, known, steer, steer_on_page};

pub(crate) use fixes::edited;
pub(crate) use hear::named_in;
pub(crate) use sayings::overtaken_decisions;

/// Who puts words in front of an agent says so.
const HEADER: &str = "Said by the person before, quoted by vib (what they ask for now wins):";

/// The end of an id: it is random there, and short enough to be typed.
pub fn short_id(id: &str) -> &str {
    id.get(id.len().saturating_sub(6)..).unwrap_or(id)
}

/// In a few sessions nothing that vib learnt by itself is told, so that its use can be seen. What a person said is always told. (M3)
pub(crate) fn is_held_back(engine: &crate::Engine, who: &crate::agent::Who) -> bool {
    let share = engine.project().config().number("memory.hold_out");
    spiral::hash(who.session.as_bytes()) % 100 < share
}
