//! What an installation or a removal would do to each file: worked out first, shown, and only then done.

use std::path::PathBuf;

use super::entries::HooksFile;
use super::record::{self, Record};
use super::table::{Setup, Shape, setup};
use super::world::Scope;
use super::{Error, Result, World, plugin};
use crate::Client;

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
    Hooks,
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

/// Works out an installation.
pub fn install(world: &World, client: Client, scope: Scope) -> Result<Plan> {
    let setup = setup(client);
    let mut plan = Plan { client, scope, edits: Vec::new(), notes: Vec::new(), forget: Vec::new() };
    for (path, part) in parts(world, setup, scope)? {
        let here = look(world, path)?;
        match part {
            Part::Hooks => plan.edits.extend(install_hooks(world, setup, here, scope)?),
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
    Ok(plan)
}

/// Works out a removal.
pub fn remove(world: &World, client: Client, scope: Scope) -> Result<Plan> {
    let setup = setup(client);
    let mut plan = Plan { client, scope, edits: Vec::new(), notes: Vec::new(), forget: Vec::new() };
    for (path, part) in parts(world, setup, scope)? {
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
            Part::Hooks => remove_hooks(world, setup, here)?,
            Part::Own { .. } => here.is_ours().then(|| here.edit(None, gone(), None)),
        };
        match edit {
            Some(edit) => plan.edits.push(edit),
            None => plan.forget.extend(known),
        }
    }
    Ok(plan)
}

/// The files of a client: the settings, then the chat commands.
fn parts(world: &World, setup: &'static Setup, scope: Scope) -> Result<Vec<(PathBuf, Part)>> {
    let hooks = match setup.shape {
        Shape::Plugin => Part::Own {
            text: plugin::source(&world.program),
            what: "a plugin that passes OpenCode's events on to vib",
            must: true,
        },
        Shape::Groups { .. } | Shape::Flat { .. } => Part::Hooks,
    };
    let mut parts = vec![(world.file(setup, scope)?, hooks)];
    for slash in setup.slash {
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

fn install_hooks(world: &World, setup: &Setup, here: Here, scope: Scope) -> Result<Option<Edit>> {
    let hooks = HooksFile { setup, file: &here.path, program: &world.program };
    let current = here.text()?.unwrap_or_default();
    let untouched = here
        .record
        .as_ref()
        .filter(|record| here.bytes.as_ref().is_some_and(|bytes| record.is_untouched(bytes)));
    // As vib left it: written anew from what was there before, so that the way back stays exact.
    let (new, original) = if let Some(record) = untouched {
        let original = record.original.clone();
        let text = original.as_deref().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let new = hooks.install(text.as_deref().unwrap_or_default(), text.as_deref())?;
        (new, original)
    } else {
        let before = here.original_text();
        let new = hooks.install(&current, before.as_deref())?;
        let was_there = here.bytes.is_some() && !here.was_made_by_us();
        let original = if hooks.find(&current)?.is_empty() {
            here.bytes.clone()
        } else {
            let stripped = hooks.strip(&current, before.as_deref())?;
            (was_there || !hooks.is_empty(&stripped)?).then(|| stripped.into_bytes())
        };
        (new, original)
    };
    if here.bytes.as_deref() == Some(new.as_bytes()) {
        return Ok(None);
    }
    let names: Vec<&str> = setup.events.iter().map(|event| event.name).collect();
    let verb = if hooks.find(&current)?.is_empty() { "a hook" } else { "a hook (brought up to date)" };
    let mut words = vec![format!("{verb} for each of {} events: {}", names.len(), names.join(", "))];
    let sample = hooks.find(&new)?;
    if let Some(found) = sample.first() {
        words.push(format!("each runs `{}`", found.line));
    }
    let folders = here.folders();
    let record = Record::new(setup.client, scope, &here.path, new.as_bytes(), original, folders);
    Ok(Some(here.edit(Some(new.into_bytes()), words, Some(record))))
}

fn remove_hooks(world: &World, setup: &Setup, here: Here) -> Result<Option<Edit>> {
    let hooks = HooksFile { setup, file: &here.path, program: &world.program };
    // A file that never had anything of ours may be as broken as it likes.
    let bytes = here.bytes.as_deref().unwrap_or_default();
    if here.record.is_none() && !String::from_utf8_lossy(bytes).contains(&format!("hook {}", setup.client)) {
        return Ok(None);
    }
    let current = here.text()?.unwrap_or_default();
    let count = hooks.find(&current)?.len();
    if count == 0 {
        return Ok(None);
    }
    let stripped = hooks.strip(&current, here.original_text().as_deref())?;
    let is_named_for_us = here.path.file_stem().is_some_and(|stem| stem == "vib");
    if hooks.is_empty(&stripped)? && (here.was_made_by_us() || is_named_for_us) {
        return Ok(Some(here.edit(None, vec!["goes: there is nothing else in it".to_owned()], None)));
    }
    let words = vec![format!("without vib's {count} entries; the rest stays")];
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
