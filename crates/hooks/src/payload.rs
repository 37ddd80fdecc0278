//! Taking fields out of a payload. Unknown fields are skipped, missing ones are `None`: clients add and drop fields with
//! every version, and none of that may stop them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::PathBuf;

use serde_json::Value;

use crate::event::{Edit, Replacement};
use crate::reading::{self, Doubt};
use crate::{Client, HookEvent, event::CellEdit, event::Change, event::Kind};

/// What the agent said last, in the words of whichever client.
pub(crate) fn last_words(payload: &Value) -> Option<String> {
    let said =
        any_text(payload, &["last_assistant_message", "prompt_response", "lastAssistantMessage", "response"]);
    said.filter(|said| !said.trim().is_empty())
}

/// A string field, if it is there and not empty.
pub(crate) fn text(value: &Value, name: &str) -> Option<String> {
    value.get(name).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// A string field, under the first of these names that is there.
pub(crate) fn any_text(value: &Value, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| text(value, name))
}

/// A path under the first of these names that is there.
pub(crate) fn path(value: &Value, names: &[&str]) -> Option<PathBuf> {
    any_text(value, names).map(PathBuf::from)
}

/// An event with the fields that most clients share.
pub(crate) fn event(client: Client, payload: &Value, native: &str, kind: Kind) -> HookEvent {
    HookEvent {
        client,
        named: None,
        native: native.to_owned(),
        session: any_text(payload, &["session_id", "sessionId", "conversation_id"]),
        turn: any_text(payload, &["prompt_id", "turn_id", "generation_id"]),
        agent: any_text(payload, &["agent_id"]),
        agent_type: any_text(payload, &["agent_type", "agentType"]),
        transcript: path(payload, &["transcript_path", "transcriptPath"]),
        at_ms: payload.get("timestamp").and_then(Value::as_i64),
        cwd: path(payload, &["cwd"]),
        mode: any_text(payload, &["permission_mode", "permissionMode"]),
        doubt: None,
        kind,
    }
}

/// The arguments of a tool call; some versions send them as a string of JSON. Nothing: they are not there.
pub(crate) fn arguments(payload: &Value) -> (Value, Option<Doubt>) {
    let named = ["tool_input", "toolArgs", "toolInput"].iter().find_map(|name| payload.get(name));
    match named {
        Some(Value::String(text)) => match reading::read(text.as_bytes()) {
            // A text that is no JSON is the argument itself.
            (Value::Object(fields), doubt) => (Value::Object(fields), doubt),
            _ => (Value::String(text.clone()), None),
        },
        Some(other) => (other.clone(), None),
        None => (Value::Null, None),
    }
}

/// The edit of a tool that takes a whole content or one replacement.
pub(crate) fn edit(input: &Value) -> Vec<Edit> {
    let whole = ["content", "file_text"].iter().find_map(|name| input.get(name).and_then(Value::as_str));
    let change = match whole {
        Some(content) => Change::Whole(content.to_owned()),
        None => cell(input).unwrap_or_else(|| replacements(input)),
    };
    // One place in two spellings: which of them the client takes is not known here, so each counts. (M8)
    let mut paths: Vec<PathBuf> = Vec::new();
    for name in ["file_path", "filePath", "path", "notebook_path", "absolute_path"] {
        paths.extend(path(input, &[name]).filter(|path| !paths.contains(path)));
    }
    let mut edits: Vec<Edit> = paths.into_iter().map(|path| Edit { path, change: change.clone() }).collect();
    // A part that names a file of its own may be meant for that.
    let parts = ["edits", "changes", "files"].iter().filter_map(|name| input.get(name)?.as_array()).flatten();
    for path in
        parts.take(200).filter_map(|part| path(part, &["file_path", "filePath", "path", "notebook_path"]))
    {
        if !edits.iter().any(|edit| edit.path == path) {
            edits.push(Edit { path, change: Change::Unknown });
        }
    }
    edits
}

/// A cell of a notebook gets another text, comes or goes.
fn cell(input: &Value) -> Option<Change> {
    let text = |name: &str| input.get(name).and_then(Value::as_str).map(str::to_owned);
    input.get("notebook_path")?;
    let edit = match text("edit_mode").as_deref() {
        None | Some("replace") => CellEdit::Replaced,
        Some("insert") => CellEdit::Inserted(text("cell_type").unwrap_or_else(|| "code".to_owned())),
        Some("delete") => CellEdit::Removed,
        Some(_) => return None,
    };
    let id = if matches!(edit, CellEdit::Inserted(_)) {
        text("cell_id").unwrap_or_default()
    } else {
        text("cell_id")?
    };
    let source = if edit == CellEdit::Removed { String::new() } else { text("new_source")? };
    Some(Change::Cell { id, source, edit })
}

fn replacements(input: &Value) -> Change {
    let one = |value: &Value| -> Option<Replacement> {
        let old = ["old_string", "old_str", "oldString"].iter().find_map(|name| value.get(name)?.as_str())?;
        let new = ["new_string", "new_str", "newString"].iter().find_map(|name| value.get(name)?.as_str())?;
        let all =
            ["replace_all", "replaceAll"].iter().any(|name| value.get(name) == Some(&Value::Bool(true)));
        Some(Replacement { old: old.to_owned(), new: new.to_owned(), all })
    };
    let several = input.get("edits").and_then(Value::as_array);
    let found = match several {
        Some(edits) => edits.iter().map(one).collect::<Option<Vec<_>>>(),
        None => one(input).map(|replacement| vec![replacement]),
    };
    found.filter(|list| !list.is_empty()).map_or(Change::Unknown, Change::Replace)
}

/// The files of a `*** Begin Patch` text, each with the part that is about it: handing the whole text to every file would make a patch of
/// many files cost its square.
pub(crate) fn patch_files(patch: &str) -> Vec<Edit> {
    const HEADS: [&str; 3] = ["*** Add File: ", "*** Update File: ", "*** Delete File: "];
    let mut files: Vec<(PathBuf, String)> = Vec::new();
    let mut known: HashMap<PathBuf, usize> = HashMap::new();
    let mut about: Vec<usize> = Vec::new();
    for line in patch.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\n', '\r']);
        let head = HEADS.iter().find_map(|head| bare.strip_prefix(head));
        let moved = bare.strip_prefix("*** Move to: ");
        if head.is_some() {
            about.clear();
        }
        if let Some(path) = head.or(moved).map(|path| PathBuf::from(path.trim())) {
            let so_far = match (moved, about.first()) {
                (Some(_), Some(source)) => files[*source].1.clone(),
                _ => "*** Begin Patch\n".to_owned(),
            };
            let at = *known.entry(path.clone()).or_insert_with(|| {
                files.push((path, so_far));
                files.len() - 1
            });
            if !about.contains(&at) {
                about.push(at);
            }
        }
        if bare != "*** Begin Patch" && bare != "*** End Patch" {
            about.iter().for_each(|at| files[*at].1.push_str(line));
        }
    }
    let ended = |text: String| match text.ends_with('\n') {
        true => format!("{text}*** End Patch"),
        false => format!("{text}\n*** End Patch"),
    };
    files.into_iter().map(|(path, text)| Edit { path, change: Change::Patch(ended(text)) }).collect()
}

/// The path that a `file:` address stands for; any other text is a path itself.
pub(crate) fn local_path(text: &str) -> Cow<'_, str> {
    let Some(address) =
        text.get(..7).filter(|start| start.eq_ignore_ascii_case("file://")).and(text.get(7..))
    else {
        return Cow::Borrowed(text);
    };
    // `file://host/path`: whichever machine that is called, its files may be here.
    let path = match address.find('/') {
        Some(at) => &address[at..],
        None => address,
    };
    if !path.contains('%') {
        return Cow::Owned(path.to_owned());
    }
    let bytes = path.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(&byte) = bytes.get(at) {
        let coded = path
            .get(at + 1..at + 3)
            .filter(|_| byte == b'%')
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        out.push(coded.unwrap_or(byte));
        at += if coded.is_some() { 3 } else { 1 };
    }
    Cow::Owned(String::from_utf8_lossy(&out).into_owned())
}

/// How long a call ran, in milliseconds; it may have waited for the person before. (M1)
pub(crate) fn took_ms(payload: &Value, name: &str) -> Option<i64> {
    let told = payload.get(name)?;
    let took = told.as_i64().or_else(|| told.as_f64().map(|took| took.ceil() as i64))?;
    (took >= 0).then_some(took)
}

/// The longest text in an answer of a tool, whatever its shape: what the model was told.
pub(crate) fn output_text(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => {
            let mut parts = Vec::new();
            collect_text(other, &mut parts, 0);
            parts.join("\n")
        }
    }
}

fn collect_text(value: &Value, parts: &mut Vec<String>, depth: usize) {
    const TEXT_FIELDS: [&str; 11] = [
        "stdout",
        "stderr",
        "output",
        "text",
        "llmContent",
        "textResultForLlm",
        "text_result_for_llm",
        "content",
        "error",
        "message",
        "metadata",
    ];
    match value {
        Value::String(text) if !text.is_empty() => parts.push(text.clone()),
        Value::Array(items) if depth < 4 => {
            items.iter().for_each(|item| collect_text(item, parts, depth + 1));
        }
        Value::Object(fields) if depth < 4 => {
            for (name, value) in fields {
                if TEXT_FIELDS.contains(&name.as_str()) && (name != "metadata" || value.get("exit").is_none())
                {
                    collect_text(value, parts, depth + 1);
                }
            }
        }
        _ => {}
    }
}

/// The exit code that a client writes at the end of a command's output.
pub(crate) fn exit_code_in(text: &str) -> Option<i64> {
    ["completed with exit code ", "Exit Code: ", "Exit code: ", "Exit code "].iter().find_map(|mark| {
        let at = text.rfind(mark)? + mark.len();
        let digits: String =
            text[at..].chars().take_while(|letter| letter.is_ascii_digit() || *letter == '-').collect();
        digits.parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_of_a_patch_gets_the_part_that_is_about_it() {
        let patch = "*** Begin Patch\n*** Add File: a\n+1\n*** Update File: b\n*** Move to: c\n@@\n-x\n+y\n*** Delete File: d\n*** End Patch";
        let files: Vec<(String, String)> = patch_files(patch)
            .into_iter()
            .map(|edit| match edit.change {
                Change::Patch(text) => (edit.path.display().to_string(), text),
                other => panic!("{other:?}"),
            })
            .collect();
        let moved = "*** Begin Patch\n*** Update File: b\n*** Move to: c\n@@\n-x\n+y\n*** End Patch";
        let want = [
            ("a", "*** Begin Patch\n*** Add File: a\n+1\n*** End Patch"),
            ("b", moved),
            ("c", moved),
            ("d", "*** Begin Patch\n*** Delete File: d\n*** End Patch"),
        ];
        assert_eq!(files, want.map(|(path, text)| (path.to_owned(), text.to_owned())));
    }

    #[test]
    fn an_address_of_a_file_is_a_path() {
        for (text, path) in [
            ("file:///home/u/%44ocs", "/home/u/Docs"),
            ("file://localhost/home/u", "/home/u"),
            ("FILE:///a%20b", "/a b"),
            ("/a%20b", "/a%20b"),
            ("https://x/y", "https://x/y"),
            ("file:///100%", "/100%"),
        ] {
            assert_eq!(local_path(text), path);
        }
    }
}
