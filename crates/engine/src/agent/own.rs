//! Guarding vib itself and what runs by itself: an agent's edit tool must not switch the guard off.

use std::path::Path;

use project::{Context, RelPath};
use shell::Place;

use super::predict::{Change, would_become};
use crate::{Engine, judge, protect};

/// Why an edit should not simply happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Objection {
    /// It must not happen at all; else a person may allow it.
    pub deny: bool,
    /// The reason, in plain words.
    pub reason: String,
}

/// What marks a hook entry of ours in a client's settings.
const HOOK_MARKS: [&str; 3] = ["vib hook ", "vib' hook ", "vib\" hook "];

/// Looks at a file that an agent wants to edit.
pub fn guard_edit(engine: &Engine, typed: &Path, change: &Change) -> Option<Objection> {
    let shown = typed.display();
    let deny = |reason: String| Some(Objection { deny: true, reason });
    let ask = |reason: String| Some(Objection { deny: false, reason });
    match is_protected(engine, typed) {
        Ok(false) => {}
        Ok(true) => {
            return deny(format!(
                "`{shown}` is protected: a person does not want it changed. Tell them what you would change and why; only \
                 they can lift the protection, with `vib protect --remove`."
            ));
        }
        Err(error) => return ask(format!("vib cannot tell whether `{shown}` is protected: {error}.")),
    }
    if let Some(objection) = breaks_keep_region(engine, typed, change) {
        return Some(objection);
    }
    if judge::place_of(engine.context(), &typed.to_string_lossy()) == Place::AgentSettings
        && takes_hooks_away(engine, typed, change)
    {
        return deny(format!(
            "this edit of `{shown}` would change or remove the entries through which vib protects this project. A person \
             can do that with `vib init --remove`."
        ));
    }
    guard_place(engine.context(), typed)
}

/// Looks at what a command would write or delete, as far as the judge knows it: protected files and keep regions bind a shell as they
/// bind an edit tool. (G2)
pub fn guard_writes(engine: &Engine, verdict: &shell::Verdict) -> Option<Objection> {
    let deny = |reason: String| Some(Objection { deny: true, reason });
    let ask = |reason: String| Some(Objection { deny: false, reason });
    if verdict.writes.is_empty() && verdict.deletes.is_empty() {
        return None;
    }
    let protected = match protect::list(engine) {
        Ok(protected) => protected,
        Err(error) => return ask(format!("vib cannot tell which files are protected: {error}.")),
    };
    let (root, cwd) = (engine.project().root(), engine.context().cwd());
    let writes = verdict.writes.iter().map(|target| (target, false));
    for (target, deletes) in writes.chain(verdict.deletes.iter().map(|target| (target, true))) {
        // A program that writes somewhere below a folder need not write every file in it; one that deletes it does.
        let takes_all = deletes && target.recursive;
        let typed = Path::new(&target.path);
        let inside = |path: &Path| RelPath::from_user(root, cwd, path).ok().flatten();
        let real = typed.canonicalize().ok().and_then(|real| inside(&real));
        let Some(path) = inside(typed).or_else(|| real.clone()) else {
            // The project as a whole, which holds every protected file.
            if takes_all && !protected.is_empty() && root.starts_with(typed) {
                return deny(protected_text(&protected[0]));
            }
            continue;
        };
        for path in [Some(&path), real.as_ref()].into_iter().flatten() {
            let hit = |one: &&RelPath| path.is_in(one) || (takes_all && one.is_in(path));
            if let Some(one) = protected.iter().find(hit) {
                return deny(protected_text(one));
            }
        }
        if !target.recursive
            && super::predict::read(engine, &path).is_some_and(|content| ::patch::has_keep_regions(&content))
        {
            return ask(format!(
                "`{path}` has a keep region (VIBE-KEEP), and vib cannot see whether this command leaves it as it is."
            ));
        }
    }
    None
}

fn protected_text(path: &RelPath) -> String {
    format!(
        "`{path}` is protected: a person does not want it changed. Tell them what you would change and why; only they can lift \
         the protection, with `vib protect --remove`."
    )
}

/// The lines between VIBE-KEEP START and END stay as they are. (G2)
fn breaks_keep_region(engine: &Engine, typed: &Path, change: &Change) -> Option<Objection> {
    let path = RelPath::from_user(engine.project().root(), engine.context().cwd(), typed).ok().flatten()?;
    let before = super::predict::read(engine, &path)?;
    if !::patch::has_keep_regions(&before) {
        return None;
    }
    let Some(after) = would_become(engine, &path, change) else {
        // An edit that names text which is not there fails by itself.
        let fails = matches!(change, Change::Replace(_));
        return (!fails).then(|| Objection {
            deny: false,
            reason: format!("`{path}` has a keep region (VIBE-KEEP), and vib cannot see whether this edit leaves it as it is."),
        });
    };
    let (what, _) = ::patch::keep_region_lost(&before, &after)?;
    Some(Objection {
        deny: true,
        reason: format!(
            "this edit of `{path}` is refused: {what}. A person wants the lines between VIBE-KEEP START and END to stay as they \
             are. Leave them alone, or tell the person what you would change and why."
        ),
    })
}

/// Looks at where an edit goes, whatever it does; needs no project.
pub fn guard_place(context: &Context, typed: &Path) -> Option<Objection> {
    let shown = typed.display();
    let deny = |reason: String| Some(Objection { deny: true, reason });
    let ask = |reason: String| Some(Objection { deny: false, reason });
    match judge::place_of(context, &typed.to_string_lossy()) {
        Place::VibState => deny(format!(
            "`{shown}` belongs to vib itself (checkpoints, logs, settings of the guard). An agent may not change it; a \
             person can, with `vib config` or an editor."
        )),
        Place::AgentSettings => {
            ask(format!("`{shown}` steers the AI agent itself (hooks, permissions, instructions)."))
        }
        Place::StartupFile => ask(format!("`{shown}` runs by itself when a shell or a login starts.")),
        Place::GitHook => ask(format!("`{shown}` is run by git itself.")),
        Place::GitData => ask(format!("`{shown}` is git's own data, which is in no checkpoint.")),
        Place::System | Place::Device => ask(format!(
            "`{shown}` belongs to the system, outside this project; no checkpoint can bring it back."
        )),
        _ => None,
    }
}

/// True if the file, or what a link at this path leads to, is on the list of protected files.
fn is_protected(engine: &Engine, typed: &Path) -> crate::Result<bool> {
    let protected = protect::list(engine)?;
    if protected.is_empty() {
        return Ok(false);
    }
    let (root, cwd) = (engine.project().root(), engine.context().cwd());
    let real = cwd.join(typed).canonicalize().ok();
    let spellings = [Some(typed.to_path_buf()), real].into_iter().flatten();
    let ignores_case = project::platform::ignores_case(root);
    let fits = |path: &RelPath, folder: &RelPath| {
        path.is_in(folder)
            || (ignores_case && lower(path).is_some_and(|path| lower(folder).is_some_and(|f| path.is_in(&f))))
    };
    Ok(spellings
        .filter_map(|path| RelPath::from_user(root, cwd, &path).ok().flatten())
        .any(|path| protected.iter().any(|folder| fits(&path, folder))))
}

fn lower(path: &RelPath) -> Option<RelPath> {
    RelPath::new(&path.as_bytes().to_ascii_lowercase()).ok()
}

/// True if the file has entries of ours now and would not have exactly the same ones after the edit.
fn takes_hooks_away(engine: &Engine, typed: &Path, change: &Change) -> bool {
    let root = engine.project().root();
    let file = engine.context().cwd().join(typed);
    let Ok(now) = std::fs::read_to_string(&file) else {
        return false;
    };
    let entries = own_entries(&now);
    if entries.is_empty() {
        return false;
    }
    let after = match change {
        Change::Whole(content) => Some(content.clone().into_bytes()),
        other => match RelPath::from_user(root, engine.context().cwd(), typed) {
            Ok(Some(path)) => would_become(engine, &path, other),
            _ => None,
        },
    };
    // An edit that cannot be computed may do anything.
    after.is_none_or(|after| own_entries(&String::from_utf8_lossy(&after)) != entries)
}

fn own_entries(text: &str) -> Vec<String> {
    let ours = |line: &&str| HOOK_MARKS.iter().any(|mark| line.contains(mark));
    text.lines().filter(ours).map(|line| line.trim().trim_end_matches(',').to_owned()).collect()
}
