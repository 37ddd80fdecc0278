//! A private copy of a saved state, in which a check runs and the project is not touched. [`crate::bisect`] searches in one,
//! [`crate::verification`] holds work against checks in one, [`crate::lane`] takes what no state holds along in the same way.
//!
//! What this promises, whatever a check does:
//! - The copy is written from the store, and moved from state to state by what is different. What the check changed of it is put right first.
//! - What a project needs and does not save is there ([`carry`]): as links behind a wall, as a copy where there is none. What in it, or in the
//!   variables ([`environment`]), leads back into the project leads into the copy; what cannot be turned is told.
//! - Where the kernel can, the project is closed for writing ([`wall`]). Believed is neither: the folder is compared before and after
//!   ([`look`]), and what is different is told.
//! - Everything that the check started is ended, and the copy goes, if not now then with the next start.

mod carry;
mod copy;
mod environment;
mod look;
mod now;
mod run;
mod wall;

pub use wall::{CLOSED, Caller};

pub(crate) use carry::{Carried, carry_into_lane, names};
pub(crate) use copy::{Copy, Purpose, clean_up};
pub(crate) use now::save_now;
pub(crate) use run::{Ran, Trial, run};
