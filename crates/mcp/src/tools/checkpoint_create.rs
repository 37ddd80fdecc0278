//! `checkpoint_create`: saves the state of the project. Adds only; everybody may.

use engine::audit::Event;
use engine::checkpoint;
use serde_json::json;
use store::{CheckpointKind, Origin, Silent, SnapshotRequest};

use super::{ADDS, Tool};
use crate::call::{Call, Done, Stop};
use crate::offer::Offer;
use crate::schema;

pub const TOOL: Tool = Tool {
    name: "checkpoint_create",
    title: "Save a checkpoint",
    about: "Saves the state of all files, to come back to. Cheap: call it before anything risky.",
    event: Event::CheckpointCreate,
    hints: ADDS,
    offer: Offer::Always,
    input: || schema::input(vec![schema::text("message", "a few words, for the history")]),
    output: || {
        schema::object(vec![
            schema::text("checkpoint_id", "the checkpoint").required(),
            schema::text("sandwich_checkpoint_id", "the same, as `recovery_apply` calls it").required(),
            schema::count("files_changed", "files that were different from the checkpoint before").required(),
            schema::count("problems", "files that could not be saved").required(),
        ])
    },
    run,
};

fn run(call: &mut Call<'_>) -> Result<Done, Stop> {
    let message = call.args.text("message", 400)?;
    let message = message.map(|message| call.engine.gate().clean(&message).into_string());
    let request = SnapshotRequest {
        // Not `manual`: those are a person's, and an agent's never push them out.
        kind: CheckpointKind::Turn,
        message,
        pinned: false,
        by_agent: true,
        origin: Origin {
            agent: Some(call.client.name.clone()),
            tool: Some("checkpoint_create".to_owned()),
            trigger: Some("mcp".to_owned()),
            ..Origin::default()
        },
        moment: store::Moment::Between,
    };
    let report = checkpoint::create(call.engine, &request, &[], &Silent)?;
    engine::memory::checkpoint_named(call.engine, "mcp", &report.saved.checkpoint);
    let saved = &report.saved.checkpoint;
    call.row.paths_count.total = saved.files_changed;
    let data = json!({
        "checkpoint_id": saved.id, "sandwich_checkpoint_id": saved.id, "files_changed": saved.files_changed,
        "problems": report.saved.problems.len(),
    });
    Ok(Done { data, ..Done::default() })
}
