//! Old steps go with the content they name. A change lets its content go with the checkpoint whose look found it; what was told of it
//! stays readable for a while longer, then its row goes too.

use rusqlite::Transaction;

use crate::Result;

/// The changes whose content is still needed: those that a kept checkpoint found.
pub(crate) const KEPT_CHANGES: &str =
    "change WHERE seq IN (SELECT seq FROM checkpoint WHERE expired_ms IS NULL)";

/// Forgets steps that ended before `until` and whose content is let go, and requests that nothing belongs to any more.
pub(crate) fn forget_steps(transaction: &Transaction<'_>, until: i64) -> Result<usize> {
    transaction.execute_batch(
        "CREATE TEMP TABLE IF NOT EXISTS forgotten (step INTEGER PRIMARY KEY); DELETE FROM temp.forgotten;",
    )?;
    let some = transaction.execute(
        "INSERT INTO temp.forgotten SELECT s.number FROM step s
         WHERE ifnull(s.ended_ms, s.started_ms) < ?1
           AND NOT EXISTS (SELECT 1 FROM change c JOIN checkpoint k ON k.seq = c.seq
                           WHERE c.step = s.number AND k.expired_ms IS NULL)
           AND NOT EXISTS (SELECT 1 FROM operation o WHERE o.step = s.number AND o.state = 'running')",
        [until],
    )?;
    if some == 0 {
        return Ok(0);
    }
    transaction.execute("DELETE FROM change WHERE step IN (SELECT step FROM temp.forgotten)", [])?;
    transaction.execute("DELETE FROM step WHERE number IN (SELECT step FROM temp.forgotten)", [])?;
    transaction.execute(
        "DELETE FROM request WHERE started_ms < ?1
           AND NOT EXISTS (SELECT 1 FROM step s WHERE s.request = request.number)
           AND NOT EXISTS (SELECT 1 FROM checkpoint c WHERE c.expired_ms IS NULL AND c.session = request.session
                           AND c.turn = request.turn)",
        [until],
    )?;
    Ok(some)
}
