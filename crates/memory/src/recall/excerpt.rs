//! The part of a long memory that fits a question.

use std::collections::HashSet;

use words::estimate_tokens;

/// Stands where something is left out.
const GAP: &str = "… ";

/// The part of a text that says most about what is asked, with its beginning if that is short, as in a letter with a subject; none if
/// the text is not longer than this many tokens.
pub(super) fn excerpt(text: &str, asked: &HashSet<String>, limit: usize) -> Option<String> {
    if estimate_tokens(text) <= limit {
        return None;
    }
    let asked = Asked::new(asked);
    let pieces: Vec<Piece<'_>> = split(text, limit).into_iter().map(|text| Piece::of(text, &asked)).collect();
    let first = pieces.first()?;
    let head = if first.cost * 3 <= limit { first.cost + 2 } else { 0 };
    let mut best = (0, 0..1);
    for from in 0..pieces.len() {
        let room = if from == 0 { limit } else { limit.saturating_sub(head + 2) };
        let (mut cost, mut words, mut to) = (0, 0_u64, from);
        while let Some(piece) = pieces.get(to).filter(|piece| to == from || cost + piece.cost <= room) {
            cost += piece.cost;
            words |= piece.words;
            to += 1;
        }
        if words.count_ones() > best.0 || from == 0 {
            best = (words.count_ones(), from..to);
        }
    }
    let range = best.1;
    let mut shown = String::new();
    if range.start > 0 && head > 0 {
        shown.push_str(first.text.trim_end());
        shown.push(' ');
    }
    if range.start > 0 {
        shown.push_str(GAP);
    }
    let is_end = range.end == pieces.len();
    shown.extend(pieces.get(range).unwrap_or_default().iter().map(|piece| piece.text));
    let kept = shown.trim_end().len();
    shown.truncate(kept);
    if !is_end {
        shown.push('…');
    }
    Some(shown)
}

/// A sentence, a line or a part of one.
struct Piece<'t> {
    text: &'t str,
    cost: usize,
    /// The words of the question in it, a bit for each.
    words: u64,
}

impl<'t> Piece<'t> {
    fn of(text: &'t str, asked: &Asked<'_>) -> Self {
        Self { text, cost: estimate_tokens(text), words: asked.named_in(text) }
    }
}

/// The words of a question, up to 64, to be looked for in long texts: only as beginnings of words, which is quick and near enough.
struct Asked<'q> {
    words: Vec<&'q [u8]>,
    /// The bytes with which some of them begin.
    first: [bool; 256],
}

impl<'q> Asked<'q> {
    fn new(words: &'q HashSet<String>) -> Self {
        let mut words: Vec<&[u8]> = words.iter().map(String::as_bytes).collect();
        // Of a pasted page the longest words say most.
        words.sort_unstable_by(|one, other| other.len().cmp(&one.len()).then(one.cmp(other)));
        words.truncate(u64::BITS as usize);
        let mut asked = Self { words, first: [false; 256] };
        for byte in asked.words.iter().filter_map(|word| word.first()) {
            asked.first[usize::from(*byte)] = true;
        }
        asked
    }

    fn named_in(&self, text: &str) -> u64 {
        let bytes = text.as_bytes();
        let mut named = 0;
        let mut inside = false;
        for (at, byte) in bytes.iter().enumerate() {
            let begins = !inside || !byte.is_ascii();
            if begins && self.first[usize::from(byte.to_ascii_lowercase())] {
                let here = |word: &[u8]| {
                    bytes.get(at..at + word.len()).is_some_and(|here| here.eq_ignore_ascii_case(word))
                };
                for (number, _) in self.words.iter().enumerate().filter(|(_, word)| here(word)) {
                    named |= 1 << number;
                }
            }
            inside = byte.is_ascii_alphanumeric();
        }
        named
    }
}

/// Sentences and lines; a very long one in parts.
fn split(text: &str, limit: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (mut piece, after) = rest.split_at(sentence(rest));
        rest = after;
        while estimate_tokens(piece) > (limit / 2).max(8) {
            let (part, more) = piece.split_at(part(piece, (limit / 2).max(8)));
            pieces.push(part);
            piece = more;
        }
        if !piece.is_empty() {
            pieces.push(piece);
        }
    }
    pieces
}

/// Where the first sentence or line ends.
fn sentence(text: &str) -> usize {
    let mut letters = text.char_indices().peekable();
    // The number of a point in a list has a full stop, and what it numbers comes behind it.
    let mut only_digits = true;
    while let Some((at, letter)) = letters.next() {
        let before_space = letters.peek().is_none_or(|(_, next)| next.is_whitespace());
        let ends = match letter {
            '\n' | '。' | '！' | '？' => true,
            '.' => before_space && !only_digits,
            '!' | '?' => before_space,
            _ => false,
        };
        only_digits &= letter.is_ascii_digit() || letter.is_whitespace();
        if ends {
            return at + letter.len_utf8();
        }
    }
    text.len()
}

/// Where a part of about this many tokens ends: between two words, if there are any. Never at the beginning.
fn part(text: &str, limit: usize) -> usize {
    let (mut cost, mut space) = (0, None);
    for (at, letter) in text.char_indices() {
        cost += if letter.is_ascii() { 1 } else { 4 };
        if cost > limit * 4 && at > 0 {
            return space.unwrap_or(at);
        }
        if letter.is_whitespace() {
            space = Some(at + letter.len_utf8());
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use words::query_tokens;

    fn shown(text: &str, question: &str, limit: usize) -> Option<String> {
        let asked = query_tokens(question).into_iter().map(|token| token.text).collect();
        excerpt(text, &asked, limit)
    }

    #[test]
    fn a_short_memory_is_left_whole() {
        assert_eq!(shown("Use tabs. Never spaces.", "tabs", 20), None);
    }

    #[test]
    fn the_part_that_is_asked_for_is_shown_with_the_subject() {
        let filler = "Nothing of interest happened in this part of the meeting. ".repeat(12);
        let text = format!("Release notes\n{filler}The cache was moved to Redis because of locks. {filler}");
        let found = shown(&text, "why was the cache moved", 40).unwrap();
        assert!(
            found.starts_with("Release notes … ") && found.contains("moved to Redis because of locks"),
            "{found}"
        );
        assert!(found.ends_with('…') && estimate_tokens(&found) <= 44, "{found}");
    }

    #[test]
    fn the_number_of_a_point_stays_with_the_point() {
        let text =
            format!("Why:\n1. The lock was held too long.\n2. Readers starved. {}", "And so on. ".repeat(30));
        let found = shown(&text, "lock", 14).unwrap();
        assert_eq!(found, "Why:\n1. The lock was held too long.…");
    }

    #[test]
    fn without_a_word_of_the_question_it_is_the_beginning() {
        let text = "One two three. ".repeat(50);
        assert_eq!(shown(&text, "cache", 10).unwrap(), "One two three. One two three.…");
    }

    #[test]
    fn what_has_no_spaces_and_no_sentences_is_cut_between_letters() {
        for text in ["결제".repeat(300), "x".repeat(900), "é".repeat(300)] {
            let found = shown(&text, "결제", 30).unwrap();
            assert!(estimate_tokens(&found) <= 32 && found.ends_with('…'), "{found}");
        }
    }

    proptest::proptest! {
        #[test]
        fn it_is_never_much_longer_than_it_may_be(text in "[a-zA-Z가-힣 .\\n]{0,600}", limit in 8_usize..80) {
            if let Some(found) = shown(&text, "a b 가", limit) {
                proptest::prop_assert!(estimate_tokens(&found) <= limit + 8, "{} {found}", estimate_tokens(&found));
            }
        }
    }
}
