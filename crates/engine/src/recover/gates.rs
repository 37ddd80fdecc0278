//! The gates of a recovery by name, so that tests can break one at a time and see that the audit log catches it.
//!
//! In every build but the tests of this crate, [`is_broken`] is always false.

/// What must hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gate {
    /// The present state is saved before anything is touched.
    Safety,
    /// What is done comes from typed parameters.
    Typed,
    /// Texts pass the redaction gate.
    Redaction,
    /// A file that the person marked is never called drift.
    Drift,
    /// A stale goal is labelled as one.
    Stale,
}

#[cfg(not(test))]
pub(crate) const fn is_broken(_gate: Gate) -> bool {
    false
}

#[cfg(test)]
pub(crate) use broken::{broken, is_broken};

#[cfg(test)]
mod broken {
    use std::cell::Cell;

    use super::Gate;

    thread_local! {
        static BROKEN: Cell<Option<Gate>> = const { Cell::new(None) };
    }

    pub(crate) fn is_broken(gate: Gate) -> bool {
        BROKEN.get() == Some(gate)
    }

    /// Runs something in a build in which this gate is broken.
    pub(crate) fn broken<T>(gate: Option<Gate>, work: impl FnOnce() -> T) -> T {
        BROKEN.set(gate);
        let result = work();
        BROKEN.set(None);
        result
    }
}
