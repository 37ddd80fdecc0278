//! [`Request`]: what a person asked an agent for. Steps of the agent and of its sub-agents belong to it.

use std::fmt;

use rusqlite::{OptionalExtension, Row};

use crate::{Result, Store};

/// The number of a request; people see and type it as `r12`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestNumber(pub i64);

impl RequestNumber {
    /// Reads `r12`.
    pub fn parse(typed: &str) -> Option<Self> {
        let digits = typed.strip_prefix(['r', 'R'])?;
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        plain.then(|| digits.parse().ok().map(Self)).flatten()
    }
}

impl fmt::Display for RequestNumber {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "r{}", self.0)
    }
}

impl serde::Serialize for RequestNumber {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A request as the ledger has it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Request {
    /// Its number.
    pub number: RequestNumber,
    /// The client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// The client's session.
    pub session: String,
    /// The client's own id of it, or our count.
    pub turn: String,
    /// The person's words, after the gate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// When, milliseconds since 1970.
    pub started_ms: i64,
    /// The checkpoint of the state in which the person spoke.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<i64>,
}

const COLUMNS: &str = "number, client, session, turn, prompt, started_ms, before";

fn from_row(row: &Row<'_>) -> rusqlite::Result<Request> {
    Ok(Request {
        number: RequestNumber(row.get(0)?),
        client: row.get(1)?,
        session: row.get(2)?,
        turn: row.get(3)?,
        prompt: row.get(4)?,
        started_ms: row.get(5)?,
        before: row.get(6)?,
    })
}

impl Store<'_> {
    /// A request by its number.
    pub fn request(&self, number: RequestNumber) -> Result<Option<Request>> {
        let mut statement =
            self.db.reader().prepare_cached(&format!("SELECT {COLUMNS} FROM request WHERE number = ?1"))?;
        Ok(statement.query_row([number.0], from_row).optional()?)
    }

    /// The request of a turn of a session.
    pub fn request_of(&self, session: &str, turn: &str) -> Result<Option<Request>> {
        let mut statement = self
            .db
            .reader()
            .prepare_cached(&format!("SELECT {COLUMNS} FROM request WHERE session = ?1 AND turn = ?2"))?;
        Ok(statement.query_row((session, turn), from_row).optional()?)
    }

    /// An agent was asked for something while the newest checkpoint was one of these, from the first to the last of them.
    pub fn was_asked_for_something(&self, from: i64, until: i64) -> Result<bool> {
        // The newest first: whoever asks is near the end of the history, and what lies before `from` is not read.
        let mut statement = self
            .db
            .reader()
            .prepare_cached("SELECT before FROM request WHERE before IS NOT NULL ORDER BY number DESC")?;
        let mut rows = statement.query(())?;
        while let Some(row) = rows.next()? {
            let before: i64 = row.get(0)?;
            if before < from {
                return Ok(false);
            }
            if before <= until {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The newest requests, the newest first; of one session, if one is given.
    pub fn requests(&self, session: Option<&str>, limit: usize) -> Result<Vec<Request>> {
        let mut statement = self.db.reader().prepare_cached(&format!(
            "SELECT {COLUMNS} FROM request WHERE ?1 IS NULL OR session = ?1 ORDER BY number DESC LIMIT ?2"
        ))?;
        let limit = if limit == 0 { -1 } else { i64::try_from(limit).unwrap_or(-1) };
        let rows = statement.query_map((session, limit), from_row)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}
