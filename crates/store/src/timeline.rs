//! Looking at checkpoints: lists, ids, and what each one changed.

use project::RelPath;
use rusqlite::OptionalExtension;

use crate::checkpoint::{self, Checkpoint, CheckpointKind};
use crate::entry::Entry;
use crate::id::CheckpointId;
use crate::walk::Problem;
use crate::{Error, Result, Store, versions};

/// Which checkpoints to list.
#[derive(Debug, Clone, Copy, Default)]
pub struct HistoryFilter {
    /// Safety checkpoints too; those made before a patch are always listed.
    pub with_safety: bool,
    /// At the most this many; 0: all.
    pub limit: usize,
    /// Only those before this one.
    pub before: Option<i64>,
}

/// A path that is different between two moments.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Difference {
    /// The path.
    pub path: RelPath,
    /// What it was.
    pub before: Option<Entry>,
    /// What it is.
    pub after: Option<Entry>,
}

/// So many letters of an id at the least are shown, and mean it.
const SHORTEST: usize = 3;

impl Store<'_> {
    /// The checkpoints that are kept, newest first.
    pub fn history(&self, filter: &HistoryFilter) -> Result<Vec<Checkpoint>> {
        let mut statement = self.db.reader().prepare_cached(&format!(
            "SELECT {} FROM checkpoint c
             WHERE c.expired_ms IS NULL AND (?1 OR c.kind <> ?2 OR c.cause = ?5) AND c.seq < ?3
             ORDER BY c.seq DESC LIMIT ?4",
            checkpoint::COLUMNS
        ))?;
        let limit = if filter.limit == 0 { -1 } else { i64::try_from(filter.limit).unwrap_or(-1) };
        let before = filter.before.unwrap_or(i64::MAX);
        let rows = statement.query_map(
            (filter.with_safety, CheckpointKind::Safety.code(), before, limit, crate::restore::PATCH_TRIGGER),
            checkpoint::from_row,
        )?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// How many checkpoints of a kind are kept.
    pub fn count(&self, kind: CheckpointKind) -> Result<u64> {
        let mut statement = self
            .db
            .reader()
            .prepare_cached("SELECT count(*) FROM checkpoint WHERE kind = ?1 AND expired_ms IS NULL")?;
        Ok(statement.query_row([kind.code()], |row| row.get(0))?)
    }

    /// A checkpoint by its number.
    pub fn checkpoint(&self, seq: i64) -> Result<Option<Checkpoint>> {
        let mut statement = self
            .db
            .reader()
            .prepare_cached(&format!("SELECT {} FROM checkpoint c WHERE c.seq = ?1", checkpoint::COLUMNS))?;
        Ok(statement.query_row([seq], checkpoint::from_row).optional()?)
    }

    /// A checkpoint by its id or the beginning of it. One that has expired is an error that names the oldest left.
    pub fn resolve(&self, typed: &str) -> Result<Checkpoint> {
        let wanted = typed.trim().to_ascii_lowercase();
        // One letter of an id is a letter, and no id.
        if wanted.len() < SHORTEST || !CheckpointId::could_be_prefix(&wanted) {
            return Err(Error::NotACheckpoint(typed.to_owned()));
        }
        let mut statement = self.db.reader().prepare_cached(&format!(
            "SELECT {} FROM checkpoint c WHERE c.id >= ?1 AND c.id < ?1 || '~' ORDER BY c.seq DESC",
            checkpoint::COLUMNS
        ))?;
        let found: Vec<Checkpoint> =
            statement.query_map([&wanted], checkpoint::from_row)?.collect::<rusqlite::Result<_>>()?;
        let (kept, expired): (Vec<_>, Vec<_>) = found.into_iter().partition(|checkpoint| !checkpoint.expired);
        match kept.len() {
            1 => kept.into_iter().next().ok_or_else(|| Error::NotACheckpoint(typed.to_owned())),
            0 => match expired.first() {
                Some(gone) => Err(Error::SnapshotExpired {
                    id: gone.id.to_string(),
                    oldest_available: self.oldest()?.map(|oldest| oldest.id.to_string()),
                }),
                None => Err(Error::NotACheckpoint(typed.to_owned())),
            },
            count => {
                let examples: Vec<&str> =
                    kept.iter().take(4).map(|checkpoint| checkpoint.id.as_str()).collect();
                Err(Error::AmbiguousId { prefix: typed.to_owned(), count, examples: examples.join(", ") })
            }
        }
    }

    /// The oldest checkpoint that is kept, safety ones aside.
    pub fn oldest(&self) -> Result<Option<Checkpoint>> {
        let mut statement = self.db.reader().prepare_cached(&format!(
            "SELECT {} FROM checkpoint c WHERE c.expired_ms IS NULL AND c.kind <> ?1 ORDER BY c.seq LIMIT 1",
            checkpoint::COLUMNS
        ))?;
        Ok(statement.query_row([CheckpointKind::Safety.code()], checkpoint::from_row).optional()?)
    }

    /// The number of a checkpoint that is kept: this one, else the nearest one before it or, with `later`, after it.
    pub fn nearest_kept(&self, seq: i64, later: bool) -> Result<Option<i64>> {
        let sql = if later {
            "SELECT min(seq) FROM checkpoint WHERE expired_ms IS NULL AND seq >= ?1"
        } else {
            "SELECT max(seq) FROM checkpoint WHERE expired_ms IS NULL AND seq <= ?1"
        };
        Ok(self.db.reader().prepare_cached(sql)?.query_row([seq], |row| row.get(0))?)
    }

    /// The number of the oldest look at the whole tree that is kept.
    pub fn oldest_whole(&self) -> Result<Option<i64>> {
        let mut statement = self
            .db
            .reader()
            .prepare_cached("SELECT min(seq) FROM checkpoint WHERE expired_ms IS NULL AND whole_tree")?;
        Ok(statement.query_row([], |row| row.get(0))?)
    }

    /// Whether any state that is kept has this file, or something below this folder.
    pub fn has_saved(&self, path: &RelPath) -> Result<bool> {
        let below = [path.as_bytes(), b"/"].concat();
        let mut statement = self.db.reader().prepare_cached(
            "SELECT 1 FROM path p WHERE (p.path = ?2 OR substr(p.path, 1, length(?1)) = ?1)
               AND EXISTS (SELECT 1 FROM version v WHERE v.path = p.id AND v.kind <> 3) LIMIT 1",
        )?;
        Ok(statement.exists((below, path.as_bytes()))?)
    }

    /// How many letters of each id are enough to name it.
    pub fn prefix_length(&self, id: &CheckpointId) -> Result<usize> {
        let mut statement =
            self.db.reader().prepare_cached("SELECT max(id) FROM checkpoint WHERE id < ?1")?;
        let below: Option<String> = statement.query_row([id.as_str()], |row| row.get(0))?;
        let mut statement =
            self.db.reader().prepare_cached("SELECT min(id) FROM checkpoint WHERE id > ?1")?;
        let above: Option<String> = statement.query_row([id.as_str()], |row| row.get(0))?;
        let shared = |other: &Option<String>| {
            other
                .as_ref()
                .map_or(0, |other| id.as_str().bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count())
        };
        Ok((shared(&below).max(shared(&above)) + 1).clamp(SHORTEST, id.as_str().len()))
    }

    /// What a checkpoint recorded as different from what was known before it: from the one before it that is kept.
    pub fn recorded_in(&self, checkpoint: &Checkpoint) -> Result<Vec<Difference>> {
        let reader = self.db.reader();
        let kept: i64 = reader
            .prepare_cached(
                "SELECT ifnull(max(seq), 0) FROM checkpoint WHERE seq < ?1 AND expired_ms IS NULL",
            )?
            .query_row([checkpoint.seq], |row| row.get(0))?;
        let mut out = Vec::new();
        for id in versions::changed_between(reader, kept, checkpoint.seq)? {
            let before = versions::at(reader, kept, id)?;
            let after = versions::at(reader, checkpoint.seq, id)?;
            push_difference(&mut out, &versions::path_text(reader, id)?, before, after);
        }
        out.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        Ok(out)
    }

    /// The paths that a checkpoint looked at by name, and what they were.
    pub fn named_in(&self, checkpoint: &Checkpoint) -> Result<Vec<(RelPath, Option<Entry>)>> {
        let reader = self.db.reader();
        let mut statement = reader.prepare_cached("SELECT path FROM observed WHERE seq = ?1")?;
        let ids: Vec<i64> =
            statement.query_map([checkpoint.seq], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        let mut out = Vec::new();
        for id in ids {
            if let Ok(path) = RelPath::new(&versions::path_text(reader, id)?) {
                out.push((path, versions::at(reader, checkpoint.seq, id)?));
            }
        }
        out.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        Ok(out)
    }

    /// What a checkpoint could not save.
    pub fn problems_of(&self, checkpoint: &Checkpoint) -> Result<Vec<Problem>> {
        let mut statement = self
            .db
            .reader()
            .prepare_cached("SELECT path, code, detail FROM problem WHERE seq = ?1 ORDER BY path")?;
        let rows = statement.query_map([checkpoint.seq], |row| {
            let path: Vec<u8> = row.get(0)?;
            let code: String = row.get(1)?;
            Ok(Problem {
                path: String::from_utf8_lossy(&path).into_owned(),
                code: problem_code(&code),
                detail: row.get(2)?,
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Every path of a checkpoint of the whole tree, in order.
    pub fn each_entry(
        &self,
        checkpoint: &Checkpoint,
        mut each: impl FnMut(RelPath, Entry) -> Result<()>,
    ) -> Result<()> {
        versions::all_at(self.db.reader(), checkpoint.seq, |path, entry| match RelPath::new(&path) {
            Ok(path) => each(path, entry),
            Err(_) => Ok(()),
        })
    }

    /// Keeps a checkpoint for ever, or stops doing so.
    pub fn set_pinned(&mut self, checkpoint: &Checkpoint, pinned: bool) -> Result<()> {
        self.db.write(true, |transaction| {
            transaction
                .execute("UPDATE checkpoint SET pinned = ?2 WHERE seq = ?1", (checkpoint.seq, pinned))?;
            Ok(())
        })
    }
}

pub(crate) fn push_difference(
    out: &mut Vec<Difference>,
    path: &[u8],
    before: Option<Entry>,
    after: Option<Entry>,
) {
    let same = match (&before, &after) {
        (Some(before), Some(after)) => before.same_on_disk(after),
        (None, None) => true,
        _ => false,
    };
    if !same && let Ok(path) = RelPath::new(path) {
        out.push(Difference { path, before, after });
    }
}

/// Codes come back as the constants they were.
fn problem_code(code: &str) -> &'static str {
    ["unreadable", "changing", "special", "too_large", "bad_name", "lost", "not_yet"]
        .into_iter()
        .find(|known| *known == code)
        .unwrap_or("unreadable")
}
