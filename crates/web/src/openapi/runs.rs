//! The operations about runs.

use serde_json::{Value, json};

use super::bodies;
use super::operations::Operation;
use super::parts::{flag, list, number, object, or_null, query, reference, text, words};

const STATUSES: [&str; 8] =
    ["todo", "running", "preview", "review", "done", "blocked", "reverted", "dropped"];

/// A card as the board shows it.
fn board_card() -> Value {
    object(
        &[
            ("run", text()),
            ("id", text()),
            ("title", text()),
            ("status", words(&STATUSES)),
            ("left_alone", flag()),
            ("files", number()),
            ("added", number()),
            ("removed", number()),
            ("weakened", flag()),
            ("findings", number()),
            ("attempts", number()),
            ("dollars", json!({"type": "number"})),
            ("unpriced", number()),
            ("last_ms", number()),
        ],
        &[
            ("check", json!({"enum": ["passed", "failed", "partly", "stale", null]})),
            ("risk", json!({"enum": ["low", "medium", "high", "unknown", null]})),
            ("why", json!({"type": ["string", "null"]})),
        ],
    )
}

/// A card with its evidence.
fn card() -> Value {
    object(
        &[
            ("id", text()),
            ("title", text()),
            ("status", words(&STATUSES)),
            ("acceptance", list(&text())),
            ("steps", list(&text())),
            ("attempts", json!({"type": "array"})),
            ("evidence", json!({"type": "object"})),
            ("assumptions", list(&text())),
            ("reasons", list(&text())),
        ],
        &[
            ("run", text()),
            ("shown", json!({"type": ["string", "null"]})),
            ("diff", or_null(&reference("Diff"))),
            ("now_ms", number()),
        ],
    )
}

/// A preview, or what was done.
fn carried() -> Value {
    object(
        &[("run", text()), ("revert", flag()), ("cards", json!({"type": "array"}))],
        &[
            ("changes", reference("Diff")),
            ("conflicts", json!({"type": "array"})),
            ("digest", text()),
            ("step", text()),
            ("safety", reference("Checkpoint")),
            ("paths", number()),
            ("left", list(&text())),
        ],
    )
}

fn act(id: &'static str, path: &'static str, about: &'static str, body: Value, data: Value) -> Operation {
    Operation { id, method: "post", path, about, person: true, query: Vec::new(), body: Some(body), data }
}

fn read(
    id: &'static str,
    path: &'static str,
    about: &'static str,
    query: Vec<Value>,
    data: Value,
) -> Operation {
    Operation { id, method: "get", path, about, person: false, query, body: None, data }
}

/// All of them.
pub(super) fn operations() -> Vec<Operation> {
    let column = object(&[("status", words(&STATUSES)), ("cards", list(&board_card()))], &[]);
    vec![
        read(
            "runs",
            "/api/runs",
            "The board: every card of every run, in the column of where it stands, and what waits for a person",
            vec![],
            object(
                &[
                    ("columns", list(&column)),
                    ("put_away", list(&column)),
                    ("waiting", json!({"type": "array"})),
                    ("runs", json!({"type": "array"})),
                    ("now_ms", number()),
                ],
                &[],
            ),
        ),
        read(
            "showRun",
            "/api/runs/{run}",
            "One run: its task, limits, what it used, what it waits for, its cards",
            vec![],
            object(
                &[
                    ("id", text()),
                    ("task", text()),
                    ("cards", list(&card())),
                    ("spent", json!({"type": "object"})),
                    ("running", flag()),
                    ("began_ms", number()),
                    ("last_ms", number()),
                    ("now_ms", number()),
                ],
                &[],
            ),
        ),
        read(
            "showCard",
            "/api/runs/{run}/cards/{card}",
            "One card with its evidence, and what an attempt changed",
            vec![query("attempt", &text(), "of this attempt; else of the one that counts")],
            card(),
        ),
        act(
            "applyCard",
            "/api/runs/{run}/cards/{card}/apply",
            "What bringing the card to the project would change; with the `digest` of that: the present state is saved, and it is done",
            bodies::card(),
            carried(),
        ),
        act(
            "revertCard",
            "/api/runs/{run}/cards/{card}/revert",
            "What taking the card back would change; with the `digest` of that: the present state is saved, and it is done",
            bodies::card(),
            carried(),
        ),
        act(
            "replayCard",
            "/api/runs/{run}/cards/{card}/replay",
            "Does the card again from what is kept, in a fresh lane; the project is not touched",
            bodies::nothing(),
            object(
                &[("run", text()), ("lane", text()), ("same", flag()), ("cards", json!({"type": "array"}))],
                &[],
            ),
        ),
        act(
            "dropCard",
            "/api/runs/{run}/cards/{card}/drop",
            "Puts the card's lanes away; everything of them is kept",
            bodies::nothing(),
            object(&[("run", text()), ("lanes", json!({"type": "array"})), ("attempts", list(&text()))], &[]),
        ),
        act(
            "stopRun",
            "/api/runs/{run}/stop",
            "Asks whoever works on it to end; where nobody does, it is written down as stopped",
            bodies::nothing(),
            object(&[("run", text()), ("asked", flag())], &[]),
        ),
        act(
            "resumeRun",
            "/api/runs/{run}/resume",
            "Keeps a person's answer; the command in `next` goes on with it",
            bodies::answer(),
            object(&[("run", text()), ("next", text())], &[]),
        ),
    ]
}
