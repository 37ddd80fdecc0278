//! `recovery_preview`: the ways back, safest first, or one of them in detail. Nothing is modified.

use engine::audit::Event;
use engine::diff::Detail;
use engine::grants::Capability;
use engine::recover::{self, Choice, Preview, Query, Report};
use engine::{Error, memory};
use project::RelPath;
use serde_json::{Value, json};
use store::Silent;

use super::{LOOKS, Tool, restore, view};
use crate::answer::iso;
use crate::args::MOST_PATHS;
use crate::call::{Call, Done, Provenance, Stop};
use crate::offer::Offer;
use crate::schema::{self, Schema};

/// Files that one way lists.
const MOST_LISTED: usize = 60;

pub const TOOL: Tool = Tool {
    name: "recovery_preview",
    title: "Preview a recovery",
    about: "Something broke? What happened, and the ways back, safest first; with `option`, or `checkpoint_id` and `paths`, exactly what would change. Changes nothing; let the person choose.",
    event: Event::RecoveryPreview,
    hints: LOOKS,
    offer: Offer::Always,
    input: || {
        schema::input(vec![
            schema::number("option", 1, 9, "one of the ways, in detail"),
            schema::text("checkpoint_id", "the state to go back to"),
            schema::paths("paths", "only these files or folders"),
        ])
    },
    output,
    run,
};

fn output() -> Schema {
    let option = schema::object(vec![
        schema::count("option", "its number").required(),
        schema::count("level", "0 nothing, 1 explain, 2 mend, 3 some files, 4 everything").required(),
        schema::text("kind", "what it is, in a word").required(),
        schema::texts("restores", "files that would come back or go back").required(),
        schema::texts("mends", "files to keep and mend").required(),
        schema::text("checkpoint_id", "the checkpoint it uses"),
        schema::text("saved", "when that was, ISO-8601"),
        schema::count("files_lost", "files whose present content would go").required(),
        schema::count("lines_lost", "lines that exist only now").required(),
        schema::count("keeps", "changed files that stay as they are").required(),
        schema::text("risk", "low, medium or high"),
    ]);
    schema::object(vec![
        schema::flag("nothing_to_recover", "nothing looks broken").required(),
        schema::list("options", option, "the ways, the safest first").required(),
        schema::texts(
            "drift_candidates",
            "changed files outside of what is being worked on; perhaps rightly so",
        )
        .required(),
        schema::text("checkpoint_id", "the state to go back to, for recovery_apply"),
        schema::text("preview_id", "stands for exactly these changes, for recovery_apply"),
        schema::text("preview_expires", "when, ISO-8601"),
        schema::paths("paths", "the files that would change, for recovery_apply"),
        schema::thing("changes", view::changes_schema(), "what would change, from now to then"),
        schema::texts("unsaved", "files whose present state is in no checkpoint yet; it is saved first"),
        schema::list("notices", schema::report("something to know"), "things to know"),
        schema::flag("safety_checkpoint_required", "a safety checkpoint is made before anything changes")
            .required(),
        schema::texts("check_next", "checks that are worth running").required(),
        schema::text("apply_needs", "why recovery_apply is not offered yet"),
        schema::text("command", "what a person runs to allow it"),
    ])
}

fn run(call: &mut Call<'_>) -> Result<Done, Stop> {
    let option = call.args.number("option", 1, 9)?;
    let checkpoint = call.args.text("checkpoint_id", 80)?;
    let paths = call.args.paths("paths")?;
    call.row.intent = Some(view::intent(&memory::show(call.engine)?));
    call.row.drift_on_confirmed = Some(0);
    match option {
        Some(number) if checkpoint.is_none() => {
            detail(call, None, &paths, Choice::Way(usize::try_from(number).unwrap_or(1)))
        }
        None if checkpoint.is_none() && paths.is_empty() => ways(call),
        _ => detail(call, checkpoint, &paths, Choice::Named),
    }
}

fn query(call: &Call<'_>, checkpoint: Option<String>, paths: &[RelPath]) -> Query {
    Query { files: call.full(paths), checkpoint, tool: call.client.tool(), ..Query::default() }
}

/// What happened, and what can be done.
fn ways(call: &mut Call<'_>) -> Result<Done, Stop> {
    let report = recover::tell(call.engine, &query(call, None, &[]), &Silent)?;
    call.row.paths_count.total = report.diagnosis.changed.len() as u64;
    call.row.paths_count.drift = report.diagnosis.zone.outside.len() as u64;
    let cut = report.ways.iter().any(|way| way.restores.len() > MOST_LISTED);
    let data = json!({
        "nothing_to_recover": report.ways.iter().all(|way| way.restores.is_empty() && way.mends.is_empty()),
        "options": options(&report),
        "drift_candidates": drift(&report),
        "safety_checkpoint_required": true,
        "check_next": report.checks,
    });
    let source = if report.has_history { "checkpoints" } else { "project_files" };
    let provenance = vec![Provenance { source, updated_by: "vib".to_owned(), last_updated: report.now_ms }];
    let omitted = if cut { vec!["options.restores".to_owned()] } else { Vec::new() };
    Ok(Done { data, provenance, omitted, summarized: cut, note: Some(view::DATA_NOT_ORDERS) })
}

fn options(report: &Report) -> Vec<Value> {
    let one = |way: &recovery::Way| {
        let restores: Vec<&str> =
            way.restores.iter().take(MOST_LISTED).map(|restore| restore.path.as_str()).collect();
        let mends: Vec<&str> = way.mends.iter().take(MOST_LISTED).map(|mend| mend.path.as_str()).collect();
        json!({
            "option": way.number, "level": way.level, "kind": way.kind, "restores": restores, "mends": mends,
            "checkpoint_id": way.checkpoint, "saved": way.time_ms.map(iso), "files_lost": way.loss.files,
            "lines_lost": way.loss.lines, "keeps": way.keeps, "risk": way.risk,
        })
    };
    report.ways.iter().map(one).collect()
}

fn drift(report: &Report) -> Vec<&str> {
    report.diagnosis.zone.outside.iter().take(MOST_LISTED).map(|file| file.path.as_str()).collect()
}

/// One way, exactly.
fn detail(
    call: &mut Call<'_>,
    checkpoint: Option<String>,
    paths: &[RelPath],
    choice: Choice,
) -> Result<Done, Stop> {
    let asked = query(call, checkpoint, paths);
    match recover::preview(call.engine, &asked, choice, Detail::Text, &Silent) {
        Ok(preview) => shown(call, &preview),
        Err(Error::NothingToRecover) => Ok(Done {
            data: json!({
                "nothing_to_recover": true, "options": [], "drift_candidates": [],
                "safety_checkpoint_required": true, "check_next": [],
            }),
            ..Done::default()
        }),
        Err(error) => Err(error.into()),
    }
}

fn shown(call: &mut Call<'_>, preview: &Preview) -> Result<Done, Stop> {
    let plan = recover::plan_info(call.engine, &preview.plan)?;
    call.row.paths_count.total = plan.paths as u64;
    let (changes, summarized) = view::changes(&preview.changes);
    let paths: Vec<&str> = plan
        .changes
        .iter()
        .filter(|change| !change.is_folder)
        .map(|change| change.path.as_str())
        .take(MOST_PATHS)
        .collect();
    let mut data = json!({
        "nothing_to_recover": false, "options": [], "drift_candidates": preview.drift,
        "checkpoint_id": plan.target, "preview_id": preview.plan, "preview_expires": iso(preview.expires_ms),
        "paths": paths, "changes": changes, "unsaved": preview.unsaved, "notices": preview.notices,
        "safety_checkpoint_required": true,
        "check_next": [],
    });
    // Nobody sees `recovery_apply` in the list before it is granted: here is where somebody wants it.
    if let Some(denial) = call.missing(Capability::RecoveryApply) {
        data["apply_needs"] = json!(denial.message);
        data["command"] = json!(denial.command);
    }
    let omitted = if summarized { vec!["changes.files".to_owned()] } else { Vec::new() };
    let provenance = preview.checkpoints.iter().map(restore::from_checkpoint).collect();
    Ok(Done { data, provenance, omitted, summarized, note: None })
}
