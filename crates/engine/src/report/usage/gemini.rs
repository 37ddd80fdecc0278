//! Gemini CLI 0.61.0: `~/.gemini/tmp/PROJECT/chats/session-TIME-ABCDEFGH.jsonl` (the first letters of the session), sub-agents in `chats/SESSION/*.jsonl`. An answer is
//! written again when its tools have run, with the same id. `input` counts what came from the cache too; thinking is apart from `output`.

use std::path::Path;

use serde_json::Value;

use super::lines::{are_numbers, each, entries, name, number, text, time};
use super::{Call, Records, SessionUsage, Tokens};

pub(super) fn read(records: &mut Records<'_>, session: &str) -> Option<SessionUsage> {
    let projects = records.folder(None, ".gemini")?.join("tmp");
    let end = format!("-{}.jsonl", session.get(..8)?);
    let mut usage = SessionUsage::default();
    let mut found = None;
    for project in entries(&projects) {
        let chats = project.join("chats");
        for file in entries(&chats).iter().filter(|file| name(file).ends_with(&end)) {
            if is_of(file, session) {
                read_file(records, file, None, &mut usage)?;
                found = Some(());
            }
        }
        for helper in entries(&chats.join(session)) {
            let agent = name(&helper).trim_end_matches(".jsonl").to_owned();
            read_file(records, &helper, Some(&agent), &mut usage);
        }
    }
    found.map(|()| usage)
}

/// The first letters may be those of another session.
fn is_of(file: &Path, session: &str) -> bool {
    let mut is_it = false;
    let _ = each(file, &["\"sessionId\""], |line| {
        is_it |= line["sessionId"].as_str() == Some(session);
    });
    is_it
}

fn read_file(
    records: &mut Records<'_>,
    file: &Path,
    agent: Option<&str>,
    usage: &mut SessionUsage,
) -> Option<()> {
    each(file, &["\"tokens\""], |line| {
        let Some(id) = text(line, "/id").filter(|_| line["type"] == "gemini") else { return };
        let calls = line["toolCalls"].as_array().into_iter().flatten().filter_map(|call| text(call, "/id"));
        let call_ids: Vec<String> = calls.collect();
        if !records.is_new(&format!("gemini {id}")) {
            return;
        }
        let tokens = Tokens::of_prompt(
            number(line, "/tokens/input") + number(line, "/tokens/tool"),
            number(line, "/tokens/cached"),
            0,
            number(line, "/tokens/output") + number(line, "/tokens/thoughts"),
        );
        if line["tokens"].is_object() {
            usage.calls.push(Call {
                time_ms: time(line, "/timestamp"),
                model: line["model"].as_str().map(str::to_owned).filter(|_| line["model"] != Value::Null),
                agent: agent.map(str::to_owned),
                tokens,
                is_told: are_numbers(line, &["/tokens/input", "/tokens/output"]),
                call_ids,
            });
        }
    })
}
