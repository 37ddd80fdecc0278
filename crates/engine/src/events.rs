//! What patches did, noted in the memory log: paths, counts and decisions; no content.

use ::memory::log::Provenance;
use ::memory::work::PATCH;
use serde_json::{Value, json};

use crate::patch::{PatchOptions, PatchReport};
use crate::undo::Confirmation;
use crate::{Engine, Result, memory};

/// Something that happened.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    name: &'static str,
    data: Value,
}

impl Event {
    /// What became of a patch: paths, counts and decisions; no content.
    pub(crate) fn patch(
        name: &'static str,
        report: &PatchReport,
        options: &PatchOptions,
        confirmed_via: Option<Confirmation>,
    ) -> Self {
        let files: Vec<Value> = report
            .changes
            .iter()
            .map(|change| {
                let hunks: Vec<Value> = change
                    .hunks
                    .iter()
                    .map(|decision| match &decision.outcome {
                        patch::Outcome::Placed { level, line, offset, confidence, .. } => {
                            json!({"level": level, "line": line, "offset": offset, "confidence": confidence})
                        }
                        patch::Outcome::Duplicate { of } => json!({"duplicate_of": of}),
                        patch::Outcome::Refused(refusal) => json!({"refused": refusal.reason}),
                    })
                    .collect();
                json!({
                    "path": change.path,
                    "type": change.kind,
                    "bytes_before": change.bytes_before,
                    "bytes_after": change.bytes_after,
                    "applied_hunks": change.applied_hunks,
                    "skipped_hunks": change.skipped_hunks,
                    "refused": change.refusal.as_ref().map(|refusal| refusal.code),
                    "hunks": hunks,
                })
            })
            .collect();
        let data = json!({
            "snapshot": report.snapshot_id,
            "files": files,
            "tool_calls": report.evidence.tool_calls,
            "elapsed_ms": report.evidence.elapsed_ms,
            "bytes_written": report.evidence.bytes_written,
            "keep_regions_opened": options.open_keep_regions,
            "confirmed_via": confirmed_via,
        });
        Self { name, data }
    }
}

/// Notes an event. What happened has happened: if it cannot be noted, that is a warning, which is returned.
pub(crate) fn note(engine: &Engine, event: &Event) -> Option<String> {
    append(engine, event).err().map(|error| format!("this could not be noted in the memory log: {error}"))
}

fn append(engine: &Engine, event: &Event) -> Result<()> {
    let empty = memory::event(engine, PATCH, Provenance::Observed, json!({}));
    memory::append_seen(engine, &[memory::patch_event(empty, event.name, &event.data)])
}
