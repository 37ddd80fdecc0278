//! `checkpoint_list`: the saved states, newest first.

use engine::audit::{Event, Intent};
use engine::grants::Capability;
use engine::history;
use serde_json::json;
use store::Silent;

use super::{LOOKS, Tool};
use crate::answer::iso;
use crate::call::{Call, Done, Provenance, Stop};
use crate::offer::Offer;
use crate::schema;

pub const TOOL: Tool = Tool {
    name: "checkpoint_list",
    title: "List checkpoints",
    about: "The saved states of this project, newest first: id, when, why, by which agent, and what the person had asked for. Use an \
            id with `checkpoint_diff`, `recovery_preview` or `rollback_to_checkpoint`.",
    event: Event::ProjectRead,
    hints: LOOKS,
    offer: Offer::With(Capability::RecoveryApply),
    input: || {
        schema::input(vec![
            schema::number("limit", 1, 100, "how many").default(json!(20)),
            schema::flag("safety", "also those that vib made before it changed files").default(json!(false)),
        ])
    },
    output: || {
        let item = schema::object(vec![
            schema::text("checkpoint_id", "the checkpoint").required(),
            schema::text("when", "ISO-8601").required(),
            schema::text("kind", "turn, manual, safety or commit").required(),
            schema::text("message", "what was said about it"),
            schema::text("agent", "the agent at work"),
            schema::text("tool", "the tool about to run"),
            schema::text("prompt", "what the person had asked for"),
            schema::texts("files", "the files it saved by name; none: the whole tree"),
            schema::count("files_changed", "files that were different from the one before").required(),
            schema::flag("pinned", "it is kept for ever").required(),
        ]);
        schema::object(vec![
            schema::list("checkpoints", item, "newest first").required(),
            schema::flag("more", "there are older ones").required(),
        ])
    },
    run,
};

fn run(call: &mut Call<'_>) -> Result<Done, Stop> {
    let limit = call.args.number("limit", 1, 100)?.unwrap_or(20);
    let safety = call.args.flag("safety")?.unwrap_or(false);
    call.row.intent = Some(Intent::Absent);
    let report = history::checkpoints(call.engine, safety, usize::try_from(limit).unwrap_or(20), &Silent)?;
    let mut items: Vec<_> = report.groups.iter().flat_map(|group| &group.checkpoints).collect();
    items.sort_by_key(|item| std::cmp::Reverse(item.checkpoint.seq));
    let provenance = items.first().map(|item| Provenance {
        source: "checkpoints",
        updated_by: item.checkpoint.origin.agent.clone().unwrap_or_else(|| "vib".to_owned()),
        last_updated: item.checkpoint.created_ms,
    });
    let one = |item: &&history::HistoryItem| {
        let saved = &item.checkpoint;
        json!({
            "checkpoint_id": saved.id, "when": iso(saved.created_ms), "kind": saved.kind, "message": saved.message,
            "agent": saved.origin.agent, "tool": saved.origin.tool, "prompt": saved.origin.prompt,
            "files": (!saved.whole_tree).then_some(&item.files), "files_changed": saved.files_changed,
            "pinned": saved.pinned,
        })
    };
    let data = json!({"checkpoints": items.iter().map(one).collect::<Vec<_>>(), "more": report.more});
    Ok(Done {
        data,
        provenance: provenance.into_iter().collect(),
        note: Some(super::view::DATA_NOT_ORDERS),
        ..Done::default()
    })
}
