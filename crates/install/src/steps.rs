//! The whole of an installation or removal: which clients, what would be done to each, what became of it.

use serde::Serialize;

use super::connections::calls_vib;
use super::plan::{self, Edit, Plan};
use super::world::{Detected, Scope};
use super::{Error, World, apply, program, recorded_place};
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
    /// Nothing to do: the person's own settings have the hooks.
    InOtherScope,
    /// The client has no settings of that kind; nothing was changed.
    Skipped,
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
    pub files: Vec<SettingsChange>,
    /// What the person should know.
    pub notes: Vec<String>,
    /// What went wrong.
    pub error: Option<Problem>,
}

/// One file's part of the report.
#[derive(Debug, Serialize)]
pub struct SettingsChange {
    /// As a person reads it.
    pub path: String,
    /// Where a link leads, if it is one.
    pub link_to: Option<String>,
    /// `create`, `edit`, `restore`, `delete`, or `run` for a command of the client's own.
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
    /// Works everything out; nothing is written. Without a scope: the person's own settings to install, all of them to remove.
    pub fn prepare(world: &World, action: Action, choice: &Choice, scope: Option<Scope>) -> Self {
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
        // Before any hook leads there.
        if self.action == Action::Install && world.program == program::copy_in(&world.state) {
            let made =
                std::env::current_exe().and_then(|running| program::keep_copy(&world.program, &running));
            if let Err(error) = made {
                self.steps.iter_mut().for_each(|(outcome, plan)| {
                    if plan.take().is_some() {
                        outcome.fail(&Error::from(std::io::Error::from(error.kind())));
                    }
                });
            }
        }
        for (outcome, plan) in &mut self.steps {
            let Some(plan) = plan.take() else { continue };
            match apply(world, &plan) {
                Ok(()) if plan.is_empty() => {}
                Ok(()) => {
                    outcome.call(world, &plan, self.action);
                    outcome.status = match self.action {
                        Action::Install => Status::Installed,
                        Action::Remove => Status::Removed,
                    };
                    let note = setup(outcome.client).note.filter(|_| self.action == Action::Install);
                    outcome.notes.extend(note.map(str::to_owned));
                }
                Err(error) => outcome.fail(&error),
            }
        }
        match self.action {
            // Needed only where vib is not on PATH; whoever clones a shared set-up later is glad of it.
            Action::Install if self.outcomes().any(|outcome| outcome.status.is_in_place()) => {
                let _ = recorded_place::write(world);
            }
            Action::Install => {}
            Action::Remove => recorded_place::drop_if_unused(world),
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

fn prepare(world: &World, action: Action, client: Client, scope: Option<Scope>) -> (Outcome, Option<Plan>) {
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
        Action::Install => plan_install(world, client, scope.unwrap_or(Scope::User), &mut outcome),
        Action::Remove => plan_remove(world, client, scope, &mut outcome),
    };
    let mut plan = match planned {
        Ok(plan) => plan,
        Err(error @ (Error::NoPrivateFile { .. } | Error::HomeIsNoProject { .. })) => {
            outcome.status = Status::Skipped;
            outcome.notes.push(format!("{error}; {}", error.next()));
            return (outcome, None);
        }
        Err(error) => {
            outcome.fail(&error);
            return (outcome, None);
        }
    };
    if outcome.status == Status::InOtherScope {
        return (outcome, None);
    }
    outcome.notes.append(&mut plan.notes);
    outcome.files = plan.edits.iter().map(|edit| file_change(world, edit, action)).collect();
    for call in &plan.calls {
        let what =
            if action == Action::Install { "adds vib's MCP server" } else { "takes vib's MCP server out" };
        outcome.files.extend(call.lines().into_iter().map(|line| SettingsChange {
            path: line,
            link_to: None,
            change: "run",
            words: vec![format!("{}'s own command {what}, in a file that vib does not edit", client.title())],
        }));
    }
    if plan.is_empty() {
        outcome.status = if action == Action::Install { Status::Current } else { Status::Absent };
    }
    (outcome, Some(plan))
}

/// Something of ours is in these settings.
fn is_there(world: &World, client: Client, scope: Scope) -> bool {
    plan::remove(world, client, scope).is_ok_and(|plan| !plan.edits.is_empty())
}

/// The asked-for scope, and what an earlier vib left in this project's own files, brought up to date.
fn plan_install(world: &World, client: Client, scope: Scope, outcome: &mut Outcome) -> super::Result<Plan> {
    let mut plan = plan::install(world, client, scope)?;
    if scope == Scope::Project
        && !is_there(world, client, scope)
        && calls_vib(world, setup(client), Scope::User)
    {
        outcome.status = Status::InOtherScope;
        outcome.notes.push(
            "its hooks are in your own settings, for every project; `vib init --remove --scope user` takes them out there"
                .to_owned(),
        );
        return Ok(plan);
    }
    for other in [Scope::Team, Scope::Project].into_iter().filter(|other| *other != scope) {
        if !is_there(world, client, other) {
            continue;
        }
        let stale = plan::install(world, client, other)?;
        if !stale.edits.is_empty() {
            outcome.notes.push(format!(
                "vib's entries were in {} already, written by another vib: they are brought up to date there too; \
                 `vib init --remove --scope {}` takes them out",
                other.whose(),
                other.name()
            ));
            plan.take_in(stale);
        }
    }
    Ok(plan)
}

/// The named scope, or all of them.
fn plan_remove(
    world: &World,
    client: Client,
    scope: Option<Scope>,
    outcome: &mut Outcome,
) -> super::Result<Plan> {
    let Some(scope) = scope else {
        let [first, rest @ ..] = Scope::ALL;
        let mut plan = plan::remove(world, client, first)?;
        for scope in rest {
            plan.take_in(plan::remove(world, client, scope)?);
        }
        return Ok(plan);
    };
    for other in Scope::ALL.into_iter().filter(|other| *other != scope) {
        if is_there(world, client, other) {
            let (whose, name) = (other.whose(), other.name());
            outcome.notes.push(format!(
                "its hooks in {whose} stay; `vib init --remove --scope {name}` takes them out there"
            ));
        }
    }
    plan::remove(world, client, scope)
}

fn file_change(world: &World, edit: &Edit, action: Action) -> SettingsChange {
    let change = match (&edit.before, &edit.after) {
        (None, _) => "create",
        (_, None) => "delete",
        (Some(_), Some(_)) if action == Action::Remove => "restore",
        (Some(_), Some(_)) => "edit",
    };
    SettingsChange {
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

impl Status {
    /// The hooks are there now.
    fn is_in_place(self) -> bool {
        matches!(self, Self::Current | Self::Installed | Self::InOtherScope)
    }
}

impl Outcome {
    /// Makes the calls of a plan. One that fails does not take the rest back: the person is told what to type.
    fn call(&mut self, world: &World, plan: &Plan, action: Action) {
        for call in &plan.calls {
            if !call.carry_out(world, setup(self.client)) {
                self.files.retain(|file| file.change != "run");
                self.notes.push(plan::by_hand(&call.lines(), action));
            }
        }
    }

    fn fail(&mut self, error: &Error) {
        self.status = Status::Failed;
        self.error = Some(Problem::from(error));
    }
}
