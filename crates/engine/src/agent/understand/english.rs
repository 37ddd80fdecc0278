//! "undo that", "can you take that back, please?", "go on".

use super::slots::Slot::{Few, Maybe, One};
use super::slots::{Slot, fits_any};

/// Words by single spaces, each with one after it; marks around words are gone, those inside are kept (`header.css`).
fn plain(prompt: &str) -> String {
    let mut text = String::with_capacity(prompt.len() + 1);
    for word in prompt.split_whitespace() {
        let word = word.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '/');
        if !word.is_empty() {
            text.extend(word.chars().map(|letter| if letter == '’' { '\'' } else { letter }));
            text.push(' ');
        }
    }
    text
}

/// What people say before they say what they want.
const BEFORE: &[&str] = &[
    "please ",
    "pls ",
    "plz ",
    "ok ",
    "okay ",
    "yes ",
    "no ",
    "nope ",
    "hey ",
    "hi ",
    "hmm ",
    "hm ",
    "wait ",
    "oops ",
    "ugh ",
    "oh ",
    "ah ",
    "sorry ",
    "actually ",
    "well ",
    "stop ",
    "now ",
    "just ",
    "then ",
    "so ",
    "quickly ",
    "kindly ",
    "never mind ",
    "nevermind ",
    "my bad ",
    "i changed my mind ",
    "on second thought ",
    "can you ",
    "could you ",
    "would you ",
    "will you ",
    "can we ",
    "could we ",
    "i want you to ",
    "i want to ",
    "i need you to ",
    "i would like you to ",
    "i'd like you to ",
    "i'd like to ",
    "let's ",
    "lets ",
    "let us ",
    "go ahead and ",
    "that's wrong ",
    "this is wrong ",
    "that is wrong ",
    "that's not right ",
    "that's not what i wanted ",
    "that is not what i wanted ",
    "not what i wanted ",
    "that broke it ",
    "this broke it ",
    "you broke it ",
    "it broke ",
    "it's broken ",
    "that broke everything ",
    "that didn't work ",
    "it didn't work ",
    "it doesn't work ",
    "that's worse ",
    "it's worse ",
    "bad idea ",
];

/// And after it.
const AFTER: &[&str] = &[
    "please ",
    "pls ",
    "plz ",
    "thanks ",
    "thank you ",
    "thx ",
    "for me ",
    "now ",
    "right now ",
    "then ",
    "immediately ",
    "asap ",
    "quickly ",
    "real quick ",
    "ok ",
    "okay ",
    "will you ",
    "would you ",
    "could you ",
    "if you can ",
    "if possible ",
    "a lot ",
];

const UNDO: &[&str] = &["undo ", "revert ", "reverse ", "rollback ", "roll back ", "take back "];

/// Verbs that need no object.
const ALONE: &[&str] = &["undo ", "revert ", "rollback ", "roll back "];

/// What was just done, without naming it.
const THAT: &[&str] = &[
    "that ",
    "this ",
    "it ",
    "those ",
    "these ",
    "them ",
    "that one ",
    "this one ",
    "that again ",
    "all that ",
    "all this ",
    "all of that ",
    "all of this ",
    "all of it ",
    "all of them ",
    "the whole thing ",
    "what you did ",
    "what you've done ",
    "what you have done ",
    "what you just did ",
    "what you changed ",
    "what you just changed ",
    "whatever you did ",
    "whatever you just did ",
    "everything you did ",
    "everything you just did ",
    "last thing ",
    "the last thing ",
    "the last thing you did ",
    "last thing you did ",
    "the thing you just did ",
];

const WHOSE: &[&str] = &[
    "the ",
    "your ",
    "that ",
    "this ",
    "those ",
    "these ",
    "all ",
    "all the ",
    "all your ",
    "all of your ",
    "all of the ",
    "all those ",
    "all these ",
    "my ",
];

const LAST: &[&str] =
    &["last ", "latest ", "previous ", "recent ", "most recent ", "very last ", "last set of ", "last few "];

const CHANGE: &[&str] = &[
    "change ",
    "changes ",
    "edit ",
    "edits ",
    "modification ",
    "modifications ",
    "file changes ",
    "code changes ",
];

const STEP: &[&str] = &["step ", "turn ", "request ", "prompt ", "action ", "operation ", "thing ", "round "];

const YOU_MADE: &[&str] = &[
    "you made ",
    "you did ",
    "you just made ",
    "you just did ",
    "you've made ",
    "you've just made ",
    "you have made ",
    "just now ",
    "from just now ",
    "from before ",
];

const AS_IT_WAS: &[&str] = &[
    "how it was ",
    "the way it was ",
    "the way they were ",
    "how they were ",
    "as it was ",
    "like it was ",
    "like before ",
    "as before ",
    "to how it was ",
    "to the way it was ",
    "to what it was ",
    "to normal ",
];

const BACK: &[&[Slot]] = &[
    &[Few(BEFORE), One(ALONE), Few(AFTER)],
    &[Few(BEFORE), One(UNDO), One(THAT), Few(AFTER)],
    &[Few(BEFORE), One(UNDO), Maybe(WHOSE), Maybe(LAST), One(CHANGE), Maybe(YOU_MADE), Few(AFTER)],
    &[Few(BEFORE), One(UNDO), Maybe(WHOSE), One(LAST), One(STEP), Maybe(YOU_MADE), Few(AFTER)],
    &[
        Few(BEFORE),
        One(&["take ", "roll ", "change ", "turn ", "put ", "bring ", "set "]),
        One(&[
            "that ",
            "this ",
            "it ",
            "those ",
            "these ",
            "them ",
            "everything ",
            "that change ",
            "things ",
        ]),
        One(&["back "]),
        Maybe(AS_IT_WAS),
        Maybe(&["before "]),
        Few(AFTER),
    ],
    &[Few(BEFORE), One(&["go back ", "step back "]), One(&["one ", "a ", "1 "]), One(STEP), Few(AFTER)],
    &[
        Few(BEFORE),
        One(&["go back to "]),
        One(&["how it was ", "the way it was "]),
        Maybe(&["before "]),
        Few(AFTER),
    ],
];

const ON: &[&[Slot]] = &[&[
    Few(BEFORE),
    Few(&[
        "yeah ",
        "yep ",
        "sure ",
        "fine ",
        "alright ",
        "vib ",
        "you may ",
        "you can ",
        "let it ",
        "it's ok ",
        "it's fine ",
    ]),
    One(&[
        "go on ",
        "go ahead ",
        "continue ",
        "keep going ",
        "keep on ",
        "keep trying ",
        "carry on ",
        "proceed ",
        "resume ",
        "move on ",
        "try once more ",
    ]),
    Few(&["anyway ", "anyways ", "then ", "with it ", "with that "]),
    Few(AFTER),
]];

/// The person wants back what was before the last request.
pub(super) fn asks_back(prompt: &str) -> bool {
    fits_any(&plain(prompt), BACK)
}

/// The person lets the agent go on.
pub(super) fn lets_go_on(prompt: &str) -> bool {
    fits_any(&plain(prompt), ON)
}
