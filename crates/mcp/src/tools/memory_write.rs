//! `memory_write`: proposes something to remember. What shapes the work of future agents needs the person's yes.

use engine::audit::Event;
use engine::grants::Capability;
use engine::memory::{self, CheckResult, Remember};
use serde_json::json;

use super::{ADDS, Tool};
use crate::args::ArgError;
use crate::call::{Call, Done, Stop};
use crate::offer::Offer;
use crate::schema;

/// The longest text that is remembered.
const LONGEST: usize = 2_000;
const KINDS: [&str; 6] = ["intent", "decision", "next_action", "risk", "relevant_file", "verification"];
const RESULTS: [&str; 3] = ["passed", "failed", "skipped"];

pub const TOOL: Tool = Tool {
    name: "memory_write",
    title: "Remember something",
    about: "Adds one thing to the memory of this project: a goal (intent), a decision, the next step, a risk, a file that matters, or a \
            check that was run. Off by default: needs a grant. A goal, a decision, the next step and a file that matters are the \
            person's to say: they are asked each time, and see the exact words.",
    event: Event::MemoryWrite,
    hints: ADDS,
    offer: Offer::With(Capability::MemoryWrite),
    input: || {
        schema::input(vec![
            schema::word("kind", &KINDS, "what it is").required(),
            schema::text(
                "text",
                "what it says, in a sentence or two; for a verification the command that was run",
            )
            .required(),
            schema::text(
                "path",
                "for a relevant_file: the path inside the project; `text` says why it matters",
            ),
            schema::word("result", &RESULTS, "for a verification: how it ended"),
            schema::paths("paths", "for a verification: the files it is about"),
            schema::text("operation_id", super::OPERATION),
        ])
    },
    output: || {
        schema::object(vec![
            schema::text("id", "the entry's id").required(),
            schema::text("kind", "what it is").required(),
            schema::flag("redacted_before_writing", "secrets or private details were taken out first")
                .required(),
        ])
    },
    run,
};

fn run(call: &mut Call<'_>) -> Result<Done, Stop> {
    let args = &mut call.args;
    let kind = args.word("kind", &KINDS)?.ok_or(ArgError::Missing("kind"))?;
    let text = args.required_text("text", LONGEST)?;
    let path = args.path("path")?;
    let result = args.word("result", &RESULTS)?;
    let paths = args.paths("paths")?;
    args.text("operation_id", 80)?;
    call.row.paths_count.total = paths.len() as u64 + u64::from(path.is_some());
    let what = match kind {
        "intent" => Remember::Intent(text.clone()),
        "decision" => Remember::Decision(text.clone()),
        "next_action" => Remember::Next(text.clone()),
        "risk" => Remember::Risk(text.clone()),
        "relevant_file" => Remember::Relevant(path.ok_or(ArgError::Missing("path"))?, Some(text.clone())),
        _ => {
            let result = match result.ok_or(ArgError::Missing("result"))? {
                "passed" => CheckResult::Passed,
                "failed" => CheckResult::Failed,
                _ => CheckResult::Skipped,
            };
            Remember::Check(text.clone(), result, paths)
        }
    };
    call.allow(Capability::MemoryWrite)?;
    if shapes_intent(&what) {
        let title = format!("remember this {} as yours", kind.replace('_', " "));
        let line = match &what {
            Remember::Relevant(path, _) => format!("{path}: {text}"),
            _ => text,
        };
        call.confirm(Capability::MemoryWrite, title, vec![line], "", 0)?;
    }
    let done = memory::remember(call.engine, &call.client.name, &what)?;
    let data = json!({"id": done.id, "kind": done.kind, "redacted_before_writing": done.redacted});
    Ok(Done { data, ..Done::default() })
}

/// What future agents take as the person's will.
fn shapes_intent(what: &Remember) -> bool {
    !matches!(what, Remember::Risk(_) | Remember::Check(..))
}
