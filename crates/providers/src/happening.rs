//! What a caller tells while it asks, and why it stops.

use std::time::Duration;

use crate::model::TokenUsage;
use crate::purse::OverBudget;

/// What happens while a question is asked. Nothing happens without one of these.
#[derive(Debug, Clone, PartialEq)]
pub enum Happening {
    /// The same provider is asked the same again, after this wait. What it had said so far counts no more.
    Retry {
        /// Why, as a stable code (`rate_limited`, `stream_cut`…).
        code: String,
        /// How long is waited before.
        after: Duration,
    },
    /// Somebody else answers from now on: another provider, or another model than the one that was asked for.
    Switched {
        /// Who did, as `name/model`.
        from: String,
        /// Who does.
        to: String,
        /// Why, as a stable code.
        why: String,
        /// What the new one cannot do, one text each; empty: nothing.
        lost: Vec<String>,
    },
    /// What is asked was changed so that it can be answered.
    Adapted {
        /// How, as a stable code (`shortened`, `without_stream`…).
        what: String,
    },
    /// The model says this.
    Text(String),
    /// A call gave no answer that counts, and was charged all the same: it broke off, was stopped, or was not wanted.
    Charged {
        /// The provider's name.
        provider: String,
        /// The model, as far as it was told.
        model: String,
        /// What it took: as the server counts it, or an estimate.
        usage: TokenUsage,
        /// Dollars, where the price is known.
        dollars: Option<f64>,
    },
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Stopped {
    /// No provider is set up.
    NoProvider,
    /// Only something weaker could answer, and nobody agreed to that.
    NeedsConsent {
        /// Who cannot answer.
        from: String,
        /// Who could.
        to: String,
        /// Why the first one cannot, as a stable code.
        why: String,
        /// What would be lost.
        lost: Vec<String>,
    },
    /// The call would go beyond a budget.
    OverBudget(OverBudget),
    /// It cannot be done.
    Fatal {
        /// A stable code.
        code: String,
        /// What happened, to what. Without keys; what a server said in it is cut and has to pass the gate like all foreign text.
        message: String,
        /// What to do.
        next: String,
    },
    /// Somebody stopped it.
    Cancelled,
}

impl Stopped {
    /// A stable code.
    pub fn code(&self) -> &str {
        match self {
            Self::NoProvider => "no_provider",
            Self::NeedsConsent { .. } => "weaker_model",
            Self::OverBudget(_) => "budget",
            Self::Fatal { code, .. } => code,
            Self::Cancelled => "cancelled",
        }
    }

    /// What happened.
    pub fn message(&self) -> String {
        match self {
            Self::NoProvider => "no provider of a model is set up".to_owned(),
            Self::NeedsConsent { from, to, why, lost } => {
                format!("`{from}` cannot answer ({why}), and `{to}` is weaker: {}", lost.join(", "))
            }
            Self::OverBudget(over) => over.message(),
            Self::Fatal { message, .. } => message.clone(),
            Self::Cancelled => "it was stopped".to_owned(),
        }
    }

    /// What to do next.
    pub fn next(&self) -> String {
        match self {
            Self::NoProvider => {
                "set ANTHROPIC_API_KEY, OPENAI_API_KEY or OLLAMA_HOST, or add a provider: `vib providers explain`".to_owned()
            }
            Self::NeedsConsent { .. } => {
                "repair the first one (`vib providers check`), or agree to a weaker model: `vib config set run.allow_weaker true`"
                    .to_owned()
            }
            Self::OverBudget(over) => over.next(),
            Self::Fatal { next, .. } => next.clone(),
            Self::Cancelled => "ask again when you want to go on".to_owned(),
        }
    }
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.message())
    }
}

impl std::error::Error for Stopped {}
