//! Code of other languages on the command line: `python -c`, `node -e`, scripts on standard input.
//!
//! No attempt is made to understand the language. The text is searched for calls that run commands, delete or write files,
//! or hide what they do, and their literal arguments are judged like any command or path. Everything else such code does
//! is "may write".

use crate::filters::base64_decode;
use crate::findings::Weight;
use crate::value::{Arg, Data, HOLE};
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

/// Calls that run a command given as text or as a list.
const SHELL_CALLS: &[&str] = &[
    "system",
    "popen",
    "popen2",
    "execSync",
    "execFileSync",
    "execFile",
    "spawnSync",
    "shell_exec",
    "passthru",
    "proc_open",
    "pcntl_exec",
    "getoutput",
    "getstatusoutput",
    "check_output",
    "check_call",
    "Popen",
    "execl",
    "execlp",
    "execv",
    "execvp",
    "execve",
    "spawnl",
    "spawnlp",
    "spawnv",
    "posix_spawn",
    "capture2",
    "capture2e",
    "capture3",
    "create_subprocess_shell",
    "create_subprocess_exec",
    "pty.spawn",
    "os.execute",
    "io.popen",
    "subprocess.run",
    "subprocess.call",
    "sp.run",
    "sp.call",
    "child_process.exec",
    "child_process.spawn",
    "cp.exec",
    "Kernel.exec",
    "spawn",
    "shell",
    "sh",
];

/// Calls that delete, and whether everything below goes too.
const DELETE_CALLS: &[(&str, bool)] = &[
    ("shutil.rmtree", true),
    ("rmtree", true),
    ("os.remove", false),
    ("os.unlink", false),
    ("os.rmdir", false),
    ("os.removedirs", true),
    ("rmSync", true),
    ("fs.rm", true),
    ("unlinkSync", false),
    ("rmdirSync", true),
    ("fs.unlink", false),
    ("fs.rmdir", true),
    ("rimraf", true),
    ("removeSync", true),
    ("emptyDirSync", true),
    ("rm_rf", true),
    ("rm_r", true),
    ("remove_entry_secure", true),
    ("FileUtils.rm", false),
    ("File.delete", false),
    ("File.unlink", false),
    ("Dir.rmdir", false),
    ("remove_tree", true),
    ("unlink", false),
    ("rmdir", false),
    ("Deno.remove", true),
    ("file.remove", false),
];

/// Words that mean that code or text was hidden.
const HIDING: &[&str] = &[
    "b64decode",
    "fromhex",
    "unhexlify",
    "decompress",
    "atob(",
    "base64",
    "marshal",
    "codecs",
    "chr(",
    "fromCharCode",
    "unpack(",
    "rot13",
    "String.fromCharCode",
    "pack(",
];

/// Words that mean the network.
const NETWORK: &[&str] = &[
    "urlopen",
    "requests.",
    "urllib",
    "http.client",
    "socket.",
    "fetch(",
    "https.get",
    "http.get",
    "Net::HTTP",
    "LWP",
    "IO::Socket",
    "file_get_contents('http",
    "file_get_contents(\"http",
    "httpx.",
    "axios",
];

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

    /// Judges program text.
    fn code(&mut self, language: Language, code: &str, about: &str) {
        if !self.step(about) {
            return;
        }
        self.depth += 1;
        self.found.may_write();
        self.found.add(Weight::Checkpoint, "runs_inline_code", "runs code given on the command line", about);
        let hidden = HIDING.iter().any(|word| code.contains(word));
        let network = NETWORK.iter().any(|word| code.contains(word));
        self.found.verdict.network |= network;
        self.shell_calls(language, code, hidden, about);
        for (name, recursive) in DELETE_CALLS {
            for call in calls(code, name) {
                match first_string(call).filter(|_| is_one_string(first_argument(call))) {
                    Some(path) => {
                        let path = path.replacen(
                            '~',
                            &self.ctx.home.to_string_lossy(),
                            usize::from(path.starts_with('~')),
                        );
                        self.deletes(&Arg::new(path), *recursive);
                    }
                    None => self.found.unknown(
                        Weight::Covered,
                        "deletes_unknown",
                        "code that deletes files it computes",
                        about,
                    ),
                }
            }
        }
        self.code_writes(code);
        let evaluates = ["exec(", "eval(", "compile(", "Function(", "instance_eval", "loadstring(", "load("]
            .iter()
            .any(|word| code.contains(word));
        if evaluates && (hidden || network)
            || code.contains("getattr(os")
            || code.contains("__import__(") && (hidden || code.contains("getattr"))
        {
            self.found.unknown(Weight::Ask, "hidden_code", "code that hides what it runs", about);
        }
        let secrets =
            strings(code).iter().any(|text| text.len() < 200 && crate::secret_files::is_secret(text));
        if secrets {
            self.found.add(Weight::Ask, "reads_secret", "uses a file that usually holds a secret", about);
            if network {
                self.sends(true, about);
            }
        }
        if loses_by_name(code) {
            self.found.unknown(
                Weight::Covered,
                "unknown_loss",
                "code that calls something named like a deletion",
                about,
            );
        }
        self.depth -= 1;
    }

    fn shell_calls(&mut self, language: Language, code: &str, hidden: bool, about: &str) {
        let mut found = Vec::new();
        for name in SHELL_CALLS {
            let generic = matches!(*name, "spawn" | "shell" | "sh");
            if generic && language == Language::Python && !(*name == "spawn" && code.contains("pty")) {
                continue;
            }
            found.extend(calls(code, name));
        }
        match language {
            Language::Node if code.contains("child_process") => found.extend(calls(code, "exec")),
            Language::Perl | Language::Ruby | Language::Php => found.extend(calls(code, "exec")),
            _ => {}
        }
        for call in found {
            let literals = strings(call);
            let interpolated = matches!(language, Language::Python)
                && call.trim_start().starts_with(['f', 'F'])
                && call.contains('{');
            let joined_by_code = first_argument(call).contains('+') || interpolated || literals.is_empty();
            if literals.first().is_some_and(|first| !first.contains(char::is_whitespace))
                && literals.len() > 1
                && !joined_by_code
            {
                let argv: Vec<Arg> = literals.iter().map(Arg::new).collect();
                self.run(&argv, Data::default());
            } else if let Some(text) = literals.first() {
                let text = if joined_by_code { format!("{text}{HOLE}") } else { text.clone() };
                if joined_by_code {
                    let verdict = self.probed(|walk| walk.probe_script(text.trim_end_matches(HOLE), "code"));
                    if verdict.destructive {
                        self.probe_script(text.trim_end_matches(HOLE), "code");
                    }
                    self.found.unknown(
                        Weight::Covered,
                        "runs_unknown_code",
                        "code that runs a command it puts together",
                        about,
                    );
                } else {
                    self.probe_script(&text, "code");
                }
            }
            if joined_by_code {
                let weight = if hidden { Weight::Ask } else { Weight::Covered };
                self.found.unknown(
                    weight,
                    "runs_unknown_code",
                    "code that runs a command it puts together",
                    about,
                );
            }
        }
        if hidden {
            for text in strings(code) {
                if let Some(decoded) = base64_decode(&text).and_then(|bytes| String::from_utf8(bytes).ok())
                    && text.len() > 8
                    && decoded.contains(' ')
                {
                    self.probe_script(&decoded, "decoded text");
                }
            }
        }
        if matches!(language, Language::Perl | Language::Ruby | Language::Php) {
            for (n, text) in code.split('`').enumerate() {
                if n % 2 == 1 {
                    self.probe_script(text, "code");
                }
            }
            for mark in ["%x(", "qx(", "qx{", "%x{", "%x["] {
                for rest in code.split(mark).skip(1) {
                    let end = rest.find([')', '}', ']']).unwrap_or(rest.len());
                    self.probe_script(&rest[..end], "code");
                }
            }
            // Perl and Ruby calls work without brackets.
            for name in ["system ", "exec ", "unlink ", "rmtree "] {
                for (at, _) in code.match_indices(name) {
                    let before = code[..at].chars().next_back();
                    if before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
                        continue;
                    }
                    let rest = code[at + name.len()..].split([';', '\n']).next().unwrap_or_default();
                    match (first_string(rest), name.trim()) {
                        (Some(path), "unlink" | "rmtree") => {
                            self.deletes(&Arg::new(path), name.starts_with("rmtree"));
                        }
                        (Some(_), _) => {
                            self.probe_script(&strings(rest).join(" "), "code");
                        }
                        (None, "unlink" | "rmtree") => self.found.unknown(
                            Weight::Covered,
                            "deletes_unknown",
                            "code that deletes files it computes",
                            about,
                        ),
                        _ => {}
                    }
                }
            }
        }
        if code.contains("do shell script") {
            for text in strings(code) {
                self.probe_script(&text, "AppleScript");
            }
        }
    }

    fn code_writes(&mut self, code: &str) {
        for call in calls(code, "open") {
            let literals = strings(call);
            let mode = literals.get(1).map_or("r", String::as_str);
            if let Some(path) = literals.first()
                && call.trim_start().starts_with(['\'', '"'])
                && mode.len() <= 3
                && mode.contains(['w', 'a', 'x', '+'])
            {
                self.writes(&Arg::new(path.clone()), "code");
            }
        }
        for name in [
            "writeFileSync",
            "appendFileSync",
            "writeFile",
            "file_put_contents",
            "File.write",
            "createWriteStream",
        ] {
            for call in calls(code, name) {
                if let Some(path) = first_string(call).filter(|_| is_one_string(first_argument(call))) {
                    self.writes(&Arg::new(path), "code");
                }
            }
        }
    }
}

/// Whether the code calls something named like a deletion in a service: `clearObjects(`, `deleteMany(`.
fn loses_by_name(code: &str) -> bool {
    code.match_indices('(').any(|(at, _)| {
        let name: String = code[..at]
            .chars()
            .rev()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .collect();
        let lower = name.to_lowercase();
        ["delete", "destroy", "drop", "purge", "truncate", "wipe"].iter().any(|verb| lower.starts_with(verb))
            || (lower.starts_with("clear") && lower.len() > 5)
    })
}

/// The argument texts of all calls of `name`, up to the matching bracket.
pub(crate) fn calls<'c>(code: &'c str, name: &str) -> Vec<&'c str> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices(name).take(64) {
        let before = code[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || (name.contains('.') && c == '.')) {
            continue;
        }
        let rest = code[at + name.len()..].trim_start();
        if let Some(inside) = rest.strip_prefix('(') {
            found.push(&inside[..closing(inside)]);
        }
    }
    found
}

/// Where the bracket that is open before `text` closes.
fn closing(text: &str) -> usize {
    let (mut depth, mut quote) = (1usize, None);
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (_, '\\') => escaped = true,
            (Some(q), c) if c == q => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"' | '`') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => {
                depth -= 1;
                if depth == 0 {
                    return at;
                }
            }
            _ => {}
        }
    }
    text.len()
}

/// All string literals, escapes resolved.
fn strings(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let (mut open, mut text, mut escaped) = (None, String::new(), false);
    for c in code.chars() {
        match open {
            Some(_) if escaped => {
                match c {
                    'n' => text.push('\n'),
                    't' => text.push('\t'),
                    'x' | 'u' => text.extend(['\\', c]),
                    other => text.push(other),
                }
                escaped = false;
            }
            Some(_) if c == '\\' => escaped = true,
            Some(quote) if c == quote => {
                open = None;
                found.push(crate::quoting::ansi_c(&std::mem::take(&mut text)));
            }
            Some(_) => text.push(c),
            None if matches!(c, '\'' | '"' | '`') => open = Some(c),
            None => {}
        }
        if found.len() > 256 {
            break;
        }
    }
    found
}

/// The first literal of an argument list.
pub(crate) fn first_string(arguments: &str) -> Option<String> {
    strings(arguments).into_iter().next()
}

/// The first argument of an argument list.
fn first_argument(arguments: &str) -> &str {
    let (mut depth, mut quote) = (0usize, None);
    for (at, c) in arguments.char_indices() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"' | '`') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => return &arguments[..at],
            _ => {}
        }
    }
    arguments
}

/// Whether the text is one literal and nothing else.
pub(crate) fn is_one_string(text: &str) -> bool {
    let text = text.trim().trim_start_matches(['r', 'b', 'u']);
    let Some(quote) = text.chars().next().filter(|c| matches!(c, '\'' | '"')) else {
        return false;
    };
    text.len() >= 2 && text.ends_with(quote) && strings(text).len() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_and_strings() {
        assert_eq!(calls("os.system('rm -rf (x)'); y", "system"), ["'rm -rf (x)'"]);
        assert_eq!(strings(r#"a("b", 'c\'d')"#), ["b", "c'd"]);
        assert!(is_one_string("'x'") && !is_one_string("'x' + y") && !is_one_string("x"));
        assert!(calls("filesystem(1)", "system").is_empty());
        assert_eq!(first_argument("'a,b', c"), "'a,b'");
    }

    #[test]
    fn names_of_interpreters() {
        assert_eq!(language("python3.12"), Some(Language::Python));
        assert_eq!(language("nodejs"), Some(Language::Node));
        assert_eq!(language("pythonish"), None);
    }
}
