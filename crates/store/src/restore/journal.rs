//! The journal: a restore that was cut off is finished by the next command.
//!
//! Finishing is safe because every step can be tried again: a path that is already as the plan wants it is done, a path
//! that is still as it was when the plan was made is done now, and a path that somebody changed since is left alone and
//! named.

use project::RelPath;
use rusqlite::OptionalExtension;
use serde_json::{Value, json};

use super::apply::RestoreReport;
use super::plan::PATCH_TARGET;
use super::{Plan, Purpose};
use crate::entry::{Entry, EntryKind};
use crate::hash::ContentHash;
use crate::ledger::{self, Account, Actor, Claims, Ending, NewStep, Outcome, StepNumber};
use crate::progress::Progress;
use crate::timeline::Difference;
use crate::{Result, Store, TreeLock};

/// A restore that was done or begun.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Operation {
    /// Its id.
    pub id: String,
    /// The checkpoint it went back to.
    pub target: String,
    /// The number of the safety checkpoint made before it.
    pub safety_seq: i64,
    /// When it began, milliseconds since 1970.
    pub started_ms: i64,
}

impl Operation {
    /// What it was for.
    pub fn purpose(&self) -> Purpose {
        Purpose::of_target(&self.target)
    }
}

/// A restore that an earlier process did not finish, finished now.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Resumed {
    /// The restore.
    pub operation: Operation,
    /// What finishing it did.
    pub report: RestoreReport,
}

impl Store<'_> {
    /// True if an earlier restore was cut off. Costs one look-up; meant for the beginning of every command.
    pub fn has_unfinished_restore(&self) -> Result<bool> {
        let mut statement =
            self.db.reader().prepare_cached("SELECT 1 FROM operation WHERE state = 'running'")?;
        Ok(statement.exists([])?)
    }

    /// Finishes restores that were cut off.
    pub fn finish_restores(&mut self, lock: &TreeLock, progress: &dyn Progress) -> Result<Vec<Resumed>> {
        let running: Vec<(Operation, Vec<u8>, Option<i64>)> = {
            let mut statement = self.db.reader().prepare(
                "SELECT id, target, safety, started_ms, plan, step FROM operation WHERE state = 'running' ORDER BY started_ms",
            )?;
            let rows = statement.query_map([], |row| {
                let operation = Operation {
                    id: row.get(0)?,
                    target: row.get(1)?,
                    safety_seq: row.get(2)?,
                    started_ms: row.get(3)?,
                };
                Ok((operation, row.get::<_, Option<Vec<u8>>>(4)?.unwrap_or_default(), row.get(5)?))
            })?;
            rows.collect::<rusqlite::Result<_>>()?
        };
        let mut done = Vec::new();
        for (operation, packed, step) in running {
            let safety = self.safety_of_journal(lock, operation.safety_seq)?;
            let (Some(plan), Some(safety)) = (decode(&operation.target, &packed), safety) else {
                // Without the plan or the proof nothing may be touched.
                self.end_operation(&operation.id, "abandoned")?;
                if let Some(step) = step {
                    self.end_step(StepNumber(step), &Outcome::of(Ending::CutOff))?;
                }
                continue;
            };
            let mut report = self.apply_steps(&operation.id, &plan, &safety, true, &|| false, progress)?;
            // A restore that an earlier version began has no step.
            if let Some(step) = step.map(StepNumber) {
                report.step = Some(step);
                self.look_after(step, &plan, &report)?;
            }
            self.end_operation(&operation.id, "done")?;
            done.push(Resumed { operation, report });
        }
        Ok(done)
    }

    /// The newest restore that was finished and not taken back yet. A patch is none.
    pub fn last_restore(&self) -> Result<Option<Operation>> {
        let mut statement = self.db.reader().prepare_cached(
            "SELECT o.id, o.target, o.safety, o.started_ms FROM operation o JOIN checkpoint c ON c.seq = o.safety
             WHERE o.state = 'done' AND o.target <> ?1 AND c.expired_ms IS NULL ORDER BY o.safety DESC LIMIT 1",
        )?;
        let found = statement.query_row([PATCH_TARGET], |row| {
            Ok(Operation {
                id: row.get(0)?,
                target: row.get(1)?,
                safety_seq: row.get(2)?,
                started_ms: row.get(3)?,
            })
        });
        Ok(found.optional()?)
    }

    /// Writes down what is about to be done, and begins the step that it is in the history.
    pub(super) fn begin_operation(
        &mut self,
        id: &str,
        plan: &Plan,
        safety_seq: i64,
        account: &Account,
    ) -> Result<StepNumber> {
        let packed = encode(plan)?;
        let now = self.context.now_ms();
        let mut step = NewStep::of(Actor::Vib);
        step.tool = Some(account.tool.clone());
        step.what.clone_from(&account.what);
        (step.client, step.session) = account.asked_in.clone().unzip();
        step.claims = Claims::Named(plan.paths());
        self.db.write(true, |transaction| {
            let mut account = account.clone();
            if account.undoes_unsaved {
                let mut statement = transaction.prepare("SELECT DISTINCT step FROM change WHERE seq = ?1")?;
                let steps = statement.query_map([safety_seq], |row| Ok(StepNumber(row.get(0)?)))?;
                account.undoes.extend(steps.collect::<rusqlite::Result<Vec<_>>>()?);
            }
            let number = ledger::begin(transaction, &step, Some(&account), now)?;
            transaction.execute(
                "INSERT INTO operation (id, state, started_ms, safety, target, plan, step)
                 VALUES (?1, 'running', ?2, ?3, ?4, ?5, ?6)",
                (id, now, safety_seq, &plan.target, packed, number.0),
            )?;
            Ok(number)
        })
    }

    pub(super) fn end_operation(&mut self, id: &str, state: &str) -> Result<()> {
        let now = self.context.now_ms();
        self.db.write(false, |transaction| {
            transaction.execute(
                "UPDATE operation SET state = ?2, ended_ms = ?3, plan = NULL WHERE id = ?1",
                (id, state, now),
            )?;
            Ok(())
        })
    }
}

impl Plan {
    /// The plan as bytes, to keep it until somebody says yes.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        encode(self)
    }

    /// A plan that was kept; none if the bytes are no plan. Every path is checked anew.
    pub fn from_bytes(target: &str, bytes: &[u8]) -> Option<Self> {
        decode(target, bytes)
    }
}

fn encode(plan: &Plan) -> Result<Vec<u8>> {
    let hex = |bytes: &[u8]| -> String { bytes.iter().map(|byte| format!("{byte:02x}")).collect() };
    let entry = |entry: &Option<Entry>| -> Value {
        entry
            .as_ref()
            .map_or(Value::Null, |e| json!([e.kind.code(), e.mode, e.size, e.hash.to_hex(), e.sensitive]))
    };
    let changes: Vec<Value> = plan
        .changes
        .iter()
        .map(|change| json!([hex(change.path.as_bytes()), entry(&change.before), entry(&change.after)]))
        .collect();
    Ok(zstd::encode_all(Value::Array(changes).to_string().as_bytes(), 1)?)
}

fn decode(target: &str, packed: &[u8]) -> Option<Plan> {
    let text = zstd::decode_all(packed).ok()?;
    let changes: Vec<Value> = serde_json::from_slice(&text).ok()?;
    let changes = changes
        .iter()
        .map(|change| {
            let path = RelPath::new(&unhex(change.get(0)?.as_str()?)?).ok()?;
            Some(Difference {
                path,
                before: decode_entry(change.get(1)?)?,
                after: decode_entry(change.get(2)?)?,
            })
        })
        .collect::<Option<_>>()?;
    Some(Plan { target: target.to_owned(), purpose: Purpose::of_target(target), changes })
}

fn decode_entry(value: &Value) -> Option<Option<Entry>> {
    if value.is_null() {
        return Some(None);
    }
    let number = |at: usize| value.get(at)?.as_u64();
    Some(Some(Entry {
        kind: EntryKind::from_code(u8::try_from(number(0)?).ok()?)?,
        mode: u32::try_from(number(1)?).ok()?,
        size: number(2)?,
        hash: ContentHash::from_bytes(unhex(value.get(3)?.as_str()?)?.try_into().ok()?),
        sensitive: value.get(4)?.as_bool()?,
    }))
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    if !digits.len().is_multiple_of(2) || !digits.is_ascii() {
        return None;
    }
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_survives_the_journal_with_any_name() {
        let entry = Entry {
            kind: EntryKind::File,
            mode: 0o755,
            size: 1 << 40,
            hash: ContentHash::of(b"x"),
            sensitive: true,
        };
        let change =
            |path: &[u8], before, after| Difference { path: RelPath::new(path).unwrap(), before, after };
        let plan = Plan {
            target: "kmtz".to_owned(),
            purpose: Purpose::Restore,
            changes: vec![
                change(b"a\xff\n b", Some(entry), None),
                change(b"dir/x", None, Some(Entry::folder(0o700))),
            ],
        };
        let read = decode("kmtz", &encode(&plan).unwrap()).unwrap();
        assert_eq!(read.changes, plan.changes);
        assert!(decode("kmtz", b"rubbish").is_none());
    }
}
