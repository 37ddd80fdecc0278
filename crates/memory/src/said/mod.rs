//! What a person says in the chat that is meant to stay: rules, decisions and corrections, in English, Korean, Japanese and Chinese. (M7)
//!
//! Only the person's own words are looked at: what they quote, paste or what a program put into their prompt is left out. What is found is
//! a *proposal*: it is told as what the person said, with its date, and never becomes a decision by itself.
//!
//! Start reading at [`find`]; [`facets`] says what a saying is about, [`overtakes`] which earlier one it ends.

mod aspects;
mod chinese;
mod choices;
mod english;
mod facets;
mod japanese;
mod korean;
mod latest;
mod own_words;
mod polarity;
mod topics;
mod trivial;

pub use facets::{Facets, facets};
pub use latest::{ended_by, overtakes};
pub use trivial::{asks_to_go_on, is_substantial};

/// What sort of saying it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    /// Something that holds from now on.
    Rule,
    /// What was just done was wrong, and how it should be.
    Correction,
    /// Something that was said before no longer holds.
    Withdrawal,
}

/// One saying, in the person's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saying {
    /// The sentence as it was written.
    pub text: String,
    /// What sort.
    pub sort: Sort,
}

/// Most sayings of one prompt.
const MOST: usize = 4;
/// A longer sentence is a text, not a rule; in characters.
const LONGEST: usize = 280;
/// A shorter one says nothing; in characters.
const SHORTEST: usize = 4;

/// What a prompt says that is meant to stay.
pub fn find(prompt: &str) -> Vec<Saying> {
    let mut found: Vec<Saying> = Vec::new();
    let sentences = own_words::sentences(prompt);
    for (at, sentence) in sentences.iter().enumerate() {
        let length = sentence.text.chars().count();
        if !(SHORTEST..=LONGEST).contains(&length) {
            continue;
        }
        // A correction opens a prompt; later on, "no" is a word like any other.
        let Some(sort) = sort_of(&sentence.bare, at == 0) else {
            // "Nooo, you reordered the modules. Leave the order alone.": the second half says what the first is about.
            if at == 0
                && english::objects(&sentence.bare)
                && let Some(next) = sentences.get(1).filter(|next| english::directs(&next.bare))
            {
                let text = format!("{} {}", sentence.text, next.text);
                found.push(Saying { text, sort: Sort::Correction });
            }
            continue;
        };
        let mut text = sentence.text.clone();
        // "No, I said tabs. Don't do that again.": the first half says what the second is about.
        if at > 0 && sort == Sort::Rule && points_back(&sentence.bare) {
            text = format!("{} {text}", sentences[at - 1].text);
            found.retain(|saying| saying.text != sentences[at - 1].text);
        }
        // "Wrong file." says nothing without what follows it.
        if sort == Sort::Correction && says_no_more_than_no(&sentence.bare) {
            let Some(next) = sentences.get(at + 1) else { continue };
            text = format!("{text} {}", next.text);
        }
        if text.chars().count() <= LONGEST && !found.iter().any(|saying| saying.text == text) {
            found.push(Saying { text, sort });
        }
        if found.len() == MOST {
            break;
        }
    }
    found
}

/// The part of a prompt that may ask for work: the person's own sentences, without questions, remarks in irony, what others say, and what
/// was pasted. Empty: nothing is to be done now, so that no rule needs to be told yet.
pub fn to_do(prompt: &str) -> String {
    let own = own_words::sentences(prompt);
    let asks =
        own.iter().filter(|sentence| !is_only_talk(&sentence.bare)).map(|sentence| sentence.text.as_str());
    asks.collect::<Vec<_>>().join("\n")
}

/// A question, a remark, or words about others: an agent answers, and does nothing. "Can you add …?" asks for work.
fn is_only_talk(bare: &str) -> bool {
    english::is_only_talk(bare)
        || korean::is_only_talk(bare)
        || japanese::is_only_talk(bare)
        || chinese::is_only_talk(bare)
}

fn sort_of(bare: &str, is_first: bool) -> Option<Sort> {
    if english::withdraws(bare)
        || korean::withdraws(bare)
        || japanese::withdraws(bare)
        || chinese::withdraws(bare)
    {
        return Some(Sort::Withdrawal);
    }
    let is_rule =
        english::is_rule(bare) || korean::is_rule(bare) || japanese::is_rule(bare) || chinese::is_rule(bare);
    let corrects = is_first
        && (english::corrects(bare)
            || korean::corrects(bare)
            || japanese::corrects(bare)
            || chinese::corrects(bare));
    match (corrects, is_rule) {
        (true, _) => Some(Sort::Correction),
        (false, true) => Some(Sort::Rule),
        (false, false) => None,
    }
}

/// "Don't do that again": what, stands before it.
fn points_back(bare: &str) -> bool {
    const BACK: [&str; 8] = [
        "do that again",
        "do this again",
        "do it again",
        "그러지 마",
        "그렇게 하지 마",
        "そうしないで",
        "不要这样",
        "别这样",
    ];
    BACK.iter().any(|words| bare.contains(words))
}

fn says_no_more_than_no(bare: &str) -> bool {
    bare.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).count() <= 3 && bare.is_ascii()
}
