//! `rollback_to_checkpoint`: the whole project goes back. The last resort, under the same rules as `recovery_apply`.

use engine::audit::Event;
use engine::diff::Detail;
use engine::grants::Capability;
use engine::recover::{self, Choice, Query};
use store::Silent;

use super::{CHANGES, Tool, restore};
use crate::call::{Call, Done, Stop};
use crate::offer::Offer;
use crate::schema;

pub const TOOL: Tool = Tool {
    name: "rollback_to_checkpoint",
    title: "Roll the project back",
    about: "Puts all files of the project back to a checkpoint. The last resort: `recovery_apply` with the files that are broken loses \
            less. Off by default: needs the grant `recovery_apply`, and a person says yes each time. vib saves the present state \
            itself first. On `busy`: tell the person, and do not try again by yourself.",
    event: Event::RecoveryApply,
    hints: CHANGES,
    offer: Offer::With(Capability::RecoveryApply),
    input: || {
        schema::input(vec![
            schema::text("checkpoint_id", "the state to go back to").required(),
            schema::text("operation_id", super::OPERATION),
        ])
    },
    output: restore::result_schema,
    run,
};

fn run(call: &mut Call<'_>) -> Result<Done, Stop> {
    let checkpoint = call.args.required_text("checkpoint_id", 80)?;
    call.args.text("operation_id", 80)?;
    restore::refuse_if_busy(call)?;
    call.allow(Capability::RecoveryApply)?;
    let query = Query { checkpoint: Some(checkpoint), tool: call.client.tool(), ..Query::default() };
    let shown = recover::preview(call.engine, &query, Choice::Named, Detail::Counts, &Silent)?;
    let plan = recover::plan_info(call.engine, &shown.plan)?;
    let title = format!(
        "put ALL files of the project back to checkpoint {} ({} would change)",
        plan.target,
        plan.changes.iter().filter(|change| !change.is_folder).count()
    );
    restore::apply(call, &plan, None, title)
}
