//! What was installed and is not there any more, though nobody ran `vib init --remove`: `git clean`, `git stash -u`, a checkout of
//! another branch or somebody's hand takes a client's settings away, and with them vib's entries, without a word.
//!
//! The records of the installation know what should be there. A few small files are read, so this can be asked by every
//! command and at every start of a session, not before every step.

use serde::Serialize;

use super::doctor::{self, server};
use super::servers::Entry;
use super::world::Scope;
use super::{World, record};
use crate::Client;
use clients::table::{Setup, setup};

/// Entries of one client that are gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Gone {
    /// The client.
    pub client: Client,
    /// Its name as its makers write it.
    pub title: &'static str,
    /// Whose settings they were in.
    pub scope: Scope,
    /// The hooks themselves are gone, not only what goes with them.
    pub hooks: bool,
    /// The files, as a person reads them.
    pub files: Vec<String>,
    /// The one command that puts them back.
    pub command: String,
}

impl Gone {
    /// One line for a person.
    pub fn words(&self) -> String {
        let what = if self.hooks { "vib's hooks" } else { "Things that vib installed" };
        let (title, files, command) = (self.title, self.files.join(", "), &self.command);
        format!("{what} for {title} are gone from {files}: `{command}` puts them back")
    }
}

/// The command that puts everything back, whatever is gone from wherever.
pub const REPAIR: &str = "vib init --repair --yes";

/// Everything that is gone from this project's settings and the person's own.
pub fn gone(world: &World) -> Vec<Gone> {
    if !record::folder(world).is_dir() {
        return Vec::new();
    }
    let mut all: Vec<Gone> =
        Client::ALL.into_iter().flat_map(|client| of_client(world, setup(client))).collect();
    one_command(all.iter_mut());
    all
}

/// However much is gone, one command is enough.
pub(crate) fn one_command<'g>(all: impl Iterator<Item = &'g mut Gone>) {
    let all: Vec<&mut Gone> = all.collect();
    if all.len() > 1 {
        all.into_iter().for_each(|gone| REPAIR.clone_into(&mut gone.command));
    }
}

/// All of it in lines for a person, with one command.
pub fn lines(gone: &[Gone]) -> Vec<String> {
    let [first, _, ..] = gone else { return gone.iter().map(Gone::words).collect() };
    let one = |gone: &Gone| format!("{} ({})", gone.title, gone.files.join(", "));
    let what = if gone.iter().any(|gone| gone.hooks) { "vib's hooks" } else { "Things that vib installed" };
    let all: Vec<String> = gone.iter().map(one).collect();
    vec![format!("{what} are gone for {}: `{}` puts all of them back", all.join(", "), first.command)]
}

pub(crate) fn of_client(world: &World, setup: &'static Setup) -> Vec<Gone> {
    Scope::ALL.into_iter().filter_map(|scope| in_scope(world, setup, scope)).collect()
}

fn in_scope(world: &World, setup: &'static Setup, scope: Scope) -> Option<Gone> {
    let was_installed =
        |path: &std::path::Path| record::load(world, path).is_some_and(|record| record.scope == scope);
    let mut files = Vec::new();
    let hooks_file = world.file(setup, scope).ok().filter(|file| was_installed(file));
    let mut hooks = false;
    if let Some(file) = &hooks_file {
        // A file that cannot be read as settings is damaged, not gone: the doctor names the line.
        hooks = matches!(doctor::installed_in(world, setup, scope), Ok(None));
        if hooks {
            files.push(world.shown(file));
        }
    }
    if let Ok(Some(file)) = world.server_file(setup, scope)
        && was_installed(&file)
        && matches!(server::entry(world, setup, scope, &file), Ok(Entry::None))
        && !files.contains(&world.shown(&file))
    {
        files.push(world.shown(&file));
    }
    for slash in setup.slash {
        if let Ok(folder) = world.folder(setup, scope) {
            let file = folder.join(slash.file);
            if was_installed(&file) && !file.exists() {
                files.push(world.shown(&file));
            }
        }
    }
    let command = format!("vib init --client {} --scope {} --yes", setup.client, scope.name());
    let gone = Gone { client: setup.client, title: setup.client.title(), scope, hooks, files, command };
    (!gone.files.is_empty()).then_some(gone)
}
