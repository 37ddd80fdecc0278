//! One walk over a syntax tree, without recursion: symbols, imports, labels, tests, the first error.

mod calls;
mod naming;
mod tags;

use tree_sitter::{Node, Tree};

use crate::digest::digests;
use crate::imports::{self, Import};
use crate::rules::{Act, Rules};
use crate::symbol::{Symbol, SymbolKind, TestFacts};
use crate::{Language, Outline, tests_found};

/// Most symbols of one file; a file with more is data.
const MOST_SYMBOLS: usize = 4_000;
const MOST_IMPORTS: usize = 1_000;
const LONGEST_NAME: usize = 160;

/// Settings are named down to this depth.
const DEEPEST_KEY: usize = 2;

/// Something that is open around the present node.
struct Frame {
    depth: usize,
    /// What it puts before the names inside.
    name: Option<String>,
    kind: Option<SymbolKind>,
    symbol: Option<usize>,
    exported: bool,
    skipped: bool,
}

struct Walk<'t> {
    language: Language,
    text: &'t [u8],
    outline: &'t mut Outline,
    frames: Vec<Frame>,
    /// Attributes and decorators that wait for what they belong to: from this byte on.
    attributes_from: Option<usize>,
    all_exported: bool,
}

/// Fills an outline from a tree.
pub(crate) fn walk(language: Language, rules: &Rules, text: &[u8], tree: &Tree, outline: &mut Outline) {
    let root = tree.root_node();
    if root.has_error() {
        outline.syntax_error = Some(first_error(root));
    }
    let all_exported =
        crate::language::contains(text, b"module.exports") || crate::language::contains(text, b"\nexports.");
    let mut walk = Walk { language, text, outline, frames: Vec::new(), attributes_from: None, all_exported };
    let mut cursor = root.walk();
    let mut depth = 0_usize;
    loop {
        let node = cursor.node();
        let act = rules.act(node.kind_id());
        while walk.frames.last().is_some_and(|frame| frame.depth >= depth) {
            walk.frames.pop();
        }
        if walk.visit(act, node, depth) && cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        loop {
            if cursor.goto_next_sibling() {
                break;
            }
            if !cursor.goto_parent() {
                walk.outline
                    .symbols
                    .sort_by_key(|symbol| (symbol.first_line, std::cmp::Reverse(symbol.last_line)));
                walk.outline.imports.sort();
                walk.outline.imports.dedup();
                return;
            }
            depth -= 1;
        }
    }
}

/// The line of the first node that the grammar does not understand.
fn first_error(root: Node<'_>) -> u32 {
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            return line(node.start_position().row);
        }
        // Only where there is an error inside is it worth to look.
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        loop {
            if cursor.goto_next_sibling() {
                break;
            }
            if !cursor.goto_parent() {
                return 1;
            }
        }
    }
}

fn line(row: usize) -> u32 {
    u32::try_from(row + 1).unwrap_or(u32::MAX)
}

impl Walk<'_> {
    /// Looks at one node; returns whether to look inside.
    fn visit(&mut self, act: Act, node: Node<'_>, depth: usize) -> bool {
        match act {
            Act::Pass => return true,
            Act::Skip => return false,
            Act::Symbol(kind) => return self.symbol(kind, node, depth),
            Act::Variable => return self.variable(node, depth),
            Act::Scope => {
                let name = node.child_by_field_name("type").map(|node| plain_type(&self.shown(node)));
                self.attributes_from = None;
                self.frames.push(Frame {
                    depth,
                    name,
                    kind: None,
                    symbol: None,
                    exported: false,
                    skipped: false,
                });
            }
            Act::Export => {
                // `export { a } from "./b"` is an import as well.
                if node.child_by_field_name("source").is_some() {
                    self.import(node);
                    return false;
                }
                self.frames.push(Frame {
                    depth,
                    name: None,
                    kind: None,
                    symbol: None,
                    exported: true,
                    skipped: false,
                });
            }
            Act::Attribute => {
                self.attributes_from.get_or_insert(node.start_byte());
                return false;
            }
            Act::Decorated => self.attributes_from = Some(node.start_byte()),
            Act::Import => {
                self.import(node);
                return self.language == Language::Bash;
            }
            Act::Call => return self.call(node, depth),
            Act::Assert => self.assertion(&self.shown(node).chars().skip("assert".len()).collect::<String>()),
            Act::Key => return self.key(node, depth),
            Act::Text => {
                let text = self.shown(node);
                self.label(&text);
                return false;
            }
            Act::TagAttribute => {
                self.tag_attribute(node);
                // An attribute of JSX may hold code.
                return self.language != Language::Html;
            }
        }
        true
    }

    fn shown(&self, node: Node<'_>) -> String {
        String::from_utf8_lossy(self.text.get(node.byte_range()).unwrap_or_default()).into_owned()
    }

    fn inside_function(&self) -> bool {
        self.frames.iter().any(|frame| {
            matches!(
                frame.kind,
                Some(SymbolKind::Function | SymbolKind::Method | SymbolKind::Test | SymbolKind::Constant)
            )
        })
    }

    fn in_class(&self) -> bool {
        let innermost = self.frames.iter().rev().find(|frame| frame.name.is_some());
        innermost.is_some_and(|frame| {
            matches!(
                frame.kind,
                None | Some(
                    SymbolKind::Class | SymbolKind::Struct | SymbolKind::Interface | SymbolKind::Enum
                )
            )
        })
    }

    fn symbol(&mut self, kind: SymbolKind, node: Node<'_>, depth: usize) -> bool {
        let attributes_from = self.attributes_from.take();
        if self.inside_function() {
            return true;
        }
        let Some((name, name_node)) = self.name_of(kind, node) else { return true };
        let body = node.child_by_field_name("body");
        match (self.language, kind) {
            // A declaration that is no definition, or a use of a type (`struct a b;`).
            (Language::C | Language::Cpp, SymbolKind::Struct | SymbolKind::Class | SymbolKind::Enum)
                if body.is_none() =>
            {
                return true;
            }
            (Language::Rust, SymbolKind::Module) if body.is_none() => {
                let module = Import::plain(format!("mod {name}"));
                self.outline.imports.push(module);
            }
            _ => {}
        }
        let method = matches!(kind, SymbolKind::Function) && self.in_class();
        let kind = if method { SymbolKind::Method } else { kind };
        let kind = match (self.language, kind, node.child_by_field_name("type").map(|node| node.kind())) {
            (Language::Go, SymbolKind::Type, Some("struct_type")) => SymbolKind::Struct,
            (Language::Go, SymbolKind::Type, Some("interface_type")) => SymbolKind::Interface,
            _ => kind,
        };
        let start = attributes_from.unwrap_or_else(|| node.start_byte());
        let head_end = name_node.map_or(start, |name| name.start_byte()).max(start);
        let head = String::from_utf8_lossy(self.text.get(start..head_end).unwrap_or_default()).into_owned();
        let whole = self.text.get(node.byte_range()).unwrap_or_default();
        let callable = matches!(kind, SymbolKind::Function | SymbolKind::Method);
        let is_test = callable && tests_found::is_test(self.language, &head, &name, whole);
        let group_skipped = self.frames.iter().any(|frame| frame.skipped);
        let skipped = group_skipped || tests_found::is_switched_off(self.language, &head, &name);
        let exported = self.is_exported(&head, &name);
        let test = is_test.then_some(TestFacts { skipped, ..TestFacts::default() });
        let kind = if is_test { SymbolKind::Test } else { kind };
        let at = self.push(kind, &name, name_node, start..node.end_byte(), node, exported, test);
        // What is inside a prototype or a type is of no interest.
        let scope = kind.is_container().then(|| name.clone());
        self.frames.push(Frame {
            depth,
            name: scope,
            kind: Some(kind),
            symbol: at,
            exported: false,
            skipped,
        });
        !matches!(kind, SymbolKind::Macro | SymbolKind::Type)
    }

    /// A constant or variable at the top of the file, or a function that is kept in one.
    fn variable(&mut self, node: Node<'_>, depth: usize) -> bool {
        self.attributes_from = None;
        let top = match self.language {
            Language::Python | Language::Ruby => depth <= 2,
            _ => depth <= 3,
        };
        if !top || self.inside_function() || self.frames.iter().any(|frame| frame.name.is_some()) {
            return true;
        }
        let field = if matches!(self.language, Language::Python | Language::Ruby) { "left" } else { "name" };
        let Some(name_node) = node.child_by_field_name(field) else { return true };
        let simple = matches!(name_node.kind(), "identifier" | "constant");
        if !simple {
            return true;
        }
        let name = self.shown(name_node);
        let value = node.child_by_field_name("value").map_or("", |value| value.kind());
        let function =
            matches!(value, "arrow_function" | "function_expression" | "function" | "generator_function");
        let kind = match value {
            _ if function => SymbolKind::Function,
            "class" => SymbolKind::Class,
            _ => SymbolKind::Constant,
        };
        let exported = self.is_exported("", &name);
        let at = self.push(kind, &name, Some(name_node), node.byte_range(), node, exported, None);
        if function {
            self.frames.push(Frame {
                depth,
                name: None,
                kind: Some(kind),
                symbol: at,
                exported: false,
                skipped: false,
            });
        }
        true
    }

    #[expect(clippy::too_many_arguments, reason = "one place makes symbols")]
    fn push(
        &mut self,
        kind: SymbolKind,
        name: &str,
        name_node: Option<Node<'_>>,
        range: std::ops::Range<usize>,
        node: Node<'_>,
        exported: bool,
        test: Option<TestFacts>,
    ) -> Option<usize> {
        if self.outline.symbols.len() >= MOST_SYMBOLS || name.is_empty() {
            return None;
        }
        let tests = matches!(kind, SymbolKind::Test | SymbolKind::TestGroup);
        let mut full: Vec<&str> = self.frames.iter().filter_map(|frame| frame.name.as_deref()).collect();
        full.push(name);
        let sentence =
            tests && matches!(self.language, Language::JavaScript | Language::TypeScript | Language::Tsx);
        let full = full.join(if sentence { " > " } else { "." });
        let text = self.text.get(range.clone()).unwrap_or_default();
        let inside = name_node.map(|name| {
            name.start_byte().saturating_sub(range.start)..name.end_byte().saturating_sub(range.start)
        });
        let (digest, shape) = digests(text, inside, self.language.spacing());
        let lines_before = node.start_byte().saturating_sub(range.start);
        let attribute_lines = words::line_breaks(text.get(..lines_before).unwrap_or_default());
        let end = node.end_position();
        // A node that ends with a line break ends on the line before.
        let last = if end.column == 0 && end.row > node.start_position().row { end.row - 1 } else { end.row };
        self.outline.symbols.push(Symbol {
            name: cut(&full, LONGEST_NAME),
            kind,
            first_line: line(node.start_position().row.saturating_sub(attribute_lines)),
            last_line: line(last),
            digest,
            shape,
            exported,
            test,
        });
        Some(self.outline.symbols.len() - 1)
    }

    fn import(&mut self, node: Node<'_>) {
        self.attributes_from = None;
        if self.outline.imports.len() < MOST_IMPORTS {
            let text = self.shown(node);
            self.outline.imports.extend(imports::read(self.language, node.kind(), &text));
        }
    }

    fn key(&mut self, node: Node<'_>, depth: usize) -> bool {
        let name_node = node.child_by_field_name("key").or_else(|| node.named_child(0));
        let Some(name_node) = name_node else { return true };
        let name = self.shown(name_node);
        let name = name.trim_matches(['"', '\'']).to_owned();
        let at = self.push(SymbolKind::Key, &name, Some(name_node), node.byte_range(), node, false, None);
        self.frames.push(Frame {
            depth,
            name: Some(name),
            kind: Some(SymbolKind::Key),
            symbol: at,
            exported: false,
            skipped: false,
        });
        self.frames.len() < DEEPEST_KEY
    }
}

/// `&'a mut Cart<T>` → `Cart`
fn plain_type(text: &str) -> String {
    let text = text.split(['<', '[']).next().unwrap_or(text).trim().trim_start_matches(['&', '*']);
    let text = text.rsplit([' ', '*']).next().unwrap_or(text);
    text.rsplit("::").next().unwrap_or(text).to_owned()
}

fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let mut end = most;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}…", &text[..end])
}
