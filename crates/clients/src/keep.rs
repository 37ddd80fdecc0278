//! vib's entries in a project's files are not the person's work: when a file goes back to an earlier state, they stay as they are.
//!
//! [`of_path`] says whether a file of the project may hold something of ours; [`ProjectFile::carry`] works out what it is to hold.

use std::path::{Path, PathBuf};

use crate::entries::HooksFile;
use crate::servers::ServerFile;
use crate::settings::Settings;
use crate::table::{Setup, Shape, setup};
use crate::{Client, Result, Scope, plugin};

/// What stands in every chat command that vib wrote.
const MARK: &str = "(installed by vib)";
/// Claude Code's settings of one person in one project have the same shape as those of the project.
const LOCAL: (Client, &str) = (Client::ClaudeCode, "settings.local.json");

/// A file of a project in which vib may have something.
#[derive(Debug)]
pub struct ProjectFile {
    path: PathBuf,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// Settings that vib shares with the person.
    Settings { hooks: Option<&'static Setup>, server: Option<&'static Setup> },
    /// A file that is vib's as a whole.
    Plugin,
    /// A chat command.
    Command,
}

/// The file of this path (from the root, with `/`), if it is one of those.
pub fn of_path(path: &str) -> Option<ProjectFile> {
    let (mut hooks, mut server) = (None, None);
    for client in Client::ALL {
        let row = setup(client);
        let inside = path.strip_prefix(row.project_folder).and_then(|rest| rest.strip_prefix('/'));
        let made = |kind| Some(ProjectFile { path: PathBuf::from(path), kind });
        if row.slash.iter().any(|slash| inside == Some(slash.file)) {
            return made(Kind::Command);
        }
        if inside == Some(row.file) || inside.is_some_and(|inside| (client, inside) == LOCAL) {
            if row.shape == Shape::Plugin {
                return made(Kind::Plugin);
            }
            hooks = Some(row);
        }
        if path == row.server.project {
            server = Some(row);
        }
    }
    (hooks.is_some() || server.is_some())
        .then(|| ProjectFile { path: PathBuf::from(path), kind: Kind::Settings { hooks, server } })
}

/// True for a folder that such files lie in.
pub fn is_folder_of_such(path: &str) -> bool {
    let holds = |file: &str| file.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
    Client::ALL.into_iter().map(setup).any(|row| {
        let inside = std::iter::once(row.file).chain(row.slash.iter().map(|slash| slash.file));
        holds(row.server.project)
            || inside.into_iter().any(|file| holds(&format!("{}/{file}", row.project_folder)))
    })
}

impl ProjectFile {
    /// What the file is to hold when it goes to `target`, with our part as it is in `present`. None: there is to be no file.
    pub fn carry(&self, present: Option<&str>, target: Option<&str>) -> Result<Option<String>> {
        let keep = |text: Option<&str>| Ok(text.map(str::to_owned));
        if self.same_ours(present, target)? {
            return keep(target);
        }
        // Only our part would be different: then nothing is.
        if self.same_but_for_ours(present, target)? {
            return keep(present);
        }
        let Some(ours) = self.settings() else {
            // As a whole it is ours or somebody's; what is ours now stays, what was ours does not come back.
            let ours_now = present.is_some_and(|text| self.has_ours(text).unwrap_or(false));
            let ours_then = target.is_some_and(|text| self.has_ours(text).unwrap_or(false));
            return keep(if ours_now || ours_then { present } else { target });
        };
        let (present, text) = (present.unwrap_or_default(), target.unwrap_or_default());
        let mut new = text.to_owned();
        if let Some(hooks) = &ours.hooks {
            new = hooks.carry(present, &new)?;
        }
        if let Some(server) = &ours.server {
            new = server.carry(present, &new)?;
        }
        Ok(if ours.is_empty(&new)? && ours.count(&new)? == 0 { None } else { Some(new) })
    }

    /// There is something of ours in this text.
    pub fn has_ours(&self, text: &str) -> Result<bool> {
        match (&self.kind, self.settings()) {
            (_, Some(ours)) => Ok(ours.count(text)? > 0),
            (Kind::Plugin, _) => Ok(plugin::program(text).is_some()),
            (_, None) => Ok(text.contains(MARK)),
        }
    }

    /// Our part is the same in both.
    pub fn same_ours(&self, one: Option<&str>, other: Option<&str>) -> Result<bool> {
        let Some(ours) = self.settings() else {
            let own = |text: Option<&str>| -> Result<Option<String>> {
                match text {
                    Some(text) => Ok(self.has_ours(text)?.then(|| text.to_owned())),
                    None => Ok(None),
                }
            };
            return Ok(own(one)? == own(other)?);
        };
        let signs = |text: Option<&str>| -> Result<_> {
            let text = text.unwrap_or_default();
            let hooks = ours.hooks.as_ref().map(|hooks| hooks.signs(text)).transpose()?;
            let server = match &ours.server {
                Some(server) => Some(server.find(text)?)
                    .filter(|found| matches!(found, crate::servers::Entry::Ours { .. })),
                None => None,
            };
            Ok((hooks.unwrap_or_default(), server))
        };
        Ok(signs(one)? == signs(other)?)
    }

    /// Everything but our part is the same in both; a file that would hold nothing else is as good as none.
    pub fn same_but_for_ours(&self, one: Option<&str>, other: Option<&str>) -> Result<bool> {
        let rest = |text: Option<&str>| -> Result<Option<String>> {
            let Some(text) = text else { return Ok(None) };
            let Some(ours) = self.settings() else {
                return Ok((!self.has_ours(text)?).then(|| text.to_owned()));
            };
            let rest = ours.strip(text, None)?;
            Ok((!ours.is_empty(&rest)?).then_some(rest))
        };
        Ok(rest(one)? == rest(other)?)
    }

    fn settings(&self) -> Option<Settings<'_>> {
        let Kind::Settings { hooks, server } = self.kind else { return None };
        // Nothing is installed here, so which program would be called, and from whose settings, does not matter.
        let program = Path::new("vib");
        Some(Settings {
            hooks: hooks.map(|setup| HooksFile { setup, file: &self.path, program, scope: Scope::Team }),
            server: server.map(|row| ServerFile {
                shape: row.server.shape,
                file: &self.path,
                program,
                scope: Scope::Team,
            }),
        })
    }
}

#[cfg(test)]
mod tests;
