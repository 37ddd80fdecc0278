//! What is written down about a lane, in its own state folder: `lane.json`. The tree holds nothing of it, so whatever happens to the folder,
//! the lane is known.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::LaneError;
use crate::{Result, private_file};

const FILE: &str = "lane.json";
const SCHEMA_VERSION: u32 = 1;

/// How a lane stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LaneStatus {
    /// It is being made; whoever makes it holds its lock.
    Making,
    /// Work may go on in it.
    Open,
    /// What it did is in the project; work may go on all the same.
    Landed,
    /// Put away. Its history is kept, and it can be brought back.
    Dropped,
}

/// A moment at which lane and project agreed about files: what both have changed since is held against it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agreed {
    /// The number of the lane's checkpoint at that moment.
    pub lane_seq: i64,
    /// How it came about.
    pub by: By,
    /// The number of the project's checkpoint before a landing: a file that is again as it was then has not landed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<i64>,
    /// Files about which they did not agree: the moment before counts for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub except: Vec<String>,
}

/// How lane and project came to agree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// The lane landed, with this step of the project; not any more if that was taken back.
    Landing(i64),
    /// The project's changes were brought into the lane: the project's checkpoint with this number.
    Merge(i64),
}

/// Everything that is known about a lane.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Record {
    schema_version: u32,
    /// Its name.
    pub name: String,
    /// Where its files are.
    pub folder: PathBuf,
    /// How it stands.
    pub status: LaneStatus,
    /// When it was made, milliseconds since 1970.
    pub made_ms: i64,
    /// Who made it: `person`, or the client.
    pub made_by: String,
    /// The checkpoint of the project that it began with.
    pub from: String,
    /// The number of that checkpoint.
    pub from_seq: i64,
    /// What was typed for it: a step, a request, a checkpoint, or `now`.
    pub from_words: String,
    /// Folders that no state holds and that came along.
    #[serde(default)]
    pub carried: Vec<String>,
    /// When lane and project agreed since, the last one last.
    #[serde(default)]
    pub agreed: Vec<Agreed>,
    /// Its folder was put away or given to another lane.
    #[serde(default)]
    pub folder_given_up: bool,
    /// When it last landed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub landed_ms: Option<i64>,
    /// When it was dropped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped_ms: Option<i64>,
    /// What a newer vib wrote.
    #[serde(flatten)]
    rest: serde_json::Map<String, serde_json::Value>,
}

impl Record {
    /// One of a lane that is about to be made.
    pub(super) fn new(
        name: &str,
        folder: &Path,
        from: (&str, i64, &str),
        made_ms: i64,
        made_by: &str,
    ) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            name: name.to_owned(),
            folder: folder.to_path_buf(),
            status: LaneStatus::Making,
            made_ms,
            made_by: made_by.to_owned(),
            from: from.0.to_owned(),
            from_seq: from.1,
            from_words: from.2.to_owned(),
            carried: Vec::new(),
            agreed: Vec::new(),
            folder_given_up: false,
            landed_ms: None,
            dropped_ms: None,
            rest: serde_json::Map::new(),
        }
    }

    /// What is written down; none where nothing is.
    pub(super) fn read(state: &Path, name: &str) -> Result<Option<Self>> {
        let bytes = match std::fs::read(state.join(FILE)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(store::Error::Io(error).into()),
        };
        let read = serde_json::from_slice(&bytes);
        read.map(Some).map_err(|_| LaneError::Unreadable(name.to_owned()).into())
    }

    /// Writes it down, by rename.
    pub(super) fn write(&self, state: &Path) -> Result<()> {
        let text = serde_json::to_vec_pretty(self).map_err(|error| store::Error::Io(error.into()))?;
        private_file::write(&state.join(FILE), &text).map_err(store::Error::from)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_newer_vib_wrote_survives() {
        let folder = tempfile::tempdir().unwrap();
        let mut record = Record::new("a", Path::new("/l/1"), ("cafe", 3, "now"), 5, "person");
        record.rest.insert("later".to_owned(), serde_json::json!({"x": 1}));
        record.agreed.push(Agreed {
            lane_seq: 4,
            by: By::Landing(7),
            before: Some(2),
            except: vec!["a.txt".to_owned()],
        });
        record.write(folder.path()).unwrap();
        let read = Record::read(folder.path(), "a").unwrap().unwrap();
        assert_eq!(read.rest["later"]["x"], 1);
        assert_eq!(read.agreed, record.agreed);
        std::fs::write(folder.path().join(FILE), "{").unwrap();
        assert_eq!(Record::read(folder.path(), "a").unwrap_err().code(), "lane_unreadable");
    }
}
