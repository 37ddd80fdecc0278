//! `explain_get`: what changed, in words of the program: which function came, went, got another name, and how risky that is.

use engine::audit::{Event, Intent};
use engine::explain::{self, ExplainOptions};
use serde_json::json;
use store::Silent;

use super::{LOOKS, Tool};
use crate::call::{Call, Done, Provenance, Stop};
use crate::offer::Offer;
use crate::schema;

/// Files that are told.
const MOST: usize = 40;

pub const TOOL: Tool = Tool {
    name: "explain_get",
    title: "Explain what changed",
    about: "What changed since the last request or save, or between two checkpoints: files, functions, how risky, what to check.",
    event: Event::ProjectRead,
    hints: LOOKS,
    offer: Offer::Always,
    input: || {
        schema::input(vec![
            schema::text("path", "only this file or folder"),
            schema::text("from", "the earlier checkpoint"),
            schema::text("to", "the later checkpoint, or now"),
        ])
    },
    output: || {
        schema::object(vec![
            schema::list(
                "files",
                schema::report("one file: path, change, symbols, risk and reasons"),
                "riskiest first",
            )
            .required(),
            schema::text("risk", "low, medium or high: the one verdict that every command gives").required(),
            schema::list(
                "reasons",
                schema::report("one reason: why, risk, and what it speaks of"),
                "the weightiest first",
            )
            .required(),
            schema::list("advice", schema::report("something to look at"), "what to check").required(),
            schema::count("added", "lines").required(),
            schema::count("removed", "lines").required(),
            schema::text("to", "the later moment").required(),
        ])
    },
    run,
};

fn run(call: &mut Call<'_>) -> Result<Done, Stop> {
    let path = call.args.path("path")?;
    let from = call.args.text("from", 80)?;
    let to = call.args.text("to", 80)?;
    call.row.intent = Some(Intent::Absent);
    let path = path.map(|path| path.to_path(call.engine.project().root()));
    let report = explain::explain(call.engine, &ExplainOptions { path, from, to, git: false }, &Silent)?;
    call.row.paths_count.total = report.files.len() as u64;
    let advice = serde_json::to_value(&report.advice).unwrap_or_default();
    let advice = match advice {
        serde_json::Value::Array(items) => items
            .into_iter()
            .map(|item| if item.is_object() { item } else { json!({"advice": item}) })
            .collect::<Vec<_>>(),
        _ => Vec::new(),
    };
    let data = json!({
        "files": report.files.iter().take(MOST).collect::<Vec<_>>(), "risk": report.verdict.risk, "reasons": report.verdict.reasons, "advice": advice,
        "added": report.added, "removed": report.removed, "to": report.to,
    });
    let summarized = report.files.len() > MOST || report.left_out > 0;
    let now = call.engine.context().now_ms();
    Ok(Done {
        data,
        provenance: vec![Provenance {
            source: "project_files",
            updated_by: "vib".to_owned(),
            last_updated: now,
        }],
        omitted: if summarized { vec!["files".to_owned()] } else { Vec::new() },
        summarized,
        note: None,
    })
}
