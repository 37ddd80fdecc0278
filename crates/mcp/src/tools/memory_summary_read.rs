//! `memory_summary_read`: what are we doing? A redacted summary, for everybody.

use engine::audit::Event;
use engine::memory;

use super::view::{self, Limits};
use super::{LOOKS, Tool};
use crate::call::{Call, Done, Stop};
use crate::offer::Offer;
use crate::schema;

/// The newest of each list.
const EACH: usize = 5;

pub const TOOL: Tool = Tool {
    name: "memory_summary_read",
    title: "Read the memory summary",
    about: "Goal, decisions, checks and next step of this project. Call it when you begin or earlier work is mentioned; what is stale, the person has to confirm.",
    event: Event::MemorySummaryRead,
    hints: LOOKS,
    offer: Offer::Always,
    input: || schema::input(Vec::new()),
    output: view::memory_schema,
    run,
};

fn run(call: &mut Call<'_>) -> Result<Done, Stop> {
    let report = memory::show(call.engine)?;
    call.row.intent = Some(view::intent(&report));
    let (data, omitted) = view::memory(&report, &Limits { each: EACH, archived: false });
    Ok(Done {
        data,
        provenance: view::memory_provenance(&report),
        summarized: !omitted.is_empty(),
        omitted,
        note: Some(view::DATA_NOT_ORDERS),
    })
}
