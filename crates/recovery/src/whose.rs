//! Whose work goes with a way: what others did since to the files that go back as a whole is said, request by request.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::signals::{Actor, Signals};

/// Work of one request, or of a person's own hand, that would go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Goes {
    /// The request, in its own words, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// No agent did it: a person, or another program.
    pub by_hand: bool,
    /// In these files.
    pub paths: Vec<String>,
}

/// The work that stands of each path from one change on, without what is the way's own.
pub(crate) fn goes(
    signals: &Signals,
    whole: &BTreeMap<&str, usize>,
    own: &dyn Fn(&str, usize) -> bool,
) -> Vec<Goes> {
    type Key<'s> = (Option<&'s str>, Option<&'s str>);
    let mut order: Vec<Key<'_>> = Vec::new();
    let mut found: BTreeMap<Key<'_>, (Option<&str>, bool, BTreeSet<&str>)> = BTreeMap::new();
    for (at, change) in signals.changes.iter().enumerate() {
        let is_in = whole.get(change.path.as_str()).is_some_and(|&from| at >= from);
        let left_something = change.made.added != Some(0) || change.made.removed != Some(0);
        if !is_in || own(&change.path, at) || !signals.stands(at) || change.still.gone || !left_something {
            continue;
        }
        let step = &signals.steps[change.step];
        let by_agent = matches!(step.actor, Actor::Edit | Actor::Command);
        let key = if by_agent { (step.session.as_deref(), step.turn.as_deref()) } else { (None, None) };
        let request = step.prompt.as_deref().filter(|_| by_agent);
        if !found.contains_key(&key) {
            order.push(key);
        }
        found.entry(key).or_insert_with(|| (request, !by_agent, BTreeSet::new())).2.insert(&change.path);
    }
    let goes = order.into_iter().filter_map(|key| found.remove(&key));
    goes.map(|(request, by_hand, paths)| Goes {
        request: request.map(str::to_owned),
        by_hand,
        paths: paths.into_iter().map(str::to_owned).collect(),
    })
    .collect()
}
