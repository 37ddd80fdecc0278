//! Source files made of small functions, and edits of them that are what they look like.

use super::{Files, Random};

/// The languages of the made-up projects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    JavaScript,
    TypeScript,
    Python,
    Rust,
}

impl Language {
    pub const ALL: [Self; 4] = [Self::JavaScript, Self::TypeScript, Self::Python, Self::Rust];

    pub fn ending(self) -> &'static str {
        match self {
            Self::JavaScript => "js",
            Self::TypeScript => "ts",
            Self::Python => "py",
            Self::Rust => "rs",
        }
    }

    /// The command that runs the tests.
    pub fn test(self) -> &'static str {
        match self {
            Self::JavaScript | Self::TypeScript => "npm test",
            Self::Python => "python -m pytest -q",
            Self::Rust => "cargo test",
        }
    }

    pub fn lint(self) -> &'static str {
        match self {
            Self::JavaScript | Self::TypeScript => "npm run lint",
            Self::Python => "ruff check .",
            Self::Rust => "cargo clippy",
        }
    }

    pub fn format(self) -> (&'static str, &'static str) {
        match self {
            Self::JavaScript | Self::TypeScript => ("npx prettier --write src", "Done."),
            Self::Python => ("black src", "All done!\n8 files left unchanged."),
            Self::Rust => ("cargo fmt", ""),
        }
    }

    /// A whole function.
    pub fn function(self, name: &str, factor: usize) -> String {
        match self {
            Self::JavaScript => {
                format!("export function {name}(a, b) {{\n  return a * {factor} + b;\n}}")
            }
            Self::TypeScript => format!(
                "export function {name}(a: number, b: number): number {{\n  return a * {factor} + b;\n}}"
            ),
            Self::Python => format!("def {name}(a, b):\n    return a * {factor} + b"),
            Self::Rust => format!("pub fn {name}(a: i64, b: i64) -> i64 {{\n    a * {factor} + b\n}}"),
        }
    }

    /// The same function, half written.
    pub fn half(self, name: &str, factor: usize) -> String {
        match self {
            Self::JavaScript => {
                format!("export function {name}(a, b) {{\n  if (a > {factor}) {{\n  return a;\n}}")
            }
            Self::TypeScript => {
                format!(
                    "export function {name}(a: number, b: number): number {{\n  if (a > {factor}) {{\n  return a;\n}}"
                )
            }
            Self::Python => format!("def {name}(a, b):\n    return max(a * {factor}, (b"),
            Self::Rust => {
                format!("pub fn {name}(a: i64, b: i64) -> i64 {{\n    if a > {factor} {{\n    a\n}}")
            }
        }
    }
}

/// The functions of a file.
pub(super) fn blocks(text: &str) -> Vec<String> {
    text.trim_end().split("\n\n").map(str::to_owned).collect()
}

/// The name of the function in a block.
pub(super) fn name_of(block: &str) -> String {
    let start = block.find('(').unwrap_or(block.len());
    block[..start].rsplit(' ').next().unwrap_or_default().to_owned()
}

/// A project: sources, tests, pages, settings.
pub(super) fn project(random: &mut Random, language: Language) -> Files {
    let mut files = Files::new();
    let names = ["cart", "price", "stock", "user", "order", "mail", "report", "login", "search", "export"];
    for name in names.iter().take(random.between(5, 10)) {
        let mut functions = Vec::new();
        for number in 0..random.between(6, 30) {
            functions.push(language.function(&format!("{name}_{number}"), random.between(2, 99)));
        }
        files.insert(format!("src/{name}.{}", language.ending()), functions.join("\n\n") + "\n");
        let test = language.function(&format!("test_{name}"), 1);
        files.insert(format!("tests/{name}_test.{}", language.ending()), test + "\n");
    }
    files.insert("README.md".to_owned(), "# Shop\n\nSells tea.\n".to_owned());
    files.insert("package.json".to_owned(), "{\n  \"name\": \"shop\",\n  \"private\": true\n}\n".to_owned());
    for chapter in 1..=12 {
        files.insert(format!("docs/ch{chapter}.md"), format!("# Chapter {chapter}\n\nThe colour of tea.\n"));
        files.insert(format!("assets/img{chapter}.svg"), format!("<svg><text>{chapter}</text></svg>\n"));
    }
    files
}
