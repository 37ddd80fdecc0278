//! What the clients' own records tell of tokens, as recorded from the real clients: the sum is the model's own, sub-agents included.

#![allow(clippy::panic, reason = "a test fails where it stands, and tells what it measured")]

use std::path::{Path, PathBuf};

use project::Context;
use vib_engine::report::usage::{Records, SessionUsage, Tokens};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/usage")
}

fn read_from(home: &Path, client: &str, session: &str) -> Option<SessionUsage> {
    let get = |name: &str| (name == "HOME").then(|| home.as_os_str().to_owned());
    let context = Context::with_environment(std::env::temp_dir(), &get);
    Records::new(&context).session(client, session)
}

fn sum(usage: &SessionUsage) -> Tokens {
    let mut sum = Tokens::default();
    usage.calls.iter().for_each(|call| sum.add(call.tokens));
    sum
}

/// The one session of a client in the fixtures.
fn read(client: &str, session: &str) -> SessionUsage {
    read_from(&fixtures().join("home"), client, session).unwrap_or_else(|| panic!("{client} tells nothing"))
}

#[test]
fn claude_code_counts_each_answer_once_with_the_sub_agents() {
    let usage = read("claude-code", "20b29d95-6b62-4143-b3f8-050edd2459ed");
    assert_eq!(usage.calls.len(), 4);
    assert_eq!(sum(&usage), Tokens { input: 1028, cache_read: 60, cache_write: 30, output: 50 });
    assert_eq!(usage.calls.iter().filter(|call| call.agent.is_some()).count(), 1);
    assert!(usage.calls.iter().all(|call| call.model.as_deref() == Some("claude-sonnet-4-5")));
    assert_eq!(usage.told_cost, Some(0.003_964_499_999_999_999));
    assert_eq!(usage.calls[0].call_ids, ["toolu_00000000000000000100"]);
}

#[test]
fn codex_counts_the_thread_of_the_sub_agent() {
    let usage = read("codex", "01a1ea47-4498-7390-b44c-193b9d1f8abf");
    assert_eq!(usage.calls.len(), 3);
    assert_eq!(sum(&usage), Tokens { input: 603, cache_read: 18, cache_write: 0, output: 36 });
    assert_eq!(usage.calls.iter().filter(|call| call.agent.is_some()).count(), 1);
    assert!(usage.calls.iter().all(|call| call.model.as_deref() == Some("gpt-5.5")));
}

#[test]
fn gemini_counts_an_answer_that_is_written_twice_once() {
    let usage = read("gemini", "66205b5e-8913-4bf7-8388-c920180b6a97");
    assert_eq!(usage.calls.len(), 4);
    // Two tokens of thinking for each call.
    assert_eq!(sum(&usage), Tokens { input: 998, cache_read: 30, cache_write: 0, output: 58 });
    assert_eq!(usage.calls.iter().filter(|call| call.agent.is_some()).count(), 2);
}

#[test]
fn copilot_counts_by_call() {
    let usage = read("copilot", "7cd50edb-d47f-4aa4-a3ce-9f7c3a5750ee");
    assert_eq!(usage.calls.len(), 3);
    assert_eq!(sum(&usage), Tokens { input: 603, cache_read: 18, cache_write: 0, output: 36 });
    assert_eq!(usage.calls.iter().filter(|call| call.agent.is_some()).count(), 1);
}

#[test]
fn opencode_counts_the_sessions_of_sub_agents() {
    let base = tempfile::tempdir().unwrap();
    let folder = base.path().join(".local/share/opencode");
    std::fs::create_dir_all(&folder).unwrap();
    let database = rusqlite::Connection::open(folder.join("opencode.db")).unwrap();
    database.execute_batch(&std::fs::read_to_string(fixtures().join("opencode.sql")).unwrap()).unwrap();
    let usage = read_from(base.path(), "opencode", "ses_e15d935aeffez8hN6V0ZzXfBgq").unwrap();
    assert_eq!(usage.calls.len(), 3);
    assert_eq!(sum(&usage), Tokens { input: 894, cache_read: 27, cache_write: 0, output: 39 });
    assert_eq!(usage.calls.iter().filter(|call| call.agent.is_some()).count(), 1);
    assert_eq!(usage.told_cost, None, "a provider without prices says zero, which is no price");
}

#[test]
fn what_is_not_told_is_unknown_and_no_name_leads_out_of_the_records() {
    let home = fixtures().join("home");
    for (client, session) in [
        ("cursor", "20b29d95-6b62-4143-b3f8-050edd2459ed"),
        ("claude-code", "no-such-session"),
        ("claude-code", "../../../../etc/passwd"),
        ("copilot", ".."),
        ("gemini", "66205b5e-0000-0000-0000-000000000000"),
        ("codex", ""),
        ("opencode", "ses_x"),
    ] {
        assert_eq!(read_from(&home, client, session), None, "{client} {session}");
    }
}
