//! Tool calls as steps of the ledger: what they are called there, how they begin and how they end.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use engine::agent::{self, Announcement, Call, Reach};
use engine::{Engine, Error, judge};
use redact::Clean;
use store::{Ending, Outcome, Silent, Trade};

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
        let begin = |run: &Self| agent::begin(&run.engine, &run.who, &call, &run.reach, &nested, &Silent);
        let mut begun = begin(self);
        if begun.is_err()
            && self.decision.verdict == Verdict::Pass
            && let Some(question) = self.lost_unsaved()
        {
            // Whoever keeps the lock may be done in a moment: once more, before anybody is asked. If that takes too long, it is asked.
            self.leave(question.clone());
            begun = begin(self);
            if begun.is_err() {
                self.decision.verdict = question;
            }
        }
        let begun = begun?;
        self.begun = begun.step;
        if !begun.not_yet.is_empty() {
            self.tell_not_yet(&begun.not_yet);
        }
        if self.decision.verdict == Verdict::Pass
            && let Some(question) = self.lost_with(&begun)
        {
            self.decision.verdict = question;
        }
        Ok(())
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
        let heard_ms = self.engine.context().now_ms();
        let exit_code = result.exit_code.or_else(|| self.exit_code_in_transcript(call));
        self.failed = self.failed.or(exit_code.map(|code| code != 0));
        let refused = self.look_behind_fence(call, result).unwrap_or_else(|error| {
            self.warn(&format!(
                "whether the fence refused anything was not looked at: {error}; {}",
                error.next()
            ));
            None
        });
        let reason = refused.map(Clean::into_string);
        let took_ms = result.took_ms;
        let ran_from_ms = took_ms.map(|took| heard_ms - took);
        let outcome =
            Outcome { ending: ending(result, self.failed), exit_code, reason, took_ms, ran_from_ms };
        // Nobody may have been asked before it ran: what it names is looked up now.
        if let (Client::Acp, Action::Shell { command }) = (self.event.client, &call.action) {
            let context = self.engine.context();
            let there =
                context.beside(&folder_of(context, self.event, call).0).map_err(project::Error::from)?;
            self.judged = Some(judge::judge_command(&there, command));
        }
        let entry = self.call(call);
        let outside = self.end_outside(&entry, &outcome);
        let began_elsewhere = matches!(outside, Ok(Some(_)));
        let (engine, event) = (&self.engine, self.event);
        // Judging a command is most of what its end costs: once, and only if nobody saw it begin.
        let found = OnceCell::new();
        let reach = || -> &Reach {
            found.get_or_init(|| match &call.action {
                Action::Edit(edits) => {
                    let paths: Vec<PathBuf> = edits.iter().map(|edit| edit.path.clone()).collect();
                    agent::named(engine, &paths)
                }
                // It was seen to begin, and not here.
                Action::Shell { .. } if began_elsewhere => Reach::Nowhere,
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
        let in_nested = std::mem::take(&mut self.ended.in_nested);
        self.note_outside(&in_nested)?;
        self.note_outside(&outside?.unwrap_or_default())
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

    /// The client asks the person now: while they think, they may write. Where it tells at the end how long the call ran, that says more; and an
    /// edit is known by its words. That it could not be noted must not change the answer. (M1)
    pub(super) fn note_waiting(&mut self) {
        let Kind::Permission(call) = &self.event.kind else { return };
        let tells_times = matches!(self.event.client, Client::ClaudeCode | Client::OpenCode | Client::Cursor);
        let is_command = matches!(call.action, Action::Shell { .. } | Action::Unknown(_));
        if tells_times || !is_command || self.decision.verdict != Verdict::Pass {
            return;
        }
        let entry = self.call(call);
        let noted = problem_of(|| agent::waits(&self.engine, &self.who, &entry, &Silent));
        if let Some(problem) = noted {
            self.warn(&format!("that this step waits for you was not noted: {problem}"));
        }
    }

    pub(super) fn call(&mut self, call: &ToolCall) -> Call {
        let what = words::in_short(call, |path| {
            self.inside(path).map_or_else(|| path.display().to_string(), |path| path.to_string())
        });
        let what = Some(self.short(&what)).filter(|what| !what.as_str().is_empty());
        // Cursor gives a command its id only when it has ended.
        let id = call.id.clone().filter(|_| self.event.client != Client::Cursor);
        // Files are guarded and circles seen before an edit begins.
        let settled = matches!((&self.event.kind, &call.action), (Kind::BeforeTool(_), Action::Edit(_)));
        let announced = self.announcement(call);
        let sources = match (&self.event.kind, &call.action) {
            (Kind::BeforeTool(_), Action::Shell { command }) => {
                let folder = folder_of(self.engine.context(), self.event, call).0;
                agent::sources(self.engine.project(), &folder, command)
            }
            _ => agent::Sources::default(),
        };
        Call {
            tool: call.tool.clone(),
            id,
            what,
            alone: is_alone(self.event.client),
            settled,
            announced,
            sources,
        }
    }

    /// What the call says about what it will do.
    fn announcement(&self, call: &ToolCall) -> Announcement {
        let mut announced = self.announced.clone();
        match &call.action {
            // Nobody heard of it before: its own words say what it did.
            Action::Edit(edits) if matches!(self.event.kind, Kind::AfterTool(..)) => {
                let inside = edits.iter().filter_map(|edit| {
                    agent::announce(&self.engine, &self.inside(&edit.path)?, &edit.change, None, None)
                });
                announced.edits = inside.collect();
            }
            Action::Shell { command } => {
                let verdict = self.judged.as_ref().map(|report| &report.verdict);
                let targets =
                    verdict.into_iter().flat_map(|verdict| verdict.writes.iter().chain(&verdict.deletes));
                announced.named = targets
                    .map(|target| PathBuf::from(&target.path))
                    .filter(|path| path.is_absolute())
                    .collect();
                let folder = folder_of(self.engine.context(), self.event, call).0;
                announced.named.extend(named_outputs(command, &folder));
                if matches!(self.event.kind, Kind::BeforeTool(_)) {
                    announced.command = Some((folder, command.clone()));
                }
                announced.trade = match spiral::trade(command) {
                    spiral::Trade::Writes => Trade::Writes,
                    spiral::Trade::Builds => Trade::Builds,
                    spiral::Trade::Reports => Trade::Reports,
                };
            }
            _ => {}
        }
        announced
    }

    /// A text for the ledger: through the gate, and short.
    pub(super) fn short(&mut self, text: &str) -> Clean {
        let seen = match text.char_indices().nth(READ) {
            Some((end, _)) => text[..end].rfind(char::is_whitespace).map_or("", |end| &text[..end]),
            None => text,
        };
        let mut gate = self.engine.own_gate();
        let clean = gate.clean(seen);
        if clean.as_str().chars().count() <= KEPT && seen.len() == text.len() {
            return clean;
        }
        let cut: String = clean.as_str().chars().take(KEPT - 1).chain(['…']).collect();
        gate.clean(&cut)
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

/// What the options of a command say that it writes; in the folder that it goes to first. (M4)
fn named_outputs(command: &str, folder: &Path) -> Vec<PathBuf> {
    let goes_to = command.trim_start().strip_prefix("cd ").and_then(|rest| rest.split_once("&&"));
    let folder = goes_to.map_or_else(
        || folder.to_path_buf(),
        |(there, _)| folder.join(there.trim().trim_matches(['"', '\''])),
    );
    let outputs = spiral::named_outputs(command).into_iter().map(|place| folder.join(place));
    // A whole project is no output.
    outputs.filter(|place| !folder.starts_with(place)).collect()
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
