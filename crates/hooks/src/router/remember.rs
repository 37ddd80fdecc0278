//! The steps that remember and tell: memory, suggestions, lessons, what a step did, and what the end of a session leaves to do.

use std::path::PathBuf;

use engine::agent;
use engine::knowledge::{self, TellingMoment};
use engine::lessons::{self, Occasion};
use engine::{Error, learning, memory, recall};
use project::RelPath;
use spiral::Tool;
use store::Silent;

use super::words::spiral_warning;
use super::{FOLDING, Run, hears, hears_after_tool};
use crate::event::{Action, Folder, Kind, ToolCall, ToolResult};
use crate::{Client, adapters};

impl Run<'_> {
    /// Notes what the person says for good. Where the client can show it, they are told once what was noted. (M7)
    pub(super) fn hear(&mut self) -> Result<(), Error> {
        let Kind::Prompt { text } = &self.event.kind else { return Ok(()) };
        let heard = knowledge::hear(&self.engine, &self.who, text)?;
        let has_a_place = matches!(self.event.client, Client::ClaudeCode | Client::Gemini);
        if let Some(words) = heard.words.filter(|_| has_a_place) {
            let words = self.clean(&words);
            self.decision.suggestion = Some(words);
        }
        Ok(())
    }

    /// What the person said before that applies now.
    pub(super) fn sayings(&mut self, moment: TellingMoment<'_>) -> Result<(), Error> {
        let lines = knowledge::telling(&self.engine, &self.who, moment)?;
        if !lines.is_empty() {
            self.tell_model(&lines.join("\n"));
        }
        Ok(())
    }

    /// The same for a tool, in clients that hand our words on before it, or else after it.
    fn sayings_for_tool(&mut self, call: &ToolCall) -> Result<(), Error> {
        let heard = match &self.event.kind {
            Kind::BeforeTool(_) => hears(self.event),
            Kind::AfterTool(..) => hears_after_tool(self.event.client),
            _ => false,
        };
        if !heard || matches!(call.action, Action::Look) {
            return Ok(());
        }
        let command = match &call.action {
            Action::Shell { command } => Some(command.as_str()),
            _ => None,
        };
        let edits = self.edits();
        let paths: Vec<String> =
            edits.iter().filter_map(|edit| Some(self.inside(&edit.path)?.to_string())).collect();
        let content = edits.iter().map(|edit| edit.change.text()).collect::<Vec<_>>().join("\n");
        self.sayings(TellingMoment::Tool { command, paths: &paths, content: &content })
    }

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
            if let Some(line) = knowledge::last_request(&self.engine, &self.who, text)? {
                self.tell_model(&line);
            }
            self.sayings(TellingMoment::Prompt(text))?;
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
        if let Kind::BeforeTool(call) | Kind::AfterTool(call, _) = &self.event.kind {
            self.sayings_for_tool(call)?;
        }
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
        let Kind::AfterTool(call, result) = &self.event.kind else {
            return Ok(());
        };
        let ToolResult { output, changed, answer, .. } = result;
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
        let worked_in = match &call.folder {
            Folder::Given(folder) => Some(folder),
            Folder::Session => self.event.cwd.as_ref(),
            Folder::Untold => None,
        };
        let folder = worked_in.and_then(|folder| self.inside(folder)).map(|folder| folder.to_string());
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
            unfinished: command.is_some() && is_unfinished(self.event.client, call, result),
            folder: folder.as_deref().unwrap_or_default(),
        };
        if let Some(spiral) = agent::after_tool(&self.engine, &self.who, &finished)? {
            self.tell_model(&spiral_warning(&spiral, self.event.client));
        }
        if let (Some(command), Some(failed)) = (command, failed)
            && let Some(fix) = knowledge::after_command(&self.engine, &self.who, command, failed, output)?
        {
            self.tell_model(&fix);
        }
        // What nobody would see is kept for the next prompt.
        let is_seen = hears(self.event) || matches!(self.event.client, Client::ClaudeCode | Client::Gemini);
        if is_seen && kind != Tool::Read && !paths.is_empty() && failed != Some(true) {
            let suggestion = memory::suggestion_after_edit(&self.engine, &self.who)?;
            self.suggest(suggestion);
        }
        Ok(())
    }

    /// The agent's last words, kept as what it reported: short, cleaned, and told to nobody by itself. (M9)
    pub(super) fn report(&mut self) -> Result<(), Error> {
        match &self.event.kind {
            Kind::Stop { message: Some(says) } | Kind::SubagentStop { message: Some(says) } => {
                memory::reported(&self.engine, &self.who, says)
            }
            _ => Ok(()),
        }
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

/// The command goes on in the background, or was cut off before its end.
fn is_unfinished(client: Client, call: &ToolCall, result: &ToolResult) -> bool {
    // Claude Code tells how a command ended, unless it has not.
    let untold = client == Client::ClaudeCode && result.failed == Some(false) && result.exit_code.is_none();
    let in_background = || {
        let arguments: Option<serde_json::Value> = serde_json::from_str(&call.arguments).ok();
        let is = |name: &str| arguments.as_ref().is_some_and(|all| all.get(name) == Some(&true.into()));
        is("run_in_background") || is("is_background") || is("background") || is("detach")
    };
    result.halted.is_some() || untold || in_background()
}
