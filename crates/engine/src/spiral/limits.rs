//! How much is too much.

/// The numbers behind the rules. Why these, and how far that can be trusted, is in `docs/spiral.md`; `./bench spiral --choose`
/// tries others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// So many rounds of the same calls with the same answers, and the next one is denied.
    pub repeats: u32,
    /// So many times the same failure after changes …
    pub same_failure: u32,
    /// … or so many times from a check that failed in this way before anything was changed.
    pub old_failure: u32,
    /// So many turns that leave a file unreadable …
    pub broken_turns: u32,
    /// … or so many edits in a row, in whatever turns.
    pub broken_edits: u32,
    /// So many turns in which the size of a file goes up and down.
    pub swings: u32,
    /// So many failed edits of one file are too many …
    pub failed_edits: u32,
    /// … within so many steps.
    pub failed_edits_within: u32,
}

impl Limits {
    /// What `vib` uses.
    pub const BUILT_IN: Self = Self {
        repeats: 3,
        same_failure: 4,
        old_failure: 6,
        broken_turns: 3,
        broken_edits: 10,
        swings: 3,
        failed_edits: 4,
        failed_edits_within: 10,
    };
}
