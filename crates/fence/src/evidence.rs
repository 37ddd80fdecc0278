//! Is the fence there, in this client? A setting proves nothing: a project's own settings, another shell or a newer client can switch it
//! off without a word. It is believed where a marked command was seen to begin behind it, and no longer once one was seen that did not.

use std::path::{Path, PathBuf};

use project::platform::make_private_dir;
use serde::{Deserialize, Serialize};

use crate::{Result, folder};

/// What was seen of one client.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// When a marked command last began behind the fence, in milliseconds since 1970.
    #[serde(default)]
    pub fenced_ms: Option<i64>,
    /// When one last did not.
    #[serde(default)]
    pub missed_ms: Option<i64>,
}

impl Seen {
    /// The last that was seen is a fence.
    pub fn is_live(self) -> bool {
        self.fenced_ms.is_some() && self.fenced_ms >= self.missed_ms
    }
}

fn file(state: &Path, client: &str) -> PathBuf {
    folder(state).join("seen").join(format!("{client}.json"))
}

/// What was seen of a client; lost or damaged means never.
pub fn seen(state: &Path, client: &str) -> Seen {
    let bytes = std::fs::read(file(state, client)).ok();
    bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

/// A marked command ended: was it behind the fence? Returns what was known before.
pub fn note(state: &Path, client: &str, was_fenced: bool, now_ms: i64) -> Result<Seen> {
    let before = seen(state, client);
    if before.is_live() && was_fenced {
        return Ok(before);
    }
    let after = match was_fenced {
        true => Seen { fenced_ms: Some(now_ms), ..before },
        false => Seen { missed_ms: Some(now_ms.max(before.fenced_ms.map_or(0, |then| then + 1))), ..before },
    };
    for folder in [state, &folder(state), &folder(state).join("seen")] {
        make_private_dir(folder)?;
    }
    project::write_view(&file(state, client), &serde_json::to_vec(&after).unwrap_or_default())?;
    Ok(before)
}

fn session(state: &Path, session: &str) -> PathBuf {
    folder(state).join("sessions").join(crate::allowed::key(session.as_bytes()))
}

/// A session whose shell was led to the file, and the project it is about: wherever its calls run, that one is open for them. (B8)
pub fn session_begins(state: &Path, id: &str, root: &Path) -> Result<()> {
    for folder in [state, &folder(state), &folder(state).join("sessions")] {
        make_private_dir(folder)?;
    }
    Ok(project::write_view(&session(state, id), &serde_json::to_vec(root).unwrap_or_default())?)
}

/// The project of a session that began; none: it did not. That it cannot be told is an error: rights can be changed from behind the
/// fence. (M2)
pub fn session_root(state: &Path, id: &str) -> Result<Option<PathBuf>> {
    match std::fs::read(session(state, id)) {
        // One that an older vib began has no project in it: an empty path.
        Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes).unwrap_or_default())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_believed_where_it_was_seen() {
        let tmp = tempfile::tempdir().unwrap();
        let state = tmp.path();
        assert!(!seen(state, "claude-code").is_live(), "never seen");
        note(state, "claude-code", true, 10).unwrap();
        assert!(seen(state, "claude-code").is_live() && !seen(state, "codex").is_live());
        note(state, "claude-code", false, 10).unwrap();
        assert!(!seen(state, "claude-code").is_live(), "the last word counts");
        note(state, "claude-code", true, 12).unwrap();
        assert!(seen(state, "claude-code").is_live());
        std::fs::write(file(state, "claude-code"), "{").unwrap();
        assert!(!seen(state, "claude-code").is_live());
    }

    #[test]
    fn the_project_of_a_session_stays_what_it_was_b8() {
        let tmp = tempfile::tempdir().unwrap();
        assert_eq!(session_root(tmp.path(), "s").unwrap(), None);
        session_begins(tmp.path(), "s", Path::new("/home/u/프로젝트")).unwrap();
        assert_eq!(session_root(tmp.path(), "s").unwrap(), Some(PathBuf::from("/home/u/프로젝트")));
        std::fs::write(session(tmp.path(), "s"), "").unwrap();
        assert_eq!(session_root(tmp.path(), "s").unwrap(), Some(PathBuf::new()), "begun by an older vib");
    }
}
