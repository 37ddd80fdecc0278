//! Said to stay: the forms that a rule comes in.

use super::lists::*;
use super::{has, words};

/// "house rule: …", "our convention for …": it says of itself that it is one.
pub(super) fn says_so(bare: &str, joined: &str) -> bool {
    let opens = LABELS.iter().any(|label| {
        joined.strip_prefix(label).is_some_and(|rest| {
            let spaced = rest.starts_with(' ') && rest.trim().contains(' ');
            // One word needs its colon: "convention: …", not "rule 3 fails".
            spaced && (label.contains(' ') || bare.contains(&format!("{label}:")))
        })
    });
    opens
        || has(
            joined,
            &[
                "make it a habit",
                "make it a rule",
                "get used to",
                "that's how we do it",
                "that is how we do it",
                "how we do things here",
                "per our policy",
                "per team policy",
                "please remember that",
                "please remember this",
                "remember this",
                "remember that for",
                "keep that in mind",
                "keep this in mind",
                "please note for",
                "how many times do i have to",
            ],
        )
}

/// "no emojis in commit messages, ever", "don't hardcode colors, not even once": no exception is meant.
pub(super) fn has_no_exception(bare: &str, words: &[&str], joined: &str) -> bool {
    let says = has(bare, ABSOLUTE);
    let trailing = matches!(words.last(), Some(&("always" | "ever" | "never")))
        || joined.ends_with("every time")
        || joined.ends_with("each time")
        || bare.contains(", every time,")
        || bare.contains(", always,");
    if !says && !trailing {
        return false;
    }
    wishes(words, joined)
        || (says && (words.iter().take(6).any(|word| OF_THE_TRADE.contains(word)) || names_a_tool(joined)))
}

/// It asks for something, or forbids it.
pub(super) fn wishes(words: &[&str], joined: &str) -> bool {
    let first = words.first().copied().unwrap_or_default();
    let opens = IMPERATIVES.contains(&first) || matches!(first, "no" | "i'd" | "let's" | "zero");
    opens
        || has(
            joined,
            &[
                "must",
                "mustn't",
                "should",
                "shouldn't",
                "don't",
                "do not",
                "may not",
                "has to",
                "have to",
                "please",
                "i prefer",
                "i want",
                "i need",
                "i expect",
                "ask me",
                "only",
                "may a",
                "may any",
                "may the",
            ],
        ) && !joined.starts_with("it ")
}

/// "in this repo we only …", "we don't do that here", "errors always get wrapped"
pub(super) fn is_a_habit(words: &[&str], joined: &str) -> bool {
    const HERE: &[&str] = &[
        "in this project",
        "in this repo",
        "in this repository",
        "in this codebase",
        "in this code base",
        "in here",
        "around here",
        "in our project",
        "in our repo",
        "in our codebase",
        "in our code",
        "on this project",
        "here",
        "on this team",
        "in this team",
        "in our team",
    ];
    const FIRM: &[&str] = &[
        "only",
        "never",
        "don't",
        "no",
        "not",
        "always",
        "must",
        "should",
        "don't do",
        "nobody",
        "every",
        "everything",
        "all",
    ];
    let ours = [
        "we ",
        "we'",
        "no ",
        "in ",
        "only ",
        "never ",
        "all ",
        "every ",
        "around here",
        "here we",
        "nobody ",
        "on this",
        "use ",
        "stick to ",
    ]
    .iter()
    .any(|start| joined.starts_with(start));
    let happens = has(
        joined,
        &[
            "we have",
            "we got",
            "we see",
            "there is",
            "there are",
            "is no",
            "are no",
            "can't",
            "cannot",
            "doesn't work",
            "error",
            "bug",
            "fails",
            "broken",
        ],
    ) && !has(joined, &["we have to"]);
    if ours && has(joined, HERE) && has(joined, FIRM) && !happens && words.len() > 3 {
        return true;
    }
    // "a deploy always waits for my okay", "our images are always based on …"
    let Some(at) = words.iter().take(9).position(|word| matches!(*word, "always" | "never")) else {
        return false;
    };
    let (before, after) = words.split_at(at);
    let Some(next) = after.get(1) else { return false };
    let is_norm = |word: &&str| NORMS.contains(word);
    let subject = before.iter().take(5).any(|word| OF_THE_TRADE.contains(word));
    let told = before.iter().any(|word| {
        matches!(
            *word,
            "user" | "users" | "it" | "why" | "customer" | "customers" | "i" | "you" | "they" | "he" | "she"
        )
    });
    let copula = before.last().is_some_and(|word| matches!(*word, "are" | "is" | "get" | "gets"));
    let done = next.ends_with("ed")
        || matches!(
            *next,
            "in" | "written"
                | "kept"
                | "done"
                | "made"
                | "built"
                | "sent"
                | "set"
                | "run"
                | "put"
                | "based"
                | "through"
                | "read"
                | "squash"
        );
    let fails = after.iter().any(|word| {
        matches!(
            *word,
            "failed"
                | "broken"
                | "ignored"
                | "skipped"
                | "empty"
                | "null"
                | "undefined"
                | "wrong"
                | "slow"
                | "missing"
                | "lost"
                | "called"
                | "drained"
        )
    });
    subject
        && !told
        && !fails
        && (is_norm(next) && (!matches!(*next, "are" | "is" | "be"))
            || (copula && done)
            || (is_norm(next) && after.len() > 2 && after.get(2).is_some_and(|word| word.ends_with("ed"))))
}

/// "whenever an endpoint changes, docs change with it", "when you write docs, always …"
pub(super) fn on_every_occasion(bare: &str, words: &[&str]) -> bool {
    let trimmed = bare.trim_start();
    let joined = words.join(" ");
    let every = ["whenever ", "any time ", "anytime ", "every time ", "each time ", "everytime "]
        .iter()
        .any(|start| joined.starts_with(start));
    let sometimes = [
        "when ",
        "if ",
        "before ",
        "after ",
        "once ",
        "for every ",
        "for each ",
        "with every ",
        "with each ",
        "on every ",
    ]
    .iter()
    .any(|start| joined.starts_with(start));
    if !every && !sometimes {
        return false;
    }
    let second = words.iter().position(|word| matches!(*word, "i" | "it" | "he" | "she" | "they"));
    if second.is_some_and(|at| at < 4) && !joined.contains(" you ") {
        return false;
    }
    let Some((_, rest)) = trimmed.split_once(',') else {
        return every && joined.split(' ').nth(1) == Some("you") || joined.starts_with("every time you");
    };
    let rest = self::words(rest);
    let first = rest.first().copied().unwrap_or_default();
    let asked =
        IMPERATIVES.contains(&first) || rest.last() == Some(&"please") || rest.last() == Some(&"always");
    if every {
        return asked
            || rest.iter().any(|word| {
                matches!(*word, "must" | "should" | "has" | "changes" | "always" | "never" | "needs")
            });
    }
    rest.iter().take(4).any(|word| matches!(*word, "always" | "never")) && asked
        || rest.last() == Some(&"always")
        || (sometimes
            && asked
            && ["for every ", "for each ", "with every ", "with each ", "on every "]
                .iter()
                .any(|start| joined.starts_with(start)))
}

/// "I prefer short answers, always", "I'm allergic to snapshot tests", "I don't want any more …"
pub(super) fn is_liked(joined: &str) -> bool {
    let this_one = has(
        joined,
        &[
            "option",
            "the first",
            "the second",
            "the latter",
            "the former",
            "this one",
            "that one",
            "version a",
            "version b",
            "the other",
            "your second",
            "your first",
        ],
    );
    let prefers = ["i prefer ", "i'd prefer ", "i would prefer ", "i strongly prefer ", "i always prefer "]
        .iter()
        .any(|start| joined.starts_with(start))
        && has(
            joined,
            &["always", "over", "to", "when", "in general", "generally", "than", "everywhere", "usually"],
        );
    let dislikes = [
        "i hate ",
        "i can't stand ",
        "i'm allergic to ",
        "i am allergic to ",
        "i don't want any ",
        "i do not want any ",
        "i don't ever want ",
        "i never want ",
        "i don't want to see ",
        "i don't want to ever ",
        "i really hate ",
        "i don't like it when you ",
        "i hate it when you ",
        "i can't stand it when ",
    ]
    .iter()
    .any(|start| joined.starts_with(start));
    !this_one && (prefers || dislikes && !has(joined, &["this bug", "mondays"]))
}

pub(super) fn names_a_tool(joined: &str) -> bool {
    let found = crate::said::facets(joined);
    !found.topics.is_empty() || !found.wants.is_empty() || !found.refuses.is_empty()
}

/// "remember: …", "keep in mind that …"
pub(super) fn opens_with_memory(bare: &str, joined: &str) -> bool {
    let bare = bare.trim_start();
    let bare = bare.strip_prefix("please ").unwrap_or(bare);
    bare.starts_with("remember:")
        || bare.starts_with("remember,")
        || [
            "remember that ",
            "remember to ",
            "remember we ",
            "keep in mind",
            "bear in mind",
            "note for the future",
            "as a rule",
            "rule:",
            "new rule",
        ]
        .iter()
        .any(|start| joined.starts_with(start))
}

/// "always VERB", "you must never VERB", "tests should always VERB"
pub(super) fn is_told_to(words: &[&str]) -> bool {
    let Some(at) = words.iter().take(9).position(|word| matches!(*word, "always" | "never" | "ever")) else {
        return false;
    };
    let (before, after) = (&words[..at], &words[at + 1..]);
    let Some(next) = after.first() else { return false };
    if NOT_DONE.contains(next) || is_told_of(next) {
        return false;
    }
    let before = before.join(" ");
    if words[at] == "ever" {
        return [
            "don't",
            "do not",
            "don't you",
            "dont",
            "please don't",
            "you should not",
            "you must not",
            "we should not",
        ]
        .contains(&before.as_str());
    }
    let openings = [
        "",
        "we",
        "you must",
        "you should",
        "you have to",
        "you need to",
        "you shall",
        "you are to",
        "we must",
        "we should",
        "we have to",
        "we need to",
        "make sure",
        "make sure you",
        "make sure to",
        "make sure that you",
        "make sure we",
        "be sure to",
        "let's",
        "let us",
        "i want you to",
        "i'd like you to",
        "i would like you to",
        "i need you to",
        "i expect you to",
        "i",
        "agents must",
        "agents should",
    ];
    if before == "i" {
        // "I never want to see …", "I always want the tests first"
        return matches!(*next, "want" | "expect") && after.len() > 2;
    }
    if openings.contains(&before.as_str()) {
        return true;
    }
    // "functions should always …"
    let must =
        ["must", "should", "shall", "need to", "have to", "has to"].iter().any(|word| before.ends_with(word));
    must && before.split(' ').take(4).any(|word| OF_THE_TRADE.contains(&word)) && !before.contains("user")
}

/// "returns", "failed", "working": somebody tells what happens.
pub(super) fn is_told_of(word: &str) -> bool {
    let is_bare = [
        "pass", "process", "discuss", "address", "express", "access", "press", "need", "embed", "seed",
        "feed", "bring", "ping", "bundle",
    ];
    !is_bare.contains(&word) && (word.ends_with('s') || word.ends_with("ed") || word.ends_with("ing"))
}

/// "we've decided to …", "we use yarn here, never npm"
pub(super) fn is_decided(joined: &str) -> bool {
    let starts = [
        "we've decided",
        "we have decided",
        "we decided",
        "i've decided",
        "i decided",
        "we're switching",
        "we are switching",
        "we switched",
        "we're moving to",
        "we are moving to",
        "we're going with",
        "we go with",
        "decision ",
        "let's agree",
        "let's stick",
        "let's standardize",
        "we agreed",
        "it's decided",
        "we moved",
        "we've moved",
        "we have moved",
        "we're moving",
        "we migrated",
        "we've migrated",
        "we've switched",
        "we have switched",
        "we settled on",
        "we've settled on",
        "we now use",
        "we're now using",
        "we are now using",
        "we've agreed",
        "let's settle on",
        "back to ",
        "let's go back to",
        "let's switch",
        "let's move to",
        "i changed my mind",
        "i've changed my mind",
        "change of plan",
        "change of plans",
        "new plan",
        "we're going back to",
        "we are going back to",
        "we go back to",
        "we went back to",
        "we changed our mind",
    ];
    let uses = joined.starts_with("we use ")
        || joined.starts_with("we only use ")
        || joined.starts_with("this project uses ");
    // "yarn is out, pnpm is in", "so poetry it is"
    let swaps = (has(joined, &["is out", "are out"]) && has(joined, &["is in", "are in"]))
        || (joined.ends_with(" it is") && names_a_tool(joined));
    swaps
        || starts.iter().any(|start| joined.starts_with(start))
        || (uses && has(joined, &["not", "never", "here", "only", "instead of", "everywhere"]))
        || (joined.starts_with("every time you")
            || joined.starts_with("each time you")
            || joined.starts_with("whenever you"))
}

/// "don't … again", "stop …ing", "no more …"
pub(super) fn ends_something(words: &[&str], joined: &str) -> bool {
    let forbids = ["don't ", "do not ", "dont ", "you don't ", "let's not ", "we don't ", "never "];
    let for_good = has(joined, &["again", "anymore", "any more", "any longer", "ever"]);
    if forbids.iter().any(|start| joined.starts_with(start)) && for_good {
        return true;
    }
    match words {
        ["stop" | "quit", verb, ..] if words.len() > 2 => verb.ends_with("ing") && *verb != "thinking",
        ["no", "more", thing, ..] => *thing != "than",
        _ => false,
    }
}
