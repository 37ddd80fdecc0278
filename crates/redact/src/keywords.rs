//! Where in a text the keywords of the rules stand.
//!
//! Two ways to the same answer. A small text is walked with a constant table of keywords by letter pairs: nothing has to be built, so a fresh
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
    /// The beginning of a mark that the gate put there.
    Mark,
}

/// How a mark begins.
pub(crate) const MARK: &str = "[redacted:";

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
        self.walk(text, visit);
    }

    /// The same without building anything: for short texts.
    pub(crate) fn walk(&self, text: &[u8], mut visit: impl FnMut(Hit, usize, usize)) {
        let mut first = text.first().map_or(0, |byte| CLASSES[usize::from(*byte)]);
        for at in 0..text.len() {
            let second = text.get(at + 1).map_or(0, |byte| CLASSES[usize::from(*byte)]);
            let pair = usize::from(first) * CLASS_COUNT + usize::from(second);
            first = second;
            let (from, to) = (TABLE.starts[pair], TABLE.starts[pair + 1]);
            if from == to {
                continue;
            }
            let third = text.get(at + 2).map_or(0, u8::to_ascii_lowercase);
            for entry in &TABLE.entries[usize::from(from)..usize::from(to)] {
                let index = usize::from(entry.keyword);
                if entry.third != 0 && entry.third != third {
                    continue;
                }
                let word = keyword(index).as_bytes();
                if text.get(at..at + word.len()).is_some_and(|here| here.eq_ignore_ascii_case(word))
                    && let Some(hit) = hit(index)
                {
                    visit(hit, at, at + word.len());
                }
            }
        }
    }
}

/// Whether a keyword of a rule may go over a break between these two texts: whether the three bytes at the break stand side by side in
/// one. Says no only where none does.
pub(crate) fn splits_keyword(left: &[u8], right: &[u8]) -> bool {
    let (Some(last), Some(first)) = (left.last().copied(), right.first().copied()) else { return false };
    let before = left.len().checked_sub(2).map(|at| left[at]);
    before.is_some_and(|before| is_set(&SPLIT_BEHIND_TWO, triple(before, last, first)))
        || right.get(1).is_some_and(|second| is_set(&SPLIT_BEHIND_ONE, triple(last, first, *second)))
        || is_set(&SPLIT_BEHIND_ONE, triple(last, first, 0))
}

/// The place of three bytes in a table of bits; different ones may share one.
const fn triple(one: u8, two: u8, three: u8) -> usize {
    let (one, two, three) = (
        one.to_ascii_lowercase() as usize,
        two.to_ascii_lowercase() as usize,
        three.to_ascii_lowercase() as usize,
    );
    ((one << 10) ^ (two << 5) ^ three) % TRIPLES
}

const TRIPLES: usize = 1 << 15;
type Bits = [u64; TRIPLES / 64];

fn is_set(bits: &Bits, place: usize) -> bool {
    bits[place / 64] & (1 << (place % 64)) != 0
}

/// The last two bytes before a split and the first behind it, for every place where a keyword can be split.
static SPLIT_BEHIND_TWO: Bits = {
    let (mut bits, mut index) = ([0; TRIPLES / 64], 0);
    while index < KEYWORDS.len() {
        let (word, mut at) = (KEYWORDS[index].0.as_bytes(), 2);
        while at < word.len() {
            let place = triple(word[at - 2], word[at - 1], word[at]);
            bits[place / 64] |= 1 << (place % 64);
            at += 1;
        }
        index += 1;
    }
    bits
};

/// The same where only the first byte of a keyword stands before the split: that one and the two behind it, or 0 if it ends there.
static SPLIT_BEHIND_ONE: Bits = {
    let (mut bits, mut index) = ([0; TRIPLES / 64], 0);
    while index < KEYWORDS.len() {
        let word = KEYWORDS[index].0.as_bytes();
        if word.len() > 1 {
            let place = triple(word[0], word[1], if word.len() > 2 { word[2] } else { 0 });
            bits[place / 64] |= 1 << (place % 64);
        }
        index += 1;
    }
    bits
};

fn build() -> Option<AhoCorasick> {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::Standard)
        .start_kind(StartKind::Unanchored)
        .prefilter(false)
        .kind(Some(AhoCorasickKind::DFA))
        .build((0..KEYWORD_COUNT).map(keyword))
        .ok()
}

fn hit(index: usize) -> Option<Hit> {
    match KEYWORDS.get(index) {
        Some((_, rules)) => Some(Hit::Rules(rules)),
        None => match WORDS.get(index - KEYWORDS.len()) {
            Some((_, kind)) => Some(Hit::Word(*kind)),
            None => Some(Hit::Mark),
        },
    }
}

const fn keyword(index: usize) -> &'static str {
    if index < KEYWORDS.len() {
        KEYWORDS[index].0
    } else if index < KEYWORDS.len() + WORDS.len() {
        WORDS[index - KEYWORDS.len()].0
    } else {
        MARK
    }
}

const KEYWORD_COUNT: usize = KEYWORDS.len() + WORDS.len() + 1;

/// The bytes with which keywords begin, or that come second, numbered from 1, both cases alike; 0: no keyword has it there.
static CLASSES: [u8; 256] = CLASSES_AND_COUNT.0;
const CLASS_COUNT: usize = CLASSES_AND_COUNT.1;

const CLASSES_AND_COUNT: ([u8; 256], usize) = {
    let (mut classes, mut count) = ([0_u8; 256], 1);
    let mut index = 0;
    while index < KEYWORD_COUNT {
        let word = keyword(index).as_bytes();
        let mut place = 0;
        while place < 2 && place < word.len() {
            let byte = word[place];
            if classes[byte as usize] == 0 {
                classes[byte as usize] = count as u8;
                classes[byte.to_ascii_uppercase() as usize] = count as u8;
                count += 1;
            }
            place += 1;
        }
        index += 1;
    }
    (classes, count)
};

/// The keywords by their first two bytes.
struct Table {
    /// Where the entries of each pair of classes begin; those of the next pair are their end.
    starts: [u16; CLASS_COUNT * CLASS_COUNT + 1],
    entries: [Entry; ENTRY_COUNT],
}

#[derive(Clone, Copy)]
struct Entry {
    keyword: u16,
    /// Its third byte, which spares most comparisons; 0 if it has none.
    third: u8,
}

/// A keyword of one byte is in the table with whatever may follow.
const ENTRY_COUNT: usize = {
    let (mut count, mut index) = (0, 0);
    while index < KEYWORD_COUNT {
        count += if keyword(index).len() == 1 { CLASS_COUNT } else { 1 };
        index += 1;
    }
    count
};

/// The first and the last pair of classes with which a keyword may begin.
const fn pairs_of(word: &[u8]) -> (usize, usize) {
    let first = CLASSES_AND_COUNT.0[word[0] as usize] as usize * CLASS_COUNT;
    match word {
        [_, second, ..] => {
            let pair = first + CLASSES_AND_COUNT.0[*second as usize] as usize;
            (pair, pair)
        }
        _ => (first, first + CLASS_COUNT - 1),
    }
}

static TABLE: Table = {
    let mut table = Table {
        starts: [0; CLASS_COUNT * CLASS_COUNT + 1],
        entries: [Entry { keyword: 0, third: 0 }; ENTRY_COUNT],
    };
    // Once to count those of each pair, and, when it is known where each pair begins, once to put them there.
    let mut placed = [0; CLASS_COUNT * CLASS_COUNT];
    let mut round = 0;
    while round < 2 {
        let mut index = 0;
        while index < KEYWORD_COUNT {
            let word = keyword(index).as_bytes();
            let third = if word.len() > 2 { word[2] } else { 0 };
            let (mut pair, last) = pairs_of(word);
            while pair <= last {
                if round == 0 {
                    table.starts[pair + 1] += 1;
                } else {
                    table.entries[table.starts[pair] as usize + placed[pair]] =
                        Entry { keyword: index as u16, third };
                    placed[pair] += 1;
                }
                pair += 1;
            }
            index += 1;
        }
        let mut pair = 0;
        while round == 0 && pair < CLASS_COUNT * CLASS_COUNT {
            table.starts[pair + 1] += table.starts[pair];
            pair += 1;
        }
        round += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_find_the_same() {
        let all = |between: &str| {
            let words = (0..KEYWORD_COUNT).map(|index| format!("{between}{}", keyword(index).to_uppercase()));
            words.collect::<String>()
        };
        let each = (0..KEYWORD_COUNT).map(|index| keyword(index).to_owned());
        for text in each.chain([all(" x"), all(""), all("."), all("é"), String::new()]) {
            let (small, large) = (Keywords::default(), Keywords::default());
            large.bytes_seen.store(AUTOMATON_FROM, Ordering::Relaxed);
            large.automaton.get_or_init(|| automaton().clone());
            let places = |keywords: &Keywords| {
                let mut places = Vec::new();
                keywords.each(text.as_bytes(), |_, start, end| places.push((start, end)));
                places.sort_unstable();
                places
            };
            assert!(
                text.is_empty() || places(&small).contains(&(0, text.len())) || text.len() > 60,
                "{text}"
            );
            assert_eq!(places(&small), places(&large), "{text}");
        }
    }

    #[test]
    fn a_keyword_that_a_break_splits_is_never_overlooked() {
        for (word, _) in KEYWORDS {
            for at in 1..word.len() {
                let (left, right) = word.as_bytes().split_at(at);
                assert!(splits_keyword(left, right), "{word} at {at}");
                let (left, right) = ([b"x1".as_slice(), left].concat(), [right, b"9z"].concat());
                assert!(splits_keyword(&left, &right), "{word} at {at}");
            }
        }
        assert!(!splits_keyword(b"", b"x") && !splits_keyword(b"x", b""));
        assert!(!splits_keyword(b"qx", b"zj"));
    }

    fn automaton() -> &'static Option<AhoCorasick> {
        static AUTOMATON: OnceLock<Option<AhoCorasick>> = OnceLock::new();
        AUTOMATON.get_or_init(build)
    }
}
