//! The whole of an installation or removal: which clients, what would be done to each, what became of it.

use serde::Serialize;

use super::plan::{self, Edit, Plan};
use super::world::{Detected, Scope};
use super::{Error, World, apply};
use crate::Client;
use clients::table::setup;

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Put the hooks in.
    Install,
    /// Take them out.
    Remove,
}

/// For whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// Every client that is found on this machine or in this project.
    Found,
    /// Every client that vib knows.
    All,
    /// These.
    Named(Vec<Client>),
}

/// What became of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Nothing to do: the hooks are in place.
    Current,
    /// Nothing to do: the user's own settings have the hooks, or the project's do.
    InOtherScope,
    /// There is something to do, and it was not done.
    Pending,
    /// The person said no.
    Declined,
    /// Done.
    Installed,
    /// Done.
    Removed,
    /// There is nothing of ours.
    Absent,
    /// Could not; nothing was changed.
    Failed,
}

/// One client's part of the report.
#[derive(Debug, Serialize)]
pub struct Outcome {
    /// The client.
    pub client: Client,
    /// Its name as its makers write it.
    pub title: &'static str,
    /// How it was found.
    pub found: Option<Detected>,
    /// What became of it.
    pub status: Status,
    /// The files.
    pub files: Vec<FileChange>,
    /// What the person should know.
    pub notes: Vec<String>,
    /// What went wrong.
    pub error: Option<Problem>,
}

/// One file's part of the report.
#[derive(Debug, Serialize)]
pub struct FileChange {
    /// As a person reads it.
    pub path: String,
    /// Where a link leads, if it is one.
    pub link_to: Option<String>,
    /// `create`, `edit`, `restore` or `delete`.
    pub change: &'static str,
    /// In plain words.
    pub words: Vec<String>,
}

/// An error, for the report.
#[derive(Debug, Serialize)]
pub struct Problem {
    /// The stable code.
    pub code: &'static str,
    /// What happened.
    pub message: String,
    /// What to do.
    pub next: String,
}

impl From<&Error> for Problem {
    fn from(error: &Error) -> Self {
        Self { code: error.code(), message: error.to_string(), next: error.next() }
    }
}

/// Clients, each with what would be done and what became of it.
#[derive(Debug)]
pub struct Steps {
    action: Action,
    steps: Vec<(Outcome, Option<Plan>)>,
    silent: Vec<Plan>,
}

impl Steps {
    /// Works everything out; nothing is written.
    pub fn prepare(world: &World, action: Action, choice: &Choice, scope: Scope) -> Self {
        let clients = Client::ALL.into_iter().filter(|client| match choice {
            Choice::Found => action == Action::Remove || world.detect(*client).is_some(),
            Choice::All => true,
            Choice::Named(named) => named.contains(client),
        });
        let steps = clients.map(|client| prepare(world, action, client, scope));
        // What is not there is told only to those who asked for it.
        let is_told = |outcome: &Outcome| {
            !matches!(choice, Choice::Found) || outcome.status != Status::Absent || !outcome.notes.is_empty()
        };
        let (steps, silent): (Vec<_>, Vec<_>) = steps.partition(|(outcome, _)| is_told(outcome));
        let silent = silent.into_iter().filter_map(|(_, plan)| plan).collect();
        Self { action, steps, silent }
    }

    /// True if there is something to do.
    pub fn has_work(&self) -> bool {
        self.outcomes().any(|outcome| outcome.status == Status::Pending)
    }

    /// The clients.
    pub fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        self.steps.iter().map(|(outcome, _)| outcome)
    }

    /// Does it, one client after the other; what fails for one does not stop the others.
    pub fn carry_out(&mut self, world: &World) {
        for plan in self.silent.drain(..) {
            // There is nothing in them but records to forget; one that stays does no harm.
            let _ = apply(world, &plan);
        }
        for (outcome, plan) in &mut self.steps {
            let Some(plan) = plan.take() else { continue };
            match apply(world, &plan) {
                Ok(()) if plan.edits.is_empty() => {}
                Ok(()) if self.action == Action::Install => {
                    outcome.status = Status::Installed;
                    outcome.notes.extend(setup(outcome.client).note.map(str::to_owned));
                }
                Ok(()) => outcome.status = Status::Removed,
                Err(error) => outcome.fail(&error),
            }
        }
    }

    /// The person said no.
    pub fn decline(&mut self) {
        for (outcome, _) in &mut self.steps {
            if outcome.status == Status::Pending {
                outcome.status = Status::Declined;
            }
        }
    }

    /// The report.
    pub fn into_outcomes(self) -> Vec<Outcome> {
        self.steps.into_iter().map(|(outcome, _)| outcome).collect()
    }
}

fn prepare(world: &World, action: Action, client: Client, scope: Scope) -> (Outcome, Option<Plan>) {
    let mut outcome = Outcome {
        client,
        title: client.title(),
        found: world.detect(client),
        status: Status::Pending,
        files: Vec::new(),
        notes: Vec::new(),
        error: None,
    };
    let planned = match action {
        Action::Install => plan::install(world, client, scope),
        Action::Remove => plan::remove(world, client, scope),
    };
    let mut plan = match planned {
        Ok(plan) => plan,
        Err(error) => {
            outcome.fail(&error);
            return (outcome, None);
        }
    };
    outcome.notes.append(&mut plan.notes);
    let other = if scope == Scope::User { Scope::Project } else { Scope::User };
    let is_there = |scope| plan::remove(world, client, scope).is_ok_and(|plan| !plan.edits.is_empty());
    let whose = if other == Scope::User { "your own settings" } else { "this project's settings" };
    let elsewhere = format!("`vib init --remove --scope {}` takes them out there", other.name());
    if action == Action::Install && !is_there(scope) && is_there(other) {
        // Both would be called for every step.
        outcome.status = Status::InOtherScope;
        outcome.notes.push(format!("its hooks are in {whose} already; {elsewhere}"));
        return (outcome, None);
    }
    if action == Action::Remove && is_there(other) {
        outcome.notes.push(format!("its hooks in {whose} stay; {elsewhere}"));
    }
    outcome.files = plan.edits.iter().map(|edit| file_change(world, edit, action)).collect();
    if plan.edits.is_empty() {
        outcome.status = if action == Action::Install { Status::Current } else { Status::Absent };
        return (outcome, Some(plan));
    }
    (outcome, Some(plan))
}

fn file_change(world: &World, edit: &Edit, action: Action) -> FileChange {
    let change = match (&edit.before, &edit.after) {
        (None, _) => "create",
        (_, None) => "delete",
        (Some(_), Some(_)) if action == Action::Remove => "restore",
        (Some(_), Some(_)) => "edit",
    };
    FileChange {
        path: world.shown(&edit.path),
        link_to: link_to(world, edit),
        change,
        words: edit.words.clone(),
    }
}

/// Where a file really is, if a link below the project or the home folder leads there.
fn link_to(world: &World, edit: &Edit) -> Option<String> {
    let base = [Some(&world.root), world.home.as_ref()];
    let base = base.into_iter().flatten().find(|base| edit.path.starts_with(base))?;
    let inside = edit.path.strip_prefix(base).ok()?;
    let there = edit.path.ancestors().find(|path| path.exists())?;
    let real = there.canonicalize().ok()?;
    let rest = edit.path.strip_prefix(there).ok()?;
    let real = if rest.as_os_str().is_empty() { real } else { real.join(rest) };
    (real != base.canonicalize().ok()?.join(inside)).then(|| real.display().to_string())
}

impl Outcome {
    fn fail(&mut self, error: &Error) {
        self.status = Status::Failed;
        self.error = Some(Problem::from(error));
    }
}
