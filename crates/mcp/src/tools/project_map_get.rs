//! `project_map_get`: what the project consists of, in short.

use engine::audit::{Event, Intent};
use engine::grants::Capability;
use engine::map;
use serde_json::json;
use store::Silent;

use super::{LOOKS, Tool};
use crate::call::{Call, Done, Provenance, Stop};
use crate::offer::Offer;
use crate::schema;

pub const TOOL: Tool = Tool {
    name: "project_map_get",
    title: "Read the project map",
    about: "What the project consists of: how many files of each kind and language, where the program starts, which files most others \
            need. Call it once when you do not know the project.",
    event: Event::ProjectRead,
    hints: LOOKS,
    offer: Offer::With(Capability::PatchApply),
    input: || schema::input(Vec::new()),
    output: || {
        schema::object(vec![
            schema::count("files", "files on the map").required(),
            schema::list("categories", schema::report("a kind and how many"), "how many of each kind")
                .required(),
            schema::list("languages", schema::report("a language and how many"), "most first").required(),
            schema::texts("entries", "where the program starts").required(),
            schema::list(
                "most_needed",
                schema::report("a file, and how many need it"),
                "files that others need",
            )
            .required(),
        ])
    },
    run,
};

fn run(call: &mut Call<'_>) -> Result<Done, Stop> {
    call.row.intent = Some(Intent::Absent);
    let report = map::scan(call.engine, &Silent)?;
    let data = json!({
        "files": report.files, "categories": report.categories, "languages": report.languages,
        "entries": report.entries.iter().take(50).collect::<Vec<_>>(),
        "most_needed": report.most_needed.iter().take(50).collect::<Vec<_>>(),
        "symbols": report.symbols, "imports": report.imports, "anchors": report.anchors,
    });
    let now = call.engine.context().now_ms();
    Ok(Done {
        data,
        provenance: vec![Provenance {
            source: "project_files",
            updated_by: "vib".to_owned(),
            last_updated: now,
        }],
        ..Done::default()
    })
}
