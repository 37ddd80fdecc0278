//! What the agent tells of its tool calls: those that run without a question, and how each ends.

use hooks::adapters::acp::Told;
use hooks::event::{Kind, ToolCall, ToolResult};
use hooks::{Decision, Verdict};
use serde_json::Value;

use super::Desk;
use crate::calls::Stage;
use crate::message::Message;

impl Desk {
    /// The agent tells what it does.
    pub(super) fn update(&mut self, message: &Message) {
        let (Some(id), Some(update)) =
            (message.session().map(str::to_owned), message.param("/update").cloned())
        else {
            return;
        };
        match update.get("sessionUpdate").and_then(Value::as_str) {
            Some("agent_message_chunk") => {
                let text = update.pointer("/content/text").and_then(Value::as_str).unwrap_or_default();
                self.sessions.entry(id).or_default().says(text);
            }
            Some("tool_call" | "tool_call_update") => self.progress(&id, &update),
            _ => {}
        }
    }

    pub(super) fn progress(&mut self, id: &str, update: &Value) {
        let Some(name) = update.get("toolCallId").and_then(Value::as_str) else { return };
        let status = update.get("status").and_then(Value::as_str).unwrap_or_default().to_owned();
        let session = self.sessions.entry(id.to_owned()).or_default();
        let call = session.add(name, update, false);
        if call.stage == Stage::Over || !matches!(status.as_str(), "completed" | "failed" | "cancelled") {
            return;
        }
        // Not before: OpenCode says that a call runs and asks then.
        let is_unasked = call.stage == Stage::Known && status == "completed";
        if self.hooks_do_tools() {
            self.set_stage(id, name, Stage::Over);
            return;
        }
        if is_unasked {
            self.unasked(id, name);
        }
        self.over(id, name, |told| told.result(&status));
    }

    /// It runs, and nobody was asked: that can only be told.
    pub(super) fn unasked(&mut self, id: &str, name: &str) {
        let Some(event) = self.event_of_call(id, name, "tool_call", Kind::Unasked) else { return };
        let decision = self.decide(&event);
        let reason = match &decision.verdict {
            Verdict::Ask(reason) | Verdict::Deny(reason) => reason.clone(),
            _ => return self.tell(id, &decision),
        };
        let what = self.told(id, name).map(|told| told.title().to_owned()).unwrap_or_default();
        let text = format!(
            "the agent did this without asking, so it could only be looked at, not stopped: `{what}`. {reason}"
        );
        self.tell(id, &Decision { verdict: Verdict::Pass, ..decision });
        self.say(id, &text);
        self.sessions.entry(id.to_owned()).or_default().to_model.push(format!("vib: {text}"));
    }

    /// What the fence around the whole agent refused.
    fn name_refused(&self, id: &str, output: &str) {
        let Some(fence) = &self.setting.fence else { return };
        let of = self.of(id);
        let folders: Vec<&std::path::Path> = of.cwd.into_iter().collect();
        let refused = fence::refused::in_output(fence, &folders, output);
        let names: Vec<String> =
            refused.written.iter().chain(&refused.read).map(|path| format!("`{}`", path.display())).collect();
        if !names.is_empty() {
            self.say(id, &format!("the fence refused the agent {}", names.join(", ")));
        }
    }

    /// A call is over: what is different now is its own.
    pub(super) fn over(&mut self, id: &str, name: &str, result: impl FnOnce(&Told) -> ToolResult) {
        let Some(told) = self.told(id, name) else { return };
        let result = result(told);
        self.set_stage(id, name, Stage::Over);
        self.name_refused(id, &result.output);
        let event = self.event_of_call(id, name, "tool_call_update", |call| Kind::AfterTool(call, result));
        if let Some(event) = event {
            let decision = self.decide(&event);
            self.tell(id, &decision);
        }
    }

    pub(super) fn terminal_ended(&mut self, session: &str, terminal: &str, code: Option<i64>) {
        let Some((_, call)) = self.terminals.remove(terminal) else { return };
        let exit_code = code.and_then(|code| i32::try_from(code).ok());
        let result =
            ToolResult { failed: exit_code.map(|code| code != 0), exit_code, ..ToolResult::default() };
        self.after_step(session, *call, result);
    }

    pub(super) fn after_step(&mut self, id: &str, call: ToolCall, result: ToolResult) {
        let event = self.event(id, "tool_call_update", Kind::AfterTool(call, result));
        let decision = self.decide(&event);
        self.tell(id, &decision);
    }
}
