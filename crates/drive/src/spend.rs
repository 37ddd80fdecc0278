//! What driven agents cost: counted from the richest source of each client, kept per run, held against a budget.
//!
//! `<state>/projects/<id>/spend.jsonl`, one line per run. What a client does not tell is unknown, never guessed.

use std::io::Write;
use std::path::Path;

use clients::Client;
use engine::report::prices;
use engine::report::usage::{Records, Tokens};
use project::{Context, platform};
use serde::{Deserialize, Serialize};

use crate::executor::Usage;

const DAY_MS: i64 = 24 * 3600 * 1000;
const FILE: &str = "spend.jsonl";

/// What may be used. Nothing: as much as it takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Budget {
    /// Dollars.
    pub dollars: Option<f64>,
    /// Tokens, sent and received.
    pub tokens: Option<u64>,
}

impl Budget {
    /// From what was typed: `$2`, `2.50usd`, `500k`, `2m`, `200000tokens`.
    pub fn read(typed: &str) -> Option<Self> {
        let text = typed.trim().to_ascii_lowercase();
        let dollars = text.strip_prefix('$').or_else(|| text.strip_suffix("usd")).map(str::trim);
        if let Some(dollars) = dollars {
            let dollars =
                dollars.parse::<f64>().ok().filter(|dollars| dollars.is_finite() && *dollars > 0.0)?;
            return Some(Self { dollars: Some(dollars), tokens: None });
        }
        let (number, times) = [("tokens", 1_u64), ("k", 1_000), ("m", 1_000_000)]
            .iter()
            .find_map(|(unit, times)| Some((text.strip_suffix(unit)?.trim(), *times)))?;
        let tokens = number.parse::<u64>().ok()?.checked_mul(times).filter(|tokens| *tokens > 0)?;
        Some(Self { dollars: None, tokens: Some(tokens) })
    }

    /// How much of it is used, one being all; none: nothing is limited, or nothing is known.
    pub fn share(&self, used: &Usage) -> Option<f64> {
        let dollars = self.dollars.and_then(|most| Some(used.dollars? / most));
        let all = |tokens: Tokens| tokens.prompt() + tokens.output;
        let tokens = self.tokens.and_then(|most| Some(all(used.tokens?) as f64 / most as f64));
        [dollars, tokens].into_iter().flatten().reduce(f64::max)
    }

    /// Nothing is limited.
    pub fn is_none(&self) -> bool {
        self.dollars.is_none() && self.tokens.is_none()
    }
}

/// One run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SpentRow {
    /// When it ended, milliseconds since 1970.
    pub at_ms: i64,
    /// The client.
    pub client: String,
    /// The session.
    pub session: String,
    /// Tokens sent and received; none: nobody told.
    pub tokens: Option<u64>,
    /// Dollars; none: nobody told.
    pub dollars: Option<f64>,
    /// Where that comes from.
    pub source: String,
}

/// What a session used so far, and where that comes from: the client's own record where there is one, else what the agent said.
pub fn used(context: &Context, client: Client, session: &str, told: Usage) -> (Usage, &'static str) {
    let Some(record) = Records::new(context).session(client.name(), session) else {
        let source = if told.tokens.is_some() || told.dollars.is_some() { "agent" } else { "unknown" };
        return (told, source);
    };
    let mut tokens = Tokens::default();
    let (mut dollars, mut is_priced) = (0.0, !record.calls.is_empty());
    for call in &record.calls {
        tokens.add(call.tokens);
        match call.model.as_deref().and_then(|model| prices::cost(model, &call.tokens)) {
            Some(cost) => dollars += cost,
            None => is_priced = false,
        }
    }
    let all = |tokens: &Tokens| tokens.prompt() + tokens.output;
    // A record that was not written to the end knows less than the agent said.
    let tokens = match told.tokens {
        Some(told) if all(&told) > all(&tokens) => told,
        _ => tokens,
    };
    let dollars = record.told_cost.or(told.dollars).or(is_priced.then_some(dollars));
    (Usage { tokens: Some(tokens), dollars }, "record")
}

/// Notes a run.
pub fn note(store: &Path, row: &SpentRow) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(row)?;
    line.push(b'\n');
    platform::open_private_append(&store.join(FILE))?.write_all(&line)
}

/// What was used on the day of this moment (UTC). Lines that cannot be read are left out.
pub fn today(store: &Path, now_ms: i64) -> Usage {
    let text = std::fs::read_to_string(store.join(FILE)).unwrap_or_default();
    let day = now_ms.div_euclid(DAY_MS);
    let rows = text.lines().filter_map(|line| serde_json::from_str::<SpentRow>(line).ok());
    let mut used = Usage { tokens: Some(Tokens::default()), dollars: Some(0.0) };
    for row in rows.filter(|row| row.at_ms.div_euclid(DAY_MS) == day) {
        let more = Tokens { input: row.tokens.unwrap_or(0), ..Tokens::default() };
        if let Some(tokens) = &mut used.tokens {
            tokens.add(more);
        }
        used.dollars = used.dollars.map(|dollars| dollars + row.dollars.unwrap_or(0.0));
    }
    used
}

/// Two together.
pub fn sum(one: &Usage, other: &Usage) -> Usage {
    let mut tokens = one.tokens;
    if let Some(more) = other.tokens {
        tokens.get_or_insert_with(Tokens::default).add(more);
    }
    let dollars = match (one.dollars, other.dollars) {
        (Some(one), Some(other)) => Some(one + other),
        (one, other) => one.or(other),
    };
    Usage { tokens, dollars }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_says_what_it_counts() {
        let dollars = |dollars| Some(Budget { dollars: Some(dollars), tokens: None });
        let tokens = |tokens| Some(Budget { dollars: None, tokens: Some(tokens) });
        for (typed, read) in [
            ("$2", dollars(2.0)),
            ("2.50usd", dollars(2.5)),
            ("500k", tokens(500_000)),
            ("2M", tokens(2_000_000)),
            ("1200 tokens", tokens(1_200)),
            ("2", None),
            ("$0", None),
            ("$nan", None),
            ("-5k", None),
            ("99999999999999999999m", None),
            ("", None),
        ] {
            assert_eq!(Budget::read(typed), read, "{typed}");
        }
    }

    #[test]
    fn the_larger_share_counts_and_what_is_unknown_does_not() {
        let budget = Budget { dollars: Some(2.0), tokens: Some(1_000) };
        let used = Usage {
            tokens: Some(Tokens { input: 300, output: 200, ..Tokens::default() }),
            dollars: Some(1.8),
        };
        assert_eq!(budget.share(&used), Some(0.9));
        assert_eq!(budget.share(&Usage { dollars: None, ..used }), Some(0.5));
        assert_eq!(budget.share(&Usage::default()), None);
        assert!(Budget::default().is_none());
    }

    #[test]
    fn a_day_is_a_day_and_a_broken_line_costs_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let row = |at_ms| SpentRow {
            at_ms,
            client: "gemini".to_owned(),
            session: "s".to_owned(),
            tokens: Some(10),
            dollars: Some(0.5),
            source: "record".to_owned(),
        };
        for at in [0, DAY_MS - 1, DAY_MS, DAY_MS + 5] {
            note(folder.path(), &row(at)).expect("noted");
        }
        let file = folder.path().join(FILE);
        let text = std::fs::read_to_string(&file).expect("read") + "{\"at_ms\": 86400001, \"tok";
        std::fs::write(&file, text).expect("written");
        let used = today(folder.path(), DAY_MS + 7);
        assert_eq!((used.tokens.map(|tokens| tokens.prompt()), used.dollars), (Some(20), Some(1.0)));
        assert_eq!(today(folder.path(), 9 * DAY_MS).dollars, Some(0.0));
    }
}
