//! The board: every card of every run, in the column of where it stands. One report for the page and for the terminal.
//!
//! A log is folded again only when it has grown: whoever looks often keeps its [`Folds`]. Looking takes no lock and writes nothing.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use serde::Serialize;

use super::fold::{Attempt, Card, Run};
use super::model::{By, CardRisk, CardStatus, CheckEvidence, FileChange};
use super::undone::{self, Applied, History};
use super::{RunError, list, log};
use crate::diff::{self, DiffOptions, DiffReport};
use crate::report::usage::Tokens;
use crate::{Engine, Result, lane};

/// The columns, as they stand beside each other.
pub const COLUMNS: [CardStatus; 6] = [
    CardStatus::Todo,
    CardStatus::Running,
    CardStatus::Preview,
    CardStatus::Review,
    CardStatus::Done,
    CardStatus::Blocked,
];

/// What is over and folded away below the columns.
pub const PUT_AWAY: [CardStatus; 2] = [CardStatus::Reverted, CardStatus::Dropped];

/// Everything on the board.
#[derive(Debug, Clone, Serialize)]
pub struct Board {
    /// Where cards stand, in the order of [`COLUMNS`]; also those with nothing in them.
    pub columns: Vec<Column>,
    /// What was taken back or put away, in the order of [`PUT_AWAY`].
    pub put_away: Vec<Column>,
    /// What waits for a person's answer, the newest first.
    pub waiting: Vec<Waiting>,
    /// The runs, the newest first.
    pub runs: Vec<OnBoard>,
    /// Time of the report.
    pub now_ms: i64,
}

/// A column: the newest run first, the cards of a run in the order of its plan.
#[derive(Debug, Clone, Serialize)]
pub struct Column {
    /// Where its cards stand.
    pub status: CardStatus,
    /// They.
    pub cards: Vec<Arc<BoardCard>>,
}

/// A run, as far as the board needs it.
#[derive(Debug, Clone, Serialize)]
pub struct OnBoard {
    /// Its id.
    pub id: String,
    /// What a person asked for.
    pub task: String,
    /// How many cards it has.
    pub cards: usize,
    /// Somebody is at work on it now.
    pub running: bool,
    /// How it ended; none: it has not.
    pub ended: Option<String>,
    /// When something last happened, milliseconds since 1970.
    pub last_ms: i64,
}

/// A run that waits for an answer.
#[derive(Debug, Clone, Serialize)]
pub struct Waiting {
    /// The run.
    pub run: String,
    /// The card that it is about.
    pub card: Option<String>,
    /// A stable code of what it waits for.
    pub code: String,
    /// In words.
    pub why: String,
    /// What can be answered.
    pub options: Vec<String>,
    /// Since when, milliseconds since 1970.
    pub since_ms: i64,
}

/// How the checks of a card stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckMark {
    /// All passed, on exactly what the card left behind.
    Passed,
    /// One failed or did not end.
    Failed,
    /// None broke, but not all passed: some failed before, too, or change their mind.
    Partly,
    /// They were run on something else than what the card left behind.
    Stale,
}

/// A card on the board.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BoardCard {
    /// The run.
    pub run: String,
    /// The card's id in the run.
    pub id: String,
    /// What it is about.
    pub title: String,
    /// Where it stands.
    pub status: CardStatus,
    /// It stands under "running", but nobody is at work on its run any more.
    pub left_alone: bool,
    /// The stable code of why it stands there.
    pub code: Option<String>,
    /// The reason in words.
    pub why: Option<String>,
    /// How many files changed.
    pub files: usize,
    /// Lines that came.
    pub added: u64,
    /// Lines that went.
    pub removed: u64,
    /// How its checks stand; none: none were run.
    pub check: Option<CheckMark>,
    /// Tests went or were weakened.
    pub weakened: bool,
    /// What the guard found, counted.
    pub findings: usize,
    /// How risky a reviewer found it.
    pub risk: Option<CardRisk>,
    /// Who worked on it last.
    pub by: Option<By>,
    /// How often it was tried.
    pub attempts: usize,
    /// Dollars, as far as they are known.
    pub dollars: f64,
    /// Calls and attempts of which nobody knows what they cost.
    pub unpriced: u64,
    /// When something of it last happened, milliseconds since 1970.
    pub last_ms: i64,
}

impl Board {
    /// How many cards are in the columns and below.
    pub fn cards(&self) -> usize {
        self.columns.iter().chain(&self.put_away).map(|column| column.cards.len()).sum()
    }

    /// How many cards of a column wait for a person's yes or choice.
    pub fn for_a_person(&self) -> usize {
        let waits = |column: &&Column| matches!(column.status, CardStatus::Preview | CardStatus::Review);
        self.columns.iter().filter(waits).map(|column| column.cards.len()).sum()
    }

    /// Somebody is at work.
    pub fn is_running(&self) -> bool {
        self.runs.iter().any(|run| run.running)
    }
}

/// What a log was when it was folded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    length: u64,
    time: SystemTime,
}

impl Stamp {
    fn of(folder: &Path) -> Option<Self> {
        let facts = log::events_file(folder).metadata().ok()?;
        Some(Self { length: facts.len(), time: facts.modified().unwrap_or(SystemTime::UNIX_EPOCH) })
    }
}

/// What the board keeps of a run: small, whatever its commands said.
#[derive(Debug)]
struct Folded {
    run: OnBoard,
    cards: Vec<Arc<BoardCard>>,
    /// Of each card whether and with what it came to the project.
    applied: Vec<Option<Applied>>,
    waiting: Option<Waiting>,
}

/// Runs that were folded before, by id.
#[derive(Debug, Default)]
pub struct Folds(Mutex<HashMap<String, (Stamp, Arc<Folded>)>>);

impl Folds {
    fn known(&self, id: &str, stamp: Stamp) -> Option<Arc<Folded>> {
        let folds = self.0.lock().ok()?;
        folds.get(id).filter(|(then, _)| *then == stamp).map(|(_, folded)| Arc::clone(folded))
    }

    fn keep(&self, new: &[(String, Stamp, Arc<Folded>)]) {
        if let Ok(mut folds) = self.0.lock() {
            folds.extend(new.iter().map(|(id, stamp, folded)| (id.clone(), (*stamp, Arc::clone(folded)))));
        }
    }
}

/// The board as it stands.
pub fn board(engine: &Engine, folds: &Folds) -> Result<Board> {
    let all = log::runs_folder(engine);
    let mut numbers = list::numbers(&all);
    numbers.sort_unstable_by(|one, other| other.cmp(one));
    let mut found: Vec<(String, Option<Arc<Folded>>)> = Vec::with_capacity(numbers.len());
    let mut new: Vec<(String, PathBuf, Stamp)> = Vec::new();
    for number in numbers {
        let id = format!("run{number}");
        let folder = all.join(&id);
        let Some(stamp) = Stamp::of(&folder) else { continue };
        let known = folds.known(&id, stamp);
        if known.is_none() {
            new.push((id.clone(), folder, stamp));
        }
        found.push((id, known));
    }
    let folded = fold_all(new)?;
    folds.keep(&folded);
    let mut new: HashMap<String, Arc<Folded>> =
        folded.into_iter().map(|(id, _, folded)| (id, folded)).collect();
    let runs = found.into_iter().filter_map(|(id, known)| known.or_else(|| new.remove(&id)));
    put_up(runs, &all, &History::of(engine), engine.context().now_ms())
}

/// Folds several logs, on as many threads as the machine has cores.
fn fold_all(new: Vec<(String, PathBuf, Stamp)>) -> Result<Vec<(String, Stamp, Arc<Folded>)>> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(new.len().max(1));
    if threads == 1 {
        return new.into_iter().map(fold_one).filter_map(Result::transpose).collect();
    }
    let next = Mutex::new(new.into_iter());
    let work = || -> Result<Vec<_>> {
        let mut done = Vec::new();
        // One at a time: a long log does not keep short ones waiting behind it.
        while let Some(one) = next.lock().ok().and_then(|mut next| next.next()) {
            done.extend(fold_one(one)?);
        }
        Ok(done)
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let mut out = Vec::new();
        for worker in workers {
            match worker.join() {
                Ok(done) => out.extend(done?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(out)
    })
}

/// A folder in which nothing was written yet is no run yet.
fn fold_one((id, folder, stamp): (String, PathBuf, Stamp)) -> Result<Option<(String, Stamp, Arc<Folded>)>> {
    let mut run = Run::of(&id, &[]);
    let mut empty = true;
    log::each(
        &id,
        &folder,
        |line| !is_of_an_action(line),
        |logged| {
            empty = false;
            run.hear(logged);
        },
    )?;
    if empty {
        return Ok(None);
    }
    let folded = Folded::of(&run);
    Ok(Some((id, stamp, Arc::new(folded))))
}

/// A line about one action of a model: two of three are, and the board shows nothing of them. Whatever does not plainly begin so is read.
fn is_of_an_action(line: &[u8]) -> bool {
    const NAMES: [&[u8]; 3] = [b"action_began\"", b"action_ended\"", b"rejected\""];
    let Some(rest) = line.strip_prefix(b"{\"at_ms\":") else { return false };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let name = rest[digits..].strip_prefix(b",\"event\":\"");
    name.is_some_and(|name| NAMES.iter().any(|known| name.starts_with(known)))
}

impl Folded {
    fn of(run: &Run) -> Self {
        let open = run.ended.is_none();
        let pause = run.paused.as_ref().filter(|_| open);
        Self {
            run: OnBoard {
                id: run.id.clone(),
                task: run.task.clone(),
                cards: run.cards.len(),
                running: false,
                ended: run.ended.clone(),
                last_ms: run.last_ms,
            },
            cards: run.cards.iter().map(|card| Arc::new(BoardCard::of(run, card))).collect(),
            applied: run.cards.iter().map(Applied::of).collect(),
            waiting: pause.map(|pause| Waiting {
                run: run.id.clone(),
                card: pause.card.clone(),
                code: pause.code.clone(),
                why: pause.why.clone(),
                options: pause.options.clone(),
                since_ms: pause.since_ms,
            }),
        }
    }
}

/// Puts every card where it belongs.
fn put_up(
    folded: impl Iterator<Item = Arc<Folded>>,
    all: &Path,
    history: &History<'_>,
    now_ms: i64,
) -> Result<Board> {
    let column = |status| Column { status, cards: Vec::new() };
    let mut board = Board {
        columns: COLUMNS.map(column).into(),
        put_away: PUT_AWAY.map(column).into(),
        waiting: Vec::new(),
        runs: Vec::new(),
        now_ms,
    };
    for one in folded {
        // Whether somebody is at work is not in the log.
        let running = one.run.ended.is_none() && log::holder(&all.join(&one.run.id)).is_some();
        for (card, applied) in one.cards.iter().zip(&one.applied) {
            let mut card = Arc::clone(card);
            if let Some(applied) = applied.as_ref().filter(|_| card.status == CardStatus::Done)
                && let Some(undone) = history.undone(applied)?
            {
                let (status, code) = undone::standing(undone, card.status);
                let known = BoardCard::clone(&card);
                card = Arc::new(BoardCard { status, code: Some(code.to_owned()), why: None, ..known });
            }
            let mut columns = board.columns.iter_mut().chain(&mut board.put_away);
            if let Some(column) = columns.find(|column| column.status == card.status) {
                let left_alone = card.status == CardStatus::Running && !running;
                column.cards.push(if left_alone {
                    Arc::new(BoardCard { left_alone, ..BoardCard::clone(&card) })
                } else {
                    card
                });
            }
        }
        board.waiting.extend(one.waiting.clone());
        board.runs.push(OnBoard { running, ..one.run.clone() });
    }
    board.waiting.sort_by_key(|waiting| std::cmp::Reverse(waiting.since_ms));
    Ok(board)
}

impl BoardCard {
    /// What the board shows of a card.
    pub fn of(run: &Run, card: &Card) -> Self {
        let attempt = card.chosen().or_else(|| card.attempts.last());
        let changes = changes(card, attempt);
        let evidence = &card.evidence;
        Self {
            run: run.id.clone(),
            id: card.id.clone(),
            title: card.title.clone(),
            status: card.status,
            left_alone: false,
            code: card.code.clone(),
            why: card.why.clone(),
            files: changes.len(),
            added: changes.iter().map(|file| file.added).fold(0, u64::saturating_add),
            removed: changes.iter().map(|file| file.removed).fold(0, u64::saturating_add),
            check: attempt.and_then(check_mark),
            weakened: attempt.is_some_and(|attempt| !attempt.weakened.is_empty()),
            findings: attempt.map_or(0, |attempt| attempt.findings.len()),
            risk: card.risk,
            by: attempt.and_then(|attempt| attempt.by.clone()),
            attempts: card.attempts.len(),
            dollars: evidence.spent.dollars,
            unpriced: evidence.spent.unpriced,
            last_ms: evidence.ended_ms.max(evidence.began_ms).unwrap_or(run.began_ms),
        }
    }
}

/// The files of the attempt that counts; while it is under way, those of the diffs so far, each once.
fn changes(card: &Card, attempt: Option<&Attempt>) -> Vec<FileChange> {
    if let Some(attempt) = attempt.filter(|attempt| attempt.after.is_some()) {
        return attempt.files.clone();
    }
    let mut out: Vec<FileChange> = Vec::new();
    for file in card.evidence.diffs.iter().flat_map(|diff| &diff.files) {
        match out.iter_mut().find(|known| known.path == file.path) {
            Some(known) => {
                known.added = known.added.saturating_add(file.added);
                known.removed = known.removed.saturating_add(file.removed);
            }
            None => out.push(file.clone()),
        }
    }
    out
}

/// How the checks of an attempt stand; none: none were run.
pub fn check_mark(attempt: &Attempt) -> Option<CheckMark> {
    let is =
        |words: &'static [&'static str]| move |check: &CheckEvidence| words.contains(&check.status.as_str());
    let checks = &attempt.checks;
    if checks.is_empty() || checks.iter().all(is(&["not_run"])) {
        return None;
    }
    Some(if checks.iter().any(is(&["failed", "timed_out"])) {
        CheckMark::Failed
    } else if attempt.tree.is_some() && !attempt.is_proven() {
        CheckMark::Stale
    } else if checks.iter().all(is(&["passed"])) {
        CheckMark::Passed
    } else {
        CheckMark::Partly
    })
}

/// `$0.12`; under a cent with the digits that tell something.
pub fn dollars(amount: f64) -> String {
    if amount > 0.0 && amount < 0.01 { format!("${amount:.4}") } else { format!("${amount:.2}") }
}

/// All tokens together, those from a cache included.
pub fn all_tokens(tokens: &Tokens) -> u64 {
    [tokens.output, tokens.cache_read, tokens.cache_write].into_iter().fold(tokens.input, u64::saturating_add)
}

/// The name of a status, as it is written in logs, links and JSON.
pub fn word(status: CardStatus) -> &'static str {
    match status {
        CardStatus::Todo => "todo",
        CardStatus::Running => "running",
        CardStatus::Preview => "preview",
        CardStatus::Review => "review",
        CardStatus::Done => "done",
        CardStatus::Blocked => "blocked",
        CardStatus::Reverted => "reverted",
        CardStatus::Dropped => "dropped",
    }
}

/// The attempt that is looked at: the one that was named, else the one that counts, else the last.
pub fn attempt_of<'c>(run: &Run, card: &'c Card, named: Option<&str>) -> Result<Option<&'c Attempt>> {
    let Some(named) = named else { return Ok(card.chosen().or_else(|| card.attempts.last())) };
    let found = card.attempts.iter().find(|attempt| attempt.id == named);
    let unknown =
        || RunError::NoAttempt { run: run.id.clone(), card: card.id.clone(), attempt: named.to_owned() };
    Ok(Some(found.ok_or_else(unknown)?))
}

/// What an attempt changed in its lane, file by file; while it is under way, up to now. A lane that was put away has its store still.
pub fn changes_of(engine: &Engine, attempt: &Attempt, most_text: u64) -> Result<Option<DiffReport>> {
    let Some(before) = attempt.before.clone().filter(|id| !id.is_empty()) else { return Ok(None) };
    let of_lane = lane::engine_of(engine, &attempt.lane)?;
    let options = DiffOptions {
        from: Some(before),
        to: attempt.after.clone().filter(|id| !id.is_empty()),
        most_text: Some(most_text),
        ..DiffOptions::default()
    };
    Ok(Some(diff::diff(&of_lane, &options, &store::Silent)?))
}

#[cfg(test)]
mod tests {
    use super::super::model::{Logged, RunEvent};
    use super::*;

    #[test]
    fn lines_of_actions_are_told_from_others_as_they_are_written() {
        let line = |event: RunEvent| serde_json::to_vec(&Logged { at_ms: 1_795_013_183_141, event }).unwrap();
        let (card, n) = ("c1".to_owned(), 1);
        let ended =
            RunEvent::ActionEnded { card: card.clone(), n, ok: true, code: None, milliseconds: 1, bytes: 1 };
        assert!(is_of_an_action(&line(ended)));
        let (code, message) = ("empty".to_owned(), String::new());
        assert!(is_of_an_action(&line(RunEvent::Rejected { card, n, code, message })));
        // What only speaks of one is none.
        let task = "\"event\":\"action_began\"".to_owned();
        let (from, by) = (String::new(), Vec::new());
        let started =
            RunEvent::Started { task, from, by, attempts: 1, limits: super::super::model::Limits::default() };
        assert!(!is_of_an_action(&line(started)));
        assert!(!is_of_an_action(b"") && !is_of_an_action(b"{\"event\":\"action_began\",\"at_ms\":1}"));
    }

    #[test]
    fn a_check_counts_for_exactly_the_files_it_was_run_on() {
        let check = |status: &str| CheckEvidence {
            command: "npm test".to_owned(),
            status: status.to_owned(),
            exit: None,
            milliseconds: 1,
            tail: String::new(),
        };
        let mark = |words: &[&str], tree: &str| {
            let checks = words.iter().map(|word| check(word)).collect();
            let (tree, checked_tree) = (Some("t".to_owned()), Some(tree.to_owned()));
            check_mark(&Attempt { checks, tree, checked_tree, ..Attempt::default() })
        };
        assert_eq!(mark(&[], "t"), None);
        assert_eq!(mark(&["not_run"], "t"), None);
        assert_eq!(mark(&["passed", "passed"], "t"), Some(CheckMark::Passed));
        assert_eq!(mark(&["passed"], "other"), Some(CheckMark::Stale));
        assert_eq!(mark(&["passed", "failed"], "other"), Some(CheckMark::Failed));
        assert_eq!(mark(&["passed", "timed_out"], "t"), Some(CheckMark::Failed));
        for odd in ["still_fails", "flaky", "not_run", "a later word"] {
            assert_eq!(mark(&["passed", odd], "t"), Some(CheckMark::Partly), "{odd}");
        }
    }

    #[test]
    fn money_says_what_it_knows() {
        assert_eq!([0.0, 0.0042, 0.014, 12.5].map(dollars), ["$0.00", "$0.0042", "$0.01", "$12.50"]);
    }
}
