//! A yes that counts once, and grants with an end.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::ffi::OsString;

use project::Context;
use vib_engine::approvals::{self, Request};
use vib_engine::grants::{self, Capability};
use vib_engine::undo::Confirmation;
use vib_engine::{Engine, Error};

/// The proof that a person is here: tests have no agent above them.
fn person() -> vib_engine::person::ByPerson {
    use vib_engine::person::{Act, nobody, require};
    require(&Context::with_environment(std::env::temp_dir(), &|_| None), Act::GoBack, &nobody).unwrap()
}

fn engine(base: &tempfile::TempDir) -> Engine {
    let base = base.path().canonicalize().unwrap();
    std::fs::create_dir_all(base.join("project")).unwrap();
    let get = |name: &str| -> Option<OsString> {
        match name {
            "HOME" => Some(base.join("home").into_os_string()),
            "VIBELIGN_STATE" => Some(base.join("state").into_os_string()),
            "VIBELIGN_CONFIG" => Some(base.join("config").into_os_string()),
            _ => None,
        }
    };
    Engine::open(Context::with_environment(base.join("project"), &get)).unwrap()
}

fn request() -> Request {
    Request {
        client: "mcp:cursor".to_owned(),
        capability: Capability::RecoveryApply,
        plan: None,
        digest: "abc".to_owned(),
        summary: "bring back 2 files".to_owned(),
    }
}

#[test]
fn a_yes_is_for_one_client_one_change_and_one_time() {
    let base = tempfile::tempdir().unwrap();
    let engine = engine(&base);
    let asked = approvals::request(&engine, &request()).unwrap();
    let take = |client: &str, digest: &str| {
        approvals::take(&engine, &asked.id, client, Capability::RecoveryApply, digest)
    };
    let code = |error: Error| error.code();
    assert_eq!(take("mcp:cursor", "abc").map_err(code).unwrap_err(), "approval_pending");
    // A flag or a chat is no person at a terminal.
    for via in [Confirmation::Flag, Confirmation::Chat] {
        assert_eq!(approvals::approve(&engine, &asked.id, via).map_err(code).unwrap_err(), "needs_terminal");
    }
    approvals::approve(&engine, &asked.id, Confirmation::Terminal(person())).unwrap();
    assert!(approvals::pending(&engine).is_empty());
    assert_eq!(take("mcp:other", "abc").map_err(code).unwrap_err(), "approval_other");
    assert_eq!(take("mcp:cursor", "xyz").map_err(code).unwrap_err(), "approval_other");
    assert!(take("mcp:cursor", "abc").is_ok());
    assert_eq!(take("mcp:cursor", "abc").map_err(code).unwrap_err(), "approval_unknown");
}

#[test]
fn of_many_who_take_one_yes_one_gets_it() {
    let base = tempfile::tempdir().unwrap();
    let asked = approvals::request(&engine(&base), &request()).unwrap();
    approvals::approve(&engine(&base), &asked.id, Confirmation::Terminal(person())).unwrap();
    let got: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| {
                let (base, id) = (&base, &asked.id);
                scope.spawn(move || {
                    approvals::take(&engine(base), id, "mcp:cursor", Capability::RecoveryApply, "abc").is_ok()
                })
            })
            .collect();
        threads.into_iter().map(|thread| usize::from(thread.join().unwrap())).sum()
    });
    assert_eq!(got, 1);
}

#[test]
fn a_request_that_was_refused_or_is_too_old_is_gone() {
    let base = tempfile::tempdir().unwrap();
    let engine = engine(&base);
    let asked = approvals::request(&engine, &request()).unwrap();
    approvals::refuse(&engine, &asked.id).unwrap();
    assert!(approvals::approve(&engine, &asked.id, Confirmation::Terminal(person())).is_err());
    let asked = approvals::request(&engine, &request()).unwrap();
    approvals::approve(&engine, &asked.id, Confirmation::Terminal(person())).unwrap();
    // Six minutes later.
    let file = engine.project().state().join("approvals").join(format!("{}.json", asked.id));
    let text = std::fs::read_to_string(&file).unwrap();
    let old = format!("\"expires_ms\":{}", asked.expires_ms);
    std::fs::write(&file, text.replace(&old, &format!("\"expires_ms\":{}", asked.created_ms - 60_000)))
        .unwrap();
    assert!(approvals::take(&engine, &asked.id, "mcp:cursor", Capability::RecoveryApply, "abc").is_err());
}

#[test]
fn grants_are_given_by_people_end_and_can_be_taken_back() {
    let base = tempfile::tempdir().unwrap();
    let engine = engine(&base);
    let find = |client: &str| grants::find(&engine, client, "1.0", Capability::MemoryFullRead);
    let in_force = || {
        let list = grants::list(&engine).unwrap();
        list.grants.into_iter().filter(|grant| grant.is_in_force(list.now_ms)).map(|grant| grant.id).collect()
    };
    assert!(find("cursor").is_none(), "denied unless granted");
    let give =
        |lasts_ms: i64, via| grants::grant(&engine, "cursor", Capability::MemoryFullRead, lasts_ms, via);
    assert_eq!(give(60_000, Confirmation::Flag).unwrap_err().code(), "needs_terminal");
    let first = give(60_000, Confirmation::Terminal(person())).unwrap();
    let second = give(120_000, Confirmation::Terminal(person())).unwrap();
    let listed: Vec<String> = in_force();
    assert_eq!(listed, [second.id.as_str()], "the newer one takes the place of {}", first.id);
    assert_eq!(find("cursor").map(|grant| grant.id), Some(second.id.clone()));
    assert!(find("codex").is_none());
    assert!(grants::find(&engine, "cursor", "1.0", Capability::RecoveryApply).is_none());
    assert_eq!(grants::revoke(&engine, &second.id, None).unwrap().grants[0].id, second.id);
    assert!(find("cursor").is_none());
    give(1, Confirmation::Terminal(person())).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(5));
    assert!(find("cursor").is_none(), "its time is over");
    // A list that cannot be read grants nothing.
    std::fs::write(engine.project().state().join("grants.json"), "rubbish").unwrap();
    assert_eq!(grants::list(&engine).unwrap_err().code(), "grants_unreadable");
    assert!(find("cursor").is_none());
    assert!(
        Capability::ALL.iter().all(|capability| Capability::parse(capability.as_str()) == Some(*capability))
    );
}
