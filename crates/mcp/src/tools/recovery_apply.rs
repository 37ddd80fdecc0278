//! `recovery_apply`: puts named files back, after a grant and a person's yes to exactly these files.

use engine::audit::Event;
use engine::diff::Detail;
use engine::grants::Capability;
use engine::recover::{self, Choice, Query};
use serde_json::json;
use store::Silent;

use super::{CHANGES, Tool, restore};
use crate::args::ArgError;
use crate::call::{Call, Denial, Done, Stop};
use crate::offer::Offer;
use crate::schema;

pub const TOOL: Tool = Tool {
    name: "recovery_apply",
    title: "Restore files",
    about: "Puts the named files back to a checkpoint. Call `recovery_preview` first, show it to the person, then \
            `checkpoint_create`, then this with the same paths. Off by default: needs a grant, and a person says yes each time. vib \
            saves the present state itself first. On `busy`: tell the person, and do not try again by yourself.",
    event: Event::RecoveryApply,
    hints: CHANGES,
    offer: Offer::With(Capability::RecoveryApply),
    input: || {
        schema::input(vec![
            schema::text("checkpoint_id", "the state to go back to, from recovery_preview").required(),
            schema::paths("paths", "exactly these files, from recovery_preview").required(),
            schema::flag("apply", "must be true").required(),
            schema::text("sandwich_checkpoint_id", "the checkpoint that checkpoint_create gave you"),
            schema::text("preview_id", "from recovery_preview: does exactly what that showed, or refuses"),
            schema::text("second_yes", "only after `changed_after_preview`: the code it gave"),
            schema::flag("include_changed", "also files that changed after the safety save")
                .default(json!(false)),
            schema::text("operation_id", super::OPERATION),
        ])
    },
    output: restore::result_schema,
    run,
};

fn run(call: &mut Call<'_>) -> Result<Done, Stop> {
    let args = &mut call.args;
    let checkpoint = args.required_text("checkpoint_id", 80)?;
    let paths = args.paths("paths")?;
    let apply = args.flag("apply")?.unwrap_or(false);
    let sandwich = args.text("sandwich_checkpoint_id", 80)?;
    let preview_id = args.text("preview_id", 80)?;
    let second_yes = args.text("second_yes", 20)?;
    let include_changed = args.flag("include_changed")?.unwrap_or(false);
    args.text("operation_id", 80)?;
    if paths.is_empty() {
        return Err(ArgError::Missing("paths").into());
    }
    if !apply {
        return Err(Stop::Denied(Denial {
            code: "apply_not_set",
            message: "nothing was restored: `apply` is not true".to_owned(),
            next: "to look first, call `recovery_preview`; to restore, call again with `apply`: true"
                .to_owned(),
            command: None,
        }));
    }
    restore::refuse_if_busy(call)?;
    call.allow(Capability::RecoveryApply)?;
    if let Some(id) = sandwich {
        restore::verify_sandwich(call, &id, &paths, include_changed)?;
    }
    let plan = match preview_id {
        Some(id) => recover::plan_info(call.engine, &id)?,
        None => {
            let query = Query {
                files: call.full(&paths),
                checkpoint: Some(checkpoint.clone()),
                tool: call.client.tool(),
                ..Query::default()
            };
            let shown = recover::preview(call.engine, &query, Choice::Named, Detail::Counts, &Silent)?;
            recover::plan_info(call.engine, &shown.plan)?
        }
    };
    if plan.target != checkpoint && !plan.target.starts_with(&checkpoint) {
        return Err(Stop::Denied(Denial {
            code: "checkpoint_differs_from_preview",
            message: format!("the preview goes back to checkpoint `{}`, not to this one", plan.target),
            next: "use the `checkpoint_id` of the preview, or make a new preview".to_owned(),
            command: None,
        }));
    }
    restore::refuse_other_paths(&plan, &paths)?;
    let count = plan.changes.iter().filter(|change| !change.is_folder).count();
    let files = if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
    let title = format!("put {files} back to checkpoint {}", plan.target);
    restore::apply(call, &plan, second_yes.as_deref(), title)
}
