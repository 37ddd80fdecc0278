//! Names that a program takes out of a module: `import {rm} from "fs/promises"`, `const {rmSync: gone} = require("fs")`,
//! `from os import *`. They stand for the module's own name, so that whoever looks for calls sees `fs.rm(…)`.

use crate::code::Language;
use crate::code_parts::Parts;
use crate::code_tokens::Kind;

/// Most tokens of one list of names.
const MOST_NAMES: usize = 64;

/// What a module of Node is called where its calls are looked for.
fn node_module(name: &str) -> Option<&'static str> {
    match name.trim_start_matches("node:") {
        "fs" | "fs/promises" | "fs-extra" | "graceful-fs" | "fs-extra/esm" => Some("fs"),
        "child_process" => Some("child_process"),
        _ => None,
    }
}

/// What `from MODULE import *` brings along that matters.
fn starred(module: &str) -> &'static [&'static str] {
    match module {
        "os" => {
            &["remove", "unlink", "rmdir", "removedirs", "system", "popen", "rename", "replace", "truncate"]
        }
        "shutil" => &["rmtree", "move", "copy", "copyfile", "copytree"],
        "subprocess" => &["run", "call", "check_call", "check_output", "Popen", "getoutput"],
        _ => &[],
    }
}

/// A literal without its quotes.
fn bare(text: &str) -> &str {
    text.trim_matches(['\'', '"', '`'])
}

impl Parts<'_> {
    /// Remembers the names that an import or a pattern on the left of one takes out of a module.
    pub(crate) fn notes_taken_names(&mut self, at: usize) {
        match (self.language, self.kind(at)) {
            (Language::Node, Some(Kind::Mark(b'{'))) => self.notes_in_braces(at),
            (Language::Node, Some(Kind::Name)) if self.word(at) == "from" => self.notes_whole_module(at),
            (Language::Node, Some(Kind::Name)) if self.word(at) == "then" => self.notes_promised_module(at),
            (Language::Python, Some(Kind::Name)) if self.word(at) == "from" => self.notes_python_import(at),
            _ => {}
        }
    }

    /// `{rm, unlink as u} from "fs/promises"`, `{rmSync, rm: r} = require("fs")`.
    fn notes_in_braces(&mut self, at: usize) {
        let Some(close) = (at + 1..at + MOST_NAMES).find(|n| self.is_mark(*n, b'}')) else { return };
        // The module's name stands after `from`, or in the brackets of what loads it.
        let Some(named) = (close + 1..close + 6).find(|n| self.kind(*n) == Some(Kind::Text)) else { return };
        let leads = self.word(close + 1) == "from" || self.is_mark(close + 1, b'=');
        let Some(module) = node_module(bare(self.word(named))).filter(|_| leads) else { return };
        let mut taken = Vec::new();
        for n in at + 1..close {
            let begins = n == at + 1 || self.is_mark(n - 1, b',');
            if !begins || self.kind(n) != Some(Kind::Name) {
                continue;
            }
            let real = self.word(n).to_owned();
            let renamed = self.is_mark(n + 1, b':') || self.word(n + 1) == "as";
            let own = if renamed { self.word(n + 2).to_owned() } else { real.clone() };
            taken.push((own, format!("{module}.{real}")));
        }
        self.aliases.extend(taken);
    }

    /// `import fsp from "fs/promises"`, `import * as disk from "node:fs"`.
    fn notes_whole_module(&mut self, at: usize) {
        let module = match self.kind(at + 1) {
            Some(Kind::Text) => node_module(bare(self.word(at + 1))),
            _ => None,
        };
        if let Some(module) = module
            && at > 0
            && self.kind(at - 1) == Some(Kind::Name)
        {
            self.aliases.insert(self.word(at - 1).to_owned(), module.to_owned());
        }
    }

    /// `import("fs").then(f => f.rmSync(…))`.
    fn notes_promised_module(&mut self, at: usize) {
        let is_named = at > 4 && self.is_mark(at - 1, b'.') && self.is_mark(at - 2, b')');
        let module = node_module(bare(self.word(at.saturating_sub(3)))).filter(|_| is_named);
        let name = if self.is_mark(at + 2, b'(') { at + 3 } else { at + 2 };
        if let Some(module) = module
            && self.kind(name) == Some(Kind::Name)
        {
            self.aliases.insert(self.word(name).to_owned(), module.to_owned());
        }
    }

    /// `from os import remove as r, unlink`, `from shutil import *`.
    fn notes_python_import(&mut self, at: usize) {
        let module = self.word(at + 1).to_owned();
        if self.word(at + 2) != "import" || starred(&module).is_empty() {
            return;
        }
        let mut taken = Vec::new();
        if self.is_mark(at + 3, b'*') {
            taken
                .extend(starred(&module).iter().map(|name| ((*name).to_owned(), format!("{module}.{name}"))));
        }
        let mut n = at + 3;
        while self.kind(n) == Some(Kind::Name) && taken.len() < MOST_NAMES {
            let real = self.word(n).to_owned();
            let renamed = self.word(n + 1) == "as";
            let own = if renamed { self.word(n + 2).to_owned() } else { real.clone() };
            n += if renamed { 3 } else { 1 };
            taken.push((own, format!("{module}.{real}")));
            if !self.is_mark(n, b',') {
                break;
            }
            n += 1;
        }
        self.aliases.extend(taken);
    }
}

/// Command lines in templates that a shell runs: ``$`rm -rf ${dir}` `` of bun, zx and execa. What is put in later is not known.
pub(crate) fn tagged_commands(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices('$').take(64) {
        let before = code[..at].chars().next_back();
        let rest = &code[at + 1..];
        let Some(quote) = rest.chars().next().filter(|c| matches!(c, '`' | '"' | '\'')) else { continue };
        if before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '\'' | '"' | '`' | '\\')) {
            continue;
        }
        let Some(line) = rest[1..].split(quote).next() else { continue };
        let mut parts = line.split("${");
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            text.push_str("$VALUE_PUT_IN_LATER");
            text.push_str(part.split_once('}').map_or("", |(_, rest)| rest));
        }
        found.push(text);
    }
    found
}

/// Programs that Python libraries call like functions: `sh.rm("-rf", "x")`, `local["rm"]("-rf", "x")`.
pub(crate) fn programs_as_functions(code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    if crate::code_text::mentions(code, "import sh") {
        for (at, _) in code.match_indices("sh.").take(32) {
            let own = !code[..at]
                .chars()
                .next_back()
                .is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
            let rest = &code[at + 3..];
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let (name, rest) = rest.split_at(end);
            if own && !name.is_empty() && rest.starts_with('(') {
                let call = crate::code_text::calls(&code[at..], &format!("sh.{name}")).into_iter().next();
                let mut argv = vec![name.replace('_', "-")];
                argv.extend(crate::code_text::strings(call.unwrap_or_default()));
                found.push(argv);
            }
        }
    }
    if code.contains("plumbum") {
        for (at, _) in code.match_indices("local[").take(16) {
            let line = code[at..].split([';', '\n']).next().unwrap_or_default();
            found.push(crate::code_text::strings(line));
        }
    }
    found.retain(|argv| argv.len() > 1);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code_parts::Given;

    fn folded(language: Language, code: &str) -> String {
        crate::code_values::folded(language, code, "/home/u", &Given::default())
            .unwrap_or_else(|| code.to_owned())
    }

    #[test]
    fn a_name_taken_out_of_a_module_stands_for_it() {
        for (code, want) in [
            ("import {rm} from \"node:fs/promises\"; await rm(x)", "await fs.rm(x)"),
            ("const {rmSync: gone, rm} = require('fs'); gone(x)", "fs.rmSync(x)"),
            ("const {unlink} = await import('fs/promises'); unlink(x)", "fs.unlink(x)"),
            ("import disk from 'fs-extra'; disk.remove(x)", "fs.remove(x)"),
            ("import * as f from 'node:fs'; f.rmSync(x)", "fs.rmSync(x)"),
            ("import('fs').then(f => f.rmSync(x))", "fs.rmSync(x)"),
        ] {
            assert!(folded(Language::Node, code).contains(want), "{code}: {}", folded(Language::Node, code));
        }
        for (code, want) in [
            ("from os import *\nremove(x)", "os.remove(x)"),
            ("from os import path, unlink as u\nu(x)", "os.unlink(x)"),
            ("from shutil import rmtree\nrmtree(x)", "shutil.rmtree(x)"),
        ] {
            assert!(
                folded(Language::Python, code).contains(want),
                "{code}: {}",
                folded(Language::Python, code)
            );
        }
        // Modules of one's own are left alone.
        let own = "import {rm} from './tools'; rm(x)";
        assert_eq!(folded(Language::Node, own), own);
    }

    #[test]
    fn commands_in_templates_and_programs_as_functions() {
        assert_eq!(tagged_commands("await $`rm -rf ${dir}/x`"), ["rm -rf $VALUE_PUT_IN_LATER/x"]);
        assert!(tagged_commands("const price = '$' + `5`").is_empty());
        assert_eq!(programs_as_functions("import sh; sh.rm('-rf', '/x')"), [["rm", "-rf", "/x"]]);
        assert!(programs_as_functions("import shutil; push.rm('a')").is_empty());
    }
}
