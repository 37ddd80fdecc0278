//! A no or a judgement about taking something back that a reader did not place: "undoing the cart would be wrong", "undo the cart? no!",
//! 戻したら困る, 되돌리는 건 안 돼, 不应该撤销. What was said there may mean the opposite of its verb, so it is asked back. (R5)

mod chinese;
pub(super) mod english;
mod japanese;
mod korean;

use super::marks::{Language, places};

/// The part of the sentence that may mean the opposite. The English reader asks by itself: it knows which words it has placed.
pub(super) fn find(text: &str, language: Language) -> Option<String> {
    match language {
        Language::English => None,
        Language::Korean => korean::find(text),
        Language::Chinese => chinese::find(text),
        Language::Japanese => japanese::find(text),
    }
}

/// The sentence in parts, by its marks of punctuation.
fn parts(text: &str) -> Vec<&str> {
    text.split(['，', '。', '；', ',', ';', '！', '!', '？', '?', '、', '~', '…', '.', '\n'])
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect()
}

/// The text in which what is understood stands as a mark of punctuation.
fn without(text: &str, known: &[&str], by: &str) -> String {
    let mut out = text.to_owned();
    for (start, end) in places(text, known).into_iter().rev() {
        out.replace_range(start..end, by);
    }
    out
}

/// What stands before the first of these verbs in a part, and after each of them up to the next.
fn around<'t>(part: &'t str, verbs: &[&str]) -> Option<(&'t str, Vec<&'t str>)> {
    let found = places(part, verbs);
    let first = found.first()?;
    let ends = found.iter().skip(1).map(|(start, _)| *start).chain([part.len()]);
    let after = found.iter().zip(ends).map(|((_, end), next)| &part[*end..next]).collect();
    Some((&part[..first.0], after))
}

/// Any of these stands there.
fn has(text: &str, marks: &[&str]) -> bool {
    marks.iter().any(|mark| text.contains(mark))
}
