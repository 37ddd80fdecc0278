//! `checkpoint_diff`: what is different between two saved states, or a saved state and now.

use engine::audit::{Event, Intent};
use engine::diff::{self, DiffOptions};
use engine::grants::Capability;
use store::Silent;

use super::{LOOKS, Tool, view};
use crate::call::{Call, Done, Provenance, Stop};
use crate::offer::Offer;
use crate::schema;

pub const TOOL: Tool = Tool {
    name: "checkpoint_diff",
    title: "Compare with a checkpoint",
    about: "What changed between two checkpoints, or between a checkpoint and now, file by file, with the lines. Without arguments: \
            since the newest checkpoint. Sees what shell commands changed too, and works without git.",
    event: Event::ProjectRead,
    hints: LOOKS,
    offer: Offer::With(Capability::RecoveryApply),
    input: || {
        schema::input(vec![
            schema::text("from", "the earlier checkpoint; the newest one if none is given"),
            schema::text("to", "the later checkpoint; now, if none is given"),
            schema::paths("paths", "only these files or folders"),
            schema::flag("stat_only", "only counts, no lines").default(serde_json::json!(false)),
        ])
    },
    output: view::changes_schema,
    run,
};

fn run(call: &mut Call<'_>) -> Result<Done, Stop> {
    let from = call.args.text("from", 80)?;
    let to = call.args.text("to", 80)?;
    let paths = call.args.paths("paths")?;
    let stat_only = call.args.flag("stat_only")?.unwrap_or(false);
    call.row.intent = Some(Intent::Absent);
    let options = DiffOptions { from, to, paths: call.full(&paths), stat_only, most_text: None };
    let report = diff::diff(call.engine, &options, &Silent)?;
    call.row.paths_count.total = report.files.len() as u64;
    let (data, summarized) = view::changes(&report);
    let now = call.engine.context().now_ms();
    let omitted = if summarized { vec!["files".to_owned()] } else { Vec::new() };
    Ok(Done {
        data,
        provenance: vec![Provenance {
            source: "checkpoints",
            updated_by: "vib".to_owned(),
            last_updated: now,
        }],
        omitted,
        summarized,
        note: None,
    })
}
