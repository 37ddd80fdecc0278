//! Why an agent was stopped, in words for people.

use serde::{Deserialize, Serialize};

/// What an agent kept doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// Edits that leave a file unreadable, turn after turn.
    StaysBroken,
    /// A file grows and shrinks, or changes back and forth, turn after turn.
    SizeSwings,
    /// Changes, and then the same failure as before.
    SameFailureAgain,
    /// Edits of one file that do not even apply.
    EditsFail,
    /// The same calls over and over, with the same answers.
    CallsRepeat,
}

impl Rule {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::StaysBroken, Self::SizeSwings, Self::SameFailureAgain, Self::EditsFail, Self::CallsRepeat];

    /// A name for programs; never changes.
    pub fn code(self) -> &'static str {
        match self {
            Self::StaysBroken => "stays_broken",
            Self::SizeSwings => "size_swings",
            Self::SameFailureAgain => "same_failure_again",
            Self::EditsFail => "edits_fail",
            Self::CallsRepeat => "calls_repeat",
        }
    }
}

/// An agent that goes round in circles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spiral {
    /// What it kept doing.
    pub rule: Rule,
    /// The file that must rest; none: one call is held back.
    pub path: Option<String>,
    /// The call that is held back, in words.
    #[serde(default)]
    pub call: Option<String>,
    /// The turns it went on in, oldest first, as far as they are remembered.
    pub turns: Vec<String>,
    /// What the person had asked for when it began, shortened.
    #[serde(default)]
    pub request: Option<String>,
    /// How often.
    pub times: u32,
}

impl Spiral {
    /// What happened, for a person who has never heard of spirals, and with which request it began.
    pub fn what_happened(&self) -> String {
        match &self.request {
            Some(request) => format!("{} It began with the request \"{request}\".", self.what()),
            None => self.what(),
        }
    }

    fn what(&self) -> String {
        let times = self.times;
        let file = self.path.as_deref().map_or_else(|| "the project".to_owned(), |path| format!("`{path}`"));
        match self.rule {
            Rule::StaysBroken => format!(
                "The agent's changes keep leaving {file} in a state that cannot be read as code (a bracket, a quote mark or an \
                 indentation is wrong), {times} times in a row with this one, and no check has passed since."
            ),
            Rule::SizeSwings => format!(
                "The agent keeps changing {file} back and forth: in {times} requests one after the other it became much longer and much \
                 shorter by turns, and no check has passed since."
            ),
            Rule::SameFailureAgain => {
                let times = ordinal(times);
                match &self.call {
                    Some(call) => format!(
                        "Files were changed, and `{call}` failed with the same error for the {times} time: the changes do not \
                         fix it."
                    ),
                    None => format!(
                        "The agent changed {file}, and the same error came back for the {times} time: the changes do not fix it."
                    ),
                }
            }
            Rule::EditsFail => format!(
                "{times} edits of {file} could not be applied: the file is not what the agent believes it is."
            ),
            Rule::CallsRepeat => match &self.call {
                Some(call) => format!(
                    "The agent made the same call {times} times (`{call}`), got the same answer each time, and changed nothing \
                     in between."
                ),
                None => format!(
                    "The agent made the same call {times} times, got the same answer each time, and changed nothing in between."
                ),
            },
        }
    }

    /// What the person can do now, the safest first.
    pub fn choices(&self) -> Vec<Choice> {
        let back = self.path.is_some().then_some(Choice::RollBack);
        let go_on = Choice::GoOnOnce { path: self.path.clone() };
        back.into_iter().chain([go_on, Choice::HandOver]).collect()
    }
}

fn ordinal(times: u32) -> String {
    match times {
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        4 => "fourth".to_owned(),
        5 => "fifth".to_owned(),
        6 => "sixth".to_owned(),
        other => format!("{other}th"),
    }
}

/// A way out of a spiral.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "choice")]
pub enum Choice {
    /// Go back to an earlier state, after a look at what that changes.
    RollBack,
    /// Let the agent try one more time.
    GoOnOnce {
        /// The file that is held back; none: a call.
        path: Option<String>,
    },
    /// A person takes over.
    HandOver,
}

impl Choice {
    /// A name for programs; never changes.
    pub fn code(&self) -> &'static str {
        match self {
            Self::RollBack => "roll_back",
            Self::GoOnOnce { .. } => "go_on_once",
            Self::HandOver => "hand_over",
        }
    }

    /// The choice in one sentence.
    pub fn text(&self) -> String {
        match self {
            Self::RollBack => {
                "Go back to an earlier state; what would change is shown first, nothing is lost.".to_owned()
            }
            Self::GoOnOnce { path: Some(path) } => format!("Let the agent try `{path}` one more time."),
            Self::GoOnOnce { path: None } => "Let the agent go on.".to_owned(),
            Self::HandOver => {
                "Stop here: look at it yourself, or explain the problem to the agent in other words."
                    .to_owned()
            }
        }
    }
}
