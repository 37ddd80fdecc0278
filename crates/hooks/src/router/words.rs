//! What is said when an agent is stopped.

use engine::spiral::{Choice, Rule, Spiral};

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
            "vib: {} The same call once more will be refused, unless something has changed by then. Do something else.",
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
