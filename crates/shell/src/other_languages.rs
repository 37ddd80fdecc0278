//! Code on the line in a language that is not read: only words that are the same in all of them tell something. What calls a program,
//! takes files away, hides what it says, or names a place outside is code that nobody can see through.

use crate::code::Language;
use crate::findings::Weight;
use crate::value::{Arg, Data, HOLE};
use crate::verdict::Place;
use crate::walk::Walk;

/// Programs that run code which they are given, beside those that [`crate::code::language`] knows.
const PROGRAMS: &[&str] = &[
    "ocaml",
    "utop",
    "ocamlrun",
    "scala",
    "scala-cli",
    "amm",
    "crystal",
    "erl",
    "escript",
    "iex",
    "octave",
    "octave-cli",
    "jshell",
    "maxima",
    "gap",
    "gp",
    "gforth",
    "sage",
    "raku",
    "perl6",
    "nim",
    "fennel",
    "picolisp",
    "pil",
    "csi",
    "chicken-csi",
    "gosh",
    "scilab",
    "scilab-cli",
    "scilab-adv-cli",
    "hy",
    "chez",
    "scheme",
    "mit-scheme",
    "ecl",
    "ccl",
    "abcl",
    "newlisp",
    "janet",
    "pike",
    "rexx",
    "regina",
    "dyalog",
    "wolframscript",
    "matlab",
    "stata",
    "sas",
    "wish",
    "factor",
    "ghci",
    "runghc",
    "fsi",
    "fsharpi",
    "csharp",
    "csi.exe",
    "lfe",
    "swipl",
    "yap",
    "gprolog",
    "sclang",
    "smlnj",
    "sml",
    "poly",
    "bpftrace",
    "stap",
    "dtrace",
    "kotlin",
    "kotlinc",
    "swift",
    "dart",
    "v",
    "zig",
    "genie",
    "moon",
    "squirrel",
    "rakudo",
    "bigloo",
    "kawa",
    "joker",
    "lumo",
    "planck",
    "elvish",
    "yasm",
    "gst",
    "praat",
    "R",
    "Rscript",
    "julia",
    "tclsh",
    "groovy",
    "groovysh",
    "guile",
    "racket",
    "elixir",
    "sbcl",
    "clisp",
    "clojure",
    "clj",
    "bb",
    "gnuplot",
    "ghc",
    "sbt",
    "mill",
];
/// TeX: a word that begins with `\` is its text.
const TEX: &[&str] =
    &["tex", "etex", "pdftex", "latex", "pdflatex", "xetex", "xelatex", "luatex", "lualatex", "context"];
/// Builders that can be told to read their file from standard input, with the options that say so.
const FROM_INPUT: &[(&str, &[&str])] = &[
    ("gradle", &["-b", "--build-file", "-I", "--init-script", "-p", "-c", "--settings-file"]),
    ("gradlew", &["-b", "--build-file", "-I", "--init-script", "-c", "--settings-file"]),
    ("ant", &["-f", "-file", "-buildfile"]),
    ("mvn", &["-f", "--file"]),
    ("ninja", &["-f"]),
    ("just", &["-f", "--justfile"]),
    ("task", &["-t", "--taskfile"]),
    ("rake", &["-f", "--rakefile"]),
    ("scons", &["-f", "--file"]),
    ("cmake", &["-P"]),
    ("bazel", &["--bazelrc"]),
    ("doit", &["-f"]),
    ("fab", &["-f", "-c"]),
    ("invoke", &["-c"]),
];
/// Options whose value is code.
const CODE_OPTIONS: &[&str] = &[
    "-e",
    "-E",
    "--eval",
    "-eval",
    "--execute",
    "-execute",
    "--expr",
    "--expression",
    "-expr",
    "--run",
    "-r",
    "-g",
    "-c",
    "--code",
    "-code",
    "--batch",
    "-batch",
    "--batch-string",
    "--command",
    "--exec",
    "--load-string",
    "-x",
    "-qe",
    "-ne",
    "-pe",
    "--evaluate",
    "-script-string",
    "-ex",
    "--goal",
];
/// Words after which code follows.
const CODE_WORDS: &[&str] = &["eval", "evaluate", "-e", "console"];
/// What takes away, runs something, reaches into the environment, or takes text for code: in whatever language.
const TELLING: &[&str] = &[
    "delete",
    "remove",
    "unlink",
    "rmdir",
    "rm_rf",
    "rmtree",
    "rm-rf",
    "rm(",
    "rm ",
    "erase",
    "trash",
    "truncate",
    "rename",
    "deltree",
    "del_dir",
    "del-dir",
    "nuke",
    "write18",
    "directlua",
    "system",
    "shell",
    "exec",
    "spawn",
    "popen",
    "syscmd",
    "processbuilder",
    "process.",
    "qx",
    "callproc",
    "call \"",
    "eval",
    "getenv",
    "environ",
    "homedir",
    "home_dir",
    "user.home",
    "home()",
    "dlopen",
    "ccall",
    "foreign",
    "base64",
    "fromcharcode",
    "os_cmd",
    "os:cmd",
    "cmd(",
    "overwrite",
    "open_out",
    "opencode",
    "posix",
    "sys.command",
    "file.write",
    "writestring",
    "openout",
    "\\openout",
    "\\immediate",
    "load \"http",
    "download",
];
/// The most of a text that is looked at.
const READ: usize = 64 * 1024;

impl Walk<'_> {
    /// A program that may be given code in a language that is not read. True: it was, and nobody can see what it does.
    pub(crate) fn code_in_other_language(&mut self, name: &str, argv: &[Arg], stdin: &Data, about: &str) {
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
        let knows = |list: &[&str]| list.contains(&name) || list.contains(&stem);
        let mut codes: Vec<String> = Vec::new();
        if knows(PROGRAMS) || crate::code::language(name) == Some(Language::Other) {
            self.given_code(&argv[1..], stdin, &mut codes);
        } else if knows(TEX) {
            codes.extend(argv[1..].iter().map(|arg| arg.text.clone()).filter(|text| text.contains('\\')));
        } else if let Some((_, options)) = FROM_INPUT.iter().find(|(program, _)| *program == name) {
            let reads = argv
                .windows(2)
                .any(|pair| options.contains(&pair[0].text.as_str()) && is_input(&pair[1].text))
                || argv[1..].iter().any(|arg| {
                    let value = options.iter().find_map(|option| arg.text.strip_prefix(option));
                    value.is_some_and(|value| is_input(value.trim_start_matches('=')))
                });
            if reads && stdin.present {
                codes.push(stdin.text.clone().unwrap_or_else(|| HOLE.to_string()));
            }
        }
        if codes.iter().any(|code| !self.is_tame(code)) {
            self.found.loses(false);
            self.found.unknown(
                Weight::Ask,
                "runs_unknown_code",
                "runs code in a language that vib does not read, and it may take files away or start other programs",
                about,
            );
        }
    }

    /// Code among the words, or on standard input where no file is named.
    fn given_code(&self, args: &[Arg], stdin: &Data, codes: &mut Vec<String>) {
        let (mut at, mut names_file) = (0, false);
        while let Some(arg) = args.get(at) {
            let text = arg.text.as_str();
            let next = args.get(at + 1);
            let attached = text.split_once(['=', ':']).filter(|(option, _)| CODE_OPTIONS.contains(option));
            if let Some((_, code)) = attached {
                codes.push(code.to_owned());
            } else if CODE_OPTIONS.contains(&text) || CODE_WORDS.contains(&text) {
                codes.extend(next.map(|next| next.text.clone()));
                at += 1;
            } else if is_input(text) {
                names_file = false;
            } else if looks_like_code(text) {
                codes.push(text.to_owned());
            } else if !text.starts_with('-') && !matches!(text, "run" | "run-script" | "repl") {
                names_file = true;
            }
            at += 1;
        }
        let reads = !names_file || args.iter().any(|arg| is_input(&arg.text));
        if stdin.present && reads && codes.is_empty() {
            // What nobody can see at all is told by whoever reads the input.
            codes.extend(stdin.text.clone());
        }
    }

    /// Whether all that a text names is harmless in any language.
    fn is_tame(&self, code: &str) -> bool {
        if code.len() > READ || code.contains(HOLE) {
            return false;
        }
        let lower = code.to_lowercase();
        let names_outside = code
            .split(|c: char| {
                c.is_whitespace()
                    || matches!(c, '"' | '\'' | '`' | '(' | ')' | ',' | ';' | '{' | '}' | '[' | ']')
            })
            .filter(|word| word.len() > 1 && (word.starts_with(['/', '~']) || word.starts_with("..")))
            .filter(|word| !word.starts_with("//") && !word.starts_with("/*"))
            .any(|word| {
                let place = self.place_of(&Arg::new(word)).1;
                !matches!(place, Place::Project | Place::Temp | Place::Stream | Place::Remote)
            });
        !names_outside && !TELLING.iter().any(|word| lower.contains(word)) && !puts_text_together(code)
    }
}

/// `'/ho' ++ "me"`: what comes of it is not to be seen.
fn puts_text_together(code: &str) -> bool {
    const JOINS: &[&str] = &["++", "..", "^", "<>", "+", "&", "~", "."];
    let mut rest = code;
    while let Some(at) = rest.find(['"', '\'']) {
        let quote = &rest[at..=at];
        let after = &rest[at + 1..];
        let Some(end) = after.find(quote) else { return false };
        let behind = after[end + 1..].trim_start();
        if JOINS.iter().any(|join| {
            behind.strip_prefix(join).is_some_and(|next| next.trim_start().starts_with(['"', '\'']))
        }) {
            return true;
        }
        rest = &after[end + 1..];
    }
    false
}

fn is_input(text: &str) -> bool {
    matches!(text, "-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0")
}

/// A word that no file is called.
fn looks_like_code(text: &str) -> bool {
    text.contains('(') && (text.contains(' ') || text.contains(['"', '\''])) || text.contains('\n')
}
