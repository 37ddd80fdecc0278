//! Steps that only looked, and the beginnings of edits of files that are saved as they are, wait in a small file until the index is
//! opened for something else.
//!
//! An agent looks far more often than it writes, and opening the index is most of what such a step would cost. So its row is one line
//! appended to `looks.waiting`; whoever opens the store next enters the lines, before anything that comes after them. While they are
//! entered the file is called `looks.folding`. It goes when the next lines come, and only if the index says that it holds them: a
//! process that dies in between loses nothing and enters nothing twice.

use std::io::Write as _;
use std::path::Path;

use project::{Context, FileLock, Project, RelPath, platform};
use rusqlite::{OptionalExtension, Transaction};
use serde::{Deserialize, Serialize};

use super::Claims;
use super::step::{Actor, Ending, NewStep, Outcome, Serves};
use super::told::Told;
use super::write::{begin, close, cut_off_before};
use crate::{Result, Store, lately};

const WAITING: &str = "looks.waiting";
const FOLDING: &str = "looks.folding";
const LOCK: &str = "looks.lock";
/// Which lines the index holds already, in its table of facts about itself.
const ENTERED: &str = "looks";
/// The version of lines that tell a whole step.
const WHOLE: u32 = 1;
/// That of lines that tell only how one begins: an earlier vib passes them over.
const BEGINNING: u32 = 2;
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
    /// What it may write, of one that begins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    claims: Vec<String>,
    /// What one that begins says about itself.
    #[serde(default, skip_serializing_if = "Told::is_empty")]
    told: Told,
    /// Whatever this agent began before has ended by now.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    alone: bool,
}

impl Line {
    fn of(context: &Context, step: &NewStep, outcome: &Outcome) -> Self {
        Self {
            version: WHOLE,
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
            claims: Vec::new(),
            told: Told::default(),
            alone: false,
        }
    }

    fn enter(self, transaction: &Transaction<'_>) -> Result<()> {
        let claims = self.claims.iter().filter_map(|path| RelPath::new(path.as_bytes()).ok()).collect();
        let step = NewStep {
            client: self.client,
            session: self.session,
            agent: self.agent,
            agent_type: self.agent_type,
            serves: self.serves.map(|(session, turn)| Serves { session, turn }),
            tool: self.tool,
            call_id: self.call_id,
            what: self.what,
            claims: Claims::Named(claims),
            told: self.told,
            ..NewStep::of(Actor::Agent)
        };
        let outcome = Outcome {
            ending: Ending::from_code(self.ending),
            exit_code: self.exit_code,
            reason: self.reason,
            took_ms: None,
            ran_from_ms: None,
        };
        let number = begin(transaction, &step, None, self.at_ms)?;
        if self.version == WHOLE {
            return close(transaction, number, &outcome, None, self.at_ms);
        }
        if let Some(session) = step.session.as_deref().filter(|_| self.alone) {
            cut_off_before(transaction, session, step.agent.as_deref(), number, self.at_ms)?;
        }
        Ok(())
    }
}

/// Notes an agent's step that only looked, in the store in this folder, without opening the index.
pub fn note_look(context: &Context, folder: &Path, step: &NewStep, outcome: &Outcome) -> Result<()> {
    append(folder, &Line::of(context, step, outcome))
}

/// Notes that an agent's step begins which writes these files and nothing else, without opening the index: if it holds each of them as it is
/// now. Else nothing is noted, and the answer is false: then the step begins with a look. `alone`: whatever this agent began before has
/// ended by now.
pub fn note_begin(
    context: &Context,
    project: &Project,
    step: &NewStep,
    paths: &[RelPath],
    alone: bool,
) -> Result<bool> {
    let names: Option<Vec<String>> =
        paths.iter().map(|path| std::str::from_utf8(path.as_bytes()).ok().map(str::to_owned)).collect();
    let Some(claims) = names.filter(|_| step.from.is_none() && lately::are_saved(project, paths)) else {
        return Ok(false);
    };
    let whole = Line::of(context, step, &Outcome::of(Ending::Running));
    let line = Line { version: BEGINNING, claims, alone, told: step.told.clone(), ..whole };
    append(project.state(), &line).map(|()| true)
}

fn append(folder: &Path, line: &Line) -> Result<()> {
    let mut line = serde_json::to_vec(line).map_err(std::io::Error::other)?;
    line.push(b'\n');
    if !folder.is_dir() {
        platform::make_private_dir(folder)?;
    }
    let _lock = FileLock::wait(&folder.join(LOCK))?;
    Ok(platform::open_private_append(&folder.join(WAITING))?.write_all(&line)?)
}

impl Store<'_> {
    /// Enters what waits. What cannot be entered goes on waiting: whoever opened the store came for something else.
    pub(crate) fn enter_waiting_steps(&mut self) {
        let folder = self.folder().to_path_buf();
        if waits(&folder) {
            let _ = self.db.write(false, |transaction| enter(transaction, &folder));
        }
    }
}

/// Enters what waits, in a transaction for something else.
pub(crate) fn enter_waiting(transaction: &Transaction<'_>, folder: &Path) -> Result<()> {
    if waits(folder) { enter(transaction, folder) } else { Ok(()) }
}

fn waits(folder: &Path) -> bool {
    std::fs::metadata(folder.join(WAITING)).is_ok_and(|facts| facts.len() > 0)
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
            && (line.version == WHOLE || line.version == BEGINNING)
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
