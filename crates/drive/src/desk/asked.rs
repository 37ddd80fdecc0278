//! What the agent asks its editor for: whether it may, a file to write, a command to run.

use std::path::PathBuf;

use hooks::Verdict;
use hooks::adapters::acp;
use hooks::event::{Action, Change, Edit, Kind, ToolCall};
use serde_json::Value;

use super::{Desk, Pass};
use crate::answers::{self, REFUSED};
use crate::calls::{Held, Stage, Wanted};
use crate::message::Message;

impl Desk {
    /// The agent asks whether it may.
    pub(super) fn permission(&mut self, message: &Message) -> Pass {
        let id = message.session().unwrap_or_default().to_owned();
        let piece = message.param("/toolCall").cloned().unwrap_or_default();
        let name = piece.get("toolCallId").and_then(Value::as_str).unwrap_or_default().to_owned();
        self.sessions.entry(id.clone()).or_default().add(&name, &piece, true);
        let options = message.param("/options").and_then(Value::as_array);
        let kinds = options.into_iter().flatten().filter_map(|option| {
            let text = |name: &str| option.get(name).and_then(Value::as_str).map(str::to_owned);
            Some((text("optionId")?, text("kind")?))
        });
        let wanted = Wanted::Permission { session: id.clone(), call: name.clone(), kinds: kinds.collect() };
        if self.hooks_do_tools() {
            return Pass::AsItIs;
        }
        let Some(mut event) = self.event_of_call(&id, &name, acp::BEFORE, Kind::BeforeTool) else {
            return Pass::AsItIs;
        };
        event.doubt = event.doubt.or(message.doubt);
        let decision = self.decide(&event);
        self.tell(&id, &decision);
        match decision.verdict {
            Verdict::Deny(reason) | Verdict::Hold(reason) => {
                self.set_stage(&id, &name, Stage::Over);
                self.refused(&id, &name, &reason);
                return Pass::Back(vec![answers::no(message)]);
            }
            Verdict::Ask(reason) => {
                self.begun(&id, &name, message, wanted);
                return Pass::Instead(answers::with_reason(message, &reason));
            }
            Verdict::Pass | Verdict::Approve(_) => {}
        }
        self.begun(&id, &name, message, wanted);
        let Some(event) = self.event_of_call(&id, &name, acp::BEFORE, Kind::Permission) else {
            return Pass::AsItIs;
        };
        match (self.decide(&event).verdict, answers::yes(message)) {
            (Verdict::Approve(_), Some(yes)) => {
                self.wanted.remove(&message.id().unwrap_or_default());
                Pass::Back(vec![yes])
            }
            _ => Pass::AsItIs,
        }
    }

    pub(super) fn begun(&mut self, id: &str, name: &str, message: &Message, wanted: Wanted) {
        self.set_stage(id, name, Stage::Begun);
        if let Some(number) = message.id() {
            self.wanted.insert(number, wanted);
        }
    }

    /// A refusal carries no reason in this protocol: the person reads it at once, the model with the next prompt.
    pub(super) fn refused(&mut self, id: &str, name: &str, reason: &str) {
        let what = self.told(id, name).map(|told| told.title().to_owned()).unwrap_or_default();
        let text = format!("vib: `{what}` was refused. {reason}");
        self.editor.send(&answers::refusal(id, &text, &what, reason));
        let told = format!("vib refused `{what}`, not the person. {reason}");
        self.sessions.entry(id.to_owned()).or_default().to_model.push(told);
    }

    /// The agent lets its editor write a file.
    pub(super) fn write(&mut self, message: &Message, line: &[u8]) -> Pass {
        let path = PathBuf::from(message.text("/path").unwrap_or_default());
        let content = message.text("/content").unwrap_or_default().to_owned();
        let is_covered =
            message.session().and_then(|id| self.sessions.get(id)).is_some_and(|it| it.covers(&path));
        let title = format!("Write {}", path.display());
        let action = Action::Edit(vec![Edit { path, change: Change::Whole(content) }]);
        let call = acp::handed("write_text_file", action, None);
        self.handed(message, line, call, &title, is_covered)
    }

    /// The agent lets its editor run a command.
    pub(super) fn command(&mut self, message: &Message, line: &[u8]) -> Pass {
        let params = message.value.get("params").cloned().unwrap_or_default();
        let command = acp::command_line(&params).unwrap_or_default();
        let is_covered = message.session().and_then(|id| self.sessions.get(id)).is_some_and(|session| {
            session.calls.iter().any(|(name, call)| {
                call.stage == Stage::Begun
                    && call.told.call(self.client, name).action
                        == (Action::Shell { command: command.clone() })
            })
        });
        let folder = message.text("/cwd").map(PathBuf::from);
        let call = acp::handed("terminal", Action::Shell { command: command.clone() }, folder);
        self.handed(message, line, call, &format!("Run {command}"), is_covered)
    }

    /// What the agent hands to its editor. `is_covered`: a call that was judged and saved says the same, so this is no step of its own.
    pub(super) fn handed(
        &mut self,
        message: &Message,
        line: &[u8],
        mut call: ToolCall,
        title: &str,
        is_covered: bool,
    ) -> Pass {
        let id = message.session().unwrap_or_default().to_owned();
        if self.hooks_do_tools() {
            return Pass::AsItIs;
        }
        call.id = message.id().map(|number| format!("vib-{}-{number}", call.tool));
        let is_command = matches!(call.action, Action::Shell { .. });
        let kind = if is_covered { Kind::Permission(call.clone()) } else { Kind::BeforeTool(call.clone()) };
        let mut event = self.event(&id, message.method().unwrap_or_default(), kind);
        event.doubt = event.doubt.or(message.doubt);
        let decision = self.decide(&event);
        self.tell(&id, &decision);
        let wanted =
            (!is_covered).then(|| Wanted::Step { session: id.clone(), call: Box::new(call), is_command });
        let number = message.value.get("id").cloned().unwrap_or_default();
        match decision.verdict {
            Verdict::Pass | Verdict::Approve(_) => {
                if let (Some(wanted), Some(number)) = (wanted, message.id()) {
                    self.wanted.insert(number, wanted);
                }
                Pass::AsItIs
            }
            Verdict::Deny(reason) | Verdict::Hold(reason) => {
                let text = format!("vib: `{title}` was refused. {reason}");
                self.editor.send(&answers::refusal(&id, &text, title, &reason));
                Pass::Back(vec![answers::error(&number, REFUSED, &reason)])
            }
            Verdict::Ask(reason) => {
                self.questions += 1;
                let own = format!("vib-{}", self.questions);
                let kind = if is_command { "execute" } else { "edit" };
                let held = Held { message: message.clone(), line: line.to_vec(), wanted };
                self.held.insert(Value::String(own.clone()).to_string(), held);
                self.editor.send(&answers::question(&own, &id, title, kind, &reason));
                Pass::Held
            }
        }
    }
}
