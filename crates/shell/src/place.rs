//! Where a path leads: inside the project, to throw-away files, to the system, to something that runs by itself.
//!
//! Everything is decided on the absolute, normalised path, first as written and then with symbolic links resolved; the
//! more dangerous of the two answers counts.

use crate::context::JudgeContext;
use crate::value::{Arg, HOLE};
use crate::verdict::Place;
use std::path::Path;

/// Folders directly under `/` that belong to the operating system.
const SYSTEM_DIRS: &[&str] = &[
    "bin",
    "boot",
    "dev",
    "etc",
    "lib",
    "lib32",
    "lib64",
    "libx32",
    "proc",
    "root",
    "run",
    "sbin",
    "sys",
    "usr",
    "var",
    "opt",
    "srv",
    "System",
    "Library",
    "Applications",
    "private",
    "Volumes",
    "cores",
    "nix",
    "snap",
    "efi",
    "lost+found",
    "mnt",
    "media",
    "Windows",
];

/// Folders for throw-away files on every system.
const TEMP_ROOTS: &[&str] = &["/tmp", "/var/tmp", "/private/tmp", "/dev/shm"];

/// Files in a home folder that run by themselves or decide who may log in.
const STARTUP_FILES: &[&str] = &[
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".bash_aliases",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".zlogout",
    ".kshrc",
    ".cshrc",
    ".tcshrc",
    ".login",
    ".inputrc",
    ".envrc",
    ".xinitrc",
    ".xprofile",
    ".xsession",
    ".gitconfig",
    ".npmrc",
    ".pypirc",
    ".vimrc",
    ".exrc",
    ".tmux.conf",
    ".netrc",
    ".curlrc",
    ".wgetrc",
    ".pam_environment",
    "authorized_keys",
    "config.fish",
    "crontab",
];

/// Folders in which every file runs by itself.
const STARTUP_DIRS: &[&str] = &[
    "/.ssh/",
    "/.config/fish/",
    "/.config/autostart/",
    "/.config/systemd/",
    "/.config/git/",
    "/.bashrc.d/",
    "/LaunchAgents/",
    "/LaunchDaemons/",
    "/etc/profile.d/",
    "/etc/cron",
    "/var/spool/cron",
    "/etc/init.d/",
    "/etc/systemd/",
    "/.local/share/systemd/",
];

/// Files and folders that steer an AI agent.
const AGENT_PARTS: &[&str] = &[
    "/vibelign.toml/",
    "/.claude/",
    "/.codex/",
    "/.gemini/",
    "/.cursor/",
    "/.opencode/",
    "/.github/hooks/",
    "/.copilot/",
    "/.windsurf/",
    "/.continue/",
    "/.config/opencode/",
    "/.config/claude/",
    "/.roo/",
    "/.clinerules/",
    "/.nah/",
    "/.dcg/",
    "/.aider.conf.yml/",
    "/.mcp.json/",
    "/opencode.json/",
    "/opencode.jsonc/",
    "/.cursorrules/",
    "/.windsurfrules/",
    "/.claude.json/",
    "/.config/dcg/",
    "/.amazonq/",
    "/.kiro/",
];

/// Folders in a client's folder that it reads: what lies there steers it.
const STEERING_FOLDERS: &[&str] = &[
    "agents",
    "agent",
    "commands",
    "command",
    "hooks",
    "skills",
    "plugins",
    "plugin",
    "rules",
    "prompts",
    "modes",
    "tools",
    "output-styles",
    "workflows",
    "extensions",
    "themes",
    "steering",
    "policies",
    "mcp",
    "memories",
    "memory",
    "projects",
];

/// Folders in a client's folder in which an agent keeps notes for itself: plans, lists of what is to do. Nothing there steers it.
const NOTE_FOLDERS: &[&str] = &["plans", "todos", "notes", "scratch", "scratchpad"];

/// So many folders below a client's are looked at.
const MOST_FOLDERS: usize = 12;

/// A path after looking at it from all sides.
#[derive(Clone, Debug)]
pub(crate) struct Located {
    pub path: String,
    pub place: Place,
}

/// Where a path leads that is written to by something else than a shell, such as an agent's edit tool.
pub fn place_of(path: &str, ctx: &JudgeContext<'_>) -> Place {
    let cwd = ctx.cwd.to_string_lossy();
    locate(&Arg::new(path), Some(&cwd), true, ctx).place
}

/// Where `arg` leads when used from `cwd` (`None`: the current folder is not known). `follow` says whether a link at its
/// end is followed: writing does, deleting and moving do not.
pub(crate) fn locate(arg: &Arg, cwd: Option<&str>, follow: bool, ctx: &JudgeContext<'_>) -> Located {
    let Some(path) = absolute(&arg.text, cwd) else {
        let place = guarded(&format!("/{}", arg.text), ctx).or_else(|| guarded_by_name(&arg.text));
        let place = place.unwrap_or(Place::Unknown);
        return Located { path: arg.text.clone(), place };
    };
    let path = if path.contains("/..") { climbed(&path, ctx) } else { normalise(&path) };
    let mut place = classify(&path, arg.glob, ctx);
    if !path.contains(HOLE)
        && matches!(place, Place::Project | Place::Temp | Place::Outside)
        && let Some(real) = resolved(&path, arg, follow, ctx)
        && real != path
    {
        let resolved_root = ctx.files.resolve(&ctx.project_root);
        let same_tree =
            resolved_root.is_some_and(|root| real.starts_with(&*format!("{}/", root.to_string_lossy())));
        let after = classify(&real, arg.glob, ctx);
        // A project that itself is reached through a link is still the project.
        if !(same_tree && place == Place::Project) || is_guarded(after) {
            place = after;
        }
    }
    Located { path, place }
}

/// A file in a folder that is not known, with a name that only guarded files have.
fn guarded_by_name(text: &str) -> Option<Place> {
    const HOOKS: &[&str] =
        &["pre-commit", "pre-push", "post-commit", "post-checkout", "post-merge", "commit-msg", "pre-rebase"];
    let parts: Vec<&str> = text.split('/').filter(|part| !part.is_empty()).collect();
    match parts.as_slice() {
        [.., folder, "settings.json" | "settings.local.json"] if folder.contains(HOLE) => {
            Some(Place::AgentSettings)
        }
        [.., folder, "policy.toml"] if folder.contains(HOLE) => Some(Place::VibState),
        [.., folder, "hooks", hook] if folder.contains(HOLE) && HOOKS.contains(hook) => Some(Place::GitHook),
        _ => None,
    }
}

/// The path with its links resolved: all of them, or, for what works on the name itself or on a pattern, those above it.
fn resolved(path: &str, arg: &Arg, follow: bool, ctx: &JudgeContext<'_>) -> Option<String> {
    let cut = if arg.glob {
        let pattern = path.find(['*', '?', '['])?;
        path[..pattern].rfind('/')?
    } else if follow || arg.text.ends_with('/') {
        path.len()
    } else {
        path.rfind('/')?
    };
    let real = ctx.files.resolve(Path::new(if cut == 0 { "/" } else { &path[..cut] }))?;
    Some(format!("{}{}", real.to_string_lossy().trim_end_matches('/'), &path[cut..]))
}

fn is_guarded(place: Place) -> bool {
    matches!(
        place,
        Place::VibState | Place::AgentSettings | Place::StartupFile | Place::GitHook | Place::GitData
    )
}

/// The absolute form; `None` when it starts with something unknown.
pub(crate) fn absolute(text: &str, cwd: Option<&str>) -> Option<String> {
    if text.starts_with(HOLE) {
        return None;
    }
    if text.starts_with('/') {
        return Some(text.to_owned());
    }
    if text.len() > 2
        && text.as_bytes()[1] == b':'
        && text.as_bytes()[0].is_ascii_alphabetic()
        && matches!(text.as_bytes()[2], b'\\' | b'/')
    {
        return Some(format!("/Windows/{}", text[2..].replace('\\', "/")));
    }
    Some(format!("{}/{text}", cwd?))
}

/// The same as [`normalise`], but `..` behind a symbolic link leaves the folder that the link leads to.
fn climbed(path: &str, ctx: &JudgeContext<'_>) -> String {
    let mut here = String::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                let real = if here.contains(HOLE) { None } else { ctx.files.resolve(Path::new(&here)) };
                let real = real.map_or(here, |real| real.to_string_lossy().into_owned());
                here = real.rsplit_once('/').map_or(String::new(), |(parent, _)| parent.to_owned());
            }
            _ => {
                here.push('/');
                here.push_str(part);
            }
        }
    }
    if here.is_empty() { "/".to_owned() } else { here }
}

/// Without `.`, `..`, doubled and trailing slashes. `..` at the root stays at the root, as in the kernel.
pub(crate) fn normalise(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// What is left of `path` below `folder`; no folder at all holds nothing.
fn under<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    if folder.is_empty() {
        return None;
    }
    let rest = path.strip_prefix(folder.trim_end_matches('/'))?;
    if rest.is_empty() { Some("") } else { rest.strip_prefix('/') }
}

pub(crate) fn classify(path: &str, glob: bool, ctx: &JudgeContext<'_>) -> Place {
    if let Some(stream_or_device) = device(path) {
        return stream_or_device;
    }
    if let Some(place) = guarded(path, ctx) {
        return place;
    }
    let (root, home) = (ctx.project_root.to_string_lossy(), ctx.home.to_string_lossy());
    if let Some(inside) = under(path, &root) {
        let whole = inside.is_empty()
            || (glob
                && !inside.contains('/')
                && inside.contains('*')
                && inside.chars().all(|c| matches!(c, '*' | '.' | '?')));
        if whole {
            return if path == home { Place::Home } else { Place::ProjectRoot };
        }
        // Some file systems do not tell `.GIT` from `.git`.
        let inside = format!("/{}/", inside.to_ascii_lowercase());
        return if inside.contains("/.git/") { Place::GitData } else { Place::Project };
    }
    if path == home {
        return Place::Home;
    }
    let holds_project = !root.is_empty() && under(&root, path).is_some();
    // A home folder among throw-away files is still a home.
    let at_home = home != "/" && under(path, &home).is_some();
    if !home.is_empty()
        && home != "/"
        && !at_home
        && under(&home, path).is_some()
        && temporary(path, glob, ctx).is_some()
    {
        return if is_temp_root(path, ctx) { Place::Outside } else { Place::Home };
    }
    if !holds_project
        && !at_home
        && let Some(place) = temporary(path, glob, ctx)
    {
        return place;
    }
    if path == "/" || path.split('/').nth(1).is_some_and(|top| top_is_system(top, path, glob)) {
        return Place::System;
    }
    if is_home(path, &home, glob) {
        return Place::Home;
    }
    if holds_project {
        return Place::ProjectRoot;
    }
    Place::Outside
}

/// Whether this is a folder for throw-away files itself: fine to write into, not to delete.
pub(crate) fn is_temp_root(path: &str, ctx: &JudgeContext<'_>) -> bool {
    TEMP_ROOTS.contains(&path) || ctx.temp_dirs.iter().any(|dir| dir.as_os_str() == path)
}

fn temporary(path: &str, glob: bool, ctx: &JudgeContext<'_>) -> Option<Place> {
    let own = ctx.temp_dirs.iter().map(|dir| dir.to_string_lossy().into_owned());
    for folder in TEMP_ROOTS.iter().map(|&dir| dir.to_owned()).chain(own) {
        if let Some(inside) = under(path, &folder) {
            let all = inside.is_empty() || (glob && inside.starts_with('*'));
            return Some(if folder == "/private/tmp" && inside.is_empty() {
                Place::System
            } else if all {
                Place::Outside
            } else {
                Place::Temp
            });
        }
    }
    None
}

fn top_is_system(top: &str, path: &str, glob: bool) -> bool {
    if glob && path.matches('/').count() == 1 {
        return true;
    }
    SYSTEM_DIRS.iter().any(|dir| dir.eq_ignore_ascii_case(top))
        && !path.starts_with("/root/")
        && !path.starts_with("/mnt/")
        && !path.starts_with("/media/")
}

fn is_home(path: &str, home: &str, glob: bool) -> bool {
    if path == home || path == "/root" {
        return true;
    }
    let depth = path.matches('/').count();
    let in_homes =
        path == "/home" || path == "/Users" || path.starts_with("/home/") || path.starts_with("/Users/");
    if in_homes && depth <= 2 {
        return true;
    }
    let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
    glob && (parent == home || (in_homes && depth == 3))
        && path.rsplit('/').next().is_some_and(|last| last.starts_with('*') || last.starts_with(".*"))
}

/// Streams that store nothing, and raw devices.
fn device(path: &str) -> Option<Place> {
    if path == "/proc/sysrq-trigger" {
        return Some(Place::Device);
    }
    if path.starts_with("/proc/self/fd/") || path.starts_with("/proc/thread-self/fd/") {
        return Some(Place::Stream);
    }
    let name = path.strip_prefix("/dev/")?;
    if name.starts_with("shm/") {
        return None;
    }
    let stream = ["null", "stdout", "stderr", "stdin", "tty", "zero", "full", "random", "urandom"]
        .contains(&name)
        || name.starts_with("fd/")
        || name.starts_with("pts/")
        || name.starts_with("tty");
    Some(if stream { Place::Stream } else { Place::Device })
}

/// Whether a path (in small letters, with a slash at its end: `slashed`) is among the settings of an agent. Clients keep whole
/// projects in their folders too (`.claude/worktrees/NAME`): those are code like any other, with settings of their own.
fn steers_an_agent(path: &str, slashed: &str, ctx: &JudgeContext<'_>) -> bool {
    AGENT_PARTS.iter().any(|part| {
        slashed.match_indices(part).any(|(at, _)| {
            let inside = at + part.len();
            !in_nested_project(path, slashed, inside, ctx) && !are_notes(part, &slashed[inside..])
        })
    })
}

/// Whether what lies behind a client's folder are notes that an agent keeps for itself. Where a hole or a pattern stands, it may be anything.
fn are_notes(client: &str, rest: &str) -> bool {
    if rest.contains([HOLE, '*', '?', '[']) {
        return false;
    }
    let parts: Vec<&str> = rest.split('/').filter(|part| !part.is_empty()).collect();
    match parts.as_slice() {
        [first, ..] if NOTE_FOLDERS.contains(first) => true,
        ["projects", _, "memory", ..] => client == "/.claude/",
        ["tmp", _, ..] => client == "/.gemini/",
        ["session-state", _, "plan.md"] | ["session-state", _, "files", ..] => client == "/.copilot/",
        _ => false,
    }
}

/// Whether what begins at `inside` (behind a client's folder) lies in a project that the client only keeps there. Folders that
/// the client reads are never one, whatever lies in them.
fn in_nested_project(path: &str, slashed: &str, inside: usize, ctx: &JudgeContext<'_>) -> bool {
    let rest = &slashed[inside..];
    let mut parts = rest.split('/').filter(|part| !part.is_empty());
    let Some(first) = parts.next() else { return false };
    if STEERING_FOLDERS.contains(&first) || path.len() + 1 != slashed.len() || path.contains(HOLE) {
        return false;
    }
    if first == "worktrees" {
        return parts.next().is_some();
    }
    let below = rest.match_indices('/').map(|(at, _)| inside + at).filter(|end| *end < path.len());
    below
        .take(MOST_FOLDERS)
        .any(|end| path.get(..end).is_some_and(|folder| ctx.files.is_repository(Path::new(folder))))
}

/// Files that are never just files: vib's own, agents' settings, start-up files, git hooks.
fn guarded(path: &str, ctx: &JudgeContext<'_>) -> Option<Place> {
    for own in [&ctx.state_dir, &ctx.config_dir] {
        if !own.as_os_str().is_empty() && under(path, &own.to_string_lossy()).is_some() {
            return Some(Place::VibState);
        }
    }
    if ctx.own_programs.iter().any(|own| own.as_os_str() == path) {
        return Some(Place::VibState);
    }
    let slashed = format!("{path}/").to_lowercase();
    // The usual folders too, wherever variables lead. (M5)
    let usual = ["/.local/state/vibelign/", "/.config/vibelign/", "/application support/vibelign/"];
    if slashed.contains("/.vibelign/")
        || slashed.contains("/vibelign/config.toml/")
        || usual.iter().any(|folder| slashed.contains(folder))
    {
        return Some(Place::VibState);
    }
    if steers_an_agent(path, &slashed, ctx) {
        return Some(Place::AgentSettings);
    }
    if slashed.contains("/.git/hooks/") || slashed.ends_with("/.git/config/") || slashed.contains("/.husky/")
    {
        return Some(Place::GitHook);
    }
    let name = path.rsplit('/').next().unwrap_or_default();
    if STARTUP_FILES.contains(&name) || STARTUP_DIRS.iter().any(|dir| slashed.contains(&dir.to_lowercase())) {
        let dotted_in_project = name.starts_with('.')
            && under(path, &ctx.project_root.to_string_lossy()).is_some()
            && ctx.project_root != ctx.home
            && matches!(
                name,
                ".npmrc"
                    | ".gitconfig"
                    | ".vimrc"
                    | ".exrc"
                    | ".inputrc"
                    | ".curlrc"
                    | ".wgetrc"
                    | ".profile"
                    | ".tmux.conf"
            );
        if !dotted_in_project {
            return Some(Place::StartupFile);
        }
    }
    runs_from_home(path, ctx).then_some(Place::StartupFile)
}

/// Files in a home folder that programs of everyday use run or load by themselves, and programs there that stand in for known ones.
fn runs_from_home(path: &str, ctx: &JudgeContext<'_>) -> bool {
    const FILES: &[&str] = &[
        ".pythonrc.py",
        ".pythonstartup",
        ".xsessionrc",
        ".cargo/config",
        ".cargo/config.toml",
        ".cargo/env",
        ".emacs",
        ".irbrc",
        ".pryrc",
        ".Rprofile",
        ".gdbinit",
        ".lldbinit",
        ".psqlrc",
        ".sqliterc",
        ".yarnrc",
        ".yarnrc.yml",
        ".bunfig.toml",
        ".config/Code/User/settings.json",
        ".config/Code/User/tasks.json",
        ".config/mise/config.toml",
        ".mise.toml",
        ".config/pip/pip.conf",
        ".pip/pip.conf",
        ".gradle/init.gradle",
        ".m2/settings.xml",
        ".docker/config.json",
        ".kube/config",
        ".screenrc",
        ".zsh_plugins.txt",
        ".direnvrc",
        ".tool-versions",
        ".asdfrc",
        ".gemrc",
        ".bundle/config",
        ".lesskey",
    ];
    const FOLDERS: &[&str] = &[
        ".config/environment.d/",
        ".config/nvim/",
        ".vim/",
        ".emacs.d/",
        ".config/emacs/",
        ".config/direnv/",
        ".local/share/bash-completion/",
        ".local/share/zsh/",
        ".oh-my-zsh/",
        ".config/zsh/",
        ".config/nushell/",
        ".config/powershell/",
        ".config/plasma-workspace/",
        ".config/hypr/",
        ".config/i3/",
        ".config/sway/",
        ".gradle/init.d/",
        ".config/tmux/",
        ".config/helix/",
        ".ipython/",
        ".jupyter/",
        ".local/share/applications/",
        ".local/share/dbus-1/",
    ];
    let Some(inside) = under(path, &ctx.home.to_string_lossy()) else { return false };
    let in_project =
        ctx.project_root != ctx.home && under(path, &ctx.project_root.to_string_lossy()).is_some();
    if in_project {
        return false;
    }
    let inside = inside.trim_start_matches('/');
    let (folder, name) = inside.rsplit_once('/').unwrap_or(("", inside));
    let in_programs =
        matches!(folder, ".local/bin" | "bin" | ".cargo/bin" | ".bin" | "go/bin" | ".npm-global/bin");
    let loads_itself = folder.starts_with(".local/lib/python")
        && (name.ends_with(".pth") || matches!(name, "usercustomize.py" | "sitecustomize.py"));
    FILES.contains(&inside)
        || FOLDERS.iter().any(|start| inside.starts_with(start))
        || loads_itself
        || in_programs && crate::run::is_known(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::NoFiles;

    fn place(path: &str) -> Place {
        let ctx = JudgeContext::new("/home/u/code/app", "/home/u", &NoFiles);
        let arg = Arg { glob: path.contains(['*', '?']), ..Arg::new(path) };
        locate(&arg, Some("/home/u/code/app"), true, &ctx).place
    }

    #[test]
    fn the_same_verb_on_different_places() {
        for (path, want) in [
            ("./build", Place::Project),
            ("src/../build/x", Place::Project),
            ("..", Place::ProjectRoot),
            (".", Place::ProjectRoot),
            ("*", Place::ProjectRoot),
            ("/tmp/x", Place::Temp),
            ("/tmp/../etc", Place::System),
            ("/tmp", Place::Outside),
            ("/", Place::System),
            ("/*", Place::System),
            ("/et?", Place::System),
            ("/home/u", Place::Home),
            ("/home/u/*", Place::Home),
            ("/home/u/other", Place::Outside),
            ("/home/u/.bashrc", Place::StartupFile),
            (".claude/settings.json", Place::AgentSettings),
            ("opencode.json", Place::AgentSettings),
            ("vibelign.toml", Place::AgentSettings),
            (".git/hooks/pre-commit", Place::GitHook),
            (".git/refs", Place::GitData),
            ("/home/u/.local/state/vibelign/x", Place::VibState),
            ("/dev/null", Place::Stream),
            ("/dev/sda", Place::Device),
            ("/usr/lib/x", Place::System),
        ] {
            assert_eq!(place(path), want, "{path}");
        }
    }

    #[test]
    fn a_project_in_a_clients_folder_is_code_and_has_settings_of_its_own_b1() {
        struct Repositories;
        impl crate::context::FileView for Repositories {
            fn resolve(&self, _: &Path) -> Option<std::path::PathBuf> {
                None
            }
            fn read_small(&self, _: &Path, _: u64) -> Option<String> {
                None
            }
            fn is_repository(&self, folder: &Path) -> bool {
                folder.ends_with(".codex/repos/lib")
                    || folder.ends_with(".claude/agents/x")
                    || folder.ends_with(".claude")
            }
        }
        let ctx = JudgeContext::new("/home/u/code/app", "/home/u", &Repositories);
        let place = |path: &str| locate(&Arg::new(path), Some("/home/u/code/app"), true, &ctx).place;
        for (path, want) in [
            (".claude/worktrees/f1/src/a.js", Place::Project),
            (".claude/worktrees/F1/src/a.js", Place::Project),
            (".claude/worktrees/f1", Place::Project),
            (".codex/repos/lib/src/a.rs", Place::Project),
            (".claude/worktrees/f1/.claude/settings.json", Place::AgentSettings),
            (".claude/worktrees/f1/.mcp.json", Place::AgentSettings),
            (".claude/worktrees/f1/.claude/worktrees/f2/a.js", Place::Project),
            (".claude/worktrees/f1/.git/config", Place::GitHook),
            (".claude/worktrees/f1/.vibelign/id", Place::VibState),
            ("/home/u/.cursor/worktrees/app/x1/src/a.js", Place::Outside),
            (".claude/settings.json", Place::AgentSettings),
            (".claude/worktrees", Place::AgentSettings),
            (".claude/worktrees/../settings.json", Place::AgentSettings),
            (".claude/agents/x/a.md", Place::AgentSettings),
            (".claude", Place::AgentSettings),
            (".codex/repos/lib/.codex/config.toml", Place::AgentSettings),
            (".codex/repos/other/a.rs", Place::AgentSettings),
        ] {
            assert_eq!(place(path), want, "{path}");
        }
    }

    #[test]
    fn notes_that_an_agent_keeps_for_itself_are_no_settings_t8() {
        for path in [
            "/home/u/.claude/plans/shop.md",
            "/home/u/.claude/todos/1.json",
            "/home/u/.claude/projects/-home-u-app/memory/MEMORY.md",
            "/home/u/.gemini/tmp/ab12/plans/a.md",
            "/home/u/.copilot/session-state/1/plan.md",
            "/home/u/.cursor/plans/a.md",
        ] {
            assert_eq!(place(path), Place::Outside, "{path}");
        }
        assert_eq!(place(".claude/plans/a.md"), Place::Project);
        for path in [
            "/home/u/.claude/settings.json",
            "/home/u/.claude/CLAUDE.md",
            "/home/u/.claude/commands/plans/a.md",
            "/home/u/.claude/skills/notes/SKILL.md",
            "/home/u/.claude/agents/notes.md",
            "/home/u/.claude/hooks/plans/x.sh",
            "/home/u/.claude/projects/app/settings.json",
            "/home/u/.claude/plans/../settings.json",
            "/home/u/.claude/plans/x/.claude/settings.json",
            "/home/u/.claude/pl*",
            "/home/u/.codex/projects/x/memory/a.md",
            "/home/u/.gemini/GEMINI.md",
            "/home/u/.gemini/tmp",
            "/home/u/.copilot/session-state/1/config.json",
            "/home/u/.claude.json",
        ] {
            assert_eq!(place(path), Place::AgentSettings, "{path}");
        }
    }

    #[test]
    fn a_link_out_of_the_project_is_followed() {
        struct Linked;
        impl crate::context::FileView for Linked {
            fn resolve(&self, path: &Path) -> Option<std::path::PathBuf> {
                Some(if path.ends_with("link") { "/etc".into() } else { path.to_owned() })
            }
            fn read_small(&self, _: &Path, _: u64) -> Option<String> {
                None
            }
        }
        let ctx = JudgeContext::new("/p", "/home/u", &Linked);
        assert_eq!(locate(&Arg::new("link/../x"), Some("/p"), true, &ctx).path, "/x", "not /p/x");
        assert_eq!(locate(&Arg::new("link"), Some("/p"), true, &ctx).place, Place::System);
        assert_eq!(
            locate(&Arg::new("link"), Some("/p"), false, &ctx).place,
            Place::Project,
            "the link itself"
        );
        assert_eq!(locate(&Arg::new("link/"), Some("/p"), false, &ctx).place, Place::System);
        let pattern = Arg { glob: true, ..Arg::new("link/*") };
        assert_eq!(locate(&pattern, Some("/p"), false, &ctx).place, Place::System);
        assert_eq!(locate(&Arg::new("file"), Some("/p"), true, &ctx).place, Place::Project);
    }
}
