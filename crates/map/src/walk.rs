//! One walk over a syntax tree, without recursion: symbols, imports, labels, tests, the first error.

use tree_sitter::{Node, Tree};

use crate::digest::digests;
use crate::imports::{self, Import};
use crate::rules::{Act, Rules};
use crate::symbol::{Symbol, SymbolKind, TestFacts};
use crate::{Language, Outline, tests_found};

/// Most symbols of one file; a file with more is data.
const MOST_SYMBOLS: usize = 4_000;
const MOST_LABELS: usize = 120;
const MOST_IMPORTS: usize = 1_000;
const LONGEST_NAME: usize = 160;
const LONGEST_LABEL: usize = 80;

/// Settings are named down to this depth.
const DEEPEST_KEY: usize = 2;

/// Attributes of tags that people read.
const LABELS: &[&str] =
    &["label", "title", "placeholder", "alt", "aria-label", "value", "header", "heading", "tooltip"];

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
        let attribute_lines =
            text.get(..lines_before).unwrap_or_default().iter().filter(|byte| **byte == b'\n').count();
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

    /// The name of a node, and the node that says it.
    fn name_of<'n>(&self, kind: SymbolKind, node: Node<'n>) -> Option<(String, Option<Node<'n>>)> {
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
    fn function_name<'n>(&self, node: Node<'n>) -> Option<Node<'n>> {
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

    fn is_exported(&self, head: &str, name: &str) -> bool {
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

    fn import(&mut self, node: Node<'_>) {
        self.attributes_from = None;
        if self.outline.imports.len() < MOST_IMPORTS {
            let text = self.shown(node);
            self.outline.imports.extend(imports::read(self.language, node.kind(), &text));
        }
    }

    fn call(&mut self, node: Node<'_>, depth: usize) -> bool {
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

    fn is_inside_test(&self) -> bool {
        self.frames.iter().any(|frame| frame.kind == Some(SymbolKind::Test))
    }

    fn facts(&mut self) -> Option<&mut TestFacts> {
        let at = self.frames.iter().rev().find(|frame| frame.kind == Some(SymbolKind::Test))?.symbol?;
        self.outline.symbols.get_mut(at)?.test.as_mut()
    }

    fn assertion(&mut self, arguments: &str) {
        let trivial = tests_found::looks_at_nothing(arguments);
        if let Some(facts) = self.facts() {
            facts.asserts += 1;
            facts.trivial += u32::from(trivial);
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

    fn label(&mut self, text: &str) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.chars().any(char::is_alphabetic) && self.outline.ui_labels.len() < MOST_LABELS {
            let label = cut(&text, LONGEST_LABEL);
            if !self.outline.ui_labels.contains(&label) {
                self.outline.ui_labels.push(label);
            }
        }
    }

    fn tag_attribute(&mut self, node: Node<'_>) {
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

fn last_child(node: Node<'_>) -> Option<Node<'_>> {
    let count = node.named_child_count();
    node.named_child(u32::try_from(count.checked_sub(1)?).ok()?)
}

/// `&'a mut Cart<T>` → `Cart`
fn plain_type(text: &str) -> String {
    let text = text.split(['<', '[']).next().unwrap_or(text).trim().trim_start_matches(['&', '*']);
    let text = text.rsplit([' ', '*']).next().unwrap_or(text);
    text.rsplit("::").next().unwrap_or(text).to_owned()
}

/// The string that arguments begin with.
fn first_string(arguments: &str) -> Option<String> {
    let text = arguments.trim_start_matches(['(', ' ', '\n', '\t', '\r']);
    if !text.starts_with(['"', '\'', '`']) {
        return None;
    }
    imports::quoted(text)
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
