//! What is asked, and what comes back.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use serde::{Deserialize, Serialize};

use super::document::Document;

/// A question to the memory.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// What is being done or asked.
    pub text: String,
    /// The files being worked on, relative to the project, with `/`.
    pub paths: Vec<String>,
    /// Who asks: the name of a client, which sees what is for it. Nobody named is the person, who sees everything.
    pub reader: Option<String>,
    /// What the policy does to the classes: their scores are multiplied.
    pub lifts: BTreeMap<String, f32>,
    /// What was learned about single memories, by id: their scores are multiplied.
    pub learned: HashMap<String, f32>,
    /// The time it is, in milliseconds since 1970. With it, newer memories come first and later ones are left out.
    pub now_ms: Option<i64>,
    /// At most so many hits.
    pub k: usize,
    /// How much may be said in all.
    pub budget: Budget,
    /// Leave out memories that say nearly the same as a better one.
    pub diverse: bool,
    /// Say why each one is there. It costs a little.
    pub why: bool,
}

impl Query {
    /// A question in words: ten hits at the most, no repetitions, no other limits.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), k: 10, diverse: true, why: true, ..Self::default() }
    }
}

/// How many tokens hits may have together.
#[derive(Debug, Clone, Default)]
pub struct Budget {
    /// All of them; a hit that does not fit is left out.
    pub total: Option<usize>,
    /// Those of any one class, as long as others want the rest.
    pub per_class: Option<usize>,
    /// Of a longer one only the part that fits the question is shown; none: it is always whole.
    pub per_hit: Option<usize>,
}

/// How much each sign counts. See `docs/recall.md` for how they were chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// How soon another use of a word stops to matter.
    pub k1: f32,
    /// How much long memories are held back.
    pub b: f32,
    /// The memories before and after, in the same session.
    pub neighbour: f32,
    /// Those two steps away.
    pub second_neighbour: f32,
    /// The session as a whole.
    pub session: f32,
    /// In the session, how soon another use of a word stops to matter.
    pub session_k1: f32,
    /// How much long sessions are held back.
    pub session_b: f32,
    /// How much of the session's score is that of its best memory; the rest is that of the whole.
    pub peak: f32,
    /// How much more counts what is from a time that the question names.
    pub then: f32,
    /// The same file.
    pub file: f32,
    /// A file of the same name.
    pub name: f32,
    /// The same folder.
    pub folder: f32,
    /// How soon after it was noted a memory starts to fade, in days.
    pub fresh: f32,
    /// How fast memories fade: the score is divided by the age, in times of that, to the power of this.
    pub recency: f32,
    /// How much importance lifts.
    pub importance: f32,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            k1: 0.9,
            b: 0.4,
            neighbour: 0.5,
            second_neighbour: 0.2,
            session: 0.8,
            session_k1: 2.0,
            session_b: 0.75,
            peak: 0.5,
            then: 2.0,
            file: 0.8,
            name: 1.5,
            folder: 1.5,
            fresh: 0.5,
            recency: 0.1,
            importance: 0.4,
        }
    }
}

/// A memory that fits.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Its id.
    pub id: String,
    /// How well it fits; only to be compared within one answer.
    pub score: f32,
    /// Why it is here, the strongest reasons first.
    pub why: Vec<Reason>,
    /// What the score is made of.
    pub parts: Parts,
    /// About how many tokens it has.
    pub tokens: usize,
    /// Only a part of its text is here.
    pub shortened: bool,
    /// The memory.
    pub document: Document,
}

/// What a score is made of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Parts {
    /// The words of the question.
    pub text: f32,
    /// Touched paths.
    pub paths: f32,
    /// The memories before and after.
    pub near: f32,
    /// The session as a whole.
    pub session: f32,
    /// How old it is, in days.
    pub age_days: Option<f32>,
    /// From 0 to 1.
    pub importance: f32,
}

/// A session that fits.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionHit {
    /// Its name.
    pub session: String,
    /// How well it fits.
    pub score: f32,
}

/// Why a memory was chosen.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Reason {
    /// It has these words of the question.
    Words(Vec<String>),
    /// It is about a file that is being worked on.
    SameFile(String),
    /// It is about a file in the same folder.
    SameFolder(String),
    /// It is about a file of the same name in another folder.
    SameName(String),
    /// The memory before or after it fits.
    Neighbour,
    /// Its session is about this.
    Session,
    /// It is this many days old.
    Recent(u32),
    /// It is from a time that the question names.
    FromThen,
    /// It counts as important: a decision, something that went wrong, or what was of use.
    Important,
    /// It, or its kind, was of use before (or of no use).
    Policy(f32),
    /// The person's model says that it means about the same.
    Meaning,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words(words) => write!(f, "it says {}", words.join(", ")),
            Self::SameFile(path) => write!(f, "it is about `{path}`"),
            Self::SameFolder(folder) if folder.is_empty() => {
                write!(f, "it is about a file in the top folder")
            }
            Self::SameFolder(folder) => write!(f, "it is about a file in `{folder}`"),
            Self::SameName(name) => write!(f, "it is about another file named `{name}`"),
            Self::Neighbour => write!(f, "what was said just before or after fits"),
            Self::Session => write!(f, "its session is about this"),
            Self::Recent(0) => write!(f, "it is from the last day"),
            Self::Recent(1) => write!(f, "it is one day old"),
            Self::Recent(days) => write!(f, "it is {days} days old"),
            Self::FromThen => write!(f, "it is from the time that was asked about"),
            Self::Important => write!(f, "it counts as important"),
            Self::Policy(lift) if *lift < 1.0 => write!(f, "memories like it were of little use lately"),
            Self::Policy(_) => write!(f, "memories like it were of use lately"),
            Self::Meaning => write!(f, "it means about the same"),
        }
    }
}
