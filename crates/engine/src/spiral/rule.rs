//! Why an agent was stopped, in words for people.

use serde::{Deserialize, Serialize};

/// What an agent kept doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// A file's content went back to what it had been and had left before.
    ContentGoesBack,
    /// Edits, and then the same failure as before.
    SameFailureAgain,
    /// Many attempts at one file, and nothing that failed works by now.
    NoCheckPasses,
    /// Edits of one file that do not even apply.
    EditsFail,
    /// The same calls over and over, with the same answers.
    CallsRepeat,
    /// One failure after the other.
    FailuresInARow,
}

impl Rule {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::ContentGoesBack,
        Self::SameFailureAgain,
        Self::NoCheckPasses,
        Self::EditsFail,
        Self::CallsRepeat,
        Self::FailuresInARow,
    ];

    /// A name for programs; never changes.
    pub fn code(self) -> &'static str {
        match self {
            Self::ContentGoesBack => "content_goes_back",
            Self::SameFailureAgain => "same_failure_again",
            Self::NoCheckPasses => "no_check_passes",
            Self::EditsFail => "edits_fail",
            Self::CallsRepeat => "calls_repeat",
            Self::FailuresInARow => "failures_in_a_row",
        }
    }

    /// In a few words; [`Spiral::what_happened`] says it with the file and the numbers.
    pub fn what_happened(self) -> &'static str {
        match self {
            Self::ContentGoesBack => "the agent keeps changing a file back and forth",
            Self::SameFailureAgain => "the agent keeps changing a file, and the same error keeps coming back",
            Self::NoCheckPasses => "the agent keeps changing a file, and nothing that failed works by now",
            Self::EditsFail => "the agent's edits of a file cannot be applied",
            Self::CallsRepeat => "the agent makes the same calls again and again and gets the same answers",
            Self::FailuresInARow => "everything the agent tries fails",
        }
    }
}

/// An agent that goes round in circles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spiral {
    /// What it kept doing.
    pub rule: Rule,
    /// The file that must rest; none: the next edit of any file is held back.
    pub path: Option<String>,
    /// The turns it went on in, oldest first, as far as they are remembered.
    pub turns: Vec<String>,
    /// How often.
    pub times: u32,
}

impl Spiral {
    /// What happened, for a person who has never heard of spirals.
    pub fn what_happened(&self) -> String {
        let times = self.times;
        let file = self.path.as_deref().map_or_else(|| "the project".to_owned(), |path| format!("`{path}`"));
        match self.rule {
            Rule::ContentGoesBack => format!(
                "The agent keeps changing {file} back and forth: {times} times it went back to a version that it had \
                 already replaced."
            ),
            Rule::SameFailureAgain => format!(
                "The agent keeps changing {file}, and {times} times an error came back that was there before: the changes \
                 do not fix it."
            ),
            Rule::NoCheckPasses => format!(
                "{times} times something failed after the agent had changed {file}, and nothing that failed works by now."
            ),
            Rule::EditsFail => format!(
                "{times} edits of {file} could not be applied: the file is not what the agent believes it is."
            ),
            Rule::CallsRepeat => format!(
                "The agent made the same calls {times} times and got the same answers: it is not getting any further."
            ),
            Rule::FailuresInARow => {
                format!("{times} steps in a row failed: something is wrong that the agent does not see.")
            }
        }
    }

    /// What the person can do now, the safest first.
    pub fn choices(&self) -> Vec<Choice> {
        let back = self.turns.first().map(|turn| Choice::RollBack { turn: turn.clone() });
        let go_on = Choice::GoOnOnce { path: self.path.clone() };
        back.into_iter().chain([go_on, Choice::HandOver]).collect()
    }
}

/// A way out of a spiral.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "choice")]
pub enum Choice {
    /// Go back to how things were before the turn in which it began, after a look at what that changes.
    RollBack {
        /// The turn in which it began.
        turn: String,
    },
    /// Let the agent try one more time.
    GoOnOnce {
        /// The file that is held back; none: everything.
        path: Option<String>,
    },
    /// A person takes over.
    HandOver,
}

impl Choice {
    /// A name for programs; never changes.
    pub fn code(&self) -> &'static str {
        match self {
            Self::RollBack { .. } => "roll_back",
            Self::GoOnOnce { .. } => "go_on_once",
            Self::HandOver => "hand_over",
        }
    }

    /// The choice in one sentence.
    pub fn text(&self) -> String {
        match self {
            Self::RollBack { turn } => format!(
                "Roll back to how the project was before turn {turn}; what would change is shown first, nothing is lost."
            ),
            Self::GoOnOnce { path: Some(path) } => format!("Let the agent try `{path}` one more time."),
            Self::GoOnOnce { path: None } => "Let the agent go on.".to_owned(),
            Self::HandOver => {
                "Stop here: look at it yourself, or explain the problem to the agent in other words."
                    .to_owned()
            }
        }
    }
}
