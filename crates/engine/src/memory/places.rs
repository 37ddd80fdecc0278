//! Where the logs are: one file per scope.

use std::path::{Path, PathBuf};

use ::memory::log::{Log, Scope};

use crate::{Engine, Error, Result};

/// Longest readable part of a session's name in the name of its file.
const NAME_SHOWN: usize = 40;

/// The log of the project.
pub(crate) fn project_log(engine: &Engine) -> Log {
    Log::at(folder(engine).join("project.jsonl")).with_outbox(outbox(engine, "project"))
}

/// Where events wait that could not be written: beside the memory folder, which may be what cannot be written. (T12)
fn outbox(engine: &Engine, name: &str) -> PathBuf {
    engine.project().shared_state().join("memory.outbox").join(format!("{name}.jsonl"))
}

/// Everything that memory keeps for this project.
pub(super) fn folder(engine: &Engine) -> PathBuf {
    engine.project().shared_state().join("memory")
}

/// Where old events of the project lie that compaction took out of its log.
pub(super) fn archive(engine: &Engine) -> PathBuf {
    folder(engine).join("archive")
}

/// The log into which facts of this scope are written. A session has to be named; a project and a person have one log each.
pub fn log_of(engine: &Engine, scope: Scope, session: Option<&str>) -> Result<Log> {
    Ok(match scope {
        Scope::Project => project_log(engine),
        Scope::Session => {
            let session =
                session.ok_or_else(|| Error::Usage("which session is meant was not said".to_owned()))?;
            let name = safe_name(session);
            let outbox = outbox(engine, &format!("session-{name}"));
            Log::at(folder(engine).join("sessions").join(format!("{name}.jsonl"))).with_outbox(outbox)
        }
        Scope::Global => {
            let folder = engine.context().memory().ok_or(Error::NoGlobalMemory)?;
            Log::at(folder.join("global.jsonl")).with_outbox(outbox(engine, "global"))
        }
    })
}

/// Every log there is, of one scope or of all: archived ones first, then as they are written to now. A log that nobody wrote
/// yet is named too (reading it gives nothing). An event stands in two of them only if a crash interrupted its move into
/// the archive: ids are unique, so take each once.
pub fn logs(engine: &Engine, scope: Option<Scope>) -> Result<Vec<(Scope, Log)>> {
    let wanted = |this: Scope| scope.is_none_or(|scope| scope == this);
    let mut found = Vec::new();
    if wanted(Scope::Project) {
        found.extend(files_in(&archive(engine)).into_iter().map(|path| (Scope::Project, Log::at(path))));
        found.push((Scope::Project, project_log(engine)));
    }
    if wanted(Scope::Session) {
        let sessions = files_in(&folder(engine).join("sessions"));
        found.extend(sessions.into_iter().map(|path| (Scope::Session, Log::at(path))));
    }
    if wanted(Scope::Global) {
        match log_of(engine, Scope::Global, None) {
            Ok(log) => found.push((Scope::Global, log)),
            // Asked for everything, a place that does not exist holds nothing.
            Err(Error::NoGlobalMemory) if scope.is_none() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

/// The logs in a folder, by name.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "jsonl"));
    files.sort();
    files
}

/// Session ids come from outside and may hold anything: what can be read of them, and a hash that tells them apart. (FNV-1a:
/// stable, and nothing here needs more.)
fn safe_name(session: &str) -> String {
    let readable: String = session
        .chars()
        .take(NAME_SHOWN)
        .map(|letter| if letter.is_ascii_alphanumeric() || letter == '-' { letter } else { '_' })
        .collect();
    let hash = session.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{readable}-{hash:016x}")
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use project::Context;

    use super::*;

    fn engine(base: &Path, variables: &'static [(&'static str, &'static str)]) -> Engine {
        let root = base.join("app");
        std::fs::create_dir_all(root.join(".git")).unwrap();
        let state = base.join("state");
        let get = move |name: &str| match name {
            "VIBELIGN_STATE" => Some(state.clone().into_os_string()),
            other => variables.iter().find(|(key, _)| *key == other).map(|(_, value)| OsString::from(value)),
        };
        Engine::open(Context::with_environment(root.canonicalize().unwrap(), &get)).unwrap()
    }

    #[test]
    fn each_scope_has_its_place_mm13() {
        let base = tempfile::tempdir().unwrap();
        let engine = engine(base.path(), &[("AI_MEMORY_PATH", "/somewhere/memory"), ("HOME", "/home/ana")]);
        let state = engine.project().state();
        let project = log_of(&engine, Scope::Project, None).unwrap();
        assert_eq!(project.path(), state.join("memory/project.jsonl"));
        let global = log_of(&engine, Scope::Global, None).unwrap();
        assert_eq!(global.path(), Path::new("/somewhere/memory/global.jsonl"));
        let session = log_of(&engine, Scope::Session, Some("../../etc/x y")).unwrap();
        assert_eq!(session.path().parent(), Some(state.join("memory/sessions").as_path()));
        let other = log_of(&engine, Scope::Session, Some("../../etc/x.y")).unwrap();
        assert_ne!(session.path(), other.path());
        assert_eq!(log_of(&engine, Scope::Session, None).unwrap_err().code(), "usage");
    }

    #[test]
    fn without_the_variable_the_settings_folder_is_meant_and_without_that_it_is_an_error_mm13() {
        let base = tempfile::tempdir().unwrap();
        let at_home = engine(base.path(), &[("HOME", "/home/ana")]);
        let global = log_of(&at_home, Scope::Global, None).unwrap();
        assert_eq!(global.path(), Path::new("/home/ana/.config/ai/memory/global.jsonl"));
        let nowhere = engine(base.path(), &[]);
        let error = log_of(&nowhere, Scope::Global, None).unwrap_err();
        assert_eq!((error.code(), error.exit_code()), ("no_global_memory", 3));
        assert!(error.next().contains("AI_MEMORY_PATH"));
        assert!(logs(&nowhere, Some(Scope::Global)).is_err());
        assert_eq!(logs(&nowhere, None).unwrap().len(), 1);
    }

    #[test]
    fn all_logs_are_found_the_archived_ones_first() {
        let base = tempfile::tempdir().unwrap();
        let engine = engine(base.path(), &[("HOME", "/home/ana")]);
        for name in ["archive/b.jsonl", "archive/a.jsonl", "archive/a.lock", "sessions/s.jsonl"] {
            let path = folder(&engine).join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let name = |log: &Log| log.path().file_name().unwrap().to_string_lossy().into_owned();
        let found: Vec<(Scope, String)> =
            logs(&engine, None).unwrap().iter().map(|(scope, log)| (*scope, name(log))).collect();
        let want = [
            (Scope::Project, "a.jsonl"),
            (Scope::Project, "b.jsonl"),
            (Scope::Project, "project.jsonl"),
            (Scope::Session, "s.jsonl"),
            (Scope::Global, "global.jsonl"),
        ];
        assert_eq!(found, want.map(|(scope, name)| (scope, name.to_owned())));
        assert_eq!(logs(&engine, Some(Scope::Session)).unwrap().len(), 1);
    }
}
