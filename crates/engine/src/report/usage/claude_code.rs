//! Claude Code 2.1.325: `~/.claude/projects/PROJECT/SESSION.jsonl`, sub-agents in `SESSION/subagents/agent-*.jsonl`. One line per part of an answer, each with the
//! `usage` of the whole answer: an answer counts once, by its id. At the end `cost-state` has the client's own sum.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::lines::{are_numbers, each, entries, number, text, time};
use super::{Call, Records, SessionUsage, Tokens};

pub(super) fn read(records: &mut Records<'_>, session: &str) -> Option<SessionUsage> {
    let projects = records.folder(Some("CLAUDE_CONFIG_DIR"), ".claude")?.join("projects");
    let file = |project: &PathBuf| project.join(format!("{session}.jsonl"));
    let project = entries(&projects).into_iter().find(|project| file(project).is_file())?;
    let mut usage = SessionUsage::default();
    read_file(records, &file(&project), &mut usage)?;
    for helper in entries(&project.join(session).join("subagents")) {
        read_file(records, &helper, &mut usage);
    }
    Some(usage)
}

fn read_file(records: &mut Records<'_>, file: &Path, usage: &mut SessionUsage) -> Option<()> {
    let mut order: Vec<String> = Vec::new();
    let mut answers: HashMap<String, Call> = HashMap::new();
    each(file, &["\"usage\"", "\"cost-state\""], |line| {
        if line["type"] == "cost-state" {
            let known = line["hasUnknownModelCost"] != true;
            usage.told_cost = line["totalCostUSD"].as_f64().filter(|_| known).or(usage.told_cost);
            return;
        }
        let Some(id) = text(line, "/message/id").filter(|_| line["type"] == "assistant") else { return };
        let model = text(line, "/message/model");
        // What the client says in the model's place costs nothing.
        if model.as_deref() == Some("<synthetic>") {
            return;
        }
        let tokens = Tokens {
            input: number(line, "/message/usage/input_tokens"),
            cache_read: number(line, "/message/usage/cache_read_input_tokens"),
            cache_write: number(line, "/message/usage/cache_creation_input_tokens"),
            output: number(line, "/message/usage/output_tokens"),
        };
        let parts = line.pointer("/message/content").and_then(Value::as_array).into_iter().flatten();
        let ids = parts.filter(|part| part["type"] == "tool_use").filter_map(|part| text(part, "/id"));
        let call = answers.entry(id.clone()).or_insert_with(|| {
            order.push(id);
            Call {
                time_ms: time(line, "/timestamp"),
                model,
                agent: text(line, "/agentId"),
                tokens,
                is_told: false,
                call_ids: Vec::new(),
            }
        });
        // A part that was written while the answer still came has a smaller count.
        call.is_told |= are_numbers(line, &["/message/usage/input_tokens", "/message/usage/output_tokens"]);
        call.tokens.output = call.tokens.output.max(tokens.output);
        call.call_ids.extend(ids);
    })?;
    for id in order {
        if let Some(call) = answers.remove(&id)
            && records.is_new(&format!("claude {id}"))
        {
            usage.calls.push(call);
        }
    }
    Some(())
}
