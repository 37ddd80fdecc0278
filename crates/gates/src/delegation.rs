//! A conductor hands work on; who does it all alone is told so, and then stopped. (HK7)

use serde::{Deserialize, Serialize};

/// What a session is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkRole {
    /// Plans and hands everything on.
    Conductor,
    /// Hands most on.
    Leader,
    /// Works.
    Musician,
}

impl WorkRole {
    /// As people and `AGENT_ROLE` write it.
    pub fn of_word(word: &str) -> Option<Self> {
        match word.trim().to_ascii_lowercase().replace('-', "_").as_str() {
            "conductor" => Some(Self::Conductor),
            "leader" | "section_leader" => Some(Self::Leader),
            "musician" => Some(Self::Musician),
            _ => None,
        }
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Conductor => "conductor",
            Self::Leader => "leader",
            Self::Musician => "musician",
        }
    }
}

/// What is counted in a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct WorkCount {
    /// Calls that changed something since work was handed on last.
    pub work: u64,
    /// How often work was handed on.
    pub delegated: u64,
    /// The warning was given.
    pub warned: bool,
}

/// What is to be said about a call that would work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkAnswer {
    /// Nothing.
    Free,
    /// One more is left: hand the next one on.
    LastOne,
    /// Too many: this one is not made.
    TooMany,
}

impl WorkCount {
    /// Counts one more call that works. `limit`: so many are free. A refused call is not counted.
    pub fn work(&mut self, limit: u64) -> WorkAnswer {
        if self.work >= limit {
            return WorkAnswer::TooMany;
        }
        self.work += 1;
        if self.work == limit && !self.warned {
            self.warned = true;
            return WorkAnswer::LastOne;
        }
        WorkAnswer::Free
    }

    /// Work was handed on.
    pub fn handed_on(&mut self) {
        self.work = 0;
        self.warned = false;
        self.delegated += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_are_free_and_handing_on_begins_anew_hk7() {
        let mut count = WorkCount::default();
        let answers: Vec<WorkAnswer> = (0..5).map(|_| count.work(3)).collect();
        use WorkAnswer::{Free, LastOne, TooMany};
        assert_eq!(answers, [Free, Free, LastOne, TooMany, TooMany]);
        count.handed_on();
        assert_eq!(count.work(3), Free);
        assert_eq!(WorkRole::of_word("Section-Leader"), Some(WorkRole::Leader));
        assert_eq!(WorkRole::of_word("boss"), None);
    }
}
