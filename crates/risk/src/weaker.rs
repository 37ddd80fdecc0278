//! Tests that check less than before.

use map::{Symbol, SymbolChange, TestFacts};

use crate::Study;

/// How a test got weaker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum How {
    /// It is gone.
    Deleted,
    /// It is not run any more.
    Skipped,
    /// It asserts nothing any more, or only what is always true.
    Empty,
    /// It asserts less.
    Fewer {
        /// How often before.
        before: u32,
        /// How often now.
        after: u32,
    },
    /// Others are picked out, so that the rest does not run.
    Focused,
}

impl How {
    /// The test says nothing any more; else it is gone, or only says less, which may be meant.
    pub(crate) fn is_off(&self) -> bool {
        matches!(self, Self::Skipped | Self::Empty | Self::Focused)
    }
}

/// A test that got weaker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Weaker {
    pub(crate) name: String,
    pub(crate) line: u32,
    pub(crate) how: How,
}

fn real(facts: TestFacts) -> u32 {
    facts.asserts.saturating_sub(facts.trivial)
}

/// The tests of a file that check less than before. A test that was replaced by another one is not lost: what is gone counts
/// only if fewer tests or fewer assertions are left.
pub(crate) fn weakened(study: &Study) -> Vec<Weaker> {
    let mut found = Vec::new();
    let total = |tests: &mut dyn Iterator<Item = &Symbol>| {
        tests.filter_map(|test| test.test).fold((0_u32, 0_u32), |(count, asserts), facts| {
            let runs = u32::from(!facts.skipped);
            (count + runs, asserts + runs * real(facts))
        })
    };
    let (tests_before, asserts_before) = total(&mut study.before.tests());
    let (tests_after, asserts_after) = total(&mut study.after.tests());
    let less = tests_after < tests_before || asserts_after < asserts_before;
    for change in &study.changes {
        match change {
            SymbolChange::Removed { symbol } if less && symbol.test.is_some_and(|facts| !facts.skipped) => {
                found.push(Weaker { name: symbol.name.clone(), line: symbol.first_line, how: How::Deleted });
            }
            SymbolChange::Changed { from, to }
            | SymbolChange::Renamed { from, to }
            | SymbolChange::Moved { from, to } => {
                if let (Some(was), Some(is)) = (from.test, to.test)
                    && let Some(how) = how(was, is)
                {
                    found.push(Weaker { name: to.name.clone(), line: to.first_line, how });
                }
            }
            _ => {}
        }
    }
    // A group that was switched off changes no test's own text.
    for test in study.after.tests() {
        let switched_off = test.test.is_some_and(|facts| facts.skipped)
            && study
                .before
                .tests()
                .any(|old| old.name == test.name && old.test.is_some_and(|facts| !facts.skipped));
        if switched_off && !found.iter().any(|weaker| weaker.name == test.name) {
            found.push(Weaker { name: test.name.clone(), line: test.first_line, how: How::Skipped });
        }
    }
    if let Some(line) = study.after.focused.filter(|_| study.before.focused.is_none()) {
        found.push(Weaker { name: String::new(), line, how: How::Focused });
    }
    found
}

fn how(was: TestFacts, is: TestFacts) -> Option<How> {
    if is.skipped && !was.skipped {
        return Some(How::Skipped);
    }
    let (before, after) = (real(was), real(is));
    match (before, after) {
        (1.., 0) => Some(How::Empty),
        (before, after) if after < before => Some(How::Fewer { before, after }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ChangedFile;
    use project::RelPath;

    fn found(path: &str, before: &str, after: &str) -> Vec<How> {
        let file = ChangedFile {
            path: RelPath::new(path.as_bytes()).unwrap(),
            old_path: None,
            before: Some(before.as_bytes().to_vec()),
            after: Some(after.as_bytes().to_vec()),
            sensitive: false,
            unread: None,
        };
        weakened(&Study::of(&file)).into_iter().map(|weaker| weaker.how).collect()
    }

    #[test]
    fn what_checks_less_is_found_gd3() {
        let js = |body: &str| format!("it('adds', () => {{ {body} }});\n");
        let before = js("expect(a).toBe(1); expect(b).toBe(2);");
        assert_eq!(
            found("a.test.js", &before, &js("expect(a).toBe(1);")),
            [How::Fewer { before: 2, after: 1 }]
        );
        assert_eq!(found("a.test.js", &before, &js("expect(true).toBe(true);")), [How::Empty]);
        assert_eq!(found("a.test.js", &before, &js("/* expect(a).toBe(1); */")), [How::Empty]);
        assert_eq!(found("a.test.js", &before, &before.replace("it(", "it.skip(")), [How::Skipped]);
        assert_eq!(found("a.test.js", &before, &before.replace("it(", "xit(")), [How::Skipped]);
        assert_eq!(found("a.test.js", &before, &before.replace("it(", "it.only(")), [How::Focused]);
        assert_eq!(found("a.test.js", &before, ""), [How::Deleted]);
        assert!(found("a.test.js", &before, &js("expect(a).toBe(3); expect(b).toBe(4);")).is_empty());
        let group = |word: &str| format!("{word}('cart', () => {{ {before} }});\n");
        assert_eq!(found("a.test.js", &group("describe"), &group("describe.skip")), [How::Skipped]);
    }

    #[test]
    fn in_other_languages_too() {
        let rust = "#[test]\nfn a() { assert_eq!(f(), 1); }\n";
        assert_eq!(found("a.rs", rust, &rust.replace("#[test]", "#[test]\n#[ignore]")), [How::Skipped]);
        assert_eq!(found("a.rs", rust, &rust.replace("assert_eq!(f(), 1)", "assert!(true)")), [How::Empty]);
        let python = "def test_a():\n    assert f() == 1\n";
        let skipped = format!("@pytest.mark.skip\n{python}");
        assert_eq!(found("test_a.py", python, &skipped), [How::Skipped]);
        assert_eq!(found("test_a.py", python, "def test_a():\n    assert True\n"), [How::Empty]);
        let go = "package a\nfunc TestA(t *testing.T) { if f() != 1 { t.Fatal(\"x\") } }\n";
        assert_eq!(found("a_test.go", go, &go.replace("{ if", "{ t.Skip(\"later\"); if")), [How::Skipped]);
    }

    #[test]
    fn a_test_that_was_replaced_by_another_is_not_lost() {
        let before = "def test_a():\n    assert f() == 1\n";
        let after = "def test_b():\n    x = g()\n    assert x == 1\n    assert f() == 2\n";
        assert!(found("test_a.py", before, after).is_empty());
        assert!(found("test_a.py", before, "def test_renamed():\n    assert f() == 1\n").is_empty());
    }
}
