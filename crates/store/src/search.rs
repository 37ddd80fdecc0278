//! Finding checkpoints among thousands: pages, words, sessions, and how much happened when.

use crate::checkpoint::{self, Checkpoint, CheckpointKind};
use crate::{Result, Store};

/// Which checkpoints to look for.
#[derive(Debug, Clone, Default)]
pub struct Search {
    /// Only those before this one.
    pub before: Option<i64>,
    /// At the most this many.
    pub limit: usize,
    /// Safety checkpoints too; those made before a patch are always listed.
    pub with_safety: bool,
    /// Only those of this session.
    pub session: Option<String>,
    /// Only pinned ones.
    pub pinned: bool,
    /// Only those with this text in their prompt, message, tool, agent, id, or in the path of a file that they saved.
    pub text: Option<String>,
}

/// How much was saved in a stretch of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Activity {
    /// When the stretch begins, milliseconds since 1970.
    pub from_ms: i64,
    /// Checkpoints made in it.
    pub checkpoints: u64,
    /// Files that had changed, all together.
    pub files_changed: u64,
}

impl Store<'_> {
    /// The checkpoints that fit, newest first.
    pub fn search(&self, search: &Search) -> Result<Vec<Checkpoint>> {
        // Letter case is ignored as far as ASCII goes. `instr` takes the text literally: nothing in it is a pattern.
        let mut statement = self.db.reader().prepare_cached(&format!(
            "SELECT {} FROM checkpoint c
             WHERE c.expired_ms IS NULL AND (?1 OR c.kind <> ?2 OR c.cause = ?3) AND c.seq < ?4
               AND (?5 IS NULL OR c.session = ?5) AND (NOT ?6 OR c.pinned)
               AND (?7 IS NULL
                 OR instr(lower(coalesce(c.message, '') || char(10) || coalesce(c.tool, '') || char(10)
                        || coalesce(c.agent, '') || char(10) || c.id), ?7)
                 OR EXISTS (SELECT 1 FROM request t WHERE t.session = c.session AND t.turn = c.turn
                            AND instr(lower(t.prompt), ?7))
                 OR EXISTS (SELECT 1 FROM observed o JOIN path p ON p.id = o.path WHERE o.seq = c.seq
                            AND instr(lower(CAST(p.path AS TEXT)), ?7))
                 OR EXISTS (SELECT 1 FROM version v JOIN path p ON p.id = v.path WHERE v.first = c.seq
                            AND instr(lower(CAST(p.path AS TEXT)), ?7)))
             ORDER BY c.seq DESC LIMIT ?8",
            checkpoint::COLUMNS
        ))?;
        let text = search
            .text
            .as_deref()
            .map(|text| text.trim().to_ascii_lowercase())
            .filter(|text| !text.is_empty());
        let rows = statement.query_map(
            (
                search.with_safety,
                CheckpointKind::Safety.code(),
                crate::restore::PATCH_TRIGGER,
                search.before.unwrap_or(i64::MAX),
                search.session.as_deref(),
                search.pinned,
                text,
                i64::try_from(search.limit).unwrap_or(i64::MAX),
            ),
            checkpoint::from_row,
        )?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// How much happened, in stretches of `step_ms` since `since_ms`; stretches in which nothing happened are left out.
    pub fn activity(&self, since_ms: i64, step_ms: i64) -> Result<Vec<Activity>> {
        let step_ms = step_ms.max(1);
        let mut statement = self.db.reader().prepare_cached(
            "SELECT (c.created_ms - ?1) / ?2, count(*), sum(c.files_changed) FROM checkpoint c
             WHERE c.expired_ms IS NULL AND c.kind <> ?3 AND c.created_ms >= ?1 GROUP BY 1 ORDER BY 1",
        )?;
        let rows = statement.query_map((since_ms, step_ms, CheckpointKind::Safety.code()), |row| {
            Ok(Activity {
                from_ms: since_ms + row.get::<_, i64>(0)? * step_ms,
                checkpoints: row.get(1)?,
                files_changed: row.get(2)?,
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}
