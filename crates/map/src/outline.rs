//! [`Outline`]: what is in one text.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::gaps;
use crate::imports::Import;
use crate::patience::{self, Parsed};
use crate::rules::Rules;
use crate::{Anchor, Category, Language, Symbol, anchors, category, walk};

/// Longer texts are not parsed.
const LONGEST: usize = 2 << 20;

/// A text with lines this long on average was made by a program.
const MINIFIED_LINE: usize = 400;

/// Why a text was not parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unread {
    /// Too long.
    TooLong,
    /// It is no text.
    Binary,
    /// Made by a program, for a program: no line breaks.
    Minified,
    /// Parsing took too long.
    TookTooLong,
    /// A program made it, or it is data of tests: on the map, but what is in it is nobody's work.
    Made,
    /// Other texts of its language took too long before it; it is read another time.
    NoTimeLeft,
}

/// What is in one text.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Outline {
    /// What has a name, in order of place.
    pub symbols: Vec<Symbol>,
    /// Other files that it names, as written.
    pub imports: Vec<Import>,
    /// Named places.
    pub anchors: Vec<Anchor>,
    /// Named places that lack a beginning or an end.
    pub broken_anchors: u32,
    /// Words that people see: of buttons, titles, fields.
    pub ui_labels: Vec<String>,
    /// The grammar does not understand all of it; the first such line, from 1.
    pub syntax_error: Option<u32>,
    /// It says of itself that a program made it.
    pub generated: bool,
    /// Some tests are picked out, so that the others do not run (`it.only`); the line.
    pub focused: Option<u32>,
    /// The name under which others import it, for a file that says so (`go.mod`, `package.json`, `Cargo.toml`).
    pub package: Option<String>,
    /// How many lines it has.
    pub lines: u32,
    /// Why it was not parsed.
    pub unread: Option<Unread>,
}

impl Outline {
    /// The tests.
    pub fn tests(&self) -> impl Iterator<Item = &Symbol> {
        self.symbols.iter().filter(|symbol| symbol.test.is_some())
    }
}

/// The outline of a file, by its path and content; without a language only what every text has.
pub fn outline_of_path(path: &[u8], content: &[u8]) -> (Option<Language>, Outline) {
    let language = Language::of(path, content);
    let mut outline = match language {
        Some(language) => outline(language, content),
        None => bare(content),
    };
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
    outline.package = match name {
        b"go.mod" => word_after(content, b"module "),
        b"package.json" | b"composer.json" => serde_json::from_slice::<serde_json::Value>(content)
            .ok()
            .and_then(|json| json.get("name").and_then(|name| name.as_str().map(str::to_owned))),
        b"Cargo.toml" | b"pyproject.toml" => word_after(content, b"name = "),
        _ => None,
    };
    (language, outline)
}

/// The outline of a file for the map, where generated files, code of others and data of tests are listed and not parsed: nobody
/// works in them, and in many projects they are most of the text.
pub(crate) fn outline_for_map(path: &[u8], content: &[u8]) -> (Option<Language>, Outline) {
    let by_path = Language::of_path(path);
    let data =
        |language: Language| !language.is_code() && language != Language::Html && language != Language::Css;
    let names_package = matches!(
        path.rsplit(|byte| *byte == b'/').next().unwrap_or(path),
        b"go.mod" | b"package.json" | b"composer.json" | b"Cargo.toml" | b"pyproject.toml"
    );
    let made = match category(path) {
        Category::Generated => true,
        Category::Test => by_path.is_some_and(data),
        _ => says_generated(content),
    };
    if !made || names_package {
        return outline_of_path(path, content);
    }
    let mut outline = bare(content);
    outline.unread.get_or_insert(Unread::Made);
    outline.generated |= category(path) == Category::Generated;
    (by_path, outline)
}

/// The outline of a text.
pub fn outline(language: Language, text: &[u8]) -> Outline {
    let mut outline = bare(text);
    if outline.unread.is_some() {
        return outline;
    }
    let rules = Rules::of(language);
    let started = Instant::now();
    match patience::parse(language, text, started, None) {
        Parsed::Tree(tree) => {
            walk::walk(language, rules, text, &tree, &mut outline);
            // What people write and grammars do not know is no error.
            if outline.syntax_error.is_some() {
                let again = |text: &[u8]| patience::parse(language, text, started, None).tree();
                let bridged = gaps::bridged(language, text, &tree, again);
                if bridged.is_some_and(|(_, tree)| !tree.root_node().has_error()) {
                    outline.syntax_error = None;
                }
            }
        }
        Parsed::TookTooLong => outline.unread = Some(Unread::TookTooLong),
        Parsed::NoTimeLeft => outline.unread = Some(Unread::NoTimeLeft),
    }
    outline
}

/// What every text has.
pub(crate) fn bare(text: &[u8]) -> Outline {
    let mut outline = Outline::default();
    if text.iter().take(8_000).any(|byte| *byte == 0) {
        outline.unread = Some(Unread::Binary);
        return outline;
    }
    let breaks = words::line_breaks(text);
    let lines = breaks + usize::from(text.last().is_some_and(|byte| *byte != b'\n'));
    outline.lines = u32::try_from(lines).unwrap_or(u32::MAX);
    outline.anchors = anchors(text);
    outline.broken_anchors = u32::try_from(crate::anchor_problems(text).len()).unwrap_or(u32::MAX);
    outline.generated = says_generated(text);
    if text.len() > LONGEST {
        outline.unread = Some(Unread::TooLong);
    } else if text.len() > 20_000 && text.len() / lines.max(1) > MINIFIED_LINE {
        outline.unread = Some(Unread::Minified);
    }
    outline
}

/// "Code generated … DO NOT EDIT" and the like, in the first lines.
fn says_generated(text: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&text[..text.len().min(2_000)]).to_ascii_lowercase();
    head.lines().take(20).any(|line| {
        line.contains("@generated")
            || (line.contains("generated") && line.contains("do not edit"))
            || line.contains("auto-generated file")
            || line.contains("autogenerated by")
    })
}

/// The word after a mark at the beginning of a line, without quotes.
fn word_after(text: &[u8], mark: &[u8]) -> Option<String> {
    let line = text.split(|byte| *byte == b'\n').find_map(|line| line.strip_prefix(mark))?;
    let word = String::from_utf8_lossy(line);
    let word = word.split_whitespace().next()?.trim_matches(['"', '\'']);
    (!word.is_empty()).then(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_not_read_says_why() {
        assert_eq!(outline(Language::C, b"a\0b").unread, Some(Unread::Binary));
        assert_eq!(outline(Language::JavaScript, &b"a();".repeat(10_000)).unread, Some(Unread::Minified));
        assert_eq!(outline(Language::JavaScript, &b"a();\n".repeat(600_000)).unread, Some(Unread::TooLong));
    }

    #[test]
    fn a_syntax_error_has_a_line() {
        assert_eq!(outline(Language::Python, b"def a():\n    return 1\n").syntax_error, None);
        assert_eq!(outline(Language::JavaScript, b"let a = 1;\nlet b = ;\n").syntax_error, Some(2));
        assert_eq!(
            outline(Language::Rust, b"fn a() {}\nfn b( {\n").syntax_error.map(|line| line >= 2),
            Some(true)
        );
    }

    #[test]
    fn deep_nesting_is_walked_without_a_stack() {
        let deep = "(".repeat(50_000) + &")".repeat(50_000);
        let text = deep
            .as_bytes()
            .chunks(80)
            .map(|line| String::from_utf8_lossy(line))
            .collect::<Vec<_>>()
            .join("\n");
        assert!(outline(Language::JavaScript, text.as_bytes()).symbols.is_empty());
        assert!(outline(Language::Python, text.as_bytes()).symbols.is_empty());
    }

    #[test]
    fn packages_name_themselves() {
        let name = |path: &str, text: &str| outline_of_path(path.as_bytes(), text.as_bytes()).1.package;
        assert_eq!(name("a/go.mod", "module k8s.io/api\n"), Some("k8s.io/api".to_owned()));
        assert_eq!(name("package.json", "{\"name\": \"@a/b\"}"), Some("@a/b".to_owned()));
        assert_eq!(name("Cargo.toml", "[package]\nname = \"x-y\"\n"), Some("x-y".to_owned()));
    }

    #[test]
    fn what_a_program_made_is_on_the_map_and_not_parsed() {
        let unread = |path: &str, text: &str| outline_for_map(path.as_bytes(), text.as_bytes()).1.unread;
        assert_eq!(unread("zz_generated.go", "package a\n"), Some(Unread::Made));
        assert_eq!(unread("a.go", "// Code generated by x. DO NOT EDIT.\npackage a\n"), Some(Unread::Made));
        assert_eq!(unread("testdata/a.yaml", "a: 1\n"), Some(Unread::Made));
        assert_eq!(unread("tests/a.py", "a = 1\n"), None);
        assert_eq!(unread("a.yaml", "a: 1\n"), None);
        assert_eq!(
            outline_for_map(b"vendor/a/go.mod", b"module b.c/d\n").1.package.as_deref(),
            Some("b.c/d")
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn any_bytes_have_an_outline(bytes in proptest::collection::vec(any::<u8>(), 0..400), at in 0..Language::ALL.len()) {
            let outline = outline(Language::ALL[at], &bytes);
            prop_assert!(outline.symbols.iter().all(|symbol| symbol.first_line <= symbol.last_line));
        }

        #[test]
        fn any_piece_of_code_has_an_outline(
            words in proptest::collection::vec(prop_oneof![
                Just("fn"), Just("def a("), Just("class"), Just("{"), Just("}"), Just("("), Just(")"), Just("\n"), Just("\""),
                Just("'"), Just(":"), Just("it('x',"), Just("=>"), Just("import"), Just("from"), Just("#[test]"), Just("@Test"),
                Just("assert"), Just("const x ="), Just("use a::{b"), Just("<div id="), Just("é中"), Just("    "), Just("- a: "),
                Just("=== ANCHOR: A_START ==="), Just("impl"), Just("func (t *T) F("), Just("require("), Just("#include <"), Just("\\"),
            ], 0..80),
            at in 0..Language::ALL.len(),
        ) {
            let text = words.join(" ");
            let outline = outline(Language::ALL[at], text.as_bytes());
            let lines = outline.lines.max(1) + 1;
            prop_assert!(outline.symbols.iter().all(|s| s.first_line >= 1 && s.last_line <= lines), "{text:?} {outline:?}");
        }
    }
}
