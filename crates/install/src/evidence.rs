//! Which client really called, and when: what "protected" is said from.
//!
//! `<state>/projects/<id>/calls/<client>.json`, one small file per client, replaced whole. It is a note, not a log: it is
//! written at most every few seconds, without a flush to the disk; one that is lost or damaged means "never", and the next
//! call writes it anew. `vib doctor`'s own calls go to a project of their own, so they are never seen here.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use project::{Context, Project};
use serde::{Deserialize, Serialize};

use crate::Client;

/// A note that is younger is not written again: calls come many times a second.
const OFTEN_ENOUGH_MS: i64 = 20_000;
const VERSION: u32 = 1;
/// Nothing that vib writes here is longer.
const LONGEST_ID: usize = 200;

/// The last real call of one client in one project.
#[derive(Debug, Clone, Serialize, PartialEq, Eq)]
pub struct LastCall {
    /// The client.
    pub client: Client,
    /// When, by vib's clock.
    pub at_ms: i64,
    /// The event, as the client names it.
    pub event: String,
    /// The client's id of the session.
    pub session: Option<String>,
    /// Whose settings the call came from, where the command line in them says so.
    pub scope: Option<String>,
    /// When the note was written, by the clock of the file system: comparable with the times of settings files.
    #[serde(skip)]
    pub noted: SystemTime,
}

#[derive(Serialize, Deserialize)]
struct Note {
    version: u32,
    at_ms: i64,
    event: String,
    session: Option<String>,
    #[serde(default)]
    scope: Option<String>,
}

/// A call, as it comes in.
#[derive(Debug, Clone, Copy)]
pub struct RealCall<'c> {
    /// The client.
    pub client: Client,
    /// The event, as the client names it.
    pub event: &'c str,
    /// The client's id of the session.
    pub session: Option<&'c str>,
    /// Whose settings it came from, where the command line in them says so.
    pub scope: Option<&'c str>,
}

/// Notes that this client called. Best effort: a hook has better things to do than to fail here.
pub fn note(context: &Context, project: &Project, call: &RealCall<'_>) {
    let file = file(project.state(), call.client);
    let now = context.now_ms();
    let short = |text: &str| text.chars().take(LONGEST_ID).collect::<String>();
    let (session, scope) = (call.session.map(short), call.scope);
    let known = read(&file);
    let is_fresh = known.as_ref().is_some_and(|known| {
        known.session == session
            && known.scope.as_deref() == scope
            && (0..OFTEN_ENOUGH_MS).contains(&now.saturating_sub(known.at_ms))
    });
    if is_fresh {
        return;
    }
    // Whoever calls is an agent's client, whatever its program is called: what only a person may do is refused below it. (S5)
    engine::person::seen::note(context, call.client.name());
    let scope = scope.map(str::to_owned);
    let note = Note { version: VERSION, at_ms: now, event: short(call.event), session, scope };
    let _ = write(&file, &note);
}

/// The last call of every client that ever called in this project, the latest first.
pub fn last_calls(project: &Project) -> Vec<LastCall> {
    let of = |client| last_call(project.state(), client);
    let mut calls: Vec<LastCall> = Client::ALL.into_iter().filter_map(of).collect();
    calls.sort_by_key(|call| std::cmp::Reverse(call.at_ms));
    calls
}

/// The last call of one client in the project with this state folder.
pub(crate) fn last_call(project_state: &Path, client: Client) -> Option<LastCall> {
    let file = file(project_state, client);
    let Note { at_ms, event, session, scope, .. } = read(&file)?;
    let noted = std::fs::metadata(&file).and_then(|facts| facts.modified()).ok()?;
    Some(LastCall { client, at_ms, event, session, scope, noted })
}

fn file(project_state: &Path, client: Client) -> PathBuf {
    project_state.join("calls").join(format!("{client}.json"))
}

fn read(file: &Path) -> Option<Note> {
    let note: Note = serde_json::from_slice(&std::fs::read(file).ok()?).ok()?;
    (note.version == VERSION).then_some(note)
}

/// By rename, so that no reader sees half of it. No flush: after a power cut the next call writes it again.
fn write(file: &Path, note: &Note) -> std::io::Result<()> {
    let bytes = serde_json::to_vec(note).map_err(std::io::Error::other)?;
    let folder = file.parent().unwrap_or(file);
    if !folder.is_dir() {
        project::platform::make_private_dir(folder)?;
    }
    project::write_view(file, &bytes)
}

#[cfg(test)]
mod tests {

    use super::*;

    fn world(base: &Path) -> (Context, Project) {
        std::fs::create_dir_all(base.join("project/.git")).unwrap();
        let variables = [("VIBELIGN_STATE", base.join("state")), ("HOME", base.join("home"))];
        let get = |name: &str| variables.iter().find(|(n, _)| *n == name).map(|(_, v)| v.clone().into());
        let root = base.join("project").canonicalize().unwrap();
        let context = Context::with_environment(root, &get);
        let project = Project::open(&context).unwrap();
        (context, project)
    }

    fn called((context, project): &(Context, Project), session: &str, event: &str, scope: Option<&str>) {
        note(context, project, &RealCall { client: Client::Gemini, event, session: Some(session), scope });
    }

    #[test]
    fn c4_the_last_call_is_remembered_and_damage_means_never() {
        let tmp = tempfile::tempdir().unwrap();
        let world = world(tmp.path());
        let state = world.1.state();
        assert_eq!(last_calls(&world.1), []);
        called(&world, "one", "BeforeTool", Some("team"));
        let calls = last_calls(&world.1);
        assert_eq!(calls.len(), 1);
        let call = &calls[0];
        assert_eq!((call.client, call.event.as_str()), (Client::Gemini, "BeforeTool"));
        assert_eq!((call.session.as_deref(), call.scope.as_deref()), (Some("one"), Some("team")));
        assert!((world.0.now_ms() - call.at_ms).abs() < 60_000);

        std::fs::write(file(state, Client::Gemini), "{").unwrap();
        assert_eq!(last_calls(&world.1), [], "a damaged note is no evidence");
        called(&world, "one", "Stop", None);
        assert_eq!(last_calls(&world.1)[0].event, "Stop", "and the next call mends it");
    }

    #[test]
    fn c4_a_note_is_written_again_only_for_another_session_or_after_a_while() {
        let tmp = tempfile::tempdir().unwrap();
        let world = world(tmp.path());
        let state = world.1.state();
        called(&world, "one", "first", None);
        called(&world, "one", "second", None);
        assert_eq!(last_calls(&world.1)[0].event, "first", "a moment later nothing is written");
        called(&world, "two", "third", None);
        assert_eq!(last_calls(&world.1)[0].event, "third");
        let mut old = read(&file(state, Client::Gemini)).unwrap();
        for shift in [-OFTEN_ENOUGH_MS, 3_600_000] {
            old.at_ms = world.0.now_ms() + shift;
            write(&file(state, Client::Gemini), &old).unwrap();
            called(&world, "two", "later", None);
            let call = &last_calls(&world.1)[0];
            assert_eq!(call.event, "later", "old, or from a clock that was wrong");
            assert!(call.at_ms <= world.0.now_ms());
        }
    }
}
