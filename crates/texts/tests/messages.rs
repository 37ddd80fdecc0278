//! The languages say the same things, and the code names only messages that exist.

#![cfg(test)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};
use texts::{AREAS, Language, Texts};

type Variables = BTreeSet<String>;

fn variables(pattern: &Pattern<&str>, found: &mut Variables) {
    for element in &pattern.elements {
        if let PatternElement::Placeable { expression } = element {
            in_expression(expression, found);
        }
    }
}

fn in_expression(expression: &Expression<&str>, found: &mut Variables) {
    let inline = match expression {
        Expression::Inline(inline) => inline,
        Expression::Select { selector, variants } => {
            variants.iter().for_each(|variant| variables(&variant.value, found));
            selector
        }
    };
    match inline {
        InlineExpression::VariableReference { id } => {
            found.insert(id.name.to_owned());
        }
        InlineExpression::Placeable { expression } => in_expression(expression, found),
        _ => {}
    }
}

/// The ids of one file with their variables. A file that is not in good order fails here.
fn messages(area: &str, language: Language, text: &str) -> BTreeMap<String, Variables> {
    let parsed = fluent_syntax::parser::parse(text)
        .unwrap_or_else(|(_, problems)| panic!("{}/{area}.ftl: {problems:?}", language.code()));
    let mut found = BTreeMap::new();
    for entry in parsed.body {
        if let Entry::Message(message) = entry {
            let id = message.id.name.to_owned();
            assert!(id.starts_with(area), "`{id}` in {area}.ftl does not begin with its area");
            let mut names = Variables::new();
            variables(message.value.as_ref().expect("every message has a text"), &mut names);
            assert!(
                found.insert(id.clone(), names).is_none(),
                "`{id}` is there twice in {}",
                language.code()
            );
        }
    }
    found
}

#[test]
fn every_language_has_every_message_with_the_same_variables() {
    for (area, files) in AREAS {
        let english = messages(area, Language::En, files[0]);
        assert!(!english.is_empty(), "{area}");
        for language in [Language::Ko, Language::Zh] {
            assert_eq!(
                english,
                messages(area, language, files[language as usize]),
                "{area} in {}",
                language.code()
            );
        }
    }
}

#[test]
fn the_code_names_only_messages_that_exist_and_every_message_is_named() {
    let known: BTreeSet<String> =
        AREAS.iter().flat_map(|(area, files)| messages(area, Language::En, files[0]).into_keys()).collect();
    let mut named = BTreeSet::new();
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    collect(&crates, &mut named);
    // An id is a string literal that begins with the name of an area and a dash.
    let missing: Vec<_> = named.difference(&known).collect();
    assert!(missing.is_empty(), "named in the code, but there is no such message: {missing:?}");
    // Those of settings are put together from their names; a test of the page holds them to the list of settings.
    let is_free = |id: &str| id.starts_with("common-") || id.starts_with("web-setting-");
    let unused: Vec<_> = known.difference(&named).filter(|id| !is_free(id)).collect();
    assert!(unused.is_empty(), "messages that nobody says: {unused:?}");
}

/// Every literal like `"area-…"` in the sources below a folder.
fn collect(folder: &Path, named: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("the sources are here") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            if path.file_name().is_none_or(|name| name != "tests" && name != "target") {
                collect(&path, named);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).expect("a source file");
            for literal in text.split('"') {
                let is_id =
                    AREAS.iter().any(|(area, _)| {
                        literal.strip_prefix(area).is_some_and(|rest| rest.starts_with('-') && rest.len() > 1)
                    }) && literal.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
                if is_id {
                    named.insert(literal.to_owned());
                }
            }
        }
    }
}

#[test]
fn numbers_and_names_are_filled_in() {
    let say = |language, count: i64| Texts::new(language).say("common-files", &[("count", count.into())]);
    assert_eq!(say(Language::En, 1), "1 file");
    assert_eq!(say(Language::En, 12_345), "12,345 files");
    assert_eq!(say(Language::Ko, 3), "파일 3개");
    assert_eq!(say(Language::Zh, 3), "3 个文件");
    assert_eq!(Texts::new(Language::En).say("no-such-message", &[]), "[no-such-message]");
}
