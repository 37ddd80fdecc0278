//! Said to end something: a rule withdrawn, a correction, an objection.

use super::lists::*;
use super::not_meant::*;
use super::{has, is_question, words};

/// "you can use npm again", "forget the rule about …", "drafts are fine again", "you no longer need my okay"
pub(in crate::said) fn withdraws(bare: &str) -> bool {
    if is_question(bare)
        || is_for_a_while(bare)
        || is_irony(bare)
        || is_told_of_others(bare)
        || is_supposed(bare)
    {
        return false;
    }
    let joined = words(bare).join(" ");
    let about_a_rule = has(
        &joined,
        &[
            "rule",
            "rules",
            "what i said",
            "convention",
            "restriction",
            "requirement",
            "policy",
            "ban",
            "thing",
            "my remark",
            "earlier instruction",
            "that instruction",
            "limit",
        ],
    );
    let takes_back = has(
        &joined,
        &[
            "forget",
            "drop",
            "scrap",
            "ignore",
            "no longer",
            "cancel",
            "cancelled",
            "canceled",
            "lift",
            "lifted",
            "not apply",
            "doesn't apply",
            "is gone",
            "is off",
            "never mind",
            "nevermind",
            "disregard",
            "revoke",
            "revoked",
            "undo",
            "obsolete",
            "is dead",
            "no more",
            "dropped",
            "scrapped",
            "not valid",
            "is over",
            "take back",
        ],
    );
    let allows = has(
        &joined,
        &[
            "you can",
            "you may",
            "we can",
            "we may",
            "it's fine to",
            "it is fine to",
            "feel free to",
            "it's ok to",
            "it's okay to",
            "is fine",
            "are fine",
            "is ok",
            "are ok",
            "is okay",
            "are okay",
            "is allowed",
            "are allowed",
            "is permitted",
            "are permitted",
            "i'm fine with",
            "i am fine with",
            "go ahead",
        ],
    );
    let by_now = has(&joined, &["again", "from now on", "now", "after all", "anymore", "any more"]);
    let not_needed = has(
        &joined,
        &[
            "no longer need",
            "no longer needs",
            "no longer have to",
            "no longer has to",
            "no longer required",
            "don't need to",
            "don't have to",
            "doesn't have to",
            "doesn't need to",
            "do not have to",
            "do not need to",
            "no need to",
            "no need for",
            "needn't",
            "not necessary",
            "don't bother",
            "no longer necessary",
            "don't need my",
            "no longer must",
            "no longer want",
        ],
    );
    let no_more =
        has(&joined, &["anymore", "any more", "any longer", "from now on", "no longer", "after all"]);
    (about_a_rule && takes_back)
        || (allows && by_now && !joined.starts_with("go ahead"))
        || (not_needed && no_more)
        || has(
            &joined,
            &[
                "scrap what i said",
                "forget what i said",
                "i take back",
                "take that back",
                "ignore what i said",
            ],
        )
}

/// "no, …", "that's wrong, …", "you should not have …": only right after something was done.
pub(in crate::said) fn corrects(bare: &str) -> bool {
    let bare = bare.trim();
    if is_question(bare) {
        return false;
    }
    // "nooo, …", "no no, …"
    let drawn = bare.trim_start_matches('n').starts_with("ooo");
    let starts = [
        "no,",
        "no ",
        "nope",
        "nah",
        "not quite",
        "that isn't",
        "stop,",
        "hold on,",
        "undo that",
        "why did you",
        "wrong",
        "that's wrong",
        "that is wrong",
        "that's not",
        "that is not",
        "not what i",
        "you should not have",
        "you shouldn't have",
        "i said",
        "i told you",
        "this is wrong",
        "this is not what",
        "not like that",
        "please don't do",
        "incorrect",
    ];
    let opens = (drawn || starts.iter().any(|start| bare.starts_with(start)))
        && !bare.starts_with("no more")
        && !bare.starts_with("no problem");
    let directs = has(
        bare,
        &[
            "use", "don't", "do not", "instead", "only", "should", "must", "keep", "put", "not", "never",
            "leave", "wrong", "said", "stay", "stays", "has to", "have to", "alone", "wanted",
        ],
    );
    opens && directs
}

/// "nooo, you reordered the modules": it objects, and does not say yet what is wanted.
pub(in crate::said) fn objects(bare: &str) -> bool {
    let bare = bare.trim();
    let drawn = bare.trim_start_matches('n').starts_with("ooo");
    !is_question(bare)
        && (drawn
            || ["no,", "no no", "nope", "wrong", "that's not", "that's wrong", "not what i"]
                .iter()
                .any(|start| bare.starts_with(start)))
}

/// It says what is to be done: "leave the order alone".
pub(in crate::said) fn directs(bare: &str) -> bool {
    let said = words(bare);
    !is_question(bare) && said.first().is_some_and(|first| IMPERATIVES.contains(first))
}
