//! Names that a text gets from elsewhere: what it imports and what it hands on. A name that is only brought in is not lost, and a text
//! that brings it in must not define it again.

use std::collections::BTreeSet;

/// One statement that brings names in.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Brought {
    /// The names, as they are used here.
    pub(super) names: BTreeSet<String>,
    /// The whole statement.
    pub(super) text: String,
    /// It takes everything there is.
    pub(super) all: bool,
    /// And hands it on.
    pub(super) hands_on: bool,
}

/// Every such statement of a text, in the languages that have them.
pub(super) fn brought(path: &str, text: &str) -> Vec<Brought> {
    let statements = statements(text);
    match ending(path) {
        "js" | "mjs" | "cjs" | "jsx" | "ts" | "tsx" | "mts" | "cts" | "vue" | "svelte" => {
            statements.iter().filter_map(|text| of_js(text)).collect()
        }
        "py" | "pyi" => statements.iter().filter_map(|text| of_python(text)).collect(),
        "rs" => statements.iter().filter_map(|text| of_rust(text)).collect(),
        _ => Vec::new(),
    }
}

/// Every name that a text brings in by name.
pub(super) fn names(path: &str, text: &str) -> BTreeSet<String> {
    brought(path, text).into_iter().filter(|one| !one.is_only_handed_on()).flat_map(|one| one.names).collect()
}

/// Every name that a text hands on without defining it.
pub(super) fn handed_on(path: &str, text: &str) -> BTreeSet<String> {
    brought(path, text).into_iter().filter(|one| one.hands_on).flat_map(|one| one.names).collect()
}

impl Brought {
    /// `export { a } from './b'` makes no name of this text, but no other may be handed on under it.
    fn is_only_handed_on(&self) -> bool {
        self.hands_on && self.text.trim_start().starts_with("export")
    }
}

pub(super) fn ending(path: &str) -> &str {
    path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map_or("", |(_, ending)| ending)
}

/// Lines that begin such a statement, each with the lines up to where its brackets close.
fn statements(text: &str) -> Vec<String> {
    const STARTS: [&str; 7] = ["import ", "import{", "export {", "export{", "export *", "from ", "use "];
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let start = line.trim_start();
        let start = start.strip_prefix("pub ").or_else(|| start.strip_prefix("pub(crate) ")).unwrap_or(start);
        let is_require = start.contains("require(")
            && ["const ", "let ", "var "].iter().any(|word| start.starts_with(word));
        if !is_require && !STARTS.iter().any(|word| start.starts_with(word)) {
            continue;
        }
        let mut whole = line.trim().to_owned();
        let is_open = |text: &str| {
            let count = |letter: char| text.matches(letter).count();
            count('{') > count('}') || count('(') > count(')')
        };
        let mut left = 60;
        while is_open(&whole) && left > 0 {
            let Some(next) = lines.next() else { break };
            whole.push(' ');
            whole.push_str(next.trim());
            left -= 1;
        }
        // `export { a }` may say on the next line from where.
        found.push(whole);
    }
    found
}

fn of_js(text: &str) -> Option<Brought> {
    let hands_on = text.starts_with("export");
    if hands_on && !text.contains(" from ") && !text.contains("}from") {
        return None;
    }
    let all = text.contains('*');
    let inner = match (text.split_once('{'), text.contains("require(")) {
        (Some((front, rest)), _) => {
            let braced = rest.split_once('}').map_or(rest, |(inner, _)| inner);
            let front =
                front.trim_start_matches("import").trim_start_matches("type ").trim().trim_end_matches(',');
            let front = ["const", "let", "var", "export"]
                .iter()
                .fold(front, |text, word| text.trim_start_matches(word));
            format!("{front},{braced}")
        }
        (None, true) => text.split_once('=')?.0.split_whitespace().nth(1)?.to_owned(),
        (None, false) => {
            let front = text.strip_prefix("import").or_else(|| text.strip_prefix("export"))?;
            front.split(" from ").next()?.replace("* as", "")
        }
    };
    let separator = if text.contains("require(") { ":" } else { " as " };
    Some(Brought { names: list(&inner, separator), text: text.to_owned(), all, hands_on })
}

fn of_python(text: &str) -> Option<Brought> {
    let text = text.split(" #").next().unwrap_or(text);
    if let Some(rest) = text.strip_prefix("from ") {
        let (_, names) = rest.split_once(" import ")?;
        let names = names.trim().trim_start_matches('(').trim_end_matches(')');
        let all = names.trim() == "*";
        return Some(Brought { names: list(names, " as "), text: text.to_owned(), all, hands_on: true });
    }
    let names = text.strip_prefix("import ")?;
    Some(Brought { names: list(names, " as "), text: text.to_owned(), all: false, hands_on: false })
}

fn of_rust(text: &str) -> Option<Brought> {
    let hands_on = text.starts_with("pub");
    let path = text.split_once("use ")?.1.trim_end_matches(';');
    let inner = path.rsplit("::").next().filter(|_| !path.contains('{')).map(str::to_owned);
    let inner = inner.or_else(|| Some(path.split_once('{')?.1.replace(['{', '}'], ",")))?;
    let last = |name: &str| name.rsplit("::").next().unwrap_or(name).to_owned();
    let names = list(&inner, " as ").iter().map(|name| last(name)).collect();
    Some(Brought { names, text: text.to_owned(), all: path.contains('*'), hands_on })
}

fn list(text: &str, separator: &str) -> BTreeSet<String> {
    let name = |piece: &str| {
        let piece = piece.trim().trim_start_matches("type ").trim();
        piece.rsplit(separator).next().unwrap_or(piece).trim().trim_end_matches(';').to_owned()
    };
    let is_name = |text: &String| {
        !text.is_empty()
            && text.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '$' | ':' | '.'))
    };
    text.split(',').map(name).filter(is_name).collect()
}

#[cfg(test)]
mod tests {
    use super::{brought, handed_on, names};

    fn set(names: &[&str]) -> std::collections::BTreeSet<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn what_is_brought_in_is_known_in_three_languages() {
        let js = "import a, { b, c as d } from './x.js';\nimport * as e from 'e';\nconst { f } = require('./f');\nconst g = require('g');\n";
        assert_eq!(names("m.js", js), set(&["a", "b", "d", "e", "f", "g"]));
        let many = "import {\n  slug,\n  mail,\n} from './x.js';\n";
        assert_eq!(names("m.ts", many), set(&["mail", "slug"]));
        assert_eq!(handed_on("m.js", "export { mail } from './mail.js';\nexport { own };\n"), set(&["mail"]));
        assert!(brought("m.js", "export * from './mail.js';\n")[0].all);
        assert_eq!(names("m.py", "from .a import (b,\n    c as d)\nimport e\n"), set(&["b", "d", "e"]));
        assert_eq!(names("m.rs", "use crate::a::b;\npub use c::{d, e as f};\n"), set(&["b", "d", "f"]));
    }
}
