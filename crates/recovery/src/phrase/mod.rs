//! What a person said, in English, Korean, Chinese or Japanese: "keep the mail fix, undo the rest", "30분 전으로". (RC11, R5)
//!
//! The contract: what is said is understood as a whole or asked back. A name that is to stay is never taken back, a name that was
//! not found is quoted, and nothing falls back to the last change because words were not understood. It is never a command: it
//! only says what is looked at and what is shown.

mod check_fails;
mod chinese;
mod doubt;
mod english;
mod japanese;
mod korean;
mod lost;
mod marks;
mod statement;
mod time;
mod which;

pub(crate) use marks::is_path;

use serde::Serialize;

use crate::paths::{same_word, words};
use crate::signals::Signals;

pub use time::Moment;
pub use which::{Background, Which};

/// What is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// Something is broken: find out what.
    #[default]
    Broke,
    /// Take a change back.
    Undo,
    /// Bring something back that was there.
    Restore,
    /// Be where we were at some moment.
    GoBack,
    /// Take back what nobody asked for.
    Unasked,
    /// Only say what happened.
    Explain,
}

/// Which side of a moment or a change is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Edge {
    /// Everything from it on, itself too: the state before it.
    #[default]
    Before,
    /// Everything after it: the state when it was done.
    After,
    /// What was done before it is meant, and it stays with what came later.
    Until,
}

/// Something that was named.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Named {
    /// As it was said.
    pub text: String,
    /// The words of it that may name a request, a file or a function.
    pub words: Vec<String>,
    /// It is written like a file: `src/cart.js`, `cart.js`.
    pub is_path: bool,
    /// It is meant by its place or by who did it: "the last two", "what gemini did".
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub which: Vec<Which>,
    /// It is a part of this: "the css of the dark mode".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole: Option<Box<Named>>,
    /// Words beside it that name nothing alone, but tell requests apart: "feature *one*".
    #[serde(skip)]
    pub(crate) beside: Vec<String>,
    /// In which part of the sentence it was said.
    #[serde(skip)]
    pub(crate) clause: usize,
}

/// What was understood.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Phrase {
    /// What is wanted.
    pub ask: Ask,
    /// Since when, or to when.
    pub moment: Option<Moment>,
    /// It is about the last change, or the last so many.
    pub last: bool,
    /// How many; 0: nobody said.
    pub count: usize,
    /// What it is about: to be taken back, brought back, or said to be broken.
    pub objects: Vec<Named>,
    /// What stays.
    pub keep: Vec<Named>,
    /// Everything but what stays.
    pub rest: bool,
    /// "An hour ago it worked": a moment, and no verb that asks to go there. What is damaged since is looked for first.
    #[serde(skip)]
    pub(crate) mild: bool,
    /// They said "the rest" or "the others", so something must be named that stays.
    #[serde(skip)]
    pub(crate) others: bool,
    /// "All of it", with or without a verb.
    #[serde(skip)]
    pub(crate) all: bool,
    /// They said what is to stay, or that nothing is to go, and nothing that is to be taken back.
    pub only_keeps: bool,
    /// They say that something is gone.
    #[serde(skip)]
    pub(crate) lost: bool,
    /// And what it came after: what is wrong may be elsewhere.
    #[serde(skip)]
    pub(crate) since: bool,
    /// And ask for nothing by a verb.
    #[serde(skip)]
    pub(crate) complaint: bool,
    /// A change that is named as a moment.
    pub at: Option<Named>,
    /// The side of `at` or of `moment`.
    pub edge: Edge,
    /// Pieces that name nothing known: quoted and asked back. Whoever looks them up adds to it.
    pub not_understood: Vec<String>,
}

impl Phrase {
    /// Understands what it can.
    pub fn parse(text: &str) -> Self {
        Self::parse_known(text, &Background::default(), false)
    }

    /// The same, where it is known what was asked for and who worked here. `undo`: what is only named is to be taken back.
    pub fn parse_known(text: &str, known: &Background, undo: bool) -> Self {
        let text = text.trim();
        let language = marks::language(text);
        let taken = which::take(text, language, known, undo);
        let said = taken.text.as_str();
        let mut phrase = match language {
            marks::Language::English => english::parse(said),
            marks::Language::Korean => korean::parse(said),
            marks::Language::Chinese => chinese::parse(said),
            marks::Language::Japanese => japanese::parse(said),
        };
        if let Some(part) = doubt::find(said, language) {
            phrase.not_understood.push(part);
            phrase.ask = Ask::Undo;
        }
        taken.give_back(&mut phrase);
        phrase.lost = lost::says_lost(text);
        phrase.since = lost::says_since(text);
        phrase.complaint = lost::only_complains(text) && phrase.ask != Ask::Undo;
        // "All my work is gone" does not ask to take everything back.
        if phrase.complaint && phrase.ask == Ask::Restore && phrase.keep.is_empty() {
            (phrase.rest, phrase.others) = (false, false);
            if phrase.objects.is_empty() && phrase.at.is_none() && phrase.moment.is_none() {
                phrase.ask = Ask::Broke;
            }
        }
        let is_statement = statement::is_one(said, language);
        // "Since the captcha nobody can log in" says when, and asks for nothing.
        if is_statement && phrase.mild && phrase.ask == Ask::GoBack && phrase.at.is_some() {
            phrase.ask = Ask::Broke;
            phrase.objects.extend(phrase.at.take());
            phrase.edge = Edge::default();
        }
        if undo && !text.is_empty() && !phrase.complaint {
            phrase.is_to_be_undone(text, is_statement);
        }
        phrase.settle();
        phrase
    }

    /// The same, with what the signals know.
    pub fn parse_among(text: &str, signals: &Signals, undo: bool) -> Self {
        let mut known = Background::default();
        for step in &signals.steps {
            if let Some(prompt) = step.prompt.as_ref().filter(|prompt| !known.prompts.contains(prompt)) {
                known.prompts.push(prompt.clone());
            }
        }
        known.clients.extend(signals.clients.values().cloned());
        Self::parse_known(text, &known, undo)
    }

    /// A name alone is to be taken back; a statement is a complaint, and is looked into.
    fn is_to_be_undone(&mut self, text: &str, is_statement: bool) {
        if self.ask == Ask::GoBack && !is_statement {
            self.mild = false;
        }
        if self.ask != Ask::Broke || is_statement {
            return;
        }
        self.ask = Ask::Undo;
        if !self.objects.is_empty() || !self.keep.is_empty() || self.last {
            return;
        }
        if self.all {
            self.rest = true;
        } else if self.not_understood.is_empty() {
            self.not_understood.push(text.to_owned());
        }
    }

    /// A check (tests, a build) is said to fail.
    pub fn says_check_fails(text: &str) -> bool {
        check_fails::says_so(text)
    }

    /// Nobody said anything that would have to be found.
    pub fn is_plain(&self) -> bool {
        self.objects.is_empty()
            && self.keep.is_empty()
            && self.at.is_none()
            && self.moment.is_none()
            && !self.rest
    }

    /// Files are to be taken back because the person says so, and not because they look damaged.
    pub fn is_wish(&self) -> bool {
        matches!(self.ask, Ask::Undo | Ask::Restore | Ask::GoBack | Ask::Unasked)
    }

    /// What contradicts itself is asked back, not decided.
    fn settle(&mut self) {
        let same = |a: &Named, b: &Named| a.words == b.words && a.which == b.which && a.whole == b.whole;
        let twice: Vec<String> = self
            .keep
            .iter()
            .filter(|kept| self.objects.iter().any(|object| same(object, kept)))
            .map(|kept| kept.text.clone())
            .collect();
        self.objects.retain(|object| !self.keep.iter().any(|kept| same(kept, object)));
        // "Search and login, except login" leaves something to be done.
        if self.objects.is_empty() && !self.rest {
            self.not_understood.extend(twice);
        }
        // "The rest" of what? And a name beside "everything" may mean either.
        if self.rest && self.others && self.keep.is_empty() {
            self.not_understood
                .push(self.objects.first().map_or_else(|| "…".to_owned(), |name| name.text.clone()));
        } else if self.rest {
            self.not_understood.extend(self.objects.drain(..).map(|name| name.text));
        }
        // "Don't undo the button" says what stays, and not what goes.
        self.only_keeps |= self.ask == Ask::Undo && self.is_only_kept();
    }

    fn is_only_kept(&self) -> bool {
        let nothing_else = self.objects.is_empty() && self.at.is_none() && self.moment.is_none();
        nothing_else && !self.keep.is_empty() && !self.rest
    }
}

impl Named {
    /// From what was said: its words, and whether it is written like a file.
    pub(crate) fn of(text: &str) -> Option<Self> {
        let text = text
            .trim()
            .trim_matches(['"', '\'', '`', '“', '”', '「', '」', '‘', '’'])
            .trim_end_matches(['.', ',', '?', '!']);
        let is_path = marks::is_path(text);
        let found: Vec<String> = if is_path {
            vec![text.trim_start_matches("./").trim_end_matches('/').to_owned()]
        } else {
            words(text).into_iter().filter(|word| !word.is_empty()).collect()
        };
        (!found.is_empty()).then(|| Self { text: text.to_owned(), words: found, is_path, ..Self::default() })
    }

    /// How many of its words a text has. A path counts whole.
    pub fn score(&self, text: &str) -> usize {
        let lower = text.to_lowercase();
        if self.is_path {
            return self.words.iter().filter(|path| lower.contains(&path.to_lowercase())).count();
        }
        let there = words(text);
        // 다크모드 and 다크 모드 are one.
        let close: String = lower.split_whitespace().collect();
        let has = |word: &&String| {
            if word.len() == 1 && word.is_ascii() {
                // Endings are no words: `s` is not what is left of one.
                there.contains(word)
            } else if word.is_ascii() {
                there.iter().any(|other| same_word(word, other))
            } else {
                lower.contains(word.as_str()) || close.contains(word.as_str())
            }
        };
        // A name that is said in two scripts, `메일(mail)`, is meant by either.
        for ascii in [true, false] {
            let mut of_script = self.words.iter().filter(|word| word.is_ascii() == ascii).peekable();
            if of_script.peek().is_some() && of_script.all(|word| has(&word)) {
                return self.words.len();
            }
        }
        self.words.iter().filter(has).count()
    }

    /// It names this path: as a path, as a file's name, as a folder, or by its words.
    pub fn names_path(&self, path: &str) -> bool {
        if self.words.is_empty() {
            return false;
        }
        if self.is_path {
            return self.words.iter().any(|said| {
                let said = said.to_lowercase();
                let path = path.to_lowercase();
                let is_stem = !said.contains(['/', '.'])
                    && path
                        .rsplit('/')
                        .next()
                        .and_then(|name| name.strip_prefix(&said))
                        .is_some_and(|rest| rest.starts_with('.'));
                path == said
                    || is_stem
                    || path.starts_with(&format!("{said}/"))
                    || path.ends_with(&format!("/{said}"))
                    || path.contains(&format!("/{said}/"))
            });
        }
        self.score(path) == self.words.len()
    }
}

#[cfg(test)]
mod tests;
