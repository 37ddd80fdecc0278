//! A check that passes because somebody changed the check. Whoever changed what a check itself runs (its script, its recipe, the settings of the
//! program behind it) has to pass it as it was before, too.

use std::time::Instant;

use serde::Serialize;
use store::{Progress, Store, View};

use ::gates::CheckStanding;

use super::checks::{self, KnownCommand};
use super::own_files::OwnFiles;
use super::{Bench, CheckOutcome, Profile, VerifyQuery};
use crate::bisect::state_of;
use crate::{Engine, Result, lane};

/// Longer files are not read for what they start.
const LONGEST: usize = 256 << 10;

/// Why what a check says does not count as it would otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangedHow {
    /// As it was before it fails.
    Fails,
    /// As it was before it gives no answer.
    NoAnswer,
    /// It is not among the checks any more.
    Gone,
}

/// A check that was itself changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangedCheck {
    /// The check.
    pub command: String,
    /// What it runs and was changed; nothing where it is gone.
    pub files: Vec<String>,
    /// What is the matter.
    pub how: ChangedHow,
}

/// The rule under which it stands beside tests that check less.
pub const CHECK_CHANGED: &str = "check-changed";

impl ChangedCheck {
    /// As it stands among the tests that check less: rule, place, and what is the matter.
    pub fn to_text(&self) -> String {
        let (files, command) = (self.files.join(", "), &self.command);
        match self.how {
            ChangedHow::Fails => {
                format!("{CHECK_CHANGED} {files}: `{command}` passes, and as it was before it fails")
            }
            ChangedHow::NoAnswer => {
                format!(
                    "{CHECK_CHANGED} {files}: `{command}` passes, and as it was before it gives no answer"
                )
            }
            ChangedHow::Gone => format!("{CHECK_CHANGED} `{command}`: it is not among the checks any more"),
        }
    }
}

/// Looks at the checks that pass on `now` and were changed since `base`. All contents of both are saved.
pub(crate) fn changed_checks(
    engine: &Engine,
    store: &Store<'_>,
    query: &VerifyQuery,
    (now, base): (&View, &View),
    outcomes: &[CheckOutcome],
    stop: &dyn Fn() -> bool,
) -> Result<Vec<ChangedCheck>> {
    let known = checks::known(engine)?;
    let changed: Vec<String> =
        store.compare(base, now, &[])?.iter().map(|one| one.path.to_string()).collect();
    let mut found = gone(engine, &known, &changed)?;
    let passes = |line: &str| {
        outcomes.iter().any(|one| {
            one.command == line && matches!(one.standing, CheckStanding::Passes | CheckStanding::Flaky)
        })
    };
    let text = |path: &str| {
        let entry = store.entry_in(base, path.as_bytes()).ok().flatten()?;
        let bytes = store.content(&entry.hash).ok().filter(|bytes| bytes.len() <= LONGEST)?;
        String::from_utf8(bytes).ok()
    };
    let was_there = |path: &str| store.entry_in(base, path.as_bytes()).is_ok_and(|entry| entry.is_some());
    let mut bench =
        Bench { engine, store, query, stop, began: Instant::now(), profile: Profile::Standard, copy: None };
    for command in known.iter().filter(|one| one.allowed && passes(&one.line)) {
        let own = OwnFiles::of(&command.line, &text);
        // A check that is new weakens nothing.
        if !own.was_there(&was_there) {
            continue;
        }
        let tests: Vec<String> = changed.iter().filter(|path| is_test(path)).cloned().collect();
        let mut files: Vec<String> = changed.iter().filter(|path| own.holds(path)).cloned().collect();
        // New tests may need new settings: it is enough if what was there before passes as a whole.
        let mut how = None;
        for with_tests in [false, true] {
            let back = files.iter().chain(tests.iter().filter(|_| with_tests));
            how =
                if files.is_empty() { None } else { bench.on(command, &before(store, now, base, back)?)? };
            if how.is_none() {
                break;
            }
        }
        // A program that finds its tests by itself names none of them. Tests that say something else than before are a person's word, if the
        // ones before said something: they passed on what was there.
        if how.is_none() && !tests.is_empty() && bench.on(command, base)?.is_none() {
            how = bench.on(command, &before(store, now, base, tests.iter())?)?;
            files = tests;
        }
        if let Some(how) = how {
            found.push(ChangedCheck { command: command.line.clone(), files, how });
        }
    }
    Ok(found)
}

impl Bench<'_, '_> {
    /// What speaks against it that the check passes on this state; nothing if it does.
    fn on(&mut self, command: &KnownCommand, state: &View) -> Result<Option<ChangedHow>> {
        let tree = self.store.tree_hash(state)?.to_hex();
        let share = self.share(1);
        let attempts = self.attempts(command, (&tree, state), share)?;
        if attempts.iter().any(|one| one.passed == Some(true)) {
            return Ok(None);
        }
        let fails = attempts.iter().any(|one| one.passed == Some(false));
        Ok(Some(if fails { ChangedHow::Fails } else { ChangedHow::NoAnswer }))
    }
}

/// Which scripts and recipes decide what a command line checks, as they were in this state.
pub(crate) fn decides(store: &Store<'_>, state: &View, line: &str) -> impl Fn(&str) -> bool + use<> {
    let text = |path: &str| {
        let entry = store.entry_in(state, path.as_bytes()).ok().flatten()?;
        let bytes = store.content(&entry.hash).ok().filter(|bytes| bytes.len() <= LONGEST)?;
        String::from_utf8(bytes).ok()
    };
    let own = OwnFiles::of(line, &text);
    move |path| own.names(path)
}

/// The same between two saved states of a lane, by their checkpoints.
pub fn changed_between(
    engine: &Engine,
    query: &VerifyQuery,
    (now, base): (&str, &str),
    outcomes: &[CheckOutcome],
    stop: &dyn Fn() -> bool,
    progress: &dyn Progress,
) -> Result<Vec<ChangedCheck>> {
    let opened = engine.store(progress)?;
    let view = |checkpoint: &str| -> Result<View> {
        Ok(opened.store.recorded_state_at(state_of(&opened.store, checkpoint, false)?))
    };
    changed_checks(engine, &opened.store, query, (&view(now)?, &view(base)?), outcomes, stop)
}

/// Checks of the project that a person allowed, and that its lane does not have any more, because the file that names them was changed.
fn gone(engine: &Engine, known: &[KnownCommand], changed: &[String]) -> Result<Vec<ChangedCheck>> {
    let Some(main) = lane::main_of(engine)? else { return Ok(Vec::new()) };
    let wanted = checks::known(&main)?.into_iter().filter(|one| one.allowed);
    let is_gone =
        |one: &KnownCommand| changed.contains(&one.found_in) && !known.iter().any(|has| has.line == one.line);
    let told =
        |one: KnownCommand| ChangedCheck { command: one.line, files: Vec::new(), how: ChangedHow::Gone };
    Ok(wanted.filter(is_gone).map(told).collect())
}

/// `now`, with these files as they were.
fn before<'p>(
    store: &Store<'_>,
    now: &View,
    base: &View,
    paths: impl Iterator<Item = &'p String>,
) -> Result<View> {
    let mut back = Vec::new();
    for path in paths {
        back.push((path.as_bytes().to_vec(), store.entry_in(base, path.as_bytes())?));
    }
    Ok(now.clone().with(back))
}

/// A file of tests, by its name or its folder.
fn is_test(path: &str) -> bool {
    let lower = path.to_lowercase();
    lower.split('/').any(|part| {
        ["test", "spec"].iter().any(|word| {
            part.starts_with(word) || part.contains(&format!("_{word}")) || part.contains(&format!(".{word}"))
        }) || part == "__tests__"
    })
}
