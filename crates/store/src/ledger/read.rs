//! Reading the ledger.

use project::RelPath;
use rusqlite::{OptionalExtension, Row};

use super::account::{self, Way};
use super::request::RequestNumber;
use super::step::{self, Actor, Ending, Step, StepNumber};
use crate::entry::{Entry, EntryKind};
use crate::{Result, Store, versions};

/// A command that began longer ago than this, and of which nobody has said that it ended, proves nothing.
const MOMENT_MS: i64 = 10 * 60_000;

/// What one step did to one path.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct StepChange {
    /// The step.
    pub step: StepNumber,
    /// The path.
    pub path: RelPath,
    /// The checkpoint whose look found it.
    pub seq: i64,
    /// What it was.
    pub before: Option<Entry>,
    /// What it was then.
    pub after: Option<Entry>,
    /// One of these steps made it, and which one is not known; empty: it is this step's.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shared: Vec<StepNumber>,
    /// Its content was let go by retention; asking for it may answer `snapshot_expired`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub expired: bool,
    /// The step of vib's that took it back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undone_by: Option<StepNumber>,
}

/// How far back a going back is looked for.
const MOST_FORWARD: usize = 2_000;

/// Whether one can walk forward again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WayForward {
    /// Nobody went back, or all of it is taken back.
    None,
    /// This going back can be taken back.
    Open(Box<Step>),
    /// Something was done since.
    Closed {
        /// The going back.
        back: Box<Step>,
        /// The newest step since.
        by: Box<Step>,
    },
}

/// Which steps to list.
#[derive(Debug, Clone, Default)]
pub struct StepFilter<'a> {
    /// At the most this many; 0: all.
    pub limit: usize,
    /// Only those before this one.
    pub before: Option<StepNumber>,
    /// Only those that began at this time or later, milliseconds since 1970.
    pub since_ms: Option<i64>,
    /// Only of this session.
    pub session: Option<&'a str>,
    /// Only of this client or sub-agent.
    pub agent: Option<&'a str>,
    /// Only those that served this request.
    pub request: Option<RequestNumber>,
    /// Only those that changed this path or something in it.
    pub path: Option<&'a RelPath>,
    /// Only those that changed something.
    pub changing: bool,
    /// Only those that vib or the person did not let run.
    pub stopped: bool,
}

impl Store<'_> {
    /// The steps that fit, the newest first.
    pub fn steps(&self, filter: &StepFilter<'_>) -> Result<Vec<Step>> {
        let mut sql = format!("SELECT {} FROM step s WHERE s.number < ?1", step::COLUMNS);
        let mut values: Vec<rusqlite::types::Value> =
            vec![filter.before.map_or(i64::MAX, |number| number.0).into()];
        let mut add = |condition: &str, value: rusqlite::types::Value| {
            values.push(value);
            sql.push_str(&condition.replace("?#", &format!("?{}", values.len())));
        };
        if let Some(since) = filter.since_ms {
            add(" AND ifnull(s.ended_ms, s.started_ms) >= ?#", since.into());
        }
        if let Some(session) = filter.session {
            add(" AND s.session = ?#", session.to_owned().into());
        }
        if let Some(agent) = filter.agent {
            add(" AND (s.client = ?# OR s.agent = ?# OR s.agent_type = ?#)", agent.to_owned().into());
        }
        if let Some(request) = filter.request {
            add(" AND s.request = ?#", request.0.into());
        }
        if let Some(path) = filter.path {
            add(
                " AND s.number IN (SELECT c.step FROM change c JOIN path p ON p.id = c.path
                    WHERE p.path = ?# OR substr(p.path, 1, length(?#) + 1) = CAST(?# || '/' AS BLOB))",
                path.as_bytes().to_vec().into(),
            );
        }
        if filter.changing {
            sql.push_str(" AND s.files > 0");
        }
        if filter.stopped {
            sql.push_str(&format!(
                " AND s.ending IN ({}, {})",
                Ending::Stopped.code(),
                Ending::Refused.code()
            ));
        }
        sql.push_str(" ORDER BY s.number DESC");
        if filter.limit > 0 {
            sql.push_str(&format!(" LIMIT {}", filter.limit));
        }
        let mut statement = self.db.reader().prepare_cached(&sql)?;
        let rows = statement.query_map(rusqlite::params_from_iter(values), step::from_row)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Everybody who did something here as an agent: clients first, then sub-agents and their kinds.
    pub fn agents(&self) -> Result<Vec<String>> {
        let mut names: Vec<String> = Vec::new();
        for column in ["client", "agent_type", "agent"] {
            let sql = format!(
                "SELECT {column} FROM step WHERE {column} IS NOT NULL GROUP BY {column} ORDER BY max(number) DESC"
            );
            let mut statement = self.db.reader().prepare_cached(&sql)?;
            for name in statement.query_map([], |row| row.get::<_, String>(0))? {
                let name = name?;
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        Ok(names)
    }

    /// The sessions whose names begin so, the newest first.
    pub fn sessions_beginning(&self, prefix: &str) -> Result<Vec<String>> {
        let mut statement = self.db.reader().prepare_cached(
            "SELECT session FROM step WHERE substr(session, 1, length(?1)) = ?1 GROUP BY session ORDER BY max(number) DESC",
        )?;
        let rows = statement.query_map([prefix], |row| row.get(0))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// A step by its number.
    pub fn step(&self, number: StepNumber) -> Result<Option<Step>> {
        let mut statement = self
            .db
            .reader()
            .prepare_cached(&format!("SELECT {} FROM step s WHERE s.number = ?1", step::COLUMNS))?;
        Ok(statement.query_row([number.0], step::from_row).optional()?)
    }

    /// True if an agent's command with this word in it has begun a moment ago and not ended.
    pub fn is_command_running(&self, word: &str) -> Result<bool> {
        let mut statement = self.db.reader().prepare_cached(
            "SELECT max(started_ms) FROM step WHERE ending = 0 AND actor = ?1 AND instr(lower(what), ?2) > 0",
        )?;
        let began: Option<i64> = statement.query_row((Actor::Agent.code(), word), |row| row.get(0))?;
        Ok(began.is_some_and(|began| began >= self.context.now_ms() - MOMENT_MS))
    }

    /// What a step changed, in order of path and time.
    pub fn changes_of(&self, number: StepNumber) -> Result<Vec<StepChange>> {
        let reader = self.db.reader();
        let mut statement = reader.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM change c JOIN path p ON p.id = c.path WHERE c.step = ?1 ORDER BY p.path, c.seq"
        ))?;
        let rows = statement.query_map([number.0], from_row)?;
        Ok(rows.collect::<rusqlite::Result<Vec<_>>>()?.into_iter().flatten().collect())
    }

    /// Every change of a path, the oldest first.
    pub fn changes_of_path(&self, path: &RelPath) -> Result<Vec<StepChange>> {
        let reader = self.db.reader();
        let Some(id) = versions::find_path(reader, path.as_bytes())? else { return Ok(Vec::new()) };
        let mut statement = reader.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM change c JOIN path p ON p.id = c.path WHERE c.path = ?1 ORDER BY c.seq, c.step"
        ))?;
        let rows = statement.query_map([id], from_row)?;
        Ok(rows.collect::<rusqlite::Result<Vec<_>>>()?.into_iter().flatten().collect())
    }

    /// Every change that a look after checkpoint `seq` found, the oldest first.
    pub fn changes_since(&self, seq: i64) -> Result<Vec<StepChange>> {
        let mut statement = self.db.reader().prepare_cached(&format!(
            "SELECT {COLUMNS} FROM change c JOIN path p ON p.id = c.path WHERE c.seq > ?1 ORDER BY c.seq, c.step, p.path"
        ))?;
        let rows = statement.query_map([seq], from_row)?;
        Ok(rows.collect::<rusqlite::Result<Vec<_>>>()?.into_iter().flatten().collect())
    }

    /// The newest step of vib's own that went back and still stands: what a redo takes back, unless something new came after it.
    /// `is_news` says of a step that is none of vib's ways whether it counts as that. With paths, only goings back that changed one of
    /// them count: loose files have nothing to do with each other.
    pub fn way_forward<E: From<crate::Error>>(
        &self,
        only: &[RelPath],
        mut is_news: impl FnMut(&Step) -> std::result::Result<bool, E>,
    ) -> std::result::Result<WayForward, E> {
        let mut newer: Option<Step> = None;
        for step in
            self.steps(&StepFilter { changing: true, limit: MOST_FORWARD, ..StepFilter::default() })?
        {
            match self.way_of(step.number)? {
                Way::New if newer.is_none() && is_news(&step)? => newer = Some(step),
                Way::Back if !self.is_taken_back(step.number)? && self.changed_one_of(&step, only)? => {
                    return Ok(match newer {
                        None => WayForward::Open(Box::new(step)),
                        Some(by) => WayForward::Closed { back: Box::new(step), by: Box::new(by) },
                    });
                }
                Way::New | Way::Forward | Way::Back => {}
            }
        }
        Ok(WayForward::None)
    }

    fn changed_one_of(&self, step: &Step, only: &[RelPath]) -> Result<bool> {
        Ok(only.is_empty()
            || self
                .changes_of(step.number)?
                .iter()
                .any(|change| only.iter().any(|folder| change.path.is_in(folder))))
    }

    /// Something of what a step did is taken back.
    pub fn is_taken_back(&self, number: StepNumber) -> Result<bool> {
        let mut statement = self
            .db
            .reader()
            .prepare_cached("SELECT 1 FROM change WHERE step = ?1 AND undone_by IS NOT NULL")?;
        Ok(statement.exists([number.0])?)
    }

    /// True if a step of vib's own went back, or forward again: it is no entry of the history that an undo would take.
    pub fn is_going_back(&self, number: StepNumber) -> Result<bool> {
        Ok(self.way_of(number)? != Way::New)
    }

    /// Where a step of vib's own led; every other step is something new.
    pub fn way_of(&self, number: StepNumber) -> Result<Way> {
        Ok(account::of_step(self.db.reader(), number)?.unwrap_or_default().way)
    }
}

const COLUMNS: &str = "c.step, p.path, c.seq, c.was_kind, c.was_mode, c.was_size, c.was_hash, c.was_sensitive, c.is_kind, c.is_mode, \
     c.is_size, c.is_hash, c.is_sensitive, c.shared, c.undone_by, \
     NOT EXISTS (SELECT 1 FROM checkpoint k WHERE k.seq = c.seq AND k.expired_ms IS NULL)";

/// A change; none if the path cannot be one (a damaged row).
fn from_row(row: &Row<'_>) -> rusqlite::Result<Option<StepChange>> {
    let path: Vec<u8> = row.get(1)?;
    let Ok(path) = RelPath::new(&path) else { return Ok(None) };
    let shared: Option<String> = row.get(13)?;
    let shared = shared.as_deref().unwrap_or_default().split(',');
    Ok(Some(StepChange {
        step: StepNumber(row.get(0)?),
        path,
        seq: row.get(2)?,
        before: entry_from(row, 3)?,
        after: entry_from(row, 8)?,
        shared: shared.filter_map(|number| number.parse().ok()).map(StepNumber).collect(),
        undone_by: row.get::<_, Option<i64>>(14)?.map(StepNumber),
        expired: row.get(15)?,
    }))
}

fn entry_from(row: &Row<'_>, at: usize) -> rusqlite::Result<Option<Entry>> {
    let Some(kind) = row.get::<_, Option<u8>>(at)? else { return Ok(None) };
    Ok(Some(Entry {
        kind: EntryKind::from_code(kind).unwrap_or(EntryKind::File),
        mode: row.get(at + 1)?,
        size: row.get(at + 2)?,
        hash: row.get(at + 3)?,
        sensitive: row.get(at + 4)?,
    }))
}
