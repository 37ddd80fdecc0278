//! What only the client's own record of a session tells: how a command of Codex ended. (M6)

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use serde_json::Value;

/// So many bytes of the end of the record are looked at: the call has just ended.
const LOOKED_AT: u64 = 256 * 1024;

/// The exit code of a command, by the id of its call; none if the record does not tell (yet).
pub(super) fn exit_code(transcript: &Path, call_id: &str) -> Option<i32> {
    let mut file = File::open(transcript).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let length = file.seek(SeekFrom::End(0)).ok()?;
    file.seek(SeekFrom::Start(length.saturating_sub(LOOKED_AT))).ok()?;
    let mut end = Vec::new();
    file.take(LOOKED_AT).read_to_end(&mut end).ok()?;
    let end = String::from_utf8_lossy(&end);
    let about_it = |line: &&str| line.contains(call_id) && line.contains("exit_code");
    end.lines().rev().filter(about_it).find_map(|line| told(&serde_json::from_str(line).ok()?, call_id))
}

/// `{"payload": {"item": {"id", "exit_code"}}}`, as recorded from 0.166.0; earlier versions wrote `{"payload": {"call_id", "exit_code"}}`.
fn told(line: &Value, call_id: &str) -> Option<i32> {
    let payload = line.get("payload")?;
    let about = payload.get("item").unwrap_or(payload);
    let is_it = ["id", "call_id"].iter().any(|name| about.get(name).and_then(Value::as_str) == Some(call_id));
    let code = about.get("exit_code").and_then(Value::as_i64).filter(|_| is_it)?;
    i32::try_from(code).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORDED: &str = include_str!("../../fixtures/codex/transcript/rollout.jsonl");

    fn code(record: &str, call_id: &str) -> Option<i32> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("rollout.jsonl");
        std::fs::write(&file, record).unwrap();
        exit_code(&file, call_id)
    }

    #[test]
    fn the_exit_code_is_found_by_the_id_of_the_call_m6() {
        assert_eq!(code(RECORDED, "call_00000000000000000400"), Some(0));
        assert_eq!(code(RECORDED, "call_00000000000000000600"), Some(3));
        assert_eq!(code(RECORDED, "call_00000000000000000700"), None, "it was stopped");
        assert_eq!(code(RECORDED, "call_unheard_of"), None);
        let earlier =
            r#"{"type":"event_msg","payload":{"type":"exec_command_end","call_id":"c","exit_code":2}}"#;
        assert_eq!(code(earlier, "c"), Some(2));
    }

    #[test]
    fn only_the_end_is_read_and_nothing_that_is_wrong_there_matters_m6() {
        let long = format!("{}\n{RECORDED}{{\"payload\": {{\"exit_code\"", "x".repeat(3 << 20));
        assert_eq!(code(&long, "call_00000000000000000600"), Some(3));
        let gone = format!("{RECORDED}{}", "x".repeat(3 << 20));
        assert_eq!(code(&gone, "call_00000000000000000600"), None);
        assert_eq!(exit_code(Path::new("/dev/zero"), "c"), None);
        assert_eq!(exit_code(Path::new("/no/such/file"), "c"), None);
    }
}
