//! Tool calls as steps of the ledger: what they are called there, how they begin and how they end.

use std::cell::OnceCell;
use std::path::PathBuf;

use engine::agent::{self, Call, Reach};
use engine::{Engine, Error, judge};
use redact::Clean;
use store::{Ending, Outcome, Silent};

use super::saving::unsaved;
use super::whereabouts::folder_of;
use super::{Run, once, problem_of, transcript, words};
use crate::Client;
use crate::decision::Verdict;
use crate::event::{Action, Halted, HookEvent, Kind, ToolCall, ToolResult};

/// The longest text that the ledger keeps of a call or a reason, in characters.
const KEPT: usize = 300;
/// So much of it the gate gets to see: what is longer is cut between words, so that no half of a secret comes through.
const READ: usize = 2_000;

/// What a call may write, before anybody has judged it.
pub(super) fn reach_unseen(engine: &Engine, event: &HookEvent) -> Reach {
    match &event.kind {
        Kind::BeforeTool(call) => match &call.action {
            Action::Edit(edits) => {
                let paths: Vec<PathBuf> = edits.iter().map(|edit| edit.path.clone()).collect();
                agent::named(engine, &paths)
            }
            // Nobody has judged it: then it may do anything.
            Action::Shell { .. } | Action::Unknown(_) => Reach::Anywhere,
            Action::Look => Reach::Nowhere,
        },
        _ => Reach::Nowhere,
    }
}

impl Run<'_> {
    /// The call begins: what it may write is saved as it is now.
    pub(super) fn begin(&mut self) -> Result<(), Error> {
        let Kind::BeforeTool(call) = &self.event.kind else { return Ok(()) };
        if self.reach == Reach::Nowhere && self.outside.is_empty() {
            return Ok(());
        }
        let nested = self.nested(call);
        let call = self.call(call);
        self.begin_outside(&call);
        let names_nothing = matches!(&self.reach, Reach::Named(paths) if paths.is_empty());
        if self.reach == Reach::Nowhere || names_nothing && nested.is_empty() {
            return Ok(());
        }
        let begun = match agent::begin(&self.engine, &self.who, &call, &self.reach, &nested, &Silent) {
            Ok(begun) => begun,
            Err(error) => {
                self.hold_back_what_is_lost(&[]);
                return Err(error);
            }
        };
        self.begun = begun.step;
        if !begun.not_yet.is_empty() {
            self.tell_not_yet(&begun.not_yet);
            self.hold_back_what_is_lost(&begun.not_yet);
        }
        Ok(())
    }

    /// What could not be saved first and would be lost for good is asked about. (S8)
    fn hold_back_what_is_lost(&mut self, left_out: &[String]) {
        if self.decision.verdict == Verdict::Pass && self.loses(left_out) {
            self.decision.verdict = unsaved(left_out);
        }
    }

    /// Said once in a session: the next look takes it up.
    fn tell_not_yet(&mut self, left_out: &[String]) {
        if once::first_time(self.engine.context(), "unsaved", self.event) {
            let more = match left_out.len() - 1 {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            self.warn(&format!(
                "not saved yet, because there was no time: `{}`{more}; `vib checkpoint` saves everything now",
                left_out[0]
            ));
        }
    }

    /// The call has ended: what is different now is its own.
    pub(super) fn end(&mut self) -> Result<(), Error> {
        let Kind::AfterTool(call, result) = &self.event.kind else { return Ok(()) };
        if is_told_twice(self.event) {
            return Ok(());
        }
        let exit_code = result.exit_code.or_else(|| self.exit_code_in_transcript(call));
        self.failed = self.failed.or(exit_code.map(|code| code != 0));
        let outcome = Outcome { ending: ending(result, self.failed), exit_code, reason: None };
        let entry = self.call(call);
        let outside = self.end_outside(&entry, &outcome);
        let (engine, event) = (&self.engine, self.event);
        // Judging a command is most of what its end costs: once, and only if nobody saw it begin.
        let found = OnceCell::new();
        let reach = || -> &Reach {
            found.get_or_init(|| match &call.action {
                Action::Edit(edits) => {
                    let paths: Vec<PathBuf> = edits.iter().map(|edit| edit.path.clone()).collect();
                    agent::named(engine, &paths)
                }
                Action::Shell { command } if !may_write(engine, event, call, command) => Reach::Nowhere,
                Action::Shell { .. } | Action::Unknown(_) => Reach::Anywhere,
                Action::Look => Reach::Nowhere,
            })
        };
        let mut nested = self.nested(call);
        if !nested.is_empty() && *reach() == Reach::Nowhere {
            nested.clear();
        }
        self.ended = agent::end(engine, &self.who, &entry, &outcome, || reach().clone(), nested, &Silent)?;
        // What happened here is noted, whatever went wrong elsewhere.
        self.note_outside(&outside?)
    }

    /// Projects of their own inside this one that the call works in: the files it names, or the folder it runs in.
    fn nested(&self, call: &ToolCall) -> Vec<(Engine, Reach)> {
        match &call.action {
            Action::Edit(edits) => {
                let paths: Vec<PathBuf> = edits.iter().map(|edit| edit.path.clone()).collect();
                let found = agent::nested(&self.engine, &paths).into_iter();
                found
                    .map(|(there, paths)| {
                        let reach = agent::named(&there, &paths);
                        (there, reach)
                    })
                    .collect()
            }
            Action::Shell { .. } => {
                let folder = folder_of(self.engine.context(), self.event, call).0;
                agent::nested(&self.engine, &[folder])
                    .into_iter()
                    .map(|(there, _)| (there, Reach::Anywhere))
                    .collect()
            }
            Action::Look | Action::Unknown(_) => Vec::new(),
        }
    }

    /// What does not run is a step too, and what the person is asked about may become one. That it could not be noted must not change the answer. (H2)
    pub(super) fn note_held_back(&mut self) {
        let (Kind::BeforeTool(call) | Kind::Permission(call)) = &self.event.kind else { return };
        let (reason, is_asked) = match (&self.decision.verdict, &self.event.kind) {
            (Verdict::Deny(reason), _) => (reason.clone(), false),
            (Verdict::Ask(reason), Kind::BeforeTool(_)) => (reason.clone(), true),
            _ => return,
        };
        let entry = self.call(call);
        let reason = self.short(&reason);
        let noted = problem_of(|| {
            let begun = match &self.event.kind {
                Kind::Permission(_) => agent::running(&self.engine, &self.who, &entry, &Silent)?,
                _ => self.begun,
            };
            if is_asked {
                return agent::asked(&self.engine, &self.who, &entry, begun, &reason, &Silent);
            }
            agent::stopped(&self.engine, &self.who, &entry, begun, &reason, &Silent)
        });
        if let Some(problem) = noted {
            self.warn(&format!("that this step was held back was not noted: {problem}"));
        }
    }

    pub(super) fn call(&mut self, call: &ToolCall) -> Call {
        let what = words::in_short(call, |path| {
            self.inside(path).map_or_else(|| path.display().to_string(), |path| path.to_string())
        });
        let what = Some(self.short(&what)).filter(|what| !what.as_str().is_empty());
        // Cursor gives a command its id only when it has ended.
        let id = call.id.clone().filter(|_| self.event.client != Client::Cursor);
        Call { tool: call.tool.clone(), id, what, alone: is_alone(self.event.client) }
    }

    /// A text for the ledger: through the gate, and short.
    pub(super) fn short(&mut self, text: &str) -> Clean {
        let seen = match text.char_indices().nth(READ) {
            Some((end, _)) => text[..end].rfind(char::is_whitespace).map_or("", |end| &text[..end]),
            None => text,
        };
        let clean = self.clean(seen);
        if clean.as_str().chars().count() <= KEPT && seen.len() == text.len() {
            return clean;
        }
        let cut: String = clean.as_str().chars().take(KEPT - 1).chain(['…']).collect();
        self.clean(&cut)
    }

    /// Codex tells the exit code of a command only in its own record of the session. (M6)
    fn exit_code_in_transcript(&self, call: &ToolCall) -> Option<i32> {
        let is_command = matches!(call.action, Action::Shell { .. });
        if self.event.client != Client::Codex || !is_command {
            return None;
        }
        transcript::exit_code(self.event.transcript.as_deref()?, call.id.as_deref()?)
    }
}

fn ending(result: &ToolResult, failed: Option<bool>) -> Ending {
    match (result.halted, failed) {
        (Some(Halted::Refused), _) => Ending::Refused,
        (Some(Halted::CutOff), _) => Ending::CutOff,
        (None, Some(true)) => Ending::Failed,
        (None, Some(false)) => Ending::Ran,
        (None, None) => Ending::Unknown,
    }
}

fn may_write(engine: &Engine, event: &HookEvent, call: &ToolCall, command: &str) -> bool {
    let context = engine.context();
    let there = context.beside(&folder_of(context, event, call).0).ok();
    judge::may_write(there.as_ref().unwrap_or(context), command)
}

/// Clients in which one agent makes one call after the other, as was seen. The others call all hooks first and run the tools then.
fn is_alone(client: Client) -> bool {
    matches!(client, Client::ClaudeCode | Client::Codex | Client::Gemini)
}

/// Cursor tells of an edit and of a command twice: as a tool, and as what it did.
fn is_told_twice(event: &HookEvent) -> bool {
    event.client == Client::Cursor && matches!(event.native.as_str(), "afterFileEdit" | "afterShellExecution")
}
