//! How much is too much.

/// The numbers behind the rules. [`Limits::BUILT_IN`] was chosen on one half of the recorded runs and measured on the
/// other (`./bench spiral`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// So often may a file's content go back before the next time is denied.
    pub returns: u32,
    /// So many attempts at a file may end in a failure that was there before.
    pub stale: u32,
    /// So many attempts at a file may go by without a check that passes.
    pub unpassed: u32,
    /// So many failed edits of one file …
    pub failed_edits: u32,
    /// … within so many steps.
    pub failed_edits_within: u32,
    /// So often may a cycle of calls with the same answers repeat.
    pub repeats: u32,
    /// So many steps in a row may fail.
    pub failures: u32,
}

impl Limits {
    /// What `vib` uses.
    pub const BUILT_IN: Self = Self {
        returns: 3,
        stale: 3,
        unpassed: 8,
        failed_edits: 4,
        failed_edits_within: 10,
        repeats: 3,
        failures: 6,
    };
}
