//! Questions, answers, explanations: who talks to whom, and about what.

use super::super::{any, begins};
use super::{listed, words};

/// A question about what comes after the work. One that asks whether to begin, which way to go or whether it is right is none.
pub(super) fn offers(text: &str) -> bool {
    if any(text, &["anything else", "need anything", "is there anything", "what's next", "what next"]) {
        return true;
    }
    let words = words(text);
    let of_the_work = "rather differently instead prefer which what how approach proceed right sense correct ahead why design plan thoughts think";
    if words.iter().any(|word| listed(of_the_work, word)) {
        return false;
    }
    let asks = any(
        text,
        &[
            "would you like",
            "want me to",
            "do you want",
            "shall i",
            "should i",
            "ready to",
            "want to",
            "can i",
            "move to",
            "move on",
            "continue with",
            "ok to",
            "okay to",
        ],
    );
    let beyond = "commit push pr merge also too same next remaining other others another further deploy release squash rebase follow-up";
    let more = words.iter().any(|word| listed(beyond, word))
        || any(text, &["as well", "pull request", "move on", "continue with"]);
    asks && more
}

pub(super) fn asks_you(text: &str) -> bool {
    any(
        text,
        &[
            "would you like",
            "want me to",
            "do you want",
            "should i",
            "shall i",
            "do you prefer",
            "let me know which",
            "you'd like",
            "your call",
        ],
    )
}

pub(super) fn answers(text: &str) -> bool {
    text == "no"
        || any(
            text,
            &[
                "review",
                "pr summary",
                "analysis",
                "where we're at",
                "audit",
                "findings",
                "i found",
                "overview",
                "question",
            ],
        )
        || begins(
            text,
            &[
                "yes",
                "no,",
                "no ",
                "no -",
                "you're right",
                "you're absolutely right",
                "good question",
                "great question",
                "correct",
                "right",
                "exactly",
                "that's",
                "good catch",
                "good point",
                "interesting",
                "not ",
                "it depends",
                "based on",
                "here's how",
                "looking at",
                "the issue is",
                "the problem is",
            ],
        )
}

/// Told of the program, or of how it was.
pub(super) fn explains(text: &str) -> bool {
    let words = words(text);
    words.iter().any(|word| {
        listed("when if because was were even previously ensures ensure instead root cause whether would unless where so-that", word)
    })
}
