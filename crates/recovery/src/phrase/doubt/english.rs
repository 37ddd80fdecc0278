//! "Undoing the cart would be wrong", "undo the cart? no!", "should I undo the cart?"

use super::super::english::undo_at;

/// Where a part of a sentence ends.
const BORDERS: &[&str] =
    &[",", "and", "but", "or", "because", "since", "while", "so", "although", "though", "however", "yet"];
#[rustfmt::skip]
const NEGATIONS: &[&str] = &[
    "not", "no", "nope", "never", "nobody", "none", "nothing", "nor", "hardly", "cannot", "cant", "dont", "wont", "doesnt", "didnt", "isnt", "shouldnt",
    "wouldnt", "mustnt", "neednt", "why", "who", "against", "avoid", "refuse", "hate", "prevent", "forbid", "refrain", "stop",
];
/// A word that says no by its end, and begins a part of a sentence that only says no.
const ALONE: &[&str] = &[
    "no",
    "nope",
    "not",
    "never",
    "don't",
    "dont",
    "shouldn't",
    "mustn't",
    "wouldn't",
    "shouldnt",
    "mustnt",
];
/// "No" in these says nothing about what is to be done.
const HARMLESS: &[&str] =
    &["longer", "more", "matter", "problem", "worries", "rush", "hurry", "idea", "thanks", "need"];
#[rustfmt::skip]
const WORKS: &[&str] = &[
    "work", "works", "working", "run", "runs", "running", "start", "starts", "compile", "build", "load", "open", "pass", "respond", "render", "show",
    "appear", "like", "need", "use", "ask", "want", "worked", "log", "needed",
];
#[rustfmt::skip]
const JUDGES: &[&str] = &[
    "wrong", "bad", "mistake", "terrible", "stupid", "disaster", "harmful", "dangerous", "unwise", "crazy", "insane", "shame", "pity", "nonsense",
    "unacceptable", "unnecessary", "pointless", "useless", "silly", "foolish", "forbidden", "worse", "afraid", "risky", "thought", "idea", "unfair",
];
const COPULAS: &[&str] = &[
    "is", "was", "be", "would", "will", "might", "may", "could", "should", "seems", "sounds", "feels",
    "looks", "makes", "hurts", "breaks",
];
/// What stands before "is" and describes a thing.
const DESCRIBES: &[&str] =
    &["that", "which", "what", "who", "whatever", "how", "it", "everything", "where", "there", "way", "as"];
const DONE: &[&str] = &["undone", "reverted", "undoing", "reverting", "unwinding", "un-undone"];
const ASKS: &[&str] = &["did", "has", "have", "was", "were", "should", "shall", "may", "is", "are", "must"];

/// It may turn what is said around.
pub(in super::super) fn is_negation(word: &str) -> bool {
    NEGATIONS.contains(&word) || word.ends_with("n't")
}

/// The first part that may mean the opposite. `unplaced`: where words stand that say no and were not understood.
pub(in super::super) fn find(words: &[&str], unplaced: &[usize]) -> Option<String> {
    let mut said = false;
    let mut from = 0;
    while from < words.len() {
        let end = (from..words.len()).find(|at| BORDERS.contains(&words[*at])).unwrap_or(words.len());
        let part = &words[from..end];
        let verb = (0..part.len()).find(|at| DONE.contains(&part[*at]) || undo_at(&part[*at..]));
        let no: Vec<usize> =
            unplaced.iter().filter(|at| (from..end).contains(at)).map(|at| at - from).collect();
        let later = words[end..].iter().enumerate().any(|(at, _)| undo_at(&words[end + at..]));
        if is_doubtful(part, verb, &no, said, said || later) {
            return Some(part.join(" "));
        }
        said |= verb.is_some();
        from = end + 1;
    }
    None
}

fn is_doubtful(part: &[&str], verb: Option<usize>, no: &[usize], said: bool, anywhere: bool) -> bool {
    let next = |at: usize| part.get(at + 1).copied().unwrap_or_default();
    let harmless = |at: usize| {
        HARMLESS.contains(&next(at)) || part[at + 1..].iter().take(2).any(|word| WORKS.contains(word))
    };
    if let Some(verb) = verb {
        // "No undo the cart": what comes before was said no to.
        let spoken = |at: usize| at == 0 && part[0] == "no" && verb > 0 && verb <= 2;
        return no.iter().any(|&at| (at < verb || !harmless(at)) && !spoken(at))
            || is_judged(part, verb)
            || ASKS.contains(&part[0]) && verb > 0;
    }
    let polite = ["either", "too", "though", "please", "thanks", "there", "way", "really"];
    let last = part.iter().rposition(|word| !polite.contains(word));
    let opening = [
        "please",
        "oh",
        "god",
        "absolutely",
        "certainly",
        "rather",
        "better",
        "definitely",
        "i",
        "you",
        "would",
        "really",
        "of",
        "course",
    ];
    let first = part.iter().position(|word| !opening.contains(word));
    let only = no.iter().any(|&at| said && Some(at) == first && ALONE.contains(&part[at]) && !harmless(at));
    // "No, undo the cart" answers something else.
    let answers = !said && part.len() == 1;
    only || no
        .iter()
        .any(|&at| anywhere && !answers && Some(at) == last && !matches!(part[at], "why" | "who"))
}

/// "Undoing the cart would be …", "a mistake to undo the cart".
fn is_judged(part: &[&str], verb: usize) -> bool {
    let before = part[..verb].windows(2).any(|two| {
        JUDGES.contains(&two[0].trim_end_matches("'s")) && matches!(two[1], "to" | "of" | "if" | "for")
    });
    let described = |at: usize| part[verb..at].iter().any(|word| DESCRIBES.contains(word));
    let after =
        (verb + 2..part.len()).find(|at| COPULAS.contains(&part[*at])).is_some_and(|at| !described(at));
    // "The cart should be undone" has its copula before it.
    before || after && !matches!(part[verb], "undone" | "reverted")
}
