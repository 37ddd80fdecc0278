//! Calls in program text whose value is constant: the home folder, joined paths, decoded text, methods of texts and lists.

use crate::code::Language;
use crate::code_parts::{MAX_VALUE, MOST_PARTS, Parts, Value, filled, is_place, joined};
use crate::code_tokens::Kind;

impl Parts<'_> {
    /// The home folder, or a call that puts a text together.
    pub(crate) fn function(&mut self, name: &str, next: usize) -> Option<(Value, usize)> {
        let home = || Value::Text(self.home.to_owned());
        let called = self.is_mark(next, b'(');
        let last = name.rsplit(['.', ':']).next().unwrap_or(name);
        match name {
            "process.env.HOME" | "Dir.home" | "env.HOME" => {
                let end = if called && self.is_mark(next + 1, b')') { next + 2 } else { next };
                return Some((home(), end));
            }
            "os.environ" | "environ" | "ENV" | "process.env" | "env" | "_ENV" => {
                if !matches!(self.kind(next), Some(Kind::Mark(b'[' | b'{'))) {
                    return None;
                }
                if is_home_name(self.word(next + 1)) {
                    return Some((home(), next + 3));
                }
                return Some((self.variable(self.word(next + 1))?, next + 3));
            }
            "sys.argv" | "process.argv" | "Deno.args" | "Bun.argv" => {
                return self.given_arguments(name, next);
            }
            // A name that other code may use for something else.
            "argv" if matches!(self.language, Language::Php) || self.code.contains("from sys import") => {
                return self.given_arguments(name, next);
            }
            "ARGV" if matches!(self.language, Language::Perl | Language::Ruby) => {
                return self.given_arguments(name, next);
            }
            "arg" if self.language == Language::Lua => return self.given_arguments(name, next),
            "shift" if self.language == Language::Perl && self.given.inline && !self.is_mark(next, b'(') => {
                return Some((Value::Text(self.given.arguments.first()?.clone()), next));
            }
            _ => {}
        }
        if let Some(variable) = name.strip_prefix("process.env.").filter(|rest| !rest.contains('.')) {
            return Some((self.variable(variable)?, next));
        }
        if !called {
            return None;
        }
        match last {
            "homedir" | "home_dir" | "UserHomeDir" => {
                let close = (next + 1..next + 3).find(|n| self.is_mark(*n, b')'))?;
                return Some((home(), close + 1));
            }
            "home" if name.ends_with("Path.home") => return Some((home(), next + 2)),
            "get" | "getenv" | "fetch" | "var" if name == "getenv" || is_environment(name) => {
                let value = match is_home_name(self.word(next + 1)) {
                    true => home(),
                    false => self.variable(self.word(next + 1))?,
                };
                let (_, end) = self.arguments(next)?;
                return Some((value, end));
            }
            _ => {}
        }
        let joins = matches!(last, "join" | "Join" | "resolve" | "joinpath")
            && ["path", "File", "Path", "posixpath", "filepath"].iter().any(|owner| name.contains(owner));
        let wraps = matches!(
            last,
            "Path"
                | "PurePath"
                | "PosixPath"
                | "str"
                | "String"
                | "fspath"
                | "abspath"
                | "realpath"
                | "normpath"
                | "expanduser"
                | "expand_path"
                | "expandvars"
        );
        let decodes = matches!(last, "b64decode" | "atob" | "fromhex" | "unhexlify" | "decode64");
        let letters = matches!(last, "chr" | "fromCharCode");
        if !(joins || wraps || decodes || letters) {
            return None;
        }
        if letters {
            let (mut text, mut here) = (String::new(), next + 1);
            while self.kind(here) == Some(Kind::Number) && text.len() < MOST_PARTS {
                text.push(self.word(here).parse::<u32>().ok().and_then(char::from_u32)?);
                here += 1;
                here += usize::from(self.is_mark(here, b','));
            }
            return self.is_mark(here, b')').then_some((Value::Text(text), here + 1));
        }
        let (values, end) = self.arguments(next)?;
        let first = values.first()?.clone()?;
        let text = if decodes {
            let bytes = if matches!(last, "fromhex" | "unhexlify") {
                from_hex(&first)
            } else {
                crate::filters::base64_decode(&first)
            };
            String::from_utf8(bytes?).ok()?
        } else {
            let first = match first.strip_prefix('~') {
                Some(rest) if last.starts_with("expand") => format!("{}{rest}", self.home),
                _ => first.replace("$HOME", self.home),
            };
            let place = is_place(&first);
            let mut text = first;
            for value in values.iter().skip(1).filter(|_| joins || last.ends_with("Path")) {
                match value {
                    Some(part) => text = joined(&text, part),
                    None if place => text = joined(&text, "computed"),
                    None => return None,
                }
            }
            text
        };
        (text.len() <= MAX_VALUE).then_some((Value::Text(text), end))
    }

    /// `.join(...)`, `.format(...)`, `[::-1]` and their like after a value.
    pub(crate) fn method(&mut self, value: &Value, at: usize) -> Option<(Value, usize)> {
        if let Value::Text(text) = value
            && self.text(at, at + 6).replace(' ', "") == "[::-1]"
        {
            return Some((Value::Text(text.chars().rev().collect()), at + 6));
        }
        if !self.is_mark(at, b'.') || self.kind(at + 1) != Some(Kind::Name) {
            return None;
        }
        let name = self.word(at + 1);
        let called = self.is_mark(at + 2, b'(');
        if let (Value::Text(text), false) = (value, called) {
            return match name {
                "reverse" if self.language == Language::Ruby => {
                    Some((Value::Text(text.chars().rev().collect()), at + 2))
                }
                _ => None,
            };
        }
        if !called {
            return None;
        }
        let (values, end) = self.arguments(at + 2)?;
        let known: Option<Vec<String>> = values.iter().cloned().collect();
        let text = match (value, name) {
            (Value::List(list), "join") => list.join(known?.first().map_or("", String::as_str)),
            (Value::List(list), "reverse" | "reversed") => {
                return Some((Value::List(list.iter().rev().cloned().collect()), end));
            }
            (Value::Text(text), "join") => known?.join(text),
            (Value::Text(text), "split") => {
                let known = known?;
                let mark = known.first()?;
                let list = if mark.is_empty() {
                    text.chars().map(String::from).collect()
                } else {
                    text.split(mark.as_str()).map(str::to_owned).collect()
                };
                return Some((Value::List(list), end));
            }
            (Value::Text(text), "format") => filled(text, "{}", &Value::List(known?)),
            (Value::Text(text), "replace" | "replaceAll" | "gsub") => match known?.as_slice() {
                [from, to, ..] if !from.is_empty() && text.len() < 1000 && to.len() < 1000 => {
                    text.replace(from.as_str(), to)
                }
                _ => return None,
            },
            (Value::Text(text), "joinpath" | "concat" | "push") => {
                known?.iter().fold(text.clone(), |text, part| {
                    if name == "concat" { text + part } else { joined(&text, part) }
                })
            }
            (Value::Text(text), "lower" | "toLowerCase" | "downcase") => text.to_lowercase(),
            (Value::Text(text), "expanduser") => match text.strip_prefix('~') {
                Some(rest) => format!("{}{rest}", self.home),
                None => text.clone(),
            },
            (
                Value::Text(text),
                "strip" | "trim" | "decode" | "encode" | "toString" | "to_s" | "as_posix" | "resolve"
                | "absolute" | "to_string" | "to_owned",
            ) => text.trim().to_owned(),
            _ => return None,
        };
        (text.len() <= MAX_VALUE).then_some((Value::Text(text), end))
    }
}

impl Parts<'_> {
    /// The value of a variable of the environment, by its name in quotes or bare.
    fn variable(&self, name: &str) -> Option<Value> {
        let value = self.given.variables.get(name.trim_matches(['\'', '"', '`']))?;
        (value.len() <= MAX_VALUE).then(|| Value::Text(value.clone()))
    }

    /// `sys.argv[1]`, `sys.argv[1:]`, `process.argv.slice(2)`, `ARGV`: words of the line that starts the program.
    fn given_arguments(&self, name: &str, next: usize) -> Option<(Value, usize)> {
        let arguments = &self.given.arguments;
        if arguments.is_empty() {
            return None;
        }
        // How many words come before the first argument.
        let before = match name {
            "process.argv" | "Bun.argv" => 2 - usize::from(self.given.inline),
            "sys.argv" | "argv" | "arg" => 1,
            _ => 0,
        };
        let list = |from: usize| {
            let rest = arguments.get(from.saturating_sub(before)..).unwrap_or_default();
            Value::List(rest.iter().take(MOST_PARTS).cloned().collect())
        };
        let number = |at: usize| self.word(at).parse::<usize>().ok();
        if self.is_mark(next, b'[') {
            if let Some(n) = number(next + 1) {
                if self.is_mark(next + 2, b']') {
                    let word = arguments.get(n.checked_sub(before)?)?;
                    return Some((Value::Text(word.clone()), next + 3));
                }
                // `[1:]`, `[1..]`, `[0..-1]`.
                let close = (next + 2..next + 7).find(|at| self.is_mark(*at, b']'))?;
                return Some((list(n), close + 1));
            }
            // `[-1]`.
            if self.is_mark(next + 1, b'-') && self.word(next + 2) == "1" && self.is_mark(next + 3, b']') {
                return Some((Value::Text(arguments.last()?.clone()), next + 4));
            }
            return None;
        }
        if self.is_mark(next, b'.') && matches!(self.word(next + 1), "slice" | "drop") {
            let close = (next + 2..next + 6).find(|at| self.is_mark(*at, b')'))?;
            return Some((list(number(next + 3).unwrap_or(before)), close + 1));
        }
        if self.is_mark(next, b'.') && matches!(self.word(next + 1), "shift" | "first") {
            return Some((Value::Text(arguments.first()?.clone()), next + 2));
        }
        Some((list(before), next))
    }
}

fn is_home_name(word: &str) -> bool {
    matches!(word.trim_matches(['\'', '"']), "HOME" | "USERPROFILE" | "user.home")
}

fn is_environment(name: &str) -> bool {
    ["environ", "env", "ENV", "os.getenv", "std::env"].iter().any(|owner| name.contains(owner))
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u32> =
        text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_digit(16)).collect::<Option<_>>()?;
    Some(digits.chunks_exact(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect())
}
