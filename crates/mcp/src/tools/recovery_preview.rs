//! `recovery_preview`: what going back would change. Nothing is modified.

use engine::audit::Event;
use engine::diff::Detail;
use engine::{memory, undo};
use serde_json::json;
use store::Silent;

use super::{LOOKS, Tool, restore, view};
use crate::call::{Call, Done, Stop};
use crate::schema;

pub const TOOL: Tool = Tool {
    name: "recovery_preview",
    title: "Preview a recovery",
    about: "Something broke? Shows the ways back, safest first, and what each would change, without touching anything. Give \
            `checkpoint_id` and `paths` to look at one way in detail. Show the result to the person and let them choose; then \
            `checkpoint_create` and `recovery_apply` with the same `checkpoint_id` and `paths`.",
    event: Event::RecoveryPreview,
    hints: LOOKS,
    input: || {
        schema::input(vec![
            schema::text(
                "checkpoint_id",
                "the state to go back to; the newest different one if none is given",
            ),
            schema::paths("paths", "only these files or folders; everything if none are given"),
        ])
    },
    output: || {
        schema::object(vec![
            schema::flag("nothing_to_recover", "everything is as it was saved").required(),
            schema::text("why", "why there is nothing to recover"),
            schema::text("checkpoint_id", "the state to go back to"),
            schema::text("preview_id", "stands for exactly these changes; give it to recovery_apply"),
            schema::thing("changes", view::changes_schema(), "what would change, from now to then"),
            schema::paths("paths", "the files that would change, for recovery_apply"),
            schema::texts("unsaved", "files whose present state is in no checkpoint yet; it is saved first"),
            schema::flag("safety_checkpoint_required", "a safety checkpoint is made before anything changes"),
        ])
    },
    run,
};

fn run(call: &mut Call<'_>) -> Result<Done, Stop> {
    let checkpoint = call.args.text("checkpoint_id", 80)?;
    let paths = call.args.paths("paths")?;
    call.row.intent = Some(view::intent(&memory::show(call.engine)?));
    // This answer labels no file as drift.
    call.row.drift_on_confirmed = Some(0);
    let target = checkpoint.map_or(undo::Target::Steps(1), undo::Target::Id);
    let preview = match undo::preview(call.engine, &target, &call.full(&paths), Detail::Text, &Silent) {
        Ok(preview) => preview,
        Err(engine::Error::NothingToUndo(why)) => {
            return Ok(Done { data: json!({"nothing_to_recover": true, "why": why}), ..Done::default() });
        }
        Err(error) => return Err(error.into()),
    };
    call.row.paths_count.total = preview.changes.files.len() as u64;
    let (changes, summarized) = view::changes(&preview.changes);
    let paths: Vec<&str> = preview
        .changes
        .files
        .iter()
        .flat_map(|file| [Some(file.path.as_str()), file.old_path.as_deref()])
        .flatten()
        .take(crate::args::MOST_PATHS)
        .collect();
    let data = json!({
        "nothing_to_recover": false,
        "checkpoint_id": preview.target.id, "preview_id": preview.digest(), "changes": changes, "paths": paths,
        "unsaved": preview.unsaved, "safety_checkpoint_required": true,
    });
    let omitted = if summarized { vec!["changes.files".to_owned()] } else { Vec::new() };
    let provenance = vec![restore::from_checkpoint(&preview.target)];
    Ok(Done { data, provenance, omitted, summarized, note: None })
}
