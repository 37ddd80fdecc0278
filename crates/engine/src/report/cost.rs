//! What sessions and requests cost: tokens as the clients tell them, money as the client or the table of prices tells it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::prices;
use super::usage::{Call, SessionUsage, Tokens};

/// What something cost, as far as it is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Cost {
    /// Calls of a model; none: the client does not tell.
    pub calls: Option<u64>,
    /// Their tokens.
    pub tokens: Option<Tokens>,
    /// Dollars; none: unknown.
    pub dollars: Option<f64>,
    /// Something of it is unknown, so it is at least this.
    pub partly_unknown: bool,
    /// Not all calls are told, or not all of their tokens: there are at least so many.
    pub tokens_partly_unknown: bool,
}

impl Cost {
    /// Nothing was asked of a model that anybody told of.
    pub(super) fn unknown() -> Self {
        Self { partly_unknown: true, tokens_partly_unknown: true, ..Self::default() }
    }

    pub(super) fn of_calls<'c>(calls: impl Iterator<Item = &'c Call>) -> Self {
        let (mut count, mut tokens, mut dollars, mut priced) = (0, Tokens::default(), 0.0, 0);
        let mut untold = false;
        for call in calls {
            count += 1;
            tokens.add(call.tokens);
            untold |= !call.is_told;
            if let Some(cost) = call.model.as_deref().and_then(|model| prices::cost(model, &call.tokens)) {
                priced += 1;
                dollars += cost;
            }
        }
        // What has a price is told beside what has none: at least this. (M7)
        Self {
            calls: Some(count),
            tokens: Some(tokens),
            dollars: (priced > 0).then_some(dollars),
            partly_unknown: priced < count || untold,
            tokens_partly_unknown: untold,
        }
    }

    /// Adds another's. What is unknown in one is unknown in the sum.
    pub(super) fn add(&mut self, other: &Self) {
        self.calls = sum(self.calls, other.calls, |a, b| a + b);
        self.tokens = sum(self.tokens, other.tokens, |mut a, b| {
            a.add(b);
            a
        });
        self.dollars = sum(self.dollars, other.dollars, |a, b| a + b);
        self.partly_unknown |= other.partly_unknown || other.calls.is_none();
        self.tokens_partly_unknown |= other.tokens_partly_unknown || other.tokens.is_none();
    }
}

fn sum<T>(one: Option<T>, other: Option<T>, add: impl FnOnce(T, T) -> T) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(add(one, other)),
        (one, other) => one.or(other),
    }
}

/// What one model was used for in a session.
#[derive(Debug, Clone, Serialize)]
pub struct ModelUsage {
    /// The model; none: not told.
    pub model: Option<String>,
    /// By sub-agents.
    pub by_helpers: bool,
    /// What it cost.
    pub cost: Cost,
}

/// What one session cost.
#[derive(Debug, Clone, Serialize)]
pub struct SessionCost {
    /// The client.
    pub client: String,
    /// The session.
    pub session: String,
    /// All of it.
    pub cost: Cost,
    /// The dollars are those that the client itself says.
    pub told_by_client: bool,
    /// Model by model.
    pub models: Vec<ModelUsage>,
}

impl SessionCost {
    pub(super) fn new(
        client: &str,
        session: &str,
        usage: Option<&SessionUsage>,
        since_ms: Option<i64>,
    ) -> Self {
        let (client, session) = (client.to_owned(), session.to_owned());
        let Some(usage) = usage else {
            return Self {
                client,
                session,
                cost: Cost::unknown(),
                told_by_client: false,
                models: Vec::new(),
            };
        };
        let is_meant = |call: &&Call| since_ms.is_none_or(|since| call.time_ms >= since);
        let calls: Vec<&Call> = usage.calls.iter().filter(is_meant).collect();
        let mut by_model: BTreeMap<(Option<String>, bool), Vec<&Call>> = BTreeMap::new();
        for call in &calls {
            by_model.entry((call.model.clone(), call.agent.is_some())).or_default().push(call);
        }
        let models = by_model
            .into_iter()
            .map(|((model, by_helpers), calls)| ModelUsage {
                model,
                by_helpers,
                cost: Cost::of_calls(calls.into_iter()),
            })
            .collect();
        let mut cost = Cost::of_calls(calls.iter().copied());
        // The client's own sum is of the whole session.
        let whole = calls.len() == usage.calls.len();
        let told = usage.told_cost.filter(|_| whole && !calls.is_empty());
        if let Some(told) = told {
            cost.dollars = Some(told);
            cost.partly_unknown = false;
        }
        Self { client, session, cost, told_by_client: told.is_some(), models }
    }
}
