//! What well-known models can do. A table with its date: a model that is not in it is unknown, and the person's settings win over it.
//!
//! What they cost is not here: `engine::report::prices` has that.

use crate::substitute::{is_dated, plain};

/// When the table was last compared with its source.
pub const DATE: &str = "2026-11-18";
/// Where the numbers come from.
pub const SOURCES: &str = "litellm 1.108.4, model_prices_and_context_window (MIT); classes are our own reading of each provider's line-up";

/// What a model can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capabilities {
    /// How strong it is: 1 small and quick, 2 for everyday work, 3 strong, 4 the strongest that its provider has.
    pub class: u8,
    /// Tokens that it can hold.
    pub context: u32,
    /// Tokens that it can answer with.
    pub max_output: u32,
    /// It can be given tools.
    pub tools: bool,
}

/// Models' names; class, tokens that can be read, tokens that can be written. All of them take tools and speak one of our two dialects.
#[rustfmt::skip]
const TABLE: &[(&str, u8, u32, u32)] = &[
    ("claude-mythos-5-1", 4, 1_000_000, 128_000),
    ("claude-mythos-5", 4, 1_000_000, 128_000),
    ("claude-fable-5-1", 4, 1_000_000, 128_000),
    ("claude-fable-5", 4, 1_000_000, 128_000),
    ("claude-opus-5-5", 3, 1_000_000, 128_000),
    ("claude-opus-5", 3, 1_000_000, 128_000),
    ("claude-opus-4-8", 3, 1_000_000, 128_000),
    ("claude-opus-4-7", 3, 1_000_000, 128_000),
    ("claude-opus-4-6", 3, 1_000_000, 128_000),
    ("claude-opus-4-5", 3, 200_000, 64_000),
    ("claude-sonnet-5-5", 2, 1_000_000, 128_000),
    ("claude-sonnet-5", 2, 1_000_000, 128_000),
    ("claude-sonnet-4-6", 2, 1_000_000, 128_000),
    ("claude-sonnet-4-5", 2, 200_000, 64_000),
    ("claude-haiku-5-5", 1, 1_000_000, 128_000),
    ("claude-haiku-4-5", 1, 200_000, 64_000),
    ("gpt-6-astra", 4, 922_000, 128_000),
    ("gpt-6.1-sol", 3, 922_000, 128_000),
    ("gpt-6-sol", 3, 922_000, 128_000),
    ("gpt-6-luna", 1, 922_000, 128_000),
    ("gpt-5.6-sol", 3, 922_000, 128_000),
    ("gpt-5.6-terra", 2, 922_000, 128_000),
    ("gpt-5.6-luna", 1, 922_000, 128_000),
    ("gpt-5.6", 3, 922_000, 128_000),
    ("gpt-5.5", 3, 1_050_000, 128_000),
    ("gpt-5.4", 2, 1_050_000, 128_000),
    ("gpt-5.4-mini", 1, 272_000, 128_000),
    ("gpt-5.4-nano", 1, 272_000, 128_000),
    ("gpt-5.2", 2, 272_000, 128_000),
    ("gpt-5.1", 2, 272_000, 128_000),
    ("gpt-5", 2, 272_000, 128_000),
    ("gpt-5-mini", 1, 272_000, 128_000),
    ("gpt-5-nano", 1, 272_000, 128_000),
    ("gpt-4.1", 2, 1_047_576, 32_768),
    ("gpt-4.1-mini", 1, 1_047_576, 32_768),
    ("gpt-4.1-nano", 1, 1_047_576, 32_768),
    ("gpt-4o", 2, 128_000, 16_384),
    ("gpt-4o-mini", 1, 128_000, 16_384),
    ("o3", 2, 200_000, 100_000),
    ("o4-mini", 1, 200_000, 100_000),
];

/// What is known of a model, by its name with or without a date.
pub fn of(model: &str) -> Option<Capabilities> {
    let plain_model = plain(model);
    let is_meant = |name: &str| {
        let name = plain(name);
        name == plain_model || is_dated(&name, &plain_model)
    };
    let (_, class, context, max_output) = TABLE.iter().find(|(name, ..)| is_meant(name))?;
    Some(Capabilities { class: *class, context: *context, max_output: *max_output, tools: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_found_by_its_names_and_no_other_is() {
        let class = |model: &str| of(model).map(|found| found.class);
        assert_eq!(class("claude-sonnet-4-5-20250929"), Some(2));
        assert_eq!(class("openai/gpt-5.4-mini"), Some(1));
        assert_eq!(class("gpt-5-mini-2025-08-07"), Some(1));
        assert_eq!(class("claude-opus-5.5"), Some(3));
        assert_eq!(class("gpt-5-codex"), None);
        assert_eq!(class("qwen3-coder"), None);
        let names: std::collections::BTreeSet<&str> = TABLE.iter().map(|(name, ..)| *name).collect();
        assert_eq!(names.len(), TABLE.len());
        assert!(TABLE.iter().all(|(_, class, context, output)| (1..=4).contains(class) && context > output));
    }
}
