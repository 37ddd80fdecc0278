//! `capture_lesson`: what agents should do differently next time. Future agents are told, so a person says yes.

use engine::audit::Event;
use engine::grants::Capability;
use engine::lessons::{self, Draft, Source};
use serde_json::json;

use super::{ADDS, Tool};
use crate::call::{Call, Done, Stop};
use crate::offer::Offer;
use crate::schema;

pub const TOOL: Tool = Tool {
    name: "capture_lesson",
    title: "Write a lesson down",
    about: "Writes into LESSONS.md what agents should do differently in this project, in a sentence or two; later sessions are told. Off \
            by default: needs the grant `memory_write`, and a person sees the exact words and says yes.",
    event: Event::LessonWrite,
    hints: ADDS,
    offer: Offer::With(Capability::MemoryWrite),
    input: || {
        schema::input(vec![
            schema::text("text", "what to do differently").required(),
            schema::texts("tools", "only when one of these tools is used"),
            schema::texts("paths", "only for files that match, such as src/** or *.css"),
            schema::text("operation_id", super::OPERATION),
        ])
    },
    output: || {
        schema::object(vec![
            schema::text("lesson_id", "the lesson").required(),
            schema::text("text", "as it was written down").required(),
            schema::flag("known_before", "it was there already").required(),
        ])
    },
    run,
};

fn run(call: &mut Call<'_>) -> Result<Done, Stop> {
    let text = call.args.required_text("text", 1_000)?;
    let tools = call.args.texts("tools", 10, 100)?;
    let paths = call.args.texts("paths", 10, 300)?;
    call.args.text("operation_id", 80)?;
    call.allow(Capability::MemoryWrite)?;
    let title = "write this lesson into LESSONS.md, for all agents".to_owned();
    call.confirm(Capability::MemoryWrite, title, vec![text.clone()], "", 0)?;
    let draft = Draft { text, tools, paths, pinned: false, source: Source::Person };
    let added = lessons::add(call.engine, draft)?;
    let data =
        json!({"lesson_id": added.lesson.id, "text": added.lesson.text, "known_before": added.known_before});
    Ok(Done { data, ..Done::default() })
}
