//! "The last two requests", "the one before last", "the third request", "request 4", "what gemini did", "my own edits".

use super::scan::Scan;
use super::{Background, Which};

const NUMBERS: &[(&str, usize)] = &[
    ("a couple of", 2),
    ("couple of", 2),
    ("couple", 2),
    ("few", 3),
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
];
#[rustfmt::skip]
const ORDINALS: &[(&str, usize)] = &[
    ("first", 1), ("second", 2), ("third", 3), ("fourth", 4), ("fifth", 5), ("sixth", 6), ("seventh", 7), ("eighth", 8), ("ninth", 9), ("tenth", 10),
    ("1st", 1), ("2nd", 2), ("3rd", 3), ("4th", 4), ("5th", 5), ("6th", 6), ("7th", 7), ("8th", 8), ("9th", 9), ("10th", 10),
];
#[rustfmt::skip]
const NOUNS: &[&str] = &[
    "request", "requests", "change", "changes", "prompt", "prompts", "edit", "edits", "turn", "turns", "task", "tasks", "message", "messages",
    "modification", "modifications", "entry", "entries", "update", "updates",
];
const ONES: &[&str] = &["one", "ones", "thing", "things"];
const LAST: &[&str] = &["very last", "last", "most recent", "latest", "newest", "previous", "recent"];
/// A change *to* something is named by that thing.
const OF: &[&str] = &["to", "in", "on", "of", "for", "about", "with", "from"];
/// Names of clients, and what people call them.
pub(super) const CLIENTS: &[(&str, &str)] = &[
    ("claude code", "claude-code"),
    ("claude-code", "claude-code"),
    ("claude", "claude-code"),
    ("gemini cli", "gemini"),
    ("gemini", "gemini"),
    ("codex cli", "codex"),
    ("codex", "codex"),
    ("opencode", "opencode"),
    ("open code", "opencode"),
    ("copilot cli", "copilot"),
    ("github copilot", "copilot"),
    ("copilot", "copilot"),
    ("cursor", "cursor"),
];
const DID: &[&str] = &[
    "has done",
    "has changed",
    "has made",
    "did",
    "made",
    "changed",
    "wrote",
    "edited",
    "touched",
    "has written",
    "have done",
    "did wrong",
    "broke",
    "added",
];

pub(super) fn read(scan: &mut Scan<'_>, known: &Background) -> Option<Which> {
    scan.attempt(from_end)
        .or_else(|| scan.attempt(numbered))
        .or_else(|| scan.attempt(last))
        .or_else(|| scan.attempt(ordinal))
        .or_else(|| scan.attempt(by_hand))
        .or_else(|| scan.attempt(|scan| maker(scan, known)))
}

fn noun(scan: &mut Scan<'_>) -> bool {
    scan.any(NOUNS) || scan.any(ONES)
}

/// Nothing says of what it is the last one.
fn alone<T>(scan: &Scan<'_>, found: T) -> Option<T> {
    (!scan.clone().any(OF)).then_some(found)
}

fn from_end(scan: &mut Scan<'_>) -> Option<Which> {
    scan.may(&["the", "your", "my"]);
    if scan.any(&[
        "second to last",
        "second-to-last",
        "next to last",
        "next-to-last",
        "last but one",
        "penultimate",
        "one but last",
        "second last",
    ]) {
        noun(scan);
        return alone(scan, Which::FromEnd(2));
    }
    if scan.any(&["third to last", "third-to-last", "last but two"]) {
        noun(scan);
        return alone(scan, Which::FromEnd(3));
    }
    if noun(scan) && scan.any(&["before"]) {
        scan.may(&["the"]);
        if scan.any(&["last", "latest", "previous"]) {
            let more = scan.clone().number(NUMBERS).is_some_and(|number| number > 1);
            noun(scan);
            return alone(scan, Which::FromEnd(2)).filter(|_| !more);
        }
    }
    None
}

fn numbered(scan: &mut Scan<'_>) -> Option<Which> {
    scan.may(&["the"]);
    let named = scan.any(&["request", "prompt", "turn"]);
    if named {
        scan.may(&["number", "no.", "nr"]);
    }
    let marked = scan.any(&["#"]);
    if !named && !marked {
        return None;
    }
    let number = scan.number(&[])?;
    #[rustfmt::skip]
    const FOLLOWS: &[&str] = &[
        "and", "or", "but", "please", "except", "not", "only", "now", "back", "is", "was", "are", "were", "should", "must", "can", "may", "has", "have",
        "needs", "stays", "too", "nor", "if", "again", "completely", "did", "made", "out",
    ];
    (scan.ends() || scan.clone().any(FOLLOWS)).then_some(())?;
    Some(Which::Number(i64::try_from(number).ok()?))
}

fn last(scan: &mut Scan<'_>) -> Option<Which> {
    scan.may(&["the", "your", "my"]);
    scan.any(LAST).then_some(())?;
    let count = scan.attempt(|scan| {
        let number = scan.number(NUMBERS)?;
        // "The last one" is one; "the last ten minutes" is no number of requests.
        Some(number)
    });
    let named = noun(scan);
    if !named
        && !scan.ends()
        && !scan.clone().any(&["and", "or", "but", "please", "except", "now", "back", "if", "only", "did"])
    {
        return None;
    }
    alone(scan, Which::Last(count.unwrap_or(1).max(1)))
}

fn ordinal(scan: &mut Scan<'_>) -> Option<Which> {
    let the = scan.any(&["the"]) || scan.any(&["your", "my"]);
    if scan.any(&["oldest", "earliest", "very first"]) {
        return noun(scan).then_some(Which::Nth(1)).and_then(|which| alone(scan, which));
    }
    let at = scan.number(ORDINALS).filter(|at| *at > 0)?;
    if at == 1
        && let Some(count) = scan.attempt(|scan| scan.number(NUMBERS))
        && count > 1
    {
        return noun(scan).then_some(Which::First(count)).and_then(|which| alone(scan, which));
    }
    let named = scan.any(NOUNS) || scan.any(&["one"]) || the && scan.ends();
    named.then_some(Which::Nth(at)).and_then(|which| alone(scan, which))
}

fn by_hand(scan: &mut Scan<'_>) -> Option<Which> {
    const THINGS: &[&str] =
        &["edits", "changes", "work", "edit", "change", "typing", "modifications", "files", "stuff", "lines"];
    scan.may(&["all", "all of"]);
    if scan.any(&["my own", "my manual", "my hand", "manual", "hand-made", "handmade"]) {
        return scan.any(THINGS).then_some(Which::Person);
    }
    if scan.any(&["what", "everything", "whatever", "the things", "anything"]) && scan.any(&["i", "i've"]) {
        scan.may(&["have", "had", "just"]);
        let by = scan.any(&["typed", "wrote", "edited", "changed", "did", "made", "written"]);
        let own = scan.any(&["myself", "by hand", "manually"]);
        return (by && own).then_some(Which::Person);
    }
    None
}

fn maker(scan: &mut Scan<'_>, known: &Background) -> Option<Which> {
    let all = scan.any(&[
        "everything",
        "all",
        "what",
        "whatever",
        "anything",
        "all that",
        "everything that",
        "the changes",
        "all changes",
        "all the changes",
        "changes",
        "the work",
    ]);
    let by = scan.any(&["of", "by", "from", "made by", "done by", "that"]);
    scan.may(&["the"]);
    let client =
        CLIENTS.iter().filter(|(name, _)| scan.clone().any(&[name])).max_by_key(|(name, _)| name.len());
    let agents = ["ai", "agents", "agent", "ais", "bot", "assistant", "robot"];
    let which = match client {
        Some((name, client)) => {
            scan.any(&[name]);
            known.clients.iter().any(|known| known == client).then(|| Which::Client((*client).to_owned()))
        }
        None if scan.any(&agents) => Some(Which::Agents),
        None => None,
    }?;
    let own = scan.any(&["'s", "’s"]);
    let did = scan.any(DID);
    let things = !did && (scan.any(NOUNS) || scan.any(&["work", "stuff", "things"]));
    // "Claude, undo that" speaks to somebody; "the gemini client" names something else.
    let is_client = matches!(which, Which::Client(_));
    let to_something = did && scan.clone().any(&["to", "in", "with", "on"]);
    let says =
        did || own || things || (all && by) || (is_client && scan.ends() && !scan.rest().starts_with(','));
    (says && !to_something).then_some(which)
}
