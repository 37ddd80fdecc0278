//! The tools, one file each: what it is called, what it takes and gives, and the one function of the engine behind it.

mod capture_lesson;
mod checkpoint_create;
mod checkpoint_diff;
mod checkpoint_list;
mod edit_scope;
mod explain_get;
mod guard_check;
mod handoff_export;
mod memory_full_read;
mod memory_recall;
mod memory_summary_read;
mod memory_write;
mod patch_apply;
mod project_map_get;
mod recovery_apply;
mod recovery_preview;
mod restore;
mod rollback_to_checkpoint;
mod view;
mod why_get;

use std::sync::Arc;

use engine::audit::Event;
use rmcp::model::{Tool as Listed, ToolAnnotations};
use serde_json::Value;

use crate::answer::output_schema;
use crate::call::{Call, Done, Stop};
use crate::offer::Offer;
use crate::schema::Schema;

/// The argument that carries a yes from a terminal.
const OPERATION: &str = "only after `vib approve`: the operation that the person approved";

/// What a client may assume about a tool.
#[derive(Debug, Clone, Copy)]
pub struct Hints {
    /// It changes nothing.
    pub read_only: bool,
    /// It can replace or remove what is there.
    pub destructive: bool,
    /// Twice the same is the same as once.
    pub idempotent: bool,
}

/// It only looks.
const LOOKS: Hints = Hints { read_only: true, destructive: false, idempotent: true };
/// It adds something.
const ADDS: Hints = Hints { read_only: false, destructive: false, idempotent: false };
/// It changes files.
const CHANGES: Hints = Hints { read_only: false, destructive: true, idempotent: false };

/// A tool.
pub struct Tool {
    /// Its frozen name.
    pub name: &'static str,
    /// For people.
    pub title: &'static str,
    /// For the model: what it does, when to use it, what it needs.
    pub about: &'static str,
    /// As the audit log calls it.
    pub event: Event,
    /// What a client may assume.
    pub hints: Hints,
    /// When it is listed.
    pub offer: Offer,
    /// What it takes.
    pub input: fn() -> Schema,
    /// What the `data` of its answer looks like.
    pub output: fn() -> Schema,
    /// What it does.
    pub run: fn(&mut Call<'_>) -> Result<Done, Stop>,
}

/// All tools: the seven frozen ones first.
pub static ALL: [Tool; 18] = [
    memory_summary_read::TOOL,
    memory_full_read::TOOL,
    memory_write::TOOL,
    recovery_preview::TOOL,
    recovery_apply::TOOL,
    checkpoint_create::TOOL,
    handoff_export::TOOL,
    memory_recall::TOOL,
    capture_lesson::TOOL,
    checkpoint_list::TOOL,
    checkpoint_diff::TOOL,
    rollback_to_checkpoint::TOOL,
    patch_apply::TOOL,
    guard_check::TOOL,
    explain_get::TOOL,
    project_map_get::TOOL,
    why_get::TOOL,
    edit_scope::TOOL,
];

/// The tool of that name.
pub fn find(name: &str) -> Option<&'static Tool> {
    ALL.iter().find(|tool| tool.name == name)
}

/// A tool as clients see it.
pub fn list_one(tool: &'static Tool) -> Listed {
    let Hints { read_only, destructive, idempotent } = tool.hints;
    let annotations = ToolAnnotations::with_title(tool.title)
        .read_only(read_only)
        .destructive(destructive)
        .idempotent(idempotent)
        .open_world(false);
    Listed::new(tool.name, tool.about, Arc::new((tool.input)()))
        .with_title(tool.title)
        .with_raw_output_schema(Arc::new(without_words(output_schema((tool.output)()))))
        .with_annotations(annotations)
}

/// Schemas of answers are for programs: the words in them would only make the list long. `docs/mcp.md` has them.
fn without_words(schema: Schema) -> Schema {
    fn strip(value: Value) -> Value {
        match value {
            Value::Object(fields) => Value::Object(without_words(fields)),
            other => other,
        }
    }
    let is_word = |name: &str, value: &Value| name == "description" && value.is_string();
    schema
        .into_iter()
        .filter(|(name, value)| !is_word(name, value))
        .map(|(name, value)| (name, strip(value)))
        .collect()
}
