//! What is known before a person's words are read: what was asked for, and who worked here.

use std::collections::BTreeSet;

use recovery::{Background, Signals};
use store::{Request, Store};

use crate::Result;

/// So many requests, the newest, are known by their exact words and numbers.
const MOST: usize = 2_000;

/// The newest requests.
pub(super) fn requests(store: &Store<'_>) -> Result<Vec<Request>> {
    Ok(store.requests(None, MOST)?)
}

/// What helps to read words.
pub(super) fn of(requests: &[Request]) -> Background {
    let prompts: BTreeSet<&String> = requests.iter().filter_map(|request| request.prompt.as_ref()).collect();
    let clients: BTreeSet<&String> = requests.iter().filter_map(|request| request.client.as_ref()).collect();
    Background {
        prompts: prompts.into_iter().cloned().collect(),
        clients: clients.into_iter().cloned().collect(),
    }
}

/// What helps to find what they mean.
pub(super) fn tell(requests: &[Request], signals: &mut Signals) {
    for request in requests {
        if let Some(client) = &request.client {
            signals.clients.entry(request.session.clone()).or_insert_with(|| client.clone());
        }
        signals.requests.insert(request.number.0, (request.session.clone(), request.turn.clone()));
    }
}
