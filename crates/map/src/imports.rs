//! What a file names of others, read from the text of the statement that names it.

use serde::{Deserialize, Serialize};

use crate::Language;

/// Another file or module, as written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Import {
    /// Where from: `./cart`, `a.b`, `crate::a::b`, `k8s.io/api`.
    pub target: String,
    /// What is taken from there, as far as it is said.
    pub names: Vec<String>,
}

/// Statements longer than this are not read.
const LONGEST: usize = 8_000;

impl Import {
    pub(crate) fn plain(target: impl Into<String>) -> Self {
        Self { target: target.into(), names: Vec::new() }
    }
}

/// Reads a statement that imports.
pub(crate) fn read(language: Language, kind: &str, text: &str) -> Vec<Import> {
    if text.len() > LONGEST {
        return Vec::new();
    }
    match language {
        Language::Rust => rust(text),
        Language::Python => python(kind, text),
        Language::JavaScript | Language::TypeScript | Language::Tsx => javascript(text),
        Language::Go => quoted(text).map(Import::plain).into_iter().collect(),
        Language::Java => java(text),
        Language::C | Language::Cpp => include(text),
        Language::CSharp => csharp(text),
        Language::Php if kind == "namespace_use_declaration" => php_use(text),
        Language::Php | Language::Css => quoted(text).map(Import::plain).into_iter().collect(),
        Language::Bash => bash(text),
        _ => Vec::new(),
    }
}

/// Reads a call that imports: `require("./a")`, `import("./a")`, `require_relative "a"`.
pub(crate) fn call(language: Language, callee: &str, arguments: &str) -> Option<Import> {
    let fits = match language {
        Language::JavaScript | Language::TypeScript | Language::Tsx => {
            matches!(callee, "require" | "import" | "require.resolve" | "jest.mock" | "vi.mock")
        }
        Language::Ruby => matches!(callee, "require" | "require_relative" | "load" | "autoload"),
        _ => false,
    };
    if !fits {
        return None;
    }
    let target = quoted(arguments)?;
    Some(Import::plain(if callee == "require_relative" && !target.starts_with('.') {
        format!("./{target}")
    } else {
        target
    }))
}

/// The text between the first quotes.
pub(crate) fn quoted(text: &str) -> Option<String> {
    let start = text.find(['"', '\'', '`'])?;
    let mark = text[start..].chars().next()?;
    let body = &text[start + 1..];
    let end = body.find(mark)?;
    let inside = body[..end].trim();
    (!inside.is_empty() && inside.len() < 500).then(|| inside.to_owned())
}

fn names(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$')
        .filter(|word| {
            !word.is_empty()
                && !matches!(*word, "import" | "export" | "type" | "as" | "from" | "default" | "typeof")
        })
        .map(str::to_owned)
        .collect()
}

fn javascript(text: &str) -> Vec<Import> {
    // The source is the last string: `import {a} from "x"`, `export * from "x"`, `import "x"`.
    let Some(end) = text.rfind(['"', '\'']) else { return Vec::new() };
    let Some(mark) = text[end..].chars().next() else { return Vec::new() };
    let Some(start) = text[..end].rfind(mark) else { return Vec::new() };
    let target = text[start + 1..end].to_owned();
    // `import data from "x" with { type: "json" }`
    if let Some(at) = text[..start].find(" with ").or_else(|| text[..start].find(" assert ")) {
        return javascript(&text[..at]);
    }
    if target.is_empty() {
        return Vec::new();
    }
    vec![Import { target, names: names(&text[..start]) }]
}

fn python(kind: &str, text: &str) -> Vec<Import> {
    let text = text.replace(['(', ')', '\\', '\n'], " ");
    let alias = |part: &str| part.split_whitespace().next().unwrap_or("").to_owned();
    if kind == "import_from_statement" {
        let Some(rest) = text.trim().strip_prefix("from") else { return Vec::new() };
        let Some((module, names)) = rest.split_once(" import ") else { return Vec::new() };
        let names =
            names.split(',').map(alias).filter(|name| !name.is_empty() && !name.starts_with('#')).collect();
        return vec![Import { target: module.split_whitespace().collect(), names }];
    }
    let Some(rest) = text.trim().strip_prefix("import") else { return Vec::new() };
    rest.split(',').map(alias).filter(|name| !name.is_empty()).map(Import::plain).collect()
}

/// Every path that a `use` names.
fn rust(text: &str) -> Vec<Import> {
    let Some(at) = text.find("use ") else { return Vec::new() };
    let body: String = text[at + 4..].trim_end_matches(';').split_whitespace().collect::<Vec<_>>().join(" ");
    let mut out = Vec::new();
    expand("", &body, 0, &mut out);
    out
}

fn expand(prefix: &str, tree: &str, depth: usize, out: &mut Vec<Import>) {
    const DEEPEST: usize = 12;
    let tree = tree.trim();
    if tree.is_empty() || depth > DEEPEST || out.len() > 200 {
        return;
    }
    let joined = |path: &str| {
        let path = path.trim().trim_end_matches("::");
        match (prefix.is_empty(), path.is_empty()) {
            (true, _) => path.to_owned(),
            (_, true) => prefix.to_owned(),
            _ => format!("{prefix}::{path}"),
        }
    };
    if let Some(open) = tree.find('{') {
        let inside = tree[open + 1..].trim_end().strip_suffix('}').unwrap_or(&tree[open + 1..]);
        let prefix = joined(&tree[..open]);
        for part in split_top(inside) {
            expand(&prefix, part, depth + 1, out);
        }
        return;
    }
    let path = tree.split(" as ").next().unwrap_or(tree);
    let full = joined(path);
    let (target, name) = match full.rsplit_once("::") {
        Some((target, "self" | "*")) => (target.to_owned(), None),
        Some((target, name)) => (target.to_owned(), Some(name.to_owned())),
        None => (full, None),
    };
    out.push(Import { target, names: name.into_iter().collect() });
}

/// Splits at commas that are in no braces.
fn split_top(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0_i32, 0, Vec::new());
    for (at, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

fn java(text: &str) -> Vec<Import> {
    let path = text
        .trim()
        .trim_start_matches("import")
        .trim()
        .trim_start_matches("static ")
        .trim_end_matches(';')
        .trim();
    let path = path.strip_suffix(".*").unwrap_or(path);
    let name = path.rsplit('.').next().unwrap_or(path).to_owned();
    if path.is_empty() { Vec::new() } else { vec![Import { target: path.to_owned(), names: vec![name] }] }
}

fn include(text: &str) -> Vec<Import> {
    let rest = text.trim().trim_start_matches('#').trim_start().trim_start_matches("include").trim();
    let target = rest.trim_start_matches(['"', '<']).split(['"', '>']).next().unwrap_or("").trim();
    if target.is_empty() || target.len() > 500 { Vec::new() } else { vec![Import::plain(target)] }
}

fn csharp(text: &str) -> Vec<Import> {
    let path = text.trim().trim_start_matches("global ").trim_start_matches("using").trim();
    let path = path.trim_start_matches("static ").trim_end_matches(';').trim();
    let path = path.rsplit('=').next().unwrap_or(path).trim();
    if path.is_empty() { Vec::new() } else { vec![Import::plain(path)] }
}

fn php_use(text: &str) -> Vec<Import> {
    let body = text.trim().trim_start_matches("use").trim().trim_end_matches(';');
    let body = body.trim_start_matches("function ").trim_start_matches("const ");
    let whole = |prefix: &str, part: &str| {
        let path = format!("{prefix}{}", part.split(" as ").next().unwrap_or(part).trim());
        let name = path.rsplit('\\').next().unwrap_or("").to_owned();
        Import { target: path.trim_start_matches('\\').to_owned(), names: vec![name] }
    };
    match body.split_once('{') {
        Some((prefix, rest)) => {
            rest.trim_end_matches('}').split(',').map(|part| whole(prefix.trim(), part)).collect()
        }
        None => body.split(',').map(|part| whole("", part)).collect(),
    }
}

/// `source lib.sh` and `. ./lib.sh`; every other command names no file that matters.
fn bash(text: &str) -> Vec<Import> {
    let mut words = text.split_whitespace();
    if !matches!(words.next(), Some("source" | ".")) {
        return Vec::new();
    }
    let Some(file) = words.next() else { return Vec::new() };
    let file = file.trim_matches(['"', '\'']);
    // A folder that only the shell knows; the rest of the path may be enough.
    let file = match file.rfind('}') {
        Some(at) => file[at + 1..].trim_start_matches('/'),
        None if file.starts_with('$') => file.split_once('/').map_or("", |(_, rest)| rest),
        None => file,
    };
    if file.is_empty() { Vec::new() } else { vec![Import::plain(file)] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn targets(language: Language, kind: &str, text: &str) -> Vec<String> {
        read(language, kind, text)
            .into_iter()
            .map(|import| format!("{}[{}]", import.target, import.names.join(",")))
            .collect()
    }

    #[test]
    fn each_language_says_it_in_its_way() {
        let rust = targets(Language::Rust, "", "pub use crate::a::{self, b::{C, D as E}, f};");
        assert_eq!(rust, ["crate::a[]", "crate::a::b[C]", "crate::a::b[D]", "crate::a[f]"]);
        assert_eq!(
            targets(Language::Python, "import_from_statement", "from .a import (b, c as d)"),
            [".a[b,c]"]
        );
        assert_eq!(targets(Language::Python, "import_statement", "import a.b, c as d"), ["a.b[]", "c[]"]);
        assert_eq!(
            targets(Language::TypeScript, "", "import type { A, B as C } from './a';"),
            ["./a[A,B,C]"]
        );
        assert_eq!(
            targets(Language::JavaScript, "", "import x from \"./x.json\" with { type: \"json\" }"),
            ["./x.json[x]"]
        );
        assert_eq!(targets(Language::Java, "", "import static a.b.C.d;"), ["a.b.C.d[d]"]);
        assert_eq!(targets(Language::C, "", "#include \"a/b.h\""), ["a/b.h[]"]);
        assert_eq!(
            targets(Language::Php, "namespace_use_declaration", "use A\\B\\{C, D};"),
            ["A\\B\\C[C]", "A\\B\\D[D]"]
        );
        assert_eq!(targets(Language::Bash, "", "source \"${ROOT}/hack/lib.sh\""), ["hack/lib.sh[]"]);
        assert!(targets(Language::Bash, "", "echo source").is_empty());
    }
}
