//! The fence: a wall in the kernel around commands that no reader can see through.
//!
//! A judge of text can be fooled (`python3 x.py`, `make`, a script of 65 KB). What it cannot see through runs behind a fence instead of
//! being asked about: it may write in the project, in temporary folders, in the caches that tools need and where the person said so,
//! and nowhere else. A seat belt against accidents and clumsy attacks, not a jail: what the kernel leaves open is in [`kernel::OPEN`].
//!
//! What this promises:
//! - A command's text is never changed. The client's own shell is asked, by the file that it reads first ([`shell_file`]), to begin
//!   once more behind the fence; so the client's rules, its folder and what it shows stay as they were.
//! - Only what a hook marked beforehand ([`marks`]) is fenced. What is marked and cannot be fenced does not run.
//! - That a fence is there is believed only where it was seen ([`evidence`]).
//!
//! Start reading at [`Fence::of`], then [`places`].

pub mod allowed;
mod error;
pub mod evidence;
mod fence;
mod git_folder;
mod hidden;
pub mod kernel;
pub mod marks;
pub mod mend;
pub mod places;
pub mod probe;
pub mod refused;
pub mod seatbelt;
pub mod shell_file;
mod surroundings;

pub use error::{Error, Result};
pub use fence::{Fence, MOST_RULES, SEEN, Wishes};
pub use places::{Access, Place};
pub use surroundings::{Surroundings, folder};
