//! What is carried from one session to the next: the newest events that learning needs, and what follows from them.

use std::collections::{HashMap, HashSet};
use std::io::{BufRead as _, BufReader, Seek as _, SeekFrom};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use ::memory::learn::policy::{History, POLICY, Policy, REVERT};
use ::memory::learn::usage::{FEEDBACK, RECALLED, Usage};
use ::memory::log::{Event, Log};
use project::FileLock;
use serde::{Deserialize, Serialize};

use crate::{Engine, Result, memory};

const VERSION: u32 = 2;
/// So many events are carried, the newest; policies are all carried.
const MOST_EVENTS: usize = 800;
/// So many memories have a lift of their own.
const MOST_LIFTS: usize = 300;

/// What recall reads.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct View {
    version: u32,
    pub policy: Policy,
    pub learned: HashMap<String, f32>,
}

/// What learning reads.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Carried {
    version: u32,
    /// How far each log was read, in bytes.
    read: HashMap<String, u64>,
    /// What learning needs of the events, oldest first.
    pub events: Vec<Event>,
    #[serde(skip)]
    lock: Option<FileLock>,
}

fn folder(engine: &Engine) -> PathBuf {
    engine.project().shared_state().join("memory")
}

/// The policy in force; none if nothing was learned yet.
pub(super) fn view(engine: &Engine) -> Option<View> {
    let bytes = std::fs::read(folder(engine).join("learned.json")).ok()?;
    serde_json::from_slice::<View>(&bytes).ok().filter(|view| view.version == VERSION)
}

impl Carried {
    /// What was carried, and what is new in the log; nothing if another process is at it.
    pub(super) fn read(engine: &Engine, patience: Duration) -> Result<Option<Self>> {
        let until = Instant::now() + patience;
        let folder = folder(engine);
        if !folder.exists() {
            return Ok(None);
        }
        let Some(lock) = FileLock::try_now(&folder.join("learning.lock")).map_err(project::Error::from)?
        else {
            return Ok(None);
        };
        let stored = std::fs::read(folder.join("learning.json")).ok();
        let carried = stored.and_then(|bytes| serde_json::from_slice::<Self>(&bytes).ok());
        let mut carried = carried.filter(|carried| carried.version == VERSION).unwrap_or_default();
        carried.version = VERSION;
        carried.lock = Some(lock);
        let known: HashSet<String> = carried.events.iter().map(|event| event.id.clone()).collect();
        let mut logs = memory::logs(engine, Some(memory::Scope::Project))?;
        logs.push((memory::Scope::Project, super::books::log(engine)));
        let names: HashSet<String> = logs.iter().map(|(_, log)| name_of(log)).collect();
        carried.read.retain(|name, _| names.contains(name));
        for (_, log) in logs {
            let Ok(mut file) = std::fs::File::open(log.path()) else { continue };
            let name = name_of(&log);
            let length = file.metadata().map_err(project::Error::from)?.len();
            // A log that became shorter was compacted: what it has is known by id.
            let from = carried.read.get(&name).copied().filter(|read| *read <= length).unwrap_or(0);
            file.seek(SeekFrom::Start(from)).map_err(project::Error::from)?;
            let mut reader = BufReader::with_capacity(256 << 10, file);
            let mut at = from;
            let mut line = Vec::new();
            while Instant::now() < until {
                line.clear();
                let read = reader.read_until(b'\n', &mut line).map_err(project::Error::from)?;
                if read == 0 || line.last() != Some(&b'\n') {
                    break;
                }
                at += read as u64;
                if is_wanted(&line)
                    && let Ok(event) = serde_json::from_slice::<Event>(&line)
                    && !known.contains(&event.id)
                {
                    carried.events.push(event);
                }
            }
            carried.read.insert(name, at);
        }
        carried.trim();
        Ok(Some(carried))
    }

    pub(super) fn extend(&mut self, events: &[Event]) {
        self.events.extend_from_slice(events);
    }

    fn trim(&mut self) {
        let is_policy = |event: &Event| event.kind == POLICY || event.kind == REVERT;
        let mut extra =
            self.events.iter().filter(|event| !is_policy(event)).count().saturating_sub(MOST_EVENTS);
        self.events.retain(|event| {
            let goes = extra > 0 && !is_policy(event);
            extra -= usize::from(goes);
            !goes
        });
    }

    /// Writes what is carried, and what recall reads. Memories are weighed again on the way, as long as there is time.
    pub(super) fn write(&self, engine: &Engine, until: Instant) -> Result<()> {
        let policy = History::fold(&self.events).in_force();
        let usage = Usage::fold(&self.events);
        let weight = policy.clone().bounded().weights().importance;
        let mut learned = super::weighing::lifts(engine, &usage, weight, until)?;
        // Use that was seen says more than how a memory looks.
        learned.extend(usage.lifts(MOST_LIFTS));
        let view = View { version: VERSION, policy, learned: clearest(learned) };
        let folder = folder(engine);
        let put = |name: &str, bytes: serde_json::Result<Vec<u8>>| {
            let bytes = bytes.map_err(std::io::Error::from)?;
            project::write_atomic(&folder.join(name), &bytes)
        };
        put("learning.json", serde_json::to_vec(self)).map_err(project::Error::from)?;
        put("learned.json", serde_json::to_vec(&view)).map_err(project::Error::from)?;
        Ok(())
    }
}

/// The list stays short: what differs most from the usual.
fn clearest(learned: HashMap<String, f32>) -> HashMap<String, f32> {
    let mut all: Vec<(String, f32)> = learned.into_iter().collect();
    all.sort_by(|(a, x), (b, y)| (y - 1.0).abs().total_cmp(&(x - 1.0).abs()).then(a.cmp(b)));
    all.truncate(MOST_LIFTS);
    all.into_iter().collect()
}

fn name_of(log: &Log) -> String {
    log.path().file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Whether a line may be an event that learning needs, without taking it apart.
fn is_wanted(line: &[u8]) -> bool {
    let kinds = [RECALLED, FEEDBACK, POLICY, REVERT, "edit", "rollback"];
    let head = &line[..line.len().min(400)];
    let Ok(head) =
        std::str::from_utf8(head).or_else(|error| std::str::from_utf8(&head[..error.valid_up_to()]))
    else {
        return false;
    };
    let kind = head.split_once("\"kind\":\"").and_then(|(_, rest)| rest.split_once('"'));
    kind.is_none_or(|(kind, _)| kinds.contains(&kind))
}
