//! What a million tokens cost. A table with its date: prices change, and a model that is not in it has no price here.
//!
//! These are the usual rates. Some providers charge more for very long prompts (over 200,000 or 270,000 tokens) and less for batches,
//! which a transcript does not tell.

use super::usage::Tokens;

/// When the table was last compared with its source.
pub const DATE: &str = "2026-11-15";
/// Where the prices come from.
pub const SOURCES: &str = "litellm 1.108.4, model_prices_and_context_window (MIT); reading and writing caches by the providers' rules";

/// Reading from a cache costs a tenth of the input with all three providers.
const CACHE_READ: f64 = 0.1;
/// Anthropic charges for writing into it, as for five minutes; the others charge it as input.
const CACHE_WRITE_CLAUDE: f64 = 1.25;

/// Models' names; dollars for a million tokens of input and of output.
#[rustfmt::skip]
const TABLE: &[(&str, f64, f64)] = &[
    ("claude-mythos-5-1", 10.0, 50.0),
    ("claude-sonnet-4-5", 3.0, 15.0),
    ("claude-sonnet-4-6", 3.0, 15.0),
    ("claude-sonnet-5-5", 2.0, 10.0),
    ("claude-fable-5-1", 10.0, 50.0),
    ("claude-haiku-4-5", 1.0, 5.0),
    ("claude-haiku-5-5", 0.1, 0.5),
    ("claude-mythos-5", 10.0, 50.0),
    ("claude-opus-4-1", 15.0, 75.0),
    ("claude-opus-4-5", 5.0, 25.0),
    ("claude-opus-4-6", 5.0, 25.0),
    ("claude-opus-4-7", 5.0, 25.0),
    ("claude-opus-4-8", 5.0, 25.0),
    ("claude-opus-5-5", 4.0, 20.0),
    ("claude-sonnet-5", 2.0, 10.0),
    ("claude-fable-5", 10.0, 50.0),
    ("claude-opus-5", 5.0, 25.0),
    ("gemini-3.1-flash-lite-preview", 0.25, 1.5),
    ("gemini-3-flash-preview", 0.5, 3.0),
    ("gemini-3.1-pro-preview", 2.0, 12.0),
    ("gemini-2.5-flash-lite", 0.1, 0.4),
    ("gemini-3.1-flash-lite", 0.25, 1.5),
    ("gemini-3.5-flash-lite", 0.3, 2.5),
    ("gemini-2.5-flash", 0.3, 2.5),
    ("gemini-3.5-flash", 1.5, 9.0),
    ("gemini-3.6-flash", 0.75, 3.75),
    ("gemini-3.7-flash", 0.75, 3.75),
    ("gemini-3.8-flash", 0.75, 3.75),
    ("gemini-2.5-pro", 1.25, 10.0),
    ("gpt-5.1-codex-mini", 0.25, 2.0),
    ("gpt-5.1-codex-max", 1.25, 10.0),
    ("gpt-5.1-codex", 1.25, 10.0),
    ("gpt-5.2-codex", 1.75, 14.0),
    ("gpt-5.3-codex", 1.75, 14.0),
    ("gpt-5.6-terra", 2.0, 12.0),
    ("gpt-5.4-mini", 0.75, 4.5),
    ("gpt-5.4-nano", 0.2, 1.25),
    ("gpt-5.6-luna", 0.2, 1.2),
    ("gpt-5-codex", 1.25, 10.0),
    ("gpt-5.2-pro", 21.0, 168.0),
    ("gpt-5.4-pro", 30.0, 180.0),
    ("gpt-5.5-pro", 30.0, 180.0),
    ("gpt-5.6-sol", 4.0, 20.0),
    ("gpt-5-mini", 0.25, 2.0),
    ("gpt-5-nano", 0.05, 0.4),
    ("gpt-5-pro", 15.0, 120.0),
    ("gpt-5.1", 1.25, 10.0),
    ("gpt-5.2", 1.75, 14.0),
    ("gpt-5.4", 2.5, 15.0),
    ("gpt-5.5", 5.0, 30.0),
    ("gpt-5.6", 4.0, 20.0),
    ("gpt-5", 1.25, 10.0),
];

/// What follows a model's name and does not make it another model: a date.
fn is_same_model(model: &str, name: &str) -> bool {
    let Some(rest) = model.strip_prefix(name) else { return false };
    rest.is_empty()
        || rest.strip_prefix('-').is_some_and(|date| {
            date.len() >= 8 && date.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
        })
}

/// Dollars for a million tokens of one model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PerMillion {
    /// Read.
    pub input: f64,
    /// Written.
    pub output: f64,
    /// Read from a cache.
    pub cache_read: f64,
    /// Written into a cache.
    pub cache_write: f64,
}

/// What a million tokens cost with this model; none if that is not known.
pub fn per_million(model: &str) -> Option<PerMillion> {
    let plain = model.rsplit('/').next().unwrap_or(model).replace('.', "-");
    let (name, input, output) =
        TABLE.iter().find(|(name, ..)| is_same_model(&plain, &name.replace('.', "-")))?;
    let write = if name.starts_with("claude-") { CACHE_WRITE_CLAUDE } else { 1.0 };
    Some(PerMillion {
        input: *input,
        output: *output,
        cache_read: input * CACHE_READ,
        cache_write: input * write,
    })
}

/// What these tokens cost with this model, in dollars; none if its price is not known.
pub fn cost(model: &str, tokens: &Tokens) -> Option<f64> {
    let price = per_million(model)?;
    let part = |tokens: u64, dollars: f64| tokens as f64 * dollars / 1_000_000.0;
    Some(
        part(tokens.input, price.input)
            + part(tokens.cache_read, price.cache_read)
            + part(tokens.cache_write, price.cache_write)
            + part(tokens.output, price.output),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_model_costs_what_its_client_says_and_an_unknown_one_nothing_is_said_of() {
        // As Claude Code 2.1.325 summed up such a session itself: 0.0039645.
        let tokens = Tokens { input: 1028, cache_read: 60, cache_write: 30, output: 50 };
        let told = cost("claude-sonnet-4-5", &tokens);
        assert!(told.is_some_and(|told| (told - 0.003_964_5).abs() < 1e-12), "{told:?}");
        assert_eq!(cost("claude-sonnet-4-5-20250929", &tokens), told);
        assert_eq!(cost("claude-sonnet-4.5", &tokens), told);
        assert_eq!(cost("anthropic/claude-sonnet-4.5", &tokens), told);
        assert_eq!(cost("scripted", &tokens), None);
        assert_ne!(cost("gpt-5.5-pro", &tokens), cost("gpt-5.5", &tokens));
        assert_eq!(cost("gpt-5.5-ultra", &tokens), None);
        assert_eq!(cost("claude-sonnet-4-5-turbo", &tokens), None);
    }
}
