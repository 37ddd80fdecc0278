//! Budgets of a card, a run and a day, in tokens and in money. Pure: whoever keeps what a day took hands it in.
//!
//! A call is let through only if everything it may take still fits, so a budget is exceeded by no more than what an estimate was wrong about one
//! call. At four fifths a notice waits to be taken, once. Where a price is unknown, a budget in money lets no call through: it could not be kept.

use crate::model::TokenUsage;
use crate::purse::{OverBudget, Purse};

/// The share of a budget, in percent, at which somebody is told.
pub const NOTICE: u32 = 80;

/// What there is for something.
#[derive(Debug, Clone, PartialEq)]
pub struct Limit {
    /// For what: `card`, `run`, `day`.
    pub of: String,
    /// Tokens; none: as many as it takes.
    pub tokens: Option<u64>,
    /// Dollars; none: as many as it takes.
    pub dollars: Option<f64>,
}

/// What is used of one limit.
#[derive(Debug, Clone, PartialEq)]
pub struct Account {
    /// What there is.
    pub limit: Limit,
    /// Tokens that are used.
    pub tokens: u64,
    /// Dollars that are used, as far as prices are known.
    pub dollars: f64,
    was_told: bool,
}

/// Somebody should know how much of a budget is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BudgetNotice {
    /// Of which: `card`, `run`, `day`.
    pub of: String,
    /// In percent.
    pub used: u32,
}

/// Several budgets that every call has to fit into.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ledger {
    accounts: Vec<Account>,
    reserved: Option<(u64, f64)>,
    notices: Vec<BudgetNotice>,
    knows_all_prices: Option<bool>,
}

impl Account {
    /// The larger share of the two, in percent; nothing without limits.
    pub fn used_percent(&self) -> u32 {
        let share = |used: f64, limit: f64| {
            if limit > 0.0 {
                used / limit
            } else if used > 0.0 {
                f64::INFINITY
            } else {
                0.0
            }
        };
        let tokens = self.limit.tokens.map_or(0.0, |limit| share(self.tokens as f64, limit as f64));
        let dollars = self.limit.dollars.map_or(0.0, |limit| share(self.dollars, limit));
        // Saturates: ten thousand percent is as bad as any more.
        (tokens.max(dollars) * 100.0).min(10_000.0) as u32
    }

    fn refuses(&self, tokens: u64, dollars: f64, is_priced: bool) -> Option<OverBudget> {
        let over = |unit: &str, limit: f64, used: f64, wanted: f64| OverBudget {
            of: self.limit.of.clone(),
            unit: unit.to_owned(),
            limit,
            used,
            wanted,
        };
        if let Some(limit) = self.limit.tokens
            && self.tokens.saturating_add(tokens) > limit
        {
            return Some(over("tokens", limit as f64, self.tokens as f64, tokens as f64));
        }
        if let Some(limit) = self.limit.dollars.filter(|_| !is_priced) {
            return Some(OverBudget::unpriced(&self.limit.of, limit, self.dollars));
        }
        if let Some(limit) = self.limit.dollars
            && self.dollars + dollars > limit
        {
            return Some(over("dollars", limit, self.dollars, dollars));
        }
        None
    }
}

/// Money that can be counted: nothing below zero, nothing that is no number.
fn countable(dollars: Option<f64>) -> f64 {
    dollars.filter(|dollars| dollars.is_finite() && *dollars > 0.0).unwrap_or_default()
}

impl Ledger {
    /// Budgets, of which nothing is used.
    pub fn new(limits: impl IntoIterator<Item = Limit>) -> Self {
        let account = |limit| Account { limit, tokens: 0, dollars: 0.0, was_told: false };
        Self { accounts: limits.into_iter().map(account).collect(), ..Self::default() }
    }

    /// This much was used before: by the runs of this day, or by this run before it was resumed.
    #[must_use]
    pub fn with_used(mut self, of: &str, tokens: u64, dollars: f64) -> Self {
        for account in self.accounts.iter_mut().filter(|account| account.limit.of == of) {
            account.tokens = account.tokens.saturating_add(tokens);
            account.dollars += countable(Some(dollars));
            // It was told then.
            account.was_told = account.used_percent() >= NOTICE;
        }
        self
    }

    /// Another card begins: nothing of its budget is used.
    pub fn begin(&mut self, of: &str) {
        for account in self.accounts.iter_mut().filter(|account| account.limit.of == of) {
            (account.tokens, account.dollars, account.was_told) = (0, 0.0, false);
        }
    }

    /// What is used of each.
    pub fn accounts(&self) -> &[Account] {
        &self.accounts
    }

    /// What should be told, each once.
    pub fn take_notices(&mut self) -> Vec<BudgetNotice> {
        std::mem::take(&mut self.notices)
    }

    /// Every call so far had a price. `false`: the money in the accounts is less than what was spent.
    pub fn knows_all_prices(&self) -> bool {
        self.knows_all_prices.unwrap_or(true)
    }
}

impl Purse for Ledger {
    fn reserve(&mut self, tokens: u64, dollars: Option<f64>) -> Result<(), OverBudget> {
        // A reservation that nobody settled counts as spent: whoever forgets cannot spend more for it.
        let (open_tokens, open_dollars) = self.reserved.unwrap_or_default();
        let is_priced = dollars.is_some_and(f64::is_finite);
        let (tokens, dollars) = (tokens.saturating_add(open_tokens), countable(dollars) + open_dollars);
        let refuses = |account: &Account| account.refuses(tokens, dollars, is_priced);
        if let Some(over) = self.accounts.iter().find_map(refuses) {
            return Err(over);
        }
        self.reserved = Some((tokens, dollars));
        Ok(())
    }

    fn settle(&mut self, usage: &TokenUsage, dollars: Option<f64>) {
        self.reserved = None;
        if usage.tokens() > 0 {
            self.knows_all_prices = Some(self.knows_all_prices() && dollars.is_some());
        }
        for account in &mut self.accounts {
            account.tokens = account.tokens.saturating_add(usage.tokens());
            account.dollars += countable(dollars);
            let used = account.used_percent();
            if used >= NOTICE && !account.was_told {
                account.was_told = true;
                self.notices.push(BudgetNotice { of: account.limit.of.clone(), used });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn limit(of: &str, tokens: Option<u64>, dollars: Option<f64>) -> Limit {
        Limit { of: of.to_owned(), tokens, dollars }
    }

    fn usage(tokens: u64) -> TokenUsage {
        TokenUsage { input: tokens, ..TokenUsage::default() }
    }

    #[test]
    fn a_notice_at_four_fifths_once_and_a_refusal_that_names_the_budget() {
        let mut ledger = Ledger::new([limit("card", Some(1000), None), limit("run", None, Some(1.0))]);
        ledger.reserve(700, Some(0.1)).unwrap();
        ledger.settle(&usage(700), Some(0.1));
        assert_eq!(ledger.take_notices(), []);
        ledger.reserve(300, Some(0.1)).unwrap();
        ledger.settle(&usage(120), Some(0.1));
        assert_eq!(ledger.take_notices(), [BudgetNotice { of: "card".to_owned(), used: 82 }]);
        let over = ledger.reserve(181, None).unwrap_err();
        assert_eq!((over.of.as_str(), over.unit.as_str(), over.used), ("card", "tokens", 820.0));
        assert!(
            over.message().contains("181") && over.message().contains("820 of 1000 tokens"),
            "{}",
            over.message()
        );
        ledger.begin("card");
        ledger.reserve(181, Some(0.79)).unwrap();
        ledger.settle(&usage(0), None);
        let over = ledger.reserve(1, None).unwrap_err();
        assert!(over.is_unpriced() && over.of == "run" && over.next().contains("price_in"), "{over:?}");
        let over = ledger.reserve(1, Some(0.81)).unwrap_err();
        assert_eq!((over.of.as_str(), over.unit.as_str()), ("run", "dollars"));
        assert!(ledger.knows_all_prices());
        let mut ledger = Ledger::new([limit("card", Some(1000), None)]);
        ledger.reserve(1, None).unwrap();
        ledger.settle(&usage(1), None);
        assert!(!ledger.knows_all_prices());
    }

    #[test]
    fn what_was_used_before_counts_and_a_reservation_that_nobody_settles_too() {
        let mut ledger = Ledger::new([limit("day", Some(1000), None)]).with_used("day", 900, f64::NAN);
        assert!(ledger.reserve(101, None).is_err());
        ledger.reserve(60, None).unwrap();
        assert!(ledger.reserve(60, None).is_err());
        assert_eq!(ledger.take_notices(), []);
    }

    proptest! {
        /// Whatever is asked for and whatever it took: no budget is exceeded by more than what the last call took beyond what was reserved for
        /// it, and nobody is told twice.
        #[test]
        fn no_budget_is_exceeded_by_more_than_one_call(
            limit_tokens in 0u64..5_000,
            limit_dollars in 0.0f64..5.0,
            calls in prop::collection::vec((0u64..800, 0u64..1_600, 0.0f64..0.8, 0.0f64..1.6), 0..60),
        ) {
            let mut ledger = Ledger::new([
                limit("run", Some(limit_tokens), Some(limit_dollars)),
                limit("day", Some(limit_tokens * 2), None),
            ]);
            let mut notices = Vec::new();
            for (reserved, taken, dollars, taken_dollars) in calls {
                let before = ledger.clone();
                match ledger.reserve(reserved, Some(dollars)) {
                    Err(_) => prop_assert_eq!(&before.accounts, &ledger.accounts),
                    Ok(()) => {
                        ledger.settle(&usage(taken), Some(taken_dollars));
                        let (was, is) = (&before.accounts[0], &ledger.accounts[0]);
                        prop_assert!(was.tokens + reserved <= limit_tokens);
                        prop_assert!(is.tokens <= limit_tokens + taken.saturating_sub(reserved));
                        prop_assert!(is.dollars <= limit_dollars + (taken_dollars - dollars).max(0.0) + 1e-9);
                    }
                }
                notices.extend(ledger.take_notices());
            }
            prop_assert!(notices.iter().filter(|notice| notice.of == "run").count() <= 1);
            let is_much_used = ledger.accounts[0].used_percent() >= NOTICE;
            prop_assert_eq!(notices.iter().any(|notice| notice.of == "run"), is_much_used);
        }
    }
}
