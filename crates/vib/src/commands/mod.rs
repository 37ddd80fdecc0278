//! One file per command: what can be typed, the call to the engine, the rendering.

pub(crate) mod audit;
pub(crate) mod checkpoint;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod demo;
pub(crate) mod diff;
pub(crate) mod doctor;
pub(crate) mod history;
pub(crate) mod hook;
pub(crate) mod init;
pub(crate) mod judge;
pub(crate) mod lesson;
pub(crate) mod man;
pub(crate) mod memory;
pub(crate) mod patch;
pub(crate) mod pin;
pub(crate) mod recover;
pub(crate) mod redact;
pub(crate) mod redo;
pub(crate) mod secrets;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod spiral;
pub(crate) mod status;
pub(crate) mod store;
pub(crate) mod undo;
