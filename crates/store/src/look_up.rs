//! Small questions about what is kept and what there was.

use project::RelPath;

use crate::checkpoint::{self, Checkpoint, CheckpointKind};
use crate::entry::Entry;
use crate::hash::ContentHash;
use crate::timeline::HistoryFilter;
use crate::view::View;
use crate::{Result, Store};

impl Store<'_> {
    /// True if this content is kept.
    pub fn has_content(&self, hash: &ContentHash) -> Result<bool> {
        Ok(self.db.reader().prepare_cached("SELECT 1 FROM blob WHERE hash = ?1")?.exists([hash])?)
    }

    /// True if a person saved the project at or after one checkpoint and before another.
    pub fn was_saved_by_a_person(&self, from: i64, until: i64) -> Result<bool> {
        let mut statement = self.db.reader().prepare_cached(
            "SELECT 1 FROM checkpoint WHERE kind IN (?3, ?4) AND NOT by_agent AND seq >= ?1 AND seq < ?2",
        )?;
        let (manual, commit) = (CheckpointKind::Manual.code(), CheckpointKind::Commit.code());
        Ok(statement.exists((from, until, manual, commit))?)
    }

    /// What is on the disk now at these paths, whatever the ignore rules say.
    pub fn present(&self, paths: &[RelPath]) -> Result<Vec<Option<Entry>>> {
        self.on_disk(paths.iter())
    }

    /// What a path was recorded as when this checkpoint was made.
    pub fn recorded_entry(&self, seq: i64, path: &RelPath) -> Result<Option<Entry>> {
        self.recorded_at(seq, path.as_bytes())
    }

    /// What people saved, the newest first: checkpoints made by hand, pinned, or with a commit, with safety ones if asked.
    pub fn saves(&self, filter: &HistoryFilter, limit: usize) -> Result<Vec<Checkpoint>> {
        let mut statement = self.db.reader().prepare_cached(&format!(
            "SELECT {} FROM checkpoint c
             WHERE c.expired_ms IS NULL AND (c.pinned OR c.kind IN (?1, ?2) OR (?3 AND c.kind = ?4)
                 OR (c.kind <> ?4 AND c.message IS NOT NULL)) AND c.seq < ?5
             ORDER BY c.seq DESC LIMIT ?6",
            checkpoint::COLUMNS
        ))?;
        let [manual, commit, safety] =
            [CheckpointKind::Manual, CheckpointKind::Commit, CheckpointKind::Safety]
                .map(CheckpointKind::code);
        let before = filter.before.unwrap_or(i64::MAX);
        let limit = if limit == 0 { -1 } else { i64::try_from(limit + 1).unwrap_or(-1) };
        let rows = statement
            .query_map((manual, commit, filter.with_safety, safety, before, limit), checkpoint::from_row)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// The newest kept checkpoint that a person gave this name, however they write its letters.
    pub fn saved_as(&self, name: &str) -> Result<Option<Checkpoint>> {
        let wanted = name.trim().to_lowercase();
        let named = |checkpoint: &Checkpoint| {
            checkpoint.message.as_deref().is_some_and(|message| message.trim().to_lowercase() == wanted)
        };
        Ok(self.saves(&HistoryFilter::default(), 0)?.into_iter().find(named))
    }

    /// Everything that was in a folder at a moment, in order, the folder itself not counted.
    pub fn paths_in(&self, view: &View, folder: &RelPath) -> Result<Vec<RelPath>> {
        let mut statement = self.db.reader().prepare_cached(
            "SELECT path FROM path WHERE length(path) > length(?1) AND substr(path, 1, length(?1)) = ?1 ORDER BY path",
        )?;
        let mut beginning = folder.as_bytes().to_vec();
        beginning.push(b'/');
        let recorded: Vec<Vec<u8>> =
            statement.query_map([&beginning], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        let unsaved = view.unsaved_paths().filter(|path| path.starts_with(&beginning)).map(<[u8]>::to_vec);
        let mut all: Vec<Vec<u8>> = recorded.into_iter().chain(unsaved).collect();
        all.sort_unstable();
        all.dedup();
        let mut out = Vec::new();
        for path in all {
            if self.entry_in(view, &path)?.is_some()
                && let Ok(path) = RelPath::new(&path)
            {
                out.push(path);
            }
        }
        Ok(out)
    }
}
