//! `patch_apply`: the edits of a model, all in their one place or none. Looking is free; writing needs a grant.

use engine::audit::{ConfirmedVia, Event};
use engine::grants::Capability;
use engine::may::Actor;
use engine::patch::{self, PatchReport, PatchRequest, Preview};
use engine::undo::Confirmation;
use serde_json::{Value, json};
use store::Silent;

use super::{CHANGES, Tool};
use crate::call::{Call, Denial, Done, LONGEST_OPERATION, Provenance, Stop};
use crate::offer::Offer;
use crate::schema;

/// The longest patch.
const LONGEST: usize = 1 << 20;

pub const TOOL: Tool = Tool {
    name: "patch_apply",
    title: "Apply a patch",
    about: "Applies edits to files: unified and git diffs with the usual mistakes, `*** Begin Patch` and search/replace blocks. Every \
            hunk must have exactly one place, else nothing is written and the answer shows the nearest lines. With `preview` it only \
            shows what would change. Writing is off by default: it needs a grant, and a person's yes where \
            something guarded is in it. The state before is saved; the answer names it.",
    event: Event::PatchApply,
    hints: CHANGES,
    offer: Offer::With(Capability::PatchApply),
    input: || {
        schema::input(vec![
            schema::text("diff", "the edits").required(),
            schema::flag("preview", "only show what would change").default(json!(false)),
            schema::number("maxOffset", 0, 1_000_000, "how far a hunk may be from where its header says"),
            schema::share("minConfidence", "the confidence below which a hunk is refused"),
            schema::text("operation_id", super::OPERATION),
        ])
    },
    output: || {
        schema::object(vec![
            schema::flag("applied", "the files were written").required(),
            schema::text("snapshotId", "the checkpoint of the state before"),
            schema::list(
                "changes",
                schema::report("one file: path, kind, lines, hunks and their places"),
                "file by file",
            )
            .required(),
            schema::text("diff", "all changes in unified form"),
            schema::texts("warnings", "things to know").required(),
        ])
    },
    run,
};

fn run(call: &mut Call<'_>) -> Result<Done, Stop> {
    let args = &mut call.args;
    let request = PatchRequest {
        diff: args.required_text("diff", LONGEST)?,
        preview: args.flag("preview")?.unwrap_or(false),
        // Opening keep regions and ignored files is a person's business: those fields are not taken from an agent.
        keep_regions: true,
        reason: None,
        max_offset: args.number("maxOffset", 0, 1_000_000)?,
        min_confidence: args.share("minConfidence")?,
        allow_ignored: false,
        confirm: None,
    };
    call.args.text("operation_id", LONGEST_OPERATION)?;
    if !request.preview {
        call.allow(Capability::PatchApply)?;
    }
    let (diff, options) = (request.diff.as_bytes(), request.options());
    let mut preview = patch::preview(call.engine, Actor::Agent, diff, &options, &Silent)?;
    call.row.paths_count.total = preview.report.changes.len() as u64;
    if let Some((code, message, next)) = preview.report.first_refusal() {
        return Err(refusal(code, message, next, &preview));
    }
    if request.preview {
        patch::note_preview(call.engine, &mut preview);
        return Ok(answer(call, &preview.report));
    }
    let confirmed = confirm(call, &preview)?;
    let report = patch::apply(call.engine, &preview, confirmed, &Silent)?;
    call.row.sandwich_checkpoint_id = report.snapshot_id.clone();
    Ok(answer(call, &report))
}

/// A grant is a yes to ordinary files; what is guarded a person is asked about, by name. (S13)
fn confirm(call: &mut Call<'_>, preview: &Preview) -> Result<Confirmation, Stop> {
    let named: Vec<String> =
        preview.guarded().map(|guarded| format!("{} {}", guarded.path, guarded.message)).collect();
    if named.is_empty() {
        call.row.confirmed_via = Some(ConfirmedVia::Grant);
        return Ok(Confirmation::Grant);
    }
    let paths = preview.report.changes.len();
    let title = match paths {
        1 => "apply a patch to a file that is guarded".to_owned(),
        more => format!("apply a patch to {more} files, some of which are guarded"),
    };
    let others = preview.report.changes.iter().filter(|change| change.guarded.is_empty());
    let lines = named.into_iter().chain(others.map(|change| change.path.clone())).collect();
    Ok(call.confirm(Capability::PatchApply, title, lines, &preview.digest(), paths)?.into())
}

/// The nearest lines help the model to write the hunk again.
fn refusal(code: &'static str, message: String, next: String, preview: &Preview) -> Stop {
    let hunks = preview.report.changes.iter().flat_map(|change| &change.hunks);
    let nearest =
        hunks.filter_map(|hunk| hunk.refusal()).filter_map(|refusal| serde_json::to_value(refusal).ok());
    let detail: Vec<Value> = nearest.take(3).collect();
    let next = if detail.is_empty() { next } else { format!("{next}\n{}", Value::from(detail)) };
    Stop::Denied(Denial { code, message, next, command: None })
}

fn answer(call: &Call<'_>, report: &PatchReport) -> Done {
    let data = serde_json::to_value(report).unwrap_or_default();
    let now = call.engine.context().now_ms();
    Done {
        data,
        provenance: vec![Provenance {
            source: "project_files",
            updated_by: "vib".to_owned(),
            last_updated: now,
        }],
        ..Done::default()
    }
}
