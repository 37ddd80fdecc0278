//! Calls in words, and what is said when an agent is stopped.

use std::path::Path;

use engine::agent::Change;
use spiral::{Choice, Rule, Spiral};

use crate::event::{Action, ToolCall};
use crate::{Client, phrases};

/// The longest part of an argument in the name of a call.
const LONGEST_ARGUMENT: usize = 80;

/// What the agent gets instead of its call. It has to hand this on: it may not choose by itself.
pub(super) fn spiral_text(spiral: &Spiral, client: Client) -> String {
    let mut text = format!("vib: {}\n", spiral.what_happened());
    text.push_str(match spiral.rule {
        Rule::CallsRepeat => {
            "This call is not made again: its answer is known. Do something else. If you do not know what, stop here, tell the \
             person what happened, and let them choose:\n"
        }
        Rule::EditsFail => {
            "Read the file before you edit it again. If that does not help, stop here, tell the person what happened, and let \
             them choose:\n"
        }
        _ => "Do not try again. Stop here, tell the person what happened, and let them choose:\n",
    });
    for choice in spiral.choices() {
        let how = match &choice {
            Choice::RollBack => format!(" They send: {} (or run `vib undo`).", phrases::rollback(client)),
            Choice::GoOnOnce { .. } => {
                format!(" They send: {} (or run `vib spiral resume`).", phrases::go_on(client))
            }
            Choice::HandOver => String::new(),
        };
        text.push_str(&format!("- {}{how}\n", choice.text()));
    }
    text
}

/// What the agent is told when it has just become a circle: there is still time to do something else.
pub(super) fn spiral_warning(spiral: &Spiral, client: Client) -> String {
    match spiral.rule {
        Rule::CallsRepeat => format!(
            "vib: {} Made again and again it will be refused, unless something has changed by then. Do something else.",
            spiral.what_happened()
        ),
        _ => spiral_text(spiral, client),
    }
}

/// A call in words: the command, or the tool with what it was asked.
pub(super) fn call_words(call: &ToolCall) -> String {
    if let Action::Shell { command } = &call.action {
        return command.clone();
    }
    let arguments = serde_json::from_str::<serde_json::Value>(&call.arguments).unwrap_or_default();
    let mut words = call.tool.clone();
    for value in arguments.as_object().into_iter().flat_map(|fields| fields.values()) {
        let value = match value {
            serde_json::Value::String(text) => text.clone(),
            serde_json::Value::Number(number) => number.to_string(),
            _ => continue,
        };
        words.push(' ');
        words.extend(value.chars().take(LONGEST_ARGUMENT));
    }
    words
}

/// Files that are named of an edit of many.
const FILES_NAMED: usize = 5;

/// A call in a line for the history: the command, or the tool with its files and lines, or with what it was asked.
pub(super) fn in_short(call: &ToolCall, name: impl Fn(&Path) -> String) -> String {
    let Action::Edit(edits) = &call.action else { return call_words(call) };
    let mut names: Vec<String> = Vec::new();
    for edit in edits {
        let name = name(&edit.path);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let more = names.len().saturating_sub(FILES_NAMED);
    names.truncate(FILES_NAMED);
    let mut words = format!("{} {}", call.tool, names.join(", "));
    if more > 0 {
        words.push_str(&format!(" and {more} more"));
    }
    // A patch of several files is one text, which each of them carries.
    let changes: Vec<&Change> = match edits.first().map(|edit| &edit.change) {
        Some(patch @ Change::Patch(_)) => vec![patch],
        _ => edits.iter().map(|edit| &edit.change).collect(),
    };
    let (added, removed) = changes
        .iter()
        .fold((0, 0), |(added, removed), change| (added + change.lines(), removed + change.lines_taken()));
    if added > 0 {
        words.push_str(&format!(" +{added}"));
    }
    if removed > 0 {
        words.push_str(&format!(" -{removed}"));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Edit, Replacement};

    fn call(action: Action) -> ToolCall {
        let arguments = r#"{"pattern":"tea","limit":3}"#.to_owned();
        ToolCall {
            tool: "Tool".to_owned(),
            id: None,
            action,
            folder: crate::event::Folder::Session,
            unseen: None,
            arguments,
            waits: false,
        }
    }

    fn shown(action: Action) -> String {
        in_short(&call(action), |path| path.display().to_string())
    }

    #[test]
    fn a_call_has_one_line_h1() {
        assert_eq!(shown(Action::Shell { command: "npm test".to_owned() }), "npm test");
        assert_eq!(shown(Action::Look), "Tool 3 tea");
        let replace = Change::Replace(vec![Replacement {
            old: "a\nb\n".to_owned(),
            new: "c\n".to_owned(),
            all: false,
        }]);
        let edit = |name: &str, change: &Change| Edit { path: name.into(), change: change.clone() };
        assert_eq!(shown(Action::Edit(vec![edit("a.rs", &replace)])), "Tool a.rs +1 -2");
        let whole = Change::Whole("one\ntwo\n".to_owned());
        assert_eq!(shown(Action::Edit(vec![edit("a.rs", &whole)])), "Tool a.rs +2");
        let patch = Change::Patch("*** Update File: a\n-x\n+y\n*** Update File: b\n+z\n".to_owned());
        let both = vec![edit("a", &patch), edit("b", &patch)];
        assert_eq!(shown(Action::Edit(both)), "Tool a, b +2 -1");
        let many = (0..8).map(|n| edit(&format!("f{n}"), &Change::Unknown)).collect();
        assert_eq!(shown(Action::Edit(many)), "Tool f0, f1, f2, f3, f4 and 3 more");
    }
}
