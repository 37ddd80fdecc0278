//! Files that a program loads beside itself: read by the same reader, a few of them.

use crate::code::Language;
use crate::code_text::{calls, first_string};
use crate::walk::Walk;
use std::path::Path;

/// Most files that are followed for one command, and the largest of them.
const MOST_FILES: usize = 6;
const MAX_FILE: u64 = 48 * 1024;

impl Walk<'_> {
    /// Reads what a program in `folder` loads from files of its own.
    pub(crate) fn loaded_files(&mut self, language: Language, code: &str, folder: &str, about: &str) {
        let mut folders = vec![folder.to_owned()];
        if language == Language::Python
            && let Some(path) = self.vars.get("PYTHONPATH").and_then(|values| values.last())
        {
            let listed =
                path.text.split(':').filter_map(|one| crate::place::absolute(one, self.cwd.as_deref()));
            folders.extend(listed.take(3));
        }
        for name in named(language, code) {
            for folder in &folders {
                for end in endings(language) {
                    if self.imported >= MOST_FILES {
                        return;
                    }
                    let Some(path) = crate::place::absolute(&format!("{name}{end}"), Some(folder)) else {
                        continue;
                    };
                    let path = crate::place::normalise(&path);
                    if self.reading.contains(&path)
                        || !path.starts_with(&*self.ctx.project_root.to_string_lossy())
                    {
                        continue;
                    }
                    if self.ctx.files.kind(Path::new(&path)) != Some(crate::context::Kind::File) {
                        continue;
                    }
                    self.imported += 1;
                    self.code_in_file(language, &path, MAX_FILE, about);
                    break;
                }
            }
        }
    }
}

/// What may follow the name of a module.
fn endings(language: Language) -> &'static [&'static str] {
    match language {
        Language::Python => &["", ".py"],
        Language::Node => &["", ".js", ".ts", ".mjs", ".cjs", "/index.js", "/index.ts"],
        Language::Ruby => &["", ".rb"],
        Language::Lua => &["", ".lua"],
        _ => &[""],
    }
}

/// The names of files that a program loads.
fn named(language: Language, code: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let functions: &[&str] = match language {
        Language::Python => &["run_path", "execfile", "exec", "import_module"],
        Language::Node => &["require", "import"],
        Language::Ruby => &["load", "require_relative", "instance_eval"],
        Language::Lua => &["dofile", "loadfile", "require"],
        Language::Php => &["include", "require", "include_once", "require_once"],
        Language::Perl => &["do", "require"],
        Language::Other => &["source"],
    };
    for call in functions.iter().flat_map(|name| calls(code, name)).take(32) {
        found.extend(first_string(call));
    }
    for line in code.split(['\n', ';']).map(str::trim).take(400) {
        match language {
            Language::Python => {
                let modules = line
                    .strip_prefix("import ")
                    .or_else(|| line.strip_prefix("from ").and_then(|rest| rest.split(" import").next()));
                for module in modules.unwrap_or_default().split(',').take(8) {
                    let module = module.split_whitespace().next().unwrap_or_default();
                    found.push(module.trim_start_matches('.').replace('.', "/"));
                }
            }
            Language::Node if line.starts_with("import ") || line.starts_with("export ") => {
                found.extend(crate::code_text::strings(line).pop());
            }
            Language::Ruby | Language::Perl | Language::Php
                if functions.iter().any(|name| line.starts_with(name)) =>
            {
                found.extend(first_string(line));
            }
            _ => {}
        }
    }
    let own = |name: &String| match language {
        Language::Node => name.starts_with('.'),
        _ => !name.is_empty() && name.len() < 200,
    };
    found.retain(own);
    found.dedup();
    found.truncate(24);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_that_are_loaded() {
        assert_eq!(named(Language::Python, "import os, a.b\nfrom .c import d"), ["os", "a/b", "c"]);
        assert_eq!(
            named(Language::Node, "const a = require('./a'); import b from './b.js';\nimport 'x'"),
            ["./a", "./b.js"]
        );
        assert_eq!(named(Language::Ruby, "require_relative 'a'"), ["a"]);
        assert_eq!(named(Language::Python, "import runpy; runpy.run_path('e/v.py')"), ["e/v.py", "runpy"]);
    }
}
