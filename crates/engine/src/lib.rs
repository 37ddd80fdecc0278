//! One function per thing a user can ask for. Every surface (command line, hooks, MCP, web) calls these and nothing
//! below them, so the rules hold everywhere alike: what is restored was previewed, and the state before is saved first.
//!
//! Each use case takes an [`Engine`] and returns a value that can be serialised; nothing here prints.
//!
//! Start reading at [`Engine`], then [`undo`].

pub mod agent;
pub mod anchors;
pub mod approvals;
pub mod at_work;
pub mod audit;
pub mod baseline;
pub mod bisect;
mod change;
mod changes;
pub mod check_command;
pub mod checkpoint;
mod checkpoint_words;
pub mod config;
pub mod delegation;
pub mod diff;
pub mod edit_scope;
pub mod entries;
mod error;
mod events;
pub mod explain;
pub mod gates;
mod git_binary;
mod git_form;
pub mod grants;
pub mod guard;
pub mod health;
pub mod history;
pub mod init;
pub mod inside;
pub mod judge;
pub mod knowledge;
pub mod lane;
pub mod learning;
pub mod lessons;
pub mod lost;
pub mod map;
pub mod may;
pub mod memory;
mod names;
mod open;
pub mod outside;
mod own_entries;
pub mod patch;
pub mod person;
pub mod pin;
mod private_copy;
pub mod private_file;
pub mod protect;
pub mod recall;
pub mod recover;
pub mod redaction;
mod rename;
pub mod report;
pub mod run;
pub mod run_later;
pub mod secret_values;
pub mod secrets;
pub mod show;
pub mod status;
pub mod storage;
pub mod story;
pub mod strip;
pub mod switch;
pub mod timeline;
pub mod undo;
pub mod verdict;
pub mod verification;
pub mod when;
pub mod why;
pub mod word_marks;

pub use error::{Error, Result};
pub use open::{Engine, Notice, Opened};
