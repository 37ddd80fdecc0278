//! What the readers of all languages share.

/// The language of a phrase, by its letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    English,
    Korean,
    Chinese,
    Japanese,
}

pub(super) fn language(text: &str) -> Language {
    let has = |range: std::ops::RangeInclusive<char>| text.chars().any(|letter| range.contains(&letter));
    if has('가'..='힣') || has('ㄱ'..='ㅣ') {
        Language::Korean
    } else if has('ぁ'..='ヿ') {
        Language::Japanese
    } else if has('\u{4e00}'..='\u{9fff}') {
        Language::Chinese
    } else {
        Language::English
    }
}

/// Written like a file: a folder in it, or a short ending.
pub(crate) fn is_path(text: &str) -> bool {
    let text = text.trim_matches(['"', '\'', '`']);
    let ascii = text.chars().all(|letter| !letter.is_whitespace());
    if !ascii || text.is_empty() {
        return false;
    }
    if text.contains('/') {
        return text.chars().any(char::is_alphanumeric);
    }
    match text.rsplit_once('.') {
        Some((stem, ending)) => {
            (1..=5).contains(&ending.len())
                && ending.chars().all(|letter| letter.is_ascii_alphanumeric())
                && ending.chars().any(|letter| letter.is_ascii_alphabetic())
                && !stem.ends_with('.')
                && (!stem.is_empty() || ending.len() > 2)
        }
        None => matches!(text, "Makefile" | "Dockerfile" | "README" | "LICENSE" | "CHANGELOG"),
    }
}

/// The places where one of some marks stands, the longest first at each place: start, end, which.
pub(super) fn places(text: &str, marks: &[&str]) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for mark in marks {
        for (at, _) in text.match_indices(mark) {
            found.push((at, at + mark.len()));
        }
    }
    found.sort_by_key(|(start, end)| (*start, std::cmp::Reverse(*end)));
    let mut last = 0;
    found.retain(|(start, end)| {
        let fits = *start >= last;
        if fits {
            last = *end;
        }
        fits
    });
    found
}

/// The text with a piece replaced by a space.
pub(super) fn without(text: &str, piece: std::ops::Range<usize>) -> String {
    let mut out = String::with_capacity(text.len());
    out.push_str(&text[..piece.start]);
    out.push(' ');
    out.push_str(&text[piece.end..]);
    out
}

pub(super) fn has(text: &str, marks: &[&str]) -> bool {
    marks.iter().any(|mark| text.contains(mark))
}
