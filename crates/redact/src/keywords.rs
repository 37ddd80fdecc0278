//! Where in a text the keywords of the rules stand.
//!
//! Two ways to the same answer. A small text is walked with a constant table of letter pairs: nothing has to be built, so a fresh
//! process can clean 2 KB in the time it takes to read it. A process that scans a lot builds an Aho-Corasick automaton, which
//! costs milliseconds once and then runs several times faster.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use aho_corasick::{AhoCorasick, AhoCorasickKind, Anchored, Input, MatchKind, StartKind};

use crate::keyed::{Kind, WORDS};
use crate::rule::KEYWORDS;

/// After this many bytes the automaton pays for its building.
const AUTOMATON_FROM: usize = 1 << 20;

/// A keyword seen in a text.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Hit {
    /// The keyword of some rules.
    Rules(&'static [u16]),
    /// A word that announces a secret.
    Word(Kind),
}

/// Finds keywords, without regard to ASCII case.
#[derive(Debug, Default)]
pub(crate) struct Keywords {
    automaton: OnceLock<Option<AhoCorasick>>,
    bytes_seen: AtomicUsize,
}

impl Keywords {
    /// Calls `visit` with start and end of every keyword in `text`.
    pub(crate) fn each(&self, text: &[u8], mut visit: impl FnMut(Hit, usize, usize)) {
        let seen = self.bytes_seen.fetch_add(text.len(), Ordering::Relaxed);
        if seen.saturating_add(text.len()) >= AUTOMATON_FROM
            && let Some(automaton) = self.automaton.get_or_init(build).as_ref()
        {
            for found in automaton.find_overlapping_iter(Input::new(text).anchored(Anchored::No)) {
                if let Some(hit) = hit(found.pattern().as_usize()) {
                    visit(hit, found.start(), found.end());
                }
            }
            return;
        }
        for at in 0..text.len() {
            let first = text[at].to_ascii_lowercase();
            let second = text.get(at + 1).copied().unwrap_or_default().to_ascii_lowercase();
            if PAIRS[usize::from(first)][usize::from(second) / 32] & (1 << (second % 32)) == 0 {
                continue;
            }
            let (from, to) = RANGES[usize::from(first)];
            let mut left = WORDS_BY_FIRST[usize::from(first)];
            let words = std::iter::from_fn(|| {
                let next = left.trailing_zeros();
                left &= left.wrapping_sub(1);
                (next < u128::BITS).then_some(next as usize)
            });
            for index in (from..to).chain(words.map(|index| KEYWORDS.len() + index)) {
                let word = keyword(index).as_bytes();
                let begins = word[0] == first && word.get(1).is_none_or(|byte| *byte == second);
                if begins
                    && text.get(at..at + word.len()).is_some_and(|here| here.eq_ignore_ascii_case(word))
                    && let Some(hit) = hit(index)
                {
                    visit(hit, at, at + word.len());
                }
            }
        }
    }
}

fn build() -> Option<AhoCorasick> {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::Standard)
        .start_kind(StartKind::Unanchored)
        .prefilter(false)
        .kind(Some(AhoCorasickKind::DFA))
        .build((0..KEYWORDS.len() + WORDS.len()).map(keyword))
        .ok()
}

fn hit(index: usize) -> Option<Hit> {
    match KEYWORDS.get(index) {
        Some((_, rules)) => Some(Hit::Rules(rules)),
        None => WORDS.get(index - KEYWORDS.len()).map(|(_, kind)| Hit::Word(*kind)),
    }
}

const fn keyword(index: usize) -> &'static str {
    if index < KEYWORDS.len() { KEYWORDS[index].0 } else { WORDS[index - KEYWORDS.len()].0 }
}

/// For each first byte, one bit for each second byte with which some keyword begins.
static PAIRS: [[u32; 8]; 256] = {
    let mut pairs = [[0; 8]; 256];
    let mut index = 0;
    while index < KEYWORDS.len() + WORDS.len() {
        let word = keyword(index).as_bytes();
        if word.len() == 1 {
            pairs[word[0] as usize] = [u32::MAX; 8];
        } else {
            pairs[word[0] as usize][word[1] as usize / 32] |= 1 << (word[1] % 32);
        }
        index += 1;
    }
    pairs
};

/// For each first byte, which of the (sorted) rule keywords begin with it.
static RANGES: [(usize, usize); 256] = {
    let mut ranges = [(0, 0); 256];
    let mut index = 0;
    while index < KEYWORDS.len() {
        let first = KEYWORDS[index].0.as_bytes()[0] as usize;
        if ranges[first].1 == 0 {
            ranges[first].0 = index;
        }
        ranges[first].1 = index + 1;
        index += 1;
    }
    ranges
};

/// For each first byte, one bit for each word that begins with it.
static WORDS_BY_FIRST: [u128; 256] = {
    let mut words = [0; 256];
    let mut index = 0;
    while index < WORDS.len() {
        words[WORDS[index].0.as_bytes()[0] as usize] |= 1 << index;
        index += 1;
    }
    words
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_find_the_same() {
        let text: String = (0..KEYWORDS.len() + WORDS.len())
            .map(|index| format!("x{} ", keyword(index).to_uppercase()))
            .collect();
        let (small, large) = (Keywords::default(), Keywords::default());
        large.bytes_seen.store(AUTOMATON_FROM, Ordering::Relaxed);
        let places = |keywords: &Keywords| {
            let mut places = Vec::new();
            keywords.each(text.as_bytes(), |_, start, end| places.push((start, end)));
            places.sort_unstable();
            places
        };
        assert!(places(&small).len() >= KEYWORDS.len());
        assert_eq!(places(&small), places(&large));
    }
}
