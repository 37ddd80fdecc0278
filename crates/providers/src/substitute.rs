//! A server that answers with another model than the one it was asked for. Pure.

use crate::capabilities;
use crate::choose::class_lost;
use crate::model::Provider;

/// What is lost with the model that answered; none: it is the one that was asked for.
///
/// Nothing is known about most models of one's own server, neither of the one nor of the other: that is told, and hinders nobody. Where it is known
/// how strong the asked one is, from the table or because the person wrote it down, and the other one is of no table, nobody can say that it is as
/// strong.
pub(crate) fn lost(provider: &Provider, answered: &str) -> Option<Vec<String>> {
    if answered.trim().is_empty() || is_same(&provider.model, answered) {
        return None;
    }
    let known = capabilities::of(answered).map(|found| found.class);
    let is_weaker = match known {
        Some(class) => class < provider.class,
        None => provider.class > 0,
    };
    Some(if is_weaker { vec![class_lost(provider.class, known)] } else { Vec::new() })
}

/// Two names of one model: with and without who made it, a date, `latest`, the file that holds it.
pub(crate) fn is_same(asked: &str, answered: &str) -> bool {
    let (asked, answered) = (plain(asked), plain(answered));
    asked == answered || is_dated(&asked, &answered) || is_dated(&answered, &asked)
}

pub(crate) fn plain(model: &str) -> String {
    let last = model.trim().rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase().replace('.', "-");
    let last = last.strip_suffix("-gguf").unwrap_or(&last);
    let last = last.strip_suffix(":latest").or(last.strip_suffix("-latest")).unwrap_or(last);
    last.to_owned()
}

/// Is `long` the model `short` with a date behind it?
pub(crate) fn is_dated(short: &str, long: &str) -> bool {
    long.strip_prefix(short).and_then(|rest| rest.strip_prefix(['-', '@'])).is_some_and(|date| {
        let digits = date.bytes().filter(u8::is_ascii_digit).count();
        digits >= 6 && date.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_model_are_told_from_names_of_two() {
        for (asked, answered, want) in [
            ("claude-sonnet-4-5", "claude-sonnet-4-5-20250929", true),
            ("claude-sonnet-4-5-20250929", "claude-sonnet-4-5", true),
            ("anthropic/claude-sonnet-4.5", "claude-sonnet-4-5", true),
            ("gpt-5", "gpt-5-2025-08-07", true),
            ("llama3.2", "llama3.2:latest", true),
            ("claude-sonnet-latest", "claude-sonnet", true),
            ("qwen3-coder", "/models/qwen3-coder.gguf", true),
            ("GPT-5", "gpt-5", true),
            ("gpt-5", "gpt-5-mini", false),
            ("gpt-5", "gpt-5-mini-2025-08-07", false),
            ("claude-opus-5", "claude-opus-5-5", false),
            ("claude-opus-5", "claude-haiku-5-5", false),
            ("llama3.2:3b", "llama3.2:1b", false),
            ("a", "", false),
        ] {
            assert_eq!(is_same(asked, answered), want, "{asked} {answered}");
        }
    }
}
