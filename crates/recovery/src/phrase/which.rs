//! What is named by its place or by its maker, and not by a name: "the last two", "the third request", "request 4", "what gemini did".
//! It is taken out before a sentence is read, and stands in it as one word, so that it can be excluded, kept or said to be a moment like
//! any other name.

mod chinese;
mod english;
mod japanese;
mod korean;
mod plural;
mod scan;

use serde::Serialize;

use super::marks::Language;
use super::{Named, Phrase};
use scan::Scan;

/// What is meant without being named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Which {
    /// The last so many requests.
    Last(usize),
    /// The first so many.
    First(usize),
    /// This one, counted from the first.
    Nth(usize),
    /// This one, counted from the last.
    FromEnd(usize),
    /// The request with this number.
    Number(i64),
    /// The request with exactly these words.
    Exact(String),
    /// What this client did.
    Client(String),
    /// What agents did.
    Agents,
    /// What the person did by hand.
    Person,
}

/// What is known before a sentence is read.
#[derive(Debug, Clone, Default)]
pub struct Background {
    /// What was asked for, word by word.
    pub prompts: Vec<String>,
    /// The clients that worked here.
    pub clients: Vec<String>,
}

/// Stands in front of the letter that stands for something taken out.
pub(super) const STAND_IN: char = '\u{2}';
/// So many things can be taken out of one sentence.
const MOST: usize = 20;

/// A sentence in which what is meant by its place stands as one word.
pub(super) struct Taken {
    pub(super) text: String,
    found: Vec<(Which, String)>,
}

pub(super) fn take(text: &str, language: Language, known: &Background, undo: bool) -> Taken {
    let mut taken = Taken { text: text.to_owned(), found: Vec::new() };
    taken.exact(known, undo);
    taken.text = plural::spelled_out(&taken.text, language);
    let read: fn(&mut Scan<'_>, &Background) -> Option<Which> = match language {
        Language::English => english::read,
        Language::Korean => korean::read,
        Language::Chinese => chinese::read,
        Language::Japanese => japanese::read,
    };
    taken.by_place(language, |scan| {
        let numbered = scan.attempt(Scan::request).map(Which::Number);
        numbered.or_else(|| read(scan, known))
    });
    taken
}

impl Taken {
    /// The exact words of a request always mean that request.
    fn exact(&mut self, known: &Background, undo: bool) {
        let mut prompts: Vec<&String> =
            known.prompts.iter().filter(|prompt| !bare(prompt).is_empty()).collect();
        prompts.sort_by_key(|prompt| std::cmp::Reverse(prompt.len()));
        prompts.dedup();
        for prompt in prompts {
            let wanted = bare(prompt).to_lowercase();
            if bare(&self.text).to_lowercase() == wanted {
                // Said alone it may be a new request or a complaint, unless something is to be undone.
                if undo {
                    self.put(0..self.text.len(), Which::Exact(prompt.clone()));
                }
                return;
            }
            let is_long =
                wanted.split_whitespace().count() > 1 || wanted.chars().filter(|c| !c.is_ascii()).count() > 3;
            let lower = self.text.to_lowercase();
            if !is_long || lower.len() != self.text.len() {
                continue;
            }
            let whole = |at: &usize| {
                let edge =
                    |letter: Option<char>| !letter.is_some_and(|letter| letter.is_ascii_alphanumeric());
                let end = at + wanted.len();
                let ends = !wanted.is_ascii() || edge(lower[end..].chars().next());
                ends && (!wanted.is_ascii() || edge(lower[..*at].chars().next_back()))
            };
            if let Some(at) = lower.match_indices(&wanted).map(|(at, _)| at).find(whole) {
                self.put(at..at + wanted.len(), Which::Exact(prompt.clone()));
            }
        }
    }

    fn by_place(&mut self, language: Language, read: impl Fn(&mut Scan<'_>) -> Option<Which>) {
        let mut at = 0;
        while at < self.text.len() && self.found.len() < MOST {
            let begins = !self.text[..at].chars().next_back().is_some_and(|before| {
                before == STAND_IN
                    || before.is_ascii_alphanumeric()
                        && self.text[at..].starts_with(|c: char| c.is_ascii_alphanumeric())
                    || language == Language::English && matches!(before, '/' | '.' | '-' | '_')
            });
            let lower = self.text[at..].to_ascii_lowercase();
            let mut scan = Scan::new(&lower);
            match read(&mut scan).filter(|_| begins && scan.at() > 0) {
                Some(which) => {
                    let range = at..at + lower[..scan.at()].trim_end().len();
                    at += self.put(range, which);
                }
                None => at += self.text[at..].chars().next().map_or(1, char::len_utf8),
            }
        }
    }

    /// Puts a word in its place; says how long that is.
    fn put(&mut self, range: std::ops::Range<usize>, which: Which) -> usize {
        let Some(letter) = u8::try_from(self.found.len()).ok().map(|at| char::from(b'a' + at)) else {
            return 1;
        };
        if self.found.len() >= MOST {
            return 1;
        }
        let said = self.text[range.clone()].trim_matches(['"', '“', '”', '「', '」']).to_owned();
        let space_after = self.text[range.end..].starts_with(|next: char| next.is_ascii_alphanumeric());
        let word = format!(" {STAND_IN}{letter}{}", if space_after { " " } else { "" });
        self.text.replace_range(range, &word);
        self.found.push((which, said));
        word.len()
    }

    /// What stands for something becomes that again.
    pub(super) fn give_back(&self, phrase: &mut Phrase) {
        if self.found.is_empty() {
            return;
        }
        let names = phrase.objects.iter_mut().chain(&mut phrase.keep).chain(&mut phrase.at);
        for name in names {
            self.name(name);
        }
        for text in &mut phrase.not_understood {
            *text = self.said(text, &mut Vec::new());
        }
        // "Undo the last two": what everybody says, and what says of itself how many it came to.
        let alone = phrase.keep.is_empty() && !phrase.rest && phrase.at.is_none() && phrase.moment.is_none();
        if let [Named { which, words, whole: None, .. }] = &phrase.objects[..]
            && let [Which::Last(count)] = which[..]
            && words.is_empty()
            && alone
        {
            (phrase.last, phrase.count) = (true, count);
            phrase.objects.clear();
        }
    }

    fn name(&self, name: &mut Named) {
        if let Some(whole) = &mut name.whole {
            self.name(whole);
        }
        if name.text.contains(STAND_IN) {
            let mut which = Vec::new();
            let mut letters: Vec<String> = Vec::new();
            for (at, letter) in name.text.char_indices().filter(|(_, letter)| *letter == STAND_IN) {
                letters.extend(name.text[at + letter.len_utf8()..].chars().next().map(String::from));
            }
            name.text = self.said(&name.text, &mut which);
            name.words.retain(|word| !letters.contains(word));
            name.which = which;
        }
    }

    fn said(&self, text: &str, which: &mut Vec<Which>) -> String {
        let mut out = String::new();
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            if letter != STAND_IN {
                out.push(letter);
                continue;
            }
            let place =
                letters.next().and_then(|letter| usize::try_from(u32::from(letter)).ok()?.checked_sub(97));
            if let Some((one, said)) = place.and_then(|place| self.found.get(place)) {
                out.push_str(said);
                which.push(one.clone());
            }
        }
        out.trim().to_owned()
    }
}

/// Without quotes and the marks at its end.
fn bare(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.trim_matches(['"', '\'', '`', '“', '”', '「', '」', '.', '!', '?', '。', ' ']).to_owned()
}
