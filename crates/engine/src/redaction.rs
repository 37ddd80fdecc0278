//! The redaction gate, set up for this machine, this person and this project.

use std::io::Read;
use std::path::Path;

use project::{Config, Context};
use redact::{Clean, Gate, PrivacyContext, Streamed};

use crate::{Engine, Result, secrets};

impl Engine {
    /// A gate for everything that leaves this project. Keep one for all fields of an answer: it numbers its marks.
    pub fn gate(&self) -> Gate {
        Gate::new(private(self.context(), self.project().root(), self.project().config()))
    }
}

/// What is private here besides secrets.
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
