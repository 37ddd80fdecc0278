//! A key on the way in: a write, an edit or a commit that would bring a live-looking key into the project is stopped, and the person
//! can allow this one. (G5)

use std::path::{Path, PathBuf};

use engine::agent::Change;
use engine::secrets::commit::{self, Commits};
use engine::secrets::incoming::{Incoming, added_by_command, added_by_edit, added_by_texts, may_bring_keys};
use serde_json::Value;

use super::Run;
use super::whereabouts::folder_of;
use crate::decision::Verdict;
use crate::event::{Edit, ToolCall};

/// So many files are looked at one by one in any case.
const FEW: usize = 8;
/// So many keys are named in one answer.
const NAMED: usize = 3;

impl Run<'_> {
    /// Looks at what the call would bring in.
    pub(super) fn keys(&mut self) {
        let Some(call) = self.event.call_to_decide() else { return };
        if matches!(self.decision.verdict, Verdict::Deny(_)) {
            return;
        }
        let mut incoming: Vec<Incoming> = Vec::new();
        let is_untold = |edit: &&Edit| matches!(edit.change, Change::Cell { .. } | Change::Unknown);
        let untold: Vec<&Path> =
            call.action.edits().iter().filter(is_untold).map(|edit| edit.path.as_path()).collect();
        // A cell of a notebook, a tool of another server: what it would write is somewhere in its arguments.
        let texts = if untold.is_empty() { Vec::new() } else { texts_in(&call.arguments) };
        let may_bring = untold.len() <= FEW || may_bring_keys(&untold, &texts);
        for edit in call.action.edits() {
            incoming.extend(match &edit.change {
                Change::Cell { .. } | Change::Unknown if !may_bring => Vec::new(),
                Change::Cell { .. } | Change::Unknown => added_by_texts(&self.engine, &edit.path, &texts),
                change => added_by_edit(&self.engine, &edit.path, change),
            });
        }
        for command in call.action.commands() {
            incoming.extend(self.in_command(call, command));
        }
        if !incoming.is_empty() {
            let text = self.clean(&words(&incoming)).into_string();
            self.decision.verdict = Verdict::Deny(text);
        }
    }

    /// What a command line writes by itself, and what it commits.
    fn in_command(&mut self, call: &ToolCall, command: &str) -> Vec<Incoming> {
        let mut incoming = Vec::new();
        let written: Vec<PathBuf> = self.judged.as_ref().map_or_else(Vec::new, |report| {
            report.verdict.writes.iter().map(|target| PathBuf::from(&target.path)).collect()
        });
        incoming.extend(added_by_command(&self.engine, command, &written));
        let what = commit::commits(command);
        if what == Commits::default() || !what.commits {
            return incoming;
        }
        let (folder, _) = folder_of(self.engine.context(), self.event, call);
        match commit::look(&self.engine, &folder, what) {
            Ok(look) => {
                if look.cut {
                    self.warn("there was more in this commit than vib could look at in time; `vib secrets scan --staged` looks at all of it");
                }
                incoming.extend(look.incoming);
            }
            Err(error) => {
                self.warn(&format!("this commit was not looked at for keys: {error}; {}", error.next()));
            }
        }
        incoming
    }
}

/// Every text in the arguments of a call; where they are no JSON, the arguments themselves.
fn texts_in(arguments: &str) -> Vec<String> {
    fn collect(value: &Value, texts: &mut Vec<String>, depth: usize) {
        match value {
            Value::String(text) => texts.push(text.clone()),
            Value::Array(items) if depth < DEEPEST => {
                items.iter().for_each(|item| collect(item, texts, depth + 1));
            }
            // The name beside a text may say that it is a secret.
            Value::Object(fields) if depth < DEEPEST => fields.iter().for_each(|(name, item)| match item {
                Value::String(text) if !text.contains('\n') => texts.push(format!("{name} = \"{text}\"")),
                item => collect(item, texts, depth + 1),
            }),
            _ => {}
        }
    }
    let mut texts = Vec::new();
    match serde_json::from_str(arguments) {
        Ok(value) => collect(&value, &mut texts, 0),
        Err(_) => texts.push(arguments.to_owned()),
    }
    texts
}

/// Arguments lie no deeper than this.
const DEEPEST: usize = 8;

/// What is said to the agent, which tells the person.
fn words(incoming: &[Incoming]) -> String {
    let mut text = String::from("vib: this would put a key that looks live into the project: ");
    let shown: Vec<String> = incoming.iter().take(NAMED).map(one).collect();
    text.push_str(&shown.join("; "));
    if incoming.len() > NAMED {
        text.push_str(&format!("; and {} more", incoming.len() - NAMED));
    }
    text.push_str(
        ". Put it into an environment variable, a secret store or a file that git ignores (`.env`), and read it from there. \
         If it is meant to be there, a person allows this one in a terminal: ",
    );
    let allows: Vec<String> =
        incoming.iter().take(NAMED).map(|key| format!("`vib secrets allow {}`", key.fingerprint)).collect();
    text.push_str(&allows.join(", "));
    text
}

fn one(key: &Incoming) -> String {
    let found = &key.found;
    let tail = if found.last4.is_empty() { String::new() } else { format!(", ends in `{}`", found.last4) };
    format!("{} in `{}` line {} ({}{tail})", found.about, found.path, found.line, found.rule)
}
