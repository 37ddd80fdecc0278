//! What vib itself took back: changes after which a going back brought the path to what it was before them.

use std::collections::HashMap;

use project::RelPath;
use recovery::{Actor, Signals};

use super::gather::{Owned, same};

/// Notes at each change which later one of vib's took it back. `owned`: what the changes were made from, in the same order.
pub(super) fn find(owned: &[Owned], signals: &mut Signals) {
    let mut of_path: HashMap<&RelPath, Vec<usize>> = HashMap::new();
    for (at, one) in owned.iter().enumerate().take(signals.changes.len()) {
        let earlier = of_path.entry(&one.passage.path).or_default();
        let is_back = signals.steps[signals.changes[at].step].actor == Actor::Restore;
        // Of several such states the newest: what lies before it stands as it stood then.
        let from = earlier.iter().rposition(|&old| same(&owned[old].passage.before, &one.passage.after));
        if let Some(from) = from.filter(|_| is_back) {
            let taken = &earlier[from..];
            // To take back a going back makes what that had taken back stand again.
            for &old in &earlier[..from] {
                let again = signals.changes[old].undone_by.is_some_and(|back| taken.contains(&back));
                if again {
                    signals.changes[old].undone_by = None;
                }
            }
            for &old in taken {
                signals.changes[old].undone_by = Some(at);
            }
        }
        earlier.push(at);
    }
}
