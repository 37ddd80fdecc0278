//! From an event of the log to a memory that can be found.

use serde_json::{Value, json};

use super::document::Document;
use crate::log::{Event, Outcome, Provenance, Scope};
use crate::work::kinds::RETRACT;

/// What is worth finding of an event: more than this is a file, not a memory.
const LONGEST: usize = 32_000;
/// Fields that say something in words, in the order in which they are read.
const SAID: &[&str] = &[
    "title", "text", "summary", "question", "answer", "command", "result", "error", "fix", "note", "message",
];
/// Kinds that keep the books of memory itself.
const SILENT: &[&str] = &["policy", "recalled", "feedback", "trigger", "promotion", RETRACT];

impl Document {
    /// The memory of an event; nothing if it says nothing.
    pub fn of_event(event: &Event) -> Option<Self> {
        if SILENT.iter().any(|kind| event.kind.starts_with(kind)) {
            return None;
        }
        let mut paths = Vec::new();
        let mut marks = Vec::new();
        cited(&event.body, &mut paths, &mut marks);
        let text = text(&event.body);
        if text.is_empty() && paths.is_empty() {
            return None;
        }
        let text = if text.is_empty() { format!("{} {}", event.kind, paths.join(" ")) } else { text };
        let session = event.task.clone().or_else(|| said(event.other.get("session")));
        Some(Self {
            id: event.id.clone(),
            text,
            paths,
            time_ms: event.time_ms,
            scope: scope_name(event.scope).to_owned(),
            session: session.or_else(|| said(event.body.get("session"))),
            class: event.kind.clone(),
            importance: importance(event),
            readers: event.acl.clone(),
            until_ms: event.ttl_ms.map(|ttl| event.time_ms.saturating_add(ttl)),
            note: note(event, &marks),
        })
    }
}

/// The memory that an event takes back: what a person no longer holds is not to be found any more.
pub(super) fn taken_back(event: &Event) -> Option<String> {
    let is_theirs = event.kind == RETRACT && event.provenance == Provenance::Explicit;
    said(event.body.get("item")).filter(|_| is_theirs)
}

/// What is kept beside the text: where it comes from, and what the files it speaks of were then.
fn note(event: &Event, marks: &[(String, String)]) -> String {
    let mut note =
        json!({"source": event.provenance, "by": event.agent, "outcome": event.outcome, "marks": marks});
    if let Some(origin) = said(event.body.get("ref")) {
        note["ref"] = origin.into();
    }
    note.to_string()
}

/// The word for a scope.
pub(super) fn scope_name(scope: Scope) -> &'static str {
    match scope {
        Scope::Session => "session",
        Scope::Project => "project",
        Scope::Global => "global",
    }
}

/// How much an event weighs before anybody used it.
fn importance(event: &Event) -> f32 {
    let kind: f32 = match event.kind.as_str() {
        "decision" | "preference" => 0.8,
        "risk" | "anti_pattern" | "pattern" => 0.7,
        "intent" | "next_action" | "verification" | "qa" => 0.6,
        _ => 0.5,
    };
    let source = match event.provenance {
        Provenance::Explicit => 0.05,
        Provenance::Observed | Provenance::Imported | Provenance::Unknown => -0.1,
    };
    let outcome = match event.outcome {
        // What went wrong and was taken back is worth knowing.
        Some(Outcome::Failure | Outcome::RolledBack) => 0.1,
        Some(Outcome::Success | Outcome::Unknown) | None => 0.0,
    };
    let sure = event.confidence.map_or(0.0, |confidence| (confidence.clamp(0.0, 1.0) - 0.5) * 0.2);
    (kind + source + outcome + sure).clamp(0.0, 1.0)
}

fn said(value: Option<&Value>) -> Option<String> {
    value.and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// What the body says: the fields that are known to be words, or, where there are none, every text in it.
fn text(body: &Value) -> String {
    let mut parts: Vec<&str> = match body {
        Value::Object(fields) => {
            SAID.iter().filter_map(|name| fields.get(*name)).filter_map(Value::as_str).collect()
        }
        Value::String(text) => vec![text],
        _ => Vec::new(),
    };
    if parts.is_empty() {
        strings(body, &mut parts);
    }
    let mut text = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty()).fold(
        String::new(),
        |mut all, part| {
            if !all.is_empty() {
                all.push_str(": ");
            }
            all.push_str(part);
            all
        },
    );
    if text.len() > LONGEST {
        let mut end = LONGEST;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push('…');
    }
    text
}

/// Every text of a body whose fields are not known; paths and hashes are told apart.
fn strings<'v>(value: &'v Value, parts: &mut Vec<&'v str>) {
    const SILENT_FIELDS: &[&str] =
        &["path", "paths", "files", "scope", "hash", "id", "ref", "session", "turn", "marks"];
    match value {
        Value::String(text) => parts.push(text),
        Value::Array(items) => items.iter().for_each(|item| strings(item, parts)),
        Value::Object(fields) => {
            let spoken = fields.iter().filter(|(name, _)| !SILENT_FIELDS.contains(&name.as_str()));
            spoken.for_each(|(_, field)| strings(field, parts));
        }
        _ => {}
    }
}

/// The files that a body names, and what was in them.
fn cited(body: &Value, paths: &mut Vec<String>, marks: &mut Vec<(String, String)>) {
    let mut add = |item: &Value| {
        let path = said(Some(item)).or_else(|| said(item.get("path")));
        let Some(path) = path else { return };
        if let Some(hash) = said(item.get("hash")) {
            marks.push((path.clone(), hash));
        }
        if !paths.contains(&path) {
            paths.push(path);
        }
    };
    if body.get("path").is_some() {
        add(body);
    }
    for name in ["paths", "files", "scope", "marks"] {
        body.get(name).and_then(Value::as_array).into_iter().flatten().for_each(&mut add);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work;

    fn event(kind: &str, body: Value) -> Event {
        Event::new(1_000, [7; 10], Scope::Project, kind, Provenance::Explicit, body)
    }

    #[test]
    fn what_an_event_says_and_cites_is_found_again() {
        let marks = [work::FileMark { path: "src/a.rs".to_owned(), hash: Some("abc".to_owned()) }];
        let (kind, body) = work::verification("cargo test", work::CheckResult::Passed, &marks);
        let document = Document::of_event(&event(kind, body)).unwrap();
        assert_eq!(
            (document.text.as_str(), document.paths.as_slice()),
            ("cargo test: passed", &["src/a.rs".to_owned()][..])
        );
        let note: Value = serde_json::from_str(&document.note).unwrap();
        assert_eq!(note["marks"], json!([["src/a.rs", "abc"]]));
        let (kind, body) = work::decision("no new dependencies");
        let decision = Document::of_event(&event(kind, body)).unwrap();
        assert!(decision.importance > document.importance);
    }

    #[test]
    fn a_kind_of_a_newer_vib_is_read_for_its_words_and_the_books_are_not_memories() {
        let body = json!({"heading": "queue", "lines": ["drain first", "then stop"], "hash": "ff", "files": ["q.rs"]});
        let document = Document::of_event(&event("from_the_future", body)).unwrap();
        assert_eq!(document.text, "queue: drain first: then stop");
        assert_eq!(document.paths, ["q.rs"]);
        assert_eq!(Document::of_event(&event("policy", json!({"text": "x"}))), None);
        assert_eq!(Document::of_event(&event("edit", json!({}))), None);
    }
}
