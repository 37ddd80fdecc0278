//! `edit_scope`: which files are safe to edit for the request, which are not, and whose open work is in the way.

use engine::audit::{Event, Intent};
use engine::edit_scope::edit_scope;
use engine::grants::Capability;
use serde_json::json;

use super::{LOOKS, Tool};
use crate::call::{Call, Done, Provenance, Stop};
use crate::offer::Offer;
use crate::schema;

pub const TOOL: Tool = Tool {
    name: "edit_scope",
    title: "Which files are safe to edit",
    about: "The files that belong to the present request, those that agents may not edit, those with lines that must stay, and those that \
            another session has changed and not committed. Call it before you edit a file that nobody named.",
    event: Event::ProjectRead,
    hints: LOOKS,
    offer: Offer::With(Capability::PatchApply),
    input: || {
        schema::input(vec![schema::text(
            "client",
            "the client whose request is meant, such as claude-code; else the one that asks",
        )])
    },
    output: || {
        schema::object(vec![
            schema::text("request", "the request, as far as it is known"),
            schema::list("zone", schema::report("path and why"), "files that belong to the request")
                .required(),
            schema::texts("protected", "files and folders that agents may not edit").required(),
            schema::texts("keep_regions", "files of the zone with lines that must stay").required(),
            schema::list("others", schema::report("path and why"), "another session's open work").required(),
        ])
    },
    run,
};

fn run(call: &mut Call<'_>) -> Result<Done, Stop> {
    let client = call.args.text("client", 40)?.unwrap_or_else(|| call.client.name.clone());
    call.row.intent = Some(Intent::Absent);
    let scope = edit_scope(call.engine, &client)?;
    call.row.paths_count.total = (scope.zone.len() + scope.protected.len() + scope.others.len()) as u64;
    let now = call.engine.context().now_ms();
    Ok(Done {
        data: json!(scope),
        provenance: vec![Provenance {
            source: "project_files",
            updated_by: "vib".to_owned(),
            last_updated: now,
        }],
        omitted: Vec::new(),
        summarized: false,
        note: None,
    })
}
