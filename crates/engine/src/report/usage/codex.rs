//! Codex 0.166.0: `~/.codex/sessions/YYYY/MM/DD/rollout-TIME-THREAD.jsonl`. A sub-agent is a thread with a record of its own, whose first line names the session. Each answer has
//! a `token_usage_record`; earlier versions wrote only `token_count` events, which repeat the last one and have no id.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::lines::{are_numbers, each, entries, name, number, text, time};
use super::{Call, Records, SessionUsage, Tokens};

/// Records of the same days that are asked whether they are of a sub-agent.
const MOST_OTHERS: usize = 400;
/// Days after the session began on which sub-agents are looked for.
const DAYS: usize = 3;

pub(super) fn read(records: &mut Records<'_>, session: &str) -> Option<SessionUsage> {
    let sessions = records.folder(Some("CODEX_HOME"), ".codex")?.join("sessions");
    let days: Vec<PathBuf> =
        entries(&sessions).iter().flat_map(|year| entries(year)).flat_map(|month| entries(&month)).collect();
    let is_own = |file: &PathBuf| name(file).ends_with(&format!("{session}.jsonl"));
    let first = days.iter().position(|day| entries(day).iter().any(is_own))?;
    let mut usage = SessionUsage::default();
    let near = days[first..].iter().take(DAYS).flat_map(|day| entries(day));
    let (own, others): (Vec<PathBuf>, Vec<PathBuf>) = near.partition(is_own);
    for file in own {
        read_file(records, &file, None, &mut usage);
    }
    for file in others.into_iter().take(MOST_OTHERS) {
        if let Some(helper) = helper_of(&file, session) {
            read_file(records, &file, Some(&helper), &mut usage);
        }
    }
    Some(usage)
}

/// The thread of a sub-agent of this session.
fn helper_of(file: &Path, session: &str) -> Option<String> {
    let mut found = None;
    let mut is_first = true;
    each(file, &["session_meta"], |line| {
        let is_it = line["type"] == "session_meta"
            && line.pointer("/payload/session_id").and_then(Value::as_str) == Some(session);
        if std::mem::take(&mut is_first) && is_it {
            found = text(line, "/payload/id");
        }
    })?;
    found
}

fn read_file(records: &mut Records<'_>, file: &Path, helper: Option<&str>, usage: &mut SessionUsage) {
    let mut model: Option<String> = None;
    let mut pending: Vec<String> = Vec::new();
    let (mut by_record, mut by_count): (Vec<(String, Call)>, Vec<Call>) = (Vec::new(), Vec::new());
    let mut total = None;
    let words = ["\"turn_context\"", "\"call_id\"", "\"token_usage_record\"", "\"token_count\""];
    let _ = each(file, &words, |line| {
        let call = |usage: &Value, call_ids: Vec<String>| Call {
            time_ms: time(line, "/timestamp"),
            model: model.clone(),
            agent: helper.map(str::to_owned),
            tokens: Tokens::of_prompt(
                number(usage, "/input_tokens"),
                number(usage, "/cached_input_tokens"),
                number(usage, "/cache_write_input_tokens"),
                number(usage, "/output_tokens"),
            ),
            is_told: are_numbers(usage, &["/input_tokens", "/output_tokens"]),
            call_ids,
        };
        let kind = line.pointer("/payload/type").and_then(Value::as_str).unwrap_or_default();
        match line["type"].as_str().unwrap_or_default() {
            "turn_context" => model = text(line, "/payload/model").or(model.take()),
            "response_item" if kind.ends_with("_call") => pending.extend(text(line, "/payload/call_id")),
            "token_usage_record" => {
                let id = text(line, "/payload/response_id").unwrap_or_default();
                by_record.push((id, call(&line["payload"]["usage"], std::mem::take(&mut pending))));
            }
            "event_msg" if kind == "token_count" => {
                let sum =
                    line.pointer("/payload/info/total_token_usage/total_tokens").and_then(Value::as_u64);
                if sum.is_some() && sum != total {
                    total = sum;
                    by_count.push(call(&line["payload"]["info"]["last_token_usage"], Vec::new()));
                }
            }
            _ => {}
        }
    });
    if by_record.is_empty() {
        usage.calls.extend(by_count);
    }
    for (id, call) in by_record {
        if id.is_empty() || records.is_new(&format!("codex {id}")) {
            usage.calls.push(call);
        }
    }
}
