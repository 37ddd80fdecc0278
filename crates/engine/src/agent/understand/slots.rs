//! A tiny pattern for whole prompts: a row of slots, each with the words that may stand there. No regular expressions are
//! built on the way of a hook.

/// One place in a pattern.
#[derive(Debug, Clone, Copy)]
pub(super) enum Slot {
    /// Exactly one of these.
    One(&'static [&'static str]),
    /// One of these, or nothing.
    Maybe(&'static [&'static str]),
    /// A few of these, in any order, or nothing.
    Few(&'static [&'static str]),
}

/// How many fillers may stand in a row; it also bounds the work.
const FEW: usize = 4;

/// Whether the whole text is made of the slots.
pub(super) fn fits(text: &str, slots: &[Slot]) -> bool {
    let Some((first, rest)) = slots.split_first() else {
        return text.is_empty();
    };
    match first {
        Slot::One(words) => begins(text, words).any(|after| fits(after, rest)),
        Slot::Maybe(words) => begins(text, words).any(|after| fits(after, rest)) || fits(text, rest),
        Slot::Few(words) => fits_after_few(text, words, rest, FEW),
    }
}

/// Whether the whole text is one of the patterns.
pub(super) fn fits_any(text: &str, patterns: &[&[Slot]]) -> bool {
    patterns.iter().any(|slots| fits(text, slots))
}

fn fits_after_few(text: &str, words: &'static [&'static str], rest: &[Slot], left: usize) -> bool {
    fits(text, rest)
        || (left > 0 && begins(text, words).any(|after| fits_after_few(after, words, rest, left - 1)))
}

/// What is left of the text after each of the words that it begins with.
fn begins<'t>(text: &'t str, words: &'static [&'static str]) -> impl Iterator<Item = &'t str> {
    words.iter().filter_map(move |word| text.strip_prefix(word))
}
