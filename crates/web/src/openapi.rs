//! The description of the API, in OpenAPI 3.1. One table of operations; `/api/openapi.json` is made from it.

use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use crate::api::{MOST, MOST_DAYS};

/// One operation.
struct Operation {
    method: &'static str,
    path: &'static str,
    about: &'static str,
    /// Only a person's session may do it.
    person: bool,
    query: Vec<Value>,
    body: Option<Value>,
    data: Value,
}

fn object(required: &[(&str, Value)], optional: &[(&str, Value)]) -> Value {
    let properties: Map<String, Value> =
        required.iter().chain(optional).map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    let required: Vec<&str> = required.iter().map(|(name, _)| *name).collect();
    json!({"type": "object", "required": required, "properties": properties})
}

/// A body: nothing else may be in it.
fn body(required: &[(&str, Value)], optional: &[(&str, Value)]) -> Value {
    let mut schema = object(required, optional);
    schema["additionalProperties"] = json!(false);
    schema
}

fn list(of: &Value) -> Value {
    json!({"type": "array", "items": of})
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

fn or_null(schema: &Value) -> Value {
    json!({"anyOf": [schema, {"type": "null"}]})
}

fn text() -> Value {
    json!({"type": "string"})
}

fn number() -> Value {
    json!({"type": "integer"})
}

fn flag() -> Value {
    json!({"type": "boolean"})
}

fn query(name: &str, schema: &Value, about: &str) -> Value {
    json!({"name": name, "in": "query", "required": false, "schema": schema, "description": about})
}

fn words(words: &[&str]) -> Value {
    json!({"type": "string", "enum": words})
}

fn schemas() -> Value {
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
    let change = object(
        &[
            ("path", text()),
            ("type", words(&["modify", "create", "delete", "rename", "copy"])),
            ("diff", text()),
            ("appliedHunks", number()),
            ("skippedHunks", number()),
            ("hunks", json!({"type": "array"})),
        ],
        &[("oldPath", text()), ("refusal", json!({"type": "object"}))],
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
        "Group": object(&[("checkpoints", list(&item))],
            &[("session", text()), ("turn", text()), ("prompt", text()), ("agent", text())]),
        "Field": field,
        "Lesson": object(
            &[("id", text()), ("text", text()), ("tools", list(&text())), ("paths", list(&text())), ("pinned", flag()),
              ("source", text()), ("weight", json!({"type": "number"}))], &[]),
        "Patch": object(
            &[("ok", flag()), ("applied", flag()), ("snapshotId", json!({"type": ["string", "null"]})),
              ("changes", list(&change)), ("diff", text()), ("warnings", list(&text())),
              ("evidence", json!({"type": "object"})), ("error", or_null(&reference("Error")))], &[]),
    })
}

fn operations() -> Vec<Operation> {
    let read = |path, about, query: Vec<Value>, data: Value| Operation {
        method: "get",
        path,
        about,
        person: false,
        query,
        body: None,
        data,
    };
    let act = |path, about, person: bool, body: Value, data: Value| Operation {
        method: "post",
        path,
        about,
        person,
        query: Vec::new(),
        body: Some(body),
        data,
    };
    let id = json!({"type": "string", "minLength": 1, "maxLength": 64});
    let limit = json!({"type": "integer", "minimum": 1, "maximum": MOST});
    let days = json!({"type": "integer", "minimum": 1, "maximum": MOST_DAYS});
    let before = json!({"type": "integer", "format": "int64", "minimum": i64::MIN, "maximum": i64::MAX});
    let paths = list(&text());
    let pin = body(&[("pinned", flag())], &[]);
    vec![
        read(
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
            "/api/checkpoints",
            "Saves the whole tree",
            false,
            body(&[], &[("message", json!({"type": ["string", "null"]}))]),
            object(&[("checkpoint", reference("Checkpoint"))], &[]),
        ),
        read(
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
            "/api/checkpoints/{id}/pin",
            "Keeps a checkpoint for ever, or lets it go",
            true,
            pin.clone(),
            reference("Checkpoint"),
        ),
        read(
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
            "/api/memory",
            "Remembers something that a person says",
            true,
            body(
                &[("kind", words(&["intent", "next", "decision", "risk", "relevant", "check"]))],
                &[
                    ("text", text()),
                    ("path", json!({"type": ["string", "null"]})),
                    ("paths", paths.clone()),
                    ("result", json!({"enum": ["passed", "failed", "skipped", null]})),
                ],
            ),
            object(&[("id", text()), ("kind", text()), ("redacted", flag())], &[]),
        ),
        read(
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
            "/api/lessons",
            "Writes a lesson down",
            true,
            body(
                &[("text", text())],
                &[("tools", list(&text())), ("paths", paths.clone()), ("pinned", flag())],
            ),
            object(&[("lesson", reference("Lesson")), ("known_before", flag()), ("redacted", flag())], &[]),
        ),
        Operation {
            method: "delete",
            path: "/api/lessons/{id}",
            about: "Takes a lesson out",
            person: true,
            query: Vec::new(),
            body: None,
            data: object(&[("lesson", reference("Lesson"))], &[]),
        },
        act(
            "/api/lessons/{id}/pin",
            "Keeps a lesson for ever, or lets it fade",
            true,
            pin,
            object(&[("lesson", reference("Lesson"))], &[]),
        ),
        read(
            "/api/spirals",
            "Files that rest because an agent ran in circles",
            vec![],
            object(&[("resting", json!({"type": "array"})), ("released", flag())], &[]),
        ),
        act(
            "/api/spirals/resume",
            "Lets the agent edit again",
            true,
            body(&[], &[("path", json!({"type": ["string", "null"]}))]),
            object(&[("resting", json!({"type": "array"})), ("released", flag())], &[]),
        ),
        read(
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
            "/api/audit/metrics",
            "How useful vib is",
            vec![query("days", &days, "the window")],
            object(&[("metrics", json!({"type": "array"})), ("events", json!({"type": "object"}))], &[]),
        ),
        read(
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
            "/api/settings",
            "Changes one setting",
            true,
            body(&[("name", text()), ("value", text()), ("target", words(&["user", "project"]))], &[]),
            object(&[("name", text()), ("value", json!({})), ("in_force", json!({}))], &[]),
        ),
        read(
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
            "/api/recovery/preview",
            "What one way would change; `to` is a checkpoint, or `before` (the state before the last recovery)",
            false,
            body(
                &[],
                &[
                    ("to", text()),
                    ("way", json!({"type": ["integer", "null"], "minimum": 0, "maximum": 100})),
                    ("words", text()),
                    ("paths", paths),
                ],
            ),
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
            "/api/recovery/apply",
            "Saves the present state, then does what the preview showed",
            true,
            body(&[("plan", id)], &[("second_yes", json!({"type": ["string", "null"]}))]),
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
            "/api/grants",
            "What tools may do without asking",
            vec![],
            object(&[("grants", json!({"type": "array"})), ("now_ms", number())], &[]),
        ),
        act(
            "/api/patch/diff",
            "Previews or applies the edits of a model: all of them or none",
            false,
            body(
                &[("diff", text())],
                &[
                    ("preview", flag()),
                    ("keepRegions", flag()),
                    ("reason", json!({"type": ["string", "null"]})),
                    ("maxOffset", json!({"type": ["integer", "null"], "minimum": 0, "maximum": 1_000_000})),
                    ("minConfidence", json!({"type": ["number", "null"], "minimum": 0, "maximum": 1})),
                    ("allowIgnored", flag()),
                ],
            ),
            reference("Patch"),
        ),
    ]
}

/// The whole document.
pub(crate) fn document() -> Value {
    let mut paths = Map::new();
    for operation in operations() {
        let failure = |about: &str| json!({"description": about, "content": {"application/json": {"schema": reference("Failure")}}});
        let patch = operation.path == "/api/patch/diff";
        let good = if patch {
            operation.data.clone()
        } else {
            object(
                &[
                    ("ok", json!({"const": true})),
                    ("error", json!({"type": "null"})),
                    ("data", operation.data),
                ],
                &[],
            )
        };
        let mut responses = json!({
            "200": {"description": "done", "content": {"application/json": {"schema": good}}},
            "400": failure("not understood"), "401": failure("no session, and no token"),
            "403": failure("refused: another site, no CSRF token, or a person is needed"),
            "404": failure("there is no such thing"), "409": failure("something else is going on"), "410": failure("no longer kept"),
            "413": failure("too large"), "415": failure("not JSON"), "421": failure("another host name"),
            "422": failure("cannot be done as things are"), "429": failure("too many requests"),
            "503": failure("took too long"), "507": failure("the disk is full"),
        });
        if patch {
            let refused = json!({"anyOf": [reference("Patch"), reference("Failure")]});
            for status in ["400", "404", "409", "422"] {
                responses[status]["content"]["application/json"]["schema"] = refused.clone();
            }
        }
        let mut parameters = operation.query;
        if operation.path.contains("{id}") {
            parameters.push(json!({"name": "id", "in": "path", "required": true,
                "schema": {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[a-z0-9]+$"}}));
        }
        let who = if operation.person { " (a person's session only)" } else { "" };
        let security = if operation.person {
            json!([{"session": []}, {"token": []}])
        } else {
            json!([{"token": []}, {"session": []}])
        };
        let mut described = json!({
            "summary": format!("{}{who}", operation.about), "parameters": parameters, "responses": responses, "security": security,
        });
        if let Some(body) = operation.body {
            described["requestBody"] =
                json!({"required": true, "content": {"application/json": {"schema": body}}});
        }
        let entry = paths.entry(operation.path.to_owned()).or_insert_with(|| json!({}));
        entry[operation.method] = described;
    }
    json!({
        "openapi": "3.1.0",
        "info": {"title": "VibeLign", "version": env!("CARGO_PKG_VERSION"),
            "description": "Undo, memory and guard rails for AI coding agents, on this machine only. Programs send `Authorization: Bearer` \
                with the token of `web.json`; changes by a session need the header `X-CSRF-Token`."},
        "paths": paths,
        "components": {
            "schemas": schemas(),
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "session": {"type": "apiKey", "in": "cookie", "name": "vib_session_PORT"},
            },
        },
    })
}

pub(crate) async fn serve() -> Response {
    axum::Json(document()).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_leads_somewhere_and_every_route_is_described() {
        let document = document();
        let text = document.to_string();
        for part in text.split("\"#/components/schemas/").skip(1) {
            let name = part.split('"').next().unwrap_or_default();
            assert!(document["components"]["schemas"][name].is_object(), "{name}");
        }
        let routes = include_str!("api/mod.rs");
        let named: Vec<&str> = routes
            .lines()
            .filter_map(|line| line.trim().strip_prefix(".route(\"")?.split('"').next())
            .filter(|path| *path != "/api/openapi.json")
            .collect();
        let described: Vec<&str> =
            document["paths"].as_object().expect("paths").keys().map(String::as_str).collect();
        for path in &named {
            assert!(described.contains(path), "{path} is not described");
        }
        assert_eq!(named.len(), described.len());
    }
}
