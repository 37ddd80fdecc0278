//! The agent's own list of what is to do, as its tools for that tell it.

use ::gates::{TaskItem, TaskState};
use engine::Error;
use engine::gates::{self, TaskNews};
use serde_json::Value;

use super::Run;
use crate::event::{Kind, ToolCall};

/// Items that are kept.
const MOST: usize = 40;
/// Longest text of one, in characters.
const LONGEST: usize = 100;
/// Names of the fields in which clients put what is to do.
const TEXTS: [&str; 7] = ["content", "step", "description", "title", "subject", "text", "task"];

impl Run<'_> {
    pub(super) fn tasks(&mut self) -> Result<(), Error> {
        let Kind::AfterTool(call, result) = &self.event.kind else { return Ok(()) };
        if self.failed == Some(true) || self.who.agent.is_some() {
            return Ok(());
        }
        let Some(mut news) = news(call, &result.output) else { return Ok(()) };
        let mut clean = |item: &mut TaskItem| item.text = self.gate().clean(&item.text).into_string();
        match &mut news {
            TaskNews::Whole(items) => items.iter_mut().for_each(&mut clean),
            TaskNews::New(item) => clean(item),
            TaskNews::Changed { .. } => {}
        }
        gates::note_tasks(&self.engine, &self.who, news)
    }
}

fn news(call: &ToolCall, output: &str) -> Option<TaskNews> {
    let arguments = || serde_json::from_str::<Value>(&call.arguments).ok();
    match call.tool.as_str() {
        "TodoWrite" | "update_plan" | "write_todos" | "todowrite" | "update_todo" => {
            let arguments = arguments()?;
            let list = ["todos", "plan", "items", "tasks"].iter().find_map(|name| arguments.get(name))?;
            match list {
                Value::Array(items) => {
                    Some(TaskNews::Whole(items.iter().take(MOST).filter_map(item).collect()))
                }
                // A list with boxes: `- [x] read`, `- [ ] write`.
                Value::String(text) => Some(TaskNews::Whole(boxes(text))),
                _ => None,
            }
        }
        "TaskCreate" => {
            let arguments = arguments()?;
            Some(TaskNews::New(TaskItem { id: id_in(output), ..item(&arguments)? }))
        }
        // The whole list, as it stands: fields, or lines such as `#1 [completed] tidy`.
        "TaskList" => {
            let fields: Option<Value> = serde_json::from_str(output).ok();
            let items: Vec<TaskItem> =
                match fields.as_ref().and_then(|all| all.get("tasks").unwrap_or(all).as_array()) {
                    Some(tasks) => tasks
                        .iter()
                        .take(MOST)
                        .filter_map(|task| Some(TaskItem { id: plain_id(task.get("id")?), ..item(task)? }))
                        .collect(),
                    None => output.lines().filter_map(listed).take(MOST).collect(),
                };
            (!items.is_empty()).then_some(TaskNews::Whole(items))
        }
        "TaskUpdate" => {
            let arguments = arguments()?;
            let id = plain_id(arguments.get("taskId").or_else(|| arguments.get("task_id"))?);
            let state = TaskState::of_word(arguments.get("status")?.as_str()?);
            Some(TaskNews::Changed { id, state })
        }
        _ => None,
    }
}

/// `"1"`, `"#1"` and `1` are the same.
fn plain_id(value: &Value) -> String {
    match value {
        Value::String(id) => id.trim_start_matches('#').to_owned(),
        other => other.to_string(),
    }
}

/// The id that a new item got: a field of the answer, or the first number in its text.
fn id_in(output: &str) -> String {
    let fields: Option<Value> = serde_json::from_str(output).ok();
    let field = fields.as_ref().and_then(|all| {
        ["/task/id", "/task/taskId", "/id", "/taskId", "/task_id"].iter().find_map(|path| all.pointer(path))
    });
    if let Some(id) = field {
        return plain_id(id);
    }
    output.chars().skip_while(|letter| !letter.is_ascii_digit()).take_while(char::is_ascii_digit).collect()
}

/// `#1 [completed] tidy`
fn listed(line: &str) -> Option<TaskItem> {
    let rest = line.trim().trim_start_matches(['-', '*', ' ']).strip_prefix('#')?;
    let id: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let (state, text) = rest[id.len()..].split_once('[')?.1.split_once(']')?;
    let text = text.trim().chars().take(LONGEST).collect();
    (!id.is_empty()).then(|| TaskItem { id, text, state: TaskState::of_word(state.trim()) })
}

fn item(value: &Value) -> Option<TaskItem> {
    let text = TEXTS.iter().find_map(|name| value.get(name)?.as_str())?;
    let state = value.get("status").and_then(Value::as_str).unwrap_or("pending");
    Some(TaskItem {
        id: String::new(),
        text: text.chars().take(LONGEST).collect(),
        state: TaskState::of_word(state),
    })
}

fn boxes(text: &str) -> Vec<TaskItem> {
    let lines = text.lines().filter_map(|line| {
        let line = line.trim_start().trim_start_matches(['-', '*', ' ']);
        let (mark, rest) = line.strip_prefix('[')?.split_once(']')?;
        let state = match mark.trim() {
            "x" | "X" => TaskState::Done,
            "-" => TaskState::Dropped,
            _ => TaskState::Open,
        };
        Some(TaskItem { id: String::new(), text: rest.trim().chars().take(LONGEST).collect(), state })
    });
    lines.take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Action, Folder};
    use serde_json::json;

    fn told(tool: &str, arguments: &Value, output: &str) -> Option<TaskNews> {
        let call = ToolCall {
            tool: tool.to_owned(),
            id: None,
            action: Action::Look,
            folder: Folder::Session,
            unseen: None,
            arguments: arguments.to_string(),
            waits: false,
        };
        news(&call, output)
    }

    #[test]
    fn the_lists_of_all_clients_are_read_hk8() {
        let open = |tool: &str, arguments: Value| match told(tool, &arguments, "") {
            Some(TaskNews::Whole(items)) => items
                .into_iter()
                .filter(|item| item.state == TaskState::Open)
                .map(|item| item.text)
                .collect::<Vec<_>>(),
            _ => vec!["nothing".to_owned()],
        };
        let todos = json!([{"content": "read", "status": "completed"}, {"content": "write", "status": "in_progress"}]);
        assert_eq!(open("TodoWrite", json!({"todos": todos})), ["write"]);
        assert_eq!(open("todowrite", json!({"todos": todos})), ["write"]);
        assert_eq!(open("update_plan", json!({"plan": [{"step": "a", "status": "pending"}]})), ["a"]);
        assert_eq!(
            open("write_todos", json!({"todos": [{"description": "b", "status": "cancelled"}]})),
            [""; 0]
        );
        assert_eq!(open("update_todo", json!({"todos": "- [x] one\n- [ ] two"})), ["two"]);
        let new = told("TaskCreate", &json!({"subject": "tidy"}), "Task #7 created successfully");
        assert!(matches!(new, Some(TaskNews::New(item)) if item.id == "7" && item.text == "tidy"));
        let changed = told("TaskUpdate", &json!({"taskId": "7", "status": "completed"}), "");
        assert!(matches!(changed, Some(TaskNews::Changed { id, state: TaskState::Done }) if id == "7"));
        assert!(told("Read", &json!({"todos": []}), "").is_none());
    }

    #[test]
    fn items_have_their_id_in_fields_as_well_as_in_text_b3() {
        for answer in [
            r#"{"task":{"id":"1","subject":"one 7"}}"#,
            r#"{"task":{"id":1,"subject":"one"}}"#,
            r##"{"taskId":"#1"}"##,
            "Task #1 created successfully: one",
        ] {
            let new = told("TaskCreate", &json!({"subject": "one"}), answer);
            assert!(matches!(new, Some(TaskNews::New(item)) if item.id == "1"), "{answer}");
        }
        let states = |output: &str| match told("TaskList", &json!({}), output) {
            Some(TaskNews::Whole(items)) => {
                items.into_iter().map(|item| (item.id, item.text, item.state)).collect::<Vec<_>>()
            }
            _ => Vec::new(),
        };
        let wanted = [
            ("1".to_owned(), "one".to_owned(), TaskState::Done),
            ("2".to_owned(), "two".to_owned(), TaskState::Open),
        ];
        let fields = json!({"tasks": [{"id": "1", "subject": "one", "status": "completed"}, {"id": 2, "subject": "two", "status": "pending"}]});
        assert_eq!(states(&fields.to_string()), wanted);
        assert_eq!(states("#1 [completed] one\n#2 [in_progress] two"), wanted);
        assert_eq!(states("No tasks found"), []);
    }
}
