//! Texts on which parsers are slow.

use map::Language;

/// A shape of text: its name, what it is read as, and a text of about so many bytes.
pub type Shape = (&'static str, Language, fn(usize) -> String);

fn many(piece: &str, bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 80);
    while text.len() < bytes {
        text.push_str(piece);
        // Lines, so that it is not taken for something that a program made.
        if text.len() - text.rfind('\n').map_or(0, |at| at + 1) > 60 {
            text.push('\n');
        }
    }
    text
}

/// What was slow once, and what is made to be.
pub const SHAPES: &[Shape] = &[
    ("sh: honest", Language::Bash, |bytes| {
        many("set -e\nif [ -f x ]; then\n  echo \"$x\" | grep y > z\nfi\n", bytes)
    }),
    ("sh: here documents that never end", Language::Bash, |bytes| many("cat <<A\n", bytes)),
    ("sh: here documents of many names", Language::Bash, |bytes| {
        (0..bytes / 12).map(|number| format!("cat <<A{number}\n")).collect()
    }),
    ("sh: brackets", Language::Bash, |bytes| many("((", bytes)),
    ("sh: command substitutions", Language::Bash, |bytes| many("$(", bytes)),
    ("sh: quotes", Language::Bash, |bytes| many("\"$(\"", bytes)),
    ("sh: case", Language::Bash, |bytes| many("case x in\n", bytes)),
    ("sh: if", Language::Bash, |bytes| many("if x\nthen ", bytes)),
    ("sh: functions", Language::Bash, |bytes| many("f() {\n", bytes)),
    ("sh: tests", Language::Bash, |bytes| many("[[ a =~ b\n", bytes)),
    ("sh: arrays", Language::Bash, |bytes| many("a=(b\n", bytes)),
    ("sh: parameters", Language::Bash, |bytes| many("${a:-", bytes)),
    ("sh: parameters by line", Language::Bash, |bytes| many("${a/b\n", bytes)),
    ("sh: backquotes", Language::Bash, |bytes| many("`a ", bytes)),
    ("sh: pipes", Language::Bash, |bytes| many("a |\n", bytes)),
    ("sh: closing brackets", Language::Bash, |bytes| many(") }\n", bytes)),
    ("sh: redirections", Language::Bash, |bytes| many("a <\n", bytes)),
    ("py: brackets", Language::Python, |bytes| many("[(", bytes)),
    ("py: strings", Language::Python, |bytes| many("f'{", bytes)),
    ("js: templates", Language::JavaScript, |bytes| many("`${", bytes)),
    ("js: arrows", Language::JavaScript, |bytes| many("(a, b = (", bytes)),
    ("ts: types", Language::TypeScript, |bytes| many("a<b<", bytes)),
    ("c++: templates", Language::Cpp, |bytes| many("a<b<(", bytes)),
    ("c: brackets", Language::C, |bytes| many("((int)(", bytes)),
    ("rb: here documents", Language::Ruby, |bytes| many("a <<A\n", bytes)),
    ("php: here documents", Language::Php, |bytes| format!("<?php\n{}", many("$a = <<<A\n", bytes))),
    ("yaml: depth", Language::Yaml, |bytes| many("- - - ", bytes)),
    ("yaml: keys", Language::Yaml, |bytes| many("? {a: [", bytes)),
    ("html: tags", Language::Html, |bytes| many("<div><p>", bytes)),
    ("rust: brackets", Language::Rust, |bytes| many("a<(|b| {", bytes)),
    ("go: brackets", Language::Go, |bytes| many("func(a []", bytes)),
    ("json: brackets", Language::Json, |bytes| many("[{\"a\":", bytes)),
    ("css: brackets", Language::Css, |bytes| many("a{b:c(", bytes)),
];
