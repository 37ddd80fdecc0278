//! The words of a text that carry its meaning, and which of them it says no to. Small and predictable: no model, no list of
//! languages beyond the three that vib speaks.

use std::collections::BTreeSet;

use words::{is_unspaced, rough_stem};

/// Text beyond this is not looked at: a pasted log is no request.
const LONGEST: usize = 4_000;

/// A part of a sentence.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Clause {
    /// What it is about.
    pub(super) terms: BTreeSet<String>,
    /// It says not to.
    pub(super) negated: bool,
    /// Some of it is in a script without spaces between words, where terms are pairs of letters.
    pub(super) pairs: bool,
}

const SAYS_NO: [&str; 26] = [
    "not",
    "never",
    "no",
    "avoid",
    "without",
    "stop",
    "skip",
    "nor",
    "cannot",
    "dont",
    "don't",
    "don’t",
    "can't",
    "can’t",
    "shouldn't",
    "shouldn’t",
    "mustn't",
    "mustn’t",
    "won't",
    "won’t",
    "doesn't",
    "doesn’t",
    "isn't",
    "isn’t",
    "refrain",
    "neither",
];

const SAYS_NO_IN_PAIRS: [&str; 14] = [
    "지 마",
    "지마",
    "지 말",
    "지말",
    "말고",
    "않",
    "금지",
    "하지 않",
    "不要",
    "别",
    "勿",
    "禁止",
    "不能",
    "不许",
];

/// Words that every text has.
const SAY_LITTLE: [&str; 86] = [
    "a", "again", "all", "also", "always", "an", "and", "any", "are", "as", "at", "be", "before", "but",
    "by", "can", "could", "did", "do", "does", "done", "each", "every", "first", "for", "from", "had", "has",
    "have", "he", "her", "here", "his", "how", "i", "if", "in", "instead", "into", "is", "it", "its", "just",
    "let", "made", "make", "may", "me", "must", "my", "next", "now", "of", "on", "only", "or", "our", "out",
    "please", "rather", "she", "should", "so", "than", "that", "the", "their", "them", "then", "there",
    "these", "they", "this", "those", "to", "up", "use", "was", "we", "were", "what", "when", "will", "with",
    "would", "you",
];

/// What a text is about.
pub(super) fn terms(text: &str) -> BTreeSet<String> {
    clauses(text).into_iter().flat_map(|clause| clause.terms).collect()
}

/// The parts of a text, each with its yes or no.
pub(super) fn clauses(text: &str) -> Vec<Clause> {
    let mut end = text.len().min(LONGEST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let text = text[..end].to_lowercase().replace("말고", "말고\n");
    let mut found = Vec::new();
    for part in parts(&text) {
        let no_in_pairs = SAYS_NO_IN_PAIRS.iter().any(|word| part.contains(word));
        let mut clause = Clause { negated: no_in_pairs, ..Clause::default() };
        let words: Vec<&str> =
            part.split(|letter: char| !is_word(letter)).filter(|word| !word.is_empty()).collect();
        for (place, word) in words.iter().enumerate() {
            let following = words.get(place + 1);
            let turned = matches!((*word, following), ("instead", Some(&"of")) | ("rather", Some(&"than")));
            if SAYS_NO.contains(word) || turned {
                if !clause.terms.is_empty() {
                    found.push(std::mem::take(&mut clause));
                }
                clause.negated = true;
            } else if matches!(*word, "but" | "instead") && clause.negated && !no_in_pairs {
                found.push(std::mem::take(&mut clause));
            } else {
                add(&mut clause, word);
            }
        }
        if !clause.terms.is_empty() {
            found.push(clause);
        }
    }
    found
}

/// Splits where a sentence pauses; a dot inside a name is no pause.
fn parts(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let spaced = letters.peek().is_none_or(|(_, next)| next.is_whitespace());
        let pause = match letter {
            '.' | ':' => spaced,
            ',' | ';' | '!' | '?' | '\n' | '。' | '，' | '；' | '！' | '？' | '、' => true,
            _ => false,
        };
        if pause {
            found.push(&text[start..at]);
            start = at + letter.len_utf8();
        }
    }
    found.push(&text[start..]);
    found
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '\'' | '’')
}

fn add(clause: &mut Clause, word: &str) {
    let letters: Vec<char> = word.chars().collect();
    for run in letters.chunk_by(|left, right| is_unspaced(*left) == is_unspaced(*right)) {
        if run.first().copied().is_some_and(is_unspaced) {
            clause.pairs = true;
            if run.len() > 1 {
                clause.terms.extend(run.windows(2).map(|pair| pair.iter().collect::<String>()));
            }
        } else {
            let word: String = run.iter().collect();
            let word = word.trim_matches(['\'', '’']);
            if word.chars().count() > 1 && !SAY_LITTLE.contains(&word) {
                clause.terms.insert(rough_stem(word).to_owned());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_no_reaches_to_the_next_pause() {
        let found = clauses("Use spaces, never tabs; commit main.rs");
        let seen: Vec<(Vec<&str>, bool)> =
            found.iter().map(|c| (c.terms.iter().map(String::as_str).collect(), c.negated)).collect();
        assert_eq!(
            seen,
            [(vec!["spac"], false), (vec!["tab"], true), (vec!["commit", "main", "rs"], false)]
                .map(|(words, no)| (words, no))
        );
    }

    #[test]
    fn korean_and_chinese_have_terms_and_a_no() {
        assert!(terms("파일을 먼저 읽어").contains("파일"));
        assert!(terms("先读文件").contains("文件"));
        assert!(clauses("탭을 쓰지 마").iter().all(|clause| clause.negated));
        assert!(clauses("不要用制表符").iter().all(|clause| clause.negated));
        assert!(clauses("用空格").iter().all(|clause| !clause.negated));
    }
}
