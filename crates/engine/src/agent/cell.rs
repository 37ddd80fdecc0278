//! The lines of a notebook's cell as they are, and as a client may write them: how it writes the file again cannot be computed, which lines the cell has can.

use serde_json::{Map, Value, json};
use store::{ANY_CELL_ID, Swap};

use super::CellEdit;

/// What an edit of a cell takes away and what it brings. None: there is no such cell, or the file is no notebook.
pub(super) fn swap(notebook: &[u8], id: &str, source: &str, edit: &CellEdit) -> Option<Swap> {
    let notebook: Value = serde_json::from_slice(notebook).ok()?;
    let cells = notebook.get("cells")?.as_array()?;
    let by_id = || cells.iter().find(|cell| cell.get("id").and_then(Value::as_str) == Some(id));
    let by_number = || cells.get(id.strip_prefix("cell-")?.parse::<usize>().ok()?);
    let there = || by_id().or_else(by_number);
    let (old, new) = match edit {
        CellEdit::Inserted(kind) => (String::new(), written(empty(kind), source)?),
        CellEdit::Removed => (either_way(there()?)?, String::new()),
        CellEdit::Replaced => {
            let old = there()?;
            let mut fields = old.as_object()?.clone();
            for (name, empty) in [("outputs", json!([])), ("execution_count", Value::Null)] {
                if let Some(field) = fields.get_mut(name) {
                    *field = empty;
                }
            }
            (either_way(old)?, written(fields, source)?)
        }
    };
    Some(Swap { old, new, all: false })
}

/// A cell as clients put it in. They make up its name.
fn empty(kind: &str) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("cell_type".to_owned(), json!(kind));
    fields.insert("id".to_owned(), json!(ANY_CELL_ID));
    fields.insert("metadata".to_owned(), json!({}));
    if kind == "code" {
        fields.insert("execution_count".to_owned(), Value::Null);
        fields.insert("outputs".to_owned(), json!([]));
    }
    fields
}

/// With its text as one, and line by line.
fn written(mut fields: Map<String, Value>, source: &str) -> Option<String> {
    let lines = source.split_inclusive('\n').map(|line| json!(line)).collect();
    let mut out = String::new();
    for source in [json!(source), Value::Array(lines)] {
        fields.insert("source".to_owned(), source);
        out += &either_way(&Value::Object(fields.clone()))?;
    }
    Some(out)
}

/// Which field is the last one, without a comma, is the client's affair.
fn either_way(cell: &Value) -> Option<String> {
    let text = serde_json::to_string_pretty(cell).ok()?;
    let both = text.lines().flat_map(|line| {
        let bare = line.trim_end_matches(',');
        [format!("{bare}\n"), format!("{bare},\n")]
    });
    Some(both.collect())
}
