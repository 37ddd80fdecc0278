//! `recovery_apply`: puts named files back, after a grant and a person's yes to exactly these files.

use engine::audit::Event;
use engine::diff::Detail;
use engine::grants::Capability;
use serde_json::json;

use super::{CHANGES, Tool, restore};
use crate::args::ArgError;
use crate::call::{Call, Denial, Done, Stop};
use crate::schema;

pub const TOOL: Tool = Tool {
    name: "recovery_apply",
    title: "Restore files",
    about: "Puts the named files back to a checkpoint. Call `recovery_preview` first, show it to the person, then \
            `checkpoint_create`, then this with the same paths. Off by default: needs a grant, and a person says yes each time. vib \
            saves the present state itself first. On `busy`: tell the person, and do not try again by yourself.",
    event: Event::RecoveryApply,
    hints: CHANGES,
    input: || {
        schema::input(vec![
            schema::text("checkpoint_id", "the state to go back to, from recovery_preview").required(),
            schema::paths("paths", "exactly these files, from recovery_preview").required(),
            schema::flag("apply", "must be true").required(),
            schema::text("sandwich_checkpoint_id", "the checkpoint that checkpoint_create gave you"),
            schema::text("preview_id", "from recovery_preview: refuses if anything is different since"),
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
    let preview = restore::plan(call, checkpoint, &paths, Detail::Counts)?;
    if preview_id.is_some_and(|id| id != preview.digest()) {
        return Err(Stop::Denied(Denial {
            code: "changed_since_preview",
            message: "restoring now would not do what the preview showed: files or paths are different"
                .to_owned(),
            next: "call `recovery_preview` again with the same paths, and show it to the person".to_owned(),
            command: None,
        }));
    }
    let title = format!(
        "put {} back to checkpoint {}",
        match preview.changes.files.len() {
            1 => "1 file".to_owned(),
            many => format!("{many} files"),
        },
        preview.target.id
    );
    restore::apply(call, &preview, title)
}
