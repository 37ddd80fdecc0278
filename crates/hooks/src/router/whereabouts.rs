//! Who really speaks, and which project it is about.

use std::path::{Path, PathBuf};

use engine::judge::{Decision as Judged, JudgeReport, Reason, Verdict, judge_command_in};
use engine::{Engine, Error};
use project::{Context, RootKind, find_root};

use super::{World, transcript};
use crate::event::{Action, Folder, Kind, ToolCall};
use crate::{Client, HookEvent};

/// Which client really speaks: Copilot and Cursor also run the hooks of Claude Code's settings.
pub(super) fn dialect(client: Client, world: &World) -> Client {
    match client {
        Client::ClaudeCode if world.in_copilot => Client::Copilot,
        Client::ClaudeCode if world.in_cursor => Client::Cursor,
        other => other,
    }
}

/// A client that has hooks of its own from us calls those too: once is enough.
pub(super) fn is_connected_itself(context: &Context, world: &World, client: Client) -> bool {
    let (project, home) = match client {
        Client::Copilot => (".github/hooks/vib.json", ".copilot/hooks/vib.json"),
        _ => (".cursor/hooks.json", ".cursor/hooks.json"),
    };
    let folder = world.project_dir.clone().unwrap_or_else(|| context.cwd().to_path_buf());
    let ours = |file: PathBuf| std::fs::read_to_string(file).is_ok_and(|text| text.contains(" hook "));
    ours(folder.join(project)) || context.home().is_some_and(|home_folder| ours(home_folder.join(home)))
}

/// The project of the session: the one that the client names, wherever in it the agent is at the moment. What lies in a work tree or
/// a clone inside it is saved there (see `agent::before_edit`), but the session stays one.
pub(super) fn open(context: &Context, world: &World, event: &HookEvent) -> Result<Engine, Error> {
    let folder = event.cwd.clone().filter(|folder| folder.is_dir());
    // Codex tells it in its record only: the folder of a call may be anywhere. (S3)
    let told = match (&world.project_dir, event.client, &event.transcript) {
        (None, Client::Codex, Some(transcript)) => transcript::session_folder(transcript),
        (named, ..) => named.clone(),
    };
    let told = told.filter(|folder| folder.is_dir());
    let folder = match (&told, folder) {
        // Agents wander off (`cd /tmp`): the project stays where the client was started.
        (Some(project), Some(folder)) if !folder.starts_with(project) => Some(project.clone()),
        (_, Some(folder)) => Some(folder),
        (project, None) => project.clone(),
    };
    let folder = folder.as_deref().unwrap_or_else(|| context.cwd());
    let there = context.beside(folder).map_err(project::Error::from)?;
    let Some(named) = &told else { return Engine::open(there) };
    let named = context.beside(named).map_err(project::Error::from)?;
    let kind = |context: &Context| find_root(context).map_or(RootKind::CurrentFolder, |(_, kind, _)| kind);
    // A folder that nothing marks as a project is one only where there is no better one.
    match (kind(&named), kind(&there)) {
        (RootKind::CurrentFolder, RootKind::CurrentFolder) => Engine::open(named),
        (RootKind::CurrentFolder, _) => Engine::open(there),
        _ => {
            let start = named.cwd().to_path_buf();
            Engine::open_from(there, &start)
        }
    }
}

/// Codex tells the folder that a command names only in its own record of the session. (S3)
pub(super) fn folder_from_transcript(event: &mut HookEvent) {
    if event.client != Client::Codex {
        return;
    }
    let (transcript, cwd) = (event.transcript.clone(), event.cwd.clone());
    let start = transcript.as_deref().and_then(transcript::session_folder);
    if let Kind::BeforeTool(call) | Kind::Permission(call) = &mut event.kind
        && matches!(call.action, Action::Shell { .. })
        && call.folder == Folder::Session
    {
        call.folder = match (transcript, &call.id) {
            (Some(transcript), Some(id)) => transcript::folder(&transcript, id),
            _ => Folder::Untold,
        };
        if let (Folder::Given(folder), Some(cwd)) = (&mut call.folder, cwd) {
            // The `cwd` of the call may be this folder already; a relative name starts where the session did.
            let named = start.unwrap_or_else(|| cwd.clone()).join(&folder);
            *folder = if named.is_dir() { named } else { cwd };
        }
    }
}

/// The folder in which a call runs, and whether that is known. (S3)
pub(super) fn folder_of(context: &Context, event: &HookEvent, call: &ToolCall) -> (PathBuf, bool) {
    let session =
        event.cwd.clone().filter(|folder| folder.is_dir()).unwrap_or_else(|| context.cwd().to_path_buf());
    match &call.folder {
        Folder::Given(folder) => {
            let folder = session.join(folder);
            if folder.is_dir() { (folder, true) } else { (session, false) }
        }
        Folder::Session => (session, true),
        Folder::Untold => (session, false),
    }
}

/// Whether a command does the same wherever it runs: every file that it changes is named by its whole path (or behind a `cd` to one), and
/// nothing else is in it. Then it need not be known in which folder. (S3)
pub(super) fn is_same_anywhere(context: &Context, session: &Context, root: &Path, command: &str) -> bool {
    // The folder it starts in is no difference: what it does there is.
    let judged = |there: &Context| {
        let verdict = judge_command_in(there, root, command).verdict;
        Verdict { folders: Vec::new(), folders_inside: Vec::new(), ..verdict }
    };
    let here = judged(session);
    let is_complete = here.writes_only.is_some() && here.unknown.is_empty() && here.unread.is_empty();
    let folders = context.home().into_iter().chain([Path::new("/"), Path::new("/tmp")]);
    is_complete
        && folders.filter(|folder| *folder != session.cwd()).all(|folder| {
            let there = context.beside(folder);
            there.is_ok_and(|there| judged(&there) == here)
        })
}

/// What is asked about only because the folder is not known says so, instead of what would hold in the session's folder. The answer
/// stays the same.
pub(super) fn say_folder_is_not_known(report: &mut JudgeReport, session: &Context, root: &Path) {
    let here = judge_command_in(session, root, &report.command).verdict;
    let is_covered = |reason: &Reason| {
        let same = |known: &&Reason| known.code == reason.code && known.about == reason.about;
        here.reasons.iter().find(same).is_some_and(|known| known.decision < Judged::Ask)
    };
    let mut names: Vec<String> = Vec::new();
    for reason in report.verdict.reasons.iter_mut().filter(|reason| reason.decision == Judged::Ask) {
        if is_covered(reason) {
            reason.decision = Judged::AllowWithCheckpoint;
            names.push(reason.about.clone());
        }
    }
    if names.is_empty() {
        return;
    }
    let text = "it is not known in which folder this runs (the client's record of the session does not tell), so nobody can say \
        which files it changes or deletes, and whether they are saved; files that are named one by one by their whole paths, or after `cd` to one, are known";
    report.verdict.tighten("folder_not_known", Judged::Ask, text, "");
}
