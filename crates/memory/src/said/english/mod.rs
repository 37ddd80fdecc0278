//! "from now on …", "always …", "never …", "don't … again", "we decided …".

mod lists;
mod meant;
mod not_meant;
mod taken_back;

use lists::*;
use meant::*;
pub(super) use not_meant::is_only_talk;
use not_meant::*;
pub(super) use taken_back::{corrects, directs, objects, withdraws};

/// Words, without what may stand before the point.
fn words(bare: &str) -> Vec<&str> {
    let words =
        bare.split(|c: char| c.is_whitespace() || ",:;!?.()".contains(c)).filter(|word| !word.is_empty());
    words.skip_while(|word| FILLERS.contains(word)).collect()
}

fn is_question(bare: &str) -> bool {
    let bare = bare.trim();
    let Some(asked) = bare.strip_suffix('?') else {
        let said = words(bare);
        let first = said.first().copied().unwrap_or_default();
        let how_often = bare.contains("how many times do i have to");
        // "when you write docs, always …" asks for nothing.
        let asks = matches!(
            first,
            "why"
                | "what"
                | "how"
                | "where"
                | "who"
                | "which"
                | "would"
                | "could"
                | "should"
                | "does"
                | "did"
                | "is"
                | "are"
                | "can"
        ) || (first == "when"
            && matches!(
                said.get(1),
                Some(&("do" | "does" | "did" | "is" | "are" | "will" | "should" | "can"))
            ));
        return (asks && !how_often && !bare.contains("whatever")) || ends_in_a_tag(bare);
    };
    // "never force-push, ok?" asks for nothing.
    let tag = asked.rsplit(',').next().unwrap_or_default().trim();
    !(asked.contains(',')
        && ["ok", "okay", "right", "please", "yes", "alright", "will you", "understood"].contains(&tag))
}

/// "…, don't you", "…, does it": a question, with or without its mark.
fn ends_in_a_tag(bare: &str) -> bool {
    let Some((_, tag)) = bare.trim().trim_end_matches(['.', '!']).rsplit_once(',') else { return false };
    let mut words = tag.split_whitespace();
    let (Some(verb), Some(whom), None) = (words.next(), words.next(), words.next()) else { return false };
    let verbs = [
        "do", "does", "did", "is", "are", "was", "were", "will", "would", "can", "could", "should", "have",
        "has",
    ];
    verbs.contains(&verb.trim_end_matches("n't"))
        && matches!(whom, "you" | "it" | "we" | "they" | "he" | "she" | "i")
}

fn has(bare: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| {
        bare.match_indices(phrase).any(|(at, _)| {
            let before = bare[..at].chars().next_back();
            let after = bare[at + phrase.len()..].chars().next();
            !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
        })
    })
}

pub(super) fn is_rule(bare: &str) -> bool {
    if !bare.is_ascii() && bare.chars().filter(|c| !c.is_ascii()).count() * 2 > bare.chars().count() {
        return false;
    }
    if is_question(bare) || is_for_a_while(bare) || is_not_meant(bare) {
        return false;
    }
    let words = words(bare);
    let joined = words.join(" ");
    let maybe = has(&joined, &["might", "maybe", "perhaps", "could", "wonder"]);
    if has(&joined, LASTING) || (has(&joined, &["in future", "in the future"]) && !maybe) {
        return true;
    }
    says_so(bare, &joined)
        || opens_with_memory(bare, &joined)
        || is_told_to(&words)
        || is_decided(&joined)
        || ends_something(&words, &joined)
        || has_no_exception(bare, &words, &joined)
        || is_a_habit(&words, &joined)
        || on_every_occasion(bare, &words)
        || is_liked(&joined)
}
