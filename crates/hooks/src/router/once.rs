//! Once is enough: one answer where two settings call vib for the same step, and one warning in a session.

use std::path::{Path, PathBuf};

use clients::entries::HooksFile;
use clients::table::{Setup, Shape, setup};
use clients::{Scope, plugin};
use project::{Context, platform};
use sha2::{Digest, Sha256};

use super::World;
use crate::{Client, HookEvent};
use install::is_executable;

/// Marks of sessions that were not heard of for so long go.
const KEPT: std::time::Duration = std::time::Duration::from_secs(30 * 24 * 3600);

/// True if this call comes from a project's settings and nearer ones answer for the same step.
///
/// In doubt it is false: two answers are a nuisance, none is a hole. Codex runs nothing that the person did not approve,
/// whatever its settings hold, so there only a call of this very session counts.
pub(super) fn is_answered_elsewhere(
    context: &Context,
    world: &World,
    client: Client,
    event: &HookEvent,
) -> bool {
    let Some(scope) = world.called_from.filter(|scope| *scope != Scope::User) else {
        if client == Client::Codex {
            first_time(context, "called", event);
        }
        return false;
    };
    if client == Client::Codex {
        return mark(context, "called", event).is_some_and(|mark| mark.exists());
    }
    let setup = setup(client);
    let own = own_folder(context, world, setup).map(|folder| folder.join(setup.file));
    let private = setup.private_file.filter(|_| scope == Scope::Team).map(|name| {
        let root = world.project_dir.as_deref().or(event.cwd.as_deref()).unwrap_or_else(|| context.cwd());
        root.join(setup.project_folder).join(name)
    });
    let calls = |file: Option<PathBuf>, scope| file.is_some_and(|file| calls_vib(setup, &file, scope));
    calls(own, Scope::User) || calls(private, Scope::Project)
}

/// The folder of the person's own settings.
fn own_folder(context: &Context, world: &World, setup: &Setup) -> Option<PathBuf> {
    match (&world.own_settings, setup.user_folder.variable) {
        (Some(moved), Some((_, inside))) if !inside.is_empty() => Some(moved.join(inside)),
        (Some(moved), Some(_)) => Some(moved.clone()),
        _ => Some(context.home()?.join(setup.user_folder.home)),
    }
}

/// The client reads this file, and it has a hook of ours for every event, with a program that can be started.
fn calls_vib(setup: &Setup, file: &Path, scope: Scope) -> bool {
    let Ok(text) = std::fs::read_to_string(file) else { return false };
    let programs = match setup.shape {
        Shape::Plugin => plugin::program(&text).into_iter().collect(),
        Shape::Groups { .. } | Shape::Flat { .. } => {
            if setup.client == Client::ClaudeCode && !is_read_by_claude(&text) {
                return false;
            }
            let hooks = HooksFile { setup, file, program: file, scope };
            let found = hooks.find(&text).unwrap_or_default();
            if !setup.events.iter().all(|event| found.iter().any(|found| found.event == event.name)) {
                return false;
            }
            found.into_iter().map(|found| found.program).collect::<Vec<_>>()
        }
    };
    !programs.is_empty() && programs.iter().all(|program| program.is_absolute() && is_executable(program))
}

/// Claude Code leaves out a file with a comment in it, the whole of it, and all hooks where it is told to.
fn is_read_by_claude(text: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(text)
        .is_ok_and(|settings| settings["disableAllHooks"] != serde_json::Value::Bool(true))
}

/// True at the first call for this session; where that cannot be remembered, each time is the first.
pub(super) fn first_time(context: &Context, what: &str, event: &HookEvent) -> bool {
    let Some(mark) = mark(context, what, event) else { return true };
    if mark.exists() {
        return false;
    }
    if let Some(folder) = mark.parent()
        && platform::make_private_dir(folder).is_ok()
        && platform::open_private_append(&mark).is_ok()
    {
        forget_old(folder);
    }
    true
}

fn mark(context: &Context, what: &str, event: &HookEvent) -> Option<PathBuf> {
    let session = event.session.as_deref()?;
    let hash: String =
        Sha256::digest(session.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let state = context.state().ok()?;
    platform::make_private_dir(state).ok()?;
    Some(state.join("once").join(format!("{what}-{}-{hash}", event.client)))
}

/// Bounded: at most as many as one folder listing gives, once for each new session.
fn forget_old(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten().take(1_000) {
        let age = entry.metadata().and_then(|metadata| metadata.modified()).map(|time| time.elapsed());
        if matches!(age, Ok(Ok(age)) if age > KEPT) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}
