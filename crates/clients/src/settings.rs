//! One settings file of a client, with what vib puts into it: hooks, the MCP server, or both.

use crate::Result;
use crate::entries::HooksFile;
use crate::servers::{Entry, ServerFile};

/// What of ours belongs into the file.
#[derive(Debug, Clone, Copy)]
pub struct Settings<'a> {
    /// Its hooks, if they are kept there.
    pub hooks: Option<HooksFile<'a>>,
    /// Its MCP servers, if they are kept there.
    pub server: Option<ServerFile<'a>>,
}

impl Settings<'_> {
    /// The text with everything of ours in it.
    pub fn install(&self, text: &str, original: Option<&str>) -> Result<String> {
        let mut new = text.to_owned();
        if let Some(hooks) = &self.hooks {
            new = hooks.install(&new, original)?;
        }
        if let Some(server) = &self.server {
            new = server.install(&new, original)?;
        }
        Ok(new)
    }

    /// The text without anything of ours.
    pub fn strip(&self, text: &str, original: Option<&str>) -> Result<String> {
        let mut new = text.to_owned();
        if let Some(server) = &self.server {
            new = server.strip(&new, original)?;
        }
        if let Some(hooks) = &self.hooks {
            new = hooks.strip(&new, original)?;
        }
        Ok(new)
    }

    /// How many entries of ours there are.
    pub fn count(&self, text: &str) -> Result<usize> {
        let hooks = self.hooks.as_ref().map_or(Ok(0), |hooks| hooks.find(text).map(|found| found.len()))?;
        let server = match &self.server {
            Some(server) => matches!(server.find(text)?, Entry::Ours { .. }),
            None => false,
        };
        Ok(hooks + usize::from(server))
    }

    /// Somebody else's server has our name.
    pub fn is_taken(&self, text: &str) -> Result<bool> {
        self.server.as_ref().map_or(Ok(false), |server| Ok(server.find(text)? == Entry::Foreign))
    }

    /// True if nothing is left that anybody would miss.
    pub fn is_empty(&self, text: &str) -> Result<bool> {
        match (&self.hooks, &self.server) {
            (Some(hooks), _) => hooks.is_empty(text),
            (None, Some(server)) => server.is_empty(text),
            (None, None) => Ok(false),
        }
    }

    /// What would be put in, in plain words.
    pub fn words(&self, before: &str, after: &str) -> Result<Vec<String>> {
        let mut words = Vec::new();
        if let Some(hooks) = &self.hooks {
            let (old, new) = (hooks.find(before)?, hooks.find(after)?);
            if old != new || self.server.is_none() {
                let names: Vec<&str> = hooks.setup.events.iter().map(|event| event.name).collect();
                let verb = if old.is_empty() { "a hook" } else { "a hook (brought up to date)" };
                words.push(format!("{verb} for each of {} events: {}", names.len(), names.join(", ")));
                words.extend(new.first().map(|found| format!("each runs `{}`", found.line)));
            }
        }
        if let Some(server) = &self.server
            && server.find(before)? != server.find(after)?
        {
            words.push(format!("vib's MCP server: it runs `{}`", server.command().join(" ")));
        }
        Ok(words)
    }
}
