//! What changed, and how risky is it? Facts in, findings out: nothing here knows a store, a project's state or a person.
//!
//! - [`tell`] reads both sides of changed files as code and says what came, went, moved ([`FileStory`]); [`judge`] adds how risky each is and
//!   why ([`FileReason`]); [`advice`] says what to look at. (GD2)
//! - [`violations`] holds them to the rules of the guard: secrets, protected files, keep regions, anchors, syntax, tests. (GD3)
//! - [`reasons`] puts everything together into codes with the files they speak of ([`Why`]). Surfaces choose the words.
//! - [`checks`] finds the project's own checks, and runs one where a person asks for it.
//!
//! Whoever gathers the facts (the engine) hands in what is protected, which secrets are new, and how to read a file.

mod advice;
pub mod checks;
mod near;
mod reason;
mod rules;
mod story;
mod study;
mod weaker;
mod weigh;
mod why;

pub use advice::{Advice, advice};
pub use checks::{CheckRun, CheckStatus, ProjectCheck};
pub use near::{Near, nearest};
pub use reason::{FileReason, Risk, judge};
pub use rules::{Facts, GuardAnswer, NewSecret, Violation, beyond, violations};
pub use story::{FileChange, FileStory, SymbolEvent, SymbolStory, tell};
pub use study::{ChangedFile, Study, Touched};
pub use weigh::{Findings, reasons};
pub use why::{Reason, Why};
