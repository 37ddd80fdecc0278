//! Copilot CLI 1.0.102: `~/.copilot/session-state/SESSION/events.jsonl`, one `session.usage_record` per call, those of sub-agents with their `agentId`. `inputTokens` counts
//! what came from the cache too. Money is told in premium requests, which are no dollars.

use super::lines::{are_numbers, each, number, text, time};
use super::{Call, Records, SessionUsage, Tokens};

pub(super) fn read(records: &mut Records<'_>, session: &str) -> Option<SessionUsage> {
    let file = records.folder(None, ".copilot")?.join("session-state").join(session).join("events.jsonl");
    let mut usage = SessionUsage::default();
    each(&file, &["\"session.usage_record\""], |line| {
        if line["type"] != "session.usage_record" {
            return;
        }
        let id = text(line, "/data/usage/apiCallId").or_else(|| text(line, "/id")).unwrap_or_default();
        if !records.is_new(&format!("copilot {session} {id}")) {
            return;
        }
        usage.calls.push(Call {
            time_ms: time(line, "/timestamp"),
            model: text(line, "/data/usage/model"),
            agent: text(line, "/agentId"),
            tokens: Tokens::of_prompt(
                number(line, "/data/usage/inputTokens"),
                number(line, "/data/usage/cacheReadTokens"),
                number(line, "/data/usage/cacheWriteTokens"),
                number(line, "/data/usage/outputTokens"),
            ),
            is_told: are_numbers(line, &["/data/usage/inputTokens", "/data/usage/outputTokens"]),
            call_ids: Vec::new(),
        });
    })?;
    Some(usage)
}
