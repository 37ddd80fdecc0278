//! Our hooks, carried from one text of a settings file to another as they stand there, whatever version wrote them.

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::Ranged;

use super::{BOM, HooksFile, split_bom};
use crate::jsonc::{self, Node};
use crate::table::Shape;
use crate::{Error, Result};

impl HooksFile<'_> {
    /// `text` with our hooks as they are in `present`, and no others of ours.
    pub fn carry(&self, present: &str, text: &str) -> Result<String> {
        let (mark, body) = split_bom(text);
        let ours = self.elements(present)?;
        let mut new = self.stripped(body, None)?;
        if !ours.is_empty() {
            if new.trim().is_empty() {
                new = "{\n}\n".to_owned();
            }
            if matches!(self.setup.shape, Shape::Flat { .. })
                && self.root_property(&new, "version")?.is_none()
            {
                new = self.append(&new, None, Some("version"), &Node::Number(1))?;
            }
            if self.root_property(&new, "hooks")?.is_none() {
                new = self.append(&new, None, Some("hooks"), &Node::Map(Vec::new()))?;
            }
        }
        for (event, element) in ours {
            let node = Node::Raw(element);
            new = if self.has_event(&new, &event)? {
                self.append(&new, Some(&event), None, &node)?
            } else {
                self.append(&new, Some(""), Some(&event), &Node::List(vec![node]))?
            };
        }
        self.verify(body, &new)?;
        if self.signs(&new)? != self.signs(present)? {
            return Err(Error::Unsafe { file: self.file.to_path_buf() });
        }
        Ok(format!("{mark}{new}"))
    }

    /// What tells our hooks apart: events and command lines.
    pub fn signs(&self, text: &str) -> Result<Vec<(String, String)>> {
        let mut signs: Vec<_> = self.find(text)?.into_iter().map(|found| (found.event, found.line)).collect();
        signs.sort();
        Ok(signs)
    }

    /// Our elements of the events' lists, as they are written; of a group that others share, only our part.
    fn elements(&self, text: &str) -> Result<Vec<(String, String)>> {
        let text = text.strip_prefix(BOM).unwrap_or(text);
        let mut elements = Vec::new();
        let Some(root) = jsonc::parse(self.file, text)? else { return Ok(elements) };
        let Some(hooks) = self.hooks(text, &root)? else { return Ok(elements) };
        for spot in self.spots(text)? {
            let Some(list) = hooks.get_array(&spot.event) else { continue };
            let Some(value) = list.elements.get(spot.element) else { continue };
            let written = match (spot.handler, value) {
                (Some(at), Value::Object(group)) => own_part(text, group, at),
                _ => Some(written(text, value).to_owned()),
            };
            elements.extend(written.map(|written| (spot.event, written)));
        }
        Ok(elements)
    }
}

/// A group that holds one of the handlers of another, with everything else that the group says.
fn own_part(text: &str, group: &Object<'_>, at: usize) -> Option<String> {
    let handler = group.get_array("hooks")?.elements.get(at)?;
    let parts: Vec<String> = group
        .properties
        .iter()
        .map(|property| match property.name.as_str() {
            "hooks" => format!("\"hooks\": [{}]", written(text, handler)),
            _ => written(text, property).to_owned(),
        })
        .collect();
    Some(format!("{{{}}}", parts.join(", ")))
}

fn written<'t>(text: &'t str, node: &impl Ranged) -> &'t str {
    &text[node.start()..node.end()]
}
