//! Interpreters: which part of their arguments is code, a file, or a module.

use crate::findings::Weight;
use crate::value::{Arg, Data};
use crate::verdict::Place;
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

/// What an option of an interpreter means for the arguments after it.
#[derive(Debug, PartialEq, Eq)]
enum InterpreterOption {
    /// Code follows: in the same word, or in the next.
    Code(Option<String>),
    /// The next word is its value.
    TakesNext,
    /// Nothing follows.
    Alone,
}

/// Reads one option. Short ones stand in clusters: `-lane` ends in code, `-rfileutils` names a file.
fn option(language: Language, text: &str) -> InterpreterOption {
    if let Some(long) = text.strip_prefix("--") {
        let (name, value) = match long.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (long, None),
        };
        return match name {
            "eval" | "print" | "execute" | "run" => InterpreterOption::Code(value),
            "require"
            | "import"
            | "loader"
            | "experimental-loader"
            | "conditions"
            | "env-file"
            | "config"
            | "title"
                if value.is_none() =>
            {
                InterpreterOption::TakesNext
            }
            _ => InterpreterOption::Alone,
        };
    }
    // `erl -noshell -eval CODE`: words behind one dash.
    if language == Language::Other && text.len() > 3 {
        match text {
            "-eval" => return InterpreterOption::Code(None),
            _ if !text.starts_with("-e") && !text.starts_with("-E") && !text.starts_with("-c") => {
                return InterpreterOption::Alone;
            }
            _ => {}
        }
    }
    // Letters that start code, and letters that take the rest of the word, or the next one, as their value.
    let (code, valued) = match language {
        Language::Python => ("c", "WXQ"),
        Language::Node => ("ep", "rC"),
        Language::Perl => ("eE", "MmIFxVD"),
        Language::Ruby => ("e", "rICEKTWxF"),
        Language::Php => ("rBRE", "dcfztS"),
        Language::Lua => ("e", "l"),
        Language::Other => ("eEcg", "LlIt"),
    };
    for (at, letter) in text.char_indices().skip(1) {
        let rest = &text[at + letter.len_utf8()..];
        if code.contains(letter) {
            // `-ep` and `-pe` of node are two letters for one thing.
            let more = !rest.is_empty() && !rest.chars().all(|c| code.contains(c));
            return InterpreterOption::Code(more.then(|| rest.to_owned()));
        }
        if valued.contains(letter) {
            return if rest.is_empty() { InterpreterOption::TakesNext } else { InterpreterOption::Alone };
        }
    }
    InterpreterOption::Alone
}

/// The language a program interprets.
pub(crate) fn language(name: &str) -> Option<Language> {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    Some(match stem {
        "python" | "pypy" | "ipython" | "bpython" | "micropython" => Language::Python,
        "node" | "nodejs" | "deno" | "bun" | "ts-node" | "tsx" | "zx" => Language::Node,
        "perl" => Language::Perl,
        "ruby" | "irb" | "jruby" => Language::Ruby,
        "php" | "php-cli" => Language::Php,
        "lua" | "luajit" | "tarantool" => Language::Lua,
        "R" | "Rscript" | "julia" | "osascript" | "tclsh" | "groovy" | "guile" | "racket" | "elixir"
        | "erl" | "expect" | "swipl" | "octave" | "jshell" | "ghc" | "sbcl" | "clisp" | "gnuplot"
        | "clojure" | "bb" => Language::Other,
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
        let mut at = 1;
        while at < argv.len() {
            let text = argv[at].text.as_str();
            if !text.starts_with('-') || text == "-" {
                break;
            }
            if language == Language::Python && text == "-m" {
                return self.python_module(&argv[at + 1..], stdin, about);
            }
            match option(language, text) {
                InterpreterOption::Code(attached) => {
                    return self.inline_code(language, argv, at, attached, stdin, about);
                }
                InterpreterOption::TakesNext => at += 2,
                InterpreterOption::Alone => at += 1,
            }
        }
        // `deno eval CODE`.
        if language == Language::Node && argv.get(at).is_some_and(|word| word.text == "eval") {
            let next = argv[at + 1..].iter().position(|arg| !arg.text.starts_with('-'));
            if let Some(next) = next {
                return self.inline_code(language, argv, at + next, None, stdin, about);
            }
        }
        // `deno run FILE`, `bun run FILE`.
        let program = argv[0].text.rsplit('/').next().unwrap_or_default();
        if matches!(program, "deno" | "bun")
            && argv
                .get(at)
                .is_some_and(|word| matches!(word.text.as_str(), "run" | "serve" | "test" | "bench"))
        {
            let next = argv[at + 1..].iter().position(|arg| !arg.text.starts_with('-'));
            match next.map(|next| at + 1 + next) {
                Some(next) if argv[next].text.contains(['.', '/']) => at = next,
                _ => {}
            }
        }
        if let Some(address) = argv.get(at).filter(|file| file.text.contains("://"))
            && !crate::loads::is_known_address(&address.text)
        {
            self.found.verdict.network = true;
            self.found.add(
                Weight::Ask,
                "runs_downloaded_code",
                "runs code that comes straight from the network",
                about,
            );
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
        self.foreign_code(file, about);
        self.with_given(&argv[at + 1..], false, stdin, |walk| {
            walk.code_file(language, file, about);
            for script in walk.files_matching(file) {
                walk.code_file(language, &Arg::new(script), about);
            }
        });
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
        self.script_told_to(file, &argv[at + 1..], about);
        self.loses_outside(&argv[at..], about);
        Data::unknown(stdin.taint)
    }

    fn inline_code(
        &mut self,
        language: Language,
        argv: &[Arg],
        at: usize,
        attached: Option<String>,
        stdin: &Data,
        about: &str,
    ) -> Data {
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
        let mut secret = false;
        for argument in argv.get(files..).unwrap_or_default() {
            secret |= self.reads_secret(argument);
        }
        // Code that reads what it is given, and an address.
        if secret && (code.contains("http://") || code.contains("https://")) {
            self.sends(true, about);
        }
        let words = argv.get(files..).unwrap_or_default();
        let words = if words.first().is_some_and(|word| word.text == "--") { &words[1..] } else { words };
        let code = Data::text(code).tainted(taint);
        let out = self.with_given(words, true, stdin, |walk| walk.code_data(language, &code, about));
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
        for arg in &args[1..] {
            self.reads_secret_argument(arg);
        }
        match module.text.as_str() {
            "pip" | "pytest" | "tox" | "twine" | "poetry" | "pdm" | "uv" | "ruff" | "black" | "mypy" => {
                self.run(args, stdin.clone())
            }
            "json.tool" => {
                // `python3 -m json.tool IN OUT`
                let options = crate::options::Options::of(&args[1..], &["--indent"]);
                if let Some(file) = options.words.get(1).filter(|file| file.text != "-") {
                    self.writes(file, "named as a file to write");
                }
                Data::unknown(stdin.taint)
            }
            "this" | "timeit" | "calendar" | "platform" | "site" | "sysconfig" | "dis" | "tokenize"
            | "ast" => Data::unknown(stdin.taint),
            "zipfile" | "tarfile" if self.python_unpacks(&args[1..], stdin) => Data::unknown(stdin.taint),
            "pdb" | "cProfile" | "profile" | "coverage" | "trace" => {
                if let Some(file) = args[1..].iter().find(|arg| arg.text.ends_with(".py")) {
                    self.foreign_code(file, about);
                    self.code_file(Language::Python, file, about);
                }
                self.found.unknown(Weight::Checkpoint, "runs_project_code", "runs a Python module", about);
                Data::unknown(stdin.taint)
            }
            "http.server" | "SimpleHTTPServer" => {
                let options = crate::options::Options::of(&args[1..], &["-d", "--directory", "-b", "--bind"]);
                for folder in options.values(&["-d", "--directory"]).cloned().collect::<Vec<_>>() {
                    let place = self.place_of(&folder).1;
                    if !matches!(place, Place::Project | Place::ProjectRoot | Place::Temp) {
                        self.sends(false, about);
                    }
                }
                self.found.unknown(Weight::Checkpoint, "runs_project_code", "serves files", about);
                Data::unknown(stdin.taint)
            }
            name => {
                let path = name.replace('.', "/");
                for file in [format!("{path}.py"), format!("{path}/__main__.py")] {
                    let file = module.with_text(file);
                    if self
                        .file_key(&file)
                        .is_some_and(|key| self.ctx.files.kind(std::path::Path::new(&key)).is_some())
                    {
                        self.code_file(Language::Python, &file, about);
                    }
                }
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
    fn options_of_interpreters() {
        use InterpreterOption::{Alone, Code, TakesNext};
        let attached = |code: &str| Code(Some(code.to_owned()));
        for (language, text, want) in [
            (Language::Python, "-c", Code(None)),
            (Language::Python, "-uc", Code(None)),
            (Language::Python, "-cprint(1)", attached("print(1)")),
            (Language::Perl, "-lane", Code(None)),
            (Language::Perl, "-MFile::Path=remove_tree", Alone),
            (Language::Ruby, "-rfileutils", Alone),
            (Language::Ruby, "-r", TakesNext),
            (Language::Node, "-pe", Code(None)),
            (Language::Node, "--eval=x()", attached("x()")),
            (Language::Node, "--input-type=module", Alone),
        ] {
            assert_eq!(option(language, text), want, "{text}");
        }
    }

    #[test]
    fn names_of_interpreters() {
        assert_eq!(language("python3.12"), Some(Language::Python));
        assert_eq!(language("nodejs"), Some(Language::Node));
        assert_eq!(language("pythonish"), None);
    }
}
