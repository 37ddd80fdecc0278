//! What leaves. Every text passes the redaction gate, then the whole answer does once more; the counts are in the answer and in the
//! audit log.

use engine::Engine;
use redact::{Counts, Gate};
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value, json};

use crate::call::{Denial, Done, Provenance, Stop};
use crate::renamed::Renamed;
use crate::schema::{self, Schema};
use crate::spaced::spaced;

/// The longest single text of an answer; more is shortened.
const LONGEST_TEXT: usize = 24 << 10;
/// The longest answer.
const LONGEST_ANSWER: usize = 200 << 10;

/// An answer that is ready to leave.
#[derive(Debug)]
pub struct Answer {
    /// The structured answer.
    pub value: Value,
    /// The same as text: this is what was proven clean.
    pub text: String,
    /// It is a refusal or an error.
    pub is_error: bool,
    /// What the gate took out.
    pub counts: Counts,
}

/// What goes with every answer.
#[derive(Debug, Default)]
pub struct Around {
    /// Fields of the call that nobody asked for.
    pub ignored: Vec<String>,
    /// The name that was called is an old one.
    pub renamed: Option<&'static Renamed>,
    /// How a person said yes.
    pub confirmed_via: Option<&'static str>,
}

/// The schema of every answer, around the `data` of one tool.
pub fn output_schema(data: Schema) -> Schema {
    let error = schema::object(vec![
        schema::text("code", "stable code of the reason").required(),
        schema::text("message", "what happened").required(),
        schema::text("next", "what to do next").required(),
        schema::text("command", "the command that a person can run"),
        schema::text("operation_id", "the operation that waits for a person, or that is in progress"),
        schema::count("expires_in_seconds", "how long the operation waits"),
        schema::count("eta_seconds", "when the operation in progress has ended at the latest"),
    ]);
    let provenance = schema::object(vec![
        schema::text("source", "where it comes from").required(),
        schema::text("updated_by", "the tool that wrote it").required(),
        schema::text("last_updated", "when, ISO-8601").required(),
    ]);
    schema::object(vec![
        schema::flag("ok", "it was done").required(),
        schema::thing("data", data, "the answer, if it was done"),
        schema::thing("error", error, "why not, if it was not done"),
        schema::list("provenance", provenance, "where the data comes from").required(),
        schema::flag("redacted", "secrets or private details were replaced").required(),
        schema::flag("summarized", "something was shortened").required(),
        schema::texts("omitted_fields", "parts that were left out").required(),
        schema::texts("ignored_fields", "arguments that were not used").required(),
        schema::text("confirmed_via", "how a person said yes"),
        schema::text("deprecated_in", "the version since when this tool has the name `successor`"),
        schema::text("successor", "the tool's new name"),
        schema::text("note", "how to read this"),
    ])
}

/// Wraps up what a tool found.
pub fn done(engine: &Engine, done: Done, around: &Around) -> Answer {
    let mut body = Map::new();
    body.insert("ok".to_owned(), json!(true));
    body.insert("data".to_owned(), without_nulls(done.data));
    if let Some(note) = done.note {
        body.insert("note".to_owned(), json!(note));
    }
    finish(engine, body, &done.provenance, &done.omitted, done.summarized, around)
}

/// Wraps up a refusal or an error.
pub fn stopped(engine: &Engine, stop: &Stop, around: &Around) -> Answer {
    let mut body = Map::new();
    body.insert("ok".to_owned(), json!(false));
    body.insert("error".to_owned(), error(stop));
    finish(engine, body, &[], &[], false, around)
}

/// Wraps up the news that a person has to say yes somewhere else.
pub fn waits(engine: &Engine, error: Value, around: &Around) -> Answer {
    let mut body = Map::new();
    body.insert("ok".to_owned(), json!(false));
    body.insert("error".to_owned(), error);
    finish(engine, body, &[], &[], false, around)
}

fn error(stop: &Stop) -> Value {
    match stop {
        Stop::Denied(Denial { code, message, next, command }) => {
            let mut error = json!({"code": code, "message": message, "next": next});
            if let Some(command) = command {
                error["command"] = json!(command);
            }
            error
        }
        // Never reaches an answer in this form: the confirm module asks.
        Stop::Confirm(question) => {
            json!({"code": "needs_confirmation", "message": question.title, "next": "ask the person"})
        }
        Stop::Busy { operation_id, doing, eta_seconds } => json!({
            "code": "busy",
            "message": format!("another operation is at work in this project: {doing}"),
            "next": "tell the person, with the operation's id and how long it may take; do not try again by yourself",
            "operation_id": operation_id,
            "eta_seconds": eta_seconds,
        }),
        Stop::Invalid(error) => {
            json!({"code": error.code(), "message": error.to_string(), "next": error.next()})
        }
        Stop::Failed(error) => {
            json!({"code": error.code(), "message": error.to_string(), "next": error.next()})
        }
    }
}

fn finish(
    engine: &Engine,
    mut body: Map<String, Value>,
    provenance: &[Provenance],
    omitted: &[String],
    summarized: bool,
    around: &Around,
) -> Answer {
    let is_error = body.get("ok") != Some(&Value::Bool(true));
    let provenance: Vec<Value> = provenance
        .iter()
        .map(|from| {
            json!({"source": from.source, "updated_by": from.updated_by, "last_updated": iso(from.last_updated)})
        })
        .collect();
    body.insert("provenance".to_owned(), json!(provenance));
    body.insert("omitted_fields".to_owned(), json!(omitted));
    body.insert("ignored_fields".to_owned(), json!(around.ignored));
    if let Some(renamed) = around.renamed {
        body.insert("deprecated_in".to_owned(), json!(renamed.deprecated_in));
        body.insert("successor".to_owned(), json!(renamed.new));
    }
    if let Some(lost) = engine::storage::lost(engine) {
        let warning = format!("tell the person: {}", engine::storage::lost_in_words(&lost));
        let note = body.get("note").and_then(Value::as_str).map_or(String::new(), |note| format!("{note} "));
        body.insert("note".to_owned(), json!(format!("{note}{warning}")));
    }
    if let Some(via) = around.confirmed_via {
        body.insert("confirmed_via".to_owned(), json!(via));
    }
    let mut gate = engine.gate().with_limit(LONGEST_TEXT);
    let mut counts = Counts::default();
    let mut value = Value::Object(body);
    clean(&mut value, &mut gate, &mut counts);
    value["redacted"] = json!(counts.secrets + counts.private > 0 || counts.withheld);
    value["summarized"] = json!(summarized || counts.summarised > 0);
    prove(engine, value, is_error, counts)
}

/// Cleans every text of the answer, names of fields too.
fn clean(value: &mut Value, gate: &mut Gate, counts: &mut Counts) {
    match value {
        Value::String(text) => {
            let clean = gate.clean(text);
            counts.add(clean.counts());
            *text = clean.into_string();
        }
        Value::Array(items) => items.iter_mut().for_each(|item| clean(item, gate, counts)),
        Value::Object(fields) => {
            let names: Vec<String> = fields.keys().cloned().collect();
            for name in names {
                let Some(mut field) = fields.remove(&name) else { continue };
                clean(&mut field, gate, counts);
                let clean = gate.clean(&name);
                counts.add(clean.counts());
                fields.insert(clean.into_string(), field);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The answer as a whole: pieces that are harmless apart could be a secret side by side. What then still has to be replaced is
/// withheld altogether, as is an answer that is too long.
fn prove(engine: &Engine, mut value: Value, is_error: bool, mut counts: Counts) -> Answer {
    let text = spaced(&value);
    let whole = engine.gate().clean(&text);
    let changed = !whole.counts().is_untouched();
    if !changed && text.len() <= LONGEST_ANSWER {
        return Answer { value, text, is_error, counts };
    }
    counts.add(whole.counts());
    let (code, message, next) = if changed {
        (
            "withheld",
            "the answer as a whole could not be made clean, so it is withheld",
            "ask for a smaller part of it",
        )
    } else {
        ("answer_too_long", "the answer is too long", "ask for fewer files or a smaller part")
    };
    counts.withheld |= changed;
    value = json!({
        "ok": false,
        "error": {"code": code, "message": message, "next": next},
        "provenance": [], "redacted": changed, "summarized": !changed, "omitted_fields": ["data"], "ignored_fields": [],
    });
    let text = spaced(&value);
    Answer { value, text, is_error: true, counts }
}

/// A field without a value is left out: schemas have one type for each.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            fields.into_iter().filter(|(_, v)| !v.is_null()).map(|(n, v)| (n, without_nulls(v))).collect()
        }
        Value::Array(items) => items.into_iter().map(without_nulls).collect(),
        other => other,
    }
}

/// Milliseconds since 1970 as people and programs read them.
pub fn iso(ms: i64) -> String {
    jiff::Timestamp::from_millisecond(ms).unwrap_or_default().to_string()
}

impl From<Answer> for CallToolResult {
    fn from(answer: Answer) -> Self {
        let mut result = if answer.is_error {
            Self::error(vec![ContentBlock::text(answer.text)])
        } else {
            Self::success(vec![ContentBlock::text(answer.text)])
        };
        result.structured_content = Some(answer.value);
        result
    }
}
