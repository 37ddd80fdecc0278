//! Said, and not meant to stay: for a while, talk, others' words, supposed, ironic, to be written down, past.

use super::lists::*;
use super::{has, is_question, words};

pub(super) fn is_for_a_while(bare: &str) -> bool {
    has(bare, ONCE)
        || ["until", "till", "til"].iter().any(|until| {
            bare.match_indices(until).any(|(at, _)| {
                let rest = bare[at + until.len()..].trim_start();
                has(&bare[at..at + until.len()], &[until])
                    && UNTIL.iter().any(|time| rest.starts_with(time) && has(&rest[..time.len()], &[time]))
            })
        })
}

/// An agent answers this and does nothing. "Can you add …?" is a request.
pub(in crate::said) fn is_only_talk(bare: &str) -> bool {
    const ANSWERED: &[&str] = &[
        "explain", "tell", "find", "check", "show", "look", "see", "remember", "say", "confirm", "think",
        "clarify", "describe", "compare",
    ];
    if bare.chars().filter(|c| !c.is_ascii() && c.is_alphanumeric()).count() * 3 > bare.chars().count() {
        return false;
    }
    let said = words(bare);
    let polite = match said.as_slice() {
        ["can" | "could" | "would" | "will", "you", "please" | "just" | "also", verb, ..]
        | ["can" | "could" | "would" | "will", "you", verb, ..] => {
            !ANSWERED.contains(verb) && *verb != "always" && *verb != "never"
        }
        _ => false,
    };
    !polite
        && (is_question(bare)
            || is_irony(bare)
            || is_supposed(bare)
            || is_told_of_others(bare)
            || is_past(bare))
}

/// Told of others, supposed, said in irony, of the past, or words to be written somewhere: not what this person wants of an agent.
pub(super) fn is_not_meant(bare: &str) -> bool {
    is_told_of_others(bare) || is_supposed(bare) || is_irony(bare) || is_to_be_written(bare) || is_past(bare)
}

/// "my boss says …", "according to Lee …", "they told me …". What "I" said is one's own.
pub(super) fn is_told_of_others(bare: &str) -> bool {
    const SPEAK: &[&str] = &[
        "says",
        "said",
        "told",
        "tells",
        "saying",
        "insists",
        "insisted",
        "insist",
        "wrote",
        "writes",
        "claims",
        "claimed",
        "thinks",
        "suggests",
        "suggested",
        "recommends",
        "recommended",
        "argues",
        "argued",
        "believes",
        "heard",
        "reads",
        "states",
        "demands",
        "demanded",
        "announced",
        "mentioned",
        "advises",
        "preaches",
    ];
    let words: Vec<&str> =
        bare.split(|c: char| !(c.is_alphanumeric() || c == '\'')).filter(|word| !word.is_empty()).collect();
    let spoken = words.iter().enumerate().any(|(at, word)| {
        let mine = at > 0 && matches!(words[at - 1], "i" | "i've" | "i'd" | "already" | "we");
        let mine = mine || (*word == "told" && words.get(at + 1) == Some(&"you"));
        SPEAK.contains(word) && !mine
    });
    spoken
        || has(
            bare,
            &["according to", "rumor has it", "apparently", "they want", "the other team", "other teams"],
        )
}

pub(super) fn is_supposed(bare: &str) -> bool {
    has(
        bare,
        &[
            "what if",
            "suppose",
            "supposing",
            "imagine",
            "assume",
            "assuming",
            "let's say",
            "let's pretend",
            "pretend",
            "hypothetically",
            "in theory",
            "would be nice",
            "if we ever",
            "if we always",
            "if we never",
            "i wonder",
            "wondering",
            "not sure if",
            "not sure whether",
            "thinking about",
            "might be better",
            "would it",
        ],
    )
}

pub(super) fn is_irony(bare: &str) -> bool {
    const MARKS: &[&str] = &[
        "yeah right",
        "yeah, right",
        "oh sure",
        "oh great",
        "oh yeah",
        "oh yes",
        "oh wonderful",
        "oh fantastic",
        "what could possibly go wrong",
        "what could go wrong",
        "hope for the best",
        "lol",
        "lmao",
        "rofl",
        "haha",
        "hahaha",
        "/s",
        "as if",
        "brilliant idea",
        "genius",
        "because why not",
        "just what i needed",
        "a pleasure",
        "how nice of you",
        "thanks for nothing",
        "good luck with that",
        "sarcasm",
        "just kidding",
        "jk",
        "kidding",
        "joking",
    ];
    let trimmed = bare.trim();
    let opens = [
        "right, and",
        "great, so",
        "great, now",
        "wow",
        "sure, let's",
        "sure, from now",
        "sure, why not",
        "yeah sure",
        "of course, ",
        "fantastic, ",
        "bravo",
        "congrats",
        "well done, ",
    ]
    .iter()
    .any(|start| trimmed.starts_with(start));
    let ends = trimmed.trim_end_matches(['.', '!']).ends_with(", brilliant")
        || trimmed.ends_with("right...")
        || trimmed.ends_with(";)");
    opens || ends || has(bare, MARKS) || bare.contains("🙄") || bare.contains("😏") || bare.contains("😂")
}

/// "the banner should read: never …", "translate this: from now on …", "add a line that says …"
pub(super) fn is_to_be_written(bare: &str) -> bool {
    const TEXTS: &[&str] = &[
        "translate",
        "translation",
        "says",
        "say",
        "saying",
        "read",
        "reads",
        "text",
        "banner",
        "label",
        "line",
        "title",
        "caption",
        "headline",
        "print",
        "notice",
        "sign",
        "wrote",
        "tooltip",
        "placeholder",
        "heading",
        "paragraph",
        "sentence",
        "wording",
        "slogan",
        "footer",
        "toast",
        "popup",
        "subject",
        "rename",
        "tagline",
        "copy",
        "quote",
        "put this",
        "put that",
        "put the following",
        "comment",
        "docstring",
        "error message",
        "disclaimer",
        "system prompt",
        "this mail",
        "this email",
        "this ticket",
        "this log",
        "the output",
        "message",
    ];
    let opens = ["translate ", "rename ", "call the test ", "name the test "]
        .iter()
        .any(|start| bare.trim().starts_with(start));
    opens
        || bare.split_once(':').is_some_and(|(before, after)| {
            let own = has(before, LABELS)
                || has(before, LASTING)
                || has(before, &["remember", "please", "note", "keep in mind"]);
            !after.trim().is_empty() && has(before, TEXTS) && !own
        })
}

pub(super) fn is_past(bare: &str) -> bool {
    has(
        bare,
        &[
            "used to",
            "last year",
            "last month",
            "last week",
            "back then",
            "those were the days",
            "in the old days",
            "in the past",
            "years ago",
            "back in",
            "at my last job",
            "at my old",
            "once upon",
            "previously we",
        ],
    ) && !has(bare, LASTING)
        && !has(bare, &["get used to", "be used to"])
}
