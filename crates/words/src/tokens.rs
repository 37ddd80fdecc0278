//! How text becomes words that can be looked up.
//!
//! Identifiers are kept whole and in parts (`getUserName` is also `get`, `user`, `name`; `get_user_name` is the same
//! identifier); English words are reduced to a stem and the most common ones left out; numbers stay; Chinese, Japanese and
//! Korean, which are written without spaces or with endings glued on, become pairs of neighbouring characters. Width,
//! accents and case make no difference.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use crate::parts::each_part;
use crate::stem::stem;

/// Longer words are cut: nobody types them, and a pasted blob must not swell the index.
const LONGEST: usize = 64;

/// One word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// The word as it is looked up.
    pub text: String,
    /// Whether it counts for the length of the text (a whole identifier next to its parts does not).
    pub counts: bool,
}

/// The words of a memory.
pub fn tokens(text: &str) -> Vec<Token> {
    split(text, true)
}

/// The words of a question: as [`tokens`], but of a run of Chinese, Japanese or Korean only the pairs.
pub fn query_tokens(text: &str) -> Vec<Token> {
    split(text, false)
}

fn split(text: &str, single: bool) -> Vec<Token> {
    let text = normalise(text);
    let mut out = Vec::with_capacity(text.len() / 5);
    let mut rest = text.as_ref();
    while let Some(start) = rest.find(|char: char| char.is_alphanumeric()) {
        rest = &rest[start..];
        let first = rest.chars().next().unwrap_or_default();
        let pairs = is_unspaced(first);
        let len = if pairs { run(rest, is_unspaced) } else { word(rest) };
        let (found, after) = rest.split_at(len.max(first.len_utf8()));
        if pairs {
            put_pairs(found, single, &mut out);
        } else {
            put_word(found, &mut out);
        }
        rest = after;
    }
    out
}

/// Text as it is compared where only the letters count and not how they are written: case, accents, composed or not, a mark of byte order.
pub fn folded(text: &str) -> String {
    normalise(text.trim_start_matches('\u{feff}')).to_lowercase()
}

/// Full-width to plain, accents off, everything else composed.
fn normalise(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return text.into();
    }
    // Accents above 0x300 only: the marks of Japanese and of the scripts of India are part of the letter.
    let is_accent = |char: &char| is_combining_mark(*char) && ('\u{300}'..='\u{36f}').contains(char);
    let plain = text.nfkd().filter(|char| !is_accent(char)).map(|char| match char {
        '\u{2018}' | '\u{2019}' => '\'',
        other => other,
    });
    plain.nfc().collect::<String>().into()
}

/// Scripts without spaces between words, and Korean, whose endings are glued to the word.
pub fn is_unspaced(char: char) -> bool {
    matches!(char,
        '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}' | '\u{1100}'..='\u{11ff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3134f}'
        | '\u{0e00}'..='\u{0eff}' | '\u{3005}'..='\u{3007}')
}

fn run(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|char| !belongs(char)).unwrap_or(text.len())
}

/// The length of a word with its joints: `a_b`, `a-b`, `a.b`, `it's`.
fn word(text: &str) -> usize {
    let is_part = |char: char| (char.is_alphanumeric() || is_combining_mark(char)) && !is_unspaced(char);
    let mut end = run(text, is_part);
    loop {
        let joint =
            text[end..].find(|char| !matches!(char, '_' | '-' | '.' | '\'')).unwrap_or(text.len() - end);
        let more = run(&text[end + joint..], is_part);
        if joint == 0 || more == 0 || (joint > 1 && !text[end..end + joint].bytes().all(|byte| byte == b'_'))
        {
            return end;
        }
        end += joint + more;
    }
}

fn put_pairs(run: &str, single: bool, out: &mut Vec<Token>) {
    let chars: Vec<char> = run.chars().collect();
    if single || chars.len() == 1 {
        let alone = chars.len() == 1;
        out.extend(chars.iter().map(|char| Token { text: char.to_string(), counts: alone }));
    }
    out.extend(chars.windows(2).map(|pair| Token { text: pair.iter().collect(), counts: true }));
}

fn put_word(word: &str, out: &mut Vec<Token>) {
    let parts: Vec<&str> = word.split(['_', '-', '.']).filter(|part| !part.is_empty()).collect();
    let mut count = 0;
    let before = out.len();
    for part in &parts {
        let plain = part.strip_suffix("'s").or_else(|| part.strip_suffix("'S")).unwrap_or(part);
        each_part(plain, |piece| {
            count += 1;
            put(piece, out);
        });
    }
    if count < 2 {
        return;
    }
    let numbers = parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
    let whole = if numbers { parts.join(".") } else { parts.concat().to_lowercase() };
    let whole: String = whole.chars().filter(|char| *char != '\'').take(LONGEST).collect();
    if out[before..].iter().all(|token| token.text != whole) {
        out.push(Token { text: whole, counts: false });
    }
}

fn put(piece: &str, out: &mut Vec<Token>) {
    let mut text: String =
        piece.chars().filter(|char| *char != '\'').flat_map(char::to_lowercase).take(LONGEST).collect();
    if text.is_empty() || is_common(&text) {
        return;
    }
    stem(&mut text);
    out.push(Token { text, counts: true });
}

/// English words that say nothing about what a text is about. Sorted.
const COMMON: &[&str] = &[
    "a", "about", "after", "again", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be",
    "because", "been", "before", "being", "both", "but", "by", "can", "cant", "could", "couldnt", "did",
    "didnt", "do", "does", "doesnt", "doing", "dont", "during", "each", "few", "for", "from", "further",
    "had", "has", "hasnt", "have", "having", "he", "her", "here", "hers", "him", "his", "how", "i", "id",
    "if", "ill", "im", "in", "into", "is", "isnt", "it", "its", "ive", "just", "me", "might", "more", "most",
    "must", "my", "no", "nor", "not", "of", "on", "once", "only", "or", "other", "our", "ours", "out",
    "over", "own", "same", "shall", "she", "should", "so", "some", "such", "than", "that", "thats", "the",
    "their", "theirs", "them", "then", "there", "these", "they", "this", "those", "through", "to", "too",
    "under", "until", "up", "us", "very", "was", "wasnt", "we", "were", "what", "whats", "when", "where",
    "which", "while", "who", "whom", "whose", "why", "will", "with", "wont", "would", "wouldnt", "you",
    "your", "youre", "yours",
];

fn is_common(word: &str) -> bool {
    COMMON.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        tokens(text).into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn identifiers_are_found_whole_and_in_parts_however_they_are_written() {
        assert_eq!(words("getUserName"), ["get", "user", "name", "getusername"]);
        assert_eq!(words("get_user_name"), words("get-user-name"));
        assert_eq!(words("HTTPServer2"), ["http", "server2", "httpserver2"]);
        assert_eq!(words("two APIs, v1.35.8."), ["two", "apis", "v1", "35", "8", "v1358"]);
        assert_eq!(words("1.35.8"), ["1", "35", "8", "1.35.8"]);
    }

    #[test]
    fn english_is_reduced_to_what_matters() {
        assert_eq!(words("Why does Ann's test not pass? It's failing!"), ["ann", "test", "pass", "fail"]);
        assert!(COMMON.is_sorted());
    }

    #[test]
    fn accents_width_and_composition_make_no_difference() {
        assert_eq!(words("Café"), words("CAFE\u{301}"));
        assert_eq!(words("ｆｕｌｌ"), words("full"));
        // Korean and Japanese in parts are the same as composed.
        assert_eq!(words("\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}"), words("한글"));
        assert_eq!(words("か\u{3099}き"), words("がき"));
    }

    #[test]
    fn text_without_spaces_becomes_pairs() {
        assert_eq!(words("데이터"), ["데", "이", "터", "데이", "이터"]);
        let query: Vec<String> = query_tokens("数据库").into_iter().map(|token| token.text).collect();
        assert_eq!(query, ["数据", "据库"]);
        assert_eq!(words("用Rust写"), ["用", "rust", "写"]);
    }
}
