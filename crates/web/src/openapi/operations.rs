//! The table of operations.

use serde_json::{Value, json};

use super::bodies;
use super::parts::{flag, list, number, object, or_null, query, reference, text, words};
use super::schemas::step;
use crate::api::{MOST, MOST_DAYS};

/// One operation.
pub(super) struct Operation {
    /// Its name in this document.
    pub(super) id: &'static str,
    pub(super) method: &'static str,
    pub(super) path: &'static str,
    pub(super) about: &'static str,
    /// Only a person's session may do it.
    pub(super) person: bool,
    pub(super) query: Vec<Value>,
    pub(super) body: Option<Value>,
    pub(super) data: Value,
}

/// Everything that can be asked for.
pub(super) fn operations() -> Vec<Operation> {
    let read = |id, path, about, query: Vec<Value>, data: Value| Operation {
        id,
        method: "get",
        path,
        about,
        person: false,
        query,
        body: None,
        data,
    };
    let act = |id, path, about, person: bool, body: Value, data: Value| Operation {
        id,
        method: "post",
        path,
        about,
        person,
        query: Vec::new(),
        body: Some(body),
        data,
    };
    let limit = json!({"type": "integer", "minimum": 1, "maximum": MOST});
    let days = json!({"type": "integer", "minimum": 1, "maximum": MOST_DAYS});
    let before = json!({"type": "integer", "format": "int64", "minimum": i64::MIN, "maximum": i64::MAX});
    let place = json!({"type": "string", "pattern": "^[0-9]{1,18}-[0-9]{1,19}$"});
    let mut all = vec![
        read(
            "status",
            "/api/status",
            "What is different from what was last saved",
            vec![],
            object(
                &[
                    ("root", text()),
                    ("id", text()),
                    ("newest", or_null(&reference("Checkpoint"))),
                    ("checkpoints", number()),
                    ("changes", reference("Diff")),
                    ("store_bytes", number()),
                    ("now_ms", number()),
                ],
                &[],
            ),
        ),
        read(
            "history",
            "/api/history",
            "What happened, newest first: requests with their steps, work by hand, changes of vib's, saves",
            vec![
                query("file", &text(), "only what changed this file or folder"),
                query("session", &text(), "only this session of an agent"),
                query("agent", &text(), "only this client or sub-agent"),
                query("since", &text(), "only since then: `2h`, `yesterday`, `14:30`, `2026-11-16`"),
                query("stopped", &flag(), "only what was not let run"),
                query("all", &flag(), "steps that only looked and safety checkpoints too"),
                query("before", &place, "where the page before ended: its `next`"),
                query("limit", &limit, "at the most this many entries"),
            ],
            object(
                &[("entries", list(&reference("Entry"))), ("more", flag()), ("now_ms", number())],
                &[("next", place.clone())],
            ),
        ),
        read(
            "showStep",
            "/api/steps/{id}",
            "One step: its command, how it ended, its own files and what it changed",
            vec![],
            {
                let mut step = step();
                step["properties"]["request"] = text();
                step["properties"]["asked"] = json!({"type": "object"});
                step["properties"]["diff"] = reference("Diff");
                step
            },
        ),
        read(
            "showRequest",
            "/api/requests/{id}",
            "One request with its steps, and what all of them changed together",
            vec![],
            object(
                &[
                    ("request", json!({"type": "object"})),
                    ("entries", list(&reference("Entry"))),
                    ("diff", reference("Diff")),
                    ("now_ms", number()),
                ],
                &[],
            ),
        ),
        act(
            "previewUndo",
            "/api/undo/preview",
            "What taking back a step, a request, a file or a function would change; what was changed again since is a conflict",
            false,
            bodies::undo_preview(),
            object(
                &[
                    ("back", json!({"type": "object"})),
                    ("changes", reference("Diff")),
                    ("unsaved", list(&text())),
                    ("digest", text()),
                    ("now_ms", number()),
                ],
                &[("conflicts", json!({"type": "array"}))],
            ),
        ),
        act(
            "applyUndo",
            "/api/undo/apply",
            "Saves the present state, then does what the preview with this digest showed",
            true,
            bodies::undo_apply(),
            object(
                &[
                    ("back", json!({"type": "object"})),
                    ("safety", reference("Checkpoint")),
                    ("result", json!({"type": "object"})),
                    ("confirmed_via", words(&["web"])),
                ],
                &[("conflicts", json!({"type": "array"}))],
            ),
        ),
        read(
            "timeline",
            "/api/timeline",
            "Checkpoints, newest first, grouped by prompt",
            vec![
                query("before", &before, "only those before this number"),
                query("limit", &limit, "at the most this many"),
                query("q", &text(), "text in prompt, message, tool, agent, id or path"),
                query("session", &text(), "of one session"),
                query("pinned", &flag(), "only pinned ones"),
                query("all", &flag(), "safety checkpoints too"),
            ],
            object(
                &[
                    ("groups", list(&reference("Group"))),
                    ("shown", number()),
                    ("next", json!({"type": ["integer", "null"]})),
                    ("total", number()),
                    ("activity", json!({"type": "array"})),
                    ("now_ms", number()),
                ],
                &[],
            ),
        ),
        act(
            "saveCheckpoint",
            "/api/checkpoints",
            "Saves the whole tree",
            false,
            bodies::save(),
            object(&[("checkpoint", reference("Checkpoint"))], &[]),
        ),
        read(
            "showCheckpoint",
            "/api/checkpoints/{id}",
            "One checkpoint and what it recorded",
            vec![],
            object(
                &[
                    ("checkpoint", reference("Checkpoint")),
                    ("named", json!({"type": "array"})),
                    ("changes", reference("Diff")),
                    ("problems", json!({"type": "array"})),
                ],
                &[],
            ),
        ),
        act(
            "pinCheckpoint",
            "/api/checkpoints/{id}/pin",
            "Keeps a checkpoint for ever, or lets it go",
            true,
            bodies::pin(),
            reference("Checkpoint"),
        ),
        read(
            "diff",
            "/api/diff",
            "What is different between two moments",
            vec![
                query("from", &text(), "a checkpoint; else what was last saved"),
                query("to", &text(), "a checkpoint; else now"),
                query("path", &text(), "only this file or folder"),
                query("stat", &flag(), "counts only"),
            ],
            reference("Diff"),
        ),
        read(
            "memory",
            "/api/memory",
            "What is remembered",
            vec![],
            object(
                &[
                    (
                        "memory",
                        object(
                            &[
                                ("active_intent", or_null(&reference("Field"))),
                                ("next_action", or_null(&reference("Field"))),
                                ("decisions", json!({"type": "array"})),
                                ("verification", json!({"type": "array"})),
                                ("conflicts", json!({"type": "array"})),
                            ],
                            &[],
                        ),
                    ),
                    ("events", number()),
                    ("now_ms", number()),
                ],
                &[],
            ),
        ),
        act(
            "remember",
            "/api/memory",
            "Remembers something that a person says",
            true,
            bodies::remember(),
            object(&[("id", text()), ("kind", text()), ("redacted", flag())], &[]),
        ),
        read(
            "lessons",
            "/api/lessons",
            "What the agent should do differently",
            vec![],
            object(
                &[
                    ("file", text()),
                    ("lessons", list(&reference("Lesson"))),
                    ("problems", json!({"type": "array"})),
                ],
                &[],
            ),
        ),
        act(
            "addLesson",
            "/api/lessons",
            "Writes a lesson down",
            true,
            bodies::lesson(),
            object(&[("lesson", reference("Lesson")), ("known_before", flag()), ("redacted", flag())], &[]),
        ),
        Operation {
            id: "removeLesson",
            method: "delete",
            path: "/api/lessons/{id}",
            about: "Takes a lesson out",
            person: true,
            query: Vec::new(),
            body: None,
            data: object(&[("lesson", reference("Lesson"))], &[]),
        },
        act(
            "pinLesson",
            "/api/lessons/{id}/pin",
            "Keeps a lesson for ever, or lets it fade",
            true,
            bodies::pin(),
            object(&[("lesson", reference("Lesson"))], &[]),
        ),
        read(
            "spirals",
            "/api/spirals",
            "Files that rest because an agent ran in circles",
            vec![],
            object(&[("resting", json!({"type": "array"})), ("released", flag())], &[]),
        ),
        act(
            "resumeAgent",
            "/api/spirals/resume",
            "Lets the agent edit again",
            true,
            bodies::resume(),
            object(&[("resting", json!({"type": "array"})), ("released", flag())], &[]),
        ),
        read(
            "audit",
            "/api/audit",
            "The newest rows of the audit log",
            vec![query("limit", &limit, "at the most this many")],
            object(
                &[
                    ("rows", json!({"type": "array"})),
                    ("total", number()),
                    ("damage", json!({"type": "array"})),
                ],
                &[],
            ),
        ),
        read(
            "auditRules",
            "/api/audit/slo",
            "The rules that may never break",
            vec![query("days", &days, "the window")],
            object(
                &[
                    ("result", words(&["pass", "fail", "needs_review", "rejected"])),
                    ("slos", json!({"type": "array"})),
                    ("rows", number()),
                ],
                &[],
            ),
        ),
        read(
            "auditMetrics",
            "/api/audit/metrics",
            "How useful vib is",
            vec![query("days", &days, "the window")],
            object(&[("metrics", json!({"type": "array"})), ("events", json!({"type": "object"}))], &[]),
        ),
        read(
            "settings",
            "/api/settings",
            "All settings in force",
            vec![],
            list(&object(
                &[
                    ("name", text()),
                    ("value", json!({})),
                    ("source", words(&["default", "user", "project"])),
                    ("doc", text()),
                ],
                &[],
            )),
        ),
        act(
            "changeSetting",
            "/api/settings",
            "Changes one setting",
            true,
            bodies::setting(),
            object(&[("name", text()), ("value", json!({})), ("in_force", json!({}))], &[]),
        ),
        read(
            "recovery",
            "/api/recovery",
            "What happened, and what can be done",
            vec![query("words", &text(), "what the person says")],
            object(
                &[
                    ("incident", text()),
                    ("diagnosis", json!({"type": "object"})),
                    ("ways", json!({"type": "array"})),
                    ("has_history", flag()),
                    ("now_ms", number()),
                ],
                &[],
            ),
        ),
        act(
            "previewRecovery",
            "/api/recovery/preview",
            "What one way would change; `to` is a checkpoint, or `before` (the state before the last recovery)",
            false,
            bodies::preview(),
            object(
                &[
                    ("plan", text()),
                    ("digest", text()),
                    ("level", number()),
                    ("changes", reference("Diff")),
                    ("unsaved", list(&text())),
                    ("expires_ms", number()),
                    ("lines_lost", number()),
                    ("files_lost", number()),
                ],
                &[],
            ),
        ),
        act(
            "applyRecovery",
            "/api/recovery/apply",
            "Saves the present state, then does what the preview showed",
            true,
            bodies::apply(),
            object(
                &[
                    ("plan", text()),
                    ("level", number()),
                    ("safety", reference("Checkpoint")),
                    ("result", json!({"type": "object"})),
                ],
                &[],
            ),
        ),
        read(
            "grants",
            "/api/grants",
            "What tools may do without asking",
            vec![],
            object(&[("grants", json!({"type": "array"})), ("now_ms", number())], &[]),
        ),
        act(
            "patch",
            "/api/patch/diff",
            "Previews or applies the edits of a model: all of them or none",
            false,
            bodies::patch(),
            reference("Patch"),
        ),
    ];
    all.extend(super::runs::operations());
    all
}
