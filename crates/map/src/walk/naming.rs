//! How a thing is called, and whether others may use it.

use tree_sitter::Node;

use super::{Walk, plain_type};
use crate::Language;
use crate::symbol::SymbolKind;

impl Walk<'_> {
    /// The name of a node, and the node that says it.
    pub(super) fn name_of<'n>(&self, kind: SymbolKind, node: Node<'n>) -> Option<(String, Option<Node<'n>>)> {
        match (self.language, kind) {
            (Language::Css, _) => {
                let first = node.named_child(0)?;
                let name = self.shown(first).split_whitespace().collect::<Vec<_>>().join(" ");
                return Some((name, Some(first)));
            }
            (Language::C | Language::Cpp, SymbolKind::Function | SymbolKind::Method) => {
                let declarator = self.function_name(node)?;
                let name = self.shown(declarator);
                // A test framework's macro names the test in its arguments.
                let whole = declarator.parent().map(|node| self.shown(node)).unwrap_or_default();
                let is_macro =
                    name.chars().all(|c| c.is_ascii_uppercase() || c == '_') && whole.contains('(');
                let name =
                    if is_macro { whole.split_whitespace().collect::<Vec<_>>().join(" ") } else { name };
                return Some((name.replace("::", "."), Some(declarator)));
            }
            (Language::C | Language::Cpp, SymbolKind::Type) if node.kind() == "type_definition" => {
                let declarator = node.child_by_field_name("declarator")?;
                return Some((self.shown(declarator), Some(declarator)));
            }
            _ => {}
        }
        let name_node = node.child_by_field_name("name").or_else(|| node.child_by_field_name("property"))?;
        let name = self.shown(name_node);
        if self.language == Language::Go && node.kind() == "method_declaration" {
            let receiver =
                node.child_by_field_name("receiver").map(|node| self.shown(node)).unwrap_or_default();
            let inside = receiver.trim_matches(['(', ')', ' ']);
            let of = plain_type(inside.rsplit(' ').next().unwrap_or(inside));
            return Some((format!("{of}.{name}"), Some(name_node)));
        }
        Some((name, Some(name_node)))
    }

    /// The name inside `int *name(int a)`; `None` if it declares no function.
    pub(super) fn function_name<'n>(&self, node: Node<'n>) -> Option<Node<'n>> {
        let mut at = node.child_by_field_name("declarator")?;
        let mut is_function = false;
        for _ in 0..12 {
            match at.kind() {
                "function_declarator" => is_function = true,
                "identifier"
                | "field_identifier"
                | "qualified_identifier"
                | "destructor_name"
                | "operator_name"
                | "type_identifier" => {
                    return is_function.then_some(at);
                }
                _ => {}
            }
            at = at.child_by_field_name("declarator").or_else(|| at.named_child(0))?;
        }
        None
    }

    pub(super) fn is_exported(&self, head: &str, name: &str) -> bool {
        let says = |wanted: &str| head.split(|c: char| !c.is_alphanumeric()).any(|word| word == wanted);
        match self.language {
            Language::Rust => says("pub"),
            Language::JavaScript | Language::TypeScript | Language::Tsx => {
                self.all_exported || self.frames.iter().any(|frame| frame.exported || frame.kind.is_some())
            }
            Language::Go => {
                name.rsplit('.').next().and_then(|name| name.chars().next()).is_some_and(char::is_uppercase)
            }
            Language::Java | Language::Php | Language::CSharp => !says("private") && !says("protected"),
            Language::C | Language::Cpp => !says("static"),
            _ => !name.starts_with('_'),
        }
    }
}
