//! How much is too much.

/// The numbers behind the rules. Why these, and how far that can be trusted, is in `docs/spiral.md`; `./bench spiral --choose`
/// tries others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// So many rounds of several looks with the same answers: a warning, and the next one is denied.
    pub repeats: u32,
    /// The same for one look: the file may be written by something that runs.
    pub look_repeats: Rounds,
    /// The same for one command: it may wait for something that no file shows, or be run until it fails …
    pub command_repeats: Rounds,
    /// … and for several commands in a circle.
    pub circle_repeats: Rounds,
    /// So many of one command that may do something and worked, or of several in a circle together: a queue is worked off like this.
    pub act_repeats: Rounds,
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

/// Rounds until a warning, and until the next one is denied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rounds {
    /// The agent is told.
    pub warned: u32,
    /// No more.
    pub denied: u32,
}

impl Limits {
    /// What `vib` uses.
    pub const BUILT_IN: Self = Self {
        repeats: 3,
        look_repeats: Rounds { warned: 5, denied: 6 },
        command_repeats: Rounds { warned: 5, denied: 10 },
        circle_repeats: Rounds { warned: 4, denied: 6 },
        act_repeats: Rounds { warned: 30, denied: 40 },
        same_failure: 4,
        old_failure: 6,
        broken_turns: 3,
        broken_edits: 40,
        swings: 3,
        failed_edits: 4,
        failed_edits_within: 10,
    };
}
