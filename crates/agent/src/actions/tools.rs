//! What the model is told about each action: one tool, one schema. The limits here are those of [`parse`](super::parse); a test holds the two
//! together.

use providers::Tool;
use serde_json::{Value, json};

use super::Name;
use crate::role::Role;

/// The tools of a role.
pub fn of(role: Role, with_bash: bool, with_git: bool) -> Vec<Tool> {
    let is_there = |name: &&Name| match name {
        Name::Bash => with_bash,
        Name::Git => with_git,
        _ => true,
    };
    role.actions().iter().filter(is_there).map(|name| tool(*name, role)).collect()
}

/// The tool of one action.
pub fn tool(name: Name, role: Role) -> Tool {
    let (description, properties, required) = match name {
        Name::Plan => (
            "Divide the task into 1 to 20 cards, each a piece of work that can be applied or taken back alone. As few as make sense.",
            json!({"cards": {"type": "array", "minItems": 1, "maxItems": 20, "items": object(
                &json!({"title": {"type": "string", "maxLength": 120},
                        "acceptance": {"type": "array", "maxItems": 20, "items": {"type": "string", "maxLength": 300}},
                        "steps": {"type": "array", "maxItems": 20, "items": {"type": "string", "maxLength": 300}}}),
                &["title"])}}),
            vec!["cards"],
        ),
        Name::Read => (
            "Read lines of a text file of the project. Lines come numbered; what is cut is marked.",
            json!({"path": {"type": "string"}, "offset": {"type": "integer", "minimum": 1},
                   "limit": {"type": "integer", "minimum": 1, "maximum": 2000},
                   "head": {"type": "integer", "minimum": 1, "maximum": 2000},
                   "tail": {"type": "integer", "minimum": 1, "maximum": 2000}}),
            vec!["path"],
        ),
        Name::Grep => (
            "Search the project's files by a regular expression (or literally). Ignored files are left out.",
            json!({"q": {"type": "string", "minLength": 1, "maxLength": 1000}, "dir": {"type": "string"},
                   "globs": {"type": "array", "maxItems": 20, "items": {"type": "string"}},
                   "max": {"type": "integer", "minimum": 1, "maximum": 200},
                   "context": {"type": "integer", "minimum": 0, "maximum": 5},
                   "literal": {"type": "boolean"}, "case": {"type": "boolean"}}),
            vec!["q"],
        ),
        Name::EditDiff => (
            "Change files by a unified diff: the only way to write. All of it is applied or nothing; a hunk without a place comes back with \
             the nearest lines. Lines between VIBE-KEEP START and END stay as they are.",
            json!({"diff": {"type": "string", "minLength": 1}, "keepRegions": {"type": "boolean"},
                   "reason": {"type": "string", "maxLength": 500}}),
            vec!["diff"],
        ),
        Name::Bash => (
            "Run a command in the project's folder, behind a fence, with a time limit. No network is promised.",
            json!({"cmd": {"type": "string", "maxLength": 4000},
                   "seconds": {"type": "integer", "minimum": 1, "maximum": 600},
                   "allow": {"type": "string"}}),
            vec!["cmd"],
        ),
        Name::Test => (
            "Let vib run the project's own checks on what is there now.",
            json!({"runner": {"type": "string"}, "confirm": {"type": "boolean"}}),
            vec![],
        ),
        Name::Git => (
            "Commit what is done on the run's own branch. Exactly one of the fields.",
            json!({"commit": object(&json!({"message": {"type": "string", "maxLength": 2000}}), &["message"]),
                   "revert": object(&json!({"card": {"type": "string"}}), &["card"]), "branch": {"type": "boolean"}}),
            vec![],
        ),
        Name::Meta => (
            "Your verdict on the change: how risky it is, why, and what was taken for granted.",
            json!({"risk": {"type": "string", "enum": ["low", "medium", "high"]},
                   "note": {"type": "string", "maxLength": 500},
                   "assumptions": {"type": "array", "maxItems": 10, "items": {"type": "string", "maxLength": 300}}}),
            vec!["risk", "note"],
        ),
        Name::Ask => (
            "Ask the person something that you cannot find out. The work waits for the answer.",
            json!({"question": {"type": "string", "maxLength": 1000},
                   "options": {"type": "array", "maxItems": 10, "items": {"type": "string", "maxLength": 200}}}),
            vec!["question"],
        ),
        Name::Done if role == Role::Researcher => (
            "Say what you found, with path:line.",
            json!({"summary": {"type": "string", "maxLength": 2000}}),
            vec!["summary"],
        ),
        Name::Done => (
            "Say that the card is done and what was done. vib runs the checks before it believes that.",
            json!({"summary": {"type": "string", "maxLength": 2000}}),
            vec!["summary"],
        ),
    };
    Tool {
        name: name.word().to_owned(),
        description: description.to_owned(),
        schema: object(&properties, &required),
    }
}

fn object(properties: &Value, required: &[&str]) -> Value {
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}
