//! Code that runs, deletes or writes what it is given: its arguments and the environment are put in as literals (see
//! `code_calls`), what it reads from standard input or from a file and runs is judged as the command that it is.

use crate::code::Language;
use crate::code_parts::Given;
use crate::code_text::{first_argument, first_string, literal_lists, strings};
use crate::findings::Weight;
use crate::value::{Arg, Data};
use crate::verdict::Decision;
use crate::walk::Walk;

/// How code reads its standard input.
const STDIN: &[&str] = &[
    "sys.stdin",
    "stdin.read",
    "input()",
    "raw_input()",
    "STDIN",
    "$stdin",
    "ARGF",
    "readFileSync(0",
    "/dev/stdin",
    "php://stdin",
];

/// How code reads a whole file.
const READS: &[&str] = &[
    "open(",
    "io.open(",
    "Path(",
    "pathlib.Path(",
    "readFileSync(",
    "fs.readFileSync(",
    "require('fs').readFileSync(",
    "require(\"fs\").readFileSync(",
    "File.read(",
    "IO.read(",
    "file_get_contents(",
];

/// Ways to look at the words of the line.
const ARGUMENTS: &[&str] = &[
    "argv",
    "ARGV",
    "Deno.args",
    "shift",
    "arg[",
    "argparse",
    "import click",
    "import typer",
    "parseArgs",
    "commander",
    "OptionParser",
];

impl Walk<'_> {
    /// Remembers what a program is given while it is judged.
    pub(crate) fn with_given<T>(
        &mut self,
        words: &[Arg],
        inline: bool,
        stdin: &Data,
        judge: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let arguments = words.iter().take(64).map(|word| word.text.clone()).collect();
        let given = Given { arguments, inline, ..Given::default() };
        let outer = (std::mem::replace(&mut self.given, given), self.given_stdin.clone());
        self.given_stdin = stdin.clone();
        let out = judge(self);
        (self.given, self.given_stdin) = outer;
        out
    }

    /// What code is given, with the variables of the line and of the process.
    pub(crate) fn given_with_variables(&self, code: &str, with_words: bool) -> Given {
        let mut given = Given { inline: self.given.inline, ..Given::default() };
        if with_words {
            given.arguments.clone_from(&self.given.arguments);
        }
        if code.contains("env") || code.contains("ENV") {
            let known = self.vars.iter().filter_map(|(name, values)| match values.as_slice() {
                [value] if value.known() => Some((name.clone(), value.text.clone())),
                _ => None,
            });
            given.variables = known.collect();
        }
        given
    }

    /// Whether code looks at words that the line has for it.
    pub(crate) fn uses_words(&self, code: &str) -> bool {
        !self.given.arguments.is_empty() && ARGUMENTS.iter().any(|name| code.contains(name))
    }

    /// Code in a file: what the words of the line bring in is judged in full, because they were written just now.
    pub(crate) fn judged_with_words(&mut self, language: Language, code: &str, about: &str) {
        if !self.uses_words(code) {
            return;
        }
        let words = std::mem::take(&mut self.given.arguments);
        let without = self.probed(|walk| walk.code(language, code, about));
        self.given.arguments = words;
        let with = self.probed(|walk| walk.code(language, code, about));
        self.found.verdict.network |= with.network;
        for reason in with.reasons {
            let known =
                without.reasons.iter().any(|old| old.code == reason.code && old.about == reason.about);
            if reason.decision >= Decision::Ask && !known {
                self.found.loses(false);
                let weight = if reason.decision == Decision::Deny { Weight::Deny } else { Weight::Ask };
                let text = format!("{} (`{}`), as `{about}` says", reason.text, reason.about);
                self.found.add(weight, reason.code, text, about);
            }
        }
    }

    /// A call that runs a command: one that is read from standard input or from a file is judged by its text.
    pub(crate) fn runs_what_it_reads(&mut self, code: &str, call: &str, about: &str) {
        // Words of the line that reach the call in a way that is not followed.
        if strings(call).is_empty() && self.given.used {
            let words: Vec<Arg> = std::iter::once("code")
                .chain(self.given.arguments.iter().map(String::as_str))
                .map(Arg::new)
                .collect();
            if self.ends_in_harm(&words) {
                self.found.unknown(
                    Weight::Ask,
                    "unknown_wrapper",
                    "code that runs a command it is given, and the words for it are a harmful command",
                    about,
                );
            }
        }
        match self.read_by(code, first_argument(call)) {
            Some(data) if data.present => {
                self.script_data(&data, Data::default(), about);
            }
            _ => {}
        }
    }

    /// A call that deletes what standard input names.
    pub(crate) fn deletes_what_it_reads(&mut self, code: &str, call: &str, recursive: bool) {
        // `for p in ['a', 'b']: rmtree(p)`.
        let argument = first_argument(call).trim();
        if let Some(list) = name_given(code, argument).filter(|given| given.starts_with('[')) {
            for path in literal_lists(list).first().into_iter().flatten().take(64) {
                self.deletes(&Arg::new(path.clone()), recursive);
            }
        }
        if !self.reading.is_empty() {
            return;
        }
        let Some(data) = self.read_by(code, first_argument(call)).filter(|data| data.present) else { return };
        let names: Vec<Arg> = match &data.text {
            Some(text) => text.lines().take(64).map(|line| Arg::new(line.trim())).collect(),
            None => data.lines(),
        };
        for name in names.iter().filter(|name| !name.text.is_empty()) {
            self.deletes(name, recursive);
        }
    }

    /// The content that an expression reads, directly or through a name; nothing where it reads none.
    fn read_by(&mut self, code: &str, argument: &str) -> Option<Data> {
        let mut read = argument.trim();
        for wrap in ["shlex.split(", "str(", "String("] {
            read = read.strip_prefix(wrap).unwrap_or(read);
        }
        let name: &str = read.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').next()?;
        if let Some(given) = name_given(code, name) {
            read = given;
        }
        if STDIN.iter().any(|word| read.contains(word)) {
            return Some(self.given_stdin.clone());
        }
        if READS.iter().any(|call| read.starts_with(call)) {
            let file = first_string(read)?;
            return Some(self.read_file(&Arg::new(file)));
        }
        None
    }
}

/// What a name was given: `c = EXPRESSION`, `for c in EXPRESSION`.
fn name_given<'c>(code: &'c str, name: &str) -> Option<&'c str> {
    if name.is_empty() || name.len() > 40 {
        return None;
    }
    let marks = [format!("{name} = "), format!("{name}="), format!("for {name} in ")];
    for mark in &marks {
        let found = code.match_indices(mark.as_str()).find(|(at, _)| {
            let before = code[..*at].chars().next_back();
            !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
        });
        if let Some((at, _)) = found {
            let rest = &code[at + mark.len()..];
            return Some(rest.split(['\n', ';']).next().unwrap_or(rest).trim());
        }
    }
    None
}
