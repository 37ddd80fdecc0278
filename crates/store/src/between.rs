//! A look that nobody made: the state of a file between the work of one and that of another, worked out from what an edit announced. And what
//! the disk says about a file besides its content.

use std::path::Path;

use project::platform::DirHandle;
use project::{Context, RelPath};
use rusqlite::Transaction;

use crate::checkpoint::CheckpointKind;
use crate::entry::Entry;
use crate::hash::ContentHash;
use crate::ignore_rules::MadeWith;
use crate::ledger::{Contents, Found, Trace};
use crate::pack::{self, BlobSink, ContentMeter, PackReader};
use crate::snapshot::{SnapshotRequest, insert_checkpoint};
use crate::{Result, versions};

/// What causes such a look.
const BETWEEN: &str = "between";

/// Marks that editors leave beside a file while it is open: what comes before its name and after it.
const EDITOR_MARKS: [(&str, &str); 6] =
    [(".", ".swp"), (".", ".swo"), (".#", ""), ("#", "#"), (".~lock.", "#"), (".", ".kate-swp")];

/// Enters such looks in the transaction of the look that found them.
pub(crate) struct Between<'a, 't> {
    pub(crate) transaction: &'a Transaction<'t>,
    pub(crate) context: &'a Context,
    pub(crate) folder: &'a Path,
    pub(crate) boot: Option<&'a str>,
    pub(crate) created_ms: i64,
}

impl Contents for Between<'_, '_> {
    fn recorded(&self, path: &RelPath) -> Result<Option<Entry>> {
        match versions::find_path(self.transaction, path.as_bytes())? {
            Some(id) => versions::at(self.transaction, i64::MAX, id),
            None => Ok(None),
        }
    }

    fn content(&self, hash: &ContentHash) -> Result<Vec<u8>> {
        PackReader::new(self.transaction, self.folder.to_path_buf()).read(hash)
    }

    fn enter_between(&mut self, path: &RelPath, entry: Entry, content: &[u8]) -> Result<(i64, Found)> {
        let sink = BlobSink::new(self.folder.to_path_buf(), false);
        sink.put(&mut ContentMeter::new(Some(self.transaction)), entry.hash, content)?;
        let (mut rows, output, bytes) = sink.finish()?;
        pack::place(self.transaction, self.folder, output, &mut rows, self.boot)?;
        let newest: i64 =
            self.transaction.query_row("SELECT ifnull(max(seq), 0) FROM checkpoint", [], |row| row.get(0))?;
        let rules = MadeWith::AsBefore.number(self.transaction, newest)?;
        let mut request = SnapshotRequest::new(CheckpointKind::Turn);
        request.origin.trigger = Some(BETWEEN.to_owned());
        let (seq, _) = insert_checkpoint(
            self.transaction,
            self.context,
            (&request, false),
            rules,
            self.created_ms,
            bytes,
        )?;
        let id = versions::path_id(self.transaction, path.as_bytes())?;
        let was = versions::record(self.transaction, seq, id, Some(&entry))?.flatten();
        self.transaction
            .prepare_cached("INSERT OR IGNORE INTO observed (seq, path) VALUES (?1, ?2)")?
            .execute((seq, id))?;
        self.transaction
            .prepare_cached("UPDATE checkpoint SET files_changed = 1 WHERE seq = ?1")?
            .execute([seq])?;
        Ok((seq, Found { path: id, name: path.clone(), was, is: Some(entry) }))
    }
}

/// What the disk says about a file; nothing where it cannot be seen.
pub(crate) fn trace(root: &Path, path: &RelPath) -> Trace {
    let (folder, name) = path.split();
    let Ok(folder) = DirHandle::open_root(root).and_then(|root| root.open_dir(folder)) else {
        return Trace::default();
    };
    let in_editor = EDITOR_MARKS.iter().any(|(before, after)| {
        let mark = [before.as_bytes(), name, after.as_bytes()].concat();
        folder.stat(&mark).is_ok()
    });
    Trace { in_editor }
}

/// When a file was last touched; of one that is gone, when something last came or went in its folder, which is not earlier than that.
pub(crate) fn touched(root: &Path, path: &RelPath) -> Option<i64> {
    let (mut folder, name) = path.split();
    let top = DirHandle::open_root(root).ok()?;
    loop {
        if let Ok(there) = top.open_dir(folder) {
            let stat = there.stat(name).or_else(|_| there.stat_self()).ok()?;
            // Where the system keeps no such time, nobody knows.
            return Some(stat.ctime_ns / 1_000_000).filter(|time| *time > 0);
        }
        // The folder is gone, too.
        let at = folder.iter().rposition(|&byte| byte == b'/');
        folder = match at {
            Some(at) => &folder[..at],
            None if folder.is_empty() => return None,
            None => &[],
        };
    }
}
