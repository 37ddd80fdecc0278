//! The agent's own list of what is to do.

use serde::{Deserialize, Serialize};

/// How an item stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum TaskState {
    /// Not begun, or under way.
    #[default]
    Open,
    /// Done.
    Done,
    /// Given up, which is an answer too.
    Dropped,
}

impl TaskState {
    /// What a client calls it.
    pub fn of_word(word: &str) -> Self {
        match word.to_ascii_lowercase().as_str() {
            "completed" | "complete" | "done" | "finished" => Self::Done,
            "cancelled" | "canceled" | "deleted" | "dropped" | "skipped" => Self::Dropped,
            _ => Self::Open,
        }
    }
}

/// One item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct TaskItem {
    /// The client's id, where items are told one by one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// What is to do, shortened.
    pub text: String,
    /// How it stands.
    pub state: TaskState,
}
