//! How much is too much.

/// The numbers behind the rules. How [`Limits::BUILT_IN`] was chosen, and how far that can be trusted, is in
/// `docs/spiral.md`; `./bench spiral --choose` tries others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The so-many-th time that a file's content goes back is denied.
    pub returns: u32,
    /// So many attempts at a file that end in a failure seen before are too many …
    pub stale: u32,
    /// … among so many of its newest attempts (16 at the most).
    pub attempts: u32,
    /// So many attempts at a file without a check that passes are too many.
    pub unpassed: u32,
    /// So many failed edits of one file are too many …
    pub failed_edits: u32,
    /// … within so many steps.
    pub failed_edits_within: u32,
    /// So many rounds of the same calls with the same answers are too many.
    pub repeats: u32,
    /// So many failed steps in a row are too many.
    pub failures: u32,
}

impl Limits {
    /// What `vib` uses.
    pub const BUILT_IN: Self = Self {
        returns: 3,
        stale: 3,
        attempts: 6,
        unpassed: 6,
        failed_edits: 4,
        failed_edits_within: 10,
        repeats: 3,
        failures: 6,
    };
}
