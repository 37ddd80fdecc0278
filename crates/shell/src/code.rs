//! Interpreters: which part of their arguments is code, a file, or a module.

use crate::findings::Weight;
use crate::value::{Arg, Data};
use crate::walk::Walk;

/// A family of languages with the same ways to run commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Python,
    Node,
    Perl,
    Ruby,
    Php,
    Lua,
    Other,
}

/// The language a program interprets.
pub(crate) fn language(name: &str) -> Option<Language> {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    Some(match stem {
        "python" | "pypy" | "ipython" | "bpython" | "micropython" => Language::Python,
        "node" | "nodejs" | "deno" | "bun" | "ts-node" | "tsx" => Language::Node,
        "perl" => Language::Perl,
        "ruby" | "irb" | "jruby" => Language::Ruby,
        "php" | "php-cli" => Language::Php,
        "lua" | "luajit" | "tarantool" => Language::Lua,
        "Rscript" | "julia" | "osascript" | "tclsh" | "groovy" | "guile" | "racket" | "elixir" | "erl"
        | "expect" | "swipl" | "octave" | "jshell" | "ghc" => Language::Other,
        _ => return None,
    })
}

impl Walk<'_> {
    /// An interpreter with its arguments.
    pub(crate) fn interpreter(
        &mut self,
        language: Language,
        argv: &[Arg],
        stdin: &Data,
        about: &str,
    ) -> Data {
        let inline: &[char] = match language {
            Language::Python => &['c'],
            Language::Node | Language::Perl => &['e', 'E', 'p'],
            Language::Php => &['r', 'B', 'R'],
            _ => &['e'],
        };
        let mut at = 1;
        while at < argv.len() {
            let text = argv[at].text.as_str();
            if !text.starts_with('-') || text == "-" {
                break;
            }
            if language == Language::Python && text == "-m" {
                return self.python_module(&argv[at + 1..], stdin, about);
            }
            let long = matches!(text, "--eval" | "--print" | "--execute") || text.starts_with("--eval=");
            let short = !text.starts_with("--")
                && text.chars().skip(1).any(|c| inline.contains(&c))
                && (language != Language::Perl || text.contains(['e', 'E']));
            if long || short {
                return self.inline_code(language, argv, at, inline, stdin, about);
            }
            // Options with a value of their own.
            let takes = match language {
                Language::Python => matches!(text, "-W" | "-X" | "-Q"),
                Language::Node => matches!(text, "-r" | "--require" | "--import" | "--loader"),
                Language::Perl | Language::Ruby => matches!(text, "-I" | "-C" | "-r"),
                _ => false,
            };
            at += 1 + usize::from(takes);
        }
        let Some(file) = argv.get(at) else {
            return self.code_on_stdin(language, stdin, about);
        };
        if matches!(file.text.as_str(), "-" | "/dev/stdin" | "/dev/fd/0") {
            return self.code_on_stdin(language, stdin, about);
        }
        let remembered = self.file_key(file).and_then(|key| self.files.get(&key)).cloned();
        if let Some(data) = remembered {
            return self.code_data(language, &data, about);
        }
        if self.is_socket(file) {
            return Data::unknown(stdin.taint);
        }
        if !file.known() {
            self.found.unknown(
                Weight::Covered,
                "runs_unknown_code",
                "runs a program file that is not known here",
                about,
            );
        }
        self.found.unknown(
            Weight::Checkpoint,
            "runs_project_code",
            "runs a program whose inside is not visible here",
            about,
        );
        let harmful_verb = file.text.ends_with("manage.py")
            && argv.get(at + 1).is_some_and(|arg| {
                matches!(arg.text.as_str(), "flush" | "reset_db" | "sqlflush" | "reset_schema")
            });
        if harmful_verb {
            self.found.add(Weight::Ask, "unknown_loss", "a program is told to delete something", about);
        }
        Data::unknown(stdin.taint)
    }

    fn inline_code(
        &mut self,
        language: Language,
        argv: &[Arg],
        at: usize,
        inline: &[char],
        stdin: &Data,
        about: &str,
    ) -> Data {
        let text = argv[at].text.as_str();
        let attached = text
            .split_once('=')
            .filter(|(flag, _)| flag.starts_with("--"))
            .map(|(_, code)| code.to_owned())
            .or_else(|| {
                let end = text.find(|c| inline.contains(&c))?;
                (!text.starts_with("--") && end + 1 < text.len() && language != Language::Perl)
                    .then(|| text[end + 1..].to_owned())
            });
        let (code, taint, files) = match attached {
            Some(code) => (Some(code), argv[at].taint, at + 1),
            None => (
                argv.get(at + 1).map(|arg| arg.text.clone()),
                argv.get(at + 1).map(|arg| arg.taint).unwrap_or_default(),
                at + 2,
            ),
        };
        let Some(code) = code else {
            self.found.unknown(Weight::Ask, "runs_unknown_code", "runs code that is not visible here", about);
            return Data::unknown(stdin.taint);
        };
        if argv[..=at].iter().any(|arg| {
            arg.text.starts_with("-i") || arg.text.starts_with("-pi") || arg.text.starts_with("-ni")
        }) && matches!(language, Language::Perl | Language::Ruby)
        {
            for file in argv.get(files..).unwrap_or_default() {
                self.writes(file, "edited in place");
            }
        }
        for argument in argv.get(files..).unwrap_or_default() {
            self.reads_secret(argument);
        }
        let out = self.code_data(language, &Data::text(code).tainted(taint), about);
        out.tainted(stdin.taint)
    }

    fn code_on_stdin(&mut self, language: Language, stdin: &Data, about: &str) -> Data {
        if stdin.present {
            return self.code_data(language, stdin, about);
        }
        Data::default()
    }

    fn python_module(&mut self, args: &[Arg], stdin: &Data, about: &str) -> Data {
        let Some(module) = args.first() else {
            return Data::default();
        };
        match module.text.as_str() {
            "pip" | "pytest" | "tox" | "twine" | "poetry" | "pdm" | "uv" | "ruff" | "black" | "mypy" => {
                self.run(args, stdin.clone())
            }
            "json.tool" | "this" | "timeit" | "calendar" | "platform" | "site" | "sysconfig" | "dis"
            | "tokenize" | "ast" => Data::unknown(stdin.taint),
            _ => {
                self.found.unknown(Weight::Checkpoint, "runs_project_code", "runs a Python module", about);
                Data::unknown(stdin.taint)
            }
        }
    }

    fn code_data(&mut self, language: Language, data: &Data, about: &str) -> Data {
        if data.taint.network {
            self.found.verdict.network = true;
            self.found.add(
                Weight::Ask,
                "runs_downloaded_code",
                "runs code that comes straight from the network",
                about,
            );
        }
        match &data.text {
            Some(text) => self.code(language, &text.clone(), about),
            None => self.found.unknown(
                Weight::Ask,
                "runs_unknown_code",
                "runs code that is not visible here",
                about,
            ),
        }
        Data::unknown(data.taint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_interpreters() {
        assert_eq!(language("python3.12"), Some(Language::Python));
        assert_eq!(language("nodejs"), Some(Language::Node));
        assert_eq!(language("pythonish"), None);
    }
}
