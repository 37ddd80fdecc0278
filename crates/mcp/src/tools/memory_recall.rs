//! `memory_recall`: searches what is remembered. A few redacted passages within a budget, each with its source and doubts.

use engine::audit::{Event, Intent};
use engine::recall::{self, Found, Question};
use serde_json::json;

use super::{LOOKS, Tool, view};
use crate::answer::iso;
use crate::call::{Call, Done, Provenance, Stop};
use crate::offer::Offer;
use crate::schema;

/// Tokens of one answer, at the most: a search is no way around `memory_full_read`.
const MOST_TOKENS: u64 = 2_000;

pub const TOOL: Tool = Tool {
    name: "memory_recall",
    title: "Search the memory",
    about: "Searches what is remembered: decisions, risks, checks, lessons; first what is about `paths`. `unverified`: may no longer hold.",
    event: Event::MemoryRecall,
    hints: LOOKS,
    offer: Offer::Always,
    input: || {
        schema::input(vec![
            schema::text("query", "words or a question").required(),
            schema::paths("paths", "the files being worked on"),
            schema::number("limit", 1, 20, "how many passages").default(json!(8)),
            schema::number("budget", 50, MOST_TOKENS, "how many tokens").default(json!(800)),
        ])
    },
    output: || {
        let passage = schema::object(vec![
            schema::text("id", "its id").required(),
            schema::text("text", "what it says").required(),
            schema::text("kind", "what sort of memory it is").required(),
            schema::text("scope", "session, project or global").required(),
            schema::text("source", "explicit: a person said so; observed; imported").required(),
            schema::text("updated_by", "the tool that wrote it"),
            schema::text("last_updated", "when, ISO-8601").required(),
            schema::texts("paths", "the files it speaks of").required(),
            schema::text("unverified", "why it may no longer hold"),
        ]);
        schema::object(vec![
            schema::list("passages", passage, "best first").required(),
            schema::count("tokens", "about how many").required(),
            schema::count("memories", "how many memories there are").required(),
        ])
    },
    run,
};

fn run(call: &mut Call<'_>) -> Result<Done, Stop> {
    let text = call.args.required_text("query", 2_000)?;
    let paths = call.args.paths("paths")?;
    let limit = call.args.number("limit", 1, 20)?.unwrap_or(8);
    let budget = call.args.number("budget", 50, MOST_TOKENS)?.unwrap_or(800);
    call.row.intent = Some(Intent::Absent);
    call.row.paths_count.total = paths.len() as u64;
    let question = Question {
        paths,
        k: usize::try_from(limit).unwrap_or(8),
        budget: usize::try_from(budget).unwrap_or(800),
        // Memories that are for certain clients only are given to nobody else.
        reader: Some(call.client.name.clone()),
        ..Question::new(text)
    };
    let report = recall::recall(call.engine, &question, &store::Silent)?;
    let newest = report.found.iter().max_by_key(|found| found.time_ms);
    let provenance = newest.map(|found| Provenance {
        source: "memory",
        updated_by: found.source.by.clone().unwrap_or_else(|| "unknown".to_owned()),
        last_updated: found.time_ms,
    });
    let data = json!({
        "passages": report.found.iter().map(passage).collect::<Vec<_>>(), "tokens": report.tokens,
        "memories": report.memories,
    });
    Ok(Done {
        data,
        provenance: provenance.into_iter().collect(),
        summarized: report.found.len() < report.memories,
        note: Some(view::DATA_NOT_ORDERS),
        ..Done::default()
    })
}

fn passage(found: &Found) -> serde_json::Value {
    json!({
        "id": found.id, "text": found.text, "kind": found.kind, "scope": found.scope, "source": found.source.how,
        "updated_by": found.source.by, "last_updated": iso(found.time_ms), "paths": found.paths,
        "unverified": found.unverified,
    })
}
