//! Which files a failing check speaks of.
//!
//! A failure says something about an edit only if it is about the file that was edited. Where the output names files, that can be
//! told; where it names none, everything that was changed may be meant.

use ::map::Language;

/// So many files are enough to know what it is about.
const MOST: usize = 200;

/// Folders of programs and of other people's code: that they are named says nothing.
const OTHERS: [&str; 8] = [
    "node_modules/",
    "site-packages/",
    "dist-packages/",
    "/usr/",
    "/lib/python",
    "/.cargo/",
    "/rustc/",
    "/.rustup/",
];

/// What the names of tests have besides the name of what they test.
const OF_TESTS: [&str; 4] = ["tests", "test", "spec", "specs"];

/// A place that an output names: a file, as it is written there, and a line of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place<'a> {
    pub file: &'a str,
    pub line: Option<u32>,
}

/// The places that an output names.
pub(super) fn named_places(output: &str) -> Vec<Place<'_>> {
    let ends = |c: char| {
        c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '<' | '>' | '[' | ']' | ',' | ';' | '=')
    };
    let mut found = Vec::new();
    for word in output.split(ends) {
        let word = word.trim_matches(|c: char| matches!(c, '(' | ')' | '.' | '!' | '?' | '|'));
        let word = word.strip_prefix("file://").unwrap_or(word);
        // `a.rs:3:5`, `a.ts(3,5)`, `tests/a.py::test_it`
        let (path, rest) = match word.find([':', '(']) {
            Some(at) if at > 1 => word.split_at(at),
            _ => (word, ""),
        };
        let has_line =
            rest.len() > 1 && (rest[1..].starts_with(|c: char| c.is_ascii_digit()) || rest.starts_with("::"));
        let is_place = has_line || path.contains(['/', '\\']) || is_quoted(output, word);
        let is_file = Language::of_path(path.as_bytes()).is_some() || (has_line && looks_like_a_file(path));
        let line = number_at(rest.get(1..).unwrap_or_default()).or_else(|| number_behind(output, word));
        let place = Place { file: path, line };
        if is_place
            && is_file
            && !OTHERS.iter().any(|folder| path.contains(folder))
            && !found.contains(&place)
        {
            found.push(place);
            if found.len() >= MOST {
                break;
            }
        }
    }
    found
}

fn number_at(text: &str) -> Option<u32> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

/// `File "cart.py", line 3`
fn number_behind(output: &str, word: &str) -> Option<u32> {
    let end = (word.as_ptr() as usize).wrapping_sub(output.as_ptr() as usize) + word.len();
    number_at(output.get(end..)?.strip_prefix("\", line ")?)
}

/// A path with an ending, in whatever language.
fn looks_like_a_file(path: &str) -> bool {
    path.contains('/')
        && path.rsplit_once('.').is_some_and(|(_, end)| {
            (1..=8).contains(&end.len())
                && end.bytes().all(|byte| byte.is_ascii_alphanumeric())
                && end.starts_with(|c: char| c.is_ascii_alphabetic())
        })
}

/// Python writes `File "cart.py", line 3`.
fn is_quoted(output: &str, word: &str) -> bool {
    let at = (word.as_ptr() as usize).wrapping_sub(output.as_ptr() as usize);
    let (before, after) = (output.get(..at), output.get(at + word.len()..));
    before.is_some_and(|before| before.ends_with("File \""))
        && after.is_some_and(|after| after.starts_with("\", line"))
}

fn parts(path: &str) -> Vec<String> {
    path.split(['/', '\\']).filter(|part| !matches!(*part, "" | ".")).map(str::to_lowercase).collect()
}

/// Whether a file that an output names is this very one, as far as its name is written out.
pub(super) fn is_same_file(named: &str, file: &str) -> bool {
    let (named, file) = (parts(named), parts(file));
    let same_end = named.iter().rev().zip(file.iter().rev()).all(|(a, b)| a == b);
    same_end && !named.is_empty() && !file.is_empty()
}

/// Whether a file that an output names is this one, or its test.
pub(super) fn is_about(named: &str, file: &str) -> bool {
    if is_same_file(named, file) {
        return true;
    }
    let (named, file) = (parts(named), parts(file));
    let name = |path: &[String]| path.last().map(|name| subject(name).to_owned()).unwrap_or_default();
    let (one, other) = (name(&named), name(&file));
    !one.is_empty() && one == other
}

/// `cart_test.js`, `test_cart.py`, `CartTest.java` and `cart.spec.ts` are about `cart`.
fn subject(name: &str) -> &str {
    let mut stem = name.split('.').next().unwrap_or(name);
    for word in OF_TESTS {
        let cut = stem.strip_suffix(word).or_else(|| stem.strip_prefix(word)).unwrap_or(stem);
        let cut = cut.trim_matches(['_', '-']);
        if !cut.is_empty() {
            stem = cut;
        }
    }
    stem
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_a_failure_b4() {
        for (output, files) in [
            ("FAIL tests/cart_test.js\n  x adds up\nTests: 1 failed", vec!["tests/cart_test.js"]),
            (
                "  File \"app.py\", line 3, in <module>\nModuleNotFoundError: No module named 'yaml'",
                vec!["app.py"],
            ),
            ("error[E0425]: cannot find `x`\n --> src/main.rs:3:5", vec!["src/main.rs"]),
            ("src/a.ts(3,5): error TS2304", vec!["src/a.ts"]),
            ("FAILED tests/test_a.py::test_it - assert 1", vec!["tests/test_a.py"]),
            ("    at run (/w/node_modules/jest/build/run.js:3:1)\nNode.js v20.1.0", vec![]),
            ("1 failed, 3 passed in 0.1s", vec![]),
        ] {
            let mut found: Vec<&str> = named_places(output).iter().map(|place| place.file).collect();
            found.dedup();
            assert_eq!(found, files, "{output}");
        }
    }

    #[test]
    fn the_lines_of_a_failure_m1() {
        for (output, line) in [
            ("app.py:2:80: E501 line too long", Some(2)),
            ("src/a.ts(3,5): error TS2304", Some(3)),
            ("  File \"app.py\", line 14, in <module>", Some(14)),
            ("FAILED tests/test_a.py::test_it - assert 1", None),
        ] {
            assert_eq!(named_places(output)[0].line, line, "{output}");
        }
    }

    #[test]
    fn a_test_is_about_what_it_tests_b4() {
        for (named, file) in [
            ("tests/cart_test.js", "src/cart.js"),
            ("tests/test_cart.py", "shop/cart.py"),
            ("CartTest.java", "src/main/Cart.java"),
            ("/home/u/shop/src/cart.js", "src/cart.js"),
            ("cart.js", "src/cart.js"),
            ("src/cart.spec.ts", "src/cart.ts"),
            ("src/cart.js", "tests/cart_test.js"),
        ] {
            assert!(is_about(named, file), "{named} {file}");
        }
        for (named, file) in [
            ("src/price.js", "src/cart.js"),
            ("tests/mail_test.js", "src/cart.js"),
            ("a/index.js", "b/cart.js"),
        ] {
            assert!(!is_about(named, file), "{named} {file}");
        }
    }
}
