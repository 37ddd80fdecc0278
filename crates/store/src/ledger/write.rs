//! Writing steps: they begin, they end, or they are told as a whole.

use rusqlite::{OptionalExtension, Transaction};

use super::account::Account;
use super::attribute::{LookAt, count_files, shared_text};
use super::claims::Claims;
use super::elsewhere::Elsewhere;
use super::request::RequestNumber;
use super::step::{Actor, Ending, NewStep, Outcome, Serves, StepNumber};
use super::told::Told;
use crate::{Result, Store};
use project::RelPath;

/// A step that nobody ended within this time is over: the client died, or does not tell.
const LONGEST_STEP_MS: i64 = 6 * 3_600_000;

/// Calls that began within this time of each other are made at once: the later one says nothing about how the earlier ended.
const AT_ONCE_MS: i64 = 2_000;

/// A step that was taken for cut off is looked for among so many of the newest.
pub(super) const RECENT_STEPS: i64 = 50;

/// Where a look stands among the steps.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Moment {
    /// Between steps: a prompt, a save by hand.
    #[default]
    Between,
    /// Right before this step, which begins with the look.
    Before(Box<NewStep>),
    /// Right after this step, which ends with the look.
    After(StepNumber, Outcome),
}

impl Store<'_> {
    /// Notes a step as a whole: one that was stopped, or that only looked.
    pub fn note_step(&mut self, step: &NewStep, outcome: &Outcome) -> Result<StepNumber> {
        let now = self.context.now_ms();
        self.db.write(false, |transaction| {
            let number = begin(transaction, step, None, now)?;
            close(transaction, number, outcome, None, now)?;
            Ok(number)
        })
    }

    /// Begins a step without a look.
    pub fn begin_step(&mut self, step: &NewStep) -> Result<StepNumber> {
        let now = self.context.now_ms();
        self.db.write(false, |transaction| begin(transaction, step, None, now))
    }

    /// Ends a step without a look.
    pub fn end_step(&mut self, number: StepNumber, outcome: &Outcome) -> Result<()> {
        let now = self.context.now_ms();
        self.db.write(false, |transaction| close(transaction, number, outcome, None, now))
    }

    /// Notes why a step that has begun may run: vib said yes in the person's place. (G1)
    pub fn approve_step(&mut self, number: StepNumber, reason: &str) -> Result<()> {
        self.db.write(false, |transaction| {
            transaction.execute("UPDATE step SET reason = ?2 WHERE number = ?1", (number.0, reason))?;
            Ok(())
        })
    }

    /// The client of a step that goes on asks the person whether it may run. (M1)
    pub fn note_waiting(&mut self, number: StepNumber) -> Result<()> {
        self.db.write(false, |transaction| {
            let told = Told { waited: true, ..told_of(transaction, number)? };
            transaction.execute(
                "UPDATE step SET told = ?2 WHERE number = ?1 AND ending = 0",
                (number.0, told.to_text()),
            )?;
            Ok(())
        })
    }

    /// The step that a client means when it says that a call has ended: by the call's id, else by what it is (the first of those that are the
    /// same), else the newest of this tool. A step that
    /// was taken for cut off and ends after all goes on until then: a person may speak while a tool still runs.
    pub fn running_step(
        &mut self,
        session: &str,
        agent: Option<&str>,
        call_id: Option<&str>,
        tool: &str,
        what: Option<&str>,
    ) -> Result<Option<StepNumber>> {
        let mut statement = self.db.reader().prepare_cached(
            "SELECT number FROM step
             WHERE ending = 0 AND session = ?1 AND (?2 IS NULL AND agent IS NULL OR agent = ?2)
               AND (call_id = ?3 OR ?3 IS NULL AND tool = ?4 OR call_id IS NULL AND tool = ?4 AND what IS ?5)
             ORDER BY (?3 IS NOT NULL AND call_id = ?3) DESC, what IS ?5 DESC,
                 CASE WHEN what IS ?5 THEN number ELSE -number END LIMIT 1",
        )?;
        let running: Option<i64> =
            statement.query_row((session, agent, call_id, tool, what), |row| row.get(0)).optional()?;
        drop(statement);
        let (None, Some(call_id)) = (running, call_id) else { return Ok(running.map(StepNumber)) };
        let mut statement = self.db.reader().prepare_cached(
            "SELECT number FROM step
             WHERE number > (SELECT max(number) FROM step) - ?5 AND ending = ?4 AND session = ?1
               AND (?2 IS NULL AND agent IS NULL OR agent = ?2) AND call_id = ?3
             ORDER BY number DESC LIMIT 1",
        )?;
        let values = (session, agent, call_id, Ending::CutOff.code(), RECENT_STEPS);
        let found: Option<i64> = statement.query_row(values, |row| row.get(0)).optional()?;
        drop(statement);
        if let Some(number) = found {
            self.db.write(false, |transaction| {
                transaction.execute("DELETE FROM loose_end WHERE step = ?1", [number])?;
                // What a command said was let go when it was taken for cut off: nothing explains its lines any more.
                let told = told_of(transaction, StepNumber(number))?;
                let told = Told { unproven_all: told.edits.is_empty(), ..told };
                Ok(transaction.execute(
                    "UPDATE step SET ending = 0, ended_ms = NULL, told = CASE WHEN claims IS NULL THEN ?2 ELSE told END
                     WHERE number = ?1",
                    (number, told.to_text()),
                )?)
            })?;
        }
        Ok(found.map(StepNumber))
    }

    /// What a step may write, as it said when it began.
    pub fn claims_of(&self, number: StepNumber) -> Result<Claims> {
        let mut statement = self.db.reader().prepare_cached("SELECT claims FROM step WHERE number = ?1")?;
        Ok(statement.query_row([number.0], |row| row.get(0)).optional()?.unwrap_or_default())
    }

    /// An agent that does one thing after the other has begun `next`: what it began before and never ended was cut off, unless it began so
    /// shortly before that both are made at once.
    pub fn cut_off_earlier(&mut self, session: &str, agent: Option<&str>, next: StepNumber) -> Result<usize> {
        let now = self.context.now_ms();
        let some = self
            .db
            .reader()
            .prepare_cached(&format!("SELECT 1 FROM step WHERE {OPEN_BEFORE}"))?
            .exists((session, agent, next.0, now - AT_ONCE_MS))?;
        if !some {
            return Ok(0);
        }
        self.db.write(false, |transaction| cut_off_before(transaction, session, agent, next, now))
    }

    /// A session goes on or ends: what it had begun and never ended was cut off.
    pub fn cut_off_steps(&mut self, session: &str) -> Result<usize> {
        let some = self
            .db
            .reader()
            .prepare_cached("SELECT 1 FROM step WHERE ending = 0 AND session = ?1")?
            .exists([session])?;
        if !some {
            return Ok(0);
        }
        let now = self.context.now_ms();
        self.db.write(false, |transaction| {
            let mut statement =
                transaction.prepare_cached("SELECT number FROM step WHERE ending = 0 AND session = ?1")?;
            let open: Vec<i64> =
                statement.query_map([session], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
            cut_off(transaction, &open, now)
        })
    }
}

/// What an agent began before a step, not at the same time, and never ended. Of steps from another project only the newest goes on: they announce
/// nothing by which they could be told apart.
const OPEN_BEFORE: &str =
    "ending = 0 AND session = ?1 AND (?2 IS NULL AND agent IS NULL OR agent = ?2) AND number < ?3
     AND (started_ms < ?4 OR account GLOB '{\"from\"*')";

/// Cuts off what this agent began before `next` and never ended.
pub(crate) fn cut_off_before(
    transaction: &Transaction<'_>,
    session: &str,
    agent: Option<&str>,
    next: StepNumber,
    now: i64,
) -> Result<usize> {
    let mut statement =
        transaction.prepare_cached(&format!("SELECT number FROM step WHERE {OPEN_BEFORE}"))?;
    let rows = statement.query_map((session, agent, next.0, now - AT_ONCE_MS), |row| row.get(0))?;
    let open: Vec<i64> = rows.collect::<rusqlite::Result<_>>()?;
    cut_off(transaction, &open, now)
}

/// Nobody says any more how these ended. What they announced may still be found; what they only may have written is doubtful now.
fn cut_off(transaction: &Transaction<'_>, steps: &[i64], now: i64) -> Result<usize> {
    for number in steps.iter().copied().map(StepNumber) {
        transaction
            .prepare_cached("UPDATE step SET ending = ?2, ended_ms = ?3 WHERE number = ?1")?
            .execute((number.0, Ending::CutOff.code(), now))?;
        let told = told_of(transaction, number)?;
        if told.is_open() {
            transaction.execute("INSERT OR IGNORE INTO loose_end (step) VALUES (?1)", [number.0])?;
            if told.said.is_some() {
                set_told(transaction, number, &Told { said: None, ..told.clone() })?;
            }
        } else if !told.is_empty() {
            forget_told(transaction, number)?;
        }
        doubt(transaction, number, &told, now)?;
        doubt_shared(transaction, number, now)?;
    }
    Ok(steps.len())
}

/// What several steps share of which nobody said that one ran may be nobody's work of them: it is as doubtful as with one of them alone.
fn doubt_shared(transaction: &Transaction<'_>, number: StepNumber, now: i64) -> Result<()> {
    let mut statement = transaction.prepare_cached(
        "SELECT path, seq, shared FROM change WHERE step = ?1 AND shared IS NOT NULL ORDER BY seq",
    )?;
    let rows = statement.query_map([number.0], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let rows: Vec<(i64, i64, String)> = rows.collect::<rusqlite::Result<_>>()?;
    let mut hand: Option<StepNumber> = None;
    for (path, seq, shared) in rows.iter().rev() {
        let sharing: Vec<StepNumber> =
            shared.split(',').filter_map(|one| one.parse().ok()).map(StepNumber).collect();
        let mut others = sharing.iter().filter(|one| **one != number);
        if !others.try_fold(true, |all, one| Ok::<_, crate::Error>(all && never_ran(transaction, *one)?))? {
            continue;
        }
        let by = match hand {
            Some(by) => by,
            None => by_hand(transaction, *seq, now)?,
        };
        hand = Some(by);
        let all: Vec<StepNumber> = sharing.iter().copied().chain([by]).collect();
        transaction
            .prepare_cached("UPDATE change SET shared = ?3 WHERE path = ?1 AND seq = ?2 AND shared = ?4")?
            .execute((path, seq, shared_text(&all), shared))?;
        transaction
            .prepare_cached(
                "INSERT INTO change SELECT ?4, path, seq, was_kind, was_mode, was_size, was_hash, was_sensitive, is_kind, is_mode,
                     is_size, is_hash, is_sensitive, shared, undone_by FROM change WHERE step = ?1 AND path = ?2 AND seq = ?3",
            )?
            .execute((number.0, path, seq, by.0))?;
    }
    hand.map_or(Ok(()), |hand| count_files(transaction, hand))
}

/// Nobody said that this step ran: it was cut off, refused or stopped.
fn never_ran(transaction: &Transaction<'_>, step: StepNumber) -> Result<bool> {
    let endings = [Ending::CutOff, Ending::Refused, Ending::Stopped].map(Ending::code);
    Ok(transaction
        .prepare_cached("SELECT 1 FROM step WHERE number = ?1 AND actor = ?2 AND ending IN (?3, ?4, ?5)")?
        .exists((step.0, Actor::Agent.code(), endings[0], endings[1], endings[2]))?)
}

/// What a step that nobody said had ended was given, and what it did not announce, may be somebody else's as well.
fn doubt(transaction: &Transaction<'_>, number: StepNumber, told: &Told, now: i64) -> Result<()> {
    let mut statement = transaction.prepare_cached(
        "SELECT c.path, c.seq, p.path FROM change c JOIN path p ON p.id = c.path WHERE c.step = ?1 AND c.shared IS NULL
         ORDER BY c.seq",
    )?;
    let rows = statement.query_map([number.0], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let rows: Vec<(i64, i64, Vec<u8>)> = rows.collect::<rusqlite::Result<_>>()?;
    let unproven: Vec<&(i64, i64, Vec<u8>)> =
        rows.iter().filter(|(_, _, path)| told.about(path).is_none_or(|edit| edit.unclear)).collect();
    let is_edit = !told.edits.is_empty();
    let Some((_, seq, _)) = unproven.last().filter(|_| !is_edit) else { return Ok(()) };
    let hand = by_hand(transaction, *seq, now)?;
    let shared = shared_text(&[number, hand]);
    for (path, seq, _) in unproven {
        transaction
            .prepare_cached("UPDATE change SET shared = ?4 WHERE step = ?1 AND path = ?2 AND seq = ?3")?
            .execute((number.0, path, seq, &shared))?;
        transaction
            .prepare_cached(
                "INSERT INTO change SELECT ?4, path, seq, was_kind, was_mode, was_size, was_hash, was_sensitive, is_kind, is_mode,
                     is_size, is_hash, is_sensitive, shared, undone_by FROM change WHERE step = ?1 AND path = ?2 AND seq = ?3",
            )?
            .execute((number.0, path, seq, hand.0))?;
    }
    count_files(transaction, hand)
}

/// The client says that a step did not run: what it was given meanwhile was done by hand.
fn give_back(transaction: &Transaction<'_>, number: StepNumber, now: i64) -> Result<()> {
    doubt_shared(transaction, number, now)?;
    let seq: Option<i64> = transaction
        .prepare_cached("SELECT max(seq) FROM change WHERE step = ?1 AND shared IS NULL")?
        .query_row([number.0], |row| row.get(0))?;
    let Some(seq) = seq else { return Ok(()) };
    let hand = by_hand(transaction, seq, now)?;
    transaction
        .prepare_cached("UPDATE change SET step = ?2 WHERE step = ?1 AND shared IS NULL")?
        .execute((number.0, hand.0))?;
    count_files(transaction, hand)?;
    count_files(transaction, number)
}

pub(super) fn told_of(transaction: &Transaction<'_>, number: StepNumber) -> Result<Told> {
    let text: Option<Option<String>> = transaction
        .prepare_cached("SELECT told FROM step WHERE number = ?1")?
        .query_row([number.0], |row| row.get(0))
        .optional()?;
    Ok(Told::from_text(text.flatten().as_deref()))
}

pub(super) fn set_told(transaction: &Transaction<'_>, number: StepNumber, told: &Told) -> Result<()> {
    transaction
        .prepare_cached("UPDATE step SET told = ?2 WHERE number = ?1")?
        .execute((number.0, told.to_text()))?;
    Ok(())
}

/// What a command said whose end nobody will tell is let go like that of one that ended.
fn forget_abandoned(transaction: &Transaction<'_>, now: i64) -> Result<()> {
    let mut statement = transaction.prepare_cached(
        "SELECT number FROM step WHERE ending = 0 AND started_ms < ?1 AND told LIKE '%\"said\":%'",
    )?;
    let rows = statement.query_map([now - LONGEST_STEP_MS], |row| row.get(0))?;
    let abandoned: Vec<i64> = rows.collect::<rusqlite::Result<_>>()?;
    for number in abandoned.into_iter().map(StepNumber) {
        let told = told_of(transaction, number)?;
        set_told(transaction, number, &Told { said: None, ..told })?;
    }
    Ok(())
}

fn forget_told(transaction: &Transaction<'_>, number: StepNumber) -> Result<()> {
    transaction.prepare_cached("UPDATE step SET told = NULL WHERE number = ?1")?.execute([number.0])?;
    transaction.prepare_cached("DELETE FROM loose_end WHERE step = ?1")?.execute([number.0])?;
    Ok(())
}

/// An announced edit was seen in its file: whatever comes there now is another change. One that ends with this look is done anyway.
pub(super) fn note_made(
    transaction: &Transaction<'_>,
    look: &LookAt<'_>,
    one: &Running,
    path: &RelPath,
) -> Result<()> {
    if look.ending.is_some_and(|(step, _)| step == one.number) {
        return Ok(());
    }
    let mut told = told_of(transaction, one.number)?;
    for edit in told.edits.iter_mut().filter(|edit| edit.path.as_bytes() == path.as_bytes()) {
        // Only that it was made matters from now on.
        *edit =
            super::told::Announced { path: std::mem::take(&mut edit.path), made: true, ..Default::default() };
    }
    set_told(transaction, one.number, &told)
}

/// What was cut off and not found by a look at its file was never made.
pub(super) fn settle_loose_ends(transaction: &Transaction<'_>, look: &LookAt<'_>) -> Result<()> {
    let mut statement = transaction.prepare_cached("SELECT step FROM loose_end")?;
    let steps: Vec<i64> = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    for number in steps.into_iter().map(StepNumber) {
        let told = told_of(transaction, number)?;
        let is_seen = |path: &str| {
            look.whole_tree || look.by_name.iter().any(|seen| seen.as_bytes() == path.as_bytes())
        };
        if told.edits.iter().all(|edit| edit.made || is_seen(&edit.path)) {
            forget_told(transaction, number)?;
        }
    }
    forget_abandoned(transaction, look.now)
}

/// Enters a step. `account`: what vib is about to do, for one of its own.
pub(crate) fn begin(
    transaction: &Transaction<'_>,
    step: &NewStep,
    account: Option<&Account>,
    now: i64,
) -> Result<StepNumber> {
    let request = match &step.serves {
        Some(serves) => Some(upsert_request(transaction, serves, step.client.as_deref(), None, None, now)?),
        None => None,
    };
    let sources = step.sources.iter().filter_map(|path| std::str::from_utf8(path.as_bytes()).ok());
    let from = Elsewhere {
        from: step.from.clone(),
        sources: sources.map(str::to_owned).collect(),
        ..Elsewhere::default()
    };
    transaction
        .prepare_cached(
            "INSERT INTO step (actor, client, session, agent, agent_type, request, tool, call_id, what, claims, ending,
                 started_ms, before, account, told)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 0, ?11, (SELECT ifnull(max(seq), 0) FROM checkpoint), ?12, ?13)",
        )?
        .execute(rusqlite::params![
            step.actor.code(),
            step.client,
            step.session,
            step.agent,
            step.agent_type,
            request.map(|number| number.0),
            step.tool,
            step.call_id,
            step.what,
            step.claims,
            now,
            account.map(Account::to_text).or_else(|| from.to_text()),
            step.told.to_text(),
        ])?;
    Ok(StepNumber(transaction.last_insert_rowid()))
}

/// Ends a step. `after`: the checkpoint that its last look made.
pub(crate) fn close(
    transaction: &Transaction<'_>,
    number: StepNumber,
    outcome: &Outcome,
    after: Option<i64>,
    now: i64,
) -> Result<()> {
    if outcome.ending == Ending::Refused {
        give_back(transaction, number, now)?;
    }
    transaction
        .prepare_cached(
            "UPDATE step SET told = CASE WHEN EXISTS (SELECT 1 FROM change WHERE step = ?1) THEN ?7 END, ending = ?2, exit_code = ?3,
                 reason = ifnull(?4, reason), ended_ms = ?5, after = ifnull(?6, after),
                 files = (SELECT count(DISTINCT path) FROM change WHERE step = ?1)
             WHERE number = ?1",
        )?
        .execute(rusqlite::params![
            number.0,
            outcome.ending.code(),
            outcome.exit_code,
            outcome.reason,
            now,
            after,
            told_of(transaction, number)?.of_ended(),
        ])?;
    Ok(())
}

/// The number of a request, entered if it is new. What is not known yet is added.
pub(crate) fn upsert_request(
    transaction: &Transaction<'_>,
    serves: &Serves,
    client: Option<&str>,
    prompt: Option<&str>,
    before: Option<i64>,
    now: i64,
) -> Result<RequestNumber> {
    let known: Option<(i64, bool)> = transaction
        .prepare_cached("SELECT number, prompt IS NOT NULL AND before IS NOT NULL FROM request WHERE session = ?1 AND turn = ?2")?
        .query_row((&serves.session, &serves.turn), |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    if let Some((number, complete)) = known {
        if !complete && (prompt.is_some() || before.is_some()) {
            transaction
                .prepare_cached(
                    "UPDATE request SET prompt = ifnull(prompt, ?2), before = ifnull(before, ?3) WHERE number = ?1",
                )?
                .execute((number, prompt, before))?;
        }
        return Ok(RequestNumber(number));
    }
    transaction
        .prepare_cached(
            "INSERT INTO request (client, session, turn, prompt, started_ms, before) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(rusqlite::params![client, serves.session, serves.turn, prompt, now, before])?;
    Ok(RequestNumber(transaction.last_insert_rowid()))
}

/// A step that is going on, for the question whose a change is.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) number: StepNumber,
    pub(super) claims: Claims,
    pub(super) told: Told,
    /// The command line.
    pub(super) what: Option<String>,
    /// It is vib itself, which writes exactly what it says.
    pub(super) is_vib: bool,
    /// It was cut off, and what it announced was not looked for yet.
    pub(super) is_cut_off: bool,
    pub(super) started_ms: i64,
}

pub(super) fn running(transaction: &Transaction<'_>, now: i64) -> Result<Vec<Running>> {
    let mut statement = transaction.prepare_cached(
        "SELECT number, claims, actor, told, started_ms, 0, what FROM step WHERE ending = 0 AND started_ms >= ?1
         UNION ALL SELECT number, claims, actor, told, started_ms, 1, what FROM step
             WHERE number IN (SELECT step FROM loose_end) AND ending <> 0
         ORDER BY 1",
    )?;
    let rows = statement.query_map([now - LONGEST_STEP_MS], |row| {
        Ok(Running {
            number: StepNumber(row.get(0)?),
            claims: row.get(1)?,
            is_vib: row.get::<_, u8>(2)? == Actor::Vib.code(),
            told: Told::from_text(row.get_ref(3)?.as_str_or_null()?),
            started_ms: row.get(4)?,
            is_cut_off: row.get(5)?,
            what: row.get(6)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Enters what was done by hand, or by another program, between two looks.
pub(super) fn by_hand(transaction: &Transaction<'_>, seq: i64, now: i64) -> Result<StepNumber> {
    transaction
        .prepare_cached(
            "INSERT INTO step (actor, ending, started_ms, ended_ms, before, after)
             VALUES (?1, ?2, ifnull((SELECT max(created_ms) FROM checkpoint WHERE seq = ?3 - 1), ?4), ?4, ?3 - 1, ?3)",
        )?
        .execute((Actor::ByHand.code(), Ending::Ran.code(), seq, now))?;
    Ok(StepNumber(transaction.last_insert_rowid()))
}
