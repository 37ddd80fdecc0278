//! Previews that were shown and wait for a yes. A confirmation names one of these: what is done is what was shown.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::access::random_text;

/// So many wait at the same time; the oldest goes.
const MOST: usize = 12;
/// And this long.
const LIFE: Duration = Duration::from_secs(30 * 60);

/// Previews by number.
#[derive(Debug, Default)]
pub(crate) struct Previews(Mutex<VecDeque<Held>>);

#[derive(Debug)]
struct Held {
    id: String,
    since: Instant,
    preview: Arc<engine::undo::Preview>,
}

impl Previews {
    /// Keeps a preview and names it.
    pub(crate) fn keep(&self, preview: engine::undo::Preview) -> (String, Arc<engine::undo::Preview>) {
        let preview = Arc::new(preview);
        let mut id = random_text();
        id.truncate(24);
        if let Ok(mut held) = self.0.lock() {
            held.retain(|held| held.since.elapsed() < LIFE);
            while held.len() >= MOST {
                held.pop_front();
            }
            held.push_back(Held { id: id.clone(), since: Instant::now(), preview: Arc::clone(&preview) });
        }
        (id, preview)
    }

    /// Takes a preview: it can be confirmed once.
    pub(crate) fn take(&self, id: &str) -> Option<Arc<engine::undo::Preview>> {
        let mut held = self.0.lock().ok()?;
        let at = held.iter().position(|held| held.id == id && held.since.elapsed() < LIFE)?;
        held.remove(at).map(|held| held.preview)
    }
}
