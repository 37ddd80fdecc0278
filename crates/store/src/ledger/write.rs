//! Writing steps: they begin, they end, or they are told as a whole.

use rusqlite::{OptionalExtension, Transaction};

use super::account::Account;
use super::claims::Claims;
use super::elsewhere::Elsewhere;
use super::request::RequestNumber;
use super::step::{Actor, Ending, NewStep, Outcome, Serves, StepNumber};
use crate::{Result, Store};

/// A step that nobody ended within this time is over: the client died, or does not tell.
const LONGEST_STEP_MS: i64 = 6 * 3_600_000;

/// A step that was taken for cut off is looked for among so many of the newest.
const RECENT_STEPS: i64 = 50;

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

    /// The step that a client means when it says that a call has ended: by the call's id, else by what it is, else the newest of this tool. A step that
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
             ORDER BY (?3 IS NOT NULL AND call_id = ?3) DESC, what IS ?5 DESC, number DESC LIMIT 1",
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
                Ok(transaction
                    .execute("UPDATE step SET ending = 0, ended_ms = NULL WHERE number = ?1", [number])?)
            })?;
        }
        Ok(found.map(StepNumber))
    }

    /// What a step may write, as it said when it began.
    pub fn claims_of(&self, number: StepNumber) -> Result<Claims> {
        let mut statement = self.db.reader().prepare_cached("SELECT claims FROM step WHERE number = ?1")?;
        Ok(statement.query_row([number.0], |row| row.get(0)).optional()?.unwrap_or_default())
    }

    /// An agent that does one thing after the other has begun `next`: what it began before and never ended was cut off.
    pub fn cut_off_earlier(&mut self, session: &str, agent: Option<&str>, next: StepNumber) -> Result<usize> {
        const OPEN: &str =
            "ending = 0 AND session = ?1 AND (?2 IS NULL AND agent IS NULL OR agent = ?2) AND number < ?3";
        let some = self
            .db
            .reader()
            .prepare_cached(&format!("SELECT 1 FROM step WHERE {OPEN}"))?
            .exists((session, agent, next.0))?;
        if !some {
            return Ok(0);
        }
        let now = self.context.now_ms();
        self.db.write(false, |transaction| {
            Ok(transaction.execute(
                &format!("UPDATE step SET ending = ?4, ended_ms = ?5 WHERE {OPEN}"),
                (session, agent, next.0, Ending::CutOff.code(), now),
            )?)
        })
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
            Ok(transaction.execute(
                "UPDATE step SET ending = ?2, ended_ms = ?3 WHERE ending = 0 AND session = ?1",
                (session, Ending::CutOff.code(), now),
            )?)
        })
    }
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
    let from = Elsewhere { from: step.from.clone(), ..Elsewhere::default() };
    transaction
        .prepare_cached(
            "INSERT INTO step (actor, client, session, agent, agent_type, request, tool, call_id, what, claims, ending,
                 started_ms, before, account)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 0, ?11, (SELECT ifnull(max(seq), 0) FROM checkpoint), ?12)",
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
    transaction
        .prepare_cached(
            "UPDATE step SET ending = ?2, exit_code = ?3, reason = ifnull(?4, reason), ended_ms = ?5, after = ifnull(?6, after),
                 files = (SELECT count(DISTINCT path) FROM change WHERE step = ?1)
             WHERE number = ?1",
        )?
        .execute(rusqlite::params![
            number.0,
            outcome.ending.code(),
            outcome.exit_code,
            outcome.reason,
            now,
            after
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
pub(super) struct Running {
    pub(super) number: StepNumber,
    pub(super) claims: Claims,
    /// It is vib itself, which writes exactly what it says.
    pub(super) is_vib: bool,
}

pub(super) fn running(transaction: &Transaction<'_>, now: i64) -> Result<Vec<Running>> {
    let mut statement = transaction.prepare_cached(
        "SELECT number, claims, actor FROM step WHERE ending = 0 AND started_ms >= ?1 ORDER BY number",
    )?;
    let rows = statement.query_map([now - LONGEST_STEP_MS], |row| {
        let is_vib = row.get::<_, u8>(2)? == Actor::Vib.code();
        Ok(Running { number: StepNumber(row.get(0)?), claims: row.get(1)?, is_vib })
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
