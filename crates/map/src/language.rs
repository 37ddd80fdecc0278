//! [`Language`]: what a file is written in, and its grammar, loaded when it is first needed.

use serde::{Deserialize, Serialize};

use crate::digest::Spacing;

/// A language that can be parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Language {
    Rust,
    Python,
    JavaScript,
    TypeScript,
    Tsx,
    Go,
    Java,
    C,
    Cpp,
    CSharp,
    Ruby,
    Php,
    Html,
    Css,
    Json,
    Yaml,
    Toml,
    Bash,
}

impl Language {
    /// How many there are.
    pub(crate) const COUNT: usize = Self::ALL.len();

    /// All of them.
    pub const ALL: [Self; 18] = [
        Self::Rust,
        Self::Python,
        Self::JavaScript,
        Self::TypeScript,
        Self::Tsx,
        Self::Go,
        Self::Java,
        Self::C,
        Self::Cpp,
        Self::CSharp,
        Self::Ruby,
        Self::Php,
        Self::Html,
        Self::Css,
        Self::Json,
        Self::Yaml,
        Self::Toml,
        Self::Bash,
    ];

    /// The language of a file by its name.
    pub fn of_path(path: &[u8]) -> Option<Self> {
        let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
        let name = String::from_utf8_lossy(name).to_ascii_lowercase();
        match name.as_str() {
            "rakefile" | "gemfile" | "vagrantfile" | "podfile" | "guardfile" => return Some(Self::Ruby),
            ".bashrc" | ".bash_profile" | ".profile" | "pkgbuild" => return Some(Self::Bash),
            "pipfile" => return Some(Self::Toml),
            ".eslintrc" | ".babelrc" | ".prettierrc" | "composer.lock" | "pipfile.lock" => {
                return Some(Self::Json);
            }
            "cargo.lock" | "poetry.lock" | "uv.lock" => return Some(Self::Toml),
            _ => {}
        }
        let (stem, ending) = name.rsplit_once('.')?;
        if stem.is_empty() {
            return None;
        }
        Some(match ending {
            "rs" => Self::Rust,
            "py" | "pyi" | "pyw" => Self::Python,
            "js" | "mjs" | "cjs" | "jsx" => Self::JavaScript,
            "ts" | "mts" | "cts" => Self::TypeScript,
            "tsx" => Self::Tsx,
            "go" => Self::Go,
            "java" => Self::Java,
            "c" => Self::C,
            // A header may be either; C++ reads nearly all of C.
            "h" => Self::C,
            "cc" | "cpp" | "cxx" | "hpp" | "hh" | "hxx" | "ipp" | "inl" => Self::Cpp,
            "cs" => Self::CSharp,
            "rb" | "rake" | "gemspec" | "ru" => Self::Ruby,
            "php" | "phtml" => Self::Php,
            "html" | "htm" | "xhtml" | "vue" => Self::Html,
            "css" => Self::Css,
            "json" | "webmanifest" | "geojson" => Self::Json,
            "yml" | "yaml" => Self::Yaml,
            "toml" => Self::Toml,
            "sh" | "bash" | "bats" | "ksh" => Self::Bash,
            _ => return None,
        })
    }

    /// The language of a file by its name or, for a program without an ending, its first line.
    pub fn of(path: &[u8], content: &[u8]) -> Option<Self> {
        if let Some(language) = Self::of_path(path) {
            // A header with classes in it is C++.
            let is_header = path.ends_with(b".h") || path.ends_with(b".H");
            let marks: [&[u8]; 4] = [b"\nnamespace ", b"\nclass ", b"\ntemplate", b"std::"];
            if is_header && marks.iter().any(|mark| contains(content, mark)) {
                return Some(Self::Cpp);
            }
            return Some(language);
        }
        let first = content.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
        let first = String::from_utf8_lossy(&first[..first.len().min(200)]).into_owned();
        let words =
            first.split(|c: char| c == '/' || c.is_whitespace()).filter(|word| !word.starts_with('-'));
        words.rev().find_map(|word| match word.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') {
            "sh" | "bash" | "ksh" | "dash" => Some(Self::Bash),
            "python" | "pypy" => Some(Self::Python),
            "node" | "bun" => Some(Self::JavaScript),
            "ruby" => Some(Self::Ruby),
            "php" => Some(Self::Php),
            "deno" | "ts-node" | "tsx" => Some(Self::TypeScript),
            _ => None,
        })
    }

    /// The name that people know.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rust => "Rust",
            Self::Python => "Python",
            Self::JavaScript => "JavaScript",
            Self::TypeScript => "TypeScript",
            Self::Tsx => "TSX",
            Self::Go => "Go",
            Self::Java => "Java",
            Self::C => "C",
            Self::Cpp => "C++",
            Self::CSharp => "C#",
            Self::Ruby => "Ruby",
            Self::Php => "PHP",
            Self::Html => "HTML",
            Self::Css => "CSS",
            Self::Json => "JSON",
            Self::Yaml => "YAML",
            Self::Toml => "TOML",
            Self::Bash => "Bash",
        }
    }

    /// A short name for programs.
    pub fn id(self) -> &'static str {
        match self {
            Self::Rust => "rust",
            Self::Python => "python",
            Self::JavaScript => "javascript",
            Self::TypeScript => "typescript",
            Self::Tsx => "tsx",
            Self::Go => "go",
            Self::Java => "java",
            Self::C => "c",
            Self::Cpp => "cpp",
            Self::CSharp => "csharp",
            Self::Ruby => "ruby",
            Self::Php => "php",
            Self::Html => "html",
            Self::Css => "css",
            Self::Json => "json",
            Self::Yaml => "yaml",
            Self::Toml => "toml",
            Self::Bash => "bash",
        }
    }

    /// Code, as opposed to pages, styles and settings.
    pub fn is_code(self) -> bool {
        !matches!(self, Self::Html | Self::Css | Self::Json | Self::Yaml | Self::Toml)
    }

    /// The grammar reads all of the language, so that what it does not understand is wrong. Macros of C and C++, templates
    /// in pages and in YAML, and the many dialects of shells, of PHP pages and of style sheets are beyond any grammar.
    pub fn grammar_is_exact(self) -> bool {
        matches!(
            self,
            Self::Rust
                | Self::Python
                | Self::JavaScript
                | Self::TypeScript
                | Self::Tsx
                | Self::Go
                | Self::Java
                | Self::Json
                | Self::Toml
        )
    }

    pub(crate) fn spacing(self) -> Spacing {
        match self {
            Self::Python | Self::Yaml => Spacing::Indented,
            _ => Spacing::Free,
        }
    }

    pub(crate) fn grammar(self) -> tree_sitter::Language {
        match self {
            Self::Rust => tree_sitter_rust::LANGUAGE,
            Self::Python => tree_sitter_python::LANGUAGE,
            Self::JavaScript => tree_sitter_javascript::LANGUAGE,
            Self::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
            Self::Tsx => tree_sitter_typescript::LANGUAGE_TSX,
            Self::Go => tree_sitter_go::LANGUAGE,
            Self::Java => tree_sitter_java::LANGUAGE,
            Self::C => tree_sitter_c::LANGUAGE,
            Self::Cpp => tree_sitter_cpp::LANGUAGE,
            Self::CSharp => tree_sitter_c_sharp::LANGUAGE,
            Self::Ruby => tree_sitter_ruby::LANGUAGE,
            Self::Php => tree_sitter_php::LANGUAGE_PHP,
            Self::Html => tree_sitter_html::LANGUAGE,
            Self::Css => tree_sitter_css::LANGUAGE,
            Self::Json => tree_sitter_json::LANGUAGE,
            Self::Yaml => tree_sitter_yaml::LANGUAGE,
            Self::Toml => tree_sitter_toml_ng::LANGUAGE,
            Self::Bash => tree_sitter_bash::LANGUAGE,
        }
        .into()
    }
}

/// True if `needle` is in `text`.
pub(crate) fn contains(text: &[u8], needle: &[u8]) -> bool {
    find(text, needle).is_some()
}

/// Where `needle` is in `text`.
pub(crate) fn find(text: &[u8], needle: &[u8]) -> Option<usize> {
    let first = *needle.first()?;
    let mut from = 0;
    loop {
        from += text.get(from..)?.iter().position(|byte| *byte == first)?;
        if text[from..].starts_with(needle) {
            return Some(from);
        }
        from += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_name_and_by_first_line() {
        let of = |path: &str, content: &str| Language::of(path.as_bytes(), content.as_bytes());
        assert_eq!(of("src/a.rs", ""), Some(Language::Rust));
        assert_eq!(of("A.TSX", ""), Some(Language::Tsx));
        assert_eq!(of("x.h", "int a;\n"), Some(Language::C));
        assert_eq!(of("x.h", "#pragma once\nnamespace a {}\n"), Some(Language::Cpp));
        assert_eq!(of("bin/run", "#!/usr/bin/env python3\n"), Some(Language::Python));
        assert_eq!(of("bin/run", "#!/bin/sh -e\n"), Some(Language::Bash));
        assert_eq!(of("bin/run", "hello"), None);
        assert_eq!(of(".rs", ""), None);
    }

    #[test]
    fn every_grammar_can_be_loaded() {
        for language in Language::ALL {
            assert!(tree_sitter::Parser::new().set_language(&language.grammar()).is_ok(), "{language:?}");
        }
    }
}
