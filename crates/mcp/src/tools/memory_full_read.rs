//! `memory_full_read`: everything that is remembered, redacted, by a grant and a yes each time.

use engine::audit::Event;
use engine::grants::Capability;
use engine::memory;

use super::view::{self, Limits};
use super::{LOOKS, Tool};
use crate::call::{Call, Done, Stop};
use crate::offer::Offer;
use crate::schema;

pub const TOOL: Tool = Tool {
    name: "memory_full_read",
    title: "Read the whole memory",
    about: "Everything that is remembered about the work on this project, without secrets and private details. Off by default: \
            needs a grant, and a person says yes each time. Use `memory_summary_read` first; it is enough for most work.",
    event: Event::MemoryFullRead,
    hints: LOOKS,
    offer: Offer::With(Capability::MemoryFullRead),
    input: || schema::input(vec![schema::text("operation_id", super::OPERATION)]),
    output: || {
        let mut schema = view::memory_schema();
        let events = schema::object(vec![schema::count("events", "how many entries the log has")]);
        if let (Some(all), Some(more)) = (
            schema.get_mut("properties").and_then(serde_json::Value::as_object_mut),
            events.get("properties").and_then(serde_json::Value::as_object),
        ) {
            all.extend(more.clone());
        }
        schema
    },
    run,
};

fn run(call: &mut Call<'_>) -> Result<Done, Stop> {
    call.args.text("operation_id", 80)?;
    call.allow(Capability::MemoryFullRead)?;
    let report = memory::show(call.engine)?;
    let title = "read everything that is remembered about this project, without secrets".to_owned();
    let lines = vec![format!("{} entries; what is read goes to the AI behind this client", report.events)];
    call.confirm(Capability::MemoryFullRead, title, lines, "", 0)?;
    call.row.intent = Some(view::intent(&report));
    let (mut data, omitted) = view::memory(&report, &Limits { each: 200, archived: true });
    data["events"] = report.events.into();
    Ok(Done {
        data,
        provenance: view::memory_provenance(&report),
        summarized: !omitted.is_empty(),
        omitted,
        note: Some(view::DATA_NOT_ORDERS),
    })
}
