//! What of what was offered was of use: it speaks of files that were edited next, and the edit was not taken back.

use std::collections::HashSet;

use ::memory::learn::usage::{FEEDBACK, Offered, RECALLED, feedback};
use ::memory::log::{Event, Provenance};
use serde_json::Value;

use super::carried::Carried;
use crate::{Engine, memory, recall};

/// The feedback on everything that was offered in this session and has none yet.
pub(super) fn of_session(engine: &Engine, carried: &Carried, session: &str) -> Vec<Event> {
    let of = |event: &Event| event.body.get("of").and_then(Value::as_str).map(str::to_owned);
    let answered: HashSet<String> =
        carried.events.iter().filter(|event| event.kind == FEEDBACK).filter_map(of).collect();
    let own = |event: &&Event| event.task.as_deref() == Some(session);
    let mut events = Vec::new();
    for offered in carried.events.iter().filter(own).filter(|event| event.kind == RECALLED) {
        if answered.contains(&offered.id) {
            continue;
        }
        let after = |event: &&Event| event.time_ms >= offered.time_ms;
        let mut edited: HashSet<String> = HashSet::new();
        for event in carried.events.iter().filter(after) {
            let paths = memory::paths_of(event);
            match event.kind.as_str() {
                "edit" if own(&event) => edited.extend(paths),
                // Whoever took it back: it was of no use.
                "rollback" => edited.retain(|path| !paths.contains(path)),
                _ => {}
            }
        }
        let list = offered.body.get("offered").cloned().unwrap_or_default();
        let list: Vec<Offered> = serde_json::from_value(list).unwrap_or_default();
        let ids: Vec<&str> = list.iter().map(|offered| offered.id.as_str()).collect();
        // What names no file was of use or not, and nobody saw it: that is "unknown", never "no". (M4)
        let Ok((useful, silent)) = recall::speaking_of(engine, &ids, &edited) else { continue };
        let (kind, body) = feedback(&offered.id, &useful, &silent);
        let mut event = memory::event(engine, kind, Provenance::Observed, body);
        event.task = Some(session.to_owned());
        events.push(event);
    }
    events
}
