//! Does the result still parse? A warning, never a reason to refuse: a patch may be one step of several.
//!
//! JSON and TOML are read by their parsers, other languages by their grammars. The result is parsed once; the text before
//! only if the result has an error, because what was broken already is not the patch's doing.

use ::map::{self, Language};

use super::report::Checked;

/// Longer files are not checked.
const LONGEST: usize = 8 << 20;

/// Says what is wrong with a text.
type Parser = fn(&[u8]) -> Option<String>;

/// Checks a result, if its kind is known. A file that did not parse before is not reported.
pub(super) fn check(path: &str, before: Option<&[u8]>, after: Option<&[u8]>) -> Option<Checked> {
    let after = after.filter(|content| content.len() <= LONGEST)?;
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    let (language, parse): (_, Parser) = match ending {
        "json" => ("json", json_problem),
        "toml" => ("toml", toml_problem),
        _ => return by_grammar(path, before, after),
    };
    let problem = parse(after).filter(|_| before.is_none_or(|before| parse(before).is_none()));
    let problem =
        problem.map(|problem| format!("the result is not valid {}: {problem}", language.to_uppercase()));
    Some(Checked { path: path.to_owned(), language, problem })
}

fn by_grammar(path: &str, before: Option<&[u8]>, after: &[u8]) -> Option<Checked> {
    let language = Language::of(path.as_bytes(), after)?;
    let result = map::outline(language, after);
    if result.unread.is_some() {
        return None;
    }
    let broken = |text: &[u8]| {
        let outline = map::outline(language, text);
        outline.syntax_error.is_some() || outline.unread.is_some()
    };
    // Of a new file in a language that no grammar reads as a whole, nothing can be said.
    let doubtful = before.is_none() && !language.grammar_is_exact();
    let problem = result.syntax_error.filter(|_| !doubtful && !before.is_some_and(broken)).map(|line| {
        let name = language.name();
        let sure = if language.grammar_is_exact() { "is not" } else { "may not be" };
        format!("the result {sure} valid {name}: see line {line}")
    });
    Some(Checked { path: path.to_owned(), language: language.id(), problem })
}

fn json_problem(content: &[u8]) -> Option<String> {
    serde_json::from_slice::<serde::de::IgnoredAny>(content).err().map(|error| error.to_string())
}

fn toml_problem(content: &[u8]) -> Option<String> {
    let text = match std::str::from_utf8(content) {
        Ok(text) => text,
        Err(error) => return Some(error.to_string()),
    };
    toml::from_str::<toml::Table>(text).err().map(|error| {
        let line = error.span().map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
        let place = line.map(|line| format!(" at line {line}")).unwrap_or_default();
        format!("{}{place}", error.message())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_patch_broke_is_reported() {
        let broken = |path: &str, before: Option<&[u8]>, after: &[u8]| {
            check(path, before, Some(after)).map(|checked| checked.problem.is_some())
        };
        assert_eq!(broken("a.json", Some(b"{}"), b"{"), Some(true));
        assert_eq!(broken("a.json", Some(b"{ // c"), b"{ // d"), Some(false));
        assert_eq!(broken("a.toml", None, b"a = 1\nb ="), Some(true));
        assert_eq!(broken("a.toml", Some(b"a = 1"), b"a = 2"), Some(false));
        assert_eq!(broken("a.rs", None, b"fn ("), Some(true));
        assert_eq!(broken("a.rs", Some(b"fn a() {}"), b"fn a() {"), Some(true));
        assert_eq!(broken("a.rs", Some(b"fn a() {"), b"fn b() {"), Some(false));
        assert_eq!(broken("a.py", Some(b"a = 1\n"), b"a = 2\n"), Some(false));
        assert_eq!(broken("a.c", None, b"MACRO(x) {"), Some(false));
        assert_eq!(broken("notes.txt", None, b"fn ("), None);
    }
}
