//! Who pays for a run's own questions: the run's limits, and those of the day, which agents that are driven share.

use drive::spend::{self, SpentRow};
use engine::Engine;
use engine::report::usage::Tokens;
use engine::run::fold::Run;
use providers::{OverBudget, Purse, Usage};

/// The share at which somebody is told.
const NOTICE: f64 = 0.8;

/// One budget.
#[derive(Debug, Clone, Copy, Default)]
struct Account {
    tokens: Option<u64>,
    dollars: Option<f64>,
    used_tokens: u64,
    used_dollars: f64,
    is_noticed: bool,
}

impl Account {
    fn reserve(&self, of: &str, tokens: u64, dollars: Option<f64>) -> Result<(), OverBudget> {
        let over = |unit: &str, limit: f64, used: f64, wanted: f64| OverBudget {
            of: of.to_owned(),
            unit: unit.to_owned(),
            limit,
            used,
            wanted,
        };
        if let Some(limit) = self.tokens
            && self.used_tokens.saturating_add(tokens) > limit
        {
            return Err(over("tokens", limit as f64, self.used_tokens as f64, tokens as f64));
        }
        if let (Some(limit), None) = (self.dollars, dollars) {
            return Err(OverBudget::unpriced(of, limit, self.used_dollars));
        }
        if let (Some(limit), Some(wanted)) = (self.dollars, dollars)
            && self.used_dollars + wanted > limit
        {
            return Err(over("dollars", limit, self.used_dollars, wanted));
        }
        Ok(())
    }

    fn settle(&mut self, tokens: u64, dollars: Option<f64>) -> Option<u32> {
        self.used_tokens = self.used_tokens.saturating_add(tokens);
        self.used_dollars += dollars.unwrap_or(0.0);
        let shares = [
            self.tokens.map(|limit| self.used_tokens as f64 / limit as f64),
            self.dollars.map(|limit| self.used_dollars / limit),
        ];
        let share = shares.into_iter().flatten().reduce(f64::max)?;
        if share < NOTICE || std::mem::replace(&mut self.is_noticed, true) {
            return None;
        }
        Some((share * 100.0).min(f64::from(u32::MAX)) as u32)
    }
}

/// The purse of a run.
#[derive(Debug)]
pub struct RunPurse {
    run: Account,
    day: Account,
    passed: Vec<(String, u32)>,
    /// A person lets it go on with models whose price nobody knows.
    is_unpriced_fine: bool,
    store: std::path::PathBuf,
    id: String,
    now_ms: i64,
}

impl RunPurse {
    /// What the run may use, less what it did.
    pub fn of(engine: &Engine, run: &Run) -> Self {
        let config = engine.project().config();
        let some = |number: u64| (number > 0).then_some(number);
        let store = engine.project().shared_state().to_path_buf();
        let now_ms = engine.context().now_ms();
        let today = spend::today(&store, now_ms);
        let all = |tokens: Tokens| tokens.prompt() + tokens.output;
        Self {
            run: Account {
                tokens: run.limits.tokens,
                dollars: run.limits.dollars,
                used_tokens: all(run.spent.tokens),
                used_dollars: run.spent.dollars,
                is_noticed: false,
            },
            day: Account {
                tokens: some(config.number("budget.day_tokens")),
                dollars: some(config.number("budget.day_cents")).map(|cents| cents as f64 / 100.0),
                used_tokens: today.tokens.map_or(0, all),
                used_dollars: today.dollars.unwrap_or(0.0),
                is_noticed: false,
            },
            passed: Vec::new(),
            is_unpriced_fine: false,
            store,
            id: run.id.clone(),
            now_ms,
        }
    }

    /// Shares that were passed since this was last asked.
    pub fn take_passed(&mut self) -> Vec<(String, u32)> {
        std::mem::take(&mut self.passed)
    }

    /// A person lets it go on although nobody can say what it costs: the budgets in dollars bound nothing then.
    pub fn allow_unpriced(&mut self) {
        self.is_unpriced_fine = true;
    }

    /// A person lets the run use as much again.
    pub fn allow_more(&mut self) {
        self.run.tokens = self.run.tokens.map(|tokens| self.run.used_tokens.saturating_add(tokens));
        self.run.dollars = self.run.dollars.map(|dollars| self.run.used_dollars + dollars);
    }
}

impl Purse for RunPurse {
    fn reserve(&mut self, tokens: u64, dollars: Option<f64>) -> Result<(), OverBudget> {
        let dollars = dollars.or(self.is_unpriced_fine.then_some(0.0));
        self.run.reserve("run", tokens, dollars)?;
        self.day.reserve("day", tokens, dollars)
    }

    fn settle(&mut self, usage: &Usage, dollars: Option<f64>) {
        let tokens = usage.tokens();
        for (of, account) in [("run", &mut self.run), ("day", &mut self.day)] {
            if let Some(percent) = account.settle(tokens, dollars) {
                self.passed.push((of.to_owned(), percent));
            }
        }
        let row = SpentRow {
            at_ms: self.now_ms,
            client: "vib".to_owned(),
            session: self.id.clone(),
            tokens: Some(tokens),
            dollars,
            source: "provider".to_owned(),
        };
        // What is not noted counts for this run all the same.
        let _ = spend::note(&self.store, &row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_would_go_beyond_is_refused_before_it_is_made() {
        let mut account = Account { tokens: Some(1_000), dollars: Some(1.0), ..Account::default() };
        assert!(account.reserve("run", 900, Some(0.5)).is_ok());
        assert_eq!(account.settle(700, Some(0.1)), None);
        let over = account.reserve("run", 301, None).unwrap_err();
        assert_eq!((over.unit.as_str(), over.used), ("tokens", 700.0));
        assert_eq!(account.settle(150, Some(0.1)), Some(85));
        assert_eq!(account.settle(50, Some(0.1)), None, "told once");
        assert!(account.reserve("run", 1, Some(0.9)).is_err(), "dollars count too");
        let unknown = account.reserve("run", 1, None).unwrap_err();
        assert!(
            unknown.is_unpriced(),
            "an unknown price is not guessed, and lets nothing through: {unknown:?}"
        );
        account.dollars = None;
        assert!(account.reserve("run", 1, None).is_ok(), "without a budget in dollars nobody has to know");
    }
}
