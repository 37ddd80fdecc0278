//! The log of a run: the one file that says what happened, one event a line, on the disk before anybody goes on.
//!
//! `<state>/projects/<id>/runs/<run>/` holds `events.jsonl`, `diffs/`, `notes/` (of whoever carries it out), `run.lock` and, when somebody wants it to end, `stop`. Whoever
//! writes holds `run.lock`; it is free again when they die. A line that a kill cut off is passed over, and so is one that a newer vib wrote and
//! this one does not understand: both stay in the file.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use project::{Context, FileLock, LockHolder, platform};
use redact::Gate;

use super::cleaned::cleaned;
use super::fold::Run;
use super::model::{CardStatus, Logged, RunEvent};
use super::{RunError, list};
use crate::{Engine, Error, Result, lane, private_file};

const EVENTS: &str = "events.jsonl";
const LOCK: &str = "run.lock";
const STOP: &str = "stop";
const DIFFS: &str = "diffs";

/// Whoever only looks whether somebody is at work holds the lock for a moment.
const PATIENCE: Duration = Duration::from_millis(500);

/// A run's log, held by whoever works on the run.
#[derive(Debug)]
pub struct RunLog {
    id: String,
    folder: PathBuf,
    file: File,
    events: Vec<Logged>,
    gate: Gate,
    clock: Context,
    _lock: FileLock,
}

impl RunLog {
    /// Begins a run with the next free number. `started` is its first event.
    pub fn create(engine: &Engine, started: RunEvent) -> Result<Self> {
        let all = runs_folder(engine);
        let io = |source| RunError::Log { run: "new".to_owned(), source };
        platform::make_private_dir(&all).map_err(io)?;
        let taken = lane_names(engine)?;
        let mut number = list::numbers(&all).into_iter().max().unwrap_or(0) + 1;
        loop {
            let id = format!("run{number}");
            let folder = all.join(&id);
            // A lane of that name belongs to somebody else: this run could not have it.
            if !is_taken(&id, &taken) {
                match std::fs::create_dir(&folder) {
                    Ok(()) => {
                        let mut log = Self::held(engine, id, folder)?;
                        log.append(started)?;
                        return Ok(log);
                    }
                    Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                    Err(error) => return Err(io(error).into()),
                }
            }
            number += 1;
        }
    }

    /// Takes a run up again. Busy is an error with the run and since when.
    pub fn open(engine: &Engine, id: &str) -> Result<Self> {
        let folder = folder_of(engine, id)?;
        Self::held(engine, id.to_owned(), folder)
    }

    fn held(engine: &Engine, id: String, folder: PathBuf) -> Result<Self> {
        let io = |source| Error::from(RunError::Log { run: id.clone(), source });
        platform::make_private_dir(&folder).map_err(io)?;
        let path = folder.join(LOCK);
        let Some(mut lock) = FileLock::wait_for(&path, PATIENCE).map_err(io)? else {
            return Err(busy(&id, &path).into());
        };
        let clock = engine.context().beside(engine.context().cwd()).map_err(io)?;
        let holder =
            LockHolder { pid: std::process::id(), doing: "run".to_owned(), since_ms: clock.now_ms() };
        lock.sign(&holder).map_err(io)?;
        // Whoever asked for a stop asked somebody who has ended since.
        remove_if_there(&folder.join(STOP)).map_err(io)?;
        let mut file = platform::open_private_append(&folder.join(EVENTS)).map_err(io)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(io)?;
        if text.last().is_some_and(|last| *last != b'\n') {
            // A kill cut it off. With an end it is a line that is passed over, or an event if only the end was missing.
            file.write_all(b"\n").and_then(|()| file.sync_data()).map_err(io)?;
            text.push(b'\n');
        }
        let events = parse(&text);
        Ok(Self { id, folder, file, events, gate: engine.run_gate(), clock, _lock: lock })
    }

    /// Writes an event down, cleaned. When this returns, it is on the disk.
    pub fn append(&mut self, event: RunEvent) -> Result<()> {
        let at_ms = self.clock.now_ms();
        let logged = Logged { at_ms, event: cleaned(event, &mut self.gate) };
        if let RunEvent::Status { card, status: CardStatus::Done, .. } = &logged.event {
            let mut with = self.events.clone();
            with.push(logged.clone());
            let run = Run::of(&self.id, &with);
            if run.card(card).is_none_or(|card| card.status != CardStatus::Done) {
                return Err(RunError::NoEvidence { run: self.id.clone(), card: card.clone() }.into());
            }
        }
        self.write(&logged).map_err(|source| RunError::Log { run: self.id.clone(), source })?;
        self.events.push(logged);
        Ok(())
    }

    fn write(&mut self, logged: &Logged) -> std::io::Result<()> {
        let mut line = serde_json::to_vec(logged)?;
        line.push(b'\n');
        let before = self.file.metadata()?.len();
        if let Err(error) = self.file.write_all(&line).and_then(|()| self.file.sync_data()) {
            // A full disk may have taken half of it: what nobody was told must not stay.
            let _ = self.file.set_len(before);
            return Err(error);
        }
        Ok(())
    }

    /// Everything that happened so far.
    pub fn events(&self) -> &[Logged] {
        &self.events
    }

    /// The run as it stands now.
    pub fn run(&self) -> Run {
        Run::of(&self.id, &self.events)
    }

    /// `run1`, `run2`…
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Where everything of it lies.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Somebody wants it to end.
    pub fn stop_requested(&self) -> bool {
        self.folder.join(STOP).exists()
    }

    /// Keeps a diff that was applied, exactly as it was, for a replay. Only its owner can read it. The name in the run's folder comes back.
    pub fn keep_diff(&self, card: &str, n: u64, text: &str) -> Result<String> {
        if !list::is_part(card) {
            return Err(RunError::BadName(card.to_owned()).into());
        }
        let name = format!("{DIFFS}/{card}-{n}.diff");
        self.keep(&name, text.as_bytes())?;
        Ok(name)
    }

    fn keep(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let io = |source| RunError::Log { run: self.id.clone(), source };
        private_file::write(&self.folder.join(name), bytes).map_err(io)?;
        Ok(())
    }
}

/// Where all runs of the project lie.
pub(super) fn runs_folder(engine: &Engine) -> PathBuf {
    engine.project().shared_state().join("runs")
}

/// The folder of a run that is there.
pub(super) fn folder_of(engine: &Engine, id: &str) -> Result<PathBuf> {
    if list::number_of(id).is_none() {
        return Err(RunError::BadName(id.to_owned()).into());
    }
    let folder = runs_folder(engine).join(id);
    if !folder.is_dir() {
        return Err(RunError::Unknown(id.to_owned()).into());
    }
    Ok(folder)
}

/// Reads a log without its lock: what is being written just now is passed over.
pub(super) fn read(engine: &Engine, id: &str) -> Result<Vec<Logged>> {
    read_in(id, &folder_of(engine, id)?)
}

/// The same for whoever knows the folder.
fn read_in(id: &str, folder: &Path) -> Result<Vec<Logged>> {
    match std::fs::read(events_file(folder)) {
        Ok(text) => Ok(parse(&text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(source) => Err(RunError::Log { run: id.to_owned(), source }.into()),
    }
}

/// Reads a log line by line, for whoever needs no more than a few of its events and never all at once. Lines that are not `wanted` are not even
/// read as events: most of a log are actions.
pub(super) fn each(
    id: &str,
    folder: &Path,
    wanted: impl Fn(&[u8]) -> bool,
    mut hear: impl FnMut(&Logged),
) -> Result<()> {
    let failed = |source| Error::from(RunError::Log { run: id.to_owned(), source });
    let file = match File::open(events_file(folder)) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(failed(error)),
    };
    let mut reader = BufReader::with_capacity(64 << 10, file);
    let mut line = Vec::new();
    loop {
        line.clear();
        reader.read_until(b'\n', &mut line).map_err(failed)?;
        // A last line without an end is being written just now, or was cut off by a kill.
        let Some((b'\n', text)) = line.split_last() else { return Ok(()) };
        if wanted(text)
            && let Ok(logged) = serde_json::from_slice(text)
        {
            hear(&logged);
        }
    }
}

/// The log in a run's folder.
pub(super) fn events_file(folder: &Path) -> PathBuf {
    folder.join(EVENTS)
}

/// A diff of the run's folder, as an event names it. Nothing outside of that folder is ever read.
pub fn kept(engine: &Engine, id: &str, name: &str) -> Result<String> {
    let folder = folder_of(engine, id)?;
    let inside = name.split_once('/').filter(|(at, file)| *at == DIFFS && list::is_part(file));
    if inside.is_none() {
        return Err(RunError::BadName(name.to_owned()).into());
    }
    let read = std::fs::read_to_string(folder.join(name));
    read.map_err(|source| RunError::Log { run: id.to_owned(), source }.into())
}

/// The events of a text: a last line without an end and lines that are no events are passed over.
fn parse(text: &[u8]) -> Vec<Logged> {
    let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let lines = text[..whole].split(|byte| *byte == b'\n');
    lines.filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

/// Who holds the lock at this moment, if somebody does.
pub(super) fn holder(folder: &Path) -> Option<LockHolder> {
    let path = folder.join(LOCK);
    if !path.exists() {
        return None;
    }
    match FileLock::try_now(&path) {
        Ok(None) => {
            Some(FileLock::holder(&path).unwrap_or(LockHolder { pid: 0, doing: String::new(), since_ms: 0 }))
        }
        _ => None,
    }
}

/// Asks whoever works on the run to end.
pub(super) fn ask_to_stop(folder: &Path) -> std::io::Result<()> {
    private_file::write(&folder.join(STOP), b"")
}

fn busy(id: &str, lock: &Path) -> RunError {
    let holder = FileLock::holder(lock);
    RunError::Busy {
        run: id.to_owned(),
        pid: holder.as_ref().map_or(0, |holder| holder.pid),
        since_ms: holder.map_or(0, |holder| holder.since_ms),
    }
}

fn remove_if_there(path: &Path) -> std::io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn lane_names(engine: &Engine) -> Result<Vec<String>> {
    Ok(lane::all(engine)?.iter().map(|lane| lane.name().to_owned()).collect())
}

fn is_taken(id: &str, lanes: &[String]) -> bool {
    lanes
        .iter()
        .any(|lane| lane.strip_prefix(id).is_some_and(|rest| rest.is_empty() || rest.starts_with('-')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(event: RunEvent) -> Vec<u8> {
        let mut line = serde_json::to_vec(&Logged { at_ms: 7, event }).unwrap();
        line.push(b'\n');
        line
    }

    #[test]
    fn torn_newer_and_broken_lines_are_passed_over() {
        let mut text = line(RunEvent::Resumed { answer: None });
        text.extend_from_slice(b"{\"at_ms\":8,\"event\":\"something_later\",\"x\":[1]}\n\xff\xfe{\n\n");
        text.extend(line(RunEvent::Ended { why: "done".to_owned() }));
        text.extend_from_slice(b"{\"at_ms\":9,\"event\":\"ended\",\"wh");
        let read = parse(&text);
        assert_eq!(read.len(), 2);
        assert_eq!(read[1].event, RunEvent::Ended { why: "done".to_owned() });
        for cut in 0..text.len() {
            // However much of it is there: a beginning of the same events.
            let part = parse(&text[..cut]);
            assert_eq!(part[..], read[..part.len()]);
        }
    }

    proptest::proptest! {
        /// Whatever stands between them, and wherever it is cut off: the events before are read, in order.
        #[test]
        fn what_was_written_is_read(
            events in proptest::collection::vec(
                (super::super::hear::tests::any_event(), proptest::collection::vec(0_u8..=255, 0..20)),
                0..20,
            ),
            cut in 0.0..1.0_f64,
        ) {
            let (mut text, mut ends, mut all) = (Vec::new(), Vec::new(), Vec::new());
            for (event, garbage) in events {
                text.extend(garbage.into_iter().filter(|byte| *byte != b'\n'));
                text.push(b'\n');
                text.extend(line(event.clone()));
                ends.push(text.len());
                all.push(event);
            }
            let cut = (text.len() as f64 * cut) as usize;
            let whole = ends.iter().filter(|end| **end <= cut).count();
            let read: Vec<RunEvent> = parse(&text[..cut]).into_iter().map(|logged| logged.event).collect();
            proptest::prop_assert_eq!(&read[..], &all[..whole]);
        }
    }

    #[test]
    fn a_lane_of_somebody_else_keeps_its_name() {
        let lanes = ["run1".to_owned(), "run2-c1-a1".to_owned(), "run30".to_owned()];
        assert!(is_taken("run1", &lanes) && is_taken("run2", &lanes) && is_taken("run30", &lanes));
        assert!(!is_taken("run3", &lanes));
    }
}
