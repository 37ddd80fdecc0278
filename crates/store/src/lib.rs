//! Checkpoints: saving, looking, comparing and going back.
//!
//! What this crate promises:
//! - A checkpoint never holds a torn copy of a file; what could not be saved is named with the reason.
//! - Content is kept once, checked whenever it is read, and never deleted while a checkpoint needs it.
//! - [`Store::restore`] is the only function that overwrites a user's file. It takes a [`SafetyCheckpoint`], which only
//!   this crate can make, after the save is on the disk.
//! - A process may be killed at any point; the next command finds a whole store and finishes a restore that was cut off.
//!
//! Start reading at [`Store`], then `snapshot`, `timeline`, `restore`.

mod between;
mod check;
mod checkpoint;
mod db;
mod entry;
mod error;
mod export;
mod gc;
mod hash;
mod held;
mod id;
mod ignore_rules;
mod lane;
mod lately;
mod ledger;
pub mod line_diff;
pub mod lines;
mod look_up;
mod materialise;
mod names;
mod pack;
mod parallel;
mod passages;
mod progress;
mod rebuild;
mod restart;
mod restore;
mod retention;
mod schema;
mod search;
mod snapshot;
mod stats;
mod store;
mod timeline;
mod versions;
mod view;
mod walk;
mod witness;

pub use check::{CheckReport, Damage, RepairReport};
pub use checkpoint::{Checkpoint, CheckpointKind, Origin};
pub use entry::{Entry, EntryKind};
pub use error::{Error, Result};
pub use export::ExportReport;
pub use gc::GcReport;
pub use hash::ContentHash;
pub use id::CheckpointId;
pub use ledger::{
    ANY_CELL_ID, Account, Actor, Announced, Claims, Elsewhere, Ending, Moment, NewStep, Outcome, Request,
    RequestNumber, Serves, Step, StepChange, StepFilter, StepNumber, Swap, Told, Trade, Way, WayForward,
    note_begin, note_look,
};
pub use materialise::{Materialised, Moved, remove_folder};
pub use passages::Passage;
pub use progress::{Phase, Progress, Silent};
pub use restore::{Kept, Operation, Plan, Purpose, RestoreReport, Resumed, SafetyCheckpoint, Write};
pub use retention::gone::{Gone, GoneReport};
pub use search::{Activity, Search};
pub use snapshot::{Saved, Scope, SnapshotRequest};
pub use stats::Stats;
pub use store::{Store, TreeLock};
pub use timeline::{Difference, HistoryFilter};
pub use view::{View, WorkingTree};
pub use walk::content::{peek, read_unsaved, save_large_files_one_by_one};
pub use walk::hurry::{NOT_YET, hurry, take_time};
pub use walk::saved::{is_saved, unsaved_below};
pub use walk::{Problem, ScanCounts};
pub use witness::{Lost, Missing};
