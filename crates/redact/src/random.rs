//! Tells random text from words: the heart of finding keys that have no format of their own.
//!
//! Identifiers and prose are made of letter pairs that are common in English; generated keys are not. A value counts as
//! random when too little of it reads as words for somebody to have chosen it.

/// Letter pairs common in English words and identifiers.
const COMMON_PAIRS: &str = "th he in er an re nd at on nt ha es st en ed to it ou ea hi is or ti as te et ng of al de se le sa si ar \
ve ra ld ur ro ri io ic ll ne me li be ma ta ec co ch ce om us ut na nc ns tr rt ct ot pe pr po pa so su no mo ac ad am ap av ag ab \
ai ay ke ki ey cr fi fo fr ge gr gi la lo lu ly mi mp ol op os ow ob od oc pl pu rs ry sh sp ss tu ty ul um un up ue ui vi va wi wh \
wo we ew ex ee oo tt ff il im ir id ie if ig iv ef el em ep ev da di do bl bo by ba bu ca ci cl cu dr dy fe fa fu go ga ho hr ht ib \
rd rm rn rk sc sk sm sn sw ts ub ud ug uc um wa ye yp ys zi gh gn ds ck ks lt lf lp lk mb mm nn nk nu nf nv od og ok oi pp ps pt rc rg \
rl rr rv sy tl tc tw eb eg ei ek eo eq ew xt xp xe ak az ax af ah au aw";

/// What a value is made of.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Makeup {
    pub(crate) length: usize,
    pub(crate) digits: usize,
    pub(crate) lower: usize,
    pub(crate) upper: usize,
    pub(crate) others: usize,
    /// Letters that stand in pieces which read as words.
    pub(crate) wordy: usize,
    /// How often letters and digits, or the cases, alternate.
    pub(crate) turns: usize,
    pub(crate) hex_only: bool,
}

impl Makeup {
    pub(crate) fn of(value: &[u8]) -> Self {
        let mut counts = [0; 4];
        let (mut turns, mut hex_only, mut wordy) = (0, true, 0);
        let (mut previous, mut piece) = (OTHER, 0);
        for (at, byte) in value.iter().enumerate() {
            let class = CLASSES[usize::from(*byte)];
            let kind = class & KIND;
            counts[usize::from(kind)] += 1;
            hex_only &= class & HEX != 0;
            turns += usize::from(kind != previous && kind != OTHER && previous != OTHER);
            // A piece of a name goes on while letters do, up to the next capital.
            if kind < LOWER || previous < LOWER || (previous == LOWER && kind == UPPER) {
                // Most pieces of a key are too short for a word.
                if at - piece >= SHORTEST_WORD {
                    wordy += wordy_letters(&value[piece..at]);
                }
                piece = at;
            }
            previous = kind;
        }
        wordy += wordy_letters(&value[piece..]);
        let [others, digits, lower, upper] = counts;
        Self { length: value.len(), digits, lower, upper, others, wordy, turns, hex_only }
    }

    pub(crate) fn letters(&self) -> usize {
        self.lower + self.upper
    }

    /// The share of the value that reads as words.
    pub(crate) fn wordiness(&self) -> f32 {
        if self.length == 0 { 1.0 } else { self.wordy as f32 / self.length as f32 }
    }
}

/// `8-4-4-4-12` hex digits.
pub(crate) fn is_uuid(value: &[u8]) -> bool {
    value.len() == 36
        && value.iter().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_alphanumeric(),
        })
}

/// What each byte is: its kind, and whether it is a hex digit or the dash between them.
static CLASSES: [u8; 256] = {
    let mut classes = [OTHER; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        let kind = match byte {
            b'0'..=b'9' => DIGIT,
            b'a'..=b'z' => LOWER,
            b'A'..=b'Z' => UPPER,
            _ => OTHER,
        };
        let hex = byte.is_ascii_hexdigit() || byte == b'-';
        classes[byte as usize] = kind | if hex { HEX } else { 0 };
        byte += 1;
    }
    classes
};
const OTHER: u8 = 0;
const DIGIT: u8 = 1;
const LOWER: u8 = 2;
const UPPER: u8 = 3;
const KIND: u8 = 3;
const HEX: u8 = 4;

const SHORTEST_WORD: usize = 4;

/// The length of a piece of four and more if its letter pairs are mostly common ones.
fn wordy_letters(piece: &[u8]) -> usize {
    if piece.len() >= SHORTEST_WORD && reads_as_word(piece) { piece.len() } else { 0 }
}

fn reads_as_word(piece: &[u8]) -> bool {
    let letters = if piece[0].is_ascii_alphabetic() { piece } else { &piece[1..] };
    if letters.len() < 3 {
        return false;
    }
    let common = letters.windows(2).filter(|pair| is_common(pair[0], pair[1])).count();
    let share = if letters.len() <= 4 { 100 } else { 66 };
    common * 100 >= (letters.len() - 1) * share
}

fn is_common(a: u8, b: u8) -> bool {
    let (a, b) = (a.to_ascii_lowercase(), b.to_ascii_lowercase());
    if !a.is_ascii_lowercase() || !b.is_ascii_lowercase() {
        return false;
    }
    PAIR_BITS[usize::from(a - b'a')] & (1 << (b - b'a')) != 0
}

/// [`COMMON_PAIRS`] as one row of bits for each first letter.
const PAIR_BITS: [u32; 26] = {
    let mut rows = [0u32; 26];
    let pairs = COMMON_PAIRS.as_bytes();
    let mut at = 0;
    while at + 1 < pairs.len() {
        if pairs[at] == b' ' {
            at += 1;
            continue;
        }
        rows[(pairs[at] - b'a') as usize] |= 1 << (pairs[at + 1] - b'a');
        at += 2;
    }
    rows
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_read_as_words_and_keys_do_not() {
        for words in
            ["getServerAddressByClient", "PROJECT_NAME_ALIAS", "settings.github_api_secret", "authentication"]
        {
            assert!(Makeup::of(words.as_bytes()).wordiness() > 0.6, "{words}");
        }
        for key in [
            "5us4rjh9ebxtblpi3cnw2hq0d8fqpk7s",
            "bu9JFVJtII3FINL1rOKcNpveXD4hSMtS",
            "3c88e493311dc72090a349c901222a3c",
        ] {
            assert!(Makeup::of(key.as_bytes()).wordiness() < 0.3, "{key}");
        }
    }

    #[test]
    fn uuids_are_recognised() {
        assert!(is_uuid(b"123e4567-e89b-12d3-a456-426614174000"));
        assert!(!is_uuid(b"123e4567-e89b-12d3-a456-42661417400"));
    }
}
