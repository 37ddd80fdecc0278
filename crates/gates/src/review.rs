//! Fresh eyes: what in a piece of work somebody who did not do it would ask about. Facts with their places, no opinion.

use serde::{Deserialize, Serialize};

/// Facts of one kind in one file that are told.
const MOST_EACH: usize = 3;
/// Facts that are told in all.
const MOST: usize = 30;
/// Longest line that is shown, in characters.
const LONGEST: usize = 120;
/// A file that loses more lines than this, and more than half of them, lost much.
const MUCH: usize = 60;

/// A file before and after the work.
#[derive(Debug, Clone, Copy)]
pub struct ReviewedFile<'a> {
    /// Its path in the project.
    pub path: &'a str,
    /// What was in it; none: it was not there.
    pub before: Option<&'a str>,
    /// What is in it now; none: it is gone.
    pub after: Option<&'a str>,
}

/// What is worth a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FactKind {
    /// A new line says itself that something is not finished.
    Unfinished,
    /// New output that looks like a search for an error.
    DebugLeft,
    /// A new place where an error is dropped without a word.
    ErrorDropped,
    /// Code changed, and no test did.
    Untested,
    /// The project needs something more.
    DependencyAdded,
    /// What decides whether checks pass was changed.
    ChecksChanged,
    /// A file is gone, or most of it.
    MuchRemoved,
}

/// One fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewFact {
    /// What it is.
    pub kind: FactKind,
    /// The file; empty: it is about all of them.
    pub path: String,
    /// The line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The line's text, or what it is about, shortened.
    pub text: String,
}

/// The facts of a piece of work, file by file.
pub fn review_facts(files: &[ReviewedFile<'_>]) -> Vec<ReviewFact> {
    let mut found = Vec::new();
    for file in files {
        of_file(file, &mut found);
    }
    let is_changed = |file: &&ReviewedFile<'_>| file.before != file.after && file.after.is_some();
    let code: Vec<&str> = files
        .iter()
        .filter(is_changed)
        .filter(|file| is_code(file.path) && !is_test(file.path))
        .map(|file| file.path)
        .collect();
    let tested = files.iter().filter(is_changed).any(|file| is_test(file.path) || adds_a_test(file));
    if !code.is_empty() && !tested {
        let more = code.len().saturating_sub(MOST_EACH);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let named: Vec<&str> = code.into_iter().take(MOST_EACH).collect();
        found.push(ReviewFact {
            kind: FactKind::Untested,
            path: String::new(),
            line: None,
            text: format!("{}{more}", named.join(", ")),
        });
    }
    found.truncate(MOST);
    found
}

fn of_file(file: &ReviewedFile<'_>, found: &mut Vec<ReviewFact>) {
    let fact = |kind: FactKind, line: Option<u32>, text: &str| ReviewFact {
        kind,
        path: file.path.to_owned(),
        line,
        text: text.trim().chars().take(LONGEST).collect(),
    };
    let before = file.before.unwrap_or_default();
    let Some(after) = file.after else {
        found.push(fact(FactKind::MuchRemoved, None, &format!("{} lines", before.lines().count())));
        return;
    };
    let (was, is) = (before.lines().count(), after.lines().count());
    if was.saturating_sub(is) >= MUCH && is * 2 < was {
        found.push(fact(FactKind::MuchRemoved, None, &format!("{was} lines before, {is} now")));
    }
    if steers_checks(file.path) && file.before != file.after {
        let first = new_lines(before, after).into_iter().next();
        found.push(fact(
            FactKind::ChecksChanged,
            first.map(|(line, _)| line),
            first.map_or("", |(_, text)| text),
        ));
    }
    let lines: Vec<&str> = after.lines().collect();
    let mut told = [0_usize; 4];
    for (line, text) in new_lines(before, after) {
        let next = lines.get(line as usize).copied().unwrap_or_default();
        let (at, kind) = if names_dependency(file.path, text) {
            (0, FactKind::DependencyAdded)
        } else if !is_code(file.path) {
            continue;
        } else if is_unfinished(text) {
            (1, FactKind::Unfinished)
        } else if drops_error(text, next) {
            (2, FactKind::ErrorDropped)
        } else if !is_test(file.path) && is_debug(text) {
            (3, FactKind::DebugLeft)
        } else {
            continue;
        };
        told[at] += 1;
        if told[at] <= MOST_EACH {
            found.push(fact(kind, Some(line), text));
        }
    }
}

/// Lines that are there now and were not before, with their numbers. A line that only moved is none.
fn new_lines<'t>(before: &str, after: &'t str) -> Vec<(u32, &'t str)> {
    let mut known: std::collections::HashMap<&str, u32> = std::collections::HashMap::new();
    for line in before.lines() {
        *known.entry(line.trim()).or_default() += 1;
    }
    let mut found = Vec::new();
    for (at, line) in after.lines().enumerate() {
        match known.get_mut(line.trim()) {
            Some(left) if *left > 0 => *left -= 1,
            _ => found.push((u32::try_from(at + 1).unwrap_or(u32::MAX), line)),
        }
    }
    found
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn ending(path: &str) -> &str {
    name_of(path).rsplit_once('.').map_or("", |(_, end)| end)
}

fn is_code(path: &str) -> bool {
    const ENDS: &str = "rs js jsx ts tsx mjs cjs py rb go java kt kts swift c h cc cpp hpp cs php scala ex exs dart lua sh bash zsh vue svelte m mm \
        zig hs clj sql";
    ENDS.split_ascii_whitespace().any(|end| end == ending(path))
}

fn is_test(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let name = name_of(&lower);
    lower
        .split('/')
        .any(|part| matches!(part, "test" | "tests" | "__tests__" | "spec" | "specs" | "e2e" | "testing"))
        || [".test.", ".spec.", "_test.", "_spec."].iter().any(|mark| name.contains(mark))
        || name.starts_with("test_")
}

/// Some languages keep tests beside the code.
fn adds_a_test(file: &ReviewedFile<'_>) -> bool {
    let after = file.after.unwrap_or_default();
    let marks = ["#[test]", "#[tokio::test]", ">>> ", "@Test", "assert_eq!(", "assert!("];
    new_lines(file.before.unwrap_or_default(), after)
        .iter()
        .any(|(_, line)| marks.iter().any(|mark| line.trim_start().starts_with(mark)))
}

/// Files that decide what is checked, and how strictly.
fn steers_checks(path: &str) -> bool {
    let name = name_of(path).to_ascii_lowercase();
    path.starts_with(".github/workflows/")
        || [
            "jest.config",
            "vitest.config",
            "playwright.config",
            "karma.conf",
            ".eslintrc",
            "eslint.config",
            "tsconfig",
            "biome.json",
            "pytest.ini",
        ]
        .iter()
        .any(|start| name.starts_with(start))
        || [
            ".gitlab-ci.yml",
            "tox.ini",
            "conftest.py",
            "clippy.toml",
            ".pre-commit-config.yaml",
            ".flake8",
            "mypy.ini",
            "ruff.toml",
            ".golangci.yaml",
            ".golangci.yml",
            "phpunit.xml",
            ".rspec",
            "nextest.toml",
            "codecov.yml",
        ]
        .contains(&name.as_str())
}

fn names_dependency(path: &str, line: &str) -> bool {
    let line = line.trim();
    let has_version = line.chars().any(|letter| letter.is_ascii_digit());
    match name_of(path) {
        "package.json" | "composer.json" => {
            line.starts_with('"')
                && line.contains("\": \"")
                && has_version
                && !line.starts_with("\"version\"")
                && {
                    let value = line.rsplit("\": \"").next().unwrap_or_default();
                    value.starts_with(['^', '~', '>', '=', 'v', '*'])
                        || value.starts_with(|letter: char| letter.is_ascii_digit())
                }
        }
        "Cargo.toml" => {
            (line.contains(" = \"") || line.contains(" = {"))
                && has_version
                && !["version", "edition", "rust-version", "name"].iter().any(|key| line.starts_with(key))
        }
        "requirements.txt" => !line.is_empty() && !line.starts_with('#'),
        "go.mod" => line.contains(" v") && has_version && !line.starts_with("go "),
        "Gemfile" => line.starts_with("gem "),
        "pubspec.yaml" => line.contains(": ^"),
        _ => false,
    }
}

fn is_unfinished(line: &str) -> bool {
    let is_word = |word: &str| {
        line.match_indices(word).any(|(at, _)| {
            let before = line[..at].chars().next_back();
            let after = line[at + word.len()..].chars().next();
            let is_letter =
                |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
            !is_letter(before) && !is_letter(after)
        })
    };
    ["TODO", "FIXME", "XXX", "HACK"].iter().any(|word| is_word(word))
        || [
            "todo!(",
            "unimplemented!(",
            "NotImplementedError",
            "NotImplementedException",
            "fatalError(\"not implemented",
        ]
        .iter()
        .any(|mark| line.contains(mark))
        || ["not implemented", "not yet implemented"]
            .iter()
            .any(|words| line.to_ascii_lowercase().contains(words))
}

fn is_debug(line: &str) -> bool {
    let line = line.trim();
    [
        "console.log(",
        "console.debug(",
        "debugger;",
        "dbg!(",
        "pdb.set_trace(",
        "import pdb",
        "breakpoint()",
        "var_dump(",
        "binding.pry",
        "byebug",
        "print(\"DEBUG",
        "print('DEBUG",
        "fmt.Println(\"DEBUG",
        "System.out.println(\"DEBUG",
    ]
    .iter()
    .any(|mark| line.starts_with(mark))
}

/// An error is caught and nothing is done with it, in this line or with the next.
fn drops_error(line: &str, next: &str) -> bool {
    let tight: String = line.chars().filter(|letter| !letter.is_whitespace()).collect();
    let next = next.trim();
    let catches = tight.contains("catch(")
        || tight.contains("catch{")
        || tight.contains("rescue=>")
        || tight == "rescue";
    [
        ".catch(()=>{})",
        ".catch(()=>null)",
        ".catch(()=>undefined)",
        ".catch(_=>{})",
        "catch{}",
        "except:pass",
        "ifletErr(_)=",
    ]
    .iter()
    .any(|mark| tight.contains(mark) && (*mark != "ifletErr(_)=" || tight.ends_with("{}")))
        || (tight.contains("catch(") && tight.ends_with("){}"))
        || (catches && tight.ends_with('{') && next == "}")
        || (tight.starts_with("except") && tight.ends_with(':') && (next == "pass" || next == "..."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(files: &[(&str, Option<&str>, Option<&str>)]) -> Vec<(FactKind, Option<u32>)> {
        let files: Vec<ReviewedFile<'_>> = files
            .iter()
            .map(|(path, before, after)| ReviewedFile { path, before: *before, after: *after })
            .collect();
        review_facts(&files).into_iter().map(|fact| (fact.kind, fact.line)).collect()
    }

    #[test]
    fn what_a_stranger_would_ask_about_is_found_hk9() {
        let js = "export function a() {\n  return 1;\n}\n";
        let worse = "export function a() {\n  // TODO: the tax\n  console.log(1);\n  try { b(); } catch (e) {}\n  return 1;\n}\n";
        assert_eq!(
            kinds(&[("src/a.js", Some(js), Some(worse))]),
            [
                (FactKind::Unfinished, Some(2)),
                (FactKind::DebugLeft, Some(3)),
                (FactKind::ErrorDropped, Some(4)),
                (FactKind::Untested, None),
            ]
        );
        let python = "def a():\n    try:\n        b()\n    except ValueError:\n        pass\n";
        assert_eq!(
            kinds(&[
                ("a.py", None, Some(python)),
                ("tests/test_a.py", None, Some("def test_a():\n    assert a() is None\n"))
            ]),
            [(FactKind::ErrorDropped, Some(4))]
        );
        let manifest =
            "{\n  \"name\": \"shop\",\n  \"dependencies\": {\n    \"left-pad\": \"^1.0.0\"\n  }\n}\n";
        assert_eq!(
            kinds(&[("package.json", Some("{\n  \"name\": \"shop\",\n}\n"), Some(manifest))]),
            [(FactKind::DependencyAdded, Some(4))]
        );
        assert_eq!(
            kinds(&[(".github/workflows/ci.yml", Some("a"), Some("b"))]),
            [(FactKind::ChecksChanged, Some(1))]
        );
        assert_eq!(kinds(&[("docs/a.md", Some("a"), None)]), [(FactKind::MuchRemoved, None)]);
    }

    #[test]
    fn what_was_there_before_or_is_ordinary_is_no_fact_hk9() {
        let old = "// TODO: later\nfn a() {}\n#[test]\nfn t() { assert!(true); }\n";
        let more = "// TODO: later\nfn a() {}\nfn b() {}\n#[test]\nfn t() { assert!(true); }\n#[test]\nfn u() { b(); }\n";
        assert!(kinds(&[("src/a.rs", Some(old), Some(more))]).is_empty());
        assert!(kinds(&[("README.md", Some("a"), Some("a\nTODO list of the shop\n"))]).is_empty());
        let handled = "try {\n  a();\n} catch (e) {\n  report(e);\n}\n";
        assert!(
            kinds(&[("a.js", None, Some(handled)), ("a.test.js", None, Some("it('a', () => {})"))])
                .is_empty()
        );
        assert!(
            kinds(&[("src/todos.js", None, Some("const TODOS = [];\n")), ("a.test.js", None, Some("x"))])
                .is_empty()
        );
    }
}
