//! `handoff_export`: the page that hands the work over to another AI, by a grant and a yes each time. Writes no file.

use engine::audit::Event;
use engine::grants::Capability;
use engine::memory::{self, HandoffOptions};
use serde_json::json;

use super::{LOOKS, Tool, view};
use crate::call::{Call, Done, Stop};
use crate::offer::Offer;
use crate::schema;

pub const TOOL: Tool = Tool {
    name: "handoff_export",
    title: "Make a hand-off page",
    about: "One page that hands the work over to another AI: goal, decisions, files that matter, checks, next step; without secrets, \
            stale parts marked. Returns the text and writes nothing. Off by default: needs a grant, and a person says yes each time.",
    event: Event::HandoffExport,
    hints: LOOKS,
    offer: Offer::With(Capability::HandoffExport),
    input: || {
        schema::input(vec![
            schema::text("reader", "the tool that will read it, such as codex"),
            schema::text("operation_id", super::OPERATION),
        ])
    },
    output: || {
        schema::object(vec![
            schema::text("text", "the page, in Markdown").required(),
            schema::count("tokens", "how long it is, at the most").required(),
            schema::flag("intent_proposed", "the goal on it is a proposal that nobody confirmed").required(),
        ])
    },
    run,
};

fn run(call: &mut Call<'_>) -> Result<Done, Stop> {
    let reader = call.args.text("reader", 60)?;
    call.args.text("operation_id", 80)?;
    call.allow(Capability::HandoffExport)?;
    let report = memory::show(call.engine)?;
    let title = "make a hand-off page about this project, which goes to the AI behind this client".to_owned();
    let lines =
        vec!["goal, decisions, files, checks and next step; without secrets and private paths".to_owned()];
    call.confirm(Capability::HandoffExport, title, lines, "", 0)?;
    let draft = memory::draft(call.engine, &HandoffOptions { out: None, reader })?;
    // The page says itself which parts are stale.
    call.row.intent = Some(view::intent(&report));
    let data = json!({"text": draft.text, "tokens": draft.tokens, "intent_proposed": draft.intent_proposed});
    Ok(Done {
        data,
        provenance: view::memory_provenance(&report),
        note: Some(view::DATA_NOT_ORDERS),
        summarized: true,
        ..Done::default()
    })
}
