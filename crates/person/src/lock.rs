//! An optional passphrase for what only a person may do: it holds where processes tell nothing, such as keys that an agent sends into
//! a terminal of the person's.
//!
//! `<state>/lock.json`: an argon2 hash, and how often a wrong one was typed. A try is written down before it is checked, so ending the
//! program does not make it undone. Whoever forgot the passphrase deletes that file by hand; an agent may not touch the state folder.

use std::path::{Path, PathBuf};

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash};
use project::{Context, FileLock};
use serde::{Deserialize, Serialize};

use crate::seen::states;
use crate::{ByPerson, Error, Result};

const VERSION: u32 = 1;
/// The name of the file in the state folder.
pub const FILE: &str = "lock.json";
/// A shorter one is no passphrase.
pub const LEAST: usize = 6;
/// So many wrong ones cost nothing but another try.
const FREE: u32 = 2;
/// The longest wait, in seconds.
const LONGEST: u64 = 15 * 60;

/// What a person typed. Never shown, never written.
pub struct Passphrase(String);

impl Passphrase {
    /// As it was typed.
    pub fn new(typed: String) -> Self {
        Self(typed)
    }
}

impl std::fmt::Debug for Passphrase {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Passphrase(…)")
    }
}

/// How the lock is.
#[derive(Debug, Serialize)]
pub struct Status {
    /// A passphrase is asked for.
    pub set: bool,
    /// Since when, milliseconds since 1970.
    pub since_ms: Option<i64>,
    /// Wrong ones since the last right one.
    pub failures: u32,
    /// Until the next try is possible, in seconds.
    pub wait_seconds: u64,
    /// The file that is deleted by hand if the passphrase is forgotten.
    pub file: PathBuf,
}

#[derive(Debug, Serialize, Deserialize)]
struct Stored {
    version: u32,
    hash: String,
    since_ms: i64,
    #[serde(default)]
    failures: u32,
    #[serde(default)]
    last_failure_ms: i64,
}

/// Sets a passphrase, or another one. Whoever sets another one has given the old one to get their proof.
pub fn set(context: &Context, _by: ByPerson, new: &Passphrase, again: &Passphrase) -> Result<Status> {
    if new.0 != again.0 {
        return Err(Error::Differ);
    }
    if new.0.chars().count() < LEAST {
        return Err(Error::TooShort { least: LEAST });
    }
    let file = existing(context).map_or_else(|| own_file(context), Ok)?;
    let salt: Vec<u8> = (0..2).flat_map(|_| context.secret_u64().to_le_bytes()).collect();
    let hash = Argon2::default().hash_password_with_salt(new.0.as_bytes(), &salt);
    let hash = hash.map_err(|error| unreadable(&file, error))?.to_string();
    write(
        &file,
        &Stored { version: VERSION, hash, since_ms: context.now_ms(), failures: 0, last_failure_ms: 0 },
    )?;
    status(context)
}

/// Takes the passphrase away.
pub fn remove(context: &Context, _by: ByPerson) -> Result<Status> {
    let file = existing(context).ok_or(Error::NotSet)?;
    std::fs::remove_file(&file).map_err(|error| unreadable(&file, error))?;
    status(context)
}

/// How it is.
pub fn status(context: &Context) -> Result<Status> {
    let Some(file) = existing(context) else {
        return Ok(Status {
            set: false,
            since_ms: None,
            failures: 0,
            wait_seconds: 0,
            file: own_file(context)?,
        });
    };
    let stored = read(&file)?;
    Ok(Status {
        set: true,
        since_ms: Some(stored.since_ms),
        failures: stored.failures,
        wait_seconds: left(&stored, context.wall_ms()),
        file,
    })
}

/// Asks for the passphrase where one is set, and checks it.
pub(crate) fn open(context: &Context, ask: &dyn Fn() -> std::io::Result<Passphrase>) -> Result<()> {
    let Some(file) = existing(context) else { return Ok(()) };
    waits(&read(&file)?, context.wall_ms())?;
    let typed = ask().map_err(|_| Error::NoTerminal)?;
    let _lock = FileLock::wait(&file.with_extension("lock")).map_err(|error| unreadable(&file, error))?;
    // Somebody else may have tried meanwhile.
    let mut stored = read(&file)?;
    waits(&stored, context.wall_ms())?;
    stored.failures = stored.failures.saturating_add(1);
    stored.last_failure_ms = context.wall_ms();
    write(&file, &stored)?;
    let hash = PasswordHash::new(&stored.hash).map_err(|error| unreadable(&file, error))?;
    if Argon2::default().verify_password(typed.0.as_bytes(), &hash).is_err() {
        return Err(Error::Wrong { wait: wait(stored.failures) });
    }
    (stored.failures, stored.last_failure_ms) = (0, 0);
    write(&file, &stored)
}

fn waits(stored: &Stored, now_ms: i64) -> Result<()> {
    match left(stored, now_ms) {
        0 => Ok(()),
        wait => Err(Error::Wait { failures: stored.failures, wait }),
    }
}

/// How long until the next try, in seconds. A clock that was turned back does not make it longer than the longest.
fn left(stored: &Stored, now_ms: i64) -> u64 {
    let wait = wait(stored.failures);
    let gone = now_ms.saturating_sub(stored.last_failure_ms).max(0) as u64 / 1000;
    wait.saturating_sub(gone).min(LONGEST)
}

/// 0, 0, 2, 4, 8 … seconds.
fn wait(failures: u32) -> u64 {
    match failures.saturating_sub(FREE) {
        0 => 0,
        more => 2u64.saturating_pow(more.min(32)).min(LONGEST),
    }
}

/// The file that counts: in the state folder of this run, else in the usual one, for a variable can lead to another.
fn existing(context: &Context) -> Option<PathBuf> {
    states(context).into_iter().map(|state| state.join(FILE)).find(|file| file.symlink_metadata().is_ok())
}

fn own_file(context: &Context) -> Result<PathBuf> {
    let state = context.state().map_err(|error| unreadable(Path::new(FILE), error))?;
    Ok(state.join(FILE))
}

fn read(file: &Path) -> Result<Stored> {
    let bytes = std::fs::read(file).map_err(|error| unreadable(file, error))?;
    let stored: Stored = serde_json::from_slice(&bytes).map_err(|error| unreadable(file, error))?;
    if stored.version > VERSION {
        return Err(unreadable(file, "a newer vib wrote it"));
    }
    Ok(stored)
}

fn write(file: &Path, stored: &Stored) -> Result<()> {
    let bytes = serde_json::to_vec_pretty(stored).map_err(|error| unreadable(file, error))?;
    if let Some(folder) = file.parent() {
        project::platform::make_private_dir(folder).map_err(|error| unreadable(file, error))?;
    }
    project::write_private(file, &bytes).map_err(|error| unreadable(file, error))
}

fn unreadable(file: &Path, error: impl std::fmt::Display) -> Error {
    Error::Unreadable { file: file.to_path_buf(), detail: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context(base: &Path) -> Context {
        let variables = [("VIBELIGN_STATE", base.join("state")), ("HOME", base.join("home"))];
        let get = |name: &str| variables.iter().find(|(n, _)| *n == name).map(|(_, v)| v.clone().into());
        Context::with_environment(base.to_path_buf(), &get)
    }

    fn typed(text: &str) -> Passphrase {
        Passphrase::new(text.to_owned())
    }

    fn give(context: &Context, text: &str) -> Result<()> {
        open(context, &|| Ok(typed(text)))
    }

    #[test]
    fn nothing_is_asked_until_one_is_set_and_then_only_the_right_one_opens_s5() {
        let tmp = tempfile::tempdir().expect("a folder");
        let context = context(tmp.path());
        let asked = || -> std::io::Result<Passphrase> { panic!("nobody is to be asked") };
        open(&context, &asked).expect("none is set");
        let by = ByPerson(());
        assert_eq!(
            set(&context, by, &typed("correct horse"), &typed("else")).unwrap_err().code(),
            "passphrases_differ"
        );
        assert_eq!(
            set(&context, by, &typed("abc"), &typed("abc")).unwrap_err().code(),
            "passphrase_too_short"
        );
        let status = set(&context, by, &typed("correct horse"), &typed("correct horse")).expect("set");
        assert!(status.set && status.failures == 0);
        let text = std::fs::read_to_string(&status.file).expect("the file");
        assert!(text.contains("$argon2id$") && !text.contains("horse"), "{text}");
        give(&context, "correct horse").expect("it is right");
        assert_eq!(give(&context, "wrong").unwrap_err().code(), "wrong_passphrase");
        assert_eq!(open(&context, &crate::nobody).unwrap_err().code(), "needs_terminal");
        give(&context, "correct horse").expect("a wrong one is forgiven");
        assert_eq!(super::status(&context).expect("a status").failures, 0);
        assert!(!remove(&context, by).expect("removed").set);
        open(&context, &asked).expect("none is set");
    }

    #[test]
    fn wrong_ones_wait_longer_each_time_even_if_the_program_is_ended_s5() {
        let tmp = tempfile::tempdir().expect("a folder");
        let context = context(tmp.path());
        let file =
            set(&context, ByPerson(()), &typed("correct horse"), &typed("correct horse")).expect("set").file;
        for _ in 0..3 {
            assert_eq!(give(&context, "wrong").unwrap_err().code(), "wrong_passphrase");
        }
        assert_eq!(
            give(&context, "correct horse").unwrap_err().code(),
            "passphrase_wait",
            "also for the right one"
        );
        let mut stored = read(&file).expect("the file");
        stored.last_failure_ms -= 3_000;
        write(&file, &stored).expect("written");
        give(&context, "correct horse").expect("it has waited");
        assert_eq!([1, 2, 3, 4, 5, 60].map(wait), [0, 0, 2, 4, 8, LONGEST]);
    }

    #[test]
    fn a_damaged_lock_is_no_open_door_and_another_state_no_way_around_s5() {
        let tmp = tempfile::tempdir().expect("a folder");
        let context = context(tmp.path());
        let usual = tmp.path().join("home/.local/state/vibelign");
        std::fs::create_dir_all(&usual).expect("folders");
        std::fs::write(usual.join(FILE), "{").expect("written");
        let error = give(&context, "x").unwrap_err();
        assert_eq!(error.code(), "lock_unreadable");
        assert!(error.next().contains("lock.json"), "{}", error.next());
    }
}
