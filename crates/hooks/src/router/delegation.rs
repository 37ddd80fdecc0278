//! A conductor hands work on. (HK7)

use engine::Error;
use engine::delegation::{self, Delegated};
use store::Silent;

use super::Run;
use crate::Client;
use crate::decision::Verdict;
use crate::event::{Action, Kind};

impl Run<'_> {
    pub(super) fn delegation(&mut self) -> Result<(), Error> {
        let Kind::BeforeTool(call) = &self.event.kind else { return Ok(()) };
        if !delegation::is_on(&self.engine) {
            return Ok(());
        }
        let paths: Vec<String> = match &call.action {
            Action::Look if hands_on(self.event.client, &call.tool) => {
                return delegation::handed_on(&self.engine, &self.who);
            }
            Action::Look => return Ok(()),
            Action::Edit(edits) => {
                edits.iter().filter_map(|edit| Some(self.inside(&edit.path)?.to_string())).collect()
            }
            // A command that provably only looks is no work.
            Action::Shell { .. }
                if self.judged.as_ref().is_some_and(|judged| judged.verdict.provably_harmless()) =>
            {
                return Ok(());
            }
            Action::Shell { .. } | Action::Unknown(_) => Vec::new(),
        };
        let role = self.world.role.as_deref();
        match delegation::before_work(&self.engine, &self.who, role, &paths, &Silent)? {
            Delegated::Free => {}
            Delegated::Unknown(word) => {
                if super::once::first_time(self.engine.context(), "role", self.event) {
                    self.warn(&format!(
                        "AGENT_ROLE is `{word}`, which vib does not know (conductor, leader, musician), so there is no limit"
                    ));
                }
            }
            Delegated::Say(text) => self.tell_model(&text),
            Delegated::Refuse(text) => {
                let text = self.clean(&text).into_string();
                self.decision.verdict = Verdict::Deny(text);
            }
        }
        Ok(())
    }
}

/// The tool with which this client's agents hand work on.
fn hands_on(client: Client, tool: &str) -> bool {
    match client {
        Client::ClaudeCode => matches!(tool, "Agent" | "Task"),
        Client::Codex => tool == "spawn_agent",
        Client::Gemini => tool == "invoke_agent",
        Client::OpenCode => tool == "task",
        Client::Copilot => matches!(tool, "task" | "Task"),
        Client::Cursor => tool == "Task",
        // The adapter hands the names on as the client behind it calls them.
        Client::Acp => matches!(tool, "Agent" | "Task" | "task" | "spawn_agent" | "invoke_agent"),
    }
}
