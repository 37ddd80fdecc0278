//! Code of other languages on the command line: `python -c`, `node -e`, scripts on standard input.
//!
//! No attempt is made to understand the language. The text is searched for calls that run commands, delete or write files,
//! or hide what they do, and their literal arguments are judged like any command or path. Everything else such code does
//! is "may write".

use crate::code::Language;
use crate::code_names::{
    COPIES, DELETE_CALLS, DELETERS, HIDING, HOMES, MOVES, NETWORK, RUNNERS, SHELL_CALLS,
};
use crate::code_taken::{programs_as_functions, tagged_commands};
use crate::code_text::{
    calls, calls_and_rest, first_argument, first_string, is_one_string, literal_lists, mentions, only_string,
    strings,
};
use crate::filters::base64_decode;
use crate::findings::Weight;
use crate::run::is_harm;
use crate::value::{Arg, Data, HOLE};
use crate::verdict::Place;
use crate::walk::Walk;

impl Walk<'_> {
    /// Judges program text.
    pub(crate) fn code(&mut self, language: Language, code: &str, about: &str) {
        if !self.step(about) {
            return;
        }
        self.depth += 1;
        self.found.may_write();
        self.found.add(Weight::Checkpoint, "runs_inline_code", "runs code given on the command line", about);
        let hidden = HIDING.iter().any(|word| code.contains(word));
        let network = NETWORK.iter().any(|word| code.contains(word));
        self.found.verdict.network |= network;
        // `fs.promises.rm(…)` is `fs.rm(…)` that one waits for.
        let waited = (language == Language::Node && code.contains(".promises."))
            .then(|| code.replace(".promises.", "."));
        let code = waited.as_deref().unwrap_or(code);
        let renamed = crate::code_more::with_own_names(language, code);
        let code = renamed.as_deref().unwrap_or(code);
        let (written, outer) = (code, self.cwd.clone());
        let home = self.ctx.home.to_string_lossy();
        let given = self.given_with_variables(code, true);
        // `"$ENV{HOME}/x"`: the home folder inside a text.
        let at_home = with_home(code, &home);
        let put_together =
            crate::code_values::folded(language, at_home.as_deref().unwrap_or(code), &home, &given)
                .or(at_home);
        // A word of the line that is only handed on, such as a message, is no command that the code holds.
        self.given.used = self.uses_words(code);
        let without_words = if self.given.used {
            let given = self.given_with_variables(code, false);
            Some(crate::code_values::folded(language, code, &home, &given).unwrap_or_else(|| code.to_owned()))
        } else {
            None
        };
        let code = put_together.as_deref().unwrap_or(code);
        self.changes_folder(code);
        if language == Language::Node && written.contains("$`") {
            let written = with_home(written, &home).unwrap_or_else(|| written.to_owned());
            for line in tagged_commands(&written) {
                // In a file of the project what is put in later is the project's own.
                if self.reading.is_empty() || !line.contains('$') {
                    self.probe_script(&line, "code");
                }
            }
        }
        // IPython hands such a line to a shell, and Finder does what it is told.
        if language == Language::Python {
            for line in written.lines().filter_map(|line| line.trim_start().strip_prefix('!')).take(16) {
                self.probe_script(line, "code");
            }
        }
        let told = written.to_lowercase();
        if language == Language::Other
            && told.contains("tell app")
            && ["delete ", "empty trash", "empty the trash", "move ", "erase "]
                .iter()
                .any(|word| told.contains(word))
        {
            self.found.loses(false);
            self.found.unknown(
                Weight::Ask,
                "deletes_unknown",
                "tells another program to delete or move",
                about,
            );
        }
        self.shell_calls(language, code, hidden, about);
        let mut computed = false;
        for (name, recursive) in DELETE_CALLS {
            for call in calls(code, name) {
                match only_string(first_argument(call)) {
                    Some(path) => {
                        self.deletes(&Arg::new(self.without_tilde(&path)), *recursive);
                    }
                    None => {
                        computed = true;
                        self.deletes_what_it_reads(code, call, *recursive);
                    }
                }
            }
        }
        if computed && self.reading.is_empty() && crate::code_disguise::hides_a_name(code) {
            self.found.loses(false);
            self.found.unknown(Weight::Ask, "hidden_code", "code that hides what it deletes", about);
        }
        self.writes_at_home(written, about);
        self.hidden_calls(without_words.as_deref().unwrap_or(code), written, computed, about);
        self.code_writes(code);
        self.code_more(language, code, about);
        if network && self.reading.is_empty() {
            // What it fetches may go into any file that it names.
            let names = |text: &&String| {
                text.len() < 100 && text.contains(['.', '/']) && !text.contains(['\n', ' ', ':', '(', '?'])
            };
            let fetched = Data::unknown(crate::value::Taint { network: true, ..Default::default() });
            for name in strings(code).iter().filter(names).take(8) {
                self.remember_file(&Arg::new(name.clone()), &fetched, false);
            }
        }
        let evaluates = ["exec(", "eval(", "compile(", "Function(", "instance_eval", "loadstring(", "load("]
            .iter()
            .any(|word| code.contains(word));
        if evaluates && hidden {
            for decoded in
                strings(code).iter().filter(|text| text.len() > 15).filter_map(|text| base64_decode(text))
            {
                if let Ok(inner) = String::from_utf8(decoded)
                    && self.depth < 12
                {
                    self.code(language, &inner, about);
                }
            }
        }
        if ["Path.home().rglob(", "Path.home().glob(", "Path.home().iterdir("]
            .iter()
            .any(|call| code.contains(call))
            && [".unlink(", "os.remove(", "rmtree("].iter().any(|call| code.contains(call))
        {
            self.deletes(&Arg::new(home.clone().into_owned()), true);
        }
        if evaluates && (hidden || network)
            || code.contains("getattr(os")
            || code.contains("__import__(") && (hidden || code.contains("getattr"))
        {
            self.found.unknown(Weight::Ask, "hidden_code", "code that hides what it runs", about);
        }
        // In a file of the project, its own settings are ordinary; keys of the person are not.
        let in_file = !self.reading.is_empty();
        let secrets = strings(code).iter().any(|text| {
            text.len() < 200
                && crate::secret_files::is_secret(text)
                && (!in_file
                    || text.starts_with(['/', '~'])
                    || text.contains(".ssh")
                    || text.contains(".aws"))
        });
        // The project's own settings are read on this machine by whoever works here.
        let is_own = |text: &str| {
            !(text.starts_with(['/', '~'])
                || text.contains("..")
                || text.contains(".ssh")
                || text.contains(".aws"))
        };
        let only_own = strings(code)
            .iter()
            .filter(|text| text.len() < 200 && crate::secret_files::is_secret(text))
            .all(|text| is_own(text));
        if secrets {
            let weight = if only_own && !network { Weight::Checkpoint } else { Weight::Ask };
            self.found.add(weight, "reads_secret", "uses a file that usually holds a secret", about);
            if network {
                self.sends(true, about);
            }
        }
        if crate::code_flows::sends_secret(code) {
            self.sends(true, about);
        }
        if network && !in_file && asks_to_delete(code) {
            self.changes_remote(about);
        }
        if is_network_shell(written) {
            self.found.verdict.network = true;
            self.found.add(Weight::Ask, "network_shell", "connects a shell to the network", about);
        }
        // A program of the project may well use its own key; a line on the spot is looked at.
        if network && self.reading.is_empty() && reads_environment_key(code) {
            self.found.add(
                Weight::Ask,
                "sends_data",
                "hands a secret from the environment to the network",
                about,
            );
        }
        let loops = ["while", "for", "loop", "until"].iter().any(|word| mentions(code, word));
        if loops && mentions(code, "fork") {
            self.found.add(
                Weight::Ask,
                "fork_bomb",
                "code that may start copies of itself without end",
                about,
            );
        }
        if loses_by_name(code) {
            self.found.unknown(
                Weight::Covered,
                "unknown_loss",
                "code that calls something named like a deletion",
                about,
            );
        }
        if !in_file {
            let folder = self.cwd.clone().unwrap_or_default();
            self.loaded_files(language, code, &folder, about);
        }
        self.cwd = outer;
        self.depth -= 1;
    }

    /// `os.chdir('..')`: what follows happens there.
    fn changes_folder(&mut self, code: &str) {
        for call in calls(code, "chdir").into_iter().take(4) {
            let Some(folder) = only_string(first_argument(call)) else { continue };
            let folder = self.without_tilde(&folder);
            if let Some(path) = crate::place::absolute(&folder, self.cwd.as_deref()) {
                self.cwd = Some(crate::place::normalise(&path));
            }
        }
    }

    /// A statement that builds a path in a home folder and writes or deletes there.
    fn writes_at_home(&mut self, code: &str, about: &str) {
        const CHANGES: &[&str] = &[
            "write_text",
            "write_bytes",
            "writeFile",
            "appendFile",
            "File.write",
            "promises.rm",
            "createWriteStream",
        ];
        const MODES: &[&str] = &["'w'", "\"w\"", "'a'", "\"a\"", "'wb'", "\"wb\""];
        let changes = |statement: &str| {
            HOMES.iter().any(|name| statement.contains(name))
                && (CHANGES.iter().any(|name| statement.contains(name))
                    || statement.contains("open(") && MODES.iter().any(|mode| statement.contains(mode)))
        };
        if code.split([';', '\n']).any(changes) {
            self.found.loses(false);
            self.found.add(Weight::Ask, "writes_outside", "code that changes files in a home folder", about);
        }
    }

    /// Calls under another name (`import subprocess as s`), functions handed to others (`map(unlink, ...)`): where the
    /// means to run or delete are there, every literal counts as what they are used on.
    fn hidden_calls(&mut self, code: &str, written: &str, deletes: bool, about: &str) {
        let literals = strings(code);
        if RUNNERS.iter().any(|name| code.contains(name)) {
            let lists = literal_lists(code);
            let lines = literals.iter().filter(|text| text.contains(' ') && text.len() < 2000).take(32);
            let mut harmful = false;
            for line in lines {
                harmful |= is_harm(&self.probed(|walk| {
                    walk.script(line, Data::default());
                }));
            }
            for list in lists.iter().filter(|list| list.len() > 1).take(16) {
                let argv: Vec<Arg> = list.iter().map(Arg::new).collect();
                harmful |= is_harm(&self.probed(|walk| {
                    walk.run(&argv, Data::default());
                }));
            }
            if harmful {
                self.found.loses(false);
                self.found.unknown(
                    Weight::Ask,
                    "runs_unknown_code",
                    "code that holds a harmful command",
                    about,
                );
            }
        }
        if deletes || DELETERS.iter().any(|name| mentions(code, name)) || hands_on_deletion(code) {
            self.deletes_what_it_lists(code, &literals, about);
            let at_home = HOMES.iter().any(|name| written.contains(name));
            let outside = literals.iter().take(64).any(|text| {
                let place = || self.place_of(&Arg::new(self.without_tilde(text))).1;
                let own = text.starts_with('.') && text.len() < 200 && !text.contains([' ', '\n']);
                is_path(text) && !matches!(place(), Place::Project | Place::Temp | Place::Stream)
                    || own
                        && matches!(
                            place(),
                            Place::GitData | Place::GitHook | Place::VibState | Place::AgentSettings
                        )
            });
            if at_home || outside {
                self.found.loses(false);
                self.found.unknown(
                    Weight::Ask,
                    "deletes_unknown",
                    "code that deletes, and names a place outside the project",
                    about,
                );
            } else {
                self.found.unknown(
                    Weight::Covered,
                    "deletes_unknown",
                    "code that deletes files it computes",
                    about,
                );
            }
        }
    }

    /// Code that deletes what a pattern matches or a folder lists: what that is can be looked up.
    fn deletes_what_it_lists(&mut self, code: &str, literals: &[String], about: &str) {
        let mut hits = Vec::new();
        for text in literals.iter().filter(|text| text.len() < 200 && !text.contains([' ', '\n'])).take(32) {
            if crate::patterns::is_pattern(text) && !text.contains("://") {
                let pattern = Arg { glob: true, ..Arg::new(self.without_tilde(text)) };
                let dots = code.contains("dot") || code.contains("include_hidden") || code.contains("rglob");
                hits.extend(self.special_matches(&pattern, dots));
                // Those of the matches that are ignored are in no checkpoint.
                if code.contains("glob") || code.contains("Dir[") {
                    self.overwrites_matches(&pattern);
                }
            }
        }
        const LISTS: &[&str] =
            &["listdir", "scandir", "iterdir", "readdirSync", "readdir", "Dir.entries", "Dir.children"];
        const WHOLE: &[&str] =
            &["rmtree", "rmSync", "rm_rf", "rm_r", "remove_tree", "rimraf", "removeSync", "remove_entry"];
        let has = |names: &[&str]| names.iter().any(|name| mentions(code, name));
        let chooses =
            ["if ", "if(", "filter", "endswith", "endsWith", "startswith", "startsWith", "=~", " ? "];
        let all = !chooses.iter().any(|word| code.contains(word));
        for call in LISTS.iter().filter(|_| all).flat_map(|name| calls(code, name)).take(4) {
            let folder = only_string(first_argument(call)).unwrap_or_else(|| ".".to_owned());
            let folder = self.without_tilde(&folder);
            let dotglob = std::mem::replace(&mut self.dotglob, true);
            self.overwrites_matches(&Arg::new(format!("{}/*", folder.trim_end_matches('/'))));
            self.dotglob = dotglob;
        }
        if has(LISTS) && has(WHOLE) && all {
            let cwd = self.cwd.clone().unwrap_or_default();
            hits.extend(self.special_names(&cwd, true));
        }
        hits.retain(|hit| self.place_of_entry(&Arg::new(hit.clone())).1 != Place::Project);
        if let Some(hit) = hits.first() {
            self.found.loses(false);
            let text =
                format!("code that deletes what it lists, and that is more than files of the project: {hit}");
            self.found.add(Weight::Ask, "deletes_listed", text, about);
        }
    }

    pub(crate) fn without_tilde(&self, path: &str) -> String {
        path.replacen('~', &self.ctx.home.to_string_lossy(), usize::from(path.starts_with('~')))
    }

    fn shell_calls(&mut self, language: Language, code: &str, hidden: bool, about: &str) {
        let listed;
        let code = if matches!(language, Language::Perl | Language::Ruby)
            && (code.contains("qw") || code.contains("%w"))
        {
            listed = with_word_lists(code);
            listed.as_str()
        } else {
            code
        };
        let mut found = Vec::new();
        // These take the program, and then its name once more.
        const EXECS: &[&str] = &[
            "execl",
            "execlp",
            "execle",
            "execv",
            "execvp",
            "execve",
            "spawnl",
            "spawnlp",
            "spawnv",
            "spawnvp",
            "posix_spawn",
        ];
        for call in EXECS.iter().flat_map(|name| calls(code, name)) {
            let literals = strings(call);
            if literals.len() > 2 {
                let argv: Vec<Arg> = literals
                    .iter()
                    .enumerate()
                    .filter(|(n, _)| *n != 1)
                    .map(|(_, text)| Arg::new(text))
                    .collect();
                self.run(&argv, Data::default());
            }
        }
        for name in SHELL_CALLS {
            let generic = matches!(*name, "spawn" | "shell" | "sh");
            if generic && language == Language::Python && !(*name == "spawn" && code.contains("pty")) {
                continue;
            }
            found.extend(calls(code, name));
        }
        match language {
            Language::Python if code.contains("from subprocess import") => {
                found.extend(calls(code, "run").into_iter().chain(calls(code, "call")));
            }
            Language::Node if code.contains("child_process") => found.extend(calls(code, "exec")),
            Language::Perl | Language::Ruby | Language::Php => found.extend(calls(code, "exec")),
            _ => {}
        }
        if language == Language::Python {
            for argv in programs_as_functions(code) {
                let argv: Vec<Arg> = argv.iter().map(Arg::new).collect();
                self.run(&argv, Data::default());
            }
        }
        for call in found {
            self.runs_what_it_reads(code, call, about);
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
        if matches!(language, Language::Perl | Language::Ruby) {
            // `open(F, "|cmd")`, `open("cmd|")`, `open(F, "-|", "cmd")`.
            for call in calls(code, "open") {
                let literals = strings(call);
                for (n, text) in literals.iter().enumerate() {
                    match text.trim() {
                        "-|" | "|-" => self.probe_script(&literals[n + 1..].join(" "), "code"),
                        piped if piped.starts_with('|') || piped.ends_with('|') => {
                            self.probe_script(piped.trim_matches('|'), "code");
                        }
                        _ => {}
                    }
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
        if matches!(language, Language::Perl | Language::Ruby) {
            // `unlink </home/u/*>`, `rename "a", "b"`.
            for rest in code.split("unlink").skip(1) {
                let line = rest.split(';').next().unwrap_or(rest);
                for open in ["q(", "qq(", "q{", "qq{"] {
                    if let Some((_, text)) = line.split_once(open)
                        && let Some(end) = text.find([')', '}'])
                    {
                        self.deletes(
                            &Arg { glob: true, ..Arg::new(self.without_tilde(&text[..end])) },
                            false,
                        );
                    }
                }
                let rest = rest.trim_start().trim_start_matches('(').trim_start();
                if let Some(pattern) = rest.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
                    self.deletes(&Arg { glob: true, ..Arg::new(self.without_tilde(pattern.0)) }, false);
                }
            }
            // `open F, ">", "x"` works without brackets.
            for rest in code.split("open").skip(1) {
                let rest = rest.split([';', '\n']).next().unwrap_or_default();
                let literals = strings(rest);
                let path = match literals.as_slice() {
                    [mode, path, ..] if matches!(mode.trim(), ">" | ">>" | "+>" | "+<") => {
                        Some(path.as_str())
                    }
                    [one, ..] if one.starts_with('>') => Some(one.trim_start_matches('>').trim()),
                    _ => None,
                };
                if let Some(path) = path.filter(|path| !path.is_empty()) {
                    self.writes(&Arg::new(self.without_tilde(path)), "code");
                }
            }
            for rest in code.split("rename ").skip(1) {
                let rest = rest.split([';', '\n']).next().unwrap_or_default();
                if let [from, to, ..] = strings(rest).as_slice() {
                    let (from, to) = (self.without_tilde(from), self.without_tilde(to));
                    self.run(&[Arg::new("mv"), Arg::new(from), Arg::new(to)], Data::default());
                }
            }
        }
        if matches!(language, Language::Other) {
            let literals = strings(code);
            // A command in one text, or in several: `("rm", ["-rf", "x"])`.
            for text in &literals {
                let first = text.split_whitespace().next().unwrap_or_default();
                if text.contains(' ') && crate::run::is_known(first) {
                    self.probe_script(text, "code");
                }
            }
            if let Some(at) = literals.iter().position(|text| {
                matches!(
                    text.as_str(),
                    "rm" | "unlink" | "rmdir" | "shred" | "mv" | "dd" | "sh" | "bash" | "/bin/rm" | "/bin/sh"
                )
            }) && literals.len() > at + 1
            {
                let argv: Vec<Arg> = literals[at..].iter().map(Arg::new).collect();
                self.run(&argv, Data::default());
            }
            for name in [
                "removeItem",
                "File.rm!",
                "File.rm",
                "File.rmdir",
                "delete-directory",
                "delete-file",
                "deleteDir",
                "delete-tree",
                "removeDirectoryRecursive",
                "removePathForcibly",
                "deleteRecursively",
            ] {
                if code.contains(name)
                    && let Some(path) = literals.iter().find(|text| is_path(text))
                {
                    self.deletes(&Arg::new(self.without_tilde(path)), true);
                }
            }
            // Tcl, expect: a command is a line that starts with its name.
            for line in code.split([';', '\n', '{', '}', '[']).map(str::trim) {
                if let Some(words) =
                    line.strip_prefix("file delete ").or_else(|| line.strip_prefix("file rename "))
                {
                    for path in words.split_whitespace().filter(|word| !word.starts_with('-')).take(8) {
                        self.deletes(&Arg::new(self.without_tilde(path.trim_matches('"'))), true);
                    }
                }
                for name in ["spawn ", "exec ", "system ", "send "] {
                    if let Some(command) = line.strip_prefix(name) {
                        self.probe_script(command.trim_matches('"'), "code");
                    }
                }
            }
            if mentions(code, "rm") && code.contains("recursive") {
                self.found.loses(false);
                self.found.unknown(Weight::Ask, "deletes_unknown", "code that deletes whole folders", about);
            }
        }
        if code.contains("do shell script") {
            for text in strings(code) {
                self.probe_script(&text, "AppleScript");
            }
        }
    }

    /// `Path('x').write_text(...)`: what happens to a path is a method after it.
    fn path_methods(&mut self, code: &str) {
        for (inside, after) in calls_and_rest(code, "Path") {
            let Some(path) = first_string(inside).filter(|_| is_one_string(inside)) else { continue };
            let path = Arg::new(self.without_tilde(&path));
            let after = after.strip_prefix(".expanduser()").unwrap_or(after);
            if ["write_text", "write_bytes", "touch", "mkdir", "chmod", "symlink_to", "open('w", "open(\"w"]
                .iter()
                .any(|method| after.strip_prefix('.').is_some_and(|rest| rest.starts_with(method)))
            {
                self.writes(&path, "code");
            } else if after.starts_with(".unlink")
                || after.starts_with(".rmdir")
                || after.starts_with(".rename")
            {
                self.deletes(&path, false);
            }
        }
    }

    /// Calls with a source and a target: both places count.
    fn two_paths(&mut self, code: &str) {
        for (names, moves) in [(MOVES, true), (COPIES, false)] {
            for call in names.iter().flat_map(|name| calls(code, name)) {
                let literals = strings(call);
                let [from, to, ..] = literals.as_slice() else { continue };
                let from = Arg::new(self.without_tilde(from));
                if moves && self.place_of(&from).1 != Place::Project {
                    self.deletes(&from, true);
                }
                self.writes(&Arg::new(self.without_tilde(to)), "code");
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
        self.path_methods(code);
        self.two_paths(code);
        for name in [
            "writeFileSync",
            "appendFileSync",
            "writeFile",
            "file_put_contents",
            "File.write",
            "createWriteStream",
            "os.truncate",
            "truncateSync",
            "os.mkfifo",
            "File.truncate",
        ] {
            for call in calls(code, name) {
                if let Some(path) = first_string(call).filter(|_| is_one_string(first_argument(call))) {
                    self.writes(&Arg::new(path), "code");
                }
            }
        }
    }
}

/// Whether code asks another machine to delete something: `requests.delete('https://…')`, `fetch(…, {method: 'DELETE'})`.
fn asks_to_delete(code: &str) -> bool {
    let is_far = |text: &String| {
        ["http://", "https://"]
            .iter()
            .any(|scheme| text.strip_prefix(scheme).is_some_and(|rest| !crate::net::is_loopback(rest)))
    };
    let says = strings(code).iter().any(|text| text.eq_ignore_ascii_case("delete"))
        || [".delete(", "Net::HTTP::Delete", "http_delete("].iter().any(|call| code.contains(call));
    says && strings(code).iter().any(is_far)
}

/// The code with the home folder in the place of what stands for it inside a text; nothing if there is none.
fn with_home(code: &str, home: &str) -> Option<String> {
    const NAMES: [&str; 12] = [
        "$ENV{HOME}",
        "$ENV{'HOME'}",
        "#{ENV['HOME']}",
        "#{ENV[\"HOME\"]}",
        "#{Dir.home}",
        "${process.env.HOME}",
        "${os.homedir()}",
        "${homedir()}",
        "{os.environ['HOME']}",
        "{os.environ[\"HOME\"]}",
        "{Path.home()}",
        "{$_SERVER['HOME']}",
    ];
    let with = |text: String, name: &&str| text.replace(&format!("{name}/"), &format!("{home}/"));
    NAMES.iter().any(|name| code.contains(name)).then(|| NAMES.iter().fold(code.to_owned(), with))
}

/// Whether a function that deletes is handed to another one: `map(os.remove, ...)`.
fn hands_on_deletion(code: &str) -> bool {
    ["os.remove", "os.unlink", "fs.unlink", "File.delete", "shutil.rmtree", "fs.rm"].iter().any(|name| {
        code.match_indices(name).any(|(at, _)| {
            let after = code[at + name.len()..].trim_start();
            after.starts_with([',', ')'])
        })
    })
}

/// Whether code opens a connection and gives it to a shell, or runs what comes out of it.
fn is_network_shell(code: &str) -> bool {
    let socket = [
        "socket",
        "Socket",
        "fsockopen",
        "pfsockopen",
        "stream_socket_client",
        "require('net')",
        "require(\"net\")",
        "/inet/tcp",
        "net.Dial",
        "TCPServer",
    ]
    .iter()
    .any(|word| code.contains(word));
    let connects = [
        "connect",
        "open(",
        "listen",
        "bind(",
        "accept",
        "INET",
        "TCPSocket",
        "create_connection",
        "fsockopen",
        "stream_socket_client",
        "[socket ",
    ]
    .iter()
    .any(|word| code.contains(word));
    let shell = [
        "/bin/sh",
        "/bin/bash",
        "'sh'",
        "\"sh\"",
        "'bash'",
        "\"bash\"",
        "bash -i",
        "sh -i",
        "sh -c",
        "cmd.exe",
        "pty.spawn",
        "`sh`",
        "powershell",
    ]
    .iter()
    .any(|word| code.contains(word));
    let runs = [
        "dup2",
        "popen",
        "system",
        "exec",
        "spawn",
        "subprocess",
        "child_process",
        "fdopen",
        "run(",
        "proc_open",
        "passthru",
    ]
    .iter()
    .any(|word| code.contains(word));
    let feeds = [
        "recv",
        "gets",
        "fgets",
        "<>",
        "while(<",
        "readline",
        ".pipe(",
        "on('data'",
        "on(\"data\"",
        "fdopen",
    ]
    .iter()
    .any(|word| code.contains(word));
    socket
        && connects
        && runs
        && (shell
            || code.contains("dup2")
            || feeds && (code.contains("system") || code.contains("popen") || code.contains("exec(")))
}

/// Whether code takes a variable out of the environment that usually holds a secret.
fn reads_environment_key(code: &str) -> bool {
    let marks = ["environ", "getenv", "process.env", "ENV[", "ENV{", "$_ENV", "Deno.env"];
    marks.iter().any(|mark| {
        code.match_indices(mark).take(32).any(|(at, _)| {
            let rest = &code[at + mark.len()..];
            let name: String = rest
                .trim_start_matches(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '\n' | ';'))
                .trim_start_matches("get(")
                .trim_start_matches(['\'', '"'])
                .chars()
                .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
                .collect();
            crate::secret_files::is_secret_variable(&name)
        })
    })
}

/// `qw(a b)` and `%w[a b]` as the lists of strings that they are.
fn with_word_lists(code: &str) -> String {
    let mut out = String::new();
    let mut rest = code;
    while let Some(at) = rest.find("qw").into_iter().chain(rest.find("%w")).min() {
        let (before, mark) = rest.split_at(at);
        out.push_str(before);
        let inside = mark[2..].trim_start();
        let close = match inside.chars().next() {
            Some('(') => ')',
            Some('[') => ']',
            Some('{') => '}',
            Some('/') => '/',
            _ => {
                out.push_str(&mark[..2]);
                rest = &mark[2..];
                continue;
            }
        };
        let Some((words, after)) = inside[1..].split_once(close) else { break };
        let list: Vec<String> = words.split_whitespace().map(|word| format!("'{word}'")).collect();
        out.push_str(&format!("({})", list.join(", ")));
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Whether a literal looks like a path that is not plainly one of the project.
fn is_path(text: &str) -> bool {
    text.len() < 500
        && !text.contains(['\n', ' '])
        && (text.starts_with(['/', '~']) && text.len() > 1 || text == "/" || text.starts_with("../"))
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
