//! What mended a failure, learnt from pairs: a command fails, these files are changed or this other command is run, and it passes. Told when
//! the same error comes again, and only then. (M1, M2, M10)
//!
//! The key is the command and the shape of its error, both as hashes. Of an output nothing is kept; what is told are commands that were
//! run and files that were changed. The newest pair of a key counts; one that did not help when it was told is told no more.

use ::memory::learn::shape::{alike, shape};
use ::memory::log::{Event, Mark, Outcome, Provenance};
use project::write_view;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::agent::{SessionFile, SessionState, Who};
use crate::check_command::{check_of, may_be_told};
use crate::memory::{append_seen, event, project_log};
use crate::{Engine, Result};

/// A pair: it failed, and this mended it.
pub(super) const MENDED: &str = "mended";
/// What was told did not help.
const NOT_MENDED: &str = "not_mended";
const FILE: &str = "memory/fixes.json";
const VERSION: u32 = 1;
/// Failures of one session that wait for their end.
const MOST_FAILING: usize = 6;
/// More files than this are a rewrite, which explains nothing.
const MOST_FILES: usize = 6;
const MOST_FIXES: usize = 200;
/// So alike two shapes are of one error.
const ALIKE: f64 = 0.5;
/// A pair that is older is not told.
const OLDEST_MS: i64 = 120 * 86_400_000;
const SHOWN: usize = 120;

/// A command of this session that failed and did not pass yet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Failing {
    /// What was run, as it may be told; empty if it may not.
    command: String,
    key: u64,
    shape: Vec<u64>,
    /// Files that were changed since.
    edited: Vec<String>,
    /// The last other command that worked since.
    other: Option<String>,
    /// The fix that was told, or that was held back, for this failure.
    told: Option<String>,
    held_back: bool,
    /// How often it failed since.
    again: u32,
}

/// A fix that is known.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Fix {
    pub id: String,
    pub command: String,
    key: u64,
    shape: Vec<u64>,
    pub files: Vec<String>,
    pub other: Option<String>,
    pub time_ms: i64,
    /// How often it mended.
    pub times: u32,
    /// How often it was told and did not help.
    pub against: u32,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct View {
    version: u32,
    mark: Mark,
    fixes: Vec<Fix>,
}

/// A file was changed: whatever fails now may be mended by it. The session's lock is held.
pub(crate) fn edited(state: &mut SessionState, paths: &[String]) {
    for failing in &mut state.failing {
        for path in paths {
            if !failing.edited.contains(path) && failing.edited.len() <= MOST_FILES {
                failing.edited.push(path.clone());
            }
        }
    }
}

/// A command has ended. What the model should be told: how the same failure was mended before.
pub fn after_command(
    engine: &Engine,
    who: &Who,
    command: &str,
    failed: bool,
    output: &str,
) -> Result<Option<String>> {
    let line = tellable(command);
    let key = key_of(&line, command);
    let file = SessionFile::of(engine, who);
    if !failed {
        let state = file.read();
        if state.failing.is_empty() {
            return Ok(None);
        }
        let pairs = file.update(|state| passed(state, key, &line))?;
        note_pairs(engine, who, &pairs)?;
        return Ok(None);
    }
    let shape = shape(output);
    let fixes = view(engine)?.fixes;
    let now_ms = engine.context().now_ms();
    let known = best(engine, &fixes, key, &shape, now_ms);
    // The second time it comes it is always told; from then on a few sessions are left without, to compare.
    let held_back = known.is_some_and(|fix| fix.times > 1) && super::is_held_back(engine, who);
    let (tells, refuted) = file.update(|state| {
        let before = state.failing.iter().position(|failing| failing.key == key);
        let mut failing = before.map(|at| state.failing.remove(at)).unwrap_or_default();
        // The same error again although the files of the fix were changed, or its command was run: it did not help.
        let is_same = alike(&failing.shape, &shape) >= ALIKE;
        let refuted = failing.told.clone().filter(|_| is_same && !failing.held_back).filter(|told| {
            let fix = fixes.iter().find(|fix| fix.id == *told);
            fix.is_some_and(|fix| {
                fix.files.iter().any(|path| failing.edited.contains(path))
                    || (fix.other.is_some() && fix.other == failing.other)
            })
        });
        let counted = failing.told.is_some();
        if !is_same {
            failing = Failing::default();
        } else if counted {
            failing.again += 1;
        }
        failing.command.clone_from(&line);
        failing.key = key;
        failing.shape.clone_from(&shape);
        let tells = known.filter(|fix| failing.told.as_ref() != Some(&fix.id));
        if let Some(fix) = tells {
            failing.told = Some(fix.id.clone());
            failing.held_back = held_back;
        }
        state.failing.push(failing);
        let extra = state.failing.len().saturating_sub(MOST_FAILING);
        state.failing.drain(..extra);
        (tells.cloned(), refuted)
    })?;
    if let Some(id) = refuted {
        let mut event = event(engine, NOT_MENDED, Provenance::Observed, json!({"item": id}));
        event.task = Some(who.session.clone());
        append_seen(engine, &[event])?;
    }
    Ok(tells.filter(|_| !held_back).map(|fix| words(&fix)))
}

/// A pair that was found, and whether a fix had been told or held back for it.
struct Pair {
    failing: Failing,
    files: Vec<String>,
    other: Option<String>,
}

/// Something passed: what failed before like it is mended.
fn passed(state: &mut SessionState, key: u64, line: &str) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let mut left = Vec::new();
    for mut failing in std::mem::take(&mut state.failing) {
        if failing.key == key {
            let files = failing.edited.clone();
            let other = failing.other.clone().filter(|_| files.is_empty());
            if (!files.is_empty() && files.len() <= MOST_FILES) || other.is_some() {
                pairs.push(Pair { failing, files, other });
            }
        } else if does_the_same(&failing.command, line) {
            // Another command does what the first one could not.
            let other = Some(line.to_owned());
            let files = Vec::new();
            pairs.push(Pair { failing, files, other });
        } else {
            if !line.is_empty() && !only_looks(line) {
                failing.other = Some(line.to_owned());
            }
            left.push(failing);
        }
    }
    state.failing = left;
    pairs
}

fn note_pairs(engine: &Engine, who: &Who, pairs: &[Pair]) -> Result<()> {
    let mut events = Vec::new();
    for Pair { failing, files, other } in pairs {
        if failing.shape.is_empty() {
            continue;
        }
        let body = json!({
            "command": failing.command, "key": failing.key, "shape": failing.shape, "paths": files, "other": other,
            "told": failing.told, "held_back": failing.held_back, "again": failing.again,
        });
        let mut event = event(engine, MENDED, Provenance::Observed, body);
        event.agent = Some(who.client.clone());
        event.role = who.acts_as();
        event.task = Some(who.session.clone());
        event.tool = Some("shell".to_owned());
        event.outcome = Some(Outcome::Success);
        events.push(event);
    }
    append_seen(engine, &events)
}

/// The command as another agent may be told it; empty if it may not.
fn tellable(command: &str) -> String {
    let command = command.trim();
    check_of(command).or_else(|| may_be_told(command).then(|| command.to_owned())).unwrap_or_default()
}

/// What makes two commands the same: what was run, not how its output was shown.
fn key_of(line: &str, command: &str) -> u64 {
    let plain = if line.is_empty() { command } else { line };
    spiral::hash(plain.split_whitespace().collect::<Vec<_>>().join(" ").as_bytes())
}

/// `pytest` and `python -m pytest`: a word of the first, besides options and files, stands in the second.
fn does_the_same(failed: &str, passed: &str) -> bool {
    let words = |line: &str| -> Vec<String> {
        let is_word = |word: &&str| word.len() > 2 && !word.starts_with('-') && !word.contains(['=', '/']);
        line.split([' ', ':', '\t']).filter(is_word).map(str::to_owned).collect()
    };
    if failed.is_empty() || passed.is_empty() || only_looks(passed) {
        return false;
    }
    let runners = [
        "npm", "npx", "pnpm", "yarn", "bun", "run", "cargo", "python", "python3", "node", "make", "exec",
        "uv", "poetry",
    ];
    let (failed, passed) = (words(failed), words(passed));
    failed.iter().filter(|word| !runners.contains(&word.as_str())).any(|word| passed.contains(word))
}

fn only_looks(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    [
        "ls", "cat", "head", "tail", "grep", "rg", "pwd", "echo", "which", "wc", "tree", "env", "date",
        "stat", "file", "less",
    ]
    .contains(&first)
}

/// The newest fix of this failure that nothing speaks against and that still makes sense here.
fn best<'f>(engine: &Engine, fixes: &'f [Fix], key: u64, shape: &[u64], now_ms: i64) -> Option<&'f Fix> {
    let exists = |path: &String| engine.project().root().join(path).symlink_metadata().is_ok();
    fixes
        .iter()
        .filter(|fix| fix.against == 0 && now_ms - fix.time_ms < OLDEST_MS)
        .filter(|fix| {
            let like = alike(&fix.shape, shape);
            // Another command with the same error: then all of it must be the same.
            if fix.key == key { like >= ALIKE } else { like >= 0.99 && fix.shape.len().min(shape.len()) >= 1 }
        })
        .filter(|fix| fix.other.is_some() || fix.files.iter().any(exists))
        .max_by_key(|fix| (fix.key == key, fix.time_ms))
}

fn words(fix: &Fix) -> String {
    let time = jiff::Timestamp::from_millisecond(fix.time_ms).unwrap_or_default();
    let day = time.strftime("%Y-%m-%d");
    let what =
        if fix.command.is_empty() { "A command".to_owned() } else { format!("`{}`", short(&fix.command)) };
    let how = match &fix.other {
        Some(other) => format!("what worked then was `{}`", short(other)),
        None => {
            let files: Vec<String> = fix.files.iter().map(|path| format!("`{path}`")).collect();
            format!("it passed after changes in {}", files.join(", "))
        }
    };
    let times = if fix.times > 1 { format!(", {} times", fix.times) } else { String::new() };
    format!(
        "Seen by vib: {what} failed with this error before (last {day}{times}); {how}. It may be the same cause."
    )
}

fn short(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}

fn view(engine: &Engine) -> Result<View> {
    let path = engine.project().state().join(FILE);
    let bytes = std::fs::read(&path).unwrap_or_default();
    let mut view = serde_json::from_slice::<View>(&bytes)
        .ok()
        .filter(|view| view.version == VERSION)
        .unwrap_or_default();
    let since = project_log(engine).read_since(view.mark)?;
    if since.anew {
        view = View::default();
    }
    if since.mark == view.mark {
        return Ok(view);
    }
    since.contents.events.iter().for_each(|event| view.push(event));
    (view.mark, view.version) = (since.mark, VERSION);
    if let Ok(bytes) = serde_json::to_vec(&view) {
        let _ = write_view(&path, &bytes);
    }
    Ok(view)
}

/// All that is known, the oldest first.
pub(super) fn all(engine: &Engine) -> Result<Vec<Fix>> {
    Ok(view(engine)?.fixes)
}

impl View {
    fn push(&mut self, event: &Event) {
        let word = |name: &str| event.body.get(name).and_then(Value::as_str);
        match event.kind.as_str() {
            MENDED => {
                let Ok(mut fix) = serde_json::from_value::<Fix>(json!({
                    "id": event.id, "command": word("command").unwrap_or_default(), "key": event.body["key"], "shape": event.body["shape"],
                    "files": event.body["paths"], "other": event.body["other"], "time_ms": event.time_ms, "times": 1,
                })) else {
                    return;
                };
                // One per key: the newest counts, and what mended it the same way before counts with it.
                let same = |old: &Fix| old.key == fix.key && alike(&old.shape, &fix.shape) >= ALIKE;
                if let Some(old) = self.fixes.iter().rfind(|old| same(old)) {
                    let shares = old.other == fix.other
                        && (fix.other.is_some() || old.files.iter().any(|path| fix.files.contains(path)));
                    if shares {
                        fix.times += old.times;
                        // What helped twice is more likely what both have in common.
                        let both: Vec<String> =
                            old.files.iter().filter(|path| fix.files.contains(path)).cloned().collect();
                        if !both.is_empty() {
                            fix.files = both;
                        }
                    }
                }
                self.fixes.retain(|old| !same(old));
                self.fixes.push(fix);
                let extra = self.fixes.len().saturating_sub(MOST_FIXES);
                self.fixes.drain(..extra);
            }
            NOT_MENDED => {
                let item = word("item").unwrap_or_default();
                self.fixes.iter_mut().filter(|fix| fix.id == item).for_each(|fix| fix.against += 1);
            }
            "retract" => {
                let item = word("item").unwrap_or_default();
                self.fixes.retain(|fix| fix.id != item);
            }
            _ => {}
        }
    }
}
