//! The redaction gate, set up for this machine, this person and this project.

use std::io::Read;
use std::path::Path;

use project::{Config, Context, Project};
use redact::{Clean, Gate, PrivacyContext, Streamed};

use crate::{Engine, Result, secrets};

impl Engine {
    /// A gate for everything that leaves this project. Keep one for all fields of an answer: it numbers its marks.
    pub fn gate(&self) -> Gate {
        Gate::new(private_in(self.context(), self.project()))
    }
}

impl Engine {
    /// A gate for what stays on this machine, for its owner: secrets go, the names of the machine itself (`localhost`) stay. What leaves
    /// later passes [`Engine::gate`] as well.
    pub fn own_gate(&self) -> Gate {
        let private = private(self.context(), self.project().root(), self.project().config());
        Gate::new(PrivacyContext { loopback_stays: true, ..private })
    }
}

impl Engine {
    /// A gate for a run's own files, which only the owner reads: secrets go, and what names a place on this machine stays. A command that a person
    /// is asked about, and that is run after their yes, has to be the one that was meant.
    pub fn run_gate(&self) -> Gate {
        let private = private(self.context(), self.project().root(), self.project().config());
        let none = None::<String>;
        Gate::new(PrivacyContext {
            home: none.clone(),
            user: none.clone(),
            host: none.clone(),
            project_root: none,
            loopback_stays: true,
            paths_stay: true,
            ..private
        })
    }
}

/// What is private in a project besides secrets.
pub(crate) fn private_in(context: &Context, project: &Project) -> PrivacyContext {
    private(context, project.root(), project.config())
}

/// The same where there need not be a project.
pub fn private(context: &Context, root: &Path, config: &Config) -> PrivacyContext {
    let text = |path: &Path| path.to_str().map(str::to_owned);
    PrivacyContext {
        home: context.home().and_then(text),
        user: context.user(),
        host: context.host(),
        project_root: text(root),
        identifiers: config.list("privacy.identifiers").to_vec(),
        internal_domains: config.list("privacy.internal_domains").to_vec(),
        allowed: config.list("privacy.allow").to_vec(),
        loopback_stays: false,
        paths_stay: false,
    }
}

/// Cleans a stream of any length. Needs no project and makes none.
pub fn clean_stream(
    context: &Context,
    input: impl Read,
    out: impl FnMut(&Clean) -> std::io::Result<()>,
) -> Result<Streamed> {
    let (root, config) = secrets::settings(context)?;
    let mut gate = Gate::new(private(context, &root, &config));
    Ok(gate.clean_stream(input, out).map_err(project::Error::from)?)
}
