//! The code of a rollback that was shown: is this prompt a clear yes? (C5)
//!
//! A client may leave a prompt that was held back in its input box, so the code often arrives glued to it: `undo thatrvky`.

/// A rollback that was shown and waits for its code.
#[derive(Debug, Clone, Copy)]
pub(in crate::agent) struct Waiting<'a> {
    /// The code.
    pub code: &'a str,
    /// The prompt that asked for the preview; it may still stand before the code.
    pub asked: &'a str,
}

/// Words that may stand before a code; a longer text is a request that happens to end in those letters.
const WORDS_BEFORE: usize = 6;

/// What turns a short phrase into something else than a yes.
const NO: &[&str] = &[
    "no",
    "not",
    "don't",
    "dont",
    "never",
    "cancel",
    "stop",
    "without",
    "what",
    "what's",
    "whats",
    "why",
    "how",
    "which",
    "explain",
    "아니",
    "아니야",
    "아니요",
    "말고",
    "말아",
    "하지마",
    "취소",
    "왜",
    "뭐야",
    "不",
    "不要",
    "别",
    "取消",
    "什么",
    "为什么",
    "别用",
];

/// Whether the prompt ends with the code and nothing else is asked for.
pub(super) fn confirms(prompt: &str, waiting: &Waiting<'_>) -> bool {
    let said = prompt.to_lowercase();
    // "rvky?" is a question, no yes.
    let said = said.trim_end_matches(|letter: char| !letter.is_alphanumeric() && !is_question(letter));
    let Some(before) = said.strip_suffix(&waiting.code.to_lowercase()) else {
        return false;
    };
    let bare = core(before);
    if bare.is_empty() || bare == core(&waiting.asked.to_lowercase()) {
        return true;
    }
    // Not `parse_rvkz`, `x-rvkz` or `a/rvkz`.
    let is_a_word =
        before.ends_with(|letter: char| letter.is_whitespace() || "\"'`“‘(（:：,，*".contains(letter));
    let mut words =
        bare.split_whitespace().map(|word| word.trim_matches(|mark: char| !mark.is_alphanumeric()));
    is_a_word && bare.split_whitespace().count() <= WORDS_BEFORE && !words.any(|word| NO.contains(&word))
}

/// The letters between the first and the last one: marks, quotes and spaces around them say nothing.
fn core(text: &str) -> &str {
    text.trim_matches(|letter: char| !letter.is_alphanumeric())
}

fn is_question(letter: char) -> bool {
    matches!(letter, '?' | '？')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn yes(prompt: &str, asked: &str) -> bool {
        confirms(prompt, &Waiting { code: "rvkz", asked })
    }

    #[test]
    fn the_code_is_taken_at_the_end_of_what_asked_for_it_c5() {
        for prompt in [
            "rvkz",
            "RVKZ",
            " rvkz ",
            "`rvkz`",
            "\"rvkz\"",
            "“rvkz”",
            "'rvkz'.",
            "rvkz!",
            "(rvkz)",
            "rvkz。",
            "yes rvkz",
            "Yes, rvkz",
            "ok: rvkz",
            "confirm rvkz",
            "code rvkz",
            "the code is rvkz",
            "/rollback rvkz",
            "/vib:rollback rvkz",
            "/undo rvkz",
            "vib rollback rvkz",
            "undo thatrvkz",
            "undo that rvkz",
            "Undo that.rvkz",
            "undo that\nrvkz",
            "네 rvkz",
            "好 rvkz",
            "코드: rvkz",
        ] {
            assert!(yes(prompt, "undo that"), "{prompt}");
        }
        for (prompt, asked) in [
            ("되돌려줘rvkz", "되돌려줘"),
            ("撤销刚才的修改rvkz", "撤销刚才的修改"),
            ("/rollbackrvkz", "/rollback"),
            ("/rollback 3rvkz", "/rollback 3"),
            ("no, undo that rvkz", "no, undo that"),
            (
                "can you please undo the last change that you just made?rvkz",
                "can you please undo the last change that you just made?",
            ),
        ] {
            assert!(yes(prompt, asked), "{prompt}");
        }
    }

    #[test]
    fn letters_at_the_end_of_something_else_are_no_yes_c5() {
        for prompt in [
            "rename the function to parse_rvkz",
            "open src/rvkz",
            "call itrvkz",
            "undo thisrvkz",
            "please write a function whose name ends in rvkz",
            "rvkz is a funny word",
            "rvkz?",
            "what is rvkz",
            "what is rvkz?",
            "no rvkz",
            "do not use rvkz",
            "don't rvkz",
            "아니 rvkz",
            "不要 rvkz",
            "rvk z",
            "rvky",
            "",
        ] {
            assert!(!yes(prompt, "undo that"), "{prompt}");
        }
    }
}
