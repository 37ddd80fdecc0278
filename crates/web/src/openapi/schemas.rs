//! What answers look like.

use serde_json::{Value, json};

use super::parts::{flag, list, number, object, or_null, reference, text, words};

/// One step, with the files that are its own.
pub(super) fn step() -> Value {
    let file = object(
        &[("path", text()), ("status", text())],
        &[("added", number()), ("removed", number()), ("shared", list(&text())), ("undone", flag())],
    );
    let endings = ["running", "ran", "failed", "stopped", "refused", "cut_off", "unknown"];
    let marks = ["look", "edit", "command", "lost", "stopped", "by_hand", "vib"];
    object(
        &[
            ("number", json!({"type": "string", "pattern": "^s[0-9]+$"})),
            ("actor", words(&["agent", "by_hand", "vib"])),
            ("ending", words(&endings)),
            ("mark", words(&marks)),
            ("changes", list(&file)),
            ("files", number()),
            ("lost", number()),
            ("undone", flag()),
            ("started_ms", number()),
        ],
        &[
            ("what", text()),
            ("tool", text()),
            ("client", text()),
            ("session", text()),
            ("reason", text()),
            ("exit_code", number()),
            ("ended_ms", number()),
            ("before_id", text()),
            ("after_id", text()),
            ("unlisted", number()),
        ],
    )
}

/// All of them by name.
pub(super) fn schemas() -> Value {
    let checkpoint = object(
        &[
            ("seq", number()),
            ("id", json!({"type": "string", "pattern": "^[bcdfghjkmnpqrstvwxyz]{8}$"})),
            ("kind", words(&["turn", "manual", "safety", "commit"])),
            ("whole_tree", flag()),
            ("created_ms", number()),
            ("message", json!({"type": ["string", "null"]})),
            ("pinned", flag()),
            ("files_changed", number()),
            ("bytes_added", number()),
        ],
        &[
            ("session", text()),
            ("turn", text()),
            ("agent", text()),
            ("tool", text()),
            ("prompt", text()),
            ("trigger", text()),
        ],
    );
    let mut item = checkpoint.clone();
    item["properties"]["short_id"] = text();
    item["properties"]["files"] = list(&text());
    let file = object(
        &[
            ("path", text()),
            ("status", words(&["added", "removed", "modified", "renamed", "mode_changed", "type_changed"])),
            ("kind", words(&["file", "symlink", "dir"])),
            ("old_size", number()),
            ("new_size", number()),
            ("binary", flag()),
            ("sensitive", flag()),
        ],
        &[
            ("old_path", text()),
            ("added", number()),
            ("removed", number()),
            ("note", text()),
            ("diff", text()),
        ],
    );
    let field = object(
        &[
            ("text", text()),
            ("last_updated", number()),
            ("updated_by", text()),
            ("source", text()),
            ("stale", flag()),
        ],
        &[],
    );
    let guarded = object(&[("code", text()), ("path", text()), ("message", text())], &[]);
    let change = object(
        &[
            ("path", text()),
            ("type", words(&["modify", "create", "delete", "rename", "copy"])),
            ("diff", text()),
            ("appliedHunks", number()),
            ("skippedHunks", number()),
            ("hunks", json!({"type": "array"})),
        ],
        &[("oldPath", text()), ("guarded", list(&guarded)), ("refusal", json!({"type": "object"}))],
    );
    json!({
        "Error": object(&[("code", text()), ("message", text()), ("next", text())], &[]),
        "Failure": object(
            &[("ok", json!({"const": false})), ("error", reference("Error")), ("data", json!({"type": "null"}))], &[]),
        "Checkpoint": checkpoint,
        "FileDiff": file,
        "Diff": object(
            &[("from", text()), ("to", text()), ("files", list(&reference("FileDiff"))), ("added", number()),
              ("removed", number()), ("not_counted", number())], &[]),
        "Step": step(),
        "Entry": object(&[("entry", words(&["steps", "save"]))],
            &[("kind", words(&["request", "session", "by_hand", "vib"])), ("words", text()), ("request", json!({"type": "object"})),
              ("client", text()), ("steps", list(&reference("Step"))), ("looks", number()), ("time_ms", number()), ("undone", flag()),
              ("checkpoint", reference("Checkpoint")), ("short_id", text())]),
        "Group": object(&[("checkpoints", list(&item))],
            &[("session", text()), ("turn", text()), ("prompt", text()), ("agent", text())]),
        "Field": field,
        "Lesson": object(
            &[("id", text()), ("text", text()), ("tools", list(&text())), ("paths", list(&text())), ("pinned", flag()),
              ("source", text()), ("weight", json!({"type": "number"}))], &[]),
        "Patch": object(
            &[("ok", flag()), ("applied", flag()), ("snapshotId", json!({"type": ["string", "null"]})),
              ("changes", list(&change)), ("diff", text()), ("warnings", list(&text())),
              ("evidence", json!({"type": "object"})), ("error", or_null(&reference("Error")))],
            &[("confirm", text())]),
    })
}
