//! English.

mod open;
mod talk;

use super::{Lists, any, begins};
use open::{heads_open, is_open, is_open_near, item_is_open};
use talk::{answers, asks_you, explains, offers};

pub(super) const LISTS: Lists = Lists {
    claims,
    summarises,
    hints,
    is_open,
    is_open_near,
    heads_open,
    item_is_open,
    is_void,
    offers,
    answers,
    asks_you,
    explains,
    begins_with_result,
};

/// Sentences that are a claim as they stand.
const WHOLE: &[&str] = &[
    "done",
    "all done",
    "finished",
    "complete",
    "completed",
    "all set",
    "fixed",
    "ready",
    "it works",
    "it works now",
    "that's it",
    "task complete",
    "task completed",
    "all complete",
    "implemented",
    "resolved",
    "all finished",
    "it's done",
    "it is done",
    "committed",
    "pushed",
    "committed and pushed",
    "merged",
    "updated",
    "added",
    "removed",
    "reverted",
    "all clean",
    "clean",
    "all good",
    "all pass",
    "all passing",
    "all green",
    "you're all set",
    "lgtm",
    "lgtm, shipped",
    "shipped",
    "shipped it",
    "you are all set",
    "that's in",
    "it's in",
    "it is in",
];
/// With these, after "I have" or at the beginning, a sentence tells of work that was done.
const DEEDS: &str = "added implemented fixed updated created removed renamed refactored moved migrated completed finished resolved changed \
    wired corrected converted rewrote rewritten replaced upgraded cleaned deleted extracted split merged solved repaired restored \
    integrated configured introduced switched addressed documented applied simplified extended adjusted patched built written wrote made \
    set enabled disabled committed pushed rebased reverted trimmed tightened reworked restructured reorganized reorganised consolidated \
    inlined deduplicated bumped installed registered hardened cleared closed filed posted published released generated ported dropped \
    improved expanded regenerated re-generated reformatted formatted swapped translated squashed cherry-picked tagged deployed scaffolded \
    rebuilt handled covered sorted reduced sped optimized optimised secured wrapped localized localised routed sanitized sanitised escaped \
    unified standardized standardised stripped downgraded pinned redesigned hooked shortened clarified excluded included marked replied";
/// The same words where they are as often something else: "Set of rules", "Built on Rust", "Closed issues", "Updated design:".
const DOUBTFUL_FIRST: &str = "made set built written closed generated included released pinned marked split";
/// What something is when the work at it is over.
const STATES: &str = "done complete completed finished fixed resolved implemented added updated ready working corrected upgraded moved \
    renamed removed migrated refactored documented solved repaired converted tested applied in written gone stable replaced covered \
    rewritten wired deployed live";
/// Those of them that are hardly said of anything else.
const STRONG_STATES: &str = "done complete completed finished fixed resolved solved";
/// Words that may stand between.
const BETWEEN: &str =
    "now also just all fully already successfully been both then again completely finally further";
/// What begins a message and says nothing.
const INTERJECTIONS: &str = "perfect great good excellent ok okay alright nice and so right sure yes";
/// Words with which a state is wished for, asked about or put under a condition.
const CONDITIONS: &str = "if when once until unless after before would should could may might must can will whether what which that \
    need needs needed how where whenever not never cannot isn't aren't wasn't can't won't";

fn words(text: &str) -> Vec<&str> {
    text.split(|letter: char| !(letter.is_alphanumeric() || letter == '\'' || letter == '-'))
        .map(|word| word.trim_matches(['-', '\'']))
        .filter(|word| !word.is_empty())
        .collect()
}

fn listed(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == word)
}

/// The next word that is not one of those between.
fn after<'w>(words: &[&'w str], mut at: usize) -> Option<&'w str> {
    while words.get(at).is_some_and(|word| listed(BETWEEN, word)) {
        at += 1;
    }
    words.get(at).copied()
}

fn is_conditional(words: &[&str]) -> bool {
    words.iter().any(|word| listed(CONDITIONS, word))
}

fn claims(text: &str) -> bool {
    let bare = text.trim_matches(|letter: char| !letter.is_alphanumeric());
    if WHOLE.contains(&bare) || tests_pass(text) {
        return true;
    }
    let all = words(text);
    let skipped = all.iter().take_while(|word| listed(INTERJECTIONS, word)).count();
    let words = &all[skipped..];
    // "Successfully implemented the discount", "Task completed successfully".
    let words = words.strip_prefix(&["successfully"]).unwrap_or(words);
    let words = words.strip_suffix(&["successfully"]).unwrap_or(words);
    let Some(first) = words.first().copied() else { return false };
    stands_alone(text, first)
        || begins_with_a_deed(text, words)
        || is_short_report(words)
        || says_who(words)
        || quantified(words)
        || is_over(words)
        || any(
            text,
            &[
                "tests confirm it",
                "tests confirm this",
                "that's everything",
                "that is everything",
                "that should do it",
                "everything works",
                "everything still works",
                "works now",
                "works again",
                "is back to normal",
                "changes applied",
                "now works",
                "it works!",
                "work is over",
                "now uses",
                "now validates",
                "now fully working",
                "working as expected",
                "working correctly",
                "working as intended",
                "change is clean",
                "ready to merge",
                "ready for review",
                "that covers ",
                "nothing is left",
                "nothing left to do",
                "nothing else is needed",
                "nothing else needed",
                "no remaining work",
                "does what you described",
                "does what you asked",
            ],
        ) && !is_conditional(words)
}

/// "Done: …", "Fixed, …", "Finished! …", "Done – created …".
fn stands_alone(text: &str, first: &str) -> bool {
    let Some(at) = text.find(first) else { return false };
    let rest = text[at + first.len()..].trim_start();
    rest.starts_with(['—', '–', '-', ':', ',', '✅', '✓', '('])
        && listed("done fixed finished complete completed committed pushed", first)
}

/// "Added a test for …". Over a list of what is proposed ("Updated design:") it is no deed.
fn begins_with_a_deed(text: &str, words: &[&str]) -> bool {
    let [first, second, ..] = words else { return false };
    let is_name =
        text.ends_with(':') && listed("updated revised changed improved simplified expanded", first);
    listed(DEEDS, first)
        && !listed(DOUBTFUL_FIRST, first)
        && !listed("by in on when if is are was", second)
        && !is_name
}

/// "Comment updated", "PR created", "Fixed and pushed".
fn is_short_report(words: &[&str]) -> bool {
    (2..=5).contains(&words.len())
        && words.last().is_some_and(|last| listed(DEEDS, last) && !listed(DOUBTFUL_FIRST, last))
        && !is_conditional(words)
        && !words.iter().any(|word| {
            listed("are is be being to get gets no none nothing was were plan design proposal", word)
        })
}

fn begins_with_result(text: &str) -> bool {
    let words = words(text);
    begins_with_a_deed(text, &words) || (words.len() <= 10 && tests_pass(text) && !text.starts_with("code"))
}

/// "I've added …", "we also fixed …", "the test has been added".
fn says_who(words: &[&str]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let deed = match *word {
            "i've" | "we've" => after(words, at + 1),
            "i" | "we" => match words.get(at + 1) {
                Some(&"have") => after(words, at + 2),
                _ => after(words, at + 1),
            },
            "been" => after(words, at + 1).filter(|_| {
                at.checked_sub(1)
                    .and_then(|before| words.get(before))
                    .is_some_and(|had| listed("has have it's they've", had))
                    && !is_conditional(&words[..at])
            }),
            _ => None,
        };
        deed.is_some_and(|deed| listed(DEEDS, deed))
    })
}

/// "All four items addressed", "both threads are resolved".
fn quantified(words: &[&str]) -> bool {
    let is_number = |word: &str| word.chars().all(|letter| letter.is_ascii_digit());
    let starts = words.first().is_some_and(|word| {
        listed("all both everything each every two three four five six seven eight nine ten", word)
            || is_number(word)
    });
    let end = words.iter().position(|word| {
        listed("addressed resolved fixed done complete completed updated implemented merged pushed handled migrated applied passing", word)
    });
    starts && end.is_some_and(|end| (1..=8).contains(&end) && !is_conditional(&words[..end]))
}

/// "The refactoring is complete".
fn is_over(words: &[&str]) -> bool {
    let at = words.iter().enumerate().position(|(at, word)| {
        listed("is are it's they're all's", word)
            && after(words, at + 1).is_some_and(|state| listed(STRONG_STATES, state))
    });
    at.is_some_and(|at| {
        at <= 7
            && !is_conditional(&words[..at])
            && !words[at..].iter().any(|word| listed("when if once until by", word))
    })
}

/// "Here's a summary of what was implemented".
fn summarises(text: &str) -> bool {
    let words = words(text);
    if words.len() > 30
        || any(
            text,
            &[
                "would",
                "should",
                "will ",
                "proposed",
                "needed",
                "recommended",
                "suggested",
                "planned",
                " pr ",
            ],
        )
    {
        return false;
    }
    let done = "done implemented changed added fixed resolved accomplished completed built created updated removed addressed refactored made did";
    let told = words.windows(3).any(|three| {
        three[0] == "what"
            && (listed("i we i've we've was were", three[1]) || three[1] == "has")
            && (listed(done, three[2]) || three[2] == "been")
    });
    let after_what = |next: &str| words.windows(2).any(|two| two[0] == "what" && two[1] == next);
    told || after_what("changed")
        || after_what("i've")
        || any(
            text,
            &[
                "changes made",
                "changes i made",
                "changes we made",
                "summary of changes",
                "summary of the changes",
                "summary of all changes",
                "summary of all the changes",
                "summary of my changes",
                "summary of fixes",
                "summary of the fixes",
                "summary of completed",
                "summary of all fixes",
                "fixes:",
                "bugs found and fixed",
                "additional changes",
                "files changed",
                "files modified",
                "files created",
                "files updated",
                "implementation complete",
                "the changes:",
                "the change:",
            ],
        )
}

/// What something is now; in the middle of a message that may be said of anything.
fn hints(text: &str) -> bool {
    // What should be done, or is proposed, is not done.
    if any(text, &[" would ", "suggest", "recommend", " should ", "could be ", "we need", "if you want"]) {
        return false;
    }
    let words = words(text);
    for (at, word) in words.iter().enumerate() {
        let state = match *word {
            "is" | "are" | "it's" | "been" => after(&words, at + 1),
            _ => None,
        };
        if let Some(state) = state
            && listed(STATES, state)
            && !is_conditional(&words[..at])
            && (state != "in" || any(text, &["in place", "in and", "is in now"]))
        {
            return true;
        }
    }
    is_so_now(&words)
        || any(
            text,
            &[
                "builds clean",
                "all addressed",
                "successfully created",
                "successfully updated",
                "successfully migrated",
            ],
        )
}

/// "`GET /orders` takes `since` now", "the header now sticks", "tokens no longer leak": how the program is after the work. What it does wrong now is a finding.
fn is_so_now(words: &[&str]) -> bool {
    const WRONG: &str = "fail fails failing failed crash crashes break breaks broken throw throws error errors missing red hang hangs leaks wrong \
        running waiting trying looking working checking investigating i'm we're";
    let now = words.iter().position(|word| *word == "now");
    let no_longer = words.windows(2).any(|two| two == ["no", "longer"]);
    let told = no_longer || now.is_some_and(|at| at > 0 && words.len() > 2);
    let next = now.and_then(|at| words.get(at + 1)).copied().unwrap_or_default();
    told && !is_conditional(words)
        && !next.ends_with("ing")
        && (no_longer || !words.iter().any(|word| listed(WRONG, word)))
}

/// "212 passed, 0 failed": the last line of a runner of tests.
fn counts_passes(text: &str, words: &[&str]) -> bool {
    let is_count = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit()) && word != "0";
    words.windows(2).any(|two| is_count(two[0]) && matches!(two[1], "passed" | "passing"))
        && any(text, &["0 failed", "0 failing", "0 failures", "no failures"])
}

pub(super) fn tests_pass(text: &str) -> bool {
    let words = words(text);
    if counts_passes(text, &words) {
        return true;
    }
    let taken_back = "if when once until not never except should would will must but some only need needs to ensure ensures make fail fails \
        failed failing whether verify verifies isn't don't doesn't didn't won't can't cannot before without unless since red broken yesterday anymore used";
    if words.iter().any(|word| listed(taken_back, word)) {
        return any(text, &["0 failed", "0 failures", "no failures"])
            && any(text, &["all tests pass", "tests passed"]);
    }
    let Some(subject) = words.iter().position(|word| {
        listed("tests test checks check suite lint linting linter build builds typecheck compilation ci everything all specs code both", word)
    }) else {
        return false;
    };
    words.iter().enumerate().skip(subject + 1).take(14).any(|(at, word)| {
        let next = words.get(at + 1).copied().unwrap_or_default();
        match *word {
            // "The test passes a string" hands something over.
            "pass" | "passes" | "passed" => !listed(
                "a an the it its through as by along code null nil no over down into them fail each this",
                next,
            ),
            "passing" => next.is_empty() || listed("now and again with", next),
            "green" | "clean" | "succeed" | "succeeds" | "succeeded" => !listed("up", next),
            _ => false,
        }
    })
}

fn is_void(text: &str) -> bool {
    begins(
        text,
        &[
            "if ",
            "when ",
            "once ",
            "as soon as ",
            "until ",
            "unless ",
            "a task is",
            "a build is",
            "to be ",
            "after ",
            "before ",
        ],
    ) || any(
        text,
        &[
            " complete when",
            " completed when",
            " finished when",
            " done when",
            " if the tests",
            " if all tests",
            "would call",
            "can call it",
            "when it is finished",
            "when it's finished",
            "have already",
            "has already",
            "was already",
            "is already ",
            "it's already ",
            "are already",
            "were already",
            "by the time",
            "because you",
            "already done",
            "already fixed",
            "already committed",
            "already pushed",
            "should now pass",
            "should pass",
            "should now work",
            "should work",
            "should be fixed",
        ],
    )
}
