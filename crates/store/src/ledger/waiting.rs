//! Steps that only looked wait in a small file until the index is opened for something else.
//!
//! An agent looks far more often than it writes, and opening the index is most of what such a step would cost. So its row is one line
//! appended to `looks.waiting`; whoever opens the store next enters the lines, before anything that comes after them. While they are
//! entered the file is called `looks.folding`. It goes when the next lines come, and only if the index says that it holds them: a
//! process that dies in between loses nothing and enters nothing twice.

use std::io::Write as _;
use std::path::Path;

use project::{Context, FileLock, platform};
use rusqlite::{OptionalExtension, Transaction};
use serde::{Deserialize, Serialize};

use super::Claims;
use super::step::{Actor, Ending, NewStep, Outcome, Serves};
use super::write::{begin, close};
use crate::{Result, Store};

const WAITING: &str = "looks.waiting";
const FOLDING: &str = "looks.folding";
const LOCK: &str = "looks.lock";
/// Which lines the index holds already, in its table of facts about itself.
const ENTERED: &str = "looks";
const VERSION: u32 = 1;
/// More is never read: lines are short, and each opening of the store enters what waits.
const MOST_BYTES: u64 = 64 << 20;

#[derive(Serialize, Deserialize)]
struct Line {
    version: u32,
    /// Tells two lines apart that say the same.
    mark: u64,
    at_ms: i64,
    ending: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    exit_code: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    client: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    serves: Option<(String, String)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tool: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    what: Option<String>,
}

impl Line {
    fn of(context: &Context, step: &NewStep, outcome: &Outcome) -> Self {
        Self {
            version: VERSION,
            mark: context.random_u64(),
            at_ms: context.now_ms(),
            ending: outcome.ending.code(),
            exit_code: outcome.exit_code,
            reason: outcome.reason.clone(),
            client: step.client.clone(),
            session: step.session.clone(),
            agent: step.agent.clone(),
            agent_type: step.agent_type.clone(),
            serves: step.serves.clone().map(|serves| (serves.session, serves.turn)),
            tool: step.tool.clone(),
            call_id: step.call_id.clone(),
            what: step.what.clone(),
        }
    }

    fn enter(self, transaction: &Transaction<'_>) -> Result<()> {
        let step = NewStep {
            client: self.client,
            session: self.session,
            agent: self.agent,
            agent_type: self.agent_type,
            serves: self.serves.map(|(session, turn)| Serves { session, turn }),
            tool: self.tool,
            call_id: self.call_id,
            what: self.what,
            claims: Claims::Named(Vec::new()),
            ..NewStep::of(Actor::Agent)
        };
        let outcome = Outcome {
            ending: Ending::from_code(self.ending),
            exit_code: self.exit_code,
            reason: self.reason,
        };
        let number = begin(transaction, &step, None, self.at_ms)?;
        close(transaction, number, &outcome, None, self.at_ms)
    }
}

/// Notes an agent's step that only looked, in the store in this folder, without opening the index.
pub fn note_look(context: &Context, folder: &Path, step: &NewStep, outcome: &Outcome) -> Result<()> {
    let mut line = serde_json::to_vec(&Line::of(context, step, outcome)).map_err(std::io::Error::other)?;
    line.push(b'\n');
    if !folder.is_dir() {
        platform::make_private_dir(folder)?;
    }
    let _lock = FileLock::wait(&folder.join(LOCK))?;
    Ok(platform::open_private_append(&folder.join(WAITING))?.write_all(&line)?)
}

impl Store<'_> {
    /// Enters the looks that wait. What cannot be entered goes on waiting: whoever opened the store came for something else.
    pub(crate) fn enter_waiting_looks(&mut self) {
        let folder = self.folder().to_path_buf();
        let waits = std::fs::metadata(folder.join(WAITING)).is_ok_and(|facts| facts.len() > 0);
        if waits {
            let _ = self.db.write(false, |transaction| enter(transaction, &folder));
        }
    }
}

/// Under the writers' lock: nobody else enters anything meanwhile.
fn enter(transaction: &Transaction<'_>, folder: &Path) -> Result<()> {
    let (waiting, folding) = (folder.join(WAITING), folder.join(FOLDING));
    let entered: Option<String> = transaction
        .prepare_cached("SELECT value FROM about WHERE name = ?1")?
        .query_row([ENTERED], |row| row.get(0))
        .optional()?;
    let left = read(&folding)?;
    let is_entered = |bytes: &[u8]| entered.as_deref() == Some(mark_of(bytes).as_str());
    let lines = match left {
        // A process died after it took them and before the index had them.
        Some(left) if !is_entered(&left) => left,
        _ => {
            let _lock = FileLock::wait(&folder.join(LOCK))?;
            fs_err::rename(&waiting, &folding)?;
            read(&folding)?.unwrap_or_default()
        }
    };
    for line in lines.split(|byte| *byte == b'\n') {
        // A line that was cut off by a full disk, or that a newer vib wrote: nobody can tell what it was.
        if let Ok(line) = serde_json::from_slice::<Line>(line)
            && line.version == VERSION
        {
            line.enter(transaction)?;
        }
    }
    transaction
        .prepare_cached(
            "INSERT INTO about (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2",
        )?
        .execute((ENTERED, mark_of(&lines)))?;
    Ok(())
}

fn read(file: &Path) -> Result<Option<Vec<u8>>> {
    match std::fs::metadata(file) {
        Ok(facts) if facts.len() <= MOST_BYTES => Ok(Some(fs_err::read(file)?)),
        Ok(_) => Ok(Some(Vec::new())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn mark_of(lines: &[u8]) -> String {
    format!("{:016x}", xxhash_rust::xxh3::xxh3_64(lines))
}
