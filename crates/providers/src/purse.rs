//! Who pays: asked before each call, told after it.

use crate::model::TokenUsage;

/// What to do where a budget in dollars meets a model without a price.
pub const UNPRICED_NEXT: &str = "give the budget in tokens (`--budget 500k`), or write `price_in` and `price_out` of the model into its section of your settings (0 where it costs nothing; `vib providers explain`)";

/// A budget that a call would go beyond.
#[derive(Debug, Clone, PartialEq)]
pub struct OverBudget {
    /// Which: `card`, `run`, `day`.
    pub of: String,
    /// In what: `tokens` or `dollars`; `price`: it is a budget in dollars, and nobody knows what the model costs.
    pub unit: String,
    /// How much there is in all.
    pub limit: f64,
    /// How much is used or reserved.
    pub used: f64,
    /// How much the call may take.
    pub wanted: f64,
}

impl OverBudget {
    /// A budget in dollars, of which this much is used, bounds no model whose price is not known.
    pub fn unpriced(of: &str, limit: f64, used: f64) -> Self {
        Self { of: of.to_owned(), unit: "price".to_owned(), limit, used, wanted: 0.0 }
    }

    /// It is not too much, but nobody can say how much it is.
    pub fn is_unpriced(&self) -> bool {
        self.unit == "price"
    }

    /// What happened.
    pub fn message(&self) -> String {
        if self.is_unpriced() {
            return format!(
                "the budget of the {} is ${:.2}, and the price of the model is not known, so it could not be kept",
                self.of, self.limit
            );
        }
        let amount = |number: f64| match self.unit.as_str() {
            "dollars" => format!("${number:.2}"),
            _ => format!("{number:.0}"),
        };
        let unit = if self.unit == "dollars" { "" } else { " tokens" };
        format!(
            "the next call may take {}{unit}, and of the budget of the {} {} of {}{unit} are used",
            amount(self.wanted),
            self.of,
            amount(self.used),
            amount(self.limit),
        )
    }

    /// What to do.
    pub fn next(&self) -> String {
        if self.is_unpriced() {
            return UNPRICED_NEXT.to_owned();
        }
        format!("look at what was done, then raise the limit of the {} and go on, or leave it there", self.of)
    }
}

/// Who pays. Each `reserve` that is granted is followed by exactly one `settle`.
pub trait Purse {
    /// May a call take this much? `dollars` is none where the price is not known.
    fn reserve(&mut self, tokens: u64, dollars: Option<f64>) -> Result<(), OverBudget>;

    /// The call is over and took this: as the server counts it, or an estimate where it was cut before the server said so; nothing where it was
    /// not charged.
    fn settle(&mut self, usage: &TokenUsage, dollars: Option<f64>);
}

/// Pays everything. For a check of one call and for tests.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoLimit;

impl Purse for NoLimit {
    fn reserve(&mut self, _tokens: u64, _dollars: Option<f64>) -> Result<(), OverBudget> {
        Ok(())
    }

    fn settle(&mut self, _usage: &TokenUsage, _dollars: Option<f64>) {}
}
