//! The steps that remember and tell: memory, suggestions, lessons, what a step did, and what the end of a session leaves to do.

use std::path::PathBuf;

use engine::agent;
use engine::lessons::{self, Occasion};
use engine::spiral::Tool;
use engine::{Error, learning, memory, recall};
use project::RelPath;
use store::Silent;

use super::words::spiral_warning;
use super::{FOLDING, Run, hears, hears_after_tool};
use crate::event::{Action, Kind, ToolResult};
use crate::{Client, adapters};

impl Run<'_> {
    /// What the person said since, told as data; and the suggestion of the moment, for the person.
    pub(super) fn memory(&mut self) -> Result<(), Error> {
        if !hears(self.event) {
            return Ok(());
        }
        let telling = memory::with_prompt(&self.engine, &self.who)?;
        for line in &telling.lines {
            self.tell_model(line);
        }
        if let Kind::Prompt { text } = &self.event.kind {
            let recalled = recall::with_prompt(&self.engine, &self.who, text)?;
            for line in &recalled.lines {
                self.tell_model(line);
            }
            if let Some(error) = recalled.not_noted {
                self.warn(&format!("what the agent was told could not be noted: {error}; {}", error.next()));
            }
        }
        self.suggest(telling.suggestion);
        Ok(())
    }

    /// One line for the person.
    pub(super) fn suggest(&mut self, suggestion: Option<memory::Suggestion>) {
        let Some(one) = suggestion else { return };
        let id = one.id.name();
        let text = format!(
            "a suggestion for the person: {} (`{}`; `vib memory triggers dismiss {id}` if not)",
            one.text, one.command
        );
        let text = self.clean(&text);
        self.decision.suggestion = Some(text);
    }

    /// What a person wrote down after something went wrong. It is told as data, and through the gate like everything.
    pub(super) fn lessons(&mut self) -> Result<(), Error> {
        if !hears(self.event) {
            return Ok(());
        }
        let telling = match &self.event.kind {
            Kind::SessionStart { .. } => lessons::telling(&self.engine, &self.who, Occasion::Start)?,
            Kind::Prompt { text } => lessons::telling(&self.engine, &self.who, Occasion::Prompt(text))?,
            Kind::BeforeTool(call) | Kind::AfterTool(call, _) => {
                let (kind, text) = match &call.action {
                    Action::Shell { command } => ("shell", command.as_str()),
                    Action::Edit(_) => ("edit", ""),
                    Action::Look | Action::Unknown(_) => ("other", ""),
                };
                let paths: Vec<String> = self
                    .edits()
                    .iter()
                    .filter_map(|edit| Some(self.inside(&edit.path)?.to_string()))
                    .collect();
                let names = [call.tool.as_str(), kind];
                lessons::telling(
                    &self.engine,
                    &self.who,
                    Occasion::Tool { names: &names, paths: &paths, text },
                )?
            }
            _ => return Ok(()),
        };
        if let Some(text) = telling.text {
            self.tell_model(&text);
        }
        self.decision.warnings.extend(telling.warning);
        Ok(())
    }

    /// What the model has to be told, such as that the person went back: with the prompt, or with the next call of the agent itself.
    /// A sub-agent that hears it would keep it from the one that it is meant for. (H8)
    pub(super) fn notes(&mut self) -> Result<(), Error> {
        let heard = match &self.event.kind {
            Kind::BeforeTool(_) => hears(self.event),
            Kind::AfterTool(..) => hears_after_tool(self.event.client),
            _ => true,
        };
        if !heard || self.who.agent.is_some() {
            return Ok(());
        }
        for note in agent::notes_for_model(&self.engine, &self.who)? {
            self.tell_model(&note);
        }
        Ok(())
    }

    pub(super) fn observe(&mut self) -> Result<(), Error> {
        let Kind::AfterTool(call, ToolResult { output, changed, answer, .. }) = &self.event.kind else {
            return Ok(());
        };
        let failed = self.failed;
        let edited = self.edits().iter().map(|edit| edit.path.as_path());
        let paths: Vec<RelPath> =
            edited.chain(changed.iter().map(PathBuf::as_path)).filter_map(|path| self.inside(path)).collect();
        let command = match &call.action {
            Action::Shell { command } => Some(command.as_str()),
            _ => None,
        };
        let kind = match &call.action {
            Action::Edit(_) => Tool::Edit,
            Action::Shell { .. } => Tool::Shell,
            Action::Look => Tool::Read,
            Action::Unknown(_) => Tool::Other,
        };
        let looked_at = adapters::looked_at(call).and_then(|path| self.inside(&path));
        let finished = agent::Finished {
            tool: &call.tool,
            kind,
            paths: &paths,
            lines: self.edits().iter().map(|edit| edit.change.lines()).sum(),
            command,
            arguments: &call.arguments,
            waits: call.waits,
            looked_at: looked_at.as_ref(),
            failed,
            ended: &self.ended,
            output,
            answer: answer.as_deref(),
        };
        if let Some(spiral) = agent::after_tool(&self.engine, &self.who, &finished)? {
            self.tell_model(&spiral_warning(&spiral, self.event.client));
        }
        // What nobody would see is kept for the next prompt.
        let is_seen = hears(self.event) || matches!(self.event.client, Client::ClaudeCode | Client::Gemini);
        if is_seen && kind != Tool::Read && !paths.is_empty() && failed != Some(true) {
            let suggestion = memory::suggestion_after_edit(&self.engine, &self.who)?;
            self.suggest(suggestion);
        }
        Ok(())
    }

    /// What a session that has ended leaves to do. One part that cannot be done does not keep the others from being done.
    pub(super) fn upkeep(&mut self) -> Result<(), Error> {
        let parts = [
            memory::turn_over(&self.engine, &self.who),
            memory::session_over(&self.engine, &self.who),
            memory::forget_old_sessions(&self.engine),
            recall::upkeep(&self.engine, FOLDING, &store::Silent),
            learning::upkeep(&self.engine, &self.who.session, FOLDING),
            agent::upkeep(&self.engine, &self.who, &Silent),
        ];
        parts.into_iter().collect()
    }
}
