//! Our server, carried from one text of a settings file to another as it stands there.

use jsonc_parser::common::Ranged;

use super::{Entry, FIRST_LINE, LAST_LINE, NAME, ServerFile, ServerShape, split_bom};
use crate::jsonc::{self, Node};
use crate::{Error, Result};

impl ServerFile<'_> {
    /// `text` with our server as it is in `present`, or without one if there is none.
    pub fn carry(&self, present: &str, text: &str) -> Result<String> {
        let (mark, body) = split_bom(text);
        let mut new = self.strip(body, None)?;
        if let Some(ours) = self.written(present)? {
            // Somebody else's server took the name meanwhile: there is no room for ours.
            if self.find(&new)? != Entry::None {
                return Err(Error::Foreign { file: self.file.to_path_buf() });
            }
            if self.shape == ServerShape::Codex {
                if !new.is_empty() && !new.ends_with('\n') {
                    new.push('\n');
                }
                let gap = if new.is_empty() { "" } else { "\n" };
                new.push_str(&format!("{gap}{ours}\n"));
            } else {
                if new.trim().is_empty() {
                    new = self.beginning();
                }
                if self.servers_of(&new)?.is_none() {
                    new = self.append(&new, None, self.container(), &Node::Map(Vec::new()))?;
                }
                new = self.append(&new, Some(()), NAME, &Node::Raw(ours))?;
            }
        }
        let before =
            if body.trim().is_empty() && !new.trim().is_empty() { self.beginning() } else { body.to_owned() };
        self.verify(&before, &new)?;
        Ok(format!("{mark}{new}"))
    }

    /// Our entry as it is written; none if there is none.
    pub fn written(&self, text: &str) -> Result<Option<String>> {
        let (_, text) = split_bom(text);
        if !matches!(self.find(text)?, Entry::Ours { .. }) {
            return Ok(None);
        }
        if self.shape == ServerShape::Codex {
            let Some(start) = text.find(FIRST_LINE) else { return Ok(None) };
            let end = text[start..].find(LAST_LINE).map(|length| start + length + LAST_LINE.len());
            return Ok(end.map(|end| text[start..end].to_owned()));
        }
        let Some(root) = jsonc::parse(self.file, text)? else { return Ok(None) };
        let Some(servers) = self.servers(text, &root)? else { return Ok(None) };
        Ok(servers.get(NAME).map(|entry| text[entry.value.start()..entry.value.end()].to_owned()))
    }
}
