//! Progress of long work, told to whoever wants to show it.

/// A phase of long work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Looking at the files of the project.
    Scanning,
    /// Writing files back.
    Restoring,
    /// Verifying stored content.
    Checking,
    /// Rewriting packs.
    Cleaning,
    /// Looking for secrets in files.
    Searching,
    /// Looking for secrets in commits.
    SearchingHistory,
    /// Reading what is in files, for the project map.
    Mapping,
    /// Taking memories in.
    Importing,
    /// Making memories findable.
    Indexing,
    /// An agent works.
    Driving,
}

/// Receives progress from any thread. Must be cheap.
pub trait Progress: Sync {
    /// A phase begins; `total` is the number of steps, where it is known.
    fn begin(&self, phase: Phase, total: Option<u64>);
    /// `steps` more are done.
    fn advance(&self, steps: u64);
}

/// Shows nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _phase: Phase, _total: Option<u64>) {}
    fn advance(&self, _steps: u64) {}
}
