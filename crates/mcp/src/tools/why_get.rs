//! `why_get`: who wrote the lines of a file: which request, step and agent, a person, or what was there before.

use engine::audit::{Event, Intent};
use engine::grants::Capability;
use engine::why::{WhyQuery, why};
use serde_json::json;
use store::Silent;

use super::{LOOKS, Tool};
use crate::call::{Call, Done, Provenance, Stop};
use crate::offer::Offer;
use crate::schema;

/// Lines that are told at once.
const MOST: u64 = 400;

pub const TOOL: Tool = Tool {
    name: "why_get",
    title: "Whose line is this",
    about: "Who wrote the lines of a file: the request, step and agent, a person by hand, or a commit from before. Ask before you change \
            or delete lines that you did not write yourself.",
    event: Event::ProjectRead,
    hints: LOOKS,
    offer: Offer::With(Capability::PatchApply),
    input: || {
        schema::input(vec![
            schema::text("path", "the file").required(),
            schema::number("first", 1, 1_000_000, "only from this line on"),
            schema::number("last", 1, 1_000_000, "only up to this line"),
        ])
    },
    output: || {
        schema::object(vec![
            schema::text("path", "the file").required(),
            schema::count("total", "lines of the file").required(),
            schema::list("sources", schema::report("where lines come from"), "each once").required(),
            schema::list("lines", schema::report("number, text, and the place of its source"), "the lines")
                .required(),
        ])
    },
    run,
};

fn run(call: &mut Call<'_>) -> Result<Done, Stop> {
    let path = call.args.path("path")?;
    let first = call.args.number("first", 1, 1_000_000)?;
    let last = call.args.number("last", 1, 1_000_000)?;
    call.row.intent = Some(Intent::Absent);
    let Some(path) = path else {
        return Err(engine::Error::Usage("`path` is missing: name the file".to_owned()).into());
    };
    let mut query = WhyQuery::file(path.to_path(call.engine.project().root()));
    let from = first.unwrap_or(1);
    let to = last.unwrap_or(u64::MAX).min(from.saturating_add(MOST - 1));
    let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    if first.is_some() || last.is_some() {
        query.lines = Some((size(from), size(to)));
    }
    let mut report = why(call.engine, &query, &Silent)?;
    call.row.paths_count.total = 1;
    let all = report.lines.len();
    report.lines.truncate(size(MOST));
    let summarized =
        report.lines.len() < all || last.is_some_and(|last| last > to && (to as usize) < report.total);
    let data = json!({
        "path": report.path, "total": report.total, "sources": report.sources, "lines": report.lines,
        "no_lines": report.no_lines, "last": report.last, "earlier_names": report.earlier_names,
    });
    let now = call.engine.context().now_ms();
    Ok(Done {
        data,
        provenance: vec![Provenance { source: "history", updated_by: "vib".to_owned(), last_updated: now }],
        omitted: if summarized { vec!["lines".to_owned()] } else { Vec::new() },
        summarized,
        note: None,
    })
}
