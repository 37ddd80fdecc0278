//! What vib remembers about one session of an agent between two hook calls: one small file in the state folder.
//!
//! It is a cache of the moment, not a record: what must last is in the store and the log. Without it (deleted, damaged,
//! written by a newer vib) the session starts anew.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use project::{FileLock, Project, platform};
use redact::Clean;
use serde::{Deserialize, Serialize};
use store::Serves;

use ::gates::delegation::WorkCount;

use super::chat::Pending;
use crate::gates::{StopState, TaskList};
use crate::knowledge::Failing;
use crate::memory::{Noted, ShownTrigger};
use crate::outside::OutsideStep;
use crate::{Engine, Result};
use spiral::Tracker;

const SCHEMA_VERSION: u32 = 1;

/// Longest part of a prompt that is kept, in characters.
const PROMPT_KEPT: usize = 400;

/// Sessions that were not heard of for so long are forgotten.
const FORGET_AFTER_MS: i64 = 30 * 24 * 3_600_000;
const LOOK_EVERY_MS: i64 = 24 * 3_600_000;

/// Who acts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Who {
    /// The client, such as `claude-code`.
    pub client: String,
    /// The client's id of the session.
    pub session: String,
    /// The client's id of the turn, where it has one.
    pub turn: Option<String>,
    /// The sub-agent, if it is one.
    pub agent: Option<String>,
    /// What kind of sub-agent it is, in the client's words.
    pub agent_type: Option<String>,
    /// The role that whoever started it gave it (`AGENT_ROLE`).
    pub role: Option<String>,
}

impl Who {
    /// In which role it acts: what it was given, or the kind of sub-agent. Never its id. (M9)
    pub(crate) fn acts_as(&self) -> Option<String> {
        self.agent_type.clone().or_else(|| self.role.clone())
    }
}

/// What is remembered.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionState {
    /// The format.
    pub schema_version: u32,
    /// The client.
    pub client: String,
    /// The client's id of the session.
    pub session: String,
    /// When it was first seen, milliseconds since 1970.
    pub started_ms: i64,
    /// When it was last seen.
    pub seen_ms: i64,
    /// How many prompts there were.
    pub turns: u64,
    /// The turn that is going on.
    pub turn: Option<String>,
    /// Its prompt, shortened.
    pub prompt: Option<String>,
    /// A rollback that was shown and waits for its code.
    pub pending: Option<Pending>,
    /// The code of the last rollback that was shown and not confirmed.
    pub dropped_code: Option<String>,
    /// What the model should be told with the next prompt.
    pub notes: Vec<String>,
    /// Lessons that the model of this session was told: ids, with a `!` after one that was told as opposed.
    pub lessons_told: Vec<String>,
    /// Memories that the model of this session was told: ids.
    pub recalled: Vec<String>,
    /// Whether the agent runs in circles.
    pub spiral: Tracker,
    /// The turn of another session that this one serves, for a sub-agent with a session of its own.
    pub parent_turn: Option<String>,
    /// That session.
    pub parent_session: Option<String>,
    /// What kind of sub-agent it is, in the client's words.
    pub agent_type: Option<String>,
    /// The number of the store's newest checkpoint when the turn began.
    pub turn_began_at: i64,
    /// Ignored files that were saved by name before a command that has not ended yet: the look after it looks at them too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub saved_first: Vec<String>,
    /// Steps that the person was asked about and that have not ended yet: number and reason.
    pub asked: Vec<(i64, String)>,
    /// Steps before which not everything could be saved, because there was no time: nothing of them counts as covered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_covered: Vec<i64>,
    /// Calls that have begun outside the project too and have not ended yet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<OutsideStep>,
    /// What of this session's work is noted already.
    pub noted: Noted,
    /// Lines about the project that the model of this session was told, by their hash.
    pub memory_told: Vec<u64>,
    /// Suggestions that were shown in this session, and whether somebody answered.
    pub triggers: Vec<ShownTrigger>,
    /// What counts at the end of a turn.
    pub stop: StopState,
    /// The agent's own list of what is to do.
    pub tasks: TaskList,
    /// Work that the agent does itself, where it should hand work on.
    pub delegation: WorkCount,
    /// The last prompt that said what is to be done, shortened. (M8)
    pub task: Option<String>,
    /// Sayings of the person that the model of this session knows: ids.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub said_told: Vec<String>,
    /// Those of them that applied to something it did.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub said_applied: Vec<String>,
    /// Tokens of sayings that were told.
    pub said_tokens: u64,
    /// What the last prompt proposed: `keep` and `drop` mean that.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub proposed: Vec<String>,
    /// Commands that failed and did not pass yet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failing: Vec<Failing>,
}

impl SessionState {
    /// The turn a step belongs to: the client's own id, or our count of prompts.
    pub fn turn_of(&self, who: &Who) -> Option<String> {
        who.turn.clone().or_else(|| self.turn.clone())
    }

    /// The session is that of a sub-agent.
    pub(crate) fn is_sub_agent(&self) -> bool {
        self.parent_turn.is_some()
    }

    /// The request that a step of this session serves: a sub-agent's is that of whoever started it. (H7)
    pub fn serves(&self, who: &Who) -> Option<Serves> {
        if let Some(turn) = &self.parent_turn {
            let session = self.parent_session.clone()?;
            return Some(Serves { session, turn: turn.clone() });
        }
        Some(Serves { session: who.session.clone(), turn: self.turn_of(who)? })
    }

    /// Keeps a prompt, shortened. It is shown in histories and told to the next agent, so it goes through the gate first. (S19)
    pub(super) fn keep_prompt(&mut self, prompt: &Clean) {
        self.prompt = Some(shortened(prompt.as_str(), PROMPT_KEPT));
        // A rule that holds from now on is no task either.
        let said: usize = memory::said::find(prompt.as_str()).iter().map(|saying| saying.text.len()).sum();
        if memory::said::is_substantial(prompt.as_str()) && said * 10 < prompt.as_str().len() * 7 {
            self.task.clone_from(&self.prompt);
        }
    }
}

/// The file of one session.
#[derive(Debug)]
pub struct SessionFile {
    path: PathBuf,
    who: Who,
    now_ms: i64,
}

impl SessionFile {
    /// The file of this session in this project; made when it is first written.
    pub fn of(engine: &Engine, who: &Who) -> Self {
        let name = format!("{}-{:016x}.json", who.client, name_hash(&who.session));
        let path = folder(engine.project()).join(name);
        Self { path, who: who.clone(), now_ms: engine.context().now_ms() }
    }

    /// What is remembered now. It is written in place, so what cannot be read may be half written: then the writer is waited for.
    pub fn read(&self) -> SessionState {
        let Ok(stored) = std::fs::read(&self.path) else { return self.or_new(None) };
        let state = understood(stored).or_else(|| {
            let _lock = FileLock::wait(&self.lock());
            self.stored()
        });
        self.or_new(state)
    }

    fn stored(&self) -> Option<SessionState> {
        understood(std::fs::read(&self.path).ok()?)
    }

    fn lock(&self) -> PathBuf {
        self.path.with_extension("lock")
    }

    fn or_new(&self, state: Option<SessionState>) -> SessionState {
        let ours = |state: &SessionState| {
            state.schema_version == SCHEMA_VERSION
                && state.session == self.who.session
                && state.client == self.who.client
        };
        state.filter(ours).unwrap_or_else(|| SessionState {
            schema_version: SCHEMA_VERSION,
            client: self.who.client.clone(),
            session: self.who.session.clone(),
            started_ms: self.now_ms,
            ..SessionState::default()
        })
    }

    /// Changes what is remembered. Two hooks of one session take turns.
    pub fn update<T>(&self, change: impl FnOnce(&mut SessionState) -> T) -> Result<T> {
        let io = |error: std::io::Error| crate::Error::from(store::Error::Io(error));
        if let Some(folder) = self.path.parent()
            && !folder.exists()
        {
            platform::make_private_dir(folder).map_err(io)?;
        }
        let _lock = FileLock::wait(&self.lock()).map_err(io)?;
        let mut state = self.or_new(self.stored());
        state.seen_ms = self.now_ms;
        let value = change(&mut state);
        let text = serde_json::to_vec(&state).map_err(|error| io(error.into()))?;
        project::write_over(&self.path, &text).map_err(io)?;
        Ok(value)
    }
}

/// What was understood last, and from which text: a hook reads its session several times, mostly as it was.
static LAST: Mutex<Option<(Vec<u8>, SessionState)>> = Mutex::new(None);

fn understood(text: Vec<u8>) -> Option<SessionState> {
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((known, state)) = &*last
        && *known == text
    {
        return Some(state.clone());
    }
    let state: SessionState = serde_json::from_slice(&text).ok()?;
    *last = Some((text, state.clone()));
    Some(state)
}

fn shortened(text: &str, letters: usize) -> String {
    text.chars().take(letters).collect()
}

fn folder(project: &Project) -> PathBuf {
    project.state().join("sessions")
}

/// Every session that is remembered, the newest first.
pub fn all(project: &Project) -> Vec<SessionState> {
    let Ok(entries) = std::fs::read_dir(folder(project)) else {
        return Vec::new();
    };
    let files = entries.flatten().map(|entry| entry.path()).filter(|path| is_session(path));
    let mut states: Vec<SessionState> =
        files.filter_map(|path| serde_json::from_slice(&std::fs::read(path).ok()?).ok()).collect();
    states.sort_by_key(|state| std::cmp::Reverse(state.seen_ms));
    states
}

/// The newest of them, by when their files were written: who wants to know what was done last need not read a month of sessions. (M11)
pub fn newest(project: &Project, most: usize) -> Vec<SessionState> {
    let Ok(entries) = std::fs::read_dir(folder(project)) else {
        return Vec::new();
    };
    let files = entries.flatten().map(|entry| entry.path()).filter(|path| is_session(path));
    let mut files: Vec<(std::time::SystemTime, PathBuf)> =
        files.filter_map(|path| Some((std::fs::metadata(&path).ok()?.modified().ok()?, path))).collect();
    files.sort_by_key(|(written, _)| std::cmp::Reverse(*written));
    let newest = files.into_iter().take(most);
    let mut states: Vec<SessionState> =
        newest.filter_map(|(_, path)| serde_json::from_slice(&std::fs::read(path).ok()?).ok()).collect();
    states.sort_by_key(|state| std::cmp::Reverse(state.seen_ms));
    states
}

/// Forgets sessions that nobody heard of for a month; looked for once a day, because all of them are read. Failing costs a few
/// kilobytes.
pub(super) fn forget_old(engine: &Engine) {
    let now = engine.context().now_ms();
    let mark = folder(engine.project()).join("looked");
    let looked =
        std::fs::read_to_string(&mark).ok().and_then(|text| text.trim().parse::<i64>().ok()).unwrap_or(0);
    if (0..LOOK_EVERY_MS).contains(&now.saturating_sub(looked)) {
        return;
    }
    let Ok(entries) = std::fs::read_dir(folder(engine.project())) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()).filter(|path| is_session(path)) {
        let state: Option<SessionState> =
            std::fs::read(&path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        if state.is_none_or(|state| state.seen_ms < now - FORGET_AFTER_MS) {
            let _ = std::fs::remove_file(&path);
            let _ = std::fs::remove_file(path.with_extension("lock"));
        }
    }
    let _ = project::write_view(&mark, now.to_string().as_bytes());
}

fn is_session(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "json")
}

/// Session ids come from outside and may hold anything; the file is named by their hash. (FNV-1a: stable, and nothing here
/// needs more.)
fn name_hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
