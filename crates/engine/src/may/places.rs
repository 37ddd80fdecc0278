//! Places that are never just files: vib's own, what steers an agent, what runs by itself, git's data, the system.

use std::path::{Path, PathBuf};

use clients::table::setup;
use clients::{Client, plugin};
use project::{Context, config, platform};
use shell::Place;

use super::content::is_same;
use super::{Act, Answer, Ground, Objection, Target, real};
use crate::agent;
use crate::judge;

/// What marks a hook entry of ours in a client's settings.
const HOOK_MARKS: [&str; 3] = ["vib hook ", "vib' hook ", "vib\" hook "];

/// A place, in words that follow its name.
pub(super) fn in_short(code: &str) -> &'static str {
    match code {
        "vib_own" => "belongs to vib itself (checkpoints, logs, settings of the guard)",
        "vib_program" => "is vib's own program",
        "hook_entries" => "holds the entries through which vib protects this project, and they would change",
        "agent_settings" => "steers the AI agent itself (hooks, permissions, instructions)",
        "project_policy" => "holds the project's rules for vib, and steers the AI agent with them",
        "startup_file" => "runs by itself when a shell or a login starts",
        "git_hook" => "is run by git itself",
        "git_data" => "is git's own data, which is in no checkpoint",
        "secret_place" => "usually holds secrets, and lies outside this project",
        _ => "belongs to the system, outside this project; no checkpoint can bring it back",
    }
}

/// `~/x` as a tool that knows no shell writes it, which was taken for a folder named `~`.
pub(super) fn at_home(context: &Context, full: PathBuf) -> PathBuf {
    let mut parts = full.iter().skip_while(|part| *part != "~");
    match (parts.next(), context.home()) {
        (Some(_), Some(home)) => home.join(parts.collect::<PathBuf>()),
        _ => full,
    }
}

/// What is special about the place itself.
pub(super) fn object(ground: Ground<'_>, target: &Target<'_>) -> Option<Objection> {
    let (act, shown) = (target.wish.act, target.wish.path.display());
    if is_own_program(&target.full) {
        return Some(Objection::new(
            Answer::Deny,
            "vib_program",
            &shown,
            format!(
                "`{shown}` is vib's own program. An agent may not change it; a person can put another version there."
            ),
        ));
    }
    if runs_on_open(ground, target) {
        let reason =
            format!("`{shown}` would run a command by itself as soon as the folder is opened in an editor.");
        return Some(Objection::new(Answer::Ask, "runs_on_open", &shown, reason));
    }
    let place = match act {
        // The judge of commands has looked at the place, by the name that the command uses.
        Act::Written { .. } => {
            to_nothing_yet(ground, &target.full).or_else(|| other_name(ground, &target.full))?
        }
        Act::Deleted { .. } => return None,
        _ => place(ground, &target.full),
    };
    let code = match place {
        Place::VibState => "vib_own",
        Place::AgentSettings if target.full.ends_with(config::team::FILE) => "project_policy",
        Place::AgentSettings => "agent_settings",
        Place::StartupFile => "startup_file",
        Place::GitHook => "git_hook",
        Place::GitData => "git_data",
        // A path that a strange tool only mentions need not be one that it writes: those of the system are left to the client.
        Place::System | Place::Device if matches!(act, Act::Mentioned) => return None,
        Place::System | Place::Device => "system_place",
        Place::Outside if is_secret_place(ground.context(), &target.full) => "secret_place",
        _ => return None,
    };
    if code == "agent_settings" && takes_entries_away(ground, target) {
        let reason = format!(
            "this edit of `{shown}` would change or remove the entries through which vib protects this project. A person can do \
             that with `vib init --remove`."
        );
        return Some(Objection::new(Answer::Deny, "hook_entries", &shown, reason));
    }
    let what = in_short(code);
    if code == "vib_own" {
        let reason = format!(
            "`{shown}` {what}. An agent may not change it; a person can, with `vib config` or an editor."
        );
        return Some(Objection::new(Answer::Deny, code, &shown, reason));
    }
    Some(Objection::new(Answer::Ask, code, &shown, format!("`{shown}` {what}.")))
}

/// Where it leads; a link to nothing yet counts as what it would make, and another name of a guarded file as that file.
fn place(ground: Ground<'_>, full: &Path) -> Place {
    let (context, root) = (ground.context(), root(ground));
    let at = |path: &Path| judge::place_in(context, root, &path.to_string_lossy());
    let found = at(full);
    if !matches!(found, Place::Project | Place::Temp | Place::Outside) {
        return found;
    }
    match std::fs::symlink_metadata(full) {
        Ok(facts) if facts.is_symlink() => at(&real::written(full)),
        Ok(_) => other_name(ground, full).unwrap_or(found),
        Err(_) => found,
    }
}

fn root<'g>(ground: Ground<'g>) -> Option<&'g Path> {
    match ground {
        Ground::Project(engine) => Some(engine.project().root()),
        Ground::Nowhere(_) => None,
    }
}

/// What a write through a link makes that leads to nothing yet.
fn to_nothing_yet(ground: Ground<'_>, full: &Path) -> Option<Place> {
    (full.is_symlink() && !full.exists())
        .then(|| judge::place_in(ground.context(), root(ground), &real::written(full).to_string_lossy()))
}

/// The guarded file that this one is too, if it has several names.
fn other_name(ground: Ground<'_>, full: &Path) -> Option<Place> {
    let number = real::shared_number(full)?;
    let (context, root) = (ground.context(), root(ground));
    let mut files = Vec::new();
    for row in Client::ALL.into_iter().map(setup) {
        if let Some(root) = root {
            let folder = root.join(row.project_folder);
            files.push(folder.join(row.file));
            files.extend(row.private_file.map(|name| folder.join(name)));
            files.push(root.join(row.server.project));
        }
        files.extend(context.home().map(|home| home.join(row.user_folder.home).join(row.file)));
    }
    if let Some(root) = root {
        files.extend([
            config::team::file(root),
            config::project_file(root),
            config::project_policy_file(root),
        ]);
        files.push(root.join(".git/config"));
    }
    if let Some(folder) = context.config() {
        files.extend([config::user_file(folder), config::user_policy_file(folder)]);
    }
    let same = files.into_iter().find(|file| real::number(file) == Some(number))?;
    Some(judge::place_in(context, root, &same.to_string_lossy()))
}

/// The program that runs just now, by any name.
fn is_own_program(full: &Path) -> bool {
    let Some(program) = platform::program_of(std::process::id()) else { return false };
    full == program || real::same_file(full, &program)
}

/// Written by an agent, it would be somebody else's key; inside a project it is a file of that project's.
fn is_secret_place(context: &Context, full: &Path) -> bool {
    let at_home = context.home().is_some_and(|home| full.starts_with(home));
    at_home && shell::is_secret(&full.to_string_lossy())
}

/// A task of an editor that starts by itself, and did not before.
fn runs_on_open(ground: Ground<'_>, target: &Target<'_>) -> bool {
    const MARK: &[u8] = b"folderOpen";
    if !target.full.ends_with(".vscode/tasks.json") {
        return false;
    }
    let names = |name: &Path| match ground {
        Ground::Project(engine) => is_same(engine, name, target),
        Ground::Nowhere(context) => context.cwd().join(name) == target.full,
    };
    let before = std::fs::read(&target.full).ok();
    let after = match target.wish.act {
        Act::Become { after, .. } => after.map(<[u8]>::to_vec),
        Act::Edit(change) => agent::after_change(before.as_deref(), change, &names),
        _ => None,
    };
    let has = |text: &Option<Vec<u8>>| {
        text.as_ref().is_some_and(|text| text.windows(MARK.len()).any(|part| part == MARK))
    };
    has(&after) && !has(&before)
}

/// True if the file has entries of ours now and would not have exactly the same ones after the change.
fn takes_entries_away(ground: Ground<'_>, target: &Target<'_>) -> bool {
    let Ok(now) = std::fs::read_to_string(&target.full) else { return false };
    let entries = own_entries(&now);
    if entries.is_empty() {
        return false;
    }
    let names = |name: &Path| match ground {
        Ground::Project(engine) => is_same(engine, name, target),
        Ground::Nowhere(context) => context.cwd().join(name) == target.full,
    };
    let after = match target.wish.act {
        Act::Become { after, .. } => Some(after.unwrap_or_default().to_vec()),
        Act::Edit(change) => agent::after_change(Some(now.as_bytes()), change, &names),
        _ => None,
    };
    // What cannot be computed may do anything.
    after.is_none_or(|after| own_entries(&String::from_utf8_lossy(&after)) != entries)
}

fn own_entries(text: &str) -> Vec<String> {
    // A plugin of ours is one entry as a whole.
    if plugin::program(text).is_some() {
        return vec![text.to_owned()];
    }
    let ours = |line: &&str| HOOK_MARKS.iter().any(|mark| line.contains(mark));
    text.lines().filter(ours).map(|line| line.trim().trim_end_matches(',').to_owned()).collect()
}
