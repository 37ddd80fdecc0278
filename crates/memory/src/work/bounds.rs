//! How much is kept: the newest of every list in the view, and in the log what the view needs. (MM5)

use super::kinds::{INTENT, NEXT_ACTION, NOTE, RECENT, RELEVANT, RISK, VERIFICATION};
use crate::log::{Event, Provenance};

/// The newest so many of each list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Decisions that count.
    pub decisions: usize,
    /// Things that happened.
    pub events: usize,
    /// Checks.
    pub verification: usize,
    /// Files that matter.
    pub relevant_files: usize,
    /// Things to watch out for.
    pub risks: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { decisions: 50, events: 200, verification: 30, relevant_files: 100, risks: 50 }
    }
}

/// Which events stay in the log when old ones go into the archive, one answer for each. What a person said always stays; of
/// what was only seen, what the view still shows. So the view is the same before and after.
pub fn keep_live(events: &[Event], bounds: &Bounds) -> Vec<bool> {
    let (mut recent, mut checks, mut risks, mut files) = (0, 0, 0, 0);
    let (mut intents, mut nexts, mut notes) = (0, 0, 0);
    let mut keep = vec![true; events.len()];
    for (event, keep) in events.iter().zip(&mut keep).rev() {
        let (count, most) = match event.kind.as_str() {
            kind if RECENT.contains(&kind) => (&mut recent, bounds.events),
            // Explicit and seen checks share one list: both are counted, only the seen ones go.
            VERIFICATION => (&mut checks, bounds.verification),
            RISK => (&mut risks, bounds.risks),
            RELEVANT => (&mut files, usize::MAX),
            INTENT if event.provenance != Provenance::Explicit => (&mut intents, 1),
            NEXT_ACTION if event.provenance != Provenance::Explicit => (&mut nexts, usize::MAX),
            // Not shown anywhere; recall finds it in the archive too.
            NOTE => (&mut notes, 0),
            _ => continue,
        };
        *count += 1;
        *keep = *count <= most || event.provenance == Provenance::Explicit;
    }
    keep
}
