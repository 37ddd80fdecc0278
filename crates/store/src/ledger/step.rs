//! [`Step`]: one thing that was done in the project, by whom, and how it ended.

use std::fmt;

use project::RelPath;
use rusqlite::Row;

use super::claims::Claims;
use super::elsewhere::Elsewhere;
use super::request::RequestNumber;
use super::told::Told;

/// The number of a step; people see and type it as `s41`, which no checkpoint, request or count can be mixed up with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepNumber(pub i64);

impl StepNumber {
    /// No step at all: a person of whom no look tells, beside a step that may have written the same.
    pub const A_PERSON: Self = Self(0);

    /// Reads `s41`.
    pub fn parse(typed: &str) -> Option<Self> {
        let digits = typed.strip_prefix(['s', 'S'])?;
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        plain.then(|| digits.parse().ok().map(Self)).flatten()
    }
}

impl fmt::Display for StepNumber {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "s{}", self.0)
    }
}

impl serde::Serialize for StepNumber {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Who did it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// An agent, through its client.
    Agent,
    /// A person's own hand, or another program: nobody said.
    ByHand,
    /// Vib itself: going back, a patch.
    Vib,
}

impl Actor {
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Agent => 1,
            Self::ByHand => 2,
            Self::Vib => 3,
        }
    }

    pub(crate) fn from_code(code: u8) -> Self {
        match code {
            1 => Self::Agent,
            3 => Self::Vib,
            _ => Self::ByHand,
        }
    }
}

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// It has begun and nobody has said that it ended.
    Running,
    /// It ran.
    Ran,
    /// It ran and failed.
    Failed,
    /// Vib did not let it run.
    Stopped,
    /// The person was asked and said no.
    Refused,
    /// It began, and its client went on without saying how it ended.
    CutOff,
    /// It ran; how it ended was not told.
    Unknown,
}

impl Ending {
    const ALL: [Self; 7] =
        [Self::Running, Self::Ran, Self::Failed, Self::Stopped, Self::Refused, Self::CutOff, Self::Unknown];

    pub(super) fn code(self) -> u8 {
        Self::ALL.iter().position(|one| *one == self).and_then(|at| u8::try_from(at).ok()).unwrap_or(6)
    }

    pub(super) fn from_code(code: u8) -> Self {
        Self::ALL.get(usize::from(code)).copied().unwrap_or(Self::Unknown)
    }
}

/// The request that a step serves, by the client's own names for it. A sub-agent serves the request that started it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Serves {
    /// The session in which the person asked.
    pub session: String,
    /// The turn in it.
    pub turn: String,
}

/// A step that begins, or that is told as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewStep {
    /// Who does it.
    pub actor: Actor,
    /// The client, such as `claude-code`.
    pub client: Option<String>,
    /// The client's session.
    pub session: Option<String>,
    /// The sub-agent in it.
    pub agent: Option<String>,
    /// What kind of sub-agent it is, in the client's words.
    pub agent_type: Option<String>,
    /// The request it serves.
    pub serves: Option<Serves>,
    /// The tool.
    pub tool: Option<String>,
    /// The client's id of the call.
    pub call_id: Option<String>,
    /// The command line or what is edited, after the gate.
    pub what: Option<String>,
    /// What it may write.
    pub claims: Claims,
    /// What it says about that.
    pub told: Told,
    /// The folder of the project that its agent works in, where that is another one.
    pub from: Option<String>,
    /// Files of the project that a command names and may have copied from.
    pub sources: Vec<RelPath>,
}

impl NewStep {
    /// A step of this actor, with nothing else said.
    pub fn of(actor: Actor) -> Self {
        Self {
            actor,
            client: None,
            session: None,
            agent: None,
            agent_type: None,
            serves: None,
            tool: None,
            call_id: None,
            what: None,
            claims: Claims::Anywhere,
            told: Told::default(),
            from: None,
            sources: Vec::new(),
        }
    }
}

/// How a step ended, as it is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// How.
    pub ending: Ending,
    /// The exit code of a command, where the client tells it.
    pub exit_code: Option<i32>,
    /// Why it was stopped or refused, after the gate.
    pub reason: Option<String>,
    /// How long it ran, where the client tells: it may have waited for the person before.
    pub took_ms: Option<i64>,
    /// When it began to run, where that can be told, milliseconds since 1970.
    pub ran_from_ms: Option<i64>,
}

impl Outcome {
    /// This ending, with nothing else said.
    pub fn of(ending: Ending) -> Self {
        Self { ending, exit_code: None, reason: None, took_ms: None, ran_from_ms: None }
    }
}

/// A step as the ledger has it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Step {
    /// Its number.
    pub number: StepNumber,
    /// Who did it.
    pub actor: Actor,
    /// The client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// The client's session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The sub-agent in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// What kind of sub-agent it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_type: Option<String>,
    /// The request it serves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<RequestNumber>,
    /// The tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The client's id of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// The command line or what was edited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub what: Option<String>,
    /// How it ended.
    pub ending: Ending,
    /// The exit code of a command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// Why it was stopped or refused, or why vib said yes in the person's place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When it began, milliseconds since 1970.
    pub started_ms: i64,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_ms: Option<i64>,
    /// The checkpoint whose state it began with.
    pub before: i64,
    /// The checkpoint whose state it left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<i64>,
    /// How many paths it changed.
    pub files: u64,
    /// What it has to do with other places than this project.
    #[serde(skip_serializing_if = "Elsewhere::is_empty")]
    pub elsewhere: Elsewhere,
}

pub(super) const COLUMNS: &str = "s.number, s.actor, s.client, s.session, s.agent, s.agent_type, s.request, s.tool, s.call_id, s.what, \
     s.ending, s.exit_code, s.reason, s.started_ms, s.ended_ms, s.before, s.after, s.files, s.account";

pub(super) fn from_row(row: &Row<'_>) -> rusqlite::Result<Step> {
    Ok(Step {
        number: StepNumber(row.get(0)?),
        actor: Actor::from_code(row.get(1)?),
        client: row.get(2)?,
        session: row.get(3)?,
        agent: row.get(4)?,
        agent_type: row.get(5)?,
        request: row.get::<_, Option<i64>>(6)?.map(RequestNumber),
        tool: row.get(7)?,
        call_id: row.get(8)?,
        what: row.get(9)?,
        ending: Ending::from_code(row.get(10)?),
        exit_code: row.get(11)?,
        reason: row.get(12)?,
        started_ms: row.get(13)?,
        ended_ms: row.get(14)?,
        before: row.get(15)?,
        after: row.get(16)?,
        files: row.get(17)?,
        elsewhere: Elsewhere::shown(row.get_ref(18)?.as_str_or_null()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_typed_as_it_is_shown_and_nothing_else_is_one() {
        assert_eq!(StepNumber::parse(&StepNumber(41).to_string()), Some(StepNumber(41)));
        for other in ["41", "s", "s-1", "s 4", "sdfg", "r4", "s99999999999999999999"] {
            assert_eq!(StepNumber::parse(other), None, "{other}");
        }
    }

    #[test]
    fn endings_keep_their_codes() {
        for ending in Ending::ALL {
            assert_eq!(Ending::from_code(ending.code()), ending);
        }
        assert_eq!(Ending::from_code(99), Ending::Unknown);
    }
}
