//! The English words of the doctor and the hooks for what keeps hooks from running; the page has its own, in three languages.

use super::obstacles::{Hindrance, Obstacle};
use super::{ClientProtection, Entries, Place, Standing};
use crate::Client;

impl Hindrance {
    /// What it is.
    pub fn words(&self, client: Client) -> String {
        let title = client.title();
        match &self.obstacle {
            Obstacle::Unread { file, why } => {
                format!("{title} does not read {file} at all, without saying so: {}", why.words())
            }
            Obstacle::SwitchedOff { file, switch } => {
                let line = switch.line.map(|line| format!(", line {line}")).unwrap_or_default();
                format!("{title} runs no hook: `{}` in {file}{line} switches them off", switch.key)
            }
            Obstacle::FolderNotTrusted => {
                format!(
                    "{title} does not trust this folder yet, so it runs none of its hooks, without saying so"
                )
            }
            Obstacle::NotApproved { approved: 0, .. } => {
                format!("{title} runs none of these hooks before you approved them, without saying so")
            }
            Obstacle::NotApproved { approved, of } => {
                format!("{title} knows {approved} of {of} hooks; it runs only those that you approved")
            }
            Obstacle::Disabled { disabled, of } => {
                format!("{disabled} of {of} hooks are switched off in {title}")
            }
            Obstacle::ChangedSinceApproval => format!(
                "the hooks were changed after you approved them in {title}; it runs a changed hook only after a new approval, \
                 and no call came since"
            ),
        }
    }

    /// What to do about it.
    pub fn fix(&self, client: Client) -> String {
        match (&self.obstacle, client) {
            (Obstacle::Unread { file, .. }, _) => format!("take that out of {file}"),
            (Obstacle::SwitchedOff { file, switch }, _) => {
                format!("take `{}` out of {file} if you want vib's hooks to run", switch.key)
            }
            (Obstacle::FolderNotTrusted, Client::Codex) => {
                "start `codex` in this folder, trust the folder, then type `/hooks` and approve vib's"
                    .to_owned()
            }
            (Obstacle::FolderNotTrusted, Client::Copilot) => {
                "say yes when Copilot asks about the folder, or start it with `--trust-folder`".to_owned()
            }
            (Obstacle::FolderNotTrusted, _) => {
                format!("start {} in this folder and trust it", client.title())
            }
            (
                Obstacle::NotApproved { .. } | Obstacle::ChangedSinceApproval | Obstacle::Disabled { .. },
                _,
            ) => "start `codex`, type `/hooks`, and approve vib's".to_owned(),
        }
    }
}

impl Place {
    /// The command that writes the entries anew.
    pub fn command(&self, client: Client) -> String {
        format!("vib init --client {client} --scope {} --yes", self.scope.name())
    }
}

/// What the person has to do about a client.
pub(super) fn next(one: &ClientProtection) -> Option<String> {
    let renewed = || {
        let broken = |place: &&Place| !matches!(place.entries, Entries::Current | Entries::Outdated);
        let place = one.places.iter().find(broken)?;
        Some(format!("`{}`", place.command(one.client)))
    };
    let freed = || Some(one.hindrances.iter().find(|one| !one.disproved)?.fix(one.client));
    let put_back = || Some(format!("`{}`", one.gone.first()?.command));
    match one.standing {
        Standing::Works => put_back().or_else(renewed),
        Standing::NeverCalled => {
            put_back().or_else(renewed).or_else(|| Some(format!("start {} in this project", one.title)))
        }
        Standing::Broken => freed().or_else(renewed),
        Standing::Gone => put_back(),
        Standing::NotInstalled => one.found.as_ref().map(|_| format!("`vib init --client {}`", one.client)),
    }
}
