//! Calls: they may import, assert, or be a test.

use tree_sitter::Node;

use super::{Frame, Walk, line};
use crate::symbol::{SymbolKind, TestFacts};
use crate::{Language, imports, tests_found};

impl Walk<'_> {
    pub(super) fn call(&mut self, node: Node<'_>, depth: usize) -> bool {
        let arguments = node
            .child_by_field_name("arguments")
            .or_else(|| (self.language == Language::Rust).then(|| last_child(node)).flatten());
        let end = arguments.map_or_else(
            || node.child_by_field_name("block").map_or(node.end_byte(), |block| block.start_byte()),
            |arguments| arguments.start_byte(),
        );
        let callee_bytes = self.text.get(node.start_byte()..end).unwrap_or_default();
        if callee_bytes.len() > 300 {
            return true;
        }
        let callee = String::from_utf8_lossy(callee_bytes).trim().to_owned();
        let shown = |walk: &Self, most: usize| {
            arguments.map(|node| {
                let bytes = walk.text.get(node.byte_range()).unwrap_or_default();
                String::from_utf8_lossy(&bytes[..bytes.len().min(most)]).into_owned()
            })
        };
        if let Some(call) = tests_found::test_call(self.language, &callee) {
            if self.is_inside_test() {
                return true;
            }
            let name = shown(self, 400).as_deref().and_then(first_string);
            // Without a name it may be any function that is called `test`.
            let Some(name) = name else { return true };
            let runs_code = self.language == Language::Ruby
                || arguments.is_some_and(|node| node.named_child_count() >= 2);
            if !runs_code && !call.skipped {
                return true;
            }
            if call.focused {
                self.outline.focused.get_or_insert(line(node.start_position().row));
            }
            let skipped = call.skipped || self.frames.iter().any(|frame| frame.skipped);
            let facts =
                (call.kind == SymbolKind::Test).then_some(TestFacts { skipped, ..TestFacts::default() });
            let at = self.push(call.kind, &name, None, node.byte_range(), node, false, facts);
            let scope = (call.kind == SymbolKind::TestGroup).then_some(name);
            self.frames.push(Frame {
                depth,
                name: scope,
                kind: Some(call.kind),
                symbol: at,
                exported: false,
                skipped,
            });
            return true;
        }
        if let Some(import) = shown(self, 600).and_then(|text| imports::call(self.language, &callee, &text)) {
            self.outline.imports.push(import);
        }
        if self.is_inside_test() {
            if tests_found::skips(self.language, &callee)
                && let Some(facts) = self.facts()
            {
                facts.skipped = true;
            }
            if tests_found::asserts(self.language, &callee) {
                // `expect(a).toBe(true)` looks at `a`, and `t.Fatal("…")` stands behind a condition.
                let chained =
                    callee.contains('(') || (self.language == Language::Go && callee.starts_with("t."));
                let text = shown(self, 400).unwrap_or_default();
                self.assertion(if chained { "" } else { &text });
            }
        }
        true
    }

    pub(super) fn is_inside_test(&self) -> bool {
        self.frames.iter().any(|frame| frame.kind == Some(SymbolKind::Test))
    }

    pub(super) fn facts(&mut self) -> Option<&mut TestFacts> {
        let at = self.frames.iter().rev().find(|frame| frame.kind == Some(SymbolKind::Test))?.symbol?;
        self.outline.symbols.get_mut(at)?.test.as_mut()
    }

    pub(super) fn assertion(&mut self, arguments: &str) {
        let trivial = tests_found::looks_at_nothing(arguments);
        if let Some(facts) = self.facts() {
            facts.asserts += 1;
            facts.trivial += u32::from(trivial);
        }
    }
}

fn last_child(node: Node<'_>) -> Option<Node<'_>> {
    let count = node.named_child_count();
    node.named_child(u32::try_from(count.checked_sub(1)?).ok()?)
}

/// The string that arguments begin with.
fn first_string(arguments: &str) -> Option<String> {
    let text = arguments.trim_start_matches(['(', ' ', '\n', '\t', '\r']);
    if !text.starts_with(['"', '\'', '`']) {
        return None;
    }
    imports::quoted(text)
}
