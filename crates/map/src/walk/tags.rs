//! Pages: words that people see, named parts, files that they load.

use tree_sitter::Node;

use super::{Walk, cut};
use crate::Language;
use crate::imports::Import;
use crate::symbol::SymbolKind;

const MOST_LABELS: usize = 120;
const LONGEST_LABEL: usize = 80;

/// Attributes of tags that people read.
const LABELS: &[&str] =
    &["label", "title", "placeholder", "alt", "aria-label", "value", "header", "heading", "tooltip"];

impl Walk<'_> {
    pub(super) fn label(&mut self, text: &str) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.chars().any(char::is_alphabetic) && self.outline.ui_labels.len() < MOST_LABELS {
            let label = cut(&text, LONGEST_LABEL);
            if !self.outline.ui_labels.contains(&label) {
                self.outline.ui_labels.push(label);
            }
        }
    }

    pub(super) fn tag_attribute(&mut self, node: Node<'_>) {
        let text = self.shown(node);
        let Some((name, value)) = text.split_once('=') else { return };
        let (name, value) = (name.trim().to_ascii_lowercase(), value.trim());
        let value = if value.starts_with(['"', '\'']) { value.trim_matches(['"', '\'']) } else { return };
        if LABELS.contains(&name.as_str()) {
            self.label(value);
        }
        if self.language != Language::Html || value.is_empty() {
            return;
        }
        match name.as_str() {
            "id" => {
                let name = format!("#{value}");
                self.push(SymbolKind::Element, &name, None, node.byte_range(), node, false, None);
            }
            "src" | "href" if !value.contains(':') && !value.starts_with(['#', '{', '/']) => {
                self.outline.imports.push(Import::plain(value.split(['?', '#']).next().unwrap_or(value)));
            }
            _ => {}
        }
    }
}
