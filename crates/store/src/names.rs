//! Which names the store has ever seen: so that a mistyped one is not taken for a file that did not change.

use project::RelPath;

use crate::{Result, Store, versions};

impl Store<'_> {
    /// True if something at this path, or in it, was saved at any time that is still kept.
    pub fn knows(&self, path: &RelPath) -> Result<bool> {
        let reader = self.db.reader();
        if let Some(id) = versions::find_path(reader, path.as_bytes())? {
            let mut statement =
                reader.prepare_cached("SELECT EXISTS (SELECT 1 FROM version WHERE path = ?1)")?;
            if statement.query_row([id], |row| row.get(0))? {
                return Ok(true);
            }
        }
        // `0` is the byte after `/`. Paths have no index of their own; this is asked only about names that are not there.
        let inside = [path.as_bytes(), b"/"].concat();
        let behind = [path.as_bytes(), b"0"].concat();
        let mut statement = reader.prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM path p WHERE p.path > ?1 AND p.path < ?2
             AND EXISTS (SELECT 1 FROM version v WHERE v.path = p.id))",
        )?;
        Ok(statement.query_row((inside, behind), |row| row.get(0))?)
    }

    /// The paths that were ever saved, as many as `most`.
    pub fn known_paths(&self, most: usize) -> Result<Vec<RelPath>> {
        let mut statement = self.db.reader().prepare_cached(
            "SELECT p.path FROM path p WHERE EXISTS (SELECT 1 FROM version v WHERE v.path = p.id) LIMIT ?1",
        )?;
        let limit = i64::try_from(most).unwrap_or(i64::MAX);
        let rows = statement.query_map([limit], |row| row.get::<_, Vec<u8>>(0))?;
        let mut paths = Vec::new();
        for row in rows {
            paths.extend(RelPath::new(&row?).ok());
        }
        Ok(paths)
    }
}
