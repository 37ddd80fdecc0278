//! The words that the English reader knows.

#[rustfmt::skip]
pub(super) const UNDO: &[&str] = &[
    "undo", "revert", "rollback", "roll back", "take back", "reverse", "cancel", "discard", "scrap", "get rid of", "throw away", "unwind", "back out",
    "reset", "undoing", "reverting", "remove your", "drop your",
];
#[rustfmt::skip]
pub(super) const RESTORE: &[&str] = &[
    "restore", "recover", "bring back", "get back", "retrieve", "put back", "give back", "find",
];
#[rustfmt::skip]
pub(super) const KEEP: &[&str] = &[
    "keep", "leave", "preserve", "retain", "spare", "hold on to", "stick with", "hands off", "don't touch", "do not touch", "dont touch", "not touch",
    "without touching", "without losing", "never mind", "don't lose", "do not lose",
];
#[rustfmt::skip]
pub(super) const EXCEPT: &[&str] = &[
    "except for", "except", "but not", "other than", "apart from", "aside from", "besides", "excluding", "with the exception of", "all but",
    "everything but", "anything but", "not including", "minus", "and not", "instead of", "that are not", "that is not", "that aren't", "that isn't",
    "that were not", "that was not", "which are not", "which is not", "unrelated to",
];
#[rustfmt::skip]
pub(super) const NOT: &[&str] = &[
    "don't", "dont", "do not", "not", "never", "no need to", "without", "doesn't need to be", "does not need to be",
];
/// After a name: it stays.
#[rustfmt::skip]
pub(super) const STAYS: &[&str] = &[
    "must stay", "should stay", "has to stay", "have to stay", "needs to stay", "need to stay", "can stay", "may stay", "stays", "is fine",
    "are fine", "is ok", "are ok", "must remain", "should remain", "has to remain", "must not be touched", "should not be touched", "must not be changed",
    "should not be changed", "must be kept", "should be kept",
];
/// After a name: it goes.
#[rustfmt::skip]
pub(super) const GOES: &[&str] = &[
    "be undone", "be reverted", "be rolled back", "be taken back", "be discarded", "be removed", "be gone", "must go", "has to go", "have to go",
    "should go", "can go",
];
/// What a person wants of a name that they said before.
#[rustfmt::skip]
pub(super) const WANTED: &[&str] = &[
    "gone", "undone", "reverted", "removed", "out", "away",
];
/// What a part is a part of.
#[rustfmt::skip]
pub(super) const WITHIN: &[&str] = &[
    "of", "in", "inside", "within", "from",
];
#[rustfmt::skip]
pub(super) const GO_BACK: &[&str] = &[
    "take me back", "bring me back", "get me back", "go back", "back to", "return to", "as it was", "how it was", "like it was", "the way it was", "state of", "restore to", "reset to", "jump to",
    "how things were", "the way things were", "as of",
];
#[rustfmt::skip]
pub(super) const REST: &[&str] = &[
    "the rest", "everything else", "all the rest", "anything else", "all else", "the others", "all others", "the other changes", "other changes",
    "the remaining", "remaining changes", "the remainder", "rest of it", "all other changes", "the other ones", "every other change",
];
#[rustfmt::skip]
pub(super) const ALL: &[&str] = &[
    "everything", "all of it", "all changes", "all the changes", "it all", "all", "the whole thing", "every change", "every request", "every edit", "every step", "each request", "each change", "anything",
];
#[rustfmt::skip]
pub(super) const UNASKED: &[&str] = &[
    "did not ask", "didn't ask", "never asked", "not ask for", "unasked", "not asked", "didnt ask", "had no business", "not part of my request",
    "unrelated changes", "unrelated files", "out of scope",
];
#[rustfmt::skip]
pub(super) const EXPLAIN: &[&str] = &[
    "what happened", "what changed", "what did you", "what has changed", "explain", "why ",
];
#[rustfmt::skip]
pub(super) const BROKE: &[&str] = &[
    "broke", "broken", "not work", "doesn't work", "does not work", "crash", "wrong", "fail", "mess", "stopped working", "won't start", "error",
    "no longer works", "doesnt work", "bug",
];
#[rustfmt::skip]
pub(super) const GONE: &[&str] = &[
    "is gone", "are gone", "is lost", "are lost", "disappeared", "vanished", "is missing", "are missing", "got deleted", "was deleted",
    "were deleted", "have gone", "where did", "lost my", "i lost", "went missing", "has gone",
];

/// Words that name nothing by themselves.
#[rustfmt::skip]
pub(super) const EMPTY: &[&str] = &[
    "the", "it", "this", "that", "is", "was", "were", "are", "my", "me", "to", "a", "an", "of", "in", "on", "please", "pls", "and", "or", "change",
    "changes", "changed", "edit", "edits", "edited", "fix", "fixes", "fixed", "update", "updates", "modification", "modifications", "ago", "back",
    "go", "how", "state", "working", "work", "works", "worked", "still", "app", "code", "file", "files", "project", "thing", "things", "stuff", "ai",
    "agent", "you", "your", "yours", "did", "do", "does", "now", "just", "minute", "minutes", "hour", "hours", "day", "days", "second", "seconds",
    "went", "get", "got", "want", "wanted", "need", "help", "something", "with", "from", "has", "have", "had", "been", "there", "where", "when", "i",
    "we", "its", "for", "at", "be", "fine", "good", "can", "could", "would", "should", "will", "let", "let's", "lets", "what", "which", "as", "again",
    "completely", "totally", "only", "so", "then", "also", "too", "made", "make", "part", "parts", "bit", "one", "ones", "those", "these", "them",
    "they", "by", "up", "out", "off", "alone", "intact", "untouched", "in place", "place", "ok", "okay", "hey", "hi", "oh", "no", "yes", "thanks",
    "thank", "sorry", "actually", "maybe", "version", "function", "method", "class", "more", "any", "longer", "anymore", "cannot", "can't", "since",
    "but", "am", "i'm", "i'd", "like", "though", "however", "really", "everything's", "content", "contents", "done", "touched", "touch", "were",
    "being", "about", "into", "over", "step", "steps", "turn", "turns", "request", "requests", "prompt", "prompts", "message", "messages", "task",
    "tasks", "session", "today", "time", "moment", "point", "right", "same", "old", "older", "all", "both", "lost", "gone", "missing", "disappeared",
    "vanished", "deleted", "broke", "broken", "breaks", "wrong", "fails", "failing", "failed", "fail", "crash", "crashes", "crashed", "crashing",
    "mess", "messed", "not", "doesn't", "doesnt", "don't", "dont", "didn't", "error", "errors", "bug", "buggy", "stopped", "starting", "start",
    "won't", "isn't", "aren't", "wasn't", "there's", "that's", "it's", "went", "ask", "asked", "last", "latest", "previous", "recent", "very",
    "earlier", "else", "way", "exactly", "commit", "commits", "committed", "work", "who", "why", "because", "came", "come", "ever", "happened",
    "anything", "every", "each", "other", "others", "rest", "whole", "entire", "stop", "undone", "reverted", "rolled", "taken", "whatever", "folder",
    "folders", "directory", "dir", "module", "must", "ought", "supposed", "rather", "shall", "might",
];
/// Words of English messages in a sentence of another language.
#[rustfmt::skip]
pub(in super::super) const FUNCTION: &[&str] = &[
    "not", "no", "is", "are", "was", "were", "be", "a", "an", "the", "of", "in", "on", "to", "for", "and", "or", "with", "from", "by", "at", "does",
    "do", "did", "cannot", "can't", "doesn't", "isn't", "has", "have", "had", "it", "this", "that", "as",
];
/// Before a verb that takes back: it is not done.
#[rustfmt::skip]
pub(super) const NOT_TO: &[&str] = &[
    "wouldn't", "wouldnt", "shouldn't", "shouldnt", "mustn't", "mustnt", "needn't", "nobody should", "nobody may",
];
