//! From words to rows of the table: WordPiece, as `tokenizer.json` describes it. A word that the vocabulary does not have is cut into the
//! longest pieces that it has.

use std::collections::HashMap;

use serde_json::Value;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The largest vocabulary.
const MOST_WORDS: usize = 500_000;
/// A longer word is nothing that a vocabulary has.
const LONGEST_WORD: usize = 100;

/// The vocabulary.
#[derive(Debug)]
pub(super) struct Pieces {
    vocabulary: HashMap<String, u32>,
    /// What stands before a piece that goes on a word.
    goes_on: String,
    lowercase: bool,
}

impl Pieces {
    /// Reads `tokenizer.json`; says in words what is wrong with it.
    pub fn read(json: &[u8], rows: u32) -> Result<Self, String> {
        let mut file: Value =
            serde_json::from_slice(json).map_err(|error| format!("it is no JSON ({error})"))?;
        let model = file.get_mut("model").map(Value::take).unwrap_or_default();
        match model.get("type").and_then(Value::as_str) {
            Some("WordPiece") => {}
            kind => {
                return Err(format!(
                    "it cuts words by `{}`; only `WordPiece` can be read",
                    kind.unwrap_or("?")
                ));
            }
        }
        let goes_on =
            model.get("continuing_subword_prefix").and_then(Value::as_str).unwrap_or("##").to_owned();
        let Some(Value::Object(words)) = model.get("vocab") else {
            return Err("it has no vocabulary".to_owned());
        };
        if words.is_empty() || words.len() > MOST_WORDS {
            return Err(format!("its vocabulary of {} words is empty or too large", words.len()));
        }
        let mut vocabulary = HashMap::with_capacity(words.len());
        for (word, row) in words {
            let row = row.as_u64().and_then(|row| u32::try_from(row).ok()).filter(|row| *row < rows);
            let row = row.ok_or("its vocabulary names rows that the table does not have")?;
            vocabulary.insert(word.clone(), row);
        }
        let normalizer = file.get("normalizer");
        let lowercase =
            normalizer.and_then(|one| one.get("lowercase")).and_then(Value::as_bool).unwrap_or(true);
        Ok(Self { vocabulary, goes_on, lowercase })
    }

    /// The rows of a text.
    pub fn rows(&self, text: &str) -> Vec<u32> {
        let plain: String = text.nfd().filter(|sign| !is_combining_mark(*sign)).nfc().collect();
        let plain = if self.lowercase { plain.to_lowercase() } else { plain };
        let mut rows = Vec::new();
        let mut word = String::new();
        for sign in plain.chars().chain([' ']) {
            if sign.is_alphanumeric() && !is_ideograph(sign) {
                word.push(sign);
                continue;
            }
            self.cut(&word, &mut rows);
            word.clear();
            if !sign.is_whitespace() {
                self.cut(sign.encode_utf8(&mut [0; 4]), &mut rows);
            }
        }
        rows
    }

    /// A word in pieces; nothing, if one part of it is in no vocabulary.
    fn cut(&self, word: &str, rows: &mut Vec<u32>) {
        let signs = word.chars().count();
        if signs == 0 || signs > LONGEST_WORD {
            return;
        }
        let ends: Vec<usize> = word.char_indices().map(|(at, _)| at).skip(1).chain([word.len()]).collect();
        let (mut from, before) = (0, rows.len());
        let mut piece = String::new();
        while from < word.len() {
            let longest = ends.iter().rev().take_while(|end| **end > from).find_map(|end| {
                piece.clear();
                if from > 0 {
                    piece.push_str(&self.goes_on);
                }
                piece.push_str(&word[from..*end]);
                Some((*end, *self.vocabulary.get(&piece)?))
            });
            let Some((end, row)) = longest else {
                rows.truncate(before);
                return;
            };
            rows.push(row);
            from = end;
        }
    }

    /// The words of the vocabulary that are whole words, by their row.
    pub fn whole_words(&self) -> HashMap<u32, &str> {
        let is_word = |word: &str| word.chars().count() >= 3 && word.chars().all(char::is_alphabetic);
        self.vocabulary
            .iter()
            .filter(|(word, _)| is_word(word))
            .map(|(word, row)| (*row, word.as_str()))
            .collect()
    }
}

/// Such signs are words by themselves.
fn is_ideograph(sign: char) -> bool {
    matches!(sign, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3134f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_cut_into_the_longest_pieces_and_signs_stand_alone() {
        let json = r###"{"normalizer":{"lowercase":true},"model":{"type":"WordPiece","continuing_subword_prefix":"##",
            "vocab":{"[UNK]":0,"log":1,"##in":2,"login":3,"##s":4,".":5,"登":6}}}"###;
        let pieces = Pieces::read(json.as_bytes(), 7).unwrap();
        assert_eq!(pieces.rows("Login"), [3]);
        assert_eq!(pieces.rows("lógins logs."), [3, 4, 1, 4, 5]);
        assert_eq!(pieces.rows("登log unknown"), [6, 1]);
        assert!(pieces.rows(&"log".repeat(60)).is_empty());
        assert_eq!(pieces.whole_words().len(), 2);
        assert!(Pieces::read(json.as_bytes(), 6).unwrap_err().contains("rows that the table does not have"));
        assert!(Pieces::read(b"{}", 6).unwrap_err().contains("WordPiece"));
        assert!(Pieces::read(b"[", 6).unwrap_err().contains("no JSON"));
    }
}
