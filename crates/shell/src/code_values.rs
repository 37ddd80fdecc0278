//! What a program puts together: constant expressions of program text become the literals that they stand for.
//!
//! `p = os.path.expanduser('~'); rmtree(p + '/x')` becomes `rmtree('/home/u/x')`, so that whoever looks for calls with literal
//! arguments sees them. The language is not understood: names that were given a constant, concatenation, joined paths,
//! formatted text, the home folder, other names of functions. What is not constant stays as it is written.

use crate::code::Language;
use crate::code_parts::{Given, Parts, Value};
use crate::code_tokens::{Kind, Token, tokens};
use std::collections::BTreeMap;

/// Largest program that is rewritten.
const MAX_CODE: usize = 256 * 1024;

/// Most names with a known value, and of other names for functions.
const MOST_NAMES: usize = 400;

/// Names that may have another name given to them: `import subprocess as s`, `r = shutil.rmtree`.
const WORTH_FOLLOWING: &[&str] = &[
    "shutil",
    "subprocess",
    "os",
    "pathlib",
    "glob",
    "requests",
    "urllib",
    "socket",
    "rmtree",
    "remove",
    "unlink",
    "rmdir",
    "removedirs",
    "system",
    "popen",
    "run",
    "call",
    "check_call",
    "check_output",
    "Popen",
    "exec",
    "execSync",
    "execFile",
    "execFileSync",
    "spawn",
    "spawnSync",
    "rm",
    "rmSync",
    "unlinkSync",
    "rmdirSync",
    "child_process",
    "fs",
    "post",
    "urlopen",
    "renameSync",
    "rename",
    "writeFileSync",
    "eval",
];

/// The program with its constant expressions as literals; nothing if there is nothing to put in.
pub(crate) fn folded(language: Language, code: &str, home: &str, given: &Given) -> Option<String> {
    if code.len() > MAX_CODE {
        return None;
    }
    let tokens = tokens(language, code);
    let mut parts = Parts {
        language,
        code,
        home,
        given,
        tokens: tokens
            .into_iter()
            .filter(|token| token.kind != Kind::Blank || is_line_end(code, token))
            .collect(),
        names: BTreeMap::new(),
        aliases: BTreeMap::new(),
        depth: 0,
    };
    let mut out = String::with_capacity(code.len());
    let (mut at, mut written, mut changed) = (0, 0, false);
    while at < parts.tokens.len() {
        let token = parts.tokens[at];
        parts.notes_other_name(at);
        parts.notes_taken_names(at);
        parts.notes_value(at);
        parts.notes_growth(at);
        let Some((text, next)) = parts.replacement(at) else {
            at += 1;
            continue;
        };
        out.push_str(&code[written..token.from]);
        out.push_str(&text);
        written = parts.tokens[next - 1].to;
        changed = true;
        at = next;
    }
    out.push_str(&code[written..]);
    changed.then_some(out)
}

fn is_line_end(code: &str, token: &Token) -> bool {
    code[token.from..token.to].contains('\n')
}

impl Parts<'_> {
    /// What stands for the tokens from `at` on, and where it ends.
    fn replacement(&mut self, at: usize) -> Option<(String, usize)> {
        let before = at.checked_sub(1).map(|before| self.tokens[before].kind);
        let after_dot = before == Some(Kind::Mark(b'.'));
        if let Kind::Name = self.tokens[at].kind
            && !after_dot
            && let Some(other) = self.aliases.get(self.word(at))
            && matches!(self.kind(at + 1), Some(Kind::Mark(b'(' | b'.' | b'[')))
        {
            return Some((other.clone(), at + 1));
        }
        let opens = match self.tokens[at].kind {
            // A bracket after a name is a call or an index.
            Kind::Mark(b'[') => !matches!(before, Some(Kind::Name | Kind::Text | Kind::Mark(b')' | b']'))),
            Kind::Mark(b'$') => !self.is_assigned(at + 1),
            Kind::Mark(_) => false,
            // The name on the left of an assignment is no value.
            _ => !self.is_assigned(at),
        };
        if after_dot || !opens {
            return None;
        }
        let Some((value, next)) = self.value(at) else { return self.looked_up_by_name(at) };
        let plain = next == at + 1 && self.tokens[at].kind == Kind::Text && !self.is_formatted(at);
        match value {
            // What happens to a path may be a method after it.
            Value::Text(text) if self.language == Language::Python && self.is_mark(next, b'.') => {
                (!plain).then(|| (format!("Path({})", quoted(&text)), next))
            }
            Value::Text(text) if !plain => Some((quoted(&text), next)),
            // A list that has a name.
            Value::List(list) if self.tokens[at].kind == Kind::Name => {
                let parts: Vec<String> = list.iter().map(|part| quoted(part)).collect();
                Some((format!("[{}]", parts.join(", ")), next))
            }
            _ => None,
        }
    }

    /// `getattr(x, 'name')`, `x['name'](`, `__import__('x')`, `require('x')`: a name that is written as text.
    fn looked_up_by_name(&mut self, at: usize) -> Option<(String, usize)> {
        if self.tokens[at].kind != Kind::Name {
            return None;
        }
        match self.word(at) {
            "getattr" if self.is_mark(at + 1, b'(') => {
                let comma = (at + 2..at + 12).find(|n| self.is_mark(*n, b','))?;
                let object = self.text(at + 2, comma);
                let object = object.trim();
                let object =
                    object.strip_prefix("__import__(").and_then(|o| o.strip_suffix(')')).unwrap_or(object);
                let object = object.trim_matches(['\'', '"']).to_owned();
                let (Value::Text(name), next) = self.value(comma + 1)? else { return None };
                (is_name(&name) && self.is_mark(next, b')')).then(|| (format!("{object}.{name}"), next + 1))
            }
            "__import__" | "require" | "import_module" if self.is_mark(at + 1, b'(') => {
                let (Value::Text(name), next) = self.value(at + 2)? else { return None };
                let name = name.trim_start_matches("node:").to_owned();
                (is_name(&name) && self.is_mark(next, b')') && self.is_mark(next + 1, b'.'))
                    .then_some((name, next + 1))
            }
            _ if self.is_mark(at + 1, b'[') && self.language == Language::Node => {
                let (Value::Text(name), next) = self.value(at + 2)? else { return None };
                (is_name(&name) && self.is_mark(next, b']') && self.is_mark(next + 1, b'('))
                    .then(|| (format!("{}.{name}", self.word(at)), next + 1))
            }
            _ => None,
        }
    }

    /// `import x as y`, `from x import y as z`, `{exec: e} = `, `r = shutil.rmtree`.
    fn notes_other_name(&mut self, at: usize) {
        if self.tokens[at].kind != Kind::Name || self.aliases.len() >= MOST_NAMES {
            return;
        }
        let word = self.word(at);
        let follows = |name: &str| WORTH_FOLLOWING.contains(&name);
        if word == "as" && at > 0 && self.kind(at + 1) == Some(Kind::Name) && follows(self.word(at - 1)) {
            let (real, other) = (self.word(at - 1).to_owned(), self.word(at + 1).to_owned());
            self.aliases.entry(other).or_insert(real);
        } else if follows(word)
            && self.is_mark(at + 1, b':')
            && self.kind(at + 2) == Some(Kind::Name)
            && self.language == Language::Node
            && matches!(self.kind(at + 3), Some(Kind::Mark(b'}' | b',')))
        {
            let (real, other) = (word.to_owned(), self.word(at + 2).to_owned());
            // With its module, where that was read, it is known better.
            self.aliases.entry(other).or_insert(real);
        } else if self.is_assigned(at) && self.is_mark(at + 1, b'=') && self.kind(at + 2) == Some(Kind::Name)
        {
            // A function is handed over, not called.
            let mut end = at + 2;
            while self.is_mark(end + 1, b'.') && self.kind(end + 2) == Some(Kind::Name) {
                end += 2;
            }
            let called = matches!(self.kind(end + 1), Some(Kind::Mark(b'(' | b'[' | b'+' | b'/' | b'%')));
            if !called && follows(self.word(end)) {
                let (real, other) = (self.text(at + 2, end + 1).to_owned(), word.to_owned());
                self.aliases.insert(other, real);
            }
        }
    }

    /// Whether a name is given a value here.
    fn is_assigned(&self, at: usize) -> bool {
        let equals =
            |n: usize| self.is_mark(n, b'=') && !self.is_mark(n + 1, b'=') && !self.is_mark(n + 1, b'>');
        self.kind(at) == Some(Kind::Name)
            && (equals(at + 1)
                || matches!(self.kind(at + 1), Some(Kind::Mark(b'+' | b':' | b'.'))) && equals(at + 2)
                || self.is_mark(at + 1, b':') && self.kind(at + 2) == Some(Kind::Name) && equals(at + 3))
    }

    /// `x.append('y')`: a list grows.
    fn notes_growth(&mut self, at: usize) {
        if self.kind(at) != Some(Kind::Name)
            || !self.is_mark(at + 1, b'.')
            || !matches!(self.word(at + 2), "append" | "push" | "extend" | "concat")
            || !self.is_mark(at + 3, b'(')
        {
            return;
        }
        let Some((value, _)) = self.value(at + 4) else { return };
        if let Some(Value::List(list)) = self.names.get_mut(self.word(at))
            && list.len() < 64
        {
            match value {
                Value::Text(text) => list.push(text),
                Value::List(more) => list.extend(more.into_iter().take(64)),
            }
        }
    }

    /// Remembers what a name is given.
    fn notes_value(&mut self, at: usize) {
        if !self.is_assigned(at) || self.names.len() >= MOST_NAMES {
            return;
        }
        let Some(equals) = (at + 1..at + 4).find(|n| self.is_mark(*n, b'=')) else { return };
        let adds = equals == at + 2 && !self.is_mark(at + 1, b':');
        let Some((value, end)) = self.value(equals + 1) else { return };
        // A constant that goes on in a way that is not understood is none.
        if !self.ends_statement(end) {
            return;
        }
        let name = self.word(at).to_owned();
        let value = match (self.names.get(&name), value) {
            (Some(Value::Text(old)), Value::Text(new)) if adds => Value::Text(format!("{old}{new}")),
            (_, value) if !adds => value,
            _ => return,
        };
        self.names.insert(name, value);
    }

    fn ends_statement(&self, at: usize) -> bool {
        match self.tokens.get(at) {
            None => true,
            Some(token) => match token.kind {
                Kind::Mark(mark) => matches!(mark, b';' | b',' | b')' | b'}' | b']' | b'&'),
                Kind::Blank => true,
                _ => matches!(self.word(at), "if" | "for" | "or" | "and"),
            },
        }
    }
}

/// A literal that every reader of program text understands.
fn quoted(text: &str) -> String {
    let mut out = String::from("'");
    for c in text.chars() {
        match c {
            '\'' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            _ => out.push(c),
        }
    }
    out.push('\'');
    out
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn python(code: &str) -> String {
        folded(Language::Python, code, "/home/u", &Given::default()).unwrap_or_default()
    }

    #[test]
    fn what_is_put_together_becomes_a_literal() {
        for (code, want) in [
            ("rmtree('.'+'git')", "rmtree('.git')"),
            ("p=os.path.expanduser('~'); rmtree(p+'/x')", "p='/home/u'; rmtree('/home/u/x')"),
            ("d='.'\nd += 'git'\nrmtree(d)", "d='.'\nd += 'git'\nrmtree('.git')"),
            ("h = Path.home()\nrmtree(h / 'a' / 'b')", "h = '/home/u'\nrmtree('/home/u/a/b')"),
            ("rmtree(os.path.join(os.environ['HOME'], 'w'))", "rmtree('/home/u/w')"),
            ("rmtree(''.join(['.', 'git']))", "rmtree('.git')"),
            ("rmtree('tig.'[::-1])", "rmtree('.git')"),
            ("rmtree(chr(46)+'git')", "rmtree('.git')"),
            ("x='git'\nrmtree(f'.{x}')", "x='git'\nrmtree('.git')"),
            ("rmtree('.%s' % 'git')", "rmtree('.git')"),
            ("rmtree('.{}'.format('git'))", "rmtree('.git')"),
            ("import shutil as s; s.rmtree('a')", "import shutil as s; shutil.rmtree('a')"),
            ("r = shutil.rmtree\nr('/x')", "r = shutil.rmtree\nshutil.rmtree('/x')"),
            ("getattr(shutil, 'rm'+'tree')('/x')", "shutil.rmtree('/x')"),
            ("__import__('shutil').rmtree('/x')", "shutil.rmtree('/x')"),
            ("rmtree(os.path.join(os.path.expanduser('~'), name))", "rmtree('/home/u/computed')"),
        ] {
            assert_eq!(python(code), want, "{code}");
        }
        let node = |code| folded(Language::Node, code, "/home/u", &Given::default()).unwrap_or_default();
        assert_eq!(
            node("const h=require('os').homedir(); fs['rm'+'Sync'](`${h}/w`)"),
            "const h='/home/u'; fs.rmSync('/home/u/w')"
        );
        assert_eq!(
            node("const {execSync:e}=require('child_process'); e('x')"),
            "const {execSync:e}=require('child_process'); child_process.execSync('x')"
        );
        assert_eq!(node("path.join(os.homedir(), 'w')"), "'/home/u/w'");
        assert_eq!(
            folded(Language::Ruby, "rm(Dir.home + '/w')", "/home/u", &Given::default()).unwrap(),
            "rm('/home/u/w')"
        );
        assert_eq!(
            folded(Language::Perl, "$g='.g'.'it'; x($g)", "/h", &Given::default()).unwrap(),
            "$g='.git'; x('.git')"
        );
    }

    #[test]
    fn what_is_not_constant_stays() {
        for code in ["rmtree(root + '/x')", "a = b", "x == 'y'", "f('a', 'b')", "os.path.join(BASE, 'x')"] {
            assert_eq!(python(code), "", "{code}");
        }
    }

    #[test]
    fn hostile_text_takes_time_in_proportion() {
        for piece in ["a=a+'x';", "((((", "'a'+", "os.path.join(", "f'{", "x['", "getattr(", "[", "a.b.c.d"] {
            let time = |times: usize| {
                let code = piece.repeat(times);
                let start = std::time::Instant::now();
                folded(Language::Python, &code, "/h", &Given::default());
                folded(Language::Node, &code, "/h", &Given::default());
                start.elapsed().as_secs_f64()
            };
            let (one, four) = (time(2000), time(8000));
            assert!(four < 12.0 * one.max(0.05), "{piece}: {one} {four}");
        }
    }
}
