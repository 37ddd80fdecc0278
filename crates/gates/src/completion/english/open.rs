//! Words by which something is open: not done, a plan, a list of what remains.

use super::super::{any, begins};
use super::{listed, words};

/// "Steps 2 and 3 remain": numbered parts of the work are left.
fn parts_remain(text: &str) -> bool {
    let words = words(text);
    let named = words
        .iter()
        .position(|word| listed("step steps part parts phase phases item items task tasks", word));
    let left = words.iter().position(|word| listed("remain remains left", word));
    named.zip(left).is_some_and(|(named, left)| {
        named < left
            && words[named..left].iter().any(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
            && !words.iter().any(|word| listed("no none nothing", word))
    })
}

/// Open, wherever it stands.
pub(super) fn is_open(text: &str) -> bool {
    // "Nothing is left to do."
    let none_left = any(text, &["nothing is left", "nothing left", "no remaining work", "nothing remains"]);
    !none_left
        && (parts_remain(text)
            || any(
                text,
                &[
                    "not done",
                    "not finished",
                    "not complete",
                    "n't done",
                    "n't finished",
                    "n't complete",
                    "not yet done",
                    "not yet implemented",
                    "not implemented yet",
                    "still fail",
                    "still there",
                    "reverted my",
                    "backed out my",
                    "undid my",
                    "still missing",
                    "still red",
                    "still to do",
                    "still to come",
                    "still not work",
                    "is still running",
                    "are still running",
                    "is still going",
                    "still in progress",
                    "still open",
                    "still need to ",
                    "still needs to ",
                    "keeps failing",
                    "keep failing",
                    "remaining work",
                    "the rest follows",
                    "left to do",
                    "i'm stuck",
                    "i am stuck",
                    "i'm blocked",
                    "i am blocked",
                    "good progress",
                    "not been able",
                    "i was unable",
                    "i wasn't able",
                    "i am unable",
                    "i'm unable",
                    "i couldn't",
                    "i could not",
                    "none of them works",
                    "nothing has been changed",
                    "nothing was changed",
                    "have not touched",
                    "haven't touched",
                    "have not begun",
                    "have not started",
                    "haven't started",
                    "i need your",
                    "wait for your",
                    "waiting for your",
                    "standing by for",
                    "before i continue",
                    "before i proceed",
                    "i was wrong",
                    "plan i've",
                    "plan i wrote",
                ],
            ))
}

/// Open, at the beginning or at the end.
pub(super) fn is_open_near(text: &str) -> bool {
    any(
        text,
        &[
            "not yet",
            "n't work",
            "not working",
            "not able",
            "unable to",
            "couldn't",
            "could not",
            "i can't ",
            "i cannot ",
            "don't know",
            "i won't ",
            "still return",
            "still report",
            "still need",
            "still has to",
            "still have to",
            "still must",
            "comes next",
            "come next",
            "next up",
            "untested",
            "need more",
            "i stopped",
            "still time",
            "is still missing",
            "still not ",
            "fails with ",
            "tests fail",
            "test fails",
            "build fails",
            "two fail",
            "one fails",
            "of them fail",
            "failed with",
            "remaining:",
            "to do:",
            "except for",
            "so far ",
            "half of ",
            "partly ",
            "partially ",
            "most of it",
            "is blocked",
            "blocked by",
            "was about to",
            "n't fully",
            "waiting for",
            "waiting on",
            "in progress",
            "is missing",
            "are missing",
            "remains to",
            "steps remain",
            "parts remain",
            "items remain",
            "button remains",
            "only looked at",
            "failing before",
            "never passed",
            "has not begun",
            "is not there yet",
            "does not work",
            "do not work",
            "still failing",
            "first step",
            "first version",
            "to go on",
            "follows next",
            "a draft",
            "wait for you",
            "not sure",
            "no changes recommended",
            "running in the background",
            "is running now",
            "i'll wait",
            "i'll report",
            "will let you know",
            "let you know when",
            "once it finishes",
            "once they finish",
            "when they finish",
            "when it finishes",
        ],
    ) || plans(text)
}

/// What the agent is about to do. A closing that offers help is none, nor is a summary that follows.
fn plans(text: &str) -> bool {
    let told = [
        "know",
        "provide",
        "give",
        "create a summary",
        "create a comprehensive",
        "create a final",
        "write a summary",
        "summari",
        "recap",
        "show you",
        "present",
        "update the summary",
        "update the todo",
        "create summary",
    ];
    if let Some(rest) = text.split("let me ").nth(1)
        && !begins(rest, &told)
    {
        return true;
    }
    if text.contains("let's ") {
        return true;
    }
    begins(
        text,
        &[
            "i'll ",
            "i will ",
            "i'm going to",
            "i am going to",
            "next i ",
            "next i'll",
            "next, i ",
            "next, i'll",
            "next step is",
            "plan:",
            "my plan",
            "here is my plan",
            "here's my plan",
            "here is the plan",
            "here's the plan",
            "the plan:",
            "the plan is to",
            "first i'll",
            "first, i'll",
            "i plan to",
            "i'd suggest",
            "i'd start",
            "i'd recommend",
            "i recommend",
            "i would recommend",
            "i would suggest",
            "my recommendation",
            "before i ",
            "now i'll",
            "now i will",
            "still to do",
            "todo:",
            "remaining",
        ],
    ) || any(
        text,
        &[
            " i'll have it",
            " then i'll ",
            "i will report",
            "i'll begin",
            " i'll finish",
            "i'll mark",
            "now i need to",
        ],
    )
}

pub(super) fn heads_open(text: &str) -> bool {
    let words = words(text);
    begins(
        text,
        &[
            "remaining",
            "still to do",
            "still open",
            "to do",
            "todo",
            "what's left",
            "what is left",
            "what remains",
            "not done",
            "not yet",
            "open question",
            "unresolved",
            "pending",
            "in progress",
            "blocked",
            "blocker",
            "still failing",
            "incomplete",
            "proposed",
            "proposal",
            "implementation plan",
            "options",
            "my plan",
            "plan:",
            "recommendation",
            "question for you",
            "questions for you",
        ],
    ) || words.as_slice() == ["plan"]
        || words.as_slice() == ["the", "plan"]
}

pub(super) fn item_is_open(text: &str) -> bool {
    let bare = text.trim_matches(|letter: char| !letter.is_alphanumeric());
    listed("pending todo blocked incomplete", bare)
        || ["in progress", "not started", "not done", "to do", "still open", "not yet"].contains(&bare)
        || begins(
            bare,
            &[
                "todo",
                "still to do",
                "still open",
                "still fail",
                "still need",
                "remaining:",
                "not done",
                "not started",
                "pending:",
                "blocked:",
            ],
        )
        || any(text, &["still failing", "not yet implemented", "not implemented yet"])
}
