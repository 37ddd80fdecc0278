//! What can be sent, as narrow as the server takes it, each with examples.

use project::config::{KEYS, Kind};
use serde_json::{Value, json};

use super::parts::{body, flag, list, text, words};

/// A checkpoint's id, or the beginning of it.
pub(super) const CHECKPOINT: &str = "^[bcdfghjkmnpqrstvwxyz]{1,8}$";

/// A step's number.
pub(super) const STEP: &str = "^s[0-9]{1,18}$";
/// A request's number.
pub(super) const REQUEST: &str = "^r[0-9]{1,18}$";
/// A run.
pub(super) const RUN: &str = "^run[1-9][0-9]{0,8}$";
/// A card of a run.
pub(super) const CARD: &str = "^[A-Za-z0-9][A-Za-z0-9_.-]{0,79}$";
/// What can be taken back, or gone back to.
const UNDO: &str = "^(last|last-step|redo|s[0-9]{1,18}|r[0-9]{1,18}|[bcdfghjkmnpqrstvwxyz]{1,8})$";

/// Letters of which at least one can be seen.
fn something() -> Value {
    json!({"type": "string", "minLength": 1, "pattern": "\\S"})
}

fn text_or_null() -> Value {
    json!({"type": ["string", "null"]})
}

/// A body in which nothing is said.
pub(super) fn nothing() -> Value {
    with_examples(body(&[], &[]), &[json!({})])
}

/// What to do with a card: of which attempt, and to which preview this is the yes.
pub(super) fn card() -> Value {
    let attempt = json!({"type": "string", "pattern": "^(a[0-9]{1,6})?$"});
    with_examples(
        body(&[], &[("attempt", attempt), ("leave", flag()), ("digest", text_or_null())]),
        &[json!({}), json!({"attempt": "a1"})],
    )
}

/// A person's answer to what a run waits for.
pub(super) fn answer() -> Value {
    with_examples(
        body(&[("answer", something())], &[("since_ms", json!({"type": ["integer", "null"]}))]),
        &[json!({"answer": "yes, go on"})],
    )
}

fn with_examples(mut schema: Value, examples: &[Value]) -> Value {
    schema["examples"] = json!(examples);
    schema
}

pub(super) fn save() -> Value {
    with_examples(
        body(&[], &[("message", text_or_null())]),
        &[json!({"message": "before the big change"}), json!({})],
    )
}

pub(super) fn pin() -> Value {
    with_examples(body(&[("pinned", flag())], &[]), &[json!({"pinned": true}), json!({"pinned": false})])
}

/// What a fact needs depends on its kind.
pub(super) fn remember() -> Value {
    let paths = list(&text());
    let said = body(&[("kind", words(&["intent", "next", "decision", "risk"])), ("text", something())], &[]);
    let relevant = body(&[("kind", words(&["relevant"])), ("path", something())], &[("text", text())]);
    let result = json!({"enum": ["passed", "failed", "skipped", null]});
    let check =
        body(&[("kind", words(&["check"])), ("text", something())], &[("result", result), ("paths", paths)]);
    with_examples(
        json!({"oneOf": [said, relevant, check]}),
        &[
            json!({"kind": "intent", "text": "add a log-in page"}),
            json!({"kind": "next", "text": "write the test for the empty form"}),
            json!({"kind": "decision", "text": "no new dependency"}),
            json!({"kind": "risk", "text": "the old page is still linked"}),
            json!({"kind": "relevant", "path": "README.md", "text": "says how to start it"}),
            json!({"kind": "check", "text": "npm test", "result": "passed", "paths": []}),
        ],
    )
}

pub(super) fn lesson() -> Value {
    let optional = [("tools", list(&text())), ("paths", list(&text())), ("pinned", flag())];
    with_examples(
        body(&[("text", something())], &optional),
        &[
            json!({"text": "Run the tests before you say that it works"}),
            json!({"text": "Ask before you add a dependency", "tools": ["Edit"], "paths": ["package.json"], "pinned": true}),
        ],
    )
}

pub(super) fn resume() -> Value {
    with_examples(body(&[], &[("path", text_or_null())]), &[json!({}), json!({"path": "src/app.ts"})])
}

/// One form for each kind of setting: what its value must look like.
pub(super) fn setting() -> Value {
    let forms: Vec<Value> = KEYS
        .iter()
        .map(|key| {
            let value = match key.kind {
                Kind::Flag(_) => words(&["true", "false"]),
                Kind::Choice(choices) => words(choices),
                Kind::Number(_) => json!({"type": "string", "pattern": "^[0-9]{1,9}$"}),
                Kind::Size(_) => json!({"type": "string", "pattern": "^[0-9]{1,6}(KB|MB|GB)?$"}),
                Kind::List(_) | Kind::Names | Kind::Words => text(),
                Kind::Folder => json!({"type": "string", "pattern": "^(~?/.*)?$"}),
            };
            body(
                &[("name", words(&[key.name])), ("value", value), ("target", words(&["user", "project"]))],
                &[],
            )
        })
        .collect();
    with_examples(
        json!({"oneOf": forms}),
        &[
            json!({"name": "retention.turns", "value": "200", "target": "user"}),
            json!({"name": "checkpoint.max_file_size", "value": "20MB", "target": "project"}),
            json!({"name": "ui.language", "value": "auto", "target": "user"}),
        ],
    )
}

pub(super) fn preview() -> Value {
    let to = json!({"type": "string", "pattern": "^(before|[bcdfghjkmnpqrstvwxyz]{0,8})$"});
    let way = json!({"type": ["integer", "null"], "minimum": 0, "maximum": 100});
    with_examples(
        body(&[], &[("to", to), ("way", way), ("words", text()), ("paths", list(&text()))]),
        &[json!({}), json!({"way": 1, "words": "it broke"}), json!({"to": "before"})],
    )
}

pub(super) fn apply() -> Value {
    let plan = json!({"type": "string", "minLength": 1, "maxLength": 64});
    body(&[("plan", plan)], &[("second_yes", text_or_null())])
}

/// What an undo is about; `take` has the keys of conflicts that are taken back too, or `all`.
fn undone() -> Vec<(&'static str, Value)> {
    vec![("paths", list(&text())), ("function", text()), ("take", list(&text()))]
}

pub(super) fn undo_preview() -> Value {
    let what = json!({"type": "string", "pattern": UNDO});
    with_examples(
        body(&[("what", what)], &undone()),
        &[json!({"what": "s1"}), json!({"what": "r1", "paths": ["src/app.ts"]}), json!({"what": "redo"})],
    )
}

pub(super) fn undo_apply() -> Value {
    let what = json!({"type": "string", "pattern": UNDO});
    let digest = json!({"type": "string", "pattern": "^[0-9a-f]{64}$"});
    body(&[("what", what), ("digest", digest)], &undone())
}

/// The example only shows: nobody's project gets a file by trying it out.
pub(super) fn patch() -> Value {
    let diff = "--- /dev/null\n+++ b/vib-example.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n";
    let optional = [
        ("preview", flag()),
        ("keepRegions", flag()),
        ("reason", text_or_null()),
        ("maxOffset", json!({"type": ["integer", "null"], "minimum": 0, "maximum": 1_000_000})),
        ("minConfidence", json!({"type": ["number", "null"], "minimum": 0, "maximum": 1})),
        ("allowIgnored", flag()),
        ("confirm", text_or_null()),
    ];
    with_examples(body(&[("diff", something())], &optional), &[json!({"diff": diff, "preview": true})])
}
