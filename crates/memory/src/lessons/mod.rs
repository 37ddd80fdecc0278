//! Lessons: what the agent should do differently next time, in a person's words. (LS1–LS4)
//!
//! They are in `LESSONS.md` in the project's root: ordinary text for people, and one fenced `json` block for each lesson.
//! The file is the person's. What this module promises:
//! - Only the bytes of the lesson that is changed are changed; all else, unknown fields too, stays as it was typed.
//! - A file with a mistake in it is read as far as it can be, and never written.
//! - What is handed to a model is data with its origin, never longer than a budget. Nothing in it is ever run or opened.
//!
//! Start reading at [`Document`], then [`select`].

mod document;
mod error;
mod file;
mod lesson;
mod oppose;
mod select;
mod tell;
mod terms;

pub use document::{Document, Problem};
pub use error::{Error, Result};
pub use file::{FILE_NAME, Place};
pub use lesson::{Draft, Lesson, Source};
pub use oppose::Request;
pub use select::{MOST, Occasion, is_resting, select, strength};
pub use tell::{BUDGET_TOKENS, Told, tell};
