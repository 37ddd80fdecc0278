//! [`Agent`]: what a client sends to `vib hook`, in the shapes that were recorded from Claude Code.

use hooks::Client;
use hooks::router::{World as Surroundings, answer};
use serde_json::{Value, json};

use crate::world::World;

pub struct Agent<'w> {
    world: &'w World,
    session: &'static str,
    calls: usize,
    prompts: usize,
}

impl<'w> Agent<'w> {
    pub fn new(world: &'w World, session: &'static str) -> Self {
        Self { world, session, calls: 0, prompts: 0 }
    }

    fn hook(&self, event: &str, more: &Value) -> Value {
        let context = self.world.context();
        let mut payload = json!({
            "session_id": self.session, "prompt_id": format!("p{}", self.prompts), "cwd": self.world.root(),
            "hook_event_name": event, "permission_mode": "default",
        });
        let fields = payload.as_object_mut().expect("an object");
        fields.extend(more.as_object().expect("an object").clone());
        let bytes = payload.to_string();
        let reply =
            answer(&context, &Surroundings::default(), Client::ClaudeCode, Some(event), bytes.as_bytes());
        serde_json::from_str(&reply.stdout).unwrap_or(Value::Null)
    }

    /// Says what a person asked for.
    pub fn prompt(&mut self, text: &str) -> Value {
        self.prompts += 1;
        self.hook("UserPromptSubmit", &json!({"prompt": text}))
    }

    fn call(&mut self, tool: &str, input: &Value, does: impl FnOnce()) -> Value {
        self.calls += 1;
        let id = format!("{}-{}", self.session, self.calls);
        let mut call = json!({"tool_name": tool, "tool_use_id": id, "tool_input": input});
        let said = self.hook("PreToolUse", &call);
        if said.to_string().contains("\"deny\"") {
            return said;
        }
        does();
        call["tool_response"] = json!({"stdout": "", "stderr": "", "interrupted": false});
        self.hook("PostToolUse", &call);
        said
    }

    /// A command, with what it does. What vib stops does nothing; the answer says so.
    pub fn command(&mut self, line: &str, does: impl FnOnce()) -> Value {
        self.call("Bash", &json!({"command": line}), does)
    }

    /// An edit of one file.
    pub fn edit(&mut self, file: &str, text: &str) {
        let (world, path) = (self.world, self.world.root().join(file));
        self.call("Write", &json!({"file_path": path, "content": text}), || world.write(file, text));
    }
}
