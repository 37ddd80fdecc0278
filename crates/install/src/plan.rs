//! What an installation or a removal would do to each file: worked out first, shown, and only then done.

use std::path::PathBuf;

use super::record::{self, Record};
use super::server_command::{self, ServerCall};
use super::world::Scope;
use super::{Action, Error, Result, World, plugin};
use crate::Client;
use clients::entries::HooksFile;
use clients::servers::{ServerFile, ServerShape};
use clients::settings::Settings;
use clients::table::{Setup, Shape, setup};
use clients::unread::{Stumble, unread_reason};

/// The mark in every file that is ours as a whole.
const MARK: &str = "installed by vib";

/// All edits for one client: done together or not at all.
#[derive(Debug)]
pub struct Plan {
    /// The client.
    pub client: Client,
    /// Whose settings.
    pub scope: Scope,
    /// The edits, none if everything is as it should be.
    pub edits: Vec<Edit>,
    /// Calls of the client's own program, for what it keeps in files that are not ours to edit.
    pub(crate) calls: Vec<ServerCall>,
    /// What was left alone, and why.
    pub notes: Vec<String>,
    /// Files that hold nothing of ours any more, though it was written down that they do.
    pub(crate) forget: Vec<PathBuf>,
}

/// One file.
#[derive(Debug)]
pub struct Edit {
    /// As the client names it.
    pub path: PathBuf,
    /// Behind all links.
    pub target: PathBuf,
    /// What is there now.
    pub before: Option<Vec<u8>>,
    /// What will be there; none: the file goes.
    pub after: Option<Vec<u8>>,
    /// In plain words.
    pub words: Vec<String>,
    /// What is written down about it; none: what is known is forgotten.
    pub(crate) record: Option<Record>,
    /// Folders to take away with the file, if they are empty then.
    pub(crate) folders: Vec<PathBuf>,
}

/// What a file is to us.
enum Part {
    /// A settings file with entries of ours among others.
    Settings { hooks: bool, server: Option<ServerShape> },
    /// A file that is ours as a whole; `must`: without it nothing works.
    Own { text: String, what: &'static str, must: bool },
}

/// A file as it is now, and what is known about it.
struct Here {
    path: PathBuf,
    target: PathBuf,
    bytes: Option<Vec<u8>>,
    record: Option<Record>,
}

impl Plan {
    fn new(client: Client, scope: Scope) -> Self {
        Self { client, scope, edits: Vec::new(), calls: Vec::new(), notes: Vec::new(), forget: Vec::new() }
    }

    /// True if there is nothing to change.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty() && self.calls.is_empty()
    }

    /// Does the work of another plan too; a file that both would change is changed once.
    pub(crate) fn take_in(&mut self, other: Self) {
        let is_new = |path: &PathBuf| self.edits.iter().all(|edit| edit.path != *path);
        let edits: Vec<Edit> = other.edits.into_iter().filter(|edit| is_new(&edit.path)).collect();
        self.edits.extend(edits);
        self.calls.extend(other.calls);
        self.notes.extend(other.notes);
        self.forget.extend(other.forget);
    }
}

/// Works out an installation.
pub fn install(world: &World, client: Client, scope: Scope) -> Result<Plan> {
    let setup = setup(client);
    let mut plan = Plan::new(client, scope);
    for (path, part) in parts(world, setup, scope)? {
        let here = look(world, path)?;
        match part {
            Part::Settings { hooks, server } => {
                if hooks {
                    must_be_read(client, &here)?;
                }
                if settings(world, setup, &here.path, scope, hooks, server)
                    .is_taken(&here.text()?.unwrap_or_default())?
                {
                    let file = world.shown(&here.path);
                    plan.notes
                        .push(format!("{file}: a server named `vib` of somebody else's is there and stays"));
                }
                plan.edits.extend(install_settings(world, setup, here, scope, hooks, server)?);
            }
            Part::Own { text, what, must } => match &here.bytes {
                Some(bytes) if *bytes == text.as_bytes() => {}
                Some(_) if !here.is_ours() && must => return Err(Error::Foreign { file: here.path }),
                Some(_) if !here.is_ours() => {
                    plan.notes.push(format!("`{}` is your own and stays as it is", world.shown(&here.path)));
                }
                _ => {
                    let words = vec![what.to_owned()];
                    let record =
                        Record::new(client, scope, &here.path, text.as_bytes(), None, here.folders());
                    plan.edits.push(here.edit(Some(text.into_bytes()), words, Some(record)));
                }
            },
        }
    }
    plan.add_call(world, setup, Action::Install);
    if scope == Scope::Project && !setup.slash.is_empty() && !plan.is_empty() {
        plan.notes.push(
            "its chat commands (`/rollback`, `/lesson`) are left out: files of a project, they would get committed; \
             plain words such as `undo that` work all the same"
                .to_owned(),
        );
    }
    Ok(plan)
}

/// Hooks in a file that its client does not read would be a promise that nobody keeps.
fn must_be_read(client: Client, here: &Here) -> Result<()> {
    let text = here.text()?.unwrap_or_default();
    match unread_reason(client, &text) {
        // What is no JSON at all is named by the parser, with the column.
        Some(why) if !matches!(why.what, Stumble::Syntax { .. }) => {
            Err(Error::Unread { client, file: here.path.clone(), why })
        }
        _ => Ok(()),
    }
}

/// Works out a removal.
pub fn remove(world: &World, client: Client, scope: Scope) -> Result<Plan> {
    let setup = setup(client);
    let mut plan = Plan::new(client, scope);
    let parts = match parts(world, setup, scope) {
        // Where nothing can be, nothing is.
        Err(Error::NoPrivateFile { .. } | Error::HomeIsNoProject { .. }) => return Ok(plan),
        parts => parts?,
    };
    for (path, part) in parts {
        let here = look(world, path)?;
        let known = here.record.as_ref().map(|record| record.path.clone());
        let Some(bytes) = &here.bytes else {
            plan.forget.extend(known);
            continue;
        };
        let gone = || vec!["goes: vib made it".to_owned()];
        if let Some(record) = here.record.as_ref().filter(|record| record.is_untouched(bytes)) {
            let original = record.original.clone();
            let words = if original.is_none() { gone() } else { vec!["exactly as it was before".to_owned()] };
            plan.edits.push(here.edit(original, words, None));
            continue;
        }
        let edit = match part {
            Part::Settings { hooks, server } => remove_settings(world, setup, here, scope, hooks, server)?,
            Part::Own { .. } => here.is_ours().then(|| here.edit(None, gone(), None)),
        };
        match edit {
            Some(edit) => plan.edits.push(edit),
            None => plan.forget.extend(known),
        }
    }
    plan.add_call(world, setup, Action::Remove);
    Ok(plan)
}

impl Plan {
    /// A call that can be made is part of the plan; one that cannot is a line for the person to type.
    fn add_call(&mut self, world: &World, setup: &Setup, action: Action) {
        match server_command::plan(world, setup, self.scope, action) {
            Ok(None) => {}
            Ok(Some(call)) if call.can_run() => self.calls.push(call),
            Ok(Some(call)) if action == Action::Remove || !self.edits.is_empty() => {
                self.notes.push(by_hand(&call.lines(), action));
            }
            Ok(Some(_)) => {}
            Err(taken) => self.notes.push(taken),
        }
    }
}

/// A command that the person has to run.
pub(super) fn by_hand(lines: &[String], action: Action) -> String {
    let verb = if action == Action::Install { "adds" } else { "takes out" };
    format!(
        "its MCP servers are in a file of its own, which vib leaves alone: `{}` {verb} vib's",
        lines.join(" && ")
    )
}

fn settings<'a>(
    world: &'a World,
    setup: &'a Setup,
    file: &'a std::path::Path,
    scope: Scope,
    hooks: bool,
    server: Option<ServerShape>,
) -> Settings<'a> {
    let program = &world.program;
    Settings {
        hooks: hooks.then_some(HooksFile { setup, file, program, scope }),
        server: server.map(|shape| ServerFile { shape, file, program, scope }),
    }
}

/// The files of a client: the settings, the MCP server where it has a file of its own, then the chat commands.
fn parts(world: &World, setup: &'static Setup, scope: Scope) -> Result<Vec<(PathBuf, Part)>> {
    let hooks = match setup.shape {
        Shape::Plugin => Part::Own {
            text: plugin::source(&world.program, scope),
            what: "a plugin that passes OpenCode's events on to vib",
            must: true,
        },
        Shape::Groups { .. } | Shape::Flat { .. } => Part::Settings { hooks: true, server: None },
    };
    let mut parts = vec![(world.file(setup, scope)?, hooks)];
    if let Some(file) = world.server_file(setup, scope)? {
        let shape = Some(setup.server.shape);
        match &mut parts[0] {
            (path, Part::Settings { server, .. }) if *path == file => *server = shape,
            _ => parts.push((file, Part::Settings { hooks: false, server: shape })),
        }
    }
    // A project's chat commands get committed, whatever the scope: they are not for one person alone.
    for slash in setup.slash.iter().filter(|_| scope != Scope::Project) {
        let text = slash.text.to_owned();
        let command = Part::Own { text, what: slash.what, must: false };
        parts.push((world.folder(setup, scope)?.join(slash.file), command));
    }
    Ok(parts)
}

fn look(world: &World, path: PathBuf) -> Result<Here> {
    let (target, bytes) = match path.symlink_metadata() {
        Ok(_) => {
            let not_a_file = || Error::NotAFile { file: path.clone() };
            let target = path.canonicalize().map_err(|_| not_a_file())?;
            if !target.is_file() {
                return Err(not_a_file());
            }
            let bytes = fs_err::read(&target)?;
            (target, Some(bytes))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => (path.clone(), None),
        // A file where a folder should be: `.claude` itself, for one.
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => {
            return Err(Error::NotAFile { file: path });
        }
        Err(error) => return Err(error.into()),
    };
    let record = record::load(world, &path);
    Ok(Here { path, target, bytes, record })
}

fn install_settings(
    world: &World,
    setup: &Setup,
    here: Here,
    scope: Scope,
    hooks: bool,
    server: Option<ServerShape>,
) -> Result<Option<Edit>> {
    let ours = settings(world, setup, &here.path, scope, hooks, server);
    let current = here.text()?.unwrap_or_default();
    let untouched = here
        .record
        .as_ref()
        .filter(|record| here.bytes.as_ref().is_some_and(|bytes| record.is_untouched(bytes)));
    // As vib left it: written anew from what was there before, so that the way back stays exact.
    let (new, original) = if let Some(record) = untouched {
        let original = record.original.clone();
        let text = original.as_deref().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let new = ours.install(text.as_deref().unwrap_or_default(), text.as_deref())?;
        (new, original)
    } else {
        let before = here.original_text();
        let new = ours.install(&current, before.as_deref())?;
        let was_there = here.bytes.is_some() && !here.was_made_by_us();
        let original = if ours.count(&current)? == 0 {
            here.bytes.clone()
        } else {
            let stripped = ours.strip(&current, before.as_deref())?;
            (was_there || !ours.is_empty(&stripped)?).then(|| stripped.into_bytes())
        };
        (new, original)
    };
    if here.bytes.as_deref() == Some(new.as_bytes()) || (here.bytes.is_none() && new.is_empty()) {
        return Ok(None);
    }
    let words = ours.words(&current, &new)?;
    let folders = here.folders();
    let record = Record::new(setup.client, scope, &here.path, new.as_bytes(), original, folders);
    Ok(Some(here.edit(Some(new.into_bytes()), words, Some(record))))
}

fn remove_settings(
    world: &World,
    setup: &Setup,
    here: Here,
    scope: Scope,
    hooks: bool,
    server: Option<ServerShape>,
) -> Result<Option<Edit>> {
    let ours = settings(world, setup, &here.path, scope, hooks, server);
    // A file that never had anything of ours may be as broken as it likes.
    let text = String::from_utf8_lossy(here.bytes.as_deref().unwrap_or_default()).into_owned();
    let mentions_us =
        text.contains(&format!("hook {}", setup.client)) || (server.is_some() && text.contains("serve"));
    if here.record.is_none() && !mentions_us {
        return Ok(None);
    }
    let current = here.text()?.unwrap_or_default();
    let count = ours.count(&current)?;
    if count == 0 {
        return Ok(None);
    }
    let stripped = ours.strip(&current, here.original_text().as_deref())?;
    let is_named_for_us = here.path.file_stem().is_some_and(|stem| stem == "vib");
    if ours.is_empty(&stripped)? && (here.was_made_by_us() || is_named_for_us) {
        return Ok(Some(here.edit(None, vec!["goes: there is nothing else in it".to_owned()], None)));
    }
    let entries = if count == 1 { "entry".to_owned() } else { format!("{count} entries") };
    let words = vec![format!("without vib's {entries}; the rest stays")];
    Ok(Some(here.edit(Some(stripped.into_bytes()), words, None)))
}

impl Here {
    fn text(&self) -> Result<Option<String>> {
        let text = self.bytes.clone().map(String::from_utf8).transpose();
        text.map_err(|_| Error::NotText { file: self.path.clone() })
    }

    /// The text before the first installation.
    fn original_text(&self) -> Option<String> {
        let original = self.record.as_ref()?.original.as_ref()?;
        String::from_utf8(original.clone()).ok()
    }

    /// There was no such file before the first installation.
    fn was_made_by_us(&self) -> bool {
        self.record.as_ref().is_some_and(|record| record.original.is_none())
    }

    /// A whole file of ours, of this version or another.
    fn is_ours(&self) -> bool {
        let Some(bytes) = &self.bytes else { return false };
        String::from_utf8_lossy(bytes).contains(MARK)
            || self.record.as_ref().is_some_and(|record| record.is_untouched(bytes))
    }

    /// The folders that vib made or will make for this file, the outermost first.
    fn folders(&self) -> Vec<PathBuf> {
        if self.bytes.is_some() {
            return self.record.as_ref().map(|record| record.folders.clone()).unwrap_or_default();
        }
        let mut missing: Vec<PathBuf> =
            self.path.ancestors().skip(1).take_while(|folder| !folder.exists()).map(PathBuf::from).collect();
        missing.reverse();
        missing
    }

    fn edit(self, after: Option<Vec<u8>>, words: Vec<String>, record: Option<Record>) -> Edit {
        let folders = match &record {
            Some(record) => record.folders.clone(),
            None => self.record.map(|record| record.folders).unwrap_or_default(),
        };
        Edit { path: self.path, target: self.target, before: self.bytes, after, words, record, folders }
    }
}
