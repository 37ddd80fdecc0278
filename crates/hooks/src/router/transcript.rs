//! What only the client's own record of a session tells: how a command of Codex ended. (M6)

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::event::Folder;
use crate::reading;

/// So many bytes of the end of the record are looked at: the call has just ended.
const LOOKED_AT: u64 = 256 * 1024;

/// So many bytes of its beginning.
const FIRST: u64 = 64 * 1024;
/// Codex writes a call down before it asks its hooks, but nobody promised that the line is there yet.
const TRIES: u32 = 4;
const BETWEEN: Duration = Duration::from_millis(15);
/// Copilot writes its record with a delay, which a busy machine draws out: the first looks come quickly, the last after five seconds.
const MESSAGE_BETWEEN: Duration = Duration::from_millis(50);
pub(super) const MESSAGE_AT_MOST: Duration = Duration::from_secs(5);
const HOOK_BEGINS: &str = "\"hook.start\"";

/// The folder that a command names, by the id of its call. (S3)
pub(super) fn folder(transcript: &Path, call_id: &str) -> Folder {
    for attempt in 0..TRIES {
        if attempt > 0 {
            std::thread::sleep(BETWEEN);
        }
        let Some(end) = end_of(transcript) else { return Folder::Untold };
        let about_it = |line: &&str| line.contains(call_id) && line.contains("\"call_id\"");
        let named = end.lines().rev().filter(about_it).find_map(|line| folder_in(line, call_id));
        if let Some(folder) = named {
            return folder;
        }
        // Inside a script the calls have ids of their own; the script itself is there.
        let script = end.lines().rev().find(|line| line.contains("\"custom_tool_call\""));
        if call_id.starts_with("exec-")
            && let Some(script) = script
        {
            let names_a_folder = ["workdir", "cwd", "chdir"].iter().any(|name| script.contains(name));
            return if names_a_folder { Folder::Untold } else { Folder::Session };
        }
    }
    Folder::Untold
}

/// The folder in which a session of Codex began: the first line of its record says it. The `cwd` of a call is where that call runs. (S3)
pub(super) fn session_folder(transcript: &Path) -> Option<PathBuf> {
    if !std::fs::metadata(transcript).ok()?.is_file() {
        return None;
    }
    let mut start = Vec::new();
    File::open(transcript).ok()?.take(FIRST).read_to_end(&mut start).ok()?;
    let line = start.split(|&byte| byte == b'\n').next()?;
    reading::mentions(line, "session_meta")
        .then(|| reading::glimpse(line, "cwd"))
        .flatten()
        .map(PathBuf::from)
}

/// `{"payload": {"call_id", "arguments": "{\"cmd\", \"workdir\"}"}}`, as recorded from 0.166.0.
fn folder_in(line: &str, call_id: &str) -> Option<Folder> {
    let line: Value = serde_json::from_str(line).ok()?;
    let payload = line.get("payload")?;
    if payload.get("call_id").and_then(Value::as_str) != Some(call_id) {
        return None;
    }
    let arguments = match payload.get("arguments").or_else(|| payload.get("action"))? {
        Value::String(text) => serde_json::from_str(text).ok()?,
        other => other.clone(),
    };
    let named = ["workdir", "cwd", "working_directory"].iter().find_map(|name| arguments.get(name)?.as_str());
    Some(
        named
            .filter(|folder| !folder.is_empty())
            .map_or(Folder::Session, |folder| Folder::Given(folder.into())),
    )
}

/// The exit code of a command, by the id of its call; none if the record does not tell (yet).
pub(super) fn exit_code(transcript: &Path, call_id: &str) -> Option<i32> {
    let end = end_of(transcript)?;
    let about_it = |line: &&str| {
        line.contains(call_id) && (line.contains("exit_code") || line.contains("function_call_output"))
    };
    end.lines().rev().filter(about_it).find_map(|line| told(&serde_json::from_str(line).ok()?, call_id))
}

/// The end of the record.
fn end_of(transcript: &Path) -> Option<String> {
    // A pipe in its place would never answer.
    if !std::fs::metadata(transcript).ok()?.is_file() {
        return None;
    }
    let mut file = File::open(transcript).ok()?;
    let length = file.seek(SeekFrom::End(0)).ok()?;
    file.seek(SeekFrom::Start(length.saturating_sub(LOOKED_AT))).ok()?;
    let mut end = Vec::new();
    file.take(LOOKED_AT).read_to_end(&mut end).ok()?;
    Some(String::from_utf8_lossy(&end).into_owned())
}

/// `{"payload": {"item": {"id", "exit_code"}}}`, as recorded from 0.166.0; earlier versions wrote `{"payload": {"call_id", "exit_code"}}`.
fn told(line: &Value, call_id: &str) -> Option<i32> {
    let payload = line.get("payload")?;
    let about = payload.get("item").unwrap_or(payload);
    let is_it = ["id", "call_id"].iter().any(|name| about.get(name).and_then(Value::as_str) == Some(call_id));
    if !is_it {
        return None;
    }
    match about.get("exit_code").and_then(Value::as_i64) {
        Some(code) => i32::try_from(code).ok(),
        None => told_in_words(about.get("output")?.as_str()?),
    }
}

/// What the model is told begins with it: `Exit code: 0`, `Process exited with code 0`.
fn told_in_words(output: &str) -> Option<i32> {
    let told = |line: &str| {
        let line = line.trim();
        line.strip_prefix("Exit code:")
            .or_else(|| line.strip_prefix("Process exited with code"))?
            .trim()
            .parse()
            .ok()
    };
    output.lines().take(6).find_map(told)
}

/// The last thing that the agent of Copilot said in this turn: `{"type": "assistant.message", "data": {"content", "toolRequests"}}` after the last
/// `user.message`, as recorded from 1.0.102. The record is written with a delay, so a quick turn ends while it still ends with the turn before. But
/// the client writes its calls of hooks down, too: once the very call that asks (`at_ms`) stands there, so does everything before it. Where
/// there is no record at all, none will come.
pub(super) fn last_message(transcript: &Path, at_ms: Option<i64>, wait: Duration) -> Option<String> {
    let begun = Instant::now();
    loop {
        let record = end_of(transcript)?;
        if let Some(before) = at_ms.and_then(|at_ms| before_the_stop(&record, at_ms)) {
            return last_said(before);
        }
        let writes_hooks_down = at_ms.is_some() && record.contains(HOOK_BEGINS);
        if !writes_hooks_down && let Some(said) = last_said(&record) {
            return Some(said);
        }
        if begun.elapsed() > wait {
            return None;
        }
        std::thread::sleep(MESSAGE_BETWEEN);
    }
}

/// The record up to this call of the hook at the end of a turn: `{"type": "hook.start", "data": {"hookType": "agentStop", "input": {"timestamp"}}}`.
fn before_the_stop(record: &str, at_ms: i64) -> Option<&str> {
    let told = at_ms.to_string();
    let asks = |line: &&str| line.contains(HOOK_BEGINS) && line.contains(&told) && is_stop(line, at_ms);
    let line = record.lines().rev().find(asks)?;
    record.get(..record.rfind(line)?)
}

fn is_stop(line: &str, at_ms: i64) -> bool {
    let Ok(line) = serde_json::from_str::<Value>(line) else { return false };
    let kind = line.pointer("/data/hookType").and_then(Value::as_str);
    kind == Some("agentStop") && line.pointer("/data/input/timestamp").and_then(Value::as_i64) == Some(at_ms)
}

/// The same of the turn before, once the next one has begun: the record may have the new prompt already.
pub(super) fn message_before(transcript: &Path) -> Option<String> {
    let record = end_of(transcript)?;
    last_said(&record).or_else(|| {
        let prompt = record.lines().rev().find(|line| is_prompt(line))?;
        last_said(&record[..record.rfind(prompt)?])
    })
}

fn is_prompt(line: &str) -> bool {
    let line: Option<Value> = serde_json::from_str(line).ok();
    line.is_some_and(|line| line.get("type").and_then(Value::as_str) == Some("user.message"))
}

fn last_said(record: &str) -> Option<String> {
    for line in record.lines().rev() {
        let Ok(line) = serde_json::from_str::<Value>(line) else { continue };
        match line.get("type").and_then(Value::as_str) {
            Some("assistant.message") => {
                let has_calls = line
                    .pointer("/data/toolRequests")
                    .and_then(Value::as_array)
                    .is_some_and(|calls| !calls.is_empty());
                // One that goes on to call something is not the last.
                let said = line
                    .pointer("/data/content")
                    .and_then(Value::as_str)
                    .filter(|said| !said.trim().is_empty());
                return said.filter(|_| !has_calls).map(str::to_owned);
            }
            Some("user.message") => return None,
            _ => {}
        }
    }
    None
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
    fn the_folder_is_found_by_the_id_of_the_call_s3() {
        let place = |record: &str, id: &str| {
            let tmp = tempfile::tempdir().unwrap();
            let file = tmp.path().join("rollout.jsonl");
            std::fs::write(&file, record).unwrap();
            folder(&file, id)
        };
        assert_eq!(place(RECORDED, "call_00000000000000000400"), Folder::Session);
        let named = RECORDED.replace(
            "{\\\"cmd\\\":\\\"rm -r ../letters\\\"",
            "{\\\"cmd\\\":\\\"rm -r letters\\\",\\\"workdir\\\":\\\"..\\\"",
        );
        assert_eq!(place(&named, "call_00000000000000000700"), Folder::Given("..".into()));
        assert_eq!(place(RECORDED, "call_unheard_of"), Folder::Untold);
        let script = |code: &str| {
            format!(
                "{{\"payload\":{{\"type\":\"custom_tool_call\",\"call_id\":\"c\",\"input\":\"{code}\"}}}}"
            )
        };
        assert_eq!(place(&script("exec('ls')"), "exec-1"), Folder::Session);
        assert_eq!(place(&script("exec('ls', {workdir: '/'})"), "exec-1"), Folder::Untold);
        assert_eq!(folder(Path::new("/no/such/file"), "c"), Folder::Untold);
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

    #[test]
    fn the_last_words_of_copilot_are_found_late_and_of_the_turn_before_hk8() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("events.jsonl");
        let said = |text: &str| {
            format!(
                "{{\"type\":\"assistant.message\",\"data\":{{\"content\":\"{text}\",\"toolRequests\":[]}}}}\n"
            )
        };
        let calls = "{\"type\":\"assistant.message\",\"data\":{\"content\":\"I look.\",\"toolRequests\":[{\"name\":\"bash\"}]}}\n";
        let prompt = "{\"type\":\"user.message\",\"data\":{\"content\":\"go on\"}}\n";
        let short = Duration::from_millis(60);
        assert_eq!(
            last_message(&file, None, Duration::from_secs(60)),
            None,
            "no record: nothing to wait for"
        );
        std::fs::write(&file, format!("{}{prompt}{calls}", said("Earlier."))).unwrap();
        assert_eq!(
            last_message(&file, None, short),
            None,
            "what was said before it called something is not the last"
        );
        assert_eq!(message_before(&file).as_deref(), Some("Earlier."));
        let late = file.clone();
        let line = said("Done.");
        let writer = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(150));
            let mut record = std::fs::read_to_string(&late).unwrap();
            record.push_str(&line);
            std::fs::write(&late, record).unwrap();
        });
        assert_eq!(last_message(&file, None, Duration::from_secs(20)).as_deref(), Some("Done."));
        writer.join().unwrap();
        // The next prompt is there: the turn before it ended with these words.
        let record = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, format!("{record}{prompt}")).unwrap();
        assert_eq!(message_before(&file).as_deref(), Some("Done."));
    }

    #[test]
    fn the_last_words_of_copilot_are_those_before_this_very_stop_hk8() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("events.jsonl");
        let said = |text: &str| {
            format!(
                "{{\"type\":\"assistant.message\",\"data\":{{\"content\":\"{text}\",\"toolRequests\":[]}}}}\n"
            )
        };
        let stop = |at: i64| {
            format!(
                "{{\"type\":\"hook.start\",\"data\":{{\"hookType\":\"agentStop\",\"input\":{{\"timestamp\":{at}}}}}}}\n"
            )
        };
        // A quick turn: the record still ends with the one before.
        std::fs::write(&file, format!("{}{}", said("Is that what you want?"), stop(100))).unwrap();
        assert_eq!(last_message(&file, Some(200), Duration::from_millis(60)), None);
        let late = file.clone();
        let more = format!("{}{}", said("All done!"), stop(200));
        let writer = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(150));
            let mut record = std::fs::read_to_string(&late).unwrap();
            record.push_str(&more);
            std::fs::write(&late, record).unwrap();
        });
        assert_eq!(last_message(&file, Some(200), Duration::from_secs(20)).as_deref(), Some("All done!"));
        writer.join().unwrap();
        assert_eq!(last_message(&file, Some(100), Duration::ZERO).as_deref(), Some("Is that what you want?"));
    }
}
