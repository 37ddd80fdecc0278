//! What is a test, what is an assertion, and what asserts nothing.

use crate::{Language, SymbolKind};

/// What a call that runs a test or a group of tests says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TestCall {
    pub(crate) kind: SymbolKind,
    pub(crate) skipped: bool,
    pub(crate) focused: bool,
}

/// Reads the callee of a call: `it`, `describe.skip`, `test.each(table)`.
pub(crate) fn test_call(language: Language, callee: &str) -> Option<TestCall> {
    let known =
        matches!(language, Language::JavaScript | Language::TypeScript | Language::Tsx | Language::Ruby);
    if !known {
        return None;
    }
    let callee = callee.strip_prefix("RSpec.").unwrap_or(callee);
    let end = callee.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(callee.len());
    let (root, rest) = callee.split_at(end);
    let group = |skipped, focused| Some(TestCall { kind: SymbolKind::TestGroup, skipped, focused });
    let test = |skipped, focused| Some(TestCall { kind: SymbolKind::Test, skipped, focused });
    let has = |word: &str| {
        rest.split(|c: char| !c.is_alphanumeric())
            .take_while(|part| !part.contains('('))
            .any(|part| part == word)
    };
    let (skipped, focused) = (has("skip") || has("todo") || has("fixme"), has("only"));
    match root {
        "describe" | "context" | "suite" | "feature" => group(skipped, focused),
        "xdescribe" | "xcontext" => group(true, false),
        "fdescribe" | "fcontext" => group(false, true),
        "it" | "test" | "specify" | "scenario" if has("describe") => group(skipped, focused),
        // `test.use`, `test.beforeEach` and the like are no tests.
        "it" | "test" | "specify" | "scenario" => {
            let modifiers = rest.trim_start_matches('.').split(['.', '(', '`']).next().unwrap_or("");
            let fits = matches!(
                modifiers,
                "" | "skip"
                    | "only"
                    | "todo"
                    | "each"
                    | "concurrent"
                    | "failing"
                    | "fixme"
                    | "fails"
                    | "serial"
                    | "runIf"
                    | "skipIf"
            );
            if fits { test(skipped, focused) } else { None }
        }
        "xit" | "xtest" | "xspecify" | "pending" => test(true, false),
        "fit" => test(false, true),
        _ => None,
    }
}

/// True if a function is a test: by what stands before its name, or by its name.
pub(crate) fn is_test(language: Language, head: &str, name: &str, whole: &[u8]) -> bool {
    let marked = |marks: &[&str]| words(head).any(|word| marks.contains(&word));
    match language {
        Language::Rust => attributes(head).any(|attribute| {
            let path = attribute.split(['(', '=']).next().unwrap_or("").trim();
            let last = path.rsplit("::").next().unwrap_or("").trim();
            matches!(
                last,
                "test" | "rstest" | "test_case" | "quickcheck" | "wasm_bindgen_test" | "traced_test"
            )
        }),
        Language::Python => name.starts_with("test"),
        Language::Go => {
            ["Test", "Fuzz", "Benchmark"].iter().any(|mark| {
                name.strip_prefix(mark).is_some_and(|rest| !rest.starts_with(|c: char| c.is_lowercase()))
            }) && crate::language::contains(&whole[..whole.len().min(400)], b"testing.")
        }
        Language::Java => marked(&["Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "Property"]),
        Language::CSharp => marked(&["Test", "Fact", "Theory", "TestMethod", "TestCase", "DataTestMethod"]),
        Language::Php => name.starts_with("test") || marked(&["Test"]),
        Language::Ruby => name.starts_with("test_"),
        Language::C | Language::Cpp => {
            let word = name.split('(').next().unwrap_or("");
            matches!(
                word,
                "TEST"
                    | "TEST_F"
                    | "TEST_P"
                    | "TEST_CASE"
                    | "TYPED_TEST"
                    | "BOOST_AUTO_TEST_CASE"
                    | "SCENARIO"
            )
        }
        _ => false,
    }
}

/// True if what stands before a test's name switches it off.
pub(crate) fn is_switched_off(language: Language, head: &str, name: &str) -> bool {
    match language {
        Language::Rust => attributes(head).any(|attribute| {
            let word = attribute.split(['(', '=', ' ']).next().unwrap_or("");
            word == "ignore" || (word == "cfg_attr" && attribute.contains("ignore"))
        }),
        Language::Python => words(head).any(|word| {
            matches!(word, "skip" | "skipif" | "skipIf" | "skipUnless" | "xfail" | "expectedFailure")
        }),
        Language::Java => words(head).any(|word| word == "Disabled" || word == "Ignore"),
        Language::CSharp => words(head).any(|word| word == "Ignore" || word == "Skip" || word == "Explicit"),
        Language::C | Language::Cpp => name.contains("DISABLED_"),
        _ => false,
    }
}

/// True if a call inside a test switches it off.
pub(crate) fn skips(language: Language, callee: &str) -> bool {
    let last = last_word(callee);
    match language {
        Language::Python => {
            matches!(
                callee,
                "pytest.skip" | "self.skipTest" | "pytest.xfail" | "unittest.skip" | "pytest.importorskip"
            )
        }
        Language::Go => matches!(last, "Skip" | "Skipf" | "SkipNow") && callee.contains('.'),
        Language::Php => matches!(last, "markTestSkipped" | "markTestIncomplete"),
        Language::Ruby => matches!(callee, "skip" | "pending"),
        Language::JavaScript | Language::TypeScript | Language::Tsx => {
            matches!(callee, "this.skip" | "test.skip" | "test.fixme" | "ctx.skip" | "t.skip")
        }
        Language::Cpp | Language::C => callee == "GTEST_SKIP",
        Language::CSharp => matches!(callee, "Assert.Ignore" | "Assert.Inconclusive" | "Skip.If"),
        _ => false,
    }
}

/// True if a call asserts something.
pub(crate) fn asserts(language: Language, callee: &str) -> bool {
    let last = last_word(callee);
    let lower = last.to_ascii_lowercase();
    if lower.starts_with("assert") || lower.starts_with("prop_assert") || lower.starts_with("debug_assert") {
        return true;
    }
    let first = words(callee).next().unwrap_or("");
    match language {
        Language::JavaScript | Language::TypeScript | Language::Tsx => {
            last == "expect"
                || first == "assert" && !callee.contains('(')
                || last == "should"
                || matches!(last, "expectTypeOf" | "expectType")
        }
        Language::Ruby => {
            matches!(
                last,
                "expect" | "should" | "should_not" | "is_expected" | "refute" | "must_equal" | "assert_equal"
            ) || last.starts_with("refute_")
        }
        Language::Go => {
            let on_t = matches!(first, "t" | "b" | "f" | "tb" | "c" | "s")
                && matches!(last, "Error" | "Errorf" | "Fatal" | "Fatalf" | "Fail" | "FailNow");
            on_t || matches!(first, "assert" | "require") || matches!(last, "Expect" | "Ω" | "Eventually")
        }
        Language::Python => matches!(callee, "pytest.raises" | "pytest.fail" | "self.fail" | "pytest.warns"),
        Language::Java => matches!(last, "verify" | "fail" | "expectThat" | "andExpect" | "isEqualTo"),
        Language::CSharp => first == "Assert" || last == "Should" || last == "Verify",
        Language::Php => matches!(last, "expectException" | "expect" | "fail"),
        Language::C | Language::Cpp => {
            ["EXPECT_", "ASSERT_", "CHECK", "REQUIRE", "BOOST_"].iter().any(|mark| last.starts_with(mark))
        }
        Language::Rust => matches!(last, "panic" | "compile_fail"),
        _ => false,
    }
}

/// True if the arguments of an assertion name nothing that could be wrong: `(true)`, `(1, 1)`.
pub(crate) fn looks_at_nothing(arguments: &str) -> bool {
    let inner =
        arguments.trim().trim_start_matches(['(', '[', '{']).trim_end_matches([')', ']', '}', ';']).trim();
    if inner.is_empty() {
        return false;
    }
    let mut rest = inner;
    while let Some(character) = rest.chars().next() {
        if matches!(character, '"' | '\'' | '`') {
            // A string says nothing about the program, unless something is put into it.
            let body = &rest[1..];
            let end = body.find(character).unwrap_or(body.len());
            if body[..end].contains('{') {
                return false;
            }
            rest = body.get(end + 1..).unwrap_or("");
        } else if character.is_alphabetic() || character == '_' || character == '$' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').unwrap_or(rest.len());
            let word = &rest[..end];
            let literal = matches!(
                word,
                "true"
                    | "false"
                    | "True"
                    | "False"
                    | "None"
                    | "null"
                    | "nil"
                    | "undefined"
                    | "not"
                    | "and"
                    | "or"
                    | "is"
                    | "t"
            );
            if !literal {
                return false;
            }
            rest = &rest[end..];
        } else if character.is_ascii_digit() {
            let end =
                rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.').unwrap_or(rest.len());
            rest = &rest[end..];
        } else {
            rest = &rest[character.len_utf8()..];
        }
    }
    true
}

/// The texts inside `#[…]`.
fn attributes(head: &str) -> impl Iterator<Item = &str> {
    head.split("#[").skip(1).map(|rest| rest.rsplit_once(']').map_or(rest, |(inside, _)| inside).trim())
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

fn last_word(callee: &str) -> &str {
    let callee = callee.trim_end_matches(['!', '?', '.', ':', ' ']);
    callee.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(callee)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assertion_that_looks_at_nothing_is_told() {
        for trivial in ["(true)", "(1, 1)", "True", "(\"a\", \"a\")", "(t, true)", "not False", "(1 == 1)"] {
            assert!(looks_at_nothing(trivial), "{trivial}");
        }
        for real in ["(x)", "(a, 1)", "()", "", "(`${x}`)", "len(a) == 1"] {
            assert!(!looks_at_nothing(real), "{real}");
        }
    }

    #[test]
    fn calls_that_are_tests() {
        let js =
            |callee: &str| test_call(Language::JavaScript, callee).map(|call| (call.skipped, call.focused));
        assert_eq!(js("it"), Some((false, false)));
        assert_eq!(js("it.skip"), Some((true, false)));
        assert_eq!(js("describe.only"), Some((false, true)));
        assert_eq!(js("xit"), Some((true, false)));
        assert_eq!(js("test.each(a)"), Some((false, false)));
        assert_eq!(js("test.beforeEach"), None);
        assert_eq!(js("submit"), None);
    }

    #[test]
    fn assertions_of_each_language() {
        for (language, callee) in [
            (Language::JavaScript, "expect"),
            (Language::JavaScript, "assert.equal"),
            (Language::Python, "self.assertEqual"),
            (Language::Go, "t.Fatalf"),
            (Language::Go, "require.NoError"),
            (Language::Rust, "assert_eq!"),
            (Language::Rust, "insta::assert_snapshot!"),
            (Language::Java, "assertThat"),
            (Language::CSharp, "Assert.Equal"),
            (Language::Cpp, "EXPECT_EQ"),
            (Language::Ruby, "expect"),
        ] {
            assert!(asserts(language, callee), "{language:?} {callee}");
        }
        assert!(!asserts(Language::Rust, "println!"));
        assert!(!asserts(Language::JavaScript, "render"));
        assert!(!asserts(Language::Go, "fmt.Errorf"));
    }
}
